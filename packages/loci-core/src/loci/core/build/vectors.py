"""Vectors: making them for what is indexed, and having a model and vectors ready when a question comes.

An extra that nothing depends on. Without it, without a model, or with a file that is gone, everything else works and
one sentence says what is missing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core.build import models
from loci.core.build.symbol_vectors import (
    about_symbols,
    embed_symbols,
    open_symbol_vectors,
    symbols_are_current,
)
from loci.core.errors import NoIndex, NothingRegistered
from loci.core.home.home import Home, sync_directory
from loci.core.home.manifest import Indexed, Manifest
from loci.core.home.records import SymbolVectorsRecord, VectorsRecord
from loci.core.home.registry import Registry

if TYPE_CHECKING:
    from loci.core.build.index import Progress
    from loci.episodes import Embedder, Episodes, Vectors

KINDS = ("commit", "document")  # sorted, as the manifest has them
PROBES = 40  # Headings and subjects of a scope that are put to the others, to see how close a wrong scope comes.
COMMIT_WAIT_SECONDS = 600.0  # A build of the index may be writing when a scope's vectors are done.
FORGOTTEN = "it was forgotten meanwhile"


@dataclass(frozen=True)
class EmbeddedScope:
    """What became of one scope: passages that got a vector now, that had one, and of other kinds that have none.

    `symbols`, `symbols_kept`: labels of symbols that got a vector now, that had one; several symbols may share a label.
    `message` says why nothing became of it, or not of its symbols; empty otherwise. `floor`, `symbols_floor`: see
    `loci.episodes.fit_floor`.
    """

    id: str
    embedded: int = 0
    kept: int = 0
    lacking: int = 0
    bytes: int = 0
    floor: float | None = None
    symbols: int = 0
    symbols_kept: int = 0
    symbols_floor: float | None = None
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        """As `loci embed --json` prints it."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class EmbedReport:
    """What an embedding run did, with which model."""

    model: str
    directory: Path
    signature: str
    scopes: tuple[EmbeddedScope, ...]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """As `loci embed --json` prints it."""
        return {
            "model": self.model,
            "directory": str(self.directory),
            "signature": self.signature,
            "seconds": round(self.seconds, 3),
            "scopes": [scope.to_json() for scope in self.scopes],
        }


