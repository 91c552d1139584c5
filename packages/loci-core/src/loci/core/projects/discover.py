"""Finding repositories below a directory without walking what cannot hold a person's own project."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from loci.core.home.git import Repository, damage_at, repository_at, submodule_paths
from loci.core.projects import packages, provenance

if TYPE_CHECKING:
    from loci.episodes import Survey

CONCURRENT_SURVEYS = 4  # Mostly waiting for the file system; the kernel works beside the interpreter.
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
    """One repository that a scan found: its linked worktrees among the scanned directories, and what a look at it told
    (None where git's own files could not be read).
    """

    repository: Repository
    worktrees: tuple[Path, ...] = ()
    survey: Survey | None = None

    @property
    def path(self) -> Path:
        """Its root."""
        return self.repository.root


@dataclass
class Discovery:
    """What a walk found. `ignored`: clones that an enclosing repository ignores. `unreadable`: directories that could
    not be listed, with the reason. `damaged`: directories whose `.git` cannot be used, with what is wrong with it.
    `directories`: how many were entered, outside of repositories.
    """

    found: list[Found] = field(default_factory=list)
    ignored: list[Path] = field(default_factory=list)
    unreadable: list[tuple[Path, str]] = field(default_factory=list)
    damaged: list[tuple[Path, str]] = field(default_factory=list)
    directories: int = 0


def discover(roots: Iterable[Path], *, is_known: Callable[[Repository], bool] = lambda _: False) -> Discovery:
    """Every git repository in or below `roots`, sorted by path.

    Skipped: hidden directories (unless given as a root), dependency folders, build outputs inside a repository,
    directories marked as caches or virtual environments, symbolic links, and whatever a repository ignores, which is
    not even walked. Submodules count as projects of their own; linked worktrees count as their repository.

    `is_known`: repositories whose history need not be looked at again.
    """
    result = Discovery()
    repositories: dict[Path, Repository] = {}
    for root in roots:
        _walk(root.resolve(), result, repositories)
    surveys: dict[Path, Survey] = {}
    pending = list(repositories.values())
    with ThreadPoolExecutor(CONCURRENT_SURVEYS, "loci-survey") as pool:
        while pending:
            looks = pool.map(lambda repository: look(repository, is_known(repository)), pending)
            found = list(zip(pending, looks, strict=True))
            pending = []
            for repository, survey in found:
                if survey is None:
                    continue
                surveys[repository.root] = survey
                result.ignored += (repository.root / path for path in survey.ignored)
                for inner in _inner(repository, survey, result):
                    if inner.root not in repositories:
                        repositories[inner.root] = inner
                        pending.append(inner)
    result.ignored = [path for path in dict.fromkeys(result.ignored) if path not in repositories]
    result.found = _one_per_repository(repositories.values(), surveys)
    return result


def _walk(root: Path, result: Discovery, repositories: dict[Path, Repository]) -> None:
    # The root was pointed at by the person, so what a repository there ignores is still wanted (a home directory under
    # version control ignores everything). What lies inside any other repository, its own list says.
    pending = [root]
    submodules: frozenset[Path] = frozenset()
    while pending:
        directory = pending.pop()
        repository = repository_at(directory)
        damage = damage_at(directory)
        if damage is not None:
            result.damaged.append((directory, damage))
            repository = None
        if repository is not None:
            repositories[repository.root] = repository
            if repository.bare or directory != root:
                continue
            submodules = frozenset(repository.root / path for path in submodule_paths(repository.root))
        result.directories += 1
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
            if path not in declared and _is_skipped(entry.name, root in repositories):
                # A declared submodule may lie deeper ("vendor/lib").
                pending += (inner for inner in sorted(submodules) if path in inner.parents)
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
            except OSError:
                continue


def look(repository: Repository, known: bool) -> Survey | None:
    """A look at one repository, without its history when it is `known`; None where git's own files cannot be read."""
    from loci import episodes

    try:
        return episodes.survey(
            repository.root, names=packages.markers(), recent=0 if known else provenance.RECENT_COMMITS
        )
    except (episodes.EpisodesError, OSError):
        return None  # the index run that meets it says what is wrong


def _inner(repository: Repository, survey: Survey, result: Discovery) -> Iterator[Repository]:
    """The repositories that git lists inside of this one, less those in places that hold nobody's own project."""
    declared = set(submodule_paths(repository.root))
    for relative in survey.submodules:
        path = repository.root / relative
        if relative not in declared:
            if any(_is_skipped(part, True) for part in Path(relative).parts):
                continue
            above = [above for above in path.parents if repository.root in above.parents]
            if any((above / marker).exists() for above in above for marker in MARKERS):
                continue
        damage = damage_at(path)
        if damage is not None:
            result.damaged.append((path, damage))
            continue
        inner = repository_at(path)
        if inner is not None:
            yield inner


def any_below(root: Path, limit: int = LOOKED_INTO) -> bool:
    """Whether a repository stands below `root`; looks into at most `limit` directories, nearest first."""
    return next(repositories_below([root], limit), None) is not None


def repositories_below(roots: Iterable[Path], limit: int = LOOKED_INTO) -> Iterator[Repository]:
    """The repositories below `roots`, nearest first, none inside of another; looks into at most `limit` directories."""
    level = list(roots)
    seen = 0
    while level:
        below: list[Path] = []
        for directory in level:
            seen += 1
            if seen > limit:
                return
            try:
                with os.scandir(directory) as listing:
                    entries = [e for e in listing if not _is_skipped(e.name, False) and e.is_dir(follow_symlinks=False)]
            except OSError:
                continue
            below += sorted(directory / entry.name for entry in entries)
        level = []
        for directory in below:
            repository = repository_at(directory)
            if repository is None:
                level.append(directory)
            else:
                yield repository


def _is_skipped(name: str, inside_repository: bool) -> bool:
    return name.startswith(".") or name in NEVER_ENTERED or (inside_repository and name in NOT_ENTERED_INSIDE)


def _one_per_repository(repositories: Iterable[Repository], surveys: Mapping[Path, Survey]) -> list[Found]:
    by_common: dict[Path, list[Repository]] = {}
    for repository in repositories:
        by_common.setdefault(repository.common_dir, []).append(repository)
    found = []
    for group in by_common.values():
        # The main work tree speaks for the repository; a bare one has no documents to read, so any work tree beats it.
        group.sort(key=lambda r: (r.bare, r.is_linked_worktree, r.root.name not in ("main", "master"), str(r.root)))
        others = tuple(r.root for r in group[1:] if not r.bare)
        found.append(Found(group[0], others, surveys.get(group[0].root)))
    return sorted(found, key=lambda item: str(item.path))
