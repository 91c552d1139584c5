"""Which project a place is: every situation on real repositories."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from sentences import said

from loci.core import Home, Memory, NothingRegistered
from loci.core.build.worktrees import remove_overlays
from loci.core.home.identity import place_of, presence
from loci.core.home.registry import Registry

README = {"README.md": "# Tariffs\n\nThe tariff is kept in cents.\n"}
TARIFF = "how is the tariff kept?"


@pytest.fixture
def memory(tmp_path) -> Memory:
    return Memory.open(tmp_path / "home")


def states(memory: Memory) -> dict[str, str]:
    return {scope.id: scope.state for scope in memory.scopes()}


def of(memory: Memory, identity: str):
    return next(scope for scope in memory.scopes() if scope.id == identity)


def test_two_folders_of_one_name_are_two_projects(tmp_path, memory, make_repository):
    """FIELD 13."""
    for parent, text in (("one", "# One\n\nThe tariff.\n"), ("two", "# Two\n\nThe sextant.\n")):
        make_repository(tmp_path / parent / "app", {"README.md": text}, f"Begin {parent}")
    memory.scan([tmp_path])
    memory.index()
    assert set(states(memory)) == {"app", "two/app"}
    for place, identity in (("one", "app"), ("two", "two/app")):
        assert memory.ask("what does this do?", cwd=tmp_path / place / "app").scopes[0].id == identity


def test_a_moved_clone_keeps_its_id_its_aliases_and_its_groups(tmp_path, memory, make_repository):
    root = make_repository(tmp_path / "work" / "tariffs", README, "first", "second")
    memory.scan([tmp_path / "work"])
    memory.add(root, aliases=["prices"])
    memory.add_to_group("tariffs", "client:acme")
    memory.index()
    root.rename(tmp_path / "work" / "pricing")
    status = of(memory, "tariffs")
    assert (status.state, status.moved_to) == ("moved", tmp_path.resolve() / "work" / "pricing")
    answer = memory.ask("what does this do?", cwd=tmp_path / "work" / "pricing")
    assert [block.id for block in answer.scopes] == ["tariffs"] and answer.scopes[0].caught_up
    report = memory.scan([tmp_path / "work"])
    assert report.new == []
    assert report.moved == (("tariffs", root.resolve(), tmp_path.resolve() / "work" / "pricing"),)
    status = of(memory, "tariffs")
    assert (status.state, status.path.name, status.aliases) == ("indexed", "pricing", ("prices",))
    assert status.groups == ("client:acme",) and status.name == "pricing"
    (outcome,) = memory.index().scopes
    assert outcome.outcome == "built"
    assert memory.ask(TARIFF, scope="prices").scopes[0].caught_up


def test_a_moved_parent_directory_moves_all(tmp_path, memory, make_repository):
    for name in ("a", "b"):
        make_repository(tmp_path / "work" / name, README, f"Begin {name}")
    memory.scan([tmp_path / "work"])
    (tmp_path / "work").rename(tmp_path / "code")
    assert set(states(memory).values()) == {"unreachable"}
    assert {item[0] for item in memory.scan([tmp_path / "code"]).moved} == {"a", "b"}
    assert {scope.path.parent.name for scope in memory.scopes()} == {"code"}


def test_another_project_is_not_taken_for_a_moved_one(tmp_path, memory, make_repository, git):
    root = make_repository(tmp_path / "work" / "tariffs", README, "first")
    git(root, "remote", "add", "origin", "https://example.org/acme/tariffs.git")
    memory.scan([tmp_path / "work"])
    git(tmp_path, "clone", "-q", str(root), "fork")
    git(tmp_path / "fork", "remote", "set-url", "origin", "https://example.org/eve/fork.git")
    shutil.rmtree(root)
    make_repository(tmp_path / "work" / "other", {"a.md": "# Other\n"}, "Other beginning")
    (tmp_path / "fork").rename(tmp_path / "work" / "fork")
    report = memory.scan([tmp_path / "work"])
    assert report.moved == () and sorted(report.new) == ["fork", "other"]
    assert states(memory)["tariffs"] == "gone"


def test_the_same_remote_tells_more_than_the_same_name(tmp_path, memory, make_repository, git):
    """Two clones that may be the one that moved: its remote is kept by one, the name of its directory by the other."""
    root = make_repository(tmp_path / "work" / "tariffs", README, "first")
    git(root, "remote", "add", "origin", "https://example.org/acme/tariffs.git")
    memory.scan([tmp_path / "work"])
    for name, remote in (("a/tariffs", "eve/fork"), ("b/pricing", "acme/tariffs"), ("c/pricing", "acme/tariffs")):
        git(tmp_path, "clone", "-q", str(root), str(tmp_path / "work" / name))
        git(tmp_path / "work" / name, "remote", "set-url", "origin", f"https://example.org/{remote}.git")
    shutil.rmtree(root)
    report = memory.scan([tmp_path / "work"])
    assert report.moved == (("tariffs", root, tmp_path / "work" / "b" / "pricing"),)
    assert len(memory.scopes()) == 3


@pytest.mark.parametrize("which", ["same name", "unknown remote", "neither"])
def test_a_clone_with_another_remote_must_have_kept_its_name(tmp_path, memory, make_repository, git, which):
    root = make_repository(tmp_path / "work" / "tariffs", README, "first")
    git(root, "remote", "add", "origin", "https://example.org/acme/tariffs.git")
    memory.scan([tmp_path / "work"])
    there = tmp_path / "work" / "a" / ("tariffs" if which == "same name" else "pricing")
    git(tmp_path, "clone", "-q", str(root), str(there))
    if which == "unknown remote":
        git(there, "remote", "remove", "origin")
    else:
        git(there, "remote", "set-url", "origin", "https://example.org/eve/fork.git")
    shutil.rmtree(root)
    moved = memory.scan([tmp_path / "work"]).moved
    assert moved == (() if which == "neither" else (("tariffs", root, there),))


def test_a_project_in_whose_place_another_stands_now_is_followed(tmp_path, memory, make_repository):
    root = make_repository(tmp_path / "work" / "tariffs", README, "first")
    memory.scan([tmp_path / "work"])
    memory.add(root, aliases=["prices"])
    memory.add_to_group("tariffs", "kept")
    root.rename(tmp_path / "work" / "tariffs-before")
    make_repository(root, {"a.md": "# Violins\n\nVarnish for violins.\n"}, "Another beginning")
    report = memory.scan([tmp_path / "work"])
    assert report.moved == (("tariffs", root, tmp_path / "work" / "tariffs-before"),)
    assert len(report.new) == 1
    before, after = of(memory, "tariffs"), of(memory, report.new[0])
    assert (before.path.name, before.aliases, "kept" in before.groups) == ("tariffs-before", ("prices",), True)
    assert (after.path, after.aliases, "kept" in after.groups) == (root, (), False)
    memory.index()
    (block,) = memory.ask("varnish for violins", scope=after.id).scopes
    assert block.passages[0].path == "a.md"
    assert memory.scan([tmp_path / "work"]).moved == ()


def test_a_history_begun_anew_keeps_its_project_and_its_new_beginning(tmp_path, memory, make_repository, git):
    root = make_repository(tmp_path / "work" / "tariffs", README, "first")
    memory.scan([tmp_path / "work"])
    memory.index()
    git(root, "checkout", "-q", "--orphan", "anew")
    git(root, "commit", "-qm", "Begin anew")
    memory.index()
    (scope,) = Registry.load(memory.home).scopes.values()
    assert (scope.id, scope.root_commit) == ("tariffs", git(root, "rev-parse", "HEAD"))
    root.rename(tmp_path / "work" / "elsewhere")
    assert [item[0] for item in memory.scan([tmp_path / "work"]).moved] == ["tariffs"]


def test_two_clones_are_two_projects(tmp_path, memory, make_repository, git):
    root = make_repository(tmp_path / "work" / "tariffs", README, "first")
    git(tmp_path / "work", "clone", "-q", str(root), "second")
    memory.scan([tmp_path / "work"])
    assert set(states(memory)) == {"tariffs", "second"}
    commits = {scope.root_commit for scope in Registry.load(memory.home).scopes.values()}
    assert commits == {git(root, "rev-parse", "HEAD")}


def test_a_project_found_again_after_it_was_forgotten_is_new_but_after_it_was_gone_is_not(
    tmp_path, memory, make_repository, git
):
    root = make_repository(tmp_path / "work" / "tariffs", README, "first")
    git(tmp_path, "clone", "-q", "--bare", str(root), "backup.git")
    memory.scan([tmp_path / "work"])
    memory.add_to_group("tariffs", "kept")
    shutil.rmtree(root)
    assert states(memory) == {"tariffs": "gone"}
    git(tmp_path / "work", "clone", "-q", str(tmp_path / "backup.git"), "again")
    memory.scan([tmp_path / "work"])
    assert of(memory, "tariffs").groups == ("kept",) and of(memory, "tariffs").path.name == "again"


def test_a_linked_worktree_is_an_overlay_of_its_project(tmp_path, memory, make_repository, git):
    """FIELD 53, 55: no second project, and answers come from the caller's tree."""
    root = make_repository(tmp_path / "work" / "tariffs", {**README, "src/tariff.py": "def tariff():\n    return 1\n"})
    memory.scan([tmp_path / "work"])
    memory.index()
    feature = tmp_path / "feature"
    git(root, "worktree", "add", "-q", "-b", "feature", str(feature))
    (feature / "docs").mkdir()
    (feature / "docs" / "zebra.md").write_text("# Zebra\n\nThe zebra crossing is only here.\n")
    (feature / "README.md").write_text("# Tariffs\n\n\n\nThe tariff is kept in euros now.\n")
    assert len(memory.scopes()) == 1 and of(memory, "tariffs").worktrees == (feature.resolve(),)
    (block,) = memory.ask("zebra crossing", scope="tariffs", cwd=feature / "src").scopes
    assert block.id == "tariffs" and block.caught_up
    assert block.passages[0].path == "docs/zebra.md" and "answered from the files there" in said(block)
    (block,) = memory.ask(TARIFF, cwd=feature, scope="tariffs").scopes
    readme = next(passage for passage in block.passages if passage.path == "README.md")
    assert "euros" in readme.text and not readme.stale
    git(feature, "add", "-A")
    git(feature, "commit", "-qm", "Keep the tariff in euros")
    (block,) = memory.ask("why is the tariff kept in euros?", cwd=feature, scope="tariffs").scopes
    assert block.head == block.indexed_commit == git(feature, "rev-parse", "HEAD")
    assert any(passage.commit == block.head for passage in block.passages)
    (block,) = memory.ask(TARIFF, cwd=root, scope="tariffs").scopes
    assert "cents" in block.passages[0].text + block.passages[1].text and said(block) == ""
    assert memory.ask("what does this do?", cwd=feature / "docs").scopes[0].id == "tariffs"


