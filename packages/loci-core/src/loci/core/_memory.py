"""Memory: the one query path. The command line, the server and programs all come through here."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from loci.core import _lead
from loci.core._answer import Answer, Nothing, ScopeAnswer, within_budget
from loci.core._budget import encodable
from loci.core._literals import led_by
from loci.core._structure import (
    SYMBOLS_PER_K,
    Definitions,
    absent_name,
    absent_names,
    chain_of,
    graph_key,
    has_exactly,
    hints_of,
    named_symbol,
    near_symbols,
    of_question,
    open_graph,
    read_in_part,
)
from loci.core.build.foreign import EXTRACTORS, remarks
from loci.core.build.freshness import (
    DENIAL_LOOKS,
    DENIAL_SECONDS,
    REFRESH_PATIENCE,
    REFRESH_SECONDS,
    WAIT_SECONDS,
    Check,
    expected_seconds,
)
from loci.core.dependencies.table import Uses
from loci.core.errors import (
    BuildLocked,
    DamagedFile,
    DamagedSegment,
    DamagedStore,
    ExtractorFailed,
    HomeNotWritable,
    InvalidRequest,
    LociError,
    NoIndex,
    NotARepository,
    NothingRegistered,
    UnknownGroup,
    near_names,
    one_of,
)
from loci.core.home.git import (
    Repository,
    damage_at,
    head_commit,
    linked_worktrees,
    repository_around,
    repository_at,
    tagged_commits,
)
from loci.core.home.home import Home, file_state, read_json
from loci.core.home.identity import Place, missing_scopes, moved_among, place_of, scope_presence
from loci.core.home.manifest import Indexed, Manifest
from loci.core.home.registry import Registered, Registry

if TYPE_CHECKING:
    from loci.core.build.index import IndexReport, Progress
    from loci.core.build.symbol_vectors import SymbolSemantics
    from loci.core.build.vectors import EmbedReport, Models
    from loci.core.operations.doctor import Finding
    from loci.core.operations.setup import ChainReport, Tell
    from loci.core.projects.groups import GroupStatus
    from loci.core.projects.hooks import HookPlan
    from loci.core.projects.scan import ScanReport
    from loci.episodes import Episodes, Passage, SecondLook, Semantics, Support
    from loci.router import (
        Calibration,
        Groups,
        Index,
        Question,
        Request,
        Route,
        Router,
        RoutingIndex,
        Scope,
        SymbolTable,
    )
    from loci.structure import Combined, Graph, StructureBackend, Symbol

DEFAULT_K = 10
MOST_COMMITS = 50  # However many a question names.
DEFAULT_BUDGET = 2000
LONGEST_QUESTION = 100_000  # Characters: some ten thousand words, far beyond any question but not beyond a pasted log.
LOCK_WAIT_SECONDS = 1.0  # A question that brings a project up to date holds the lock for some tenths of a second.

T = TypeVar("T")
U = TypeVar("U")
Beside = Callable[[Indexed], "BesideWords"]


@dataclass(frozen=True)
class BesideWords:
    """What ranks the passages of a scope beside their words: vectors or a cross-encoder. `note`: why vectors do not.

    `symbols`: the same for its symbols, only where there are `semantics`.
    """

    semantics: Semantics | None = None
    symbols: SymbolSemantics | None = None
    second_look: SecondLook | None = None
    note: str = ""


State = Literal["indexed", "not_indexed", "gone", "moved", "unreachable"]
Watch = Callable[["Route | ScopeAnswer"], None]
Relation = Literal["all", "callers", "callees", "users", "reach", "implementers", "tests", "importers"]


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
    counts: dict[str, Any] = field(default_factory=dict)
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


@dataclass(frozen=True)
class RouterParts:
    """What the router of a home is made of, for whoever measures it: `loci.eval` asks with parts of the index left out.

    `index`: its own, opened for the caller. `scopes`: by id. `groups`, `calibration`: None where the defaults are in
    use. `uses`: scope -> the scopes it uses; `languages`: scope -> source files by language; `symbols`: which scopes
    define a symbol; None where not known.
    """

    index: RoutingIndex
    scopes: dict[str, Scope]
    groups: Groups | None
    calibration: Calibration | None
    uses: dict[str, frozenset[str]] | None
    languages: dict[str, dict[str, int]] | None = None
    symbols: SymbolTable | None = None

    def router(self, index: Index | None = None, calibration: Calibration | None = None) -> Router:
        """A router over `index` (the home's own when None), under `calibration` (the home's own when None).

        Over another index than the home's it knows no symbols: those of a text that is left out would give it away.
        """
        from loci.router import Router

        chosen = calibration or self.calibration
        return Router(
            index or self.index,
            self.scopes,
            groups=self.groups,
            calibration=chosen,
            uses=self.uses,
            languages=self.languages,
            symbols=self.symbols if index is None or index is self.index else None,
        )


class _Snapshot:
    """One generation: the manifest, what the registry said, and whatever was opened of it so far."""

    def __init__(self, memory: Memory, key: tuple[Any, ...], older: _Snapshot | None) -> None:
        self.key = key
        self.notes: list[str] = []
        self.home = memory.home
        self.manifest = Manifest.load(self.home)
        indexed = self.manifest.scopes if self.manifest else {}
        try:
            self.registry = Registry.load(self.home)
        except DamagedStore as error:
            if not indexed:
                raise
            # A slip of the hand in that file must not silence the index, which knows enough by itself.
            self.registry = registry_of(indexed.values())
            self.notes.append(f"{error.message}; answering with the projects as they were last indexed")
        self.indexed = {key: record for key, record in indexed.items() if key in self.registry.scopes}
        self._lock = threading.Lock()
        self._router_lock = threading.Lock()
        self._router: Router | None = None
        self._index: RoutingIndex | None = None
        self._rules: str | None = None
        self._uses: Uses | None = None
        self._uses_read = False
        # Files are immutable, so what an older generation opened serves this one too.
        keep = {record.segment for record in self.indexed.values()}
        opened = older.opened() if older is not None else {}
        self._episodes: dict[str, Episodes] = {name: store for name, store in opened.items() if name in keep}
        graphs = {graph_key(record) for record in self.indexed.values()}
        known = older.graphs() if older is not None else {}
        self._graphs: dict[str, Graph | Combined] = {name: found for name, found in known.items() if name in graphs}

    def rules(self) -> str:
        """The signature of the rules that an index built now would have."""
        if self._rules is None:
            from loci import episodes

            self._rules = episodes.rules_signature()
        return self._rules

    def uses(self) -> Uses | None:
        """Who uses whom; None when it was never collected or its file is broken, which a note says."""
        if not self._uses_read:
            try:
                self._uses = Uses.load(self.home)
            except DamagedFile as error:
                self.notes.append(f"{error.message}; who uses whom is not known: {error.hint}")
            self._uses_read = True
        return self._uses

    def opened(self) -> dict[str, Episodes]:
        """What is open now, by segment file."""
        with self._lock:
            return dict(self._episodes)

    def graphs(self) -> dict[str, Graph | Combined]:
        """The graphs that are open now, by file."""
        with self._lock:
            return dict(self._graphs)

    def graph(self, record: Indexed) -> tuple[Graph | Combined | None, str]:
        """The graph of a scope, opened at first use, and what a reader should know of it."""
        if record.graph is None:
            return None, ""
        name = graph_key(record)
        with self._lock:
            found = self._graphs.get(name)
        if found is not None:
            return found, ""
        graph, problem = open_graph(self.home, record)
        if graph is None:
            # Not kept: a build repairs the file under the same name.
            return None, problem
        with self._lock:
            return self._graphs.setdefault(name, graph), ""

    def episodes(self, record: Indexed) -> Episodes:
        """The open segment of a scope; raises `DamagedSegment`."""
        with self._lock:
            store = self._episodes.get(record.segment)
        if store is not None:
            return store
        from loci.episodes import Episodes, EpisodesError

        path = self.home.segments / record.segment
        try:
            store = Episodes.open(path)
        except (EpisodesError, OSError) as error:
            raise DamagedSegment(record.id, path, _reason(path, error)) from error
        with self._lock:
            return self._episodes.setdefault(record.segment, store)

    def overlay(self, record: Indexed) -> Episodes:
        """The open segment of a worktree; raises `DamagedSegment`, whose cure is to ask again."""
        from loci.episodes import Episodes, EpisodesError

        path = self.home.overlays / record.segment
        with self._lock:
            store = self._episodes.get(record.segment)
        if store is not None:
            return store
        try:
            store = Episodes.open(path)
        except (EpisodesError, OSError) as error:
            with contextlib.suppress(OSError):
                path.unlink()
            raise DamagedSegment(record.id, path, _reason(path, error)) from error
        with self._lock:
            return self._episodes.setdefault(record.segment, store)

    @contextlib.contextmanager
    def damage_named(self, record: Indexed | None = None) -> Iterator[None]:
        """Damage that shows only while a segment is read (not when it is opened) is as much a `DamagedSegment`.

        `record`: the scope that is read; without one it is found by the file that the message names.
        """
        from loci.episodes import EpisodesError
        from loci.router import RouterError

        try:
            yield
        except (EpisodesError, RouterError, OSError, ValueError) as error:
            named = record or next((r for r in self.indexed.values() if r.segment in str(error)), None)
            if named is None:
                raise
            path = self.home.segments / named.segment
            raise DamagedSegment(named.id, path, _reason(path, error)) from error

    def release(self) -> None:
        """Gives the pages of everything that is open back to the system; see `Memory.release`."""
        with self._lock:
            files: list[Episodes | Graph | Combined | RoutingIndex] = [*self._episodes.values(), *self._graphs.values()]
        if self._index is not None:
            files.append(self._index)
        for file in files:
            file.release()

    def router(self) -> Router:
        """The router over all indexed scopes, opened at first use; raises `DamagedSegment`."""
        with self._router_lock:
            if self._router is None:
                parts = self.router_parts()
                self._index = parts.index
                self._router = parts.router()
            return self._router

    def router_parts(self) -> RouterParts:
        """What a router over all indexed scopes is made of, opened anew; raises `DamagedSegment`."""
        from loci import router

        paths = {key: self.home.segments / record.segment for key, record in self.indexed.items()}
        try:
            index = router.RoutingIndex.open(paths)
        except (router.RouterError, OSError) as error:
            # One bad file refuses them all; the message has to name which.
            for key, path in paths.items():
                self.episodes(self.indexed[key])
                if not path.exists():
                    raise DamagedSegment(key, path, "is missing") from error
            raise DamagedStore(f"the routing index cannot be opened: {error}", "loci index --force") from error
        scopes = {}
        table = self.uses()
        for key, record in self.indexed.items():
            registered = self.registry.scopes[key]
            names = [*registered.all_names(), *(table.further_names(key) if table is not None else ())]
            scopes[key] = router.Scope(
                id=key,
                name=registered.name,
                aliases=tuple(dict.fromkeys(name for name in names if name != registered.name)),
                path=registered.path,
                groups=tuple(registered.groups),
                last_commit_time=record.last_commit_time,
            )
        groups = self._groups()
        calibration = self._policy(self.home.calibration, router.Calibration.from_json)
        # From an empty table nothing follows: then the projects' texts have to say who uses whom.
        uses = table.by_user() if table is not None and table.uses else None
        languages = (table.languages() if table is not None else None) or None
        return RouterParts(index, scopes, groups, calibration, uses, languages, Definitions(self._all_graphs))

    def _all_graphs(self) -> Iterator[tuple[str, Graph | Combined]]:
        """Every graph that can be opened; one that cannot says so where its project answers."""
        for key, record in self.indexed.items():
            graph, _ = self.graph(record)
            if graph is not None:
                yield key, graph

    def _groups(self) -> Groups | None:
        """What groups do; None, and a note that names the place, when a person broke that file."""
        from loci.core.projects.groups import DEFAULT_MODE, mode_of, read_policy
        from loci.router import Groups

        try:
            default, modes = read_policy(self.home)
        except DamagedFile as error:
            self.notes.append(f"{error.message}; the defaults are used")
            default, modes = DEFAULT_MODE, {}
        known = {group for scope in self.registry.scopes.values() for group in scope.groups}
        return Groups(default, {**modes, **{group: mode_of(group, default, modes) for group in sorted(known)}})

    def _policy(self, path: Path, parse: Any) -> Any:
        """A policy file as an object; None, and a note, when a person broke it."""
        try:
            data = read_json(path)
            return None if data is None else parse(data)
        except DamagedFile as error:
            self.notes.append(f"{error.message}; the defaults are used")
        except (ValueError, TypeError, LookupError) as error:
            self.notes.append(f"{path} cannot be used: {error}; the defaults are used")
        return None


class Memory:
    """All of a developer's projects, asked one question at a time. Safe to share between threads.

    Files are opened at first use and kept; a new generation of the index is noticed at the next question.
    """

    def __init__(self, home: Home, structure: StructureBackend | None = None) -> None:
        self.home = home
        self._structure = structure
        self._snapshot_lock = threading.Lock()
        self._snapshot_now: _Snapshot | None = None
        self._models_now: Models | None = None

    @classmethod
    def open(cls, home: str | os.PathLike[str] | None = None, *, structure: StructureBackend | None = None) -> Memory:
        """The memory in `home` (default: `$LOCI_HOME`, else `~/.loci`). Reads nothing yet, creates nothing.

        `structure` answers questions about symbols in the place of the graphs that `index` builds.
        """
        return cls(Home.locate(home), structure)

    # What there is

    def scopes(self, *, group: str | None = None) -> list[ScopeStatus]:
        """Every registered project (of `group`), sorted by id; empty when none is.

        Raises `UnknownGroup`, `DamagedStore`.
        """
        registry = Registry.load(self.home)
        if group is not None:
            _check_group(registry, group)
        manifest = Manifest.load(self.home)
        indexed = manifest.scopes if manifest else {}
        moved = _moved(registry)
        return [
            self._status(scope, indexed.get(key), moved.get(key))
            for key, scope in sorted(registry.scopes.items())
            if group is None or group in scope.groups
        ]

    def generation(self) -> int | None:
        """The generation of the index that answers now; None when nothing is indexed."""
        manifest = Manifest.load(self.home)
        return manifest.generation if manifest else None

    def scan(
        self,
        directories: Iterable[str | os.PathLike[str]],
        *,
        register: bool = True,
        split: bool = False,
        others: bool = True,
    ) -> ScanReport:
        """Finds the git repositories in and below `directories` and registers them, with the groups that who writes
        them gives. A repository that moved keeps its id and all it was given.

        `register=False` only tells what would happen. `split`: packages that a marker file shows, one level down,
        become projects of their own, also at later scans. `others=False` leaves out new repositories that others write.
        Raises `InvalidRequest` for a directory that is not there.
        """
        from loci.core.projects.scan import scan

        roots = [_existing_directory(Path(directory)) for directory in directories]
        if not roots:
            raise InvalidRequest("no directory to scan was given", "loci scan <directory with your projects>")
        return scan(self.home, roots, register=register, split=split, others=others)

    def add(
        self,
        path: str | os.PathLike[str],
        *,
        aliases: Sequence[str] = (),
        remove_aliases: Sequence[str] = (),
        globs: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        remove_patterns: Sequence[str] = (),
    ) -> tuple[Registered, bool]:
        """Registers the repository at `path`, or adds to what is known of it; also tells whether it is new.

        `globs` are patterns of further files to read, absolute, below `~` or relative to the current directory;
        `include` and `exclude` are `.gitignore` lines for what is read of the repository. `remove_aliases` and
        `remove_patterns` (any of the three) are taken away first. The next index run reads by them. Raises
        `NotARepository`, naming the repository around the path if there is one, and `InvalidRequest` for an alias that
        names another project, an empty pattern, or something to be removed that is not there.
        """
        directory = _existing_directory(Path(path))
        repository = repository_at(directory)
        damage = damage_at(directory)
        if damage is not None:
            raise NotARepository(directory, damage, "`git fsck` there says more; a fresh clone may be the way out")
        if repository is None:
            from loci.core.projects.discover import any_below

            around = repository_around(directory)
            if around is not None:
                hint = f"it lies inside the repository {around.root}"
            elif any_below(directory):
                hint = f"loci scan {directory}"
            else:
                hint = "`git init` makes one"
            raise NotARepository(directory, hint=hint)
        aliases = [alias.strip() for alias in aliases]
        if not all(aliases):
            raise InvalidRequest("an alias must not be empty")
        patterns = {"globs": [_glob(pattern) for pattern in globs], "include": list(include), "exclude": list(exclude)}
        if not all(pattern.strip() for pattern in (*globs, *include, *exclude)):
            raise InvalidRequest("a pattern must not be empty")
        from loci.core.projects.provenance import own_addresses
        from loci.core.projects.register import register_all, register_one
        from loci.core.projects.scan import survey_of

        survey = survey_of(repository)
        own = own_addresses([repository.root] if survey else [])
        with Registry.edit(self.home) as registry:
            here = registry.find(repository)
            for alias in aliases:
                other = registry.named(alias)
                if other is not None and other is not here:
                    raise InvalidRequest(
                        f"{alias!r} already names {other.id} ({other.path})",
                        f"choose another, or take it away there: loci add {other.path} --unalias {alias}"
                        if alias.casefold() in (name.casefold() for name in other.aliases)
                        else "choose another",
                    )
            for alias in remove_aliases:
                if here is None or alias.strip().casefold() not in (name.casefold() for name in here.aliases):
                    has = f"; it has {', '.join(here.aliases)}" if here is not None and here.aliases else ""
                    raise InvalidRequest(f"{directory} has no alias {alias!r}{has}")
            known = [] if here is None else [*here.globs, *here.include, *here.exclude]
            unwanted = {pattern if pattern in known else _glob(pattern) for pattern in remove_patterns}
            for pattern in sorted(unwanted.difference(known)):
                has = f"; it has {', '.join(known)}" if known else ""
                raise InvalidRequest(f"{directory} has no pattern {pattern!r}{has}")
            # Remembered or not: whoever adds it by hand wants it back.
            if str(repository.root) in registry.forgotten:
                registry.forgotten.remove(str(repository.root))
            if here is not None:
                gone = {alias.strip().casefold() for alias in remove_aliases}
                here.aliases = [alias for alias in here.aliases if alias.casefold() not in gone]
            new = here is None
            result = register_all(registry, {repository.root: (repository, survey)}, own=own)
            scope, _ = register_one(registry, repository, aliases)
            new = new and not result.moved
            for key, wanted in patterns.items():
                kept = [pattern for pattern in getattr(scope, key) if pattern not in unwanted]
                setattr(scope, key, list(dict.fromkeys([*kept, *wanted])))
            return scope, new

    def forget(self, scope: str) -> Registered:
        """Removes a project and what is indexed of it; `scan` does not bring it back, `add` does.

        Raises `UnknownScope`, `AmbiguousScope`.
        """
        with Registry.edit(self.home) as registry:
            found = self._resolve(registry, scope)
            # Its packages are read by its own root and history; without it they would be nobody's.
            gone = [found.id, *(package.id for package in registry.packages_of(found))]
            for identity in gone:
                del registry.scopes[identity]
            if str(found.path) not in registry.forgotten:
                registry.forgotten.append(str(found.path))
        from loci.core.build.freshness import remove_overlays
        from loci.core.build.index import remove_scope

        for identity in gone:
            remove_scope(self.home, identity)
            remove_overlays(self.home, identity)
        return found

    def forgotten_kept(self) -> list[str]:
        """The projects that were forgotten while a build ran, of which the index still has files; no question is
        answered from them, and the end of that build or the next one removes them. Raises `DamagedFile`.
        """
        manifest = Manifest.load(self.home)
        registered = Registry.load(self.home).scopes
        return [] if manifest is None else sorted(set(manifest.scopes) - set(registered))

    def index(
        self,
        scopes: Collection[str] | None = None,
        *,
        force: bool = False,
        progress: Progress | None = None,
        wait: float = LOCK_WAIT_SECONDS,
        graphs: bool | None = None,
    ) -> IndexReport:
        """Brings the index up to date; scopes that did not change keep their segments.

        `graphs`: whether what calls what is built too; None as the last time that it was said, at first yes. `wait`:
        for so many seconds while another build runs, unless a third one waits already. `scopes` limits the run to
        these (ids, names or paths); `force` builds them from nothing. A scope that fails is reported and keeps what it
        had, the others go on. Raises `NothingRegistered`, `BuildLocked`, `HomeNotWritable`, `DamagedFile`.
        """
        from loci.core.build.index import build_index

        only = None
        if scopes:
            registry = Registry.load(self.home)
            only = {self._resolve(registry, scope, exact=True).id for scope in scopes}
        return build_index(self.home, only=only, force=force, progress=progress, wait=wait, graphs=graphs)

    def update(
        self,
        directories: Iterable[str | os.PathLike[str]] = (),
        *,
        scan: bool = True,
        force: bool = False,
        tell: Tell | None = None,
        progress: Progress | None = None,
    ) -> ChainReport:
        """Searches the recorded roots again and refreshes what was chosen before: the index and every further step.

        Asks nothing and opts into nothing new. `directories` limits it to the projects there; `scan=False` looks for no
        new ones; `force` does everything again. A project that fails is in the report, and the others go on. `tell` is
        called with each step's name and "begin" or "end". Raises `NothingRegistered`, `BuildLocked`, `HomeNotWritable`.
        """
        from loci.core.operations.setup import update

        roots = [_existing_directory(Path(directory)) for directory in directories]
        return update(self, roots, scan=scan, force=force, tell=tell, progress=progress)

    def doctor(self) -> list[Finding]:
        """What needs doing, with the command that does it: the machine and the home first, then project by project.

        Writes nothing, and raises nothing for what it finds.
        """
        from loci.core.operations.doctor import examine

        return examine(self)

    def map(self) -> str:
        """A picture of all projects as one HTML page that needs nothing beside it; see `loci map`.

        Raises `NothingRegistered`, `DamagedStore`.
        """
        from loci.core.operations.map import map_page

        scopes = self.scopes()
        if not scopes:
            raise NothingRegistered(self.home.directory)
        return map_page(scopes, Uses.load(self.home))

    # Groups

    def groups(self) -> tuple[str, list[GroupStatus], list[str]]:
        """The mode of groups that have none of their own, every group by name, and what is wrong with `groups.json`,
        which then counts as if it were not there. Raises `DamagedFile` for the registry.
        """
        from loci.core.projects.groups import list_groups

        return list_groups(self.home)

    def infer_groups(self) -> dict[str, tuple[str, ...]]:
        """Reads from git again who writes each project: `me`, or `vendor:<org>`. Returns the groups of each, by id.

        Groups that a person gave or took away stay so. Raises `DamagedFile`, `HomeNotWritable`.
        """
        from loci.core.projects.scan import infer_groups

        return infer_groups(self.home)

    def set_group_mode(self, group: str | None, mode: str) -> None:
        """What a group (None: every group without a mode of its own) does to a question: explicit, soft or hard.

        Raises `InvalidRequest` for another mode, `DamagedFile`, `HomeNotWritable`.
        """
        from loci.core.projects.groups import set_mode

        set_mode(self.home, group, mode)

    def add_to_group(self, scope: str, group: str) -> tuple[Registered, bool]:
        """Gives a project a label that every scan keeps; also tells whether it is new. Raises as `forget`."""
        from loci.core.projects.groups import add_to

        with Registry.edit(self.home) as registry:
            found = self._resolve(registry, scope)
            return found, add_to(found, group)

    def remove_from_group(self, scope: str, group: str) -> Registered:
        """Takes a label away, which no scan brings back. Raises as `forget`, and `InvalidRequest` if it has it not."""
        from loci.core.projects.groups import remove_from

        with Registry.edit(self.home) as registry:
            found = self._resolve(registry, scope)
            remove_from(found, group)
            return found

    # Hooks

    def plan_hooks(self, place: str | os.PathLike[str] | None, *, uninstall: bool = False) -> HookPlan:
        """What installing git hooks that keep the index up to date would do, or taking them away; `apply` does it.

        `place`: a directory in the repository that gets them; None for all repositories of the person. Raises
        `NotARepository`, `InvalidRequest`.
        """
        from loci.core.projects.hooks import plan_install, plan_uninstall

        repository = None
        if place is not None:
            directory = _existing_directory(Path(place))
            repository = repository_around(directory)
            if repository is None:
                raise NotARepository(directory)
        return (plan_uninstall if uninstall else plan_install)(self.home, repository)

    def router_parts(self) -> RouterParts:
        """What the router is made of, for measuring it: see `RouterParts`.

        Raises `NothingRegistered`, `NoIndex`, `DamagedStore`.
        """
        snapshot = self._snapshot()
        self._require_index(snapshot)
        return snapshot.router_parts()

    def calibration_values(self) -> dict[str, Any]:
        """What `calibration.json` holds, {} where there is none; raises `DamagedFile`."""
        return read_json(self.home.calibration) or {}

    def resolve(self, scope: str) -> Registered:
        """The project meant by an id, a name or a path; raises `UnknownScope` or `AmbiguousScope`."""
        return self._resolve(Registry.load(self.home), scope)

    def uses(self, *, refresh: bool = False) -> Uses:
        """Which project uses another, with file and line; brings the table up to date where it is not.

        A build does that too, so that it only takes time for projects that changed since. Where the home cannot be
        written, or a build runs, the table is what it was, and its `gaps()` say so. `refresh` reads every project
        again. Raises `NothingRegistered`, `DamagedFile`, and `BuildLocked` or `HomeNotWritable` where there is no table
        yet or `refresh` asks for a new one.
        """
        from loci import episodes
        from loci.core.build.index import CONCURRENT_FINGERPRINTS
        from loci.core.dependencies.table import refresh_uses

        registry = Registry.load(self.home)
        if not registry.scopes:
            raise NothingRegistered(self.home.directory)

        def state(scope: Registered) -> str:
            try:
                return episodes.fingerprint(scope.repository_root, **registry.reading(scope))
            except (episodes.EpisodesError, OSError):
                return ""  # not there now: what was collected of it still holds

        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(CONCURRENT_FINGERPRINTS, "loci-fingerprint") as pool:
            scopes = list(registry.scopes.values())
            fingerprints = dict(zip((scope.id for scope in scopes), pool.map(state, scopes), strict=True))
        try:
            with self.home.build_lock():
                return refresh_uses(self.home, registry, fingerprints, force=refresh)
        except (BuildLocked, HomeNotWritable) as error:
            table = None if refresh else Uses.load(self.home)
            if table is None:
                raise
            changed = [key for key, now in fingerprints.items() if now and table.fingerprint_of(key) != now]
            return replace(table, behind=(error.message, tuple(changed))) if changed else table

    def embed(
        self,
        scopes: Collection[str] | None = None,
        *,
        model: str | os.PathLike[str] | None = None,
        kinds: Collection[str] | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> EmbedReport:
        """Gives passages and symbols vectors, by which later questions order what their words find; those that have one
        keep it.

        `scopes` limits the run to these (ids, names or paths). `model`: a local directory, by default the one used
        last, else the installed model package. `kinds`: of which passages (`document`, `commit`, `source`); None for
        those that a project has vectors of, else documents and commits; a question embeds others that it brings up.
        `force` also makes those anew that are there. Each scope counts as soon as it is done. Raises
        `NothingRegistered`, `NoIndex`, `HomeNotWritable`, and `InvalidRequest` where there is no usable model.
        """
        from loci.core.build.vectors import embed_index

        only = None
        if scopes:
            registry = Registry.load(self.home)
            only = {self._resolve(registry, scope, exact=True).id for scope in scopes}
        return embed_index(self.home, only=only, model=model, kinds=kinds, force=force, progress=progress)

    # Questions

    def route(
        self,
        question: str | Question,
        cwd: str | os.PathLike[str] | None = None,
        group: str | None = None,
        *,
        scope: str | None = None,
    ) -> Route:
        """Where the question goes, or why nowhere. `cwd` counts where it lies in a registered project.

        `scope` (id, name or path) skips the decision, as in `ask`. Raises `NothingRegistered`, `NoIndex`,
        `UnknownGroup`, `UnknownScope`, `AmbiguousScope`, `DamagedStore`.
        """
        asked = _readable(question)
        if scope is not None:
            return self._with_snapshot(lambda snapshot: self._explicit(snapshot, asked, scope))

        def work(snapshot: _Snapshot) -> Route:
            found = self._route(snapshot, asked, cwd, group)
            if _denies(found):
                found = _with_behind(found, _Looks(snapshot).behind(_in_group(snapshot, group)))
            if found.abstained and cwd is not None:
                found = _with_unregistered(found, place_of(_path(cwd), snapshot.registry))
            return found

        return self._with_snapshot(work)

    def ask(
        self,
        question: str | Question,
        cwd: str | os.PathLike[str] | None = None,
        scope: str | None = None,
        group: str | None = None,
        k: int = DEFAULT_K,
        budget: int = DEFAULT_BUDGET,
        *,
        watch: Watch | None = None,
        refresh: float = REFRESH_SECONDS,
        fast: bool = False,
        rerank: bool | str | os.PathLike[str] = False,
        gated: bool | None = None,
    ) -> Answer:
        """Routes the question and answers it from every selected project, cited.

        `scope` (id, name or path) skips routing. `k`: up to k files and k commits per project. `budget`: tokens for all
        texts together; every citation stays, texts are cut to useful excerpts or left out (""). `watch` is called with
        the route when it is decided and with each project's block, its texts whole, when it is done (from any thread):
        what `partial_answer` needs when time runs out. `refresh`: a selected project that is behind, and the one that
        `cwd` lies in, is brought up to date first when that is expected to take at most so many seconds, and so are all
        before it is said that there is no evidence, which names those that stay behind; 0 answers from what is indexed.
        Asked from a linked worktree or a moved clone, the project answers from the files there.
        `fast` leaves out the vectors that `embed` made; `rerank` lets a cross-encoder order the candidates, the one
        that `models.json` names or the directory given. `gated`: whether a project says nothing where its best passages
        are no answer; None: unless `scope` is given. Raises what `route` raises, and `UnknownScope` or `AmbiguousScope`
        for a `scope` that does not exist, never answering from another.
        """
        asked = _readable(question)
        if k < 1:
            raise InvalidRequest(f"k must be at least 1, not {k}")
        if budget < 0:
            raise InvalidRequest(f"the budget must not be negative, and is {budget}")
        seen = watch or _unwatched
        beside = self._beside_words(fast, rerank)
        gate = scope is None if gated is None else gated

        def work(again: float) -> tuple[Answer, list[str]]:
            return self._with_snapshot(
                lambda s: self._ask(s, asked, cwd, scope, group, k, budget, seen, again, beside, gate, refresh > 0)
            )

        return self._caught_up_first(work, refresh)

    def _caught_up_first(self, work: Callable[[float], tuple[Answer, list[str]]], refresh: float) -> Answer:
        """The answer of `work`, asked again where it names projects that could be brought up to date in time."""
        answer, behind = work(refresh)
        if behind:
            from loci.core.build.freshness import refresh as catch_up

            caught_up = catch_up(self.home, behind, refresh * REFRESH_PATIENCE)
            if caught_up:
                # Asked anew as a whole: what changed may answer better, or speak for another project.
                return work(0.0)[0]
            if caught_up is None:
                answer = replace(
                    answer, notes=(*answer.notes, f"being brought up to date: {', '.join(sorted(behind))}")
                )
        return answer

    def symbol(
        self,
        name: str,
        cwd: str | os.PathLike[str] | None = None,
        scope: str | None = None,
        group: str | None = None,
        *,
        relation: Relation = "all",
        to: str | None = None,
        depth: int = 3,
        budget: int = 40,
        refresh: float = REFRESH_SECONDS,
    ) -> Answer:
        """Where a symbol is defined, who uses it and what it uses, without a question in words.

        `name` as code writes it: `close`, `Session.close`, `Session#close`, `app.sessions.Session`, `crate::net::open`,
        `src/sessions.py#Session.close`, or a file: `src/sessions.py`. Asked of `scope`, else of the project that
        `cwd` lies in if it has the name, else of every project (of `group`) that has it. `relation`:
        all (callers, other users and callees), callers, callees, reach (what a change would reach, `depth` steps far),
        users (the first of these steps), implementers (also heirs and overrides), tests or importers. With `to`, the
        shortest way from the one symbol to that other instead. `budget`: symbols per project.
        `refresh`: as for `ask`. The answer has no scopes where no project has the name; its advice then names what
        looks like it, and the projects that have changed since they were indexed; with `scope` the note names them.
        Raises what `ask` raises.
        """
        name = name.strip()
        if not name or (to is not None and not to.strip()):
            raise InvalidRequest("the name of the symbol is empty", "loci ask --symbol NAME")

        name = encodable(name)
        names = (name,) if to is None else (name, encodable(to.strip()))

        def show(graph: Graph | Combined) -> tuple[list[Symbol], list[str]]:
            if len(names) == 1:
                return named_symbol(graph, name, relation, depth, budget)
            if not all(graph.find(each, budget=1) for each in names):
                return [], []
            return chain_of(graph, *names, budget=budget)

        def work(again: float) -> tuple[Answer, list[str]]:
            return self._with_snapshot(
                lambda s: self._symbol(s, names, cwd, scope, group, show, again, look=refresh > 0)
            )

        return self._caught_up_first(work, refresh)

    def _symbol(
        self,
        snapshot: _Snapshot,
        names: tuple[str, ...],
        cwd: str | os.PathLike[str] | None,
        scope: str | None,
        group: str | None,
        show: Callable[[Graph | Combined], tuple[list[Symbol], list[str]]],
        refresh: float,
        look: bool,
    ) -> tuple[Answer, list[str]]:
        """The answer, and the projects that are behind and quickly brought up to date.

        `show` gives the symbols that a project's graph has of the `names`, and none where it lacks one of them.
        """
        from loci.router import Route, advice

        registry = snapshot.registry
        self._require_index(snapshot)
        here = None
        if scope is not None:
            asked = [self._resolve(registry, scope)]
        else:
            if group is not None:
                _check_group(registry, group)
            asked = [
                s for s in registry.scopes.values() if s.id in snapshot.indexed and (not group or group in s.groups)
            ]
            here = None if cwd is None else registry.containing(self._directory_of(registry, cwd))
        looks = _Looks(snapshot)
        if look and (here is not None or scope is not None):
            looks.at(here or asked[0])  # begun now, so that it is done when the graphs are read
        blocks: list[ScopeAnswer] = []
        missing: list[str] = []
        for chosen in sorted(asked, key=lambda item: (here is None or item.id != here.id, item.id)):
            record = snapshot.indexed.get(chosen.id)
            graph, problem = (None, "") if record is None else snapshot.graph(record)
            if graph is None:
                missing.append(chosen.id)
            symbols, notes = ([], []) if graph is None else show(graph)
            if not symbols and scope is None:
                continue
            repository = repository_at(chosen.path)
            head = head_commit(repository) if repository else None
            nothing: Nothing | None = None
            if not symbols:
                nothing = "not_indexed" if record is None else "cannot_tell" if graph is None else "absent"
                name = absent_name(graph, names)
                near = [] if graph is None else near_symbols(graph, name)
                partly = "" if record is None else read_in_part(record)
                notes.append(problem or f"no symbol of it is called {name}{_did_you_mean(near)}{partly}")
            if record is not None and graph is not None:
                notes += remarks(self.home, record)
            if record is not None and repository is None:
                notes.insert(0, self._caught_up(chosen, record, None, head, looks)[1])
            elif record is not None and head != record.commit:
                notes.insert(0, f"HEAD has moved since it was indexed: loci index {chosen.id}")
            blocks.append(
                ScopeAnswer(
                    chosen.id,
                    chosen.name,
                    chosen.path,
                    record.commit if record else None,
                    head,
                    record is not None and repository is not None and head == record.commit,
                    (),
                    tuple(symbols),
                    "; ".join(notes),
                    nothing,
                )
            )
            if here is not None and chosen.id == here.id and has_exactly(symbols, names):
                break  # whoever stands in a project that has the name means that one
        other_case: list[str] = []
        if scope is None and blocks:
            # A name in other capitals is another name, where somebody has this one.
            exact = [block for block in blocks if has_exactly(block.symbols, names)]
            if not exact and here is not None and blocks[0].id == here.id:
                exact = blocks[:1]
            other_case = [block.id for block in blocks if exact and block not in exact]
            blocks = exact or blocks
        denied = not any(block.symbols for block in blocks)
        looked_at = asked if denied else [registry.scopes[block.id] for block in blocks if block.caught_up]
        behind = looks.behind(looked_at, files=look or not denied)
        for number, block in enumerate(blocks):
            if block.id in behind and block.caught_up:
                changed = f"files have changed since it was indexed: loci index {block.id}"
                note = f"{changed}; {block.note}" if block.note else changed
                blocks[number] = block = replace(block, caught_up=False, note=note)
            if block.id in behind and block.nothing == "absent":
                blocks[number] = replace(block, nothing="cannot_tell")
        like: list[tuple[str, str]] = []
        if not blocks and len(names) == 1:
            for chosen in sorted(asked, key=lambda each: each.id):
                graph, _ = snapshot.graph(snapshot.indexed[chosen.id])
                like += [] if graph is None else [(each, chosen.id) for each in near_symbols(graph, names[0])]
        name = " and ".join(names)
        routes = [_explicit_route(name, registry.scopes[block.id]) for block in blocks]
        route = Route(
            question=name,
            abstained=not blocks,
            reason=None if blocks else "no_evidence",
            mode="single" if len(blocks) == 1 else "set",
            confidence=1.0 if blocks else 0.0,
            scopes=[item for found in routes for item in found.scopes],
            candidates=[],
            advice=() if blocks else (advice.NoSuchSymbol(names, tuple(like)),),
        )
        notes = list(snapshot.notes)
        if missing and scope is None:
            named = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
            notes.append(f"without structure and so not asked: {named} (loci graphs)")
        if other_case:
            more = f" and {len(other_case) - 5} more" if len(other_case) > 5 else ""
            notes.append(f"in other capitals it is also a name in {', '.join(other_case[:5])}{more}")
        if route.abstained:
            route = _with_behind(route, behind)
        return Answer(route, tuple(blocks), tuple(notes)), looks.quickly_caught_up(refresh) if refresh > 0 else []

    def graphs(
        self,
        scopes: Collection[str] | None = None,
        *,
        rebuild: bool = False,
        progress: Progress | None = None,
        extractor: str = "built-in",
    ) -> IndexReport:
        """Builds what calls what where it is missing or behind (`rebuild`: everywhere), and from now on with `index`.

        `scopes` limits the run to these (ids, names or paths). `extractor`: `graphify` runs the command of that name on
        each of them first, which leaves `graphify-out/graph.json` in the project, asked beside the built-in graph from
        then on. A project where it fails is named in the report's notes. Raises what `index` raises, `ExtractorMissing`
        without the command, and `ExtractorFailed` where it failed for every project.
        """
        from loci.core.build.foreign import run_graphify
        from loci.core.build.index import build_index

        only = None
        if scopes:
            registry = Registry.load(self.home)
            only = {self._resolve(registry, scope, exact=True).id for scope in scopes}
        if extractor not in EXTRACTORS:
            raise InvalidRequest(f"no extractor is called {extractor!r}", f"there are {', '.join(EXTRACTORS)}")
        failed: list[ExtractorFailed] = []
        if extractor == "graphify":
            registry = Registry.load(self.home)
            chosen = [scope for scope in registry.scopes.values() if only is None or scope.id in only]
            for done, scope in enumerate(chosen):
                if progress is not None:
                    progress("", "scopes", done, len(chosen))
                    progress(scope.id, "graphify", 0, 1)
                try:
                    run_graphify(scope.path, scope.id)
                except ExtractorFailed as error:
                    failed.append(error)
                if progress is not None:
                    progress(scope.id, "graphify", 1, 1)
            if failed and len(failed) == len(chosen):
                raise failed[0]
        report = build_index(
            self.home, only=only, progress=progress, wait=LOCK_WAIT_SECONDS, graphs=True, rebuild_graphs=rebuild
        )
        problems = tuple(f"{error.message}: {error.hint}" for error in failed)
        return replace(report, notes=(*problems, *report.notes)) if problems else report

    def keep_question(
        self, route: Route, *, cwd: str | os.PathLike[str] | None = None, scope: str | None = None
    ) -> None:
        """Keeps the question of `route` in the home, where the person switched that on (`AskedLog`); never fails.

        For faces that a person asks through. `cwd`, `scope`: as they were given to `route` or `ask`.
        """
        from loci.core.operations.query_log import AskedLog

        log = AskedLog(self.home)
        if not log.is_on:
            return
        here = given = None
        with contextlib.suppress(LociError, OSError, ValueError):
            registry = self._snapshot().registry
            given = None if scope is None else self._resolve(registry, scope).id
            place = None if cwd is None else place_of(_path(cwd), registry)
            here = place.scope.id if place is not None and place.scope is not None else None
        log.add(route, given=given, here=here)

    def notes(self) -> list[str]:
        """What is wrong with the home's own files and was worked around; empty when nothing is."""
        return list(self._snapshot().notes)

    def release(self) -> None:
        """Gives the pages of the index that questions have mapped into this process back to the system.

        Nothing is closed, and questions may be running: what they read next is mapped anew, mostly from the system's
        cache. For a process that lives long and is asked now and then.
        """
        if self._snapshot_now is not None:
            self._snapshot_now.release()

    # Inside

    def _snapshot(self) -> _Snapshot:
        home = self.home
        key = tuple(
            file_state(path) for path in (home.manifest, home.registry, home.groups, home.calibration, home.uses)
        )
        current = self._snapshot_now
        if current is not None and current.key == key:
            return current
        with self._snapshot_lock:
            current = self._snapshot_now
            if current is None or current.key != key:
                current = self._snapshot_now = _Snapshot(self, key, current)
            return current

    def _with_snapshot(self, work: Any) -> Any:
        for _ in range(3):
            snapshot = self._snapshot()
            try:
                return work(snapshot)
            except DamagedStore:
                # A build finished between reading the manifest and opening the file: the whole question is asked anew
                # of the new generation. Without a newer one the file really is missing.
                if file_state(self.home.manifest) == snapshot.key[0]:
                    raise
        return work(self._snapshot())

    def _route(
        self, snapshot: _Snapshot, question: Question, cwd: str | os.PathLike[str] | None, group: str | None
    ) -> Route:
        self._require_index(snapshot)
        if group is not None:
            _check_group(snapshot.registry, group)
        directory = None if cwd is None else self._directory_of(snapshot.registry, cwd)
        router = snapshot.router()
        with snapshot.damage_named():
            route = router.route(question, cwd=directory, group=group)
        return _with_gaps(route, snapshot.uses()) if route.mode == "relational" else route

    def _explicit(self, snapshot: _Snapshot, question: Question, scope: str) -> Route:
        """The route to a scope that was given: nothing is decided, but the scope must exist."""
        if not snapshot.registry.scopes:
            raise NothingRegistered(self.home.directory)
        chosen = self._resolve(snapshot.registry, scope)
        self._require_index(snapshot)
        return _explicit_route(question.text, chosen)

    def _ask(
        self,
        snapshot: _Snapshot,
        question: Question,
        cwd: str | os.PathLike[str] | None,
        scope: str | None,
        group: str | None,
        k: int,
        budget: int,
        watch: Watch,
        refresh: float,
        beside: Beside,
        gated: bool,
        look: bool,
    ) -> tuple[Answer, list[str]]:
        """The answer, and the projects that are behind and quickly brought up to date.

        `look`: whether the files of all projects are looked at before it is said that there is no evidence.
        """
        registry = snapshot.registry
        here = None if cwd is None else place_of(_path(cwd), registry)
        looks = _Looks(snapshot)
        if refresh > 0 and here is not None and here.scope is not None and not here.is_elsewhere:
            # What is being worked on may have to be known before the question finds it.
            looks.at(here.scope)
        if scope is not None:
            route = self._explicit(snapshot, question, scope)
        else:
            route = self._route(snapshot, question, None if here is None else here.registered, group)
        if _denies(route):
            # What was written since may be what the question is about.
            route = _with_behind(route, looks.behind(_in_group(snapshot, group), files=look))
        if route.abstained and here is not None:
            route = _with_unregistered(route, here)
        watch(route)
        selected = [registry.scopes[item.id] for item in route.scopes]

        request, asked_of = _requested(snapshot, route, question)
        from loci.router import OF_ALL

        by_table = request is not None and request.kind in ("needs", "languages", *OF_ALL)
        table = snapshot.uses() if route.mode == "relational" or by_table else None
        related = route.trace.related if route.trace is not None else ()
        support = self._support(snapshot, route, question) if gated else {}

        def one(chosen: Registered) -> ScopeAnswer:
            wanted = request if chosen.id in asked_of else None
            block = self._block(
                snapshot, chosen, question, k, here, looks, refresh, beside, support.get(chosen.id), wanted
            )
            if table is not None:
                block = self._with_uses(table, block, wanted, question, related)
            watch(block)
            return block

        blocks = _each(one, selected)
        cited = within_budget(blocks, question.text, budget, single=route.mode == "single")
        notes = self._answer_notes(snapshot, scope)
        if table is not None and route.scopes and not by_table:
            notes += table.gaps()
        return Answer(route, cited, tuple(notes)), looks.quickly_caught_up(refresh) if refresh > 0 else []

    def _with_uses(
        self, table: Uses, block: ScopeAnswer, request: Request | None, question: Question, related: Sequence[str]
    ) -> ScopeAnswer:
        """The block with what the project mentions: of the `related` ones, or of all that the request asks for."""
        from loci.core.dependencies.languages import languages_said
        from loci.core.dependencies.needs import needs, only_locked
        from loci.router import OF_ALL

        notes: list[str] = []
        if request is not None and request.kind in ("languages", *OF_ALL):
            counts = table.languages().get(block.id)
            said_of = "" if counts is None else languages_said(counts, request.languages)
            note = "; ".join(text for text in (said_of, block.note) if text)
            return replace(block, note=note, nothing=None if said_of else block.nothing)
        if request is not None and request.kind == "needs":
            named = None if request.object is None else question.cut(request.object)
            uses, notes = needs(self.home, table, block.id, related, named)
        else:
            uses = tuple(table.between(block.id, related))
        locked = only_locked(uses)
        note = "; ".join([*notes, *([locked] if locked else []), *([block.note] if block.note else [])])
        return replace(block, uses=uses, nothing=None if uses else block.nothing, note=note)

    def _support(self, snapshot: _Snapshot, route: Route, question: Question) -> dict[str, Support]:
        """What the whole corpus says of each selected scope, for the gate of its episodes.

        Empty where nothing is to be held against a scope: the answer to a relational question stands in the uses.
        """
        from loci.episodes import Support

        if route.mode == "relational":
            return {}
        # A scope that was given has no evidence of its own: the question is weighed as if nothing had been given.
        trace = route.trace or snapshot.router().route(question).trace
        evidence = trace.evidence.scopes
        eligible = {each.id for each in trace.ranking}
        found: dict[str, Support] = {}
        for chosen in route.scopes:
            own = evidence.get(chosen.id)
            # That a project is named, defines the symbol or is stood in speaks for it as evidence does.
            prior = math.fsum(chosen.signals.get(name, 0.0) for name in ("named", "symbol", "cwd"))
            if own is None:
                found[chosen.id] = Support(share=1.0 if prior > 0.0 else 0.0, holds=0.0, whether=0.0)
                continue
            others = [each.combined for key, each in evidence.items() if key in eligible and key != chosen.id]
            odds = math.fsum(math.exp(min(700.0, other - own.combined - prior)) for other in others)
            found[chosen.id] = Support(share=1.0 / (1.0 + odds), holds=own.holds, whether=own.whether)
        return found

    def _block(
        self,
        snapshot: _Snapshot,
        scope: Registered,
        question: Question,
        k: int,
        here: Place | None,
        looks: _Looks,
        refresh: float,
        beside: Beside,
        support: Support | None = None,
        request: Request | None = None,
    ) -> ScopeAnswer:
        record = snapshot.indexed.get(scope.id)
        elsewhere = _elsewhere(here, scope)
        repository = elsewhere or repository_at(scope.repository_root)
        head = head_commit(repository) if repository else None
        if record is None:
            note = f"{scope.id} is registered but not indexed: loci index {scope.id}"
            return ScopeAnswer(scope.id, scope.name, scope.path, None, head, False, note=note, nothing="not_indexed")
        root = repository.root / scope.subtree if repository is not None else None
        own: Indexed | None = None
        if elsewhere is not None:
            own = self._overlay(snapshot, scope, record, elsewhere, refresh)
        elif root is not None:
            looks.at(scope)
        record = own or record
        store = snapshot.overlay(record) if own else snapshot.episodes(record)
        older_rules = record.signature != snapshot.rules()
        from loci.episodes import Gate
        from loci.router import OF_ALL

        models = beside(record)
        with snapshot.damage_named(record):
            third = models.semantics.third(question.text, store) if models.semantics else None
            lanes = store.lanes(question.text, k=k, root=root, third=third, second_look=models.second_look)
        gate = Gate(similarity=models.semantics.gate_floor if models.semantics else None)
        shut = support is not None and not gate.admits(lanes, support)
        lead: list[Passage] = []
        of_lead = ""
        if request is not None:
            with snapshot.damage_named(record):
                lead, of_lead = _led(request, question, store, scope, root, repository, k)
        of_literals: list[str] = []
        if not lead:
            with snapshot.damage_named(record):
                lead, of_literals = led_by(store, question, root, lambda: _tags(scope, repository))
        # The words of a question for the newest only say that: what else they find is something older.
        alone = bool(lead) and request is not None and request.kind in ("release", "changes")
        found = () if shut or alone else lanes.merged(question.intent.asks_for)
        passages = (*lead, *_lead.without(found, lead))
        symbols, notes, asked = self._symbols(snapshot, record, scope, question, k, passages, models)
        table = snapshot.uses() if request is not None and request.kind in ("languages", *OF_ALL) else None
        of_files = table is not None and bool(table.languages().get(scope.id))
        if of_files:
            passages, symbols, asked, shut = (), (), 0, False  # the answer is a number of files, and words are none
        if alone:
            symbols, notes, asked = (), [], 0
        notes[:0] = [*of_literals, *([of_lead] if of_lead else [])]
        if models.note:
            notes.append(models.note)
        if elsewhere is not None:
            caught_up = own is not None
            theirs = symbols and "worktree" not in (record.graph or {})
            behind = f"asked from {elsewhere.root}: " + (
                "answered from the files there" + (f", the symbols are those of {scope.path}" if theirs else "")
                if caught_up
                else f"the citations were compared with the files there, the text is that of {scope.path}"
            )
        else:
            caught_up, behind = self._caught_up(scope, record, root, head, looks)
        if behind:
            notes.insert(0, behind)
        if older_rules:
            caught_up = False
            notes.insert(0, f"it was indexed under older rules: loci index {scope.id}")
        nothing: Nothing | None = None
        kept_back = shut and (lanes.files or lanes.commits) and not lead
        if not passages and not symbols and not of_files:
            nothing, reason = _why_nothing(record, question, caught_up)
            if kept_back:
                reason += f" (what came nearest: --scope {scope.id})"
            notes.insert(0, reason)
        elif kept_back:
            notes.insert(0, f"no passage here answers it (what came nearest: --scope {scope.id})")
        return ScopeAnswer(
            scope.id,
            scope.name,
            scope.path,
            record.commit,
            head,
            caught_up,
            passages,
            symbols,
            "; ".join(notes),
            nothing,
            asked=asked,
        )

    def _beside_words(self, fast: bool, rerank: bool | str | os.PathLike[str]) -> Beside:
        """What has a say in a scope's ranking beside the words."""
        if not fast and not rerank:
            nothing = BesideWords()
            return lambda record: nothing if record.vectors is None else self._models().beside_words(record)
        look: SecondLook | None = None
        if rerank:
            from loci.episodes import Reranking

            look = Reranking(self._models().reranker(None if rerank is True else rerank))
        chosen = BesideWords(second_look=look)
        return lambda record: chosen

    def _models(self) -> Models:
        with self._snapshot_lock:
            if self._models_now is None:
                from loci.core.build.vectors import Models

                self._models_now = Models(self.home)
            return self._models_now

    def _overlay(
        self, snapshot: _Snapshot, scope: Registered, record: Indexed, repository: Repository, refresh: float
    ) -> Indexed | None:
        """What is indexed of the work tree that the caller stands in."""
        if record.signature != snapshot.rules():
            return None
        from loci.core.build.freshness import overlay

        reading = snapshot.registry.reading(scope)
        return overlay(self.home, record, repository.root, reading, record.signature, seconds=refresh)

    def _symbols(
        self,
        snapshot: _Snapshot,
        record: Indexed,
        scope: Registered,
        question: Question,
        k: int,
        passages: Sequence[Passage],
        models: BesideWords,
    ) -> tuple[tuple[Any, ...], list[str], int]:
        """The symbols, notes on them, and how many of the first are the relation that the question asks for."""
        if self._structure is None:
            graph, problem = snapshot.graph(record)
            if graph is None:
                return (), [problem] if problem else [], 0
            hints = hints_of(passage for passage in passages if passage.kind != "commit")
            from loci.structure import StructureError

            try:
                near = ()
                if models.semantics is not None and models.symbols is not None and question.text.strip():
                    near = models.symbols.near(models.semantics.asked(question.text), graph)
                symbols, notes, asked = of_question(graph, question, hints, SYMBOLS_PER_K * k, near)
                absent = absent_names(graph, question, passages, scope.all_names())
                if absent:
                    notes.insert(0, f"no symbol here is called {' or '.join(absent)}")
            except StructureError as error:  # passages answer without symbols too
                return (), [f"what calls what cannot be read ({error}): loci graphs --all {record.id}"], 0
            return symbols, [*notes, *(remarks(self.home, record) if symbols else [])], asked
        from loci.structure import Project

        project = Project(scope.id, scope.path)
        if not self._structure.sources(project):
            return (), [f"{self._structure.name} has no structure of this project"], 0
        found = self._structure.query(
            project,
            question.text,
            names=[each.name for each in question.code_names],
            relations=question.asked_relations,
            budget=SYMBOLS_PER_K * k,
        )
        return tuple(found), [], 0

    def _caught_up(
        self, scope: Registered, record: Indexed, root: Path | None, head: str | None, looks: _Looks
    ) -> tuple[bool, str]:
        if root is None:
            state = scope_presence(scope)
            if state == "unreachable":
                return False, f"{scope.path} cannot be reached; this is what was indexed of it"
            how = "is not there" if not scope.path.exists() else "is no longer a git repository"
            return False, f"{scope.path} {how}; this is what was indexed of it"
        check = looks.at(scope)
        if check is None or not check.done.wait(WAIT_SECONDS):
            if head != record.commit:
                return False, f"HEAD has moved since it was indexed: loci index {scope.id}"
            return False, "its files were not compared with the index in time"
        if check.state is not None and check.state.fingerprint == record.fingerprint:
            return True, ""
        if head != record.commit:
            return False, f"HEAD has moved since it was indexed: loci index {scope.id}"
        if check.error is not None:
            return False, f"its files could not be compared with the index: {check.error}"
        return False, f"files have changed since it was indexed: loci index {scope.id}"

    def _answer_notes(self, snapshot: _Snapshot, scope: str | None) -> list[str]:
        notes = list(snapshot.notes)
        missing = sorted(set(snapshot.registry.scopes) - set(snapshot.indexed))
        if missing and scope is None:
            named = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
            notes.append(f"not indexed yet and so not considered: {named} (loci index)")
        return notes

    def _require_index(self, snapshot: _Snapshot) -> None:
        if not snapshot.registry.scopes:
            raise NothingRegistered(self.home.directory)
        if not snapshot.indexed:
            raise NoIndex(len(snapshot.registry.scopes))

    def _resolve(self, registry: Registry, wanted: str, *, exact: bool = False) -> Registered:
        def containing(path: str) -> Registered | None:
            return registry.containing(self._directory_of(registry, path))

        return registry.resolve(wanted, containing, exact=exact)

    def _directory_of(self, registry: Registry, place: str | os.PathLike[str]) -> Path:
        """`place` (a path or a file URI), moved to the registered work tree when it lies in another one of the same."""
        return place_of(_path(place), registry).registered

    def _status(self, scope: Registered, record: Indexed | None, moved_to: Path | None) -> ScopeStatus:
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
            counts=record.counts if record else {},
            subtree=scope.subtree,
            moved_to=moved_to,
            worktrees=tuple(linked_worktrees(repository)) if repository and not scope.subtree else (),
        )


