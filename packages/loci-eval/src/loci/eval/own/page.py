"""An evaluation as one HTML file: no network, no library, nothing from a repository as markup.

The page holds its data as JSON in which `<`, `>` and `&` are escaped, and builds what it shows with `textContent` and
attributes: a project may be called anything. It has a light and a dark face and follows the system.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..errors import EvalError

__all__ = ["LONGEST", "MISSES_SHOWN", "ReportError", "report_page", "write_report"]

LONGEST = 300
"""Characters of any text that is shown."""

MISSES_SHOWN = 400
"""Misses that the page lists; it says how many there are."""

PLACE = "/*DATA*/"


class ReportError(EvalError, OSError):
    """The page cannot be written where it was asked for."""


def write_report(evaluation: Mapping[str, Any], path: str | Path) -> None:
    """Writes the page of an evaluation, as `to_json` gives it, to `path`, replacing it whole; raises ReportError."""
    path = Path(path)
    page = report_page(evaluation)
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(page)
            # mkstemp made it for this person alone, which a page to be passed on need not be.
            mask = os.umask(0)
            os.umask(mask)
            Path(temporary).chmod(0o666 & ~mask)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ReportError(f"cannot write the report {path}: {error.strerror or error}") from error


def report_page(evaluation: Mapping[str, Any]) -> str:
    """The whole page. A section of the evaluation that is missing or empty is left out of it."""
    data = dict(evaluation)
    misses = data.get("misses") or []
    data["misses"] = misses[:MISSES_SHOWN]
    data["all_misses"] = len(misses)
    data["made"] = time.strftime("%Y-%m-%d %H:%M")
    text = json.dumps(_plain(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # What ends a script element, begins a comment in it, or is a line end to JavaScript alone.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    text = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)
    page = (files("loci.eval.own") / "page.html").read_text(encoding="utf-8")
    before, after = page.split(PLACE)
    return before + text + after


def _plain(value: Any) -> Any:
    """JSON that every browser reads: no NaN, no text without end."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[: LONGEST - 1] + "…"
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key)[:LONGEST]: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value
