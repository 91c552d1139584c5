"""Whether what is indexed is what is there, and catching up while a question waits.

A project is compared by its `HEAD` and by the name, size and times of its files, so a pull, a rebase, a checkout, an
amended commit, a stash, a file that is new, renamed or gone, and an edit a second ago all show. Catching up reads what
changed and takes some hundredths of a second for most projects, so a question does it first where that is expected to
be quick; else it answers from what there is and says what is behind.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core.errors import DamagedFile, LociError
from loci.core.home.home import Home, read_json
from loci.core.home.manifest import Indexed

if TYPE_CHECKING:
    from loci.episodes import State

REFRESH_SECONDS = 0.3
"""A project is brought up to date before a question when that is expected to take no longer than this."""
REFRESH_PATIENCE = 4.0
"""The expectation may be wrong: so many times as long is waited before the question is answered from the older
index.
"""
WAIT_SECONDS = 0.3
"""How long an answer waits for the look at a project's files once its passages are there."""
DENIAL_SECONDS = 0.3
"""How long an answer that denies waits for the looks at all projects together. The 30 repositories of the benchmark
take .15 s on two cores.
"""
DENIAL_LOOKS = 64
"""Projects whose files are looked at before a denial: of more, only whether `HEAD` has moved."""

# Measured on the 30 repositories of the benchmark, two cores: an unchanged repository built again takes .02 s for each
# MB of its segment (workers-sdk: 19 MB, .48 s), and changed files are read at some 10 MB/s.
FIXED_SECONDS = 0.02
SEGMENT_BYTES_PER_SECOND = 45_000_000
CHANGED_BYTES_PER_SECOND = 8_000_000

OVERLAYS = 8
"""Worktrees whose own index is kept. Each takes the space of the project's, and agents make worktrees by the dozen."""


class Check:
    """One look at the state of a project's files, made beside the search."""

    def __init__(self, root: Path, reading: dict[str, Any], since: float) -> None:
        self.done = threading.Event()
        self.state: State | None = None
        self.error: Exception | None = None
        # A daemon, so that a slow disk does not keep the process from ending.
        threading.Thread(target=self._run, args=(root, reading, since), name="loci-freshness", daemon=True).start()

    def _run(self, root: Path, reading: dict[str, Any], since: float) -> None:
        from loci import episodes

        try:
            self.state = episodes.state(root, since=since, **reading)
        except Exception as error:  # the passages are good all the same; only this could not be found out
            self.error = error
        finally:
            self.done.set()


def expected_seconds(record: Indexed, state: State) -> float:
    """How long catching up will take: as the last time or by the measured rates, whichever is longer."""
    by_rates = FIXED_SECONDS + record.bytes / SEGMENT_BYTES_PER_SECOND + state.newer_bytes / CHANGED_BYTES_PER_SECOND
    return max(by_rates, record.seconds or 0.0)


def refresh(home: Home, scopes: Collection[str], limit: float) -> bool | None:
    """Brings the scopes up to date, waiting for no lock. True when that is done; None when it goes on in the background
    after `limit` seconds; False when somebody else is building or the home cannot be written.
    """
    outcome: list[bool] = []

    def run() -> None:
        from loci.core.build.index import build_index

        try:
            report = build_index(home, only=scopes, references=False)
            outcome.append(all(scope.outcome in ("built", "unchanged") for scope in report.scopes))
        except LociError:
            outcome.append(False)

    # Stopped at any point, a build costs nothing: the process may end while it runs.
    thread = threading.Thread(target=run, name="loci-refresh", daemon=True)
    thread.start()
    thread.join(limit)
    return outcome[0] if outcome else None


def overlay(
    home: Home, record: Indexed, root: Path, reading: dict[str, Any], signature: str, *, seconds: float
) -> Indexed | None:
    """The index of another work tree of a project, made from the project's own and what differs.

    `root`: of the repository there. `seconds`: the most that making it may be expected to take; with 0 only one that is
    there already counts. None where there is none and none can be made: a home that cannot be written, a failing build.
    """
    from loci import episodes
    from loci.core._structure import graph_of_worktree

    directory = home.overlays
    name = hashlib.sha256(f"{root}\0{reading['subtree']}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
    file = directory / f"{name}.json"
    try:
        state = episodes.state(root, **reading)
        known = _known_overlay(file)
        if known is not None and (known["fingerprint"], known["signature"]) == (state.fingerprint, signature):
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
            "signature": signature,
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
    from dataclasses import replace

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
