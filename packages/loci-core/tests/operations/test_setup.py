"""Setup and update: order, going on after a failure, and opting into nothing new."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loci.core import Chain, Home, Memory, NothingRegistered, Step, StepReport, likely_directory
from loci.core.operations import steps as steps_module

FILES = {"README.md": "# Jar\n\nKeeps cookies.\n"}


@pytest.fixture
def memory(tmp_path: Path, make_repository: Callable[..., Path]) -> Memory:
    for name in ("jar", "shop"):
        make_repository(tmp_path / "work" / name, FILES)
    return Memory.open(tmp_path / "home")


def outcomes(report: Any) -> list[tuple[str, str]]:
    return [(step.name, step.summary) for step in report.steps]


def test_a_setup_and_an_update_with_nothing_new(memory: Memory, tmp_path: Path) -> None:
    chain = Chain(memory.home)
    chain.scan([tmp_path / "work"])
    chain.index()
    assert outcomes(chain.report()) == [("scan", "2 new, 0 known"), ("index", "2 built, 0 unchanged")]
    assert outcomes(memory.update()) == [("scan", "0 new, 2 known"), ("index", "0 built, 2 unchanged")]


def test_an_update_finds_what_is_new_below_the_roots_and_what_changed(
    memory: Memory, tmp_path: Path, make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    memory.scan([tmp_path / "work"])
    memory.index()
    make_repository(tmp_path / "work/third", FILES)
    git(tmp_path / "work/jar", "commit", "-q", "--allow-empty", "-m", "more")
    assert outcomes(memory.update(scan=False)) == [("index", "1 built, 1 unchanged")]
    assert outcomes(memory.update()) == [("scan", "1 new, 2 known"), ("index", "1 built, 2 unchanged")]
    assert outcomes(memory.update(force=True))[1] == ("index", "3 built, 0 unchanged")


def test_an_update_of_one_directory_leaves_the_others(memory: Memory, tmp_path: Path, git: Callable[..., str]) -> None:
    memory.scan([tmp_path / "work"])
    memory.index()
    for name in ("jar", "shop"):
        git(tmp_path / "work" / name, "commit", "-q", "--allow-empty", "-m", "more")
    report = memory.update([tmp_path / "work/jar"])
    assert outcomes(report)[1] == ("index", "1 built, 0 unchanged")


def test_one_project_that_fails_does_not_stop_the_others(memory: Memory, tmp_path: Path) -> None:
    memory.scan([tmp_path / "work"])
    memory.index()
    (tmp_path / "work/jar/.git/index").write_bytes(b"no index")
    (tmp_path / "work/shop/more.md").write_text("# More\n")
    report = memory.update()
    assert [(step, scope) for step, scope, _ in report.failures] == [("index", "jar")]
    assert outcomes(report)[1] == ("index", "1 built, 0 unchanged, 1 failed")


def test_a_root_that_is_gone_is_passed_over(
    memory: Memory, tmp_path: Path, make_repository: Callable[..., Path]
) -> None:
    make_repository(tmp_path / "away/lib", FILES)
    memory.scan([tmp_path / "work", tmp_path / "away"])
    memory.index()
    (tmp_path / "away").rename(tmp_path / "unplugged")
    report = memory.update()
    assert report.failures == []
    assert outcomes(report)[1] == ("index", "0 built, 2 unchanged, 1 unreachable")
    assert [note.partition(":")[0] for note in report.steps[1].notes] == ["lib"]


def test_nothing_to_update(memory: Memory) -> None:
    with pytest.raises(NothingRegistered):
        memory.update()


def test_further_steps_run_when_they_were_chosen_and_go_on_after_a_failure(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.scan([tmp_path / "work"])
    ran: list[tuple[str, bool]] = []

    def step(name: str, *, chosen: bool = True, available: bool = True, broken: bool = False) -> Step:
        def run(home: Home, force: bool, progress: Any) -> StepReport:
            ran.append((name, force))
            if broken:
                raise ZeroDivisionError("oh")
            return StepReport(name, "done")

        return Step(name, name, run, lambda home: available, lambda home: chosen)

    steps = (
        step("graphs", broken=True),
        step("embed", chosen=False),
        step("model", available=False),
        step("calibrate"),
    )
    monkeypatch.setattr(steps_module, "STEPS", steps)
    told: list[tuple[str, str]] = []
    report = memory.update(force=True, tell=lambda name, state: told.append((name, state)))
    assert ran == [("graphs", True), ("calibrate", True)]
    assert report.failures == [("graphs", "", "an error inside loci: ZeroDivisionError: oh")]
    assert told[-2:] == [("calibrate", "begin"), ("calibrate", "end")]


def test_what_a_step_misses_is_a_finding_with_its_command(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.scan([tmp_path / "work"])
    memory.index()
    graphs = Step(
        "graphs",
        "what calls what",
        lambda home, force, progress: StepReport("graphs", ""),
        lambda home: True,
        lambda home: True,
        missing=lambda home: [("jar", "it has no structure")],
    )
    monkeypatch.setattr(steps_module, "STEPS", (graphs,))
    found = [(f.scope, f.kind, f.problem, f.fix) for f in memory.doctor() if f.kind == "no_graphs"]
    assert found == [("jar", "no_graphs", "it has no structure", "loci graphs jar")]


def test_where_the_projects_are_likely_to_be(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "work/jar/src").mkdir()
    assert likely_directory(tmp_path / "work/jar/src") == tmp_path / "work"
    assert likely_directory(tmp_path / "work") == tmp_path / "work"
    (tmp_path / "work/shop").rename(tmp_path / "shop")
    assert likely_directory(tmp_path / "work/jar") == tmp_path / "work/jar"
