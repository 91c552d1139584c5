"""A build killed at any moment leaves a whole generation behind, and the next build starts clean."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from loci.core import Memory

pytestmark = pytest.mark.skipif(os.name == "nt", reason="kill -9 is what is tested")

# Runs an index and kills itself, as kill -9 would, before the Nth call that makes something durable.
DIES_AT = """
import os, pathlib, signal, sys
home, fatal = sys.argv[1], int(sys.argv[2])
calls = 0

def deadly(function):
    def call(*arguments, **options):
        global calls
        calls += 1
        if calls == fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call

os.replace = deadly(os.replace)
os.fsync = deadly(os.fsync)
pathlib.Path.unlink = deadly(pathlib.Path.unlink)
from loci.core import Memory
Memory.open(home).index()
print(calls)
"""

PROJECTS = ("alpha", "beta", "gamma")


@pytest.fixture
def memory(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "home")
    for name in PROJECTS:
        memory.add(make_repository(tmp_path / "work" / name, {"README.md": f"# {name}\n\nedition zero of {name}\n"}))
    memory.index()
    return memory


def edit(memory: Memory, word: str, lines: int = 1) -> None:
    for scope in memory.scopes():
        (scope.path / "README.md").write_text(f"# {scope.id}\n\n" + f"edition {word} of {scope.id}\n\n" * lines)


def edition(memory: Memory) -> set[str]:
    """The editions that a new reader finds; every project must answer."""
    found = set()
    reader = Memory.open(memory.home.directory)
    for name in PROJECTS:
        (block,) = reader.ask("edition", scope=name, refresh=0).scopes
        text = next(passage.text for passage in block.passages if passage.path == "README.md")
        found.add(text.split("edition ")[1].split(" of")[0])
    reader.route("which edition of alpha is this?")
    return found


def assert_clean(memory: Memory) -> None:
    """The next build succeeds and leaves nothing that no manifest names."""
    from loci.core.home.manifest import Manifest

    assert not memory.index().with_outcome("failed")
    manifest = Manifest.load(memory.home)
    assert manifest is not None
    assert {path.name for path in memory.home.segments.iterdir()} == {
        name for record in manifest.scopes.values() for name in record.files
    }
    assert not [path for path in memory.home.directory.iterdir() if path.name.endswith(".tmp")]


def test_killed_before_every_step_that_makes_something_durable(memory):
    edit(memory, "one")
    steps, fatal, seen = None, 0, set()
    while steps is None:
        fatal += 1
        done = subprocess.run(
            [sys.executable, "-c", DIES_AT, str(memory.home.directory), str(fatal)], capture_output=True, text=True
        )
        if done.returncode == 0:
            steps = int(done.stdout)
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        found = edition(memory)
        assert len(found) == 1, f"killed at step {fatal}: a mixture of generations answers: {found}"
        seen |= found
        assert fatal < 100
    assert fatal > 4, "too few steps: the build no longer goes through the calls that are watched"
    assert seen == {"zero", "one"}, "kills must fall on both sides of the commit point"
    assert edition(memory) == {"one"}
    assert_clean(memory)


# Runs an index and kills itself at the Nth call of any function of Python in any thread; prints how many there were.
DIES_ANYWHERE = """
import itertools, os, signal, sys, threading
from loci.core import Memory
home, fatal = sys.argv[1], int(sys.argv[2])
calls = itertools.count(1)

def count(frame, event, argument):
    if event == 'call' and next(calls) == fatal:
        os.kill(os.getpid(), signal.SIGKILL)

memory = Memory.open(home)
threading.setprofile(count)
sys.setprofile(count)
memory.index()
sys.setprofile(None)
print(next(calls))
"""


def test_killed_at_random_moments(memory):
    """Moments are counted in calls of functions: a slow machine has the same ones as a fast one."""

    def build(fatal: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", DIES_ANYWHERE, str(memory.home.directory), str(fatal)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    edit(memory, "whole", 400)
    whole = build(0)
    assert whole.returncode == 0, whole.stderr
    calls = int(whole.stdout)
    before, seen = "whole", set()
    # Some calls at the end fall away when the order of the threads is another; nine tenths are always there.
    for number, fatal in enumerate(random.Random(7).sample(range(1, calls * 9 // 10), 12)):
        word = f"number{number}"
        edit(memory, word, 400)
        assert build(fatal).returncode == -signal.SIGKILL
        found = edition(memory)
        assert found in ({before}, {word}), f"killed at call {fatal}: a mixture of generations answers: {found}"
        seen.add(found == {word})
        (before,) = found
    assert False in seen, "kills must fall before the commit point"
    assert_clean(memory)


def test_a_full_disk_keeps_the_old_generation(memory, monkeypatch):
    edit(memory, "one")
    import loci.core.home.home as home_module

    def full(source, target):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(home_module.os, "replace", full)
        with pytest.raises(Exception, match="No space left"):
            memory.index()
    assert edition(memory) == {"zero"}
    assert not list(Path(memory.home.directory).glob(".*.tmp"))
    assert_clean(memory)
    assert edition(memory) == {"one"}
