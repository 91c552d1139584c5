"""What is measured: loci through its public door, and the two baselines through the router's.

Each system speaks of scopes by their folder in the corpus, whatever id the registry gave them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .measure import RETRIEVED, Found, Routed, Source, System

if TYPE_CHECKING:
    from loci.core import Memory
    from loci.router import EvidenceModel, RoutingIndex

__all__ = ["EvidenceAlone", "Loci", "MergedBM25", "build_systems", "count_words", "source_of"]


def count_words(question: str) -> int:
    """Content words of a question by loci's tokenizer: stop words do not count, the parts of one word count each."""
    from loci.router._kernel import tokenize

    return len({position for _, position in tokenize(question)})


def build_systems(
    memory: Memory, names: Mapping[str, str], *, refresh: float | None = None, fast: bool = False
) -> list[System]:
    """Loci itself, then the baselines `merged-bm25` and `prominence`, all over the same segments.

    names: folder of every scope by its id in the registry; what else the index holds is left out of the baselines.
    refresh: as in `Memory.ask`, whose default is used when None; 0 asks the index as it stands.
    fast: as in `Memory.ask`: without the vectors that the index may hold.
    """
    from loci.router import ProminenceEvidence, RoutingIndex, SummedScores
    from loci.router._kernel import Index

    home = memory.home
    manifest = json.loads(home.manifest.read_text(encoding="utf-8"))
    segments = {
        scope: home.segments / entry["segment"] for scope, entry in sorted(manifest["scopes"].items()) if scope in names
    }
    index = RoutingIndex.open(segments)
    kernel = Index()
    kernel.add_segments(list(segments.items()))
    ids = {folder: scope for scope, folder in names.items()}

    def passages(question: str, k: int, folder: str | None) -> Iterable[Hit]:
        for scope, passage, score in kernel.merged_bm25(question, k, None if folder is None else ids[folder]):
            kind, path, _, commit, _, _ = kernel.passage(scope, passage)
            yield names[scope], kind, path, commit, score

    return [
        Loci(memory, names, EvidenceAlone("summed-scores", SummedScores(), index, names), refresh=refresh, fast=fast),
        MergedBM25(passages),
        EvidenceAlone("prominence", ProminenceEvidence(), index, names),
    ]


class Loci:
    """`loci.core.Memory` as anybody else uses it: `route` and `ask`.

    names: folder of every scope by its id in the registry. evidence: ranks the scopes that a route does not name.
    """

    name = "loci"
    retrieves = True

    def __init__(
        self,
        memory: Any,
        names: Mapping[str, str],
        evidence: EvidenceAlone,
        *,
        refresh: float | None = None,
        fast: bool = False,
    ) -> None:
        self._memory = memory
        self._options: dict[str, Any] = ({} if refresh is None else {"refresh": refresh}) | (
            {"fast": True} if fast else {}
        )
        self._evidence = evidence
        self._names = dict(names)
        self._ids = {folder: scope for scope, folder in names.items()}

    def route(self, question: str, cwd: Path | None = None) -> Routed:
        """Memory.route."""
        return routed_from(self._memory.route(question, cwd=cwd), self._names)

    def ranking(self, question: str) -> Sequence[str]:
        """All scopes by the evidence."""
        return self._evidence.ranking(question)

    def retrieve(self, question: str, scope: str | None = None) -> Found:
        """Memory.ask, with the scope given or without; sources in the order the answer shows them."""
        return self._asked(question, scope=None if scope is None else self._ids[scope])

    def retrieve_gated(self, question: str, scope: str) -> Found:
        """As `retrieve` at a given scope, whose store says nothing where its best passages are no answer."""
        return self._asked(question, scope=self._ids[scope], gated=True)

    def _asked(self, question: str, **options: Any) -> Found:
        answer = self._memory.ask(question, k=RETRIEVED, **self._options, **options)
        return Found(
            sources=tuple(
                source_of(self._names[block.id], passage.kind, passage.path, passage.commit)
                for block in answer.scopes
                for passage in block.passages
            ),
            also={
                source_of(self._names[block.id], passage.kind, other.path, other.commit): source_of(
                    self._names[block.id], passage.kind, passage.path, passage.commit
                )
                for block in answer.scopes
                for passage in block.passages
                for other in passage.also_at
            },
        )