def _moved(registry: Registry) -> dict[str, Path]:
    """Where the projects are that are not where they were, as far as a short look at the scanned directories tells."""
    missing = missing_scopes(registry)
    if not missing:
        return {}
    from loci.core.projects.discover import repositories_below

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


class _Looks:
    """The looks at projects' files that one question takes, each project once, beside the search."""

    def __init__(self, snapshot: _Snapshot) -> None:
        self._snapshot = snapshot
        self._lock = threading.Lock()
        self._checks: dict[str, Check] = {}

    def at(self, scope: Registered) -> Check | None:
        """The look at this project, begun now if it was not; None of one that is not indexed."""
        record = self._snapshot.indexed.get(scope.id)
        if record is None:
            return None
        with self._lock:
            if scope.id not in self._checks:
                reading = self._snapshot.registry.reading(scope)
                self._checks[scope.id] = Check(scope.repository_root, reading, record.built)
            return self._checks[scope.id]

    def behind(self, scopes: Iterable[Registered], *, files: bool = False) -> list[str]:
        """Those of the projects that have changed since they were indexed, sorted; without waiting long for slow disks.

        `files`: also where only files changed, and not `HEAD`.
        """
        found = set()
        until = time.monotonic() + DENIAL_SECONDS
        indexed = [(scope, self._snapshot.indexed[scope.id]) for scope in scopes if scope.id in self._snapshot.indexed]
        room = DENIAL_LOOKS - len(self._checks)
        wanted: list[tuple[Registered, Indexed]] = []
        others: list[tuple[Registered, Indexed]] = []
        for scope, record in indexed:
            known = scope.id in self._checks
            (wanted if files and (known or room > 0) else others).append((scope, record))
            room -= 0 if known else 1
        # The looks share the processors; begun last, a large project would be waited for alone.
        wanted.sort(key=lambda each: -each[1].bytes)
        looked_at = [(scope, record, self.at(scope)) for scope, record in wanted]
        found.update(scope.id for scope, record in others if _head_moved(scope, record))
        for scope, record, check in looked_at:
            if check is not None and check.done.wait(max(0.0, until - time.monotonic())) and check.state is not None:
                moved = check.state.fingerprint != record.fingerprint  # which `HEAD` is part of
            else:
                moved = _head_moved(scope, record)
            if moved:
                found.add(scope.id)
        return sorted(found)

    def quickly_caught_up(self, seconds: float) -> list[str]:
        """The projects that are behind and expected to be caught up, together, within so many seconds."""
        found = []
        until = time.monotonic() + WAIT_SECONDS
        for identity, check in self._checks.items():
            record = self._snapshot.indexed[identity]
            if not check.done.wait(max(0.0, until - time.monotonic())) or check.state is None:
                continue
            if check.state.fingerprint == record.fingerprint or record.signature != self._snapshot.rules():
                continue
            expected = expected_seconds(record, check.state)
            if expected <= seconds:
                found.append(identity)
                seconds -= expected
        return found


