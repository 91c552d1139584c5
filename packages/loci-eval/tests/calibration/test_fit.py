"""The two regressions: where the loss is least, and scikit-learn as the oracle."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from loci.eval.calibration.fit import fit_choice, fit_logistic


def _logistic_loss(coefficients, signs, right, weights, prior, strength):
    total = 0.0
    for row, outcome, weight in zip(signs, right, weights, strict=True):
        odds = sum(a * b for a, b in zip(row, coefficients, strict=True))
        total += weight * (math.log1p(math.exp(odds)) - outcome * odds)
    return total + strength / 2 * sum((a - b) ** 2 for a, b in zip(coefficients, prior, strict=True))


def _choice_loss(weights, scores, right, prior, strength):
    total = 0.0
    for rows, place in zip(scores, right, strict=True):
        sums = [sum(a * b for a, b in zip(row, weights, strict=True)) for row in rows]
        total += math.log(sum(map(math.exp, sums))) - sums[place]
    return total + strength / 2 * sum((a - b) ** 2 for a, b in zip(weights, prior, strict=True))


def _is_least(loss, found) -> bool:
    here = loss(list(found))
    moved = [
        loss([value + (step if at == place else 0.0) for at, value in enumerate(found)])
        for place in range(len(found))
        for step in (0.01, -0.01)
    ]
    return all(here < other for other in moved)


def test_the_logistic_fit_is_where_the_loss_is_least() -> None:
    draw = np.random.default_rng(5)
    signs = np.c_[np.ones(80), draw.normal(size=(80, 2))]
    right = (draw.random(80) < 1 / (1 + np.exp(-signs @ np.array([0.3, 1.0, -2.0])))).astype(float)
    weights = draw.random(80) + 0.5
    prior = np.array([1.0, 0.0, 0.0])
    found = fit_logistic(signs, right, weights, prior, 2.0)
    assert _is_least(lambda values: _logistic_loss(values, signs, right, weights, prior, 2.0), found)
    assert found[1] > 0 > found[2]
    assert fit_logistic(signs, right, weights, prior, 1e9) == pytest.approx(prior, abs=1e-5)


def test_the_choice_fit_is_where_the_loss_is_least() -> None:
    draw = np.random.default_rng(7)
    scores = draw.normal(size=(60, 4, 3))
    right = (scores @ np.array([2.0, 0.0, -1.0])).argmax(axis=1)
    prior = np.array([0.5, 0.5, 0.5])
    found = fit_choice(scores, right, prior, 1.0)
    assert _is_least(lambda values: _choice_loss(values, scores, right, prior, 1.0), found)
    assert found[0] > abs(found[1]) and found[2] < 0
    assert fit_choice(scores, right, prior, 1e9) == pytest.approx(prior, abs=1e-5)


def test_data_that_a_plane_parts_does_not_run_away() -> None:
    signs = np.array([[1.0, -1.0], [1.0, 1.0]])
    found = fit_logistic(signs, np.array([0.0, 1.0]), np.ones(2), np.zeros(2), 0.1)
    assert np.isfinite(found).all() and found[1] > 0


def test_the_logistic_fit_drawn_to_nothing_is_that_of_scikit_learn() -> None:
    draw = np.random.default_rng(11)
    signs = np.c_[np.ones(120), draw.normal(size=(120, 3))]
    right = (draw.random(120) < 1 / (1 + np.exp(-signs @ np.array([-0.5, 1.5, 0.0, -1.0])))).astype(float)
    weights = draw.random(120) + 0.5
    # scikit-learn draws to 0 alone, and its C is one over the strength.
    model = LogisticRegression(C=1 / 3.0, fit_intercept=False, tol=1e-10, max_iter=1000)
    expected = model.fit(signs, right, sample_weight=weights).coef_[0]
    assert fit_logistic(signs, right, weights, np.zeros(4), 3.0) == pytest.approx(expected, abs=1e-6)


def test_a_choice_of_two_is_a_logistic_regression_on_their_difference() -> None:
    draw = np.random.default_rng(13)
    scores = draw.normal(size=(150, 2, 3))
    right = ((scores @ np.array([1.0, -2.0, 0.5])) + draw.gumbel(size=(150, 2))).argmax(axis=1)
    model = LogisticRegression(C=1 / 2.0, fit_intercept=False, tol=1e-10, max_iter=1000)
    expected = model.fit(scores[:, 1] - scores[:, 0], right).coef_[0]
    assert fit_choice(scores, right, np.zeros(3), 2.0) == pytest.approx(expected, abs=1e-6)
