"""What an agent reads: the same in both forms, in terms of the tools, within the size, and nothing that misleads."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import anyio
import pytest
from mcp import Client

from loci.core import Memory
from loci.mcp import Options, build_server
from loci.mcp._reply import (
    Cursor,
    CursorError,
    FindingEntry,
    doctor_reply,
    doctor_text,
    scopes_reply,
    size,
)

WALRUS = {
    "pyproject.toml": "[project]\nname = 'walrus-tools'\nversion = '1'\n",
    "walrus_tools/__init__.py": 'def swim(depth):\n    """Swims down to a depth."""\n    return -depth\n',
    "README.md": "# Walrus tools\n\nEverything that a walrus needs under the ice.\n",
}
USERS = {
    name: {
        "pyproject.toml": f"[project]\nname = '{name}'\nversion = '1'\ndependencies = ['walrus-tools>=1']\n",
        f"{name}/__init__.py": "import walrus_tools\n\nDEEP = walrus_tools.swim(40)\n",
        "README.md": f"# {name.title()}\n\n" + "Where the ice is thin the keeper opens the gate for the walrus. " * 60,
        **{f"docs/{n}.md": f"# Page {n}\n\n" + f"The walrus of page {n} sleeps on the ice. " * 40 for n in range(6)},
    }
    for name in ("arctic", "bering", "chukchi")
}


@pytest.fixture(scope="module")
def home(tmp_path_factory, make_repository) -> Path:
    place = tmp_path_factory.mktemp("reply")
    memory = Memory.open(place / "home")
    for name, files in {"walrus-tools": WALRUS, **USERS}.items():
        memory.add(make_repository(place / "work" / name, files, f"Begin {name}", "Open the gate for the walrus"))
    memory.index()
    return place / "home"


def call(home: Path, tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Both forms of a reply that is no error."""

    async def run() -> Any:
        server = build_server(lambda: Memory.open(home), Options(environment={}))
        async with Client(server) as client:
            return await client.call_tool(tool, arguments)

    result = anyio.run(run)
    assert not result.is_error, result.content[0].text
    return result.structured_content, result.content[0].text


def test_who_uses_a_project_is_cited(home):
    reply, text = call(home, "ask", {"question": "which of my projects uses walrus-tools?"})
    assert reply["mode"] == "relational" and [block["id"] for block in reply["scopes"]] == sorted(USERS)
    for block in reply["scopes"]:
        dependency = block["uses"][0]
        assert {key: dependency[key] for key in ("used", "kind", "name", "path", "line", "files")} == {
            "used": "walrus-tools",
            "kind": "dependency",
            "name": "walrus-tools",
            "path": "pyproject.toml",
            "line": 4,
            "files": 1,
        }
        assert text.split(f"# {block['id']}  ")[1].split("\n")[1] == (
            "[use] pyproject.toml:4  dependency walrus-tools of walrus-tools"
        )
    assert "loci uses" not in json.dumps(reply) + text  # it has just been answered


def test_no_project_of_several_stands_there_empty(home):
    """The first one's citations once filled the reply, and the others looked as if they had nothing to say."""
    reply, text = call(home, "ask", {"question": "which of my projects open the gate for the walrus on the ice?"})
    assert reply["mode"] == "set" and len(reply["scopes"]) >= 3 and reply["cursor"]
    assert all(block["passages"] for block in reply["scopes"])
    assert sum(block.get("unseen", 0) for block in reply["scopes"]) == int(
        next(note for note in reply["notes"] if "behind the cursor" in note).split()[0]
    )
    small, text = call(home, "ask", {"question": "which of my projects open the gate for the walrus?", "budget": 200})
    for block in small["scopes"]:
        if not block["passages"] and not block["symbols"]:
            assert block["unseen"] and f"({block['unseen']} citations, all behind the cursor)" in text


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": "what does this project do?"},
        {"question": "zyzzyva quagga"},
        {"question": "fix it"},
        {"question": "walrus"},
        {"question": "arctik gate"},
        {"question": "which of my projects uses zyzzyva?"},
    ],
)
def test_advice_is_in_terms_of_the_tools(home, arguments):
    reply, text = call(home, "ask", arguments)
    for form in (json.dumps(reply, ensure_ascii=False), text):
        assert "--" not in form and "loci scopes" not in form and "ask from inside" not in form


def test_a_project_that_was_asked_for_has_no_confidence(home):
    reply, text = call(home, "ask", {"question": "how deep does it swim?", "scope": "walrus-tools"})
    assert reply["given"] is True and "as asked" in text.split("\n")[0] and "confidence" not in text
    routed, text = call(home, "ask", {"question": "who swims down to a depth?"})
    assert "given" not in routed and "confidence" in text.split("\n")[0]


