"""The tools through the SDK's own client in memory, on both sides of the protocol's change of era."""

from __future__ import annotations

import dataclasses
import json
import threading
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp.types import ElicitResult, ListRootsResult, Root

from loci.core import Memory
from loci.mcp import Options, build_server

FILES = {
    "billing": {
        "README.md": "# Billing\n\nInvoices are sent on the first day of the month.\n",
        "src/refund.py": "def book_refund(invoice, amount):\n    '''Books a refund against its invoice.'''\n",
    },
    "search": {
        "README.md": "# Search\n\nDocuments are ranked by relevance. The inverted index is rebuilt every night.\n"
    },
}
REFUND = "how is a refund booked against its invoice?"
ERAS = ["auto", "legacy"]


@pytest.fixture(scope="module")
def home(tmp_path_factory, make_repository) -> Path:
    place = tmp_path_factory.mktemp("mcp")
    memory = Memory.open(place / "home")
    for name, files in FILES.items():
        memory.add(make_repository(place / "work" / name, files, f"About {name}"))
    memory.index()
    return place / "home"


def talk(home: Path, work, *, era: str = "auto", options: Options | None = None, opened=None, **client: Any) -> Any:
    """What `work(client)` returns, over a server in memory."""

    async def run() -> Any:
        server = build_server(opened or (lambda: Memory.open(home)), options or Options(environment={}))
        async with Client(server, mode=era, **client) as connected:
            return await work(connected)

    return anyio.run(run)


def call(home: Path, tool: str, arguments: dict[str, Any], **how: Any) -> Any:
    return talk(home, lambda client: client.call_tool(tool, arguments), **how)


@pytest.mark.parametrize("era", ERAS)
def test_three_tools_that_only_read(home, era):
    tools = talk(home, lambda client: client.list_tools(), era=era).tools
    assert [tool.name for tool in tools] == ["ask", "scopes", "doctor"]
    for tool in tools:
        assert tool.annotations.read_only_hint and tool.annotations.idempotent_hint
        assert tool.annotations.destructive_hint is False and tool.annotations.open_world_hint is False
        assert tool.output_schema is not None
        assert {"ctx", "roots", "picked"}.isdisjoint(tool.input_schema["properties"])


@pytest.mark.parametrize("era", ERAS)
def test_an_answer_has_the_same_facts_in_both_forms(home, era):
    result = call(home, "ask", {"question": REFUND}, era=era)
    assert not result.is_error
    (project,) = result.structured_content["scopes"]
    (text,) = [block.text for block in result.content]
    assert project["id"] == "billing" and project["caught_up"] is True
    assert project["passages"][0]["path"] == "src/refund.py" and "book_refund" in project["passages"][0]["text"]
    assert {symbol["name"] for symbol in project["symbols"]} == {"book_refund"}
    for fact in (
        "billing",
        project["path"],
        project["indexed_commit"],
        "src/refund.py:1-2",
        "src/refund.py:1  function",
    ):
        assert fact in text
    for passage in project["passages"]:
        assert passage["text"].rstrip("\n") in text


@pytest.mark.parametrize("era", ERAS)
def test_an_abstention_is_a_normal_result(home, era):
    result = call(home, "ask", {"question": "why does it fail here?"}, era=era)
    assert not result.is_error
    reply = result.structured_content
    assert reply["abstained"] and reply["reason"] == "deictic" and reply["scopes"] == []
    assert "cwd" in reply["next"] and "ABSTAINED (deictic)" in result.content[0].text


def test_the_four_kinds_of_nothing(home, tmp_path, make_repository):
    memory = Memory.open(home)
    late = make_repository(tmp_path / "late", {"README.md": "# Late\n"})
    memory.add(late)
    try:
        unknown = call(home, "ask", {"question": REFUND, "scope": "biling"})
        assert unknown.is_error and "billing" in unknown.content[0].text
        waiting = call(home, "ask", {"question": REFUND, "scope": "late"}).structured_content
        assert [scope["nothing"] for scope in waiting["scopes"]] == ["not_indexed"]
        absent = call(home, "ask", {"question": "zyzzyva", "scope": "search"}).structured_content
        assert [scope["nothing"] for scope in absent["scopes"]] == ["absent"]
        untold = call(home, "ask", {"question": "?!", "scope": "search"}).structured_content
        assert [scope["nothing"] for scope in untold["scopes"]] == ["cannot_tell"]
    finally:
        memory.forget("late")


