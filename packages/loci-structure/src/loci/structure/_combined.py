"""Several graphs of one project, asked as one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from ._graph import Edge, Graph
from ._labels import LABELLED_KINDS, LABELLED_ROLES, Near
from ._protocol import RELATIONS, AskedRelation, Symbol, Traversal

SURENESS = ("compiler", "exact", "import", "graphify:extracted", "unique-name", "graphify:inferred")
"""Where two graphs have the same relation, the one that stands first here says how it was resolved."""

SMOOTHING = 10
"""Rank `r` of a graph is worth `1 / (SMOOTHING + r)`: the order of one list matters, the lengths of several do not."""

DEPTH = 80
"""So many symbols of each graph are fused for a question in words, whatever the budget, so that it only cuts."""


class Combined:
    """A project's own graph and what other tools say of the same files. Has the methods of :class:`Graph`.

    A relation that several have is shown once, as the surest one resolved it. Where a compiler's index
    says what a name on a line means, the candidates that the built-in graph lists for it are left out. Each symbol
    keeps the resolution of its own source: ``compiler`` is SCIP's, ``graphify:...`` graphify's, all others are the
    built-in's.
    """

    def __init__(self, main: Graph, others: Sequence[Graph]) -> None:
        """`main` is the built-in graph; `others` come after it where nothing else decides."""
        self.main = main
        self.others = tuple(others)
        self._edges: dict[str, list[Edge]] = {}

    @property
    def backend(self) -> str:
        """The names of all, the first one's first."""
        return ", ".join(graph.backend for graph in (self.main, *self.others))

    @property
    def notes(self) -> list[str]:
        """What a reader should know of each, with its name."""
        return [*self.main.notes, *(f"{graph.backend}: {note}" for graph in self.others for note in graph.notes)]

    @property
    def symbols(self) -> int:
        """Number of symbols of the first."""
        return self.main.symbols

    @property
    def files(self) -> int:
        """Number of files of the first."""
        return self.main.files

    @property
    def unresolved(self) -> int:
        """Number of calls that the first has no target for."""
        return self.main.unresolved

    @property
    def edge_counts(self) -> dict[str, int]:
        """Number of relations by how they were resolved, over all: what several have counts for each."""
        counts: dict[str, int] = {}
        for graph in (self.main, *self.others):
            for word, count in graph.edge_counts.items():
                counts[word] = counts.get(word, 0) + count
        return counts

    def release(self) -> None:
        """As :meth:`Graph.release`."""
        for graph in (self.main, *self.others):
            graph.release()

    def query(
        self,
        text: str,
        *,
        names: Sequence[str] = (),
        relations: Collection[AskedRelation] = (),
        budget: int = 40,
        depth_first: bool = False,
        hints: Sequence[str] = (),
        near: Sequence[Near] = (),
    ) -> Traversal:
        """As :meth:`Graph.query`: the lists are fused by rank, a symbol that several have stands higher.

        `near` speaks of symbols of the first.
        """
        budget = max(0, budget)
        depth = max(DEPTH, budget)
        lists = [
            graph.query(
                text,
                names=names,
                relations=relations,
                budget=depth,
                depth_first=depth_first,
                hints=hints,
                near=found,
            )
            for graph, found in ((self.main, near), *((other, ()) for other in self.others))
        ]
        worth: dict[tuple[str, int], float] = {}
        best: dict[tuple[str, int], Symbol] = {}
        for found in lists:
            for rank, symbol in enumerate(found):
                key = (symbol.path, symbol.line)
                if key in best and rank and best[key].kind != symbol.kind and "file" in (best[key].kind, symbol.kind):
                    key = (f"{symbol.path}#{symbol.kind}", symbol.line)
                worth[key] = worth.get(key, 0.0) + 1.0 / (SMOOTHING + rank)
                known = best.setdefault(key, symbol)
                if known is not symbol and _same(known, symbol):
                    best[key] = _surer(known, symbol)
        # Python's sort is stable: what is worth the same stays in the order of the lists.
        order = sorted(worth, key=lambda key: -worth[key])
        left_out = max(0, len(order) - budget) + max(found.left_out for found in lists)
        return Traversal(tuple(best[key] for key in order[:budget]), left_out)

    def find(self, name: str, *, budget: int = 40) -> Traversal:
        """As :meth:`Graph.find`."""
        return self._union(lambda graph, room: graph.find(name, budget=room), budget, _place)

    def callers(self, name: str, *, budget: int = 40) -> Traversal:
        """As :meth:`Graph.callers`."""
        return self.users(name, ["calls"], budget=budget)

    def users(self, name: str, relations: Collection[str] = RELATIONS, *, budget: int = 40) -> Traversal:
        """As :meth:`Graph.users`."""
        found = self._union(lambda graph, room: graph.users(name, relations, budget=room), budget, _call)
        return self._decided(found, name, at=lambda symbol: symbol.path)

    def callees(self, name: str, *, budget: int = 40) -> Traversal:
        """As :meth:`Graph.callees`."""
        found = self._union(lambda graph, room: graph.callees(name, budget=room), budget, _reference)
        known = {(symbol.site, _last(symbol.name)) for symbol in found if symbol.resolution == "compiler"}
        kept = tuple(
            symbol
            for symbol in found
            if symbol.resolution != "ambiguous" or (symbol.site, _last(symbol.name)) not in known
        )
        return replace(found, symbols=kept)

    def reach(self, name: str, *, depth: int = 3, budget: int = 40) -> Traversal:
        """As :meth:`Graph.reach`: what each graph reaches, the first one's first."""
        return self._union(lambda graph, room: graph.reach(name, depth=depth, budget=room), budget, _place)

    def path(self, start: str, end: str) -> Traversal:
        """As :meth:`Graph.path`: the shortest of the chains, the first one's among equals."""
        chains = [graph.path(start, end) for graph in (self.main, *self.others)]
        return min((chain for chain in chains if chain), key=len, default=Traversal())

    def vocabulary(self, role: str | None = None) -> set[str]:
        """As :meth:`Graph.vocabulary`."""
        return set().union(*(graph.vocabulary(role) for graph in (self.main, *self.others)))

    def labels(
        self, *, kinds: Sequence[str] = LABELLED_KINDS, roles: Sequence[str] = LABELLED_ROLES
    ) -> list[tuple[int, str]]:
        """As :meth:`Graph.labels`, of the first."""
        return self.main.labels(kinds=kinds, roles=roles)

    def edges(self, path: str | None = None) -> list[Edge]:
        """As :meth:`Graph.edges`, one graph after the other."""
        return [edge for graph in (self.main, *self.others) for edge in graph.edges(path)]

    def all_symbols(self) -> list[Symbol]:
        """As :meth:`Graph.all_symbols`, of the first."""
        return self.main.all_symbols()

    def _union(
        self, ask: Callable[[Graph, int], Traversal], budget: int, key: Callable[[Symbol], tuple[object, ...]]
    ) -> Traversal:
        budget = max(0, budget)
        lists = [ask(graph, max(budget, DEPTH)) for graph in (self.main, *self.others)]
        merged: dict[tuple[object, ...], Symbol] = {}
        for symbol in (symbol for found in lists for symbol in found):
            known = merged.setdefault(key(symbol), symbol)
            if known is not symbol:
                merged[key(symbol)] = _surer(known, symbol)
        # Production before tests, as each of the lists is.
        symbols = sorted(merged.values(), key=lambda symbol: symbol.test) if len(lists) > 1 else list(merged.values())
        left_out = max(0, len(symbols) - budget) + max(found.left_out for found in lists)
        return Traversal(tuple(symbols[:budget]), left_out, lists[0].unresolved)

    def _decided(self, found: Traversal, name: str, at: Callable[[Symbol], str]) -> Traversal:
        """Without the candidates of lines on which a compiler says what the name means."""
        last = _last(name)
        kept = tuple(
            symbol
            for symbol in found
            if symbol.resolution != "ambiguous"
            or not any(
                edge.relation == "calls" and edge.line == symbol.site and _last(edge.target) == last
                for edge in self._compiler(at(symbol))
            )
        )
        return replace(found, symbols=kept)

    def _compiler(self, path: str) -> Iterable[Edge]:
        known = self._edges.get(path)
        if known is None:
            known = [edge for graph in self.others if graph.backend == "scip" for edge in graph.edges(path)]
            self._edges[path] = known
        return known


def _last(name: str) -> str:
    return name.removesuffix("()").replace("::", ".").replace("#", ".").rsplit(".", 1)[-1]


def _place(symbol: Symbol) -> tuple[object, ...]:
    return (symbol.path, symbol.line)


def _call(symbol: Symbol) -> tuple[object, ...]:
    # The line tells the reference; which function around it is the caller, the graphs may see differently.
    return (symbol.path, symbol.relation, symbol.site, _last(symbol.of or ""))


def _reference(symbol: Symbol) -> tuple[object, ...]:
    return (symbol.path, symbol.line, symbol.relation, symbol.site)


def _same(one: Symbol, other: Symbol) -> bool:
    return one.relation == other.relation and one.site == other.site


def _rank(symbol: Symbol) -> int:
    if symbol.resolution is None:
        return len(SURENESS)
    return SURENESS.index(symbol.resolution) if symbol.resolution in SURENESS else len(SURENESS)


def _surer(known: Symbol, other: Symbol) -> Symbol:
    """What the first graph knows of the symbol, with the surer of the two resolutions."""
    if known.resolution is None or other.resolution is None or _rank(other) >= _rank(known):
        return known
    return replace(known, resolution=other.resolution, candidates=other.candidates)
