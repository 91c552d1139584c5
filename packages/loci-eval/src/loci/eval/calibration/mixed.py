"""Questions mixed as they are assumed to be asked, and what a threshold answers of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from ..own.corpus import Asked
from ..own.families import FAMILIES, is_a_sentence
from ..own.mix import UNANSWERABLE_SHARE

__all__ = ["GRID", "best_coverage", "mixed", "would_answer"]


GRID = tuple(round(0.98 - 0.005 * step, 3) for step in range(117))
"""Thresholds from strict to loose, 0.98 to 0.40; fixed here, before any question is asked."""


def mixed(asked: Iterable[Asked]) -> list[Asked]:
    """Questions mixed as they are assumed to be asked: sentences of the answerable families, and of those to refuse as
    many as make up `UNANSWERABLE_SHARE`, of each kind the same number as far as there are.
    """
    answerable: list[Asked] = []
    refused: dict[str, list[Asked]] = {}
    for each in asked:
        family = FAMILIES[each.question.family]
        if is_a_sentence(each.question):
            answerable.append(each)
        elif family.group == "refused" and family.role == "certify":
            refused.setdefault(family.name, []).append(each)
    wanted = round(UNANSWERABLE_SHARE / (1.0 - UNANSWERABLE_SHARE) * len(answerable))
    order = {
        name: sorted(its, key=lambda each: hashlib.sha256(each.question.question.encode()).hexdigest())
        for name, its in sorted(refused.items())
    }
    chosen: list[Asked] = []
    while len(chosen) < wanted and any(order.values()):
        for its in order.values():
            if its and len(chosen) < wanted:
                chosen.append(its.pop(0))
    return answerable + chosen


def would_answer(asked: Sequence[Asked]) -> list[Asked]:
    """Those that a threshold decides on: the questions were asked with a threshold of 0."""
    return [each for each in asked if not each.route.abstained]


def best_coverage(asked: Sequence[Asked], max_wrong: float) -> float:
    """The largest share of the answerable that some threshold answers with at most `max_wrong` of all answers wrong."""
    answerable = sum(bool(each.question.scopes) for each in asked)
    best = 0.0
    for threshold in GRID:
        answered = [each for each in would_answer(asked) if each.route.confidence >= threshold]
        wrong = sum(each.wrong_answer for each in answered)
        if answered and wrong <= max_wrong * len(answered) and answerable:
            best = max(best, sum(bool(each.question.scopes) for each in answered) / answerable)
    return best
