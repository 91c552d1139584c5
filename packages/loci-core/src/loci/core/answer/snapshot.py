"""One generation of the index, opened lazily, and the holder that notices when there is a newer one."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from loci.core.answer.symbols import Definitions
from loci.core.build.graphs import graph_key, open_graph
from loci.core.dependencies.table import Uses
from loci.core.errors import DamagedFile, DamagedSegment, DamagedStore, NoIndex, NothingRegistered
from loci.core.home.home import Home, file_state, read_json
from loci.core.home.manifest import Indexed, Manifest, registry_of
from loci.core.home.registry import Registry
from loci.core.notes import HomeFileDamaged, Note

if TYPE_CHECKING:
    from loci.episodes import Episodes
    from loci.router import Calibration, Groups, Index, Router, RoutingIndex, Scope, SymbolTable
    from loci.structure import Combined, Graph

T = TypeVar("T")


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


class Snapshot:
    """One generation of a home: the manifest, what the registry said, and whatever was opened of it so far.

    Files are opened at first use. `older`: a generation whose open files serve this one where they are the same.
    `notes`: what is wrong with the home's own files and was worked around.
    """

    def __init__(self, home: Home, older: Snapshot | None = None) -> None:
        self.key = _state_of(home)
        self.notes: list[Note] = []
        self.home = home
        self.manifest = Manifest.load(self.home)
        indexed = self.manifest.scopes if self.manifest else {}
        try:
            self.registry = Registry.load(self.home)
        except DamagedStore as error:
            if not indexed:
                raise
            # A slip of the hand in that file must not silence the index, which knows enough by itself.
            self.registry = registry_of(indexed.values())
            self.notes.append(HomeFileDamaged(error.message, "indexed_projects"))
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
                self.notes.append(HomeFileDamaged(error.message, "uses_unknown"))
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

    def graph(self, record: Indexed) -> tuple[Graph | Combined | None, Note | None]:
        """The graph of a scope, opened at first use; None without one, and why it cannot be opened."""
        if record.graph is None:
            return None, None
        name = graph_key(record)
        with self._lock:
            found = self._graphs.get(name)
        if found is not None:
            return found, None
        graph, problem = open_graph(self.home, record)
        if graph is None:
            # Not kept: a build repairs the file under the same name.
            return None, problem
        with self._lock:
            return self._graphs.setdefault(name, graph), None

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

    def with_index(self) -> Snapshot:
        """Itself; raises `NothingRegistered` or `NoIndex` where there is nothing to answer from."""
        if not self.registry.scopes:
            raise NothingRegistered(self.home.directory)
        if not self.indexed:
            raise NoIndex(len(self.registry.scopes))
        return self

    def release(self) -> None:
        """Gives the pages of everything that is open back to the system; see `loci.core.Memory.release`."""
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
            self.notes.append(HomeFileDamaged(error.message, "defaults"))
            default, modes = DEFAULT_MODE, {}
        known = {group for scope in self.registry.scopes.values() for group in scope.groups}
        return Groups(default, {**modes, **{group: mode_of(group, default, modes) for group in sorted(known)}})

    def _policy(self, path: Path, parse: Callable[[Any], T]) -> T | None:
        """A policy file as an object; None, and a note, when a person broke it."""
        try:
            data = read_json(path)
            return None if data is None else parse(data)
        except DamagedFile as error:
            self.notes.append(HomeFileDamaged(error.message, "defaults"))
        except (ValueError, TypeError, LookupError) as error:
            self.notes.append(HomeFileDamaged(f"{path} cannot be used: {error}", "defaults"))
        return None


class Snapshots:
    """The generation of a home that answers now; safe to share between threads."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._lock = threading.Lock()
        self._latest: Snapshot | None = None

    def latest(self) -> Snapshot:
        """The newest generation, with what older ones had opened of it."""
        key = _state_of(self.home)
        current = self._latest
        if current is not None and current.key == key:
            return current
        with self._lock:
            current = self._latest
            if current is None or current.key != key:
                current = self._latest = Snapshot(self.home, current)
            return current

    def run(self, work: Callable[[Snapshot], T]) -> T:
        """What `work` makes of the newest generation; anew where another one came while it ran."""
        for _ in range(3):
            snapshot = self.latest()
            try:
                return work(snapshot)
            except DamagedStore:
                # A build finished between reading the manifest and opening the file: the whole question is asked anew
                # of the new generation. Without a newer one the file really is missing.
                if file_state(self.home.manifest) == snapshot.key[0]:
                    raise
        return work(self.latest())

    def release(self) -> None:
        """Gives the pages of what is open back to the system."""
        if self._latest is not None:
            self._latest.release()


def _state_of(home: Home) -> tuple[tuple[int, int, int] | None, ...]:
    files = (home.manifest, home.registry, home.groups, home.calibration, home.uses)
    return tuple(file_state(path) for path in files)


def _reason(path: Path, error: Exception) -> str:
    return "is missing" if not path.exists() else f"cannot be opened ({error})"
