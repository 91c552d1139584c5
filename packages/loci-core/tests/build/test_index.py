"""Index runs, with a stand-in for the episode store: what is built, kept, reported, published and removed, and when."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from loci.core import BuildLocked, DamagedFile, HomeNotWritable, Memory, NothingRegistered, UnknownScope
from loci.core.build import index
from loci.core.home.manifest import Manifest


class StoreError(Exception):
    pass


class Store:
    """Builds a segment whose content is the project's files; fails where a test says so."""

    EpisodesError = StoreError

    def __init__(self):
        self.signature = "rules-1"
        self.built: list[str] = []
        self.previous: dict[str, Path | None] = {}
        self.excluded: dict[str, list[str]] = {}
        self.failing: dict[str, BaseException] = {}
        self.unopenable: set[str] = set()
        self.Episodes = SimpleNamespace(open=self.open)

    def rules_signature(self):
        return self.signature

    def fingerprint(self, root, **reading):
        return hashlib.sha256(self.content(root)).hexdigest()

    def content(self, root):
        files = sorted(path for path in Path(root).rglob("*") if path.is_file() and ".git" not in path.parts)
        return b"".join(path.name.encode() + b"\0" + path.read_bytes() for path in files)

    def open(self, path):
        if path.name in self.unopenable:
            raise StoreError("bad header")

    def build(self, root, *, directory, previous=None, exclude=(), progress=None, **reading):
        scope = Path(root).name
        self.built.append(scope)
        self.previous[scope] = previous
        self.excluded[scope] = list(exclude)
        if scope in self.failing:
            raise self.failing[scope]
        content = self.content(root)
        name = hashlib.sha256(content).hexdigest() + ".safetensors"
        (directory / name).write_bytes(content)
        if progress:
            progress("files", 1, 1)
        return SimpleNamespace(
            segment=name,
            bytes=len(content),
            commit="c" * 40,
            fingerprint=self.fingerprint(root),
            listed=1,
            read=1,
            skipped={"binary": 1},
            skipped_examples={"binary": ["x.png"]},
            ignored=0,
            notes={},
            unreadable_dirs=[],
            unreadable=[("secret.txt", "Permission denied")],
            lossy=[],
            passages={"document": 1, "commit": 1},
            redactions={},
            submodules=[],
            shallow=False,
            last_commit_time=7,
        )


@pytest.fixture
def store(monkeypatch):
    store = Store()
    monkeypatch.setattr(index, "episodes", store)
    return store


@pytest.fixture
def memory(tmp_path, make_repository, store):
    memory = Memory.open(tmp_path / "home")
    for name in ("a", "b", "c"):
        memory.add(make_repository(tmp_path / "work" / name, {"text.md": f"# {name}\n"}))
    return memory


def segments(memory):
    return {path.name for path in memory.home.segments.iterdir()}


def manifest(memory) -> Manifest:
    found = Manifest.load(memory.home)
    assert found is not None
    return found


def test_a_first_run_builds_all_and_a_second_nothing(memory, store):
    report = memory.index()
    assert [(scope.id, scope.outcome) for scope in report.scopes] == [("a", "built"), ("b", "built"), ("c", "built")]
    assert segments(memory) == {name for record in manifest(memory).scopes.values() for name in record.files}
    before = memory.home.manifest.stat().st_ino, memory.home.manifest.stat().st_mtime_ns
    again = memory.index()
    assert {scope.outcome for scope in again.scopes} == {"unchanged"}
    assert again.generation == report.generation == 1
    assert (memory.home.manifest.stat().st_ino, memory.home.manifest.stat().st_mtime_ns) == before
    assert sorted(store.built) == ["a", "b", "c"]


def test_only_what_changed_is_built_again(memory, store, tmp_path):
    memory.index()
    old = manifest(memory)
    (tmp_path / "work/b/text.md").write_text("# changed\n")
    store.built.clear()
    report = memory.index()
    assert store.built == ["b"] and report.generation == 2
    assert store.previous["b"] == memory.home.segments / old.scopes["b"].segment
    new = manifest(memory)
    assert new.scopes["a"] == old.scopes["a"]
    assert segments(memory) == {name for record in new.scopes.values() for name in record.files}
    assert old.scopes["b"].segment not in segments(memory)


