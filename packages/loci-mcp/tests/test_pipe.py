"""The server as a process, over raw pipes: what reaches stdout, and how it ends."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from jsonschema.validators import validator_for
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from loci.core import Memory

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
SCHEMAS = Path(__file__).with_name("schema")
RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "prompts/list": "ListPromptsResult",
    "resources/list": "ListResourcesResult",
    "ping": "EmptyResult",
}
QUESTION = "when is the inverted index rebuilt?"
SERVE = "import sys; from loci.mcp import serve; serve(sys.argv[1])"


@pytest.fixture(scope="module")
def home(tmp_path_factory, make_repository) -> Path:
    place = tmp_path_factory.mktemp("pipe")
    files = {"README.md": "# Search\n\nThe inverted index is rebuilt every night.\n"}
    memory = Memory.open(place / "home")
    memory.add(make_repository(place / "search", files, "Rank documents"))
    memory.index()
    return place / "home"


@functools.cache
def schema(revision: str, definition: str) -> Any:
    """The validator of one definition of the protocol's published schema."""
    document = json.loads((SCHEMAS / f"{revision}.json").read_text(encoding="utf-8"))
    table = "$defs" if "$defs" in document else "definitions"
    assert definition in document[table], (revision, definition)
    kind = validator_for(document)
    return kind({"$schema": document["$schema"], table: document[table], "$ref": f"#/{table}/{definition}"})


def check(message: dict[str, Any], revision: str, method: str | None) -> None:
    """A line of the server against the published schema: as JSON-RPC, and as what it is. `method`: what it answers."""
    schema(revision, "JSONRPCMessage").validate(message)
    if "method" in message:
        kind = "ServerRequest" if "id" in message else "ServerNotification"
        schema(revision, kind).validate(message)
    elif "error" in message:
        error = "JSONRPCError" if revision < "2025-11-25" else "JSONRPCErrorResponse"
        schema(revision, error).validate(message)
    else:
        assert method is not None, message
        asks_back = message["result"].get("resultType") == "input_required"
        schema(revision, "InputRequiredResult" if asks_back else RESULTS[method]).validate(message["result"])


class Server:
    """A running server, spoken to line by line. Every line it writes is checked by the protocol's published schema.

    `revision`: the one that its lines are checked against, until `initialize` agrees on another.
    """

    def __init__(self, home: Path, program: str = SERVE, *, revision: str = MODERN, **options: Any) -> None:
        self.revision = revision
        self.methods: dict[int, str] = {}
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def raw(self, data: bytes) -> None:
        self.stdin.write(data)
        self.stdin.flush()

    def send(self, method: str, params: Any = None, identity: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method} | ({} if identity is None else {"id": identity})
        if identity is not None:
            self.methods[identity] = method
        self.raw(json.dumps(message | ({} if params is None else {"params": params})).encode() + b"\n")

    def read(self) -> dict[str, Any]:
        line = self.stdout.readline()
        assert line.endswith(b"\n") and not line.endswith(b"\r\n"), line
        message = json.loads(line)
        method = self.methods.get(message.get("id"))
        if method == "initialize" and "result" in message:
            self.revision = message["result"]["protocolVersion"]
        check(message, self.revision, method)
        return message

    def initialize(self, revision: str = "2025-06-18") -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        self.send("initialize", {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}, 0)
        reply = self.read()
        self.send("notifications/initialized")
        return reply

    def modern(self, method: str, identity: int, capabilities: Any = None, **params: Any) -> None:
        """A request of the revision without a handshake: each one says by itself who asks and what it can do."""
        prefix = "io.modelcontextprotocol/"
        meta = {
            f"{prefix}protocolVersion": MODERN,
            f"{prefix}clientInfo": {"name": "test", "version": "1"},
            f"{prefix}clientCapabilities": capabilities or {},
        }
        self.send(method, {**params, "_meta": meta | params.pop("_meta", {})}, identity)

    def ask(self, identity: int, question: str = QUESTION) -> None:
        self.send("tools/call", {"name": "ask", "arguments": {"question": question}}, identity)

    def begins(self) -> None:
        """Waits until a call of `ENDLESS` is under way."""
        assert self.process.stderr is not None and self.process.stderr.readline().strip() == b"begun"

    def ends(self) -> int:
        return self.process.wait(60)  # a test that fails ends too