def test_the_symbols_of_a_worktree_are_those_of_its_files(tmp_path, memory, make_repository, git):
    root = make_repository(tmp_path / "work" / "tariffs", {"src/tariff.py": "def tariff():\n    return 1\n"})
    memory.scan([tmp_path / "work"])
    memory.index()
    feature = tmp_path / "feature"
    git(root, "worktree", "add", "-q", "-b", "feature", str(feature))
    (feature / "src" / "tariff.py").write_text(
        "def tariff_in_euros():\n    return rate()\n\n\ndef rate():\n    return 1\n"
    )
    question = "who calls the rate of the tariff in euros?"
    (block,) = memory.ask(question, scope="tariffs", cwd=feature, refresh=60).scopes
    assert {"rate", "tariff_in_euros"} <= {symbol.name for symbol in block.symbols}
    assert said(block).endswith(": answered from the files there")
    (block,) = memory.ask("who calls the tariff?", scope="tariffs", cwd=root).scopes
    assert "rate" not in {symbol.name for symbol in block.symbols}
    for file in memory.home.overlays.glob("*.graph.safetensors"):
        file.unlink()
    (block,) = Memory.open(memory.home.directory).ask(question, scope="tariffs", cwd=feature, refresh=60).scopes
    assert "rate" in {symbol.name for symbol in block.symbols}, "what is gone is made again"


