"""The steps of a fit: weights, then the signals of confidence. Each has to earn its place."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..own.corpus import Asked, Corpus
from ..own.families import FAMILIES, is_a_sentence
from .mixed import best_coverage, mixed, would_answer
from .score_table import ScoreTable

if TYPE_CHECKING:
    from loci.router import Calibration

__all__ = ["Fit", "half_of"]

STRENGTH = 30.0
"""How strongly fitted values are drawn to the shipped ones."""

MORE = 0.03
"""Fitted signals are taken when they answer so much more of the other half's questions: they cost half of the questions
that certify the threshold, and less than this comes and goes with the questions drawn."""

CLEARLY = 0.05
"""Fitted weights are taken when so many gains over losses would come about by chance less often than this."""


class Fit:
    """The steps of a fit; `calibration` and `asked` are those in force after each."""

    def __init__(
        self, corpus: Corpus, defaults: Calibration, asked: Sequence[Asked], max_wrong: float, seed: int
    ) -> None:
        self.corpus = corpus
        self.defaults = defaults
        self.calibration = defaults
        self.asked = list(asked)
        self.max_wrong = max_wrong
        self.first = half_of([each.question.about for each in asked], seed)
        self.reasons: dict[str, str] = {}
        self.fitted: list[str] = []

    def again(self, calibration: Calibration) -> list[Asked]:
        """All questions again under another calibration; nothing is measured anew."""
        router = self.corpus.with_calibration(calibration)
        return [self.corpus.ask(each.question, router, each.measured) for each in self.asked]

    def in_first(self, asked: Asked) -> bool:
        """Whether it belongs to the half that is fitted on. Questions of no scope are dealt out in turn."""
        return in_half(asked, self.first)

    # -- weights ------------------------------------------------------------------------------------------------------

    def weights(self) -> None:
        """Fits the weights of the scores, and keeps them where they help a family they do not know."""
        import numpy as np

        from ..statistics.significance import sign_test
        from .fit import fit_choice

        table = ScoreTable.of([each for each in self.asked if FAMILIES[each.question.family].group == "answerable"])
        prior = table.prior(self.defaults)
        families = sorted(set(table.family))
        first = np.array([about in self.first for about in table.about])
        better = worse = 0
        lost = []
        for family in families:
            this = np.array([name == family for name in table.family])
            known, unseen = first & ~this, ~first & this
            if known.sum() < 20 or unseen.sum() < 10:
                continue
            fitted = fit_choice(table.scores[known], table.right[known], prior, STRENGTH)
            before = table.chooses_right(prior)[unseen]
            after = table.chooses_right(fitted)[unseen]
            gains, losses = int((after & ~before).sum()), int((before & ~after).sum())
            better, worse = better + gains, worse + losses
            if losses > gains:
                lost.append(family)
        chance = sign_test(better, worse)
        if not better + worse:
            self.reasons["weights"] = "defaults: fitted ones change no answer of a family that they were not fitted on"
        elif lost or chance > CLEARLY:
            where = f", and lose in {', '.join(lost)}" if lost else ""
            self.reasons["weights"] = (
                f"defaults: on families and projects that fitted ones do not know they gain {better} answers and lose "
                f"{worse}{where}"
            )
        else:
            fitted = fit_choice(table.scores[first], table.right[first], prior, STRENGTH)
            self._take("weights", replace(self.calibration, weights=table.named(fitted, self.defaults)))
            self.reasons["weights"] = (
                f"fitted: on families and projects that they do not know they gain {better} answers and lose {worse}"
            )

    def _take(self, what: str, calibration: Calibration) -> None:
        self.calibration = calibration
        self.asked = self.again(calibration)
        self.fitted.append(what)

    # -- signals ------------------------------------------------------------------------------------------------------

    def signals(self) -> None:
        """Fits the two signals of confidence, and keeps them where they answer more of the other half."""
        whether = _fit_whether(self.calibration, [each for each in self.asked if self.in_first(each)])
        if whether is None:
            self.reasons["confidence"] = "defaults: too few questions to fit them on"
            return
        candidate = replace(self.calibration, whether_weights=whether)
        fitting = [each for each in self.again(candidate) if self.in_first(each)]
        candidate = replace(candidate, confidence_weights=_fit_confidence(candidate, mixed(fitting)))
        before = best_coverage(mixed([each for each in self.asked if not self.in_first(each)]), self.max_wrong)
        asked = self.again(candidate)
        after = best_coverage(mixed([each for each in asked if not self.in_first(each)]), self.max_wrong)
        compared = (
            f"{after:.0%} of the other half's questions answered at {self.max_wrong:.0%} wrong, "
            f"{before:.0%} with the defaults"
        )
        if after >= before + MORE:
            self.calibration, self.asked = candidate, asked
            self.fitted.append("confidence")
            self.reasons["confidence"] = f"fitted: {compared}"
        else:
            self.reasons["confidence"] = f"defaults: with fitted ones {compared}"


def half_of(scopes: Iterable[str], seed: int) -> frozenset[str]:
    """Half of the scopes, by a hash of their ids: adding one moves no other to the other half."""

    def place(scope: str) -> str:
        return hashlib.sha256(f"{seed}:{scope}".encode()).hexdigest()

    ordered = sorted({scope for scope in scopes if scope}, key=place)
    return frozenset(ordered[: (len(ordered) + 1) // 2])


def in_half(asked: Asked, first: frozenset[str]) -> bool:
    scope = asked.question.about or (asked.question.without[0] if asked.question.without else "")
    if scope:
        return scope in first
    return hashlib.sha256(asked.question.question.encode()).digest()[0] % 2 == 0


def _fit_whether(calibration: Calibration, asked: Sequence[Asked]) -> dict[str, float] | None:
    """Coefficients of `Calibration.whether`.

    From the signs of the right scope, against those of the best one where the right one was taken out.
    """
    import numpy as np

    from .fit import fit_logistic

    names = [name for name in calibration.whether_weights if name != "bias"]
    rows, right = [], []
    for each in asked:
        evidence = each.route.trace.evidence.scopes if each.route.trace is not None else {}
        there = is_a_sentence(each.question)
        if not there and FAMILIES[each.question.family].group != "refused":
            continue
        scope = each.question.about if there else each.best
        found = evidence.get(scope or "")
        if found is None or not found.signs:
            continue
        rows.append([1.0, *(found.signs.get(name, 0.0) for name in names)])
        right.append(float(there))
    if min(sum(right), len(right) - sum(right)) < 20:
        return None
    prior = np.array([calibration.whether_weights.get("bias", 0.0), *(calibration.whether_weights[n] for n in names)])
    outcomes = np.array(right)
    # Both sides weigh the same: whether there is an answer is asked before how often there is none.
    weights = np.where(outcomes == 1.0, 0.5 / outcomes.mean(), 0.5 / (1.0 - outcomes.mean()))
    fitted = fit_logistic(np.array(rows), outcomes, weights, prior, STRENGTH)
    return {name: round(float(value), 4) for name, value in zip(["bias", *names], fitted, strict=True)}


def _fit_confidence(calibration: Calibration, asked: Sequence[Asked]) -> dict[str, float]:
    """Coefficients of `Calibration.confidence`: log-odds that the answer holds the right project."""
    import numpy as np

    from .fit import fit_logistic

    weights = calibration.confidence_weights
    bias, slope, agreement = (weights.get("bias", 0.0), weights.get("slope", 1.0), weights.get("agreement", 0.0))
    rows, right = [], []
    for each in would_answer(asked):
        evidence = each.route.trace.evidence.scopes.get(each.best or "")
        confidence = min(max(each.route.confidence, 1e-9), 1.0 - 1e-9)
        if evidence is None or slope == 0.0:
            continue
        odds = math.log(confidence / (1.0 - confidence))
        rows.append([1.0, (odds - bias - agreement * evidence.agreement) / slope, evidence.agreement])
        right.append(float(not each.wrong_answer))
    if len(rows) < 20:
        return dict(weights)
    prior = np.array([bias, slope, agreement])
    fitted = fit_logistic(np.array(rows), np.array(right), np.ones(len(right)), prior, STRENGTH / 3)
    values = zip(("bias", "slope", "agreement"), fitted, strict=True)
    return {name: round(float(value), 4) for name, value in values}
