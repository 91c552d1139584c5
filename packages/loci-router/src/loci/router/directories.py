"""Which scope the working directory stands in: the deepest one that contains it.

Directories are compared as the file system sees them, not as strings: by device and inode where both exist, so
symlinks, bind mounts and case-insensitive file systems need no rules of their own; by resolved path where one does
not.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .model import Scope


def as_path(cwd: str | Path) -> Path:
    """`cwd` as a path; a `file://` URI is understood (`file:///c%3A/work` too), `~` is the home directory."""
    text = str(cwd)
    if text.lower().startswith("file:"):
        parts = urlsplit(text)
        text = unquote(parts.path)
        if parts.netloc and parts.netloc.lower() != "localhost":
            text = f"//{parts.netloc}{text}"
        if len(text) > 2 and text[0] == "/" and text[2] == ":":
            text = text[1:]  # /c:/work
    return Path(text).expanduser()


def _resolved(path: Path) -> Path:
    # Never strict: a directory that is gone is still inside its repository.
    return Path(os.path.realpath(path))


def _key(path: Path) -> str:
    return os.path.normcase(str(path))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    # Some file systems know no inodes and answer 0 for every file.
    return (status.st_dev, status.st_ino) if status.st_ino else None


def _catch_all(path: Path) -> bool:
    """Whether a directory holds a person's whole machine: a file system root or a home directory."""
    if path == path.parent:
        return True
    try:
        return path == _resolved(Path.home())
    except RuntimeError:  # no home directory is known
        return False


class Directories:
    """The directories of all scopes, ready to be asked for the one that contains a given directory.

    Args:
        scopes: The registered scopes; those without a path own nothing.
        worktrees: directory -> scope id, for linked worktrees that stand elsewhere but belong to a scope's repository.

    """

    def __init__(self, scopes: Iterable[Scope], worktrees: Mapping[str | Path, str] | None = None) -> None:
        owned = [(scope.path, scope.id) for scope in scopes if scope.path is not None]
        owned += [(Path(path), scope) for path, scope in (worktrees or {}).items()]
        self._by_path: dict[str, str] = {}
        self._by_identity: dict[tuple[int, int], tuple[Path, str]] = {}
        for path, scope in sorted(owned, key=lambda pair: (pair[1], str(pair[0]))):
            resolved = _resolved(Path(path).expanduser())
            self._by_path.setdefault(_key(resolved), scope)
            identity = _identity(resolved)
            if identity is not None:
                self._by_identity.setdefault(identity, (resolved, scope))

    def containing(self, cwd: str | Path | None) -> str | None:
        """The id of the deepest scope that contains `cwd`, or None.

        A scope that is the file system root or the home directory (dotfiles are kept so) contains everything, which
        says
        nothing: it counts only when `cwd` is that directory itself.
        """
        if cwd is None:
            return None
        start = _resolved(as_path(cwd))
        for directory in (start, *start.parents):
            scope = self._owner(directory)
            if scope is not None and (directory == start or not _catch_all(directory)):
                return scope
        return None

    def _owner(self, directory: Path) -> str | None:
        scope = self._by_path.get(_key(directory))
        if scope is not None:
            return scope
        identity = _identity(directory)
        if identity is None or identity not in self._by_identity:
            return None
        path, scope = self._by_identity[identity]
        # An inode is reused once its directory is gone: it counts only while the scope's own directory still has it.
        return scope if _identity(path) == identity else None
