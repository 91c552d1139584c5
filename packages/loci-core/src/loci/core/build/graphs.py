"""What calls what, as the index holds it: each project's graph beside its segment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from loci.core.build.foreign import others_are_current, take_in, with_others
from loci.core.errors import said
from loci.core.home.home import Home
from loci.core.home.manifest import Indexed
from loci.core.home.records import GraphRecord
from loci.core.notes import GraphOutdated, GraphUnreadable, Note

if TYPE_CHECKING:
    from pathlib import Path

    from loci.core.home.registry import Registered
    from loci.structure import Combined, Graph


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
    graph: GraphRecord = {
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


def graph_of_worktree(home: Home, record: Indexed, root: Path, reading: dict[str, Any]) -> GraphRecord | None:
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


def open_graph(home: Home, record: Indexed) -> tuple[Graph | Combined | None, Note | None]:
    """The graph of a scope, with what other tools know of it; None without one, and why it cannot be opened."""
    from loci import structure

    if record.graph is None:
        return None, None
    try:
        directory = home.overlays if "worktree" in record.graph else home.segments
        graph = structure.Graph.open(directory / record.graph["file"])
    except structure.GraphOutdated:
        return None, GraphOutdated(record.id)
    except (structure.StructureError, OSError) as error:
        return None, GraphUnreadable(record.id, said(error))
    return with_others(home, record, graph), None


def graph_key(record: Indexed) -> str:
    """What an open graph goes by: the names of the files it is made of, which are named by their content."""
    if record.graph is None:
        return ""
    return "+".join([record.graph["file"], *(other["file"] or "" for other in record.graph.get("others", ()))])


def partly_parsed(record: Indexed) -> int:
    """How many files of a project did not parse whole, which limits a claim that it has no such symbol."""
    outcomes = {} if record.graph is None else record.graph.get("outcomes", {})
    return sum(outcomes.get(each, 0) for each in ("partial", "unparsed"))
