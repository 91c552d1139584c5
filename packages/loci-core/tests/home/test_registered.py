"""What an entry of the registry means, by its own words: no repository is needed for that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loci.core import AmbiguousScope, DamagedFile, Home, UnknownScope
from loci.core.home.git import Repository
from loci.core.home.registry import Registered, Registry


def of(*scopes: Registered) -> Registry:
    return Registry({scope.id: scope for scope in scopes})


def one(identity: str, path: str | None = None, name: str = "", **more: Any) -> Registered:
    return Registered(identity, Path(path or f"/code/{identity}"), name or identity, **more)


def loaded(tmp_path: Path, **entry: Any) -> Registered:
    home = Home.locate(tmp_path / "home")
    home.create()
    home.registry.write_text(json.dumps({"scopes": [{"id": "a", "path": "/code/app", **entry}]}), encoding="utf-8")
    return Registry.load(home).scopes["a"]


@pytest.mark.parametrize(
    ("written", "field", "read"),
    [
        ({}, "name", "app"),
        ({"name": ""}, "name", "app"),
        ({"name": 3}, "name", "app"),
        ({"name": "App"}, "name", "App"),
        ({"remote": 3}, "remote", None),
        ({"remote": "host/o/n"}, "remote", "host/o/n"),
        ({"common_dir": 3}, "common_dir", None),
        ({"common_dir": "/c"}, "common_dir", Path("/c")),
        ({"mount": 3}, "mount", None),
        ({"mount": "/m"}, "mount", Path("/m")),
        ({"split": 1}, "split", False),
        ({"split": True}, "split", True),
        ({"root_commit": ""}, "root_commit", None),
        ({"root_commit": 3}, "root_commit", None),
        ({"root_commit": "c"}, "root_commit", "c"),
        ({"declared": "split"}, "declared", "split"),
        ({"subtree": None}, "subtree", ""),
        ({"subtree": "a/b"}, "subtree", "a/b"),
        ({"mine": 3}, "extra", {"mine": 3}),
    ],
)
def test_what_a_person_wrote_otherwise_is_as_if_it_were_not_there(
    tmp_path: Path, written: dict[str, Any], field: str, read: Any
) -> None:
    assert getattr(loaded(tmp_path, **written), field) == read


@pytest.mark.parametrize(
    "entry",
    [
        {"id": ""},
        {"id": 3},
        {"path": ""},
        {"path": 3},
        {"path": "/a\0b"},
        {"subtree": 3},
        {"subtree": "/a"},
        {"subtree": "a/../b"},
        {"subtree": "./a"},
        {"groups": "a"},
        {"groups": [3]},
        {"inferred": "a"},
        {"exclude": [None]},
    ],
)
def test_what_would_be_misread_is_damage(tmp_path: Path, entry: dict[str, Any]) -> None:
    with pytest.raises(DamagedFile):
        loaded(tmp_path, **entry)


def test_an_entry_is_written_as_it_was_read(tmp_path: Path) -> None:
    entry = {"aliases": ["x"], "names": ["y"], "groups": ["g"], "globs": ["n"], "include": ["i"], "exclude": ["e"]}
    scope = loaded(tmp_path, **entry, mount="/m", common_dir="/c", split=True, subtree="p", mine={"a": 1})
    assert scope.to_json() == {
        **entry,
        "id": "a",
        "path": "/code/app",
        "name": "app",
        "remote": None,
        "common_dir": "/c",
        "root_commit": None,
        "subtree": "p",
        "declared": None,
        "split": True,
        "mount": "/m",
        "inferred": [],
        "ungrouped": [],
        "mine": {"a": 1},
    }
    assert scope.all_names() == ["a", "app", "x", "y"]
    assert scope.patterns() == {"globs": ["n"], "include": ["i"], "exclude": ["e"]}
    assert one("a").patterns() == {} and one("a", aliases=["a"]).all_names() == ["a"]
    assert one("a", include=["i"]).patterns() == {"include": ["i"]}


def test_a_package_knows_its_repository() -> None:
    whole, package, deep = one("mono", "/code/mono"), one("p", "/code/mono/p", subtree="p"), one("q", "/code/mono/x/q")
    deep.subtree = "x/q"
    other = one("other", "/code/other/p", subtree="p")
    registry = of(whole, package, deep, other)
    assert [scope.repository_root for scope in (whole, package, deep)] == [Path("/code/mono")] * 3
    assert registry.packages_of(whole) == [package, deep]
    assert registry.packages_of(package) == [] == registry.packages_of(other)


def test_a_repository_is_found_by_what_its_work_trees_share_and_else_by_its_place() -> None:
    here, there = one("here", "/code/here", common_dir=Path("/git/a")), one("there", "/code/there")
    package = one("p", "/code/here/p", subtree="p", common_dir=Path("/git/a"))
    registry = of(there, here, package)

    def find(root: str, common: str, subtree: str = "") -> Registered | None:
        repository = Repository(root=Path(root), git_dir=Path(common), common_dir=Path(common))
        return registry.find(repository, subtree)

    assert find("/elsewhere", "/git/a") is here and find("/elsewhere", "/git/a", "p") is package
    assert find("/code/there", "/git/b") is there and find("/code/there", "/git/b", "p") is None
    # Of two that would fit the shared directory says which.
    assert find("/code/there", "/git/a") is here
    assert find("/nowhere", "/git/c") is None


def test_projects_inside_others_are_left_out_of_them_and_their_packages_are_read_apart() -> None:
    mono, package = one("mono", "/code/mono"), one("p", "/code/mono/p", subtree="p")
    clone, outside = one("clone", "/code/mono/vendor/clone"), one("m", "/code/mono-too")
    registry = of(mono, package, clone, outside)
    assert registry.inner_paths(mono) == ["p", "vendor/clone"] and registry.inner_paths(outside) == []
    mono.globs, mono.exclude = ["~/notes/*.md", "x"], ["*.csv"]
    reading = registry.reading(mono)
    assert reading == {
        "exclude": ["vendor/clone", "graphify-out"],
        "notes": [str(Path("~/notes/*.md").expanduser()), "x"],
        "policy": {"include": [], "exclude": ["*.csv"]},
        "subtree": "",
        "apart": ["p"],
    }
    assert registry.reading(package)["apart"] == [] and registry.reading(package)["subtree"] == "p"


def test_the_deepest_project_around_a_place(tmp_path: Path) -> None:
    outer, inner = one("outer", str(tmp_path)), one("inner", str(tmp_path / "a"))
    registry = of(outer, inner)
    assert registry.containing(tmp_path / "a" / "b") is inner and registry.containing(tmp_path / "a") is inner
    assert registry.containing(tmp_path / "ab") is outer and registry.containing(tmp_path) is outer
    assert registry.containing(tmp_path.parent) is None


def test_who_is_meant() -> None:
    api, lib = one("api", "/code/team/api", "API", aliases=["Door"], names=["acme-api"]), one("lib", names=["Shared"])
    other = one("other/api", "/code/other/api", names=["shared", "acme-api"])
    registry = of(api, lib, other)

    def ambiguous(wanted: str) -> list[str]:
        with pytest.raises(AmbiguousScope) as caught:
            registry.resolve(wanted)
        return list(caught.value.near)

    assert registry.resolve("api", exact=True) is api
    assert ambiguous("api") == ["team/api", "other/api"]  # an id, and the name of another's directory
    assert registry.resolve("team/api") is api and registry.resolve("TEAM/API/") is api
    assert registry.resolve("door") is api and registry.resolve("LIB") is lib
    assert ambiguous("acme-api") == ["team/api", "other/api"] and ambiguous("shared") == ["lib", "other/api"]
    with pytest.raises(UnknownScope):
        registry.resolve("nobody", exact=True)
    assert registry.resolve("/code/lib/src") is lib and registry.resolve("./x", lambda _: lib) is lib
    with pytest.raises(UnknownScope):
        registry.resolve("x", lambda _: lib)  # no path
    assert registry.named("DOOR") is api and registry.named("nobody") is None
