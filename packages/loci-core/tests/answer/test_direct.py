"""What a question asks for by what it is: the opening of a README, wherever it begins."""

from __future__ import annotations

import pytest
from sentences import said

from loci.core import Memory
from loci.core.answer.direct import opening
from loci.episodes import Passage

LEDGER_README = """\
<p align="center">
  <img src="logo.svg" alt="ledger">
  <a href="https://example.org/ci"><img src="badge.svg" alt="Build"></a>
</p>

[![build](https://example.org/build.svg)](https://example.org) [![docs](https://example.org/docs.svg)](https://example.org)

> Sponsored by the good people of Example

# Ledger

Money, **tamed for good**

Ledger is a tool that books invoices, and
never loses a cent.

It speaks three currencies.

## Installation

This project needs nothing but a shell: what you do to install it is described here.
"""
LEDGER = {"README.md": LEDGER_README, "README.de.md": "# Ledger\n\nLedger bucht Rechnungen, immer und überall.\n"}
SEARCH = {
    "pyproject.toml": '[project]\nname = "search"\nversion = "1.0"\ndescription = "Ranks documents by relevance"\n',
    "search.py": "def rank(project):\n    '''What a project does to be ranked.'''\n",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory, make_repository_in_session) -> Memory:
    place = tmp_path_factory.mktemp("lead")
    memory = Memory.open(place / "home")
    memory.add(make_repository_in_session(place / "work" / "ledger", LEDGER, "Book invoices"))
    memory.add(make_repository_in_session(place / "work" / "search", SEARCH, "Rank documents"))
    memory.index()
    return memory


def at(memory: Memory, project: str):
    return memory.home.directory.parent / "work" / project


def first(answer):
    (block,) = answer.scopes
    return block.passages[0]


@pytest.mark.parametrize("question", ["what does ledger do?", "what is ledger?", "give me an overview of ledger"])
def test_what_a_project_is_stands_in_the_opening_of_its_readme(memory, question):
    passage = first(memory.ask(question))
    assert (passage.path, passage.lines) == ("README.md", (14, 17))
    assert passage.text.startswith("Ledger is a tool that books invoices, and\nnever loses a cent.")
    assert not passage.stale


def test_the_readme_of_the_project_around_the_directory_answers_what_it_is(memory):
    passage = first(memory.ask("what does this project do?", cwd=at(memory, "ledger")))
    assert passage.path == "README.md" and "books invoices" in passage.text
    # Words alone would have taken the section that says "this project" and "do".
    assert "needs nothing" not in passage.text


def test_without_a_readme_the_manifest_says_it(memory):
    passage = first(memory.ask("what does this project do?", cwd=at(memory, "search")))
    assert (passage.path, passage.lines) == ("pyproject.toml", (4, 4))
    assert passage.text == 'description = "Ranks documents by relevance"'


def test_a_given_project_is_meant_where_the_question_points_or_names_it(memory):
    assert first(memory.ask("what does this do?", scope="ledger")).path == "README.md"
    assert first(memory.ask("what is ledger?", scope="ledger")).lines == (14, 17)
    block = memory.ask("what is search?", scope="ledger").scopes[0]
    assert all(passage.lines != (14, 17) for passage in block.passages)


def test_the_opening_is_shown_once(memory):
    (block,) = memory.ask("what is ledger?").scopes
    assert len([p for p in block.passages if p.path == "README.md" and p.lines[0] <= 14 <= p.lines[1]]) == 1


def test_a_question_for_something_of_its_own_is_answered_by_words(memory):
    passage = first(memory.ask("what does ledger do about installation in a shell?"))
    assert "needs nothing but a shell" in passage.text


def test_an_opening_that_moved_is_cited_where_it_stands_now(memory):
    file = at(memory, "ledger") / "README.md"
    text = file.read_text()
    file.write_text("one more line\n\n" + text)
    passage = first(memory.ask("what is ledger?", refresh=0))
    assert passage.lines == (16, 19) and not passage.stale
    file.write_text("# Nothing of it is left\n")
    assert first(memory.ask("what is ledger?", refresh=0)).stale
    file.write_text(text)
    assert not first(memory.ask("what is ledger?", refresh=0)).stale


def passage_of(text: str, heading: str = "") -> Passage:
    return Passage("document", "README.md", (1, text.count("\n") + 1), None, heading, "", "docs", text, 0.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ledger\n======\n\nBooks all the invoices of a shop.", (4, 4)),
        (".. image:: logo.png\n   :alt: Ledger of the shop\n\nBooks all the invoices of a shop.", (4, 4)),
        ("<!-- Books nothing at all here -->\n\nBooks all the invoices of a shop.", (3, 3)),
        ("```sh\nledger books all the invoices now\n```\n\nBooks all the invoices of a shop.", (5, 5)),
        ("[Home](a) | [Docs](b) | [All the other pages](c)\n\nBooks all the invoices of a shop.", (3, 3)),
        ("This document is only a start.\n\nBooks all the invoices of a shop.", (3, 3)),
        ("帳簿はすべての請求書を記録するツールです。", (1, 1)),
    ],
)
def test_prose_begins_behind_what_decorates_it(text, expected):
    found = opening(passage_of(text))
    assert found is not None and found.lines == expected


