"""`loci index`."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

import click

from loci.cli import _console as console
from loci.cli._main import Command, Settings, home_option
from loci.cli._render import counted, size, table

if TYPE_CHECKING:
    from loci.core import IndexReport, ScopeReport

REDRAW_SECONDS = 0.1
BAR_WIDTH = 24


@click.command(cls=Command)
@click.argument("scopes", nargs=-1)
@click.option("--force", is_flag=True, help="Rebuild everything, also what did not change.")
@click.option("--wait", type=click.FloatRange(min=0), default=0.0, help="Seconds to wait for a running build.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def index(settings: Settings, scopes: tuple[str, ...], force: bool, wait: float, as_json: bool) -> int:
    """Update the index of all registered projects, or of SCOPES.

    Keeps what did not change. A project that cannot be read is reported and keeps its old index; the others go on.
    Until the end, questions are answered from the old index.

    Exit codes: 0 all was done, 1 something failed, or a named project is missing; the rest was done.
    """
    memory = settings.memory()
    with Progress() as progress:
        report = memory.index(scopes, force=force, progress=progress, wait=wait)
    if as_json:
        console.data_json(report.to_json())
    else:
        _show(report)
    _warn(report)
    return _exit_code(report, named=bool(scopes))


@click.command(cls=Command)
@click.argument("scopes", nargs=-1)
@click.option("--all", "rebuild", is_flag=True, help="Rebuild all graphs, also existing ones.")
@click.option(
    "--extractor",
    type=click.Choice(["built-in", "graphify"]),
    default="built-in",
    help="graphify: also run graphify, which writes graphify-out/graph.json into each project.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def graphs(settings: Settings, scopes: tuple[str, ...], rebuild: bool, extractor: str, as_json: bool) -> int:
    """Build missing graphs of symbols and calls, for all registered projects or for SCOPES.

    `loci index` does this too, except after `loci setup --no-graphs`. Both also read an index.scip or a
    graphify-out/graph.json in a project, and questions use these together with the built-in graph.
    """
    memory = settings.memory()
    with Progress() as progress:
        report = memory.graphs(scopes, rebuild=rebuild, progress=progress, extractor=extractor)
    if as_json:
        console.data_json(report.to_json())
    else:
        rows = [
            (
                console.safe_line(scope.id),
                counted(scope.graph["symbols"], "symbol"),
                counted(sum(scope.graph["edges"].values()), "relation"),
                counted(scope.graph["files"], "file"),
                size(scope.graph["bytes"]),
                ", ".join(f"and {other['source']}" for other in scope.graph.get("others", ()) if other["file"]),
            )
            for scope in report.scopes
            if scope.graph is not None
        ]
        console.data(table(rows))
    _warn(report)
    return _exit_code(report, named=bool(scopes)) or (0 if any(scope.graph for scope in report.scopes) else 1)


def _exit_code(report: IndexReport, *, named: bool) -> int:
    """Not 0 as well where nothing is left to answer from. A project that moved or whose disk is elsewhere is no failure
    of a run over all of them.
    """
    undone = ("failed", "gone", "unreachable") if named else ("failed",)
    if any(scope.outcome in undone for scope in report.scopes):
        return 1
    return 0 if any(scope.bytes for scope in report.scopes) else 1


def _show(report: IndexReport) -> None:
    built = report.with_outcome("built")
    rows = []
    for scope in built:
        passages = scope.counts.get("passages", {})
        rows.append(
            (
                console.safe_line(scope.id),
                counted(scope.counts.get("read", 0), "file"),
                counted(passages.get("commit", 0), "commit"),
                counted(sum(passages.values()), "passage"),
                size(scope.bytes),
            )
        )
    if rows:
        console.data(table(rows))
    parts = [f"{len(built)} built", f"{len(report.with_outcome('unchanged'))} unchanged"]
    for outcome in ("failed", "gone", "unreachable"):
        if report.with_outcome(outcome):
            parts.append(f"{len(report.with_outcome(outcome))} {outcome}")
    if report.removed:
        parts.append(f"{len(report.removed)} removed")
    skipped = _skipped(built)
    if skipped:
        console.data(f"skipped: {skipped}; `loci index --json` has more of each")
    console.data(f"{', '.join(parts)} in {report.seconds:.1f} s; the index has {size(report.bytes)}")


def _skipped(scopes: list[ScopeReport]) -> str:
    """What was not read, by reason, most first, each with a file that shows it."""
    totals: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for scope in scopes:
        ignored = scope.counts.get("ignored", 0)
        totals.update({**scope.counts.get("skipped", {}), **({"ignored by git": ignored} if ignored else {})})
        for reason, paths in scope.counts.get("skipped_examples", {}).items():
            if paths:
                example = paths[0] if len(scopes) == 1 else f"{scope.id}: {paths[0]}"
                shown.setdefault("ignored by git" if reason == "ignored" else reason, example)
    # A clone that merely stands inside is no submodule; both are projects of their own.
    said = {"submodule": "submodule or clone inside"}
    return ", ".join(
        f"{count:,} {console.safe_line(said.get(reason, reason))}"
        + (f" ({console.safe_line(shown[reason])})" if reason in shown else "")
        for reason, count in totals.most_common()
    )


def _warn(report: IndexReport) -> None:
    for text in report.notes:
        console.warning(text)
    for scope in report.scopes:
        for text in _remarks(scope):
            console.warning(f"{scope.id}: {text}")


def _remarks(scope: ScopeReport) -> list[str]:
    if scope.outcome in ("failed", "gone", "unreachable"):
        kept = "; the old index still answers" if scope.bytes else ""
        return [scope.message + kept]
    others = [] if scope.graph is None else scope.graph.get("others", [])
    broken = [problem for other in others if (problem := other.get("problem"))]
    if scope.outcome == "unchanged":
        return broken
    counts = scope.counts
    remarks = broken
    unreadable = counts.get("unreadable", [])
    if len(unreadable) == 1:
        path, reason = unreadable[0]
        remarks.append(f"1 file could not be read and is left out: {path} ({reason})")
    elif unreadable:
        path, reason = unreadable[0]
        remarks.append(f"{len(unreadable)} files could not be read and are left out, for example {path} ({reason})")
    for path, reason in counts.get("unreadable_dirs", []):
        remarks.append(f"{path} was not searched: {reason}")
    for pattern in (pattern for pattern, files in counts.get("notes", {}).items() if not files):
        remarks.append(f"no file is named by {pattern} (loci add ... --drop takes it away)")
    lossy = counts.get("lossy", [])
    if lossy:
        files = "1 file is" if len(lossy) == 1 else f"{len(lossy)} files are"
        remarks.append(f"{files} not clean text; read with replacements: {lossy[0]}")
    if counts.get("shallow"):
        remarks.append("it is a shallow clone: history before it is not indexed (git fetch --unshallow)")
    if not counts.get("passages", {}).get("commit"):
        if counts.get("read"):
            remarks.append("it has no commits yet; its files are indexed")
        else:
            remarks.append("it is empty: no commits and no files to read")
    return remarks


class Progress:
    """One line on the terminal that follows the build; nothing where stderr is no terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._lock = threading.Lock()
        self._done = self._total = 0
        self._running: dict[str, str] = {}
        self._drawn = 0.0
        self._started = time.monotonic()
        self._handles = False

    def __enter__(self) -> Progress:
        in_main_thread = threading.current_thread() is threading.main_thread()
        if in_main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._stop)
            self._handles = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._handles:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._handles = False
        self.clear()

    def _stop(self, _signal: int, _frame: object) -> None:
        # The threads of a build would go on to the end of the projects they are at. A build may be killed at any
        # point, so nothing is gained by waiting for them.
        sys.stderr.write("\r\x1b[K" if self._shown else "")
        console.note("stopped; questions are answered from the old index")
        os._exit(130)

    def clear(self) -> None:
        """Takes the line away, and forgets what it counted: what comes next is another step."""
        with self._lock:
            if self._shown and self._drawn:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
            self._done = self._total = 0
            self._running.clear()
            self._drawn = 0.0
            self._started = time.monotonic()

    def __call__(self, scope: str, stage: str, done: int, total: int) -> None:
        """Takes one report; called from the threads of the build."""
        if not self._shown:
            return
        with self._lock:
            if not scope:
                self._done, self._total = done, total
            elif total and done >= total:
                self._running.pop(scope, None)
            else:
                self._running[scope] = f"{stage} {done * 100 // total}%" if total else stage
            now = time.monotonic()
            if now - self._drawn < REDRAW_SECONDS:
                return
            self._drawn = now
            filled = BAR_WIDTH * self._done // max(self._total, 1)
            bar = "#" * filled + "-" * (BAR_WIDTH - filled)
            running = ", ".join(f"{name} {what}" for name, what in sorted(self._running.items()))
            line = f"[{bar}] {self._done}/{self._total}  {now - self._started:.0f} s  {console.safe_line(running)}"
            width = shutil.get_terminal_size().columns
            sys.stderr.write(f"\r\x1b[K{line[: max(width - 1, 20)]}")
            sys.stderr.flush()
