"""Whatever changes in a project is noticed by the next question: said where nothing is done about it, and caught up
with where that is quick. Each change on a real repository.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from sentences import said

from loci import episodes
from loci.core import BuildLocked, Memory, notes
from loci.core.answer import freshness as looks
from loci.core.build import freshness
from loci.core.home.manifest import Manifest
from loci.router import advice

FILES = {
    "README.md": "# Billing\n\nInvoices are sent on the first day of the month.\n",
    "src/refund.py": "def book_refund(invoice, amount):\n    '''Books a refund against its invoice.'''\n",
    "last/only.md": "# Only\n\nThe barometer falls.\n",
}
Git = Callable[..., str]


@pytest.fixture
def root(tmp_path, make_repository, git) -> Path:
    root = make_repository(tmp_path / "work" / "billing", FILES, "Book refunds", "Second")
    git(root, "branch", "-q", "side", "HEAD~1")
    make_repository(tmp_path / "work" / "search", {"README.md": "# Search\n\nDocuments are ranked.\n"}, "Rank")
    return root


@pytest.fixture
def memory(tmp_path, root) -> Memory:
    memory = Memory.open(tmp_path / "home")
    memory.scan([tmp_path / "work"])
    memory.index()
    return memory


def commit(git: Git, root: Path, name: str, text: str, message: str) -> None:
    (root / name).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)


def pull(root: Path, git: Git) -> None:
    """FIELD 38: leaves a clean tree."""
    other = root.parent.parent / "other"
    git(root.parent.parent, "clone", "-q", str(root), "other")
    commit(git, other, "zebra.md", "# Zebra\n", "Bring the zebra")
    git(root, "pull", "-q", "--ff-only", str(other), "main")


def merge(root: Path, git: Git) -> None:
    git(root, "checkout", "-q", "side")
    commit(git, root, "zebra.md", "# Zebra\n", "Bring the zebra")
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge", "side")


def rebase(root: Path, git: Git) -> None:
    git(root, "checkout", "-q", "-b", "topic", "side")
    commit(git, root, "zebra.md", "# Zebra\n", "Bring the zebra")
    git(root, "rebase", "-q", "main")


def checkout(root: Path, git: Git) -> None:
    git(root, "checkout", "-q", "side")


def amend(root: Path, git: Git) -> None:
    git(root, "commit", "-q", "--allow-empty", "--amend", "-m", "The zebra was meant")


def reset(root: Path, git: Git) -> None:
    git(root, "reset", "-q", "--hard", "HEAD~1")


def rename_only(root: Path, git: Git) -> None:
    git(root, "mv", "src/refund.py", "src/zebra.py")


def rename_without_git(root: Path, git: Git) -> None:
    (root / "src" / "refund.py").rename(root / "src" / "zebra.py")


def delete_the_last_file(root: Path, git: Git) -> None:
    """FIELD 40: of a directory."""
    (root / "last" / "only.md").unlink()


def untracked_file(root: Path, git: Git) -> None:
    """FIELD 35."""
    (root / "zebra.md").write_text("# Zebra\n")


def own_edit(root: Path, git: Git) -> None:
    """FIELD 42."""
    with (root / "README.md").open("a") as file:
        file.write("\nThe zebra is striped.\n")


def edit_of_the_same_size_with_its_time_set_back(root: Path, git: Git) -> None:
    file = root / "README.md"
    before = file.stat()
    file.write_text(FILES["README.md"].replace("month", "zebra"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def symbol_removed(root: Path, git: Git) -> None:
    """FIELD 41."""
    (root / "src" / "refund.py").write_text("zebra = 1\n")


CHANGES = [
    pull,
    merge,
    rebase,
    checkout,
    amend,
    reset,
    rename_only,
    rename_without_git,
    delete_the_last_file,
    untracked_file,
    own_edit,
    edit_of_the_same_size_with_its_time_set_back,
    symbol_removed,
]


def block(memory: Memory, refresh: float = 30.0, question: str = "zebra refund"):
    return memory.ask(question, scope="billing", refresh=refresh).scopes[0]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_change_is_noticed_and_caught_up_with(memory, root, git, change):
    assert block(memory).caught_up and memory.generation() == 1
    before = git(root, "rev-parse", "HEAD")
    change(root, git)
    head = git(root, "rev-parse", "HEAD")
    behind = block(memory, refresh=0)
    assert behind.head == head and not behind.caught_up
    assert behind.notes == (notes.Changed("billing", head=head != before),)
    assert memory.generation() == 1
    now = block(memory)
    assert now.caught_up and said(now) == "" and now.indexed_commit == now.head == head
    assert memory.generation() == 2
    fresh = Memory.open(memory.home.directory.parent / "fresh")
    fresh.scan([root.parent])
    fresh.index()
    assert [p.to_json() for p in now.passages] == [p.to_json() for p in block(fresh).passages]


def test_a_stash_and_its_return(memory, root, git):
    own_edit(root, git)
    assert "zebra" in "".join(p.text for p in block(memory).passages)
    git(root, "stash", "-q")
    assert not block(memory, refresh=0).caught_up
    assert "zebra" not in "".join(p.text for p in block(memory).passages)
    git(root, "stash", "pop", "-q")
    assert "zebra" in "".join(p.text for p in block(memory).passages)


def test_what_was_just_written_decides_the_route(memory, root):
    """The directory of the caller is looked at first: what it holds now may be what the question is about."""
    answer = memory.ask("where does the quokka sleep?", cwd=root, refresh=0)
    assert answer.abstained or "quokka" not in "".join(p.text for b in answer.scopes for p in b.passages)
    (root / "quokka.md").write_text("# Quokka\n\nThe quokka sleeps under the acacia.\n")
    answer = memory.ask("where does the quokka sleep?", cwd=root)
    assert [scope.id for scope in answer.scopes] == ["billing"]
    assert "acacia" in answer.scopes[0].passages[0].text


def test_only_what_is_asked_is_refreshed(memory, root, git, tmp_path):
    own_edit(root, git)
    (tmp_path / "work" / "search" / "new.md").write_text("# New\n")
    before = Manifest.load(memory.home)
    assert block(memory).caught_up
    after = Manifest.load(memory.home)
    assert before is not None and after is not None
    assert after.scopes["search"] == before.scopes["search"] and after.scopes["billing"] != before.scopes["billing"]
    assert after.scopes["billing"].seconds is not None


def test_what_takes_long_is_said_and_not_done(memory, root, git, monkeypatch):
    own_edit(root, git)
    monkeypatch.setattr(freshness, "FIXED_SECONDS", 10.0)
    found = block(memory, refresh=0.3)
    assert not found.caught_up and "files have changed" in said(found) and found.passages
    assert memory.generation() == 1


def test_a_build_that_failed_has_caught_up_with_nothing(memory, root, git, monkeypatch):
    own_edit(root, git)
    built = []

    def fail(*_given: object, **_named: object) -> None:
        built.append("billing")
        raise episodes.RepositoryUnreadable("not today")

    monkeypatch.setattr(episodes, "build", fail)
    assert freshness.refresh(memory.home, ["billing"], 30) is False
    found = block(memory)
    assert not found.caught_up and "files have changed" in said(found) and found.passages
    assert built == ["billing"] * 2 and memory.generation() == 1
    monkeypatch.undo()
    assert freshness.refresh(memory.home, ["billing"], 30) is True
    assert freshness.refresh(memory.home, ["billing"], 30) is True  # nothing was left to do
    (root / ".git").rename(root / "gone.git")
    assert freshness.refresh(memory.home, ["billing"], 30) is False
    assert freshness.refresh(memory.home, ["billing", "search"], 30) is False  # one of two is not both


def test_a_build_that_runs_is_not_waited_for(memory, root, git):
    own_edit(root, git)
    with memory.home.build_lock():
        found = block(memory)
        assert not found.caught_up and found.passages
    assert block(memory).caught_up


def test_a_refresh_that_takes_longer_than_expected_goes_on_behind_the_answer(memory, root, git, monkeypatch):
    own_edit(root, git)
    release, done = threading.Event(), threading.Event()
    real = episodes.build

    def slow(*arguments, **options):
        assert release.wait(30)
        try:
            return real(*arguments, **options)
        finally:
            done.set()

    monkeypatch.setattr(episodes, "build", slow)
    monkeypatch.setattr("loci.core.answer.freshness.REFRESH_PATIENCE", 0.001)
    answer = memory.ask("zebra refund", scope="billing", refresh=30.0)
    assert answer.notes == (notes.BeingUpdated(("billing",)),) and not answer.scopes[0].caught_up
    release.set()
    assert done.wait(30)
    with memory.home.build_lock(30):
        pass
    assert block(memory, refresh=0).caught_up


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser writes everywhere")
def test_a_home_that_cannot_be_written_answers_all_the_same(memory, root, git):
    """FIELD 85."""
    own_edit(root, git)
    memory.home.directory.chmod(0o500)
    try:
        assert not block(memory).caught_up and block(memory).passages
    finally:
        memory.home.directory.chmod(0o700)


def test_a_build_may_wait_for_another(memory):
    entered, outcomes = threading.Event(), []

    def wait():
        entered.set()
        with memory.home.build_lock(30):
            outcomes.append("built")

    with memory.home.build_lock():
        second = threading.Thread(target=wait)
        second.start()
        assert entered.wait(30) and outcomes == []
    second.join(30)
    assert outcomes == ["built"]


def test_of_several_builds_that_would_wait_one_does(memory):
    """FIELD 36 and 40: fifty commits of a rebase must leave neither fifty builds in a queue nor a change unseen."""
    waiting = FileLock(memory.home.directory / "lock.next")
    with memory.home.build_lock(), waiting, pytest.raises(BuildLocked), memory.home.build_lock(3600):
        pass


def leaves_a_word(root: Path, git: Git) -> None:
    with (root / "README.md").open("a") as file:
        file.write("\nThe quokka is a marsupial.\n")


def leaves_a_commit(root: Path, git: Git) -> None:
    leaves_a_word(root, git)
    git(root, "commit", "-qam", "Describe the quokka marsupial")


@pytest.mark.parametrize("change", [leaves_a_word, leaves_a_commit])
def test_what_was_just_written_is_not_denied(memory, root, git, change, monkeypatch):
    """Nobody stands in the project: the words were said to be indexed nowhere, and nothing that it is behind."""
    nowhere = memory.ask("quokka marsupial")
    assert nowhere.abstained and nowhere.route.advice == (advice.IndexedNowhere(),)
    change(root, git)
    # What may not be brought up to date is named, with what to type.
    monkeypatch.setattr(freshness, "FIXED_SECONDS", 10.0)
    denied = memory.ask("quokka marsupial")
    assert denied.abstained
    assert denied.route.advice == (advice.ChangedSinceIndexed(("billing",)), advice.IndexedNowhere())
    assert memory.ask("quokka marsupial", group=None, refresh=0).abstained and memory.generation() == 1
    monkeypatch.undo()
    answer = memory.ask("quokka marsupial")
    assert [scope.id for scope in answer.scopes] == ["billing"] and answer.scopes[0].caught_up


def test_new_commits_are_named_where_nothing_is_refreshed(memory, root, git):
    leaves_a_commit(root, git)
    for route in (memory.ask("quokka marsupial", refresh=0).route, memory.route("quokka marsupial")):
        assert route.abstained and route.advice[0] == advice.ChangedSinceIndexed(("billing",))
    assert memory.generation() == 1


@pytest.mark.parametrize("where", ["scope", "cwd", "nowhere"])
def test_a_symbol_that_was_just_written_is_not_denied(memory, root, monkeypatch, where):
    given = {"scope": {"scope": "billing"}, "cwd": {"cwd": root}, "nowhere": {}}[where]
    (root / "src" / "wombat.py").write_text("def wombat_handler():\n    return 1\n")
    monkeypatch.setattr(freshness, "FIXED_SECONDS", 10.0)
    denied = memory.symbol("wombat_handler", **given)
    assert not any(block.symbols for block in denied.scopes)
    if where != "scope":
        assert denied.route.advice[0] == advice.ChangedSinceIndexed(("billing",))
    else:
        assert notes.Changed("billing", head=False) in denied.scopes[0].notes
        assert denied.scopes[0].nothing == "cannot_tell" and not denied.scopes[0].caught_up
    monkeypatch.undo()
    (block,) = memory.symbol("wombat_handler", **given).scopes
    assert block.id == "billing" and block.symbols and block.caught_up


@pytest.mark.parametrize("where", ["scope", "nowhere"])
def test_symbols_of_files_that_have_changed_are_not_called_up_to_date(memory, root, where):
    given = {"scope": "billing"} if where == "scope" else {}
    (root / "src" / "wombat.py").write_text("def wombat_handler():\n    return 1\n")
    memory.index()
    (block,) = memory.symbol("wombat_handler", refresh=0, **given).scopes
    assert block.caught_up and said(block) == ""
    (root / "src" / "wombat.py").write_text("def other():\n    return 2\n\n\ndef wombat_handler():\n    return 1\n")
    (block,) = memory.symbol("wombat_handler", refresh=0, **given).scopes
    assert not block.caught_up and block.notes == (notes.Changed("billing", head=False),)
    (block,) = memory.symbol("wombat_handler", **given).scopes
    assert block.caught_up and block.symbols[0].line == 5


def test_symbols_of_a_project_that_is_gone_say_so(memory, root):
    (root / "src" / "wombat.py").write_text("def wombat_handler():\n    return 1\n")
    memory.index()
    root.rename(root.with_name("elsewhere"))
    (block,) = memory.symbol("wombat_handler").scopes
    assert not block.caught_up and said(block) == f"{root} does not exist any more; answered from its index"


@pytest.mark.parametrize("reason", ["fails", "hangs"])
def test_a_look_that_comes_to_nothing_leaves_the_head_to_compare(memory, root, git, reason, monkeypatch):
    """Files that cannot be looked at, or not in time, are no reason to overlook a commit."""
    leaves_a_commit(root, git)
    end = threading.Event()

    def state(*_given: object, **_named: object) -> episodes.State:
        if reason == "hangs":
            end.wait(30)
        raise episodes.RepositoryUnreadable("not today")

    monkeypatch.setattr(episodes, "state", state)
    monkeypatch.setattr(looks, "DENIAL_SECONDS", 0.01)
    denied = memory.ask("quokka marsupial", refresh=0.3)
    end.set()
    assert denied.abstained and denied.route.advice[0] == advice.ChangedSinceIndexed(("billing",))


def test_of_more_projects_than_are_looked_at_the_others_are_told_by_their_head(
    memory, root, git, make_repository, monkeypatch
):
    for name in ("first", "second", "third"):
        memory.add(make_repository(root.parent / name, {"README.md": f"# {name}\n\nNothing of note.\n"}, "Begin"))
    memory.index()
    monkeypatch.setattr(looks, "DENIAL_LOOKS", 1)
    monkeypatch.setattr(freshness, "FIXED_SECONDS", 10.0)
    for name in ("first", "second", "third"):
        leaves_a_commit(root.parent / name, git)
    advised = memory.ask("quokka marsupial").route.advice
    assert advised[0] == advice.ChangedSinceIndexed(("first", "second", "third"))
    monkeypatch.undo()
    assert {scope.id for scope in memory.ask("quokka marsupial").scopes} <= {"first", "second", "third"}
