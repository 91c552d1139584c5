"""The figures, as pure functions: numbers in, numbers out.

Nothing here knows of a router, a file or a clock, so every function can be checked by hand.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Coverage",
    "Share",
    "auroc",
    "cluster_bootstrap",
    "first_rank",
    "hit_share",
    "lane_rank",
    "matched_weights",
    "percentile",
    "precision_recall",
    "risk_coverage",
    "weighted_share",
    "wilson_interval",
]

Z_95 = 1.959963984540054
"""The 97.5 % point of the normal distribution: two-sided 95 % intervals."""

RESAMPLES = 2000
"""Bootstrap resamples: the ends of a 95 % interval then move by well under a point between seeds."""


@dataclass(frozen=True)
class Share:
    """`successes` of `n`, with a 95 % interval. `share`, `low` and `high` are in [0, 1]; share is None when n is 0."""

    successes: int
    n: int
    low: float
    high: float

    @classmethod
    def of(cls, outcomes: Sequence[bool]) -> Share:
        """The share of True, with Wilson's interval."""
        successes = sum(outcomes)
        low, high = wilson_interval(successes, len(outcomes))
        return cls(successes=successes, n=len(outcomes), low=low, high=high)

    @property
    def share(self) -> float | None:
        """Successes / n, or None when nothing was counted."""
        return self.successes / self.n if self.n else None

    def to_json(self) -> dict[str, Any]:
        """`{"successes", "n", "share", "low", "high"}`; the last three are null when n is 0."""
        share = self.share
        return {
            "successes": self.successes,
            "n": self.n,
            "share": None if share is None else round(share, 4),
            "low": None if share is None else round(self.low, 4),
            "high": None if share is None else round(self.high, 4),
        }


def wilson_interval(successes: int, n: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval for a share, in [0, 1]; (0, 1) when n is 0, since nothing is known then.

    Chosen over the textbook interval because families have 4 to 60 questions and shares near 0 and 1.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie in 0..n, got {successes} of {n}")
    if n == 0:
        return 0.0, 1.0
    share = successes / n
    centre = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # Rounding may leave the exact ends 0 and 1 a hair on the wrong side of the share itself.
    low = 0.0 if successes == 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if successes == n else min(1.0, (centre + spread) / scale)
    return low, high


def cluster_bootstrap(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> tuple[float, float] | None:
    """Percentile interval of the mean of `values` when whole clusters are drawn with replacement; None without values.

    Questions on one project succeed and fail together, so drawing single questions would claim too much certainty.
    The result depends on `seed` and on the values, not on the order in which they come.
    """
    if len(values) != len(clusters):
        raise ValueError(f"one cluster per value: {len(values)} values, {len(clusters)} clusters")
    if not values:
        return None
    totals: dict[Hashable, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for value, cluster in zip(values, clusters, strict=True):
        totals[cluster][0] += value
        totals[cluster][1] += 1
    sums = sorted((total, count) for total, count in totals.values())
    generator = random.Random(seed)
    means = []
    for _ in range(resamples):
        drawn = generator.choices(sums, k=len(sums))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    tail = 100 * (1 - level) / 2
    return percentile(means, tail), percentile(means, 100 - tail)


def percentile(values: Sequence[float], q: float) -> float:
    """The q-th percentile (0..100) of `values`, linear between neighbours; raises ValueError when there are none."""
    if not values:
        raise ValueError("no values")
    if not 0 <= q <= 100:
        raise ValueError(f"q must lie in 0..100, got {q}")
    ordered = sorted(values)
    position = q / 100 * (len(ordered) - 1)
    below = math.floor(position)
    above = math.ceil(position)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def auroc(
    positives: Sequence[float],
    negatives: Sequence[float],
    positive_weights: Sequence[float] | None = None,
    negative_weights: Sequence[float] | None = None,
) -> float | None:
    """The chance that a random positive scores above a random negative, ties counting half; None when a side is empty.

    With weights, each item is drawn with a chance in proportion to its weight.
    """
    positive_weights = [1.0] * len(positives) if positive_weights is None else positive_weights
    negative_weights = [1.0] * len(negatives) if negative_weights is None else negative_weights
    if len(positive_weights) != len(positives) or len(negative_weights) != len(negatives):
        raise ValueError("one weight per score")
    mass = math.fsum(positive_weights) * math.fsum(negative_weights)
    if mass <= 0:
        return None
    order = sorted(range(len(negatives)), key=lambda index: negatives[index])
    scores = [negatives[index] for index in order]
    below = [0.0]
    for index in order:
        below.append(below[-1] + negative_weights[index])
    won = 0.0
    for score, weight in zip(positives, positive_weights, strict=True):
        left, right = bisect_left(scores, score), bisect_right(scores, score)
        won += weight * (below[left] + (below[right] - below[left]) / 2)
    return min(1.0, won / mass)


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


def precision_recall(selected: Collection[str], gold: Collection[str]) -> tuple[float | None, float | None]:
    """Precision and recall of a selected set.

    Precision is None when nothing was selected, recall when gold is empty.
    """
    chosen, wanted = set(selected), set(gold)
    both = len(chosen & wanted)
    return (both / len(chosen) if chosen else None, both / len(wanted) if wanted else None)


def first_rank(sources: Sequence[Hashable], evidence: Collection[Hashable]) -> int | None:
    """The 1-based rank of the first source that is evidence, sources counted once each; None when there is none."""
    seen: set[Hashable] = set()
    for source in sources:
        if source in seen:
            continue
        seen.add(source)
        if source in evidence:
            return len(seen)
    return None


def lane_rank(files: Sequence[Hashable], commits: Sequence[Hashable], evidence: Collection[Hashable]) -> int | None:
    """The smallest k with the evidence among the first k files or the first k commits; None when it is in neither."""
    ranks = [rank for rank in (first_rank(files, evidence), first_rank(commits, evidence)) if rank is not None]
    return min(ranks, default=None)


def hit_share(ranks: Sequence[int | None], k: int) -> Share:
    """The share of ranks that are k or better; None is a miss."""
    return Share.of([rank is not None and rank <= k for rank in ranks])
