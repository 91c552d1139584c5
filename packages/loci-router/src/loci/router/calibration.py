"""Every number the router decides with: a named default with its source, or a value fitted to a corpus."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import BadCalibration

TEMPERATURE = 0.23
"""What a sum of z-scores is multiplied with to be log-odds: with it the softmax is calibrated as it stands (of 53
answers below one half 40 % were right, of 109 above nine tenths all).
"""

NAMED_BOOST = 6.0
"""Log-odds for a project that is named: outweighs all but the clearest evidence for another one."""

CWD_BOOST = 4.5
"""Log-odds for the scope of the working directory: about ninety to one before the question is read. Clear evidence for
another project is worth more than that, a vague question is not."""

RECENCY_BOOST = 0.15
"""Log-odds for the scope with the newest commit; halves every `RECENCY_HALF_LIFE`. A tie-break."""

RECENCY_HALF_LIFE = 180 * 86_400
"""Seconds in which a commit loses half of its recency."""

DEMOTION = 0.5
"""What is left of the evidence of a scope outside a soft group."""

CONFIDENCE: Mapping[str, float] = {"bias": 1.5, "slope": 1.15, "agreement": 1.5}
"""Log-odds that the answer is right: bias + slope x ln(which x whether) + agreement x (the share of the scores that put
this scope first, one by one). "Which" is the answer's share of the softmax, "whether" that there is an answer at all. A
sum hides whether its parts agree. Fitted on 168 questions over 30 repositories, 20 of them without an answer, in folds
that leave out one project each: without agreement a right answer stands above a wrong one in 82 % of all pairs, with it
in 84 % (logarithmic loss 0.414 and 0.398)."""

THRESHOLD = 0.68
"""The confidence from which a question is answered: three of four answerable questions, 94 % of them right. In folds
that leave out one project each, 94.4 % of the most confident 75 % are right, and 92.7 % of 80 %."""

DEICTIC_THRESHOLD = 0.8
"""The same for a question that points at a subject it never names."""

COMMON_SHARE = 0.8
"""A word that more than this share of all scopes hold does not set projects apart."""

LEAVE_THRESHOLD = 0.85
"""The same for a question to leave the working directory."""

SUGGESTION = 0.45
"""The confidence from which a question too thin to leave the working directory takes the other project along. Asked
from inside a wrong project, the right one is among those selected in 82 % of 360 cases; with 0.55 or 0.6 in 80 %, and a
question from inside the right one then selects 1.29 or 1.26 scopes instead of 1.34."""

HOLDS_THRESHOLD = 0.8
"""How much of what the best scope has another one must have to stand beside it; 1 is all of it."""

SET_FACTOR = 0.8
"""In set mode a scope is kept when it clears this share of `HOLDS_THRESHOLD` on its own: recall 0.80 at precision
0.71 on 12 enumerative questions.
"""

BESIDE_FACTOR = 0.95
"""In single mode a scope is kept beside the best when it clears this share of `HOLDS_THRESHOLD`, that is 0.76 of what
the best scope has; or, with less, when it would hold an answer alone (`BESIDE_ALONE`). The trade-off, for 8 questions
that fit two projects (share of their projects selected, and of the selected that are right) and 93 answered ones that
fit one (scopes selected on average):

| kept beside the best | recall | precision | selected |
|---|---|---|---|
| of the best three, from 0.50 | 0.81 | 0.67 | 1.76 |
| from 0.65 | 0.75 | 0.69 | 1.34 |
| from 0.76 | 0.75 | 0.85 | 1.10 |
| from 0.85 | 0.56 | 0.96 | 1.04 |
| from 0.76, or from 0.50 with 0.64 to 0.72 alone | 0.81 | 0.85 | 1.31 to 1.18 |

From 0.74 to 0.78 nothing changes but the last column, by 0.04. The near ones of `KEEP_RATIO` are not counted here; with
them a question that fits one project selects 1.25 scopes."""

BESIDE_ALONE = 0.7
"""A scope that holds an answer by itself with this probability stands beside the best ..."""

BESIDE_LEAST = 0.5
"""... when it has at least this much of what the best has."""

KEEP_RATIO = 0.9
"""In single mode scopes within this share of the best score are kept. With 0.85 as with 0.9 two near scopes are both
selected where the evidence is torn, but 0.85 selects 1.17 scopes on average and 0.9 selects 1.09, and what it lets go
was right in none of seven questions."""

MAX_SINGLE = 3
"""The most scopes that single mode selects by score."""

MAX_SET = 8
"""The most scopes that set mode selects."""

CONCENTRATED_SCOPES = 2
"""A term that at most so many scopes hold is concentrated."""

CONCENTRATED_SHARE = 0.02
"""A scope makes much of a term when at least this share of its passages holds it, and ..."""

CONCENTRATED_HALF = 0.5
"""... at least this part of the share that the scope with the largest one has. The same for how unevenly the term is
spread over the scopes (1: one has it): in a corpus of three a term that two of them hold tells nothing."""

CANDIDATE_SHARE = 0.5
"""A candidate's terms are held by at most this share of all scopes."""

CANDIDATE_HOLDS = 0.1
"""A term counts as held where its share of the passages is at least this part of its largest share in any scope."""

CANDIDATE_TERMS = 3
"""How many such terms a candidate shows."""

CANDIDATES_AT_LEAST = 3
"""When no scope holds such a term, so many of the best-ranked scopes are shown with their strongest terms."""

