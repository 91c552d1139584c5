"""The steps behind an index, in a table: what setup offers, update does again, and doctor finds undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from loci.core.home.home import Home, read_json
from loci.core.home.manifest import Indexed, Manifest
from loci.core.home.registry import Registry

if TYPE_CHECKING:
    from loci.core.build.index import IndexReport, Progress
    from loci.core.projects.scan import ScanReport

UNASKED_PASSAGES = 5_000  # About two minutes on two cores.


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
class Step:
    """One further step, in a table so that whoever builds it plugs it in.

    `name`: as in `--no-<name>` and `loci <name>`. `does`: what for, for a prompt. `run(home, force, progress)` does
    it for all projects and says what it did. `is_available(home)`: all it needs is on this machine. `was_chosen`:
    it was done before, so that an update does it again. `asks`: whether a setup asks first, and without a terminal
    leaves it out. `missing`: (project, what is missing of it), for `loci doctor`; None where the step cannot tell.
    """

    name: str
    does: str
    run: Callable[[Home, bool, Progress | None], StepReport]
    is_available: Callable[[Home], bool]
    was_chosen: Callable[[Home], bool]
    asks: Callable[[Home], bool] = lambda home: False
    missing: Callable[[Home], Iterable[tuple[str, str]]] | None = None
    fixes: str = ""

    def fix(self, scope: str | None) -> str:
        """The command that makes up for what is missing."""
        return self.fixes or " ".join(["loci", self.name, *([scope] if scope else [])])


def _embed(home: Home, force: bool, progress: Progress | None) -> StepReport:
    """The step of setup and update: all projects where none was embedded yet, else those that were."""
    from loci.core.build import models
    from loci.core.build.vectors import embed_index

    manifest = Manifest.load(home)
    records = list(manifest.scopes.values()) if manifest else []
    chosen = [record for record in records if record.vectors is not None]
    directory = str(models.model_directory(home))
    if chosen and not force and not any(_is_behind(home, record, directory) for record in chosen):
        return StepReport("embed", f"{_projects(len(chosen))} unchanged")
    report = embed_index(home, only={record.id for record in chosen} or None, force=force, progress=progress)
    embedded, symbols = (sum(values) for values in zip(*((s.embedded, s.symbols) for s in report.scopes), strict=True))
    kept = sum(scope.kept + scope.symbols_kept for scope in report.scopes)
    failures = tuple((scope.id, scope.message) for scope in report.scopes if scope.message)
    summary = f"{_counted(embedded, 'passage')} and {_counted(symbols, 'symbol')} embedded, {kept:,} kept"
    return StepReport("embed", summary, failures=failures)


def _embed_was_chosen(home: Home) -> bool:
    """Whether any project has vectors."""
    manifest = Manifest.load(home)
    return manifest is not None and any(record.vectors is not None for record in manifest.scopes.values())


def _embed_asks(home: Home) -> bool:
    """Whether embedding everything takes so long that nobody should be made to wait for it unasked.

    Symbols are not counted: on the public corpus they take a twentieth of what passages do.
    """
    from loci.core.build.vectors import KINDS

    manifest = Manifest.load(home)
    counts = [record.counts.get("passages", {}) for record in manifest.scopes.values()] if manifest else []
    return sum(count.get(kind, 0) for count in counts for kind in KINDS) > UNASKED_PASSAGES


def _is_behind(home: Home, record: Indexed, directory: str) -> bool:
    from loci.core.build.symbol_vectors import is_behind

    about = record.vectors
    assert about is not None  # asked of projects with vectors alone
    passages = (about["segment"], about["directory"]) == (record.segment, directory)
    return not passages or not (home.segments / about["file"]).is_file() or is_behind(home, record)


def _projects(count: int) -> str:
    return _counted(count, "project")


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def _embed_is_available(home: Home) -> bool:
    from loci.core.build import models

    return models.is_available(home)


def _provided(name: str) -> Callable[[Home, bool, Progress | None], StepReport] | None:
    """What runs a step that a package above this one provides (entry points of the group `loci.steps`); None where that
    package is not installed.
    """
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group="loci.steps", name=name)), None)
    return None if found is None else found.load()


def _calibrate(home: Home, force: bool, progress: Progress | None) -> StepReport:
    run = _provided("calibrate")
    if run is None:
        return StepReport("calibrate", "not installed", failures=(("", "pip install loci-eval"),))
    return run(home, force, progress)


def _calibrate_is_available(home: Home) -> bool:
    # One project is never taken for another.
    return len(Registry.load(home).scopes) > 1 and home.manifest.exists() and _provided("calibrate") is not None


def _calibrate_was_chosen(home: Home) -> bool:
    return "fitted_on" in (read_json(home.calibration) or {})


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
