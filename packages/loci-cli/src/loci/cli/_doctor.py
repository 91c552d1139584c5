"""`loci doctor`: what needs doing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from loci.cli import _console as console
from loci.cli._main import Command, Settings, home_option
from loci.cli._render import counted

if TYPE_CHECKING:
    from loci.core import Finding

COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
SHOWN = 5  # Projects of one kind of finding; the rest is counted, and --json has each.


@click.command(cls=Command)
@click.option("--all", "everything", is_flag=True, help="Also show findings that need nothing done.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@home_option
@click.pass_obj
def doctor(settings: Settings, everything: bool, as_json: bool) -> int:
    """List what is missing, behind or damaged, with the command that repairs it. Writes nothing.

    Exit codes: 0 nothing needs doing, 1 something does.
    """
    findings = settings.memory().doctor()
    needed = [finding for finding in findings if finding.needs_doing]
    if as_json:
        console.data_json({"healthy": not needed, "findings": [finding.to_json() for finding in findings]})
    else:
        show(findings, everything=everything)
    return 1 if needed else 0


def show(findings: Sequence[Finding], *, everything: bool = False) -> None:
    """The findings as text: one line for each kind, the most pressing first, with its command."""
    needed = [finding for finding in findings if finding.needs_doing or everything]
    grouped: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in needed:
        # Of projects the same thing is said once for all of them; of the machine each thing is one.
        key = finding.kind if finding.scope is not None else finding.problem
        grouped[finding.severity, key].append(finding)
    order = list(COLOURS)
    for (severity, _), same in sorted(grouped.items(), key=lambda item: order.index(item[0][0])):
        _group(severity, same)
    notes = sum(not finding.needs_doing for finding in findings)
    if not any(finding.needs_doing for finding in findings):
        console.data("nothing needs doing")
    if notes and not everything:
        console.note(f"{counted(notes, 'further remark')}: loci doctor --all")


def _group(severity: str, same: Sequence[Finding]) -> None:
    mark = console.style(severity, fg=COLOURS[severity], bold=True)
    for finding in same[:SHOWN]:
        about = f"{console.style(console.safe_line(finding.scope), bold=True)}: " if finding.scope else ""
        console.data(f"{mark}  {about}{console.safe_line(finding.problem)}")
        for example in finding.examples:
            console.data(f"    {console.safe_line(example)}")
        if finding.fix:
            console.data(f"    {console.style(console.safe_line(finding.fix), fg='green')}")
    if len(same) > SHOWN:
        further = ", ".join(console.safe_line(finding.scope or "") for finding in same[SHOWN : SHOWN + 10])
        more = len(same) - SHOWN - 10
        console.data(f"{mark}  the same of {further}" + (f" and {more} more" if more > 0 else ""))


__all__ = ["doctor", "show"]
