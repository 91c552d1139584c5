"""Reads `index.scip`, the file that SCIP indexers write, for the judges in this folder.

For: the documents, occurrences and symbols of an index, one document at a time, without installing anything.
Not for: loci itself. Its own reader is in `crates/loci-graph`, and a judge must not be made of what it judges.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

DEFINITION, IMPORT, FORWARD = 1, 2, 64
"""Bits of `Occurrence.roles`."""

Range = tuple[int, int, int, int]
"""First line, first column, last line, column behind the last character; all from 0."""


@dataclass
class Occurrence:
    """One place where a symbol stands."""

    symbol: str = ""
    range: Range = (0, 0, 0, 0)
    roles: int = 0
    enclosing: Range | None = None


@dataclass
class Document:
    """One source file of an index. `kinds` are the numbers of `SymbolInformation.Kind`, by symbol, where given."""

    path: str = ""
    language: str = ""
    occurrences: list[Occurrence] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of one protobuf message: their numbers and raw values, in the order of the file."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        value: int | bytes
        if wire == 0:
            value, at = _varint(data, at)
        elif wire == 2:
            size, at = _varint(data, at)
            value, at = data[at : at + size], at + size
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            value, at = data[at : at + size], at + size
        else:
            raise ValueError(f"wire type {wire} at byte {at}: this is no SCIP index")
        yield key >> 3, value


def _range(numbers: list[int]) -> Range:
    if len(numbers) == 3:
        return numbers[0], numbers[1], numbers[0], numbers[2]
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _packed(value: int | bytes) -> list[int]:
    if isinstance(value, int):
        return [value]
    numbers, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        numbers.append(number)
    return numbers


def _typed(value: int | bytes, parts: int) -> list[int]:
    numbers = [0] * parts
    for number, part in fields(bytes(value) if not isinstance(value, int) else b""):
        if 1 <= number <= parts and isinstance(part, int):
            numbers[number - 1] = part
    return numbers


def _occurrence(data: bytes) -> Occurrence:
    made = Occurrence()
    numbers: list[int] = []
    enclosing: list[int] = []
    for number, value in fields(data):
        if number == 1:
            numbers += _packed(value)
        elif number == 2:
            made.symbol = bytes(value).decode() if not isinstance(value, int) else ""
        elif number == 3 and isinstance(value, int):
            made.roles = value
        elif number == 7:
            enclosing += _packed(value)
        elif number in (8, 9):
            numbers = _typed(value, 3 if number == 8 else 4)
        elif number in (10, 11):
            enclosing = _typed(value, 3 if number == 10 else 4)
    made.range = _range(numbers) if len(numbers) in (3, 4) else (0, 0, 0, 0)
    made.enclosing = _range(enclosing) if len(enclosing) in (3, 4) else None
    return made


def _document(data: bytes) -> Document:
    made = Document()
    for number, value in fields(data):
        if isinstance(value, int):
            continue
        if number == 1:
            made.path = value.decode()
        elif number == 4:
            made.language = value.decode()
        elif number == 2:
            made.occurrences.append(_occurrence(value))
        elif number == 3:
            symbol, kind = "", 0
            for part, content in fields(value):
                if part == 1 and not isinstance(content, int):
                    symbol = content.decode()
                elif part == 5 and isinstance(content, int):
                    kind = content
            made.kinds[symbol] = kind
    return made


def documents(index: Path) -> Iterator[Document]:
    """The documents of an index file, one after the other."""
    for number, value in fields(index.read_bytes()):
        if number == 2 and not isinstance(value, int):
            yield _document(value)


def main() -> None:
    """Prints the occurrences of an index, to see what an indexer says."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("index", type=Path)
    arguments = parser.parse_args()
    for document in documents(arguments.index):
        print(document.path, document.language)
        for occurrence in document.occurrences:
            line, column, *_ = occurrence.range
            enclosing = (
                f" in lines {occurrence.enclosing[0] + 1}-{occurrence.enclosing[2] + 1}" if occurrence.enclosing else ""
            )
            kind = document.kinds.get(occurrence.symbol, 0)
            print(f"  {line + 1}:{column} roles={occurrence.roles} kind={kind} {occurrence.symbol}{enclosing}")


if __name__ == "__main__":
    main()
