"""The notes of an answer as one text, for tests that look for a sentence."""

from __future__ import annotations

from loci.core import Answer, ScopeAnswer


def said(answer: ScopeAnswer | Answer) -> str:
    """The plain sentences of the notes."""
    return "; ".join(note.describe() for note in answer.notes)
