"""`loci scan`, `loci add`, `loci forget` and `loci scopes`: which projects there are."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from loci.cli import _console as console
from loci.cli._main import Command, Settings, home_option
from loci.cli._render import counted, size, table

if TYPE_CHECKING:
    from loci.core import ScanReport, ScopeStatus

ADVICE = {
    "moved": "`loci scan` the directory where a moved project is now; it keeps its names, groups and index",
    "gone": "`loci forget` removes a project whose repository was deleted, with its index",
    "unreachable": "the disk of an unreachable project may not be mounted; its index still answers",
}


@click.command(cls=Command)
@click.argument("directories", nargs=-1, required=True, type=click.Path())
@click.option("-y", "--yes", is_flag=True, help="Register without asking.")
@click.option("--dry-run", is_flag=True, help="Only show what would be registered.")
@click.option("--no-others", is_flag=True, help="Leave out new projects that other people write.")
@click.option("--split", is_flag=True, help="Register packages one level down as projects, now and in later scans.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def scan(
    settings: Settings,
    directories: tuple[str, ...],
    yes: bool,
    dry_run: bool,
    no_others: bool,
    split: bool,
    as_json: bool,
) -> int:
    """Register every git repository in and below the directories.

    Does not search hidden directories, dependency folders, build outputs, caches and what a repository ignores.
    Submodules are projects; linked worktrees belong to their repository; a moved repository keeps its id, names and
    groups. Without a terminal it asks nothing and registers everything it finds.
    """
    memory = settings.memory()
    ask_first = not (yes or dry_run or as_json) and sys.stdin.isatty() and sys.stderr.isatty()
    report = memory.scan(directories, register=not dry_run and not ask_first, split=split, others=not no_others)
    if as_json:
        console.data_json(report.to_json())
    else:
        show_scan(report)
    if ask_first and report.new:
        answer = ask_to_register(report)
        if answer is None:
            return 0
        report = memory.scan(directories, split=split, others=answer and not no_others)
    for path, reason in report.discovery.unreadable:
        console.warning(f"{path} was not searched: {reason}")
    for path, reason in report.discovery.damaged:
        console.warning(f"{path} {reason}; it is left out")
    for problem in report.problems:
        console.warning(problem)
    for path in report.forgotten:
        console.note(console.safe(f"{path}: left out, forgotten earlier (loci add {path} brings it back)"))
    for identity, old, new in report.moved:
        console.note(console.safe(f"{identity} moved from {old} to {new}; it keeps its names, groups and index"))
    for identity in report.dropped:
        console.note(console.safe(f"{identity} is no longer a package of its own"))
    for paths, why in (
        (report.discovery.ignored, "because the repository around ignores"),
        (report.declined, "because others write"),
    ):
        if paths:
            count = len(paths)
            clones = f"1 clone was left out {why} it" if count == 1 else f"{count} clones were left out {why} them"
            console.note(console.safe(f"{clones}: {paths[0]}") + (" ..." if count > 1 else ""))
    if not as_json:
        _conclude(report, dry_run)
    return 0


def ask_to_register(report: ScanReport) -> bool | None:
    """Whether to register what was found: None for no, False for one's own only."""
    others = len(report.others)
    own = len(report.new) - others
    if own:
        question = "Register this project?" if own == 1 else f"Register these {own} projects?"
        if not others:
            return True if click.confirm(question, default=True, err=True) else None
        yours = "your project" if own == 1 else f"your {own} projects"
        if not click.confirm(f"Register {yours}?", default=True, err=True):
            return None
    theirs = "1 project" if others == 1 else f"{others} projects"
    also = "also " if own else ""
    if click.confirm(f"Register {also}{theirs} that others write?", default=True, err=True):
        return True
    return False if own else None


def show_scan(report: ScanReport) -> None:
    rows = []
    packages = dict(report.packages)
    for identity, found in report.found:
        remarks = list(report.groups_of(identity))
        if identity in report.known:
            remarks.append("known")
        if found.repository.bare:
            remarks.append("bare: history only")
        if found.worktrees:
            count = len(found.worktrees)
            remarks.append("1 further worktree" if count == 1 else f"{count} further worktrees")
        rows.append((identity, str(found.path), ", ".join(remarks)))
        for package in [key for key, path in packages.items() if found.path in path.parents]:
            rows.append(
                (package, str(packages.pop(package)), "package" + (", known" if package in report.known else ""))
            )
    if rows:
        safe = [tuple(console.safe_line(cell) for cell in row) for row in rows]
        console.data(table(safe, ("SCOPE", "PATH", "")))
    expected = report.estimate
    if expected.files:
        console.note(
            f"to index: {counted(expected.files, 'file')}, {size(expected.bytes)}, about "
            f"{counted(expected.commits, 'commit')}; about {max(1, round(expected.seconds))} s and "
            f"{size(expected.index_bytes)} on disk"
        )


def _conclude(report: ScanReport, dry_run: bool) -> None:
    if not report.found and not report.forgotten:
        entered = report.discovery.directories
        where = "1 directory" if entered == 1 else f"{entered:,} directories"
        console.note(f"no git repository found in {where}")
        return
    new, known = len(report.new), len(report.found) + len(report.packages) - len(report.new)
    verb = "would be registered" if dry_run else "registered"
    console.note(f"{new} {verb}" + (f", {known} already registered" if known else ""))
    if not dry_run and report.found:
        console.hint("loci index")


