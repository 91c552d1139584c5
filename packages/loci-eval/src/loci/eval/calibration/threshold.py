"""The choice of a threshold that can be certified."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..statistics.significance import binomial_tail, least_answered

__all__ = ["learn_then_test"]

BEGIN = 1 / 3
"""The walk begins at the threshold that answers this share of all: fewer carry so few errors that the first ends it.
How many are answered says nothing of how many are wrong, so it begins where it would before they were looked at."""


@dataclass(frozen=True)
class Choice:
    """A threshold with what it does to the questions it was chosen on.

    `certified`: the true share of wrong ones among the answered is at most `max_wrong` with the confidence asked for.
    `chance`: of so few errors if it were larger than that.
    """

    threshold: float
    answered: int
    wrong: int
    certified: bool
    chance: float


def learn_then_test(
    confidences: Sequence[float], wrong: Sequence[bool], grid: Sequence[float], max_wrong: float, level: float
) -> tuple[Choice | None, Choice | None]:
    """The loosest threshold that can be certified, and the loosest that merely looks good enough.

    Learn-then-Test (Angelopoulos et al., 2021) with fixed-sequence testing: the grid was fixed before the answers were
    looked at; it is walked from strict to loose, beginning at `BEGIN`, each threshold is tested at the full level, and
    the walk ends at the first that fails. So the chance that the share of wrong answers exceeds `max_wrong` is at most
    1 - `level`, for questions drawn as these were.

    Args:
        confidences: Of the questions that would be answered at all.
        wrong: Whether the answer would be wrong.
        grid: Thresholds, strict to loose.
        max_wrong: 0 to 1, of the answered.
        level: 0 to 1.

    Returns:
        (certified or None, best by its own figure or None): the second is the threshold with the most answers whose
        share of wrong ones is at most `max_wrong`.

    """
    least = max(least_answered(max_wrong, level), math.ceil(BEGIN * len(confidences)))
    certified: Choice | None = None
    best: Choice | None = None
    walking = True
    for threshold in grid:
        errors = [bad for confidence, bad in zip(confidences, wrong, strict=True) if confidence >= threshold]
        answered, bad = len(errors), sum(errors)
        if not answered:
            continue
        chance = binomial_tail(bad, answered, max_wrong)
        passes = chance <= 1.0 - level
        if bad <= max_wrong * answered:
            best = Choice(threshold, answered, bad, False, chance)
        if walking and answered >= least:
            if passes:
                certified = Choice(threshold, answered, bad, True, chance)
            else:
                walking = False
    return certified, best
