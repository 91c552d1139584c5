"""Languages of projects: counted by files, and answered from the counts."""

from __future__ import annotations

import json

import pytest
from sentences import said

from loci.core import Memory
from loci.core.dependencies.languages import count_languages, source_files
from loci.episodes import languages
from loci.router import LANGUAGES

GOPHER = {
    "main.go": "package main\n",
    "pool.go": "package main\n",
    "build.py": "print('build')\n",
    "README.md": "# Gopher\n\nRuns Python scripts; not written in Python, but for Python.\n",
}
SNAKE = {"snake.py": "def go():\n    '''Go on.'''\n", "README.md": "# Snake\n\nGo on, go up, go down.\n"}


@pytest.fixture
def memory(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "home")
    for name, files in (("gopher", GOPHER), ("snake", SNAKE)):
        memory.add(make_repository(tmp_path / "work" / name, files, f"Begin {name}"))
    memory.index()
    return memory


def notes(answer) -> dict[str, str]:
    return {block.id: said(block) for block in answer.scopes}


def test_which_are_written_in_a_language(memory):
    answer = memory.ask("which of my projects are written in Go?")
    assert (answer.route.mode, notes(answer)) == ("set", {"gopher": "Go: 2 of 3 source files (67 %)"})
    (block,) = answer.scopes
    assert (block.passages, block.symbols, block.nothing) == ((), (), None)
    assert notes(memory.ask("which of my projects use Python?")) == {
        "snake": "Python: 1 of 1 source files (100 %)",
        "gopher": "Python: 1 of 3 source files (33 %)",
    }


def test_what_one_is_written_in(memory, tmp_path):
    written = {"gopher": "source files: Go 2 (67 %), Python 1 (33 %)"}
    assert notes(memory.ask("what is gopher written in?")) == written
    assert notes(memory.ask("what languages does this project use?", cwd=tmp_path / "work" / "gopher")) == written
    assert notes(memory.ask("what is this written in?", scope="gopher")) == written
    assert notes(memory.ask("is gopher written in Rust?")) == {"gopher": "Rust: 0 of 3 source files (0 %)"}


def test_an_index_of_before_answers_by_words(memory):
    data = json.loads(memory.home.uses.read_text())
    for scope in data["scopes"].values():
        del scope["coverage"]["languages"]
    memory.home.uses.write_text(json.dumps(data))
    answer = memory.ask("what is gopher written in?")
    assert "source files" not in said(answer.scopes[0]) and answer.scopes[0].passages


def test_headers_go_with_the_language_that_has_more_files():
    assert count_languages({".c": 1, ".cpp": 2, ".h": 4, ".md": 7}) == {"C++": 6, "C": 1}
    assert count_languages({".h": 2}) == {"C": 2}
    assert count_languages({".md": 3}) == {} and source_files({}) is None


def test_small_shares_are_no_nothing():
    assert str(source_files({"C": 999, "Lua": 1}, ["Lua"])) == "Lua: 1 of 1,000 source files (less than 1 %)"
    many = {"A": 5, "B": 4, "C": 3, "D": 2, "E": 1}
    assert str(source_files(many)) == "source files: A 5 (33 %), B 4 (27 %), C 3 (20 %), D 2 (13 %) and others"


def test_every_language_that_can_be_asked_for_is_counted_and_the_other_way_round():
    assert set(LANGUAGES.values()) == set(languages())