def embed_index(
    home: Home,
    *,
    only: Collection[str] | None = None,
    model: str | os.PathLike[str] | None = None,
    kinds: Collection[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> EmbedReport:
    """Makes vectors; see `loci.core.Memory.embed`. `force`: also those that are there already."""
    from loci.core.build.index import _remove_unnamed

    started = time.perf_counter()
    registry = Registry.load(home)
    if not registry.scopes:
        raise NothingRegistered(home.directory)
    manifest = Manifest.load(home)
    if manifest is None or not manifest.scopes:
        raise NoIndex(len(registry.scopes))
    directory = models.model_directory(home, model)
    embedder = models.open_embedder(directory)
    home.create()
    home.write_json(home.models, {**models.recorded_models(home), "embedding": str(directory)})
    wanted = [record for key, record in manifest.scopes.items() if only is None or key in only]
    reports: dict[str, EmbeddedScope] = {}
    opened: dict[str, Vectors] = {}
    opened_symbols: dict[str, Vectors] = {}
    for number, record in enumerate(wanted):
        if progress is not None:
            progress("", "scopes", number, len(wanted))
        report, vectors = _with_vectors(home, record, embedder, directory, kinds, force, progress)
        if vectors is not None:
            opened[record.id] = vectors
        if not report.message:
            report, vectors = _with_symbol_vectors(home, record, embedder, report, force, progress)
            if vectors is not None:
                opened_symbols[record.id] = vectors
        reports[record.id] = report
    if opened or opened_symbols:
        _fit_floors(home, embedder.signature, opened, opened_symbols, reports)
    with home.build_lock(COMMIT_WAIT_SECONDS):
        current = Manifest.load(home)
        if current is not None:
            _remove_unnamed(home, current.scopes.values())
    if progress is not None:
        progress("", "scopes", len(wanted), len(wanted))
    return EmbedReport(
        embedder.name,
        directory,
        embedder.signature,
        tuple(reports[key] for key in sorted(reports)),
        time.perf_counter() - started,
    )


def kinds_of(record: Indexed) -> tuple[str, ...]:
    """Of which passages of a scope there are vectors, or would be."""
    return tuple((record.vectors["kinds"] if record.vectors is not None else ()) or KINDS)


def _is_current(home: Home, record: Indexed, signature: str, kinds: list[str]) -> bool:
    about = record.vectors
    return (
        about is not None
        and (about["signature"], about["segment"], about["kinds"]) == (signature, record.segment, kinds)
        and _vectors_of(home, record) is not None
    )


def _with_vectors(
    home: Home,
    record: Indexed,
    embedder: Embedder,
    directory: Path,
    kinds: Collection[str] | None,
    force: bool,
    progress: Progress | None,
) -> tuple[EmbeddedScope, Vectors | None]:
    """Gives the passages of a scope their vectors and publishes them; what became of it, and the vectors made now."""
    from loci import episodes

    of_kinds = sorted(kinds if kinds is not None else kinds_of(record))
    if not force and _is_current(home, record, embedder.signature, of_kinds):
        about = record.vectors
        assert about is not None  # it is current
        return (
            EmbeddedScope(record.id, 0, about["passages"], about["lacking"], about["bytes"], about["floor"]),
            None,
        )
    try:
        store = episodes.Episodes.open(home.segments / record.segment)
        made = episodes.embed_passages(
            store,
            embedder,
            previous=None if force else _vectors_of(home, record),
            kinds=of_kinds,
            probes=embedder.embed(_headings(store), question=True) if of_kinds else None,
            progress=_of_scope(progress, record.id, "passages"),
        )
    except (episodes.EpisodesError, OSError) as error:
        return EmbeddedScope(record.id, message=str(error)), None
    # Published scope by scope: a kill costs the vectors of the scope it hits and nothing else.
    with _publishing(home) as scopes:
        if record.id not in scopes:
            return EmbeddedScope(record.id, message=FORGOTTEN), made.vectors
        file, size = made.vectors.save(home.segments)
        sync_directory(home.segments)
        published: VectorsRecord = {
            "file": file,
            "bytes": size,
            "signature": embedder.signature,
            "model": embedder.name,
            "directory": str(directory),
            "segment": record.segment,
            "kinds": of_kinds,
            "passages": len(made.vectors),
            "lacking": made.lacking,
            "floor": None,
            "symbols": about_symbols(scopes[record.id]),
        }
        scopes[record.id] = replace(scopes[record.id], vectors=published)
    return EmbeddedScope(record.id, made.embedded, made.kept, made.lacking, size), made.vectors


def _with_symbol_vectors(
    home: Home, record: Indexed, embedder: Embedder, report: EmbeddedScope, force: bool, progress: Progress | None
) -> tuple[EmbeddedScope, Vectors | None]:
    """The same for the symbols of its graph, where it has one."""
    from loci.structure import LABEL_RULES, StructureError

    if record.graph is None:
        return report, None
    about = about_symbols(record)
    if about is not None and not force and symbols_are_current(home, record, embedder.signature):
        counts = {"symbols_kept": about["count"], "symbols_floor": about["floor"]}
        return replace(report, bytes=report.bytes + about["bytes"], **counts), None
    previous = None if force else open_symbol_vectors(home, record)
    try:
        made = embed_symbols(home, record, embedder, previous, _of_scope(progress, record.id, "symbols"))
    except (StructureError, OSError) as error:
        return replace(report, message=f"its symbols: {error}: loci graphs --all {record.id}"), None
    with _publishing(home) as scopes:
        now = scopes.get(record.id)
        if now is None or now.vectors is None:
            return replace(report, message=FORGOTTEN), made.vectors
        file, size = made.vectors.save(home.segments)
        sync_directory(home.segments)
        of_symbols: SymbolVectorsRecord = {
            "file": file,
            "bytes": size,
            "graph": record.graph["file"],
            "rules": LABEL_RULES,
            "count": len(made.vectors),
            "floor": None,
        }
        scopes[record.id] = replace(now, vectors={**now.vectors, "symbols": of_symbols})
    report = replace(report, symbols=made.embedded, symbols_kept=made.kept, bytes=report.bytes + size)
    return report, made.vectors


def _of_scope(progress: Progress | None, scope: str, stage: str) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, total: progress(scope, stage, done, total)


def _fit_floors(
    home: Home,
    signature: str,
    opened: dict[str, Vectors],
    opened_symbols: dict[str, Vectors],
    reports: dict[str, EmbeddedScope],
) -> None:
    """Sets each scope that was embedded now against the probes of all others."""
    manifest = Manifest.load(home)
    probes = {key: vectors.probes for key, vectors in opened.items()}
    for key, record in manifest.scopes.items() if manifest else ():
        if key not in probes and record.vectors is not None and record.vectors["signature"] == signature:
            vectors = _vectors_of(home, record)
            if vectors is not None:
                probes[key] = vectors.probes
    floors = {key: _floor(key, vectors, probes) for key, vectors in opened.items()}
    symbol_floors = {key: _floor(key, vectors, probes) for key, vectors in opened_symbols.items()}
    with _publishing(home) as scopes:
        for key in floors.keys() | symbol_floors.keys():
            record = scopes.get(key)
            if record is None or record.vectors is None:
                continue
            about = record.vectors.copy()
            if key in floors:
                about["floor"] = floors[key]
                reports[key] = replace(reports[key], floor=floors[key])
            if key in symbol_floors and about["symbols"] is not None:
                about["symbols"] = {**about["symbols"], "floor": symbol_floors[key]}
                reports[key] = replace(reports[key], symbols_floor=symbol_floors[key])
            scopes[key] = replace(record, vectors=about)


def _vectors_of(home: Home, record: Indexed) -> Vectors | None:
    from loci import episodes

    if record.vectors is None:
        return None
    try:
        return episodes.Vectors.open(home.segments / record.vectors["file"])
    except episodes.VectorsDamaged:
        return None  # made anew now


def _headings(store: Episodes) -> list[str]:
    """Up to `PROBES` headings of documents and subjects of commits, evenly spread: what people write of a project."""
    texts = list(
        dict.fromkeys(
            passage.heading.rpartition(" > ")[2]
            for passage in store.all_passages()
            if passage.kind in KINDS and 3 <= len(passage.heading.rpartition(" > ")[2].split()) <= 20
        )
    )
    return [texts[place * len(texts) // PROBES] for place in range(PROBES)] if len(texts) > PROBES else texts


def _floor(scope: str, vectors: Vectors, probes: dict[str, Any]) -> float | None:
    others = [found for key, found in probes.items() if key != scope and len(found)]
    if not others:
        return None
    import numpy as np

    from loci.episodes import fit_floor

    floor = fit_floor(vectors, np.concatenate(others))
    return None if floor is None else round(floor, 4)


@contextmanager
def _publishing(home: Home) -> Iterator[dict[str, Indexed]]:
    """The scopes of the manifest as it is now, to be changed; published at the end, under the lock of the builds."""
    with home.build_lock(COMMIT_WAIT_SECONDS):
        manifest = Manifest.load(home) or Manifest()
        scopes = dict(manifest.scopes)
        yield scopes
        if scopes != manifest.scopes:
            replace(manifest, generation=manifest.generation + 1, scopes=scopes).save(home)