@pytest.mark.parametrize("form", ["id", "path", "uri"])
def test_a_scope_is_named_as_an_agent_knows_it(home, form):
    """FIELD 93: agents pass a path where a tool wants its own name."""
    path = home.parent / "work" / "search"
    scope = {"id": "search", "path": str(path), "uri": path.as_uri()}[form]
    reply = call(home, "ask", {"question": "when is the index rebuilt?", "scope": scope}).structured_content
    assert [item["id"] for item in reply["scopes"]] == ["search"]


def test_where_the_agent_stands(home, monkeypatch):
    question = {"question": "what does this project do?"}
    search, billing = home.parent / "work" / "search", home.parent / "work" / "billing"

    def asked(options: Options, arguments: dict[str, Any], **client: Any) -> list[str]:
        reply = call(home, "ask", arguments, options=options, **client).structured_content
        return [scope["id"] for scope in reply["scopes"]]

    environment = {"CLAUDE_PROJECT_DIR": str(search)}
    assert asked(Options(environment={}), question) == []
    assert asked(Options(environment=environment), question) == ["search"]
    assert asked(Options(root=str(billing), environment=environment), question) == ["billing"]
    assert asked(Options(root=str(billing)), {**question, "cwd": str(search)}) == ["search"]
    # A client that does not fill in its own variable, and one that starts servers in / (FIELD 12).
    assert asked(Options(root="${workspaceFolder}", environment=environment), question) == ["search"]
    monkeypatch.chdir("/")
    assert asked(Options(environment={}), question) == []
    monkeypatch.chdir(billing)
    assert asked(Options(environment={}), question) == ["billing"]


@pytest.mark.parametrize("era", ERAS)
def test_the_clients_roots_count_where_it_has_them(home, era):
    """FIELD 10: editors start servers in their own directory and tell roots later."""

    async def roots(context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=(home.parent / "work" / "search").as_uri())])

    reply = call(home, "ask", {"question": "what does this project do?"}, era=era, list_roots_callback=roots)
    assert [scope["id"] for scope in reply.structured_content["scopes"]] == ["search"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("action", "content", "expected"),
    [
        ("accept", {"project": "search"}, ["search"]),
        ("accept", {"project": "none of these"}, []),
        ("decline", None, []),
        ("cancel", None, []),
    ],
)
def test_the_person_may_pick_and_a_decline_is_nobody(home, era, action, content, expected):
    asked = []

    async def elicit(context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action=action, content=content)

    question = {"question": "does it send documents and invoices here?"}
    candidates = call(home, "ask", question, era=era).structured_content
    assert candidates["abstained"] and [item["id"] for item in candidates["candidates"]] == ["search", "billing"]
    reply = call(home, "ask", question, era=era, elicitation_callback=elicit).structured_content
    assert len(asked) == 1
    assert [scope["id"] for scope in reply["scopes"]] == expected
    assert reply["abstained"] is (not expected)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("route", "arguments", "asks"),
    [
        ({}, {}, True),
        # Whoever confined the question does not want the others offered.
        ({"reason": "out_of_group"}, {}, False),
        ({"candidates": 1}, {}, False),
        ({"abstained": False}, {}, False),
        ({}, {"scope": "search"}, False),
        ({}, {"symbol": "book_refund"}, False),
        ({}, {"cursor": "bm9uc2Vuc2U="}, False),
    ],
)
def test_the_person_is_asked_only_where_two_or_more_projects_are_left_to_choose_from(home, era, route, arguments, asks):
    class Routed(Memory):
        def route(self, *given: Any, **named: Any) -> Any:
            found = super().route(*given, **named)
            changes = {**route, "candidates": found.candidates[: route.get("candidates", 2)]}
            return dataclasses.replace(found, **changes)

    asked = []

    async def elicit(context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="decline")

    question = {"question": "does it send documents and invoices here?", **arguments}
    call(home, "ask", question, era=era, opened=lambda: Routed.open(home), elicitation_callback=elicit)
    assert bool(asked) is asks


