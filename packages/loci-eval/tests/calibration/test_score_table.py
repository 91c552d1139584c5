"""The table that weights are fitted on, on measures that are written down."""

from __future__ import annotations

import numpy as np
import pytest

from loci.eval.calibration.score_table import ScoreTable
from loci.eval.own.corpus import Asked, OwnQuestion
from loci.router import SCORES, Calibration, Measurement, Route, ScopeMeasure

ROUTE = Route("why?", True, "no_evidence", "single", 0.0, [], [], ())


def asked(about: str, **passages: float) -> Asked:
    """A question about a scope, with how many passages of each hold its words, and nothing else measured."""
    measures = {
        scope: ScopeMeasure({**dict.fromkeys(SCORES, 7.0), "passages": value}, 0.0) for scope, value in passages.items()
    }
    measured = {"why?": Measurement(measures, (), dict.fromkeys(passages, 1))} if passages else {}
    return Asked(OwnQuestion("openings", "why?", (about,), about), ROUTE, measured)


def test_scores_are_compared_between_the_scopes_of_a_question() -> None:
    table = ScoreTable.of([asked("b", a=1.0, b=3.0), asked("a", a=5.0, b=5.0 + 1e-9)])
    assert table.right.tolist() == [1, 0] and table.about == ["b", "a"] and table.family == ["openings"] * 2
    place = table.names.index("passages")
    assert table.scores[0, :, place].tolist() == [-1.0, 1.0]
    # What is the same everywhere, up to rounding, tells nothing.
    assert not table.scores[1].any() and not np.delete(table.scores[0], place, axis=1).any()
    weights = np.zeros(len(SCORES))
    assert table.chooses_right(weights).tolist() == [False, True]  # of equals the first is chosen
    weights[place] = 1.0
    assert table.chooses_right(weights).tolist() == [True, True]


def test_questions_of_which_nothing_is_known_are_left_out() -> None:
    table = ScoreTable.of([asked("a"), asked("gone", a=1.0, b=2.0), asked("b", a=1.0, b=2.0)])
    assert table.about == ["b"] and table.scores.shape == (1, 2, len(SCORES))
    assert ScoreTable.of([]).scores.shape == (0, 1, len(SCORES))


@pytest.mark.parametrize(("temperature", "pairs"), [(0.5, 4.0), (0.0, 2.0)])
def test_weights_are_log_odds_beside_the_temperature(temperature: float, pairs: float) -> None:
    table = ScoreTable.of([asked("b", a=1.0, b=2.0)])
    made = Calibration(weights={"pairs": 3.0}, temperature=temperature)
    prior = dict(zip(table.names, table.prior(made), strict=True))
    assert (prior["pairs"], prior["passages"]) == (3.0 * temperature, temperature)
    fitted = np.array([{"pairs": 2.0, "passages": -1.0}.get(name, 0.0) for name in table.names])
    named = table.named(fitted, made)
    # None speaks against a scope; without a temperature there is nothing to divide by, and no weight counts.
    assert (named["pairs"], named["passages"], named["source"]) == (pairs, 0.0, 0.0)
