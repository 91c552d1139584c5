"""How a question is answered, from top to bottom.

`ask` is the story: where it is asked from, which projects it goes to, what each of them says, and what a reader should
know of the whole. `_of_project` is the story within one project: its files, its passages, its symbols, how current they
are. Each stage is a function over values; none of them reads the question's text.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from loci.core.answer import direct, route
from loci.core.answer.answer import Answer, Nothing, ScopeAnswer, within_budget
from loci.core.answer.cited import cited_passages
from loci.core.answer.freshness import Looks, caught_up_first, how_current, other_worktree
from loci.core.answer.models import ModelsOf, no_models
from loci.core.answer.snapshot import Snapshot, Snapshots
from loci.core.answer.symbols import SYMBOLS_PER_K, absent_names, hints_of, of_question
from loci.core.build.foreign import remarks
from loci.core.errors import InvalidRequest
from loci.core.home.git import Repository, head_commit, repository_at, tagged_commits
from loci.core.home.identity import Place, place_of, readable_path
from loci.core.home.manifest import Indexed
from loci.core.home.registry import Registered
from loci.core.notes import (
    GraphUnreadable,
    NamesAbsent,
    NoEvidence,
    NoPassage,
    NotCollected,
    NotConsidered,
    Note,
    NotInBackend,
    NotIndexed,
    NoWords,
    OlderRules,
    OtherWorktree,
)

if TYPE_CHECKING:
    from loci.core.build.models import ScopeModels
    from loci.core.dependencies.table import Uses
    from loci.episodes import EpisodeBackend, Episodes, Lanes, Passage, Support
    from loci.router import Question, Request, Route
    from loci.structure import StructureBackend, Symbol

DEFAULT_K = 10
DEFAULT_BUDGET = 2000

T = TypeVar("T")
U = TypeVar("U")
Watch = Callable[["Route | ScopeAnswer"], None]


def unwatched(_step: Route | ScopeAnswer) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class Backends:
    """What a program brought in the place of the index: of its passages, of its graphs."""

    episodes: EpisodeBackend | None = None
    structure: StructureBackend | None = None


NO_BACKENDS = Backends()


@dataclass(frozen=True)
class AskRequest:
    """One question and how it is to be answered; see `loci.core.Memory.ask`.

    `models`: what ranks a scope beside its words. `backends`: what a program brought in the place of the index.
    """

    question: Question
    cwd: str | os.PathLike[str] | None
    scope: str | None
    group: str | None
    k: int
    budget: int
    refresh: float
    gated: bool
    watch: Watch = unwatched
    models: ModelsOf = no_models
    backends: Backends = NO_BACKENDS

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InvalidRequest(f"k must be at least 1, not {self.k}")
        if self.budget < 0:
            raise InvalidRequest(f"the budget must not be negative, and is {self.budget}")


@dataclass(frozen=True)
class _Work:
    """One question over one generation. `seconds`: as many may be expected of bringing a project up to date."""

    snapshot: Snapshot
    request: AskRequest
    seconds: float
    here: Place | None
    looks: Looks

    @property
    def question(self) -> Question:
        return self.request.question


@dataclass(frozen=True)
class _Sought:
    """What the question seeks, where it went.

    `request`: what it asks of whole projects, of those in `of`. `uses`: who uses whom, where that is the answer.
    `support`: what speaks for each scope, where its passages are to be gated.
    """

    route: Route
    request: Request | None
    of: Collection[str]
    uses: Uses | None
    support: Mapping[str, Support]

    def of_scope(self, scope: Registered) -> Request | None:
        return self.request if scope.id in self.of else None

    @property
    def by_table(self) -> bool:
        """Whether the request is answered from what was collected of the projects' manifests and files."""
        from loci.router import OF_ALL

        return self.request is not None and self.request.kind in ("needs", "languages", *OF_ALL)


def ask(snapshots: Snapshots, request: AskRequest) -> Answer:
    """The answer, from an index that is up to date where it can be brought so in time."""

    def work(seconds: float) -> tuple[Answer, list[str]]:
        return snapshots.run(lambda snapshot: _ask(snapshot, request, seconds))

    return caught_up_first(snapshots.home, work, request.refresh)


def _ask(snapshot: Snapshot, request: AskRequest, seconds: float) -> tuple[Answer, list[str]]:
    """The answer, and the projects that are behind and can be brought up to date in so many seconds."""
    work = _begun(snapshot, request, seconds)
    taken = _routed(work)
    request.watch(taken)
    sought = _sought(work, taken)

    def one(scope: Registered) -> ScopeAnswer:
        block = _with_uses(work, sought, scope, _of_project(work, sought, scope))
        request.watch(block)
        return block

    blocks = _each(one, [snapshot.registry.scopes[item.id] for item in taken.scopes])
    cited = within_budget(blocks, request.question.text, request.budget, single=taken.mode == "single")
    answer = Answer(taken, cited, tuple(_on_the_whole(work, sought)))
    return answer, work.looks.quickly_caught_up(seconds)


