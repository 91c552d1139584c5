"""What a calibration found, and what it can promise."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..own.corpus import Asked
from ..own.families import FAMILIES
from ..own.mix import UNANSWERABLE_SHARE
from ..records import FLAT, HIDDEN, to_json
from ..statistics.shares import Share
from .fitting import Fit
from .mixed import GRID, mixed, would_answer

if TYPE_CHECKING:
    from loci.router import Calibration

__all__ = ["CalibrationReport", "report_of"]


@dataclass(frozen=True)
class Outcome:
    """What a threshold does to a mix of questions: how many of the answerable are answered, how many of the answers are
    wrong, and how many do not have the right project first.
    """

    answered: Share
    wrong: Share
    wrong_first: Share


@dataclass(frozen=True)
class AtThreshold:
    """An outcome with its threshold."""

    threshold: float
    outcome: Outcome = field(metadata=FLAT)


@dataclass(frozen=True)
class HeldOut:
    """A threshold chosen on one half of the projects, and what it does to the other."""

    threshold: float
    certified: bool
    outcome: Outcome = field(metadata=FLAT)


@dataclass(frozen=True)
class FamilyOutcome:
    """How many questions of a family were answered, and how many of the answers were wrong."""

    name: str
    n: int
    answered: int
    wrong: int


@dataclass(frozen=True)
class FittedOn:
    """What a calibration was fitted on, as it stands in `calibration.json`.

    `passages`: of all scopes, for `loci update` to see whether they changed. `on`: whose questions certify.
    `best_uncertified`: the loosest threshold whose own figure is good enough. `weights`, `confidence`: whether they
    were fitted, and why.
    """

    format: int
    scopes: Sequence[str]
    passages: int
    questions: int
    seed: int
    max_wrong: float
    level: float
    unanswerable_share: float
    certified: bool
    threshold: float
    on: str
    outcome: Outcome = field(metadata=FLAT)
    best_uncertified: AtThreshold | None
    held_out: HeldOut | None
    weights: str
    confidence: str
    families: Sequence[FamilyOutcome]
    reason: str


@dataclass(frozen=True)
class CalibrationReport:
    """What a calibration found. `calibration` is what the router should use from now on.

    `certified`: the promise holds; otherwise `reason` says why not and what the best uncertified figure is. `values`:
    of `calibration.json`, the keys that differ from the shipped ones. `seconds`: how long that took, to 0.01.
    """

    certified: bool
    reason: str
    threshold: float
    values: Mapping[str, float | Mapping[str, float]]
    fitted_on: FittedOn
    seconds: float
    calibration: Calibration = field(metadata=HIDDEN)


def report_of(
    fit: Fit, kept: Mapping[str, Any], max_wrong: float, level: float, seed: int, started: float
) -> CalibrationReport:
    """Certifies the threshold of a fit and puts everything together. `kept`: what a person wrote into the file."""
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
    values: dict[str, float | Mapping[str, float]] = {}
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
    fitted_on = FittedOn(
        format=1,
        scopes=fit.corpus.index.scopes,
        passages=sum(numbers),
        questions=len(fit.asked),
        seed=seed,
        max_wrong=max_wrong,
        level=level,
        unanswerable_share=UNANSWERABLE_SHARE,
        certified=certified is not None,
        threshold=threshold,
        on="all projects" if not fit.fitted else "the half that nothing was fitted on",
        outcome=_outcome(mix, threshold),
        best_uncertified=None if best is None else AtThreshold(best.threshold, _outcome(mix, best.threshold)),
        held_out=_held_out(fit, max_wrong, level),
        weights=fit.reasons["weights"],
        confidence=fit.reasons["confidence"],
        families=_families(mix, threshold),
        reason=reason,
    )
    calibration = Calibration.from_json({**kept, **values, "fitted_on": to_json(fitted_on)})
    seconds = round(time.perf_counter() - started, 2)
    return CalibrationReport(
        fitted_on.certified, reason, calibration.threshold, values, fitted_on, seconds, calibration
    )


def _outcome(mix: Sequence[Asked], threshold: float) -> Outcome:
    answered = [each for each in would_answer(mix) if each.route.confidence >= threshold]
    kept = {id(each) for each in answered}
    return Outcome(
        answered=Share.of([id(each) in kept for each in mix if each.question.scopes]),
        wrong=Share.of([each.wrong_answer for each in answered]),
        wrong_first=Share.of([not each.question.scopes or not each.right for each in answered]),
    )


def _held_out(fit: Fit, max_wrong: float, level: float) -> HeldOut | None:
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
    return HeldOut(chosen.threshold, chosen.certified, _outcome(second, chosen.threshold))


def _families(mix: Sequence[Asked], threshold: float) -> list[FamilyOutcome]:
    rows = []
    for name in FAMILIES:
        its = [each for each in mix if each.question.family == name]
        if its:
            answered = [each for each in would_answer(its) if each.route.confidence >= threshold]
            rows.append(FamilyOutcome(name, len(its), len(answered), sum(each.wrong_answer for each in answered)))
    return rows
