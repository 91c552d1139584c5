"""Own questions that stand for a day of real ones."""

from __future__ import annotations

from collections.abc import Iterable

from .corpus import Asked
from .families import FAMILIES, is_a_sentence

__all__ = ["UNANSWERABLE_SHARE", "in_the_mix"]


UNANSWERABLE_SHARE = 0.15
"""The assumed share of questions that are to be refused: of the public benchmark's 214, 15 %."""


def in_the_mix(records: Iterable[Asked]) -> list[tuple[Asked, float]]:
    """Own questions that stand for a day's mix, with weights.

    They are the sentences of answerable families, and those to refuse at `UNANSWERABLE_SHARE` together; each family of
    either side weighs the same.
    """
    answerable: dict[str, list[Asked]] = {}
    refused: dict[str, list[Asked]] = {}
    for asked in records:
        family = FAMILIES[asked.question.family]
        if is_a_sentence(asked.question):
            answerable.setdefault(family.name, []).append(asked)
        elif family.group == "refused" and family.role == "certify":
            refused.setdefault(family.name, []).append(asked)
    mix: list[tuple[Asked, float]] = []
    for groups, share in ((answerable, 1.0 - UNANSWERABLE_SHARE), (refused, UNANSWERABLE_SHARE)):
        for its in groups.values():
            mix += [(asked, share / len(groups) / len(its)) for asked in its]
    return mix