class EvidenceAlone:
    """An evidence model of `loci.router` without the router: no names, no gates, no directory.

    The best scope is always selected, unless nothing matched; its evidence is the confidence. This is how formulas are
    compared: the router's thresholds were fitted for its own evidence and mean nothing for any other.
    """

    retrieves = False

    def __init__(self, name: str, model: EvidenceModel, index: RoutingIndex, names: Mapping[str, str]) -> None:
        self.name = name
        self._model = model
        self._index = index
        self._names = dict(names)

    def route(self, question: str, cwd: Path | None = None) -> Routed:
        """All scopes by evidence; the directory is ignored."""
        ranked = self._ranked(question)
        if not ranked or ranked[0][1] <= 0:
            return Routed(selected=(), ranked=(), confidence=0.0, reason="no_evidence")
        order = tuple(scope for scope, _ in ranked)
        return Routed(selected=order[:1], ranked=order, confidence=ranked[0][1])

    def ranking(self, question: str) -> Sequence[str]:
        """All scopes by evidence, best first, ties by id."""
        return [scope for scope, _ in self._ranked(question)]

    def retrieve(self, question: str, scope: str | None = None) -> Found:
        """Evidence finds no passages; calling this is a mistake of the caller."""
        raise NotImplementedError(f"{self.name} only routes")

    def _ranked(self, question: str) -> list[tuple[str, float]]:
        scopes = self._model.evidence(self._index, question).scopes
        order = sorted(scopes, key=lambda scope: (-scopes[scope].combined, scope))
        return [(self._names[scope], scopes[scope].combined) for scope in order]


Hit = tuple[str, str, str, "str | None", float]
"""A ranked passage: folder of the scope, kind, path, commit, score."""


class Passages(Protocol):
    """One ranked list of passages over all scopes, or over one of them: up to k hits, best first."""

    def __call__(self, question: str, k: int, folder: str | None, /) -> Iterable[Hit]:
        """Ranks the passages."""
        ...


class MergedBM25:
    """The baseline `merged-bm25`: one BM25 index over every passage of every scope, as if there were no scopes.

    The right project is the scope of the best passage; it never abstains unless no word of the question is indexed.
    """

    name = "merged-bm25"
    retrieves = True

    # Several passages come from one file and commits crowd the list, so ten distinct sources of each kind need far more
    # than ten passages.
    DEPTH = 400

    def __init__(self, passages: Passages) -> None:
        self._passages = passages

    def route(self, question: str, cwd: Path | None = None) -> Routed:
        """Scopes in the order of their best passage; the directory is ignored."""
        best: dict[str, float] = {}
        for scope, _, _, _, score in self._passages(question, self.DEPTH, None):
            best.setdefault(scope, score)
        ranked = tuple(best)
        return Routed(selected=ranked[:1], ranked=ranked, confidence=max(best.values(), default=0.0))

    def ranking(self, question: str) -> Sequence[str]:
        """Nothing: the route already ranks every scope that has a passage among the best."""
        return ()

    def retrieve(self, question: str, scope: str | None = None) -> Found:
        """The ranked list itself, all of it: deduplication is the metric's."""
        return Found(
            sources=tuple(
                source_of(where, kind, path, commit)
                for where, kind, path, commit, _ in self._passages(question, self.DEPTH, scope)
            )
        )


def routed_from(route: Any, names: Mapping[str, str]) -> Routed:
    """A `loci.router.Route` in the terms of the benchmark; `names` gives a scope's folder by its id."""
    selected = tuple(names[scope.id] for scope in route.scopes) if not route.abstained else ()
    candidates = (names[scope.id] for scope in route.candidates)
    return Routed(
        selected=selected,
        ranked=tuple(dict.fromkeys((*selected, *candidates))),
        confidence=float(route.confidence),
        reason=route.reason,
        mode=route.mode,
    )


def source_of(scope: str, kind: str, path: str, commit: str | None) -> Source:
    """A passage's source: its commit when it is a commit message, else its file."""
    if kind == "commit":
        if not commit:
            raise ValueError(f"a commit passage of {scope} has no commit id")
        return Source(scope, "commit", commit)
    return Source(scope, "path", path)
