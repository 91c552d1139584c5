"""Which project a place on disk is: the one resolver that scanning, adding, indexing and asking share.

A project is told by three things, in this order: the git directory that all its work trees share, the place it stands
in its repository (a package of a monorepo is a project of its own), and the root commit, which every clone of it has.
The name of a directory is only a label. What is not where it was is moved, gone or unreachable, and those are
different: a moved clone keeps all it was given, a deleted one can be forgotten, and a disk that is not mounted must
cost nobody anything.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from loci.core.errors import InvalidRequest, NotARepository
from loci.core.home.git import Repository, repository_around, repository_at
from loci.core.home.home import Home
from loci.core.home.registry import Registered, Registry, remote_of

Presence = Literal["there", "gone", "unreachable"]
HOME_MOUNTS = ("/", "/home", "/Users", "/root")
"""Always mounted while somebody works on the machine, so nothing is learnt from naming them."""


@dataclass(frozen=True)
class Place:
    """A directory as loci sees it.

    `path`: the directory itself, resolved. `repository`: the innermost one around it, None outside of any. `scope`: the
    project it belongs to, None when none is registered. `root`: where that project's files are in the work tree that
    `path` lies in, which is not the registered one for a linked worktree or a clone that has moved.
    """

    path: Path
    repository: Repository | None
    scope: Registered | None
    root: Path | None

    @property
    def is_elsewhere(self) -> bool:
        """Whether the caller stands in another work tree of the project than the registered one."""
        return self.scope is not None and self.root is not None and self.root != self.scope.path

    @property
    def registered(self) -> Path:
        """`path`, moved to the registered work tree."""
        if self.scope is None or self.root is None or not self.is_elsewhere:
            return self.path
        return self.scope.path / self.path.relative_to(self.root)


def place_of(path: Path, registry: Registry) -> Place:
    """Where `path` lies: the deepest registered project around it, whichever work tree of it that is."""
    path = path.resolve()
    repository = repository_around(path)
    if repository is None:
        scope = registry.containing(path)
        return Place(path, None, scope, scope.path if scope else None)
    inside = path.relative_to(repository.root).parts
    of_repository = [scope for scope in registry.scopes.values() if scope.common_dir == repository.common_dir]
    parts = [scope for scope in of_repository if _parts(scope.subtree) == inside[: len(_parts(scope.subtree))]]
    if parts:
        scope = max(parts, key=lambda scope: len(_parts(scope.subtree)))
        return Place(path, repository, scope, repository.root.joinpath(*_parts(scope.subtree)))
    scope = registry.containing(path)
    if scope is not None and repository.root in (scope.path, *scope.path.parents):
        return Place(path, repository, scope, scope.path)  # another clone stands where the registered one stood
    moved = find_moved(repository, registry)
    if moved is not None:
        return Place(path, repository, moved, repository.root)
    # An unregistered clone inside a registered project is no part of it, but the nearest thing known there.
    return Place(path, repository, scope, scope.path if scope else None)


def directory_of(registry: Registry, place: str | os.PathLike[str]) -> Path:
    """`place` (a path or a file URI), moved to the registered work tree when it lies in another one of the same."""
    return place_of(readable_path(place), registry).registered


def resolve(registry: Registry, wanted: str, *, exact: bool = False) -> Registered:
    """The project meant by an id, a name or a path; see `Registry.resolve`. Raises `UnknownScope`, `AmbiguousScope`."""
    return registry.resolve(wanted, lambda path: registry.containing(directory_of(registry, path)), exact=exact)


def resolve_all(home: Home, wanted: Collection[str] | None) -> set[str] | None:
    """The ids of the projects meant, ids first; None where none is given, which stands for all."""
    if not wanted:
        return None
    registry = Registry.load(home)
    return {resolve(registry, each, exact=True).id for each in wanted}


def readable_path(place: str | os.PathLike[str]) -> Path:
    """A path as people and clients write it: `~` and file URIs are understood."""
    from loci.router import as_path

    try:
        path = as_path(os.fspath(place))
        # Asked once here, so that no later step meets a name that the system cannot even look up.
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            path.stat()
    except RuntimeError:
        raise InvalidRequest(f"{place} begins with the home directory of a user who is not known here") from None
    except (ValueError, OSError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InvalidRequest(f"{str(place)[:200]!r} cannot be a path: {reason}") from None
    return path


def existing_directory(path: str | os.PathLike[str]) -> Path:
    """The directory at `path`, resolved; raises `NotARepository` where there is none, `InvalidRequest` for no path."""
    path = readable_path(path)
    if not path.exists():
        raise NotARepository(path, "does not exist")
    if not path.is_dir():
        raise NotARepository(path, "is a file, not a directory")
    return path.resolve()


def root_commit(repository: Repository) -> str | None:
    """The first commit of the line of first parents; None for a shallow clone, before the first commit, and where git's
    files cannot be read. Takes some microseconds a commit, so it is kept in the registry.
    """
    from loci import episodes

    try:
        return episodes.root_commit(repository.root)
    except (episodes.EpisodesError, OSError):
        return None


def presence(path: Path, mount: Path | None = None) -> Presence:
    """Whether the directory is there, was deleted or moved (gone), or cannot be told to be either (unreachable).

    `mount`: where the file system it stood on was mounted; while nothing is mounted there, nothing is known.
    """
    try:
        path.stat()
        return "there"
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError):
        return "unreachable"
    if mount is not None and not os.path.ismount(mount):
        return "unreachable"
    try:
        path.parent.stat()
    except OSError:
        return "unreachable"
    return "gone"


def mount_of(path: Path) -> Path | None:
    """Where the file system that holds `path` is mounted; None for the one the machine itself runs from."""
    for directory in (path, *path.parents):
        if str(directory) in HOME_MOUNTS:
            return None
        try:
            if os.path.ismount(directory):
                return directory
        except OSError:
            return None
    return None


def scope_presence(scope: Registered) -> Presence:
    """`presence` of a project: of its repository, and for a package of one, of its directory."""
    state = presence(scope.path, scope.mount)
    if state == "there" and repository_at(scope.repository_root) is None:
        return "gone"
    return state


def find_moved(repository: Repository, registry: Registry) -> Registered | None:
    """The registered project that `repository` is, moved from where it was; None when it is none of those."""
    return moved_among([repository], registry).get(repository.root)


def moved_among(
    repositories: Sequence[Repository],
    registry: Registry,
    *,
    displaced: bool = False,
    roots: Mapping[Path, str | None] | None = None,
) -> dict[Path, Registered]:
    """Which of the registered projects that are not where they were are these repositories, by their root.

    Told by the root commit, where both are known, and by the remote. Forks share their root commit, so with different
    remotes the directory must at least have kept its name. Each project is found once, in the likeliest place.

    `displaced`: also those in whose place another project stands now, which takes a look at the history of each that
    shares its root commit with one of `repositories`. `roots`: their root commits, by root, where they are known.
    """
    known = roots or {}
    missing = [scope for scope in missing_scopes(registry) if not scope.subtree]
    if displaced:
        missing += _displaced({known.get(each.root) or root_commit(each) for each in repositories}, registry)
    if not missing:
        return {}
    matches = []
    for repository in repositories:
        remote = remote_of(repository)
        root = known.get(repository.root) or root_commit(repository)
        label = repository.root.name.casefold()
        for scope in missing:
            same_remote = scope.remote is not None and scope.remote == remote
            same_label = scope.path.name.casefold() == label
            if scope.root_commit is not None and root is not None:
                one_unknown = scope.remote is None or remote is None
                same = scope.root_commit == root and (same_remote or one_unknown or same_label)
            else:
                same = same_remote
            if same:
                matches.append((not same_remote, not same_label, str(repository.root), scope.id))
    found: dict[Path, Registered] = {}
    taken = set()
    for _, _, place, identity in sorted(matches):
        if Path(place) not in found and identity not in taken:
            found[Path(place)] = registry.scopes[identity]
            taken.add(identity)
    return found


def _displaced(roots: Collection[str | None], registry: Registry) -> list[Registered]:
    """The projects whose root commit is one of `roots`, while what stands in their place has another."""
    found = []
    for scope in registry.scopes.values():
        if scope.root_commit in roots and scope.root_commit and not scope.subtree and scope_presence(scope) == "there":
            there = repository_at(scope.path)
            root = root_commit(there) if there else None
            if root is not None and root != scope.root_commit:
                found.append(scope)
    return found


def missing_scopes(registry: Registry) -> list[Registered]:
    """The projects that may have moved: not where they were, though the disk they were on is there."""
    return [
        scope
        for scope in registry.scopes.values()
        if scope_presence(scope) != "there" and (scope.mount is None or os.path.ismount(scope.mount))
    ]


def _parts(subtree: str) -> tuple[str, ...]:
    return tuple(part for part in subtree.split("/") if part)
