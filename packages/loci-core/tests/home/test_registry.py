"""scopes.json: identity, names, and what survives a rewrite."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading

import pytest
from sentences import said

from loci.core import (
    AmbiguousScope,
    DamagedFile,
    Home,
    InvalidRequest,
    Memory,
    NotARepository,
    StoreTooNew,
    UnknownScope,
)
from loci.core.home.registry import FORMAT, Registry


@pytest.fixture
def home(tmp_path):
    return Home.locate(tmp_path / "home")


@pytest.fixture
def memory(home):
    return Memory.open(home.directory)


def test_two_directories_of_one_name_get_two_stable_ids(tmp_path, memory, make_repository):
    first = make_repository(tmp_path / "one" / "app")
    second = make_repository(tmp_path / "two" / "app")
    assert memory.add(first)[0].id == "app"
    assert memory.add(second)[0].id == "two/app"
    report = memory.scan([tmp_path])
    assert [identity for identity, _ in report.found] == ["app", "two/app"]
    assert report.new == []


def test_the_remote_tells_equal_names_apart(tmp_path, memory, make_repository, git):
    make_repository(tmp_path / "one" / "app")
    second = make_repository(tmp_path / "two" / "app")
    git(second, "remote", "add", "origin", "https://me:token@example.org/acme/app.git")
    memory.add(tmp_path / "one" / "app")
    scope, new = memory.add(second)
    assert new and scope.id == "acme/app"
    assert "token" not in memory.home.registry.read_text()


def test_another_worktree_is_no_second_project(tmp_path, memory, make_repository, git):
    root = make_repository(tmp_path / "app")
    git(root, "worktree", "add", "-q", "-b", "feature", "../feature")
    memory.add(root)
    scope, new = memory.add(tmp_path / "feature")
    assert not new and scope.id == "app" and scope.path == root.resolve()


def test_unknown_keys_survive_at_every_level(tmp_path, home, memory, make_repository):
    memory.add(make_repository(tmp_path / "app"))
    data = json.loads(home.registry.read_text())
    data["mine"] = {"deep": [1, None, "ü"]}
    data["scopes"][0]["colour"] = "blue"
    home.registry.write_text(json.dumps(data))
    memory.add(make_repository(tmp_path / "other"), aliases=["second"])
    after = json.loads(home.registry.read_text())
    assert after["mine"] == {"deep": [1, None, "ü"]}
    assert after["scopes"][0]["colour"] == "blue"
    assert [scope["id"] for scope in after["scopes"]] == ["app", "other"]


def test_nothing_is_rewritten_without_a_change(tmp_path, home, memory, make_repository):
    root = make_repository(tmp_path / "app")
    memory.add(root)
    before = home.registry.stat().st_mtime_ns, home.registry.stat().st_ino
    memory.add(root)
    assert (home.registry.stat().st_mtime_ns, home.registry.stat().st_ino) == before


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n "scopes": [\n  {"id": "a" "path": "/a"}\n ]\n}', 3, 14),
        ('{"scopes": [],}', 1, 15),
        ("", 1, 1),
        ("[]", 1, 1),
    ],
)
def test_a_hand_broken_file_is_named_with_line_and_column(home, text, line, column):
    home.create()
    home.registry.write_text(text)
    with pytest.raises(DamagedFile) as caught:
        Registry.load(home)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert f"scopes.json:{line}:{column}" in caught.value.message
    assert home.registry.read_text() == text, "a file that cannot be read must not be rewritten"


def test_bytes_that_are_no_text(home):
    home.create()
    home.registry.write_bytes(b'{\n "mine": "\xff"}')
    with pytest.raises(DamagedFile, match=r"scopes\.json:2:11 .*not UTF-8"):
        Registry.load(home)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"scopes": {}}, '"scopes" must be a list'),
        ({"scopes": ["app"]}, "entry 1"),
        ({"scopes": [{"id": "a"}]}, 'entry 1 .*"path"'),
        ({"scopes": [{"id": "a", "path": "/a", "aliases": "b"}]}, '"aliases" must be a list'),
        ({"scopes": [{"id": "a", "path": "/a"}, {"id": "a", "path": "/b"}]}, "twice"),
    ],
)
def test_content_that_cannot_be_meant(home, data, message):
    home.create()
    home.registry.write_text(json.dumps(data))
    with pytest.raises(DamagedFile, match=message):
        Registry.load(home)


@pytest.mark.parametrize("version", [FORMAT + 1, 99, "1", None])
def test_a_file_of_a_newer_loci(home, version):
    home.create()
    home.registry.write_text(json.dumps({"format": version}))
    with pytest.raises(StoreTooNew, match=f"format {version}"):
        Registry.load(home)


@pytest.mark.parametrize("text", ["{}", f'{{"format": {FORMAT}}}', f'{{"format": {FORMAT - 1}}}'])
def test_a_file_of_this_loci_or_an_older_one(home, text):
    home.create()
    home.registry.write_text(text)
    assert Registry.load(home) == Registry()


def test_concurrent_edits_lose_nothing(tmp_path, memory, make_repository):
    roots = [make_repository(tmp_path / f"app{number}") for number in range(8)]
    errors = []

    def add(root):
        try:
            Memory.open(memory.home.directory).add(root)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=add, args=(root,)) for root in roots]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [scope.id for scope in memory.scopes()] == [f"app{number}" for number in range(8)]


@pytest.fixture
def registry(tmp_path, memory, make_repository, git):
    billing = make_repository(tmp_path / "billing", {"package.json": '{"name": "@acme/pay"}'})
    git(billing, "remote", "add", "origin", "git@example.org:acme/billing-service.git")
    memory.add(billing, aliases=["Money"])
    memory.add(make_repository(tmp_path / "search"), aliases=["money2"])
    memory.add(make_repository(billing / "inner"))
    return Registry.load(memory.home)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("billing", "billing"),
        ("BILLING", "billing"),
        ("money", "billing"),
        ("acme/billing-service", "billing"),
        ("billing-service", "billing"),
        ("@acme/pay", "billing"),
        ("inner", "inner"),
    ],
)
def test_resolving_a_name(registry, wanted, expected):
    assert registry.resolve(wanted).id == expected


def test_resolving_a_path(registry, tmp_path):
    assert registry.resolve(f"{tmp_path}/billing").id == "billing"
    assert registry.resolve(f"{tmp_path}/billing/src/x").id == "billing"
    assert registry.resolve(f"{tmp_path}/billing/inner/x").id == "inner"
    with pytest.raises(UnknownScope):
        registry.resolve(f"{tmp_path}/billing2")


@pytest.mark.parametrize(("wanted", "near"), [("biling", "billing"), ("SERCH", "search"), ("bill", "billing")])
def test_an_unknown_name_lists_the_near_ones(registry, wanted, near):
    with pytest.raises(UnknownScope) as caught:
        registry.resolve(wanted)
    assert near in caught.value.near
    assert near in (caught.value.hint or "")


def test_a_name_that_nothing_resembles(registry):
    with pytest.raises(UnknownScope) as caught:
        registry.resolve("zzzzzz")
    assert caught.value.near == () and caught.value.hint is None


@pytest.mark.skipif(sys.platform != "linux", reason="letter case makes no difference to paths elsewhere")
def test_letter_case_tells_two_directories_apart_where_it_can(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    for name in ("App", "app"):
        make_repository(tmp_path / "work" / name, {"README.md": f"# {name}\n"})
    memory.scan([tmp_path / "work"])
    registry = Registry.load(memory.home)
    assert registry.resolve("App").path == tmp_path / "work/App"
    assert registry.resolve("work/app").path == tmp_path / "work/app"
    with pytest.raises(AmbiguousScope):
        registry.resolve("APP")


def test_an_ambiguous_name_is_an_error_never_a_guess(tmp_path, memory, make_repository):
    for name in ("a", "b"):
        memory.add(make_repository(tmp_path / name, {"package.json": '{"name": "shop"}'}))
    with pytest.raises(AmbiguousScope, match="a or b"):
        Registry.load(memory.home).resolve("SHOP")


def test_inner_projects_are_left_to_themselves(registry):
    assert registry.inner_paths(registry.scopes["billing"]) == ["inner"]
    assert registry.inner_paths(registry.scopes["inner"]) == []


def test_adding_what_is_no_repository(tmp_path, memory, make_repository):
    root = make_repository(tmp_path / "app", {"src/a.py": ""})
    (tmp_path / "plain").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(NotARepository, match="contains no git repository") as caught:
        memory.add(root / "src")
    assert str(root.resolve()) in (caught.value.hint or "")
    with pytest.raises(NotARepository, match="contains no git repository"):
        memory.add(tmp_path / "plain")
    with pytest.raises(NotARepository, match="does not exist"):
        memory.add(tmp_path / "absent")
    with pytest.raises(NotARepository, match="is a file"):
        memory.add(tmp_path / "file")
    assert memory.scopes() == []


def test_a_dry_run_writes_nothing(tmp_path, memory, make_repository):
    make_repository(tmp_path / "work" / "app")
    report = memory.scan([tmp_path / "work"], register=False)
    assert report.new == ["app"] and not report.registered
    assert not memory.home.directory.exists()


def test_forgetting(tmp_path, memory, make_repository):
    memory.add(make_repository(tmp_path / "app"))
    memory.add(make_repository(tmp_path / "other"))
    assert memory.forget("APP").id == "app"
    assert [scope.id for scope in memory.scopes()] == ["other"]
    with pytest.raises(UnknownScope):
        memory.forget("app")


@pytest.mark.parametrize("alias", ["b", "B", "shop", "acme-b"])
def test_an_alias_that_names_another_project_is_refused(tmp_path, memory, make_repository, alias):
    first = make_repository(tmp_path / "a")
    memory.add(make_repository(tmp_path / "b", {"package.json": '{"name": "acme-b"}'}), aliases=["Shop"])
    with pytest.raises(InvalidRequest, match="already names b "):
        memory.add(first, aliases=[alias])
    assert [scope.id for scope in memory.scopes()] == ["b"], "nothing was registered on the way"


def test_an_alias_can_be_taken_away(tmp_path, memory, make_repository):
    root = make_repository(tmp_path / "a")
    memory.add(root, aliases=["shop", "till"])
    assert memory.add(root, aliases=["desk"], remove_aliases=["SHOP"])[0].aliases == ["till", "desk"]
    with pytest.raises(InvalidRequest, match="no alias 'shop'; it has till, desk"):
        memory.add(root, remove_aliases=["shop"])


def test_a_scan_does_not_bring_back_what_was_forgotten(tmp_path, memory, make_repository):
    root = make_repository(tmp_path / "work" / "a").resolve()
    make_repository(tmp_path / "work" / "b")
    memory.scan([tmp_path / "work"])
    memory.forget("a")
    for register in (False, True):
        report = memory.scan([tmp_path / "work"], register=register)
        assert [identity for identity, _ in report.found] == ["b"] and report.forgotten == (root,)
    assert [scope.id for scope in memory.scopes()] == ["b"]
    assert memory.add(root)[1] is True
    assert memory.scan([tmp_path / "work"]).forgotten == ()
    assert [scope.id for scope in memory.scopes()] == ["a", "b"]


@pytest.mark.parametrize("damage", ["HEAD", "objects", "file"])
def test_a_damaged_repository_is_named(tmp_path, memory, make_repository, damage):
    root = make_repository(tmp_path / "work" / "broken").resolve()
    make_repository(tmp_path / "work" / "sound")
    if damage == "HEAD":
        (root / ".git" / "HEAD").unlink()
        reason = "damaged .git without HEAD"
    elif damage == "objects":
        shutil.rmtree(root / ".git" / "objects")
        reason = "damaged .git without objects"
    else:
        shutil.rmtree(root / ".git")
        (root / ".git").write_text("gitdir: ../nowhere\n")
        reason = "where no repository is"
    with pytest.raises(NotARepository, match=reason):
        memory.add(root)
    report = memory.scan([tmp_path / "work"])
    assert [identity for identity, _ in report.found] == ["sound"]
    ((path, said),) = report.discovery.damaged
    assert path == root and reason in said


def test_a_directory_of_repositories_is_scanned_not_added(tmp_path, memory, make_repository):
    make_repository(tmp_path / "work" / "deep" / "app")
    with pytest.raises(NotARepository) as caught:
        memory.add(tmp_path / "work")
    assert caught.value.hint == f"loci scan {(tmp_path / 'work').resolve()}"


def test_a_token_anywhere_in_an_address_or_a_name_is_not_registered(tmp_path, make_repository, git):
    """FIELD 97: credentials stand in the path or the query of a remote too, and by mistake in a manifest's name."""
    one, two, three = ("ghp_" + f"{letter}7ZrT2vXw9LmKp3sYd8FbNc1HgJa5EuQ6RiO"[:36] for letter in "qWx")
    root = make_repository(tmp_path / "shop", {"package.json": f'{{"name": "{three}"}}'})
    git(root, "remote", "add", "origin", f"https://example.org/{one}/shop.git?private_token={two}")
    memory = Memory.open(tmp_path / "home")
    memory.add(root)
    written = memory.home.registry.read_text(encoding="utf-8")
    assert [secret for secret in (one, two, three) if secret in written] == []
    assert "example.org" in written


