"""Evidence: how much a question's words speak for each scope.

Two questions have two answers here, from two signals:

* **Which** scope, given that there is one: `ScopeEvidence.combined`, a sum of z-scored measures. A z-score compares
  scopes with one another and says nothing of how much evidence there is: of thirty scopes one is always the best.
* **Whether** a scope holds an answer at all: `ScopeEvidence.whether`, from the absolute evidence and from the most
  telling word of the question that the scope lacks.

Neither looks at the length of the question.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from .calibration import RAW_FLOOR, SMALL_CORPUS, Calibration
from .index import SCORES, Index, Measurement, PassageReference, TermMeasure

DETAILED_SCOPES = 50
"""How many scopes are looked at closely: no answer ever takes more than the best eight, and with hundreds of projects
the words of each would cost more than the search. The others keep their place in the ranking."""


class ScopeEvidence(NamedTuple):
    """The evidence for one scope.

    Attributes:
        id: The scope's id.
        combined: Log-odds-like units: larger is more; 0 is the average scope.
        whether: Between 0 and 1: that this scope, taken alone, holds an answer.
        holds: Between 0 and 1: how much of what the best scope has this one has as well; 1 for the best scope when its
            best passages hold every telling word. Says which scopes belong beside it.
        parts: What `combined` is the sum of.
        signs: What `whether` and `holds` were read off, by name.
        terms: (surface word, weight), strongest first: the words of the question that the scope holds.
        missing: The words of the question that none of its best passages holds, or not in all their parts, most telling
            first.
        passages: The passages that spoke for it, best first.
        agreement: Between 0 and 1: the share of the measures, of those that tell scopes apart, that put this one first.

    """

    id: str
    combined: float
    whether: float
    holds: float
    parts: Mapping[str, float]
    signs: Mapping[str, float]
    terms: tuple[tuple[str, float], ...] = ()
    missing: tuple[str, ...] = ()
    passages: tuple[PassageReference, ...] = ()
    agreement: float = 1.0


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


@dataclass(frozen=True)
class _Said:
    """A term of the question, and the word of the question it came from.

    Each term counts by itself: a scope that has "copy" and "mode" does not have "copy-mode" (taken by whole words, five
    of 20 questions without an answer are answered instead of three).
    """

    word: str
    term: str
    holders: Mapping[str, int]
    telling: float
    """How much the term says about which scope is meant."""


def concentration(shares: Mapping[str, float], scopes: int) -> float:
    """How unevenly a term is spread over the scopes, 0 (the same share everywhere) to 1 (one scope has it, or none).

    Rare is not the same as telling: "refuses" is rare and stands in every project alike, "jemalloc" is not rarer and
    stands in three. One minus the entropy of the shares, relative to its largest value.

    Args:
        shares: scope id -> the share of its passages that hold the term; scopes without it are left out.
        scopes: The number of all scopes.

    """
    total = math.fsum(shares.values())
    if scopes < 2 or total <= 0.0:
        return 1.0
    entropy = -math.fsum(share / total * math.log(share / total) for share in shares.values())
    return max(0.0, 1.0 - entropy / math.log(scopes))


class _Question:
    """What the words of a question say, worked out once for all scopes."""

    def __init__(self, measurement: Measurement) -> None:
        self.shares = {
            term.term: {
                scope: term.holders[scope] / max(measurement.sizes.get(scope, 0), 1) for scope in sorted(term.holders)
            }
            for term in measurement.terms
        }
        # A word that nothing holds has the largest idf of this corpus: the scale on which words are telling.
        passages = sum(measurement.sizes.values())
        self.scale = math.log(1.0 + 2.0 * (passages + 0.5)) if passages else 1.0
        self._largest = {term: max(shares.values(), default=0.0) for term, shares in self.shares.items()}
        count = len(measurement.scopes)
        said = [
            _Said(term.word, term.term, term.holders, term.idf * concentration(self.shares[term.term], count))
            for term in measurement.terms
        ]
        self.said = sorted(said, key=lambda each: (-each.telling, each.term))
        self.telling = math.fsum([each.telling for each in said])
        # By scope: what each word weighs there. One pass over the holders, since most scopes lack most words.
        self._spoken: dict[str, dict[str, float]] = {}
        for term in measurement.terms:
            for scope, share in self.shares[term.term].items():
                weight = term.idf * share / self._largest[term.term]
                words = self._spoken.setdefault(scope, {})
                if weight > words.get(term.word, -1.0):
                    words[term.word] = weight

    def absent(self, scope: str) -> float:
        """How telling the most telling term is that the scope does not hold at all."""
        return next((each.telling for each in self.said if scope not in each.holders), 0.0)

    def lacking(self, held: frozenset[str]) -> list[_Said]:
        """The terms that are not among `held`, most telling first."""
        return [each for each in self.said if each.term not in held]

    def spoken(self, scope: str) -> tuple[tuple[str, float], ...]:
        """The words that `scope` holds, each weighed by how telling it is and how much the scope makes of it."""
        return tuple(sorted(self._spoken.get(scope, {}).items(), key=lambda item: (-item[1], item[0])))

    def prominence(self, term: TermMeasure, scope: str) -> float:
        """The share of the scope's passages that hold the term, relative to the scope where it is largest."""
        share = self.shares[term.term].get(scope, 0.0)
        return share / self._largest[term.term] if share > 0.0 else 0.0


