"""The chain to begin with and to stay current with: scan, index, and whatever further steps there are.

What a step does is its own business; here is only the order, that one failure does not stop the others, and that an
update does again what was chosen before and nothing else.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core.errors import BuildLocked, HomeNotWritable, LociError, NothingRegistered
from loci.core.home.home import LOCK_WAIT_SECONDS, Home
from loci.core.home.identity import existing_directory
from loci.core.home.registry import Registry
from loci.core.operations import steps
from loci.core.operations.steps import Step, StepReport
from loci.core.projects.provenance import VENDOR
from loci.core.projects.scan import scan_directories

if TYPE_CHECKING:
    from loci.core.build.index import Progress

Tell = Callable[[str, str], None]
"""Called as `tell(step, state)` when a step begins ("begin") and when it is done ("end")."""


@dataclass(frozen=True)
class ChainReport:
    """What a setup or an update did, step by step."""

    steps: tuple[StepReport, ...]
    seconds: float

    @property
    def failures(self) -> list[tuple[str, str, str]]:
        """(step, project or "", what went wrong), in order."""
        return [(step.name, scope, message) for step in self.steps for scope, message in step.failures]

    def to_json(self) -> dict[str, Any]:
        """As `loci setup --json` and `loci update --json` print it."""
        return {"steps": [step.to_json() for step in self.steps], "seconds": round(self.seconds, 3)}


@dataclass
class Chain:
    """Runs steps one after the other; an error of loci in one is its failure and the next goes on."""

    home: Home
    tell: Tell | None = None
    progress: Progress | None = None
    done: list[StepReport] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def run(self, name: str, work: Callable[[], StepReport]) -> StepReport:
        """One step. What stops every other step too (no room to write, a build that runs already) is raised."""
        started = time.perf_counter()
        if self.tell is not None:
            self.tell(name, "begin")
        try:
            report = work()
        except (BuildLocked, HomeNotWritable, NothingRegistered):
            raise
        except LociError as error:
            report = StepReport(name, "failed", failures=(("", error.message),))
        except Exception as error:
            message = f"an error inside loci: {type(error).__name__}: {error}"
            report = StepReport(name, "failed", failures=(("", message),))
        finally:
            if self.tell is not None:
                self.tell(name, "end")
        report = replace(report, seconds=time.perf_counter() - started)
        self.done.append(report)
        return report

    def scan(self, roots: Sequence[Path], *, split: bool = False, others: bool = True) -> StepReport:
        """Takes note of what is below `roots`."""
        return self.run("scan", lambda: _scan(self.home, roots, split, others))

    def index(
        self, only: Sequence[str] | None = None, *, force: bool = False, graphs: bool | None = None
    ) -> StepReport:
        """Brings the index up to date, and who uses whom and (unless `graphs` is False) what calls what with it."""
        return self.run("index", lambda: _index(self.home, only, force, self.progress, graphs))

    def step(self, step: Step, *, force: bool = False) -> StepReport:
        """A step of the table."""
        return self.run(step.name, lambda: step.run(self.home, force, self.progress))

    def report(self) -> ChainReport:
        """What was done so far."""
        return ChainReport(tuple(self.done), time.perf_counter() - self.started)


def update(
    home: Home,
    directories: Iterable[str | os.PathLike[str]] = (),
    *,
    scan: bool = True,
    force: bool = False,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> ChainReport:
    """See `loci.core.Memory.update`."""
    given = [existing_directory(directory) for directory in directories]
    registry = Registry.load(home)
    if not registry.scopes and not registry.roots:
        raise NothingRegistered(home.directory)
    chain = Chain(home, tell, progress)
    roots = given or [Path(root) for root in registry.roots]
    if scan:
        there = [root for root in roots if root.is_dir()]
        # Whose projects these are was decided at the first scan: an update asks for nothing and adds no others' code
        # where none was wanted.
        others = any(group.startswith(VENDOR) for scope in registry.scopes.values() for group in scope.groups)
        if there:
            chain.scan(there, others=others)
        registry = Registry.load(home)
    only = None
    if given:
        only = [scope.id for scope in registry.scopes.values() if any(_below(scope.path, root) for root in given)]
        if not only:
            return chain.report()
    chain.index(only, force=force)
    for step in steps.STEPS:
        if step.was_chosen(home) and step.is_available(home):
            chain.step(step, force=force)
    return chain.report()


def _below(path: Path, root: Path) -> bool:
    return path == root or root in path.parents or path in root.parents


def _scan(home: Home, roots: Sequence[Path], split: bool, others: bool) -> StepReport:
    report = scan_directories(home, roots, split=split, others=others)
    new = len(report.new)
    known = len(report.found) + len(report.packages) - new
    summary = f"{new} new, {known} known"
    if report.moved:
        summary += f", {len(report.moved)} moved"
    failures = [("", f"{path} was not searched: {reason}") for path, reason in report.discovery.unreadable]
    failures += [("", f"{path} {reason}") for path, reason in report.discovery.damaged]
    return StepReport("scan", summary, failures=tuple(failures), notes=report.problems, scan=report)


def _index(
    home: Home, only: Sequence[str] | None, force: bool, progress: Progress | None, graphs: bool | None
) -> StepReport:
    from loci.core.build.index import build_index

    chosen = set(only) if only else None
    report = build_index(home, only=chosen, force=force, progress=progress, wait=LOCK_WAIT_SECONDS, graphs=graphs)
    built, same = len(report.with_outcome("built")), len(report.with_outcome("unchanged"))
    failures = tuple((scope.id, scope.message) for scope in report.with_outcome("failed"))
    missing = [*report.with_outcome("gone"), *report.with_outcome("unreachable")]
    notes = (*report.notes, *(f"{scope.id}: {scope.message}" for scope in missing))
    summary = f"{built} built, {same} unchanged"
    for outcome in ("failed", "gone", "unreachable"):
        count = len(report.with_outcome(outcome))
        summary += f", {count} {outcome}" if count else ""
    return StepReport("index", summary, failures=failures, notes=notes, index=report)


def likely_directory(start: Path) -> Path:
    """Where somebody's projects are, as far as where they stand tells: the directory itself, or the one around the
    repository they stand in, when that holds several.
    """
    from loci.core.home.git import repository_around

    around = repository_around(start)
    if around is None:
        return start
    parent = around.root.parent
    siblings = sum(1 for _ in _repositories_in(parent))
    return parent if siblings > 1 and parent != Path(parent.anchor) else around.root


def _repositories_in(directory: Path) -> Iterator[Path]:
    try:
        for child in sorted(directory.iterdir()):
            if (child / ".git").exists():
                yield child
    except OSError:
        return
