"""Building the index: which scopes changed, their new segments, and the one moment in which the new generation counts.

Order matters more than anything here. Segments are complete and synced before the manifest that names them is
replaced; files that no manifest names are removed after it. Stop the process anywhere and a whole generation answers:
the old one or the new.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from loci import episodes
from loci.core.build.foreign import EXTRACTORS, run_graphify
from loci.core.build.graphs import damage_of_graph, graph_is_current, with_graph
from loci.core.dependencies.refresh import update_uses
from loci.core.errors import DamagedFile, ExtractorFailed, InvalidRequest, LociError, NothingRegistered, said
from loci.core.home.git import repository_at
from loci.core.home.home import LOCK_WAIT_SECONDS, Home, sync_directory
from loci.core.home.identity import presence, root_commit
from loci.core.home.manifest import Indexed, Manifest
from loci.core.home.records import Counts, GraphRecord, OtherGraphRecord
from loci.core.home.registry import Registered, Registry
from loci.core.projects.names import known_names

CONCURRENT_BUILDS = 2  # Each build is parallel inside; two hide one another's serial ends. More would only add memory.
CONCURRENT_FINGERPRINTS = 8  # Mostly waiting for the file system.

Progress = Callable[[str, str, int, int], None]
"""Called from several threads as `progress(scope, stage, done, total)`; the whole build reports as scope ""."""

Outcome = Literal["built", "unchanged", "failed", "gone", "unreachable"]


@dataclass(frozen=True)
class ScopeReport:
    """What became of one scope.

    `outcome`: built; unchanged (its segment is kept); failed, gone (the directory was deleted or moved) or unreachable
    (its disk is not mounted): the old segment, if any, goes on answering and `message` says why. `counts` is the
    build's own report, also of an unchanged scope, and `graph` what the manifest says of what calls what.
    """

    id: str
    outcome: Outcome
    message: str = ""
    counts: Counts = field(default_factory=lambda: Counts())
    bytes: int = 0
    graph: GraphRecord | None = None

    def to_json(self) -> dict[str, Any]:
        """As `loci index --json` prints it."""
        return {
            "id": self.id,
            "outcome": self.outcome,
            "message": self.message,
            "bytes": self.bytes,
            "counts": self.counts,
            "structure": None
            if self.graph is None
            else {key: self.graph[key] for key in ("files", "symbols", "edges", "unresolved", "outcomes", "examples")}
            | {"others": [_other(entry) for entry in self.graph.get("others", ())]},
        }


def _other(entry: OtherGraphRecord) -> dict[str, Any]:
    keys = ("backend", "source", "symbols", "edges", "commit", "problem")
    return {key: entry.get(key) for key in keys}


@dataclass(frozen=True)
class IndexReport:
    """What an index run did. `generation`: the one that answers now. `removed`: scopes no longer registered."""

    generation: int
    scopes: tuple[ScopeReport, ...]
    removed: tuple[str, ...]
    notes: tuple[str, ...]
    seconds: float

    def with_outcome(self, outcome: Outcome) -> list[ScopeReport]:
        """The scopes that ended that way."""
        return [scope for scope in self.scopes if scope.outcome == outcome]

    @property
    def bytes(self) -> int:
        """Size of the whole index on disk."""
        return sum(scope.bytes for scope in self.scopes)

    def to_json(self) -> dict[str, Any]:
        """As `loci index --json` prints it."""
        return {
            "generation": self.generation,
            "seconds": round(self.seconds, 3),
            "bytes": self.bytes,
            "scopes": [scope.to_json() for scope in self.scopes],
            "removed": list(self.removed),
            "notes": list(self.notes),
        }


def build_index(
    home: Home,
    *,
    only: Collection[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
    wait: float = 0.0,
    references: bool = True,
    graphs: bool | None = None,
    rebuild_graphs: bool = False,
) -> IndexReport:
    """Brings the index up to date; see `loci.core.Memory.index`.

    `graphs`: with what calls what; None as the last time that it was said. `rebuild_graphs`: also where
    it is current. `references`: also collects again who uses whom, which is a look at all projects and not only at what
    changed.
    """
    started = time.perf_counter()
    registry = Registry.load(home)
    if not registry.scopes:
        raise NothingRegistered(home.directory)
    with home.build_lock(wait):
        notes: list[str] = []
        registry = Registry.load(home) if only is not None else _with_declared(home, notes)
        try:
            old = Manifest.load(home) or Manifest()
        except DamagedFile as error:
            # It only names what can be built again, so the run that builds everything again is the repair.
            notes.append(f"{error.message}; the whole index was built again")
            old = Manifest(damaged=True)
        if graphs is not None:
            old = replace(old, graphs=graphs)
        report = _build(home, registry, old, only, force, progress or _silent, notes, references, rebuild_graphs)
        return replace(report, seconds=time.perf_counter() - started)


def build_graphs(
    home: Home,
    *,
    only: Collection[str] | None = None,
    rebuild: bool = False,
    progress: Progress | None = None,
    extractor: str = "built-in",
) -> IndexReport:
    """See `loci.core.Memory.graphs`."""
    if extractor not in EXTRACTORS:
        raise InvalidRequest(f"no extractor is called {extractor!r}", f"there are {', '.join(EXTRACTORS)}")
    failed: list[ExtractorFailed] = []
    if extractor == "graphify":
        registry = Registry.load(home)
        chosen = [scope for scope in registry.scopes.values() if only is None or scope.id in only]
        failed = _extract(chosen, progress or _silent)
        if failed and len(failed) == len(chosen):
            raise failed[0]
    report = build_index(
        home, only=only, progress=progress, wait=LOCK_WAIT_SECONDS, graphs=True, rebuild_graphs=rebuild
    )
    problems = tuple(f"{error.message}: {error.hint}" for error in failed)
    return replace(report, notes=(*problems, *report.notes)) if problems else report


def _extract(scopes: Sequence[Registered], progress: Progress) -> list[ExtractorFailed]:
    """Runs graphify on each of the projects; the errors of those where it failed."""
    failed = []
    for done, scope in enumerate(scopes):
        progress("", "scopes", done, len(scopes))
        progress(scope.id, "graphify", 0, 1)
        try:
            run_graphify(scope.path, scope.id)
        except ExtractorFailed as error:
            failed.append(error)
        progress(scope.id, "graphify", 1, 1)
    return failed


def _with_declared(home: Home, notes: list[str]) -> Registry:
    """The registry after the repositories' own `.loci.json` files were read again."""
    from loci.core.projects.register import register_declared

    with Registry.edit(home) as registry:
        notes += register_declared(registry).problems
        return registry


