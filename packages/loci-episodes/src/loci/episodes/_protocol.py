"""The contract between a store of episodes and whoever asks it, and the built-in store behind it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from ._build import build
from ._errors import NotARepository
from ._gate import Gate
from ._passage import Passage
from ._policy import Policy
from ._semantic import LaneReranker
from ._store import Episodes


@dataclass(frozen=True)
class Project:
    """The project a backend is asked about.

    `id` is the scope's id. `root` is its directory, or None for a backend that needs no files.
    """

    id: str
    root: Path | None


@runtime_checkable
class EpisodeBackend(Protocol):
    """What a project ever wrote down, and what of it answers a question.

    Threads may share a backend. :mod:`loci.episodes.conformance` has the tests that every backend must pass.
    """

    @property
    def name(self) -> str:
        """What it is called in messages."""
        ...

    def collect(self, project: Project) -> Collection[Passage]:
        """Every passage of the project, with secrets replaced; empty for a project that the backend does not know.

        The passages may be gone through several times, in the same order. Their scores mean nothing.
        """
        ...

    def search(
        self,
        question: str,
        chunks: Collection[Passage],
        scope_id: str,
        k: int = 10,
        rerank: LaneReranker | None = None,
    ) -> Sequence[Passage]:
        """The passages that answer, best first; none where nothing does.

        Args:
            question: any text.
            chunks: what :meth:`collect` of this backend returned.
            scope_id: whose they are. What belongs to another project is never an answer.
            k: at most so many files, each cited once, and so many commits.
            rerank: puts the candidates in a new order; the backend asks it with enough of them.

        """
        ...


class _Collected(Collection[Passage]):
    """The passages of a segment, read as they are gone through."""

    def __init__(self, scope_id: str, store: Episodes | None) -> None:
        self.scope_id = scope_id
        self.store = store

    def __len__(self) -> int:
        return 0 if self.store is None else sum(self.store.passages.values())

    def __iter__(self) -> Iterator[Passage]:
        return iter(()) if self.store is None else self.store.all_passages()

    def __contains__(self, passage: object) -> bool:
        return any(passage == each for each in self)


class BuiltinEpisodes:
    """The store of this package as a backend: a segment in `directory` for each project that is collected.

    Args:
        directory: where segments are written; one that is there already under its name is used again.
        policy: what to read; None: the defaults.
        gate: what decides whether the passages found are an answer. It knows of no other project here.

    """

    name = "built-in"

    def __init__(self, directory: str | Path, *, policy: Policy | None = None, gate: Gate | None = None) -> None:
        self._directory = Path(directory)
        self._policy = policy
        self._gate = gate or Gate()

    def collect(self, project: Project) -> Collection[Passage]:
        """Reads the repository at the project's root.

        Raises:
            RepositoryUnreadable: it is one and cannot be read.

        """
        if project.root is None:
            return _Collected(project.id, None)
        try:
            report = build(project.root, directory=self._directory, policy=self._policy)
        except NotARepository:
            return _Collected(project.id, None)
        return _Collected(project.id, Episodes.open(self._directory / report.segment))

    def search(
        self,
        question: str,
        chunks: Collection[Passage],
        scope_id: str,
        k: int = 10,
        rerank: LaneReranker | None = None,
    ) -> Sequence[Passage]:
        """Both lanes in one list, as :meth:`Episodes.search`.

        Raises:
            TypeError: `chunks` are not what this backend collected.
            SegmentDamaged: a part of the segment does not decode.

        """
        if not isinstance(chunks, _Collected):
            raise TypeError(f"the chunks must come from collect() of this backend, and are a {type(chunks).__name__}")
        if chunks.store is None or chunks.scope_id != scope_id:
            return []
        return chunks.store.search(question, k=k, gate=self._gate, reranker=rerank)
