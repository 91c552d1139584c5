"""The public benchmark that the package carries: which repositories, at which commits, and the questions.

The manifest and the questions are files of the package; the repositories are not. `fetch_corpus` brings them from
their public addresses, whole, since many of the questions are about their history. It is the only code of loci that
uses the network, and it only runs when a benchmark is asked for without a corpus.

Every repository is made in a folder of another name and renamed when it is complete, so that a folder under its own
name is a finished one whatever happened to an earlier run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from ..errors import CorpusError
from .questions import Question, parse_questions

__all__ = [
    "CONCURRENT",
    "DOWNLOAD",
    "Fetched",
    "Pinned",
    "cache_folder",
    "fetch_corpus",
    "missing",
    "moved",
    "public_corpus",
    "public_questions",
]

DOWNLOAD = "up to 2.6 GB"
"""What fetching all of it takes at most: the size of complete bare copies of the 30 repositories (2026-11-30)."""

PUBLIC_ADDRESS = "https://github.com"

CONCURRENT = 3
"""Repositories fetched at a time: more only share the same line, and a public server has other users."""

PINNED_REFERENCE = "refs/loci/pinned"
"""git writes it only when everything behind the commit has arrived; that the commit is there does not say so."""

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total), from one thread at a time."""


@dataclass(frozen=True)
class Pinned:
    """One repository of the public benchmark.

    name: the scope, which is the name of its folder. repository: `owner/name`. commit: 40 hexadecimal digits.
    """

    name: str
    repository: str
    commit: str

    @property
    def address(self) -> str:
        """Where it is public."""
        return f"{PUBLIC_ADDRESS}/{self.repository}.git"


@dataclass
class Fetched:
    """What there is of a corpus after fetching it: the folders by name, and why the others are missing."""

    folders: dict[str, Path] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def public_corpus() -> list[Pinned]:
    """The 30 repositories of the public benchmark, by name."""
    manifest = json.loads(_shipped("corpus.json"))
    return [Pinned(name, entry["repository"], entry["commit"]) for name, entry in sorted(manifest.items())]


def public_questions() -> list[Question]:
    """The 214 questions of the public benchmark, in the order of the file."""
    return parse_questions(_shipped("questions.jsonl").split(b"\n"), name="public questions")


def cache_folder() -> Path:
    """Where a fetched corpus is kept: `loci/bench` in the user's own cache folder. Nothing is created."""
    home = Path.home()
    if sys.platform == "darwin":
        base = home / "Library" / "Caches"
    elif os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        given = os.environ.get("XDG_CACHE_HOME", "")
        base = Path(given) if Path(given).is_absolute() else home / ".cache"
    return base / "loci" / "bench"


def moved(folders: Mapping[str, Path], pinned: Collection[Pinned]) -> list[str]:
    """The repositories that are there but stand at another commit than the pinned one, by name."""
    return [each.name for each in pinned if each.name in folders and not _stands_at(folders[each.name], each.commit)]


def missing(pinned: Collection[Pinned], target: Path) -> list[Pinned]:
    """The repositories that would have to be fetched into `target`."""
    return [each for each in pinned if not _stands_at(target / each.name, each.commit)]