def _head_moved(scope: Registered, record: Indexed) -> bool:
    """Whether another commit is checked out than the one that was indexed. False where the repository is gone."""
    repository = repository_at(scope.repository_root)
    return repository is not None and head_commit(repository) != record.commit


def _elsewhere(here: Place | None, scope: Registered) -> Repository | None:
    """The repository around the caller, when it is another work tree of the project (or of its monorepo) than the one
    that is registered.
    """
    if here is None or here.repository is None or here.repository.root == scope.repository_root:
        return None
    if here.scope is None or not here.is_elsewhere:
        return None
    same = here.scope.id == scope.id or (scope.common_dir is not None and here.scope.common_dir == scope.common_dir)
    return here.repository if same else None


def _unwatched(_step: Route | ScopeAnswer) -> None:
    pass


def _each(function: Callable[[T], U], items: Sequence[T]) -> list[U]:
    """`function` of every item, in order, each in a thread of its own; an error is raised once all have ended."""
    results: list[Any] = [None] * len(items)
    errors: list[BaseException | None] = [None] * len(items)

    def run(position: int) -> None:
        try:
            results[position] = function(items[position])
        except BaseException as error:
            errors[position] = error

    others = [threading.Thread(target=run, args=(i,), name="loci-ask") for i in range(1, len(items))]
    for thread in others:
        thread.start()
    if items:
        run(0)
    for thread in others:
        thread.join()
    for error in errors:
        if error is not None:
            raise error
    return results


