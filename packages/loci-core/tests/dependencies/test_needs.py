"""What a project depends on: registered projects, names that are nobody's here, and what cannot be told."""

from __future__ import annotations

import json

import pytest
from sentences import said

from loci.core import Memory, notes

SHOP = {
    "pyproject.toml": (
        '[project]\nname = "shop"\ndependencies = [\n  "ledger>=1",\n  "Some_Library>=2",\n]\n'
        '[project.optional-dependencies]\ncache = ["redis-client"]\n'
    ),
    "uv.lock": '[[package]]\nname = "deep-down"\nversion = "1"\n\n[[package]]\nname = "till"\nversion = "1"\n',
    "shop.py": "import ledger\nimport some_library\n",
    "tests/fixture/pyproject.toml": '[project]\nname = "fixture"\ndependencies = ["only-in-a-test"]\n',
    "README.md": "# Shop\n\nSells things, with background jobs.\n",
}
LEDGER = {"pyproject.toml": '[project]\nname = "ledger"\nversion = "1"\n', "ledger.py": "def book(): ...\n"}
TILL = {"pyproject.toml": '[project]\nname = "till"\n', "till.py": "def open(): ...\n"}
COG = {
    "go.mod": "module example.org/cog\n\nrequire (\n\tgithub.com/spf13/viper/v2 v2.0.0\n)\n",
    "main.go": "package main\n",
}


@pytest.fixture
def memory(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "home")
    for name, files in (("shop", SHOP), ("ledger", LEDGER), ("till", TILL), ("cog", COG)):
        memory.add(make_repository(tmp_path / "work" / name, files, f"Begin {name}"))
    memory.index()
    return memory


def uses(answer) -> list[tuple[str, str, str, tuple[str, int]]]:
    (block,) = answer.scopes
    return [(use.used, use.kind, use.name, use.places[0]) for use in block.uses]


@pytest.mark.parametrize("question", ["what does shop depend on?", "which libraries does shop use?"])
def test_everything_that_a_project_declares(memory, question):
    answer = memory.ask(question)
    assert (answer.route.mode, answer.scopes[0].id) == ("relational", "shop")
    assert uses(answer) == [
        ("ledger", "dependency", "ledger", ("pyproject.toml", 4)),
        ("ledger", "import", "ledger", ("shop.py", 1)),
        ("", "dependency", "some-library", ("pyproject.toml", 5)),
        ("", "dependency", "redis-client", ("pyproject.toml", 8)),
        # Brought in by something else, and so the last; what only a test declares is not listed.
        ("till", "locked", "till", ("uv.lock", 6)),
    ]


def test_one_thing_that_is_registered(memory):
    answer = memory.ask("does shop use ledger?")
    assert [use[:2] for use in uses(answer)] == [("ledger", "dependency"), ("ledger", "import")]
    answer = memory.ask("does ledger depend on shop?")
    assert uses(answer) == [] and "no manifest, lock file, import or script of this project names shop" in said(
        answer.scopes[0]
    )


def test_one_thing_that_is_not_registered(memory):
    for name in ("Some_Library", "some-library"):
        answer = memory.ask(f"does shop use {name}?")
        assert uses(answer)[0] == ("", "dependency", "some-library", ("pyproject.toml", 5))
    assert uses(memory.ask("does cog use viper?"))[0][2:] == ("github.com/spf13/viper/v2", ("go.mod", 4))
    answer = memory.ask("does shop use only-in-a-test?")
    assert uses(answer)[0][3] == ("tests/fixture/pyproject.toml", 3)
    assert "only a test, an example or the documentation of this project names only-in-a-test" in said(answer.scopes[0])
    answer = memory.ask("does shop use jobs?")
    assert uses(answer) == [] and answer.route.mode == "single"
    assert "names jobs" in said(answer.scopes[0]) and answer.scopes[0].passages, "words may still answer it"


def test_what_only_a_lock_file_names_is_said_to_be_so(memory):
    answer = memory.ask("does shop use till?")
    assert [use[1] for use in uses(answer)] == ["locked"] and "only a lock file" in said(answer.scopes[0])
    answer = memory.ask("who uses till?")
    assert answer.scopes[0].id == "shop" and "only a lock file" in said(answer.scopes[0])


def test_the_project_around_the_directory_and_the_given_one(memory, tmp_path):
    asked = memory.ask("what does this project depend on?", cwd=tmp_path / "work" / "shop")
    assert len(uses(asked)) == 5
    assert uses(memory.ask("what does this depend on?", scope="shop")) == uses(asked)


def test_what_is_not_known_is_said(memory):
    answer = memory.ask("what does ledger depend on?")
    assert uses(answer) == [] and "no manifest that loci reads declares a dependency" in said(answer.scopes[0])
    references = memory.home.directory / "references.json"
    data = json.loads(references.read_text())
    data["scopes"]["shop"]["fingerprint"] = "another"
    references.write_text(json.dumps(data))
    answer = memory.ask("what does shop depend on?")
    assert {use[0] for use in uses(answer)} == {"ledger", "till"}
    assert notes.UsesNotCollected(declared_only=True) in answer.scopes[0].notes
