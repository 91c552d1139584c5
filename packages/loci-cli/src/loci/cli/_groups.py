"""`loci groups` and `loci group`: labels on projects, and what they do to a question."""

from __future__ import annotations

import click

from loci.cli import _console as console
from loci.cli._main import Command, Settings, home_option
from loci.cli._render import table

MODES = ("explicit", "soft", "hard")


class Subcommands(click.Group):
    """Commands below a command, which return their exit codes as all of them do."""

    command_class = Command

    def invoke(self, ctx: click.Context) -> None:
        """Runs the command."""
        ctx.exit(super().invoke(ctx) or 0)


@click.group(cls=Subcommands, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_context
def groups(ctx: click.Context, as_json: bool) -> int:
    """List the groups with their modes and projects.

    For a question from inside a group, `soft` halves the weight of projects outside, `hard` answers from the group or
    not at all, and `explicit` does nothing. With --group every mode confines the question to the group.
    """
    if ctx.invoked_subcommand is not None:
        return 0
    memory = ctx.ensure_object(Settings).memory()
    default, found, notes = memory.groups()
    for text in notes:
        console.warning(text)
    if as_json:
        console.data_json({"default": default, "groups": [group.to_json() for group in found]})
        return 0
    rows = [
        (
            console.safe_line(group.name),
            group.mode if group.is_set else f"{group.mode} (default)",
            console.safe_line(", ".join(group.members)) or "-",
        )
        for group in found
    ]
    if rows:
        console.data(table(rows, ("GROUP", "MODE", "PROJECTS")))
    else:
        console.note("no project belongs to a group")
        console.hint("loci group add PROJECT GROUP, or loci groups infer")
    return 0


@groups.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def infer(settings: Settings, as_json: bool) -> int:
    """Read from git who writes each project: `me`, or `vendor:<organisation>` of its remote.

    A project is yours if a tenth of its newest commits are by the address of `git config user.email`. Groups that you
    set or removed by hand stay as they are.
    """
    found = settings.memory().infer_groups()
    if as_json:
        console.data_json({"groups": {identity: list(groups) for identity, groups in found.items()}})
        return 0
    rows = [
        (console.safe_line(identity), console.safe_line(", ".join(groups)) or "-") for identity, groups in found.items()
    ]
    if rows:
        console.data(table(rows, ("SCOPE", "GROUPS")))
    return 0


@click.group(cls=Subcommands)
@home_option
def group() -> int:
    """Change groups: set a mode, add or remove a project."""
    return 0


@group.command("set", cls=Command)
@click.argument("name", metavar="GROUP", required=False)
@click.option("--mode", type=click.Choice(MODES), required=True, help="What the group does to a question.")
@click.option(
    "--default", "is_default", is_flag=True, help="Set the mode of all groups that have none, instead of GROUP."
)
@home_option
@click.pass_obj
def set_mode(settings: Settings, name: str | None, mode: str, is_default: bool) -> int:
    """Set what a group does to a question. Changes nothing else in groups.json."""
    if (name is None) != is_default:
        raise click.UsageError("either a group or --default")
    settings.memory().set_group_mode(name, mode)
    console.data(f"{console.safe_line(name) if name else 'every group without a mode of its own'}: {mode}")
    return 0


@group.command("add", cls=Command)
@click.argument("scope")
@click.argument("name", metavar="GROUP")
@home_option
@click.pass_obj
def add_to_group(settings: Settings, scope: str, name: str) -> int:
    """Add a project to a group. No scan reverts this."""
    found, new = settings.memory().add_to_group(scope, name)
    console.data(f"{console.safe_line(found.id)}: {console.safe_line(', '.join(found.groups))}")
    if not new:
        console.note("it is already in the group")
    return 0


@group.command("rm", cls=Command)
@click.argument("scope")
@click.argument("name", metavar="GROUP")
@home_option
@click.pass_obj
def remove_from_group(settings: Settings, scope: str, name: str) -> int:
    """Remove a project from a group. No scan reverts this."""
    found = settings.memory().remove_from_group(scope, name)
    console.data(f"{console.safe_line(found.id)}: {console.safe_line(', '.join(found.groups)) or '-'}")
    return 0
