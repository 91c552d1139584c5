"""What needs doing, in the user's words, with the command that does it. Nothing is written.

Each check is a function that yields findings; one that cannot be made says so as a finding of its own, and the others
go on.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from loci.core.build.foreign import shortcomings
from loci.core.build.graphs import damage_of_graph
from loci.core.errors import DamagedStore, LociError, quoted, said
from loci.core.home.home import ENVIRONMENT_VARIABLE, Home, read_json
from loci.core.home.manifest import Indexed, Manifest, registry_of
from loci.core.home.registry import Registered, Registry
from loci.core.notes import Action
from loci.core.operations import steps
from loci.core.operations.finding import Finding

THIN_PASSAGES = 10  # A project with fewer has next to nothing to answer from.
OVERSIZED_BYTES = 200_000_000  # Of one project's index: more than thirty ordinary projects together.
MUCH_SKIPPED = 0.5  # Of the listed files: then what was left out may be what is asked about.
CONCURRENT = 8  # Mostly waiting for the file system.
_REMEDIES: dict[Action, str] = {
    "index": "loci index {}",
    "rebuild_graphs": "loci graphs --all {}",
    "extract": "loci graphs {} --extractor graphify",
    "rerun_indexer": "run its indexer again",
}
"""What mends the graph of another tool."""
CHECKS = "loci.checks"
"""Entry points of packages that put something outside of the home: each is called and gives findings about it."""


def examine(home: Home) -> list[Finding]:
    """Every finding: the machine and the home first, then project by project."""
    findings: list[Finding] = []
    for check in (_home_itself, _programs, _of_other_packages):
        findings += _guarded(check.__name__, lambda check=check: check(home))
    if any(finding.kind in ("home_is_no_directory", "home_not_readable") for finding in findings):
        return findings
    registry, found = _registry(home)
    manifest, more = _manifest(home)
    findings += [*found, *more]
    findings += _guarded("_policies", lambda: _policies(home))
    if registry is None and manifest is not None:
        registry = registry_of(manifest.scopes.values())
    if registry is None:
        return findings
    if not registry.scopes:
        findings.append(
            Finding(None, "error", "nothing_registered", "no project is registered", "loci setup <directory>")
        )
        return findings
    findings += _guarded("_roots", lambda: _roots(registry))
    findings += _guarded("_steps", lambda: _steps(home))
    findings += _guarded("_uses", lambda: _uses(home, registry))
    indexed = manifest.scopes if manifest else {}
    findings += _guarded("_vectors", lambda: _vectors(home, indexed.values()))
    with ThreadPoolExecutor(CONCURRENT, "loci-doctor") as pool:

        def one(scope: Registered) -> list[Finding]:
            return _guarded(scope.id, lambda: _scope(home, registry, scope, indexed.get(scope.id)))

        for each in pool.map(one, sorted(registry.scopes.values(), key=lambda scope: scope.id)):
            findings += each
    return findings


def _guarded(name: str, check: Callable[[], Iterator[Finding]]) -> list[Finding]:
    try:
        return list(check())
    except LociError as error:
        return [Finding(None, "error", error.kind, error.message, error.hint)]
    except OSError as error:
        return [Finding(None, "warning", "check_failed", f"this check failed ({name.strip('_')}): {error}")]


# -- the machine ------------------------------------------------------------------------------------------------------


def _home_itself(home: Home) -> Iterator[Finding]:
    directory = home.directory
    shown = quoted(directory)
    where = f"set {ENVIRONMENT_VARIABLE} to a directory of your own, or move that away: mv {shown} {shown}.old"
    if not os.path.lexists(directory):
        return
    if not directory.is_dir():
        yield Finding(None, "error", "home_is_no_directory", f"{directory} is not a directory", where)
        return
    if not os.access(directory, os.R_OK | os.X_OK):
        yield Finding(None, "error", "home_not_readable", f"{directory} cannot be read", f"chmod u+rwx {shown}")
        return
    if not os.access(directory, os.W_OK):
        yield Finding(
            None,
            "warning",
            "home_not_writable",
            f"{directory} is not writable, so the index cannot be updated; questions are still answered",
            None if _is_read_only(directory) else f"chmod u+w {shown}",
        )
    if os.name == "posix":
        mode = directory.stat().st_mode
        if mode & 0o077 and (home.manifest.exists() or home.registry.exists()):
            yield Finding(
                None,
                "warning",
                "home_open_to_others",
                f"other users of this machine can read {directory}, which contains the text of your projects",
                f"chmod -R go-rwx {shown}",
            )
    with contextlib.suppress(OSError):
        free = shutil.disk_usage(directory).free
        if free < 200_000_000:
            yield Finding(
                None,
                "warning",
                "disk_full",
                f"only {free / 1e6:.0f} MB are free on the disk of {directory}; a build needs more",
            )


def _is_read_only(directory: Path) -> bool:
    """Whether the whole file system is, so that no permission helps."""
    return hasattr(os, "statvfs") and bool(os.statvfs(directory).f_flag & os.ST_RDONLY)


def _programs(home: Home) -> Iterator[Finding]:
    names = ["loci.exe", "loci.cmd", "loci"] if os.name == "nt" else ["loci"]
    found: dict[Path, Path] = {}
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        for name in names:
            path = Path(entry or ".") / name
            with contextlib.suppress(OSError):
                if path.is_file() and os.access(path, os.X_OK):
                    found.setdefault(path.resolve(), path)
    if len(found) > 1:
        paths = [str(path) for path in found.values()]
        yield Finding(
            None,
            "warning",
            "several_programs",
            f"{len(paths)} programs called loci are on the PATH; the first one runs, and their versions may differ",
            "uninstall all but one, for example with `pip uninstall loci-mem` in their environment",
            tuple(paths),
        )


# -- what other packages put elsewhere --------------------------------------------------------------------------------


def _of_other_packages(home: Home) -> Iterator[Finding]:
    """What the packages above this one know of by themselves, such as entries in the configuration of clients."""
    for entry in sorted(_entry_points(), key=lambda entry: entry.name):
        try:
            yield from entry.load()()
        except Exception as error:  # somebody else's code: whatever it does, the other checks go on
            problem = f"this check failed ({entry.name}): {type(error).__name__}: {error}"
            yield Finding(None, "warning", "check_failed", problem)


def _entry_points() -> Iterable[Any]:
    from importlib.metadata import entry_points

    return entry_points(group=CHECKS)


# -- the home ---------------------------------------------------------------------------------------------------------


def _registry(home: Home) -> tuple[Registry | None, list[Finding]]:
    try:
        return Registry.load(home), []
    except DamagedStore as error:
        return None, [Finding(None, "error", error.kind, error.message, error.hint)]


def _manifest(home: Home) -> tuple[Manifest | None, list[Finding]]:
    try:
        return Manifest.load(home), []
    except DamagedStore as error:
        return None, [Finding(None, "error", error.kind, error.message, error.hint)]


def _policies(home: Home) -> Iterator[Finding]:
    from loci import router

    for path, parse in ((home.groups, router.Groups.from_json), (home.calibration, router.Calibration.from_json)):
        try:
            data = read_json(path)
            if data is not None:
                parse(data)
        except DamagedStore as error:
            yield Finding(None, "error", error.kind, f"{error.message}; the defaults are used until then", error.hint)
        except (ValueError, TypeError, LookupError) as error:
            fix = "correct it, or move the file away"
            problem = f"{path} cannot be used: {error}; the defaults are used until then"
            yield Finding(None, "error", "damaged_file", problem, fix)


def _roots(registry: Registry) -> Iterator[Finding]:
    for root in registry.roots:
        if not Path(root).is_dir():
            yield Finding(
                None,
                "note",
                "root_gone",
                f"{root} was scanned before and is missing; updates skip it",
                None,
            )


def _steps(home: Home) -> Iterator[Finding]:
    """What the further steps of a setup have not done; see `loci.core.operations.steps.STEPS`."""
    for step in steps.STEPS:
        for scope, problem in step.missing(home) if step.missing is not None else ():
            yield Finding(scope, "warning", f"no_{step.name}", problem, step.fix(scope))


def _vectors(home: Home, records: Collection[Indexed]) -> Iterator[Finding]:
    """What is wrong with the vectors of those who have some; whoever has none misses nothing."""
    from loci.core.build import models
    from loci.core.build.symbol_vectors import is_behind

    chosen = [record for record in records if record.vectors is not None]
    if not chosen:
        return
    directory = models.model_directory(home)
    if not directory.is_dir():
        problem = f"the model of the vectors is not at {directory} any more, so questions are answered without them"
        yield Finding(None, "warning", "model_missing", problem, models.NO_MODEL)
    elif not models.is_available(home):
        problem = "what reads the model of the vectors is not installed, so questions are answered without them"
        yield Finding(None, "warning", "model_missing", problem, models.INSTALL)
    for record in records:
        fix = f"loci embed {record.id}"
        about = record.vectors
        if about is None:
            yield Finding(record.id, "warning", "no_vectors", "it has no vectors, and other projects have", fix)
            continue
        parts = [part for part in (about, about["symbols"]) if part is not None]
        damaged = [file for part in parts if _is_damaged(file := home.segments / part["file"], part["bytes"])]
        if damaged:
            problem = f"its vectors, {damaged[0]}, are missing or damaged"
            yield Finding(record.id, "warning", "damaged_vectors", problem, fix)
        elif about["directory"] != str(directory):
            problem = f"its vectors are of another model, {about['model']}, and questions are answered without them"
            yield Finding(record.id, "warning", "other_model", problem, fix)
        elif about["segment"] != record.segment:
            problem = "passages that are new since it was embedded have no vectors yet; a question makes those it needs"
            yield Finding(record.id, "note", "vectors_behind", problem, fix)
        elif is_behind(home, record):
            problem = "symbols that are new since it was embedded have no vectors; questions find them by their words"
            yield Finding(record.id, "note", "vectors_behind", problem, fix)


def _is_damaged(file: Path, size: int) -> bool:
    return not file.is_file() or file.stat().st_size != size


def _uses(home: Home, registry: Registry) -> Iterator[Finding]:
    from loci.core.dependencies.table import REPAIR, Uses

    if not home.manifest.exists():
        return
    table = Uses.load(home)  # a broken one is a finding of its own
    if table is None:
        yield Finding(None, "warning", "no_uses", "dependencies between projects were never collected", REPAIR)
        return
    for identity in sorted(set(table.scopes) & set(registry.scopes)):
        scope = table.scopes[identity]
        if scope.error:
            problem = f"its dependencies could not be collected: {scope.error}"
            yield Finding(identity, "warning", "uses_failed", problem, REPAIR)


# -- a project --------------------------------------------------------------------------------------------------------


def _scope(home: Home, registry: Registry, scope: Registered, record: Indexed | None) -> Iterator[Finding]:
    from loci import episodes
    from loci.core.home.identity import scope_presence

    identity = scope.id
    present = scope_presence(scope)
    if present != "there":
        kept = "; what was indexed of it still answers" if record else ""
        if present == "gone":
            problem = f"its repository is no longer at {scope.path}{kept}"
            fix = f"loci scan <where it is now>, or loci forget {identity}"
            yield Finding(identity, "warning", "gone", problem, fix)
        else:
            problem = f"{scope.path} cannot be reached: its disk may not be mounted{kept}"
            yield Finding(identity, "warning", "unreachable", problem, None)
    if record is None:
        if present == "there":
            yield _why_not_indexed(registry, scope)
        return
    path = home.segments / record.segment
    try:
        intact = episodes.intact(path)
    except FileNotFoundError:
        yield Finding(
            identity,
            "error",
            "damaged_segment",
            f"its index file {path} is missing",
            f"loci index --force {identity}",
        )
        return
    except OSError as error:
        problem = f"its index file {path} cannot be read: {error.strerror or error}"
        yield Finding(identity, "error", "damaged_segment", problem, f"loci index --force {identity}")
        return
    if not intact:
        yield Finding(
            identity,
            "error",
            "damaged_segment",
            f"its index file {path} is damaged: its content has changed",
            f"loci index --force {identity}",
        )
        return
    damage = damage_of_graph(home, record)
    if damage is not None:
        problem = f"its graph cannot be used: {damage}"
        yield Finding(identity, "error", "damaged_graph", problem, f"loci graphs {identity}")
    yield from _age(registry, scope, record, present == "there")
    if present == "there":
        for shortcoming in shortcomings(home, record):
            fix = _REMEDIES[shortcoming.remedy].format(identity)
            yield Finding(identity, "warning", shortcoming.kind, shortcoming.problem, fix)
        yield from _declaration(scope)
    yield from _content(scope, record)


def _why_not_indexed(registry: Registry, scope: Registered) -> Finding:
    """A project that no build could read would not be mended by another one."""
    from loci import episodes

    try:
        episodes.fingerprint(scope.repository_root, **registry.reading(scope))
    except (episodes.EpisodesError, OSError) as error:
        fix = f"git -C {quoted(scope.repository_root)} fsck"
        if "object format" in str(error):
            fix = f"loci forget {scope.id}"
        return Finding(scope.id, "error", "unreadable_repository", f"it cannot be indexed: {said(error)}", fix)
    return Finding(scope.id, "error", "not_indexed", "it is not indexed", f"loci index {scope.id}")


def _declaration(scope: Registered) -> Iterator[Finding]:
    """What is wrong with the `.loci.json` of a repository."""
    from loci.core.projects.packages import declared

    if not scope.subtree:
        for problem in declared(scope.path)[1]:
            yield Finding(scope.id, "warning", "bad_declaration", problem, "correct the file")


def _age(registry: Registry, scope: Registered, record: Indexed, there: bool) -> Iterator[Finding]:
    from loci import episodes
    from loci.core.home.git import head_commit, repository_at

    fix = f"loci index {scope.id}"
    if record.signature != episodes.rules_signature():
        yield Finding(scope.id, "warning", "older_rules", "it was indexed by an older loci with other rules", fix)
        return
    if not there:
        return
    repository = repository_at(scope.repository_root)
    head = head_commit(repository) if repository else None
    if head != record.commit:
        was = record.commit[:10] if record.commit else "no commit"
        problem = f"its index is at {was}, and the repository at {head[:10] if head else 'no commit'}"
        yield Finding(scope.id, "warning", "behind", problem, fix)
        return
    try:
        state = episodes.fingerprint(scope.repository_root, **registry.reading(scope))
    except (episodes.EpisodesError, OSError) as error:
        problem = f"its files cannot be compared with its index: {said(error)}"
        fix = f"git -C {quoted(scope.repository_root)} fsck"
        yield Finding(scope.id, "error", "unreadable_repository", problem, fix)
        return
    if state != record.fingerprint:
        problem = "uncommitted files changed since it was indexed"
        yield Finding(scope.id, "warning", "uncommitted", problem, fix)


def _content(scope: Registered, record: Indexed) -> Iterator[Finding]:
    counts = record.counts
    identity = scope.id
    passages = sum(counts.get("passages", {}).values())
    if passages < THIN_PASSAGES:
        many = ("no passage" if passages == 0 else "only 1 passage") if passages < 2 else f"only {passages} passages"
        yield Finding(identity, "note", "thin", f"it has {many}, hardly anything to answer from")
    if record.bytes > OVERSIZED_BYTES:
        largest = _most(counts.get("passages", {}))
        yield Finding(
            identity,
            "warning",
            "oversized",
            f"its index has {record.bytes / 1e6:.0f} MB, {largest}; consider excluding what nobody asks about",
            f"loci add {quoted(scope.path)} --exclude <pattern>",
        )
    unreadable = counts.get("unreadable", [])
    if unreadable:
        many = "1 file" if len(unreadable) == 1 else f"{len(unreadable)} files"
        examples = tuple(f"{path}: {reason}" for path, reason in unreadable[:3])
        problem = f"{many} could not be read and are left out" if len(unreadable) > 1 else f"{many} could not be read"
        yield Finding(identity, "warning", "unreadable", problem, f"loci index {identity}", examples)
    if counts.get("shallow"):
        problem = "it is a shallow clone without older history"
        fix = f"git -C {quoted(scope.repository_root)} fetch --unshallow"
        yield Finding(identity, "note", "shallow", problem, fix)
    skipped = counts.get("skipped", {})
    total = sum(skipped.values())
    if total:
        examples = counts.get("skipped_examples", {})
        shown = tuple(f"{reason}: {paths[0]}" for reason, paths in sorted(examples.items()) if paths)
        parts = ", ".join(f"{n:,} {reason}" for reason, n in sorted(skipped.items(), key=lambda item: -item[1]))
        much = total > MUCH_SKIPPED * max(counts.get("listed", 0), 1)
        fix = f"loci add {quoted(scope.path)} --include <pattern>" if much else None
        files = "1 file is" if total == 1 else f"{total:,} of {counts.get('listed', 0):,} files are"
        yield Finding(identity, "note", "skipped", f"{files} left out: {parts}", fix, shown)


def _most(passages: dict[str, int]) -> str:
    kind, count = max(passages.items(), key=lambda item: item[1], default=("passages", 0))
    return f"most of it {count:,} {kind} passages"
