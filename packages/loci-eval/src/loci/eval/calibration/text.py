"""A calibration as text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ..own.families import QUESTION_WORDS
from ..own.text import WIDTH, Json, percent

__all__ = ["render_calibration", "render_values"]


def render_calibration(data: Json) -> str:
    """A calibration, as `to_json` gives it, as text."""
    fitted = data["fitted_on"]
    lines = textwrap.wrap(("Certified: " if data["certified"] else "Not certified: ") + data["reason"] + ".", WIDTH)
    lines += [
        f"threshold   {data['threshold']:g}",
        f"answered    {percent(fitted['answered']['share'])} % of the questions that have an answer "
        f"({percent(fitted['answered']['low'])}-{percent(fitted['answered']['high'])}, {fitted['answered']['n']} "
        f"questions of {QUESTION_WORDS} content words or more)",
        f"wrong       {100 * (fitted['wrong']['share'] or 0):.1f} % of {fitted['wrong']['n']} answers hold no right "
        f"project; {100 * (fitted['wrong_first']['share'] or 0):.1f} % do not have it first",
        f"mix         {100 * fitted['unanswerable_share']:.0f} % of the questions are assumed to have no answer",
        f"weights     {fitted['weights']}",
        f"confidence  {fitted['confidence']}",
    ]
    held = fitted["held_out"]
    if held is not None:
        lines.append(
            f"held out    the threshold of one half ({held['threshold']:g}) answers "
            f"{percent(held['answered']['share'])} % of the other half's, "
            f"{100 * (held['wrong']['share'] or 0):.1f} % of the answers wrong"
        )
    best = fitted["best_uncertified"]
    if best is not None:
        lines.append(
            f"uncertified {best['threshold']:g} would answer {percent(best['answered']['share'])} %, "
            f"{100 * (best['wrong']['share'] or 0):.1f} % of the answers wrong"
        )
    return "\n".join(lines) + "\n"


def render_values(rows: Sequence[tuple[str, str, str, str]], fitted: Json | None) -> str:
    """What `loci calibrate --show` prints: every number, the shipped one beside it, and what it does."""
    lines = []
    if fitted:
        lines += textwrap.wrap(str(fitted.get("reason", "fitted by hand")), WIDTH)
        lines += [f"{name}: {fitted[name]}" for name in ("weights", "confidence") if name in fitted]
    else:
        lines.append("nothing was fitted: these are the shipped values; `loci calibrate` fits them to your projects")
    lines += ["", f"{'':34} {'value':>8} {'shipped':>8}"]
    for name, value, shipped, does in rows:
        lines.append(f"{name:34} {value:>8} {shipped if shipped != value else '':>8}  {does}")
    return "\n".join(lines) + "\n"
