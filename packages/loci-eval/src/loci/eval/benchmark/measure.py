"""The flow of a benchmark run: ask every question in every setting, and write down what came back.

Nothing is judged here. A run is a list of `Record`s, plain data with the question beside the answers; `_report` turns
them into figures. So a figure can be changed or added without asking anything again, and two runs can be compared
question by question.

Systems are anything with the two small methods of `System`; `_systems` wraps loci and the baselines.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from ..statistics.ranks import first_rank, lane_rank
from .questions import BASE_FAMILIES, Question

__all__ = ["RETRIEVED", "Found", "Ranks", "Record", "Routed", "Source", "System", "Visit", "measure"]

RETRIEVED = 10
"""Files and commits asked for in each retrieval: the deepest rank reported is 10."""


class Source(NamedTuple):
    """What a passage comes from: kind "path" or "commit", inside one scope."""

    scope: str
    kind: str
    value: str


@dataclass(frozen=True)
class Routed:
    """Where a system sent a question.

    selected: the scopes it would answer from, best first; empty when it abstained.
    ranked: selected, then the candidates it did not select, then all others by evidence alone; best first each.
    confidence: comparable between the questions of one system only.
    """

    selected: tuple[str, ...]
    ranked: tuple[str, ...]
    confidence: float
    reason: str | None = None
    mode: str = "single"

    @property
    def abstained(self) -> bool:
        """Whether nothing was selected."""
        return not self.selected


@dataclass(frozen=True)
class Found:
    """The sources an answer showed, in the order shown; one source may come several times.

    also: of those that the answer names as holding the same text, the source that is shown for each.
    """

    sources: tuple[Source, ...]
    also: Mapping[Source, Source] = field(default_factory=dict)


class System(Protocol):
    """What is measured. Scopes are named by their folder in the corpus throughout."""

    name: str
    retrieves: bool
    """Whether `retrieve` is meaningful; a system that only routes leaves it False."""

    def route(self, question: str, cwd: Path | None = None) -> Routed:
        """Routes a question, asked from `cwd` or from nowhere."""
        ...

    def ranking(self, question: str) -> Sequence[str]:
        """Scopes by evidence alone, best first; it may be empty, and the route's own ranking comes before it."""
        ...

    def retrieve(self, question: str, scope: str | None = None) -> Found:
        """Answers a question, at a given scope or with nothing given."""
        ...


@dataclass(frozen=True)
class Ranks:
    """Where the evidence stood. `scope` is the scope given, or None end to end; each rank is 1-based or None.

    listed: rank in the one list as shown.
    lanes: smallest k at which it is among the first k files or the first k commits.
    """

    scope: str | None
    listed: int | None
    lanes: int | None


@dataclass(frozen=True)
class Visit:
    """A question asked from inside a scope."""

    cwd: str
    routed: Routed


@dataclass(frozen=True)
class Gated:
    """A question put to one scope whose store may say nothing.

    right: where the evidence stands at the right scope, with the gate. elsewhere: a scope that cannot answer.
    elsewhere_silent: that one says nothing.
    """

    right: Ranks
    elsewhere: str
    elsewhere_silent: bool


@dataclass
class Record:
    """Everything one question gave, by system name where several systems were asked.

    words: content words of the question by loci's own tokenizer.
    found_nothing: per system, it answered end to end without one source.
    right_place, wrong_place, here: the first system only (the others do not look at the working directory).
    gated: the first system only, where it has a gate.
    route_seconds, ask_seconds: the first system, in process, nothing given.
    """

    question: Question
    words: int
    routed: dict[str, Routed] = field(default_factory=dict)
    given: dict[str, list[Ranks]] = field(default_factory=dict)
    end_to_end: dict[str, Ranks] = field(default_factory=dict)
    found_nothing: dict[str, bool] = field(default_factory=dict)
    right_place: Visit | None = None
    wrong_place: Visit | None = None
    here: Visit | None = None
    gated: Gated | None = None
    route_seconds: float = 0.0
    ask_seconds: float | None = None


