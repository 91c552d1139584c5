"""The symbols of an answer: whose relations are asked for, which are named, and what the words find."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from loci.core.notes import CalledThrough, ChainCut, NoChain, Note, NothingRelated, SymbolsLeftOut, UsesUnresolved

if TYPE_CHECKING:
    from loci.episodes import Passage
    from loci.router import Question
    from loci.structure import Combined, Graph, Near, Symbol, Traversal

SYMBOLS_PER_K = 2
"""Symbols shown for each file and commit that an answer may have: a symbol is one line, a passage is many."""

NAMES_LOOKED_FOR = 3
DEFINITIONS_LOOKED_AT = 100
NAMESAKES_COMPARED = 200
"""So many of the symbols of a name are compared with what was asked, to offer those most like it."""
LIKE_ENOUGH = 0.75
"""Files whose names share less than this with the one asked for are not offered."""

_USES = ("calls", "references", "inherits", "implements", "overrides")
"""What is shown of a symbol unasked: an import stands beside a use, and a test beside a call."""

_ONE_STEP = {"implementers": ("inherits", "implements", "overrides"), "tests": ("tests",), "importers": ("imports",)}
"""The relations behind a word of `named_symbol`."""

_CAN_BE_NONE = ("callers", "callees", "implementers", "tests", "importers", "reach", "users")
"""The relations of which it is worth knowing that nothing has them."""


def hints_of(passages: Iterable[Passage]) -> list[str]:
    """Where the passages of an answer stand, as a graph takes it: the symbols and files that they speak of."""
    hints = []
    for passage in passages:
        if passage.path:
            hints.append(f"{passage.path}#{passage.symbol}" if passage.symbol else passage.path)
    return hints


def absent_names(
    graph: Graph | Combined, question: Question, passages: Sequence[Passage], own: Iterable[str]
) -> list[str]:
    """Names that the question writes as code does and the project does not have: then what looks like them is not them.

    A name that stands in a passage of the answer is left alone: it may be one of a library, or a key of a file. So are
    the project's `own` names.
    """
    from loci.router import names_a_place, plain_name

    own = {name.casefold() for name in own}
    # Also a plain word, where the question says that it calls or is called.
    asked = [each.name for each in question.symbol_relations if each.relation in ("callers", "callees")]
    joined = [each.name for each in question.code_names if each.joined]
    names = [
        name for name in dict.fromkeys([*joined, *asked]) if not names_a_place(name) and name.casefold() not in own
    ]
    return [
        name
        for name in names[:NAMES_LOOKED_FOR]
        if not _called(graph, plain_name(name))
        and not any(name in passage.text or name in passage.path or name in passage.heading for passage in passages)
    ]


def _called(graph: Graph | Combined, name: str) -> str:
    """The name as a symbol has it, "" where none is called so."""
    return next((each for each in _spellings(name) if _has(graph, each)), "")


def _spellings(name: str) -> tuple[str, ...]:
    """At the end of a question nobody writes the `?` and `!` of Ruby and Elixir."""
    return name, f"{name}?", f"{name}!"


def _has(graph: Graph | Combined, name: str) -> bool:
    """Whether a symbol is called so, its module in front or not; a graph also finds what shares the last part alone."""
    from loci.router import plain_name

    inner = name.removeprefix("crate.")
    for symbol in graph.find(name, budget=NAMES_LOOKED_FOR):
        place = [part for part in re.split(r"[/.]", symbol.path) if part != symbol.path.rsplit(".", 1)[-1]]
        whole = ".".join([*place, *(plain_name(symbol.name).split(".") if symbol.kind != "file" else ())])
        if f".{plain_name(symbol.name)}".endswith(f".{name}") or f".{whole}".endswith(f".{inner}"):
            return True
    return False


class Definitions:
    """Which projects define the symbols that a question speaks of: the router's `SymbolTable`.

    `graphs`: opens the graph of every project that has one, as `(scope id, graph)`; called only for a question that has
    a name in it, since opening many takes longer than routing.
    """

    def __init__(self, graphs: Callable[[], Iterable[tuple[str, Graph | Combined]]]) -> None:
        self._graphs = graphs

    def defining(self, names: Sequence[str]) -> dict[str, frozenset[str]]:
        """The first of the names -> the scopes that define one."""
        looked_for = list(dict.fromkeys(names))[:NAMES_LOOKED_FOR]
        if not looked_for:
            return {}
        graphs = list(self._graphs())
        return {name: _definers(graphs, name) for name in looked_for}


def _definers(graphs: Sequence[tuple[str, Graph | Combined]], name: str) -> frozenset[str]:
    """The scopes that define a name; with a mark of Ruby or Elixir behind it only where none has it without."""
    from loci.router import plain_name

    for each in _spellings(plain_name(name)):
        found = frozenset(scope for scope, graph in graphs if _defines(graph, each))
        if found:
            return found
    return frozenset()


def _defines(graph: Graph | Combined, name: str) -> bool:
    """Whether the project's own source has a symbol of exactly this name that does or is something by itself.

    A variable, or a helper of some test, makes no project the one that a name is of.
    """
    from loci.router import plain_name
    from loci.structure import LABELLED_KINDS

    return _has(graph, name) and any(
        symbol.kind in LABELLED_KINDS
        and symbol.role == "source"
        and not symbol.test
        and f".{plain_name(symbol.name)}".endswith(f".{name}")
        for symbol in graph.find(name, budget=DEFINITIONS_LOOKED_AT)
    )


def of_question(
    graph: Graph | Combined, question: Question, hints: Sequence[str], budget: int, near: Sequence[Near] = ()
) -> tuple[tuple[Symbol, ...], list[Note], int]:
    """The symbols of an answer, `budget` at most, notes on them, and how many of the first are what was asked for.

    Where the question asks for a relation of a symbol of the graph (what calls it, what its change would reach), this
    comes first, as it would for the name alone. A name that is written as code counts in any wording: its definition
    comes next, and who uses it and what it uses. Then what the words of the question find, and what is `near` it.
    """
    from loci.router import names_a_place, plain_name

    first: list[Symbol] = []
    notes: list[Note] = []
    asked: set[str] = set()
    for way in question.chains:
        names = (_called(graph, plain_name(way.start)), _called(graph, plain_name(way.end)))
        if len(first) < budget and all(names):
            symbols, said_of = chain_of(graph, *names, budget=budget - len(first))
            first += symbols
            notes += said_of
            asked |= {*names}
    for each in question.symbol_relations:
        plain = _called(graph, plain_name(each.name)) or plain_name(each.name)
        if len(first) < budget and (_has(graph, plain) or (names_a_place(each.name) and graph.find(plain, budget=1))):
            symbols, said_of = named_symbol(graph, plain, each.relation, depth=3, budget=budget - len(first), limit="k")
            first += symbols
            notes += said_of
            asked.add(plain)
    count = len(first)
    for plain in [_called(graph, plain_name(each.name)) for each in question.code_names[:NAMES_LOOKED_FOR]]:
        if plain and plain not in asked and len(first) < budget:
            symbols, _ = named_symbol(
                graph, plain, "all", depth=1, budget=min(budget - len(first), max(1, budget // 2))
            )
            if count == len(first):
                # Where it is: what the reader may want to see before any passage.
                count += sum(symbol.relation is None for symbol in symbols)
            first += symbols
    shown = {(symbol.path, symbol.line, symbol.name) for symbol in first}
    # As many more, for those that are shown already.
    found: Sequence[Symbol] = ()
    if len(first) < budget:
        found = graph.query(
            question.text,
            names=[each.name for each in question.code_names],
            relations=question.asked_relations,
            budget=budget + len(first),
            hints=hints,
            near=near,
        )
    rest = [symbol for symbol in found if (symbol.path, symbol.line, symbol.name) not in shown]
    return tuple([*first, *rest][:budget]), notes, min(count, budget)


def absent_name(graph: Graph | Combined | None, names: Sequence[str]) -> str:
    """The first of the names that no symbol has, else the first of all."""
    return names[0] if graph is None else next((name for name in names if not graph.find(name, budget=1)), names[0])


def has_exactly(symbols: Iterable[Symbol], names: Sequence[str]) -> bool:
    """Whether every one of the names stands among the symbols in these capitals."""
    have: set[str] = set()
    for symbol in symbols:
        if symbol.kind == "file":
            # As its path and as its module's name.
            parts = symbol.path.split("/")
            have |= {*parts, *(part.split(".")[0] for part in parts), symbol.path.rsplit(".", 1)[-1]}
        else:
            have.add(re.split(r"\.|::", symbol.name)[-1])
    return all(_last_part(name) in have for name in names)


def _last_part(name: str) -> str:
    """What a name is called without what stands in front: a member, or for a path the name of the file.

    >>> [_last_part(name) for name in ("Session.close()", "crate::cart", "src/cart.py#Cart.pay", "src/cart.py")]
    ['close', 'cart', 'pay', 'cart.py']
    """
    if _is_path(name):
        return name.strip().rsplit("/", 1)[-1]
    return re.split(r"\.|::|#|->|:|/", name.strip())[-1].removesuffix("()")


def _is_path(name: str) -> bool:
    """Whether a name is that of a file or directory: `src/cart.py`, but not `src/cart.py#Cart`."""
    return "/" in name and "#" not in name and ":" not in name


def near_symbols(graph: Graph | Combined, name: str, limit: int = 3) -> list[str]:
    """Up to `limit` names of symbols that look like the last part of `name`, of files for a path; best first."""
    from difflib import SequenceMatcher, get_close_matches

    from loci.router import plain_name

    wanted = _last_part(name).casefold()
    if _is_path(name):
        files = _near_files(graph, name.strip().removeprefix("./"), limit)
        if files:
            return files
    by_folded: dict[str, str] = {}
    for candidate in sorted(graph.vocabulary()):
        by_folded.setdefault(candidate.casefold(), candidate)
    if wanted in by_folded:
        # Its last part is a name: what stands before it is not. Whose name that is like comes first.
        found = dict.fromkeys(symbol.name for symbol in graph.find(by_folded[wanted], budget=NAMESAKES_COMPARED))
        full = plain_name(name).casefold()
        return sorted(found, key=lambda each: -SequenceMatcher(None, full, plain_name(each).casefold()).ratio())[:limit]
    # A graph may have a hundred thousand names, and comparing letters is slow.
    slack = max(2, len(wanted) // 4)
    alike = [
        folded
        for folded in by_folded
        if abs(len(folded) - len(wanted)) <= slack and (folded[:1] == wanted[:1] or folded[-1:] == wanted[-1:])
    ]
    close = get_close_matches(wanted, alike, n=limit, cutoff=0.75)
    inside = sorted((folded for folded in by_folded if len(wanted) >= 3 and wanted in folded), key=len)
    return [by_folded[folded] for folded in dict.fromkeys([*close, *inside])][:limit]


def _near_files(graph: Graph | Combined, path: str, limit: int) -> list[str]:
    """Up to `limit` paths of files that look like `path`: those called so, then those called alike."""
    from difflib import SequenceMatcher

    name = path.rsplit("/", 1)[-1].casefold()
    paths = {symbol.path for symbol in graph.all_symbols() if symbol.kind == "file"}

    def likeness(other: str) -> tuple[float, float, str]:
        file = other.rsplit("/", 1)[-1].casefold()
        # Letters are compared where the lengths and the beginnings or ends agree: a graph may have many thousand files.
        alike = abs(len(file) - len(name)) <= 3 and (file[:1] == name[:1] or file[-4:] == name[-4:])
        same = 1.0 if file == name else SequenceMatcher(None, file, name).ratio() if alike else 0.0
        return -same, -SequenceMatcher(None, other, path).ratio() if same >= LIKE_ENOUGH else 0.0, other

    best = sorted((likeness(other), other) for other in paths)
    return [other for (same, _, _), other in best[:limit] if same <= -LIKE_ENOUGH]


def named_symbol(
    graph: Graph | Combined,
    name: str,
    relation: str,
    depth: int,
    budget: int,
    limit: Literal["k", "budget"] = "budget",
) -> tuple[list[Symbol], list[Note]]:
    """The definitions of a name, with who uses it and what it uses, by `relation`.

    all: what calls, names, inherits from or overrides it, and callees. reach: what a change would reach, `depth` steps
    far; users: its first step; of both, what may mean another symbol comes last. implementers: what inherits
    from it, implements or overrides it. tests: what tests it. importers: what imports it. What uses a file imports it.

    `budget`: symbols in all, of which definitions take half at most. `limit`: what makes room for the others.
    """
    found = graph.find(name, budget=max(1, budget // 2))
    if not found:
        return [], []
    room = max(1, (budget - len(found)) // (2 if relation == "all" else 1))
    parts: list[Traversal] = []
    possible: list[Symbol] = []
    if relation == "all":
        uses = (*_USES, "imports") if all(symbol.kind == "file" for symbol in found) else _USES
        parts.append(graph.users(name, uses, budget=room))
    if relation == "callers":
        parts.append(graph.callers(name, budget=room))
    if relation in ("all", "callees"):
        parts.append(graph.callees(name, budget=room))
    if relation in ("reach", "users"):
        parts.append(graph.reach(name, depth=depth if relation == "reach" else 1, budget=room))
        possible = _possible_users(graph, name, parts[0], room - len(parts[0]))
    if relation in _ONE_STEP:
        parts.append(graph.users(name, _ONE_STEP[relation], budget=room))
    left_out = found.left_out + sum(part.left_out for part in parts)
    unresolved = max((part.unresolved for part in parts), default=0)
    notes: list[Note] = []
    if relation in _CAN_BE_NONE and not parts[0]:
        notes.append(NothingRelated(name, relation, others_shown=bool(possible)))
    if relation == "callers":
        notes += _called_through(name, parts[0])
    if left_out:
        notes.append(SymbolsLeftOut(left_out, limit))
    if unresolved:
        notes.append(UsesUnresolved(_last_part(name), unresolved))
    return [*found, *(symbol for part in parts for symbol in part), *possible], notes


def _possible_users(graph: Graph | Combined, name: str, certain: Traversal, room: int) -> list[Symbol]:
    """What may use a symbol or another one of its name, which a change is not followed through; `room` at most."""
    if room <= 0:
        return []
    shown = {(symbol.path, symbol.line) for symbol in certain}
    users = graph.users(name, _USES, budget=room + len(shown))
    return [each for each in users if each.candidates > 1 and (each.path, each.line) not in shown][:room]


def chain_of(graph: Graph | Combined, start: str, end: str, budget: int) -> tuple[list[Symbol], list[Note]]:
    """The shortest chain from one symbol to another and notes on it; where there is none, both definitions."""
    symbols = list(graph.path(start, end))
    if symbols:
        return symbols[:budget], [ChainCut(start, end, len(symbols))] if len(symbols) > budget else []
    return [*graph.find(start, budget=1), *graph.find(end, budget=1)][:budget], [NoChain(start, end)]


def _called_through(name: str, callers: Traversal) -> list[Note]:
    """What a reader should know of callers that call what the method overrides: the object may be of another class."""
    from loci.structure import THROUGH

    ways = [way for way in (caller.resolution or "" for caller in callers) if way.startswith(THROUGH)]
    if not ways:
        return []
    bases = tuple(dict.fromkeys(way.removeprefix(THROUGH) for way in ways))
    return [CalledThrough(name, bases, len(ways), len(ways) == len(callers))]
