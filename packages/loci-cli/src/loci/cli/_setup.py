"""`loci setup` and `loci update`: the whole chain in one line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from loci.cli import _console as console
from loci.cli._index import Progress
from loci.cli._main import Command, Settings, home_option, refuse_without_directory
from loci.cli._render import counted, size

if TYPE_CHECKING:
    from collections.abc import Callable

    from loci.core import ChainReport, StepReport


@click.command(cls=Command)
@click.argument("directories", nargs=-1, type=click.Path())
@click.option("-y", "--yes", is_flag=True, help="Take every default; ask nothing.")
@click.option("--no-graphs", is_flag=True, help="Skip the graphs of symbols and calls.")
@click.option("--no-embed", is_flag=True, help="Skip vectors.")
@click.option("--no-calibrate", is_flag=True, help="Skip fitting weights and thresholds to these projects.")
@click.option("--split", is_flag=True, help="Register packages one level down as projects, now and in later scans.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; ask nothing.")
@home_option
@click.pass_obj
def setup(
    settings: Settings,
    directories: tuple[str, ...],
    yes: bool,
    no_graphs: bool,
    no_embed: bool,
    no_calibrate: bool,
    split: bool,
    as_json: bool,
) -> int:
    """Find the projects in DIRECTORIES, index them, and list what is left to do.

    Asks only what it cannot decide, and nothing without a terminal. Can be run again at any time; keeps what did not
    change.

    Exit codes: 0 all was done, 1 something failed or no project was found; the rest was done and answers.
    """
    from loci.core import STEPS, Chain, NotARepository, likely_directory

    memory = settings.memory()
    asks = not (yes or as_json) and sys.stdin.isatty() and sys.stderr.isatty()
    places = [Path(directory) for directory in directories]
    if not places:
        refuse_without_directory(".")
        guess = likely_directory(Path.cwd())
        text = click.prompt("Where are your projects?", default=str(guess), err=True) if asks else str(guess)
        places = [Path(text).expanduser()]
        if not asks:
            console.note(console.safe(f"no directory given; looking in {text}"))
    for place in places:
        # As a scan of it would say: a mistyped name is no failure of a setup, it is wrong usage.
        if not place.expanduser().is_dir():
            raise NotARepository(place, "is a file, not a directory" if place.exists() else "does not exist")
    others = True
    if asks:
        from loci.cli._projects import ask_to_register, show_scan

        preview = memory.scan(places, register=False, split=split)
        show_scan(preview)
        if preview.new:
            chosen = ask_to_register(preview)
            if chosen is None:
                console.note("nothing was registered")
                return 0
            others = chosen
    declined = {name for name, no in (("graphs", no_graphs), ("embed", no_embed), ("calibrate", no_calibrate)) if no}
    progress = Progress()
    chain = Chain(memory.home, tell=None if as_json else _telling(progress), progress=progress)
    _and_show(chain.scan(places, split=split, others=others), as_json)
    if not memory.scopes():
        return _nothing(chain.report(), places, as_json)
    with progress:
        indexed = chain.index(graphs=False if no_graphs else None)
    _and_show(indexed, as_json)
    for step in STEPS:
        if step.name in declined or not step.is_available(memory.home):
            continue
        if not step.was_chosen(memory.home) and step.asks(memory.home):
            if not asks:
                console.note(f"{step.name}: skipped, because it takes long; run loci {step.name}")
                continue
            if not click.confirm(f"Also {step.does}?", default=False, err=True):
                continue
        with progress:
            done = chain.step(step)
        _and_show(done, as_json)
    report: ChainReport = chain.report()
    findings = memory.doctor()
    if as_json:
        console.data_json({**report.to_json(), "findings": [finding.to_json() for finding in findings]})
    else:
        from loci.cli._doctor import show

        show(findings)
        _conclude(report)
        console.hint('loci ask "why ...?"')
    return 1 if report.failures else 0


@click.command(cls=Command)
@click.argument("directories", nargs=-1, type=click.Path())
@click.option("--no-scan", is_flag=True, help="Do not look for new projects.")
@click.option("--force", is_flag=True, help="Redo everything, also what did not change.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def update(settings: Settings, directories: tuple[str, ...], no_scan: bool, force: bool, as_json: bool) -> int:
    """Search the known directories again and refresh what was set up; ask nothing.

    With DIRECTORIES only the projects there. If a project fails, the others are still done and the failure is listed at
    the end.

    Exit codes: 0 all was done, 1 something failed.
    """
    memory = settings.memory()
    with Progress() as progress:
        report = memory.update(
            directories, scan=not no_scan, force=force, tell=None if as_json else _telling(progress), progress=progress
        )
    if as_json:
        console.data_json(report.to_json())
    else:
        for step in report.steps:
            _show(step)
        _conclude(report)
    return 1 if report.failures else 0


def _telling(progress: Progress) -> Callable[[str, str], None]:
    def tell(step: str, state: str) -> None:
        progress.clear()
        if state == "begin" and sys.stderr.isatty():
            console.note(console.style(f"{step} ...", dim=True))

    return tell


def _and_show(report: StepReport, as_json: bool) -> None:
    if not as_json:
        _show(report)


def _show(step: StepReport) -> None:
    line = f"{step.name}: {console.safe_line(step.summary)}"
    if step.seconds >= 0.05:
        line += f" in {step.seconds:.1f} s"
    if step.index is not None:
        line += f"; the index has {size(step.index.bytes)}"
    console.data(line)
    for note in step.notes:
        console.warning(note)


def _conclude(report: ChainReport) -> None:
    """What failed, last, so that it is read."""
    for step, scope, message in report.failures:
        console.warning(f"{step}: " + (f"{scope}: " if scope else "") + message)
    if report.failures:
        console.note(f"{counted(len(report.failures), 'failure')}; everything else was done in {report.seconds:.1f} s")


def _nothing(report: ChainReport, places: list[Path], as_json: bool) -> int:
    if as_json:
        console.data_json({**report.to_json(), "findings": []})
    else:
        # What kept a directory from being searched says more than that nothing was found in it.
        failed = [message for _, _, message in report.failures]
        for message in failed:
            console.error(message)
        if not failed:
            console.error(f"no git repository was found in {', '.join(str(place) for place in places)}")
        console.hint("loci setup <directory with your projects>")
    return 1


__all__ = ["setup", "update"]