def test_replies_keep_their_size_and_the_rest_is_behind_a_cursor(tmp_path, make_repository):
    """FIELD 90 and 91: replies past a client's limit are thrown away."""
    pages = {f"docs/page-{n:02}.md": f"# Walrus {n}\n\n" + f"The walrus number {n} swims. " * 60 for n in range(30)}
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "zoo", pages, "Walruses"))
    memory.index()
    seen, cursor, rounds = [], None, 0
    while True:
        arguments = {"question": "which walrus swims?", "scope": "zoo", "k": 30} | (
            {"cursor": cursor} if cursor else {}
        )
        result = call(tmp_path / "home", "ask", arguments)
        assert not result.is_error, result.content[0].text
        reply = result.structured_content
        assert len(result.content[0].text) <= 8000
        assert len(json.dumps(reply, ensure_ascii=False, separators=(",", ":"))) <= 8000
        seen += [passage.get("path") or passage["commit"] for scope in reply["scopes"] for passage in scope["passages"]]
        cursor, rounds = reply.get("cursor"), rounds + 1
        if not cursor:
            break
    assert rounds > 1 and len(seen) == len(set(seen)) == 31
    foreign = call(tmp_path / "home", "ask", {"question": "another", "scope": "zoo", "cursor": "bm9uc2Vuc2U="})
    assert foreign.is_error and "leave it out" in foreign.content[0].text


def test_scopes_can_be_filtered_and_doctor_says_what_to_do(home):
    reply = call(home, "scopes", {"filter": "BILL"}).structured_content
    assert [scope["id"] for scope in reply["scopes"]] == ["billing"] and reply["total"] == 1
    assert call(home, "scopes", {"filter": "nowhere"}).structured_content["total"] == 0
    reply = call(home, "doctor", {}).structured_content
    assert set(reply) >= {"healthy", "findings"}


def test_without_an_index_it_says_what_to_run(tmp_path):
    """FIELD 28: an empty index must not look like no match."""
    result = call(tmp_path / "nothing", "ask", {"question": REFUND})
    assert result.is_error and "loci setup" in result.content[0].text
    assert not (tmp_path / "nothing").exists()


def test_what_loci_raises_reaches_the_model_and_a_defect_does_too(home):
    def broken() -> Memory:
        raise RuntimeError("the disk said no")

    result = call(home, "ask", {"question": REFUND}, opened=broken)
    assert result.is_error and "the disk said no" in result.content[0].text
    assert call(home, "ask", {"question": "  "}).is_error
    assert call(home, "ask", {"question": REFUND, "k": 0}).is_error


class Late(Memory):
    """A memory that has its answer, and gives it when it is let."""

    let = threading.Event()

    def ask(self, *given: Any, **named: Any) -> Any:
        answer = super().ask(*given, **named)
        assert self.let.wait(60)
        return answer


@pytest.fixture
def late(monkeypatch) -> threading.Event:
    monkeypatch.setattr(Late, "let", threading.Event())
    return Late.let


def test_a_deadline_of_its_own_with_what_there_is(home, late):
    """FIELD 88: a call that outlives the client's patience is lost whole."""
    options = Options(environment={}, deadline=2.0)
    result = call(home, "ask", {"question": REFUND}, opened=lambda: Late.open(home), options=options)
    assert not late.is_set()  # the answer was never given
    late.set()
    assert not result.is_error and "only part of the answer" in result.content[0].text
    assert "src/refund.py" in result.content[0].text


@pytest.mark.parametrize("era", ERAS)
def test_a_long_call_tells_how_far_it_is(home, era, late, monkeypatch):
    monkeypatch.setattr("loci.mcp._server.PROGRESS_SECONDS", 0.01)
    told: list[tuple[float, float | None]] = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))
        if len(told) == 3:
            late.set()

    async def long(client: Any) -> Any:
        return await client.call_tool("ask", {"question": REFUND}, progress_callback=listen)

    options = Options(environment={}, deadline=60)
    result = talk(home, long, era=era, opened=lambda: Late.open(home), options=options)
    assert not result.is_error and result.structured_content["scopes"][0]["id"] == "billing"
    assert [progress for progress, _ in told[:3]] == pytest.approx([0.01, 0.02, 0.03])
    assert {total for _, total in told} == {60}


