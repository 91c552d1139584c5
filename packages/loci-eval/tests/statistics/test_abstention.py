"""Confidence against right and wrong: golden values worked out by hand, and the slowest obvious implementation."""

import math
import sys
from fractions import Fraction

import pytest
import sklearn.metrics  # noqa: F401  (here, so that no example of hypothesis pays for it)
from hypothesis import given
from hypothesis import strategies as st

from loci.eval import (
    BenchUnavailable,
    auroc,
    matched_weights,
    risk_coverage,
    weighted_share,
)

scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=25)


# AUROC


def test_auroc_by_hand():
    # .9 and .8 beat both negatives (4 pairs), .3 loses to .5 and ties with .3 (half a pair): 4.5 of 6.
    assert auroc([0.9, 0.8, 0.3], [0.5, 0.3]) == pytest.approx(0.75)


def test_auroc_needs_both_sides():
    assert auroc([], [1.0]) is None
    assert auroc([1.0], []) is None
    assert auroc([1.0], [1.0], [0.0], [1.0]) is None


def naive_auroc(positives, negatives, positive_weights, negative_weights):
    won = total = 0.0
    for p, pw in zip(positives, positive_weights, strict=True):
        for n, nw in zip(negatives, negative_weights, strict=True):
            total += pw * nw
            won += pw * nw * (1.0 if p > n else 0.5 if p == n else 0.0)
    return won / total if total else None


@given(scores, scores)
def test_auroc_is_the_count_of_pairs(positives, negatives):
    expected = naive_auroc(positives, negatives, [1] * len(positives), [1] * len(negatives))
    assert auroc(positives, negatives) == pytest.approx(expected)


weighted = st.lists(st.tuples(st.integers(-3, 3).map(float), st.integers(0, 4).map(float)), min_size=1, max_size=20)


@given(weighted, weighted)
def test_weighted_auroc_is_the_weighted_count_of_pairs(positives, negatives):
    sides = [[list(column) for column in zip(*side, strict=True)] for side in (positives, negatives)]
    (p, pw), (n, nw) = sides
    expected = naive_auroc(p, n, pw, nw)
    actual = auroc(p, n, pw, nw)
    assert actual == (None if expected is None else pytest.approx(expected))


@given(scores, scores)
def test_auroc_of_the_swapped_sides_is_the_complement(positives, negatives):
    swapped = auroc(negatives, positives)
    assert swapped is not None
    assert auroc(positives, negatives) == pytest.approx(1 - swapped)


@given(scores, scores)
def test_auroc_only_sees_the_order(positives, negatives):
    stretched = auroc([math.exp(x) for x in positives], [math.exp(x) for x in negatives])
    assert auroc(positives, negatives) == stretched


def test_auroc_without_scikit_learn_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    with pytest.raises(BenchUnavailable, match=r"AUROC needs scikit-learn .*pip install 'loci-eval\[bench\]'"):
        auroc([0.5], [0.4])
    assert auroc([], [0.4]) is None


# Matching


def test_matched_weights_by_hand():
    # length 3: two positives, one negative -> one of two kept; length 5: one against three -> one of three; 8, 1: none.
    left, right = matched_weights([3, 3, 5, 8], [3, 5, 5, 5, 1])
    assert left == [0.5, 0.5, 1, 0]
    assert right == [1, pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(1 / 3), 0]


lengths = st.lists(st.integers(1, 6), max_size=30)


@given(lengths, lengths)
def test_matched_sides_have_the_same_distribution_of_lengths(positives, negatives):
    left, right = matched_weights(positives, negatives)
    assert all(0 <= weight <= 1 for weight in left + right)
    for length in range(1, 7):
        on_the_left = sum(w for w, value in zip(left, positives, strict=True) if value == length)
        on_the_right = sum(w for w, value in zip(right, negatives, strict=True) if value == length)
        assert on_the_left == pytest.approx(on_the_right)
        assert on_the_left == pytest.approx(min(positives.count(length), negatives.count(length)))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=30), st.lists(st.integers(1, 6), min_size=1, max_size=30))
def test_a_rule_on_length_is_worthless_once_matched(positives, negatives):
    value = auroc(positives, negatives, *matched_weights(positives, negatives))
    assert value is None or value == pytest.approx(0.5)


