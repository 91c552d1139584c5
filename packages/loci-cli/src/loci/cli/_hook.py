"""`loci hook`: git hooks that keep the index up to date."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from loci.cli import _console as console
from loci.cli._groups import Subcommands
from loci.cli._main import Command, Settings, home_option


@click.group(cls=Subcommands)
@home_option
def hook() -> int:
    """Manage git hooks that update the index after a commit, merge, checkout or rebase.

    They are optional: a question notices every change by itself. With hooks the first question after a change does not
    wait.
    """
    return 0


def _plan(settings: Settings, path: str, everywhere: bool, dry_run: bool, yes: bool, *, uninstall: bool) -> int:
    plan = settings.memory().plan_hooks(None if everywhere else Path(path), uninstall=uninstall)
    for step in plan.steps:
        console.data(console.safe(str(step)))
    for kept in plan.kept:
        console.note(console.safe(f"{kept} stays as it is"))
    if not plan.steps:
        console.note("nothing to do")
        return 0
    if plan.script:
        console.note("\n" + console.safe(plan.script))
    if dry_run:
        return 0
    ask = not yes and sys.stdin.isatty() and sys.stderr.isatty()
    # Without a terminal it is the shown plan that was asked for: whoever runs this by name wants it.
    if ask and not click.confirm("Do this?", default=True, err=True):
        return 0
    plan.apply()
    console.note("done" + ("" if uninstall else "; `loci hook uninstall` with the same options reverts it"))
    return 0


@hook.command(cls=Command)
@click.argument("path", default=".", type=click.Path())
@click.option(
    "--global", "everywhere", is_flag=True, help="Install for all repositories, through git's core.hooksPath."
)
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
@home_option
@click.pass_obj
def install(settings: Settings, path: str, everywhere: bool, dry_run: bool, yes: bool) -> int:
    """Install the hooks in the repository at PATH, or for all repositories. Existing hooks stay and run first."""
    return _plan(settings, path, everywhere, dry_run, yes, uninstall=False)


@hook.command(cls=Command)
@click.argument("path", default=".", type=click.Path())
@click.option("--global", "everywhere", is_flag=True, help="Remove the hooks for all repositories.")
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
@home_option
@click.pass_obj
def uninstall(settings: Settings, path: str, everywhere: bool, dry_run: bool, yes: bool) -> int:
    """Remove the hooks and restore what was there before."""
    return _plan(settings, path, everywhere, dry_run, yes, uninstall=True)
