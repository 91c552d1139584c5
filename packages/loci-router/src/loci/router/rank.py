"""The score of each scope for one question, the sum of its signals, and how sure the best of them are."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .calibration import RECENCY_HALF_LIFE
from .case import Case
from .model import RoutedScope


@dataclass(frozen=True)
class Standing:
    """Scopes, scored and ranked, before anything is decided.

    Attributes:
        ranking: Best first, ties by id.
        near: The named scopes, else those whose score is near the best: together they answer "which".
        confidence: That the answer is among `near`.

    """

    ranking: tuple[RoutedScope, ...] = ()
    near: tuple[RoutedScope, ...] = ()
    confidence: float = 0.0


def rank(
    case: Case, eligible: Iterable[str], *, directory: bool = True, defining: Collection[str] = frozenset()
) -> Standing:
    """Scores and ranks the `eligible` scopes.

    Args:
        case: The question.
        eligible: Ids of the scopes.
        directory: Whether the working directory counts.
        defining: The scopes whose definition of a symbol identifies them as the subject.

    """
    signals = {scope: _signals(case, scope, directory, defining) for scope in eligible}
    scores = {scope: math.fsum(each.values()) for scope, each in signals.items()}
    if not scores:
        return Standing()
    order = sorted(scores, key=lambda scope: (-scores[scope], scope))
    powers = {scope: math.exp(scores[scope] - scores[order[0]]) for scope in order}
    total = math.fsum(powers.values())

    def is_certain(scope: str) -> bool:
        # A name, a definition and the directory say that there is an answer without any evidence.
        return scope in case.identified or scope in defining or (directory and scope == case.cwd)

    def whether(scope: str) -> float:
        evidence = case.evidence.scopes.get(scope)
        return 1.0 if is_certain(scope) else evidence.whether if evidence else 0.0

    def agreement(scope: str) -> float:
        evidence = case.evidence.scopes.get(scope)
        return 1.0 if evidence is None or is_certain(scope) else evidence.agreement

    def which(scope: str) -> float:
        # The name says which, as surely as it is used as one, whatever the evidence says of the others.
        named = case.weights[scope] if scope in case.identified else 0.0
        return max(powers[scope] / total, named)

    confidence = case.calibration.confidence
    ranking = tuple(
        RoutedScope(
            id=scope,
            name=case.scopes[scope].name,
            score=scores[scope],
            confidence=confidence(which(scope), whether(scope), agreement(scope)),
            signals=signals[scope],
            terms=list(case.evidence.scopes[scope].terms) if scope in case.evidence.scopes else [],
        )
        for scope in order
    )
    near = _near(case, ranking)
    together = max(math.fsum(powers[each.id] for each in near) / total, *(which(each.id) for each in near))
    exists = max(whether(each.id) for each in near)
    return Standing(ranking, near, confidence(together, exists, agreement(near[0].id)))


def _signals(case: Case, scope: str, directory: bool, defining: Collection[str]) -> dict[str, float]:
    calibration = case.calibration
    evidence = case.evidence.scopes.get(scope)
    signals = {"evidence": evidence.combined if evidence else case.least_evidence}
    if scope in case.confinement.demoted and signals["evidence"] > 0.0:
        # Below the average there is nothing to halve: it would be a promotion.
        signals["demoted"] = -(1.0 - calibration.demotion) * signals["evidence"]
    if scope in case.weights:
        signals["named"] = calibration.named * case.weights[scope]
    if scope in defining:
        signals["symbol"] = calibration.named
    if directory and scope == case.cwd:
        signals["cwd"] = calibration.cwd
    time = case.scopes[scope].last_commit_time
    if time is not None and case.newest_commit is not None:
        signals["recency"] = calibration.recency * 0.5 ** ((case.newest_commit - time) / RECENCY_HALF_LIFE)
    return signals


def _near(case: Case, ranking: Sequence[RoutedScope]) -> tuple[RoutedScope, ...]:
    calibration = case.calibration
    named = [each for each in ranking if each.id in case.identified]
    if named:
        return tuple(named[: calibration.max_single])
    top = ranking[0]
    floor = calibration.keep_ratio * top.score if top.score > 0.0 else top.score
    return tuple([each for each in ranking if each.score >= floor][: calibration.max_single])
