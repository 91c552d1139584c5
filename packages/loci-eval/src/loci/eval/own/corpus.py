"""Questions made from a corpus itself, whose answers are known by construction, and the way to ask them fairly.

A question made from a text would find that text, and a published predecessor of loci scored 96 % on such questions
where it scored 30 % on real ones. So whatever a question was made from is taken out of every count and list while it is
asked: the index then gives exactly the scores of an index that never held it (`loci.router.RoutingIndex.measure`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loci.router import Calibration, Index, Measurement, Omission, PassageText, Route, Router, RoutingIndex, Scope

__all__ = ["Asked", "Corpus", "OwnQuestion"]

QUOTED = 0.8
"""A passage that holds this share of a question's pairs of neighbouring words quotes it: a cherry-picked commit,
a line of a changelog. It is left out as well; where another scope quotes the question, nobody knows whose it is."""

MOST_QUOTES = 8
"""A question that more passages quote is a formula ("fix typo in the docs"), not a question."""

LEAST_WORDS = 3
"""Content words of any question."""

READ_AT_ONCE = 60
"""Passages read at a time while candidates are looked for."""

MOST_READ = 900
"""Passages of one kind that are read of one scope in all."""


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
