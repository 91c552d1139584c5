"""Taking a repository into the registry: what it is, whether it only moved, who writes it, which packages it has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loci.core.home.git import Repository, repository_at
from loci.core.home.identity import missing_scopes, mount_of, moved_among, root_commit
from loci.core.home.registry import Registered, Registry, remote_of
from loci.core.projects import packages
from loci.core.projects.names import known_names, label, package_id, scope_id
from loci.core.projects.provenance import inferred_groups
from loci.episodes import Survey

# Measured on the 30 repositories of the benchmark, from nothing and on two cores: 155 MB of files that are read and
# 158,000 commits in 7.5 s, giving 118 MB.
BYTES_PER_SECOND = 33_000_000
COMMITS_PER_SECOND = 55_000
INDEX_BYTES_PER_BYTE = 0.45
INDEX_BYTES_PER_COMMIT = 310
COMMITS_PER_FIRST_PARENT = 1.4  # Merged side branches come on top of the line that a survey counts.


@dataclass(frozen=True)
class Estimate:
    """What an index of the surveyed repositories would take: `seconds` and `index_bytes` by the measured rates."""

    files: int = 0
    bytes: int = 0
    commits: int = 0

    @property
    def seconds(self) -> float:
        """On two cores, like the measurement; the rates differ by machine, so this is the order of magnitude."""
        return self.bytes / BYTES_PER_SECOND + self.commits / COMMITS_PER_SECOND

    @property
    def index_bytes(self) -> int:
        """Size of the index on disk."""
        return round(self.bytes * INDEX_BYTES_PER_BYTE + self.commits * INDEX_BYTES_PER_COMMIT)

    def to_json(self) -> dict[str, float]:
        """As `loci scan --json` prints it."""
        return {
            "files": self.files,
            "bytes": self.bytes,
            "commits": self.commits,
            "seconds": round(self.seconds, 1),
            "index_bytes": self.index_bytes,
        }


def estimate(surveys: Iterable[Survey]) -> Estimate:
    """Of all of them together; commits are guessed from those on the line of first parents."""
    surveys = list(surveys)
    return Estimate(
        sum(survey.files for survey in surveys),
        sum(survey.bytes for survey in surveys),
        round(COMMITS_PER_FIRST_PARENT * sum(survey.first_parents for survey in surveys)),
    )


@dataclass
class Registration:
    """What became of the repositories that were taken in.

    `scopes`: the project of each repository, by its root. `moved`: id, where it was and where it is. `packages`: the
    packages that are projects of their own now. `dropped`: ids of packages that are none any more. `problems`: what was
    ignored of `.loci.json` files.
    """

    scopes: dict[Path, Registered] = field(default_factory=dict)
    moved: list[tuple[str, Path, Path]] = field(default_factory=list)
    packages: list[Registered] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def register_all(
    registry: Registry,
    repositories: Mapping[Path, tuple[Repository, Survey | None]],
    *,
    own: Collection[str] = (),
    split: bool = False,
) -> Registration:
    """Registers the repositories, by their root. What was known is brought up to date and keeps whatever it was given.

    `own`: the person's mail addresses. `split`: packages that markers show become projects of their own, now and at
    every later scan.
    """
    result = Registration()
    unknown = [repository for repository, _ in repositories.values() if registry.find(repository) is None]
    roots = {root: survey.root_commit for root, (_, survey) in repositories.items() if survey}
    moved = moved_among(unknown, registry, displaced=True, roots=roots)
    for root, before in moved.items():
        result.moved.append((before.id, before.path, root))
        follow(registry, before, repositories[root][0])
    missing = {scope.id for scope in missing_scopes(registry)}
    for root, (repository, _) in repositories.items():
        # Of a bare repository with work trees beside it, the one that spoke for it may go while the others stay.
        before = registry.find(repository)
        if before is not None and before.id in missing and before.path != root:
            result.moved.append((before.id, before.path, root))
            follow(registry, before, repository)
    left = {before for _, before, _ in result.moved}
    for root, (repository, survey) in repositories.items():
        if root in left:
            # Another project stands where that one stood; it was only looked at as one that is known.
            from loci.core.projects.discover import look

            survey = look(repository, known=False)
        scope, _ = register_one(registry, repository, first=survey.root_commit if survey else None)
        scope.split = scope.split or split
        _take_packages(registry, scope, repository, survey, result)
        # The authors are only asked for when a repository is new; what was inferred then holds until `groups infer`.
        provenance = [group for group in scope.inferred if group != scope.id]
        if survey is not None and survey.authors:
            provenance = inferred_groups(survey.authors, own, remote_of(repository))
        _label(registry, scope, provenance)
        result.scopes[root] = scope
    return result


def register_one(
    registry: Registry,
    repository: Repository,
    aliases: Sequence[str] = (),
    *,
    subtree: str = "",
    declared: str | None = None,
    first: str | None = None,
) -> tuple[Registered, bool]:
    """Adds the repository (or a package of it), or the aliases to what it is registered as; also tells whether it is
    new. `first`: its root commit, where the caller knows it already.
    """
    remote = remote_of(repository)
    scope = registry.find(repository, subtree)
    new = scope is None
    if scope is None:
        path = repository.root / subtree
        if subtree:
            parent = registry.find(repository)
            identity = package_id(parent.id if parent else label(repository.root), subtree, registry.scopes)
            # Its directory's name alone may be any ordinary word ("client", "core"), which names nothing.
            scope = Registered(identity, path, identity, subtree=subtree, declared=declared)
        else:
            scope = Registered(scope_id(path, remote, registry.scopes), path, label(path))
        scope.mount = mount_of(path)
        registry.scopes[scope.id] = scope
    scope.remote = remote
    scope.common_dir = repository.common_dir
    scope.root_commit = first or scope.root_commit or root_commit(repository)
    scope.names = known_names(scope.path, None if subtree else remote)
    for alias in aliases:
        if alias.casefold() not in {name.casefold() for name in scope.aliases}:
            scope.aliases.append(alias)
    return scope, new


def follow(registry: Registry, scope: Registered, repository: Repository) -> None:
    """Takes note that a project has moved: its packages move with it, and everything it was given stays."""
    packages = registry.packages_of(scope)
    if scope.name == label(scope.path):
        scope.name = label(repository.root)
    for moved in (scope, *packages):
        moved.path = repository.root / moved.subtree
        moved.common_dir = repository.common_dir
        moved.mount = mount_of(moved.path)


def register_declared(registry: Registry) -> Registration:
    """Reads the `.loci.json` files of the registered repositories again."""
    result = Registration()
    for scope in list(registry.scopes.values()):
        if scope.subtree or not (
            (scope.path / packages.DECLARATION).exists() or any(p.declared for p in registry.packages_of(scope))
        ):
            continue
        repository = repository_at(scope.path)
        if repository is not None and not repository.bare:
            _take_packages(registry, scope, repository, None, result)
            _label(registry, scope, [group for group in scope.inferred if group != scope.id])
    return result


def set_inferred(scope: Registered, wanted: Iterable[str]) -> None:
    """Replaces the inferred groups of a project; those a person gave stay, those a person took away stay away."""
    wanted = [group for group in dict.fromkeys(wanted) if group not in scope.ungrouped]
    given = [group for group in scope.groups if group not in scope.inferred]
    scope.inferred = [group for group in wanted if group not in given]
    scope.groups = [*given, *scope.inferred]


def _label(registry: Registry, scope: Registered, provenance: Iterable[str]) -> None:
    packages = registry.packages_of(scope)
    groups = [*provenance, *([scope.id] if packages else [])]
    for labelled in (scope, *packages):
        set_inferred(labelled, groups)


def _take_packages(
    registry: Registry, scope: Registered, repository: Repository, survey: Survey | None, result: Registration
) -> None:
    if repository.bare:
        return
    declared, problems = packages.declared(repository.root)
    result.problems += problems
    wanted = dict.fromkeys(declared, packages.DECLARATION)
    if scope.split and survey is not None:
        for subtree in packages.by_marker(survey.named):
            wanted.setdefault(subtree, "split")
    for package in registry.packages_of(scope):
        undeclared = package.declared == packages.DECLARATION and package.subtree not in wanted and not problems
        if undeclared or not package.path.is_dir():
            del registry.scopes[package.id]
            result.dropped.append(package.id)
    for subtree, why in wanted.items():
        if str(repository.root / subtree) not in registry.forgotten:
            package, _ = register_one(registry, repository, subtree=subtree, declared=why, first=scope.root_commit)
            result.packages.append(package)
