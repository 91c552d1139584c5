"""What one project depends on: registered projects that it uses, and names that are nobody's here.

The table of uses only knows projects that are registered. What a project declares beside them stands in
`references.json`, which is read for such a question only.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from loci.core.dependencies.table import ScopeNames, Use, Uses
from loci.core.errors import DamagedFile
from loci.core.home.home import Home, read_json
from loci.core.notes import (
    MoreDeclared,
    NotCollected,
    Note,
    NothingDeclared,
    NotMentioned,
    OnlyApart,
    OnlyLocked,
    UsesNotCollected,
)

_VERSION = re.compile(r"/v\d+$")  # of a Go module
OTHERS_SHOWN = 40
"""Of the names that no registered project has, so many are listed."""

# What the project itself says that it needs; imports, commands and locked names follow from it.
_DECLARED = ("dependency", "git", "submodule", "image")
# Where a single name is looked for, the surest first.
_ANYWHERE = ("dependency", "git", "submodule", "import", "command", "workflow", "image", "locked")


def needs(
    home: Home, table: Uses, user: str, related: Collection[str], named: str | None
) -> tuple[tuple[Use, ...], list[Note]]:
    """What the project `user` uses, with file and line, and what a reader should know of it.

    `named`: the one thing that was asked about, None for everything; `related`: the projects that it names, empty where
    it is no registered project. The `used` of what is no registered project is empty.
    """
    known = table.scopes.get(user)
    if known is None:
        return (), [UsesNotCollected(declared_only=False)]
    found = [] if named is not None and not related else table.between(user, related)
    if named is not None and related:
        return tuple(found), [] if found else [_no_mention(known, named)]
    references = _references(home, known)
    if references is None:
        return tuple(found), [UsesNotCollected(declared_only=True)]
    if named is not None:
        others = _called(references, user, named)
        if others and all(_apart(each) for each in others):
            return tuple(others), [OnlyApart(named)]
        return tuple(others), [] if others else [_no_mention(known, named)]
    of_registered = {(use.kind, use.ecosystem, use.name) for use in found}
    own = {(name["ecosystem"], name["name"]) for name in known.names if name["kind"] == "distribution"}
    others = [
        each
        for each in _named_by(references, user, _DECLARED)
        if (each.kind, each.ecosystem, each.name) not in of_registered
        and (each.ecosystem, each.name) not in own
        and not (each.kind == "submodule" and each.name.startswith("./"))
        and not _apart(each)
    ]
    others.sort(key=lambda use: (_DECLARED.index(use.kind), use.places[0][0].count("/"), use.places[0]))
    notes: list[Note] = []
    if not found and not others:
        notes.append(NothingDeclared())
    if len(others) > OTHERS_SHOWN:
        notes.append(MoreDeclared(len(others) - OTHERS_SHOWN))
    direct, locked = ([use for use in found if use.indirect is indirect] for indirect in (False, True))
    return (*direct, *others[:OTHERS_SHOWN], *locked), [*notes, *(NotCollected(gap) for gap in _gaps(known))]


def only_locked(uses: Collection[Use]) -> Note | None:
    """What to know of mentions that are all in lock files; None where one is not."""
    return OnlyLocked() if uses and all(use.indirect for use in uses) else None


def _no_mention(known: ScopeNames, named: str) -> Note:
    return NotMentioned(named, tuple(_gaps(known)))


def _gaps(known: ScopeNames) -> list[str]:
    """What of this project could not be collected."""
    told = [f"could not be read: {known.error}"] if known.error else []
    languages = [language for language, files in known.coverage.get("not_read", {}).items() if files >= 5]
    return told + ([f"imports in {', '.join(languages)} are not collected"] if languages else [])


def _references(home: Home, known: ScopeNames) -> dict[str, Any] | None:
    """The mentions of one project as they are kept; None where they are not those of the table."""
    try:
        data = read_json(home.directory / "references.json") or {}
        entry = data["scopes"][known.id]
        return entry["references"] if entry["fingerprint"] == known.fingerprint else None
    except (DamagedFile, KeyError, TypeError, AttributeError):
        return None  # made again by the next build


def _named_by(references: dict[str, Any], user: str, kinds: Collection[str]) -> list[Use]:
    found = []
    for key, names in references.items():
        kind, _, ecosystem = key.partition(" ")
        if kind in kinds:
            for name, (files, *places) in names.items():
                if places:
                    where = tuple((str(path), int(line)) for path, line in places)
                    found.append(Use(user, "", kind, ecosystem, name, where, int(files)))
    return found


def _called(references: dict[str, Any], user: str, named: str) -> list[Use]:
    """The mentions of one name, the surest first: all of it, or the last part (`cobra` of `github.com/spf13/cobra`)."""

    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).casefold()

    wanted = plain(named)
    found = [
        each
        for each in _named_by(references, user, _ANYWHERE)
        if wanted in (plain(each.name), plain(re.split(r"[/:]", _VERSION.sub("", each.name))[-1]))
    ]
    found.sort(key=lambda use: (_ANYWHERE.index(use.kind), _apart(use), use.name))
    direct = [each for each in found if not each.indirect]
    return direct or found


def _apart(use: Use) -> bool:
    from loci.core.dependencies.collect import is_apart

    return is_apart(use.places[0][0])