def test_symbols_of_the_project_say_so_in_a_worktree(tmp_path, memory, make_repository, git, monkeypatch):
    from loci.core.build import worktrees

    root = make_repository(tmp_path / "work" / "tariffs", {"src/tariff.py": "def tariff():\n    return 1\n"})
    memory.scan([tmp_path / "work"])
    memory.index()
    feature = tmp_path / "feature"
    git(root, "worktree", "add", "-q", "-b", "feature", str(feature))
    monkeypatch.setattr(worktrees, "graph_of_worktree", lambda *_: None)
    (block,) = memory.ask("who calls tariff?", scope="tariffs", cwd=feature, refresh=60).scopes
    assert "tariff" in {symbol.name for symbol in block.symbols}
    assert f"answered from the files there, symbols come from {root}" in said(block)


def test_without_time_for_it_a_worktree_has_its_citations_compared(tmp_path, memory, make_repository, git):
    root = make_repository(tmp_path / "work" / "tariffs", {"src/tariff.py": "def tariff():\n    return 1\n"})
    memory.scan([tmp_path / "work"])
    memory.index()
    git(root, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "feature"))
    source = tmp_path / "feature" / "src" / "tariff.py"
    source.write_text("# moved down\n\n" + source.read_text())
    (block,) = memory.ask("tariff", scope="tariffs", cwd=source.parent, refresh=0).scopes
    assert not block.caught_up and "citations were compared with the files there" in said(block)
    assert block.passages[0].lines == (3, 4) and not block.passages[0].stale
    assert not memory.home.overlays.exists()


