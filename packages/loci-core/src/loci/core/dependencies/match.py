"""Matching what projects mention against the names that others have.

A name of an ecosystem only matches a name of the same ecosystem, and an import only counts where its distribution is
declared too or nothing is declared at all: a project that happens to be called like a library is not used by everybody
who imports the library.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from loci.core.dependencies.collect import STANDARD_PYTHON, Collected
from loci.core.dependencies.manifests import Reference
from loci.core.dependencies.ordinary import ORDINARY_COMMANDS
from loci.core.dependencies.table import Use
from loci.core.home.registry import Registry

PLACES_KEPT = 3


def match(registry: Registry, collected: Mapping[str, Collected]) -> tuple[tuple[Use, ...], dict[str, tuple[str, ...]]]:
    """Which mentions of each project are names of another; and the names that several projects have."""
    table = _Names(registry, collected)
    found: dict[tuple[str, str, str, str, str], Use] = {}
    for user, its in sorted(collected.items()):
        if user not in registry.scopes:
            continue
        own = _Own(its)
        for reference in its.references:
            for used in table.used(user, own, reference):
                use = Use(
                    user,
                    used,
                    reference.kind,
                    reference.ecosystem,
                    reference.name,
                    reference.places[:PLACES_KEPT],
                    reference.files,
                )
                key = (user, used, use.kind, use.ecosystem, use.name)
                earlier = found.get(key)
                if earlier is not None:
                    places = tuple(dict.fromkeys((*earlier.places, *use.places)))[:PLACES_KEPT]
                    # A file that both mentions name counts once, as far as their places tell.
                    twice = len({path for path, _ in earlier.places} & {path for path, _ in use.places})
                    use = Use(*key, places, earlier.files + use.files - twice)
                found[key] = use
    # A submodule is named by its address and by its place.
    addressed = {use[:2] for use in found if use[2] == "submodule" and not use[4].startswith("./")}
    found = {
        key: use
        for key, use in found.items()
        if not (key[2] == "submodule" and key[4].startswith("./") and key[:2] in addressed)
    }
    # What is declared is in the lock file too; said once is enough.
    declared = {(use.user, use.used, use.ecosystem) for use in found.values() if use.kind == "dependency"}
    uses = [use for use in found.values() if not (use.indirect and (use.user, use.used, use.ecosystem) in declared)]
    uses.sort(key=lambda use: (use.user, use.used, _ORDER.index(use.kind), use.name))
    return tuple(uses), table.ambiguous


_ORDER = ("dependency", "path", "git", "submodule", "import", "command", "workflow", "image", "locked")


class _Own:
    """What a mention may mean inside the project that makes it."""

    def __init__(self, collected: Collected) -> None:
        self.boards = {(board.kind, board.ecosystem, board.name) for board in collected.boards}
        self.modules = frozenset(collected.modules)
        self.declared: dict[str, set[str]] = defaultdict(set)
        for reference in collected.references:
            if reference.kind in ("dependency", "locked"):
                self.declared[reference.ecosystem].add(reference.name)
        self.manifests = set(self.declared) | {b.ecosystem for b in collected.boards if b.kind == "distribution"}

    def has(self, kind: str, ecosystem: str, name: str) -> bool:
        return (kind, ecosystem, name) in self.boards


class _Names:
    def __init__(self, registry: Registry, collected: Mapping[str, Collected]) -> None:
        self.registry = registry
        self.by_name: dict[tuple[str, str, str], dict[str, bool]] = defaultdict(dict)
        self.imported: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.ambiguous: dict[str, tuple[str, ...]] = {}
        self.by_path = {scope.path.as_posix(): identity for identity, scope in registry.scopes.items()}
        self.separators = {"go": "/", "maven": ".", "packagist": "\\", "nuget": "."}
        for identity, its in sorted(collected.items()):
            if identity not in registry.scopes:
                continue
            for board in its.boards:
                if board.kind == "command" and (board.name in ORDINARY_COMMANDS or board.private):
                    continue
                self.by_name[board.kind, board.ecosystem, board.name][identity] = board.private
                if board.kind == "distribution":
                    self.imported[identity, board.ecosystem].add(board.name)
        for (kind, ecosystem, name), owners in sorted(self.by_name.items()):
            public = sorted(identity for identity, private in owners.items() if not private)
            if len(public) > 1 and kind in ("distribution", "command", "repository"):
                self.ambiguous[" ".join(part for part in (kind, ecosystem, name) if part)] = tuple(public)

    def used(self, user: str, own: _Own, reference: Reference) -> Iterable[str]:
        kind, ecosystem, name = reference.kind, reference.ecosystem, reference.name
        if kind in ("dependency", "locked"):
            return [] if own.has("distribution", ecosystem, name) else self._look(user, "distribution", ecosystem, name)
        if kind == "import":
            return self._imports(user, own, ecosystem, name)
        if kind == "path" or (kind == "submodule" and name.startswith("./")):
            return self._at(user, name)
        if kind in ("git", "submodule", "workflow"):
            return [] if own.has("repository", "", name) else self._look(user, "repository", "", name)
        if kind == "command":
            if own.has("command", "", name) or f"command {name}" in self.ambiguous:
                return []
            return self._look(user, "command", "", name)
        if kind == "image":
            return [] if own.has("image", "", name) else self._images(user, own, name)
        return []

    def _look(self, user: str, kind: str, ecosystem: str, name: str) -> list[str]:
        owners = self.by_name.get((kind, ecosystem, name))
        if owners is None and ecosystem in self.separators and kind != "command":
            owners = self._prefix(kind, ecosystem, name)
        # The clones of one repository are one project that stands there twice.
        return [
            identity
            for identity, private in (owners or {}).items()
            if identity != user and (not private or self._same_repository(user, identity))
        ]

    def _prefix(self, kind: str, ecosystem: str, name: str) -> dict[str, bool] | None:
        separator = self.separators[ecosystem]
        while separator in name:
            name = name.rpartition(separator)[0]
            owners = self.by_name.get((kind, ecosystem, name))
            if owners is not None:
                return owners
        return None

    def _imports(self, user: str, own: _Own, ecosystem: str, name: str) -> list[str]:
        if own.has("import", ecosystem, name):
            return []
        if ecosystem == "pypi" and name in STANDARD_PYTHON:
            return []
        found = self._look(user, "import", ecosystem, name)
        if ecosystem in ("go", "maven", "packagist", "nuget"):
            # Such a name has its owner in it.
            return [] if any(b[0] == "import" and _within(name, b[2], self.separators[ecosystem]) for b in own.boards
                             if b[1] == ecosystem) else found  # fmt: skip
        if ecosystem in own.manifests:
            declared = own.declared.get(ecosystem, set())
            return [each for each in found if self.imported[each, ecosystem] & declared]
        # Nothing is declared at all, as in a folder of scripts: then the name has to do, unless it is a file of theirs.
        return [] if name in own.modules else found

    def _images(self, user: str, own: _Own, name: str) -> list[str]:
        found = self._look(user, "image", "", name) if "/" in name else []
        parts = name.split("/")
        if not found and len(parts) == 3 and parts[0] == "ghcr.io":
            found = self._look(user, "repository", "", f"github.com/{parts[1]}/{parts[2]}")
            own_name = ("repository", "", f"github.com/{parts[1]}/{parts[2]}")
            found = [] if own_name in own.boards else found
        if not found and len(parts) == 1:
            # An official image is named after the project; only one whose owner is called the same is surely meant.
            found = [
                each
                for host in ("github.com", "gitlab.com")
                for each in self._look(user, "repository", "", f"{host}/{name}/{name}")
            ]
        return found

    def _at(self, user: str, name: str) -> list[str]:
        """The registered project in which a relative path ends."""
        target = posixpath.normpath(posixpath.join(self.registry.scopes[user].path.as_posix(), name))
        around = target
        while around not in self.by_path:
            parent = posixpath.dirname(around)
            if parent == around:
                return []
            around = parent
        found = self.by_path[around]
        return [found] if found != user and Path(target).exists() else []

    def _same_repository(self, one: str, other: str) -> bool:
        first, second = self.registry.scopes[one], self.registry.scopes[other]
        if first.common_dir is not None and first.common_dir == second.common_dir:
            return True
        return first.path in second.path.parents or second.path in first.path.parents


def _within(name: str, prefix: str, separator: str) -> bool:
    return name == prefix or name.startswith(prefix + separator)
