"""A question with a log or a file pasted into it: how much of it is read, and where.

What a question is about is said in its sentences. A paste stands behind them, or before.
"""

from __future__ import annotations

from dataclasses import dataclass

from .parts import Span

READ_CHARACTERS = 8_000
"""How much of a question its grammar is read off: its beginning. Bound pronouns take time with the square of it."""

LONGEST_QUESTION = 4_000
"""Of a longer question, so much of both ends together is searched for names and numbers."""


@dataclass(frozen=True)
class Ends:
    """What is searched for names and numbers: all of the question, or its beginning and its end.

    Attributes:
        text: What is searched.
        gap: Where the two ends meet in it, and how many more characters stand between them in the question.

    """

    text: str
    gap: tuple[int, int] | None = None

    def span(self, span: Span) -> Span:
        """A span of `text` as one of the question."""
        if self.gap is None or span[0] < self.gap[0]:
            return span
        return span[0] + self.gap[1], span[1] + self.gap[1]


def ends_of(question: str) -> Ends:
    """The ends of a question, with a line break between them where something is left out."""
    if len(question) <= LONGEST_QUESTION:
        return Ends(question)
    half = LONGEST_QUESTION // 2
    return Ends(f"{question[:half]}\n{question[-half:]}", (half + 1, len(question) - LONGEST_QUESTION - 1))
