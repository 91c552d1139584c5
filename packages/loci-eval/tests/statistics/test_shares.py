"""Shares and intervals, worked out by hand and compared with scipy."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from loci.eval import (
    Share,
    cluster_bootstrap,
    wilson_interval,
)

# Wilson


def test_wilson_of_eight_in_ten():
    # centre (.8 + 3.8415/20) / 1.38415 = .71671; half width 1.96 * sqrt(.016 + .0096036) / 1.38415 = .22658
    low, high = wilson_interval(8, 10)
    assert low == pytest.approx(0.4902, abs=1e-4)
    assert high == pytest.approx(0.9433, abs=1e-4)


def test_wilson_at_the_ends():
    # none of n: the upper end is z^2 / (n + z^2) = 3.8415 / 23.8415
    assert wilson_interval(0, 20) == (0.0, pytest.approx(0.16113, abs=1e-5))
    assert wilson_interval(20, 20) == (pytest.approx(1 - 0.16113, abs=1e-5), 1.0)


def test_wilson_of_nothing_says_nothing():
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3)])
def test_wilson_refuses_impossible_counts(successes, n):
    with pytest.raises(ValueError, match="successes"):
        wilson_interval(successes, n)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_is_symmetric(counts):
    successes, n = counts
    low, high = wilson_interval(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    mirrored = wilson_interval(n - successes, n)
    assert mirrored == (pytest.approx(1 - high), pytest.approx(1 - low))


def test_share_of_nothing_has_no_figure():
    figure = Share.of([]).to_json()
    assert figure == {"successes": 0, "n": 0, "share": None, "low": None, "high": None}


def test_share_to_json():
    assert Share.of([True, True, True, False]).to_json() == {
        "successes": 3,
        "n": 4,
        "share": 0.75,
        "low": 0.3006,
        "high": 0.9544,
    }


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_that_of_scipy(counts):
    interval = binomtest(*counts).proportion_ci(0.95, method="wilson")
    assert wilson_interval(*counts) == pytest.approx((interval.low, interval.high), abs=1e-12)


# Bootstrap


def test_bootstrap_of_one_cluster_is_its_mean():
    assert cluster_bootstrap([1, 0, 1, 1], ["a"] * 4) == (0.75, 0.75)


def test_bootstrap_draws_whole_clusters():
    # Two clusters of opposite outcome: a resample is (a,a), (a,b), (b,a) or (b,b), so the mean is 1, 1/2 or 0, and 95 %
    # of the resamples cannot leave out either end, which come a quarter of the time each.
    assert cluster_bootstrap([1, 1, 0, 0], ["a", "a", "b", "b"]) == (0.0, 1.0)


def test_bootstrap_without_values_is_none():
    assert cluster_bootstrap([], []) is None


def test_bootstrap_depends_on_the_seed_not_on_the_order():
    values = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1]
    clusters = list("aabbccddee")
    forward = cluster_bootstrap(values, clusters, seed=3)
    assert forward == cluster_bootstrap(values[::-1], clusters[::-1], seed=3)


def test_bootstrap_of_single_question_clusters_is_near_the_normal_interval():
    interval = cluster_bootstrap([1.0] * 160 + [0.0] * 40, range(200))
    assert interval is not None
    spread = 1.96 * math.sqrt(0.8 * 0.2 / 200)
    assert interval[0] == pytest.approx(0.8 - spread, abs=0.015)
    assert interval[1] == pytest.approx(0.8 + spread, abs=0.015)
