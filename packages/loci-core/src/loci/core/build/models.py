"""The models and vectors that questions use: where they lie, and one of each open while the process lives.

An extra that nothing depends on. Without it, without a model, or with a file that is gone, everything else works and a
note says what is missing.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core.build.graphs import graph_key
from loci.core.build.symbol_vectors import SymbolSemantics, about_symbols, numbers_by_key
from loci.core.errors import DamagedFile, InvalidRequest, NoReranker
from loci.core.home.home import Home, read_json
from loci.core.home.manifest import Indexed
from loci.core.notes import Note, WithoutVectors

if TYPE_CHECKING:
    from loci.episodes import Embedder, LaneReranker, Reranker, Semantics, Vectors
    from loci.structure import Combined, Graph

PACKAGES = ("numpy", "safetensors", "threadpoolctl", "tokenizers")
KEPT_CANDIDATES = 20_000  # Vectors made for questions and kept while the process lives: 30 MB of 384 numbers each.
INSTALL = "pip install 'loci-mem[embed]'"
NO_MODEL = "loci embed --model <directory of a sentence-transformers model>"


@dataclass(frozen=True)
class ScopeModels:
    """What ranks the passages and symbols of one scope beside their words. `note`: why its vectors do not.

    `symbols`: vectors of its symbols, only where there are `semantics`.
    """

    semantics: Semantics | None = None
    symbols: SymbolSemantics | None = None
    reranker: LaneReranker | None = None
    note: Note | None = None


def model_directory(home: Home, model: str | os.PathLike[str] | None = None) -> Path:
    """`model` if given, else what `loci embed` used last, else the installed model package; raises `InvalidRequest`."""
    from loci import episodes

    chosen = model or recorded_models(home).get("embedding") or episodes.packaged_model()
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
                self._embedders[directory] = open_embedder(directory)
            return self._embedders[directory]

    def reranker(self, model: str | os.PathLike[str] | None = None) -> Reranker:
        """The cross-encoder in `model`, else the one that `models.json` names; raises `NoReranker`."""
        from loci import episodes

        chosen = model or recorded_models(self._home).get("reranking")
        if chosen is None:
            raise NoReranker()
        directory = Path(chosen).expanduser().absolute()
        with self._lock:
            if directory not in self._rerankers:
                try:
                    self._rerankers[directory] = episodes.open_reranker(directory)
                except episodes.ModelError as error:
                    raise NoReranker(str(error)) from error
            return self._rerankers[directory]

    def of_scope(self, record: Indexed) -> ScopeModels:
        """The vectors of a scope, or why they cannot be used; nothing where it has none."""
        if record.vectors is None:
            return ScopeModels()
        from loci import episodes

        try:
            embedder = self.embedder()
            vectors = self._open_vectors(record.id, "passages", record.vectors["file"])
        except InvalidRequest as error:
            return ScopeModels(note=WithoutVectors(record.id, "all", error.message, embed=False))
        except episodes.EpisodesError as error:
            return ScopeModels(note=WithoutVectors(record.id, "all", str(error), embed=True))
        if vectors.signature != embedder.signature:
            made_by = f"they were made by another model ({vectors.model}) than {embedder.name}"
            return ScopeModels(note=WithoutVectors(record.id, "all", made_by, embed=True))
        with self._lock:
            made = self._made.get(embedder.signature)
            if made is None or len(made) > KEPT_CANDIDATES:
                made = self._made[embedder.signature] = {}
        semantics = episodes.Semantics(embedder, vectors, record.vectors["floor"], made)
        return self._with_symbols(ScopeModels(semantics), record, embedder)

    def _with_symbols(self, models: ScopeModels, record: Indexed, embedder: Embedder) -> ScopeModels:
        about = about_symbols(record)
        if about is None or record.graph is None:
            return models
        from loci import episodes

        try:
            vectors = self._open_vectors(record.id, "symbols", about["file"])
        except episodes.EpisodesError as error:
            return replace(models, note=WithoutVectors(record.id, "symbols", str(error), embed=True))
        if vectors.signature != embedder.signature:
            return models  # what `loci embed` had not come to when it was stopped
        key = graph_key(record)
        return replace(
            models,
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


def open_embedder(directory: Path) -> Embedder:
    """The embedding model in a directory; raises `InvalidRequest` with what to install or choose."""
    from loci import episodes
    from loci.episodes._vectors import MAX_TOKENS

    try:
        return episodes.open_embedder(directory, max_tokens=MAX_TOKENS)
    except episodes.ModelExtraMissing as error:
        raise InvalidRequest(str(error).partition(": ")[0], str(error).partition(": ")[2]) from error
    except episodes.ModelError as error:
        raise InvalidRequest(str(error), NO_MODEL) from error


def recorded_models(home: Home) -> dict[str, Any]:
    """What `models.json` names; nothing where it is broken."""
    try:
        return read_json(home.models) or {}
    except DamagedFile:
        return {}
