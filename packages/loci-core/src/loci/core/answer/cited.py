"""Passages that hold what a question cites by number: a version, an issue, a commit, a date, a port.

No index knows numbers, so the texts are searched for them. These passages come first: those whose heading has
the number, then, but for versions, in the order in which the words rank them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from loci.core.answer.direct import beginning
from loci.core.notes import CitedNowhere, Note

if TYPE_CHECKING:
    from loci.episodes import Episodes, Passage
    from loci.router import Citation, Question

CITED_FIRST = 4
"""So many passages come first."""
LINES_ABOVE = 5
CANDIDATES = 200
"""Among so many that the words find of each lane, the order of the words counts."""


def cited_passages(
    store: Episodes, question: Question, root: Path | None, tags: Callable[[], Mapping[str, Sequence[str]]]
) -> tuple[list[Passage], list[Note]]:
    """The passages that hold what the question cites, best first, and a note on each number that does not occur.

    `root`: where the files are now. `tags`: reads commit -> names of tags, where a version is cited.
    """
    from loci.episodes import is_changelog

    citations = question.citations
    if not citations:
        return [], []
    order: dict[int, int] | None = None
    first: dict[int, Citation] = {}
    notes: list[Note] = []
    for citation in citations:
        found = dict.fromkeys(store.commits_of(citation.text), 2) if citation.kind == "commit" else {}
        if not found:
            found = _holding(store, citation.spellings)
        vague = citation.kind == "version" and citation.text.count(".") < 2
        if vague:
            # 1.5 may be any number, but as a heading it is a version.
            found = {number: rank for number, rank in found.items() if rank} or found
        if not found and citation.kind == "version":
            # 2.32 is also all of 2.32.0, 2.32.1 and so on.
            found = _holding(store, [f"{citation.text}."])
        if citation.kind == "version":
            found |= dict.fromkeys(_tagged(store, citation.text, tags()), 1)
        if not found:
            notes.append(CitedNowhere(citation.text))
            continue
        documents = store.passages["document"]
        if citation.kind == "version" and not any(rank for number, rank in found.items() if number < documents):
            # A changelog without headings, before a commit that only says that there is such a version.
            held = [number for number in found if number < documents][:CANDIDATES]
            found |= dict.fromkeys((number for number in held if is_changelog(store.passage(number).path)), 1)
        if citation.kind == "version" and any(found.values()):
            # A section of a changelog from its beginning; documents stand before source and commits.
            ranked = sorted(found, key=lambda number: (-found[number], number))
        else:
            if order is None:
                candidates = store.candidates(question.text, CANDIDATES)
                order = {number: place for place, (number, _) in enumerate(candidates)}
            place = order
            ranked = sorted(found, key=lambda number: (-found[number], place.get(number, len(place)), number))
        room = max(1, CITED_FIRST // len(citations))
        if vague and not any(found.values()):
            room = 1
        for number in ranked[:room]:
            first.setdefault(number, citation)
    return [_from_it(store.passage(number, root=root), citation) for number, citation in first.items()], notes


def _from_it(passage: Passage, citation: Citation) -> Passage:
    """A passage from the line that holds the citation on, or a little above it; the message of a commit as it is."""
    from loci.episodes import stands_in

    if passage.commit is not None:
        return passage
    lines = passage.text.split("\n")
    holds = (number for number, line in enumerate(lines) if any(stands_in(line, each) for each in citation.spellings))
    at = next(holds, 0)
    return beginning(passage, at if citation.kind == "version" else max(0, at - LINES_ABOVE))


def _tagged(store: Episodes, version: str, tags: Mapping[str, Sequence[str]]) -> list[int]:
    """The passages of the commits that a tag of the version stands at: `v2.1.0`, `release-2.1.0` of 2.1.0 and 2.1."""
    named = re.compile(rf"(?:^|[^\d.]){re.escape(version.lstrip('vV'))}(?:\.0)*$")
    commits = sorted(commit for commit, names in tags.items() if any(named.search(name) for name in names))
    return [number for commit in commits for number in store.commits_of(commit)[:1]]


def _holding(store: Episodes, spellings: Sequence[str]) -> dict[int, int]:
    """Passages that hold one of the spellings -> 1 where their heading does, else 0."""
    best: dict[int, int] = {}
    for number, _, in_head in store.holding(spellings):
        best[number] = max(int(in_head), best.get(number, 0))
    return best
