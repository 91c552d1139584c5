"""Groups: which projects carry a label (in `scopes.json`), and what a label does to a question (`groups.json`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from loci.core.errors import DamagedFile, InvalidRequest
from loci.core.home.home import Home, read_json
from loci.core.home.identity import resolve
from loci.core.home.registry import Registered, Registry
from loci.core.projects.provenance import MINE, VENDOR

GroupMode = Literal["explicit", "soft", "hard"]
MODES: tuple[GroupMode, ...] = get_args(GroupMode)
DEFAULT_MODE: GroupMode = "soft"


def mode_of(group: str, default: GroupMode, modes: Mapping[str, GroupMode]) -> GroupMode:
    """What a group does: as the person set it, else the default, else nothing for what git says of who owns a project.

    Who owns a project says little about what a question asked from inside it is about. With `soft` for these groups
    too, the right one of 30 projects is selected for 72 % of the questions asked from inside another, without for 82 %.
    """
    return modes.get(group, "explicit" if group == MINE or group.startswith(VENDOR) else default)


@dataclass(frozen=True)
class GroupStatus:
    """One group: its mode, whether the person set that, and its members; `inferred` are those read from git."""

    name: str
    mode: str
    is_set: bool
    members: tuple[str, ...]
    inferred: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As `loci groups --json` prints it."""
        return {
            "name": self.name,
            "mode": self.mode,
            "set": self.is_set,
            "members": list(self.members),
            "inferred": list(self.inferred),
        }


def list_groups(home: Home) -> tuple[GroupMode, list[GroupStatus], list[str]]:
    """The default mode, every group by name, and what is wrong with `groups.json`, whose defaults are used then."""
    registry = Registry.load(home)
    notes: list[str] = []
    try:
        default, modes = read_policy(home)
    except DamagedFile as error:
        notes.append(f"{error.message}; the defaults are used")
        default, modes = DEFAULT_MODE, {}
    names = sorted({group for scope in registry.scopes.values() for group in scope.groups} | set(modes))
    found = []
    for name in names:
        members = [key for key, scope in sorted(registry.scopes.items()) if name in scope.groups]
        inferred = [key for key in members if name in registry.scopes[key].inferred]
        found.append(GroupStatus(name, mode_of(name, default, modes), name in modes, tuple(members), tuple(inferred)))
    return default, found, notes


def read_policy(home: Home) -> tuple[GroupMode, dict[str, GroupMode]]:
    """The default mode and the modes by group; raises `DamagedFile` naming the place of what cannot be used."""
    data = read_json(home.groups) or {}
    default = data.get("default", DEFAULT_MODE)
    modes = data.get("modes", {})
    if not isinstance(modes, dict):
        raise _unusable(home, '"modes" must be an object', "modes")
    for where, mode in (("default", default), *modes.items()):
        if mode not in MODES:
            raise _unusable(home, f"the mode of {where!r} is {mode!r}; it must be one of {', '.join(MODES)}", where)
    return default, modes


def set_mode(home: Home, group: str | None, mode: str) -> None:
    """Writes a group's mode, or with None the default, into `groups.json`; every other key stays as it is."""
    if mode not in MODES:
        raise InvalidRequest(f"{mode!r} is no mode", f"the modes are {', '.join(MODES)}")
    if group is not None and not group.strip():
        raise InvalidRequest("a group needs a name")
    with home.registry_lock():
        data = read_json(home.groups) or {}
        if group is None:
            data["default"] = mode
        else:
            modes = data.setdefault("modes", {})
            if not isinstance(modes, dict):
                raise _unusable(home, '"modes" must be an object', "modes")
            modes[group] = mode
        home.write_json(home.groups, data)


def add_to_group(home: Home, scope: str, group: str) -> tuple[Registered, bool]:
    """See `loci.core.Memory.add_to_group`."""
    with Registry.edit(home) as registry:
        found = resolve(registry, scope)
        return found, _add(found, group)


def remove_from_group(home: Home, scope: str, group: str) -> Registered:
    """See `loci.core.Memory.remove_from_group`."""
    with Registry.edit(home) as registry:
        found = resolve(registry, scope)
        _remove(found, group)
        return found


def _add(scope: Registered, group: str) -> bool:
    """Gives a project a label; False when it had it already."""
    if not group.strip() or group != group.strip():
        raise InvalidRequest(f"{group!r} cannot be the name of a group")
    scope.ungrouped = [name for name in scope.ungrouped if name != group]
    was_there = group in scope.groups
    # What a person says stays, even where inference said it first.
    scope.inferred = [name for name in scope.inferred if name != group]
    if not was_there:
        scope.groups.append(group)
    return not was_there


def _remove(scope: Registered, group: str) -> None:
    """Takes a label away, for good; raises `InvalidRequest` when the project does not carry it."""
    if group not in scope.groups:
        has = f"; it is in {', '.join(scope.groups)}" if scope.groups else ""
        raise InvalidRequest(f"{scope.id} is not in the group {group!r}{has}")
    scope.groups = [name for name in scope.groups if name != group]
    scope.inferred = [name for name in scope.inferred if name != group]
    scope.ungrouped.append(group)


def _unusable(home: Home, reason: str, key: str) -> DamagedFile:
    text = home.groups.read_text(encoding="utf-8-sig", errors="replace")
    at = text.find(json.dumps(key, ensure_ascii=False))
    line = text.count("\n", 0, at) + 1 if at >= 0 else None
    column = at - text.rfind("\n", 0, at) if at >= 0 else None
    return DamagedFile(home.groups, reason, line, column)