def test_no_opening_in_badges_or_in_a_section_beside_the_matter():
    assert opening(passage_of("[![a](b)](c) [![d](e)](f)\n\n# Ledger")) is None
    assert opening(passage_of("Our sponsors are the very best of all.", "Ledger > Sponsors")) is None


# -- the newest -------------------------------------------------------------------------------------------------------

CHANGELOG = """\
# Changelog

## Unreleased

- Invoices may be blue.

## 2.10.0 - 2024-03-01

- Invoices are numbered.

### Fixed

- No cent is lost.

## 2.9.0 - 2023-01-01

- The last release of the old kind: a release is released by release.
"""


@pytest.fixture
def history(tmp_path, make_repository, git) -> Memory:
    root = make_repository(tmp_path / "work" / "ledger", {"CHANGELOG.md": CHANGELOG}, "Begin")

    def commit(subject: str, date: str) -> None:
        git(root, "commit", "-q", "--allow-empty", "--date", f"{date}T12:00:00+00:00", "-m", subject)

    commit("Describe how a release is released", "2023-02-01")
    commit("Release 2.10.0", "2024-03-01")
    git(root, "tag", "-a", "v2.10.0", "-m", "2.10.0")
    commit("Write invoices in blue", "2024-04-20")
    commit("Merge pull request #7 from ada/blue", "2024-04-21")
    # Written long ago, and merged last.
    commit("Explain the latest commits", "2022-01-01")
    memory = Memory.open(tmp_path / "home")
    memory.add(root)
    memory.add(make_repository(tmp_path / "work" / "search", SEARCH, "Rank the newest release by the last commit"))
    memory.index()
    return memory


def shown(answer) -> list[str]:
    (block,) = answer.scopes
    return [passage.heading if passage.commit else f"{passage.path}:{passage.lines[0]}" for passage in block.passages]


def test_the_newest_release_is_the_newest_section_and_its_commit(history):
    answer = history.ask("what changed in the last release of ledger?")
    assert shown(answer) == ["CHANGELOG.md:7", "CHANGELOG.md:11", "CHANGELOG.md:1", "Release 2.10.0"]
    (block,) = answer.scopes
    assert block.passages[0].text == "## 2.10.0 - 2024-03-01\n\n- Invoices are numbered."
    commit = block.passages[-1].commit
    assert said(block) == f"newest tag: v2.10.0, at commit {commit[:10]} of 2024-03-01"


def test_when_it_was_is_told_by_the_commit_first(history, tmp_path):
    assert shown(history.ask("when was the last release of ledger?"))[0] == "Release 2.10.0"
    assert shown(history.ask("when was the last release?", cwd=tmp_path / "work" / "ledger"))[0] == "Release 2.10.0"
    assert shown(history.ask("when was the last release?", scope="ledger"))[0] == "Release 2.10.0"


def test_a_changelog_that_was_forgotten_is_no_newest_release(history, tmp_path, git):
    root = tmp_path / "work" / "ledger"
    git(root, "commit", "-q", "--allow-empty", "--date", "2024-06-01T12:00:00+00:00", "-m", "Ship it")
    git(root, "tag", "v3.0.0")
    history.index()
    answer = history.ask("what is new in ledger?")
    assert shown(answer)[0] == "Ship it" and said(answer.scopes[0]).startswith("newest tag: v3.0.0")


def test_the_newest_commits_go_by_their_author_time(history):
    commits = ["Write invoices in blue", "Release 2.10.0", "Describe how a release is released"]
    assert shown(history.ask("what has changed in ledger lately?", k=2)) == ["Begin", *commits[:1]]
    assert shown(history.ask("show me the last 4 commits of ledger")) == ["Begin", *commits]


def test_without_a_changelog_or_releases_the_words_answer(history):
    answer = history.ask("what is the latest version of search?")
    assert answer.scopes[0].id == "search" and said(answer.scopes[0]) == ""


def section(text: str):
    from loci.core.answer.direct import _section_of

    passages = []
    for part in text.strip().split("\n\n"):
        heading = part.split("\n")[0].lstrip("# ") if part.startswith("#") else ""
        passages.append((len(passages), passage_of(part, heading)))
    return _section_of(passages)


def test_sections_of_changelogs_in_every_order():
    assert section("# 1.10\n- a\n\n# 1.9\n- b") == ((1, 10), [0])
    assert section("# 1.9\n- b\n\n# 1.10\n- a") == ((1, 10), [1])
    assert section("# Version 3.0\nUnreleased\n- a\n\n# Version 2.1\n- b")[0] == (2, 1)
    assert section("# HEAD\n- a\n\n# 4.4.1 / 2025-01-29\n- b") == ((4, 4, 1), [1, 0])
    assert section("CHANGES FROM 3.6 TO 3.7\n* a") == ((3, 7), [0])
    assert section("What happened\n\nThis and that") == ((), [])
