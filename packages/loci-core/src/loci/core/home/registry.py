"""`scopes.json`: the registered projects and the roots that were scanned.

Machine-managed, yet a person may add to it: every key loci does not know survives a rewrite, at every level.
"""

from __future__ import annotations

import contextlib
import copy
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from loci.core.errors import AmbiguousScope, DamagedFile, StoreTooNew, UnknownGroup, UnknownScope, near_names
from loci.core.home.git import Repository, origin_url, remote_path
from loci.core.home.home import Home, read_json

FORMAT = 1


@dataclass
class Registered:
    """One registered project.

    `id` never changes once given. `name` is its label. `aliases` were given by hand, `names` were read from its
    remote and manifests. `remote` is host/owner/name without credentials. `common_dir` is shared by all work trees of
    the repository and so tells a second worktree from a second project. `globs` are further files to read,
    `include` and `exclude` the person's own `.gitignore` lines on what is read of the repository.

    `root_commit` recognises a clone that moved; None where it is not known. `subtree`: of a package of a monorepo,
    where it stands in the repository; "" for the repository itself. `declared`: what made it a project of its own,
    "split" or ".loci.json". `split`: of a repository, that its packages are looked for at every scan. `mount`: where
    the file system it stands on is mounted, unless that is the machine's own. `inferred`: those of its groups that were
    read from who writes it; `ungrouped`: groups that a person took it out of, which no inference brings back.
    """

    id: str
    path: Path
    name: str
    aliases: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    remote: str | None = None
    common_dir: Path | None = None
    globs: list[str] = field(default_factory=list)
    include: list[str] = field(default_factory=list)
    exclude: list[str] = field(default_factory=list)
    root_commit: str | None = None
    subtree: str = ""
    declared: str | None = None
    split: bool = False
    mount: Path | None = None
    inferred: list[str] = field(default_factory=list)
    ungrouped: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def repository_root(self) -> Path:
        """The root of its repository, which is its own path unless it is a package of one."""
        path = self.path
        for _ in Path(self.subtree).parts:
            path = path.parent
        return path

    def all_names(self) -> list[str]:
        """Id, label, aliases and names, without duplicates."""
        return list(dict.fromkeys([self.id, self.name, *self.aliases, *self.names]))

    def patterns(self) -> dict[str, list[str]]:
        """`globs`, `include` and `exclude`, those of them that name anything."""
        return {key: list(getattr(self, key)) for key in _PATTERN_KEYS if getattr(self, key)}

    def to_json(self) -> dict[str, Any]:
        """As it stands in the file: our keys first, then the ones we do not know."""
        return {
            "id": self.id,
            "path": str(self.path),
            "name": self.name,
            "aliases": self.aliases,
            "names": self.names,
            "groups": self.groups,
            "remote": self.remote,
            "common_dir": None if self.common_dir is None else str(self.common_dir),
            "globs": self.globs,
            "include": self.include,
            "exclude": self.exclude,
            "root_commit": self.root_commit,
            "subtree": self.subtree,
            "declared": self.declared,
            "split": self.split,
            "mount": None if self.mount is None else str(self.mount),
            "inferred": self.inferred,
            "ungrouped": self.ungrouped,
            **self.extra,
        }


