# ruff: noqa: E501 - a pattern that is broken over lines cannot be read.
"""What a question cites by number: a version, an issue, a commit, a date, a port.

Numbers are no evidence for a project and say nothing of what a passage is about, so no index knows them. But the question
what changed in 2.32.5 has one answer, and it is not where "changed" stands most often. Passages that hold the literal lead
the answer: those first whose heading has it, then, but for versions, in the order in which the words rank them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from loci.core._lead import CHANGELOGS, beginning
from loci.core._symbol_questions import read_of

if TYPE_CHECKING:
    from loci.episodes import Episodes, Passage

LITERALS = 3
"""So many literals of a question are looked for."""
LED_BY = 4
"""So many passages lead the answer."""
LINES_ABOVE = 5
CANDIDATES = 200
"""Among so many that the words find of each lane, the order of the words counts."""

Kind = Literal["version", "reference", "commit", "code", "number"]


@dataclass(frozen=True)
class Cited:
    """A literal of a question. `spellings`: how it may stand in a text; any of them is the literal."""

    kind: Kind
    text: str
    spellings: tuple[str, ...]


_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    # CVE-2024-1234, RFC 7231, PEP 585, E0308, ABC-123
    ("code", re.compile(r"(?<![\w.#/-])(?:CVE-\d{4}-\d{3,}|(?:RFC|PEP|ISO|JEP|KEP)[ -]?\d{2,}|[A-Z]{1,4}\d{3,5}|[A-Z]{2,8}-\d+)(?![\w.-]*\w)")),
    # #6767, issue 6767, PR #12, GH-12, pull request 12
    (
        "reference",
        re.compile(r"(?<![\w&])(?:#|GH-)(\d{1,7})\b|\b(?:issues?|PRs?|pull requests?|pulls?|tickets?|bugs?|MRs?)[ /#]{1,2}(\d{1,7})\b(?!\.\d)", re.IGNORECASE),
    ),
    # a date, before versions: 2024-04-07
    ("number", re.compile(r"(?<![\w.-])\d{4}-\d{2}-\d{2}(?![\w-])")),
    # 2.32.5, v1.0, 4.0.0-rc.1; not a file app.2.js, not a section sign
    ("version", re.compile(r"(?<![\w.,/:-])v?(\d{1,5}(?:\.\d{1,5}){1,3}(?:[-.]?(?:a|b|c|rc|alpha|beta|dev|post|pre|preview|final)[-.]?\d*)?)(?![\w-]|\.\w)", re.IGNORECASE)),
    # What came in v5; but what moved to v5 is not about it.
    ("version", re.compile(r"\b(?:in|of|for|with|version|release)\s+(v\d{1,4})(?![\w-]|\.\d)", re.IGNORECASE)),
    # a commit: letters and digits, or named as one
    ("commit", re.compile(r"(?<![\w.#/-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])")),
    ("commit", re.compile(r"\b(?:commit|revision|sha)\s+([0-9a-f]{4,40})\b", re.IGNORECASE)),
    # 8443, 0x1F, 4_096; years are told apart below
    ("number", re.compile(r"(?<![\w.,#/:-])(?:0x[0-9a-fA-F]{2,}|\d{4,9})(?![\w-]|[.,]\d)")),
)  # fmt: skip
_YEAR = re.compile(r"(?:19|20)\d\d")


def cited(question: str) -> list[Cited]:
    """The literals of a question, in its order, at most `LITERALS`.

    >>> [(each.kind, each.text) for each in cited("what changed in v2.32.5, was it #6767 or commit 90fee087?")]
    [('version', '2.32.5'), ('reference', '#6767'), ('commit', '90fee087')]
    >>> cited("why did we stop in 2021, and what are the 3 ways to do it in 10 minutes?")
    []
    """
    question = read_of(question)
    found: dict[int, tuple[int, Cited]] = {}
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(question):
            # A part of what is a literal already.
            if any(start < match.end() and match.start() < stop for start, (stop, _) in found.items()):
                continue
            text = next((group for group in match.groups() if group), match.group())
            if kind == "number" and _YEAR.fullmatch(text):
                continue
            found[match.start()] = (match.end(), _cited(kind, text))
    in_order = dict.fromkeys(each for _, (_, each) in sorted(found.items(), key=lambda item: item[0]))
    return list(in_order)[:LITERALS]


def _cited(kind: Kind, text: str) -> Cited:
    if kind == "reference":
        spellings = (
            f"#{text}",
            f"GH-{text}",
            f"issues/{text}",
            f"pull/{text}",
            f"issue {text}",
            f"bug {text}",
            f"ticket {text}",
        )
        return Cited(kind, f"#{text}", spellings)
    if kind == "commit":
        return Cited(kind, text.lower(), (text.lower(),))
    if kind == "code" and re.match(r"[A-Z]+[ -]\d", text):
        name, number = re.split(r"[ -]", text, maxsplit=1)
        return Cited(
            kind, text, tuple(dict.fromkeys((text, f"{name} {number}", f"{name}-{number}", f"{name}{number}")))
        )
    if kind == "version" and text.startswith(("v", "V")):
        return Cited(kind, text, (text, f"{text[1:]}.0", f"{text[1:]}.0.0"))
    return Cited(kind, text, (text,))


def led_by(
    store: Episodes, question: str, root: Path | None, tags: Callable[[], Mapping[str, Sequence[str]]]
) -> tuple[list[Passage], list[str]]:
    """The passages that hold what the question cites, best first, and notes on what stands nowhere.

    `root`: where the files are now. `tags`: reads commit -> names of tags, where a version is cited.
    """
    literals = cited(question)
    if not literals:
        return [], []
    order: dict[int, int] | None = None
    lead: dict[int, Cited] = {}
    notes: list[str] = []
    for literal in literals:
        found = dict.fromkeys(store.commits_of(literal.text), 2) if literal.kind == "commit" else {}
        if not found:
            found = _holding(store, literal.spellings)
        vague = literal.kind == "version" and literal.text.count(".") < 2
        if vague:
            # 1.5 may be any number, but as a heading it is a version.
            found = {number: rank for number, rank in found.items() if rank} or found
        if not found and literal.kind == "version":
            # 2.32 is also all of 2.32.0, 2.32.1 and so on.
            found = _holding(store, [f"{literal.text}."])
        if literal.kind == "version":
            found |= dict.fromkeys(_tagged(store, literal.text, tags()), 1)
        if not found:
            notes.append(f"{literal.text} stands nowhere in it")
            continue
        documents = store.passages["document"]
        if literal.kind == "version" and not any(rank for number, rank in found.items() if number < documents):
            # A changelog without headings, before a commit that only says that there is such a version.
            held = [number for number in found if number < documents][:CANDIDATES]
            found |= dict.fromkeys((number for number in held if _is_changelog(store.passage(number).path)), 1)
        if literal.kind == "version" and any(found.values()):
            # A section of a changelog from its beginning; documents stand before source and commits.
            ranked = sorted(found, key=lambda number: (-found[number], number))
        else:
            if order is None:
                candidates = store.candidates(question, CANDIDATES)
                order = {number: place for place, (number, _) in enumerate(candidates)}
            place = order
            ranked = sorted(found, key=lambda number: (-found[number], place.get(number, len(place)), number))
        room = max(1, LED_BY // len(literals))
        if vague and not any(found.values()):
            room = 1
        for number in ranked[:room]:
            lead.setdefault(number, literal)
    return [_from_it(store.passage(number, root=root), literal) for number, literal in lead.items()], notes


def _from_it(passage: Passage, literal: Cited) -> Passage:
    """A passage from the line that holds the literal on, or a little above it; the message of a commit as it is."""
    from loci.episodes import stands_in

    if passage.commit is not None:
        return passage
    lines = passage.text.split("\n")
    holds = (number for number, line in enumerate(lines) if any(stands_in(line, each) for each in literal.spellings))
    at = next(holds, 0)
    return beginning(passage, at if literal.kind == "version" else max(0, at - LINES_ABOVE))


def _is_changelog(path: str) -> bool:
    name = path.rsplit("/", 1)[-1].casefold()
    return name.startswith(tuple(each.casefold() for each in CHANGELOGS))


def _tagged(store: Episodes, version: str, tags: Mapping[str, Sequence[str]]) -> list[int]:
    """The passages of the commits that a tag of the version stands at: `v2.1.0`, `release-2.1.0`, `2.1.0` of 2.1.0 and 2.1."""
    named = re.compile(rf"(?:^|[^\d.]){re.escape(version.lstrip('vV'))}(?:\.0)*$")
    commits = sorted(commit for commit, names in tags.items() if any(named.search(name) for name in names))
    return [number for commit in commits for number in store.commits_of(commit)[:1]]


def _holding(store: Episodes, spellings: Sequence[str]) -> dict[int, int]:
    """Passages that hold one of the spellings -> 1 where their heading does, else 0."""
    best: dict[int, int] = {}
    for number, _, in_head in store.holding(spellings):
        best[number] = max(int(in_head), best.get(number, 0))
    return best
