"""The records of an evaluation. `loci.eval.to_json` makes the contract of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..records import FLAT
from ..statistics.abstention import Coverage
from ..statistics.shares import Share
from .families import QUESTION_WORDS, Family
from .misses import Miss

__all__ = [
    "Confusion",
    "CorpusCounts",
    "Estimate",
    "Evaluation",
    "FamilyResult",
    "OperatingPoint",
    "Retrieval",
    "ScopeResult",
]


@dataclass(frozen=True)
class CorpusCounts:
    """What was measured: scopes, their passages by kind, and the questions made of them."""

    scopes: int
    documents: int
    sources: int
    commits: int
    questions: int


@dataclass(frozen=True)
class FamilyResult:
    """The figure of one family.

    `share`: of what `family.measure` says. `by_scope`: the 95 % interval when whole scopes are drawn. `answered`,
    `right_if_answered`: of answerable families. `precision`: of sets. `baselines`: the same questions with the same
    taken out, by the name of the baseline.
    """

    family: Family = field(metadata=FLAT)
    share: Share = field(metadata=FLAT)
    by_scope: tuple[float, float] | None
    answered: Share | None = None
    right_if_answered: Share | None = None
    recall: float | None = None
    precision: float | None = None
    baselines: Mapping[str, Share] = field(default_factory=dict)


@dataclass(frozen=True)
class Estimate:
    """What the report expects of real questions that name no project and are asked from nowhere: the share that goes to
    the right project first, with a 95 % interval over scopes. `by_family`: the shares it is the mean of, whose names
    are `families`. `rule`: how it is made.
    """

    top1: float
    low: float
    high: float
    n: int
    families: tuple[str, ...] = field(metadata={"name": "from"})
    by_family: Mapping[str, float]
    rule: str = (
        f"the mean of commit subjects and docstrings of at least {QUESTION_WORDS} content words, each family weighing "
        "the same: as long as a question, and in two kinds of words"
    )


@dataclass(frozen=True)
class OperatingPoint:
    """What the threshold in use does to a day's mix, of which `unanswerable_share` are to be refused.

    `answered` is of all questions of the mix; `answered_of_answerable` counts what `loci calibrate` calls answered.
    """

    threshold: float
    unanswerable_share: float
    answered: float | None
    answered_of_answerable: Share
    wrong_if_answered: float | None


@dataclass(frozen=True)
class Confusion:
    """`n` questions of the scope `right` that went to `got` first."""

    right: str
    got: str
    n: int


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


@dataclass(frozen=True)
class Retrieval:
    """At which rank the evidence stands: `hits` by "@1", "@3" and "@10"."""

    name: str
    title: str
    n: int
    hits: Mapping[str, Share] = field(metadata=FLAT)


@dataclass(frozen=True)
class Evaluation:
    """A corpus measured on its own questions; reports are drawn from it. `seconds`: how long that took, to 0.01.

    `risk_coverage`: of "answerable" questions and of the "mix". `calibration`: `fitted_on` of the file in use, or None.
    """

    corpus: CorpusCounts
    seed: int
    seconds: float
    families: tuple[FamilyResult, ...]
    estimate: Estimate | None
    risk_coverage: Mapping[str, list[Coverage]]
    operating: OperatingPoint
    confusion: tuple[Confusion, ...]
    scopes: tuple[ScopeResult, ...]
    retrieval: tuple[Retrieval, ...]
    misses: tuple[Miss, ...]
    advice: tuple[str, ...]
    calibration: Mapping[str, Any] | None
