"""Exact tests of counts: golden values, and scipy as the oracle."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from loci.eval import holm, mcnemar
from loci.eval.statistics.significance import binomial_tail, least_answered, sign_test


@pytest.mark.parametrize(("wrong", "needed"), [(0, 45), (1, 77), (2, 105), (3, 132), (4, 158)])
def test_so_many_answers_carry_five_percent_at_ninety(wrong: int, needed: int) -> None:
    assert binomial_tail(wrong, needed, 0.05) <= 0.1 < binomial_tail(wrong, needed - 1, 0.05)


def test_the_least_number_of_answers() -> None:
    assert least_answered(0.05, 0.9) == 45
    assert least_answered(0.05, 0.95) == 59
    assert least_answered(0.1, 0.9) == 22


@given(st.integers(0, 12), st.integers(1, 400), st.sampled_from([0.01, 0.05, 1 / 3, 0.9]))
def test_the_tail_is_that_of_scipy(wrong: int, answered: int, share: float) -> None:
    assert binomial_tail(wrong, answered, share) == pytest.approx(binom.cdf(wrong, answered, share), rel=1e-9)


def test_the_ends_of_the_tail() -> None:
    assert binomial_tail(0, 10, 0.0) == 1.0
    assert binomial_tail(9, 10, 1.0) == 0.0
    assert binomial_tail(10, 10, 1.0) == 1.0


def test_wins_that_chance_explains() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 0) == 1 / 32
    assert sign_test(2, 2) == 11 / 16


@given(st.integers(0, 60), st.integers(0, 60))
def test_wins_are_as_likely_as_scipy_says(better: int, worse: int) -> None:
    expected = binomtest(better, better + worse, alternative="greater").pvalue if better + worse else 1.0
    assert sign_test(better, worse) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("first_only", "second_only", "p"),
    [
        (0, 0, 1.0),
        (0, 5, 0.0625),  # 2 / 32
        (0, 6, 0.03125),  # 2 / 64
        (1, 9, 2 * (1 + 10) / 1024),
        (3, 3, 1.0),  # an even split cannot be less likely than itself
        (2, 12, 2 * (1 + 14 + 91) / 2**14),
    ],
)
def test_mcnemar_by_hand(first_only, second_only, p):
    assert mcnemar(first_only, second_only) == p
    assert mcnemar(second_only, first_only) == p


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_against_every_split_counted(first_only, second_only):
    changed = first_only + second_only
    uneven = abs(first_only - second_only)
    as_uneven = sum(math.comb(changed, k) for k in range(changed + 1) if abs(2 * k - changed) >= uneven)
    assert mcnemar(first_only, second_only) == float(Fraction(as_uneven, 2**changed))


def test_mcnemar_of_many():
    assert mcnemar(0, 5000) == 0.0 or mcnemar(0, 5000) > 0  # no overflow
    assert mcnemar(2500, 2500) == 1.0
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 2)


def test_holm_by_hand():
    # Smallest times 3, the next times 2, and never below the one before.
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
