"""Questions for a set of projects ("which of my repos ..."), and what remains of a question without that frame.

The nouns of the frame name the kind of answer wanted, not its content, so they are no evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

from .parts import Cue, Span
from .patterns import patterns_of
from .text import compiled, cues

# The perfect with a deictic place or recent time is about here and now, not about all of one's work.
_PERFECT = r"(?:[,;:.?!] ?|and |or |where |when )?have (?:i|we)\b"
_HERE_AND_NOW = r"\b(?:this|in here|yet|just|today|yesterday|last)\b"
_WORD = r"[^\W_]+(?:['-][^\W_]+)*"


def enumerations(folded: str, languages: Sequence[str]) -> list[Cue]:
    """The wordings that ask for a set of projects, in their order."""
    found = cues([each for language in languages for each in patterns_of(language).enumeration], folded, "enumeration")
    if compiled(_HERE_AND_NOW).search(folded):
        found = [cue for cue in found if not compiled(_PERFECT).match(cue.text)]
    return found


def frame_of(folded: str, found: Sequence[Cue], languages: Sequence[str]) -> list[Span]:
    """Where the frame of these wordings stands: everything in them but the modifiers ("Go" in "my Go projects")."""
    spans: list[Span] = []
    frame: frozenset[str] = frozenset().union(*(patterns_of(language).frame_words for language in languages))
    for cue in found:
        start, end = cue.span
        for match in compiled(_WORD).finditer(folded[start:end]):
            if match.group() in frame:
                spans.append((start + match.start(), start + match.end()))
        if languages[0] in ("zh", "ja"):
            spans.append(cue.span)
    return spans
