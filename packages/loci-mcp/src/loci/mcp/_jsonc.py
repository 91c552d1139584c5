r"""Edits of one member in a JSON file with comments, leaving every other byte as it is.

Clients' settings are files that people write: with comments, trailing commas and an order of their own. A parser that
reads them and a writer that prints them again would lose all three, so an edit here is a splice at a known offset.

>>> print(set_member('{\n  // mine\n  "a": 1\n}\n', ("servers", "loci"), {"command": "loci"}))
{
  // mine
  "a": 1,
  "servers": {
    "loci": {
      "command": "loci"
    }
  }
}
<BLANKLINE>
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

LEVELS = 200  # Of nesting; a settings file has a dozen, and recursion must end before Python's own limit.
_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


class JsoncError(ValueError):
    """The text is no JSON with comments; `line` and `column` count from 1."""

    def __init__(self, reason: str, text: str, offset: int) -> None:
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - (text.rfind("\n", 0, offset) + 1) + 1
        super().__init__(f"line {self.line}, column {self.column}: {reason}")


@dataclass
class _Member:
    key: str
    start: int  # of the key's quote
    value: _Value


@dataclass
class _Value:
    start: int
    end: int
    data: Any
    members: list[_Member] | None = None  # of an object
    commas: list[int] = field(default_factory=list)  # the offset of the comma after each member that has one


def loads(text: str) -> Any:
    """The data of a text. An empty one, or one of comments alone, is an empty object. Raises `JsoncError`."""
    document = _document(text)
    return {} if document is None else document.data


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """The text with the member at `path` set to `value`; objects on the way are made. Raises `JsoncError`."""
    document = _document(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if document is None:
        whole = value
        for key in reversed(path):
            whole = {key: whole}
        body = _printed(whole, unit, "", newline)
        return f"{text.rstrip()}{newline}{body}{newline}" if text.strip() else f"{text.strip()}{body}{newline}"
    place = document
    for depth, key in enumerate(path):
        if place.members is None:
            raise JsoncError(f"an object is expected here to hold {key!r}", text, place.start)
        found = _member(place, key)
        if found is None:
            inner = value
            for missing in reversed(path[depth + 1 :]):
                inner = {missing: inner}
            return _inserted(text, place, key, inner, unit, newline)
        place = found.value
    replacement = _printed(value, unit, _indentation(text, place.start), newline)
    return text[: place.start] + replacement + text[place.end :]


def remove_member(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`, with its comma and its line; as it is when there is none."""
    document = _document(text)
    place = document
    for key in path[:-1]:
        found = _member(place, key) if place is not None and place.members is not None else None
        place = found.value if found is not None else None
    if place is None or place.members is None:
        return text
    member = _member(place, path[-1])
    if member is None:
        return text
    number = place.members.index(member)
    start, end = member.start, member.value.end
    if number < len(place.commas):  # the comma after it goes with it
        end = place.commas[number] + 1
    elif number > 0:  # the last member: the comma before it goes, what stands between them stays
        comma = place.commas[number - 1]
        text = text[:comma] + text[comma + 1 :]
        start, end = start - 1, end - 1
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    if not text[line_start:start].strip() and line_end >= 0 and not text[end:line_end].strip():
        return text[:line_start] + text[line_end + 1 :]
    return text[:start] + text[end:].lstrip(" \t")


