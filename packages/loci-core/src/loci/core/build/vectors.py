"""Vectors: making them for what is indexed, and having a model and vectors ready when a question comes.

An extra that nothing depends on. Without it, without a model, or with a file that is gone, everything else works and
one sentence says what is missing.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core._structure import graph_key
from loci.core.build.symbol_vectors import (
    SymbolSemantics,
    about_symbols,
    embed_symbols,
    is_behind,
    numbers_by_key,
    open_symbol_vectors,
    symbols_are_current,
)
from loci.core.errors import DamagedFile, InvalidRequest, NoIndex, NoReranker, NothingRegistered
from loci.core.home.home import Home, read_json, sync_directory
from loci.core.home.manifest import Indexed, Manifest
from loci.core.home.registry import Registry

if TYPE_CHECKING:
    from loci.core._memory import BesideWords, Memory
    from loci.core.build.index import Progress
    from loci.core.operations.doctor import Finding
    from loci.core.operations.setup import StepReport
    from loci.episodes import Embedder, Episodes, Reranker, Vectors
    from loci.structure import Combined, Graph

KINDS = ("commit", "document")  # sorted, as the manifest has them
PROBES = 40  # Headings and subjects of a scope that are put to the others, to see how close a wrong scope comes.
COMMIT_WAIT_SECONDS = 600.0  # A build of the index may be writing when a scope's vectors are done.
UNASKED_PASSAGES = 5_000  # About two minutes on two cores.
PACKAGES = ("numpy", "safetensors", "threadpoolctl", "tokenizers")
KEPT_CANDIDATES = 20_000  # Vectors made for questions and kept while the process lives: 30 MB of 384 numbers each.
INSTALL = "pip install 'loci-mem[embed]'"
NO_MODEL = "loci embed --model <directory of a sentence-transformers model>"
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
    directory = model_directory(home, model)
    embedder = _open_embedder(directory)
    home.create()
    home.write_json(home.models, {**_models(home), "embedding": str(directory)})
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
    return tuple((record.vectors or {}).get("kinds") or KINDS)


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
        about = record.vectors or {}
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
        about = {
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
            "symbols": (scopes[record.id].vectors or {}).get("symbols"),
        }
        scopes[record.id] = replace(scopes[record.id], vectors=about)
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
        about = {
            "file": file,
            "bytes": size,
            "graph": record.graph["file"],
            "rules": LABEL_RULES,
            "count": len(made.vectors),
            "floor": None,
        }
        scopes[record.id] = replace(now, vectors={**now.vectors, "symbols": about})
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
            about = dict(record.vectors)
            if key in floors:
                about["floor"] = floors[key]
                reports[key] = replace(reports[key], floor=floors[key])
            if key in symbol_floors and about["symbols"] is not None:
                about["symbols"] = {**about["symbols"], "floor": symbol_floors[key]}
                reports[key] = replace(reports[key], symbols_floor=symbol_floors[key])
            scopes[key] = replace(record, vectors=about)


def model_directory(home: Home, model: str | os.PathLike[str] | None = None) -> Path:
    """`model` if given, else what `loci embed` used last, else the installed model package; raises `InvalidRequest`."""
    from loci import episodes

    chosen = model or _models(home).get("embedding") or episodes.packaged_model()
    if chosen is None:
        raise InvalidRequest("no model is known, so there are no vectors", NO_MODEL)
    return Path(chosen).expanduser().absolute()


def is_available(home: Home) -> bool:
    """Whether a model lies on this machine and what reads it is installed; opens neither."""
    from importlib.util import find_spec

    try:
        directory = model_directory(home)
    except InvalidRequest:
        return False
    there = (directory / "config.json").is_file() or (directory / "modules.json").is_file()
    return there and all(find_spec(name) is not None for name in PACKAGES)


def run_step(memory: Memory, force: bool, progress: Progress | None) -> StepReport:
    """The step of setup and update: all projects where none was embedded yet, else those that were."""
    from loci.core.operations.setup import StepReport

    manifest = Manifest.load(memory.home)
    records = list(manifest.scopes.values()) if manifest else []
    chosen = [record for record in records if record.vectors is not None]
    directory = str(model_directory(memory.home))
    if chosen and not force and not any(_is_behind(memory.home, record, directory) for record in chosen):
        return StepReport("embed", f"{_projects(len(chosen))} unchanged")
    report = embed_index(memory.home, only={record.id for record in chosen} or None, force=force, progress=progress)
    embedded, symbols = (sum(values) for values in zip(*((s.embedded, s.symbols) for s in report.scopes), strict=True))
    kept = sum(scope.kept + scope.symbols_kept for scope in report.scopes)
    failures = tuple((scope.id, scope.message) for scope in report.scopes if scope.message)
    summary = f"{_counted(embedded, 'passage')} and {_counted(symbols, 'symbol')} embedded, {kept:,} kept"
    return StepReport("embed", summary, failures=failures)


def was_chosen(memory: Memory) -> bool:
    """Whether any project has vectors."""
    manifest = Manifest.load(memory.home)
    return manifest is not None and any(record.vectors is not None for record in manifest.scopes.values())


def asks(memory: Memory) -> bool:
    """Whether embedding everything takes so long that nobody should be made to wait for it unasked.

    Symbols are not counted: on the public corpus they take a twentieth of what passages do.
    """
    manifest = Manifest.load(memory.home)
    counts = [record.counts.get("passages", {}) for record in manifest.scopes.values()] if manifest else []
    return sum(count.get(kind, 0) for count in counts for kind in KINDS) > UNASKED_PASSAGES


def findings(home: Home, records: Collection[Indexed]) -> Iterator[Finding]:
    """What is wrong with the vectors of those who have some; whoever has none misses nothing."""
    from loci.core.operations.doctor import Finding

    chosen = [record for record in records if record.vectors is not None]
    if not chosen:
        return
    directory = model_directory(home)
    if not directory.is_dir():
        problem = f"the model of the vectors is not at {directory} any more, so questions are answered without them"
        yield Finding(None, "warning", "model_missing", problem, NO_MODEL)
    elif not is_available(home):
        problem = "what reads the model of the vectors is not installed, so questions are answered without them"
        yield Finding(None, "warning", "model_missing", problem, INSTALL)
    for record in records:
        fix = f"loci embed {record.id}"
        about = record.vectors
        if about is None:
            yield Finding(record.id, "warning", "no_vectors", "it has no vectors, and other projects have", fix)
            continue
        parts = [part for part in (about, about["symbols"]) if part is not None]
        damaged = [file for part in parts if _is_damaged(file := home.segments / part["file"], part["bytes"])]
        if damaged:
            problem = f"its vectors, {damaged[0]}, are missing or damaged"
            yield Finding(record.id, "warning", "damaged_vectors", problem, fix)
        elif about["directory"] != str(directory):
            problem = f"its vectors are of another model, {about['model']}, and questions are answered without them"
            yield Finding(record.id, "warning", "other_model", problem, fix)
        elif about["segment"] != record.segment:
            problem = "passages that are new since it was embedded have no vectors yet; a question makes those it needs"
            yield Finding(record.id, "note", "vectors_behind", problem, fix)
        elif is_behind(home, record):
            problem = "symbols that are new since it was embedded have no vectors; questions find them by their words"
            yield Finding(record.id, "note", "vectors_behind", problem, fix)


def _is_damaged(file: Path, size: int) -> bool:
    return not file.is_file() or file.stat().st_size != size


def _is_behind(home: Home, record: Indexed, directory: str) -> bool:
    about = record.vectors or {}
    passages = (about["segment"], about["directory"]) == (record.segment, directory)
    return not passages or not (home.segments / about["file"]).is_file() or is_behind(home, record)


def _projects(count: int) -> str:
    return _counted(count, "project")


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


class Models:
    """The models and vectors that questions use, each opened at first use, once, whatever the number of threads."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._embedders: dict[Path, Embedder] = {}
        self._rerankers: dict[Path, Reranker] = {}
        self._vectors: dict[tuple[str, str], tuple[str, Vectors]] = {}
        self._numbers: dict[str, tuple[str, dict[bytes, list[int]]]] = {}
        self._made: dict[str, dict[bytes, Any]] = {}

    def embedder(self) -> Embedder:
        """The model that `loci embed` used; raises `InvalidRequest` where there is none or it cannot be opened."""
        directory = model_directory(self._home)
        with self._lock:
            if directory not in self._embedders:
                self._embedders[directory] = _open_embedder(directory)
            return self._embedders[directory]

    def reranker(self, model: str | os.PathLike[str] | None = None) -> Reranker:
        """The cross-encoder in `model`, else the one that `models.json` names; raises `NoReranker`."""
        from loci import episodes

        chosen = model or _models(self._home).get("reranking")
        if chosen is None:
            raise NoReranker("no cross-encoder is known", "loci ask --rerank-model <directory of a cross-encoder>")
        directory = Path(chosen).expanduser().absolute()
        with self._lock:
            if directory not in self._rerankers:
                try:
                    self._rerankers[directory] = episodes.open_reranker(directory)
                except episodes.ModelError as error:
                    raise NoReranker(str(error), "without --rerank it works without a model") from error
            return self._rerankers[directory]

    def beside_words(self, record: Indexed) -> BesideWords:
        """The vectors of a scope, or why they cannot be used; nothing where it has none."""
        from loci.core._memory import BesideWords

        if record.vectors is None:
            return BesideWords()
        from loci import episodes

        try:
            embedder = self.embedder()
            vectors = self._open_vectors(record.id, "passages", record.vectors["file"])
        except InvalidRequest as error:
            return BesideWords(note=f"answered without vectors: {error.message}")
        except episodes.EpisodesError as error:
            return BesideWords(note=f"answered without vectors: {error}: loci embed {record.id}")
        if vectors.signature != embedder.signature:
            return BesideWords(
                note=f"answered without vectors: they were made by another model ({vectors.model}) than "
                f"{embedder.name}: loci embed {record.id}"
            )
        with self._lock:
            made = self._made.get(embedder.signature)
            if made is None or len(made) > KEPT_CANDIDATES:
                made = self._made[embedder.signature] = {}
        semantics = episodes.Semantics(embedder, vectors, record.vectors["floor"], made)
        return self._with_symbols(BesideWords(semantics), record, embedder)

    def _with_symbols(self, words: BesideWords, record: Indexed, embedder: Embedder) -> BesideWords:
        about = about_symbols(record)
        if about is None or record.graph is None:
            return words
        from loci import episodes

        try:
            vectors = self._open_vectors(record.id, "symbols", about["file"])
        except episodes.EpisodesError as error:
            return replace(words, note=f"symbols were found without vectors: {error}: loci embed {record.id}")
        if vectors.signature != embedder.signature:
            return words  # what `loci embed` had not come to when it was stopped
        key = graph_key(record)
        return replace(
            words,
            symbols=SymbolSemantics(vectors, about["floor"], lambda graph: self._numbers_of(record.id, key, graph)),
        )

    def _open_vectors(self, scope: str, of: str, file: str) -> Vectors:
        from loci.episodes import Vectors

        with self._lock:
            known = self._vectors.get((scope, of))
            if known is None or known[0] != file:
                # One for each scope: a process that lives long sees many generations.
                known = self._vectors[scope, of] = (file, Vectors.open(self._home.segments / file))
            return known[1]

    def _numbers_of(self, scope: str, key: str, graph: Graph | Combined) -> dict[bytes, list[int]]:
        with self._lock:
            known = self._numbers.get(scope)
        if known is None or known[0] != key:
            # Outside the lock: other scopes need not wait for a large graph to be read.
            known = (key, numbers_by_key(graph))
            with self._lock:
                self._numbers[scope] = known
        return known[1]


def _open_embedder(directory: Path) -> Embedder:
    from loci import episodes
    from loci.episodes._vectors import MAX_TOKENS

    try:
        return episodes.open_embedder(directory, max_tokens=MAX_TOKENS)
    except episodes.ModelExtraMissing as error:
        raise InvalidRequest(str(error).partition(": ")[0], str(error).partition(": ")[2]) from error
    except episodes.ModelError as error:
        raise InvalidRequest(str(error), NO_MODEL) from error


def _models(home: Home) -> dict[str, Any]:
    try:
        return read_json(home.models) or {}
    except DamagedFile:
        return {}


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
