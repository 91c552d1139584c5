"""What a question's words speak for a scope, on measures that are written down, with values worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from loci.router import (
    SCORES,
    Calibration,
    Evidence,
    Measurement,
    ProminenceEvidence,
    ScopeMeasure,
    SummedScores,
    TermMeasure,
    concentration,
)
from loci.router.calibration import RAW_FLOOR, SMALL_CORPUS
from loci.router.evidence import DETAILED_SCOPES, standard_scores


class Measured:
    """An index that has measured what a test wrote down."""

    scopes: tuple[str, ...] = ()
    generation = 1

    def __init__(self, measures: Mapping[str, ScopeMeasure], sizes: Mapping[str, int], *terms: TermMeasure) -> None:
        self.measurement = Measurement(measures, terms, sizes)

    def measure(self, question: str) -> Measurement:
        return self.measurement

    def describe(self, scope: str, passage: int) -> str:
        return ""


def measure(held: str = "", raw: float = 0.0, **scores: float) -> ScopeMeasure:
    return ScopeMeasure({**dict.fromkeys(SCORES, 0.0), **scores}, raw, (), frozenset(held.split()))


def term(word: str, idf: float, **holders: int) -> TermMeasure:
    return TermMeasure(word, word, 1, idf, holders)


def summed(index: Measured, **values: object) -> Evidence:
    made = Calibration(**{"weights": {}, "temperature": 1.0, **values})  # type: ignore[arg-type]
    return SummedScores(made).evidence(index, "why?")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shares", "scopes", "expected"),
    [
        ({}, 3, 1.0),
        ({"a": 0.2}, 2, 1.0),
        ({"a": 0.2}, 1, 1.0),
        ({"a": 0.0}, 2, 1.0),
        ({"a": 0.2, "b": 0.2}, 2, 0.0),
        ({"a": 0.2, "b": 0.2}, 4, 0.5),
        # Three quarters and one: 1 - (0.75 ln 0.75 + 0.25 ln 0.25) / -ln 2
        ({"a": 0.3, "b": 0.1}, 2, 0.18872),
        ({"a": 0.1, "b": 0.1, "c": 0.1}, 2, 0.0),  # never below nothing
    ],
)
def test_how_unevenly_a_term_is_spread(shares: dict[str, float], scopes: int, expected: float) -> None:
    assert concentration(shares, scopes) == pytest.approx(expected, abs=1e-5)


def test_scores_are_compared_in_deviations() -> None:
    assert standard_scores({}) == {}
    assert standard_scores({"a": 1.0, "b": 3.0}) == {"a": -1.0, "b": 1.0}
    assert standard_scores({"a": 0.0, "b": 0.0, "c": 3.0}) == pytest.approx(
        {"a": -(0.5**0.5), "b": -(0.5**0.5), "c": 2**0.5}
    )
    # What differs only by rounding is the same, on its own scale.
    assert standard_scores({"a": 1e6, "b": 1e6 + 1e-4}) == {"a": 0.0, "b": 0.0}
    assert standard_scores({"a": 0.0, "b": 1e-9}) == {"a": 0.0, "b": 0.0}
    assert standard_scores({"a": 0.0, "b": 1e-8}) == {"a": -1.0, "b": 1.0}


def test_the_scores_are_summed_with_their_weights() -> None:
    index = Measured({"a": measure(passages=4.0, pairs=1.0), "b": measure(passages=2.0, pairs=3.0)}, {"a": 1, "b": 1})
    plain = summed(index)
    assert {scope: each.combined for scope, each in plain.scopes.items()} == {"a": 0.0, "b": 0.0}
    assert plain.scopes["a"].parts == {**dict.fromkeys(SCORES, 0.0), "passages": 1.0, "pairs": -1.0}
    weighed = summed(index, weights={"passages": 3.0}, temperature=0.5)
    assert {scope: each.combined for scope, each in weighed.scopes.items()} == {"a": 1.0, "b": -1.0}


def test_agreement_is_the_share_of_telling_scores_that_put_a_scope_first() -> None:
    measures = {
        "a": measure(passages=4.0, pairs=1.0, source=2.0),
        "b": measure(passages=2.0, pairs=3.0, source=2.0 - 1e-12),
        "c": measure(passages=0.0, pairs=1.0),
    }
    found = summed(Measured(measures, dict.fromkeys("abc", 1))).scopes
    # Three scores tell them apart; copies lead together, and a score that is the same everywhere says nothing.
    assert [found[scope].agreement for scope in "abc"] == pytest.approx([2 / 3, 2 / 3, 0.0])
    alike = summed(Measured(dict.fromkeys("ab", measure()), dict.fromkeys("ab", 1))).scopes
    assert [each.agreement for each in alike.values()] == [1.0, 1.0]


def test_the_signs_of_an_answer() -> None:
    measures = {
        "a": measure("herons", 3.0, top_passages=4.0, best_passage=2.0),
        "b": measure("", 0.0, top_passages=2.0),
    }
    sizes = {"a": 3, "b": 5}
    found = summed(Measured(measures, sizes, term("herons", 2.0, a=3))).scopes
    scale = math.log(1.0 + 2.0 * 8.5)  # of a word that none of the eight passages holds
    known = 8 / (8 + SMALL_CORPUS)
    assert found["a"].signs == pytest.approx(
        {"raw": math.log(3.0 / scale + RAW_FLOOR), "absent": 0.0, "coverage": 1.0, "strength": 1.0}
    )
    # A few passages lack most words, so that what one of them lacks counts by its share of the question, here all.
    assert found["b"].signs == pytest.approx(
        {"raw": math.log(RAW_FLOOR), "absent": known * 2.0 / scale + 1.0 - known, "coverage": 0.0, "strength": 0.25}
    )
    assert (found["a"].holds, found["b"].holds) == (1.0, 0.0)
    assert (found["a"].missing, found["b"].missing) == ((), ("herons",))
    assert (found["a"].terms, found["b"].terms) == ((("herons", 2.0),), ())
    assert found["a"].whether == Calibration().whether(found["a"].signs)


def test_what_is_told_by_half_of_a_question_is_worth_the_root_of_it() -> None:
    measures = {"a": measure("herons", top_passages=1.0, best_passage=1.0), "b": measure()}
    terms = term("herons", 1.0, a=1), term("ospreys", 3.0, b=1)
    found = summed(Measured(measures, {"a": 1, "b": 1}, *terms)).scopes
    assert found["a"].signs["coverage"] == 0.25 and found["a"].holds == 0.5
    assert found["a"].missing == ("ospreys",) and found["b"].missing == ("ospreys", "herons")


def test_a_word_is_shown_by_what_a_scope_makes_of_it_beside_the_one_that_makes_most() -> None:
    terms = (
        term("herons", 2.0, a=4, b=1),
        TermMeasure("heronries", "nest", 1, 1.0, {"b": 2}),
        TermMeasure("nesting", "nest", 1, 9.0, {"b": 1}),
    )
    found = summed(Measured({"a": measure(), "b": measure()}, {"a": 8, "b": 4}, *terms)).scopes
    assert found["a"].terms == (("herons", 2.0),)
    # A quarter against a half; of a word's forms the weightier counts, and it comes first.
    assert found["b"].terms == (("nest", 9.0), ("herons", 1.0))


def test_an_empty_index_and_a_question_without_words() -> None:
    assert summed(Measured({}, {})).scopes == {}
    (only,) = summed(Measured({"a": measure()}, {"a": 0})).scopes.values()
    assert only.signs == pytest.approx({"raw": math.log(RAW_FLOOR), "absent": 1.0, "coverage": 0.0, "strength": 0.0})


def test_fifty_scopes_are_looked_at_closely_and_the_next_keeps_its_place() -> None:
    measures = {f"s{n:02}": measure("herons", passages=float(100 - n), best_passage=1.0) for n in range(52)}
    found = summed(Measured(measures, dict.fromkeys(measures, 1), term("herons", 1.0, s00=1))).scopes
    close = [scope for scope, each in found.items() if each.signs]
    assert close == [f"s{n:02}" for n in range(DETAILED_SCOPES)] and DETAILED_SCOPES == 50
    assert (found["s50"].whether, found["s50"].holds, found["s50"].agreement) == (0.0, 0.0, 0.0)
    assert found["s49"].combined > found["s50"].combined > found["s51"].combined


def test_the_published_formula() -> None:
    index = Measured({"a": measure(), "b": measure()}, {"a": 8, "b": 4}, term("herons", 9.0, a=4, b=1), term("x", 9.0))
    found = ProminenceEvidence().evidence(index, "why?").scopes  # type: ignore[arg-type]
    # Both of two scopes hold it; a quarter is half as prominent as a half; two words were asked for.
    idf = math.log(1.0 + 0.5 / 2.5)
    assert found["a"].combined == pytest.approx(idf / 2 / 8**0.15)
    assert found["b"].combined == pytest.approx(idf * 0.5 / 2 / 4**0.15)
    assert (found["a"].whether, found["a"].holds, found["a"].parts.keys()) == (1.0, 0.0, {"herons"})
    nothing = ProminenceEvidence().evidence(Measured({"a": measure()}, {}, term("x", 9.0)), "why?")  # type: ignore[arg-type]
    assert (nothing.scopes["a"].combined, nothing.scopes["a"].whether) == (0.0, 0.0)
