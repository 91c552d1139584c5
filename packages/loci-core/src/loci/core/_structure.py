"""What calls what, as the index holds it: each project's graph beside its segment, and the symbols of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from loci.core._errors import said
from loci.core._foreign import others_are_current, take_in, with_others
from loci.core._home import Home
from loci.core._manifest import Indexed

if TYPE_CHECKING:
    from pathlib import Path

    from loci.core._registry import Registered
    from loci.episodes import Passage
    from loci.structure import Combined, Graph, Symbol, Traversal

SYMBOLS_PER_K = 2
"""Symbols shown for each file and commit that an answer may have: a symbol is one line, a passage is many."""


NAMES_LOOKED_FOR = 3
_CODE_NAME = re.compile(
    r"(?<![\w./:#-])"
    r"(?:[A-Za-z_]\w*(?:(?:::|\.|#)[A-Za-z_]\w*)+"  # Session.close, Router::nest
    r"|[a-z0-9]+(?:_[a-z0-9]+)+"  # open_session
    r"|[A-Z]?[a-z0-9]+(?:[A-Z][a-z0-9]+)+)"  # FlushEvents, sendFile
    r"(?![\w/:#-])(?!\.\w)"
)
# Node.js, app.py; com.example.shop and os.path, which name a place rather than a symbol.
_NO_MEMBERS = re.compile(r"\.(?:[a-z]\w?\w?|html|java|json|lock|swift|toml|yaml)$|^[a-z0-9_]+(?:\.[a-z0-9_]+)+$")


def graph_is_current(home: Home, record: Indexed) -> bool:
    """Whether the graph of a scope was built by today's rules from the files as they were indexed, and is intact."""
    from loci import structure

    graph = record.graph
    if graph is None or graph["signature"] != structure.rules_signature() or graph["state"] != record.fingerprint:
        return False
    return others_are_current(home, graph, record.path) and damage_of_graph(home, record) is None


def damage_of_graph(home: Home, record: Indexed) -> str | None:
    """What is wrong with the file of a scope's graph, None where it is whole or there is none; reads all of it."""
    from loci import episodes

    if record.graph is None:
        return None
    path = home.segments / record.graph["file"]
    try:
        # A flipped bit opens like any other, and says that somebody calls what they do not.
        intact = path.stat().st_size == record.graph["bytes"] and episodes.intact(path)
    except FileNotFoundError:
        return f"{path} is missing"
    except OSError as error:
        return f"{path} cannot be read: {error.strerror or error}"
    return None if intact else f"{path} was damaged: it no longer has the content it was written with"


def with_graph(
    home: Home,
    scope: Registered,
    reading: dict[str, Any],
    record: Indexed,
    *,
    force: bool,
    progress: Callable[[str, int, int], None],
) -> tuple[Indexed, str]:
    """The record with a graph of the files as they were indexed, and why that could not be built ("" if it was).

    Files that did not change since the older graph are taken over from it, unless `force` or it is damaged.
    """
    from loci import structure

    signature = structure.rules_signature()
    old = record.graph
    previous = None
    if old is not None and not force and old["signature"] == signature and damage_of_graph(home, record) is None:
        previous = home.segments / old["file"]
    policy = dict(reading["policy"], subtree=reading["subtree"], apart=reading["apart"])
    try:
        built = structure.build(
            scope.repository_root,
            directory=home.segments,
            previous=previous,
            exclude=reading["exclude"],
            policy=policy,
            progress=progress,
        )
    except (structure.StructureError, OSError, MemoryError) as error:
        return record, said(error)
    except BaseException as error:
        # Passages answer without symbols too. A panic of the kernel is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        return record, f"an error inside loci: {type(error).__name__}: {error}"
    graph = {
        "file": built.graph,
        "bytes": built.bytes,
        "signature": signature,
        "state": record.fingerprint,
        "files": built.files,
        "symbols": built.symbols,
        "edges": dict(sorted(built.edges.items())),
        "unresolved": built.unresolved,
        "outcomes": dict(sorted(built.outcomes.items())),
        "examples": {key: list(value) for key, value in sorted(built.examples.items())},
        "others": take_in(home, scope.path, record.fingerprint),
    }
    return replace(record, graph=graph), ""