@dataclass
class Registry:
    """The content of `scopes.json`. `scopes` maps id to project, in the order of registration.

    `forgotten`: paths of repositories that a person removed; a scan leaves them out.
    """

    scopes: dict[str, Registered] = field(default_factory=dict)
    roots: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, home: Home) -> Registry:
        """An absent file is an empty registry; raises `DamagedFile` or `StoreTooNew`."""
        data = read_json(home.registry)
        if data is None:
            return cls()
        data = dict(data)
        version = data.pop("format", FORMAT)
        if not isinstance(version, int) or version > FORMAT:
            raise StoreTooNew(home.registry, version, FORMAT)
        registry = cls(
            roots=_texts(home.registry, "roots", data.pop("roots", [])),
            forgotten=_texts(home.registry, "forgotten", data.pop("forgotten", [])),
        )
        entries = data.pop("scopes", [])
        if not isinstance(entries, list):
            raise DamagedFile(home.registry, '"scopes" must be a list')
        for position, entry in enumerate(entries):
            scope = _registered(home.registry, position, entry)
            if scope.id in registry.scopes:
                raise DamagedFile(home.registry, f"the id {scope.id!r} stands there twice")
            registry.scopes[scope.id] = scope
        registry.extra = data
        return registry

    @classmethod
    @contextlib.contextmanager
    def edit(cls, home: Home) -> Iterator[Registry]:
        """The registry, locked against other editors; written back on leaving when it changed."""
        with home.registry_lock():
            registry = cls.load(home)
            before = copy.deepcopy(registry.to_json())
            yield registry
            home.remove_leftovers(home.registry)
            if registry.to_json() != before or not home.registry.exists():
                home.write_json(home.registry, registry.to_json())

    def to_json(self) -> dict[str, Any]:
        """The whole file."""
        return {
            "format": FORMAT,
            "roots": list(self.roots),
            **({"forgotten": list(self.forgotten)} if self.forgotten else {}),
            "scopes": [scope.to_json() for scope in self.scopes.values()],
            **self.extra,
        }

    def find(self, repository: Repository, subtree: str = "") -> Registered | None:
        """The project that this repository, or another work tree of it, is registered as; or a package of it."""
        own = [scope for scope in self.scopes.values() if scope.subtree == subtree]
        for scope in own:
            if scope.common_dir == repository.common_dir:
                return scope
        return next((scope for scope in own if scope.path == repository.root / subtree), None)

    def packages_of(self, scope: Registered) -> list[Registered]:
        """The packages of a repository that are projects of their own."""
        return [
            other
            for other in self.scopes.values()
            if other.subtree and not scope.subtree and other.repository_root == scope.path
        ]

    def named(self, name: str) -> Registered | None:
        """The project that goes by this id, label, alias or name, whatever the letter case."""
        folded = name.casefold()
        for scope in self.scopes.values():
            if folded in (known.casefold() for known in scope.all_names()):
                return scope
        return None

    def resolve(
        self, wanted: str, containing: Callable[[str], Registered | None] | None = None, *, exact: bool = False
    ) -> Registered:
        """The project meant by an id, the end of its path, a name or a path; raises `UnknownScope` or `AmbiguousScope`.

        An id or the trailing directories of a path ("api", "team/api") win over names, names ignore letter case, and a
        path means the deepest project around it. An id that is also the directory name of another project is ambiguous:
        whoever types it may mean either. With `exact` the id wins then, for callers that got it from loci.
        """
        if exact and wanted in self.scopes:
            return self.scopes[wanted]
        folded = wanted.casefold()
        hits = [scope for scope in self.scopes.values() if scope.id.casefold() == folded or _ends_with(scope, wanted)]
        if len(hits) > 1:
            # Where letter case makes the difference, it was meant.
            hits = [scope for scope in hits if scope.id == wanted or _ends_with(scope, wanted, exact=True)] or hits
        if len(hits) == 1:
            return hits[0]
        if hits:
            raise AmbiguousScope(wanted, [self._address(scope) for scope in hits])
        for names in (lambda s: [s.name, *s.aliases], lambda s: s.names):
            hits = [s for s in self.scopes.values() if folded in (name.casefold() for name in names(s))]
            if len(hits) == 1:
                return hits[0]
            if hits:
                raise AmbiguousScope(wanted, [self._address(scope) for scope in hits])
        if any(mark in wanted for mark in ("/", "\\", "~")) or wanted in (".", ".."):
            found = containing(wanted) if containing else self.containing(Path(wanted).expanduser())
            if found is not None:
                return found
        names = [name for scope in self.scopes.values() for name in scope.all_names()]
        raise UnknownScope(wanted, near_names(wanted, names))

    def require_group(self, group: str) -> None:
        """Raises `UnknownGroup`, with the names like it, for a group that no project is in."""
        known = sorted({name for scope in self.scopes.values() for name in scope.groups})
        if group not in known:
            raise UnknownGroup(group, near_names(group, known), known)

    def _address(self, scope: Registered) -> str:
        """What names this project and no other: its id, else as much of the end of its path as it takes."""
        parts = scope.path.parts
        for text in (scope.id, *("/".join(parts[-length:]) for length in range(2, len(parts)))):
            if all(
                other is scope or (other.id.casefold() != text.casefold() and not _ends_with(other, text))
                for other in self.scopes.values()
            ):
                return text
        return str(scope.path)

    def containing(self, path: Path) -> Registered | None:
        """The deepest project around `path`, by its directory."""
        path = path.resolve()
        around = [scope for scope in self.scopes.values() if scope.path == path or scope.path in path.parents]
        return max(around, key=lambda scope: len(scope.path.parts), default=None)

    def inner_paths(self, scope: Registered) -> list[str]:
        """Relative paths of the other projects registered inside `scope`; its own index leaves them out."""
        return sorted(
            other.path.relative_to(scope.path).as_posix()
            for other in self.scopes.values()
            if _is_below(other.path, scope.path)
        )

    def reading(self, scope: Registered) -> dict[str, Any]:
        """What a build of `scope` reads beside and instead of the usual: arguments of `loci.episodes.build`, whose root
        is `scope.repository_root`.
        """
        packages = {
            other.path.relative_to(scope.path).as_posix()
            for other in self.scopes.values()
            if other.subtree and other.repository_root == scope.repository_root and _is_below(other.path, scope.path)
        }
        return {
            # graphify's graph is asked as structure; as text it would be names without what they stand for.
            "exclude": [*(path for path in self.inner_paths(scope) if path not in packages), "graphify-out"],
            # Path.expanduser raises for the home of somebody who is not there.
            "notes": [os.path.expanduser(pattern) for pattern in scope.globs],  # noqa: PTH111
            "policy": {"include": scope.include, "exclude": scope.exclude},
            "subtree": scope.subtree,
            "apart": sorted(packages),
        }