ADVISABLE = 0.1
"""Below this confidence an abstention names no project to try. Of 20 questions that nothing answers seven lie below it;
of 28 others that were not answered one, whose best candidate was the wrong project (base questions, 2026-11-30)."""

ALONE_PASSAGES = 3
"""A word by itself goes to the only scope that holds it from so many passages on. Of 37 everyday nouns, asked of the 30
repositories, eleven stand in one of them only: in one passage or two, by chance (2026-11-30)."""

OWN_TERMS = 3
"""A question with so many content words says what it is about, also where somebody ("we") does it."""

MISSPELLINGS: tuple[tuple[int, int], ...] = ((8, 2), (5, 1))
"""(letters, edits): a word of at least so many letters may be a name misspelt by so many edits."""

RAW_FLOOR = 0.02
"""Added to the absolute evidence before its logarithm is taken: what a stray match in a large scope is worth."""

SMALL_CORPUS = 2_000
"""Passages at which a missing word counts half: about those of one small repository with its history."""

WHETHER: Mapping[str, float] = {"bias": 1.27, "raw": 1.22, "absent": -2.32}
"""Log-odds that a scope holds an answer: bias + sum of coefficient x sign. `raw` is the logarithm of the absolute
evidence, `absent` the most telling word that the scope lacks, both relative to the largest idf of the corpus. Fitted
on 877 commit subjects of 30 repositories, taken out of their index, with their scope there and with it taken out of
the corpus.
"""

WEIGHTS: Mapping[str, float] = {"description": 1.5}
"""Weights of the scores that do not weigh 1. A question that names no project describes it, in the words of its README:
with this weight 84 % of 120 questions go right first, without it 79 %."""


@dataclass(frozen=True)
class Calibration:
    """The numbers of the router; every one may be fitted to a corpus.

    Args:
        weights: score name -> its weight in the sum; scores that are not listed weigh 1.
        temperature: Multiplies the sum of z-scores.
        whether_weights: Coefficients of the log-odds that a scope holds an answer ("bias", "raw", "absent").
        confidence_weights: Coefficients of the log-odds that the answer is right ("bias", "slope",
            "agreement").
        threshold: Confidence from which a question is answered, 0 to 1.
        deictic_threshold: The same for a question that points at an unnamed subject.
        leave_threshold: The same for a question to leave the working directory.
        named, cwd, recency: Log-odds added for a named project, the working directory, the newest commit.
        demotion: What is left of the evidence outside a soft group, 0 to 1.
        holds_threshold: How much of what the best scope has another must have to stand beside it, 0 to 1.
        set_factor, beside_factor: Share of it that a scope must clear in set mode, and in single mode.
        beside_alone: Or the probability that it holds an answer by itself, in single mode.
        keep_ratio: Share of the best score that a scope must reach in single mode.
        max_single, max_set: The most scopes selected in each mode.
        fitted_on: What the values were fitted on, for the person who reads them; {} for the shipped ones.

    Raises:
        BadCalibration: A value is not a finite number, or outside its range.

    """

    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    temperature: float = TEMPERATURE
    whether_weights: Mapping[str, float] = field(default_factory=lambda: dict(WHETHER))
    confidence_weights: Mapping[str, float] = field(default_factory=lambda: dict(CONFIDENCE))
    threshold: float = THRESHOLD
    deictic_threshold: float = DEICTIC_THRESHOLD
    leave_threshold: float = LEAVE_THRESHOLD
    named: float = NAMED_BOOST
    cwd: float = CWD_BOOST
    recency: float = RECENCY_BOOST
    demotion: float = DEMOTION
    holds_threshold: float = HOLDS_THRESHOLD
    set_factor: float = SET_FACTOR
    beside_factor: float = BESIDE_FACTOR
    beside_alone: float = BESIDE_ALONE
    keep_ratio: float = KEEP_RATIO
    max_single: int = MAX_SINGLE
    max_set: int = MAX_SET
    fitted_on: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("weights", "whether_weights", "confidence_weights"):
            values = getattr(self, name)
            if not isinstance(values, Mapping):
                raise BadCalibration(f"`{name}` must be an object of numbers, not {values!r}")
            for key, value in values.items():
                _finite(f"{name}.{key}", value)
        for name in ("temperature", "named", "cwd", "recency"):
            if _finite(name, getattr(self, name)) < 0:
                raise BadCalibration(f"`{name}` must not be negative: {getattr(self, name)}")
        for name in (
            "threshold",
            "deictic_threshold",
            "leave_threshold",
            "demotion",
            "holds_threshold",
            "set_factor",
            "beside_factor",
            "beside_alone",
            "keep_ratio",
        ):
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

    def confidence(self, which: float, whether: float, agreement: float = 1.0) -> float:
        """The probability that an answer is right.

        Args:
            which: Its share of the softmax, 0 to 1.
            whether: The probability that there is an answer, 0 to 1.
            agreement: The share of the single scores that put it first, 0 to 1.

        """
        product = max(0.0, min(1.0, which)) * max(0.0, min(1.0, whether))
        if product <= 0.0:
            return 0.0
        weights = self.confidence_weights
        agreeing = weights.get("agreement", 0.0) * max(0.0, min(1.0, agreement))
        return logistic(weights.get("bias", 0.0) + weights.get("slope", 1.0) * math.log(product) + agreeing)

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
