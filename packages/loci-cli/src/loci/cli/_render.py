"""Answers as text for a person. Everything that comes from a repository is made safe for a terminal first."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from loci.cli import words
from loci.cli._console import safe, safe_line, style

if TYPE_CHECKING:
    from loci.core import Answer, ScopeAnswer, Use
    from loci.episodes import Passage, Place
    from loci.router import Route, RoutedScope
    from loci.structure import Symbol

REASONS = {
    "deictic": "the question points at something it does not name",
    "no_evidence": "no indexed project matches clearly enough",
    "out_of_group": "the best project is outside the group",
}
CANDIDATES_SHOWN = 5
PLACES_SHOWN = 10
ALSO_SHOWN = 3


def route_text(route: Route) -> str:
    """Where the question goes: one line per project, or the reason why there is none."""
    if route.abstained:
        return _abstention(route)
    lines = []
    for scope in route.scopes:
        terms = _terms(scope, 5)
        lines.append(
            f"{style(safe_line(scope.id), bold=True)}  {scope.confidence:.0%}" + (f"  {terms}" if terms else "")
        )
    if route.advice:
        lines += ["", _advice(route)]
    return "\n".join(lines)


def answer_text(answer: Answer) -> str:
    """The whole answer: per project its provenance, then the cited passages."""
    if answer.abstained:
        return _abstention(answer.route)
    text = "\n\n".join(_block(block) for block in answer.scopes)
    return f"{text}\n\n{_advice(answer.route)}" if answer.route.advice else text


def symbol_text(answer: Answer) -> str:
    """What is known of a symbol, project by project; or that no project has it."""
    if not answer.scopes:
        return _advice(answer.route)
    return "\n\n".join(_block(block) for block in answer.scopes)


def _abstention(route: Route) -> str:
    reason = REASONS.get(route.reason or "", route.reason or "")
    lines = [f"{style('abstained', bold=True)} ({route.reason}): {reason}"]
    if route.candidates:
        lines.append("candidates:")
        shown = route.candidates[:CANDIDATES_SHOWN]
        width = max(columns(safe_line(scope.id)) for scope in shown)
        lines += [f"  {_padded(safe_line(scope.id), width)}  {_terms(scope, 3)}".rstrip() for scope in shown]
        if len(route.candidates) > len(shown):
            lines.append(f"  and {len(route.candidates) - len(shown)} more")
    if route.advice:
        lines.append(_advice(route))
    return "\n".join(lines)


def _advice(route: Route) -> str:
    return safe("; ".join(words.advice(route.advice)))


def _terms(scope: RoutedScope, limit: int) -> str:
    return ", ".join(safe_line(term) for term, _ in scope.terms[:limit])


def _block(block: ScopeAnswer) -> str:
    lines = [f"{style(safe_line(block.id), bold=True)}  {_provenance(block)}"]
    if block.notes:
        lines.append(style(safe_line("; ".join(words.notes(block.notes))), dim=True))
    lines += [f"  uses {safe_line(use.used or use.name)}: {use_text(use)}" for use in block.uses]
    symbols = [f"  {_symbol(symbol, block.site_path(symbol))}" for symbol in block.symbols]
    if block.asked:
        lines += ["", *symbols[: block.asked]]
    for passage in block.passages:
        if passage.text:
            lines += ["", f"  {_citation(passage)}", *_indented(_body(passage))]
    left_out = [passage for passage in block.passages if not passage.text]
    if left_out:
        shown = ", ".join(_place(passage) for passage in left_out[:PLACES_SHOWN])
        lines += ["", f"  and {len(left_out)} more: {shown}" + (", ..." if len(left_out) > PLACES_SHOWN else "")]
    if symbols[block.asked :]:
        lines += ["", *symbols[block.asked :]]
    return "\n".join(lines)


def _provenance(block: ScopeAnswer) -> str:
    parts = [safe_line(str(block.path))]
    if block.nothing == "not_indexed":
        return parts[0]
    if block.indexed_commit is None:
        parts.append("indexed without commits")
    else:
        parts.append(f"indexed at {block.indexed_commit[:10]}")
    if block.caught_up:
        parts.append("up to date")
    elif block.head and block.head != block.indexed_commit:
        parts.append(f"now at {block.head[:10]}")
    return "  ".join(parts)


def _citation(passage: Passage) -> str:
    stale = f"  {style('stale', fg='yellow')}" if passage.stale else ""
    if passage.kind == "commit":
        date = f"  {time.strftime('%Y-%m-%d', time.gmtime(passage.time))}" if passage.time is not None else ""
        heading = f"  {safe_line(passage.heading)}" if passage.heading else ""
        return f"{style(_place(passage), fg='green')}{date}{heading}{stale}{_also_at(passage)}"
    name = passage.symbol or passage.heading
    return style(_place(passage), fg="green") + (f"  ({safe_line(name)})" if name else "") + stale + _also_at(passage)


def _also_at(passage: Passage) -> str:
    """Where the same text stands, as far as a reader wants to know it; all of it is in the JSON."""
    if not passage.also_at:
        return ""
    shown = [_place(place) for place in passage.also_at[:ALSO_SHOWN]]
    more = len(passage.also_at) - len(shown)
    return f"  also at {', '.join(shown)}" + (f" and {more} more" if more else "")


def _place(passage: Passage | Place) -> str:
    """What is cited, in one word."""
    if passage.commit:
        return f"commit {passage.commit[:10]}"
    first, last = passage.lines
    return f"{safe_line(passage.path or '')}:{first}" + (f"-{last}" if last != first else "")


def _body(passage: Passage) -> str:
    """The text without the subject of a commit, which its citation shows already, also where it was cut."""
    if passage.kind != "commit" or not passage.heading:
        return passage.text
    first, separator, rest = passage.text.lstrip().partition("\n")
    said = " ".join(first.split()) in " ".join(passage.heading.split())
    return separator + rest if said else passage.text


def use_text(use: Use) -> str:
    """Where a project mentions another, in one line."""
    path, line = use.places[0] if use.places else ("", 0)
    place = style(f"{safe_line(path)}:{line}", fg="green")
    files = f", {use.files:,} files" if use.files > 1 else ""
    if use.indirect:
        return f"{place}  {safe_line(use.name)}, in a lock file only: brought in by something else{files}"
    return f"{place}  {use.kind} {safe_line(use.name)}{files}"


def _symbol(symbol: Symbol, site_path: str | None) -> str:
    place = style(f"{safe_line(symbol.path)}:{symbol.line}", fg="green")
    relation = f"  {safe_line(symbol.relation)} {safe_line(symbol.of or '')}" if symbol.relation else ""
    site = ""
    if symbol.relation and symbol.site:
        # The line of a call means nothing beside the file of what is called.
        elsewhere = site_path is not None and site_path != symbol.path
        site = f" at {safe_line(site_path or '')}:{symbol.site}" if elsewhere else f" at line {symbol.site}"
        if site_path is None:
            site += f" of the file of {safe_line(symbol.of or '')}"
    several = f", one of {symbol.candidates}" if symbol.candidates > 1 else ""
    resolved = f" ({safe_line(symbol.resolution)}{several})" if symbol.resolution else ""
    return f"{place}  {safe_line(symbol.kind)} {safe_line(symbol.name)}{relation}{site}{resolved}"


def _indented(text: str) -> Iterable[str]:
    return (f"      {line}".rstrip() for line in safe(text).strip("\n").split("\n")) if text.strip() else ()


def table(rows: list[tuple[str, ...]], head: tuple[str, ...] | None = None) -> str:
    """Rows in aligned columns; the last column is not padded."""
    every = [head, *rows] if head else rows
    if not every:
        return ""
    widths = [max(columns(row[column]) for row in every) for column in range(len(every[0]))]
    lines = ["  ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in every]
    if head:
        lines[0] = style(lines[0], bold=True)
    return "\n".join(lines)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> columns("abc"), columns("認証"), columns("e\N{COMBINING ACUTE ACCENT}")
    (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def counted(number: int, thing: str) -> str:
    """A number and what it counts.

    >>> counted(1, "file"), counted(1200, "file")
    ('1 file', '1,200 files')
    """
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def size(number: int) -> str:
    """Bytes as people read them.

    >>> size(118_000_000), size(900)
    ('118 MB', '1 kB')
    """
    if number >= 10_000_000:
        return f"{number / 1e6:.0f} MB"
    if number >= 1_000_000:
        return f"{number / 1e6:.1f} MB"
    return f"{max(1, round(number / 1e3)) if number else 0} kB"
