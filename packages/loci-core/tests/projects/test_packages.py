"""Packages of a monorepo as projects of their own."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from sentences import said

from loci.core import Memory
from loci.core.home.manifest import Manifest
from loci.core.home.registry import Registry
from loci.core.projects.packages import by_marker, declared

MONO = {
    "README.md": "# Mono\n\nThe lighthouse guides all packages.\n",
    "package.json": '{"name": "mono"}',
    "client/package.json": '{"name": "@acme/harbour"}',
    "client/README.md": "# Client\n\nThe anchor is dropped at dusk.\n",
    "client/src/anchor.ts": "export function dropAnchor() {}\n",
    "crates/core/Cargo.toml": '[package]\nname = "keel"\n',
    "crates/core/src/lib.rs": "/// Lays the keel.\npub fn lay() {}\n",
    "dist/package.json": '{"name": "built"}',
    "dist/bundle.md": "# Bundle\n\nThe sextant was bundled.\n",
    "examples/demo/package.json": '{"name": "demo"}',
    "src/client/other.md": "# Other\n\nThe compass lies elsewhere.\n",
}


@pytest.fixture
def root(tmp_path, make_repository, git) -> Path:
    root = make_repository(tmp_path / "work" / "mono", MONO, "Begin everything")
    for name, text, message in (
        ("client/README.md", MONO["client/README.md"] + "\nAnd weighed at dawn.\n", "Weigh the anchor at dawn"),
        ("README.md", MONO["README.md"] + "\nAt night.\n", "Light the lighthouse at night"),
    ):
        (root / name).write_text(text)
        git(root, "commit", "-qam", message)
    return root


@pytest.fixture
def memory(tmp_path) -> Memory:
    return Memory.open(tmp_path / "home")


def found_in(memory: Memory, scope: str, word: str) -> list[str]:
    (block,) = memory.ask(word, scope=scope, k=50).scopes
    return [passage.path or passage.heading for passage in block.passages if word in passage.text]


@pytest.mark.parametrize(
    ("markers", "expected"),
    [
        (["package.json"], []),
        (["client/package.json", "server/go.mod"], ["client", "server"]),
        (["dist/package.json", "build/pom.xml", "target/Cargo.toml", "node_modules/package.json"], []),
        (["examples/package.json", "tests/pyproject.toml", ".github/package.json"], []),
        (["packages/a/package.json", "crates/b/Cargo.toml", "src/c/package.json"], ["crates/b", "packages/a"]),
        (["packages/package.json", "packages/a/package.json"], ["packages"]),
        (["packages/dist/package.json", "packages/a/b/package.json"], []),
    ],
)
def test_which_markers_make_packages(markers, expected):
    assert by_marker(markers) == expected


def test_nothing_is_split_unless_asked_for(tmp_path, root, memory):
    memory.scan([tmp_path / "work"])
    assert [scope.id for scope in memory.scopes()] == ["mono"]


def test_split_makes_packages_of_their_own_and_no_build_output(tmp_path, root, memory):
    report = memory.scan([tmp_path / "work"], split=True)
    assert report.new == ["mono", "mono/client", "mono/crates/core"]
    memory.index()
    assert found_in(memory, "mono/client", "anchor")[0] == "README.md"
    assert found_in(memory, "mono", "anchor") == []
    assert found_in(memory, "mono", "compass") == ["src/client/other.md"]
    assert found_in(memory, "@acme/harbour", "dusk") == ["README.md"]
    assert memory.ask("what does this do?", cwd=root / "client" / "src").scopes[0].id == "mono/client"
    assert memory.ask("what does this do?", cwd=root / "src").scopes[0].id == "mono"
    # Later scans keep it so, without being told again, and take in what is new.
    (root / "server").mkdir()
    (root / "server" / "go.mod").write_text("module example.org/server\n")
    assert memory.scan([tmp_path / "work"]).new == ["mono/server"]
    shutil.rmtree(root / "server")
    assert memory.scan([tmp_path / "work"]).dropped == ("mono/server",)


def test_no_file_is_read_twice_and_none_is_lost(tmp_path, root, memory, git):
    (root / "client" / "notes.md").write_text("# Notes\n\nuntracked\n")
    memory.scan([tmp_path / "work"], split=True)
    memory.index()
    read = Counter()
    for scope in memory.scopes():
        read["listed"] += scope.counts.get("listed", 0)
        read["read"] += scope.counts.get("read", 0)
    whole = Memory.open(tmp_path / "whole")
    whole.scan([tmp_path / "work"])
    whole.index()
    (expected,) = whole.scopes()
    assert read["listed"] == expected.counts.get("listed") == len(MONO) + 1
    assert read["read"] >= expected.counts.get("read", 0)


def test_the_history_of_a_package_is_what_touched_it(tmp_path, root, memory):
    memory.scan([tmp_path / "work"], split=True)
    memory.index()

    counts = {scope.id: scope.counts["passages"]["commit"] for scope in memory.scopes()}
    assert counts == {"mono": 2, "mono/client": 2, "mono/crates/core": 1}
    for scope, mine, other in (("mono", "lighthouse", "weigh"), ("mono/client", "weigh", "lighthouse")):
        for word, expected in ((mine, 1), (other, 0)):
            (block,) = memory.ask(f"when did we {word} it?", scope=scope, k=20).scopes
            found = [p for p in block.passages if p.kind == "commit" and word in p.text.lower()]
            assert len(found) == expected


def test_a_package_carries_its_monorepo_as_a_group(tmp_path, root, memory):
    memory.scan([tmp_path / "work"], split=True)
    assert {scope.id: scope.groups for scope in memory.scopes()} == dict.fromkeys(
        ("mono", "mono/client", "mono/crates/core"), ("mono",)
    )


def test_a_package_named_like_an_ordinary_word_is_not_named_by_it(tmp_path, root, memory, make_repository):
    """FIELD 21 and the hazard of every split: "client" is a word of every project."""
    for name in ("billing", "search"):
        text = f"# {name}\n\nWhen the client times out, {name} retries its request to the gateway.\n"
        make_repository(tmp_path / "work" / name, {"README.md": text}, f"Retry when the client of {name} times out")
    memory.scan([tmp_path / "work"], split=True)
    memory.index()
    route = memory.route("what happens in billing when the client times out?")
    assert [scope.id for scope in route.scopes] == ["billing"]
    route = memory.route("why does the client retry its request to the gateway?")
    assert "mono/client" not in [scope.id for scope in route.scopes]
    assert [scope.id for scope in memory.route("what does mono/client do?").scopes] == ["mono/client"]


def test_a_byte_identical_package_is_kept_apart(tmp_path, memory, make_repository):
    """Their segments may be the same file; forgetting one must not take the other's away."""
    same = {"README.md": "# Same\n\nThe barometer falls.\n", "package.json": '{"name": "same"}'}
    make_repository(tmp_path / "work" / "twin", same | {f"inner/{name}": text for name, text in same.items()}, "Begin")
    memory.scan([tmp_path / "work"], split=True)
    memory.index()
    for scope in ("twin", "twin/inner"):
        assert found_in(memory, scope, "barometer") == ["README.md"]
        (block,) = memory.ask("barometer", scope=scope).scopes
        assert block.caught_up and not any(passage.stale for passage in block.passages)
    memory.forget("twin/inner")
    memory.index()
    (block,) = memory.ask("barometer", scope="twin").scopes
    (passage,) = block.passages  # copies within one project are one answer, with the places of the others
    assert (passage.path, [place.path for place in passage.also_at]) == ("README.md", ["inner/README.md"])
    manifest = Manifest.load(memory.home)
    assert manifest is not None and set(manifest.scopes) == {"twin"}
    assert memory.scan([tmp_path / "work"]).new == [], "what was forgotten stays so"


