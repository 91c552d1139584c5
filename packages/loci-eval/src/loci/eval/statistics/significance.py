"""What chance explains: exact tests of counts, as pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

__all__ = ["binomial_tail", "holm", "least_answered", "mcnemar", "sign_test"]


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


def sign_test(better: int, worse: int) -> float:
    """The chance of at least `better` wins of `better + worse` when both are equally likely (one-sided)."""
    return float(_fair_tail(worse, better + worse))


def mcnemar(first_only: int, second_only: int) -> float:
    """The two-sided exact p of McNemar's test, which is a sign test on the questions that changed.

    first_only: right in the first run alone; second_only: in the second alone. 1 when nothing changed.
    """
    if first_only < 0 or second_only < 0:
        raise ValueError("counts must not be negative")
    tail = _fair_tail(min(first_only, second_only), first_only + second_only)
    return float(min(Fraction(1), 2 * tail))


def _fair_tail(most: int, tosses: int) -> Fraction:
    """The chance of at most `most` heads in `tosses` of a fair coin; a fraction, since 2 ** 2000 is no float."""
    return Fraction(sum(math.comb(tosses, count) for count in range(most + 1)), 2**tosses)


def holm(values: Sequence[float]) -> list[float]:
    """The p values adjusted for having looked at all of them (Holm): each may be compared with the level by itself."""
    order = sorted(range(len(values)), key=lambda position: values[position])
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, position in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[position]))
        adjusted[position] = largest
    return adjusted
