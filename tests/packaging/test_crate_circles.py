"""The search for circles between the modules of a crate, on crates made here."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "crate_circles.py"
specification = importlib.util.spec_from_file_location("crate_circles", SCRIPT)
assert specification is not None and specification.loader is not None
crate_circles = importlib.util.module_from_spec(specification)
specification.loader.exec_module(crate_circles)


def circles(tmp_path: Path, files: dict[str, str], capsys: pytest.CaptureFixture[str], *allowed: set[str]) -> list[str]:
    """Returns what is printed for one crate `one` with these files."""
    for name, text in files.items():
        file = tmp_path / "crates" / "one" / "src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    status = crate_circles.main(tmp_path, {"one": [frozenset(names) for names in allowed]})
    lines = capsys.readouterr().out.splitlines()
    assert status == (1 if lines else 0)
    return lines


def test_two_modules_that_use_each_other_are_found(tmp_path, capsys):
    files = {
        "lib.rs": "mod a;\nmod b;\nmod c;",
        "a.rs": "use crate::b::{self, Thing as Other};",
        "b.rs": "fn f() { crate::a::g(); }",
        "c.rs": "use crate::{a, b};",
    }
    assert circles(tmp_path, files, capsys) == ["one: a, b use each other", "    a uses b", "    b uses a"]
    assert circles(tmp_path, files, capsys, {"a", "b", "d"}) == []
    assert circles(tmp_path, files, capsys, {"a"}) != []


def test_a_way_round_through_three_is_found(tmp_path, capsys):
    files = {"a.rs": "use super::b;", "b.rs": "use super::c::X;", "c.rs": "use crate::{d::{Y, Z}, a::W};", "d.rs": ""}
    assert circles(tmp_path, files, capsys)[0] == "one: a, b, c use each other"


def test_a_name_that_the_root_hands_on_is_a_use_of_its_module(tmp_path, capsys):
    files = {
        "lib.rs": "pub use a::{Graph, deep::Tree};\npub use crate::error::Error;",
        "a.rs": "use crate::Error;",
        "error.rs": "use crate::Graph;",
    }
    assert circles(tmp_path, files, capsys)[0] == "one: a, error use each other"


def test_files_of_a_folder_are_one_module_outside_and_several_inside(tmp_path, capsys):
    files = {
        "read/mod.rs": "use self::line::Line;",
        "read/line.rs": "use super::Reader;\nuse super::word;",
        "read/word.rs": "use crate::write;\nuse super::line::Line;",
        "write.rs": "use crate::read::word::Word;",
    }
    assert circles(tmp_path, files, capsys) == [
        "one: read, write use each other",
        "    read::word uses write",
        "    write uses read::word",
        "one: read::line, read::word use each other",
        "    read::line uses read::word",
        "    read::word uses read::line",
    ]


def test_comments_strings_and_tests_use_nothing(tmp_path, capsys):
    files = {
        "a.rs": "use crate::b;",
        "b.rs": '//! See crate::a.\nconst A: &str = "crate::a::B";\n#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n',
    }
    assert circles(tmp_path, files, capsys) == []
