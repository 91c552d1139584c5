"""The indexes of linked work trees that questions were asked from: small ones beside those of their projects."""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from loci.core.build.freshness import FIXED_SECONDS, SEGMENT_BYTES_PER_SECOND
from loci.core.build.graphs import graph_of_worktree
from loci.core.errors import DamagedFile, LociError
from loci.core.home.home import Home, read_json
from loci.core.home.manifest import Indexed

OVERLAYS = 8
"""Worktrees whose own index is kept. Each takes the space of the project's, and agents make worktrees by the dozen."""


def overlay(home: Home, record: Indexed, root: Path, reading: dict[str, Any], *, seconds: float) -> Indexed | None:
    """The index of another work tree of a project, made from the project's own and what differs.

    `root`: of the repository there. `seconds`: the most that making it may be expected to take; with 0 only one that is
    there already counts. None where there is none and none can be made: a home that cannot be written, a failing build.
    """
    from loci import episodes

    directory = home.overlays
    name = hashlib.sha256(f"{root}\0{reading['subtree']}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
    file = directory / f"{name}.json"
    try:
        state = episodes.state(root, **reading)
        known = _known_overlay(file)
        if known is not None and (known["fingerprint"], known["signature"]) == (state.fingerprint, record.signature):
            with suppress(OSError):
                file.touch()
            return _as_record(record, known)
        if seconds <= 0 or FIXED_SECONDS + record.bytes / SEGMENT_BYTES_PER_SECOND > seconds:
            return None
        home.create()
        directory.mkdir(mode=0o700, exist_ok=True)
        built = episodes.build(root, directory=directory, previous=home.segments / record.segment, **reading)
        graph = None
        if (
            record.graph
            and FIXED_SECONDS + (record.bytes + record.graph["bytes"]) / SEGMENT_BYTES_PER_SECOND <= seconds
        ):
            graph = graph_of_worktree(home, record, root, reading)
        found = {
            "scope": record.id,
            "root": str(root),
            "segment": built.segment,
            "bytes": built.bytes,
            "commit": built.commit,
            "fingerprint": built.fingerprint,
            "signature": record.signature,
            "graph": graph,
        }
        home.write_json(file, found)
        _prune(directory)
        return _as_record(record, found)
    except (episodes.EpisodesError, OSError, LociError):
        return None


def remove_overlays(home: Home, scope: str) -> None:
    """Removes what is kept of the work trees of a project."""
    if not home.overlays.is_dir():
        return
    for file in home.overlays.glob("*.json"):
        known = _known_overlay(file)
        if known is None or known["scope"] == scope:
            with suppress(OSError):
                file.unlink()
    _prune(home.overlays)


def _known_overlay(file: Path) -> dict[str, Any] | None:
    try:
        known = read_json(file)
    except DamagedFile:
        return None
    keys = ("scope", "segment", "commit", "fingerprint", "signature", "bytes")
    if known is None or any(key not in known for key in keys):
        return None
    segment = known["segment"]
    names = [segment, *([known["graph"].get("file")] if isinstance(known.get("graph"), dict) else [])]
    usable = all(isinstance(name, str) and Path(name).name == name and (file.parent / name).is_file() for name in names)
    return known if usable else None


def _as_record(record: Indexed, known: dict[str, Any]) -> Indexed:
    return replace(
        record,
        segment=known["segment"],
        bytes=known["bytes"],
        commit=known["commit"],
        fingerprint=known["fingerprint"],
        signature=known["signature"],
        graph=known.get("graph") or record.graph,
    )


def _prune(directory: Path) -> None:
    """Keeps the overlays used last. A segment that somebody has open stays readable for them."""
    files = sorted(directory.glob("*.json"), key=lambda path: -path.stat().st_mtime)
    named = set()
    for file in files[:OVERLAYS]:
        with suppress(OSError, json.JSONDecodeError):
            known = json.loads(file.read_text(encoding="utf-8"))
            named |= {known.get("segment"), (known.get("graph") or {}).get("file")}
    young = time.time() - 60  # what another process has just written and not yet named
    for path in [*files[OVERLAYS:], *directory.glob("*.safetensors")]:
        with suppress(OSError):
            if path.name not in named and (path.suffix == ".json" or path.stat().st_mtime < young):
                path.unlink()
