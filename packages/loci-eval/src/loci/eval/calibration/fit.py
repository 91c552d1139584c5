"""Two small regressions that are drawn to the shipped values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["fit_choice", "fit_logistic"]

Array = npt.NDArray[np.float64]

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
