"""`loci embed`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loci.cli import _console as console
from loci.cli._index import Progress
from loci.cli._main import Command, Settings, home_option
from loci.cli._render import counted, size, table

if TYPE_CHECKING:
    from loci.core import EmbedReport


@click.command(cls=Command)
@click.argument("scopes", nargs=-1)
@click.option(
    "--model",
    type=click.Path(),
    help="Directory of a sentence-transformers model.  [default: the one used last, else the installed model package]",
)
@click.option("--all", "everything", is_flag=True, help="Embed source too; takes several times as long.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def embed(settings: Settings, scopes: tuple[str, ...], model: str | None, everything: bool, as_json: bool) -> int:
    """Make vectors of passages and symbols, for all indexed projects or for SCOPES.

    Optional: answers are then ordered by meaning as well as by words. Documents, commits and the functions and types of
    the source get vectors now, passages of source when a question finds them. Existing vectors are kept. The model is a
    local directory; nothing is downloaded. Each project counts as soon as it is done, so stopping the command loses at
    most one project.
    """
    memory = settings.memory()
    kinds = ("document", "source", "commit") if everything else None
    with Progress() as progress:
        report = memory.embed(scopes, model=model, kinds=kinds, progress=progress)
    if as_json:
        console.data_json(report.to_json())
    else:
        _show(report)
    for scope in report.scopes:
        if scope.message:
            console.warning(f"{scope.id}: {scope.message}")
    return 0 if any(not scope.message for scope in report.scopes) else 1


def _show(report: EmbedReport) -> None:
    done = [scope for scope in report.scopes if not scope.message]
    rows = [
        (
            console.safe_line(scope.id),
            f"{counted(scope.embedded, 'passage')} and {counted(scope.symbols, 'symbol')} embedded",
            f"{scope.kept + scope.symbols_kept:,} kept",
            f"{scope.lacking:,} left to questions",
            size(scope.bytes),
        )
        for scope in done
    ]
    if rows:
        console.data(table(rows))
    embedded = counted(sum(scope.embedded for scope in done), "passage")
    symbols = counted(sum(scope.symbols for scope in done), "symbol")
    console.data(f"{embedded} and {symbols} embedded with {console.safe_line(report.model)} in {report.seconds:.1f} s")