def test_weighted_share():
    assert weighted_share([True, False, True], [1, 2, 0.5]) == pytest.approx(1.5 / 3.5)
    assert weighted_share([True], [0]) is None


# Risk and coverage


def test_risk_coverage_by_hand():
    # Most confident first: right, right, wrong, right.
    points = risk_coverage([0.2, 0.9, 0.8, 0.5], [True, True, True, False], [0.5, 0.75, 1.0])
    assert [(p.answered, p.accuracy) for p in points] == [(2, 1.0), (3, pytest.approx(2 / 3)), (4, 0.75)]


def test_risk_coverage_splits_a_tie_by_expectation():
    # One sure and right; then three tied, one of them right: answering two of four takes a third of a right one.
    (point,) = risk_coverage([0.9, 0.5, 0.5, 0.5], [True, True, False, False], [0.5])
    assert point.accuracy == pytest.approx((1 + 1 / 3) / 2)


def test_risk_coverage_answers_at_least_one_question():
    (point,) = risk_coverage([0.9, 0.1], [True, False], [0.0])
    assert (point.answered, point.accuracy) == (1, 1.0)
    assert risk_coverage([], [], [0.5]) == []


@given(st.lists(st.tuples(st.integers(0, 4).map(float), st.booleans()), min_size=1, max_size=40), st.randoms())
def test_risk_coverage_ignores_the_order_and_ends_at_the_plain_accuracy(pairs, generator):
    coverages = [0.5, 0.8, 1.0]
    points = risk_coverage([c for c, _ in pairs], [right for _, right in pairs], coverages)
    shuffled = list(pairs)
    generator.shuffle(shuffled)
    assert points == risk_coverage([c for c, _ in shuffled], [right for _, right in shuffled], coverages)
    assert points[-1].accuracy == pytest.approx(sum(right for _, right in pairs) / len(pairs))


def test_risk_coverage_of_weighted_questions_by_hand():
    # Half of the weight is the one sure question; the other three share the rest, and one of them is right.
    points = risk_coverage(
        [0.9, 0.5, 0.4, 0.3], [True, False, True, False], [0.0, 0.25, 0.5, 0.8, 1.0], [0.6, 0.2, 0.2, 0.2]
    )
    assert [p.accuracy for p in points] == pytest.approx([1.0, 1.0, 1.0, 0.76 / 0.96, 0.8 / 1.2])
    assert [p.answered for p in points] == [1, 1, 1, 3, 4]
    for weights in ([1.0], [1.0, 0.0]):
        with pytest.raises(ValueError, match="weight"):
            risk_coverage([0.9, 0.5], [True, False], [0.5], weights)


@given(
    st.lists(st.tuples(st.integers(0, 4).map(float), st.booleans(), st.integers(1, 4)), min_size=1, max_size=20),
    st.integers(1, 40),
)
def test_a_weight_counts_as_so_many_equal_questions(rows, answered):
    total = sum(weight for _, _, weight in rows)
    coverage = min(answered, total) / total
    (weighted,) = risk_coverage([c for c, _, _ in rows], [r for _, r, _ in rows], [coverage], [w for _, _, w in rows])
    repeated = [(c, r) for c, r, weight in rows for _ in range(weight)]
    (plain,) = risk_coverage([c for c, _ in repeated], [r for _, r in repeated], [coverage])
    lightest = min(weight for _, _, weight in rows)
    if lightest <= plain.answered:
        assert weighted.accuracy == pytest.approx(plain.accuracy)


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=6), st.sampled_from([0.3, 0.5, 0.8]))
def test_risk_coverage_is_the_mean_over_all_ways_to_break_ties(pairs, coverage):
    from itertools import pairwise, permutations

    answered = max(1, math.floor(coverage * len(pairs) + 0.5))
    orders = [p for p in permutations(pairs) if all(a[0] >= b[0] for a, b in pairwise(p))]
    mean = Fraction(sum(sum(right for _, right in order[:answered]) for order in orders), answered * len(orders))
    (point,) = risk_coverage([float(c) for c, _ in pairs], [right for _, right in pairs], [coverage])
    assert point.accuracy == pytest.approx(float(mean))