def _is_below(path: Path, directory: Path) -> bool:
    # A question that denies asks this of all pairs of projects; `directory in path.parents` takes twenty times as long.
    return len(path.parts) > len(directory.parts) and path.parts[: len(directory.parts)] == directory.parts


def remote_of(repository: Repository) -> str | None:
    """`host/owner/name` of the repository's remote, without secrets; None without one."""
    from loci.episodes import redact

    url = origin_url(repository)
    # A token may stand anywhere in an address, not only before the `@`.
    return redact(remote_path(url) or "") or None if url else None


def _ends_with(scope: Registered, wanted: str, *, exact: bool = False) -> bool:
    """Whether `wanted` is the name of the project's directory or the last few parts of its path."""
    parts = (wanted if exact else wanted.casefold()).replace("\\", "/").rstrip("/").split("/")
    # A rooted or relative path is looked up as a path.
    if any(part in ("", ".", "..", "~") for part in parts):
        return False
    return [part if exact else part.casefold() for part in scope.path.parts[-len(parts) :]] == parts


_PATTERN_KEYS = ("globs", "include", "exclude")
_GROUP_KEYS = ("inferred", "ungrouped")
_KNOWN_KEYS = frozenset({field.name for field in fields(Registered)} - {"extra"})


def _registered(file: Path, position: int, entry: Any) -> Registered:
    if not isinstance(entry, dict):
        raise DamagedFile(file, f'entry {position + 1} of "scopes" must be an object')
    identity, path = entry.get("id"), entry.get("path")
    if not isinstance(identity, str) or not identity or not isinstance(path, str) or not path:
        raise DamagedFile(file, f'entry {position + 1} of "scopes" needs "id" and "path" as text')
    try:
        directory = Path(path).expanduser()
        os.fsencode(directory)
        if "\0" in path:
            raise ValueError("it holds a NUL character")
    except (RuntimeError, ValueError) as error:
        raise DamagedFile(file, f'the "path" of entry {position + 1} of "scopes" cannot be one: {error}') from error
    name, remote, common_dir = entry.get("name"), entry.get("remote"), entry.get("common_dir")
    return Registered(
        id=identity,
        path=directory,
        name=name if isinstance(name, str) and name else Path(path).name,
        aliases=_texts(file, "aliases", entry.get("aliases", [])),
        names=_texts(file, "names", entry.get("names", [])),
        groups=_texts(file, "groups", entry.get("groups", [])),
        remote=remote if isinstance(remote, str) else None,
        common_dir=Path(common_dir) if isinstance(common_dir, str) else None,
        root_commit=_text(entry, "root_commit"),
        subtree=_subtree(file, position, entry.get("subtree") or ""),
        declared=_text(entry, "declared"),
        split=entry.get("split") is True,
        mount=Path(entry["mount"]) if isinstance(entry.get("mount"), str) else None,
        **{key: _texts(file, key, entry.get(key, [])) for key in (*_PATTERN_KEYS, *_GROUP_KEYS)},
        extra={key: value for key, value in entry.items() if key not in _KNOWN_KEYS},
    )


def _text(entry: dict[str, Any], key: str) -> str | None:
    value = entry.get(key)
    return value if isinstance(value, str) and value else None


def _subtree(file: Path, position: int, value: Any) -> str:
    if (
        not isinstance(value, str)
        or value.startswith("/")
        or any(p in ("", ".", "..") for p in value.split("/") if value)
    ):
        raise DamagedFile(file, f'the "subtree" of entry {position + 1} of "scopes" is no path below a repository')
    return value


def _texts(file: Path, key: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DamagedFile(file, f'"{key}" must be a list of texts')
    return list(value)