# -- the question -----------------------------------------------------------------------------------------------------


def _begun(snapshot: Snapshot, request: AskRequest, seconds: float) -> _Work:
    """Where the question is asked from."""
    here = None if request.cwd is None else place_of(readable_path(request.cwd), snapshot.registry)
    looks = Looks(snapshot)
    if seconds > 0 and here is not None and here.scope is not None and not here.is_elsewhere:
        # What is being worked on may have to be known before the question finds it.
        looks.at(here.scope)
    return _Work(snapshot, request, seconds, here, looks)


def _routed(work: _Work) -> Route:
    """Where the question goes, or why nowhere."""
    snapshot, request, here = work.snapshot, work.request, work.here
    if request.scope is not None:
        taken = route.given(snapshot, work.question, request.scope)
    else:
        taken = route.decided(snapshot, work.question, None if here is None else here.registered, request.group)
    if route.denies(taken):
        # What was written since may be what the question is about.
        behind = work.looks.behind(route.in_group(snapshot, request.group), files=request.refresh > 0)
        taken = route.with_behind(taken, behind)
    return route.with_unregistered(taken, here)


def _sought(work: _Work, taken: Route) -> _Sought:
    """What the question seeks of the projects that it went to."""
    request, of = route.requested(work.snapshot, taken, work.question)
    support = route.support(work.snapshot, taken, work.question) if work.request.gated else {}
    sought = _Sought(taken, request, of, None, support)
    return replace(sought, uses=work.snapshot.uses()) if taken.mode == "relational" or sought.by_table else sought


def _on_the_whole(work: _Work, sought: _Sought) -> list[Note]:
    """What a reader should know of the answer as a whole."""
    notes = list(work.snapshot.notes)
    missing = sorted(set(work.snapshot.registry.scopes) - set(work.snapshot.indexed))
    if missing and work.request.scope is None:
        notes.append(NotConsidered(tuple(missing)))
    if sought.uses is not None and sought.route.scopes and not sought.by_table:
        notes += [NotCollected(gap) for gap in sought.uses.gaps()]
    return notes


# -- one project ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Source:
    """What answers for a project.

    `record`: its index, or that of the work tree that the question is asked from (`of_worktree`). `root`: where the
    files are now, None where they are gone. `elsewhere`: the caller's work tree, where it is not the registered one.
    """

    scope: Registered
    record: Indexed
    repository: Repository | None
    head: str | None
    root: Path | None
    elsewhere: Repository | None
    of_worktree: bool

    def tags(self) -> Mapping[str, Sequence[str]]:
        """Commit -> names of tags; none of a package, which its repository's tags may or may not speak of."""
        return {} if self.repository is None or self.scope.subtree else tagged_commits(self.repository)