def fetch_corpus(
    pinned: Collection[Pinned], target: Path, *, mirror: str | None = None, progress: Progress | None = None
) -> Fetched:
    """Brings the repositories into `target`, a folder each, with their whole history and the pinned commit checked out.

    What is there already is left alone, also after an interrupted run. A repository that cannot be fetched does not
    stop the others; it is named in `failed` with git's own reason.

    mirror: fetch from `MIRROR/owner/name.git` instead of the public address; the repositories still name the public one
        as their origin, so that the figures are the same.
    progress: called with the stage "fetch" and hundredths of repositories.

    Raises CorpusError when git is missing, when the folder cannot be written, or when another process fetches into it.
    """
    wanted = missing(pinned, target)
    there = sorted(each.name for each in pinned if each not in wanted)
    fetched = Fetched(folders={name: target / name for name in there})
    if not wanted:
        return fetched
    from filelock import FileLock, Timeout

    try:
        target.mkdir(parents=True, exist_ok=True)
        lock = FileLock(target / ".lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise CorpusError(f"another `loci eval bench` fetches into {target}; wait for it") from None
    except OSError as error:
        raise CorpusError(f"cannot write into {target}: {error.strerror or error}") from error
    share = _Shares([each.name for each in wanted], progress)

    def bring(each: Pinned) -> tuple[Pinned, str | None]:
        address = each.address if mirror is None else f"{mirror.rstrip('/')}/{each.repository}.git"
        try:
            _bring(each, target, address, lambda percent: share(each.name, percent))
        except _GitFailed as error:
            return each, str(error)
        except OSError as error:
            return each, error.strerror or str(error)
        finally:
            share(each.name, 100)
        return each, None

    pool = ThreadPoolExecutor(CONCURRENT, "loci-fetch")
    try:
        for each, reason in pool.map(bring, wanted):
            if reason is None:
                fetched.folders[each.name] = target / each.name
            else:
                fetched.failed[each.name] = reason
    finally:
        # Whoever stops it does not want the rest to begin.
        pool.shutdown(wait=True, cancel_futures=True)
        lock.release()
    fetched.folders = dict(sorted(fetched.folders.items()))
    return fetched


class _GitFailed(Exception):
    """What git said, on one line."""


class _Shares:
    """How much of all repositories has come, told in hundredths of one."""

    def __init__(self, names: Collection[str], progress: Progress | None) -> None:
        self._percent = dict.fromkeys(names, 0)
        self._progress = progress
        self._lock = threading.Lock()

    def __call__(self, name: str, percent: int) -> None:
        with self._lock:
            self._percent[name] = max(self._percent[name], percent)
            if self._progress is not None:
                self._progress("fetch", sum(self._percent.values()), 100 * len(self._percent))


def _shipped(name: str) -> bytes:
    return (files("loci.eval") / "public" / name).read_bytes()


def _stands_at(folder: Path, commit: str) -> bool:
    try:
        head = (folder / ".git" / "HEAD").read_text(encoding="ascii").strip()
        if head == commit:
            return True
        # Somebody who laid the corpus out by hand has a branch there.
        if head.startswith("ref: "):
            return _git(folder, "rev-parse", "--verify", "--quiet", "HEAD").strip() == commit
    except (OSError, ValueError, _GitFailed):
        pass
    return False


def _bring(pinned: Pinned, target: Path, address: str, advance: Callable[[int], None]) -> None:
    folder, unfinished = target / pinned.name, target / f".unfinished-{pinned.name}"
    if folder.exists():
        if not (folder / ".git").exists():
            raise _GitFailed(f"{folder} is in the way: it is no git repository")
        if unfinished.exists():
            raise _GitFailed(f"{folder} stands at another commit and {unfinished} is left over; remove one of them")
        folder.rename(unfinished)  # of an older release; the pinned commit moved on
    unfinished.mkdir(parents=True, exist_ok=True)
    # We hold the lock of the folder, so whoever left this is dead.
    (unfinished / ".git" / "index.lock").unlink(missing_ok=True)
    _git(unfinished, "init", "--quiet")
    _git(unfinished, "config", "remote.origin.url", pinned.address)
    try:
        arrived = _git(unfinished, "rev-parse", "--verify", "--quiet", PINNED_REFERENCE).strip() == pinned.commit
    except _GitFailed:
        arrived = False
    if not arrived:
        _git(
            unfinished,
            "fetch",
            "--progress",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-write-fetch-head",
            address,
            f"+{pinned.commit}:{PINNED_REFERENCE}",
            advance=lambda percent: advance(percent * 95 // 100),
        )
    # Hooks of the person's own template would run here.
    _git(unfinished, "checkout", "--quiet", "--force", "--detach", pinned.commit)
    unfinished.rename(folder)


_SETTINGS = (
    *("-c", "core.hooksPath=" + os.devnull),
    *("-c", "core.autocrlf=false"),
    *("-c", "core.longPaths=true"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "gc.auto=0"),
    # A line that brings less than 1 kB/s for a minute is dead; git would wait for it for ever.
    *("-c", "http.lowSpeedLimit=1000"),
    *("-c", "http.lowSpeedTime=60"),
)

# Nobody is asked for a password, no large file is fetched behind git's back, and git speaks English.
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1", "LC_ALL": "C"}
# What says which repository is meant, when git itself runs this (a hook, an alias).
_STRANGE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE")


def _git(folder: Path, *arguments: str, advance: Callable[[int], None] | None = None) -> str:
    """Runs git in `folder` and returns its stdout; raises _GitFailed with its reason.

    Its progress comes as `Receiving objects:  45% (...)` with carriage returns, on stderr.
    """
    environment = {key: value for key, value in os.environ.items() if key not in _STRANGE} | _ENVIRONMENT
    try:
        process = subprocess.Popen(
            ["git", *_SETTINGS, "-C", str(folder), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if advance is None else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except FileNotFoundError:
        raise CorpusError("fetching the repositories needs git, which is not installed") from None
    output, said = b"", b""
    with process:
        if advance is None:
            output, said = process.communicate()
        else:
            assert process.stderr is not None
            while chunk := process.stderr.read1(4096):  # pyright: ignore[reportAttributeAccessIssue]
                said = (said + chunk)[-8192:]
                seen = re.findall(rb"Receiving objects: +(\d+)%", said)
                if seen:
                    advance(int(seen[-1]))
    if process.returncode:
        lines = [line.strip() for line in re.split(r"[\r\n]+", said.decode("utf-8", "replace")) if line.strip()]
        telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines[-1:] or ["git failed"]
        raise _GitFailed("; ".join(dict.fromkeys(telling[:3])))
    return output.decode("utf-8", "replace")
