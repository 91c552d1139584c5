"""Fits the router to a corpus, on questions of the corpus itself, and promises no more than they carry.

Three things are fitted, and each has to earn its place:

1. The weights of the scores. Every family has a quirk: who fits to subjects learns that commits matter much and
   documents nothing, who fits to headings the opposite. Weights fitted to one family raise its own figure and lower
   that of real questions. So weights count only where they help a family that they were NOT fitted on, in projects that
   they were not fitted on.
2. The two signals of confidence. Fitted on one half of the projects, taken where they answer more of the other half at
   the same share of wrong answers.
3. The threshold, by Learn-then-Test. Where weights or signals were fitted, on the other half alone: a scorer must be
   fixed before the questions that certify it are looked at.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ._corpus import Asked, Corpus
from ._evaluate import UNANSWERABLE_SHARE, corpus_of
from ._families import FAMILIES, Sizes, asked_about_itself, is_a_sentence, sizes_for
from ._metrics import Share

if TYPE_CHECKING:
    from loci.core import Memory
    from loci.router import Calibration, RoutingIndex, Scope

__all__ = ["LEVEL", "MAX_WRONG", "CalibrationReport", "calibrate", "calibrate_index", "explain_calibration", "save"]

MAX_WRONG = 0.05
"""The share of wrong answers among all answers that is promised."""

LEVEL = 0.9
"""The confidence of that promise."""

GRID = tuple(round(0.98 - 0.005 * step, 3) for step in range(117))
"""Thresholds from strict to loose, 0.98 to 0.40; fixed here, before any question is asked."""

SIZES = Sizes(
    subjects=18, docstrings=14, headings=6, removed=6, deictic=48, placed=0, named=0, nonsense=0, shared=0, users=0
)
"""More of each than a report needs: thresholds take hundreds of questions."""

FOR_SCOPES, MOST_TIMES = 30, 3.0
"""These sizes are for so many scopes. Fewer give more each, up to this factor: the bound on the share of wrong answers
gets tighter with the number of questions, whoever they are of."""

STRENGTH = 30.0
"""How strongly fitted values are drawn to the shipped ones."""

MORE = 0.03
"""Fitted signals are taken when they answer so much more of the other half's questions: they cost half of the questions
that certify the threshold, and less than this comes and goes with the questions drawn."""

CLEARLY = 0.05
"""Fitted weights are taken when so many gains over losses would come about by chance less often than this."""

FITTED_KEYS = ("weights", "whether_weights", "confidence_weights", "threshold", "deictic_threshold", "leave_threshold")
"""What a calibration may change; everything else in the file is the person's."""

CHANGED = 0.1
"""An update calibrates again when the number of passages changed by more than this, or projects came or went."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CalibrationReport:
    """What a calibration found. `calibration` is what the router should use from now on.

    `certified`: the promise holds; otherwise `reason` says why not and what the best uncertified figure is. `values`:
    of `calibration.json`, the keys that differ from the shipped ones.
    """

    calibration: Calibration
    values: Mapping[str, Any]
    certified: bool
    reason: str
    seconds: float
    fitted_on: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As `loci calibrate --json` prints it: the values, and `fitted_on` as it stands in `calibration.json`."""
        return {
            "certified": self.certified,
            "reason": self.reason,
            "threshold": self.calibration.threshold,
            "values": dict(self.values),
            "fitted_on": dict(self.fitted_on),
            "seconds": round(self.seconds, 2),
        }


