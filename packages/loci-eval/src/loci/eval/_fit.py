"""The fitting, in numbers alone: two small regressions drawn to the shipped values, and the choice of a threshold.

Nothing here knows of a question or a scope, so every function can be checked by hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Choice", "binomial_tail", "fit_choice", "fit_logistic", "learn_then_test", "least_answered", "sign_test"]

Array = npt.NDArray[np.float64]

BEGIN = 1 / 3
"""The walk begins at the threshold that answers this share of all: fewer carry so few errors that the first ends it.
How many are answered says nothing of how many are wrong, so it begins where it would before they were looked at."""

ITERATIONS = 60
TOLERANCE = 1e-9


def fit_logistic(signs: Array, right: Array, weights: Array, prior: Array, strength: float) -> Array:
    """Coefficients of a logistic regression, drawn to `prior`.

    Args:
        signs: n x k, a column of ones among them for the bias.
        right: n outcomes, 0 or 1.
        weights: n, how much each counts.
        prior: k coefficients, the shipped ones.
        strength: Of the pull to them: that of so many questions that speak against each unit of distance.

    Newton's method with halved steps; the loss is convex, so the result is the only one.

    """
    found = prior.astype(float).copy()

    def loss(coefficients: Array) -> float:
        odds = signs @ coefficients
        return float(weights @ (np.logaddexp(0.0, odds) - right * odds)) + 0.5 * strength * float(
            np.sum((coefficients - prior) ** 2)
        )

    for _ in range(ITERATIONS):
        shares = 1.0 / (1.0 + np.exp(-np.clip(signs @ found, -500, 500)))
        gradient = signs.T @ (weights * (shares - right)) + strength * (found - prior)
        curvature = (signs * (weights * shares * (1.0 - shares))[:, None]).T @ signs + strength * np.eye(len(prior))
        found, done = _stepped(loss, found, np.linalg.solve(curvature, gradient))
        if done:
            break
    return found


def fit_choice(scores: Array, right: npt.NDArray[np.int64], prior: Array, strength: float) -> Array:
    """Weights of scores under which the right one of several is chosen: a conditional logit, drawn to `prior`.

    Args:
        scores: n questions x m scopes x k scores.
        right: n, the number of the right scope.
        prior: k weights, the shipped ones.
        strength: Of the pull to them.

    """
    found = prior.astype(float).copy()
    chosen = scores[np.arange(len(right)), right]

    def loss(weights: Array) -> float:
        sums = scores @ weights
        most = sums.max(axis=1, keepdims=True)
        total = np.log(np.exp(sums - most).sum(axis=1)) + most[:, 0]
        return float((total - chosen @ weights).sum()) + 0.5 * strength * float(np.sum((weights - prior) ** 2))

    for _ in range(ITERATIONS):
        sums = scores @ found
        shares = np.exp(sums - sums.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        expected = np.einsum("nm,nmk->nk", shares, scores)
        gradient = (expected - chosen).sum(axis=0) + strength * (found - prior)
        centred = scores - expected[:, None, :]
        curvature = np.einsum("nm,nmk,nml->kl", shares, centred, centred) + strength * np.eye(len(prior))
        found, done = _stepped(loss, found, np.linalg.solve(curvature, gradient))
        if done:
            break
    return found


def _stepped(loss: Any, found: Array, step: Array) -> tuple[Array, bool]:
    """The point a Newton step away, or half of it as often as needed; and whether nothing moves any more."""
    before = loss(found)
    scale = 1.0
    for _ in range(30):
        candidate = found - scale * step
        if loss(candidate) <= before:
            return candidate, bool(np.abs(scale * step).max() < TOLERANCE)
        scale /= 2.0
    return found, True


def binomial_tail(wrong: int, answered: int, share: float) -> float:
    """The chance of at most `wrong` errors among `answered` when each is wrong with chance `share`."""
    if share <= 0.0:
        return 1.0
    if share >= 1.0:
        return 1.0 if wrong >= answered else 0.0
    log_wrong, log_right = math.log(share), math.log1p(-share)
    terms = [
        math.lgamma(answered + 1)
        - math.lgamma(count + 1)
        - math.lgamma(answered - count + 1)
        + count * log_wrong
        + (answered - count) * log_right
        for count in range(min(wrong, answered) + 1)
    ]
    return min(1.0, math.fsum(math.exp(term) for term in terms))


def least_answered(max_wrong: float, level: float) -> int:
    """How many answers without one error it takes to certify `max_wrong` at `level` (45 for 5 % at 90 %)."""
    return math.ceil(math.log(1.0 - level) / math.log1p(-max_wrong))


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


def sign_test(better: int, worse: int) -> float:
    """The chance of at least `better` wins of `better + worse` when both are equally likely (one-sided)."""
    total = better + worse
    if not total:
        return 1.0
    return min(1.0, sum(math.comb(total, count) for count in range(better, total + 1)) / 2**total)
