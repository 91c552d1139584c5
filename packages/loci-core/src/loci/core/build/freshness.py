"""Whether what is indexed is what is there, and catching up while a question waits.

A project is compared by its `HEAD` and by the name, size and times of its files, so a pull, a rebase, a checkout, an
amended commit, a stash, a file that is new, renamed or gone, and an edit a second ago all show. Catching up reads what
changed and takes some hundredths of a second for most projects, so a question does it first where that is expected to
be quick; else it answers from what there is and says what is behind.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core.errors import LociError
from loci.core.home.home import Home
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