def test_force_and_new_rules_start_from_nothing(memory, store):
    memory.index()
    store.built.clear()
    memory.index(force=True)
    assert sorted(store.built) == ["a", "b", "c"] and set(store.previous.values()) == {None}
    store.built.clear()
    store.signature = "rules-2"
    memory.index()
    assert sorted(store.built) == ["a", "b", "c"] and set(store.previous.values()) == {None}
    assert {record.signature for record in manifest(memory).scopes.values()} == {"rules-2"}


def test_one_scope_by_name(memory, store, tmp_path):
    memory.index()
    for name in ("a", "b"):
        (tmp_path / "work" / name / "text.md").write_text("# changed\n")
    store.built.clear()
    memory.index(["B"])
    assert store.built == ["b"]
    assert set(manifest(memory).scopes) == {"a", "b", "c"}
    with pytest.raises(UnknownScope):
        memory.index(["nope"])


@pytest.mark.parametrize(
    "error", [StoreError("cannot read it"), PermissionError(13, "denied"), MemoryError(), RuntimeError("bug")]
)
def test_a_scope_that_fails_keeps_its_segment_and_the_others_go_on(memory, store, tmp_path, error):
    memory.index()
    old = manifest(memory)
    for name in ("a", "b", "c"):
        (tmp_path / "work" / name / "text.md").write_text("# changed\n")
    store.failing["b"] = error
    report = memory.index()
    assert {scope.id: scope.outcome for scope in report.scopes} == {"a": "built", "b": "failed", "c": "built"}
    (failed,) = report.with_outcome("failed")
    assert failed.message
    assert manifest(memory).scopes["b"] == old.scopes["b"]
    assert old.scopes["b"].segment in segments(memory)


def test_a_panic_of_the_kernel_is_one_failed_scope(memory, store):
    class PanicException(BaseException):  # what PyO3 raises; it derives from BaseException on purpose
        pass

    store.failing["b"] = PanicException("index out of bounds")
    report = memory.index()
    assert [scope.id for scope in report.with_outcome("failed")] == ["b"]
    assert set(manifest(memory).scopes) == {"a", "c"}


def test_a_directory_that_is_gone_keeps_its_index(memory, store, tmp_path):
    memory.index()
    old = manifest(memory)
    (tmp_path / "work/b").rename(tmp_path / "unmounted")
    report = memory.index()
    (gone,) = report.with_outcome("gone")
    assert gone.id == "b" and "loci forget b" in gone.message
    assert manifest(memory).scopes["b"] == old.scopes["b"]
    assert old.scopes["b"].segment in segments(memory)


def test_forgetting_removes_the_data(memory):
    memory.index()
    segment = manifest(memory).scopes["b"].segment
    memory.forget("b")
    assert set(manifest(memory).scopes) == {"a", "c"}
    assert segment not in segments(memory)


def test_forgetting_during_a_build_is_completed_by_the_next(memory, store):
    memory.index()
    with memory.home.build_lock():
        memory.forget("b")
    assert set(manifest(memory).scopes) == {"a", "b", "c"}
    report = memory.index()
    assert report.removed == ("b",)
    assert set(manifest(memory).scopes) == {"a", "c"} and len(segments(memory)) == 4  # a segment and a graph each


def test_what_a_killed_build_left_is_removed(memory):
    memory.index()
    (memory.home.segments / ".half.tmp").write_text("x")
    (memory.home.segments / "whole-but-unnamed.safetensors").write_text("x")
    memory.index()
    assert len(segments(memory)) == 6  # a segment and a graph each


@pytest.mark.parametrize("damage", ["missing", "truncated", "unopenable"])
def test_a_damaged_segment_is_built_again(memory, store, damage):
    memory.index()
    record = manifest(memory).scopes["b"]
    path = memory.home.segments / record.segment
    if damage == "missing":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(b"")
    else:
        store.unopenable.add(record.segment)
    store.built.clear()
    memory.index()
    assert store.built == ["b"] and store.previous["b"] is None
    assert path.stat().st_size == record.bytes


def test_a_damaged_manifest_is_repaired_by_building_everything(memory, store):
    memory.index()
    memory.home.manifest.write_text('{"format": 1, "generation"')
    with pytest.raises(DamagedFile, match=r"manifest\.json:1:"):
        memory.scopes()
    store.built.clear()
    report = memory.index()
    assert sorted(store.built) == ["a", "b", "c"]
    assert any("manifest.json" in note for note in report.notes)
    assert len(memory.scopes()) == 3


