"""Questions that cite something by number: a version, an issue, a commit, a date, a port."""

from __future__ import annotations

import pytest
from sentences import said

from loci.core import Memory

CHANGES = """# Changelog

## 2.10.1 (2025-03-02)

- The relay signs its mail again, changed in #412.

## 2.10.0 (2025-02-01)

- Everything that changed here changed a lot: changed headers, changed bodies.

## 2.1.0 (2021-01-05)

- Bounced mail changed its way.
"""


@pytest.fixture
def relay(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "home")
    files = {"CHANGELOG.md": CHANGES, "relay.py": "PORT = 8443  # where the relay listens\n"}
    files |= {
        f"notes/{number}.md": f"# Note {number}\n\nWhat changed: changed mail, changed relay.\n" for number in range(20)
    }
    memory.add(make_repository(tmp_path / "relay", files, "Sign mail (#77)", "Bounce less"))
    memory.index()
    return memory


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What changed in 2.10.1?", "The relay signs its mail again"),
        ("What changed in relay v2.1.0?", "Bounced mail changed its way"),
        ("what was #412 about?", "The relay signs its mail again"),
        ("who listens on 8443?", "PORT = 8443"),
        ("why was PR 77 merged?", "Sign mail"),
        ("what happened on 2025-02-01?", "Everything that changed"),
    ],
)
def test_what_holds_the_literal_leads_the_answer(relay, question, first):
    """Of 69 questions for a version, two found its section among their first ten."""
    (block,) = relay.ask(question, scope="relay").scopes
    passage = block.passages[0]
    assert first in f"{passage.heading}\n{passage.text}", passage
    places = [(passage.path, passage.commit, passage.lines) for passage in block.passages]
    assert len(places) == len(set(places))


def test_a_commit_is_found_by_the_beginning_of_its_id(relay):
    (block,) = relay.ask("why was mail signed?", scope="relay").scopes
    commit = next(passage.commit for passage in block.passages if passage.commit)
    (block,) = relay.ask(f"what does commit {commit[:9]} do?", scope="relay").scopes
    assert block.passages[0].commit == commit


def test_a_part_of_a_version_is_all_that_begin_with_it(relay):
    (block,) = relay.ask("what changed in 2.10?", scope="relay").scopes
    assert ["2.10.1" in block.passages[0].heading, "2.10.0" in block.passages[1].heading] == [True, True]


def test_a_changelog_without_headings_comes_before_what_merely_names_the_version(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    files = {
        "release_notes.txt": "4.2.1:\n - Quicker\n\n4.2.0:\n - Slower\n",
        "README.md": "# Yak\n\nWhat changed with what changed? Install yak 4.2.1.\n",
    }
    memory.add(make_repository(tmp_path / "yak", files, "Release 4.2.1"))
    memory.index()
    (block,) = memory.ask("what changed in 4.2.1?", scope="yak").scopes
    assert block.passages[0].path == "release_notes.txt" and block.passages[0].text.startswith("4.2.1:\n - Quicker")
    (block,) = memory.ask("what changed in 4.2.0?", scope="yak").scopes
    assert (block.passages[0].text, block.passages[0].lines) == ("4.2.0:\n - Slower", (4, 5))


def test_a_newsletter_is_no_changelog_and_release_notes_are_one(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    files = {
        "docs/newsletter.md": "Hello all,\n\nwhat changed this month: we moved to 2.3.1 and had cake.\n",
        "docs/releases/notes.md": "2.3.1 parses dates twice as fast.\n",
        "README.md": "# Yak\n\nIt shaves.\n",
    }
    memory.add(make_repository(tmp_path / "yak", files, "Shave"))
    memory.index()
    (block,) = memory.ask("what changed in 2.3.1?", scope="yak").scopes
    assert block.passages[0].path == "docs/releases/notes.md"


def test_a_version_that_only_a_tag_names_is_its_commit(relay, tmp_path, git):
    git(tmp_path / "relay", "tag", "release-3.0.0", "HEAD~1")
    (block,) = relay.ask("what changed in 3.0?", scope="relay").scopes
    assert block.passages[0].commit and block.passages[0].heading.startswith("Sign mail")
    assert "nowhere" not in said(block)


def test_a_literal_that_stands_nowhere_is_told_so(relay):
    (block,) = relay.ask("what changed in 9.9.9?", scope="relay").scopes
    assert "9.9.9 does not occur in this project" in said(block)
    (block,) = relay.ask("what changed in the mail?", scope="relay").scopes
    assert "nowhere" not in said(block)
