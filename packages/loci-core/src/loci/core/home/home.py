"""The home directory: where its files are, and how they are replaced without ever being half written."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loci.core.errors import BuildLocked, DamagedFile, HomeNotWritable, InvalidRequest

ENVIRONMENT_VARIABLE = "LOCI_HOME"
LOCK_WAIT_SECONDS = 1.0  # A question that brings a project up to date holds the lock for some tenths of a second.
REGISTRY_WAIT_SECONDS = (
    10.0  # An edit of the registry takes milliseconds; whoever waits longer than this met a stuck one.
)


@dataclass(frozen=True)
class Home:
    """One directory for all projects, since routing is a decision across them. Nothing is created by naming it."""

    directory: Path

    @classmethod
    def locate(cls, directory: str | os.PathLike[str] | None = None) -> Home:
        """`directory` if given, else `$LOCI_HOME`, else `~/.loci`."""
        chosen = directory or os.environ.get(ENVIRONMENT_VARIABLE) or Path("~/.loci")
        try:
            return cls(Path(chosen).expanduser().absolute())
        except RuntimeError:
            raise InvalidRequest(
                f"the home directory {chosen} begins with that of a user who is not known here",
                f"set {ENVIRONMENT_VARIABLE} to a whole path",
            ) from None

    @property
    def registry(self) -> Path:
        """`scopes.json`: the registered projects and scanned roots."""
        return self.directory / "scopes.json"

    @property
    def groups(self) -> Path:
        """`groups.json`: the person's own policy."""
        return self.directory / "groups.json"

    @property
    def calibration(self) -> Path:
        """`calibration.json`: fitted weights and thresholds."""
        return self.directory / "calibration.json"

    @property
    def overlays(self) -> Path:
        """`overlays`: the indexes of linked worktrees that were asked from; can be deleted at any time."""
        return self.directory / "overlays"

    @property
    def models(self) -> Path:
        """`models.json`: which models `loci embed` used and `loci ask` goes on using."""
        return self.directory / "models.json"

    @property
    def manifest(self) -> Path:
        """`manifest.json`: the commit point of the index."""
        return self.directory / "manifest.json"

    @property
    def uses(self) -> Path:
        """`uses.json`: who uses whom, collected."""
        return self.directory / "uses.json"

    @property
    def segments(self) -> Path:
        """The directory of immutable segment files."""
        return self.directory / "segments"

    def create(self) -> None:
        """Makes the directory and its `segments`; raises `HomeNotWritable`."""
        with self._writing():
            # Others on the machine have no business reading an index of private code.
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.segments.mkdir(mode=0o700, exist_ok=True)

    @contextlib.contextmanager
    def build_lock(self, wait: float = 0.0) -> Iterator[None]:
        """Held while an index is built; raises `BuildLocked` when somebody else still holds it after `wait` seconds.

        The operating system holds it, so a killed build leaves no lock behind. Of several that would wait only the
        first does: it will build what the others wanted too, so they raise `BuildLocked` at once.
        """
        from filelock import FileLock, Timeout  # 45 ms to import, and no question needs it

        self.create()
        holder = self.directory / "lock.holder"
        lock = FileLock(self.directory / "lock")
        try:
            with self._writing():
                try:
                    lock.acquire(timeout=0)
                except Timeout:
                    if wait <= 0:
                        raise
                    with FileLock(self.directory / "lock.next").acquire(timeout=0):
                        lock.acquire(timeout=wait)
        except Timeout:
            raise BuildLocked(self.directory, _read_pid(holder)) from None
        try:
            with contextlib.suppress(OSError):
                holder.write_text(f"{os.getpid()}\n", encoding="ascii")
            yield
        finally:
            with contextlib.suppress(OSError):
                holder.unlink(missing_ok=True)
            lock.release()

    @contextlib.contextmanager
    def registry_lock(self) -> Iterator[None]:
        """Held for the milliseconds in which the registry is read, changed and written.

        Apart from the build lock: a project can be registered while an index is being built.
        """
        from filelock import FileLock, Timeout

        self.create()
        lock = FileLock(self.directory / "scopes.lock")
        try:
            with self._writing():
                lock.acquire(timeout=REGISTRY_WAIT_SECONDS)
        except Timeout:
            raise BuildLocked(self.directory, None) from None
        try:
            yield
        finally:
            lock.release()

    def write_json(self, path: Path, value: Any, *, indent: int | None = 1) -> None:
        """Replaces `path` atomically: whoever reads it sees the old content or the new, also after a power cut.

        `indent=None`: one line, for what no person reads; a large file is written several times faster so.
        """
        text = json.dumps(value, ensure_ascii=False, indent=indent) + "\n"
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:  # a file name that is no UTF-8; escaped it stays what it is, in a file that is UTF-8
            data = (json.dumps(value, indent=indent) + "\n").encode("ascii")
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        with self._writing():
            try:
                with temporary.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                _replace(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
            sync_directory(path.parent)

    def remove_leftovers(self, path: Path) -> None:
        """Removes what writers of `path` left when they were killed; the caller holds the lock of that file."""
        for leftover in self.directory.glob(f".{path.name}.*.tmp"):
            with contextlib.suppress(OSError):
                leftover.unlink()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise  # a busy lock, not an unwritable directory
        except OSError as error:
            raise HomeNotWritable(self.directory, error.strerror or str(error)) from error


def _replace(source: Path, target: Path) -> None:
    for _ in range(20):
        try:
            return os.replace(source, target)  # noqa: PTH105 (the tests stop the process at exactly this call)
        except PermissionError:
            if os.name != "nt":
                raise
            time.sleep(0.05)  # Windows refuses while somebody reads the old file, which takes a moment
    return os.replace(source, target)  # noqa: PTH105


def sync_directory(directory: Path) -> None:
    """Makes a rename in `directory` durable. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_json(path: Path, *, hint: str | None = None) -> dict[str, Any] | None:
    """The object in `path`, or None when there is no such file; raises `DamagedFile` naming line and column.

    `hint`: what repairs the file, for that error; by default a person has to.
    """
    try:
        # A pipe in the place of a file would never come to an end.
        if not path.is_file() and path.exists():
            raise DamagedFile(path, "it is no file", hint=hint)
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedFile(path, error.strerror or str(error), hint=hint) from error
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise DamagedFile(path, error.msg, error.lineno, error.colno, hint=hint) from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise DamagedFile(path, "not UTF-8 text", line, column, hint=hint) from error
    except RecursionError as error:
        raise DamagedFile(path, "nested too deeply", hint=hint) from error
    if not isinstance(value, dict):
        raise DamagedFile(path, "the whole file must be one JSON object", 1, 1, hint=hint)
    return value


def file_state(path: Path) -> tuple[int, int, int] | None:
    """Changes whenever the file is replaced or edited; None when it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _read_pid(holder: Path) -> int | None:
    try:
        return int(holder.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
