"""The person's own questions over their own index, as it stands: nothing is indexed, fetched or written."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BenchUnavailable, QuestionsError
from .measure import measure
from .questions import Question, listed, load_questions
from .run import select
from .summary import summarise
from .systems import build_systems, count_words

if TYPE_CHECKING:
    from loci.core import Memory, Registered

__all__ = ["indexed_scopes", "run_own"]

Progress = Callable[[str, int, int], None]


def run_own(
    memory: Memory,
    questions_file: str | Path,
    *,
    only: Collection[str] = (),
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The figures of `summarise` for a file of questions over the index in `memory`.

    The file is as in the public benchmark; its scopes are ids or names of registered projects. `memory` may be the
    person's own: asking brings nothing up to date and keeps no question.

    Raises QuestionsError with the lines that cannot be used, and what `Memory` raises without an index.
    """
    path = Path(questions_file)
    loaded = select(load_questions(path), only)
    indexed = indexed_scopes(memory)
    questions = resolved(loaded, memory, indexed, name=path.name)
    names = {scope: scope for scope in indexed}
    records = measure(
        questions,
        build_systems(memory, names, refresh=0.0),
        {scope: registered.path for scope, registered in indexed.items()},
        count_words=count_words,
        seed=seed,
        progress=None if progress is None else lambda done, total: progress("questions", done, total),
    )
    summary = summarise(records, seed=seed)
    summary["corpus"] = {"name": path.name, "scopes": len(indexed), "generation": memory.generation()}
    return summary


def indexed_scopes(memory: Memory) -> dict[str, Registered]:
    """The registered projects that the index holds, by id. Raises what `Memory.route` raises without an index."""
    try:
        from loci.core import NoIndex, NothingRegistered
    except ImportError as error:
        raise BenchUnavailable(
            f"measuring your own index needs loci-core ({error}); install it with: pip install 'loci-eval[bench]'"
        ) from error
    registered = {status.id: memory.resolve(status.id) for status in memory.scopes()}
    if not registered:
        raise NothingRegistered(memory.home.directory)
    if not memory.home.manifest.exists():
        raise NoIndex(len(registered))
    manifest = json.loads(memory.home.manifest.read_text(encoding="utf-8"))
    return {scope: registered[scope] for scope in sorted(manifest["scopes"]) if scope in registered}


def resolved(
    questions: Sequence[Question], memory: Memory, indexed: Mapping[str, Registered], *, name: str
) -> list[Question]:
    """The questions with the ids of their scopes in the place of what the file calls them.

    Raises QuestionsError naming every line whose scope is unknown, ambiguous or not indexed.
    """
    from loci.core import LociError

    known: dict[str, str] = {}
    faults: dict[str, str] = {}
    for wanted in dict.fromkeys(scope for question in questions for scope in question.scopes):
        # An id wins over a name: ids are what other commands print.
        if wanted in indexed:
            known[wanted] = wanted
            continue
        try:
            scope = memory.resolve(wanted).id
        except LociError as error:
            faults[wanted] = f"{error.message} ({error.hint})" if error.hint else error.message
            continue
        if scope in indexed:
            known[wanted] = scope
        else:
            faults[wanted] = f"{scope} is registered but not indexed; run: loci index {scope}"
    lines = [
        f"{name}:{question.line}: {question.id}: {faults[scope]}"
        for question in questions
        for scope in question.scopes
        if scope in faults
    ]
    if lines:
        raise QuestionsError(listed(lines))
    found = []
    for question in questions:
        scopes = tuple(dict.fromkeys(known[scope] for scope in question.scopes))
        if len(scopes) < len(question.scopes):
            lines.append(f'{name}:{question.line}: {question.id}: "scopes" names a project twice, by two of its names')
            continue
        evidence = tuple(replace(item, scope=known[item.scope]) for item in question.evidence)
        found.append(replace(question, scopes=scopes, evidence=evidence))
    if lines:
        raise QuestionsError(listed(lines))
    return found
