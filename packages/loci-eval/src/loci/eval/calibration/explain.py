"""What every number of a calibration means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loci.router import Calibration

__all__ = ["explain_calibration"]


def explain_calibration(calibration: Calibration) -> list[tuple[str, str, str, str]]:
    """Every number of a calibration: (name, value, shipped value, what it does), for `loci calibrate --show`."""
    from loci.router import Calibration

    shipped = Calibration()
    rows = []
    for name, does in _MEANINGS.items():
        now, then = getattr(calibration, name), getattr(shipped, name)
        if isinstance(now, Mapping):
            for key in sorted({*now, *then}):
                default = 1.0 if name == "weights" else 0.0
                rows.append((f"{name}.{key}", _number(now.get(key, default)), _number(then.get(key, default)), does))
        else:
            rows.append((name, _number(now), _number(then), does))
    return rows


def _number(value: float) -> str:
    return f"{value:g}"


_MEANINGS = {
    "threshold": "confidence from which a question is answered",
    "deictic_threshold": "the same for one that points at a subject it never names",
    "leave_threshold": "the same for one to leave the working directory",
    "confidence_weights": "log-odds that an answer is right: bias + slope x ln(which x whether) + agreement",
    "whether_weights": "log-odds that a scope holds an answer: bias + raw evidence + the most telling absent word",
    "weights": "weight of a score in the sum; those not listed weigh 1",
    "temperature": "what the sum is multiplied with to be log-odds",
    "named": "log-odds for a project that is named",
    "cwd": "log-odds for the project of the working directory",
    "recency": "log-odds for the project with the newest commit",
    "demotion": "what is left of the evidence outside a soft group",
    "holds_threshold": "how much of what the best scope has another must have to stand beside it",
    "set_factor": "share of that for a scope in a set",
    "beside_factor": "share of that for a scope beside the best",
    "beside_alone": "or the probability that it holds an answer by itself",
    "keep_ratio": "share of the best score that scopes beside it reach",
    "max_single": "the most scopes of one answer",
    "max_set": "the most scopes of a set",
}
