"""Git's own files, before the kernel opens them: one that is a pipe or a device would never come to an end, and one of
gigabytes takes minutes and all the memory there is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ._errors import RepositoryUnreadable

_OF_A_WORK_TREE = ("HEAD", "index", "commondir", "gitdir", "config.worktree", "info/sparse-checkout")
_SHARED = (
    "config",
    "packed-refs",
    "shallow",
    "info/exclude",
    "info/grafts",
    "info/attributes",
    "objects/info/alternates",
    "objects/info/commit-graph",
)
_IN_THE_WORK_TREE = (".git", ".gitmodules", ".gitignore")
_MAY_BE_LARGE = frozenset({"index", "packed-refs", "shallow", "commit-graph"})
_LARGEST = 100_000_000
"""Bytes of the others; git itself passes a larger file of patterns over."""
_LONGEST_POINTER = 64 * 1024


def refuse_irregular(root: Path) -> None:
    """Raises `RepositoryUnreadable` when one of git's own files of a repository is no file or beyond reason.

    Nothing is said of a root that is no repository.
    """
    _stand_somewhere()
    for path in _files(root):
        try:
            status = path.stat()
        except (OSError, ValueError):
            continue
        mode = status.st_mode
        if stat.S_ISREG(mode) and status.st_size > _LARGEST and path.name not in _MAY_BE_LARGE:
            size = f"{status.st_size / 1e6:.0f} MB"
            raise RepositoryUnreadable(f"cannot read the repository of `{root}`: `{path}` has {size}")
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise RepositoryUnreadable(f"cannot read the repository of `{root}`: `{path}` is a pipe or a device")


def _stand_somewhere() -> None:
    """A server outlives the directory that it was started in, and from one that is gone no repository can be opened,
    not even at an absolute path.
    """
    try:
        os.getcwd()  # noqa: PTH109
    except OSError:
        os.chdir(os.sep)


def _files(root: Path) -> Iterator[Path]:
    for name in _IN_THE_WORK_TREE:
        yield root / name
    git_directory = _pointed_to(root / ".git")
    if git_directory is None:
        git_directory = root / ".git" if (root / ".git").is_dir() else root
    for name in _OF_A_WORK_TREE:
        yield git_directory / name
    shared = git_directory
    line = _first_line(git_directory / "commondir")
    if line:
        shared = git_directory / line
    for name in _SHARED:
        yield shared / name
    head = _first_line(git_directory / "HEAD")
    if head.startswith("ref:"):
        yield git_directory / head[4:].strip()
        yield shared / head[4:].strip()


def _pointed_to(dot_git: Path) -> Path | None:
    line = _first_line(dot_git)
    return dot_git.parent / line[7:].strip() if line.startswith("gitdir:") else None


def _first_line(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return os.fsdecode(file.readline(_LONGEST_POINTER)).strip()
    except (OSError, ValueError):
        return ""
