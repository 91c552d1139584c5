"""Whether a question asks for what is, for what happened, or for a reason."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .parts import Intent
from .patterns import patterns_of
from .text import compiled


def intent_of(text: str, asked: str, languages: Sequence[str]) -> Intent:
    """What a question wants to hear, by the question words of any of the languages. `asked`: it without its lead."""
    patterns = [patterns_of(language) for language in languages]

    def asks(written: Sequence[str]) -> bool:
        return any(compiled(each, re.IGNORECASE).search(text) for each in written)

    event = any(asks(each.event) for each in patterns)
    reason = not event and any(asks(each.reason) for each in patterns)
    date = any(compiled(each.when, re.IGNORECASE).match(asked) for each in patterns if each.when)
    return Intent("event" if event else "reason" if reason else "state", date)
