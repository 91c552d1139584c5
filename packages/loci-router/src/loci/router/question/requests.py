"""Questions for what every project has: what it is, what it needs, what is newest in it.

The words of such a question do not stand where its answer does: no README says "this project does", and no changelog
"the last release". So they are no evidence, and what they ask for has to be read off their grammar. A request is the
whole question, never a part of it: "what does flask do?" is one, "what does flask do with a cookie?" asks for
something of its own and is left to the words.

Everything is a closed class of wordings, by language. Whether what stands in the place of the subject is a project, the
router has to know.
"""

from __future__ import annotations

import re
from functools import cache

from .language import of_short
from .parts import LANGUAGES, Language, Request, RequestKind
from .patterns import patterns_of
from .text import compiled

LONGEST_REQUEST = 160
"""Characters; a longer question says more than what it asks for."""

_LANGUAGE = "(?:" + "|".join(re.escape(name) for name in sorted(LANGUAGES, key=len, reverse=True)) + ")"
# What the patterns call <S>, <O> and <L>: the subject, the one thing that may be needed, programming languages.
_PLACES = {
    "<S>": "(?P<subject>.{1,60}?)",
    "<O>": r"[\"'`]?(?P<object>[a-z0-9@][\w@./+-]*)[\"'`]?",
    "<L>": rf"(?P<languages>{_LANGUAGE}(?:(?:,| and| or| und| oder| y| o|/|和|或|と)\s?{_LANGUAGE})*)",
}


def request_of(folded: str, language: Language) -> Request | None:
    """What the folded question asks of a project, if that is all it asks. `language`: as its script or words tell."""
    if len(folded) > LONGEST_REQUEST:
        return None
    for each in of_short(folded, language):
        found = _read(folded, each)
        if found is not None:
            return found
    # A name by itself asks no less than "what is X?".
    alone = re.fullmatch(r"\s*([a-z0-9@][\w@./+-]*)\s*[?!.]?\s*", folded, re.ASCII)
    return None if alone is None else Request("overview", alone[1], alone.span(1))


def _read(folded: str, language: Language) -> Request | None:
    patterns = patterns_of(language)
    begin = len(folded) - len(folded.lstrip())
    found = compiled(f"{patterns.trail}$").search(folded, begin)
    end = len(folded) if found is None else found.start()
    lead = compiled(patterns.lead).match(folded, begin)
    for start in dict.fromkeys([begin, begin if lead is None else lead.end()]):
        for kind, pattern in _rows(language):
            match = pattern.fullmatch(folded, start, end)
            if match is None:
                continue
            groups = match.groupdict()
            place = None
            if groups.get("subject") is not None:
                place = compiled(patterns.subject).fullmatch(folded, *match.span("subject"))
                if place is None:
                    continue
            named = None if place is None else next((n for n in ("name", "bare") if place.groupdict().get(n)), None)
            return Request(
                kind,
                match.group().strip(),
                None if named is None or place is None else place.span(named),
                match.span("object") if groups.get("object") is not None else None,
                _languages_in(groups.get("languages") or ""),
                _count_in(match.group()) if kind == "changes" else None,
            )
    return None


@cache
def _rows(language: Language) -> list[tuple[RequestKind, re.Pattern[str]]]:
    patterns = patterns_of(language)
    kinds: list[tuple[RequestKind, tuple[str, ...]]] = [
        ("written_in", patterns.written_in),
        ("holding", patterns.holding),
        ("languages", patterns.languages),
        ("needs", patterns.needs),
        ("changes", patterns.changes),
        ("release", patterns.release),
        ("overview", patterns.overview),
    ]
    return [(kind, re.compile(_placed(row))) for kind, rows in kinds for row in rows]


def _placed(row: str) -> str:
    for mark, pattern in _PLACES.items():
        row = row.replace(mark, pattern)
    return row


def _count_in(text: str) -> int | None:
    # Not a digit of a name (h2, 7zip), and no number so long that Python refuses to read it.
    found = re.search(r"(?<![\w.-])\d{1,9}(?![\w.-])", text, re.ASCII)
    return None if found is None else int(found[0])


def _languages_in(text: str) -> tuple[str, ...]:
    names = re.findall(rf"(?<![a-z]){_LANGUAGE}(?![a-z+#])", text)
    return tuple(dict.fromkeys(LANGUAGES[name] for name in names))
