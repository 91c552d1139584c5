"""Bringing the table of uses up to date: reading the projects that changed, and matching all of them anew.

What a project says (`collect`) is read once per state of its files and kept in `references.json`; names are matched
against each other (`match`) anew whenever a project or a name changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from loci import episodes
from loci.core.dependencies import collect
from loci.core.dependencies.collect import Collected
from loci.core.dependencies.manifests import Reference, Signboard
from loci.core.dependencies.match import match
from loci.core.dependencies.table import FORMAT, ScopeNames, Uses
from loci.core.errors import BuildLocked, DamagedFile, HomeNotWritable, LociError, NothingRegistered, said
from loci.core.home.home import Home, read_json
from loci.core.home.registry import Registered, Registry
from loci.episodes import EpisodesError

CONCURRENT = 3  # The kernel reads while Python parses; more than this only waits.
CONCURRENT_LOOKS = 8  # Mostly waiting for the file system.


def current_uses(home: Home, *, refresh: bool = False) -> Uses:
    """See `loci.core.Memory.uses`."""
    registry = Registry.load(home)
    if not registry.scopes:
        raise NothingRegistered(home.directory)

    def state(scope: Registered) -> str:
        try:
            return episodes.fingerprint(scope.repository_root, **registry.reading(scope))
        except (episodes.EpisodesError, OSError):
            return ""  # not there now: what was collected of it still holds

    with ThreadPoolExecutor(CONCURRENT_LOOKS, "loci-fingerprint") as pool:
        scopes = list(registry.scopes.values())
        fingerprints = dict(zip((scope.id for scope in scopes), pool.map(state, scopes), strict=True))
    try:
        with home.build_lock():
            return refresh_uses(home, registry, fingerprints, force=refresh)
    except (BuildLocked, HomeNotWritable) as error:
        table = None if refresh else Uses.load(home)
        if table is None:
            raise
        changed = [key for key, now in fingerprints.items() if now and table.fingerprint_of(key) != now]
        return replace(table, behind=(error.message, tuple(changed))) if changed else table


def refresh_uses(home: Home, registry: Registry, fingerprints: Mapping[str, str], *, force: bool = False) -> Uses:
    """Brings the table up to date: projects whose fingerprint is as before are not read.

    `fingerprints`: the state of each project to be in the table, by id; one that cannot be told is "" and read if
    there is nothing of it yet. The caller holds the build lock.
    """
    rules = collect.rules_signature()
    try:
        old = Uses.load(home) or Uses()
    except DamagedFile:
        old = Uses()  # it only holds what can be collected again
    known = old.scopes if old.rules == rules and not force else {}
    scopes = {identity: scope for identity, scope in registry.scopes.items() if identity in fingerprints}
    keys = {identity: _key(registry, scope) for identity, scope in scopes.items()}
    stale = [
        identity
        for identity in scopes
        if identity not in known
        or known[identity].key != keys[identity]
        or (fingerprints[identity] and known[identity].fingerprint != fingerprints[identity])
    ]
    if not stale and set(known) == set(scopes) and old.rules == rules:
        return old
    kept = _load_references(home, {each: known[each].fingerprint for each in scopes if each not in stale})
    stale += [identity for identity in scopes if identity not in stale and identity not in kept]
    collected = {**kept, **_collect_all(registry, [scopes[identity] for identity in sorted(stale)])}
    table: dict[str, ScopeNames] = {}
    for identity in scopes:
        found, error = collected[identity]
        again = identity in stale
        table[identity] = ScopeNames(
            identity,
            fingerprints[identity] if again else known[identity].fingerprint,
            keys[identity],
            tuple(_board_json(board) for board in found.boards) if again else known[identity].names,
            found.coverage if again else known[identity].coverage,
            error if again else known[identity].error,
        )
    uses, ambiguous = match(registry, {identity: found for identity, (found, _) in collected.items()})
    result = Uses(uses, table, ambiguous, rules)
    home.write_json(home.directory / "references.json", _references_json(table, collected), indent=None)
    home.write_json(home.uses, {"format": FORMAT, **result.to_json()})
    return result


def update_uses(home: Home, registry: Registry, fingerprints: Mapping[str, str]) -> list[str]:
    """`refresh_uses` at the end of a build, which it must not spoil: what went wrong is returned as notes."""
    try:
        refresh_uses(home, registry, fingerprints)
    except LociError as error:
        return [f"which project uses another was not collected: {error.message}"]
    except Exception as error:
        return [f"which project uses another was not collected: an error inside loci: {type(error).__name__}: {error}"]
    return []


def _key(registry: Registry, scope: Registered) -> str:
    """What else a collection depends on, beside the project's files."""
    return "\n".join([str(scope.path), scope.remote or "", repr(sorted(registry.reading(scope).items()))])


def _collect_all(registry: Registry, scopes: list[Registered]) -> dict[str, tuple[Collected, str]]:
    if not scopes:
        return {}
    collect.finder()

    def one(scope: Registered) -> tuple[Collected, str]:
        try:
            return collect.collect(scope, registry.reading(scope)), ""
        except (EpisodesError, OSError) as error:
            return Collected(), said(error)

    with ThreadPoolExecutor(CONCURRENT, "loci-uses") as pool:
        return dict(zip((scope.id for scope in scopes), pool.map(one, scopes), strict=True))


def _board_json(board: Signboard) -> dict[str, Any]:
    return {
        "kind": board.kind,
        "ecosystem": board.ecosystem,
        "name": board.name,
        "path": board.path,
        "line": board.line,
        "private": board.private,
    }


def _references_json(table: Mapping[str, ScopeNames], collected: Mapping[str, tuple[Collected, str]]) -> dict[str, Any]:
    scopes = {}
    for identity, (found, error) in sorted(collected.items()):
        by_kind: dict[str, dict[str, list[Any]]] = defaultdict(dict)
        for each in found.references:
            by_kind[f"{each.kind} {each.ecosystem}"][each.name] = [each.files, *each.places]
        scopes[identity] = {
            "fingerprint": table[identity].fingerprint,
            "references": by_kind,
            "modules": found.modules,
            "error": error,
        }
    return {"format": FORMAT, "scopes": scopes}


def _load_references(home: Home, wanted: Mapping[str, str]) -> dict[str, tuple[Collected, str]]:
    """What was collected of the projects in the states that are wanted; those that are missing have to be read."""
    if not wanted:
        return {}
    try:
        data = read_json(home.directory / "references.json") or {}
        table = Uses.load(home) or Uses()
        result = {}
        for identity, fingerprint in wanted.items():
            entry = data.get("scopes", {}).get(identity)
            if data.get("format") != FORMAT or entry is None or entry["fingerprint"] != fingerprint:
                continue
            references = []
            for key, names in entry["references"].items():
                kind, _, ecosystem = key.partition(" ")
                for name, (files, *places) in names.items():
                    references.append(
                        Reference(kind, ecosystem, name, tuple((path, line) for path, line in places), files)
                    )
            boards = [Signboard(**name) for name in table.scopes[identity].names]
            found = Collected(boards, references, list(entry["modules"]), table.scopes[identity].coverage)
            result[identity] = (found, str(entry["error"]))
        return result
    except (DamagedFile, KeyError, TypeError, ValueError, AttributeError):
        return {}  # then they are read
