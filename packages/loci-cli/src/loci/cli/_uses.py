"""`loci uses`: which project uses another."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from loci.cli import _console as console
from loci.cli._main import Command, Settings, home_option
from loci.cli._render import counted, table, use_text

if TYPE_CHECKING:
    from loci.core import Use


@click.command(cls=Command)
@click.argument("scope", required=False)
@click.option("--refresh", is_flag=True, help="Read every project again, also what did not change.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def uses(settings: Settings, scope: str | None, refresh: bool, as_json: bool) -> int:
    """List which projects use another, with file and line; with SCOPE only what concerns it.

    Reads manifests, lock files, imports, dependencies by path or git address, submodules, workflows, images and the
    commands that scripts run. Reports what it could not read, because a missing mention proves nothing.
    """
    memory = settings.memory()
    found = memory.uses(refresh=refresh)
    listed = list(found.uses)
    if scope is not None:
        wanted = memory.resolve(scope).id
        listed = [use for use in listed if wanted in (use.user, use.used)]
    if as_json:
        console.data_json({**found.to_json(), "uses": [use.to_json() for use in listed], "gaps": found.gaps()})
        return 0
    if listed:
        console.data(table([_row(list(pair)) for _, pair in groupby(listed, key=lambda use: (use.user, use.used))]))
    else:
        console.note(
            "found no dependencies between projects" if scope is None else f"found no dependencies of or on {scope}"
        )
    for text in found.gaps():
        console.warning(text)
    return 0


def _row(mentions: list[Use]) -> tuple[str, ...]:
    best = mentions[0]
    further = f"and {counted(len(mentions) - 1, 'more kind')}" if len(mentions) > 1 else ""
    return (
        console.safe_line(best.user),
        "->",
        console.safe_line(best.used),
        use_text(best) + (f"  {further}" if further else ""),
    )


__all__ = ["uses"]
