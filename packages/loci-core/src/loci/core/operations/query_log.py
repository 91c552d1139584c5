"""The questions that were asked, kept on request: what a person measures loci with later (`loci eval new`).

Nothing is kept unless the person switched it on, which makes the file `asked.jsonl` in the home; while it is there, the
command line and the server add a line for every question. Switching it off deletes the file with everything in it. It
stays on this machine, secrets in questions are replaced like those in repositories, and it never grows beyond
`LARGEST`: the oldest questions are dropped.

Programs that use `Memory` keep nothing by asking; only a face that calls `Memory.keep_question` does.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from loci.core.errors import HomeNotWritable, LociError
from loci.core.home.home import Home
from loci.core.home.identity import place_of, readable_path, resolve
from loci.core.home.registry import Registry

if TYPE_CHECKING:
    from loci.router import Route

KEPT = 500
"""How many questions are left when the file has become too large."""

LARGEST = 1_000_000
"""Bytes of the file from which the oldest questions are dropped."""

LONGEST = 1_000
"""Characters kept of one question. Longer ones are pasted logs, of which the beginning says what they are."""


@dataclass(frozen=True)
class LoggedQuestion:
    """One question as it was asked.

    time: seconds since 1970. reason: why nothing answered, or None. scopes: the ids of the projects that answered.
    given: the project that the person named with `--scope`, which tells what would have been right. here: the project
    they stood in.
    """

    time: int
    question: str
    reason: str | None
    scopes: tuple[str, ...]
    given: str | None = None
    here: str | None = None

    @property
    def abstained(self) -> bool:
        """Whether no project answered."""
        return not self.scopes


class QueryLog:
    """The kept questions of one home."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self.path = home.directory / "asked.jsonl"

    @property
    def is_on(self) -> bool:
        """Whether questions are kept."""
        return self.path.is_file()

    def switch_on(self) -> None:
        """Keeps questions from now on. Raises `HomeNotWritable`."""
        self._home.create()
        try:
            # Questions are nobody else's business, whatever the permissions of the home.
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        except OSError as error:
            raise HomeNotWritable(self._home.directory, error.strerror or str(error)) from error

    def switch_off(self) -> int:
        """Stops keeping questions and deletes those kept; returns how many there were. Raises `HomeNotWritable`."""
        kept = len(self.read())
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise HomeNotWritable(self._home.directory, error.strerror or str(error)) from error
        return kept

    def add(self, route: Route, *, given: str | None = None, here: str | None = None) -> None:
        """Keeps a question where that is switched on. Never fails: a question is answered whether it is kept or not."""
        with contextlib.suppress(OSError):
            # Without O_CREAT: a file that is switched off in this very moment stays deleted.
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            try:
                os.write(descriptor, _line(route, given, here))  # one write, so that lines of two processes stay whole
                large = os.fstat(descriptor).st_size > LARGEST
            finally:
                os.close(descriptor)
            if large:
                self._drop_oldest()

    def read(self) -> list[LoggedQuestion]:
        """The kept questions, oldest first; lines that were cut short are left out. Empty when it is off."""
        try:
            lines = self.path.read_bytes().splitlines()
        except OSError:
            return []
        return [asked for line in lines if (asked := _parse(line)) is not None]

    def _drop_oldest(self) -> None:
        lines = self.path.read_bytes().splitlines(keepends=True)[-KEPT:]
        size = sum(map(len, lines))
        while len(lines) > 1 and size > LARGEST // 2:
            size -= len(lines.pop(0))
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(b"".join(lines))
            if self.is_on:
                # A question that another process adds between reading and this is lost: one of hundreds, once in a
                # thousand, for a file that no lock has to guard while somebody waits for an answer.
                temporary.replace(self.path)
        finally:
            temporary.unlink(missing_ok=True)


def _line(route: Route, given: str | None, here: str | None) -> bytes:
    from loci.episodes import redact

    # Redacted whole: half of a secret is not recognised as one.
    question = redact(route.question.encode("utf-8", "replace").decode("utf-8"))[:LONGEST]
    record = {
        "time": int(time.time()),
        "question": question,
        "reason": route.reason,
        "scopes": [scope.id for scope in route.scopes],
        "given": given,
        "here": here,
    }
    return (json.dumps(record) + "\n").encode("ascii")


def _parse(line: bytes) -> LoggedQuestion | None:
    try:
        value: Any = json.loads(line)
        return LoggedQuestion(
            time=int(value["time"]),
            question=str(value["question"]),
            reason=value["reason"],
            scopes=tuple(map(str, value["scopes"])),
            given=value["given"],
            here=value["here"],
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def keep_question(home: Home, route: Route, cwd: str | os.PathLike[str] | None, scope: str | None) -> None:
    """See `loci.core.Memory.keep_question`."""
    log = QueryLog(home)
    if not log.is_on:
        return
    here = given = None
    with contextlib.suppress(LociError, OSError, ValueError):
        registry = Registry.load(home)
        given = None if scope is None else resolve(registry, scope).id
        place = None if cwd is None else place_of(readable_path(cwd), registry)
        here = place.scope.id if place is not None and place.scope is not None else None
    log.add(route, given=given, here=here)
