"""`loci mcp`: the server, and below it what puts it into a client's configuration."""

from __future__ import annotations

import click


@click.group("mcp", invoke_without_command=True)
@click.option("--root", help="Directory of the project the client works in, where the client can say so at start.")
@click.option(
    "--protocol",
    type=click.Choice(["auto", "handshake"]),
    default="auto",
    show_default=True,
    envvar="LOCI_MCP_PROTOCOL",
    help="handshake: only the revisions that begin with `initialize`, for clients that send it after discovering.",
)
@click.pass_context
def mcp(ctx: click.Context, root: str | None, protocol: str) -> None:
    """Serves `ask`, `scopes` and `doctor` to an AI client over stdin and stdout.

    Clients start it by themselves: `loci mcp install` tells them how.
    """
    if ctx.invoked_subcommand is not None:
        return
    from loci.mcp._serve import serve

    home = getattr(ctx.obj, "home", None)
    serve(home, root=root, protocol="handshake" if protocol == "handshake" else "auto")
