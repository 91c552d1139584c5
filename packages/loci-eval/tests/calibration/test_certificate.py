"""What a calibration promises, on questions whose confidence and outcome are written down."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from loci.eval import CalibrationReport, to_json
from loci.eval._step import is_current
from loci.eval.calibration.calibrate import CHANGED
from loci.eval.calibration.certificate import report_of
from loci.eval.calibration.explain import explain_calibration
from loci.eval.calibration.fit import fit_logistic
from loci.eval.calibration.fitting import STRENGTH, _fit_confidence, _fit_whether, half_of, in_half
from loci.eval.calibration.mixed import GRID, best_coverage
from loci.eval.own.corpus import Asked, OwnQuestion
from loci.router import Calibration, Route, RoutedScope

SENTENCE, REFUSED = "openings", "off_topic"


def asked(confidence: float, *, right: bool = True, about: str = "a", family: str = SENTENCE) -> Asked:
    """A question about a scope that was answered; `right`: from that scope, else from another."""
    chosen = RoutedScope(about if right else "other", about, 1.0, confidence)
    route = Route("why?", False, None, "single", confidence, [chosen], [], ())
    scopes = (about,) if family == SENTENCE else ()
    return Asked(OwnQuestion(family, f"why {confidence} {about}?", scopes, about, words=9), route, {})


def abstained(about: str = "a") -> Asked:
    route = Route("why?", True, "no_evidence", "single", 0.3, [], [], ())
    return Asked(OwnQuestion(SENTENCE, "why?", (about,), about, words=9), route, {})


@dataclass
class Fitted:
    """What `report_of` takes of a fit."""

    asked: list[Asked]
    fitted: list[str] = field(default_factory=list)
    calibration: Calibration = field(default_factory=Calibration)
    first: frozenset[str] = frozenset(["first"])
    reasons: dict[str, str] = field(default_factory=lambda: {"weights": "w", "confidence": "c"})

    def in_first(self, each: Asked) -> bool:
        return in_half(each, self.first)

    @property
    def corpus(self) -> Any:
        numbers = {"documents": [0, 1], "commits": [2]}
        return SimpleNamespace(index=SimpleNamespace(scopes=["a", "b"], numbers=lambda scope: numbers))


def report(questions: list[Asked], **fit: Any) -> CalibrationReport:
    return report_of(Fitted(questions, **fit), {}, 0.05, 0.9, 3, 0.0)  # type: ignore[arg-type]


def test_forty_five_answers_without_an_error_are_enough_and_one_less_is_not() -> None:
    enough = report([asked(0.9)] * 45)
    assert enough.certified and enough.reason.startswith("of 45 own questions answered at 0.4, 0 were wrong")
    # The loosest of the grid; to leave the directory or to answer what points at nothing takes what it took before.
    assert enough.values == {"threshold": 0.4, "deictic_threshold": 0.8, "leave_threshold": 0.85}
    few = report([asked(0.9)] * 44)
    assert not few.certified and few.values == {} and few.calibration.threshold == Calibration().threshold
    assert "it gives 44 questions that would be answered, and 45 without an error are needed" in few.reason


def test_what_is_decided_by_no_threshold_counts_for_nothing() -> None:
    few = report([asked(0.9)] * 44 + [abstained()] * 10)
    assert "it gives 44 questions" in few.reason
    assert (few.fitted_on.outcome.answered.n, few.fitted_on.outcome.answered.successes) == (54, 44)


def test_a_strict_threshold_raises_those_that_ask_for_more() -> None:
    # 300 right at 0.95 are certified from 0.95 down; the twenty wrong ones at 0.9 end the walk.
    made = report([asked(0.95)] * 300 + [asked(0.9, right=False)] * 60)
    assert made.values == {"threshold": 0.905, "deictic_threshold": 0.905, "leave_threshold": 0.905}
    assert (made.fitted_on.outcome.wrong.successes, made.fitted_on.outcome.wrong.n) == (0, 300)


def test_without_a_certificate_the_best_threshold_is_used_and_said() -> None:
    # 3 of 60 are 5 %: as few as promised, and too few answers to promise it.
    best = report([asked(0.9)] * 57 + [asked(0.9, right=False)] * 3)
    assert not best.certified and best.values["threshold"] == 0.4
    assert "of 60 own questions answered at 0.4, 5.0% were wrong; that threshold is used" in best.reason
    uncertified = best.fitted_on.best_uncertified
    assert uncertified is not None and uncertified.outcome.wrong.successes == 3
    # With as many answers as a certificate takes the corpus is not too small: one of them is wrong.
    assert "that threshold is used" in report([asked(0.9)] * 44 + [asked(0.9, right=False)]).reason
    # At 4 of 60 no threshold has so few; nor where the good ones are fewer than a certificate takes.
    for questions in (
        [asked(0.9)] * 56 + [asked(0.9, right=False)] * 4,
        [asked(0.95)] * 44 + [asked(0.9, right=False)] * 16,
    ):
        worse = report(questions)
        assert worse.values == {} and "no threshold has so few wrong answers; the shipped one stays" in worse.reason


def test_what_was_fitted_on_one_half_is_certified_on_the_other() -> None:
    questions = [asked(0.9, about="first")] * 50 + [asked(0.9, about="second")] * 44
    whole, half = report(questions), report(questions, fitted=["confidence"])
    assert whole.certified and whole.fitted_on.on == "all projects" and "whether_weights" not in whole.values
    assert not half.certified and "it gives 44 questions" in half.reason
    assert half.fitted_on.on == "the half that nothing was fitted on"
    assert set(half.values) == {"whether_weights", "confidence_weights"}
    assert set(report(questions, fitted=["weights"]).values) == {"weights"}
    # Chosen on the first half, and what it does to the second.
    held_out = whole.fitted_on.held_out
    assert held_out is not None and (held_out.threshold, held_out.outcome.wrong.n) == (0.4, 44)
    assert report([asked(0.9, about="first")] * 50).fitted_on.held_out is None


def test_what_it_was_fitted_on_is_written_down() -> None:
    made = report([asked(0.9)] * 45 + [asked(0.9, family=REFUSED, right=False)] * 20)
    fitted = made.fitted_on
    assert (fitted.scopes, fitted.passages, fitted.questions, fitted.seed) == (["a", "b"], 6, 65, 3)
    # As many to refuse as are 15 % of the whole: 45 x 0.15 / 0.85 = 7.94.
    assert [(row.name, row.n, row.answered, row.wrong) for row in fitted.families] == [
        (SENTENCE, 45, 45, 0),
        (REFUSED, 8, 8, 8),
    ]
    assert to_json(made)["certified"] is made.certified is False


def test_the_largest_coverage_with_few_enough_errors() -> None:
    good, bad, lost = [asked(0.9)] * 19, [asked(0.9, right=False)], [abstained()] * 20
    assert best_coverage([*good, *bad, *lost], 0.05) == 20 / 40
    assert best_coverage([*good[1:], *bad, *lost], 0.05) == 0.0
    # A stricter threshold answers fewer, and those rightly.
    assert best_coverage([*[asked(0.95)] * 10, *good[1:], *[bad[0]] * 2], 0.05) == 10 / 30
    assert best_coverage([asked(0.4)], 0.05) == 1.0 == best_coverage([asked(0.98)], 0.05)
    assert best_coverage([asked(0.39)], 0.05) == best_coverage([], 0.05) == 0.0
    assert (GRID[0], GRID[1], GRID[-1], len(GRID)) == (0.98, 0.975, 0.4, 117)


def with_evidence(each: Asked, scope: str, agreement: float = 1.0, **signs: float) -> Asked:
    """The question with evidence for one scope."""
    found = SimpleNamespace(scopes={scope: SimpleNamespace(agreement=agreement, signs=signs)})
    trace = SimpleNamespace(evidence=found, ranking=(SimpleNamespace(id=scope),))
    return replace(each, route=replace(each.route, trace=trace))


def test_the_confidence_is_fitted_on_twenty_answers_and_on_no_fewer() -> None:
    shipped = {"bias": 1.0, "slope": 2.0, "agreement": 0.5}
    made = Calibration(confidence_weights=shipped)
    questions = [with_evidence(asked(0.5), "a") for _ in range(19)]
    wrong = with_evidence(asked(0.5, right=False), "other", agreement=0.0)
    assert _fit_confidence(made, questions) == shipped
    # Odds of 0: (0 - 1 - 0.5 x 1) / 2 where all agree, and (0 - 1) / 2 where none does.
    rows = np.array([[1.0, -0.75, 1.0]] * 19 + [[1.0, -0.5, 0.0]])
    outcomes = np.array([1.0] * 19 + [0.0])
    fitted = fit_logistic(rows, outcomes, np.ones(20), np.array([1.0, 2.0, 0.5]), STRENGTH / 3)
    assert _fit_confidence(made, [with_evidence(asked(0.5), "elsewhere"), *questions, wrong]) == {
        name: round(float(value), 4) for name, value in zip(shipped, fitted, strict=True)
    }
    # What was not answered and what nothing is known of does not count; nor does anything without a slope.
    assert _fit_confidence(made, [*questions, with_evidence(abstained(), "a")]) == shipped
    assert _fit_confidence(made, [*questions, with_evidence(asked(0.5), "elsewhere")]) == shipped
    flat = Calibration(confidence_weights={"bias": 1.0, "slope": 0.0})
    assert _fit_confidence(flat, [*questions, wrong]) == {"bias": 1.0, "slope": 0.0}
    # Without coefficients: no bias, a slope of 1, nothing for agreement.
    plain = fit_logistic(
        np.array([[1.0, 0.0, 1.0]] * 19 + [[1.0, 0.0, 0.0]]),
        outcomes,
        np.ones(20),
        np.array([0.0, 1.0, 0.0]),
        STRENGTH / 3,
    )
    assert list(_fit_confidence(Calibration(confidence_weights={}), [*questions, wrong]).values()) == pytest.approx(
        list(plain), abs=1e-4
    )


def test_whether_there_is_an_answer_is_fitted_on_twenty_of_each_side() -> None:
    made = Calibration(whether_weights={"bias": 0.5, "raw": 1.0})
    there = [with_evidence(asked(0.9), "a", raw=2.0) for _ in range(40)]
    gone = [with_evidence(asked(0.9, right=False, family=REFUSED), "other", raw=-1.0) for _ in range(20)]
    assert _fit_whether(made, there + gone[1:]) is None and _fit_whether(made, there[21:] + gone) is None
    # Both sides weigh the same: 0.5 / (2/3) and 0.5 / (1/3).
    rows = np.array([[1.0, 2.0]] * 40 + [[1.0, -1.0]] * 20)
    outcomes = np.array([1.0] * 40 + [0.0] * 20)
    weights = np.array([0.75] * 40 + [1.5] * 20)
    fitted = fit_logistic(rows, outcomes, weights, np.array([0.5, 1.0]), STRENGTH)
    # What was asked of a scope without a sign, or stands for nobody's question, does not count, wherever it stands.
    unsigned = with_evidence(gone[0], "other")
    short = replace(there[0], question=replace(there[0].question, words=1))
    for ignored in ([], [unsigned], [short]):
        assert _fit_whether(made, ignored + there + gone) == pytest.approx(
            {"bias": fitted[0], "raw": fitted[1]}, abs=1e-4
        )
    assert _fit_whether(made, there + gone[1:] + [unsigned]) is None
    assert _fit_whether(made, there[21:] + [short] * 9 + gone) is None


def test_every_number_is_explained_beside_the_shipped_one() -> None:
    rows = {row[0]: row[1:3] for row in explain_calibration(Calibration(weights={"pairs": 2.0}, threshold=0.5))}
    assert rows["threshold"] == ("0.5", "0.68")
    # A score that is not listed weighs 1, a sign without a coefficient counts nothing.
    assert rows["weights.pairs"] == ("2", "1") and rows["weights.description"] == ("1", "1.5")
    none = {row[0]: row[1:3] for row in explain_calibration(Calibration(whether_weights={"new": 1.0}))}
    assert none["whether_weights.new"] == ("1", "0") and none["whether_weights.raw"] == ("0", "1.22")


def test_questions_of_no_scope_are_dealt_out_by_their_text() -> None:
    def one(text: str, **of: Any) -> Asked:
        return Asked(OwnQuestion(REFUSED, text, **of), abstained().route, {})

    # The first bytes of sha256 are 0xca (even) of "a" and 0x3e (even) of "b", 0x2e of "c", 0x18 of "d", 0x3f of "e".
    assert [in_half(one(text), frozenset()) for text in "abcde"] == [True, True, True, True, False]
    assert in_half(one("e", without=("first",)), frozenset(["first"])) is True
    assert in_half(one("a", without=("second",)), frozenset(["first"])) is False
    assert in_half(one("a", about="second", without=("first",)), frozenset(["first"])) is False
    assert len(half_of(["a", "b", "c"], 0)) == 2 and len(half_of(["a", "b"], 0)) == 1


@pytest.mark.parametrize(
    ("before", "now", "current"), [(100, 110, True), (100, 90, True), (100, 111, False), (100, 89, False), (0, 0, True)]
)
def test_a_tenth_more_or_less_passages_is_no_reason_to_calibrate_again(before: int, now: int, current: bool) -> None:
    assert CHANGED == 0.1
    index = SimpleNamespace(scopes=["a"], numbers=lambda scope: {"documents": list(range(now))})
    memory: Any = SimpleNamespace(router_parts=lambda: SimpleNamespace(index=index))
    assert is_current(memory, {"scopes": ["a"], "passages": before}) is current
    assert not is_current(memory, {"scopes": ["b"], "passages": before})
    assert not is_current(memory, {"scopes": ["a"], "passages": None})
