"""Evidence: how much a question's words speak for each scope.

Two questions have two answers here, from two signals:

* **Which** scope, given that there is one: `ScopeEvidence.combined`, a sum of ten z-scored measures. A z-score compares
  scopes with one another and says nothing of how much evidence there is: of thirty scopes one is always the best.
* **Whether** a scope holds an answer at all: `ScopeEvidence.whether`, from the absolute evidence and from the most
  telling word of the question that the scope's best passages lack.

Neither looks at the length of the question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ._calibration import Calibration
from ._index import SCORES, Index, Measurement, PassageReference, TermMeasure


@dataclass(frozen=True)
class ScopeEvidence:
    """The evidence for one scope.

    Attributes:
        id: The scope's id.
        combined: Log-odds-like units: larger is more; 0 is the average scope.
        whether: Between 0 and 1: that this scope, taken alone, holds an answer.
        parts: What `combined` is the sum of.
        signs: What `whether` was read off, by name.
        terms: (surface word, weight), strongest first: the words of the question that the scope holds.
        missing: The words of the question that none of its best passages holds, most telling first.
        passages: The passages that spoke for it, best first.

    """

    id: str
    combined: float
    whether: float
    parts: Mapping[str, float]
    signs: Mapping[str, float]
    terms: tuple[tuple[str, float], ...] = ()
    missing: tuple[str, ...] = ()
    passages: tuple[PassageReference, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """The evidence for every scope, and the terms of the question it rests on."""

    scopes: Mapping[str, ScopeEvidence]
    terms: tuple[TermMeasure, ...]
    sizes: Mapping[str, int]
    """scope id -> the number of its passages."""


class EvidenceModel(Protocol):
    """Turns a question into evidence. Exchangeable: the router decides with what any of them returns."""

    def evidence(self, index: Index, question: str) -> Evidence:
        """The evidence of `question` (without frame words) for every scope of `index`."""
        ...


def _terms(measurement: Measurement, scope: str) -> tuple[tuple[str, float], ...]:
    """The question's words that `scope` holds, each weighed by how telling it is and how much the scope makes of it."""
    weights: dict[str, float] = {}
    for term in measurement.terms:
        share = measurement.share(term, scope)
        if share > 0.0:
            weight = term.idf * share / max(measurement.share(term, other) for other in term.holders)
            weights[term.word] = max(weights.get(term.word, 0.0), weight)
    return tuple(sorted(weights.items(), key=lambda item: (-item[1], item[0])))


def _missing(measurement: Measurement, scope: str) -> list[tuple[str, float]]:
    """The words of the question that none of the scope's best passages holds, with their idf, most telling first.

    A word counts as there when any of its terms is: of `OAuth2Session` the parts are enough.
    """
    held = measurement.scopes[scope].held
    there = {term.word for term in measurement.terms if term.term in held}
    lacking: dict[str, float] = {}
    for term in measurement.terms:
        if term.word not in there:
            lacking[term.word] = max(lacking.get(term.word, 0.0), term.idf)
    return sorted(lacking.items(), key=lambda item: (-item[1], item[0]))


def standard_scores(values: Mapping[str, float]) -> dict[str, float]:
    """The z-scores of `values` (population deviation); all 0 when they are all equal."""
    if not values:
        return {}
    ordered = [values[key] for key in sorted(values)]
    mean = math.fsum(ordered) / len(ordered)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in ordered) / len(ordered))
    # Rounding leaves a deviation of the order of the last digit where all values are the same.
    if deviation <= 1e-9 * max(1.0, max(abs(value) for value in ordered)):
        return dict.fromkeys(values, 0.0)
    return {key: (value - mean) / deviation for key, value in values.items()}


class TenScores:
    """The default model: ten z-scored measures, summed; fitted weights come with the calibration.

    Args:
        calibration: Weights, temperature and the coefficients of `whether`; the shipped defaults when None.

    """

    def __init__(self, calibration: Calibration | None = None) -> None:
        self._calibration = calibration or Calibration()

    def evidence(self, index: Index, question: str) -> Evidence:
        """The evidence of `question` for every scope of `index`."""
        calibration = self._calibration
        measurement = index.measure(question)
        parts: dict[str, dict[str, float]] = {scope: {} for scope in measurement.scopes}
        for score in SCORES:
            weight = calibration.weights.get(score, 1.0) * calibration.temperature
            standard = standard_scores({scope: m.scores[score] for scope, m in measurement.scopes.items()})
            for scope, value in standard.items():
                parts[scope][score] = weight * value
        # A word that nothing holds has the largest idf of this corpus: the scale on which words are telling.
        passages = sum(measurement.sizes.values())
        scale = math.log(1.0 + 2.0 * (passages + 0.5)) if passages else 1.0
        scopes: dict[str, ScopeEvidence] = {}
        for scope, measure in measurement.scopes.items():
            missing = _missing(measurement, scope)
            signs = {"raw": measure.raw / scale, "missing": missing[0][1] / scale if missing else 0.0}
            scopes[scope] = ScopeEvidence(
                id=scope,
                combined=math.fsum(parts[scope].values()),
                whether=calibration.whether(signs),
                parts=parts[scope],
                signs=signs,
                terms=_terms(measurement, scope),
                missing=tuple(word for word, _ in missing),
                passages=measure.passages,
            )
        return Evidence(scopes, measurement.terms, measurement.sizes)


class ProminenceEvidence:
    """The published formula of this family, the baseline of every comparison.

    `sum(scope-idf x prominence) / query tokens / size^0.15`: scope-idf counts the scopes that hold a term, prominence
    is the share of a scope's passages that hold it, relative to the scope where it is largest.
    """

    SIZE_EXPONENT = 0.15

    def evidence(self, index: Index, question: str) -> Evidence:
        """The evidence of `question` for every scope of `index`."""
        measurement = index.measure(question)
        count = len(measurement.scopes)
        scopes: dict[str, ScopeEvidence] = {}
        for scope in measurement.scopes:
            parts: dict[str, float] = {}
            for term in measurement.terms:
                share = measurement.share(term, scope)
                if share > 0.0:
                    held = len(term.holders)
                    idf = math.log(1.0 + (count - held + 0.5) / (held + 0.5))
                    size = max(measurement.sizes.get(scope, 1), 1) ** self.SIZE_EXPONENT
                    prominence = share / max(measurement.share(term, other) for other in term.holders)
                    parts[term.term] = idf * prominence / len(measurement.terms) / size
            total = math.fsum(parts.values())
            scopes[scope] = ScopeEvidence(
                id=scope,
                combined=total,
                # The formula has no scale of its own; all it can say is that something matched.
                whether=1.0 if total > 0.0 else 0.0,
                parts=parts,
                signs={"prominence": total},
                terms=_terms(measurement, scope),
                passages=measurement.scopes[scope].passages,
            )
        return Evidence(scopes, measurement.terms, measurement.sizes)