def _with_gaps(route: Route, table: Uses | None) -> Route:
    """An abstention from the collected uses says how far they go: nothing found is not the same as none."""
    if not route.abstained or table is None or not table.uses:
        return route
    from loci.router import advice

    related = route.trace.related if route.trace is not None else ()
    return replace(route, advice=(advice.NoUserFound(tuple(related), len(table.scopes), tuple(table.gaps())),))


def _led(
    request: Request,
    question: Question,
    store: Episodes,
    scope: Registered,
    root: Path | None,
    repository: Repository | None,
    k: int,
) -> tuple[list[Passage], str]:
    """What the request asks for by its place, and a note on it."""
    if request.kind == "overview":
        return _lead.introduction(store, scope.all_names(), root), ""
    if request.kind == "release":
        tags = _tags(scope, repository)
        return _lead.newest_release(store, root, tags, event=question.intent.date)
    if request.kind == "changes":
        return _lead.newest_commits(store, k if request.count is None else min(request.count, MOST_COMMITS)), ""
    return [], ""


def _tags(scope: Registered, repository: Repository | None) -> Mapping[str, Sequence[str]]:
    """Commit -> names of tags; none of a package, which its repository's tags may or may not speak of."""
    return {} if repository is None or scope.subtree else tagged_commits(repository)


