"""`loci mcp` and `loci skill`: the server, and what puts it and its skill into a client's hands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Any

import click

CLIENT_NAMES = ("claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode", "windsurf", "zed")


class _Refused(click.ClickException):
    """Something that stands in the way, in the words of the error that was raised."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def show(self, file: IO[Any] | None = None) -> None:
        """Writes the message as `loci` writes its own."""
        click.echo(f"error: {self.message}", file=file, err=file is None)
        if self.hint:
            click.echo(f"hint: {self.hint}", file=file, err=file is None)


def _note(text: str) -> None:
    click.echo(text, err=True)


@click.group("mcp", invoke_without_command=True)
@click.option("--root", help="Directory of the project that the client works in, if it is known at start.")
@click.option(
    "--protocol",
    type=click.Choice(["auto", "handshake"]),
    default="auto",
    show_default=True,
    envvar="LOCI_MCP_PROTOCOL",
    help="handshake: only protocol revisions that begin with `initialize`, for clients that send it after discovery.",
)
@click.pass_context
def mcp(ctx: click.Context, root: str | None, protocol: str) -> None:
    """Serve `ask`, `scopes` and `doctor` to an AI client over stdin and stdout.

    Clients start the server by themselves; `loci mcp install` configures them. The server ends when stdin ends, also
    with calls in flight, so a script keeps stdin open until the replies have arrived.
    """
    if ctx.invoked_subcommand is not None:
        return
    if sys.stdin.isatty():
        _note(
            "serving on a terminal, where nobody speaks JSON-RPC; "
            "clients start the server: `loci mcp install` configures them"
        )
    from loci.mcp._serve import serve

    serve(getattr(ctx.obj, "home", None), root=root, protocol="handshake" if protocol == "handshake" else "auto")


@mcp.command("install")
@click.option("--client", "name", required=True, type=click.Choice(CLIENT_NAMES), help="The client to configure.")
@click.option("--print", "only_print", is_flag=True, help="Print the entry; write nothing.")
@click.option("--undo", "take_back", is_flag=True, help="Remove the entry.")
@click.option(
    "--file",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The configuration file.  [default: the client's own]",
)
@click.option(
    "-y",
    "--yes",
    is_flag=True,
    help="Write without asking. Needed where there is no terminal.",
)
@click.pass_context
def install(ctx: click.Context, name: str, only_print: bool, take_back: bool, path: Path | None, yes: bool) -> int:
    """Add the server to a client's configuration; show the change as a diff and keep a backup.

    Asks before it writes. Comments, order and every other byte stay. `--undo` restores the file.
    """
    from loci.mcp import _clients

    client = _clients.CLIENTS[name]
    home = getattr(ctx.find_root().obj, "home", None)
    arguments = ["--home", str(Path(home).absolute()), "mcp"] if home else ["mcp"]
    try:
        if only_print:
            click.echo(client.snippet(_clients.own_command(), arguments), nl=False)
            _note(f"for {client.title}: {path or client.file()}")
            return 0
        if take_back:
            edit = _clients.undo(client, path)
        else:
            edit = _clients.install(client, _clients.own_command(), arguments, path)
        if not edit.changes:
            _note(f"{edit.path} {'has no entry for loci' if take_back else 'already has this entry'}; nothing to do")
            return 0
        click.echo(edit.diff(), nl=False)
        if not yes and not (sys.stdin.isatty() and sys.stderr.isatty()):
            # The file is another program's: an agent that tries the command out must not have changed it.
            raise _Refused(
                f"{edit.path} was not written: there is no terminal to ask on", "-y writes the change shown above"
            )
        if not yes and not click.confirm(f"write {edit.path}?", default=True, err=True):
            _note("nothing was written")
            return 0
        _clients.apply(edit, keep_backup=not take_back)
    except _clients.ClientFileError as error:
        raise _Refused(str(error)) from error
    if take_back:
        _note(f"{edit.path} was restored" if edit.after is not None else f"{edit.path} was removed")
    else:
        _note(f"{edit.path} written" + ("" if edit.before is None else "; a backup is beside it"))
        _note(f"restart {client.title}; `loci mcp install --client {name} --undo` undoes it")
    return 0


@click.group("skill")
def skill() -> None:
    """Manage the /loci skill for AI clients: what to ask, and what an abstention means."""


@skill.command("install")
@click.option(
    "--dir",
    "directories",
    multiple=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of skills; can be repeated.  [default: ~/.claude/skills and ~/.agents/skills]",
)
@click.option("--print", "only_print", is_flag=True, help="Print the skill; write nothing.")
def skill_install(directories: tuple[Path, ...], only_print: bool) -> int:
    """Write the skill into the folders in which clients look for skills.

    A changed skill of that name is overwritten only if it came from loci.
    """
    from loci.mcp import _skill

    if only_print:
        click.echo(_skill.text(), nl=False)
        return 0
    failed = False
    for folder in directories or _skill.default_folders():
        try:
            written, path = _skill.install(folder)
        except _skill.SkillError as error:
            click.echo(f"error: {error}", err=True)
            failed = True
            continue
        click.echo(f"{path} {'written' if written else 'is up to date'}")
    return 2 if failed else 0
