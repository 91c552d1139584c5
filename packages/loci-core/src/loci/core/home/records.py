"""The records of `manifest.json`, by their keys: what a build notes of each project beside its segment.

They are plain JSON objects, typed: whoever writes one writes all of its keys, and whoever reads one is told by the type
checker what there is. `home.manifest` checks on loading what the program relies on.
"""

from __future__ import annotations

from typing import TypedDict


class Counts(TypedDict, total=False):
    """What a build saw in a project.

    `listed`, `read`, `ignored`: files. `skipped`: files by reason, `skipped_examples` some of each. `notes`: files that
    were read with reservations, by kind. `unreadable_dirs`, `unreadable`: (path, reason). `lossy`: files that are not
    clean text. `passages`: by kind. `redactions`: by kind of secret. `submodules`: their places. `shallow`: whether the
    history is cut off.
    """

    listed: int
    read: int
    skipped: dict[str, int]
    skipped_examples: dict[str, list[str]]
    ignored: int
    notes: dict[str, int]
    unreadable_dirs: list[list[str]]
    unreadable: list[list[str]]
    lossy: list[str]
    passages: dict[str, int]
    redactions: dict[str, int]
    submodules: list[str]
    shallow: bool


class _TakenIn(TypedDict, total=False):
    problem: str
    symbols: int
    edges: dict[str, int]
    notes: list[str]


class OtherGraphRecord(_TakenIn):
    """What was taken in of another tool's graph.

    `backend`: who made it. `source`: its file in the project, `stamp` its time in nanoseconds and its size. `file`,
    `bytes`: what it became in the index; None and 0 with a `problem`. `state`: of the project's files beside it.
    `made`: when, in seconds since 1970. `commit`: of what, where it says.
    """

    backend: str
    source: str
    stamp: list[int]
    signature: str
    state: str
    file: str | None
    bytes: int
    made: float
    commit: str | None


class _OfWorktree(TypedDict, total=False):
    worktree: str


class GraphRecord(_OfWorktree):
    """The graph of a project.

    `signature`: the rules it was built under. `state`: fingerprint of the files it was built of. `edges`: counts by
    relation. `outcomes`: files by how much of them was parsed, with `examples`. `others`: graphs of other tools beside
    it. `worktree`: of a graph of another work tree, its place.
    """

    file: str
    bytes: int
    signature: str
    state: str
    files: int
    symbols: int
    edges: dict[str, int]
    unresolved: int
    outcomes: dict[str, int]
    examples: dict[str, list[str]]
    others: list[OtherGraphRecord]


class SymbolVectorsRecord(TypedDict):
    """The vectors of the symbols of a graph.

    `graph`: its file. `rules`: of the labels. `floor`: similarity that counts as an answer.
    """

    file: str
    bytes: int
    graph: str
    rules: str
    count: int
    floor: float | None


class VectorsRecord(TypedDict):
    """The vectors of a project's passages.

    `signature`, `model`, `directory`: of the model. `segment`: the one whose passages have them. `kinds`: of passages.
    `passages`, `lacking`: how many have one, and how many have none. `floor`: similarity that counts as an answer.
    """

    file: str
    bytes: int
    signature: str
    model: str
    directory: str
    segment: str
    kinds: list[str]
    passages: int
    lacking: int
    floor: float | None
    symbols: SymbolVectorsRecord | None