def _requested(snapshot: _Snapshot, route: Route, question: Question) -> tuple[Request | None, Collection[str]]:
    """What the question asks of whole projects, if it does, and the ids of those that it asks of."""
    from loci.router import OF_ALL

    given = [scope.id for scope in route.scopes]
    request = question.request
    if request is not None and request.kind in OF_ALL:
        return request, given
    if route.trace is not None:
        return request, route.trace.about
    # The project was given, and no router was asked: it is meant where the question points, or where it names it.
    if request is None or request.subject is None:
        return request, given
    return request, set(snapshot.router().named(question.cut(request.subject))).intersection(given)


def _denies(route: Route) -> bool:
    """Whether the route says that the projects hold too little or nothing, which needs them to be up to date."""
    return route.abstained and route.reason == "no_evidence"


def _in_group(snapshot: _Snapshot, group: str | None) -> list[Registered]:
    """The projects that a question of this group is answered from; all without one."""
    return [scope for scope in snapshot.registry.scopes.values() if group is None or group in scope.groups]


def _with_behind(route: Route, behind: Sequence[str]) -> Route:
    """A denial names the projects whose changes it does not know of, and what makes them known."""
    if not behind:
        return route
    from loci.router import advice

    return replace(route, advice=(advice.ChangedSinceIndexed(tuple(behind)), *route.advice))


