"""A scan: what is found below some directories, what registering it means, and doing so."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loci.core.errors import InvalidRequest
from loci.core.home.git import Repository
from loci.core.home.home import Home
from loci.core.home.identity import existing_directory
from loci.core.home.registry import Registry, remote_of
from loci.core.projects.discover import Discovery, Found, discover, look
from loci.core.projects.provenance import VENDOR, inferred_groups, own_addresses
from loci.core.projects.register import Estimate, Registration, estimate, register_all
from loci.episodes import Survey


@dataclass(frozen=True)
class ScanReport:
    """What a scan found: each repository with the id it is registered under, or would be.

    `registered`: whether the registry was written. `known`: ids that were there before. `discovery`: the walk itself.
    `forgotten`: repositories left out because the person forgot them earlier; `declined`: because others write them and
    the person wants only their own. `groups`: of every project of the scan, by id. `moved`: id, where it was, where it
    is. `packages`: id and path of the packages that are projects of their own; `dropped`: ids of those that are none
    any more. `problems`: what was ignored of `.loci.json` files. `estimate`: what indexing the new ones takes.
    """

    found: tuple[tuple[str, Found], ...]
    known: frozenset[str]
    registered: bool
    discovery: Discovery
    forgotten: tuple[Path, ...] = ()
    declined: tuple[Path, ...] = ()
    groups: dict[str, tuple[str, ...]] | None = None
    moved: tuple[tuple[str, Path, Path], ...] = ()
    packages: tuple[tuple[str, Path], ...] = ()
    dropped: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    estimate: Estimate = field(default_factory=Estimate)

    @property
    def new(self) -> list[str]:
        """The ids that the scan added, or would add, packages included."""
        ids = [*(identity for identity, _ in self.found), *(identity for identity, _ in self.packages)]
        return [identity for identity in ids if identity not in self.known]

    @property
    def others(self) -> list[str]:
        """Those of the new ones that others write."""
        return [identity for identity in self.new if any(g.startswith(VENDOR) for g in self.groups_of(identity))]

    def groups_of(self, identity: str) -> tuple[str, ...]:
        """The groups of a project of this scan."""
        return (self.groups or {}).get(identity, ())

    def to_json(self) -> dict[str, Any]:
        """As `loci scan --json` prints it."""
        return {
            "registered": self.registered,
            "found": [
                {
                    "id": identity,
                    "path": str(found.path),
                    "new": identity not in self.known,
                    "bare": found.repository.bare,
                    "worktrees": [str(path) for path in found.worktrees],
                    "groups": list(self.groups_of(identity)),
                }
                for identity, found in self.found
            ],
            "packages": [
                {"id": identity, "path": str(path), "new": identity not in self.known}
                for identity, path in self.packages
            ],
            "moved": [{"id": identity, "from": str(old), "to": str(new)} for identity, old, new in self.moved],
            "estimate": self.estimate.to_json(),
            "ignored": [str(path) for path in self.discovery.ignored],
            "forgotten": [str(path) for path in self.forgotten],
            "declined": [str(path) for path in self.declined],
            "damaged": [[str(path), reason] for path, reason in self.discovery.damaged],
            "unreadable": [[str(path), reason] for path, reason in self.discovery.unreadable],
            "problems": list(self.problems),
            "directories": self.discovery.directories,
        }


def scan_directories(
    home: Home,
    directories: Iterable[str | os.PathLike[str]],
    *,
    register: bool = True,
    split: bool = False,
    others: bool = True,
) -> ScanReport:
    """See `loci.core.Memory.scan`."""
    roots = [existing_directory(directory) for directory in directories]
    if not roots:
        raise InvalidRequest("no directory to scan was given", "loci scan <directory with your projects>")
    before = Registry.load(home)
    discovery = discover(roots, is_known=lambda repository: _is_known(before, repository))
    # git is asked for the person's address there; it would wait for ever on a repository that could not be looked at.
    fresh = [item.path for item in discovery.found if item.survey and before.find(item.repository) is None]
    own = own_addresses(fresh) if fresh else frozenset[str]()

    def take(registry: Registry) -> ScanReport:
        known = frozenset(registry.scopes)
        forgotten = [item.path for item in discovery.found if str(item.path) in registry.forgotten]
        declined = [] if others else [item.path for item in discovery.found if _is_others(registry, item, own)]
        wanted = [item for item in discovery.found if item.path not in forgotten and item.path not in declined]
        result = register_all(
            registry, {item.path: (item.repository, item.survey) for item in wanted}, own=own, split=split
        )
        found = [(result.scopes[item.path].id, item) for item in wanted]
        return _report(found, known, register, discovery, result, registry, forgotten, declined)

    if not register:
        return take(before)
    with Registry.edit(home) as registry:
        for root in roots:
            if str(root) not in registry.roots:
                registry.roots.append(str(root))
        return take(registry)


def survey_of(repository: Repository) -> Survey | None:
    """A look at one repository; None where git's own files cannot be read."""
    return look(repository, known=False)


def infer_groups(home: Home) -> dict[str, tuple[str, ...]]:
    """Reads again who writes each registered project, and replaces the groups that were read so before.

    Returns the groups of every project by id. What a person gave or took away stays so.
    """
    registry = Registry.load(home)
    repositories = {scope.path: scope for scope in registry.scopes.values() if not scope.subtree}
    discovery = [(scope, _repository(scope.path)) for scope in repositories.values()]
    there = {repository.root: (repository, look(repository, known=False)) for _, repository in discovery if repository}
    own = own_addresses([root for root, (_, survey) in there.items() if survey])
    with Registry.edit(home) as current:
        wanted = {root: item for root, item in there.items() if current.find(item[0]) is not None}
        register_all(current, wanted, own=own)
        return {identity: tuple(scope.groups) for identity, scope in sorted(current.scopes.items())}


def _repository(path: Path) -> Repository | None:
    from loci.core.home.git import repository_at

    return repository_at(path)


def _is_known(registry: Registry, repository: Repository) -> bool:
    scope = registry.find(repository)
    return scope is not None and scope.root_commit is not None


def _is_others(registry: Registry, item: Found, own: frozenset[str]) -> bool:
    if item.survey is None or registry.find(item.repository) is not None:
        return False
    return any(g.startswith(VENDOR) for g in inferred_groups(item.survey.authors, own, remote_of(item.repository)))


def _report(
    found: Sequence[tuple[str, Found]],
    known: frozenset[str],
    register: bool,
    discovery: Discovery,
    result: Registration,
    registry: Registry,
    forgotten: Sequence[Path],
    declined: Sequence[Path],
) -> ScanReport:
    moved = {identity for identity, _, _ in result.moved}
    new = [item.survey for identity, item in found if identity not in known and identity not in moved and item.survey]
    packages = [(package.id, package.path) for package in result.packages]
    ids = [*(identity for identity, _ in found), *(identity for identity, _ in packages)]
    return ScanReport(
        found=tuple(found),
        known=known,
        registered=register,
        discovery=discovery,
        forgotten=tuple(forgotten),
        declined=tuple(declined),
        groups={identity: tuple(registry.scopes[identity].groups) for identity in ids},
        moved=tuple(result.moved),
        packages=tuple(packages),
        dropped=tuple(result.dropped),
        problems=tuple(result.problems),
        estimate=estimate(new),
    )
