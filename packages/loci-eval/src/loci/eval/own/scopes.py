"""The result of each scope, and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .corpus import Asked, Corpus
from .evaluation import FamilyResult, ScopeResult
from .families import FAMILIES

if TYPE_CHECKING:
    from loci.router import Calibration

__all__ = ["advice", "scope_results"]

LITTLE = 40
"""Passages below which a scope has too little text to be found by."""

POOR = 0.5
"""A scope whose own questions go right less often needs a name or its documents."""


def scope_results(corpus: Corpus, records: Sequence[Asked]) -> tuple[ScopeResult, ...]:
    own = [asked for asked in records if FAMILIES[asked.question.family].group == "answerable"]
    drawn = Counter(asked.best for asked in own if asked.best not in asked.question.scopes)
    rows = []
    for scope in sorted(corpus.index.scopes):
        its = [asked for asked in own if asked.question.about == scope]
        passages = sum(map(len, corpus.index.numbers(scope).values()))
        right = sum(asked.right for asked in its)
        name = corpus.scopes[scope].name
        advice = ""
        if passages < LITTLE:
            advice = f"only {passages} passages: name {name} in a question, or ask from inside it"
        elif its and right < POOR * len(its):
            rivals = Counter(asked.best for asked in its if not asked.right and asked.best is not None)
            rival = min(rivals, key=lambda each: (-rivals[each], each)) if rivals else None
            advice = (
                f"most of its own questions go elsewhere{f', first to {rival}' if rival else ''}; name it when you ask"
            )
        elif drawn[scope] > max(4, len(its)):
            advice = f"draws {drawn[scope]} questions of others: is text of others in it (copies, dependencies)?"
        rows.append(
            ScopeResult(
                scope, name, passages, len(its), right, sum(not a.route.abstained for a in its), drawn[scope], advice
            )
        )
    return tuple(rows)


def advice(families: Sequence[FamilyResult], scopes: Sequence[ScopeResult], calibration: Calibration) -> Iterable[str]:
    if not calibration.fitted_on:
        yield "the threshold is the shipped one: `loci calibrate` chooses it for these projects"
    by_name = {result.family.name: result for result in families}
    refused = by_name.get("removed_scope")
    if refused is not None and (refused.share.share or 0.0) < 0.5:
        yield (
            "of questions whose project is missing, more than half are answered from another one: "
            "a stricter threshold (`loci calibrate --max-wrong 0.02`) refuses more of them"
        )
    poor = [scope.name for scope in scopes if scope.advice]
    if poor:
        yield f"{len(poor)} of {len(scopes)} projects need a look: {', '.join(poor[:5])}"
    if len(scopes) < 2:
        yield "there is one project: nothing can be confused, and nothing here says how routing does"
