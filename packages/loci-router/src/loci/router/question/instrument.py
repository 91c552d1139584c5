"""The tool that is told to do the asking ("use loci to find ..."). It is not what the question is about."""

from __future__ import annotations

from collections.abc import Sequence

from .parts import Cue
from .patterns import patterns_of
from .text import cues


def instrument_of(folded: str, languages: Sequence[str]) -> Cue | None:
    """The wording that names a tool to ask with, if any: an imperative to the hearer, with a verb of inquiry."""
    found = cues([each for language in languages for each in patterns_of(language).instrument], folded, "instrument")
    return found[0] if found else None