def test_forgetting_a_repository_forgets_its_packages(tmp_path, root, memory):
    memory.scan([tmp_path / "work"], split=True)
    memory.index()
    memory.forget(str(root))
    assert memory.scopes() == [] and list(memory.home.segments.iterdir()) == []


def test_a_declared_package_needs_no_marker_and_no_flag(tmp_path, root, memory):
    (root / ".loci.json").write_text(json.dumps({"scopes": [{"path": "src/client"}, {"path": "./client/"}], "mine": 1}))
    assert memory.scan([tmp_path / "work"]).new == ["mono", "mono/client", "mono/src/client"]
    memory.index()
    assert found_in(memory, "mono/src/client", "compass") == ["other.md"]
    assert found_in(memory, "mono", "compass") == []
    # An index run reads the file again.
    (root / ".loci.json").write_text(json.dumps({"scopes": [{"path": "client"}]}))
    report = memory.index()
    assert report.removed == ("mono/src/client",)
    assert found_in(memory, "mono", "compass") == ["src/client/other.md"]
    (root / ".loci.json").unlink()
    memory.index()
    assert [scope.id for scope in memory.scopes()] == ["mono"]


def test_adding_a_repository_takes_its_declared_packages_in(root, memory):
    (root / ".loci.json").write_text('{"scopes": [{"path": "client"}]}')
    memory.add(root)
    assert [scope.id for scope in memory.scopes()] == ["mono", "mono/client"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"scopes": [{"path": "client"}', r"\.loci\.json:1:31 cannot be read"),
        ("[]", "must be one JSON object"),
        ('{"scopes": {}}', '"scopes" must be a list'),
        ('{"scopes": [7, {"path": "client"}]}', "entry 1 .* needs"),
        ('{"scopes": [{"path": "../outside"}]}', "leads out of the repository"),
        ('{"scopes": [{"path": "/etc"}]}', "is not relative"),
        ('{"scopes": [{"path": "C:\\\\work"}]}', "is not relative"),
        ('{"scopes": [{"path": "~/x"}]}', "is not relative"),
        ('{"scopes": [{"path": "."}]}', "is the repository itself"),
        ('{"scopes": [{"path": ".git/hooks"}]}', "is git's own directory"),
        ('{"scopes": [{"path": "link"}]}', "is reached through a link"),
        ('{"scopes": [{"path": "link/deep"}]}', "is reached through a link"),
        ('{"scopes": [{"path": "nested"}]}', "is a repository of its own"),
        ('{"scopes": [{"path": "README.md"}]}', "is no directory"),
        ('{"scopes": [{"path": "nowhere"}]}', "is no directory"),
    ],
)
def test_a_declaration_that_cannot_be_used_is_reported_and_ignored(
    tmp_path, root, memory, make_repository, text, problem
):
    """FIELD 58: a hostile repository must not open a way out of itself."""
    (tmp_path / "outside" / "deep").mkdir(parents=True)
    (root / "link").symlink_to(tmp_path / "outside")
    make_repository(root / "nested", {"a.md": "x"}, "Nested")
    (root / ".loci.json").write_text(text)
    report = memory.scan([root])
    assert len(report.problems) == 1
    with pytest.raises(AssertionError, match=problem):
        raise AssertionError(report.problems[0])
    assert {scope.subtree for scope in memory.scopes()} <= {"", "client"}
    assert memory.index().notes == report.problems


