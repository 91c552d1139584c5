"""Every number the router decides with: a named default with its source, or a value fitted to a corpus."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._errors import BadCalibration

TEMPERATURE = 0.23
"""What a sum of z-scores is multiplied with to be log-odds: with it the softmax is calibrated as it stands (of 53
answers below one half 40 % were right, of 109 above nine tenths all).
"""

NAMED_BOOST = 6.0
"""Log-odds for a project that is named: outweighs all but the clearest evidence for another one."""

CWD_BOOST = 4.0
"""Log-odds for the scope of the working directory: about fifty to one before the question is read. Clear evidence for
another project is worth more than that, a vague question is not."""

RECENCY_BOOST = 0.15
"""Log-odds for the scope with the newest commit; halves every `RECENCY_HALF_LIFE`. A tie-break."""

RECENCY_HALF_LIFE = 180 * 86_400
"""Seconds in which a commit loses half of its recency."""

DEMOTION = 0.5
"""What is left of the evidence of a scope outside a soft group."""

THRESHOLD = 0.5
"""The confidence from which a question is answered."""

DEICTIC_THRESHOLD = 0.8
"""The confidence from which a question that points at an unnamed subject is answered all the same."""

SET_FACTOR = 0.8
"""In set mode a scope is kept when it clears this share of the threshold on its own."""

KEEP_RATIO = 0.85
"""In single mode scopes within this share of the best score are kept."""

MAX_SINGLE = 3
"""The most scopes that single mode selects by score."""

MAX_SET = 8
"""The most scopes that set mode selects."""

CONCENTRATED_SCOPES = 2
"""A term that at most so many scopes hold is concentrated."""

CONCENTRATED_SHARE = 0.02
"""A scope makes much of a term when at least this share of its passages holds it."""

CANDIDATE_SHARE = 0.5
"""A candidate's terms are held by at most this share of all scopes."""

CANDIDATE_TERMS = 3
"""How many such terms a candidate shows."""

WHETHER: Mapping[str, float] = {"bias": -2.0, "raw": 8.0, "missing": -3.0}
"""Log-odds that a scope holds an answer: bias + sum of coefficient x sign. Signs are relative to the largest idf of the
corpus: `raw` is the absolute evidence, `missing` the most telling word that the best passages lack."""


@dataclass(frozen=True)
class Calibration:
    """The numbers of the router; every one may be fitted to a corpus.

    Args:
        weights: score name -> its weight in the sum; scores that are not listed weigh 1.
        temperature: Multiplies the sum of z-scores.
        whether_weights: Coefficients of the log-odds that a scope holds an answer ("bias", "raw", "missing").
        threshold: Confidence from which a question is answered, 0 to 1.
        deictic_threshold: The same for a question that points at an unnamed subject.
        named, cwd, recency: Log-odds added for a named project, the working directory, the newest commit.
        demotion: What is left of the evidence outside a soft group, 0 to 1.
        set_factor: Share of the threshold that a scope must clear in set mode.
        keep_ratio: Share of the best score that a scope must reach in single mode.
        max_single, max_set: The most scopes selected in each mode.
        fitted_on: What the values were fitted on, for the person who reads them; {} for the shipped ones.

    Raises:
        BadCalibration: A value is not a finite number, or outside its range.

    """

    weights: Mapping[str, float] = field(default_factory=dict)
    temperature: float = TEMPERATURE
    whether_weights: Mapping[str, float] = field(default_factory=lambda: dict(WHETHER))
    threshold: float = THRESHOLD
    deictic_threshold: float = DEICTIC_THRESHOLD
    named: float = NAMED_BOOST
    cwd: float = CWD_BOOST
    recency: float = RECENCY_BOOST
    demotion: float = DEMOTION
    set_factor: float = SET_FACTOR
    keep_ratio: float = KEEP_RATIO
    max_single: int = MAX_SINGLE
    max_set: int = MAX_SET
    fitted_on: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("weights", "whether_weights"):
            values = getattr(self, name)
            if not isinstance(values, Mapping):
                raise BadCalibration(f"`{name}` must be an object of numbers, not {values!r}")
            for key, value in values.items():
                _finite(f"{name}.{key}", value)
        for name in ("temperature", "named", "cwd", "recency"):
            if _finite(name, getattr(self, name)) < 0:
                raise BadCalibration(f"`{name}` must not be negative: {getattr(self, name)}")
        for name in ("threshold", "deictic_threshold", "demotion", "set_factor", "keep_ratio"):
            if not 0.0 <= _finite(name, getattr(self, name)) <= 1.0:
                raise BadCalibration(f"`{name}` must be between 0 and 1: {getattr(self, name)}")
        for name in ("max_single", "max_set"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise BadCalibration(f"`{name}` must be a whole number of at least 1: {value!r}")

    def whether(self, signs: Mapping[str, float]) -> float:
        """The probability that a scope with these signs holds an answer; signs without a coefficient do not count."""
        weights = self.whether_weights
        return logistic(
            weights.get("bias", 0.0) + math.fsum(weights.get(name, 0.0) * value for name, value in signs.items())
        )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; `from_json` reads them back."""
        data = dataclasses.asdict(self)
        return {name: dict(value) if isinstance(value, Mapping) else value for name, value in data.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Calibration:
        """Reads what `to_json` wrote; missing keys keep their defaults, unknown ones are ignored.

        Raises:
            BadCalibration: A value is of the wrong kind or outside its range.

        """
        if not isinstance(data, Mapping):
            raise BadCalibration(f"a calibration is an object, not {type(data).__name__}")
        known = {each.name for each in dataclasses.fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})


def logistic(log_odds: float) -> float:
    """The probability with these log-odds."""
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    power = math.exp(log_odds)
    return power / (1.0 + power)


def _finite(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise BadCalibration(f"`{name}` must be a finite number, not {value!r}")
    return float(value)
