"""What a calibration found, and what it can promise."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..own.corpus import Asked
from ..own.families import FAMILIES
from ..own.mix import UNANSWERABLE_SHARE
from ..statistics.shares import Share
from .fitting import Fit
from .mixed import GRID, mixed, would_answer

if TYPE_CHECKING:
    from loci.router import Calibration

__all__ = ["CalibrationReport", "report_of"]


@dataclass(frozen=True)
class CalibrationReport:
    """What a calibration found. `calibration` is what the router should use from now on.

    `certified`: the promise holds; otherwise `reason` says why not and what the best uncertified figure is. `values`:
    of `calibration.json`, the keys that differ from the shipped ones.
    """

    calibration: Calibration
    values: Mapping[str, Any]
    certified: bool
    reason: str
    seconds: float
    fitted_on: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As `loci calibrate --json` prints it: the values, and `fitted_on` as it stands in `calibration.json`."""
        return {
            "certified": self.certified,
            "reason": self.reason,
            "threshold": self.calibration.threshold,
            "values": dict(self.values),
            "fitted_on": dict(self.fitted_on),
            "seconds": round(self.seconds, 2),
        }


# -- the report -------------------------------------------------------------------------------------------------------


def report_of(
    fit: Fit, kept: Mapping[str, Any], max_wrong: float, level: float, seed: int, started: float
) -> CalibrationReport:
    from loci.router import Calibration

    from ..statistics.significance import least_answered
    from .threshold import learn_then_test

    shipped = Calibration.from_json(kept)
    # Whatever was fitted on the first half is certified on the second; the shipped scorer was fixed long before.
    certifying = fit.asked if not fit.fitted else [each for each in fit.asked if not fit.in_first(each)]
    mix = mixed(certifying)
    decided = would_answer(mix)
    certified, best = learn_then_test(
        [each.route.confidence for each in decided], [each.wrong_answer for each in decided], GRID, max_wrong, level
    )
    least = least_answered(max_wrong, level)
    chosen = certified
    if certified is not None:
        reason = (
            f"of {certified.answered} own questions answered at {certified.threshold:.3g}, {certified.wrong} were "
            f"wrong: with {level:.0%} confidence at most {max_wrong:.1%} of such answers are"
        )
    elif len(decided) < least:
        reason = (
            f"the corpus is too small to certify {max_wrong:.1%}: it gives {len(decided)} questions that would be "
            f"answered, and {least} without an error are needed; the shipped threshold stays"
        )
    elif best is not None and best.answered >= least:
        chosen = best
        reason = (
            f"{max_wrong:.1%} cannot be certified at {level:.0%} confidence: the projects are too alike for their "
            f"number. Without a certificate: of {best.answered} own questions answered at {best.threshold:.3g}, "
            f"{best.wrong / best.answered:.1%} were wrong; that threshold is used"
        )
    else:
        reason = (
            f"{max_wrong:.1%} cannot be certified: the projects are too alike, and no threshold has so few wrong "
            "answers; the shipped one stays"
        )
    threshold = chosen.threshold if chosen is not None else shipped.threshold
    values: dict[str, Any] = {}
    if "weights" in fit.fitted:
        values["weights"] = dict(fit.calibration.weights)
    if "confidence" in fit.fitted:
        values["whether_weights"] = dict(fit.calibration.whether_weights)
        values["confidence_weights"] = dict(fit.calibration.confidence_weights)
    if chosen is not None:
        # To leave the directory, or to answer what points at nothing, takes at least what any answer takes.
        values["threshold"] = threshold
        values["deictic_threshold"] = max(shipped.deictic_threshold, threshold)
        values["leave_threshold"] = max(shipped.leave_threshold, threshold)
    numbers = [sum(map(len, fit.corpus.index.numbers(scope).values())) for scope in fit.corpus.index.scopes]
    fitted_on: dict[str, Any] = {
        "format": 1,
        "scopes": fit.corpus.index.scopes,
        "passages": sum(numbers),
        "questions": len(fit.asked),
        "seed": seed,
        "max_wrong": max_wrong,
        "level": level,
        "unanswerable_share": UNANSWERABLE_SHARE,
        "certified": certified is not None,
        "threshold": threshold,
        "on": "all projects" if not fit.fitted else "the half that nothing was fitted on",
        **_figures(mix, threshold),
        "best_uncertified": None if best is None else {"threshold": best.threshold, **_figures(mix, best.threshold)},
        "held_out": _held_out(fit, max_wrong, level),
        "weights": fit.reasons["weights"],
        "confidence": fit.reasons["confidence"],
        "families": _families(mix, threshold),
        "reason": reason,
    }
    calibration = Calibration.from_json({**kept, **values, "fitted_on": fitted_on})
    return CalibrationReport(
        calibration, values, certified is not None, reason, time.perf_counter() - started, fitted_on
    )


def _figures(mix: Sequence[Asked], threshold: float) -> dict[str, Any]:
    answered = [each for each in would_answer(mix) if each.route.confidence >= threshold]
    kept = {id(each) for each in answered}
    return {
        "answered": Share.of([id(each) in kept for each in mix if each.question.scopes]).to_json(),
        "wrong": Share.of([each.wrong_answer for each in answered]).to_json(),
        "wrong_first": Share.of([not each.question.scopes or not each.right for each in answered]).to_json(),
    }


def _held_out(fit: Fit, max_wrong: float, level: float) -> dict[str, Any] | None:
    """A threshold chosen on the first half alone, and what it does to the second, under the calibration in force."""
    from .threshold import learn_then_test

    first = mixed([each for each in fit.asked if fit.in_first(each)])
    second = mixed([each for each in fit.asked if not fit.in_first(each)])
    decided = would_answer(first)
    certified, best = learn_then_test(
        [each.route.confidence for each in decided], [each.wrong_answer for each in decided], GRID, max_wrong, level
    )
    chosen = certified or best
    if chosen is None or not second:
        return None
    return {"threshold": chosen.threshold, "certified": chosen.certified, **_figures(second, chosen.threshold)}


def _families(mix: Sequence[Asked], threshold: float) -> list[dict[str, Any]]:
    rows = []
    for name in FAMILIES:
        its = [each for each in mix if each.question.family == name]
        if its:
            answered = [each for each in would_answer(its) if each.route.confidence >= threshold]
            rows.append(
                {
                    "name": name,
                    "n": len(its),
                    "answered": len(answered),
                    "wrong": sum(each.wrong_answer for each in answered),
                }
            )
    return rows
