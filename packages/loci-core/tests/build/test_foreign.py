"""Graphs of other tools in the index: taken in where they lie, made on request, and said to be old or broken."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sentences import said

from loci.core import ExtractorFailed, ExtractorMissing, InvalidRequest, Memory
from loci.core.home.manifest import Manifest

PYTHON = Path(__file__).parents[4] / "crates" / "loci-graph" / "tests" / "foreign" / "python"
SOURCES = {
    path.relative_to(PYTHON).as_posix(): path.read_text(encoding="utf-8") for path in sorted(PYTHON.rglob("*.py"))
}


def graph_json(commit: str | None = None, name: str = "settle") -> str:
    """What graphify would write: a function of the sources, and one that only it knows."""
    nodes = [
        {
            "id": identity,
            "label": label,
            "file_type": "code",
            "source_file": "shop/cart.py",
            "source_location": line,
        }
        for identity, label, line in [("checkout", "checkout()", "L23"), ("own", f"{name}()", "L2")]
    ]
    link = {"source": "own", "target": "checkout", "relation": "calls", "confidence": "EXTRACTED"}
    data = {"directed": False, "graph": {}, "nodes": nodes, "links": [{**link, "source_location": "L2"}]}
    return json.dumps(data if commit is None else {**data, "built_at_commit": commit})


@pytest.fixture
def shop(tmp_path, make_repository) -> Path:
    return make_repository(tmp_path / "work" / "shop", SOURCES, "The shop")


@pytest.fixture
def memory(tmp_path, shop) -> Memory:
    memory = Memory.open(tmp_path / "home")
    memory.add(shop)
    memory.index()
    return memory


def callers(memory: Memory, name: str) -> list[tuple[str, str | None]]:
    (block,) = memory.symbol(name, scope="shop", relation="callers").scopes
    return [(symbol.name, symbol.resolution) for symbol in block.symbols if symbol.relation == "calls"]


def note(memory: Memory) -> str:
    (block,) = memory.symbol("checkout", scope="shop").scopes
    return said(block)


def others(memory: Memory) -> list[dict]:
    report = memory.index()
    return report.to_json()["scopes"][0]["structure"]["others"]


def test_an_index_of_a_compiler_is_taken_in_and_out(memory, shop):
    assert callers(memory, "with_tax") == [("Cart.total", "import")]
    shutil.copy(PYTHON / "index.scip", shop)
    (other,) = others(memory)
    assert (other["backend"], other["source"], other["problem"]) == ("scip", "index.scip", None)
    assert callers(memory, "with_tax") == [("Cart.total", "compiler")]
    # One relation of both graphs is shown once.
    assert callers(memory, "checkout") == [("cart.py", "compiler"), ("test_checkout_adds_tax", "compiler")]
    generation = memory.index().generation
    assert memory.index().generation == generation
    (shop / "index.scip").unlink()
    assert others(memory) == []
    assert callers(memory, "with_tax") == [("Cart.total", "import")]


def test_a_broken_file_is_said_and_the_built_in_graph_answers(memory, shop):
    (shop / "index.scip").write_bytes(b"no index")
    (shop / "graphify-out").mkdir()
    (shop / "graphify-out" / "graph.json").write_text('{"nodes": [', encoding="utf-8")
    problems = [other["problem"] for other in others(memory)]
    assert [problem.split(" cannot be read: ")[0] for problem in problems] == [
        str(shop / "index.scip"),
        str(shop / "graphify-out" / "graph.json"),
    ]
    assert callers(memory, "with_tax") == [("Cart.total", "import")]
    assert note(memory).count("the built-in structure answers") == 2
    answer = memory.ask("who calls with_tax?", scope="shop")
    assert "the built-in structure answers" in said(answer.scopes[0])
    assert "with_tax" in {symbol.name for symbol in answer.scopes[0].symbols}


def test_a_graph_of_another_commit_is_said_to_be_old(memory, shop):
    (shop / "graphify-out").mkdir()
    path = shop / "graphify-out" / "graph.json"
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=shop, capture_output=True, text=True, check=True
    ).stdout.strip()
    path.write_text(graph_json(head), encoding="utf-8")
    memory.index()
    assert ("settle", "graphify:extracted") in callers(memory, "checkout")
    assert "graph.json" not in note(memory)
    # It is structure, and no text of the project.
    assert all(
        passage.path in SOURCES
        for passage in memory.ask("settle checkout", scope="shop").scopes[0].passages
        if passage.path
    )
    path.write_text(graph_json("0" * 40), encoding="utf-8")
    memory.index()
    assert (
        f"graphify-out/graph.json is of commit 0000000, not of {head[:7]}: loci graphs shop --extractor graphify"
    ) in note(memory)
    # Versions that do not say the commit: by the time of the file.
    path.write_text(graph_json(None), encoding="utf-8")
    memory.index()
    assert "graph.json" not in note(memory)
    os.utime(path, (1_000_000, 1_000_000))
    memory.index()
    assert "graphify-out/graph.json is older than the last commit" in note(memory)


def said_by_doctor(memory: Memory) -> list[tuple[str, str | None]]:
    found = [finding for finding in memory.doctor() if finding.kind.startswith("foreign_")]
    assert all(finding.needs_doing and finding.scope == "shop" for finding in found)
    return [(finding.kind, finding.fix) for finding in found]


def test_doctor_says_what_became_of_the_files_of_other_tools(memory, shop):
    index, again, graphify = "loci index shop", "run its indexer again", "loci graphs shop --extractor graphify"
    assert said_by_doctor(memory) == []
    scip, graph = shop / "index.scip", shop / "graphify-out" / "graph.json"
    shutil.copy(PYTHON / "index.scip", scip)
    assert said_by_doctor(memory) == [("foreign_not_taken_in", index)]
    memory.index()
    assert said_by_doctor(memory) == []
    # Its relations are of files as they were.
    cart = shop / "shop" / "cart.py"
    cart.write_text("# A line more.\n" * 40 + cart.read_text(encoding="utf-8"), encoding="utf-8")
    memory.index()
    assert said_by_doctor(memory) == [("foreign_old", again)]
    (problem,) = [finding.problem for finding in memory.doctor() if finding.kind == "foreign_old"]
    assert problem.startswith("index.scip: ") and problem.endswith("changed or went since it was made")
    scip.write_bytes(b"no index")
    graph.parent.mkdir()
    graph.write_text(graph_json("0" * 40), encoding="utf-8")
    assert said_by_doctor(memory) == [("foreign_changed", index), ("foreign_not_taken_in", index)]
    memory.index()
    assert said_by_doctor(memory) == [("foreign_unreadable", again), ("foreign_old", graphify)]
    (problem,) = [finding.problem for finding in memory.doctor() if finding.kind == "foreign_unreadable"]
    assert problem.startswith(f"{scip} cannot be read: ") and problem.endswith("the built-in structure answers")
    manifest = Manifest.load(memory.home)
    assert manifest is not None and manifest.scopes["shop"].graph is not None
    (taken,) = [other["file"] for other in manifest.scopes["shop"].graph["others"] if other["file"]]
    (memory.home.segments / taken).unlink()
    assert ("foreign_lost", "loci graphs --all shop") in said_by_doctor(memory)
    graph.unlink()
    scip.unlink()
    assert said_by_doctor(memory) == [("foreign_gone", index), ("foreign_gone", index)]
    memory.index()
    assert said_by_doctor(memory) == []


FAKE = """
import json, os, pathlib, sys
assert sys.argv[1:] == ["update", "."], sys.argv
mode, away = {mode!r}, pathlib.Path(os.environ["GRAPHIFY_OUT"])
here = pathlib.Path("graphify-out")
if mode == "fail":
    here.mkdir(exist_ok=True)
    (here / "cache.db").write_text("x")
    print("Re-extracting ...")
    print("error: the parser broke at password=" + "hunter2" * 3, file=sys.stderr)
    sys.exit(3)