def test_the_schemas_do_refuse():
    """A checker that lets everything pass would hide what it is here for."""
    fine = {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
    for revision in [*REVISIONS, MODERN]:
        told = {**fine, "result": {"content": [], "resultType": "complete"}}
        check(told, revision, "tools/call")
        for wrong in (
            {**fine, "jsonrpc": "1.0"},
            {**fine, "result": {"content": "text"}},
            {"jsonrpc": "2.0", "id": 1, "error": {"message": "no code"}},
            {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        ):
            with pytest.raises(jsonschema.ValidationError):
                check(wrong, revision, "tools/call")


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_kind_of_line_of_a_handshake_revision(home, revision):
    with Server(home) as server:
        reply = server.initialize(revision)["result"]
        assert reply["protocolVersion"] == revision and reply["serverInfo"]["name"] == "loci"
        assert len(reply["instructions"]) <= 2048  # where clients cut them
        server.send("ping", {}, 1)
        server.send("tools/list", {}, 2)
        server.send("prompts/list", {}, 3)
        server.send("resources/list", {}, 4)
        for identity, name in ((5, "scopes"), (6, "doctor")):
            server.send("tools/call", {"name": name, "arguments": {}}, identity)
        server.ask(7, "why does it fail here?")
        server.send("tools/call", {"name": "ask", "arguments": {"question": QUESTION, "scope": "nobody"}}, 8)
        server.send("tools/call", {"name": "no-such-tool", "arguments": {}}, 9)
        server.send("no/such/method", {}, 10)
        server.send("tools/call", {"name": "ask", "arguments": {}}, 11)
        server.ask(12)
        replies = {message["id"]: message for message in (server.read() for _ in range(12))}
        assert sorted(replies) == list(range(1, 13))
        assert "rebuilt every night" in replies[12]["result"]["content"][0]["text"]
        assert replies[7]["result"]["structuredContent"]["abstained"] is True
        assert replies[8]["result"]["isError"] is True and replies[11]["result"]["isError"] is True
        assert replies[10]["error"]["code"] == -32601
        tools = {tool["name"]: tool for tool in replies[2]["result"]["tools"]}
        for identity, name in ((5, "scopes"), (6, "doctor"), (7, "ask")):
            # As clients do that check: what a tool returns against what it said that it returns.
            content = replies[identity]["result"]["structuredContent"]
            jsonschema.Draft202012Validator(tools[name]["outputSchema"]).validate(content)


def test_every_kind_of_line_of_the_revision_without_a_handshake(home):
    with Server(home) as server:
        server.modern("server/discover", 1)
        assert server.read()["result"]["supportedVersions"] == [MODERN]
        server.modern("tools/list", 2)
        assert [tool["name"] for tool in server.read()["result"]["tools"]] == ["ask", "scopes", "doctor"]
        server.modern("tools/call", 3, name="ask", arguments={"question": QUESTION})
        assert "rebuilt every night" in server.read()["result"]["content"][0]["text"]
        server.modern("tools/call", 4, name="ask", arguments={"question": QUESTION, "scope": "nobody"})
        assert server.read()["result"]["isError"] is True
        server.modern("no/such/method", 5)
        assert server.read()["error"]["code"] == -32601
        # The client can tell its roots: asked for inside the result, and the call comes again with the answer.
        arguments = {"name": "ask", "arguments": {"question": "what does this project do?"}}
        server.modern("tools/call", 6, {"roots": {}}, **arguments)
        result = server.read()["result"]
        ((key, wanted),) = result["inputRequests"].items()
        assert result["resultType"] == "input_required" and wanted["method"] == "roots/list"
        roots = {"roots": [{"uri": (home.parent / "search").as_uri()}]}
        again = {"requestState": result["requestState"]} if "requestState" in result else {}
        server.modern("tools/call", 7, {"roots": {}}, **arguments, inputResponses={key: roots}, **again)
        assert [scope["id"] for scope in server.read()["result"]["structuredContent"]["scopes"]] == ["search"]
        # No session: `initialize` has no place here, and the refusal is a proper one too.
        server.send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}}, 8)
        assert "error" in server.read()
        server.stdin.close()
        assert server.ends() == 0 and server.stdout.read() == b""


