"""What a question gets back: the route, and one cited block per selected scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from loci.core.answer.budget import cut
from loci.core.notes import Note, NoteWords, notes_json, plain_words

if TYPE_CHECKING:
    from loci.core.dependencies.table import Use
    from loci.episodes import Passage
    from loci.router import Advice, Route
    from loci.structure import Symbol

BESIDE_FRACTION = 0.25  # Of the budget: the most for a project that a question for one project selects beside the best.

Nothing = Literal["no_such_scope", "not_indexed", "absent", "cannot_tell"]
"""Why a block holds nothing.

`not_indexed`: the project is registered, its index is not built. `absent`: the whole index was searched, it is up to
date, and nothing in it answers. `cannot_tell`: nothing was found, but the index is behind the project, left something
out or could not be asked. `no_such_scope` only stands in the error for an unknown project.
"""


class Words(Protocol):
    """The words of a face, such as a module has them: one sentence for each piece of advice and each note, in order."""

    def advice(self, advised: Sequence[Advice], /) -> Sequence[str]: ...

    def notes(self, notes: Sequence[Note], /) -> Sequence[str]: ...


@dataclass(frozen=True)
class ScopeAnswer:
    """What one scope says.

    `path`: where the project is. `indexed_commit`: where HEAD stood when it was indexed; `head`: where it stands now;
    both hex or None without commits. `caught_up`: whether nothing changed since, uncommitted files included.
    `passages` best first; `symbols` empty without a structure index. `uses`: of a relational
    question, where this project mentions another. `notes`: what a reader should know.
    `nothing`: why the block is empty, None when it is not. `asked`: so many of the first symbols are the relation that
    the question asks for ("who calls X"), and what a person reads first; the others are what its words find.
    """

    id: str
    name: str
    path: Path
    indexed_commit: str | None
    head: str | None
    caught_up: bool
    passages: tuple[Passage, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    notes: tuple[Note, ...] = ()
    nothing: Nothing | None = None
    uses: tuple[Use, ...] = ()
    asked: int = 0

    def site_path(self, symbol: Symbol) -> str | None:
        """The file that the `site` of one of the symbols stands in: its own where it refers to the other, else that of
        the other. None where the block does not tell where the other is, or there is no site.
        """
        if symbol.site is None or symbol.relation is None:
            return None
        if not symbol.relation.endswith("_by"):
            return symbol.path
        paths = {each.path for each in self.symbols if each.name == symbol.of}
        return paths.pop() if len(paths) == 1 else None

    def to_json(self, words: NoteWords = plain_words) -> dict[str, Any]:
        """The keys of the contract, plus `path` and `nothing`. `words`: of the face, for the notes."""
        return {
            "id": self.id,
            "name": self.name,
            "path": str(self.path),
            "indexed_commit": self.indexed_commit,
            "head": self.head,
            "caught_up": self.caught_up,
            "passages": [passage.to_json() for passage in self.passages],
            "symbols": [{**symbol.to_json(), "site_path": self.site_path(symbol)} for symbol in self.symbols],
            "uses": [use.to_json() for use in self.uses],
            "notes": notes_json(self.notes, words),
            "nothing": self.nothing,
        }


@dataclass(frozen=True)
class Answer:
    """The route and what the selected scopes say. `notes`: on the answer as a whole, such as projects not indexed."""

    route: Route
    scopes: tuple[ScopeAnswer, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def question(self) -> str:
        """The question as it was asked."""
        return self.route.question

    @property
    def abstained(self) -> bool:
        """Whether no scope was selected; `route` then has the reason, the candidates and the advice."""
        return self.route.abstained

    def to_json(self, words: Words | None = None) -> dict[str, Any]:
        """The keys of the route with the block of every selected scope, the route by itself, and the notes.

        `words`: of the face, for advice and notes; the plain sentences without them.
        """
        of_notes = plain_words if words is None else words.notes
        route = self.route.to_json(None if words is None else words.advice)
        routed = {scope["id"]: scope for scope in route["scopes"]}
        return {
            **route,
            "scopes": [routed[block.id] | block.to_json(of_notes) for block in self.scopes],
            "route": route,
            "notes": notes_json(self.notes, of_notes),
        }


def partial_answer(seen: Sequence[Route | ScopeAnswer | None], question: str, budget: int) -> Answer | None:
    """The answer as far as `Memory.ask(watch=...)` told of it; None when not even the route was decided.

    A question that was asked anew, since the index changed under it, counts from its last route on.
    """
    route = None
    blocks: list[ScopeAnswer] = []
    for step in seen:
        if isinstance(step, ScopeAnswer):
            blocks.append(step)
        elif step is not None:
            route, blocks = step, []
    if route is None:
        return None
    order = {scope.id: place for place, scope in enumerate(route.scopes)}
    blocks.sort(key=lambda block: order.get(block.id, len(order)))
    return Answer(route, within_budget(blocks, question, budget, single=route.mode == "single"))


def within_budget(
    scopes: Sequence[ScopeAnswer], question: str, budget: int, *, single: bool = False
) -> tuple[ScopeAnswer, ...]:
    """The same blocks with every citation, their texts cut to `budget` tokens in all; line spans follow the cut.

    A text that there is no room for is "" and its citation keeps the lines of the whole passage. `single`: the question
    asks for one project, so the others that were selected beside it get little.
    """
    ceilings = [1.0 if number == 0 or not single else BESIDE_FRACTION for number in range(len(scopes))]
    excerpts = cut([[passage.text for passage in scope.passages] for scope in scopes], question, budget, ceilings)
    result = []
    for scope, pieces in zip(scopes, excerpts, strict=True):
        passages = []
        for passage, piece in zip(scope.passages, pieces, strict=True):
            if piece.cut and piece.text:
                first, last = passage.lines
                begin = min(first + piece.first, last)
                passage = replace(passage, text=piece.text, lines=(begin, min(first + piece.last, last)))
            elif piece.cut:
                passage = replace(passage, text="")
            passages.append(passage)
        result.append(replace(scope, passages=tuple(passages)))
    return tuple(result)
