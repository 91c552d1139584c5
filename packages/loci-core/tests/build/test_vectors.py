"""Vectors in the home: made scope by scope, kept by builds, opened once, and missed without harm."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from repositories import commit, make
from sentences import said
from tiny_model import write_model

import loci.core.build.models as core_models
from loci import episodes
from loci.core import STEPS, Cure, InvalidRequest, Memory, NoIndex, NothingRegistered, notes
from loci.core.operations import steps


def memory_of(tmp_path: Path, scopes: int = 2) -> Memory:
    memory = Memory.open(tmp_path / "home")
    for number in range(scopes):
        files: dict[str, str | bytes] = {
            "README.md": f"# Project {number}\n\nThe session cookie is signed.\n",
            "queue.md": f"# Queue\n\nThe worker of the queue retries {number}.\n",
            "a.py": "def backend():\n    return 'cookie'\n",
        }
        memory.add(make(tmp_path / f"p{number}", files, message="Why the cookie is signed"))
        memory.add(tmp_path / f"p{number}")
    memory.index()
    return memory


def manifest(memory: Memory) -> dict[str, Any]:
    return json.loads(memory.home.manifest.read_text(encoding="utf-8"))["scopes"]


def test_embed_then_ask(tmp_path: Path) -> None:
    memory = memory_of(tmp_path)
    before = memory.ask("why is the cookie signed", scope="p0")
    report = memory.embed(model=write_model(tmp_path / "model"))
    assert [(scope.id, scope.embedded, scope.kept, scope.lacking) for scope in report.scopes] == [
        ("p0", 3, 0, 1),
        ("p1", 3, 0, 1),
    ]
    assert memory.home.models.exists()
    for entry in manifest(memory).values():
        assert (memory.home.segments / entry["vectors"]["file"]).stat().st_size == entry["vectors"]["bytes"]
    after = memory.ask("why is the cookie signed", scope="p0")
    assert {p.source for p in after.scopes[0].passages} == {p.source for p in before.scopes[0].passages}
    assert said(after.scopes[0]) == said(before.scopes[0])
    fast = memory.ask("why is the cookie signed", scope="p0", fast=True)
    assert fast.scopes[0].passages == before.scopes[0].passages


def test_index_keeps_vectors_and_embed_adds_what_changed(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=1)
    memory.embed(model=write_model(tmp_path / "model"))
    file = manifest(memory)["p0"]["vectors"]["file"]
    commit(tmp_path / "p0", "The queue is gone", {"queue.md": "# Queue\n\nNo queue.\n"})
    memory.index()
    assert manifest(memory)["p0"]["vectors"]["file"] == file
    assert (memory.home.segments / file).exists()
    report = memory.embed()
    assert (report.scopes[0].embedded, report.scopes[0].kept) == (2, 2)
    assert not (memory.home.segments / file).exists(), "what no manifest names is removed"
    again = memory.embed()
    assert (again.scopes[0].embedded, again.scopes[0].kept) == (0, 4)


def test_a_kill_costs_the_scope_it_hits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = memory_of(tmp_path, scopes=3)
    model = write_model(tmp_path / "model")
    real, calls = episodes.embed_passages, []

    def killed(*arguments: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*arguments, **more)

    monkeypatch.setattr(episodes, "embed_passages", killed)
    with pytest.raises(KeyboardInterrupt):
        memory.embed(model=model)
    assert [entry["vectors"] is not None for entry in manifest(memory).values()] == [True, False, False]
    monkeypatch.setattr(episodes, "embed_passages", real)
    report = memory.embed()
    assert [(scope.embedded, scope.kept) for scope in report.scopes] == [(0, 3), (3, 0), (3, 0)]


def test_a_missing_model_is_one_sentence_and_answers_go_on(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=1)
    with pytest.raises(InvalidRequest, match="there is no model at") as error:
        memory.embed(model=tmp_path / "nowhere")
    assert error.value.hint == "loci embed --model <directory of a sentence-transformers model>"
    model = write_model(tmp_path / "model")
    memory.embed(model=model)
    model.rename(tmp_path / "elsewhere")
    block = Memory.open(memory.home.directory).ask("why is the cookie signed", scope="p0").scopes[0]
    assert f"answered without vectors: there is no model at {model}" in said(block)
    assert block.passages


def test_without_any_model_the_error_says_how_to_name_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episodes, "packaged_model", lambda: None)
    with pytest.raises(InvalidRequest, match="no model is known"):
        memory_of(tmp_path, scopes=1).embed()


def test_vectors_of_another_model_are_not_used(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=2)
    memory.embed(model=write_model(tmp_path / "one"))
    memory.embed(["p1"], model=write_model(tmp_path / "two", seed=1))
    by = "they were made by another model (one) than two"
    assert notes.WithoutVectors("p0", "all", by, embed=True) in memory.ask("cookie", scope="p0").scopes[0].notes
    assert "vectors" not in said(memory.ask("why is the cookie signed", scope="p1").scopes[0])


def test_damaged_vectors_are_named_and_made_again(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=1)
    memory.embed(model=write_model(tmp_path / "model"))
    (memory.home.segments / manifest(memory)["p0"]["vectors"]["file"]).write_bytes(b"no")
    block = memory.ask("why is the cookie signed", scope="p0").scopes[0]
    assert block.passages
    assert "cannot be read" in said(block)
    assert Cure("embed", "p0") in [note.cure for note in block.notes]
    assert memory.embed().scopes[0].embedded == 3


def test_nothing_to_embed(tmp_path: Path) -> None:
    with pytest.raises(NothingRegistered):
        Memory.open(tmp_path / "home").embed()
    memory = Memory.open(tmp_path / "home")
    memory.add(make(tmp_path / "p", {"a.md": "x\n"}))
    with pytest.raises(NoIndex):
        memory.embed()


def test_a_cross_encoder_has_to_be_named(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=1)
    with pytest.raises(InvalidRequest, match="no cross-encoder is known"):
        memory.ask("why is the cookie signed", scope="p0", rerank=True)
    cross = write_model(tmp_path / "cross", labels=1)
    plain = memory.ask("why is the cookie signed", scope="p0").scopes[0].passages
    ranked = memory.ask("why is the cookie signed", scope="p0", rerank=cross).scopes[0].passages
    assert {item.source for item in ranked} == {item.source for item in plain}
    memory.home.write_json(memory.home.models, {"reranking": str(cross)})
    assert memory.ask("why is the cookie signed", scope="p0", rerank=True).scopes[0].passages == ranked


def test_a_cold_question_over_eight_scopes_on_eight_threads_loads_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = memory_of(tmp_path, scopes=8)
    made.embed(model=write_model(tmp_path / "model"))
    loads: list[Path] = []
    real = core_models.open_embedder

    def counted(directory: Path) -> Any:
        loads.append(directory)
        return real(directory)

    monkeypatch.setattr(core_models, "open_embedder", counted)
    with ThreadPoolExecutor(8) as pool:
        for run in range(100):
            memory = Memory.open(made.home.directory)
            start = threading.Barrier(8)

            def one(number: int, memory: Memory = memory, start: threading.Barrier = start) -> str:
                start.wait()
                return said(memory.ask("why is the cookie signed", scope=f"p{number}", refresh=0).scopes[0])

            assert not [note for note in pool.map(one, range(8)) if "vectors" in note]
            assert len(loads) == run + 1, "one load for each cold start"


def step_of(memory: Memory) -> tuple[str, tuple[tuple[str, str], ...]]:
    report = STEPS[0].run(memory.home, False, None)
    return report.summary, report.failures


def test_the_step_does_all_projects_first_and_later_those_that_were_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = memory_of(tmp_path, scopes=2)
    step = STEPS[0]
    assert step.name == "embed"
    monkeypatch.setattr(episodes, "packaged_model", lambda: None)
    assert not step.is_available(memory.home), "no model, no step"
    model = write_model(tmp_path / "model")
    monkeypatch.setattr(episodes, "packaged_model", lambda: model)
    assert step.is_available(memory.home)
    assert not step.was_chosen(memory.home)
    assert [report.name for report in memory.update(scan=False).steps] == ["index"], "an update opts into nothing"
    assert step_of(memory) == ("6 passages and 2 symbols embedded, 0 kept", ())
    assert step.was_chosen(memory.home)

    memory.add(make(tmp_path / "p2", {"README.md": "# Project 2\n\nThe queue.\n"}))
    commit(tmp_path / "p0", "The queue is gone", {"queue.md": "# Queue\n\nNo queue.\n"})
    steps = {report.name: report.summary for report in memory.update(scan=False).steps}
    assert steps == {"index": "2 built, 1 unchanged", "embed": "2 passages and 0 symbols embedded, 7 kept"}
    assert manifest(memory)["p2"]["vectors"] is None, "nothing new is opted into"

    def unopened(directory: Path) -> Any:
        raise AssertionError("where nothing changed no model is opened")

    monkeypatch.setattr(core_models, "open_embedder", unopened)
    assert step_of(memory) == ("2 projects unchanged", ())


def test_an_update_keeps_the_kinds_that_were_embedded(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=1)
    memory.embed(model=write_model(tmp_path / "model"), kinds=("document", "source", "commit"))
    commit(tmp_path / "p0", "More", {"b.py": "def worker():\n    return 'queue'\n"})
    memory.index()
    assert step_of(memory) == ("2 passages and 1 symbol embedded, 5 kept", ()), "the source too"
    assert memory.embed().scopes[0].lacking == 0


def test_a_setup_asks_where_embedding_takes_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = memory_of(tmp_path, scopes=2)
    monkeypatch.setattr(steps, "UNASKED_PASSAGES", 6)
    assert not STEPS[0].asks(memory.home)
    monkeypatch.setattr(steps, "UNASKED_PASSAGES", 5)
    assert STEPS[0].asks(memory.home)


def test_embedding_leaves_the_rest_of_the_manifest_alone(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=1)
    memory.index(graphs=False)
    before = json.loads(memory.home.manifest.read_text(encoding="utf-8"))
    memory.embed(model=write_model(tmp_path / "model"))
    after = json.loads(memory.home.manifest.read_text(encoding="utf-8"))
    assert after.pop("generation") > before.pop("generation")
    for each in (before, after):
        del each["scopes"]["p0"]["vectors"]
    assert after == before
    assert after["graphs"] is False


def found_by_doctor(memory: Memory) -> list[tuple[str | None, str, str, str | None]]:
    kinds = {"model_missing", "no_vectors", "damaged_vectors", "other_model", "vectors_behind"}
    return [(f.scope, f.severity, f.kind, f.fix) for f in memory.doctor() if f.kind in kinds]


def test_doctor_says_what_vectors_lack_and_the_command(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=3)
    assert found_by_doctor(memory) == [], "whoever has no vectors misses nothing"
    model = write_model(tmp_path / "model")
    memory.embed(["p0", "p1"], model=model)
    assert found_by_doctor(memory) == [("p2", "warning", "no_vectors", "loci embed p2")]
    memory.embed(["p2"], model=write_model(tmp_path / "other", seed=1))
    (memory.home.segments / manifest(memory)["p1"]["vectors"]["file"]).unlink()
    assert found_by_doctor(memory) == [
        ("p0", "warning", "other_model", "loci embed p0"),
        ("p1", "warning", "damaged_vectors", "loci embed p1"),
    ]
    memory.embed()
    commit(tmp_path / "p0", "More", {"queue.md": "# Queue\n\nNo queue.\n"})
    memory.index()
    assert found_by_doctor(memory) == [("p0", "note", "vectors_behind", "loci embed p0")]
    memory.embed()
    assert found_by_doctor(memory) == []
    (tmp_path / "other").rename(tmp_path / "gone")
    assert found_by_doctor(memory) == [
        (None, "warning", "model_missing", "loci embed --model <directory of a sentence-transformers model>")
    ]


def test_floors_are_fitted_on_the_probes_of_scopes_that_were_embedded_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from loci.episodes import _semantic

    monkeypatch.setattr(_semantic, "FEWEST_PROBES", 1)
    memory = memory_of(tmp_path, scopes=2)
    first = memory.embed(["p0"], model=write_model(tmp_path / "model"))
    assert first.scopes[0].floor is None, "no other scope to tell it from"
    second = memory.embed(["p1"])
    assert second.scopes[0].floor is not None
    assert manifest(memory)["p1"]["vectors"]["floor"] == second.scopes[0].floor
    both = memory.embed(force=True)
    assert [scope.floor is None for scope in both.scopes] == [False, False]
    assert both.scopes[1].floor == second.scopes[0].floor


def test_forgetting_a_project_removes_its_vectors(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=2)
    memory.embed(model=write_model(tmp_path / "model"))
    gone, kept = (memory.home.segments / manifest(memory)[scope]["vectors"]["file"] for scope in ("p0", "p1"))
    memory.forget("p0")
    assert (gone.exists(), kept.exists()) == (False, True)


def test_a_process_that_lives_on_uses_what_was_embedded_meanwhile(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, scopes=1)
    memory.embed(model=write_model(tmp_path / "model"))
    assert memory.ask("why is the cookie signed", scope="p0").scopes[0].passages
    commit(tmp_path / "p0", "The worker is gone", {"queue.md": "# Queue\n\nNo worker.\n"})
    other = Memory.open(memory.home.directory)
    other.index()
    other.embed()
    block = memory.ask("is the worker gone", scope="p0", refresh=0).scopes[0]
    assert "vectors" not in said(block)
    assert block.passages[0].similarity is not None
    assert set(memory._models._opened()._vectors) == {("p0", "passages"), ("p0", "symbols")}, "and keeps no older ones"