def measure(
    questions: Sequence[Question],
    systems: Sequence[System],
    folders: Mapping[str, Path],
    *,
    count_words: Callable[[str], int],
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[Record]:
    """Asks every question of every system in every setting that applies to it.

    systems: the first is the one under test; it alone is also asked from working directories and timed.
    folders: every scope of the corpus by name, with its work tree.
    seed: decides from which scope the wrong-place and deictic questions are asked; each question draws on its own, so
    that asking a part of the questions draws the same places.
    progress: called with (questions done, questions in all).
    """
    records = []
    for done, question in enumerate(questions):
        if progress is not None:
            progress(done, len(questions))
        records.append(_measure_one(question, systems, folders, count_words, seed))
    if progress is not None:
        progress(len(questions), len(questions))
    return records


def other_scope(question: Question, scopes: Iterable[str], seed: int) -> str | None:
    """A scope that does not answer the question, drawn by seed and question id; None when every scope answers it."""
    others = sorted(set(scopes) - set(question.scopes))
    return random.Random(f"{seed}:{question.id}").choice(others) if others else None


def _measure_one(
    question: Question,
    systems: Sequence[System],
    folders: Mapping[str, Path],
    count_words: Callable[[str], int],
    seed: int,
) -> Record:
    record = Record(question=question, words=count_words(question.question))
    first = systems[0]
    for system in systems:
        started = time.perf_counter()
        routed = system.route(question.question)
        if system is first:
            record.route_seconds = time.perf_counter() - started
        # A route names only what it selected or nearly did; the rest of the ranking is asked for outside the clock.
        ranked = dict.fromkeys((*routed.ranked, *system.ranking(question.question)))
        record.routed[system.name] = replace(routed, ranked=tuple(ranked))
        if system.retrieves:
            _retrieve(record, system, timed=system is first)
    elsewhere = other_scope(question, folders, seed)
    if question.family in BASE_FAMILIES and len(question.scopes) == 1:
        record.right_place = _visit(first, question, question.scopes[0], folders)
        if elsewhere is not None:
            record.wrong_place = _visit(first, question, elsewhere, folders)
            record.gated = _gated(first, question, elsewhere)
    if question.cwd_ok and not question.answerable and elsewhere is not None:
        record.here = _visit(first, question, elsewhere, folders)
    return record


def _gated(system: System, question: Question, elsewhere: str) -> Gated | None:
    retrieve: Callable[[str, str], Found] | None = getattr(system, "retrieve_gated", None)
    evidence = {Source(item.scope, item.kind, item.value) for item in question.evidence}
    if retrieve is None or not evidence:
        return None
    right = question.scopes[0]
    return Gated(
        right=_ranks(right, retrieve(question.question, right), evidence),
        elsewhere=elsewhere,
        elsewhere_silent=not retrieve(question.question, elsewhere).sources,
    )


def _visit(system: System, question: Question, scope: str, folders: Mapping[str, Path]) -> Visit:
    return Visit(cwd=scope, routed=system.route(question.question, folders[scope]))


def _retrieve(record: Record, system: System, *, timed: bool) -> None:
    question = record.question
    # Unanswerable questions are answered end to end too: finding nothing is a right outcome for the invented ones.
    started = time.perf_counter()
    found = system.retrieve(question.question)
    if timed:
        record.ask_seconds = time.perf_counter() - started
    record.found_nothing[system.name] = not found.sources
    evidence = {Source(item.scope, item.kind, item.value) for item in question.evidence}
    if not evidence:
        return
    record.end_to_end[system.name] = _ranks(None, found, evidence)
    record.given[system.name] = [
        _ranks(scope, system.retrieve(question.question, scope), {item for item in evidence if item.scope == scope})
        for scope in question.scopes
        if any(item.scope == scope for item in evidence)
    ]


def _ranks(scope: str | None, found: Found, evidence: set[Source]) -> Ranks:
    # A reader who is told that the evidence holds the same text has found it.
    evidence = evidence | {shown for other, shown in found.also.items() if other in evidence}
    files = [source for source in found.sources if source.kind == "path"]
    commits = [source for source in found.sources if source.kind == "commit"]
    return Ranks(
        scope=scope,
        listed=first_rank(found.sources, evidence),
        lanes=lane_rank(files, commits, evidence),
    )