def _with_unregistered(route: Route, here: Place) -> Route:
    """Whoever stands in a repository that is not registered means that one, more often than not."""
    if here.scope is not None or here.repository is None or route.reason == "out_of_group":
        return route
    from loci.router import advice

    # "Ask from inside it" is what was done.
    rest = (advice.NameTheProject(),) if route.reason == "deictic" else route.advice
    return replace(route, advice=(advice.DirectoryNotRegistered(str(here.repository.root)), *rest))


def _did_you_mean(near: Sequence[str]) -> str:
    return f": did you mean {one_of(near)}?" if near else ""


def _explicit_route(question: str, scope: Registered) -> Route:
    from loci.router import Route, RoutedScope

    routed = RoutedScope(id=scope.id, name=scope.name, score=0.0, confidence=1.0, signals={"explicit": 1.0}, terms=[])
    return Route(
        question=question,
        abstained=False,
        reason=None,
        mode="single",
        confidence=1.0,
        scopes=[routed],
        candidates=[],
        advice=(),
    )


def _why_nothing(record: Indexed, question: Question, caught_up: bool) -> tuple[Nothing, str]:
    if not question.has_words:
        return "cannot_tell", "the question holds no word to search for"
    unreadable = record.counts.get("unreadable", [])
    if unreadable:
        count = len(unreadable)
        files = "1 file" if count == 1 else f"{count} files"
        return (
            "cannot_tell",
            f"no evidence in this scope, but {files} could not be read (for example {unreadable[0][0]})",
        )
    if not caught_up:
        return "cannot_tell", "no evidence in what is indexed of this scope"
    return "absent", "no evidence in this scope"