@click.command(cls=Command)
@click.argument("path", type=click.Path())
@click.option("--alias", "aliases", multiple=True, help="Another name for the project; can be repeated.")
@click.option("--unalias", "unaliases", multiple=True, help="Remove such a name; can be repeated.")
@click.option("--glob", "globs", multiple=True, help="More files to read, such as '~/notes/acme/**/*.md'.")
@click.option("--include", multiple=True, help="A .gitignore line: read what it matches although it would be skipped.")
@click.option("--exclude", multiple=True, help="A .gitignore line: do not read what it matches.")
@click.option("--drop", "patterns", multiple=True, help="Remove a pattern of --glob, --include or --exclude.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def add(
    settings: Settings,
    path: str,
    aliases: tuple[str, ...],
    unaliases: tuple[str, ...],
    globs: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    patterns: tuple[str, ...],
    as_json: bool,
) -> int:
    """Register one repository, or add names and patterns to a registered one.

    Quote the patterns, so that the shell does not expand them. --exclude wins over --include. Files that exist to hold
    secrets are never read.
    """
    scope, new = settings.memory().add(
        path,
        aliases=aliases,
        remove_aliases=unaliases,
        globs=globs,
        include=include,
        exclude=exclude,
        remove_patterns=patterns,
    )
    if as_json:
        console.data_json({"new": new, "scope": scope.to_json()})
        return 0
    console.data(f"{console.safe_line(scope.id)}  {console.safe_line(str(scope.path))}")
    if not new:
        console.note("already registered" + ("; its names were updated" if aliases or unaliases else ""))
    if new or globs or include or exclude or patterns:
        console.hint("loci index")
    return 0


@click.command(cls=Command)
@click.argument("scope")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def forget(settings: Settings, scope: str, as_json: bool) -> int:
    """Remove one project and its index. Its repository is not touched.

    A later scan leaves it out; `loci add` brings it back.
    """
    from loci.core import DamagedStore

    memory = settings.memory()
    gone = memory.forget(scope)
    if as_json:
        console.data_json({"forgotten": gone.to_json()})
    else:
        console.data(f"forgot {console.safe_line(gone.id)} ({console.safe_line(str(gone.path))})")
    with contextlib.suppress(DamagedStore):  # it is forgotten all the same; `loci doctor` says what is damaged
        if gone.id in memory.forgotten_kept():
            console.warning(
                f"a build is running, so the index of {gone.id} stays on the disk until it ends, or until the next "
                "`loci index`; no question is answered from it"
            )
    return 0


@click.command(cls=Command)
@click.option("--group", help="Only projects of this group.")
@click.option("--tree", is_flag=True, help="Show projects as a tree of directories, with their groups.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def scopes(settings: Settings, group: str | None, tree: bool, as_json: bool) -> int:
    """List the registered projects and their indexes."""
    from loci.core import NothingRegistered

    memory = settings.memory()
    listed = memory.scopes(group=group)
    if not listed:
        raise NothingRegistered(memory.home.directory)
    if as_json:
        console.data_json({"scopes": [scope.to_json() for scope in listed]})
        return 0
    if tree:
        console.data("\n".join(_tree(listed)))
        return 0
    rows = []
    for scope in listed:
        state = scope.state.replace("_", " ")
        if scope.state == "indexed" and scope.commit != scope.head:
            state = "changed"
        passages = sum(scope.counts.get("passages", {}).values())
        rows.append(
            (
                console.safe_line(scope.id),
                state,
                (scope.commit or "-")[:10],
                f"{passages:,}" if passages else "-",
                size(scope.bytes) if scope.bytes else "-",
                console.safe_line(_short(scope.path) + _aside(scope)),
            )
        )
    console.data(table(rows, ("SCOPE", "STATE", "COMMIT", "PASSAGES", "SIZE", "PATH")))
    for state, advice in ADVICE.items():
        if any(scope.state == state for scope in listed):
            console.hint(advice)
    return 0


def _tree(listed: Sequence[ScopeStatus]) -> list[str]:
    """One line a project, under the directory it stands in or the project it stands inside of."""
    by_path = {scope.path: scope for scope in listed}
    below: dict[Path, list[ScopeStatus]] = {}
    for scope in listed:
        around = next((parent for parent in scope.path.parents if parent in by_path), scope.path.parent)
        below.setdefault(around, []).append(scope)
    lines: list[str] = []

    def show(around: Path, depth: int) -> None:
        its = sorted(below.get(around, []), key=lambda scope: scope.path)
        for number, scope in enumerate(its):
            last = number == len(its) - 1
            branch = "   " * (depth - 1) + ("└─ " if last else "├─ ")
            remarks = [scope.state.replace("_", " ")] if scope.state != "indexed" else []
            remarks += scope.groups
            inside = scope.path.relative_to(around).as_posix() if scope.path.is_relative_to(around) else ""
            where = f"  ({inside})" if inside not in ("", scope.id) else ""
            name = console.style(console.safe_line(scope.id), bold=True)
            said = f"  {console.safe_line(', '.join(remarks))}" if remarks else ""
            lines.append(f"{branch}{name}{console.safe_line(where)}{said}")
            show(scope.path, depth + 1)

    for directory in sorted(around for around in below if around not in by_path):
        lines.append(console.safe_line(_short(directory)))
        show(directory, 1)
    return lines


def _aside(scope: ScopeStatus) -> str:
    """What else there is to say of where a project is."""
    if scope.moved_to is not None:
        return f" -> {_short(scope.moved_to)}"
    if not scope.worktrees:
        return ""
    shown = ", ".join(_short(path) for path in scope.worktrees[:2])
    return f" (worktrees: {shown}" + (f" and {len(scope.worktrees) - 2} more)" if len(scope.worktrees) > 2 else ")")


def _short(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):
        return str(path)