def test_a_client_that_wants_another_revision_is_offered_the_latest(home):
    with Server(home) as server:
        assert server.initialize("1999-01-01")["result"]["protocolVersion"] == REVISIONS[-1]


def test_lines_that_are_no_messages_are_passed_over(home):
    with Server(home) as server:
        server.initialize()
        server.methods |= {7: "tools/list", 8: "tools/call", 9: "tools/list"}
        server.raw(b"this is no JSON\n\xff\xfe\x00\n{}\n\n")
        line = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).encode()
        server.raw(line + b"\r\n")  # FIELD 86 and MCP on Windows: carriage returns
        reply = server.read()
        while reply.get("id") != 7:
            reply = server.read()
        assert len(reply["result"]["tools"]) == 3
        text = json.dumps({"name": "ask", "arguments": {"question": "index caf"}}).replace("caf", "caf\\ud800")
        server.raw(b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":' + text.encode() + b"}\n")
        server.raw(line.replace(b"7", b"9") + b"\n")
        ids = {server.read().get("id")}
        while 9 not in ids:
            ids.add(server.read().get("id"))


def test_what_a_library_prints_does_not_reach_the_pipe(home):
    """FIELD 86: one stray line on stdout, and strict clients drop the server. Also while modules are imported."""
    program = (
        "import sys, builtins\n"
        "from loci.mcp._serve import serve\n"
        "class Loud:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith(('mcp', 'loci.core')):\n"
        "            print('importing', name, flush=True)\n"
        "sys.meta_path.insert(0, Loud())\n"
        "serve(sys.argv[1])\n"
    )
    with Server(home, program) as server:
        server.initialize()
        server.ask(1)
        assert server.read()["id"] == 1
        server.stdin.close()
        assert server.ends() == 0
        assert server.stdout.read() == b""


# A call of it says on stderr that it has begun, and never ends.
ENDLESS = (
    "import sys, threading\n"
    "import loci.mcp._server\n"
    "from loci.core import Memory\n"
    "from loci.mcp import serve\n"
    "def ask(*_given, **_named):\n"
    "    print('begun', file=sys.stderr, flush=True)\n"
    "    threading.Event().wait()\n"
    "Memory.ask = ask\n"
    "loci.mcp._server.PROGRESS_SECONDS = 0.01\n"
    "serve(sys.argv[1])\n"
)


def test_the_end_of_stdin_ends_it_with_a_call_in_flight(home):
    """FIELD 70: servers that outlived their client."""
    with Server(home, ENDLESS) as server:
        server.initialize()
        server.ask(1)
        server.begins()
        server.stdin.close()
        assert server.ends() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("program", [SERVE, ENDLESS])
def test_a_signal_ends_it(home, number, program):
    with Server(home, program) as server:
        server.initialize()
        server.ask(1)
        if program == SERVE:
            server.read()
        else:
            server.begins()
        server.process.send_signal(number)
        assert server.ends() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no process groups of that kind")