def test_a_declaration_through_a_link_is_not_read(tmp_path, root):
    (tmp_path / "elsewhere.json").write_text('{"scopes": [{"path": "client"}]}')
    (root / ".loci.json").symlink_to(tmp_path / "elsewhere.json")
    assert declared(root)[0] == [] and "is a link" in declared(root)[1][0]


def test_a_broken_declaration_takes_nothing_away(root, memory):
    (root / ".loci.json").write_text('{"scopes": [{"path": "client"}]}')
    memory.add(root)
    (root / ".loci.json").write_text('{"scopes": [')
    memory.index()
    assert [scope.id for scope in memory.scopes()] == ["mono", "mono/client"]


def test_packages_move_with_their_repository_and_answer_from_worktrees(tmp_path, root, memory, git):
    memory.scan([tmp_path / "work"], split=True)
    memory.index()
    git(root, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "feature"))
    (tmp_path / "feature" / "client" / "zebra.md").write_text("# Zebra\n\nOnly in the worktree.\n")
    (block,) = memory.ask("zebra worktree", cwd=tmp_path / "feature" / "client", scope="mono/client").scopes
    assert block.passages[0].path == "zebra.md" and block.caught_up
    git(root, "worktree", "remove", "--force", str(tmp_path / "feature"))
    root.rename(tmp_path / "work" / "renamed")
    assert {scope.id: scope.state for scope in memory.scopes()} == dict.fromkeys(
        ("mono", "mono/client", "mono/crates/core"), "moved"
    )
    memory.scan([tmp_path / "work"])
    assert {scope.path.name for scope in memory.scopes()} == {"renamed", "client", "core"}
    memory.index()
    assert found_in(memory, "mono/client", "anchor")[0] == "README.md"


