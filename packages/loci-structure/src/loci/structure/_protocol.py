"""The contract between an index of symbols and whoever asks it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, overload, runtime_checkable

Resolution = str
"""How a relation was resolved: one of :data:`RESOLUTIONS`, or a foreign tool's own word with its name in front."""

RESOLUTIONS = ("exact", "import", "unique-name", "ambiguous", "compiler", "unresolved")
"""From certain to open.

`exact`: the same file, scope, package or a receiver whose type is known says so; `import`: through an import statement;
`unique-name`: the only definition of that name that the file can reach; `ambiguous`: one of several, all of which are
listed up to a limit; `compiler`: a compiler made the index; `unresolved`: no target is claimed. Beside these a call
of a method is shown for what overrides it, as :data:`THROUGH` and the method's name.
"""

THROUGH = "through "
"""How a resolution begins that is only possible: `through Base.save` is a call of `Base.save`, shown for its override.

The object may be of the override's class or of another one; no count of relations holds it.
"""

RELATIONS = ("calls", "references", "imports", "inherits", "implements", "overrides", "tests")
"""How one symbol may refer to another."""

AskedRelation = Literal["callers", "callees", "implementers", "importers", "tests"]
"""What a question may ask for of the symbols it speaks of: what calls them or depends on them, what they call, what
inherits from them or implements them, what imports them, what tests them."""

ASKED_RELATIONS: tuple[AskedRelation, ...] = ("callers", "callees", "implementers", "importers", "tests")
"""Every :data:`AskedRelation`."""

ROLES = ("source", "test", "docs", "example", "generated", "vendored", "config")
"""The parts of a project a symbol may stand in, in the kernel's order."""


@dataclass(frozen=True)
class Project:
    """The project a backend is asked about.

    `id` is the scope's id. `root` is its directory, or None for a backend that needs no files.
    """

    id: str
    root: Path | None


@dataclass(frozen=True)
class Symbol:
    """One symbol or one end of a relation, with the place that proves it.

    Attributes:
        name: qualified as far as its file says: ``Session.close``.
        kind: in the words of the language (``function``, ``class``, ``method`` ...).
        path: relative to the project's root with ``/``.
        line: of its name, from 1.
        relation: what it does to ``of`` (``calls``, ``called_by``, ``inherits`` ...); None for a symbol that was asked
            for itself, as ``of`` and ``resolution`` are then too.
        of: the symbol it relates to.
        resolution: how the relation was resolved, see :data:`RESOLUTIONS`.
        signature: the source up to the body; may be empty.
        documentation: the first sentence of its documentation; may be empty.
        lines: first and last line; (0, 0) where they are not known.
        site: line of the call or use, in the file of whichever of the two refers to the other; None without a relation.
        candidates: how many symbols an ambiguous reference may mean; 1 for others.
        role: one of :data:`ROLES`.
        test: it is a test or stands in one.

    """

    name: str
    kind: str
    path: str
    line: int
    relation: str | None = None
    of: str | None = None
    resolution: Resolution | None = None
    signature: str = ""
    documentation: str = ""
    lines: tuple[int, int] = (0, 0)
    site: int | None = None
    candidates: int = 1
    role: str = "source"
    test: bool = False

    def to_json(self) -> dict[str, Any]:
        """The symbol as it stands in an answer."""
        return {
            "name": self.name,
            "kind": self.kind,
            "path": self.path,
            "line": self.line,
            "relation": self.relation,
            "of": self.of,
            "resolution": self.resolution,
            "signature": self.signature,
            "documentation": self.documentation,
            "lines": list(self.lines),
            "site": self.site,
            "candidates": self.candidates,
            "role": self.role,
            "test": self.test,
        }


@dataclass(frozen=True)
class Traversal(Sequence[Symbol]):
    """Symbols, best first, and what they leave unsaid. Usable as the sequence of its symbols.

    Attributes:
        symbols: what is shown.
        left_out: how many more there are beyond the budget.
        unresolved: uses of the name asked for whose target is not known; 0 for questions in words.

    """

    symbols: tuple[Symbol, ...] = ()
    left_out: int = 0
    unresolved: int = 0

    @overload
    def __getitem__(self, index: int) -> Symbol: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Symbol]: ...
    def __getitem__(self, index: int | slice) -> Symbol | Sequence[Symbol]:
        return self.symbols[index]

    def __len__(self) -> int:
        return len(self.symbols)

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self.symbols)


@runtime_checkable
class StructureBackend(Protocol):
    """Answers questions about symbols and their relations, one project at a time.

    Calls may come from several threads at once. A backend never reads another project than the one it was asked about.
    Whether a class keeps to this is what :mod:`loci.structure.conformance` checks.
    """

    name: str
    """What the backend is called where an answer says which one spoke."""

    def sources(self, project: Project) -> Sequence[str]:
        """What this backend has about the project, one phrase each; empty means that nothing is built for it."""
        ...

    def vocabulary(self, project: Project) -> Collection[str]:
        """The names the project's symbols go by; a question is expanded against these and no others."""
        ...

    def query(
        self,
        project: Project,
        text: str,
        *,
        names: Sequence[str] = (),
        relations: Collection[AskedRelation] = (),
        budget: int = 40,
        depth_first: bool = False,
    ) -> Sequence[Symbol]:
        """The symbols a question speaks of and what they are related to.

        `text` is the question, whose words may be searched for; what else there is to be read in it is given: the
        `names` of symbols that it writes as code, and the `relations` that it asks for, whatever the symbols.
        `budget` is the largest number of symbols to return. `depth_first` follows one chain as far as it goes before
        the next (for "how does A reach B"); otherwise the nearest relations come first. Returns an empty sequence
        when no symbol is meant.
        """
        ...
