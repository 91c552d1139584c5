"""A passage as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ROLES = ("source", "test", "docs", "example", "generated", "vendored", "config")
"""The parts of a project a passage may stand in, in the kernel's order."""


@dataclass(frozen=True)
class Place:
    """Where a passage stands.

    Attributes:
        path: relative to the root of the repository, with ``/``; empty for a commit.
        lines: first and last line as they were indexed, from 1; (0, 0) for a commit.
        commit: object id of a commit, else None.

    """

    path: str
    lines: tuple[int, int]
    commit: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The keys of an element of `also_at` in ``loci ask --json``."""
        return {"path": self.path, "lines": list(self.lines), "commit": self.commit}


@dataclass(frozen=True)
class Passage:
    """A verbatim passage with its citation.

    Attributes:
        kind: ``document``, ``source`` or ``commit``.
        path: relative to the root of the repository, with ``/``; empty for a commit.
        lines: first and last line, from 1; (0, 0) for a commit.
        commit: object id of a commit, else None.
        heading: heading path of a document, signature of a definition, subject of a commit.
        symbol: qualified name of the definition, or empty.
        role: one of :data:`ROLES`.
        text: the passage, secrets replaced.
        score: within its lane (files or commits); scores of the two lanes are not comparable.
        stale: the file no longer holds this text.
        time: author time of a commit in seconds since 1970, else None.
        similarity: what dense scores gave the passage, in its own unit; None where it said nothing.
        also_at: where near-identical passages of other files, or other commits, stand, best first; this one is the
            newest.

    """

    kind: str
    path: str
    lines: tuple[int, int]
    commit: str | None
    heading: str
    symbol: str
    role: str
    text: str
    score: float
    stale: bool = False
    time: int | None = None
    similarity: float | None = None
    also_at: tuple[Place, ...] = ()

    @property
    def source(self) -> str:
        """What is cited: the path, or the commit's id."""
        return self.commit or self.path

    def to_json(self) -> dict[str, Any]:
        """The keys of ``loci ask --json``."""
        return {
            "kind": self.kind,
            "path": self.path,
            "lines": list(self.lines),
            "commit": self.commit,
            "heading": self.heading,
            "symbol": self.symbol,
            "role": self.role,
            "text": self.text,
            "score": round(self.score, 6),
            "stale": self.stale,
            "time": self.time,
            "also_at": [place.to_json() for place in self.also_at],
        }


@dataclass(frozen=True)
class PassageScores:
    """What a ranker that reads no words, such as one over vectors, says of the passages of one segment.

    Attributes:
        scores: one little-endian float32 per passage, in the segment's order; 0, less or NaN where it says nothing.
        file_weight: weight of its best score of a file beside the other parts of a file's score, of which the best
            passage weighs 1.
        commit_weight: weight of its score of a commit, whose own weighs 1.

    """

    scores: bytes
    file_weight: float
    commit_weight: float