def test_a_subtree_in_the_registry_cannot_lead_out(tmp_path, root, memory):
    from loci.core import DamagedFile

    memory.add(root)
    text = memory.home.registry.read_text()
    memory.home.registry.write_text(text.replace('"subtree": ""', '"subtree": "../.."'))
    with pytest.raises(DamagedFile, match="no path below a repository"):
        Registry.load(memory.home)


def test_packages_answer_as_before_when_a_person_broke_the_registry(tmp_path, root, memory, monkeypatch):
    monkeypatch.setenv("PATH", "")  # the doctor looks for further loci commands there
    (tmp_path / "log.md").write_text("# Log\n\nThe rudder broke.\n")
    memory.scan([tmp_path / "work"], split=True)
    memory.add(root, globs=[str(tmp_path / "log.md")], exclude=["src/"])
    memory.index()
    memory.home.registry.write_text('{"scopes": [,]}')
    again = Memory.open(tmp_path / "home")
    for scope, word in (("mono/client", "anchor"), ("mono", "rudder")):
        answer = again.ask(word, scope=scope)
        (block,) = answer.scopes
        assert block.passages and (block.caught_up, said(block)) == (True, ""), scope
        assert "scopes.json:1:13" in said(answer)
    found = {(finding.scope, finding.kind) for finding in again.doctor() if finding.needs_doing}
    assert found == {(None, "damaged_file")}


def test_a_declaration_beyond_reason_is_not_read(tmp_path, root, memory):
    with (root / ".loci.json").open("wb") as file:
        file.truncate(3_000_000_000)  # sparse: it takes no room
    assert memory.scan([tmp_path / "work"]).problems == (f"{root}/.loci.json has 3000 MB and was not read",)


def test_what_a_package_uses_is_not_also_used_of_the_repository_around(tmp_path, make_repository, memory):
    files = {
        "README.md": "# Mono\n",
        "packages/one/pyproject.toml": '[project]\nname = "one"\nversion = "1"\n',
        "packages/one/one.py": "def first(): ...\n",
        "packages/two/pyproject.toml": '[project]\nname = "two"\nversion = "1"\ndependencies = ["one"]\n',
        "packages/two/two.py": "import one\n",
        "tool.sh": "true\n",
    }
    make_repository(tmp_path / "around" / "mono", files, "Begin")
    memory.scan([tmp_path / "around"], split=True)
    memory.index()
    table = memory.uses()
    assert {(use.user, use.used) for use in table.uses if "mono" in use.user} == {
        ("mono/packages/two", "mono/packages/one")
    }
    assert table.languages()["mono"] == {"Shell": 1}
    assert table.languages()["mono/packages/two"] == {"Python": 1}