@pytest.mark.parametrize("path", ["a\\u0000b", "\\ud800", "~nobody-of-that-name/app"])
def test_a_path_that_cannot_be_one_is_named(tmp_path, memory, path):
    memory.home.create()
    memory.home.registry.write_text(f'{{"scopes": [{{"id": "app", "path": "{path}"}}]}}')
    with pytest.raises(DamagedFile, match='the "path" of entry 1'):
        memory.scopes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_the_place_of_a_file_is_no_wait(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    for name in (".loci.json", ".gitmodules", ".git/HEAD", ".git/config", ".git/packed-refs"):
        root = make_repository(tmp_path / "work" / name.replace("/", "-").strip("."), {"README.md": "# Lynx\n"})
        (root / name).unlink(missing_ok=True)
        os.mkfifo(root / name)
    report = memory.scan([tmp_path / "work"])
    assert [(path.name, reason) for path, reason in report.discovery.damaged] == [
        ("git-HEAD", "has a damaged .git, whose HEAD is no file")
    ]
    assert [problem.partition(" cannot")[0] for problem in report.problems] == [
        str(tmp_path / "work/loci.json/.loci.json")
    ]
    outcomes = {scope.id: scope.outcome for scope in memory.index().scopes}
    assert outcomes == {
        "git-config": "failed",
        "git-packed-refs": "failed",
        "gitmodules": "failed",
        "loci.json": "built",
    }
    memory.home.groups.unlink(missing_ok=True)
    os.mkfifo(memory.home.groups)
    answer = memory.ask("lynx")
    assert answer.scopes[0].passages and "it is no file" in said(answer)
