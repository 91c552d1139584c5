"""`manifest.json`: the commit point of the index.

It names the segment of every scope. Whoever replaces it publishes a new generation; whoever read it before keeps a
whole old one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from loci.core.errors import DamagedFile, StoreTooNew
from loci.core.home.git import repository_at
from loci.core.home.home import Home, read_json
from loci.core.home.records import Counts, GraphRecord, SymbolVectorsRecord, VectorsRecord
from loci.core.home.registry import Registered, Registry

FORMAT = 1
REPAIR = "loci index"  # It names nothing that cannot be built again.


VECTORS_KEYS = VectorsRecord.__required_keys__ - {"symbols"}
SYMBOL_VECTORS_KEYS = SymbolVectorsRecord.__required_keys__


@dataclass(frozen=True)
class Indexed:
    """What the index holds of one scope.

    `segment`: file name inside `segments`. `bytes`: its size. `commit`: where HEAD stood. `fingerprint`: the
    state of the files then. `signature`: the rules it was built under. `counts`: passages by kind, files, commits ...,
    as the build reported them. `built`: when, in seconds since 1970; `seconds`: how long it took to build it on what
    was there before, None where there was nothing. `graph`, `vectors`: None where it has none. `name`, `path`, `names`,
    `groups`, `subtree` and `reads` (its `globs`, `include` and `exclude`, those it has) repeat the registry, so that
    answering goes on when a person broke that file.
    """

    id: str
    segment: str
    bytes: int
    commit: str | None
    fingerprint: str
    signature: str
    name: str
    path: Path
    names: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    subtree: str = ""
    reads: dict[str, list[str]] = field(default_factory=dict)
    last_commit_time: int | None = None
    counts: Counts = field(default_factory=lambda: Counts())
    built: float = 0.0
    seconds: float | None = None
    graph: GraphRecord | None = None
    vectors: VectorsRecord | None = None

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return self.bytes + sum(part["bytes"] for part in self._parts)

    @property
    def files(self) -> set[str]:
        """The names of its files in `segments`."""
        others = () if self.graph is None else self.graph.get("others", ())
        return {self.segment} | {part["file"] for part in (*self._parts, *others) if part["file"]}

    @property
    def _parts(self) -> list[GraphRecord | VectorsRecord | SymbolVectorsRecord]:
        """What stands beside the segment, a file each."""
        symbols = None if self.vectors is None else self.vectors["symbols"]
        return [part for part in (self.graph, self.vectors, symbols) if part]

    def to_json(self) -> dict[str, Any]:
        """As it stands in the file, without the id, which is its key there."""
        return {
            "segment": self.segment,
            "bytes": self.bytes,
            "commit": self.commit,
            "fingerprint": self.fingerprint,
            "signature": self.signature,
            "name": self.name,
            "path": str(self.path),
            "names": list(self.names),
            "groups": list(self.groups),
            "subtree": self.subtree,
            "reads": self.reads,
            "last_commit_time": self.last_commit_time,
            "counts": self.counts,
            "built": self.built,
            "seconds": self.seconds,
            "graph": self.graph,
            "vectors": self.vectors,
        }


@dataclass(frozen=True)
class Manifest:
    """One generation of the index. `scopes` maps id to what is indexed of it, sorted by id. `damaged`: it stands in the
    place of one that could not be read. `graphs`: whether a build also builds what calls what.
    """

    generation: int = 0
    scopes: dict[str, Indexed] = field(default_factory=dict)
    damaged: bool = False
    graphs: bool = True

    @classmethod
    def load(cls, home: Home) -> Manifest | None:
        """None when nothing was ever indexed; raises `DamagedFile` or `StoreTooNew`."""
        data = read_json(home.manifest, hint=REPAIR)
        if data is None:
            return None
        version = data.get("format")
        if isinstance(version, int) and version > FORMAT:
            raise StoreTooNew(home.manifest, version, FORMAT)
        try:
            if version != FORMAT:
                raise ValueError(f"format {version!r} is not known")
            if not isinstance(data["scopes"], dict) or not all(isinstance(e, dict) for e in data["scopes"].values()):
                raise ValueError('"scopes" must be an object of objects')
            scopes = {identity: _indexed(identity, entry) for identity, entry in sorted(data["scopes"].items())}
            return cls(int(data["generation"]), scopes, graphs=bool(data.get("graphs", True)))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise DamagedFile(home.manifest, reason, hint=REPAIR) from error

    def save(self, home: Home) -> None:
        """Publishes this generation, atomically. Its segments must be on disk, synced, before."""
        home.write_json(
            home.manifest,
            {
                "format": FORMAT,
                "generation": self.generation,
                "graphs": self.graphs,
                "scopes": {identity: scope.to_json() for identity, scope in sorted(self.scopes.items())},
            },
        )


def _indexed(identity: str, entry: dict[str, Any]) -> Indexed:
    graph, vectors = entry.get("graph"), entry.get("vectors")
    for kind, name in (
        ("segment", entry["segment"]),
        ("graph", graph["file"] if graph else "none"),
        ("vectors", vectors["file"] if vectors else "none"),
        ("vectors of the symbols", ((vectors or {}).get("symbols") or {}).get("file", "none")),
        *((f"graph from {other['source']}", other["file"] or "none") for other in ((graph or {}).get("others") or ())),
    ):
        # The name is joined to the segments directory and, later, the file removed: it must not lead out of there.
        if not isinstance(name, str) or Path(name).name != name or name in ("", ".", ".."):
            raise ValueError(f"the {kind} of {identity!r} is no file name")
    subtree = str(entry.get("subtree") or "")
    if subtree and any(part in ("", ".", "..") for part in subtree.split("/")):
        raise ValueError(f"the subtree of {identity!r} is no path below a repository")
    return Indexed(
        id=identity,
        segment=entry["segment"],
        bytes=int(entry["bytes"]),
        commit=entry["commit"],
        fingerprint=str(entry["fingerprint"]),
        signature=str(entry["signature"]),
        name=str(entry["name"]),
        path=Path(entry["path"]),
        names=tuple(entry.get("names", ())),
        groups=tuple(entry.get("groups", ())),
        subtree=subtree,
        reads={key: [str(pattern) for pattern in patterns] for key, patterns in entry.get("reads", {}).items()},
        last_commit_time=entry.get("last_commit_time"),
        counts=cast("Counts", dict(entry.get("counts", {}))),
        built=float(entry.get("built") or 0.0),
        seconds=None if entry.get("seconds") is None else float(entry["seconds"]),
        graph=cast("GraphRecord", dict(graph)) if graph else None,
        vectors=_vectors(vectors),
    )


def _vectors(entry: dict[str, Any] | None) -> VectorsRecord | None:
    """Vectors that do not say what they are of are made anew."""
    if not entry or not entry.keys() >= VECTORS_KEYS:
        return None
    symbols = entry.get("symbols")
    kept = dict(symbols) if symbols and symbols.keys() >= SYMBOL_VECTORS_KEYS else None
    return cast("VectorsRecord", {**entry, "symbols": kept})


def registry_of(records: Iterable[Indexed]) -> Registry:
    """What the manifest remembers of the registry."""
    registry = Registry()
    for record in records:
        scope = Registered(
            id=record.id,
            path=record.path,
            name=record.name,
            names=list(record.names),
            groups=list(record.groups),
            subtree=record.subtree,
            globs=record.reads.get("globs", []),
            include=record.reads.get("include", []),
            exclude=record.reads.get("exclude", []),
        )
        repository = repository_at(scope.repository_root)
        scope.common_dir = repository.common_dir if repository else None
        registry.scopes[record.id] = scope
    return registry


def generation_of(home: Home) -> int | None:
    """The generation of the index that answers now; None when nothing is indexed."""
    manifest = Manifest.load(home)
    return manifest.generation if manifest else None
