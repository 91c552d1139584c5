"""`loci scan`, `loci add`, `loci forget` and `loci scopes`: which projects there are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from loci.cli import _console as console
from loci.cli._main import Command, Settings, home_option
from loci.cli._render import size, table

if TYPE_CHECKING:
    from loci.core import ScanReport


@click.command(cls=Command)
@click.argument("directories", nargs=-1, required=True, type=click.Path())
@click.option("-y", "--yes", is_flag=True, help="Register without asking.")
@click.option("--dry-run", is_flag=True, help="Only show what would be registered.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@home_option
@click.pass_obj
def scan(settings: Settings, directories: tuple[str, ...], yes: bool, dry_run: bool, as_json: bool) -> int:
    """Registers every git repository in and below the directories.

    Hidden directories, dependency folders, build outputs and caches are not searched. Submodules are projects of their
    own; linked worktrees belong to their repository. Without a terminal nothing is asked.
    """
    memory = settings.memory()
    ask_first = not (yes or dry_run or as_json) and sys.stdin.isatty() and sys.stderr.isatty()
    report = memory.scan(directories, register=not dry_run and not ask_first)
    if as_json:
        console.data_json(report.to_json())
    else:
        _show(report)
    if ask_first and report.new:
        count = len(report.new)
        question = "Register this project?" if count == 1 else f"Register these {count} projects?"
        if not click.confirm(question, default=True, err=True):
            return 0
        report = memory.scan(directories)
    for path, reason in report.discovery.unreadable:
        console.warning(f"{path} was not searched: {reason}")
    for path, reason in report.discovery.damaged:
        console.warning(f"{path} {reason}; it is left out")
    for path in report.forgotten:
        console.note(console.safe(f"{path}: left out, forgotten earlier (loci add {path} brings it back)"))
    if report.discovery.ignored:
        count = len(report.discovery.ignored)
        clones = "1 clone was" if count == 1 else f"{count} clones were"
        console.note(
            console.safe(f"{clones} left out because the repository around ignores them: {report.discovery.ignored[0]}")
            + (" ..." if count > 1 else "")
        )
    if not as_json:
        _conclude(report, dry_run)
    return 0


def _show(report: ScanReport) -> None:
    rows = []
    for identity, found in report.found:
        remarks = []
        if identity in report.known:
            remarks.append("known")
        if found.repository.bare:
            remarks.append("bare: history only")
        if found.worktrees:
            count = len(found.worktrees)
            remarks.append("1 further worktree" if count == 1 else f"{count} further worktrees")
        rows.append((console.safe_line(identity), console.safe_line(str(found.path)), ", ".join(remarks)))
    if rows:
        console.data(table(rows, ("SCOPE", "PATH", "")))


def _conclude(report: ScanReport, dry_run: bool) -> None:
    if not report.found and not report.forgotten:
        entered = report.discovery.directories
        where = "1 directory" if entered == 1 else f"{entered:,} directories"
        console.note(f"no git repository found in {where}")
        return
    new, known = len(report.new), len(report.found) - len(report.new)
    verb = "would be registered" if dry_run else "registered"
    console.note(f"{new} {verb}" + (f", {known} already known" if known else ""))
    if not dry_run and report.found:
        console.hint("loci index")


@click.command(cls=Command)
@click.argument("path", type=click.Path())
@click.option("--alias", "aliases", multiple=True, help="A further name the project goes by; can be repeated.")
@click.option("--unalias", "unaliases", multiple=True, help="Takes such a name away again; can be repeated.")
@click.option("--glob", "globs", multiple=True, help="Further files to read, such as '~/notes/acme/**/*.md'.")
@click.option("--include", multiple=True, help="A .gitignore line: what it names is read although it would be skipped.")
@click.option("--exclude", multiple=True, help="A .gitignore line: what it names is not read.")
@click.option("--drop", "patterns", multiple=True, help="Takes a pattern of the last three away again.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
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
    """Registers one repository, or adds names and patterns to a registered one.

    Quote the patterns, so that the shell does not expand them. What is both included and excluded is left out; files
    that exist to hold secrets are never read.
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
        console.note("already known" + ("; its names were updated" if aliases or unaliases else ""))
    if new or globs or include or exclude or patterns:
        console.hint("loci index")
    return 0


@click.command(cls=Command)
@click.argument("scope")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@home_option
@click.pass_obj
def forget(settings: Settings, scope: str, as_json: bool) -> int:
    """Removes one project and what is indexed of it. Its repository is not touched.

    A later scan leaves it out; `loci add` brings it back.
    """
    gone = settings.memory().forget(scope)
    if as_json:
        console.data_json({"forgotten": gone.to_json()})
    else:
        console.data(f"forgot {console.safe_line(gone.id)} ({console.safe_line(str(gone.path))})")
    return 0


@click.command(cls=Command)
@click.option("--group", help="Only projects of this group.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@home_option
@click.pass_obj
def scopes(settings: Settings, group: str | None, as_json: bool) -> int:
    """Lists the registered projects and what is indexed of each."""
    from loci.core import NothingRegistered

    memory = settings.memory()
    listed = memory.scopes(group=group)
    if not listed:
        raise NothingRegistered(memory.home.directory)
    if as_json:
        console.data_json({"scopes": [scope.to_json() for scope in listed]})
        return 0
    rows = []
    for scope in listed:
        state = {"indexed": "indexed", "not_indexed": "not indexed", "gone": "gone"}[scope.state]
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
                console.safe_line(_short(scope.path)),
            )
        )
    console.data(table(rows, ("SCOPE", "STATE", "COMMIT", "PASSAGES", "SIZE", "PATH")))
    return 0


def _short(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):
        return str(path)
