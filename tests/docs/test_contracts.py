"""docs/contracts.md lists exactly the keys that the program prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from loci.core import Memory

ROOT = Path(__file__).parents[2]


def documented(heading: str) -> set[str]:
    """Returns the keys of the first table under a heading of docs/contracts.md."""
    page = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^## {heading}\n(.*?)(?=^## |\Z)", page)
    assert section, heading
    cells = re.findall(r"(?m)^\| (`[^|]+`) \|", section[1])
    return {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}


@pytest.fixture(scope="module")
def memory(tmp_path_factory, make_repository_in_session) -> Memory:
    """Returns a store over one small project with a document, a source file and a commit."""
    files = {
        "README.md": "# Cookie jar\n\nKeeps cookies until they expire.\n",
        "jar.py": "def expire(cookie):\n    return cookie.age > cookie.lifetime\n",
    }
    folder = tmp_path_factory.mktemp("projects") / "cookiejar"
    project = make_repository_in_session(folder, files, "Drop cookies once they expire")
    memory = Memory.open(tmp_path_factory.mktemp("home"))
    memory.add(project)
    memory.index()
    return memory


@pytest.fixture(scope="module")
def answer(memory) -> dict[str, Any]:
    """Returns what `loci ask --json` prints for a question that the project answers."""
    return memory.ask("when does the cookiejar drop a cookie that expired?").to_json()


def test_route(memory):
    assert set(memory.route("when does the cookiejar drop a cookie?").to_json()) == documented("Route")


def test_abstention(memory):
    route = memory.route("why is it so?").to_json()
    assert route["abstained"] and route["reason"] in {"deictic", "no_evidence"}
    assert set(route) == documented("Route")


def test_routed_scope(answer):
    (scope,) = answer["route"]["scopes"]
    assert set(scope) == documented("Routed scope")


def test_answer(answer):
    assert set(answer) == documented("Answer")


def test_scope_of_an_answer(answer):
    (scope,) = answer["scopes"]
    assert set(scope) == documented("Scope of an answer")


def test_passages(answer):
    passages = answer["scopes"][0]["passages"]
    assert {passage["kind"] for passage in passages} == {"document", "source", "commit"}
    for passage in passages:
        assert set(passage) == documented("Passage")