@dataclass(frozen=True)
class _Found:
    """What a project has for the question, and what a reader should know of it.

    `kept_back`: passages came near and are no answer. `alone`: nothing else is to be shown beside the passages.
    `asked`: how many of the first symbols are what the question asks for.
    """

    passages: tuple[Passage, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    asked: int = 0
    notes: tuple[Note, ...] = ()
    kept_back: bool = False
    alone: bool = False


def _of_project(work: _Work, sought: _Sought, scope: Registered) -> ScopeAnswer:
    """What one project says."""
    source = _source(work, scope)
    if isinstance(source, ScopeAnswer):
        return source
    models = work.request.models(source.record)
    found = _passages(work, sought, source, models)
    found = _with_symbols(work, source, found, models)
    counted = _is_counted(work, sought, scope)
    if counted:
        # The answer is a number of files, and what the words find is none.
        found = replace(found, passages=(), symbols=(), asked=0, kept_back=False)
    caught_up, freshness = _freshness(work, source, found)
    nothing: Nothing | None = None
    empty: list[Note] = []
    if not found.passages and not found.symbols and not counted:
        nothing, why = _why_nothing(work, source, caught_up, kept_back=found.kept_back)
        empty.append(why)
    elif found.kept_back:
        empty.append(NoPassage(scope.id))
    of_models = [models.note] if models is not None and models.note is not None else []
    return ScopeAnswer(
        scope.id,
        scope.name,
        scope.path,
        source.record.commit,
        source.head,
        caught_up,
        found.passages,
        found.symbols,
        (*empty, *freshness, *found.notes, *of_models),
        nothing,
        asked=found.asked,
    )


def _source(work: _Work, scope: Registered) -> _Source | ScopeAnswer:
    """Which files answer for a project; its block where it is not indexed."""
    record = work.snapshot.indexed.get(scope.id)
    elsewhere = other_worktree(work.here, scope)
    repository = elsewhere or repository_at(scope.repository_root)
    head = head_commit(repository) if repository else None
    if record is None:
        notes = (NotIndexed(scope.id),)
        return ScopeAnswer(scope.id, scope.name, scope.path, None, head, False, notes=notes, nothing="not_indexed")
    root = repository.root / scope.subtree if repository is not None else None
    own: Indexed | None = None
    if elsewhere is not None:
        own = _overlay(work, scope, record, elsewhere)
    elif root is not None:
        work.looks.at(scope)  # begun now, beside the search
    return _Source(scope, own or record, repository, head, root, elsewhere, own is not None)


def _overlay(work: _Work, scope: Registered, record: Indexed, repository: Repository) -> Indexed | None:
    """What is indexed of the work tree that the caller stands in."""
    if record.signature != work.snapshot.rules():
        return None
    from loci.core.build.worktrees import overlay

    reading = work.snapshot.registry.reading(scope)
    return overlay(work.snapshot.home, record, repository.root, reading, seconds=work.seconds)


def _passages(work: _Work, sought: _Sought, source: _Source, models: ScopeModels | None) -> _Found:
    """The passages that are asked for by what they are or cited, then those that answer by their words."""
    snapshot, record = work.snapshot, source.record
    if work.request.backends.episodes is not None:
        return _passages_of(work.request.backends.episodes, work, source, models)
    store = snapshot.overlay(record) if source.of_worktree else snapshot.episodes(record)
    with snapshot.damage_named(record):
        lanes = _ranked(work, source, store, models)
        request = sought.of_scope(source.scope)
        first, notes = [], []
        if request is not None:
            place = direct.ProjectFiles(store, source.scope.all_names(), source.root, source.tags)
            first, notes = direct.asked_for(request, work.question.intent, place, work.request.k)
        if not first:
            first, of_citations = cited_passages(store, work.question, source.root, source.tags)
            notes = [*of_citations, *notes]
    shut = _is_shut(sought, source, lanes, models)
    # The words of a question for the newest only say that: what else they find is something older.
    alone = bool(first) and request is not None and request.kind in ("release", "changes")
    found = () if shut or alone else lanes.merged(work.question.intent.asks_for)
    return _Found(
        (*first, *direct.without(found, first)),
        notes=tuple(notes),
        kept_back=shut and bool(lanes.files or lanes.commits) and not first,
        alone=alone,
    )


def _ranked(work: _Work, source: _Source, store: Episodes, models: ScopeModels | None) -> Lanes:
    """The files and the commits, each in the order in which they answer."""
    text = work.question.text
    dense = models.semantics.dense_scores(text, store) if models is not None and models.semantics else None
    reranker = None if models is None else models.reranker
    return store.lanes(text, k=work.request.k, root=source.root, dense=dense, reranker=reranker)


def _is_shut(sought: _Sought, source: _Source, lanes: Lanes, models: ScopeModels | None) -> bool:
    """Whether the best passages are no answer."""
    from loci.episodes import Gate

    support = sought.support.get(source.scope.id)
    gate = Gate(similarity=models.semantics.gate_floor if models is not None and models.semantics else None)
    return support is not None and not gate.admits(lanes, support)


def _passages_of(backend: EpisodeBackend, work: _Work, source: _Source, models: ScopeModels | None) -> _Found:
    """What another store has of the project."""
    from loci.episodes import Project

    scope = source.scope
    chunks = backend.collect(Project(scope.id, scope.path))
    if not chunks:
        return _Found(notes=(NotInBackend(backend.name, "passages"),))
    reranker = None if models is None else models.reranker
    found = backend.search(work.question.text, chunks, scope.id, work.request.k, reranker)
    return _Found(tuple(found))


def _with_symbols(work: _Work, source: _Source, found: _Found, models: ScopeModels | None) -> _Found:
    """The symbols, and notes on them behind those on the passages."""
    if found.alone:
        return found
    backend = work.request.backends.structure
    if backend is not None:
        symbols, notes, asked = _symbols_of(backend, work, source.scope)
    else:
        symbols, notes, asked = _symbols(work, source, found.passages, models)
    return replace(found, symbols=symbols, asked=asked, notes=(*found.notes, *notes))


def _symbols(
    work: _Work, source: _Source, passages: Sequence[Passage], models: ScopeModels | None
) -> tuple[tuple[Symbol, ...], list[Note], int]:
    """What the graph of the project has, notes on it, and how many of the first symbols are what is asked for."""
    from loci.structure import StructureError

    question, record = work.question, source.record
    graph, problem = work.snapshot.graph(record)
    if graph is None:
        return (), [] if problem is None else [problem], 0
    hints = hints_of(passage for passage in passages if passage.kind != "commit")
    try:
        near = ()
        if models is not None and models.semantics is not None and models.symbols is not None:
            near = models.symbols.near(models.semantics.asked(question.text), graph)
        symbols, notes, asked = of_question(graph, question, hints, SYMBOLS_PER_K * work.request.k, near)
        absent = absent_names(graph, question, passages, source.scope.all_names())
    except StructureError as error:  # passages answer without symbols too
        return (), [GraphUnreadable(record.id, str(error))], 0
    of_names = [NamesAbsent(tuple(absent))] if absent else []
    return symbols, [*of_names, *notes, *(remarks(work.snapshot.home, record) if symbols else [])], asked


def _symbols_of(
    backend: StructureBackend, work: _Work, scope: Registered
) -> tuple[tuple[Symbol, ...], list[Note], int]:
    """What another tool knows of the project."""
    from loci.structure import Project

    project = Project(scope.id, scope.path)
    if not backend.sources(project):
        return (), [NotInBackend(backend.name, "structure")], 0
    question = work.question
    found = backend.query(
        project,
        question.text,
        names=[each.name for each in question.code_names],
        relations=question.asked_relations,
        budget=SYMBOLS_PER_K * work.request.k,
    )
    return tuple(found), [], 0


def _is_counted(work: _Work, sought: _Sought, scope: Registered) -> bool:
    """Whether the number of the project's files by language is the answer."""
    from loci.router import OF_ALL

    request = sought.of_scope(scope)
    if request is None or request.kind not in ("languages", *OF_ALL):
        return False
    table = work.snapshot.uses()
    return table is not None and bool(table.languages().get(scope.id))


def _freshness(work: _Work, source: _Source, found: _Found) -> tuple[bool, list[Note]]:
    """Whether nothing changed since what answers was indexed, and what a reader should know if not."""
    scope = source.scope
    notes: list[Note] = []
    if source.elsewhere is not None:
        caught_up = source.of_worktree
        of_project = bool(found.symbols) and "worktree" not in (source.record.graph or {})
        notes.append(OtherWorktree(str(source.elsewhere.root), str(scope.path), caught_up, not of_project))
    else:
        caught_up, behind = how_current(scope, source.record, source.root, work.looks)
        notes += [] if behind is None else [behind]
    if source.record.signature != work.snapshot.rules():
        return False, [OlderRules(scope.id), *notes]
    return caught_up, notes


def _why_nothing(work: _Work, source: _Source, caught_up: bool, *, kept_back: bool) -> tuple[Nothing, Note]:
    """Whether the project holds nothing that answers, or nobody can tell."""
    if not work.question.has_words:
        return "cannot_tell", NoWords()
    unreadable = source.record.counts.get("unreadable", [])
    example = unreadable[0][0] if unreadable else ""
    note = NoEvidence(source.scope.id, caught_up, len(unreadable), example, kept_back)
    return "absent" if caught_up and not unreadable else "cannot_tell", note


def _with_uses(work: _Work, sought: _Sought, scope: Registered, block: ScopeAnswer) -> ScopeAnswer:
    """The block with what the project mentions: of the projects asked about, or of all that the request asks for."""
    table = sought.uses
    if table is None:
        return block
    from loci.core.dependencies.languages import source_files
    from loci.core.dependencies.needs import needs, only_locked
    from loci.router import OF_ALL

    notes: list[Note] = []
    request = sought.of_scope(scope)
    related = sought.route.trace.related if sought.route.trace is not None else ()
    if request is not None and request.kind in ("languages", *OF_ALL):
        counts = table.languages().get(scope.id)
        counted = None if counts is None else source_files(counts, request.languages)
        notes = [] if counted is None else [counted]
        return replace(block, notes=(*notes, *block.notes), nothing=None if counted is not None else block.nothing)
    if request is not None and request.kind == "needs":
        named = None if request.object is None else work.question.cut(request.object)
        uses, notes = needs(work.snapshot.home, table, scope.id, related, named)
    else:
        uses = tuple(table.between(scope.id, related))
    locked = only_locked(uses)
    notes += [] if locked is None else [locked]
    return replace(block, uses=uses, nothing=None if uses else block.nothing, notes=(*notes, *block.notes))


def _each(function: Callable[[T], U], items: Sequence[T]) -> list[U]:
    """`function` of every item, in order, each in a thread of its own; an error is raised once all have ended."""
    results: list[Any] = [None] * len(items)
    errors: list[BaseException | None] = [None] * len(items)

    def run(position: int) -> None:
        try:
            results[position] = function(items[position])
        except BaseException as error:
            errors[position] = error

    others = [threading.Thread(target=run, args=(i,), name="loci-ask") for i in range(1, len(items))]
    for thread in others:
        thread.start()
    if items:
        run(0)
    for thread in others:
        thread.join()
    for error in errors:
        if error is not None:
            raise error
    return results
