"""Removing a project and everything that was built of it."""

from __future__ import annotations

from loci.core.build.index import remove_scope
from loci.core.build.worktrees import remove_overlays
from loci.core.home.home import Home
from loci.core.home.identity import resolve
from loci.core.home.manifest import Manifest
from loci.core.home.registry import Registered, Registry


def forget_project(home: Home, scope: str) -> Registered:
    """See `loci.core.Memory.forget`."""
    with Registry.edit(home) as registry:
        found = resolve(registry, scope)
        # Its packages are read by its own root and history; without it they would be nobody's.
        gone = [found.id, *(package.id for package in registry.packages_of(found))]
        for identity in gone:
            del registry.scopes[identity]
        if str(found.path) not in registry.forgotten:
            registry.forgotten.append(str(found.path))
    for identity in gone:
        remove_scope(home, identity)
        remove_overlays(home, identity)
    return found


def forgotten_kept(home: Home) -> list[str]:
    """See `loci.core.Memory.forgotten_kept`."""
    manifest = Manifest.load(home)
    registered = Registry.load(home).scopes
    return [] if manifest is None else sorted(set(manifest.scopes) - set(registered))
