"""An evaluation as text."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from .families import QUESTION_WORDS

__all__ = ["WIDTH", "Json", "percent", "render_evaluation"]

WIDTH = 100
MISSES_SHOWN = 40
SCOPES_SHOWN = 10

Json = Mapping[str, Any]

_GROUPS = {
    "answerable": "Questions with an answer (right project first)",
    "refused": "Questions to refuse",
    "place": "Asked from a directory",
    "names": "Names",
    "sets": "Sets (all of them selected; recall and precision of what is)",
}


def percent(value: float | None) -> str:
    # Half up, as the page rounds: the same figure must not read 62 here and 63 there.
    return "-" if value is None else str(math.floor(100 * value + 0.5))


def _interval(row: Json) -> str:
    low, high = row.get("by_scope") or (row.get("low"), row.get("high"))
    return f"{percent(low)}-{percent(high)}"


def render_evaluation(data: Json, *, misses: bool = False) -> str:
    """An evaluation, as `to_json` gives it, as text; with every miss when `misses`."""
    corpus = data["corpus"]
    lines = [
        f"{corpus['scopes']} projects, {corpus['documents'] + corpus['sources'] + corpus['commits']} passages, "
        f"{corpus['questions']} questions made of them in {data['seconds']:.1f} s",
        "",
    ]
    for group, title in _GROUPS.items():
        rows = [row for row in data["families"] if row["group"] == group]
        if rows:
            lines += _group(group, title, rows)
    lines += _estimate(data)
    lines += _scopes(data["scopes"])
    if data["retrieval"]:
        row = data["retrieval"][0]
        lines += [
            "Retrieval",
            f"  {row['title']}",
            "  "
            + "  ".join(f"{depth} {percent(row[depth]['share'])}" for depth in ("@1", "@3", "@10"))
            + f"  of {row['n']}",
            "",
        ]
    if misses:
        lines += [render_misses(data["misses"])]
    else:
        lines += [f"{len(data['misses'])} misses; --misses shows why each", ""]
    lines += [f"hint: {line}" for line in data["advice"]]
    return "\n".join(lines).rstrip() + "\n"


def _group(group: str, title: str, rows: Sequence[Json]) -> list[str]:
    baselines = sorted({name for row in rows for name in row["baselines"]})
    head = f"  {'':53} {'n':>4} {'%':>4} {'95 %':>7}"
    if group == "answerable":
        head += f" {'answered':>9} {'right then':>11}" + "".join(f" {name:>12}" for name in baselines)
    lines = [title, head]
    for row in rows:
        line = f"  {row['title']:53} {row['n']:4} {percent(row['share']):>4} {_interval(row):>7}"
        if group == "answerable":
            line += f" {percent(row['answered']['share']):>9} {percent(row['right_if_answered']['share']):>11}"
            line += "".join(f" {percent(row['baselines'].get(name, {}).get('share')):>12}" for name in baselines)
        if group == "sets":
            line += f"   recall {percent(row['recall'])}, precision {percent(row['precision'])}"
        lines.append(line)
        role = "" if row["role"] != "diagnostic" else "Diagnostic. "
        note = f"{role}Shows {row['shows']}; {row['shows_not']}."
        lines += textwrap.wrap(note, WIDTH, initial_indent="      ", subsequent_indent="      ")
    return [*lines, ""]


def _estimate(data: Json) -> list[str]:
    lines = []
    estimate = data["estimate"]
    if estimate is not None:
        lines += [
            f"Expected of real questions: {percent(estimate['top1'])} % go to the right project first "
            f"({percent(estimate['low'])}-{percent(estimate['high'])}, {estimate['n']} questions)",
            *textwrap.wrap(estimate["rule"] + ".", WIDTH, initial_indent="  ", subsequent_indent="  "),
        ]
    operating = data["operating"]
    possible = operating["answered_of_answerable"]
    if possible["n"]:
        wrong = "-" if operating["wrong_if_answered"] is None else f"{100 * operating['wrong_if_answered']:.1f}"
        refused = percent(operating["unanswerable_share"])
        lines += [
            f"At the threshold {operating['threshold']:g}",
            f"  answered {percent(possible['share'])} % of the questions that have an answer "
            f"({percent(possible['low'])}-{percent(possible['high'])}, {possible['n']} questions of "
            f"{QUESTION_WORDS} content words or more)",
            f"  wrong    {wrong} % of all answers, if {refused} % of all questions have none",
            *_calibrated(data["calibration"], operating["threshold"]),
        ]
    return [*lines, ""] if lines else []


def _calibrated(fitted: Json | None, threshold: float) -> list[str]:
    """The same two figures as the calibration measured them, where it chose this threshold."""
    if not fitted or fitted.get("threshold") != threshold or not {"answered", "wrong"} <= fitted.keys():
        return []
    answered, wrong = fitted["answered"], fitted["wrong"]
    return [
        f"  `loci calibrate` found {percent(answered['share'])} % and {100 * (wrong['share'] or 0):.1f} % with "
        f"{answered['n']} such questions, drawn anew"
    ]


def _scopes(scopes: Sequence[Json]) -> list[str]:
    worst = sorted(
        (scope for scope in scopes if scope["questions"]),
        key=lambda scope: (scope["right"] / scope["questions"], scope["id"]),
    )
    if not worst:
        return []
    lines = [
        "Projects whose own questions go right least often",
        f"  {'':30} {'right':>7} {'answered':>9} {'drawn':>6}",
    ]
    for scope in worst[:SCOPES_SHOWN]:
        lines.append(
            f"  {scope['name'][:30]:30} {scope['right']:>3}/{scope['questions']:<3} {scope['answered']:>9} "
            f"{scope['drawn_to_it']:>6}  {scope['advice']}".rstrip()
        )
    return [*lines, "  (drawn: questions of other projects that went there)", ""]


def render_misses(misses: Sequence[Json]) -> str:
    """Every miss by its reason."""
    lines = []
    for reason in dict.fromkeys(sorted(miss["reason"] for miss in misses)):
        rows = [miss for miss in misses if miss["reason"] == reason]
        lines.append(f"{reason}: {len(rows)}")
        for miss in rows[:MISSES_SHOWN]:
            right = ", ".join(miss["right"]) or "nowhere"
            went = miss["got"] if miss["answered"] else f"refused (best {miss['got']})"
            lines.append(f"  [{miss['family']}] {miss['question']}")
            lines.append(f"      right {right}; went {went} at {miss['confidence']:.2f}; {miss['detail']}")
        if len(rows) > MISSES_SHOWN:
            lines.append(f"  and {len(rows) - MISSES_SHOWN} more (--json has all)")
    return "\n".join([*lines, ""])
