"""Git hooks: beside what is there, and gone without a trace."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loci.core import InvalidRequest, Memory, NotARepository
from loci.core.projects import hooks

pytestmark = pytest.mark.skipif(os.name == "nt", reason="hooks are shell scripts")
Git = Callable[..., str]


@pytest.fixture
def root(tmp_path, make_repository) -> Path:
    return make_repository(tmp_path / "work" / "my shop", {"README.md": "# Shop\n"}, "first")


@pytest.fixture
def memory(tmp_path) -> Memory:
    return Memory.open(tmp_path / "the home")


@pytest.fixture
def ran(tmp_path, monkeypatch) -> Path:
    """Where a stand-in for the command writes its arguments, in the foreground so that tests need not wait."""
    log = tmp_path / "ran"
    stub = tmp_path / "stub.py"
    stub.write_text(
        f"import os, sys\nprint([sys.argv[1:], os.getcwd(), 'GIT_DIR' in os.environ], file=open({str(log)!r}, 'a'))\n"
    )
    monkeypatch.setattr(hooks, "_command", lambda: [sys.executable, str(stub)])
    real = hooks._script
    monkeypatch.setattr(hooks, "_script", lambda *a, **k: real(*a, **k).replace(" >/dev/null 2>&1 & )", " )"))
    return log


def tree(directory: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(directory)): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def test_the_hooks_run_after_each_kind_of_change_and_go_without_a_trace(root, memory, git, ran):
    before = tree(root / ".git" / "hooks")
    plan = memory.plan_hooks(root)
    assert [str(step).split()[0] for step in plan.steps] == ["write"] * 4 and "loci hook 1" in plan.script
    assert tree(root / ".git" / "hooks") == before, "shown first"
    plan.apply()
    counts = [len(lines(ran))]
    for arguments in (
        ("commit", "-q", "--allow-empty", "-m", "second"),
        ("checkout", "-q", "-b", "side"),
        ("commit", "-q", "--allow-empty", "--amend", "-m", "again"),
        ("checkout", "-q", "main"),
        ("merge", "-q", "--no-ff", "-m", "merge", "side"),
    ):
        git(root, *arguments)
        counts.append(len(lines(ran)))
    assert counts == sorted(set(counts)), counts
    home = str(memory.home.directory)
    assert lines(ran)[0] == repr([["--home", home, "index", ".", "--wait", "60"], str(root.resolve()), False])
    assert memory.plan_hooks(root).steps == (), "a second time there is nothing to do"
    memory.plan_hooks(root, uninstall=True).apply()
    assert tree(root / ".git" / "hooks") == before
    assert memory.plan_hooks(root, uninstall=True).steps == ()


def test_an_existing_hook_runs_first_and_decides(root, memory, git, ran, tmp_path):
    """FIELD 95."""
    hook = root / ".git" / "hooks" / "post-checkout"
    hook.write_text(f'#!/bin/sh\necho "theirs $1" >> {shlex.quote(str(ran))}\nexit 7\n')
    hook.chmod(0o750)
    before = tree(root / ".git" / "hooks")
    memory.plan_hooks(root).apply()
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "checkout", "-q", "-b", "side")
    assert lines(ran)[0].startswith("theirs ") and "index" in lines(ran)[1]
    memory.plan_hooks(root, uninstall=True).apply()
    assert tree(root / ".git" / "hooks") == before and hook.stat().st_mode & 0o777 == 0o750


def test_a_hook_that_replaced_ours_is_left_alone(root, memory):
    hooks = root / ".git" / "hooks"
    (hooks / "post-commit").write_text("#!/bin/sh\n# first\n")
    memory.plan_hooks(root).apply()
    (hooks / "post-commit").write_text("#!/bin/sh\n# a tool wrote its own\n")
    plan = memory.plan_hooks(root, uninstall=True)
    assert [path.name for path in plan.kept] == ["post-commit.before-loci"] and len(plan.steps) == 3
    plan.apply()
    assert "a tool" in (hooks / "post-commit").read_text()
    with pytest.raises(InvalidRequest, match="is in the way"):
        memory.plan_hooks(root)


def test_the_directory_that_git_uses_gets_the_hooks(root, memory, git, ran, tmp_path):
    git(root, "config", "core.hooksPath", ".husky")
    memory.plan_hooks(root).apply()
    assert (root / ".husky" / "post-commit").exists() and not (root / ".git" / "hooks" / "post-commit").exists()
    memory.plan_hooks(root, uninstall=True).apply()
    assert not (root / ".husky").exists()
    git(root, "config", "--unset", "core.hooksPath")
    git(root, "worktree", "add", "-q", "-b", "w", str(tmp_path / "w"))
    memory.plan_hooks(tmp_path / "w").apply()
    assert (root / ".git" / "hooks" / "post-commit").exists()


@pytest.fixture
def configuration(tmp_path, monkeypatch) -> Path:
    """The person's own git configuration, for every git that runs from here on."""
    file = tmp_path / "gitconfig"
    file.write_text("[user]\n\tname = Ada  ; keep this\n[core]\n\n\teditor = ed\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(file))
    return file


def _identity() -> dict[str, str]:
    names = {
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    return names | {"GIT_CONFIG_SYSTEM": os.devnull}


def plain_git(directory: Path, *arguments: str) -> None:
    done = subprocess.run(
        ["git", *arguments], cwd=directory, env={**os.environ, **_identity()}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_hooks_for_all_repositories_pass_on_to_each_repositorys_own(root, memory, ran, configuration):
    before = configuration.read_bytes()
    own = root / ".git" / "hooks" / "pre-commit"
    own.write_text(f"#!/bin/sh\necho theirs >> {shlex.quote(str(ran))}\n")
    own.chmod(0o755)
    plan = memory.plan_hooks(None)
    assert str(plan.steps[-1]).startswith("git config --global core.hooksPath ")
    plan.apply()
    plain_git(root, "commit", "-q", "--allow-empty", "-m", "second")
    assert lines(ran)[0] == "theirs" and "index" in lines(ran)[1] and len(lines(ran)) == 2
    assert memory.plan_hooks(None).steps == ()
    memory.plan_hooks(None, uninstall=True).apply()
    assert configuration.read_bytes() == before and not (memory.home.directory / "git").exists()
    plain_git(root, "commit", "-q", "--allow-empty", "-m", "third")
    assert lines(ran)[2:] == ["theirs"]


def test_a_configuration_that_changed_meanwhile_loses_only_our_line(memory, configuration):
    memory.plan_hooks(None).apply()
    configuration.write_text(configuration.read_text() + "[alias]\n\tst = status\n")
    memory.plan_hooks(None, uninstall=True).apply()
    text = configuration.read_text()
    assert "st = status" in text and "hooksPath" not in text and "keep this" in text


def test_a_configuration_that_was_not_there_is_not_there_again(memory, configuration):
    configuration.unlink()
    memory.plan_hooks(None).apply()
    assert "hooksPath" in configuration.read_text()
    memory.plan_hooks(None, uninstall=True).apply()
    assert not configuration.exists()


def test_hooks_that_a_person_has_for_all_repositories_stay(memory, configuration, tmp_path, ran):
    theirs = tmp_path / "their hooks"
    theirs.mkdir()
    (theirs / "post-commit").write_text("#!/bin/sh\n")
    configuration.write_text(f"[core]\n\thooksPath = {theirs}\n")
    before = tree(theirs), configuration.read_bytes()
    memory.plan_hooks(None).apply()
    assert len(tree(theirs)) == 5 and configuration.read_bytes() == before[1]
    memory.plan_hooks(None, uninstall=True).apply()
    assert (tree(theirs), configuration.read_bytes()) == before


def test_where_no_repository_is(memory, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotARepository):
        memory.plan_hooks(tmp_path / "empty")
