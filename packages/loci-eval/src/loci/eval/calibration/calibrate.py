"""Fits the router to a corpus, on questions of the corpus itself, and promises no more than they carry.

Three things are fitted, and each has to earn its place:

1. The weights of the scores. Every family has a quirk: who fits to subjects learns that commits matter much and
   documents nothing, who fits to headings the opposite. Weights fitted to one family raise its own figure and lower
   that of real questions. So weights count only where they help a family that they were NOT fitted on, in projects that
   they were not fitted on.
2. The two signals of confidence. Fitted on one half of the projects, taken where they answer more of the other half at
   the same share of wrong answers.
3. The threshold, by Learn-then-Test. Where weights or signals were fitted, on the other half alone: a scorer must be
   fixed before the questions that certify it are looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..own.ask import asked_about_itself
from ..own.corpus import Asked, Corpus
from ..own.evaluate import corpus_of
from ..own.families import Sizes, sizes_for
from ..records import to_json
from .certificate import CalibrationReport, report_of
from .fitting import Fit

if TYPE_CHECKING:
    from loci.core import Memory
    from loci.router import RoutingIndex, Scope

__all__ = ["CHANGED", "LEVEL", "MAX_WRONG", "calibrate", "calibrate_index", "save"]

MAX_WRONG = 0.05
"""The share of wrong answers among all answers that is promised."""

LEVEL = 0.9
"""The confidence of that promise."""

SIZES = Sizes(
    subjects=18, docstrings=14, headings=6, removed=6, deictic=48, placed=0, named=0, nonsense=0, shared=0, users=0
)
"""More of each than a report needs: thresholds take hundreds of questions."""

FOR_SCOPES, MOST_TIMES = 30, 3.0
"""These sizes are for so many scopes. Fewer give more each, up to this factor: the bound on the share of wrong answers
gets tighter with the number of questions, whoever they are of."""

FITTED_KEYS = ("weights", "whether_weights", "confidence_weights", "threshold", "deictic_threshold", "leave_threshold")
"""What a calibration may change; everything else in the file is the person's."""

CHANGED = 0.1
"""An update calibrates again when the number of passages changed by more than this, or projects came or went."""

Progress = Callable[[str, int, int], None]


def calibrate(
    memory: Memory,
    *,
    max_wrong: float = MAX_WRONG,
    level: float = LEVEL,
    seed: int = 0,
    sizes: Sizes | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> CalibrationReport:
    """Fits the router of a home; nothing is written, see `save`.

    Args:
        memory: The home; it must be indexed.
        max_wrong: The share of wrong answers among all answers that is promised, above 0 and below 1.
        level: The confidence of the promise, above 0 and below 1.
        seed: Which texts are drawn, and which projects are in which half.
        sizes: How many questions of each family.
        only: Make questions of these scopes alone; all still compete.
        progress: Called as progress(stage, done, total).

    Raises ValueError for a share outside its range, and what `Memory.router_parts` raises.

    """
    corpus, _ = corpus_of(memory)
    return _calibrate(corpus, _kept(memory), max_wrong, level, seed, sizes, only, progress)


def calibrate_index(
    index: RoutingIndex,
    scopes: Mapping[str, Scope] | None = None,
    *,
    max_wrong: float = MAX_WRONG,
    level: float = LEVEL,
    seed: int = 0,
    sizes: Sizes | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> CalibrationReport:
    """The same over any routing index, without the rest of loci."""
    return _calibrate(Corpus.of_index(index, scopes), {}, max_wrong, level, seed, sizes, only, progress)


def save(memory: Memory, report: CalibrationReport) -> None:
    """Writes `calibration.json`. What the file holds beside fitted values stays.

    Raises `HomeNotWritable`, `DamagedFile`.
    """
    memory.home.write_json(
        memory.home.calibration, {**_kept(memory), **to_json(report.values), "fitted_on": to_json(report.fitted_on)}
    )


def _kept(memory: Memory) -> dict[str, Any]:
    """What a person wrote into `calibration.json` that a calibration does not fit."""
    return {key: value for key, value in memory.calibration_values().items() if key not in (*FITTED_KEYS, "fitted_on")}


def _calibrate(
    corpus: Corpus,
    kept: Mapping[str, Any],
    max_wrong: float,
    level: float,
    seed: int,
    sizes: Sizes | None,
    only: Iterable[str] | None,
    progress: Progress | None,
) -> CalibrationReport:
    from loci.router import Calibration

    for name, value in (("max_wrong", max_wrong), ("level", level)):
        if not 0.0 < value < 1.0:
            raise ValueError(f"{name} must be above 0 and below 1, not {value}")
    started = time.perf_counter()
    defaults = Calibration.from_json({**kept, "threshold": 0.0})
    wanted = None if only is None else frozenset(only)
    asked_about = len(wanted or corpus.index.scopes)
    chosen = sizes or sizes_for(asked_about, _enough(asked_about))
    corpus.router = corpus.with_calibration(defaults)
    asked: list[Asked] = []
    expected = asked_about * (chosen.subjects + chosen.docstrings + chosen.headings + chosen.removed)
    for each in asked_about_itself(corpus, chosen, seed, only=wanted, sentences=True):
        asked.append(each)
        if progress is not None:
            progress("questions", len(asked), max(expected, len(asked)))
    fit = Fit(corpus, defaults, asked, max_wrong, seed)
    fit.weights()
    fit.signals()
    if progress is not None:
        progress("fitting", 1, 1)
    return report_of(fit, kept, max_wrong, level, seed, started)


def _enough(scopes: int) -> Sizes:
    """`SIZES`, and more of each scope where there are few."""
    times = max(1.0, min(MOST_TIMES, FOR_SCOPES / max(1, scopes)))
    return replace(
        SIZES,
        subjects=round(SIZES.subjects * times),
        docstrings=round(SIZES.docstrings * times),
        headings=round(SIZES.headings * times),
        removed=round(SIZES.removed * times),
    )
