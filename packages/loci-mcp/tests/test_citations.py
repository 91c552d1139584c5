"""What a reply shows of an answer, in which order and how much of it, on answers written down by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from loci.core import Answer, Note, ScopeAnswer
from loci.core.notes import NotCollected
from loci.episodes import Passage, Place
from loci.mcp._place import given_place, is_a_place, roots_place
from loci.mcp._reply import (
    NOTE_LENGTH,
    SMALLEST_REPLY,
    Cursor,
    _citation,
    _items,
    _short,
    _shorten,
    _symbol,
    ask_reply,
    ask_text,
    size,
)
from loci.router import Route, RoutedScope
from loci.structure import Symbol


def passage(name: str, text: str = "text", **more: Any) -> Passage:
    return Passage("source", f"{name}.py", (1, 9), None, "", "", "source", text, 1.0, **more)


def commit(text: str = "Swim\n\nDeeper.", heading: str = "Swim", **more: Any) -> Passage:
    return Passage("commit", None, (1, 3), "c" * 40, heading, None, "source", text, 1.0, **more)  # type: ignore[arg-type]


def block(name: str, passages: int = 0, symbols: int = 0, uses: int = 0, text: str = "text") -> ScopeAnswer:
    return ScopeAnswer(
        name,
        name,
        Path("/work") / name,
        "c" * 40,
        "c" * 40,
        True,
        tuple(passage(f"{name}{n}", text) for n in range(passages)),
        tuple(Symbol(f"{name}s{n}", "function", f"{name}.py", n + 1) for n in range(symbols)),
        uses=tuple(
            SimpleNamespace(used="w", kind="import", name=f"{name}u{n}", places=((f"{name}.py", n),), files=1)
            for n in range(uses)
        ),  # type: ignore[arg-type]
    )


def answer(*blocks: ScopeAnswer, mode: Any = "single", notes: tuple[Note, ...] = ()) -> Answer:
    chosen = [RoutedScope(each.id, each.name, 1.0, 0.5) for each in blocks]
    return Answer(Route("why?", False, None, mode, 0.5, chosen, [], ()), blocks, notes)


def order(*blocks: ScopeAnswer, equally: bool) -> str:
    found = [item.get("name") or item["path"].removesuffix(".py") for _, _, item in _items(blocks, equally=equally)]
    return " ".join(found)


def test_the_best_project_shows_three_passages_before_another_shows_its_first() -> None:
    a, b = block("a", 4, 5), block("b", 2, 1)
    assert order(a, b, equally=False) == "as0 as1 a0 as2 as3 a1 as4 a2 bs0 b0 a3 b1"
    assert order(a, b, equally=True) == "as0 as1 a0 bs0 b0 as2 as3 a1 b1 as4 a2 a3"
    # Where projects use each other comes first, whatever else there is.
    assert order(block("a", 1), block("b", 1, uses=2), equally=False) == "bu0 bu1 a0 b0"
    assert order(block("a"), block("b", 0, 3), equally=True) == "bs0 bs1 bs2"


@pytest.mark.parametrize(
    ("room", "text", "lines"),
    [
        (13, "aaaa\nbbbb\n", [5, 6]),
        (6, "aaaa\n", [5, 5]),
        (5, "aaaa\n", [5, 5]),
        (4, "aaaa", [5, 5]),
        (0, "", [5, 9]),
    ],
)
def test_a_text_is_cut_at_the_end_of_a_line_where_one_is_near(room: int, text: str, lines: list[int]) -> None:
    citation: Any = {"text": "aaaa\nbbbb\ncccc\n", "lines": [5, 9]}
    _shorten(citation, room)
    assert citation == {"text": text, "lines": lines}


def test_a_text_is_cut_within_a_line_where_its_end_lies_in_the_first_half_and_never_within_a_letter() -> None:
    citation: Any = {"text": "aaa\nbbbb", "lines": [5, 5]}
    _shorten(citation, 6)
    assert citation == {"text": "aaa\nbb", "lines": [5, 5]}  # no more lines than there are
    citation = {"text": "ééé"}
    _shorten(citation, 3)
    assert citation == {"text": "é"}


def test_a_note_has_one_line_of_three_hundred_characters() -> None:
    assert _short("a \n b\tc ") == "a b c"
    assert _short("x" * NOTE_LENGTH) == "x" * 300
    assert _short("x" * (NOTE_LENGTH + 1)) == "x" * 299 + "…"


def pages(made: Answer, limit: int) -> list[list[str]]:
    """The places that each page shows."""
    found, cursor = [], Cursor("key", 0)
    while True:
        reply = ask_reply(made, cursor, limit)
        assert max(size(reply), len(ask_text(reply).encode())) <= max(limit, SMALLEST_REPLY)
        found.append([each.get("path", "") for scope in reply["scopes"] for each in scope["passages"]])
        left = sum(scope.get("unseen", 0) for scope in reply["scopes"])
        if "cursor" not in reply:
            assert left == 0 or cursor.start
            return found
        cursor = Cursor.read(reply["cursor"], "key")
        many = made.scopes[0].passages[cursor.start :]
        said = (
            "1 more citation behind the cursor" if len(many) == 1 else f"{len(many)} more citations behind the cursor"
        )
        assert reply["notes"] == [said] and left == len(many)


def test_pages_show_every_citation_once() -> None:
    made = answer(block("a", 7, text="y" * 400))
    shown = pages(made, 2200)
    assert [path for page in shown for path in page] == [f"a{n}.py" for n in range(7)]
    assert len(shown) > 1 and all(shown)
    # The smallest reply has room for one: 1,600 bytes, whatever is asked for.
    assert pages(made, 0) == pages(made, 1600) and len(pages(made, 0)[0]) >= 1


@pytest.mark.parametrize(("length", "cut"), [(2000, True), (90, False)])
def test_what_does_not_fit_is_cut_where_two_hundred_bytes_are_left(length: int, cut: bool) -> None:
    blocks = (
        ScopeAnswer("a", "a", Path("/a"), None, None, True, (passage("a0", "x" * 500), passage("a1", "y" * length))),
    )
    whole = ask_reply(answer(*blocks), Cursor("key", 0), 10**6)
    room = size(whole) + 135 - length
    reply = ask_reply(answer(*blocks), Cursor("key", 0), max(room + 200, SMALLEST_REPLY))
    shown = reply["scopes"][0]["passages"]
    assert len(shown) == 2 and (len(shown[1]["text"]) < length) is cut


def test_an_answer_that_is_no_whole_has_no_next_page() -> None:
    made = answer(block("a", 9, text="y" * 600), notes=(NotCollected("one"),))
    part = ask_reply(made, Cursor("", 0), 0, ["two"], more=False)
    assert "cursor" not in part and part["scopes"][0].get("unseen") is None and part["notes"] == ["two", "one"]
    assert "cursor" in ask_reply(made, Cursor("", 0), 0, ["two"])


def test_a_later_page_names_only_the_projects_that_it_shows() -> None:
    made = answer(block("a", 1, text="y" * 900), block("b", 1, text="y" * 900), mode="set")
    first = ask_reply(made, Cursor("key", 0), 0)
    assert [scope["id"] for scope in first["scopes"]] == ["a", "b"] and first["scopes"][1].get("unseen") == 1
    assert "(1 citations, all behind the cursor)" in ask_text(first)
    second = ask_reply(made, Cursor.read(first.get("cursor"), "key"), 0)
    assert [scope["id"] for scope in second["scopes"]] == ["b"] and "cursor" not in second


def test_a_citation_says_nothing_twice() -> None:
    assert _citation(commit()) == {"kind": "commit", "text": "Swim\n\nDeeper.", "commit": "c" * 12}
    other = _citation(commit(heading="Dive", time=86_400))
    assert (other.get("heading"), other.get("date")) == ("Dive", "1970-01-02")
    assert _citation(commit(time=0)).get("date") == "1970-01-01"
    source = _citation(passage("a", stale=True))
    assert source == {"kind": "source", "text": "text", "path": "a.py", "lines": [1, 9], "stale": True}
    named = Passage("source", "a.py", (1, 9), None, "swim (depth)", "swim", "source", "swim", 1.0)
    assert (_citation(named).get("heading"), _citation(named).get("symbol")) == ("(depth)", "swim")
    alone = Passage("source", "a.py", (1, 9), None, "swim", "swim", "source", "swim", 1.0)
    assert _citation(alone).get("heading") == "swim"
    also = _citation(passage("a", also_at=(Place("b.py", (3, 4)),)))
    assert also.get("also_at") == ["b.py:3"]


def test_a_symbol_shows_the_line_of_its_relation_and_whose_file_that_is() -> None:
    plain = Symbol("s", "function", "a.py", 3)
    assert _symbol(plain, None) == {"name": "s", "kind": "function", "path": "a.py", "line": 3}
    assert _symbol(Symbol("s", "function", "a.py", 3, site=7), None) == _symbol(plain, None)
    caller = Symbol("s", "function", "a.py", 3, relation="calls", of="t", site=7, candidates=1, resolution="exact")
    assert _symbol(caller, "a.py") == {
        **_symbol(plain, None),
        "relation": "calls",
        "of": "t",
        "resolution": "exact",
        "site": 7,
    }
    called = Symbol(
        "s", "function", "a.py", 3, relation="called_by", of="t", site=7, candidates=2, resolution="ambiguous"
    )
    assert _symbol(called, "b.py").get("site_path") == "b.py" and _symbol(called, None).get("site_path") == ""
    assert _symbol(called, "a.py").get("candidates") == 2

    def line(symbol: Symbol, path: str | None) -> str:
        made = ask_reply(answer(ScopeAnswer("a", "a", Path("/a"), None, None, True)), Cursor("", 0), 10**4)
        made["scopes"][0]["symbols"].append(_symbol(symbol, path))
        return next(line for line in ask_text(made).splitlines() if line.startswith("[symbol]"))

    assert line(plain, None) == "[symbol] a.py:3  function s"
    assert line(caller, "a.py") == "[symbol] a.py:3  function s  calls t at line 7 (exact)"
    assert line(called, "b.py") == "[symbol] a.py:3  function s  called_by t at b.py:7 (ambiguous, one of 2)"
    assert line(called, None).endswith("  called_by t at line 7 of the file of t (ambiguous, one of 2)")


@pytest.mark.parametrize(
    ("head", "caught_up", "said"),
    [
        ("c" * 40, True, "up to date"),
        ("d" * 40, False, "behind: HEAD dddddddddddd"),
        (None, False, "behind: HEAD unknown"),
        ("c" * 40, False, "perhaps not up to date, see the notes"),
    ],
)
def test_the_state_of_a_project_is_said(head: str | None, caught_up: bool, said: str) -> None:
    made = answer(ScopeAnswer("a", "a", Path("/a"), "c" * 40, head, caught_up))
    assert f"indexed at cccccccccccc, {said}\n" in ask_text(ask_reply(made, Cursor("", 0), 10**4))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/home/ada", False),
        ("/home/ada/work", True),
        ("/home", True),
        ("/", False),
        ("/usr/src/app", False),
        ("/usr", False),
        ("/srv/app", True),
        ("/srv/Program Files/editor", False),
        ("/home/ada/AppData/editor", False),
        ("file:///srv/app", True),
        ("file:///", False),
    ],
)
def test_where_somebody_can_work(monkeypatch: pytest.MonkeyPatch, path: str, place: bool) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("USERPROFILE", "/home/ada")
    assert is_a_place(path) is place
    assert (roots_place([path]) is not None) is place
    monkeypatch.setenv("HOME", "/opt/ada")
    monkeypatch.setenv("USERPROFILE", "/opt/ada")
    assert is_a_place("/opt/ada/work") and not is_a_place("/opt/tools")


def test_the_first_place_that_is_filled_in_counts() -> None:
    environment = {"LOCI_ROOT": " /a ", "CLAUDE_PROJECT_DIR": "/b"}
    known = [
        given_place("/c", "/d", environment),
        given_place("", "/d", environment),
        given_place(None, " ", environment),
    ]
    assert [(place.path, place.source) for place in known if place] == [
        ("/c", "argument"),
        ("/d", "--root"),
        ("/a", "LOCI_ROOT"),
    ]
    place = given_place("${workspaceFolder}", " ${x}", {"LOCI_ROOT": "", "CLAUDE_PROJECT_DIR": "/b"})
    assert place is not None and place.path == "/b" and given_place(None, None, {}) is None