@pytest.mark.parametrize("name", ["../elsewhere", "/etc/passwd", "..", ""])
def test_a_manifest_cannot_name_files_elsewhere(memory, name):
    memory.index()
    data = json.loads(memory.home.manifest.read_text())
    data["scopes"]["a"]["segment"] = name
    memory.home.manifest.write_text(json.dumps(data))
    with pytest.raises(DamagedFile, match="is no file name"):
        Manifest.load(memory.home)


def test_an_inner_project_is_excluded_from_the_outer(memory, store, tmp_path, make_repository):
    memory.add(make_repository(tmp_path / "work/a/sub/inner", {"x.md": "x"}))
    memory.index()
    assert store.excluded["a"] == ["sub/inner", "graphify-out"] and store.excluded["inner"] == ["graphify-out"]


def test_the_order_of_writing(memory, store, tmp_path, monkeypatch):
    """New segments stand before the manifest is replaced, old ones are removed after it."""
    memory.index()
    old = manifest(memory)
    (tmp_path / "work/b/text.md").write_text("# changed\n")
    seen = []
    replace = os.replace

    def watched(source, target):
        if Path(target) == memory.home.manifest:
            named = {entry["segment"] for entry in json.loads(Path(source).read_text())["scopes"].values()}
            seen.append((named <= segments(memory), old.scopes["b"].segment in segments(memory)))
        replace(source, target)

    monkeypatch.setattr(os, "replace", watched)
    memory.index()
    assert seen == [(True, True)]


def test_a_renamed_project_is_known_by_its_new_name(memory, tmp_path):
    memory.index()
    (tmp_path / "work/b/package.json").write_text('{"name": "shop-window"}')
    memory.index()
    assert "shop-window" in manifest(memory).scopes["b"].names
    generation = manifest(memory).generation
    assert memory.index().generation == generation


def test_registered_while_building_is_kept(memory, store, tmp_path, make_repository):
    """The registry has a lock of its own: a scan during a build neither waits for it nor is lost."""
    late = make_repository(tmp_path / "late")
    original = store.build

    def build(*arguments, **options):
        Memory.open(memory.home.directory).add(late)
        return original(*arguments, **options)

    store.build = build
    memory.index()
    assert [scope.id for scope in memory.scopes()] == ["a", "b", "c", "late"]


def test_two_builds_at_once(memory):
    with memory.home.build_lock(), pytest.raises(BuildLocked) as caught:
        memory.index()
    assert caught.value.pid == os.getpid()
    assert memory.index().generation == 1


def test_a_dead_process_leaves_no_lock(memory):
    program = (
        "import os, sys\nfrom loci.core import Home\n"
        "with Home.locate(sys.argv[1]).build_lock():\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(memory.home.directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert child.stdout is not None and child.stdout.readline() == b"held\n"
        with pytest.raises(BuildLocked, match=f"process {child.pid} "):
            memory.index()
    finally:
        child.kill()
        child.communicate()
    assert memory.index().generation == 1


def test_progress_reaches_the_end(memory):
    seen = []
    lock = threading.Lock()

    def progress(scope, stage, done, total):
        with lock:
            seen.append((scope, stage, done, total))

    memory.index(progress=progress)
    assert seen[0] == ("", "scopes", 0, 3)
    assert ("", "scopes", 3, 3) in seen
    assert {scope for scope, *_ in seen} == {"", "a", "b", "c"}


def test_nothing_registered(tmp_path, store):
    with pytest.raises(NothingRegistered) as caught:
        Memory.open(tmp_path / "home").index()
    assert caught.value.exit_code == 1


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_cannot_be_written(memory):
    memory.home.directory.chmod(0o500)
    try:
        with pytest.raises(HomeNotWritable):
            memory.index()
    finally:
        memory.home.directory.chmod(0o700)


def test_a_home_below_a_file_cannot_be_made(tmp_path, make_repository):
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeNotWritable, match=r"cannot write to"):
        Memory.open(tmp_path / "file" / "home").add(make_repository(tmp_path / "app"))
