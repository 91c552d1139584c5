"""A third face needs nothing of the other two: German words over the values that the router and core hand out."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from loci.core import Answer, LociError, Memory, Note, UnknownScope, notes
from loci.router import Advice, Route, advice

WORDS: Mapping[str, str] = {
    "indexed_nowhere": "Kein Projekt kennt eines dieser Wörter.",
    "changed_since_indexed": "Seit der Indexierung geändert: {scopes}.",
    "subject_not_named": "Welches Projekt ist gemeint? Vielleicht {candidates}.",
    "directory_not_registered": "{directory} ist nicht angemeldet.",
    "name_the_project": "Ein anderes Projekt muss genannt werden.",
    "no_such_symbol": "Kein Symbol heißt {names}.",
    "no_evidence": "{scope} sagt dazu nichts.",
    "not_indexed": "{scope} hat keinen Index.",
    "changed": "{scope} hat sich geändert.",
    "not_considered": "Ohne Index: {scopes}.",
    "unknown_scope": "Kein Projekt heißt {name}; ähnlich: {near}.",
}
CURES: Mapping[notes.Action, str] = {"index": "neu indexieren"}


def in_german(record: Mapping[str, Any]) -> str:
    """A statement or an error in German, from its kind and its fields alone."""
    values = {
        key: " oder ".join(map(str, value)) if isinstance(value, list) else value for key, value in record.items()
    }
    return WORDS[record["kind"]].format(**values)


class German:
    """What `Answer.to_json` takes: a sentence for each statement."""

    def advice(self, advised: Sequence[Advice], /) -> list[str]:
        return [in_german(each.to_json()) for each in advised]

    def notes(self, of_answer: Sequence[Note], /) -> list[str]:
        cures = [f" ({CURES[note.cure.action]})" if note.cure is not None else "" for note in of_answer]
        return [in_german(note.to_json()) + cure for note, cure in zip(of_answer, cures, strict=True)]


def page(found: Route | Answer | LociError) -> str:
    """One line of HTML."""
    if isinstance(found, LociError):
        return f"<p class={found.kind}>{html.escape(in_german(found.to_json()))}</p>"
    route = found if isinstance(found, Route) else found.route
    parts = [f"<p class={each.kind}>{html.escape(text)}</p>" for each, text in told(route.advice, German().advice)]
    if isinstance(found, Answer):
        for block in found.scopes:
            parts.append(f"<h1>{html.escape(block.id)}</h1>")
            parts += [
                f"<p class={note.kind}>{html.escape(text)}</p>" for note, text in told(block.notes, German().notes)
            ]
            parts += [f"<q cite={html.escape(passage.path)}>" for passage in block.passages]
            parts += [f"<dfn>{html.escape(symbol.name)}</dfn>" for symbol in block.symbols]
        parts += [f"<p class={note.kind}>{html.escape(text)}</p>" for note, text in told(found.notes, German().notes)]
    return "".join(parts)


def told(statements: Sequence[Any], words: Callable[[Sequence[Any]], list[str]]) -> list[tuple[Any, str]]:
    return list(zip(statements, words(statements), strict=True))


@pytest.fixture
def memory(tmp_path: Path, make_repository: Callable[..., Path]) -> Memory:
    opened = Memory.open(tmp_path / "home")
    opened.add(make_repository(tmp_path / "billing", {"README.md": "# Billing\n\nRefunds reverse the charge.\n"}))
    opened.index()
    return opened


def test_a_route_in_german(memory: Memory, tmp_path: Path) -> None:
    assert page(memory.route("zyzzyva quokka")) == (
        "<p class=indexed_nowhere>Kein Projekt kennt eines dieser Wörter.</p>"
    )
    assert page(memory.route("refunds reverse which charge?")) == ""


def test_an_answer_in_german(memory: Memory, tmp_path: Path, make_repository: Callable[..., Path]) -> None:
    assert page(memory.ask("what do refunds reverse?", scope="billing")) == "<h1>billing</h1><q cite=README.md>"
    memory.add(make_repository(tmp_path / "late", {"README.md": "# Late\n"}))
    assert page(memory.ask("what do refunds reverse?")) == (
        "<h1>billing</h1><q cite=README.md><p class=not_considered>Ohne Index: late. (neu indexieren)</p>"
    )
    assert page(memory.ask("what is late?", scope="late")) == (
        "<h1>late</h1><p class=not_indexed>late hat keinen Index. (neu indexieren)</p>"
    )
    (tmp_path / "billing" / "README.md").write_text("# Billing\n\nRefunds reverse a charge.\n")
    shown = memory.ask("what do refunds reverse?", scope="billing", refresh=0).to_json(German())
    assert shown["scopes"][0]["notes"] == [
        {"kind": "changed", "text": "billing hat sich geändert. (neu indexieren)", "scope": "billing", "head": False}
    ]


def test_a_symbol_that_nobody_has_in_german(memory: Memory) -> None:
    assert page(memory.symbol("frobnicate")) == "<p class=no_such_symbol>Kein Symbol heißt frobnicate.</p>"


def test_an_error_in_german(memory: Memory) -> None:
    with pytest.raises(UnknownScope) as caught:
        memory.ask("what do refunds reverse?", scope="biling")
    assert page(caught.value) == "<p class=unknown_scope>Kein Projekt heißt biling; ähnlich: billing.</p>"


@pytest.mark.parametrize("module", [advice, notes])
def test_no_statement_knows_a_flag_or_a_command(module: Any) -> None:
    source = inspect.getsource(module)
    body = source[source.index("\nclass ") :]
    assert not re.findall(r"[`'\"( ]--[a-z][a-z-]+|`loci |loci (?:index|ask|add|scan|graphs|embed|uses|scopes)\b", body)