@pytest.mark.parametrize("used_again", [False, True])
def test_the_ninth_overlay_takes_the_place_of_the_one_used_longest_ago(tmp_path, used_again):
    home = Home.locate(tmp_path / "home")
    home.overlays.mkdir(parents=True)
    for number in range(1, 10):
        for name in (f"{number}.safetensors", f"{number}.graph.safetensors"):
            (home.overlays / name).write_text("x")
            os.utime(home.overlays / name, (0, 0))
        found = {"scope": "a", "segment": f"{number}.safetensors", "graph": {"file": f"{number}.graph.safetensors"}}
        found |= {"commit": None, "fingerprint": "f", "signature": "s", "bytes": 1}
        file = home.overlays / f"{number}.json"
        file.write_text(json.dumps(found))
        os.utime(file, (number, number))
    if used_again:
        os.utime(home.overlays / "1.json", (10, 10))
    left = home.overlays / "unnamed.safetensors"  # of a process that was killed long ago
    left.write_text("x")
    os.utime(left, (0, 0))
    written = home.overlays / "young.safetensors"  # what another process has not named yet
    written.write_text("x")
    remove_overlays(home, "another project")
    kept = {1, *range(3, 10)} if used_again else set(range(2, 10))
    assert {path.name for path in home.overlays.iterdir()} == {
        "young.safetensors",
        *(f"{number}.{end}" for number in kept for end in ("json", "safetensors", "graph.safetensors")),
    }
    remove_overlays(home, "a")
    assert [path.name for path in home.overlays.iterdir()] == ["young.safetensors"]


def test_overlays_are_few_and_go_with_their_project(tmp_path, memory, make_repository, git, monkeypatch):
    from loci.core.build import worktrees

    monkeypatch.setattr(worktrees, "OVERLAYS", 2)
    root = make_repository(tmp_path / "work" / "tariffs", README)
    memory.scan([tmp_path / "work"])
    memory.index()
    for name in ("a", "b", "c"):
        git(root, "worktree", "add", "-q", "-b", name, str(tmp_path / name))
        assert memory.ask(TARIFF, scope="tariffs", cwd=tmp_path / name).scopes[0].caught_up
    assert len(list(memory.home.overlays.glob("*.json"))) == 2
    memory.forget("tariffs")
    assert list(memory.home.overlays.glob("*.json")) == []


def test_a_damaged_overlay_is_made_again(tmp_path, memory, make_repository, git):
    root = make_repository(tmp_path / "work" / "tariffs", README)
    memory.scan([tmp_path / "work"])
    memory.index()
    git(root, "worktree", "add", "-q", "-b", "a", str(tmp_path / "a"))
    memory.ask(TARIFF, scope="tariffs", cwd=tmp_path / "a")
    for file in memory.home.overlays.glob("*.json"):
        file.write_text("{")
    assert Memory.open(memory.home.directory).ask(TARIFF, scope="tariffs", cwd=tmp_path / "a").scopes[0].caught_up