if mode == "killed":
    os.kill(os.getpid(), 9)
if mode == "away":
    here.symlink_to(pathlib.Path("..").resolve() / "elsewhere", target_is_directory=True)
out = here if mode == "old" else away
out.mkdir(parents=True, exist_ok=True)
(out / "cache").mkdir(exist_ok=True)
(out / "cache" / "a.json").write_text("{{}}")
(out / "graph.html").write_text("<html>")
if mode != "nothing":
    (out / "graph.json").write_text("[" if mode == "torn" else {content!r})
"""


@pytest.fixture
def graphify(tmp_path, monkeypatch):
    """Puts a command of that name on the PATH, which does as its mode says."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def put(mode: str, content: str = "") -> None:
        script = folder / "graphify"
        script.write_text(f"#!{sys.executable}\n" + FAKE.format(mode=mode, content=content), encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)

    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return put


def written(root: Path) -> list[str]:
    """What is in the project beside its sources."""
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and ".git/" not in path.as_posix() and path.relative_to(root).as_posix() not in SOURCES
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a script with a first line is no command there")
@pytest.mark.parametrize("mode", ["new", "old"])
def test_graphify_leaves_one_file_in_the_project(memory, shop, graphify, mode):
    graphify(mode, graph_json())
    report = memory.graphs(["shop"], extractor="graphify")
    assert report.notes == ()
    assert written(shop) == ["graphify-out/graph.json"]
    assert (shop / "graphify-out" / "graph.json").read_text(encoding="utf-8") == graph_json()
    assert ("settle", "graphify:extracted") in callers(memory, "checkout")


