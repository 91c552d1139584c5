"""Questions made from a corpus itself, whose answers are known by construction, and the way to ask them fairly.

A question made from a text would find that text, and a published predecessor of loci scored 96 % on such questions
where it scored 30 % on real ones. So whatever a question was made from is taken out of every count and list while it is
asked: the index then gives exactly the scores of an index that never held it (`loci.router.RoutingIndex.measure`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loci.router import Calibration, Index, Measurement, Omission, PassageText, Route, Router, RoutingIndex, Scope

__all__ = ["Asked", "Corpus", "Masked", "OwnQuestion", "docstrings", "headings", "openings", "subjects"]

QUOTED = 0.8
"""A passage that holds this share of a question's pairs of neighbouring words quotes it: a cherry-picked commit,
a line of a changelog. It is left out as well; where another scope quotes the question, nobody knows whose it is."""

MOST_QUOTES = 8
"""A question that more passages quote is a formula ("fix typo in the docs"), not a question."""

SHORTEST_SUBJECT, LONGEST_SUBJECT = 5, 20
"""Words of a commit subject that can stand for a question (docs/science.md, Own questions)."""

LEAST_WORDS = 3
"""Content words of any question."""

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

READ_AT_ONCE = 60
"""Passages read at a time while candidates are looked for."""

MOST_READ = 900
"""Passages of one kind that are read of one scope in all."""

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


@dataclass(frozen=True)
class OwnQuestion:
    """A question made from the corpus.

    family: its name in `loci.eval.FAMILIES`. question: as it is asked. scopes: the ids that answer it; empty when
    abstaining is right. about: the id of the scope it was made from, "" for none. omit, without: what is taken out
    while it is asked. cwd: the scope from whose directory it is asked, or None.
    """

    family: str
    question: str
    scopes: tuple[str, ...] = ()
    about: str = ""
    omit: tuple[Omission, ...] = ()
    without: tuple[str, ...] = ()
    cwd: str | None = None
    words: int = 0


class Masked:
    """An `Index` from which something can be taken out for a while; what it measured is kept for asking again.

    Not for several threads: what is taken out is a state of it.
    """

    def __init__(self, index: RoutingIndex) -> None:
        self._index = index
        self._omit: tuple[Omission, ...] = ()
        self._without: tuple[str, ...] = ()
        self._kept: dict[str, Measurement] | None = None
        self._words: dict[str, Measurement] = {}

    @property
    def scopes(self) -> list[str]:
        """All scopes, also one that is taken out: the router still knows its name."""
        return self._index.scopes

    @property
    def generation(self) -> int:
        """Stays the same, so that names are weighed once, on the whole corpus."""
        return 1

    def measure(self, question: str) -> Measurement:
        """Measures what is not taken out."""
        kept = self._words if self._kept is None else self._kept
        found = kept.get(question)
        if found is None:
            found = kept[question] = self._index.measure(question, omit=self._omit, without=self._without)
        return found

    def describe(self, scope: str, passage: int) -> str:
        """Where a passage stands."""
        return self._index.describe(scope, passage)

    @contextmanager
    def taken_out(
        self, omit: Iterable[Omission], without: Iterable[str], kept: dict[str, Measurement]
    ) -> Iterator[None]:
        """While inside, these do not count. `kept`: measurements of the same question, looked up and added to."""
        self._omit, self._without, self._kept = tuple(omit), tuple(without), kept
        try:
            yield
        finally:
            self._omit, self._without, self._kept = (), (), None


@dataclass
class Asked:
    """A question and where it went.

    measured: what the index measured for it, by wording; asking again under another calibration measures nothing.
    baselines: the best scope by each baseline, None for none.
    """

    question: OwnQuestion
    route: Route
    measured: dict[str, Measurement]
    baselines: dict[str, str | None] = field(default_factory=dict)

    @property
    def selected(self) -> tuple[str, ...]:
        """The ids it would be answered from, best first."""
        return tuple(scope.id for scope in self.route.scopes)

    @property
    def best(self) -> str | None:
        """The best-ranked scope, whether or not it was answered; None when nothing matched."""
        if self.route.scopes:
            return self.route.scopes[0].id
        trace = self.route.trace
        return trace.ranking[0].id if trace is not None and trace.ranking else None

    @property
    def mentions(self) -> tuple[str, ...]:
        """The scopes whose names stand in the question, as names or as mere words."""
        return tuple(mention.scope for mention in self.route.trace.mentions) if self.route.trace else ()

    @property
    def right(self) -> bool:
        """Whether the first scope is right; of a question to refuse, whether it was refused."""
        if not self.question.scopes:
            return self.route.abstained
        return self.best in self.question.scopes

    @property
    def wrong_answer(self) -> bool:
        """Whether it was answered, and from no scope that is right."""
        return not self.route.abstained and not set(self.selected) & set(self.question.scopes)


class Corpus:
    """An index, and a router over it that questions can be asked of with something taken out.

    index: the texts. make_router: a router over the index it is given, with a calibration or None for the one in use.
    scopes: every scope as the router knows it. uses: scope -> the scopes it uses, None where that is not known.
    """

    def __init__(
        self,
        index: RoutingIndex,
        make_router: Callable[[Index, Calibration | None], Router],
        scopes: Mapping[str, Scope],
        uses: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.index = index
        self.scopes = dict(scopes)
        self.uses = uses
        self.masked = Masked(index)
        self._make_router = make_router
        self.router = self.with_calibration(None)

    @classmethod
    def of_index(
        cls,
        index: RoutingIndex,
        scopes: Mapping[str, Scope] | None = None,
        calibration: Calibration | None = None,
        uses: Mapping[str, Collection[str]] | None = None,
    ) -> Corpus:
        """Over any routing index, without the rest of loci; `calibration` is the one in use."""
        from loci.router import Router, Scope

        known = {scope: (scopes or {}).get(scope) or Scope(scope, scope) for scope in index.scopes}

        def make(masked: Index, other: Calibration | None) -> Router:
            return Router(masked, known, calibration=other or calibration, uses=uses)

        return cls(index, make, known, uses)

    def with_calibration(self, calibration: Calibration | None) -> Router:
        """A router over this corpus under another calibration."""
        router = self._make_router(self.masked, calibration)
        router.route("")  # names are weighed now, on the whole corpus, and not while something is taken out
        return router

    def ask(
        self, question: OwnQuestion, router: Router | None = None, measured: dict[str, Measurement] | None = None
    ) -> Asked:
        """Asks a question with what belongs to it taken out."""
        kept = {} if measured is None else measured
        cwd = self.scopes[question.cwd].path if question.cwd is not None else None
        with self.masked.taken_out(question.omit, question.without, kept):
            route = (router or self.router).route(question.question, cwd=cwd)
        return Asked(question, route, kept)

    def own(self, family: str, text: str, scope: str, omit: Sequence[Omission]) -> OwnQuestion | None:
        """A question made from a passage, with all that quotes it left out as well; None where that is impossible."""
        from loci.router import Omission, content_length

        words = content_length(text)
        if words < LEAST_WORDS:
            return None
        quotes = self.index.quotes(text, QUOTED)
        if len(quotes) > MOST_QUOTES or any(where != scope for where, _, _ in quotes):
            return None
        taken = {each.passage for each in omit}
        more = [Omission(scope, passage) for _, passage, _ in quotes if passage not in taken]
        return OwnQuestion(family, text, (scope,), scope, (*omit, *more), words=words)

    def passages(self, scope: str, kind: str, draw: random.Random) -> Iterator[PassageText]:
        """Passages of a scope in random order, read as they are wanted."""
        numbers = list(self.index.numbers(scope)[kind])
        draw.shuffle(numbers)
        for at in range(0, min(len(numbers), MOST_READ), READ_AT_ONCE):
            part = self.index.texts(scope, numbers[at : at + READ_AT_ONCE])
            draw.shuffle(part)
            yield from part


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