@pytest.mark.parametrize(("deadline", "seconds"), [(8.0, 1.2), (4.8, 1.2), (2.0, 0.5), (0.4, 0.1)])
def test_catching_up_takes_no_more_than_a_quarter_of_the_deadline(
    tmp_path, make_repository, monkeypatch, deadline, seconds
):
    """FIELD 88: indexing inside of a call, until the client gives up. A question by hand waits 1.2 seconds at most."""
    memory = Memory.open(tmp_path / "home")
    work = make_repository(tmp_path / "notes", {"a.md": "# Herons\n\nHerons nest in spring.\n"})
    memory.add(work)
    memory.index()
    (work / "a.md").write_text("# Herons\n\nHerons nest in April.\n")
    limits: list[float] = []

    def endless(home: Any, scopes: Any, limit: float) -> None:
        limits.append(limit)  # and it goes on in the background when that is over

    monkeypatch.setattr("loci.core.build.freshness.refresh", endless)
    # However slow the machine is: the project is expected to be quick, and looked at in time.
    monkeypatch.setattr("loci.core.build.freshness.expected_seconds", lambda *_: 0.0)
    monkeypatch.setattr("loci.mcp._server._in_thread", _without_deadline)
    options = Options(environment={}, deadline=deadline)
    result = call(tmp_path / "home", "ask", {"question": "when do herons nest?", "scope": "notes"}, options=options)
    assert limits == pytest.approx([seconds]) and seconds <= deadline / 4
    text = result.content[0].text
    # Whole, from the older index, and said to be so; not what was there when time was up.
    assert "being updated: notes" in text and "only part of the answer" not in text
    assert "perhaps not up to date" in text


async def _without_deadline(work: Any, deadline: float, ctx: Any = None) -> Any:
    return await anyio.to_thread.run_sync(work)


def test_reranking_without_a_model_is_said_and_answered(home):
    result = call(home, "ask", {"question": REFUND, "rerank": True})
    assert not result.is_error
    assert "note: not reranked: no cross-encoder is known" in result.content[0].text
    assert result.structured_content["scopes"][0]["passages"][0]["path"] == "src/refund.py"


def test_twenty_calls_at_once(home):
    async def many(client: Any) -> list[Any]:
        results: list[Any] = []

        async def one() -> None:
            results.append(await client.call_tool("ask", {"question": REFUND}))

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(one)
        return results

    results = talk(home, many)
    assert (
        len({json.dumps(result.structured_content, sort_keys=True) for result in results}) == 1 and len(results) == 20
    )


def test_a_rebuild_underneath_is_seen(tmp_path, make_repository):
    """FIELD 32 and 84: a server went on reading the file that a rebuild had deleted, or hindered the rebuild."""
    memory = Memory.open(tmp_path / "home")
    work = make_repository(tmp_path / "notes", {"a.md": "# Herons\n\nHerons nest in spring.\n"})
    memory.add(work)
    memory.index()

    async def before_and_after(client: Any) -> tuple[Any, Any]:
        arguments = {"question": "when do ospreys nest?", "scope": "notes"}
        first = await client.call_tool("ask", arguments)
        (work / "b.md").write_text("# Ospreys\n\nOspreys nest in May.\n")
        await anyio.to_thread.run_sync(lambda: memory.index())
        return first, await client.call_tool("ask", arguments)

    first, second = talk(tmp_path / "home", before_and_after)
    assert "b.md" not in first.content[0].text and "b.md:" in second.content[0].text


def test_mapped_pages_are_given_back_and_answers_stay_the_same(home, monkeypatch):
    """FIELD 70: a server that grew with every question. What is mapped is counted, and given back past a limit."""
    released = []

    class Counting(Memory):
        def release(self) -> None:
            released.append(1)
            super().release()

    async def several(client: Any) -> list[Any]:
        return [(await client.call_tool("ask", {"question": REFUND})).structured_content for _ in range(3)]

    usual = talk(home, several, opened=lambda: Counting.open(home))
    monkeypatch.setattr("loci.mcp._server.MAPPED_LIMIT", 0)
    monkeypatch.setattr("loci.mcp._server._mapped_bytes", lambda: 1)
    before = len(released)
    assert talk(home, several, opened=lambda: Counting.open(home)) == usual
    assert len(released) == before + 3
    monkeypatch.setattr("loci.mcp._server._mapped_bytes", lambda: None)
    talk(home, several, opened=lambda: Counting.open(home))
    assert len(released) == before + 3
