"""A plain backtracking matcher over the parse trees of `re` that counts its steps: a pattern's cost without a clock.

It matches as `re` does and takes the same ways in the same order, without that engine's shortcuts; a pattern that runs
away there runs away here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as names  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    import sre_constants as names
    import sre_parse as parser

LINE_BREAK = "\n"
CLASSES: dict[Any, Callable[[str], bool]] = {
    names.CATEGORY_DIGIT: str.isdecimal,
    names.CATEGORY_NOT_DIGIT: lambda c: not c.isdecimal(),
    names.CATEGORY_SPACE: str.isspace,
    names.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    names.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    names.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}


class TooManySteps(Exception):
    """The matcher took more steps than it was allowed."""


class Matcher:
    """Counts the steps of matching patterns. `allowed`: it gives up after so many."""

    def __init__(self, allowed: int = 20_000_000) -> None:
        self.steps = 0
        self.allowed = allowed

    def spans(self, pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
        """The spans of all matches, as `finditer` finds them."""
        found, at = [], 0
        while at <= len(text):
            end = self.end(pattern, text, at)
            if end is None:
                at += 1
            else:
                found.append((at, end))
                at = end if end > at else at + 1
        return found

    def end(self, pattern: re.Pattern[str], text: str, at: int) -> int | None:
        """Where a match that begins at `at` ends."""
        return next(self._sequence(parsed(pattern), 0, text, at, pattern.flags, {}), None)

    def _sequence(
        self, tokens: list[Any], number: int, text: str, at: int, flags: int, groups: dict[int, tuple[int, int]]
    ) -> Iterator[int]:
        if number == len(tokens):
            yield at
            return
        for middle in self._one(tokens[number], text, at, flags, groups):
            yield from self._sequence(tokens, number + 1, text, middle, flags, groups)

    def _one(self, token: Any, text: str, at: int, flags: int, groups: dict[int, tuple[int, int]]) -> Iterator[int]:
        self._step()
        kind, value = token
        if kind in (names.LITERAL, names.NOT_LITERAL, names.IN, names.ANY):
            if at < len(text) and fits(token_key(token), text[at], flags):
                yield at + 1
        elif kind is names.BRANCH:
            for way in value[1]:
                yield from self._sequence(list(way), 0, text, at, flags, groups)
        elif kind is names.SUBPATTERN:
            group, add, remove, inner = value
            for end in self._sequence(list(inner), 0, text, at, (flags | add) & ~remove, groups):
                if group is not None:
                    groups[group] = (at, end)
                yield end
        elif kind in (names.MAX_REPEAT, names.MIN_REPEAT):
            least, most, inner = value
            yield from self._repeat(list(inner), least, most, kind is names.MAX_REPEAT, text, at, flags, groups)
        elif kind in (names.ASSERT, names.ASSERT_NOT):
            direction, inner = value
            begin = at if direction >= 0 else at - inner.getwidth()[0]
            ends = self._sequence(list(inner), 0, text, begin, flags, groups) if begin >= 0 else iter(())
            if (next(ends, None) is not None) is (kind is names.ASSERT):
                yield at
        elif kind is names.AT:
            if stands(value, text, at, flags):
                yield at
        elif kind is names.GROUPREF:
            first, last = groups.get(value, (0, -1))
            if last >= first and text.startswith(text[first:last], at):
                yield at + last - first
        else:
            raise NotImplementedError(str(kind))

    def _repeat(
        self,
        inner: list[Any],
        least: int,
        most: Any,
        greedy: bool,
        text: str,
        at: int,
        flags: int,
        groups: dict[int, tuple[int, int]],
        done: int = 0,
    ) -> Iterator[int]:
        more = most is names.MAXREPEAT or done < most
        if not greedy and done >= least:
            yield at
        if more:
            for middle in self._sequence(inner, 0, text, at, flags, groups):
                if middle > at or done < least:  # what matches nothing is not repeated for ever
                    yield from self._repeat(inner, least, most, greedy, text, middle, flags, groups, done + 1)
        if greedy and done >= least:
            yield at

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self.allowed:
            raise TooManySteps


@cache
def parsed(pattern: re.Pattern[str]) -> list[Any]:
    """The parse tree of a pattern."""
    return list(parser.parse(pattern.pattern, pattern.flags))  # type: ignore[arg-type]


def token_key(token: Any) -> Any:
    """The token as something that can be looked up: sets are lists in the tree."""
    kind, value = token
    return (kind, tuple(value)) if isinstance(value, list) else (kind, value)


@cache
def fits(token: Any, character: str, flags: int) -> bool:
    """Whether one character fits a token of one character's width."""
    kind, value = token
    if kind is names.ANY:
        return bool(flags & re.DOTALL) or character != LINE_BREAK
    if flags & re.IGNORECASE:
        return any(_fits(kind, value, each) for each in {character, character.lower(), character.upper()})
    return _fits(kind, value, character)


def _fits(kind: Any, value: Any, character: str) -> bool:
    if kind is names.LITERAL:
        return ord(character[0]) == value
    if kind is names.NOT_LITERAL:
        return ord(character[0]) != value
    negated, found = False, False
    for part, what in value:
        if part is names.NEGATE:
            negated = True
        elif part is names.LITERAL:
            found |= ord(character[0]) == what
        elif part is names.RANGE:
            found |= what[0] <= ord(character[0]) <= what[1]
        else:
            found |= CLASSES[what](character[0])
    return found is not negated


def stands(where: Any, text: str, at: int, flags: int) -> bool:
    """Whether a place of the text is such a border."""
    if where in (names.AT_BEGINNING, names.AT_BEGINNING_STRING):
        lines = flags & re.MULTILINE and where is names.AT_BEGINNING
        return at == 0 or bool(lines and text[at - 1] == LINE_BREAK)
    if where is names.AT_END:
        last = at == len(text) or (at == len(text) - 1 and text[at] == LINE_BREAK)
        return last or bool(flags & re.MULTILINE and text[at] == LINE_BREAK)
    if where is names.AT_END_STRING:
        return at == len(text)
    word = CLASSES[names.CATEGORY_WORD]
    before, after = at > 0 and word(text[at - 1]), at < len(text) and word(text[at])
    return (before != after) is (where is names.AT_BOUNDARY)