def test_nothing_is_said_twice(home):
    reply, text = call(home, "ask", {"question": "swim down to a depth", "scope": "walrus-tools"})
    swim = next(passage for passage in reply["scopes"][0]["passages"] if passage.get("symbol") == "swim")
    assert swim["heading"] == "def swim(depth)"
    assert "walrus_tools/__init__.py:1-3  swim  def swim(depth)\n" in text
    reply, text = call(home, "ask", {"question": "when was the gate opened for the walrus?", "scope": "arctic"})
    commit = next(item for item in reply["scopes"][0]["passages"] if "Open the gate" in item["text"])
    assert commit["kind"] == "commit" and "heading" not in commit


def test_where_the_server_stands_is_told_where_it_counts(home, monkeypatch):
    note = "where this server was started"
    monkeypatch.chdir(home.parent)
    _, text = call(home, "ask", {"question": "who swims down to a depth?"})
    assert note not in text  # it had no part in that
    _, text = call(home, "ask", {"question": "why does it fail here?"})
    assert "ABSTAINED" in text and note in text
    monkeypatch.chdir(home.parent / "work" / "walrus-tools")
    _, text = call(home, "ask", {"question": "who swims down to a depth?"})
    assert note in text


def test_a_size_in_bytes_holds_for_any_script(tmp_path, make_repository):
    """FIELD 90: clients cut at bytes, and a Chinese character has three."""
    pages = {f"docs/{n}.md": f"# 海象 {n}\n\n" + f"海象在冰上睡觉 {n}。" * 80 for n in range(12)}
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "zoo", pages, "海象"))
    memory.index()
    reply, text = call(tmp_path / "home", "ask", {"question": "海象在哪里睡觉", "scope": "zoo"})
    assert reply["scopes"][0]["passages"][0]["text"].startswith("海象")
    assert len(text.encode()) <= 7600
    assert len(json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode()) <= 7600


def test_a_filter_that_nothing_passes_is_not_an_empty_registry(home, tmp_path):
    reply, text = call(home, "scopes", {"filter": "zzz"})
    assert (
        reply["total"] == 0 and reply["next"] == "none of the 4 projects matches the filter; leave it out to list all"
    )
    assert reply["next"] in text
    reply, _ = call(tmp_path / "nothing", "scopes", {})
    assert "loci setup" in reply["next"]


def test_a_later_page_has_twice_the_room_for_texts(home):
    """The citations that it shows had no room on the first."""
    rooms = []

    class Counting(Memory):
        def ask(self, *given: Any, **named: Any) -> Any:
            rooms.append(named["budget"])
            return super().ask(*given, **named)

    async def pages() -> None:
        server = build_server(lambda: Counting.open(home), Options(environment={}))
        asked = {"question": "which of my projects open the gate for the walrus on the ice?", "budget": 1001}
        async with Client(server) as client:
            first = await client.call_tool("ask", asked)
            await client.call_tool("ask", {**asked, "cursor": first.structured_content["cursor"]})

    anyio.run(pages)
    assert rooms == [700, 1400]


def test_a_cursor_is_read_for_its_own_request_alone():
    assert Cursor.read(None, "key") == Cursor.read("", "key") == Cursor("key", 0)
    for start in (0, 1, 70):
        assert Cursor.read(Cursor("key", 0).at(start), "key") == Cursor("key", start)
    for other in (Cursor("key", 0).at(-1), Cursor("another", 0).at(1)):
        with pytest.raises(CursorError, match="belongs to another request"):
            Cursor.read(other, "key")
    for nonsense in ("bm9uc2Vuc2U=", "?", "W10=", "WzFd", "é"):
        with pytest.raises(CursorError, match="not a cursor of loci"):
            Cursor.read(nonsense, "key")


def status(number: int, **changes: Any) -> Any:
    known = {"id": f"p{number}", "path": Path("/work"), "state": "indexed", "groups": (), "commit": "c" * 40}
    return SimpleNamespace(**{**known, "head": "c" * 40, **changes})


@pytest.mark.parametrize(("count", "pages"), [(0, [0]), (1, [1]), (50, [50]), (51, [50, 1]), (101, [50, 50, 1])])
def test_projects_come_fifty_at_a_time(count, pages):
    found, sizes, cursor = [status(number) for number in range(count)], [], Cursor("key", 0)
    seen: list[str] = []
    while True:
        reply = scopes_reply(found, cursor, 10**6, count)
        assert reply["total"] == count
        sizes.append(len(reply["scopes"]))
        seen += [entry["id"] for entry in reply["scopes"]]
        if "cursor" not in reply:
            break
        cursor = Cursor.read(reply["cursor"], "key")
    assert (sizes, seen) == (pages, [each.id for each in found])