def standard_scores(values: Mapping[str, float]) -> dict[str, float]:
    """The z-scores of `values` (population deviation); all 0 when they are all equal."""
    if not values:
        return {}
    # `fsum` rounds once, at the end: the order of the scopes makes no difference to the last digit.
    each = list(values.values())
    mean = math.fsum(each) / len(each)
    deviation = math.sqrt(math.fsum([(value - mean) ** 2 for value in each]) / len(each))
    # Rounding leaves a deviation of the order of the last digit where all values are the same.
    if deviation <= 1e-9 * max(1.0, max(map(abs, each))):
        return dict.fromkeys(values, 0.0)
    return {key: (value - mean) / deviation for key, value in values.items()}


class SummedScores:
    """The default model: z-scored measures, summed with weights that a calibration may fit.

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
        leads = dict.fromkeys(measurement.scopes, 0)
        telling = 0
        for score in SCORES:
            weight = calibration.weights.get(score, 1.0) * calibration.temperature
            standard = standard_scores({scope: m.scores[score] for scope, m in measurement.scopes.items()})
            for scope, value in standard.items():
                parts[scope][score] = weight * value
            most = max(standard.values(), default=0.0)
            if most > 0.0:
                telling += 1
                # Copies of a scope lead together; rounding tells them apart.
                for scope in [scope for scope, value in standard.items() if value >= most - 1e-9]:
                    leads[scope] += 1

        asked = _Question(measurement)
        # A few texts lack most words there are, so that a single one says little: there it is the share that counts.
        passages = sum(measurement.sizes.values())
        known = passages / (passages + SMALL_CORPUS)
        best = {
            score: max((m.scores[score] for m in measurement.scopes.values()), default=0.0)
            for score in ("top_passages", "best_passage")
        }
        combined = {scope: math.fsum(each.values()) for scope, each in parts.items()}
        detailed = set(heapq.nsmallest(DETAILED_SCOPES, combined, key=lambda scope: (-combined[scope], scope)))
        scopes: dict[str, ScopeEvidence] = {}
        for scope, measure in measurement.scopes.items():
            if scope not in detailed:
                scopes[scope] = ScopeEvidence(scope, combined[scope], 0.0, 0.0, parts[scope], {}, agreement=0.0)
                continue
            lacking = asked.lacking(measure.held)
            uncovered = math.fsum([each.telling for each in lacking]) / asked.telling if asked.telling > 0.0 else 1.0
            signs = {
                "raw": math.log(measure.raw / asked.scale + RAW_FLOOR),
                "absent": known * asked.absent(scope) / asked.scale + (1.0 - known) * uncovered,
                "coverage": max(0.0, 1.0 - uncovered),
                "strength": sum(measure.scores[score] / most for score, most in best.items() if most > 0.0) / 2.0,
            }
            scopes[scope] = ScopeEvidence(
                id=scope,
                combined=combined[scope],
                whether=calibration.whether(signs),
                holds=math.sqrt(signs["coverage"]) * signs["strength"],
                parts=parts[scope],
                signs=signs,
                terms=asked.spoken(scope),
                missing=tuple(dict.fromkeys(each.word for each in lacking)),
                passages=measure.passages,
                agreement=leads[scope] / telling if telling else 1.0,
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
        asked = _Question(measurement)
        count = len(measurement.scopes)
        scopes: dict[str, ScopeEvidence] = {}
        for scope in measurement.scopes:
            parts: dict[str, float] = {}
            for term in measurement.terms:
                prominence = asked.prominence(term, scope)
                if prominence > 0.0:
                    held = len(term.holders)
                    idf = math.log(1.0 + (count - held + 0.5) / (held + 0.5))
                    size = max(measurement.sizes.get(scope, 1), 1) ** self.SIZE_EXPONENT
                    parts[term.term] = idf * prominence / len(measurement.terms) / size
            total = math.fsum(parts.values())
            scopes[scope] = ScopeEvidence(
                id=scope,
                combined=total,
                # The formula has no scale of its own; all it can say is that something matched.
                whether=1.0 if total > 0.0 else 0.0,
                holds=0.0,
                parts=parts,
                signs={"prominence": total},
                terms=asked.spoken(scope),
                passages=measurement.scopes[scope].passages,
            )
        return Evidence(scopes, measurement.terms, measurement.sizes)
