"""`loci calibrate`: fits the router to the person's own projects."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from ._command import memory_of
from ._console import Progress
from .calibration.calibrate import LEVEL, MAX_WRONG, calibrate, save
from .calibration.explain import explain_calibration
from .calibration.text import render_calibration, render_values
from .records import to_json

if TYPE_CHECKING:
    from loci.core import Memory

__all__ = ["command"]


@click.command("calibrate")
@click.option(
    "--max-wrong",
    type=click.FloatRange(0.0, 1.0, min_open=True, max_open=True),
    default=MAX_WRONG,
    show_default=True,
    help="The share of answers that may be wrong.",
)
@click.option(
    "--level",
    type=click.FloatRange(0.0, 1.0, min_open=True, max_open=True),
    default=LEVEL,
    show_default=True,
    help="The confidence with which that must hold.",
)
@click.option("--show", is_flag=True, help="Show every number of the router and where it comes from; fit nothing.")
@click.option("--dry-run", is_flag=True, help="Show the result; write nothing.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample of questions.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context, max_wrong: float, level: float, show: bool, dry_run: bool, seed: int, as_json: bool
) -> None:
    """Fit weights and the threshold to your projects, with questions made from them.

    Nobody labels anything: commit subjects and docstrings are asked with their own text left out of the index, and
    again with their whole project left out. The threshold is the loosest for which at most --max-wrong of the answers
    to such questions are wrong, at the confidence of --level. If the projects are too few or too similar for that, the
    report says so. Fitted values are used only if they help on projects they were not fitted on.

    Writes the result into calibration.json, which applies from the next question on. Other values in that file stay.
    """
    memory = memory_of(ctx)
    if show:
        _show(memory, as_json)
        return
    with Progress() as progress:
        shown = progress if progress.shown else None
        report = calibrate(memory, max_wrong=max_wrong, level=level, seed=seed, progress=shown)
    if not dry_run:
        save(memory, report)
    if as_json:
        json.dump(to_json(report), sys.stdout, ensure_ascii=False, indent=1)
        click.echo()
    else:
        click.echo(render_calibration(to_json(report)), nl=False)


def _show(memory: Memory, as_json: bool) -> None:
    from loci.router import Calibration

    calibration = Calibration.from_json(memory.calibration_values())
    rows = explain_calibration(calibration)
    if as_json:
        values = {name: {"value": float(value), "shipped": float(shipped)} for name, value, shipped, _ in rows}
        json.dump(
            {"values": values, "fitted_on": dict(calibration.fitted_on)}, sys.stdout, ensure_ascii=False, indent=1
        )
        click.echo()
    else:
        click.echo(render_values(rows, calibration.fitted_on), nl=False)
