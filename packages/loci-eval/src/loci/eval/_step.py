"""Calibration as a step of `loci setup` and `loci update`, found by the entry point group `loci.steps`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .calibration.calibrate import CHANGED, MAX_WRONG, calibrate, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from loci.core import Home, Memory, StepReport

__all__ = ["is_current", "run"]


def run(home: Home, force: bool, progress: Callable[[str, str, int, int], None] | None) -> StepReport:
    """Fits the router to all projects, where they changed enough since the last time or `force` asks for it.

    Every calibration spends some of its own promise (the best of several tries looks better than it is), so a few new
    commits are no reason for one.
    """
    from loci.core import Memory, StepReport

    memory = Memory(home)
    fitted = memory.calibration_values().get("fitted_on") or {}
    if fitted and not force and is_current(memory, fitted):
        return StepReport("calibrate", "up to date")
    advance = None if progress is None else lambda stage, done, total: progress("", f"calibrate: {stage}", done, total)
    report = calibrate(memory, max_wrong=float(fitted.get("max_wrong", MAX_WRONG)), progress=advance)
    save(memory, report)
    threshold = f"threshold {report.calibration.threshold:g}"
    if report.certified:
        return StepReport("calibrate", f"{threshold}, certified")
    if "threshold" not in report.values:
        # Few or small projects are no fault that a warning could mend.
        return StepReport("calibrate", f"{threshold}, as shipped: the projects are too small or too alike for another")
    return StepReport("calibrate", f"{threshold}, not certified", notes=(report.reason,))


def is_current(memory: Memory, fitted: dict[str, Any]) -> bool:
    """Whether the projects are those it was fitted on, and their passages as many within `CHANGED`."""
    index = memory.router_parts().index
    before = fitted.get("passages")
    if fitted.get("scopes") != index.scopes or not isinstance(before, int):
        return False
    now = sum(len(its) for scope in index.scopes for its in index.numbers(scope).values())
    return abs(now - before) <= CHANGED * max(before, 1)
