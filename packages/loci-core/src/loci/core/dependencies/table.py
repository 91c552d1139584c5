"""Which project uses another, with file and line: `uses.json` in the home.

What a project says (`collect`) is read once per state of its files and kept; matching names against each other is done
anew whenever a project or a name changed. A name of an ecosystem only matches a name of the same ecosystem, and
an import only counts where its distribution is declared too or nothing is declared at all: a project that happens to
be called like a library is not used by everybody who imports the library.

Two files: `uses.json` is what questions need, `references.json` what the next collection need not read again. Both can
be deleted; they are made again.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core.errors import DamagedFile, LociError, said
from loci.core.home.home import Home, read_json

if TYPE_CHECKING:
    from loci.core.dependencies.collect import Collected
    from loci.core.home.registry import Registered, Registry


def words(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


FORMAT = 1
REPAIR = "loci uses --refresh"
CONCURRENT = 3  # The kernel reads while Python parses; more than this only waits.
PLACES_KEPT = 3

# Programs that every machine has, builtins of shells, and words that any project may call a script of its own: such a
# name in a script says nothing of the project that happens to have it too.
ORDINARY_COMMANDS = words(
    """
    admin alias api app apply apt ar as assets at auth awk backend base64 basename bash batch bc bench benchmark
    benchmarks bg bin bison bot break build builds bundle bunzip2 bzip2 cal cargo case cat cc cd check chgrp chmod
    chown ci cksum clang clean clear cli client cmake cmp codegen comm command common compile config configure
    console continue convert core cp cpp create cron crontab csplit curl cut daemon dashboard data database date db
    dd debug declare demo demos deploy desktop dev df diff dig dir dirname dist do docker docs done du e2e echo ed
    egrep elif else emacs end engine env esac eval ex example examples exec exit expand export expr factor false fc
    fg fgrep fi file find fixture fixtures fmt fold for frontend function fuse gateway gcc gem generate generator
    get getconf getopts git go gofmt gpg grep groups gunzip gzip hash head help hexdump history host hostname i18n
    iconv id if import in info infra init install integration internal ip java jobs join kill killall ldd let lex
    lib library link lint ln local locale locate log logger login logname look lookup ls lsof m4 mail main make
    makefile man manage md5sum migrate mix mkdir mkfifo mktemp mobile mocha models module more mount move mv my nano
    nc netstat new nice nl nm node nohup npm npx od open openssl package packages parallel paste patch pathchk pax
    perl php ping pip pip3 pkill playground plugin plugins pnpm popd pr print printenv printf process project proxy
    ps pushd pwd pytest python python3 rake read readlink readonly release reload render report reset restart return
    rev rm rmdir root rsync ruby run runner rust rustc sample samples sandbox save schema schemas scp script scripts
    sdk sed select send seq serve server service set setup sh sha256sum shared shift show site sleep sort source
    split sql ssh start starter stat status stop store storybook strace strings strip stty su sudo sum sync
    systemctl tabs tac tail tar task tee template test tests theme themes then time timeout tool toolkit tools top
    touch tput tr trace trap true tsort tty type types typeset ui ulimit umask umount unalias uname uncompress
    unexpand uniq unlink unset until unzip update upgrade upload user util utils uuid validate vi view vim wait
    watch wc web website wget which while who whoami worker workspace write xargs xtask xz yacc yarn yes zip zsh
    """
)


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
        told = [f"not looked at since it changed: {_some(list(changed))} ({reason})"] if changed else []
        nameless = sorted(identity for identity, scope in self.scopes.items() if scope.nameless)
        if nameless:
            told.append(f"no name from outside, so nobody can be seen to use it: {_some(nameless)}")
        languages: dict[str, list[str]] = defaultdict(list)
        for identity, scope in sorted(self.scopes.items()):
            for language, files in scope.coverage.get("not_read", {}).items():
                if files >= 5:
                    languages[language].append(identity)
        told += [
            f"imports in {language} are not collected: {_some(ids)}" for language, ids in sorted(languages.items())
        ]
        unreadable = sorted(identity for identity, scope in self.scopes.items() if scope.coverage.get("problems"))
        if unreadable:
            path, reason = self.scopes[unreadable[0]].coverage["problems"][0]
            told.append(f"files that could not be understood: {_some(unreadable)} (for example {path}: {reason})")
        failed = sorted(identity for identity, scope in self.scopes.items() if scope.error)
        if failed:
            told.append(f"could not be read at all: {_some(failed)} ({self.scopes[failed[0]].error})")
        commands = sorted(name for name in self.ambiguous if name.startswith("command "))
        if commands:
            told.append(f"commands that several projects have, and that are not counted: {_some(commands)}")
        return told


def refresh_uses(home: Home, registry: Registry, fingerprints: Mapping[str, str], *, force: bool = False) -> Uses:
    """Brings the table up to date: projects whose fingerprint is as before are not read.

    `fingerprints`: the state of each project to be in the table, by id; one that cannot be told is "" and read if
    there is nothing of it yet. The caller holds the build lock.
    """
    from loci.core.dependencies.collect import rules_signature

    rules = rules_signature()
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
    from concurrent.futures import ThreadPoolExecutor

    from loci.core.dependencies.collect import Collected, collect, finder
    from loci.episodes import EpisodesError

    if not scopes:
        return {}
    finder()

    def one(scope: Registered) -> tuple[Collected, str]:
        try:
            return collect(scope, registry.reading(scope)), ""
        except (EpisodesError, OSError) as error:
            return Collected(), said(error)

    with ThreadPoolExecutor(CONCURRENT, "loci-uses") as pool:
        return dict(zip((scope.id for scope in scopes), pool.map(one, scopes), strict=True))


# -- matching ---------------------------------------------------------------------------------------------------------


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

    def used(self, user: str, own: _Own, reference: Any) -> Iterable[str]:
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
        if ecosystem == "pypi":
            from loci.core.dependencies.collect import STANDARD_PYTHON

            if name in STANDARD_PYTHON:
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


# -- the cache --------------------------------------------------------------------------------------------------------


def _board_json(board: Any) -> dict[str, Any]:
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
    from loci.core.dependencies.collect import Collected
    from loci.core.dependencies.manifests import Reference, Signboard

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


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
