"""How each registered project stands: indexed or not, moved, gone, behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from loci.core.home.git import head_commit, linked_worktrees, repository_at
from loci.core.home.home import Home
from loci.core.home.identity import missing_scopes, moved_among, scope_presence
from loci.core.home.manifest import Indexed, Manifest
from loci.core.home.records import Counts
from loci.core.home.registry import Registered, Registry

State = Literal["indexed", "not_indexed", "gone", "moved", "unreachable"]


@dataclass(frozen=True)
class ScopeStatus:
    """One registered project as `loci scopes` lists it.

    `state`: indexed, not_indexed, gone (the repository was deleted), moved (it is at `moved_to` now; a scan takes note)
    or unreachable (its disk is not mounted, or the system refuses to look); what is indexed of it answers in any case.
    `commit`: where HEAD stood when it was indexed; `head`: where it stands. `counts`: what the index holds, as the
    build reported it. `worktrees`: its further work trees. `subtree`: of a package, its place in the repository.
    """

    id: str
    name: str
    path: Path
    aliases: tuple[str, ...]
    names: tuple[str, ...]
    groups: tuple[str, ...]
    remote: str | None
    state: State
    commit: str | None
    head: str | None
    bytes: int
    counts: Counts = field(default_factory=lambda: Counts())
    subtree: str = ""
    moved_to: Path | None = None
    worktrees: tuple[Path, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As `loci scopes --json` prints it."""
        return {
            "id": self.id,
            "name": self.name,
            "path": str(self.path),
            "aliases": list(self.aliases),
            "names": list(self.names),
            "groups": list(self.groups),
            "remote": self.remote,
            "state": self.state,
            "indexed_commit": self.commit,
            "head": self.head,
            "bytes": self.bytes,
            "counts": self.counts,
            "subtree": self.subtree,
            "moved_to": None if self.moved_to is None else str(self.moved_to),
            "worktrees": [str(path) for path in self.worktrees],
        }


def statuses(home: Home, group: str | None = None) -> list[ScopeStatus]:
    """See `loci.core.Memory.scopes`."""
    registry = Registry.load(home)
    if group is not None:
        registry.require_group(group)
    manifest = Manifest.load(home)
    indexed = manifest.scopes if manifest else {}
    moved = _moved(registry)
    return [
        _status(scope, indexed.get(key), moved.get(key))
        for key, scope in sorted(registry.scopes.items())
        if group is None or group in scope.groups
    ]


def _status(scope: Registered, record: Indexed | None, moved_to: Path | None) -> ScopeStatus:
    repository = repository_at(scope.repository_root)
    present = scope_presence(scope)
    state: State = "not_indexed" if record is None else "indexed"
    if moved_to is not None:
        state = "moved"
    elif present != "there":
        state = present
    return ScopeStatus(
        id=scope.id,
        name=scope.name,
        path=scope.path,
        aliases=tuple(scope.aliases),
        names=tuple(scope.names),
        groups=tuple(scope.groups),
        remote=scope.remote,
        state=state,
        commit=record.commit if record else None,
        head=head_commit(repository) if repository else None,
        bytes=record.size if record else 0,
        counts=record.counts if record else Counts(),
        subtree=scope.subtree,
        moved_to=moved_to,
        worktrees=tuple(linked_worktrees(repository)) if repository and not scope.subtree else (),
    )


def _moved(registry: Registry) -> dict[str, Path]:
    """Where the projects are that are not where they were, as far as a short look at the scanned directories tells."""
    missing = missing_scopes(registry)
    if not missing:
        return {}
    from loci.core.projects.discover import repositories_below  # and no question needs it

    places = dict.fromkeys([*(Path(root) for root in registry.roots), *(scope.path.parent for scope in missing)])
    known = {scope.common_dir for scope in registry.scopes.values()}
    found = list(repositories_below(places))
    unknown = [repository for repository in found if repository.common_dir not in known]
    moved = {scope.id: root for root, scope in moved_among(unknown, registry).items()}
    for scope in missing:
        # Another work tree of the same repository.
        same = [each for each in found if each.common_dir == scope.common_dir and each.root != scope.path]
        if same and not scope.subtree:
            moved.setdefault(scope.id, min(same, key=lambda each: (each.bare, str(each.root))).root)
    for scope in missing:
        if scope.subtree:
            around = next((s for s in missing if s.path == scope.repository_root and s.id in moved), None)
            if around is not None:
                moved[scope.id] = moved[around.id] / scope.subtree
    return moved
