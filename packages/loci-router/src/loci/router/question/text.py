"""The letters of a question, folded so that spans stay valid, and patterns that are compiled when they are needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from .parts import Cue, Span

# ---------------------------------------------------------------------------------------------------------------------
# Folding: same length as the original, so that spans can be shared.

_SIGNS = {0x2018: "'", 0x2019: "'", 0x02BC: "'", 0x201C: '"', 0x201D: '"', 0x2010: "-", 0x2011: "-", 0x3000: " "}
_SIGNS |= {0xFF01 + i: chr(0x21 + i) for i in range(94)}


def fold(text: str) -> str:
    """`text` in lower case with straight quotes and half-width signs, character for character."""
    straight = text.translate(_SIGNS)
    lowered = straight.lower()
    # A few letters (Turkish dotted capital I) grow when lowered; those texts keep their case letter by letter.
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in straight)


def words(text: str) -> frozenset[str]:
    """The words of `text`, as a set: how the closed classes are written down."""
    return frozenset(text.split())


def blank(text: str, spans: Iterable[Span]) -> str:
    """`text` with spaces at `spans`, so that other spans stay valid."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return "".join(letters)


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, compiled when it is first needed: most processes ask one question in one language."""
    return re.compile(pattern, flags)


def cues(patterns: Sequence[str], folded: str, kind: str) -> list[Cue]:
    """Every match that does not overlap an earlier one: leftmost, then longest, whatever the order of the patterns."""
    found = sorted(
        (match.start(), -match.end(), match.group().strip())
        for pattern in patterns
        for match in compiled(pattern).finditer(folded)
    )
    chosen: list[Cue] = []
    for start, negative_end, text in found:
        if not chosen or start >= chosen[-1].span[1]:
            chosen.append(Cue(kind, text, (start, -negative_end)))
    return chosen