def remove_scope(home: Home, identity: str) -> bool:
    """Takes one scope's data out of the index; False when that is left to a running build or to the next one."""
    from loci.core.errors import BuildLocked

    try:
        with home.build_lock():
            try:
                old = Manifest.load(home)
            except DamagedFile:
                return False  # the build that repairs it asks the registry what to hold
            if old is None or identity not in old.scopes:
                return True
            kept = {key: value for key, value in old.scopes.items() if key != identity}
            Manifest(old.generation + 1, kept, graphs=old.graphs).save(home)
            _remove_unnamed(home, kept.values())
            return True
    except BuildLocked:
        return False


def _build(
    home: Home,
    registry: Registry,
    old: Manifest,
    only: Collection[str] | None,
    force: bool,
    progress: Progress,
    notes: list[str],
    references: bool,
    rebuild_graphs: bool,
) -> IndexReport:
    signature = episodes.rules_signature()
    wanted = [scope for scope in registry.scopes.values() if only is None or scope.id in only]
    done = 0
    lock = Lock()

    def advance() -> None:
        nonlocal done
        with lock:
            done += 1
            progress("", "scopes", done, len(wanted))

    def unchanged(scope: Registered) -> bool:
        record = old.scopes.get(scope.id)
        if record is None or force or record.signature != signature or record.path != scope.path:
            return False
        if not _usable(home, record):
            return False
        try:
            return episodes.fingerprint(scope.repository_root, **registry.reading(scope)) == record.fingerprint
        except (episodes.EpisodesError, OSError):
            return False  # the build meets the same error and reports it

    progress("", "scopes", 0, len(wanted))
    with ThreadPoolExecutor(CONCURRENT_FINGERPRINTS, "loci-fingerprint") as pool:
        same = dict(zip((scope.id for scope in wanted), pool.map(unchanged, wanted), strict=True))

    records: dict[str, Indexed] = {}
    reports: dict[str, ScopeReport] = {}

    def handle(scope: Registered) -> tuple[ScopeReport, Indexed | None]:
        record = old.scopes.get(scope.id)
        try:
            if same[scope.id] and record is not None:
                report = ScopeReport(scope.id, "unchanged", counts=record.counts, bytes=record.size)
            else:
                report, record = _build_scope(home, registry, scope, record, signature, force, progress)
            if old.graphs and record is not None and report.outcome in ("built", "unchanged"):
                report, record = with_structure(scope, report, record)
            return report, record
        finally:
            advance()

    def with_structure(scope: Registered, report: ScopeReport, record: Indexed) -> tuple[ScopeReport, Indexed]:
        if force or rebuild_graphs or not graph_is_current(home, record):
            clock = time.perf_counter()
            damage = damage_of_graph(home, record)
            record, problem = with_graph(
                home,
                scope,
                registry.reading(scope),
                record,
                force=force or rebuild_graphs,
                progress=lambda stage, done, total: progress(scope.id, stage, done, total),
            )
            if problem:
                notes.append(f"{scope.id}: what calls what could not be read off its files: {problem}")
            elif damage is not None:
                notes.append(f"{scope.id}: what calls what was built again: {damage}")
            elif record.seconds is not None:
                record = replace(record, seconds=round(record.seconds + time.perf_counter() - clock, 3))
        return replace(report, bytes=record.size, graph=record.graph), record

    # The biggest first, so that none of them is left running alone at the end.
    order = sorted(wanted, key=lambda s: (-(old.scopes[s.id].bytes if s.id in old.scopes else 1 << 62), s.id))
    with ThreadPoolExecutor(CONCURRENT_BUILDS, "loci-build") as pool:
        for report, record in pool.map(handle, order):
            reports[report.id] = report
            if record is not None:
                records[report.id] = record

    rebuilt = {report.id for report in reports.values() if report.outcome == "built"}
    roots = _roots(registry, rebuilt & set(old.scopes)) if references else {}
    registry = _refresh_names(home, registry, rebuilt, roots)
    records = {identity: record for identity, record in records.items() if identity in registry.scopes}
    for identity, record in old.scopes.items():
        # Not asked for this time: kept as it is.
        if identity in registry.scopes and identity not in reports:
            records[identity] = record
    records = {identity: _with_registry(record, registry.scopes[identity]) for identity, record in records.items()}
    removed = sorted(set(old.scopes) - set(registry.scopes))
    generation = old.generation
    saved = None if old.damaged or not home.manifest.exists() else Manifest.load(home)
    if saved is None or records != saved.scopes or old.graphs != saved.graphs:
        generation += 1
        sync_directory(home.segments)  # a name that is lost in a power cut would leave the manifest pointing nowhere
        Manifest(generation, records, graphs=old.graphs).save(home)
    _remove_unnamed(home, records.values())
    if references:
        notes += update_uses(home, registry, {identity: record.fingerprint for identity, record in records.items()})
    return IndexReport(generation, tuple(reports[key] for key in sorted(reports)), tuple(removed), tuple(notes), 0.0)


