"""Who uses whom: on real repositories, with the accidents that must not match."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from loci.core import BuildLocked, Memory, Uses
from loci.router import advice


@pytest.fixture
def world(tmp_path: Path, make_repository: Callable[..., Path]) -> Callable[..., Memory]:
    """`world(name=files, ...)` makes repositories, registers them and gives the memory."""

    def make(**projects: dict[str, str]) -> Memory:
        for name, files in projects.items():
            make_repository(tmp_path / "work" / name, files)
        memory = Memory.open(tmp_path / "home")
        memory.scan([tmp_path / "work"])
        return memory

    return make


def pairs(table: Uses) -> set[tuple[str, str, str, str]]:
    return {(use.user, use.used, use.kind, use.name) for use in table.uses}


CLICKER = {
    "pyproject.toml": '[project]\nname = "clicker"\n',
    "src/clicker/__init__.py": "",
    "src/clicker/a.py": "x = 1\n",
}


def test_a_declared_dependency_and_its_imports_are_cited(world: Callable[..., Memory]) -> None:
    memory = world(
        clicker=CLICKER,
        shop={
            "pyproject.toml": '[project]\nname = "shop"\ndependencies = [\n  "clicker>=8",\n]\n',
            "shop/cli.py": "import os\n\nfrom clicker.a import x\n",
            "tests/test_cli.py": "import clicker\n",
        },
    )
    uses = memory.uses().uses
    assert [(use.kind, use.places, use.files) for use in uses] == [
        ("dependency", (("pyproject.toml", 4),), 1),
        ("import", (("shop/cli.py", 3), ("tests/test_cli.py", 1)), 2),
    ]
    assert all((use.user, use.used, use.ecosystem) == ("shop", "clicker", "pypi") for use in uses)


def test_an_import_of_the_same_name_without_the_distribution_is_another_library(world: Callable[..., Memory]) -> None:
    # A repository called like a library is not used by everybody who imports the library.
    memory = world(
        redis={"README.md": "# A database\n", "src/server.c": "int main() { return 0; }\n"},
        clicker=CLICKER,
        shop={
            "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["redis"]\n',
            "shop/cli.py": "import redis\nimport clicker\n",  # a module of its own is what this imports
            "shop/clicker.py": "",
        },
    )
    assert pairs(memory.uses()) == set()


def test_a_name_of_another_ecosystem_is_another_name(world: Callable[..., Memory]) -> None:
    memory = world(
        clicker=CLICKER,
        web={"package.json": '{"name": "web", "dependencies": {"clicker": "1"}}', "a.js": "require('clicker')"},
    )
    assert pairs(memory.uses()) == set()


def test_scripts_without_a_manifest_import_by_name_unless_it_is_their_own_file(world: Callable[..., Memory]) -> None:
    memory = world(
        clicker=CLICKER,
        scripts={"run.py": "from clicker import a\n"},
        others={"run.py": "import clicker\n", "clicker.py": ""},
    )
    assert pairs(memory.uses()) == {("scripts", "clicker", "import", "clicker")}


def test_a_distribution_called_like_the_standard_library_matches_no_import(world: Callable[..., Memory]) -> None:
    memory = world(json={"pyproject.toml": '[project]\nname = "json"\n'}, scripts={"run.py": "import json\n"})
    assert pairs(memory.uses()) == set()


def test_commands_that_are_run_are_uses_and_ordinary_words_are_not(world: Callable[..., Memory]) -> None:
    memory = world(
        tool={"pyproject.toml": '[project]\nname = "tool-x"\n[project.scripts]\nzapper = "t:m"\ntest = "t:t"\n'},
        shop={
            "a.py": 'import shutil, subprocess\n\nif shutil.which("zapper"):\n    subprocess.run(\n        ["zapper", "x"])\n',  # noqa: E501
            "run.sh": "#!/bin/sh\ntest -f x && exit\n",
        },
        words={"README.md": "the zapper is described here\n", "b.py": 'name = "zapper"\n'},
    )
    (use,) = memory.uses().uses
    assert (use.user, use.used, use.kind, use.name, use.places) == (
        "shop",
        "tool",
        "command",
        "zapper",
        (("a.py", 3), ("a.py", 5)),
    )


def test_a_lock_file_alone_is_an_indirect_use(world: Callable[..., Memory]) -> None:
    memory = world(
        clicker=CLICKER,
        other=CLICKER | {"pyproject.toml": '[project]\nname = "other"\n'},
        shop={
            "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["other"]\n',
            "uv.lock": '[[package]]\nname = "clicker"\n[[package]]\nname = "other"\n',
        },
    )
    table = memory.uses()
    assert pairs(table) == {("shop", "clicker", "locked", "clicker"), ("shop", "other", "dependency", "other")}
    assert [use.indirect for use in table.uses] == [True, False]
    assert table.by_user() == {"shop": frozenset({"clicker", "other"})}


def test_paths_git_addresses_submodules_workflows_and_images(
    world: Callable[..., Memory], tmp_path: Path, git: Callable[..., str]
) -> None:
    memory = world(
        core={"README.md": "core\n"},
        shop={
            "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\ninner = { path = "../core/inner" }\n',
            ".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n      - uses: acme/core/sub@v1\n",
            "Dockerfile": "FROM ghcr.io/acme/core:1\nRUN true\n",
            ".gitmodules": '[submodule "c"]\n\tpath = c\n\turl = https://github.com/acme/core\n',
            ".pre-commit-config.yaml": "repos:\n  - repo: https://github.com/acme/core\n    rev: v1\n",
        },
    )
    (tmp_path / "work/core/inner").mkdir()
    git(tmp_path / "work/core", "remote", "add", "origin", "git@github.com:Acme/core.git")
    memory.scan([tmp_path / "work"])
    assert {(use.kind, use.places) for use in memory.uses().uses} == {
        ("path", (("Cargo.toml", 4),)),
        ("git", ((".pre-commit-config.yaml", 2),)),
        ("submodule", ((".gitmodules", 3),)),
        ("workflow", ((".github/workflows/ci.yml", 4),)),
        ("image", (("Dockerfile", 1),)),
    }


def test_a_submodule_whose_address_says_nothing_is_told_by_its_place(
    world: Callable[..., Memory], tmp_path: Path, git: Callable[..., str]
) -> None:
    memory = world(barometer={"README.md": "# Barometer\n"}, station={"README.md": "# Station\n"})
    station = tmp_path / "work/station"
    git(station, "submodule", "-q", "add", "../barometer", "libs/barometer")
    git(station, "commit", "-qm", "Take the barometer in")
    memory.scan([tmp_path / "work"])
    (use,) = memory.uses().uses
    (inner,) = (scope.id for scope in memory.scopes() if scope.path == station / "libs/barometer")
    assert (use.user, use.used, use.kind) == ("station", inner, "submodule")
    assert use.places == ((".gitmodules", 2),)


def test_a_file_that_imports_two_parts_counts_once(world: Callable[..., Memory]) -> None:
    memory = world(
        jslib={"package.json": '{"name": "@acme/jslib"}'},
        page={
            "package.json": '{"name": "page", "dependencies": {"@acme/jslib": "1"}}',
            "a.ts": 'import { a } from "@acme/jslib";\nconst b = require("@acme/jslib/x");\n',
            "b.ts": 'import { a } from "@acme/jslib/y";\n',
        },
    )
    (use,) = [use for use in memory.uses().uses if use.kind == "import"]
    assert (use.files, sorted({path for path, _ in use.places})) == (2, ["a.ts", "b.ts"])


def test_a_table_that_cannot_be_brought_up_to_date_answers_and_says_so(
    world: Callable[..., Memory], tmp_path: Path
) -> None:
    memory = world(
        jslib={"package.json": '{"name": "@acme/jslib"}'},
        page={"package.json": '{"name": "page", "dependencies": {"@acme/jslib": "1"}}'},
    )
    before = memory.uses()
    with memory.home.build_lock():
        assert memory.uses().gaps() == before.gaps()  # nothing changed, so nothing is behind
        (tmp_path / "work/page/more.md").write_text("# More\n")
        table = memory.uses()
        assert table.uses == before.uses
        assert any(gap.startswith("not looked at since it changed: page (") for gap in table.gaps())
        with pytest.raises(BuildLocked):
            memory.uses(refresh=True)
    assert memory.uses().behind == ("", ())


def test_ignored_files_are_not_read(world: Callable[..., Memory], tmp_path: Path) -> None:
    memory = world(clicker=CLICKER, shop={".gitignore": "build/\n", "a.txt": "x\n"})
    (tmp_path / "work/shop/build").mkdir()
    (tmp_path / "work/shop/build/requirements.txt").write_text("clicker\n")
    assert pairs(memory.uses()) == set()


def test_unchanged_projects_are_not_read_again(
    world: Callable[..., Memory], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git: Callable[..., str]
) -> None:
    from loci.core.dependencies import collect as collect_module

    memory = world(clicker=CLICKER, shop={"requirements.txt": "clicker\n"}, other={"a.txt": "a\n"})
    read: list[str] = []
    collect = collect_module.collect
    monkeypatch.setattr(
        collect_module, "collect", lambda scope, reading: (read.append(scope.id), collect(scope, reading))[1]
    )
    before = memory.uses()
    assert sorted(read) == ["clicker", "other", "shop"]
    read.clear()
    assert memory.uses() == before and read == []
    (tmp_path / "work/other/requirements.txt").write_text("clicker\n")
    after = memory.uses()
    assert read == ["other"]
    assert pairs(after) == pairs(before) | {("other", "clicker", "dependency", "clicker")}
    read.clear()
    memory.forget("clicker")
    assert pairs(memory.uses()) == set() and read == []
    memory.uses(refresh=True)
    assert sorted(read) == ["other", "shop"]


def test_a_build_collects_and_a_broken_table_is_made_again(world: Callable[..., Memory]) -> None:
    memory = world(clicker=CLICKER, shop={"requirements.txt": "clicker\n"})
    report = memory.index()
    assert report.notes == ()
    path = memory.home.uses
    assert json.loads(path.read_text())["uses"][0]["used"] == "clicker"
    path.write_text("{")
    assert pairs(memory.uses()) == {("shop", "clicker", "dependency", "clicker")}
    (memory.home.directory / "references.json").write_text("[]")
    path.write_text('{"format": 1}')
    assert pairs(memory.uses()) == {("shop", "clicker", "dependency", "clicker")}


def test_relational_questions_are_answered_with_the_place(world: Callable[..., Memory]) -> None:
    memory = world(
        clicker=CLICKER | {"README.md": "# Clicker\n\nBuilds command lines.\n"},
        shop={"README.md": "# Shop\n\nSells things.\n", "requirements.txt": "# needs\nclicker>=2\n"},
        other={"README.md": "# Other\n\nMentions clicker in passing, clicker, clicker.\n"},
    )
    memory.index()
    for question in ("which of my projects depend on clicker?", "which project uses another of my projects?"):
        answer = memory.ask(question)
        assert answer.route.mode == "relational"
        assert [block.id for block in answer.scopes] == ["shop"]
        (use,) = answer.scopes[0].uses
        assert (use.used, use.places) == ("clicker", (("requirements.txt", 2),))
    record = answer.to_json()["scopes"][0]["uses"][0]
    assert record["places"] == [{"path": "requirements.txt", "line": 2}]


def test_nothing_found_is_not_none(world: Callable[..., Memory]) -> None:
    memory = world(
        clicker=CLICKER,
        shop={"README.md": "# Shop\n", "requirements.txt": "clicker\n"},
        lonely={"README.md": "# Lonely\n"} | {f"src/{name}.c": "int x;\n" for name in "abcde"},
    )
    memory.index()
    route = memory.route("what depends on lonely?")
    assert (route.mode, route.abstained) == ("relational", True)
    (advised,) = route.advice
    assert isinstance(advised, advice.NoUserFound) and (advised.used, advised.projects) == (("lonely",), 3)
    assert "imports in C and C++ are not collected: lonely" in advised.gaps


def test_an_empty_table_leaves_the_question_to_the_texts(world: Callable[..., Memory]) -> None:
    memory = world(
        lonely={"README.md": "# Lonely\n\nA library for lonely things.\n"},
        shop={"README.md": "# Shop\n\nBuilt upon lonely, the library for lonely things, lonely.\n"},
    )
    memory.index()
    route = memory.route("which project uses lonely?")
    assert route.mode == "relational" and route.advice == (advice.UsesNotCollected(),)


def test_a_secret_in_a_name_is_kept_nowhere(world: Callable[..., Memory]) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    memory = world(shop={"package.json": json.dumps({"name": "shop", "dependencies": {secret: "1"}})})
    memory.uses()
    kept = "".join(p.read_text() for p in memory.home.directory.glob("*.json"))
    assert secret not in kept


def test_a_secret_in_a_path_is_kept_nowhere(world: Callable[..., Memory]) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    files = {f"{secret}/app.py": "import flask\n", f"{secret}/package.json": '{"name": "x"}', "b.py": "import httpx\n"}
    memory = world(shop=files)
    memory.uses()
    kept = "".join(p.read_text() for p in memory.home.directory.glob("*.json"))
    assert secret not in kept
    assert "httpx" in kept


def test_a_project_without_names_is_said(world: Callable[..., Memory]) -> None:
    table = world(notes={"README.md": "# Notes\n"}).uses()
    assert table.scopes["notes"].nameless
    assert any("no name from outside" in gap and "notes" in gap for gap in table.gaps())
