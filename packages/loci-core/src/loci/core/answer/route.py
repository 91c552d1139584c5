"""Where a question goes: the router's decision, or the project that was given, and what only core knows beside it."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from loci.core.answer.freshness import Looks
from loci.core.answer.snapshot import Snapshot
from loci.core.dependencies.table import Uses
from loci.core.errors import EmptyQuestion, InvalidRequest, NothingRegistered
from loci.core.home.identity import Place, place_of, readable_path, resolve
from loci.core.home.registry import Registered

if TYPE_CHECKING:
    from loci.episodes import Support
    from loci.router import Question, Request, Route

LONGEST_QUESTION = 100_000  # Characters: some ten thousand words, far beyond any question but not beyond a pasted log.


def readable(question: str | Question) -> Question:
    """The question, with U+FFFD for what is no character: a byte of the command line that is no UTF-8, half a pair."""
    from loci.router import Question, read

    text = question.text if isinstance(question, Question) else question
    if not text.strip():
        raise EmptyQuestion()
    if len(text) > LONGEST_QUESTION:
        raise InvalidRequest(
            f"the question has {len(text):,} characters, and {LONGEST_QUESTION:,} are read at most",
            "ask about the part of it that matters",
        )
    readable = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return question if isinstance(question, Question) and readable == text else read(readable)


def route(
    snapshot: Snapshot,
    text: str | Question,
    cwd: str | os.PathLike[str] | None,
    scope: str | None,
    group: str | None,
) -> Route:
    """See `loci.core.Memory.route`: nothing is brought up to date first."""
    question = readable(text)
    if scope is not None:
        return given(snapshot, question, scope)
    here = None if cwd is None else place_of(readable_path(cwd), snapshot.registry)
    found = decided(snapshot, question, None if here is None else here.registered, group)
    if denies(found):
        found = with_behind(found, Looks(snapshot).behind(in_group(snapshot, group)))
    return with_unregistered(found, here)


def decided(snapshot: Snapshot, question: Question, directory: Path | None, group: str | None) -> Route:
    """The router's decision. `directory`: where it is asked from, in the registered work tree."""
    snapshot.with_index()
    if group is not None:
        snapshot.registry.require_group(group)
    router = snapshot.router()
    with snapshot.damage_named():
        found = router.route(question, cwd=directory, group=group)
    return _with_gaps(found, snapshot.uses()) if found.mode == "relational" else found


def given(snapshot: Snapshot, question: Question, scope: str) -> Route:
    """The route to a scope that was given: nothing is decided, but the scope must exist."""
    if not snapshot.registry.scopes:
        raise NothingRegistered(snapshot.home.directory)
    chosen = resolve(snapshot.registry, scope)
    snapshot.with_index()
    return explicit(question.text, chosen)


def explicit(question: str, scope: Registered) -> Route:
    """A route to one scope without a decision."""
    from loci.router import Route, RoutedScope

    routed = RoutedScope(id=scope.id, name=scope.name, score=0.0, confidence=1.0, signals={"explicit": 1.0}, terms=[])
    return Route(
        question=question,
        abstained=False,
        reason=None,
        mode="single",
        confidence=1.0,
        scopes=[routed],
        candidates=[],
        advice=(),
    )


def requested(snapshot: Snapshot, found: Route, question: Question) -> tuple[Request | None, Collection[str]]:
    """What the question asks of whole projects, if it does, and the ids of those that it asks of."""
    from loci.router import OF_ALL

    scopes = [scope.id for scope in found.scopes]
    request = question.request
    if request is not None and request.kind in OF_ALL:
        return request, scopes
    if found.trace is not None:
        return request, found.trace.about
    # The project was given, and no router was asked: it is meant where the question points, or where it names it.
    if request is None or request.subject is None:
        return request, scopes
    return request, set(snapshot.router().named(question.cut(request.subject))).intersection(scopes)


def support(snapshot: Snapshot, found: Route, question: Question) -> dict[str, Support]:
    """What the whole corpus says of each selected scope, for the gate of its episodes.

    Empty where nothing is to be held against a scope: the answer to a relational question stands in the uses.
    """
    from loci.episodes import Support

    if found.mode == "relational":
        return {}
    # A scope that was given has no evidence of its own: the question is weighed as if nothing had been given.
    trace = found.trace or snapshot.router().route(question).trace
    evidence = trace.evidence.scopes
    eligible = {each.id for each in trace.ranking}
    result: dict[str, Support] = {}
    for chosen in found.scopes:
        own = evidence.get(chosen.id)
        # That a project is named, defines the symbol or is stood in speaks for it as evidence does.
        prior = math.fsum(chosen.signals.get(name, 0.0) for name in ("named", "symbol", "cwd"))
        if own is None:
            result[chosen.id] = Support(share=1.0 if prior > 0.0 else 0.0, holds=0.0, whether=0.0)
            continue
        others = [each.combined for key, each in evidence.items() if key in eligible and key != chosen.id]
        odds = math.fsum(math.exp(min(700.0, other - own.combined - prior)) for other in others)
        result[chosen.id] = Support(share=1.0 / (1.0 + odds), holds=own.holds, whether=own.whether)
    return result


def denies(found: Route) -> bool:
    """Whether the route says that the projects hold too little or nothing, which needs them to be up to date."""
    return found.abstained and found.reason == "no_evidence"


def in_group(snapshot: Snapshot, group: str | None) -> list[Registered]:
    """The projects that a question of this group is answered from; all without one."""
    return [scope for scope in snapshot.registry.scopes.values() if group is None or group in scope.groups]


def with_behind(found: Route, behind: Sequence[str]) -> Route:
    """A denial names the projects whose changes it does not know of, and what makes them known."""
    if not behind:
        return found
    from loci.router import advice

    return replace(found, advice=(advice.ChangedSinceIndexed(tuple(behind)), *found.advice))


def with_unregistered(found: Route, here: Place | None) -> Route:
    """Whoever stands in a repository that is not registered means that one, more often than not."""
    if not found.abstained or here is None:
        return found
    if here.scope is not None or here.repository is None or found.reason == "out_of_group":
        return found
    from loci.router import advice

    # "Ask from inside it" is what was done.
    rest = (advice.NameTheProject(),) if found.reason == "deictic" else found.advice
    return replace(found, advice=(advice.DirectoryNotRegistered(str(here.repository.root)), *rest))


def _with_gaps(found: Route, table: Uses | None) -> Route:
    """An abstention from the collected uses says how far they go: nothing found is not the same as none."""
    if not found.abstained or table is None or not table.uses:
        return found
    from loci.router import advice

    related = found.trace.related if found.trace is not None else ()
    return replace(found, advice=(advice.NoUserFound(tuple(related), len(table.scopes), tuple(table.gaps())),))