def calibrate(
    memory: Memory,
    *,
    max_wrong: float = MAX_WRONG,
    level: float = LEVEL,
    seed: int = 0,
    sizes: Sizes | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> CalibrationReport:
    """Fits the router of a home; nothing is written, see `save`.

    Args:
        memory: The home; it must be indexed.
        max_wrong: The share of wrong answers among all answers that is promised, above 0 and below 1.
        level: The confidence of the promise, above 0 and below 1.
        seed: Which texts are drawn, and which projects are in which half.
        sizes: How many questions of each family.
        only: Make questions of these scopes alone; all still compete.
        progress: Called as progress(stage, done, total).

    Raises ValueError for a share outside its range, and what `Memory.router_parts` raises.

    """
    corpus, _ = corpus_of(memory)
    return _calibrate(corpus, _kept(memory), max_wrong, level, seed, sizes, only, progress)


def calibrate_index(
    index: RoutingIndex,
    scopes: Mapping[str, Scope] | None = None,
    *,
    max_wrong: float = MAX_WRONG,
    level: float = LEVEL,
    seed: int = 0,
    sizes: Sizes | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> CalibrationReport:
    """The same over any routing index, without the rest of loci."""
    return _calibrate(Corpus.of_index(index, scopes), {}, max_wrong, level, seed, sizes, only, progress)


def save(memory: Memory, report: CalibrationReport) -> None:
    """Writes `calibration.json`. What the file holds beside fitted values stays.

    Raises `HomeNotWritable`, `DamagedFile`.
    """
    memory.home.write_json(memory.home.calibration, {**_kept(memory), **report.values, "fitted_on": report.fitted_on})


def _kept(memory: Memory) -> dict[str, Any]:
    """What a person wrote into `calibration.json` that a calibration does not fit."""
    return {key: value for key, value in memory.calibration_values().items() if key not in (*FITTED_KEYS, "fitted_on")}


def _calibrate(
    corpus: Corpus,
    kept: Mapping[str, Any],
    max_wrong: float,
    level: float,
    seed: int,
    sizes: Sizes | None,
    only: Iterable[str] | None,
    progress: Progress | None,
) -> CalibrationReport:
    from loci.router import Calibration

    for name, value in (("max_wrong", max_wrong), ("level", level)):
        if not 0.0 < value < 1.0:
            raise ValueError(f"{name} must be above 0 and below 1, not {value}")
    started = time.perf_counter()
    defaults = Calibration.from_json({**kept, "threshold": 0.0})
    wanted = None if only is None else frozenset(only)
    asked_about = len(wanted or corpus.index.scopes)
    chosen = sizes or sizes_for(asked_about, _enough(asked_about))
    corpus.router = corpus.with_calibration(defaults)
    asked: list[Asked] = []
    expected = asked_about * (chosen.subjects + chosen.docstrings + chosen.headings + chosen.removed)
    for each in asked_about_itself(corpus, chosen, seed, only=wanted, sentences=True):
        asked.append(each)
        if progress is not None:
            progress("questions", len(asked), max(expected, len(asked)))
    fit = _Fit(corpus, defaults, asked, max_wrong, seed)
    fit.weights()
    fit.signals()
    if progress is not None:
        progress("fitting", 1, 1)
    return _report(fit, kept, max_wrong, level, seed, started)


def _enough(scopes: int) -> Sizes:
    """`SIZES`, and more of each scope where there are few."""
    times = max(1.0, min(MOST_TIMES, FOR_SCOPES / max(1, scopes)))
    return replace(
        SIZES,
        subjects=round(SIZES.subjects * times),
        docstrings=round(SIZES.docstrings * times),
        headings=round(SIZES.headings * times),
        removed=round(SIZES.removed * times),
    )


class _Fit:
    """The steps of a fit; `calibration` and `asked` are those in force after each."""

    def __init__(
        self, corpus: Corpus, defaults: Calibration, asked: Sequence[Asked], max_wrong: float, seed: int
    ) -> None:
        self.corpus = corpus
        self.defaults = defaults
        self.calibration = defaults
        self.asked = list(asked)
        self.max_wrong = max_wrong
        self.first = _half([each.question.about for each in asked], seed)
        self.said: dict[str, str] = {}
        self.fitted: list[str] = []

    def again(self, calibration: Calibration) -> list[Asked]:
        """All questions again under another calibration; nothing is measured anew."""
        router = self.corpus.with_calibration(calibration)
        return [self.corpus.ask(each.question, router, each.measured) for each in self.asked]

    def in_first(self, asked: Asked) -> bool:
        """Whether it belongs to the half that is fitted on. Questions of no scope are dealt out in turn."""
        return _in_half(asked, self.first)

    # -- weights ------------------------------------------------------------------------------------------------------

    def weights(self) -> None:
        """Fits the weights of the scores, and keeps them where they help a family they do not know."""
        import numpy as np

        from ._fit import fit_choice, sign_test

        table = _ScoreTable.of([each for each in self.asked if FAMILIES[each.question.family].group == "answerable"])
        prior = table.prior(self.defaults)
        families = sorted(set(table.family))
        first = np.array([about in self.first for about in table.about])
        better = worse = 0
        lost = []
        for family in families:
            this = np.array([name == family for name in table.family])
            known, unseen = first & ~this, ~first & this
            if known.sum() < 20 or unseen.sum() < 10:
                continue
            fitted = fit_choice(table.scores[known], table.right[known], prior, STRENGTH)
            before = table.chooses_right(prior)[unseen]
            after = table.chooses_right(fitted)[unseen]
            gains, losses = int((after & ~before).sum()), int((before & ~after).sum())
            better, worse = better + gains, worse + losses
            if losses > gains:
                lost.append(family)
        chance = sign_test(better, worse)
        if not better + worse:
            self.said["weights"] = "defaults: fitted ones change no answer of a family that they were not fitted on"
        elif lost or chance > CLEARLY:
            where = f", and lose in {', '.join(lost)}" if lost else ""
            self.said["weights"] = (
                f"defaults: on families and projects that fitted ones do not know they gain {better} answers and lose "
                f"{worse}{where}"
            )
        else:
            fitted = fit_choice(table.scores[first], table.right[first], prior, STRENGTH)
            self._take("weights", replace(self.calibration, weights=table.named(fitted, self.defaults)))
            self.said["weights"] = (
                f"fitted: on families and projects that they do not know they gain {better} answers and lose {worse}"
            )

    def _take(self, what: str, calibration: Calibration) -> None:
        self.calibration = calibration
        self.asked = self.again(calibration)
        self.fitted.append(what)

    # -- signals ------------------------------------------------------------------------------------------------------

    def signals(self) -> None:
        """Fits the two signals of confidence, and keeps them where they answer more of the other half."""
        whether = _fit_whether(self.calibration, [each for each in self.asked if self.in_first(each)])
        if whether is None:
            self.said["confidence"] = "defaults: too few questions to fit them on"
            return
        candidate = replace(self.calibration, whether_weights=whether)
        fitting = [each for each in self.again(candidate) if self.in_first(each)]
        candidate = replace(candidate, confidence_weights=_fit_confidence(candidate, _mixed(fitting)))
        before = _best_coverage(_mixed([each for each in self.asked if not self.in_first(each)]), self.max_wrong)
        asked = self.again(candidate)
        after = _best_coverage(_mixed([each for each in asked if not self.in_first(each)]), self.max_wrong)
        told = (
            f"{after:.0%} of the other half's questions answered at {self.max_wrong:.0%} wrong, "
            f"{before:.0%} with the defaults"
        )
        if after >= before + MORE:
            self.calibration, self.asked = candidate, asked
            self.fitted.append("confidence")
            self.said["confidence"] = f"fitted: {told}"
        else:
            self.said["confidence"] = f"defaults: with fitted ones {told}"


@dataclass(frozen=True)
class _ScoreTable:
    """z-scores of every scope for every question: questions x scopes x scores."""

    scores: Any
    right: Any
    family: list[str]
    about: list[str]
    names: tuple[str, ...]

    @classmethod
    def of(cls, asked: Sequence[Asked]) -> _ScoreTable:
        import numpy as np

        from loci.router import SCORES

        rows, right, family, about = [], [], [], []
        for each in asked:
            measurement = next(iter(each.measured.values()), None)
            if measurement is None or each.question.about not in measurement.scopes:
                continue
            scopes = list(measurement.scopes)
            values = np.array([[measurement.scopes[scope].scores[name] for name in SCORES] for scope in scopes])
            deviation = values.std(axis=0)
            flat = deviation <= 1e-9 * np.maximum(1.0, np.abs(values).max(axis=0))
            rows.append(np.where(flat, 0.0, (values - values.mean(axis=0)) / np.where(flat, 1.0, deviation)))
            right.append(scopes.index(each.question.about))
            family.append(each.question.family)
            about.append(each.question.about)
        empty = np.zeros((0, 1, len(SCORES)))
        return cls(np.array(rows) if rows else empty, np.array(right, dtype=np.int64), family, about, SCORES)

    def prior(self, calibration: Calibration) -> Any:
        """The weights in use, as log-odds per z-score."""
        import numpy as np

        return np.array([calibration.weights.get(name, 1.0) * calibration.temperature for name in self.names])

    def named(self, fitted: Any, calibration: Calibration) -> dict[str, float]:
        """Fitted log-odds as weights beside the temperature in use; none below 0, since each speaks for a scope."""
        return {
            name: round(max(0.0, float(value)) / calibration.temperature, 3)
            for name, value in zip(self.names, fitted, strict=True)
        }

    def chooses_right(self, weights: Any) -> Any:
        """Per question, whether the right scope has the largest sum."""
        return (self.scores @ weights).argmax(axis=1) == self.right


def _half(scopes: Iterable[str], seed: int) -> frozenset[str]:
    """Half of the scopes, by a hash of their ids: adding one moves no other to the other half."""

    def place(scope: str) -> str:
        return hashlib.sha256(f"{seed}:{scope}".encode()).hexdigest()

    ordered = sorted({scope for scope in scopes if scope}, key=place)
    return frozenset(ordered[: (len(ordered) + 1) // 2])


def _in_half(asked: Asked, first: frozenset[str]) -> bool:
    scope = asked.question.about or (asked.question.without[0] if asked.question.without else "")
    if scope:
        return scope in first
    return hashlib.sha256(asked.question.question.encode()).digest()[0] % 2 == 0


def _mixed(asked: Iterable[Asked]) -> list[Asked]:
    """Questions mixed as they are assumed to be asked: sentences of the answerable families, and of those to refuse as
    many as make up `UNANSWERABLE_SHARE`, of each kind the same number as far as there are.
    """
    answerable: list[Asked] = []
    refused: dict[str, list[Asked]] = {}
    for each in asked:
        family = FAMILIES[each.question.family]
        if is_a_sentence(each.question):
            answerable.append(each)
        elif family.group == "refused" and family.role == "certify":
            refused.setdefault(family.name, []).append(each)
    wanted = round(UNANSWERABLE_SHARE / (1.0 - UNANSWERABLE_SHARE) * len(answerable))
    order = {
        name: sorted(its, key=lambda each: hashlib.sha256(each.question.question.encode()).hexdigest())
        for name, its in sorted(refused.items())
    }
    chosen: list[Asked] = []
    while len(chosen) < wanted and any(order.values()):
        for its in order.values():
            if its and len(chosen) < wanted:
                chosen.append(its.pop(0))
    return answerable + chosen


def _would_answer(asked: Sequence[Asked]) -> list[Asked]:
    """Those that a threshold decides on: the questions were asked with a threshold of 0."""
    return [each for each in asked if not each.route.abstained]


def _best_coverage(asked: Sequence[Asked], max_wrong: float) -> float:
    """The largest share of the answerable that some threshold answers with at most `max_wrong` of all answers wrong."""
    answerable = sum(bool(each.question.scopes) for each in asked)
    best = 0.0
    for threshold in GRID:
        answered = [each for each in _would_answer(asked) if each.route.confidence >= threshold]
        wrong = sum(each.wrong_answer for each in answered)
        if answered and wrong <= max_wrong * len(answered) and answerable:
            best = max(best, sum(bool(each.question.scopes) for each in answered) / answerable)
    return best


def _fit_whether(calibration: Calibration, asked: Sequence[Asked]) -> dict[str, float] | None:
    """Coefficients of `Calibration.whether`.

    From the signs of the right scope, against those of the best one where the right one was taken out.
    """
    import numpy as np

    from ._fit import fit_logistic

    names = [name for name in calibration.whether_weights if name != "bias"]
    rows, right = [], []
    for each in asked:
        evidence = each.route.trace.evidence.scopes if each.route.trace is not None else {}
        there = is_a_sentence(each.question)
        if not there and FAMILIES[each.question.family].group != "refused":
            continue
        scope = each.question.about if there else each.best
        found = evidence.get(scope or "")
        if found is None or not found.signs:
            continue
        rows.append([1.0, *(found.signs.get(name, 0.0) for name in names)])
        right.append(float(there))
    if min(sum(right), len(right) - sum(right)) < 20:
        return None
    prior = np.array([calibration.whether_weights.get("bias", 0.0), *(calibration.whether_weights[n] for n in names)])
    outcomes = np.array(right)
    # Both sides weigh the same: whether there is an answer is asked before how often there is none.
    weights = np.where(outcomes == 1.0, 0.5 / outcomes.mean(), 0.5 / (1.0 - outcomes.mean()))
    fitted = fit_logistic(np.array(rows), outcomes, weights, prior, STRENGTH)
    return {name: round(float(value), 4) for name, value in zip(["bias", *names], fitted, strict=True)}


def _fit_confidence(calibration: Calibration, asked: Sequence[Asked]) -> dict[str, float]:
    """Coefficients of `Calibration.confidence`: log-odds that the answer holds the right project."""
    import numpy as np

    from ._fit import fit_logistic

    weights = calibration.confidence_weights
    bias, slope, agreement = (weights.get("bias", 0.0), weights.get("slope", 1.0), weights.get("agreement", 0.0))
    rows, right = [], []
    for each in _would_answer(asked):
        evidence = each.route.trace.evidence.scopes.get(each.best or "")
        confidence = min(max(each.route.confidence, 1e-9), 1.0 - 1e-9)
        if evidence is None or slope == 0.0:
            continue
        odds = math.log(confidence / (1.0 - confidence))
        rows.append([1.0, (odds - bias - agreement * evidence.agreement) / slope, evidence.agreement])
        right.append(float(not each.wrong_answer))
    if len(rows) < 20:
        return dict(weights)
    prior = np.array([bias, slope, agreement])
    fitted = fit_logistic(np.array(rows), np.array(right), np.ones(len(right)), prior, STRENGTH / 3)
    values = zip(("bias", "slope", "agreement"), fitted, strict=True)
    return {name: round(float(value), 4) for name, value in values}


# -- the report -------------------------------------------------------------------------------------------------------


def _report(
    fit: _Fit, kept: Mapping[str, Any], max_wrong: float, level: float, seed: int, started: float
) -> CalibrationReport:
    from loci.router import Calibration

    from ._fit import learn_then_test, least_answered

    shipped = Calibration.from_json(kept)
    # Whatever was fitted on the first half is certified on the second; the shipped scorer was fixed long before.
    certifying = fit.asked if not fit.fitted else [each for each in fit.asked if not fit.in_first(each)]
    mix = _mixed(certifying)
    decided = _would_answer(mix)
    certified, best = learn_then_test(
        [each.route.confidence for each in decided], [each.wrong_answer for each in decided], GRID, max_wrong, level
    )
    least = least_answered(max_wrong, level)
    chosen = certified
    if certified is not None:
        reason = (
            f"of {certified.answered} own questions answered at {certified.threshold:.3g}, {certified.wrong} were "
            f"wrong: with {level:.0%} confidence at most {max_wrong:.1%} of such answers are"
        )
    elif len(decided) < least:
        reason = (
            f"the corpus is too small to certify {max_wrong:.1%}: it gives {len(decided)} questions that would be "
            f"answered, and {least} without an error are needed; the shipped threshold stays"
        )
    elif best is not None and best.answered >= least:
        chosen = best
        reason = (
            f"{max_wrong:.1%} cannot be certified at {level:.0%} confidence: the projects are too alike for their "
            f"number. Without a certificate: of {best.answered} own questions answered at {best.threshold:.3g}, "
            f"{best.wrong / best.answered:.1%} were wrong; that threshold is used"
        )
    else:
        reason = (
            f"{max_wrong:.1%} cannot be certified: the projects are too alike, and no threshold has so few wrong "
            "answers; the shipped one stays"
        )
    threshold = chosen.threshold if chosen is not None else shipped.threshold
    values: dict[str, Any] = {}
    if "weights" in fit.fitted:
        values["weights"] = dict(fit.calibration.weights)
    if "confidence" in fit.fitted:
        values["whether_weights"] = dict(fit.calibration.whether_weights)
        values["confidence_weights"] = dict(fit.calibration.confidence_weights)
    if chosen is not None:
        # To leave the directory, or to answer what points at nothing, takes at least what any answer takes.
        values["threshold"] = threshold
        values["deictic_threshold"] = max(shipped.deictic_threshold, threshold)
        values["leave_threshold"] = max(shipped.leave_threshold, threshold)
    numbers = [sum(map(len, fit.corpus.index.numbers(scope).values())) for scope in fit.corpus.index.scopes]
    fitted_on: dict[str, Any] = {
        "format": 1,
        "scopes": fit.corpus.index.scopes,
        "passages": sum(numbers),
        "questions": len(fit.asked),
        "seed": seed,
        "max_wrong": max_wrong,
        "level": level,
        "unanswerable_share": UNANSWERABLE_SHARE,
        "certified": certified is not None,
        "threshold": threshold,
        "on": "all projects" if not fit.fitted else "the half that nothing was fitted on",
        **_figures(mix, threshold),
        "best_uncertified": None if best is None else {"threshold": best.threshold, **_figures(mix, best.threshold)},
        "held_out": _held_out(fit, max_wrong, level),
        "weights": fit.said["weights"],
        "confidence": fit.said["confidence"],
        "families": _families(mix, threshold),
        "reason": reason,
    }
    calibration = Calibration.from_json({**kept, **values, "fitted_on": fitted_on})
    return CalibrationReport(
        calibration, values, certified is not None, reason, time.perf_counter() - started, fitted_on
    )


def _figures(mix: Sequence[Asked], threshold: float) -> dict[str, Any]:
    answered = [each for each in _would_answer(mix) if each.route.confidence >= threshold]
    kept = {id(each) for each in answered}
    return {
        "answered": Share.of([id(each) in kept for each in mix if each.question.scopes]).to_json(),
        "wrong": Share.of([each.wrong_answer for each in answered]).to_json(),
        "wrong_first": Share.of([not each.question.scopes or not each.right for each in answered]).to_json(),
    }


def _held_out(fit: _Fit, max_wrong: float, level: float) -> dict[str, Any] | None:
    """A threshold chosen on the first half alone, and what it does to the second, under the calibration in force."""
    from ._fit import learn_then_test

    first = _mixed([each for each in fit.asked if fit.in_first(each)])
    second = _mixed([each for each in fit.asked if not fit.in_first(each)])
    decided = _would_answer(first)
    certified, best = learn_then_test(
        [each.route.confidence for each in decided], [each.wrong_answer for each in decided], GRID, max_wrong, level
    )
    chosen = certified or best
    if chosen is None or not second:
        return None
    return {"threshold": chosen.threshold, "certified": chosen.certified, **_figures(second, chosen.threshold)}


def _families(mix: Sequence[Asked], threshold: float) -> list[dict[str, Any]]:
    rows = []
    for name in FAMILIES:
        its = [each for each in mix if each.question.family == name]
        if its:
            answered = [each for each in _would_answer(its) if each.route.confidence >= threshold]
            rows.append(
                {
                    "name": name,
                    "n": len(its),
                    "answered": len(answered),
                    "wrong": sum(each.wrong_answer for each in answered),
                }
            )
    return rows


def explain_calibration(calibration: Calibration) -> list[tuple[str, str, str, str]]:
    """Every number of a calibration: (name, value, shipped value, what it does), for `loci calibrate --show`."""
    from loci.router import Calibration

    shipped = Calibration()
    rows = []
    for name, does in _MEANINGS.items():
        now, then = getattr(calibration, name), getattr(shipped, name)
        if isinstance(now, Mapping):
            for key in sorted({*now, *then}):
                default = 1.0 if name == "weights" else 0.0
                rows.append((f"{name}.{key}", _number(now.get(key, default)), _number(then.get(key, default)), does))
        else:
            rows.append((name, _number(now), _number(then), does))
    return rows


def _number(value: float) -> str:
    return f"{value:g}"


_MEANINGS = {
    "threshold": "confidence from which a question is answered",
    "deictic_threshold": "the same for one that points at a subject it never names",
    "leave_threshold": "the same for one to leave the working directory",
    "confidence_weights": "log-odds that an answer is right: bias + slope x ln(which x whether) + agreement",
    "whether_weights": "log-odds that a scope holds an answer: bias + raw evidence + the most telling absent word",
    "weights": "weight of a score in the sum; those not listed weigh 1",
    "temperature": "what the sum is multiplied with to be log-odds",
    "named": "log-odds for a project that is named",
    "cwd": "log-odds for the project of the working directory",
    "recency": "log-odds for the project with the newest commit",
    "demotion": "what is left of the evidence outside a soft group",
    "holds_threshold": "how much of what the best scope has another must have to stand beside it",
    "set_factor": "share of that for a scope in a set",
    "beside_factor": "share of that for a scope beside the best",
    "beside_alone": "or the probability that it holds an answer by itself",
    "keep_ratio": "share of the best score that scopes beside it reach",
    "max_single": "the most scopes of one answer",
    "max_set": "the most scopes of a set",
}
