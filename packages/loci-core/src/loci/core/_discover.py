"""Finding repositories below a directory without walking what cannot hold a person's own project."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from loci.core._git import Repository, damage_at, repository_at, submodule_paths

# Never a person's own project, wherever they stand.
NEVER_ENTERED = frozenset(
    {"node_modules", "bower_components", "jspm_packages", "site-packages", "__pycache__", "__pypackages__", "Pods"}
)
# Build outputs and vendored trees when inside a repository; outside of one they may well be a folder of projects.
NOT_ENTERED_INSIDE = frozenset(
    {"target", "build", "dist", "out", "vendor", "third_party", "third-party", "deps", "_build", "venv", "env", "obj"}
)
LOOKED_INTO = 2000  # Directories, for a hint beside an error: a moment, not a scan.
# A file with one of these names marks the directory as somebody's cache or environment.
MARKERS = frozenset({"CACHEDIR.TAG", "pyvenv.cfg"})


@dataclass(frozen=True)
class Found:
    """One repository that a scan found, and how many linked worktrees of it stand among the scanned directories."""

    repository: Repository
    worktrees: tuple[Path, ...] = ()

    @property
    def path(self) -> Path:
        """Its root."""
        return self.repository.root


@dataclass
class Discovery:
    """What a walk found. `ignored`: clones that an enclosing repository ignores. `unreadable`: directories that could
    not be listed, with the reason. `damaged`: directories whose `.git` cannot be used, with what is wrong with it.
    `directories`: how many were entered.
    """

    found: list[Found] = field(default_factory=list)
    ignored: list[Path] = field(default_factory=list)
    unreadable: list[tuple[Path, str]] = field(default_factory=list)
    damaged: list[tuple[Path, str]] = field(default_factory=list)
    directories: int = 0


def discover(roots: Iterable[Path]) -> Discovery:
    """Every git repository in or below `roots`, sorted by path.

    Skipped: hidden directories (unless given as a root), dependency folders, build outputs inside a repository,
    directories marked as caches or virtual environments, symbolic links, and clones that the repository around them
    ignores. Submodules count as projects of their own; linked worktrees count as their repository.
    """
    result = Discovery()
    repositories: dict[Path, Repository] = {}
    for root in roots:
        _walk(root.resolve(), result, repositories)
    result.found = _one_per_repository(repositories.values())
    return result


def _walk(root: Path, result: Discovery, repositories: dict[Path, Repository]) -> None:
    # The innermost enclosing repository below the root; the root itself was pointed at by the person, so what a
    # repository there ignores is still wanted (a home directory under version control ignores everything).
    pending: list[tuple[Path, Repository | None, frozenset[Path]]] = [(root, None, frozenset())]
    nested: dict[Path, list[Path]] = {}
    while pending:
        directory, enclosing, submodules = pending.pop()
        repository = repository_at(directory)
        damage = damage_at(directory)
        if damage is not None:
            result.damaged.append((directory, damage))
            repository = None
        if repository is not None:
            if enclosing is not None and directory not in submodules:
                nested.setdefault(enclosing.root, []).append(directory)
            repositories[repository.root] = repository
            if repository.bare:
                continue
            submodules = submodules | {repository.root / path for path in submodule_paths(repository.root)}
            if directory != root:
                enclosing = repository
        result.directories += 1
        inside = repository is not None or enclosing is not None
        try:
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            result.unreadable.append((directory, error.strerror or str(error)))
            continue
        if directory != root and any(entry.name in MARKERS for entry in entries):
            continue
        # Submodules are the project's own word, so they are visited even under a name that is skipped otherwise.
        declared = {path for path in submodules if path.parent == directory}
        for entry in reversed(entries):
            path = directory / entry.name
            if path not in declared and _is_skipped(entry.name, inside):
                # A declared submodule may lie deeper ("vendor/lib").
                for inner in sorted(submodules):
                    if path in inner.parents:
                        pending.append((inner, enclosing, submodules))
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    pending.append((path, enclosing, submodules))
            except OSError:
                continue
    for around, clones in nested.items():
        for path in _ignored_by(around, clones):
            if repositories.pop(path, None) is not None:
                result.ignored.append(path)


def any_below(root: Path, limit: int = LOOKED_INTO) -> bool:
    """Whether a repository stands below `root`; looks into at most `limit` directories, nearest first."""
    level = [root]
    seen = 0
    while level:
        below: list[Path] = []
        for directory in level:
            seen += 1
            if seen > limit:
                return False
            try:
                with os.scandir(directory) as listing:
                    entries = [e for e in listing if not _is_skipped(e.name, False) and e.is_dir(follow_symlinks=False)]
            except OSError:
                continue
            below += (directory / entry.name for entry in entries)
        if any(repository_at(directory) is not None for directory in below):
            return True
        level = below
    return False


def _is_skipped(name: str, inside_repository: bool) -> bool:
    return name.startswith(".") or name in NEVER_ENTERED or (inside_repository and name in NOT_ENTERED_INSIDE)


def _one_per_repository(repositories: Iterable[Repository]) -> list[Found]:
    by_common: dict[Path, list[Repository]] = {}
    for repository in repositories:
        by_common.setdefault(repository.common_dir, []).append(repository)
    found = []
    for group in by_common.values():
        # The main work tree speaks for the repository; a bare one has no documents to read, so any work tree beats it.
        group.sort(key=lambda r: (r.bare, r.is_linked_worktree, r.root.name not in ("main", "master"), str(r.root)))
        others = tuple(r.root for r in group[1:] if not r.bare)
        found.append(Found(group[0], others))
    return sorted(found, key=lambda item: str(item.path))


def _ignored_by(root: Path, clones: list[Path]) -> list[Path]:
    """Those of `clones` that the repository at `root` ignores, as git itself says; without git, none."""
    import subprocess

    names = [clone.relative_to(root).as_posix() for clone in clones]
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "check-ignore", "-z", "--stdin"],
            input=b"\0".join(os.fsencode(name) for name in names) + b"\0",
            capture_output=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    ignored = {os.fsdecode(name) for name in done.stdout.split(b"\0") if name}
    return [clone for clone, name in zip(clones, names, strict=True) if name in ignored]
