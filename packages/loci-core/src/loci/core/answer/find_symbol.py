"""How a symbol that is named is found: in the project that is meant, else in every one that has it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from loci.core.answer.answer import Answer, Nothing, ScopeAnswer
from loci.core.answer.freshness import Looks, caught_up_first, how_current
from loci.core.answer.route import explicit, with_behind
from loci.core.answer.snapshot import Snapshot, Snapshots
from loci.core.answer.symbols import absent_name, chain_of, has_exactly, named_symbol, near_symbols
from loci.core.build.foreign import remarks
from loci.core.build.graphs import partly_parsed
from loci.core.errors import EmptySymbol
from loci.core.home.git import head_commit, repository_at
from loci.core.home.identity import directory_of, resolve
from loci.core.home.registry import Registered
from loci.core.notes import Changed, InOtherCapitals, NoSuchSymbol, Note, WithoutStructure

if TYPE_CHECKING:
    from loci.router import Route
    from loci.structure import Combined, Graph, Symbol


@dataclass(frozen=True)
class SymbolRequest:
    """One name, or two whose shortest way is asked for; see `loci.core.Memory.symbol` for the rest."""

    names: tuple[str, ...]
    cwd: str | os.PathLike[str] | None
    scope: str | None
    group: str | None
    relation: str
    depth: int
    budget: int
    refresh: float

    def __post_init__(self) -> None:
        if not all(self.names):
            raise EmptySymbol()

    def of_graph(self, graph: Graph | Combined) -> tuple[list[Symbol], list[Note]]:
        """What a project's graph has of the names, and none where it lacks one of them; notes on it."""
        if len(self.names) == 1:
            return named_symbol(graph, self.names[0], self.relation, self.depth, self.budget)
        if not all(graph.find(each, budget=1) for each in self.names):
            return [], []
        return chain_of(graph, *self.names, budget=self.budget)


def find_symbol(snapshots: Snapshots, request: SymbolRequest) -> Answer:
    """The answer, from an index that is up to date where it can be brought so in time."""

    def work(seconds: float) -> tuple[Answer, list[str]]:
        return snapshots.run(lambda snapshot: _find(snapshot, request, seconds))

    return caught_up_first(snapshots.home, work, request.refresh)


def _find(snapshot: Snapshot, request: SymbolRequest, seconds: float) -> tuple[Answer, list[str]]:
    """The answer, and the projects that are behind and can be brought up to date in so many seconds."""
    snapshot.with_index()
    asked, here = _asked(snapshot, request)
    looks = Looks(snapshot)
    if request.refresh > 0 and (here is not None or request.scope is not None):
        looks.at(here or asked[0])  # begun now, so that it is done when the graphs are read
    blocks, missing = _blocks(snapshot, request, asked, here, looks)
    blocks, other_case = _in_these_capitals(blocks, request, here)
    blocks, behind = _compared(snapshot, request, asked, blocks, looks)
    answer = Answer(
        _route(snapshot, request, asked, blocks, behind),
        tuple(blocks),
        tuple(_on_the_whole(snapshot, request, missing, other_case)),
    )
    return answer, looks.quickly_caught_up(seconds)


def _asked(snapshot: Snapshot, request: SymbolRequest) -> tuple[list[Registered], Registered | None]:
    """The projects that may have it, the one it is asked from first, and that one."""
    registry = snapshot.registry
    if request.scope is not None:
        return [resolve(registry, request.scope)], None
    if request.group is not None:
        registry.require_group(request.group)
    here = None if request.cwd is None else registry.containing(directory_of(registry, request.cwd))
    indexed = (scope for scope in registry.scopes.values() if scope.id in snapshot.indexed)
    asked = [scope for scope in indexed if not request.group or request.group in scope.groups]
    return sorted(asked, key=lambda scope: (here is None or scope.id != here.id, scope.id)), here


def _blocks(
    snapshot: Snapshot,
    request: SymbolRequest,
    asked: Sequence[Registered],
    here: Registered | None,
    looks: Looks,
) -> tuple[list[ScopeAnswer], list[str]]:
    """The block of every project that has the names, and the ids of those that have no graph."""
    blocks: list[ScopeAnswer] = []
    missing: list[str] = []
    for scope in asked:
        record = snapshot.indexed.get(scope.id)
        graph = None if record is None else snapshot.graph(record)[0]
        if graph is None:
            missing.append(scope.id)
        block = _block(snapshot, request, scope, looks)
        if block is None:
            continue
        blocks.append(block)
        if here is not None and scope.id == here.id and has_exactly(block.symbols, request.names):
            break  # whoever stands in a project that has the name means that one
    return blocks, missing