def _build_scope(
    home: Home,
    registry: Registry,
    scope: Registered,
    record: Indexed | None,
    signature: str,
    force: bool,
    progress: Progress,
) -> tuple[ScopeReport, Indexed | None]:
    counts = record.counts if record else Counts()
    size = record.size if record else 0
    present = presence(scope.path, scope.mount)
    if present != "there":
        # An unmounted disk must not erase an index, and a moved repository is found again.
        if present == "gone":
            message = (
                f"{scope.path} is not there; `loci forget {scope.id}` removes it, a scan of where it is now finds it"
            )
        else:
            message = f"{scope.path} cannot be reached: the disk it is on may not be mounted"
        return ScopeReport(scope.id, present, message, counts, size), record
    previous = None
    if record is not None and not force and record.signature == signature and _usable(home, record):
        previous = home.segments / record.segment
    began, clock = time.time(), time.perf_counter()
    try:
        built = episodes.build(
            scope.repository_root,
            directory=home.segments,
            previous=previous,
            **registry.reading(scope),
            progress=lambda stage, done, total: progress(scope.id, stage, done, total),
        )
    except (episodes.EpisodesError, OSError) as error:
        return ScopeReport(scope.id, "failed", said(error), counts, size), record
    except MemoryError:
        return ScopeReport(scope.id, "failed", "not enough memory", counts, size), record
    except BaseException as error:
        # A defect met in one project must not cost the others their index. A panic of the kernel is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        message = f"an error inside loci: {type(error).__name__}: {error}"
        return ScopeReport(scope.id, "failed", message, counts, size), record
    counts: Counts = {
        "listed": built.listed,
        "read": built.read,
        "skipped": dict(sorted(built.skipped.items())),
        "skipped_examples": {key: list(value) for key, value in sorted(built.skipped_examples.items())},
        "ignored": built.ignored,
        "notes": dict(sorted(built.notes.items())),
        "unreadable_dirs": [list(item) for item in built.unreadable_dirs],
        "unreadable": [list(item) for item in built.unreadable],
        "lossy": list(built.lossy),
        "passages": dict(sorted(built.passages.items())),
        "redactions": dict(sorted(built.redactions.items())),
        "submodules": list(built.submodules),
        "shallow": built.shallow,
    }
    new = Indexed(
        id=scope.id,
        segment=built.segment,
        bytes=built.bytes,
        commit=built.commit,
        fingerprint=built.fingerprint,
        signature=signature,
        name=scope.name,
        path=scope.path,
        last_commit_time=built.last_commit_time,
        counts=counts,
        built=round(began, 3),
        seconds=None if previous is None else round(time.perf_counter() - clock, 3),
        # Files that did not change are taken over from it.
        graph=record.graph if record else None,
        # Found by the content of passages: those that did not change keep theirs.
        vectors=record.vectors if record else None,
    )
    return ScopeReport(scope.id, "built", counts=counts, bytes=built.bytes), new


