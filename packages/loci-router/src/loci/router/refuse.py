"""An answer that names no scope: what came close, and what whoever asked can do next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from . import advice
from .advice import Advice
from .calibration import CANDIDATE_HOLDS, CANDIDATE_SHARE, CANDIDATE_TERMS, CANDIDATES_AT_LEAST
from .case import Case
from .model import Reason, RoutedScope
from .question import OF_ALL
from .rank import Standing
from .spelling import misspelt

ADVISED_CANDIDATES = 3
"""Candidates that the advice of an abstention names."""


def candidates(case: Case, standing: Standing, meant: str | None) -> list[RoutedScope]:
    """What came close, best first; a scope whose name the question seems to misspell (`meant`) before all others."""
    found = _holding_rare(case, standing)
    if meant is not None:
        found.sort(key=lambda each: each.id != meant)
        if not found or found[0].id != meant:
            found[:0] = [
                replace(each, terms=each.terms[:CANDIDATE_TERMS]) for each in standing.ranking if each.id == meant
            ]
    return found


def _holding_rare(case: Case, standing: Standing) -> list[RoutedScope]:
    """Every eligible scope that holds a term which at most half of the corpus holds, in rank order.

    A large repository holds nearly every word somewhere. A term counts as held where it is at least a tenth as common
    as in the scope that has most of it. Where no scope holds such a term, the best-ranked scopes that hold anything of
    the question are the candidates: the subject is indexed nowhere only when none of its words is.
    """
    most = max(1, int(CANDIDATE_SHARE * len(case.evidence.scopes)))
    rare: dict[str, set[str]] = {}
    for term in case.evidence.terms:
        shares = case.shares(term.holders)
        floor = CANDIDATE_HOLDS * max(shares.values(), default=0.0)
        holders = {scope for scope, share in shares.items() if share >= floor}
        if holders and len(holders) <= most:
            rare.setdefault(term.word, set()).update(holders)
    found = []
    for each in standing.ranking:
        terms = [(word, weight) for word, weight in each.terms if each.id in rare.get(word, ())][:CANDIDATE_TERMS]
        if terms:
            found.append(replace(each, terms=terms))
    if not found:
        holders_of_any = [each for each in standing.ranking if each.terms]
        found = [replace(each, terms=each.terms[:CANDIDATE_TERMS]) for each in holders_of_any[:CANDIDATES_AT_LEAST]]
    return [
        replace(each, terms=[(_held_of(case, word, each.id), weight) for word, weight in each.terms]) for each in found
    ]


def _held_of(case: Case, word: str, scope: str) -> str:
    """A word, or of a name of several parts those that the scope has where it does not have all of it.

    That a project has entries is no reason to show `reconcileLedgerEntries` beside it.
    """
    terms = [term for term in case.evidence.terms if term.word == word]
    held = [term for term in terms if scope in term.holders]
    if len(held) == len(terms):
        return word
    pieces = dict.fromkeys(piece for term in held for piece in [_piece(word, term.term)] if piece != word)
    return ", ".join(pieces) or word


def _piece(word: str, term: str) -> str:
    """The part of a joined name that a term was made of: `Entries` of `reconcileLedgerEntries` and "entri"."""
    start = word.lower().find(term)
    if start < 0:
        return term
    rest = re.match(r"[A-Z]*[a-z]*|[A-Z]+|\d+", word[start + len(term) :])
    return word[start : start + len(term)] + (rest[0] if rest and rest[0].islower() else "")


def misspelt_scope(case: Case) -> str | None:
    """The one eligible scope whose name a word of the question, which no scope holds, nearly is."""
    held = {term.word for term in case.evidence.terms if term.holders}
    unknown = [term.word for term in case.evidence.terms if term.word not in held]
    if not unknown:
        return None
    names = {scope: (case.scopes[scope].name, scope, *case.scopes[scope].aliases) for scope in case.eligible}
    found = {scope for word in dict.fromkeys(unknown) for scope in [misspelt(word, names)] if scope is not None}
    return found.pop() if len(found) == 1 else None


def what_next(
    case: Case,
    reason: Reason,
    near: Sequence[RoutedScope],
    *,
    stray: RoutedScope | None,
    meant: str | None,
    thin: bool,
    languages_known: bool,
) -> Advice:
    """What whoever asked can do next.

    Args:
        case: The question.
        reason: Why no scope answers.
        near: The candidates.
        stray: The scope outside the group that would have answered.
        meant: The scope whose name is misspelt.
        thin: Whether hardly anything speaks for any scope.
        languages_known: Whether it is known which languages the scopes are written in.

    """
    groups = case.confinement.groups
    if reason == "out_of_group" and stray is not None:
        return advice.OutsideGroup(stray.id, stray.name, groups, asked_for=case.confinement.through == "group")
    if not case.scopes:
        return advice.NothingIndexed()
    if not case.confinement.eligible:
        return advice.EmptyGroup(groups)
    request = case.question.request
    if request is not None and request.kind in OF_ALL and languages_known:
        return advice.NoneInLanguage(tuple(request.languages), mostly=request.kind == "written_in")
    if meant is not None:
        return advice.Misspelt(meant, case.scopes[meant].name)
    ids = tuple(each.id for each in near[:ADVISED_CANDIDATES])
    if reason == "deictic":
        return advice.SubjectNotNamed(ids)
    if near and thin:
        return advice.HardlyAnyEvidence()
    if near:
        return advice.CommonWords(ids) if case.common else advice.ThinEvidence(ids)
    if not case.evidence.terms:
        return advice.NothingAskedOfSet() if case.question.enumeration is not None else advice.NoContentWords()
    if any(term.holders for term in case.evidence.terms):
        # Held, but by no project that may answer.
        return advice.OnlyOutside()
    return advice.IndexedNowhere()
