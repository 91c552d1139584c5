"""Which project uses another, with file and line: `uses.json` in the home.

Two files: `uses.json` is what questions need, `references.json` what the next collection need not read again. Both can
be deleted; they are made again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from loci.core.dependencies.ordinary import ORDINARY_COMMANDS
from loci.core.errors import DamagedFile
from loci.core.home.home import Home, read_json
from loci.core.notes import some

FORMAT = 1
REPAIR = "loci uses --refresh"

# Ecosystems whose names are addresses, not words.
_PLACES = frozenset({"go", "maven", "packagist"})


@dataclass(frozen=True)
class Use:
    """One project mentions a name of another.

    `user`, `used`: ids. `kind`: dependency, locked, import, path, git, submodule, command, workflow or image. `name`:
    the name as its ecosystem spells it; `ecosystem`: "" where the kind has none. `places`: (path in the user's
    repository, line), best first; `files`: how many files mention it. `indirect`: only a lock file has it, so something
    else brought it in.
    """

    user: str
    used: str
    kind: str
    ecosystem: str
    name: str
    places: tuple[tuple[str, int], ...]
    files: int = 1

    @property
    def indirect(self) -> bool:
        """Whether only a lock file names it."""
        return self.kind == "locked"

    def to_json(self) -> dict[str, Any]:
        """As `loci uses --json` prints it."""
        return {
            "user": self.user,
            "used": self.used,
            "kind": self.kind,
            "ecosystem": self.ecosystem,
            "name": self.name,
            "places": [{"path": path, "line": line} for path, line in self.places],
            "files": self.files,
            "indirect": self.indirect,
        }


@dataclass(frozen=True)
class ScopeNames:
    """What is known of one project.

    `names`: its signboards, `{"kind", "ecosystem", "name", "path", "line", "private"}` each. `coverage`: `manifests`
    and `searched` count files; `languages` the source files by language, `not_read` those of languages whose imports
    are not collected; `problems` are
    [path, reason] of files that could not be understood, the first of `unreadable` many.
    """

    id: str
    fingerprint: str
    key: str
    names: tuple[dict[str, Any], ...] = ()
    coverage: dict[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def nameless(self) -> bool:
        """Whether nothing outside could mention it by name."""
        return not any(not name["private"] for name in self.names)

    def to_json(self) -> dict[str, Any]:
        """As it stands in the file, without the id, which is its key there."""
        return {
            "fingerprint": self.fingerprint,
            "key": self.key,
            "names": list(self.names),
            "coverage": self.coverage,
            **({"error": self.error} if self.error else {}),
        }


@dataclass(frozen=True)
class Uses:
    """The table: who uses whom, what each project is called, and what could not be collected.

    `ambiguous`: names that several projects have, with their ids; commands among them are not counted. `behind`: why it
    could not be brought up to date, and the ids of the projects that have changed since; not kept in the file.
    """

    uses: tuple[Use, ...] = ()
    scopes: dict[str, ScopeNames] = field(default_factory=dict)
    ambiguous: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rules: str = ""
    behind: tuple[str, tuple[str, ...]] = ("", ())
    _owned: dict[str, set[str]] | None = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def load(cls, home: Home) -> Uses | None:
        """The table as it was last written; None when it never was. Raises `DamagedFile`."""
        path = home.uses
        data = read_json(path, hint=REPAIR)
        if data is None or data.get("format") != FORMAT:
            return None
        try:
            scopes = {
                identity: ScopeNames(
                    identity,
                    str(entry["fingerprint"]),
                    str(entry["key"]),
                    tuple(dict(name) for name in entry["names"]),
                    dict(entry["coverage"]),
                    str(entry.get("error", "")),
                )
                for identity, entry in data["scopes"].items()
            }
            uses = tuple(
                Use(
                    each["user"],
                    each["used"],
                    each["kind"],
                    each["ecosystem"],
                    each["name"],
                    tuple((str(place["path"]), int(place["line"])) for place in each["places"]),
                    int(each["files"]),
                )
                for each in data["uses"]
            )
            ambiguous = {name: tuple(ids) for name, ids in data["ambiguous"].items()}
            return cls(uses, scopes, ambiguous, str(data["rules"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DamagedFile(path, f"not a table of uses: {error}", hint=REPAIR) from error

    def to_json(self) -> dict[str, Any]:
        """As `loci uses --json` prints it, and as the file holds it beside its format."""
        return {
            "uses": [use.to_json() for use in self.uses],
            "scopes": {identity: scope.to_json() for identity, scope in sorted(self.scopes.items())},
            "ambiguous": {name: list(ids) for name, ids in sorted(self.ambiguous.items())},
            "rules": self.rules,
        }

    def fingerprint_of(self, identity: str) -> str | None:
        """The state of a project when it was read; None for one that is not in the table."""
        scope = self.scopes.get(identity)
        return None if scope is None else scope.fingerprint

    def between(self, user: str, used: Collection[str] = ()) -> list[Use]:
        """What `user` mentions of `used` (of anybody when empty), direct mentions first."""
        return [use for use in self.uses if use.user == user and (not used or use.used in used)]

    def by_user(self) -> dict[str, frozenset[str]]:
        """Project -> those it uses. What only a lock file names counts where nobody names it directly."""
        direct = {use.used for use in self.uses if not use.indirect}
        table: dict[str, set[str]] = defaultdict(set)
        for use in self.uses:
            if not use.indirect or use.used not in direct:
                table[use.user].add(use.used)
        return {user: frozenset(used) for user, used in sorted(table.items())}

    def languages(self) -> dict[str, dict[str, int]]:
        """Project -> number of its source files by language, most first; without those that were not counted yet."""
        return {
            identity: dict(scope.coverage["languages"])
            for identity, scope in sorted(self.scopes.items())
            if "languages" in scope.coverage
        }

    def further_names(self, identity: str) -> list[str]:
        """Names that a question may call the project by: those that nobody else has and that are no ordinary word.

        A name of several parts, a command, or a single word that the project's root declares; never one that is private
        to its repository.
        """
        scope = self.scopes.get(identity)
        names: dict[str, None] = {}
        for board in scope.names if scope else ():
            name, kind = board["name"], board["kind"]
            if board["private"] or kind not in ("distribution", "command") or board["ecosystem"] in _PLACES:
                continue
            single = name.isalnum()
            if single and kind == "distribution" and "/" in board["path"]:
                continue
            if name not in ORDINARY_COMMANDS and len(name) > 1 and self._owners(name) == 1:
                names.setdefault(name)
        return list(names)

    def _owners(self, name: str) -> int:
        if self._owned is None:
            owned: dict[str, set[str]] = defaultdict(set)
            for identity, scope in self.scopes.items():
                for board in scope.names:
                    owned[board["name"]].add(identity)
            object.__setattr__(self, "_owned", owned)
        assert self._owned is not None
        return len(self._owned.get(name, ()))

    def gaps(self) -> list[str]:
        """What could not be collected, in sentences; empty when everything could."""
        reason, changed = self.behind
        told = [f"not looked at since it changed: {some(list(changed))} ({reason})"] if changed else []
        nameless = sorted(identity for identity, scope in self.scopes.items() if scope.nameless)
        if nameless:
            told.append(f"no name from outside, so nobody can be seen to use it: {some(nameless)}")
        languages: dict[str, list[str]] = defaultdict(list)
        for identity, scope in sorted(self.scopes.items()):
            for language, files in scope.coverage.get("not_read", {}).items():
                if files >= 5:
                    languages[language].append(identity)
        told += [f"imports in {language} are not collected: {some(ids)}" for language, ids in sorted(languages.items())]
        unreadable = sorted(identity for identity, scope in self.scopes.items() if scope.coverage.get("problems"))
        if unreadable:
            path, reason = self.scopes[unreadable[0]].coverage["problems"][0]
            told.append(f"files that could not be understood: {some(unreadable)} (for example {path}: {reason})")
        failed = sorted(identity for identity, scope in self.scopes.items() if scope.error)
        if failed:
            told.append(f"could not be read at all: {some(failed)} ({self.scopes[failed[0]].error})")
        commands = sorted(name for name in self.ambiguous if name.startswith("command "))
        if commands:
            told.append(f"commands that several projects have, and that are not counted: {some(commands)}")
        return told
