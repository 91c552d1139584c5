"""The protocol's own conformance suite and its inspector, over the server as it is served to clients.

Both are npm packages, so these run only where `LOCI_NPM` names a directory that has them:

    npm install --prefix DIR @modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/inspector@2 node@22
    LOCI_NPM=DIR pytest packages/loci-mcp/tests/test_conformance.py

The suite speaks HTTP, so the same server object is served on a loopback port for the time of the test. It is written
for SDKs: most of its scenarios call tools, prompts and resources of its own that a product has no reason to have. Those
are listed here, each with the reason; what is not listed has to pass, and of what is listed the lines have to be valid.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from loci.core import Memory

TOOLS = Path(os.environ.get("LOCI_NPM", "nowhere")) / "node_modules" / ".bin"
pytestmark = [
    pytest.mark.skipif(not (TOOLS / "conformance").exists(), reason="LOCI_NPM names no directory with the suite"),
    pytest.mark.timeout(600),
]

SERVE = (
    "import sys\n"
    "from loci.core import Memory\n"
    "from loci.mcp import Options, build_server\n"
    "server = build_server(lambda: Memory.open(sys.argv[1]), Options(environment={}))\n"
    "server.run('streamable-http', host='127.0.0.1', port=int(sys.argv[2]))\n"
)
OWN_FIXTURE = "calls a tool, prompt or resource of the suite's own"
NOT_ANNOUNCED = "a capability that this server does not announce"
ASKS_BACK = "wants a tool of the suite's own to ask the client back"
EXTENSION = "an extension that this server does not announce; not scored"
PENDING = "wants a tool of the suite's own; not scored"
FAILS = {
    "2025-11-25": {
        OWN_FIXTURE: (
            "prompts-get-embedded-resource prompts-get-simple prompts-get-with-args prompts-get-with-image "
            "resources-read-binary resources-read-text resources-templates-read tools-call-audio "
            "tools-call-embedded-resource tools-call-image tools-call-mixed-content tools-call-with-progress"
        ),
        NOT_ANNOUNCED: (
            "completion-complete logging-set-level resources-subscribe resources-unsubscribe tools-call-with-logging"
        ),
        ASKS_BACK: "elicitation-sep1034-defaults elicitation-sep1330-enums tools-call-elicitation tools-call-sampling",
        PENDING: "json-schema-2020-12 server-sse-polling",
    },
    "2026-07-28": {
        OWN_FIXTURE: (
            "prompts-get-embedded-resource prompts-get-simple prompts-get-with-args prompts-get-with-image "
            "resources-read-binary resources-read-text resources-templates-read tools-call-audio "
            "tools-call-embedded-resource tools-call-image tools-call-mixed-content tools-call-with-progress"
        ),
        NOT_ANNOUNCED: "completion-complete",
        ASKS_BACK: (
            "input-required-result-basic-elicitation input-required-result-basic-list-roots "
            "input-required-result-basic-sampling input-required-result-capability-check "
            "input-required-result-multi-round input-required-result-multiple-input-requests "
            "input-required-result-non-tool-request input-required-result-request-state "
            "input-required-result-result-type input-required-result-tampered-state server-stateless"
        ),
        EXTENSION: (
            "tasks-capability-negotiation tasks-dispatch-and-envelope tasks-lifecycle tasks-mrtr-composition "
            "tasks-mrtr-input tasks-request-headers tasks-request-state-removal tasks-required-task-error "
            "tasks-wire-fields"
        ),
        PENDING: "http-custom-header-server-validation json-schema-2020-12",
    },
}
# Of these only single checks fail, which need such a tool; all others of the scenario have to pass.
SINGLE_CHECKS = {
    "server-stateless": {"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"},
}
# What says something of any server, whatever tools it has. Counted, so that a suite that runs nothing does not pass.
GENERIC = {
    "2025-11-25": {
        "dns-rebinding-protection",
        "ping",
        "prompts-list",
        "resources-list",
        "server-initialize",
        "server-session-lifecycle",
        "server-sse-multiple-streams",
        "tools-call-error",
        "tools-list",
    },
    "2026-07-28": {
        "caching",
        "dns-rebinding-protection",
        "http-header-validation",
        "input-required-result-ignore-extra-params",
        "input-required-result-unsupported-methods",
        "input-required-result-validate-input",
        "prompts-list",
        "resources-list",
        "sep-2164-resource-not-found",
        "server-sse-multiple-streams",
        "tools-call-error",
        "tools-list",
    },
}


@pytest.fixture(scope="module")
def home(tmp_path_factory, make_repository) -> Path:
    place = tmp_path_factory.mktemp("conformance")
    memory = Memory.open(place / "home")
    files = {"README.md": "# Search\n\nThe inverted index is rebuilt every night.\n"}
    memory.add(make_repository(place / "search", files, "Rank documents"))
    memory.index()
    return place / "home"


@contextlib.contextmanager
def served(home: Path) -> Iterator[str]:
    """The address of the server on a free port of this machine alone."""
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = chosen.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(home), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    # It says when it listens; what else it says goes unread, and must not fill the pipe.
    for line in process.stderr:
        if b"Uvicorn running on" in line:
            break
    threading.Thread(target=process.stderr.read, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def checks(output: Path) -> dict[str, dict[str, str]]:
    """What the suite found: per scenario the outcome of each check."""
    found = {}
    for directory in output.iterdir():
        scenario = re.sub(r"-\d{4}-\d\d-\d\dT.*", "", directory.name.removeprefix("server-"))
        (file,) = directory.glob("*.json")
        found[scenario] = {check["id"]: check["status"] for check in json.loads(file.read_text(encoding="utf-8"))}
    return found


@pytest.mark.parametrize("revision", sorted(FAILS))
def test_the_protocols_conformance_suite(home, tmp_path, revision):
    with served(home) as address:
        command = [TOOLS / "node", TOOLS / "conformance", "server", "--url", address, "--requirements", revision]
        subprocess.run([*command, "-o", tmp_path], stdout=subprocess.DEVNULL, check=False)
    found = checks(tmp_path)
    assert set(found) >= GENERIC[revision]
    failed = {scenario for scenario, outcomes in found.items() if "FAILURE" in outcomes.values()}
    explained = {scenario for scenarios in FAILS[revision].values() for scenario in scenarios.split()}
    assert failed == explained
    for scenario, outcomes in found.items():
        assert outcomes.get("wire-schema-valid", "SUCCESS") == "SUCCESS", scenario
        if scenario in SINGLE_CHECKS:
            assert {name for name, status in outcomes.items() if status == "FAILURE"} == SINGLE_CHECKS[scenario]
    validated = [scenario for scenario, outcomes in found.items() if "wire-schema-valid" in outcomes]
    assert len(validated) > len(GENERIC[revision])


@pytest.mark.skipif(not (TOOLS / "mcp-inspector").exists(), reason="LOCI_NPM names no directory with the inspector")
def test_the_inspector_drives_the_command(home):
    def inspect(*arguments: str) -> dict:
        program = "from loci.cli import main; main()"
        command = [TOOLS / "node", TOOLS / "mcp-inspector", "--cli", sys.executable, "-c", program]
        done = subprocess.run(
            [*command, "--home", str(home), "mcp", *arguments], capture_output=True, text=True, check=True, timeout=120
        )
        return json.loads(done.stdout)

    assert [tool["name"] for tool in inspect("--method", "tools/list")["tools"]] == ["ask", "scopes", "doctor"]
    asked = ("--method", "tools/call", "--tool-name", "ask", "--tool-arg", "question=when is the index rebuilt?")
    assert "rebuilt every night" in inspect(*asked)["content"][0]["text"]
