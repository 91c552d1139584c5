"""Why a question went wrong, as far as the evidence says.

| reason | means |
|---|---|
| gate | the right project ranks first and the question was not answered |
| vocabulary absent | half or more of what the words of the question tell stands nowhere in the right project |
| words apart | the right project has the words, and its best passages hold less than half of what they tell |
| name trap | the name of the project it went to stands in the question |
| two projects alike | the right project is next, with nearly as much evidence |
| evidence | none of these: the words speak for another project |

The text that a question was made from is not there while it is asked, and so does not count for where a word stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .corpus import Asked

if TYPE_CHECKING:
    from loci.router import Evidence

__all__ = ["Miss", "explain_miss"]

ALIKE = 0.8
"""The right project is like the one it went to when it has this share of what that one has (`ScopeEvidence.holds`)."""

POOR_COVERAGE = 0.5
"""What the words tell is poorly held where less than this part of it is: by the whole project, the words are absent; by
its best passages alone, they stand apart."""

SHOWN_WORDS = 3


@dataclass(frozen=True)
class Miss:
    """A question that went wrong. `right`: the scopes that answer it. `got`: where it went, or would have gone."""

    family: str
    question: str
    right: tuple[str, ...]
    got: str | None
    confidence: float
    answered: bool
    reason: str
    detail: str


def explain_miss(asked: Asked) -> Miss | None:
    """The miss of a question, or None where it went right and was answered (or refused, if that is right)."""
    question = asked.question
    answered = not asked.route.abstained
    got = asked.best
    if not question.scopes:
        if not answered:
            return None
        reason, detail = _why_answered(asked)
    elif got in question.scopes:
        if answered:
            return None
        reason, detail = "gate", f"ranks first, refused: {asked.route.reason}"
    else:
        reason, detail = _why_elsewhere(asked, got)
    return Miss(
        question.family, question.question, question.scopes, got, asked.route.confidence, answered, reason, detail
    )


def _why_answered(asked: Asked) -> tuple[str, str]:
    got = asked.best
    if got in asked.mentions:
        return "name trap", f"the name of {got} stands in it"
    evidence = asked.route.trace.evidence.scopes.get(got)
    words = ", ".join(word for word, _ in evidence.terms[:3]) if evidence is not None else ""
    return "evidence", f"{got} holds {words}" if words else "nothing holds its words"


def _why_elsewhere(asked: Asked, got: str | None) -> tuple[str, str]:
    trace = asked.route.trace
    if got is not None and got in asked.mentions:
        return "name trap", f"the name of {got} stands in it"
    scopes = trace.evidence.scopes if trace is not None else {}
    right = max(
        (scopes[scope] for scope in asked.question.scopes if scope in scopes),
        key=lambda each: each.combined,
        default=None,
    )
    if right is None or trace is None:
        return "vocabulary absent", "the right project is not indexed"
    best = scopes.get(got or "")
    if right.missing and right.signs.get("coverage", 1.0) < POOR_COVERAGE:
        nowhere, share = _nowhere(trace.evidence, right.id)
        if share >= 1.0 - POOR_COVERAGE:
            but = "outside the text that the question was made from, " if asked.question.omit else ""
            return "vocabulary absent", f"{but}{right.id} nowhere has {_list(nowhere)}"
        elsewhere = [word for word in right.missing if word not in nowhere]
        if elsewhere:
            return "words apart", f"the best passages of {right.id} lack {_list(elsewhere)}, which others of it have"
    if right.holds >= ALIKE and best is not None:
        return "two projects alike", f"{right.id} has {right.holds:.0%} of what {best.id} has"
    ranks = [each.id for each in trace.ranking] if trace is not None else []
    return "evidence", f"{right.id} ranks {ranks.index(right.id) + 1}" if right.id in ranks else "not ranked"


def _nowhere(evidence: Evidence, scope: str) -> tuple[list[str], float]:
    """The words of the question that a scope nowhere holds, most telling first, and their part of what all tell.

    `ScopeEvidence.missing` speaks of the best passages alone: what they lack may stand in hundreds of others.
    """
    from loci.router import concentration

    telling: dict[str, float] = {}
    absent: dict[str, float] = {}
    for term in evidence.terms:
        shares = {holder: count / max(evidence.sizes.get(holder, 0), 1) for holder, count in term.holders.items()}
        tells = term.idf * concentration(shares, len(evidence.sizes))
        telling[term.term] = tells
        if scope not in term.holders:
            absent[term.word] = max(tells, absent.get(term.word, 0.0))
    total = math.fsum(telling.values())
    lost = math.fsum(telling[term.term] for term in evidence.terms if scope not in term.holders)
    return sorted(absent, key=lambda word: (-absent[word], word)), lost / total if total > 0.0 else 0.0


def _list(words: Sequence[str]) -> str:
    return ", ".join(words[:SHOWN_WORDS])
