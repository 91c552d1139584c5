"""The contract between an index of symbols and whoever asks it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

Resolution = Literal["exact", "import", "type", "name", "unresolved"]
"""How a relation was resolved, from certain to open.

`exact`: a compiler or the same file says so; `import`: through an import statement; `type`: through a declared type;
`name`: the only definition of that name in the project; `unresolved`: several or none, so no target is claimed.
"""


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

    `name` as the code writes it, `kind` in the words of the language (`function`, `class`, `method` ...),
    `path` relative to the project's root with `/`, `line` counted from 1.
    `relation` (`calls`, `called_by`, `inherits` ...) and `of` (the symbol it relates to) are None for a
    symbol that the question named itself; `resolution` is then None too.
    """

    name: str
    kind: str
    path: str
    line: int
    relation: str | None = None
    of: str | None = None
    resolution: Resolution | None = None

    def to_json(self) -> dict[str, Any]:
        """The symbol as it stands in an answer: exactly the seven keys of the contract."""
        return {
            "name": self.name,
            "kind": self.kind,
            "path": self.path,
            "line": self.line,
            "relation": self.relation,
            "of": self.of,
            "resolution": self.resolution,
        }


@runtime_checkable
class StructureBackend(Protocol):
    """Answers questions about symbols and their relations, one project at a time.

    Calls may come from several threads at once. A backend never reads another project than the one it was asked about.
    """

    name: str
    """What the backend is called where an answer says which one spoke."""

    def sources(self, project: Project) -> Sequence[str]:
        """What this backend has about the project, one phrase each; empty means that nothing is built for it."""
        ...

    def vocabulary(self, project: Project) -> Collection[str]:
        """The names the project's symbols go by; a question is expanded against these and no others."""
        ...

    def query(self, project: Project, query: str, *, budget: int = 40, depth_first: bool = False) -> Sequence[Symbol]:
        """The symbols the query speaks of and what they are related to.

        `budget` is the largest number of symbols to return. `depth_first` follows one chain as far as it goes before
        the next (for "how does A reach B"); otherwise the nearest relations come first. Returns an empty sequence
        when no symbol is meant.
        """
        ...