def test_the_death_of_the_client_ends_it(home, tmp_path):
    """FIELD 72 and 75: the client is killed, and the pipe is held open by somebody else."""
    requests, asking = os.pipe()
    answers, answering = os.pipe()
    client = (
        "import signal, subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', {SERVE!r}, sys.argv[1]], stdin={requests}, stdout={answering})\n"
        "signal.pause()\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", client, str(home)], pass_fds=[requests, answering])
    os.close(answering)
    try:
        with os.fdopen(answers, "rb") as stdout:
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            request = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
            os.write(asking, json.dumps(request).encode() + b"\n")
            assert json.loads(stdout.readline())["id"] == 0  # it serves, and knows its parent
            parent.kill()
            parent.wait()
            # Its end of the pipe is closed by its end alone: nobody else holds it.
            assert stdout.read() == b""
    finally:
        parent.kill()
        parent.wait()
        os.close(requests)
        os.close(asking)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not tell what is open")
def test_nothing_is_watched_and_nothing_is_listened_to(home):
    """FIELD 74: 90,000 watches for each instance, until the system had none left. Files are compared when asked."""
    with Server(home) as server:
        server.initialize()
        server.ask(1)
        server.read()
        place = Path(f"/proc/{server.process.pid}")
        opened = [str(file.readlink()) for file in (place / "fd").iterdir()]
        assert not any("inotify" in name or "fanotify" in name for name in opened)
        # The sockets of the event loop's own wake-up are a pair without an address.
        numbers = {name.removeprefix("socket:[").removesuffix("]") for name in opened if name.startswith("socket:")}
        tables = [table for table in (place / "net" / "tcp", place / "net" / "tcp6") if table.exists()]
        rows = [line.split() for table in tables for line in table.read_text().splitlines()]
        assert not [row for row in rows if row[3] == "0A" and row[9] in numbers]


def test_a_client_that_stops_reading_is_no_error(home):
    with Server(home) as server:
        server.initialize()
        server.stdout.close()
        server.ask(1)
        assert server.ends() == 0


def test_a_cancelled_call_gets_no_reply_and_the_next_does(home):
    with Server(home, ENDLESS) as server:
        server.initialize()
        server.ask(1)
        server.begins()
        server.send("notifications/cancelled", {"requestId": 1})
        server.send("tools/call", {"name": "scopes", "arguments": {}}, 2)
        assert server.read()["id"] == 2


def test_progress_is_told_on_a_long_call(home):
    with Server(home, ENDLESS) as server:
        server.initialize()
        arguments = {"name": "ask", "arguments": {"question": QUESTION}, "_meta": {"progressToken": "p"}}
        server.send("tools/call", arguments, 1)
        reply = server.read()
        assert reply["method"] == "notifications/progress" and reply["params"]["progressToken"] == "p"


def test_a_client_that_discovers_and_then_initializes(home):
    """The switch for clients that send `initialize` although `server/discover` succeeded."""
    program = "import sys; from loci.mcp import serve; serve(sys.argv[1], protocol='handshake')"
    with Server(home, program) as server:
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
        server.send("server/discover", {"_meta": meta}, 5)
        assert server.read()["error"]["code"] == -32601
        assert server.initialize()["result"]["protocolVersion"] == "2025-06-18"
        server.ask(1)
        assert server.read()["id"] == 1


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_the_sdks_client_drives_the_process(home, era):
    async def run() -> Any:
        parameters = StdioServerParameters(command=sys.executable, args=["-c", SERVE, str(home)], env=dict(os.environ))
        async with Client(parameters, mode=era) as client:
            return await client.call_tool("ask", {"question": QUESTION})

    result = anyio.run(run)
    assert not result.is_error and "rebuilt every night" in result.content[0].text


def test_a_home_that_cannot_be_written(home):
    """FIELD 85: a read-only store was taken for a corrupt one."""
    for path in [home, *home.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        with Server(home) as server:
            server.initialize()
            server.ask(1)
            assert server.read()["result"].get("isError") in (None, False)
    finally:
        for path in [home, *home.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_other_commands_do_not_pay_for_the_sdk():
    program = (
        "import sys, loci.mcp, loci.mcp._command; "
        "print([m for m in sys.modules if m.split('.')[0] in ('mcp', 'pydantic')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
