"""The figures of an evaluation, from the questions as they were asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..statistics.abstention import Coverage, risk_coverage
from ..statistics.ranks import precision_recall
from ..statistics.shares import Share, cluster_bootstrap
from .corpus import Asked, Corpus
from .evaluation import Confusion, Estimate, FamilyResult, OperatingPoint
from .families import FAMILIES, Family, is_a_sentence
from .mix import UNANSWERABLE_SHARE, in_the_mix

if TYPE_CHECKING:
    from loci.router import Calibration

__all__ = ["baselines_of", "confusion", "curves", "estimate", "family_result", "operating_point"]

RESAMPLES = 1000
COVERAGES = tuple(round(0.1 * step, 1) for step in range(1, 11))


# -- the two baselines ------------------------------------------------------------------------------------------------


def baselines_of(corpus: Corpus, asked: Asked) -> dict[str, str | None]:
    from loci.router import ProminenceEvidence, read

    question = asked.question
    hits = corpus.index.merged_bm25(question.question, 1, omit=question.omit, without=question.without)
    with corpus.masked.taken_out(question.omit, question.without, asked.measured):
        scopes = ProminenceEvidence().evidence(corpus.masked, read(question.question).evidence).scopes
    best = min(scopes.values(), key=lambda each: (-each.combined, each.id), default=None)
    return {
        "merged-bm25": hits[0][0] if hits else None,
        "prominence": best.id if best is not None and best.combined > 0.0 else None,
    }


# -- figures ----------------------------------------------------------------------------------------------------------


def family_result(family: Family, records: Sequence[Asked], seed: int) -> FamilyResult | None:
    if not records:
        return None
    clusters = [asked.question.about or str(number) for number, asked in enumerate(records)]
    if family.measure == "recall":
        pairs = [precision_recall(asked.selected, asked.question.scopes) for asked in records]
        outcomes = [recall == 1.0 for _, recall in pairs]
        return FamilyResult(
            family,
            Share.of(outcomes),
            _by_scope(outcomes, clusters, seed),
            answered=Share.of([not asked.route.abstained for asked in records]),
            recall=_mean([recall for _, recall in pairs]),
            precision=_mean([precision for precision, _ in pairs]),
        )
    if family.measure == "right project selected":
        outcomes = [bool(set(asked.selected) & set(asked.question.scopes)) for asked in records]
    else:
        outcomes = [asked.right for asked in records]
    answerable = family.group == "answerable"
    answered = [asked for asked in records if not asked.route.abstained]
    names = list(records[0].baselines) if answerable else []
    return FamilyResult(
        family,
        Share.of(outcomes),
        _by_scope(outcomes, clusters, seed),
        answered=Share.of([not asked.route.abstained for asked in records]) if family.group != "refused" else None,
        right_if_answered=Share.of([asked.right for asked in answered]) if answerable else None,
        baselines={
            name: Share.of([asked.baselines.get(name) in asked.question.scopes for asked in records]) for name in names
        },
    )


def _by_scope(outcomes: Sequence[bool], clusters: Sequence[str], seed: int) -> tuple[float, float] | None:
    return cluster_bootstrap([float(each) for each in outcomes], clusters, seed=seed, resamples=RESAMPLES)


def estimate(records: Iterable[Asked], seed: int) -> Estimate | None:
    """See `Estimate.rule`."""
    outcomes: dict[str, list[tuple[float, str]]] = {}
    for asked in records:
        if is_a_sentence(asked.question):
            outcomes.setdefault(asked.question.family, []).append((float(asked.right), asked.question.about))
    if not outcomes:
        return None
    shares = {name: sum(right for right, _ in its) / len(its) for name, its in outcomes.items()}
    top1 = sum(shares.values()) / len(shares)
    # Families weigh the same whatever their size: each question counts by one over the size of its family.
    count = sum(map(len, outcomes.values()))
    weighted = [
        (right * count / (len(outcomes) * len(its)), scope) for its in outcomes.values() for right, scope in its
    ]
    interval = cluster_bootstrap([v for v, _ in weighted], [s for _, s in weighted], seed=seed, resamples=RESAMPLES)
    low, high = interval or (top1, top1)
    families = tuple(sorted(shares))
    return Estimate(top1, low, min(1.0, high), count, families, {name: shares[name] for name in families})


def curves(records: Sequence[Asked]) -> dict[str, list[Coverage]]:
    """Accuracy over coverage, of the answerable questions and of the mix."""

    def curve(some: Sequence[Asked], weights: Sequence[float] | None = None) -> list[Coverage]:
        return risk_coverage(
            [asked.route.confidence for asked in some],
            [bool(asked.question.scopes) and asked.best in asked.question.scopes for asked in some],
            COVERAGES,
            weights,
        )

    answerable = [asked for asked in records if is_a_sentence(asked.question)]
    mix = in_the_mix(records)
    return {
        "answerable": curve(answerable),
        "mix": curve([asked for asked, _ in mix], [weight for _, weight in mix]),
    }


def operating_point(records: Sequence[Asked], calibration: Calibration) -> OperatingPoint:
    """What the threshold in use does."""
    mix = in_the_mix(records)
    total = math.fsum(weight for _, weight in mix)
    answered = math.fsum(weight for asked, weight in mix if not asked.route.abstained)
    wrong = math.fsum(weight for asked, weight in mix if asked.wrong_answer)
    return OperatingPoint(
        calibration.threshold,
        UNANSWERABLE_SHARE,
        answered=answered / total if total else None,
        answered_of_answerable=Share.of([not asked.route.abstained for asked, _ in mix if asked.question.scopes]),
        wrong_if_answered=wrong / answered if answered else None,
    )


def confusion(records: Iterable[Asked]) -> tuple[Confusion, ...]:
    """Pairs of scopes, the most frequent first."""
    counts = Counter(
        (asked.question.about, asked.best)
        for asked in records
        if FAMILIES[asked.question.family].group == "answerable" and asked.best not in asked.question.scopes
    )
    pairs = [Confusion(right, got, count) for (right, got), count in counts.items() if got is not None]
    return tuple(sorted(pairs, key=lambda each: (-each.n, each.right, each.got)))


def _mean(values: Sequence[float | None]) -> float | None:
    kept = [value for value in values if value is not None]
    return sum(kept) / len(kept) if kept else None
