"""docs/contracts.md lists exactly the keys that the program prints."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, get_args

import pytest
from tiny_model import write_model

from loci.core import InvalidRequest, LociError, Memory, Note, UnknownGroup, notes
from loci.router import Advice

ROOT = Path(__file__).parents[2]


def documented(heading: str) -> set[str]:
    """Returns the keys of the first table (whose first column is named key) under a heading of docs/contracts.md."""
    page = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^## {heading}\n(.*?)(?=^## |\Z)", page)
    assert section, heading
    table = section[1].split("| key |", 1)[1].split("\n\n", 1)[0]
    cells = re.findall(r"(?m)^\| (`[^|]+`) \|", table)
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


def test_advice():
    page = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    section = page.split("\n## Advice\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"(?m)^\| `(\w+)` \|(.*)\|$", section)
    for kind, keys in rows:
        (found,) = [each for each in get_args(Advice) if each.kind == kind]
        assert list(found.__match_args__) == [
            key for key in re.findall(r"`(\w+)`", keys) if f'`"{key}"`' not in keys
        ], kind
    assert [kind for kind, _ in rows] == [each.kind for each in get_args(Advice)]


def test_notes():
    page = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    section = page.split("\n## Note\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"(?m)^\| `(\w+)` \|([^|]*)\|", section)
    every = [each for each in vars(notes).values() if isinstance(each, type) and issubclass(each, Note)]
    assert {kind: re.findall(r"`(\w+)`", keys) for kind, keys in rows} == {
        each.kind: list(each.__match_args__) for each in every if each is not Note
    }


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


def test_embedding_report(memory, tmp_path):
    report = memory.embed(model=write_model(tmp_path / "model")).to_json()
    assert set(report) == documented("Embedding report")
    page = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    (scope,) = report["scopes"]
    assert "`{" + ", ".join(f'"{key}"' for key in scope) + "}` each: passages that got a vector" in page


def test_scan(memory):
    report = memory.scan([memory.scopes()[0].path], register=False).to_json()
    assert set(report) == documented("Scan")
    assert set(report["found"][0]) == {"id", "path", "new", "bare", "worktrees", "groups"}


def test_registered_project(memory):
    scope, new = memory.add(memory.scopes()[0].path)
    assert not new and set(scope.to_json()) == documented("Registered project")


def test_listed_project_and_its_counts(memory):
    (scope,) = (scope.to_json() for scope in memory.scopes())
    assert set(scope) == documented("Listed project")
    assert set(scope["counts"]) == documented("Counts")


def test_index_report(memory):
    report = memory.index().to_json()
    assert set(report) == documented("Index report")
    assert set(report["scopes"][0]) == {"id", "outcome", "message", "bytes", "counts", "structure"}


def test_errors(memory):
    page = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"(?m)^\| `([a-z_]+)` \| ([1-4]) \|", page))
    every, classes, pending = {}, [], [LociError]
    while pending:
        kind = pending.pop()
        pending += kind.__subclasses__()
        if kind.__module__ == "loci.core.errors" and kind.kind not in ("error", "nothing_to_answer_from"):
            every[kind.kind] = str(kind.exit_code)
            classes.append(kind)
    assert listed == every
    for kind, keys in re.findall(r"(?m)^\| `([a-z_]+)` \| [1-4] \|(.*)\|$", page):
        (found,) = [each for each in classes if each.kind == kind]
        nothing = () if found.nothing is None else ("nothing",)
        assert sorted(set(re.findall(r"`(\w+)`", keys))) == sorted({*found.fields, *nothing}), kind
    with pytest.raises(InvalidRequest) as caught:
        memory.ask(" ")
    assert set(caught.value.to_json()) == documented("Error")


def test_a_project_gets_a_group_as_the_page_says(tmp_path, memory):
    copy = Memory.open(tmp_path / "home")
    shutil.copytree(memory.home.directory, copy.home.directory)
    with pytest.raises(UnknownGroup) as caught:
        copy.route("when does the cookiejar drop a cookie?", group="work")
    assert "loci group add" in (caught.value.hint or "")
    copy.add_to_group("cookiejar", "work")
    copy.set_group_mode("work", "hard")
    assert json.loads(copy.home.groups.read_text(encoding="utf-8")) == {"modes": {"work": "hard"}}
    assert set(copy.groups()[1][0].to_json()) == {"name", "mode", "set", "members", "inferred"}
    route = copy.route("when does the cookiejar drop a cookie?", group="work")
    assert [scope.id for scope in route.scopes] == ["cookiejar"]


def test_table_of_uses(tmp_path, make_repository):
    make_repository(tmp_path / "work/core", {"pyproject.toml": '[project]\nname = "core-of-it"\n'})
    make_repository(tmp_path / "work/shop", {"requirements.txt": "core-of-it\n"})
    memory = Memory.open(tmp_path / "home")
    memory.scan([tmp_path / "work"])
    table = memory.uses().to_json()
    assert set(table) | {"gaps"} == documented("Table of uses")
    assert set(table["uses"][0]) == documented("Use")


def test_setup_and_update(memory):
    assert set(memory.update().to_json()) == documented("Setup and update")


def test_finding(tmp_path):
    (finding, *_) = Memory.open(tmp_path / "home").doctor()
    assert set(finding.to_json()) == documented("Finding")


def test_evaluation_and_calibration(memory):
    from loci.eval import calibrate, evaluate, to_json

    evaluation = to_json(evaluate(memory))
    assert set(evaluation) == documented("Evaluation")
    report = to_json(calibrate(memory))
    assert set(report) == {"certified", "reason", "threshold", "values", "fitted_on", "seconds"}
    assert set(report["fitted_on"]) == documented("Calibration")