def _block(snapshot: Snapshot, request: SymbolRequest, scope: Registered, looks: Looks) -> ScopeAnswer | None:
    """What one project has of the names; None where it has nothing and is not the one that was given."""
    record = snapshot.indexed.get(scope.id)
    graph, problem = (None, None) if record is None else snapshot.graph(record)
    symbols, notes = ([], []) if graph is None else request.of_graph(graph)
    if not symbols and request.scope is None:
        return None
    repository = repository_at(scope.path)
    head = head_commit(repository) if repository else None
    nothing: Nothing | None = None
    if not symbols:
        nothing = "not_indexed" if record is None else "cannot_tell" if graph is None else "absent"
        name = absent_name(graph, request.names)
        near = () if graph is None else tuple(near_symbols(graph, name))
        notes.append(problem or NoSuchSymbol(name, near, 0 if record is None else partly_parsed(record)))
    if record is not None and graph is not None:
        notes += remarks(snapshot.home, record)
    if record is not None and repository is None:
        gone = how_current(scope, record, None, looks)[1]
        notes[:0] = [] if gone is None else [gone]
    elif record is not None and head != record.commit:
        notes.insert(0, Changed(scope.id, head=True))
    return ScopeAnswer(
        scope.id,
        scope.name,
        scope.path,
        record.commit if record else None,
        head,
        record is not None and repository is not None and head == record.commit,
        (),
        tuple(symbols),
        tuple(notes),
        nothing,
    )


def _in_these_capitals(
    blocks: list[ScopeAnswer], request: SymbolRequest, here: Registered | None
) -> tuple[list[ScopeAnswer], list[str]]:
    """The blocks that have the names as they are written, if any; and the ids of those that are left out."""
    if request.scope is not None or not blocks:
        return blocks, []
    # A name in other capitals is another name, where somebody has this one.
    exact = [block for block in blocks if has_exactly(block.symbols, request.names)]
    if not exact and here is not None and blocks[0].id == here.id:
        exact = blocks[:1]
    return exact or blocks, [block.id for block in blocks if exact and block not in exact]


def _compared(
    snapshot: Snapshot,
    request: SymbolRequest,
    asked: Sequence[Registered],
    blocks: Sequence[ScopeAnswer],
    looks: Looks,
) -> tuple[list[ScopeAnswer], list[str]]:
    """The blocks after their files were compared with the index, and the ids of the projects that are behind."""
    denied = not any(block.symbols for block in blocks)
    looked_at = asked if denied else [snapshot.registry.scopes[block.id] for block in blocks if block.caught_up]
    behind = looks.behind(looked_at, files=request.refresh > 0 or not denied)
    compared = []
    for block in blocks:
        if block.id in behind and block.caught_up:
            block = replace(block, caught_up=False, notes=(Changed(block.id, head=False), *block.notes))
        if block.id in behind and block.nothing == "absent":
            block = replace(block, nothing="cannot_tell")
        compared.append(block)
    return compared, behind


def _route(
    snapshot: Snapshot,
    request: SymbolRequest,
    asked: Sequence[Registered],
    blocks: Sequence[ScopeAnswer],
    behind: Sequence[str],
) -> Route:
    """The route that the blocks stand for; without any, advice that names what looks like the symbol."""
    from loci.router import Route, advice

    names = " and ".join(request.names)
    routes = [explicit(names, snapshot.registry.scopes[block.id]) for block in blocks]
    if blocks:
        scopes = [item for found in routes for item in found.scopes]
        mode = "single" if len(blocks) == 1 else "set"
        return Route(names, False, None, mode, 1.0, scopes, [], ())
    near: list[tuple[str, str]] = []
    if len(request.names) == 1:
        for scope in sorted(asked, key=lambda each: each.id):
            graph, _ = snapshot.graph(snapshot.indexed[scope.id])
            near += [] if graph is None else [(each, scope.id) for each in near_symbols(graph, request.names[0])]
    nowhere = advice.NoSuchSymbol(request.names, tuple(near))
    return with_behind(Route(names, True, "no_evidence", "set", 0.0, [], [], (nowhere,)), behind)


def _on_the_whole(
    snapshot: Snapshot, request: SymbolRequest, missing: Sequence[str], other_case: Sequence[str]
) -> list[Note]:
    """What a reader should know of the answer as a whole."""
    notes = list(snapshot.notes)
    if missing and request.scope is None:
        notes.append(WithoutStructure(tuple(missing)))
    if other_case:
        notes.append(InOtherCapitals(tuple(other_case)))
    return notes
