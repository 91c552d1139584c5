"""The chain to begin with and to stay current with: scan, index, and whatever further steps there are.

What a step does is its own business; here is only the order, that one failure does not stop the others, and that an
update does again what was chosen before and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core.errors import BuildLocked, HomeNotWritable, LociError, NothingRegistered
from loci.core.home.registry import Registry
from loci.core.projects.provenance import VENDOR

if TYPE_CHECKING:
    from loci.core._memory import Memory
    from loci.core.build.index import IndexReport, Progress
    from loci.core.projects.scan import ScanReport

Tell = Callable[[str, str], None]
"""Called as `tell(step, state)` when a step begins ("begin") and when it is done ("end")."""


@dataclass(frozen=True)
class StepReport:
    """What one step did. `summary`: one line. `failures`: (project or "", what went wrong); the others were done."""

    name: str
    summary: str
    seconds: float = 0.0
    failures: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    scan: ScanReport | None = None
    index: IndexReport | None = None

    def to_json(self) -> dict[str, Any]:
        """As `loci setup --json` and `loci update --json` print it."""
        return {
            "name": self.name,
            "summary": self.summary,
            "seconds": round(self.seconds, 3),
            "failures": [{"scope": scope or None, "message": message} for scope, message in self.failures],
            "notes": list(self.notes),
        }


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


@dataclass(frozen=True)
class Step:
    """One further step, in a table so that whoever builds it plugs it in.

    `name`: as in `--no-<name>` and `loci <name>`. `does`: what for, for a prompt. `run(memory, force, progress)` does
    it for all projects and says what it did. `is_available(memory)`: all it needs is on this machine. `was_chosen`:
    it was done before, so that an update does it again. `asks`: whether a setup asks first, and without a terminal
    leaves it out. `missing`: (project, what is missing of it), for `loci doctor`; None where the step cannot tell.
    """

    name: str
    does: str
    run: Callable[[Memory, bool, Progress | None], StepReport]
    is_available: Callable[[Memory], bool]
    was_chosen: Callable[[Memory], bool]
    asks: Callable[[Memory], bool] = lambda memory: False
    missing: Callable[[Memory], Iterable[tuple[str, str]]] | None = None
    fixes: str = ""

    def fix(self, scope: str | None) -> str:
        """The command that makes up for what is missing."""
        return self.fixes or " ".join(["loci", self.name, *([scope] if scope else [])])


def _embed(memory: Memory, force: bool, progress: Progress | None) -> StepReport:
    from loci.core.build.vectors import run_step

    return run_step(memory, force, progress)


def _embed_is_available(memory: Memory) -> bool:
    from loci.core.build.vectors import is_available

    return is_available(memory.home)


def _embed_was_chosen(memory: Memory) -> bool:
    from loci.core.build.vectors import was_chosen

    return was_chosen(memory)


def _embed_asks(memory: Memory) -> bool:
    from loci.core.build.vectors import asks

    return asks(memory)


def _provided(name: str) -> Callable[[Memory, bool, Progress | None], StepReport] | None:
    """What runs a step that a package above this one provides (entry points of the group `loci.steps`); None where that
    package is not installed.
    """
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group="loci.steps", name=name)), None)
    return None if found is None else found.load()


def _calibrate(memory: Memory, force: bool, progress: Progress | None) -> StepReport:
    run = _provided("calibrate")
    if run is None:
        return StepReport("calibrate", "not installed", failures=(("", "pip install loci-eval"),))
    return run(memory, force, progress)


def _calibrate_is_available(memory: Memory) -> bool:
    # One project is never taken for another.
    return len(memory.scopes()) > 1 and memory.home.manifest.exists() and _provided("calibrate") is not None


def _calibrate_was_chosen(memory: Memory) -> bool:
    return "fitted_on" in memory.calibration_values()


STEPS: tuple[Step, ...] = (
    Step(
        "embed",
        "make vectors with the installed model, which takes minutes, so that answers are ordered by meaning too",
        _embed,
        _embed_is_available,
        _embed_was_chosen,
        _embed_asks,
    ),
    Step(
        "calibrate",
        "fit the threshold of answering to these projects, on questions made of them",
        _calibrate,
        _calibrate_is_available,
        _calibrate_was_chosen,
    ),
)
"""The steps behind the index, in their order."""


@dataclass
class Chain:
    """Runs steps one after the other; an error of loci in one is its failure and the next goes on."""

    memory: Memory
    tell: Tell | None = None
    progress: Progress | None = None
    done: list[StepReport] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def run(self, name: str, work: Callable[[], StepReport]) -> StepReport:
        """One step. What stops every other step too (no room to write, a build that runs already) is raised."""
        from dataclasses import replace

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
        return self.run("scan", lambda: _scan(self.memory, roots, split, others))

    def index(
        self, only: Sequence[str] | None = None, *, force: bool = False, graphs: bool | None = None
    ) -> StepReport:
        """Brings the index up to date, and who uses whom and (unless `graphs` is False) what calls what with it."""
        return self.run("index", lambda: _index(self.memory, only, force, self.progress, graphs))

    def step(self, step: Step, *, force: bool = False) -> StepReport:
        """A step of the table."""
        return self.run(step.name, lambda: step.run(self.memory, force, self.progress))

    def report(self) -> ChainReport:
        """What was done so far."""
        return ChainReport(tuple(self.done), time.perf_counter() - self.started)


def update(
    memory: Memory,
    directories: Sequence[Path] = (),
    *,
    scan: bool = True,
    force: bool = False,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> ChainReport:
    """See `loci.core.Memory.update`."""
    registry = Registry.load(memory.home)
    if not registry.scopes and not registry.roots:
        raise NothingRegistered(memory.home.directory)
    chain = Chain(memory, tell, progress)
    roots = list(directories) if directories else [Path(root) for root in registry.roots]
    if scan:
        there = [root for root in roots if root.is_dir()]
        # Whose projects these are was decided at the first scan: an update asks for nothing and adds no others' code
        # where none was wanted.
        others = any(group.startswith(VENDOR) for scope in registry.scopes.values() for group in scope.groups)
        if there:
            chain.scan(there, others=others)
        registry = Registry.load(memory.home)
    only = None
    if directories:
        only = [scope.id for scope in registry.scopes.values() if any(_below(scope.path, root) for root in directories)]
        if not only:
            return chain.report()
    chain.index(only, force=force)
    for step in STEPS:
        if step.was_chosen(memory) and step.is_available(memory):
            chain.step(step, force=force)
    return chain.report()


def _below(path: Path, root: Path) -> bool:
    return path == root or root in path.parents or path in root.parents


def _scan(memory: Memory, roots: Sequence[Path], split: bool, others: bool) -> StepReport:
    report = memory.scan(roots, split=split, others=others)
    new = len(report.new)
    known = len(report.found) + len(report.packages) - new
    summary = f"{new} new, {known} known"
    if report.moved:
        summary += f", {len(report.moved)} moved"
    failures = [("", f"{path} was not searched: {reason}") for path, reason in report.discovery.unreadable]
    failures += [("", f"{path} {reason}") for path, reason in report.discovery.damaged]
    return StepReport("scan", summary, failures=tuple(failures), notes=report.problems, scan=report)


def _index(
    memory: Memory, only: Sequence[str] | None, force: bool, progress: Progress | None, graphs: bool | None
) -> StepReport:
    report = memory.index(only, force=force, progress=progress, graphs=graphs)
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


__all__ = ["STEPS", "Chain", "ChainReport", "Step", "StepReport", "likely_directory", "update"]