def _usable(home: Home, record: Indexed) -> bool:
    """Whether the segment of an unchanged scope can really be kept: there, of the right size, and it opens."""
    path = home.segments / record.segment
    try:
        if path.stat().st_size != record.bytes:
            return False
        episodes.Episodes.open(path)
    except (OSError, episodes.EpisodesError):
        return False
    return True


def _with_registry(record: Indexed, scope: Registered) -> Indexed:
    names = tuple(name for name in scope.all_names() if name not in (scope.id, scope.name))
    return replace(
        record,
        name=scope.name,
        path=scope.path,
        names=names,
        groups=tuple(scope.groups),
        subtree=scope.subtree,
        reads=scope.patterns(),
    )


def _roots(registry: Registry, built: Collection[str]) -> dict[str, str | None]:
    """The root commits of projects built again: a history may have been written anew, or begun anew in the same place.

    Not for a question that brings one project up to date: a long history takes some hundredths of a second.
    """
    found: dict[Path, str | None] = {}
    for root in {registry.scopes[identity].repository_root for identity in built}:
        repository = repository_at(root)
        found[root] = root_commit(repository) if repository else None
    return {identity: found[registry.scopes[identity].repository_root] for identity in built}


def _refresh_names(home: Home, registry: Registry, built: Collection[str], roots: dict[str, str | None]) -> Registry:
    """The registry as it is now: a rebuilt project may have a new name, others may have been forgotten meanwhile."""
    try:
        with Registry.edit(home) as current:
            for identity in built:
                scope = current.scopes.get(identity)
                if scope is not None:
                    scope.names = known_names(scope.path, None if scope.subtree else scope.remote)
                    scope.root_commit = roots.get(identity) or scope.root_commit
            return current
    except LociError:
        return registry  # broken by hand during the build: what was read at its start still holds


def _remove_unnamed(home: Home, records: Iterable[Indexed]) -> None:
    """Removes what the manifest does not name: the last generation's segments and what a killed build left.

    A reader that holds one open keeps it (on Windows the removal fails, and a later run does it).
    """
    for file in (home.manifest, home.uses, home.directory / "references.json"):  # all written under the build lock
        home.remove_leftovers(file)
    named = {name for record in records for name in record.files}
    for path in home.segments.iterdir():
        if path.name not in named and path.is_file():
            with contextlib.suppress(OSError):
                path.unlink()


def _silent(scope: str, stage: str, done: int, total: int) -> None:
    pass
