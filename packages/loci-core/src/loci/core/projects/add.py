"""Registering one project by hand, with names and reading patterns of its own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from loci.core.errors import InvalidRequest, NotARepository
from loci.core.home.git import damage_at, repository_around, repository_at
from loci.core.home.home import Home
from loci.core.home.identity import existing_directory
from loci.core.home.registry import Registered, Registry
from loci.core.projects.discover import any_below
from loci.core.projects.provenance import own_addresses
from loci.core.projects.register import register_all, register_one
from loci.core.projects.scan import survey_of


class Changes(NamedTuple):
    """What is to be added to and removed from what is known of a project; see `loci.core.Memory.add`."""

    aliases: Sequence[str] = ()
    remove_aliases: Sequence[str] = ()
    globs: Sequence[str] = ()
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    remove_patterns: Sequence[str] = ()


def add_project(home: Home, path: str | os.PathLike[str], changes: Changes) -> tuple[Registered, bool]:
    """See `loci.core.Memory.add`."""
    directory = existing_directory(path)
    repository = repository_at(directory)
    damage = damage_at(directory)
    if damage is not None:
        raise NotARepository(directory, damage, "`git fsck` there says more; a fresh clone may be the way out")
    if repository is None:
        around = repository_around(directory)
        if around is not None:
            hint = f"it lies inside the repository {around.root}"
        elif any_below(directory):
            hint = f"loci scan {directory}"
        else:
            hint = "`git init` makes one"
        raise NotARepository(directory, hint=hint)
    aliases = [alias.strip() for alias in changes.aliases]
    if not all(aliases):
        raise InvalidRequest("an alias must not be empty")
    if not all(pattern.strip() for pattern in (*changes.globs, *changes.include, *changes.exclude)):
        raise InvalidRequest("a pattern must not be empty")
    survey = survey_of(repository)
    own = own_addresses([repository.root] if survey else [])
    with Registry.edit(home) as registry:
        here = registry.find(repository)
        _require_free(registry, here, aliases)
        known = here or Registered("", directory, "")
        gone = _names_known(known, directory, changes.remove_aliases)
        unwanted = _patterns_known(known, directory, changes.remove_patterns)
        # Remembered or not: whoever adds it by hand wants it back.
        if str(repository.root) in registry.forgotten:
            registry.forgotten.remove(str(repository.root))
        known.aliases = [alias for alias in known.aliases if alias.casefold() not in gone]
        result = register_all(registry, {repository.root: (repository, survey)}, own=own)
        scope, _ = register_one(registry, repository, aliases)
        globs = [_glob(pattern) for pattern in changes.globs]
        for key, wanted in (("globs", globs), ("include", changes.include), ("exclude", changes.exclude)):
            kept = [pattern for pattern in getattr(scope, key) if pattern not in unwanted]
            setattr(scope, key, list(dict.fromkeys([*kept, *wanted])))
        return scope, here is None and not result.moved


def _require_free(registry: Registry, here: Registered | None, aliases: Sequence[str]) -> None:
    """Raises `InvalidRequest` for an alias that names another project."""
    for alias in aliases:
        other = registry.named(alias)
        if other is not None and other is not here:
            given = alias.casefold() in (name.casefold() for name in other.aliases)
            raise InvalidRequest(
                f"{alias!r} already names {other.id} ({other.path})",
                f"choose another, or take it away there: loci add {other.path} --unalias {alias}"
                if given
                else "choose another",
            )


def _names_known(known: Registered, directory: Path, aliases: Sequence[str]) -> set[str]:
    """The aliases to remove, folded; raises `InvalidRequest` for one that the project does not have."""
    folded = {name.casefold() for name in known.aliases}
    for alias in aliases:
        if alias.strip().casefold() not in folded:
            has = f"; it has {', '.join(known.aliases)}" if known.aliases else ""
            raise InvalidRequest(f"{directory} has no alias {alias!r}{has}")
    return {alias.strip().casefold() for alias in aliases}


def _patterns_known(known: Registered, directory: Path, patterns: Sequence[str]) -> set[str]:
    """The patterns to remove, as they are kept; raises `InvalidRequest` for one that the project does not have."""
    kept = [*known.globs, *known.include, *known.exclude]
    unwanted = {pattern if pattern in kept else _glob(pattern) for pattern in patterns}
    for pattern in sorted(unwanted.difference(kept)):
        has = f"; it has {', '.join(kept)}" if kept else ""
        raise InvalidRequest(f"{directory} has no pattern {pattern!r}{has}")
    return unwanted


def _glob(pattern: str) -> str:
    """As it is kept: a home directory stays `~`, anything else becomes absolute."""
    if pattern.startswith("~"):
        return pattern
    return Path(os.path.normpath(Path.cwd() / pattern)).as_posix()
