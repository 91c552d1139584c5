"""The records of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..statistics.shares import Share
from .families import QUESTION_WORDS, Family
from .misses import Miss

__all__ = ["Estimate", "Evaluation", "FamilyResult", "ScopeResult", "rounded"]


@dataclass(frozen=True)
class FamilyResult:
    """The figure of one family.

    `share`: of what `family.measure` says. `by_scope`: the 95 % interval when whole scopes are drawn. `answered`,
    `right_if_answered`: of answerable families. `precision`: of sets. `baselines`: the same questions with the same
    taken out, by the name of the baseline.
    """

    family: Family
    share: Share
    by_scope: tuple[float, float] | None
    answered: Share | None = None
    right_if_answered: Share | None = None
    recall: float | None = None
    precision: float | None = None
    baselines: Mapping[str, Share] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values: see `Evaluation.to_json`."""
        family = self.family
        return {
            "name": family.name,
            "title": family.title,
            "group": family.group,
            "measure": family.measure,
            **self.share.to_json(),
            "by_scope": None if self.by_scope is None else [round(end, 4) for end in self.by_scope],
            "answered": None if self.answered is None else self.answered.to_json(),
            "right_if_answered": None if self.right_if_answered is None else self.right_if_answered.to_json(),
            "recall": rounded(self.recall),
            "precision": rounded(self.precision),
            "baselines": {name: share.to_json() for name, share in sorted(self.baselines.items())},
            "role": family.role,
            "shows": family.shows,
            "shows_not": family.shows_not,
        }


@dataclass(frozen=True)
class Estimate:
    """What the report expects of real questions that name no project and are asked from nowhere: the share that goes to
    the right project first, with a 95 % interval over scopes. `by_family`: the shares it is the mean of.
    """

    top1: float
    low: float
    high: float
    n: int
    by_family: Mapping[str, float]

    RULE = (
        f"the mean of commit subjects and docstrings of at least {QUESTION_WORDS} content words, each family weighing "
        "the same: as long as a question, and in two kinds of words"
    )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "top1": round(self.top1, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "n": self.n,
            "from": sorted(self.by_family),
            "by_family": {name: round(share, 4) for name, share in sorted(self.by_family.items())},
            "rule": self.RULE,
        }


@dataclass(frozen=True)
class ScopeResult:
    """A scope's own questions: how many, how many went right and were answered. `drawn_to_it`: questions of others that
    came here first.
    """

    id: str
    name: str
    passages: int
    questions: int
    right: int
    answered: int
    drawn_to_it: int
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "id": self.id,
            "name": self.name,
            "passages": self.passages,
            "questions": self.questions,
            "right": self.right,
            "answered": self.answered,
            "drawn_to_it": self.drawn_to_it,
            "advice": self.advice,
        }


@dataclass(frozen=True)
class Evaluation:
    """A corpus measured on its own questions. `to_json` is the contract; reports are drawn from it."""

    corpus: Mapping[str, Any]
    seed: int
    families: tuple[FamilyResult, ...]
    estimate: Estimate | None
    risk_coverage: Mapping[str, list[dict[str, Any]]]
    operating: Mapping[str, Any]
    confusion: tuple[tuple[str, str, int], ...]
    scopes: tuple[ScopeResult, ...]
    retrieval: tuple[Mapping[str, Any], ...]
    misses: tuple[Miss, ...]
    advice: tuple[str, ...]
    calibration: Mapping[str, Any] | None
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, in this order of keys: corpus, seed, seconds, families, estimate, risk_coverage,
        operating, confusion, scopes, retrieval, misses, advice, calibration.
        """
        return {
            "corpus": dict(self.corpus),
            "seed": self.seed,
            "seconds": round(self.seconds, 2),
            "families": [family.to_json() for family in self.families],
            "estimate": None if self.estimate is None else self.estimate.to_json(),
            "risk_coverage": {name: list(points) for name, points in self.risk_coverage.items()},
            "operating": dict(self.operating),
            "confusion": [{"right": right, "got": got, "n": count} for right, got, count in self.confusion],
            "scopes": [scope.to_json() for scope in self.scopes],
            "retrieval": [dict(row) for row in self.retrieval],
            "misses": [miss.to_json() for miss in self.misses],
            "advice": list(self.advice),
            "calibration": None if self.calibration is None else dict(self.calibration),
        }


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