def graph_of_worktree(home: Home, record: Indexed, root: Path, reading: dict[str, Any]) -> dict[str, Any] | None:
    """What calls what in another work tree of a project, made from the project's graph and what differs.

    It lies with the overlays, and its `worktree` says whose it is. None where that fails or the project's own graph is
    of older rules.
    """
    from loci import structure

    older = record.graph
    if older is None or older["signature"] != structure.rules_signature():
        return None
    policy = dict(reading["policy"], subtree=reading["subtree"], apart=reading["apart"])
    try:
        built = structure.build(
            root,
            directory=home.overlays,
            previous=home.segments / older["file"],
            exclude=reading["exclude"],
            policy=policy,
        )
    except (structure.StructureError, OSError, MemoryError):
        return None
    # What other tools made of the project they made of its own tree.
    return {**older, "file": built.graph, "bytes": built.bytes, "worktree": str(root), "others": []}


def open_graph(home: Home, record: Indexed) -> tuple[Graph | Combined | None, str]:
    """The graph of a scope, with what other tools know of it; None, and the command that mends it, without one."""
    from loci import structure

    if record.graph is None:
        return None, ""
    try:
        directory = home.overlays if "worktree" in record.graph else home.segments
        graph = structure.Graph.open(directory / record.graph["file"])
    except structure.GraphOutdated:
        return None, f"what calls what was built under older rules: loci graphs {record.id}"
    except (structure.StructureError, OSError) as error:
        return None, f"what calls what cannot be read ({said(error)}): loci graphs --all {record.id}"
    return with_others(home, record, graph), ""


def graph_key(record: Indexed) -> str:
    """What an open graph goes by: the names of the files it is made of, which are named by their content."""
    if record.graph is None:
        return ""
    return "+".join([record.graph["file"], *(other["file"] or "" for other in record.graph.get("others", ()))])


def hints_of(passages: Iterable[Passage]) -> list[str]:
    """Where the passages of an answer stand, as a graph takes it: the symbols and files that they speak of."""
    hints = []
    for passage in passages:
        if passage.path:
            hints.append(f"{passage.path}#{passage.symbol}" if passage.symbol else passage.path)
    return hints


def absent_names(graph: Graph | Combined, question: str, passages: Sequence[Passage], own: Iterable[str]) -> list[str]:
    """Names that the question writes as code does and the project does not have: then what looks like them is not them.

    A name that stands in a passage of the answer is left alone: it may be one of a library, or a key of a file. So are
    the project's `own` names.
    """
    own = {name.casefold() for name in own}
    names = [
        name
        for name in dict.fromkeys(_CODE_NAME.findall(question))
        if not _NO_MEMBERS.search(name) and name.casefold() not in own
    ]
    return [
        name
        for name in names[:NAMES_LOOKED_FOR]
        if not _has(graph, name.replace("::", ".").replace("#", "."))
        and not any(name in passage.text or name in passage.path or name in passage.heading for passage in passages)
    ]


def _has(graph: Graph | Combined, name: str) -> bool:
    """Whether a symbol is called so; a graph also finds those that share no more than the last part of it."""
    found = (f".{symbol.name.replace('::', '.')}" for symbol in graph.find(name, budget=NAMES_LOOKED_FOR))
    return any(each.endswith(f".{name}") for each in found)


def named_symbol(
    graph: Graph | Combined, name: str, relation: str, depth: int, budget: int
) -> tuple[list[Symbol], list[str]]:
    """The definitions of a name, with who uses it and what it uses (`relation`: all, callers, callees, reach)."""
    found = graph.find(name, budget=max(1, budget // 2) if relation == "all" else budget)
    if not found:
        return [], []
    room = max(1, (budget - len(found)) // (2 if relation == "all" else 1))
    parts: list[Traversal] = []
    if relation in ("all", "callers"):
        parts.append(graph.callers(name, budget=room))
    if relation in ("all", "callees"):
        parts.append(graph.callees(name, budget=room))
    if relation == "reach":
        parts.append(graph.reach(name, depth=depth, budget=room))
    left_out = found.left_out + sum(part.left_out for part in parts)
    unresolved = max((part.unresolved for part in parts), default=0)
    notes = []
    if left_out:
        notes.append(f"{left_out} more symbols are left out: a larger budget shows them")
    if unresolved:
        notes.append(f"{unresolved} uses of a {name.rsplit('.', 1)[-1]} could not be resolved; they may be of this one")
    return [*found, *(symbol for part in parts for symbol in part)], notes