def test_a_page_of_projects_or_findings_ends_where_its_bytes_do_and_always_moves_on():
    found = [status(number) for number in range(3)]
    whole = scopes_reply(found, Cursor("key", 0), 10**6, 3)
    two = size({**whole, "scopes": whole["scopes"][:2]})
    for limit, shown in ((two, 2), (two - 1, 1), (0, 1)):
        reply = scopes_reply(found, Cursor("key", 0), limit, 3)
        assert [entry["id"] for entry in reply["scopes"]] == ["p0", "p1"][:shown]
        assert Cursor.read(reply.get("cursor"), "key").start == shown
    findings: list[FindingEntry] = [{"scope": f"p{n}", "severity": "note", "problem": "thin"} for n in range(3)]
    two = size({"healthy": True, "findings": findings[:2]})
    for limit, shown in ((two, 2), (two - 1, 1), (0, 1)):
        reply = doctor_reply(findings, Cursor("key", 0), limit)
        assert reply["findings"] == findings[:shown]
        assert Cursor.read(reply.get("cursor"), "key").start == shown
    last = doctor_reply(findings, Cursor("key", 2), two)
    assert (last["findings"], "cursor" in last) == (findings[2:], False)


def test_a_project_is_caught_up_where_its_commit_is_the_one_at_head():
    entries = scopes_reply(
        [status(0), status(1, head="d" * 40), status(2, commit=None, head=None), status(3, state="not_indexed")],
        Cursor("key", 0),
        10**6,
        4,
    )["scopes"]
    assert [entry.get("caught_up") for entry in entries] == [True, False, True, None]
    assert [entry.get("indexed_commit") for entry in entries] == ["c" * 12, "c" * 12, None, None]
    assert "groups" not in entries[0] and "indexed_commit" not in entries[3]


def test_notes_of_the_doctor_are_no_illness():
    note: FindingEntry = {"scope": "a", "severity": "note", "problem": "3 files are left out"}
    warning: FindingEntry = {"scope": "b", "severity": "warning", "problem": "it is behind", "fix": "loci index b"}
    error: FindingEntry = {"scope": None, "severity": "error", "problem": "it is damaged", "fix": "loci index --force"}
    start = Cursor("key", 0)
    well = doctor_reply([note], start, 8000)
    assert well["healthy"] is True and doctor_text(well).startswith("nothing needs doing\n[note] a: 3 files")
    ill = doctor_reply([note, warning, error], start, 8000)
    assert ill["healthy"] is False
    assert [finding["severity"] for finding in ill["findings"]] == ["error", "warning", "note"]


def test_a_symbol_is_asked_for_without_words(home):
    reply, text = call(
        home, "ask", {"question": "who calls it?", "symbol": "swim", "relation": "callers", "scope": "arctic"}
    )
    assert reply["scopes"][0]["nothing"] == "absent" and "this project has no symbol called swim" in text
    reply, text = call(home, "ask", {"question": "where?", "symbol": "swim"})
    (block,) = reply["scopes"]
    assert block["id"] == "walrus-tools" and block["passages"] == []
    assert [(each["name"], each["path"], each["line"]) for each in block["symbols"]] == [
        ("swim", "walrus_tools/__init__.py", 1)
    ]
    assert "[symbol] walrus_tools/__init__.py:1  function swim" in text


def test_a_symbol_that_nobody_has_names_those_like_it(home):
    reply, text = call(home, "ask", {"question": "where?", "symbol": "swimm"})
    assert reply["abstained"] and "did you mean swim (walrus-tools)?" in text


def test_callers_are_cited_by_their_own_file_and_go_on_behind_the_cursor(tmp_path, make_repository):
    files = {
        "pool.py": "def dive():\n    return 1\n",
        **{f"lane_{n}.py": f"from pool import dive\n\n\ndef lane_{n}():\n    return dive()\n" for n in range(12)},
    }
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "pool", files, "Dive"))
    memory.index()
    asked = {"question": "who?", "symbol": "dive", "relation": "callers", "budget": 300}
    seen, cursor = [], None
    for _ in range(10):
        reply, _ = call(tmp_path / "home", "ask", asked | ({"cursor": cursor} if cursor else {}))
        seen += [each["name"] for block in reply["scopes"] for each in block["symbols"]]
        cursor = reply.get("cursor")
        if cursor is None:
            break
    assert len(seen) == 12 and seen[0] == "dive" and set(seen[1:]) < {f"lane_{n}" for n in range(12)}
    reply, text = call(tmp_path / "home", "ask", {"question": "what?", "symbol": "lane_3", "relation": "callees"})
    called = reply["scopes"][0]["symbols"][1]
    assert (called["path"], called["site"], called["site_path"]) == ("pool.py", 5, "lane_3.py")
    assert "called_by lane_3 at lane_3.py:5" in text
    asked = {"question": "how?", "symbol": "lane_3", "to": "dive"}
    reply, _ = call(tmp_path / "home", "ask", asked)
    assert [each["name"] for each in reply["scopes"][0]["symbols"]] == ["lane_3", "dive"]
    reply, text = call(tmp_path / "home", "ask", asked | {"symbol": "dive", "to": "lane_3"})
    assert "no path from dive to lane_3 is known" in text


def test_the_end_of_a_way_needs_its_beginning(home):
    with pytest.raises(Exception, match="`symbol`, which is missing"):
        call(home, "ask", {"question": "how?", "to": "swim"})


def test_the_relations_are_those_of_the_core():
    from loci.core import Relation as OfCore
    from loci.mcp._server import Relation

    assert get_args(Relation) == get_args(OfCore)
