"""Lines by pattern: what is searched, what is found where, against a plain reference."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loci.episodes import LineFinder, LineRule, NotARepository, build, intact

IMPORTS = r"^[ \t]*import[ \t]+(\w+)"


def repository(make_repository, tmp_path: Path, files: dict[str, str]) -> Path:
    return make_repository(tmp_path / "work", files)


def test_by_hand(make_repository, tmp_path):
    root = repository(
        make_repository,
        tmp_path,
        {
            ".gitignore": "ignored/\n",
            "b.py": "import os\n\nimport click\n",
            "tests/a.py": "import click\nimport click\n",
            "a.txt": "import click\n",
            "script": "#!/usr/bin/env python3\nimport click\n",
            "plain": "import click\n",
            "Makefile": "import make\n",
        },
    )
    (root / "ignored").mkdir()
    (root / "ignored/c.py").write_text("import click\n")
    (root / "new.py").write_text("import click\r\n")  # untracked, not ignored
    finder = LineFinder(
        [
            LineRule(IMPORTS, endings=(".py",), interpreters=("python",)),
            LineRule(IMPORTS, names=("makefile",)),
            LineRule(IMPORTS, endings=(".py",), below="tests/"),
        ]
    )
    found = finder.find(root, places=9)
    assert [(m.rule, m.text, m.files, m.places) for m in found.matches] == [
        # A test comes after what is tested.
        (0, "click", 4, [("b.py", 3), ("new.py", 1), ("script", 2), ("tests/a.py", 1)]),
        (0, "os", 1, [("b.py", 1)]),
        (1, "make", 1, [("Makefile", 1)]),
        (2, "click", 1, [("tests/a.py", 1)]),
    ]
    assert found.searched == [4, 1, 1]
    assert [path for path, _ in found.files] == sorted(path for path, _ in found.files)
    assert len(finder.find(root, places=2).matches[0].places) == 2
    assert finder.find(root, exclude=["tests"]).matches[0].files == 3


def test_a_part_of_a_repository(make_repository, tmp_path):
    root = repository(make_repository, tmp_path, {"a/x.py": "import one\n", "b/x.py": "import two\n"})
    found = LineFinder([LineRule(IMPORTS, endings=(".py",))]).find(root, subtree="b")
    assert [(m.text, m.places) for m in found.matches] == [("two", [("x.py", 1)])]


def test_bytes_that_are_no_text_a_large_file_and_a_link(make_repository, tmp_path):
    root = repository(make_repository, tmp_path, {"a.py": "import os\n"})
    (root / "bad.py").write_bytes(b"\xff\xfe\nimport caf\xe9\nimport good\n")
    (root / "large.py").write_text("import large\n" + "#" * (1 << 20))
    (tmp_path / "outside.py").write_text("import outside\n")
    (root / "link.py").symlink_to(tmp_path / "outside.py")
    texts = {match.text for match in LineFinder([LineRule(IMPORTS, endings=(".py",))]).find(root).matches}
    assert texts == {"os", "caf", "good"}


@pytest.mark.parametrize("pattern", ["(", "import", r"(?=x)(y)"])
def test_a_pattern_that_cannot_be_used(pattern):
    with pytest.raises(ValueError, match="rule 0"):
        LineFinder([LineRule(pattern)])


def test_no_repository(tmp_path):
    with pytest.raises(NotARepository):
        LineFinder([]).find(tmp_path)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["import a", " import b", "x", "", "import a", "import"]), max_size=6), max_size=4
    )
)
def test_against_a_plain_reference(make_repository_in_session, tmp_path_factory, files):
    root = make_repository_in_session(
        tmp_path_factory.mktemp("find"), {f"f{n}.py": "\n".join(lines) for n, lines in enumerate(files)}
    )
    expected: dict[str, list[tuple[str, int]]] = {}
    for n, lines in enumerate(files):
        for number, line in enumerate(lines, start=1):
            match = re.match(IMPORTS, line)
            if match and (not expected.get(match[1]) or expected[match[1]][-1][0] != f"f{n}.py"):
                expected.setdefault(match[1], []).append((f"f{n}.py", number))
    found = LineFinder([LineRule(IMPORTS, endings=(".py",))]).find(root, places=99)
    assert {match.text: match.places for match in found.matches} == expected


def test_a_segment_is_intact_until_a_byte_changes(make_repository, tmp_path):
    root = repository(make_repository, tmp_path, {"a.md": "# Title\n\nText.\n"})
    path = tmp_path / build(root, directory=tmp_path).segment
    assert intact(path)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.chmod(0o600)
    path.write_bytes(data)
    assert not intact(path)
    path.unlink()
    with pytest.raises(OSError):
        intact(path)