def _inserted(text: str, place: _Value, key: str, value: Any, unit: str, newline: str) -> str:
    outer = _indentation(text, place.start)
    members = place.members or []
    if not members:
        inner = outer + unit
        body = f"{json.dumps(key)}: {_printed(value, unit, inner, newline)}"
        inside = text[place.start + 1 : place.end - 1]
        kept = inside.rstrip()  # comments stay
        return f"{text[: place.start + 1]}{kept}{newline}{inner}{body}{newline}{outer}{text[place.end - 1 :]}"
    last = members[-1]
    one_line = "\n" not in text[place.start : place.end]
    inner = _indentation(text, last.start) if not one_line else ""
    separator = " " if one_line else f"{newline}{inner}"
    body = f"{json.dumps(key)}: {_printed(value, unit, inner, newline) if not one_line else json.dumps(value)}"
    if len(place.commas) == len(members):  # a trailing comma is there already
        at = place.commas[-1] + 1
        return f"{text[:at]}{separator}{body}{text[at:]}"
    at = last.value.end
    # A comment after the last value belongs to that value: the new member goes to a line below it.
    rest = re.match(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*(?=\r?\n))", text[at:])
    tail = text[at : at + rest.end()].rstrip("\r") if rest and not one_line else ""
    return f"{text[:at]},{tail}{separator}{body}{text[at + len(tail) :]}"


def _printed(value: Any, unit: str, indentation: str, newline: str) -> str:
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return newline.join([lines[0], *(indentation + line for line in lines[1:])])


def _indentation(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    return text[start : start + len(text[start:]) - len(text[start:].lstrip(" \t"))]


def _unit(text: str) -> str:
    """One level of indentation as the file has it; two spaces for a file that shows none."""
    found = re.search(r"\n([ \t]+)[\"}\]]", text)
    if found is None:
        return "  "
    return "\t" if found.group(1)[0] == "\t" else found.group(1)


def _member(place: _Value, key: str) -> _Member | None:
    # Of equal keys the last one counts, as every reader of JSON has it.
    return next((member for member in reversed(place.members or []) if member.key == key), None)


def _document(text: str) -> _Value | None:
    at = _skip(text, 0)
    if at == len(text):
        return None
    value = _value(text, at, 0)
    at = _skip(text, value.end)
    if at != len(text):
        raise JsoncError("there is more after the end", text, at)
    return value


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    at = found.end() if found else at
    if text.startswith("/*", at):
        raise JsoncError("a comment that does not end", text, at)
    return at


def _value(text: str, at: int, depth: int) -> _Value:
    if depth > LEVELS:
        raise JsoncError(f"more than {LEVELS} levels deep", text, at)
    if text.startswith("{", at):
        return _object(text, at, depth)
    if text.startswith("[", at):
        return _array(text, at, depth)
    found = _STRING.match(text, at) or _SCALAR.match(text, at)
    if found is None:
        raise JsoncError("a value is expected", text, at)
    try:
        return _Value(at, found.end(), json.loads(found.group()))
    except ValueError:
        raise JsoncError("this string is not valid", text, at) from None


def _object(text: str, start: int, depth: int) -> _Value:
    members: list[_Member] = []
    commas: list[int] = []
    at = _skip(text, start + 1)
    while not text.startswith("}", at):
        key = _STRING.match(text, at)
        if key is None:
            raise JsoncError("a name in double quotes, or `}`, is expected", text, at)
        colon = _skip(text, key.end())
        if not text.startswith(":", colon):
            raise JsoncError("`:` is expected", text, colon)
        value = _value(text, _skip(text, colon + 1), depth + 1)
        members.append(_Member(json.loads(key.group()), at, value))
        at = _skip(text, value.end)
        if text.startswith(",", at):
            commas.append(at)
            at = _skip(text, at + 1)
        elif not text.startswith("}", at):
            raise JsoncError("`,` or `}` is expected", text, at)
    return _Value(start, at + 1, {m.key: m.value.data for m in members}, members, commas)


def _array(text: str, start: int, depth: int) -> _Value:
    items = []
    at = _skip(text, start + 1)
    while not text.startswith("]", at):
        value = _value(text, at, depth + 1)
        items.append(value.data)
        at = _skip(text, value.end)
        if text.startswith(",", at):
            at = _skip(text, at + 1)
        elif not text.startswith("]", at):
            raise JsoncError("`,` or `]` is expected", text, at)
    return _Value(start, at + 1, items)
