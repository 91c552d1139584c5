"""Answers as a person reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from loci.cli._render import answer_text, table
from loci.core import Answer, ScopeAnswer
from loci.episodes import Passage, Place
from loci.router import Route, RoutedScope


def passage(text: str, **fields) -> Passage:
    given = {
        "kind": "document",
        "path": "README.md",
        "lines": (3, 9),
        "commit": None,
        "time": None,
        "heading": "",
        "symbol": "",
        "aisle": "docs",
        "score": 1.0,
        "stale": False,
    }
    return Passage(text=text, **(given | fields))


def shown(*passages: Passage) -> str:
    routed = RoutedScope(id="jar", name="jar", score=0.0, confidence=1.0, signals={}, terms=[])
    route = Route(
        question="q",
        abstained=False,
        reason=None,
        mode="single",
        confidence=1.0,
        scopes=[routed],
        candidates=[],
        advice="",
    )
    return answer_text(Answer(route, (ScopeAnswer("jar", "jar", Path("jar"), "a" * 40, "a" * 40, True, passages),)))


def test_what_was_left_out_is_cited_in_one_line():
    text = shown(
        passage("Keeps cookies."),
        passage("", path="jar.py", lines=(7, 7)),
        passage("", kind="commit", path="", lines=(0, 0), commit="b" * 40, heading="Drop cookies"),
    )
    assert text.splitlines()[-1] == "  and 2 more: jar.py:7, commit bbbbbbbbbb"
    assert text.count("jar.py") == 1 and "README.md:3-9" in text


@pytest.mark.parametrize("cut", ["Drop cookies of\n\nThe body.", "Drop cookies of", "Drop cookies\n\nThe body.", "of"])
def test_the_subject_of_a_commit_is_shown_once(cut):
    commit = passage(cut, kind="commit", path="", lines=(0, 0), commit="b" * 40, heading="Drop  cookies of")
    text = shown(commit)
    assert text.count("Drop") == 1
    assert ("The body." in text) == ("The body." in cut)


def test_columns_stay_aligned_with_wide_characters():
    lines = table([("認証", "x"), ("api", "y")]).splitlines()
    assert lines == ["認証  x", "api   y"]


def test_a_citation_says_where_else_the_text_stands():
    others = (Place("copy0.md", (3, 9)), Place("copy1.md", (3, 9)), Place("", (0, 0), "c" * 40))
    text = shown(passage("Keeps cookies.", also_at=others))
    assert "  also at copy0.md:3-9, copy1.md:3-9, commit cccccccccc\n" in text
    more = shown(passage("Keeps cookies.", also_at=(*others, *others)))
    assert "commit cccccccccc and 3 more\n" in more