def test_a_bare_repository(tmp_path, memory, make_repository, git):
    make_repository(tmp_path / "origin" / "tariffs", README, "Keep tariffs in cents")
    git(tmp_path, "clone", "-q", "--bare", "origin/tariffs", "server/tariffs.git")
    memory.scan([tmp_path / "server"])
    memory.index()
    assert memory.ask("what does this do?", cwd=tmp_path / "server" / "tariffs.git").scopes[0].id == "tariffs"
    shutil.move(tmp_path / "server" / "tariffs.git", tmp_path / "server" / "prices.git")
    assert [item[0] for item in memory.scan([tmp_path / "server"]).moved] == ["tariffs"]


def test_the_work_tree_that_spoke_for_a_bare_repository_goes_and_another_stays(tmp_path, memory, make_repository, git):
    origin = make_repository(tmp_path / "origin", README, "first")
    work = tmp_path / "work"
    work.mkdir()
    git(work, "clone", "-q", "--bare", str(origin), "tariffs.git")
    git(work / "tariffs.git", "worktree", "add", "-q", "../main", "main")
    git(work / "tariffs.git", "worktree", "add", "-q", "-b", "next", "../next")
    memory.scan([work])
    (scope,) = memory.scopes()
    memory.add_to_group(scope.id, "kept")
    assert scope.path == work / "main"
    (work / "main").rename(work / "renamed")
    assert states(memory) == {scope.id: "moved"} and of(memory, scope.id).moved_to == work / "next"
    shutil.rmtree(work / "renamed")
    assert memory.scan([work]).moved == ((scope.id, work / "main", work / "next"),)
    assert (of(memory, scope.id).path, "kept" in of(memory, scope.id).groups) == (work / "next", True)
    shutil.rmtree(work / "next")
    memory.scan([work])
    assert of(memory, scope.id).path == work / "tariffs.git"


def test_a_nested_clone_and_a_submodule_of_a_superproject(tmp_path, memory, make_repository, git):
    """FIELD 49-51: each is a project of its own, and belongs to no other."""
    make_repository(tmp_path / "origin" / "lib", {"README.md": "# Lib\n\nThe sextant.\n"}, "Begin lib")
    outer = make_repository(tmp_path / "work" / "outer", README, "Begin outer")
    git(outer, "submodule", "--quiet", "add", str(tmp_path / "origin" / "lib"), "vendor/lib")
    git(outer, "commit", "-qm", "Take lib in")
    make_repository(outer / "tools" / "inner", {"README.md": "# Inner\n\nThe compass.\n"}, "Begin inner")
    memory.scan([tmp_path / "work"])
    memory.index()
    assert set(states(memory)) == {"outer", "lib", "inner"}
    for place, identity in (("vendor/lib", "lib"), ("tools/inner", "inner"), ("tools", "outer")):
        assert memory.ask("what does this do?", cwd=outer / place).scopes[0].id == identity
    for scope, word in (("outer", "sextant"), ("outer", "compass"), ("lib", "tariff")):
        assert word not in "".join(p.text for p in memory.ask(word, scope=scope).scopes[0].passages)
    outer.rename(tmp_path / "work" / "renamed")
    assert {item[0] for item in memory.scan([tmp_path / "work"]).moved} == {"outer", "lib", "inner"}


def test_a_shallow_clone_is_told_by_its_remote(tmp_path, memory, make_repository, git):
    make_repository(tmp_path / "origin" / "tariffs", README, "first", "second")
    (tmp_path / "work").mkdir()
    git(tmp_path / "work", "clone", "-q", "--depth", "1", (tmp_path / "origin" / "tariffs").as_uri(), "tariffs")
    git(tmp_path / "work" / "tariffs", "remote", "set-url", "origin", "git@example.org:acme/tariffs.git")
    memory.scan([tmp_path / "work"])
    assert Registry.load(memory.home).scopes["tariffs"].root_commit is None
    (tmp_path / "work" / "tariffs").rename(tmp_path / "work" / "elsewhere")
    make_repository(tmp_path / "work" / "unrelated", README, "Unrelated")
    assert [item[0] for item in memory.scan([tmp_path / "work"]).moved] == ["tariffs"]


