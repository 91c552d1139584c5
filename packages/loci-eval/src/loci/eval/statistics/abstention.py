"""Confidence against right and wrong: whether it parts what can be answered from what cannot, also at equal length."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ..errors import BenchUnavailable

__all__ = ["Coverage", "auroc", "matched_weights", "risk_coverage", "weighted_share"]


def auroc(
    positives: Sequence[float],
    negatives: Sequence[float],
    positive_weights: Sequence[float] | None = None,
    negative_weights: Sequence[float] | None = None,
) -> float | None:
    """The chance that a random positive scores above a random negative, ties counting half; None when a side is empty.

    With weights, each item is drawn with a chance in proportion to its weight.

    Raises BenchUnavailable without scikit-learn (`pip install 'loci-eval[bench]'`).
    """
    positive_weights = [1.0] * len(positives) if positive_weights is None else positive_weights
    negative_weights = [1.0] * len(negatives) if negative_weights is None else negative_weights
    if len(positive_weights) != len(positives) or len(negative_weights) != len(negatives):
        raise ValueError("one weight per score")
    if math.fsum(positive_weights) * math.fsum(negative_weights) <= 0:
        return None
    try:
        from sklearn.metrics import roc_auc_score
    except ImportError as error:
        raise BenchUnavailable(
            f"AUROC needs scikit-learn ({error}); install it with: pip install 'loci-eval[bench]'"
        ) from error
    sides = [True] * len(positives) + [False] * len(negatives)
    weights = [*positive_weights, *negative_weights]
    return float(roc_auc_score(sides, [*positives, *negatives], sample_weight=weights))


def matched_weights(positives: Sequence[Hashable], negatives: Sequence[Hashable]) -> tuple[list[float], list[float]]:
    """Weights that give both sides the same distribution of a property (here: the number of content words).

    Of each value, min(#positives, #negatives) are kept on both sides. Which ones is a matter of chance in a drawn
    subset; these weights are each item's probability of being kept, so a weighted mean is the mean over all such
    subsets and needs no seed. Each side's weights sum to the size of the matched subset; both are 0 without overlap.
    """
    have, need = Counter(positives), Counter(negatives)
    kept = {value: min(have[value], need[value]) for value in have.keys() & need.keys()}
    return (
        [kept.get(value, 0) / have[value] for value in positives],
        [kept.get(value, 0) / need[value] for value in negatives],
    )


def weighted_share(outcomes: Sequence[bool], weights: Sequence[float]) -> float | None:
    """The weighted share of True in [0, 1]; None when the weights sum to 0."""
    if len(outcomes) != len(weights):
        raise ValueError("one weight per outcome")
    total = math.fsum(weights)
    if total <= 0:
        return None
    return min(1.0, math.fsum(weight for outcome, weight in zip(outcomes, weights, strict=True) if outcome) / total)


@dataclass(frozen=True)
class Coverage:
    """One point of a risk-coverage curve: at `coverage` (share asked for), `answered` questions, `accuracy` of them.

    Of weighted questions `coverage` and `accuracy` are shares of the weight; `answered` stays a number of questions.
    """

    coverage: float
    answered: int
    accuracy: float


def risk_coverage(
    confidences: Sequence[float],
    correct: Sequence[bool],
    coverages: Sequence[float],
    weights: Sequence[float] | None = None,
) -> list[Coverage]:
    """Accuracy among the most confident questions, for each share of them that is answered.

    A share c answers round(c * n) questions, at least one. Where equal confidences straddle the cut, the accuracy is
    the expectation over which of them are answered. Empty when there are no questions.

    With `weights` (one above 0 per question) a share c answers that share of their sum, without rounding, the lightest
    question at least.
    """
    if len(confidences) != len(correct) or (weights is not None and len(weights) != len(correct)):
        raise ValueError("one outcome, and one weight if any, per confidence")
    if weights is not None and any(weight <= 0.0 for weight in weights):
        raise ValueError("weights must be above 0")
    if not confidences:
        return []
    tied: dict[float, list[tuple[bool, float]]] = defaultdict(list)
    for confidence, right, weight in zip(confidences, correct, weights or [1.0] * len(correct), strict=True):
        tied[confidence].append((right, weight))
    # The weight of the right ones, that of all, and how many; `fsum` does not depend on the order.
    ordered = [
        (math.fsum(w for right, w in its if right), math.fsum(w for _, w in its), len(its))
        for _, its in sorted(tied.items(), reverse=True)
    ]
    total = math.fsum(each for _, each, _ in ordered)
    points = []
    for coverage in coverages:
        if not 0 <= coverage <= 1:
            raise ValueError(f"a coverage lies in 0..1, got {coverage}")
        wanted = max(1, math.floor(coverage * total + 0.5)) if weights is None else max(min(weights), coverage * total)
        rest, won, answered = float(wanted), 0.0, 0.0
        for right, weight, count in ordered:
            taken = min(rest, weight)
            won += right * taken / weight
            answered += count * taken / weight
            rest -= taken
            if rest <= 0.0:
                break
        points.append(Coverage(coverage=coverage, answered=max(1, round(answered)), accuracy=min(1.0, won / wanted)))
    return points
