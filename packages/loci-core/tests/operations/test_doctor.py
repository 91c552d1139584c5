"""What the doctor finds, and that it writes nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from loci.core import Finding, Memory

FILES = {
    "README.md": "# Cookie jar\n\n"
    + "".join(f"## Part {n}\n\nKeeps cookie {n} until it expires.\n\n" for n in range(12))
}


@pytest.fixture
def memory(tmp_path: Path, make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Memory:
    """Two indexed projects, in a machine where nothing else is to be found."""
    for name in ("jar", "shop"):
        make_repository(tmp_path / "work" / name, FILES)
    (tmp_path / "person").mkdir()
    # git, and no other program: what is on the machine of whoever runs this is no matter of the test.
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").symlink_to(shutil.which("git") or "git")
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "person"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    memory = Memory.open(tmp_path / "home")
    memory.scan([tmp_path / "work"])
    memory.index()
    return memory


def needed(memory: Memory) -> list[tuple[str | None, str, str | None]]:
    return [(f.scope, f.kind, f.fix) for f in memory.doctor() if f.needs_doing]


def snapshot(home: Path) -> dict[str, tuple[int, bytes]]:
    return {str(p): (p.stat().st_mtime_ns, p.read_bytes()) for p in sorted(home.rglob("*")) if p.is_file()}


def test_of_a_healthy_machine_nothing_needs_doing_and_nothing_is_written(memory: Memory) -> None:
    before = snapshot(memory.home.directory)
    assert needed(memory) == []
    assert snapshot(memory.home.directory) == before


def test_before_anything_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    home = tmp_path / "nowhere"
    assert needed(Memory.open(home)) == [(None, "nothing_registered", "loci setup <directory>")]
    assert not home.exists()


def test_behind_uncommitted_not_indexed_and_gone(
    memory: Memory, tmp_path: Path, git: Callable[..., str], make_repository: Callable[..., Path]
) -> None:
    git(tmp_path / "work/jar", "commit", "-q", "--allow-empty", "-m", "more")
    (tmp_path / "work/shop/new.md").write_text("# New\n")
    make_repository(tmp_path / "work/third", FILES)
    memory.scan([tmp_path / "work"])
    assert needed(memory) == [
        ("jar", "behind", "loci index jar"),
        ("shop", "uncommitted", "loci index shop"),
        ("third", "not_indexed", "loci index third"),
    ]
    memory.index()
    assert needed(memory) == []
    (tmp_path / "work/third").rename(tmp_path / "elsewhere")
    assert [(scope, kind) for scope, kind, _ in needed(memory)] == [("third", "gone")]


def test_a_segment_that_was_damaged_or_deleted(memory: Memory) -> None:
    jar, shop = (memory.home.segments / s for s in _segments(memory))
    data = bytearray(jar.read_bytes())
    data[len(data) // 2] ^= 1  # its size stays, and it opens
    jar.chmod(0o600)
    jar.write_bytes(data)
    shop.unlink()
    assert needed(memory) == [
        ("jar", "damaged_segment", "loci index --force jar"),
        ("shop", "damaged_segment", "loci index --force shop"),
    ]
    memory.index(["jar", "shop"], force=True)
    assert needed(memory) == []


@pytest.mark.parametrize("mend", ["index", "update", "graphs"])
@pytest.mark.parametrize("damage", ["cut", "flipped", "deleted"])
def test_a_graph_that_was_damaged_or_deleted(memory: Memory, damage: str, mend: str) -> None:
    """A cut graph was healthy to the doctor, and a flipped bit was healthy to everything."""
    manifest = json.loads(memory.home.manifest.read_text())
    path = memory.home.segments / manifest["scopes"]["jar"]["graph"]["file"]
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[len(changed) // 2] ^= 1
    path.unlink()
    if damage != "deleted":
        path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else changed)
    assert needed(memory) == [("jar", "damaged_graph", "loci graphs jar")]
    if mend == "update":
        memory.update()
    else:
        report = memory.index() if mend == "index" else memory.graphs()
        assert any("jar: what calls what was built again" in note for note in report.notes)
    assert path.read_bytes() == whole
    assert needed(memory) == []


def _segments(memory: Memory) -> list[str]:
    manifest = json.loads(memory.home.manifest.read_text())
    return [manifest["scopes"][identity]["segment"] for identity in ("jar", "shop")]


@pytest.mark.parametrize("name", ["scopes.json", "groups.json", "calibration.json", "manifest.json", "uses.json"])
def test_a_file_broken_by_hand_is_named_with_its_place(memory: Memory, name: str) -> None:
    (memory.home.directory / name).write_text('{"modes": {\n  "work" "hard"}}')
    problems = [finding.problem for finding in memory.doctor() if finding.kind == "damaged_file"]
    assert len(problems) == 1 and f"{name}:2:10" in problems[0]


def test_older_rules(memory: Memory) -> None:
    manifest = json.loads(memory.home.manifest.read_text())
    manifest["scopes"]["jar"]["signature"] = "older"
    memory.home.manifest.write_text(json.dumps(manifest))
    assert needed(memory) == [("jar", "older_rules", "loci index jar")]


def test_skipped_files_are_said_by_reason_with_an_example(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "work/jar/logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    memory.index()
    (finding,) = [f for f in memory.doctor() if f.kind == "skipped"]
    assert not finding.needs_doing
    assert finding.problem == "1 file is left out: 1 binary" and finding.examples == ("binary: logo.png",)


def test_a_home_that_is_a_file_or_cannot_be_read(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert [kind for _, kind, _ in needed(Memory.open(file))] == ["home_is_no_directory"]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o755, 0o750, 0o710, 0o701])
def test_others_can_read_it(memory: Memory, mode: int) -> None:
    memory.home.directory.chmod(mode)
    directory = memory.home.directory
    assert needed(memory) == [(None, "home_open_to_others", f"chmod -R go-rwx {directory}")]
    # Where nothing of anybody's projects is kept, there is nothing to hide.
    memory.home.manifest.unlink()
    assert "home_open_to_others" in [kind for _, kind, _ in needed(memory)]
    memory.home.registry.unlink()
    assert "home_open_to_others" not in [kind for _, kind, _ in needed(memory)]


@pytest.mark.parametrize(
    ("free", "problem"),
    [(100_000_000, "only 100 MB are free"), (199_999_999, "only 200 MB are free"), (200_000_000, "")],
)
def test_little_room_is_less_than_two_hundred_megabytes(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, free: int, problem: str
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    found = [finding for finding in memory.doctor() if finding.kind == "disk_full"]
    assert [(f.severity, f.problem.startswith(problem)) for f in found] == ([("warning", True)] if problem else [])


def content(memory: Memory, **changes: object) -> list[tuple[str, str, str | None]]:
    """What is found of a project whose build reported this."""
    manifest = json.loads(memory.home.manifest.read_text())
    entry = manifest["scopes"]["jar"]
    entry["bytes"] = changes.pop("bytes", entry["bytes"])
    entry["counts"] = {"passages": {"document": 10}, **changes}
    memory.home.manifest.write_text(json.dumps(manifest))
    return [(f.kind, f.problem, f.fix) for f in memory.doctor() if f.scope == "jar"]


@pytest.mark.parametrize(
    ("passages", "said"),
    [
        ({}, "no passage"),
        ({"document": 0}, "no passage"),
        ({"document": 1}, "only 1 passage"),
        ({"document": 1, "commit": 1}, "only 2 passages"),
        ({"document": 4, "commit": 5}, "only 9 passages"),
        ({"document": 5, "commit": 5}, None),
    ],
)
def test_fewer_than_ten_passages_are_hardly_anything(
    memory: Memory, passages: dict[str, int], said: str | None
) -> None:
    expected = [("thin", f"it has {said}, hardly anything to answer from", None)] if said else []
    assert content(memory, passages=passages) == expected


def test_more_than_two_hundred_megabytes_are_too_many(memory: Memory, tmp_path: Path) -> None:
    passages = {"commit": 9_000, "document": 12}
    assert content(memory, bytes=200_000_000, passages=passages) == []
    ((kind, problem, fix),) = content(memory, bytes=200_000_001, passages=passages)
    assert kind == "oversized" and "has 200 MB, most of it 9,000 commit passages" in problem
    assert fix == f"loci add {tmp_path / 'work/jar'} --exclude <pattern>"


@pytest.mark.parametrize(("listed", "much"), [(4, False), (3, True), (0, True)])
def test_more_than_half_left_out_may_be_what_is_asked_about(memory: Memory, listed: int, much: bool) -> None:
    ((kind, problem, fix),) = content(memory, skipped={"binary": 1, "large": 1}, listed=listed)
    assert (kind, problem) == ("skipped", f"2 of {listed} files are left out: 1 binary, 1 large")
    assert (fix is not None and "--include" in fix) is much


def test_files_that_could_not_be_read_are_counted_and_three_are_shown(memory: Memory) -> None:
    unreadable = [[f"{n}.md", "denied"] for n in range(4)]
    assert content(memory, unreadable=unreadable[:1])[0][:2] == ("unreadable", "1 file could not be read")
    assert content(memory, unreadable=unreadable)[0][:2] == ("unreadable", "4 files could not be read and are left out")
    (finding,) = [finding for finding in memory.doctor() if finding.kind == "unreadable"]
    assert finding.examples == ("0.md: denied", "1.md: denied", "2.md: denied")
    assert content(memory, shallow=True)[0][0] == "shallow" and content(memory, shallow=False) == []


@pytest.mark.skipif(os.name == "nt", reason="scripts without an ending")
def test_several_programs_on_the_path(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "loci").write_text("#!/bin/sh\n")
        (tmp_path / name / "loci").chmod(0o755)
    (tmp_path / "link").symlink_to(tmp_path / "one")
    monkeypatch.setenv("PATH", os.pathsep.join(str(tmp_path / name) for name in ("one", "link")))
    assert needed(memory) == []  # one program under two names
    monkeypatch.setenv("PATH", os.pathsep.join(str(tmp_path / name) for name in ("one", "two")))
    (finding,) = [f for f in memory.doctor() if f.needs_doing]
    assert finding.kind == "several_programs"
    assert finding.examples == (str(tmp_path / "one/loci"), str(tmp_path / "two/loci"))


def test_other_packages_add_what_they_know_of(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def known() -> list[Finding]:
        return [Finding(None, "warning", "told_elsewhere", "something is amiss", "mend it")]

    def failing() -> list[Finding]:
        raise RuntimeError("not today")

    entries = [SimpleNamespace(name=each.__name__, load=lambda each=each: each) for each in (known, failing)]
    monkeypatch.setattr("loci.core.operations.doctor._entry_points", lambda: entries)
    assert needed(memory) == [(None, "check_failed", None), (None, "told_elsewhere", "mend it")]
    (failed, _) = [finding for finding in memory.doctor() if finding.needs_doing]
    assert failed.problem == "this check failed (failing): RuntimeError: not today"


def test_a_project_that_no_build_can_read_says_why(
    memory: Memory, tmp_path: Path, make_repository: Callable[..., Path]
) -> None:
    third = make_repository(tmp_path / "work/the third", FILES)
    memory.scan([tmp_path / "work"])
    (third / ".git/config").write_text("[core\nbroken")
    memory.index()
    (finding,) = [finding for finding in memory.doctor() if finding.needs_doing]
    assert (finding.scope, finding.severity, finding.kind) == ("the-third", "error", "unreadable_repository")
    assert "configuration" in finding.problem and finding.fix == f"git -C '{third}' fsck"


def test_a_declaration_that_is_wrong_is_a_finding(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "work/jar/.loci.json").write_text('{"scopes": [{"path": "../shop"}]}')
    memory.index()
    (finding,) = [finding for finding in memory.doctor() if finding.needs_doing]
    assert (finding.scope, finding.severity, finding.kind) == ("jar", "warning", "bad_declaration")
    assert "leads out of the repository" in finding.problem