def test_without_a_remote_and_without_a_commit(tmp_path, memory, git):
    (tmp_path / "work" / "young").mkdir(parents=True)
    git(tmp_path / "work" / "young", "init", "-q")
    memory.scan([tmp_path / "work"])
    assert states(memory) == {"young": "not_indexed"}
    assert Registry.load(memory.home).scopes["young"].root_commit is None
    git(tmp_path / "work" / "young", "commit", "-q", "--allow-empty", "-m", "first")
    memory.scan([tmp_path / "work"])
    assert Registry.load(memory.home).scopes["young"].root_commit is not None


@pytest.mark.parametrize("name", ["my app", "請求書", "ünï côde", "-dash", "a'b"])
def test_names_with_spaces_and_other_scripts(tmp_path, memory, make_repository, name):
    """FIELD 65."""
    root = make_repository(tmp_path / "work" / name, README, "first")
    memory.scan([tmp_path / "work"])
    memory.index()
    (scope,) = memory.scopes()
    for cwd in (root, root.as_uri()):
        assert memory.ask("what does this do?", cwd=cwd).scopes[0].id == scope.id
    root.rename(tmp_path / "work" / f"{name} 2")
    assert [item[0] for item in memory.scan([tmp_path / "work"]).moved] == [scope.id]


def test_gone_is_not_unreachable(tmp_path, memory, make_repository, monkeypatch):
    """FIELD 56: an unmounted disk must not be taken for a deleted project."""
    root = make_repository(tmp_path / "disk" / "tariffs", README)
    memory.scan([tmp_path / "disk"])
    memory.index()
    real, place = Path.stat, root.resolve()

    def stat(self, **options):
        if self == place:
            raise OSError(116, "Stale file handle")
        return real(self, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "stat", stat)
        assert states(memory) == {"tariffs": "unreachable"}
    (tmp_path / "disk").rename(tmp_path / "away")
    assert states(memory) == {"tariffs": "unreachable"}
    assert memory.index().scopes[0].outcome == "unreachable"
    (block,) = memory.ask(TARIFF, scope="tariffs").scopes
    assert block.passages and not block.caught_up and "cannot be reached" in said(block)
    (tmp_path / "away").rename(tmp_path / "disk")
    shutil.rmtree(root)
    assert states(memory) == {"tariffs": "gone"}
    assert memory.index().scopes[0].outcome == "gone"
    memory.forget("tariffs")
    with pytest.raises(NothingRegistered):
        memory.ask(TARIFF, scope="tariffs")
    assert list(memory.home.segments.iterdir()) == []


def test_a_disk_that_is_not_mounted_leaves_its_project_where_it_was(
    tmp_path, memory, make_repository, git, monkeypatch
):
    """Its mount point is still there, empty; a second clone elsewhere is no reason to take the project over."""
    disk = (tmp_path / "disk").resolve()
    root = make_repository(disk / "tariffs", README)
    mounted = {str(disk)}
    monkeypatch.setattr(os.path, "ismount", lambda path: str(path) in mounted)
    memory.scan([disk])
    git(tmp_path, "clone", "-q", str(root), "work/tariffs")
    shutil.rmtree(root)
    assert presence(root, disk) == "gone"
    mounted.clear()
    assert states(memory) == {"tariffs": "unreachable"}
    assert memory.scan([tmp_path / "work"]).moved == () and len(memory.scopes()) == 2


def test_a_place_outside_of_everything_and_one_inside_of_something_unregistered(tmp_path, memory, make_repository):
    outer = make_repository(tmp_path / "work" / "outer", README)
    memory.add(outer)
    registry = Registry.load(Home.locate(memory.home.directory))
    assert place_of(tmp_path, registry).scope is None
    stranger = make_repository(outer / "clone", {"a.md": "# A\n"}, "Stranger")
    place = place_of(stranger, registry)
    assert place.repository is not None and place.repository.root == stranger.resolve()
    assert place.scope is not None and place.scope.id == "outer" and not place.is_elsewhere
    assert place.registered == stranger.resolve()


def test_the_root_commit_is_read_once(tmp_path, memory, make_repository, monkeypatch):
    make_repository(tmp_path / "work" / "tariffs", README)
    memory.scan([tmp_path / "work"])
    monkeypatch.setattr("loci.episodes.root_commit", lambda _: pytest.fail("it is kept in the registry"))
    memory.scan([tmp_path / "work"])
    memory.scopes()
    memory.index()
    assert memory.ask(TARIFF, cwd=tmp_path / "work" / "tariffs").scopes
