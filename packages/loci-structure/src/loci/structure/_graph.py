"""An open graph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import _kernel
from ._errors import kernel_errors
from ._labels import LABELLED_KINDS, LABELLED_ROLES, Near
from ._protocol import RELATIONS, ROLES, AskedRelation, Symbol, Traversal


@dataclass(frozen=True)
class Edge:
    """A relation as the graph holds it: one per place in the source.

    Attributes:
        source, source_path, source_line: the symbol that refers, its file and the line of its name.
        relation: ``calls``, ``references``, ``imports``, ``inherits``, ``implements``, ``overrides`` or ``tests``.
        line: of the reference, in ``source_path``.
        resolution: see :data:`loci.structure.RESOLUTIONS`.
        target, target_path, target_line: the symbol referred to.
        candidates: how many symbols an ambiguous reference may mean; each that is kept has an edge.

    """

    source: str
    source_path: str
    source_line: int
    relation: str
    line: int
    resolution: str
    target: str
    target_path: str
    target_line: int
    candidates: int


class Graph:
    """The symbols and relations of one scope. Safe to use from several threads."""

    def __init__(self, graph: _kernel.Graph) -> None:
        """Use :meth:`open`."""
        self._graph = graph

    @classmethod
    def open(cls, path: str | Path, *, signature: str | None = None) -> Graph:
        """Map the graph at ``path``.

        Args:
            path: a graph file.
            signature: the rules it must have been built under; None accepts any.

        Raises:
            GraphMissing, GraphDamaged, GraphOutdated: as their names say.

        """
        with kernel_errors():
            return cls(_kernel.Graph(Path(path), signature))

    @property
    def signature(self) -> str:
        """The rules the graph was built under."""
        return self._graph.signature

    @property
    def backend(self) -> str:
        """Who made it: ``built-in``, ``graphify`` or ``scip``."""
        return self._graph.backend

    @property
    def fingerprint(self) -> str:
        """State of the repository that the graph was built from."""
        return self._graph.fingerprint

    @property
    def notes(self) -> list[str]:
        """What a reader should know of where the graph comes from."""
        return self._graph.notes

    @property
    def symbols(self) -> int:
        """Number of symbols, files included."""
        return self._graph.symbols

    @property
    def files(self) -> int:
        """Number of files."""
        return self._graph.files

    @property
    def edge_counts(self) -> dict[str, int]:
        """Number of relations by how they were resolved."""
        return self._graph.edge_counts

    @property
    def unresolved(self) -> int:
        """Number of calls without a target."""
        return self._graph.unresolved

    def release(self) -> None:
        """Give the mapped pages back to the system; the graph stays open and is mapped anew as it is read."""
        self._graph.release()

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
        """The symbols a question speaks of and what they are related to, best first.

        Args:
            text: any text; its words are searched for, and nothing else is read off it.
            names: the names of symbols that the question writes as code (``Session.close``); they weigh most.
            relations: what the question asks for, whatever the symbols; symbols so related gain.
            budget: the largest number of symbols to return.
            depth_first: follow one chain as far as it goes before the next.
            hints: what else is known of the answer, best first: paths (``src/app.py``), names (``Session.close``) or
                both (``src/app.py#Session.close``), as from the passages that another store found.
            near: symbols that mean what the question means, as a model sees it; without them words alone decide.

        Raises:
            ValueError: one of `relations` is none of :data:`ASKED_RELATIONS`.

        """
        with kernel_errors():
            found = self._graph.query(
                text, list(names), list(relations), max(0, budget), depth_first, list(hints), list(near)
            )
            return _traversal(found)

    def find(self, name: str, *, budget: int = 40) -> Traversal:
        """The symbols of a name: ``close``, ``Session.close``, or in one file ``src/sessions.py#Session.close``.

        The module, package or file may stand in front as its language writes it (``shop.cart.Cart``,
        ``crate::cart::total``, ``cart.Total``, ``shop/cart.py:Cart``), and a file is found by its path or its module's
        name. `::`, `#` and `->` are as `.`.
        """
        with kernel_errors():
            return _traversal(self._graph.find(name, max(0, budget)))

    def callers(self, name: str, *, budget: int = 40) -> Traversal:
        """What calls the symbols of a name: production before tests. ``site`` is the line of the call.

        Of a method also what calls a method that it overrides, or one of an interface of Go whose methods its type all
        has: those may be calls of it, and their resolution begins with :data:`loci.structure.THROUGH`.
        """
        return self.users(name, ["calls"], budget=budget)

    def users(self, name: str, relations: Collection[str] = RELATIONS, *, budget: int = 40) -> Traversal:
        """What refers to the symbols of a name by one of the ``relations``; production before tests.

        For ``tests`` of a class also what tests its methods.

        Raises:
            ValueError: there is no such relation.

        """
        unknown = sorted(set(relations) - set(RELATIONS))
        if unknown:
            raise ValueError(f"no relation {unknown[0]!r}; there are {', '.join(RELATIONS)}")
        with kernel_errors():
            return _traversal(self._graph.users(name, sorted(relations), max(0, budget)))

    def callees(self, name: str, *, budget: int = 40) -> Traversal:
        """What the symbols of a name call, in the order of the lines; for a class what its methods call."""
        with kernel_errors():
            return _traversal(self._graph.callees(name, max(0, budget)))

    def reach(self, name: str, *, depth: int = 3, budget: int = 40) -> Traversal:
        """What a change would reach: callers, users, heirs and tests, and theirs, ``depth`` steps far.

        Also what calls a method that one of them overrides, as for :meth:`callers`.
        """
        with kernel_errors():
            return _traversal(self._graph.reach(name, max(0, depth), max(0, budget)))

    def path(self, start: str, end: str) -> Traversal:
        """The shortest chain of calls from one symbol to another, or of any relation where no calls lead there.

        Where calls alone do not, the chain may go on from a method to what overrides it.
        """
        with kernel_errors():
            return _traversal(self._graph.path(start, end))

    def vocabulary(self, role: str | None = None) -> set[str]:
        """The names of all symbols, in one of :data:`loci.structure.ROLES` or everywhere.

        Raises:
            ValueError: there is no such role.

        """
        return set(self._graph.vocabulary(None if role is None else _role_number(role)))

    def labels(
        self, *, kinds: Sequence[str] = LABELLED_KINDS, roles: Sequence[str] = LABELLED_ROLES
    ) -> list[tuple[int, str]]:
        """What a person would search symbols by, for a model to read: (number, label), by number.

        A label is the words of the qualified name, the kind and the first sentence of the documentation, a line each.
        Secrets are replaced in it as everywhere. Several symbols may have the same. Numbers are those of this graph
        alone; another build has others.

        Args:
            kinds: which symbols, see :class:`Symbol`; tests never.
            roles: of :data:`loci.structure.ROLES`.

        Raises:
            ValueError: there is no such role.
            GraphDamaged: a text does not decode.

        """
        with kernel_errors():
            return self._graph.labels(list(kinds), [_role_number(role) for role in roles])

    def edges(self, path: str | None = None) -> list[Edge]:
        """All relations, or those of the symbols of one file, in the order of symbols and lines."""
        return [
            Edge(*source, relation, line, resolution, *target, candidates)
            for source, relation, line, resolution, target, candidates in self._graph.edges(path)
        ]

    def all_symbols(self) -> list[Symbol]:
        """Every symbol, files included, by file and line. Without signatures and documentation."""
        return [
            Symbol(qualified, kind, path, line, lines=lines, test=test)
            for _, qualified, kind, path, lines, line, test in self._graph.all_symbols()
        ]


def _role_number(role: str) -> int:
    if role not in ROLES:
        raise ValueError(f"no role {role!r}; there are {', '.join(ROLES)}")
    return ROLES.index(role)


def _traversal(answer: tuple[list[_kernel.Item], int, int]) -> Traversal:
    items, left_out, unresolved = answer
    return Traversal(
        tuple(
            Symbol(
                name=item.qualified,
                kind=item.kind,
                path=item.path,
                line=item.line,
                relation=item.relation,
                of=item.of,
                resolution=item.resolution,
                signature=item.signature,
                documentation=item.documentation,
                lines=item.lines,
                site=item.site,
                candidates=item.candidates,
                role=ROLES[item.role],
                test=item.test,
            )
            for item in items
        ),
        left_out,
        unresolved,
    )
