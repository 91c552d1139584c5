"""What pages say of each other and of the tree holds: paths, indexes, citations of sections and of complaints."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOP = ("packages/", "crates/", "docs/", "benchmarks/", "scripts/", "tests/", "plugins/")
NAME = re.compile(r"`([\w./-]+/|[\w./-]+\.(?:py|rs|toml|md|json|html))`")
SOURCES = sorted(
    path
    for folder in ("packages", "crates", "benchmarks", "scripts", "tests")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".rs", ".pyi", ".toml", ".md"} and "sources" not in path.parts and path != Path(__file__)
)


def headings(page: Path) -> list[str]:
    """Returns the headings of a page."""
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    return [heading.strip() for heading in re.findall(r"(?m)^#+ (.+)$", text)]


def test_the_index_of_decisions_lists_each_once():
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(path.name for path in folder.glob("[0-9]*.md"))


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md")), ids=lambda page: page.name)
def test_a_decision_says_when_why_what_and_what_was_measured(page):
    text = page.read_text(encoding="utf-8")
    assert re.match(rf"# {page.name[:4]}: \S", text)
    assert re.search(r"(?m)^\d{4}-\d\d-\d\d, (accepted|superseded by \[\d{4}\]\(\S+\))", text)
    assert re.findall(r"(?m)^\*\*(\w+)\.\*\*", text) == ["Context", "Decision", "Measured", "Consequences"]


def test_the_index_of_results_lists_every_page():
    folder = ROOT / "benchmarks" / "results"
    listed = re.findall(r"\]\((\w+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(path.name for path in folder.glob("*.md") if path.name != "README.md")


def test_the_glossary_is_in_alphabetical_order():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"(?m)^\| ([^|]+?) \|", page)[1:]
    assert len(words) > 40
    assert words == sorted(words, key=str.lower)


def test_sources_cite_sections_of_the_science_that_are_there():
    sections = set(headings(ROOT / "docs" / "science.md"))
    cited = set()
    for path in SOURCES:
        cited |= set(re.findall(r"docs/science\.md[,\s(]+([A-Z][a-z]+(?: [a-z]+)*)", path.read_text(encoding="utf-8")))
    assert {"Routing", "Retrieval"} <= cited
    assert cited <= sections


def test_tests_cite_complaints_that_are_listed():
    page = (ROOT / "docs" / "field-complaints.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"(?m)^(\d+)\. ", page))
    cited = set()
    for path in SOURCES:
        for numbers in re.findall(r"FIELD ((?:\d+(?:, |-| and )?)+)", path.read_text(encoding="utf-8")):
            cited |= set(re.findall(r"\d+", numbers))
    assert len(cited) > 50
    assert cited <= listed


def test_nothing_cites_a_document_that_is_not_in_the_tree():
    outside = re.compile(r"\b(?:SCIENCE|DESIGN|HOUSE|STYLE|RESULTS)(?:\.md\b| \d)")
    assert [str(path.relative_to(ROOT)) for path in SOURCES if outside.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("crate", sorted(path.parent.parent.name for path in ROOT.glob("crates/*/src/lib.rs")))
def test_a_crate_opens_with_what_it_is_for(crate):
    """And, unless it is a binding that only Python can call, with an example that `cargo test` runs."""
    lines = (ROOT / "crates" / crate / "src" / "lib.rs").read_text(encoding="utf-8").splitlines()
    opening = list(itertools.takewhile(lambda line: line.startswith("//!"), lines))
    assert opening
    assert "//! ```" in opening or crate.endswith("-py")


def paths_of_the_map() -> list[tuple[str, Path]]:
    """Returns every path that ARCHITECTURE.md names, with where it should be.

    A path that begins with a folder of the root is read from the root. In the table of a room, any other one is read
    from the folder in the room's heading.
    """
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("\n## On disk\n")[0]
    text = re.sub(r"(?ms)^```.*?^```$", "", text)
    found, room = [], ROOT
    for line in text.splitlines():
        if line.startswith("#"):
            room = ROOT
            for name in re.findall(r"`([^`]+)`", line):
                room = ROOT / name
                found.append((name, room))
            continue
        for name in NAME.findall(line):
            if "<" not in name:
                found.append((name, ROOT / name if name.startswith(TOP) or room is ROOT else room / name))
    return found


def test_the_map_names_only_what_is_there():
    paths = paths_of_the_map()
    assert len(paths) > 100
    assert [name for name, path in paths if not path.exists() and not (ROOT / name).exists()] == []


def test_the_map_has_a_room_for_every_crate_and_package():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {"/".join(name.split("/")[:2]) for line in re.findall(r"(?m)^### (.*)$", text) for name in line.split("`")}
    there = {path.parent for kind in ("crates/*/Cargo.toml", "packages/*/pyproject.toml") for path in ROOT.glob(kind)}
    assert {path.relative_to(ROOT).as_posix() for path in there} <= rooms


def test_the_map_names_every_file_of_the_rooms_that_it_lists():
    """A room with a table lists all of its files: who looks for one finds it, and a new one gets a place."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    missing = []
    for heading, body in re.findall(r"(?ms)^### `([^`]+)`\n(.*?)(?=^#)", text):
        room = ROOT / heading
        if "| file | what |" not in body or not room.is_dir():
            continue
        listed = {name.rstrip("/") for name in NAME.findall(body)}
        for path in room.iterdir():
            private = path.name in {"__init__.py", "__pycache__", "py.typed", "lib.rs", "error.rs", "_errors.py"}
            if not private and not path.name.startswith(("_kernel", ".")) and path.name not in listed:
                missing.append(f"{heading}/{path.name}")
    assert missing == []
