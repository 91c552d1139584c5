"""Groups: who writes a project, labels given by hand, and what a mode does to a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loci.core import DamagedFile, InvalidRequest, Memory, UnknownGroup
from loci.core.projects.provenance import inferred_groups

OWN = frozenset({"ada@example.org"})


@pytest.mark.parametrize(
    ("authors", "own", "remote", "expected"),
    [
        ({"ada@example.org": 1}, OWN, None, ["me"]),
        ({}, OWN, None, ["me"]),
        ({}, OWN, "github.com/acme/shop", ["vendor:acme"]),
        ({"ada@example.org": 10, "b@x": 90}, OWN, "github.com/acme/shop", ["me"]),
        ({"ada@example.org": 9, "b@x": 91}, OWN, "github.com/acme/shop", ["vendor:acme"]),
        ({"b@x": 1}, OWN, None, []),
        ({"b@x": 1}, OWN, "git.example.org/shop", []),
        ({"ada@example.org": 1}, frozenset(), None, []),
    ],
)
def test_who_writes_it(authors, own, remote, expected):
    assert inferred_groups(authors, own, remote) == expected


@pytest.fixture
def world(tmp_path, make_repository, git) -> Path:
    """`shop` is Ada's, `lib` is acme's, `tool` is of somebody without a remote."""
    work = tmp_path / "work"
    for name, text in (
        ("shop", "The tariff is kept."),
        ("lib", "The sextant is kept."),
        ("tool", "The anchor is kept."),
    ):
        root = make_repository(work / name, {"README.md": f"# {name.title()}\n\n{text}\n"}, f"Begin {name}")
        git(root, "config", "user.email", "Ada@Example.org" if name == "shop" else "eve@example.org")
        if name != "shop":
            git(root, "commit", "-q", "--allow-empty", "--amend", "--author", "Bob <bob@acme.example>", "--no-edit")
    git(work / "lib", "remote", "add", "origin", "https://example.org/Acme/lib.git")
    return work


@pytest.fixture
def memory(tmp_path, world) -> Memory:
    memory = Memory.open(tmp_path / "home")
    memory.scan([world])
    return memory


def groups(memory: Memory) -> dict[str, tuple[str, ...]]:
    return {scope.id: scope.groups for scope in memory.scopes()}


def test_a_scan_tells_ones_own_from_others(memory, world):
    assert groups(memory) == {"lib": ("vendor:acme",), "shop": ("me",), "tool": ()}


def test_others_can_be_left_out(tmp_path, world):
    memory = Memory.open(tmp_path / "other-home")
    report = memory.scan([world], others=False)
    assert [path.name for path in report.declined] == ["lib"] and sorted(report.new) == ["shop", "tool"]
    report = memory.scan([world], register=False)
    assert report.others == ["lib"]
    memory.scan([world])
    assert [path.name for path in memory.scan([world], others=False).declined] == [], "what is registered stays"
    assert "lib" in groups(memory)


def test_what_a_person_says_survives_every_scan_and_inference(memory, world, git):
    memory.add_to_group("lib", "client:acme")
    memory.add_to_group("tool", "me")
    memory.remove_from_group("shop", "me")
    expected = {"lib": ("client:acme", "vendor:acme"), "shop": (), "tool": ("me",)}
    for again in (lambda: memory.scan([world]), memory.infer_groups, lambda: memory.add(world / "shop"), memory.index):
        again()
        assert {key: tuple(sorted(value)) for key, value in groups(memory).items()} == expected
    assert memory.add_to_group("shop", "me")[1] and groups(memory)["shop"] == ("me",)
    assert not memory.add_to_group("shop", "me")[1]
    git(world / "lib", "remote", "set-url", "origin", "https://example.org/other/lib.git")
    assert sorted(memory.infer_groups()["lib"]) == ["client:acme", "vendor:other"]


def test_wrong_names(memory):
    with pytest.raises(InvalidRequest, match="shop is not in the group 'work'; it is in me"):
        memory.remove_from_group("shop", "work")
    with pytest.raises(InvalidRequest, match="cannot be the name"):
        memory.add_to_group("shop", " ")
    with pytest.raises(InvalidRequest, match="'sideways' is no mode"):
        memory.set_group_mode("work", "sideways")


def test_the_policy_file_keeps_whatever_else_stands_in_it(memory):
    memory.home.groups.write_text('{"mine": {"ü": [1]}, "modes": {"old": "hard"}, "default": "soft"}')
    memory.set_group_mode("work", "explicit")
    memory.set_group_mode(None, "hard")
    assert json.loads(memory.home.groups.read_text(encoding="utf-8")) == {
        "mine": {"ü": [1]},
        "modes": {"old": "hard", "work": "explicit"},
        "default": "hard",
    }
    default, found, notes = memory.groups()
    assert notes == [] and default == "hard"
    assert {(group.name, group.mode, group.is_set, group.members) for group in found} == {
        ("me", "explicit", False, ("shop",)),  # who owns a project confines nobody unless a person says so
        ("vendor:acme", "explicit", False, ("lib",)),
        ("old", "hard", True, ()),
        ("work", "explicit", True, ()),
    }
    memory.scan([memory.home.directory.parent / "work"])
    assert json.loads(memory.home.groups.read_text())["modes"] == {"old": "hard", "work": "explicit"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{\n "modes": {"work": "hard",}\n}', r"groups\.json:2:\d+"),
        ('{\n "modes": {\n  "work": "sideways"}}', r"groups\.json:3:3 .*'sideways'.*explicit, soft, hard"),
        ('{"default": 3}', r"groups\.json:1:2"),
        ('{"modes": []}', r"groups\.json:1:2"),
    ],
)
def test_a_hand_broken_policy_is_named_by_place_and_everything_else_goes_on(memory, text, place):
    memory.home.groups.write_text(text)
    memory.index()
    with pytest.raises(DamagedFile, match=place):
        from loci.core.projects.groups import read_policy

        read_policy(memory.home)
    default, found, notes = memory.groups()
    assert len(notes) == 1 and default == "soft" and [group.name for group in found] == ["me", "vendor:acme"]
    assert memory.ask("what is kept in the shop?").scopes
    assert memory.scan([memory.home.directory.parent / "work"]).new == []
    assert any(str(memory.home.groups) in note.describe() for note in memory.notes())
    if "," in text and "}\n}" in text:
        with pytest.raises(DamagedFile):
            memory.set_group_mode("work", "hard")


# The table of modes, from the question to the answer.

MEMBERS = {"billing": "The tariff is booked against its invoice.", "shop": "The basket holds what is bought."}
OUTSIDE = {"search": "Documents are ranked by relevance in an inverted index."}


@pytest.fixture
def modes(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "modes")
    for name, text in {**MEMBERS, **OUTSIDE}.items():
        make_repository(tmp_path / "m" / name, {"README.md": f"# {name.title()}\n\n{text}\n"}, text)
    memory.scan([tmp_path / "m"])
    for name in MEMBERS:
        memory.add_to_group(name, "work")
    memory.index()
    return memory


RANKED = "how are documents ranked by relevance in the inverted index?"
BOOKED = "how is the tariff booked against its invoice?"


@pytest.mark.parametrize("mode", ["explicit", "soft", "hard"])
def test_a_named_group_confines_in_every_mode(modes, mode):
    modes.set_group_mode("work", mode)
    assert [scope.id for scope in modes.ask(BOOKED, group="work").scopes] == ["billing"]
    outside = modes.ask(RANKED, group="work")
    assert "search" not in [scope.id for scope in outside.scopes]
    assert outside.abstained
    assert (outside.route.reason == "out_of_group") == (mode == "hard")
    with pytest.raises(UnknownGroup):
        modes.ask(BOOKED, group="wrok")


@pytest.mark.parametrize(("mode", "answered"), [("explicit", ["search"]), ("soft", ["search"]), ("hard", [])])
def test_the_directory_confines_only_in_a_hard_group(modes, tmp_path, mode, answered):
    modes.set_group_mode("work", mode)
    inside = modes.route("in search, " + RANKED, cwd=tmp_path / "m" / "shop")
    assert [scope.id for scope in inside.scopes] == answered
    if mode == "hard":
        assert inside.reason == "out_of_group"
    assert [scope.id for scope in modes.route(RANKED).scopes] == ["search"], "asked from nowhere no group counts"


def test_a_soft_group_halves_the_evidence_of_what_is_outside(modes, tmp_path):
    cwd = tmp_path / "m" / "shop"

    def evidence(mode):
        modes.set_group_mode("work", mode)
        (found,) = [s for s in modes.route("in search, " + RANKED, cwd=cwd).scopes if s.id == "search"]
        return found.signals

    explicit, soft = evidence("explicit"), evidence("soft")
    assert "demoted" in soft and "demoted" not in explicit
    assert sum(soft.values()) < sum(explicit.values())


def test_who_owns_a_project_demotes_nothing_by_itself(modes, tmp_path):
    cwd = tmp_path / "m" / "shop"
    modes.add_to_group("shop", "vendor:acme")

    def signals():
        (found,) = [s for s in modes.route("in search, " + RANKED, cwd=cwd).scopes if s.id == "search"]
        return found.signals

    modes.set_group_mode("work", "explicit")
    assert "demoted" not in signals()
    modes.set_group_mode("vendor:acme", "soft")
    assert "demoted" in signals()