def registry_of(records: Iterable[Indexed]) -> Registry:
    """What the manifest remembers of the registry."""
    registry = Registry()
    for record in records:
        scope = Registered(
            id=record.id,
            path=record.path,
            name=record.name,
            names=list(record.names),
            groups=list(record.groups),
            subtree=record.subtree,
            globs=record.reads.get("globs", []),
            include=record.reads.get("include", []),
            exclude=record.reads.get("exclude", []),
        )
        repository = repository_at(scope.repository_root)
        scope.common_dir = repository.common_dir if repository else None
        registry.scopes[record.id] = scope
    return registry


def _existing_directory(path: Path) -> Path:
    path = _path(path)
    if not path.exists():
        raise NotARepository(path, "does not exist")
    if not path.is_dir():
        raise NotARepository(path, "is a file, not a directory")
    return path.resolve()


def _glob(pattern: str) -> str:
    """As it is kept: a home directory stays `~`, anything else becomes absolute."""
    if pattern.startswith("~"):
        return pattern
    return Path(os.path.normpath(Path.cwd() / pattern)).as_posix()


def _path(place: str | os.PathLike[str]) -> Path:
    """A path as people and clients write it: `~` and file URIs are understood."""
    from loci.router import as_path

    try:
        path = as_path(os.fspath(place))
        # Asked once here, so that no later step meets a name that the system cannot even look up.
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            path.stat()
    except RuntimeError:
        raise InvalidRequest(f"{place} begins with the home directory of a user who is not known here") from None
    except (ValueError, OSError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InvalidRequest(f"{str(place)[:200]!r} cannot be a path: {reason}") from None
    return path


def _check_group(registry: Registry, group: str) -> None:
    known = sorted({name for scope in registry.scopes.values() for name in scope.groups})
    if group not in known:
        raise UnknownGroup(group, near_names(group, known), known)


def _readable(question: str | Question) -> Question:
    """The question, with U+FFFD for what is no character: a byte of the command line that is no UTF-8, half a pair."""
    from loci.router import Question, read

    text = question.text if isinstance(question, Question) else question
    if not text.strip():
        raise InvalidRequest("the question is empty", 'loci ask "why ...?"')
    if len(text) > LONGEST_QUESTION:
        raise InvalidRequest(
            f"the question has {len(text):,} characters, and {LONGEST_QUESTION:,} are read at most",
            "ask about the part of it that matters",
        )
    readable = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return question if isinstance(question, Question) and readable == text else read(readable)


def _reason(path: Path, error: Exception) -> str:
    return "is missing" if not path.exists() else f"cannot be opened ({error})"


__all__ = ["LociError", "Memory", "ScopeStatus"]
