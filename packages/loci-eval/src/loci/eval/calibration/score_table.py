"""The scores of every scope for every question, as one array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..own.corpus import Asked

if TYPE_CHECKING:
    from loci.router import Calibration

__all__ = ["ScoreTable"]


@dataclass(frozen=True)
class ScoreTable:
    """z-scores of every scope for every question: questions x scopes x scores."""

    scores: Any
    right: Any
    family: list[str]
    about: list[str]
    names: tuple[str, ...]

    @classmethod
    def of(cls, asked: Sequence[Asked]) -> ScoreTable:
        import numpy as np

        from loci.router import SCORES

        rows, right, family, about = [], [], [], []
        for each in asked:
            measurement = next(iter(each.measured.values()), None)
            if measurement is None or each.question.about not in measurement.scopes:
                continue
            scopes = list(measurement.scopes)
            values = np.array([[measurement.scopes[scope].scores[name] for name in SCORES] for scope in scopes])
            deviation = values.std(axis=0)
            flat = deviation <= 1e-9 * np.maximum(1.0, np.abs(values).max(axis=0))
            rows.append(np.where(flat, 0.0, (values - values.mean(axis=0)) / np.where(flat, 1.0, deviation)))
            right.append(scopes.index(each.question.about))
            family.append(each.question.family)
            about.append(each.question.about)
        empty = np.zeros((0, 1, len(SCORES)))
        return cls(np.array(rows) if rows else empty, np.array(right, dtype=np.int64), family, about, SCORES)

    def prior(self, calibration: Calibration) -> Any:
        """The weights in use, as log-odds per z-score."""
        import numpy as np

        return np.array([calibration.weights.get(name, 1.0) * calibration.temperature for name in self.names])

    def named(self, fitted: Any, calibration: Calibration) -> dict[str, float]:
        """Fitted log-odds as weights beside the temperature in use; none below 0, since each speaks for a scope."""
        return {
            name: round(max(0.0, float(value)) / (calibration.temperature or 1.0), 3)
            for name, value in zip(self.names, fitted, strict=True)
        }

    def chooses_right(self, weights: Any) -> Any:
        """Per question, whether the right scope has the largest sum."""
        return (self.scores @ weights).argmax(axis=1) == self.right
