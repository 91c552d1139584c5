"""How current the projects of one question are: looks at their files beside the search, and catching up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from loci.core.build.freshness import (
    DENIAL_LOOKS,
    DENIAL_SECONDS,
    REFRESH_PATIENCE,
    WAIT_SECONDS,
    Check,
    expected_seconds,
)
from loci.core.home.git import Repository, head_commit, repository_at
from loci.core.home.home import Home
from loci.core.home.identity import Place, scope_presence
from loci.core.home.manifest import Indexed
from loci.core.home.registry import Registered
from loci.core.notes import BeingUpdated, Changed, NotCompared, Note, NotThere

if TYPE_CHECKING:
    from loci.core.answer.answer import Answer
    from loci.core.answer.snapshot import Snapshot

Work = Callable[[float], tuple["Answer", list[str]]]
"""Answers a question; takes the seconds that catching up may take, and also gives the projects that are behind and
expected to be caught up within these.
"""


def caught_up_first(home: Home, work: Work, refresh: float) -> Answer:
    """The answer of `work`, asked again where it names projects that could be brought up to date in time."""
    answer, behind = work(refresh)
    if behind:
        from loci.core.build.freshness import refresh as catch_up

        caught_up = catch_up(home, behind, refresh * REFRESH_PATIENCE)
        if caught_up:
            # Asked anew as a whole: what changed may answer better, or speak for another project.
            return work(0.0)[0]
        if caught_up is None:
            answer = replace(answer, notes=(*answer.notes, BeingUpdated(tuple(sorted(behind)))))
    return answer


class Looks:
    """The looks at projects' files that one question takes, each project once, beside the search."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lock = threading.Lock()
        self._checks: dict[str, Check] = {}

    def at(self, scope: Registered) -> Check | None:
        """The look at this project, begun now if it was not; None of one that is not indexed."""
        record = self._snapshot.indexed.get(scope.id)
        if record is None:
            return None
        with self._lock:
            if scope.id not in self._checks:
                reading = self._snapshot.registry.reading(scope)
                self._checks[scope.id] = Check(scope.repository_root, reading, record.built)
            return self._checks[scope.id]

    def behind(self, scopes: Iterable[Registered], *, files: bool = False) -> list[str]:
        """Those of the projects that have changed since they were indexed, sorted; without waiting long for slow disks.

        `files`: also where only files changed, and not `HEAD`.
        """
        found = set()
        until = time.monotonic() + DENIAL_SECONDS
        indexed = [(scope, self._snapshot.indexed[scope.id]) for scope in scopes if scope.id in self._snapshot.indexed]
        room = DENIAL_LOOKS - len(self._checks)
        wanted: list[tuple[Registered, Indexed]] = []
        others: list[tuple[Registered, Indexed]] = []
        for scope, record in indexed:
            known = scope.id in self._checks
            (wanted if files and (known or room > 0) else others).append((scope, record))
            room -= 0 if known else 1
        # The looks share the processors; begun last, a large project would be waited for alone.
        wanted.sort(key=lambda each: -each[1].bytes)
        looked_at = [(scope, record, self.at(scope)) for scope, record in wanted]
        found.update(scope.id for scope, record in others if head_moved(scope, record))
        for scope, record, check in looked_at:
            if check is not None and check.done.wait(max(0.0, until - time.monotonic())) and check.state is not None:
                moved = check.state.fingerprint != record.fingerprint  # which `HEAD` is part of
            else:
                moved = head_moved(scope, record)
            if moved:
                found.add(scope.id)
        return sorted(found)

    def quickly_caught_up(self, seconds: float) -> list[str]:
        """The projects that are behind and expected to be caught up, together, within so many seconds; 0: none."""
        if seconds <= 0:
            return []
        found = []
        until = time.monotonic() + WAIT_SECONDS
        for identity, check in self._checks.items():
            record = self._snapshot.indexed[identity]
            if not check.done.wait(max(0.0, until - time.monotonic())) or check.state is None:
                continue
            if check.state.fingerprint == record.fingerprint or record.signature != self._snapshot.rules():
                continue
            expected = expected_seconds(record, check.state)
            if expected <= seconds:
                found.append(identity)
                seconds -= expected
        return found


def head_moved(scope: Registered, record: Indexed) -> bool:
    """Whether another commit is checked out than the one that was indexed. False where the repository is gone."""
    repository = repository_at(scope.repository_root)
    return repository is not None and head_commit(repository) != record.commit


def other_worktree(here: Place | None, scope: Registered) -> Repository | None:
    """The repository around the caller, when it is another work tree of the project (or of its monorepo) than the one
    that is registered.
    """
    if here is None or here.repository is None or here.repository.root == scope.repository_root:
        return None
    if here.scope is None or not here.is_elsewhere:
        return None
    same = here.scope.id == scope.id or (scope.common_dir is not None and here.scope.common_dir == scope.common_dir)
    return here.repository if same else None


def how_current(scope: Registered, record: Indexed, root: Path | None, looks: Looks) -> tuple[bool, Note | None]:
    """Whether nothing changed since a project was indexed, and what a reader should know if not.

    `root`: where its files are now; None where it is gone.
    """
    if root is None:
        if scope_presence(scope) == "unreachable":
            return False, NotThere(str(scope.path), "unreachable")
        return False, NotThere(str(scope.path), "no_repository" if scope.path.exists() else "gone")
    check = looks.at(scope)
    in_time = check is not None and check.done.wait(WAIT_SECONDS)
    if check is not None and in_time and check.state is not None and check.state.fingerprint == record.fingerprint:
        return True, None
    if head_moved(scope, record):
        return False, Changed(scope.id, head=True)
    if check is None or not in_time:
        return False, NotCompared("")
    if check.error is not None:
        return False, NotCompared(str(check.error))
    return False, Changed(scope.id, head=False)
