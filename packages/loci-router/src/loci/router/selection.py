"""Which scopes an answer takes: those beside the best one, or those of a set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from .calibration import BESIDE_LEAST, CONCENTRATED_HALF, CONCENTRATED_SCOPES, CONCENTRATED_SHARE
from .case import Case
from .evidence import concentration
from .model import RoutedScope
from .question import Request
from .rank import Standing

WRITTEN_IN_SHARE = 0.25
"""A scope is written in a language that this share of its source files is in, whichever other has more."""


def selected(case: Case, standing: Standing) -> list[RoutedScope]:
    """Those near the best, others that have as much of the question, and the holders of a concentrated term.

    A scope beside the best has a small share of the softmax, whose shares sum to one. Its confidence is how much it has
    of what the best has, as far as the best one is right.
    """
    beside = [each.id for each in standing.ranking if _speaks(case, each.id)]
    near = [each.id for each in standing.near]
    room = max(0, case.calibration.max_single - len(near))
    kept = {*near, *[scope for scope in beside if scope not in near][:room], *_concentrated(case)}
    best = standing.ranking[0].confidence
    return [
        replace(each, confidence=max(each.confidence, best * min(1.0, case.holds(each.id))))
        for each in standing.ranking
        if each.id in kept
    ]


def holding(case: Case, standing: Standing, threshold: float) -> list[RoutedScope]:
    """The scopes that hold enough of the question, each taken on its own, in rank order."""
    return [
        RoutedScope(each.id, each.name, each.score, case.holds(each.id), each.signals, each.terms)
        for each in standing.ranking
        if case.holds(each.id) >= threshold
    ]


def in_languages(standing: Standing, request: Request, languages: Mapping[str, Mapping[str, int]]) -> list[RoutedScope]:
    """The scopes with files in the languages asked for, most first: a matter of files, not of words.

    Written in a language is what has more files in it than in any other, or a good part of all.
    """
    found: list[RoutedScope] = []
    for each in standing.ranking:
        counts = languages.get(each.id, {})
        total = sum(counts.values())
        part = sum(counts.get(language, 0) for language in request.languages)
        most = max(counts.values(), default=0)
        if not part or (request.kind == "written_in" and part < most and part < WRITTEN_IN_SHARE * total):
            continue
        found.append(replace(each, confidence=min(1.0, part / most), signals={"language": part / total}))
    return sorted(found, key=lambda each: (-each.signals["language"], each.id))


def users(standing: Standing, uses: Mapping[str, frozenset[str]], used: Collection[str]) -> list[RoutedScope]:
    """The scopes that use one of the `used`, or any other where there are none, in rank order."""
    found = {user for user, its in uses.items() if (its.intersection(used) if used else its)}
    return [
        RoutedScope(each.id, each.name, each.score, 1.0, each.signals, each.terms)
        for each in standing.ranking
        if each.id in found
    ]


def _speaks(case: Case, scope: str) -> bool:
    """Whether a scope's own evidence speaks for it, however much better another one is."""
    calibration = case.calibration
    evidence = case.evidence.scopes.get(scope)
    if evidence is None:
        return False
    if evidence.holds >= calibration.beside_factor * calibration.holds_threshold:
        return True
    return evidence.holds >= BESIDE_LEAST and evidence.whether >= calibration.beside_alone


def _concentrated(case: Case) -> set[str]:
    """The eligible scopes that hold a term which hardly any other scope holds, and make much of it."""
    found: set[str] = set()
    for term in case.evidence.terms:
        if 0 < len(term.holders) <= CONCENTRATED_SCOPES:
            shares = case.shares(term.holders)
            if concentration(shares, len(case.evidence.scopes)) < CONCENTRATED_HALF:
                continue
            much = max(CONCENTRATED_SHARE, CONCENTRATED_HALF * max(shares.values()))
            found |= {scope for scope, share in shares.items() if share >= much}
    return found & case.confinement.eligible