@pytest.mark.skipif(sys.platform == "win32", reason="a script with a first line is no command there")
@pytest.mark.parametrize("mode", ["new", "old"])
def test_what_lies_in_its_folder_already_stays(memory, shop, graphify, mode):
    (shop / "graphify-out").mkdir()
    (shop / "graphify-out" / "notes.md").write_text("mine", encoding="utf-8")
    (shop / "graphify-out" / "graph.json").write_text(graph_json(name="older"), encoding="utf-8")
    graphify(mode, graph_json())
    memory.graphs(["shop"], extractor="graphify")
    assert written(shop) == ["graphify-out/graph.json", "graphify-out/notes.md"]
    assert "settle" in dict(callers(memory, "checkout"))


@pytest.mark.skipif(sys.platform == "win32", reason="a script with a first line is no command there")
@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("fail", "shop: graphify ended with exit code 3: error: the parser broke at password=[REDACTED:password]"),
        ("killed", "shop: graphify was ended by signal 9"),
        ("nothing", "shop: graphify wrote no graph.json"),
        ("torn", "shop: graphify wrote what cannot be used: its graph.json cannot be read: it is cut off"),
    ],
)
def test_a_run_that_fails_says_what_to_type_and_changes_nothing(memory, shop, graphify, mode, message):
    graphify(mode)
    with pytest.raises(ExtractorFailed) as caught:
        memory.graphs(["shop"], extractor="graphify")
    assert caught.value.message.startswith(message)
    assert caught.value.hint == f"cd {shop} && graphify update ."
    assert caught.value.exit_code == 1
    assert written(shop) == []
    (shop / "graphify-out").mkdir()
    (shop / "graphify-out" / "graph.json").write_text(graph_json(name="older"), encoding="utf-8")
    with pytest.raises(ExtractorFailed):
        memory.graphs(["shop"], extractor="graphify")
    assert written(shop) == ["graphify-out/graph.json"]
    assert (shop / "graphify-out" / "graph.json").read_text(encoding="utf-8") == graph_json(name="older")
    assert callers(memory, "with_tax") == [("Cart.total", "import")]


@pytest.mark.skipif(sys.platform == "win32", reason="a script with a first line is no command there")
def test_a_run_that_turns_its_folder_into_a_link_writes_nothing_behind_it(memory, shop, graphify):
    elsewhere = shop.parent / "elsewhere"
    elsewhere.mkdir()
    graphify("away", graph_json())
    with pytest.raises(ExtractorFailed, match="graphify made a link of"):
        memory.graphs(["shop"], extractor="graphify")
    assert list(elsewhere.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a script with a first line is no command there")
def test_one_of_several_may_fail(tmp_path, memory, shop, graphify, make_repository):
    desk = make_repository(tmp_path / "work" / "desk", {"desk.py": "def total(rows): ...\n"}, "Rows")
    memory.add(desk)
    (desk / "graphify-out").symlink_to(tmp_path, target_is_directory=True)
    graphify("new", graph_json())
    report = memory.graphs(extractor="graphify")
    assert report.notes[0] == f"desk: {desk / 'graphify-out'} leads out of the project by a link: remove the link"
    assert written(shop) == ["graphify-out/graph.json"]
    assert not (tmp_path / "graph.json").exists()


def test_without_the_command_it_says_how_to_get_it(memory, shop, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ExtractorMissing) as caught:
        memory.graphs(["shop"], extractor="graphify")
    assert caught.value.message == "the command graphify is not installed"
    assert "uv tool install graphifyy" in (caught.value.hint or "")
    assert caught.value.exit_code == 2
    with pytest.raises(InvalidRequest, match="no extractor is called 'magic'"):
        memory.graphs(["shop"], extractor="magic")
    assert written(shop) == []


def test_a_question_runs_no_command(memory, shop, monkeypatch):
    (shop / "graphify-out").mkdir()
    (shop / "graphify-out" / "graph.json").write_text(graph_json(), encoding="utf-8")
    memory.index()

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert "settle" in dict(callers(memory, "checkout"))
    assert memory.ask("who calls checkout?", scope="shop").scopes[0].symbols
