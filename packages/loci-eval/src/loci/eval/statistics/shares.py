"""Shares with their intervals."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Share", "cluster_bootstrap", "wilson_interval"]

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
    import numpy as np

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
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
