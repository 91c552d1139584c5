"""Questions made from the texts of a scope: commit subjects, headings, docstrings, first sentences."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from .corpus import Corpus, OwnQuestion

__all__ = ["docstrings", "headings", "openings", "subjects"]

SHORTEST_SUBJECT, LONGEST_SUBJECT = 5, 20
"""Words of a commit subject that can stand for a question (docs/science.md, Own questions)."""

LEAST_LEFT = 12
"""Content words that are left of a section when its heading is gone, so that something can be found."""

MOST_BELOW = 8
"""Passages below a section that are looked at for its heading; of more, their headings still hold its words."""

LINES_OF_SIGNATURE = 6
"""Lines of a definition in which its docstring opens."""

LINES_OF_SENTENCE = 3
"""Lines over which the first sentence of a docstring is followed."""

LEAST_LEFT_OF_TEXT = 4
"""The same of a text without its first sentence."""

# "fix(parser): ", "[docs] ", and the trailing "(#123)" say nothing of the subject.
_PREFIX = re.compile(r"^(?:[a-z]+(?:\([^)]*\))?!?:\s+|\[[^\]]*\]\s*)+", re.IGNORECASE)
_TAIL = re.compile(r"\s*(?:\(?#\d+\)?|\((?:close|fixe)[sd]? [^)]*\))\s*\.?$", re.IGNORECASE)
_MACHINE = re.compile(
    r"^(?:merge|bump|revert|release|releasing|version|v?\d|(?:update|upgrade) dependency|auto[- ]?merge)\b"
    r"|^(?:chore|build)\(deps",
    re.IGNORECASE,
)
# Upkeep of the repository itself: every project has the same, and nobody asks whose.
_UPKEEP = re.compile(
    r"\b(?:typos?|lint(?:er|ing|s)?|unused|imports?|format(?:ting|ted)?|whitespace|indentation|merge conflicts?|"
    r"changelog|readme|licen[cs]e|copyright|dependenc(?:y|ies)|gitignore|workflows?|ci|travis|appveyor|codecov|coverage|"
    r"badges?|flaky|test suite|broken links?|nit|clippy|eslint|prettier|black|ruff|flake8|mypy)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"^\s*(?:///?!?|/\*\*?|\*|#+|--|%+|;+)\s*(.+?)\s*(?:\*/)?\s*$")
_OPENING = re.compile(r"^\s*[rRbBuU]?(?:\"\"\"|\'\'\')\s*(.+?)\s*(?:\"\"\"|\'\'\')?\s*$")
_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|testdata|fixtures)/|(?:^|[/_.])(?:test|spec)[_.]|_test\.", re.IGNORECASE
)
_ENDS = re.compile(r"[.!?:;](?:\s|$)")
_TAG = re.compile(
    r"^[@\\:]\w+|^(?:TODO|FIXME|XXX|NOTE|eslint|prettier|noqa|type:|pragma|SPDX|Copyright|license)", re.IGNORECASE
)


def _draw(seed: int, *names: str) -> random.Random:
    return random.Random(":".join([str(seed), *names]))


def subjects(corpus: Corpus, scope: str, seed: int = 0) -> Iterator[OwnQuestion]:
    """Commit subjects of a scope as questions, the commit left out."""
    from loci.router import Omission

    seen: set[str] = set()
    for passage in corpus.passages(scope, "commit", _draw(seed, scope, "commit")):
        if _MACHINE.match(passage.heading) or _UPKEEP.search(passage.heading):
            continue
        text = _TAIL.sub("", _PREFIX.sub("", passage.heading.strip())).strip()
        if text.lower() in seen or not SHORTEST_SUBJECT <= len(text.split()) <= LONGEST_SUBJECT:
            continue
        seen.add(text.lower())
        question = corpus.own("commit_subjects", text, scope, [Omission(scope, passage.passage)])
        if question is not None:
            yield question


def headings(corpus: Corpus, scope: str, seed: int = 0) -> Iterator[OwnQuestion]:
    """Section headings as questions: the heading is taken out, its section stays."""
    from loci.router import Omission, content_length

    seen: set[str] = set()
    for passage in corpus.passages(scope, "document", _draw(seed, scope, "document")):
        heading = passage.heading.rsplit(" > ", 1)[-1].strip()
        first, _, rest = passage.text.partition("\n")
        if heading.lower() in seen or first.strip().strip("#=* ") != heading:
            continue
        if passage.words != content_length(passage.text) or content_length(rest) < LEAST_LEFT:
            continue
        seen.add(heading.lower())
        omit = [Omission(scope, passage.passage, (0, content_length(first)))]
        # What stands below this heading carries it in its own heading path.
        last = corpus.index.numbers(scope)["document"].stop
        following = range(passage.passage + 1, min(passage.passage + 1 + MOST_BELOW, last))
        omit += [
            Omission(scope, below.passage, (0, 0))
            for below in corpus.index.texts(scope, following)
            if below.path == passage.path and below.heading.startswith(passage.heading)
        ]
        question = corpus.own("headings", heading, scope, omit)
        if question is not None:
            yield question


def docstrings(corpus: Corpus, scope: str, seed: int = 0) -> Iterator[OwnQuestion]:
    """First lines of docstrings and comment blocks as questions: the line is taken out, the definition stays."""
    from loci.router import Omission, content_length

    seen: set[str] = set()
    for passage in corpus.passages(scope, "source", _draw(seed, scope, "source")):
        if not passage.symbol or _TEST.search(passage.path) or passage.words != content_length(passage.text):
            continue
        lines = passage.text.split("\n")
        found = _docstring(lines)
        if found is None:
            continue
        first, end, text = found
        if len(text.split()) < SHORTEST_SUBJECT or text.lower() in seen or _TAG.match(text):
            continue
        before = content_length("\n".join(lines[:first]))
        through = content_length("\n".join(lines[:end]))
        if passage.words - (through - before) < LEAST_LEFT:
            continue
        seen.add(text.lower())
        omission = Omission(scope, passage.passage, (before, through))
        question = corpus.own("docstrings", text, scope, [omission])
        if question is not None:
            yield question


def openings(corpus: Corpus, scope: str, seed: int = 0) -> Iterator[OwnQuestion]:
    """First sentences of texts as questions: the sentence is taken out, the rest of its text stays.

    For scopes that have neither a history nor source: any `{scope: texts}`.
    """
    from loci.router import Omission, content_length

    seen: set[str] = set()
    for passage in corpus.passages(scope, "document", _draw(seed, scope, "text")):
        end = _ENDS.search(passage.text)
        if end is None or passage.words != content_length(passage.text):
            continue
        text = passage.text[: end.start()].strip()
        through = content_length(passage.text[: end.end()])
        if text.lower() in seen or len(text.split()) < SHORTEST_SUBJECT or passage.words - through < LEAST_LEFT_OF_TEXT:
            continue
        seen.add(text.lower())
        question = corpus.own("openings", text, scope, [Omission(scope, passage.passage, (0, through))])
        if question is not None:
            yield question


def _docstring(lines: Sequence[str]) -> tuple[int, int, str] | None:
    """(first line, line after the last, text) of the first sentence of what documents a definition.

    That is a comment before anything else, or a string that opens within the first lines below the signature.
    """
    first = next((at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(("@", "#["))), 0)
    if lines[first].strip() in ("/**", "/*"):
        first += 1
    for at in range(first, min(len(lines), first + LINES_OF_SIGNATURE)):
        match = _OPENING.match(lines[at]) or (_COMMENT.match(lines[at]) if at == first else None)
        if match is None:
            continue
        said = [match.group(1)]
        inside = _OPENING.match(lines[at]) is not None
        closed = inside and lines[at].rstrip().endswith(('"""', "'''"))
        end = at + 1
        while not closed and end < min(len(lines), at + LINES_OF_SENTENCE) and not _ENDS.search(said[-1]):
            going = lines[end].strip().rstrip("\"'") if inside else _text_of(_COMMENT.match(lines[end]))
            if not going or _TAG.match(going):
                break
            said.append(going)
            end += 1
        return at, end, _ENDS.split(" ".join(said))[0].strip()
    return None


def _text_of(match: re.Match[str] | None) -> str:
    return match.group(1) if match is not None else ""
