"""Answers as a person reads them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click import unstyle

from loci.cli._render import _block, answer_text, table, use_text
from loci.core import Answer, ScopeAnswer, Use
from loci.episodes import Passage, Place
from loci.router import Route, RoutedScope
from loci.structure import Symbol


def passage(text: str, **fields) -> Passage:
    given = {
        "kind": "document",
        "path": "README.md",
        "lines": (3, 9),
        "commit": None,
        "time": None,
        "heading": "",
        "symbol": "",
        "role": "docs",
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
        advice=(),
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


def test_a_line_of_a_call_is_named_with_its_file():
    symbols = (
        Symbol("pay", "function", "cart.py", 4),
        Symbol("total", "function", "prices.py", 1, "called_by", "pay", "import", site=5),
        Symbol("close", "function", "cart.py", 9, "calls", "pay", "exact", site=10),
        Symbol("log", "function", "log.py", 1, "called_by", "elsewhere", "exact", site=7),
    )
    block = ScopeAnswer("shop", "shop", Path("shop"), "a" * 40, "a" * 40, True, (), symbols)
    lines = [line.strip() for line in unstyle(_block(block)).splitlines()[2:]]
    assert lines == [
        "cart.py:4  function pay",
        "prices.py:1  function total  called_by pay at cart.py:5 (import)",
        "cart.py:9  function close  calls pay at line 10 (exact)",
        "log.py:1  function log  called_by elsewhere at line 7 of the file of elsewhere (exact)",
    ]


def test_a_mention_that_is_locked_only_was_brought_in_by_something_else():
    use = Use("shop", "ledger", "locked", "pypi", "ledger", (("uv.lock", 7),))
    assert unstyle(use_text(use)) == "uv.lock:7  ledger, in a lock file only: brought in by something else"
    block = ScopeAnswer(
        "shop", "shop", Path("shop"), None, None, True, uses=(replace(use, used="", kind="dependency"),)
    )
    assert unstyle(_block(block)).splitlines()[1] == "  uses ledger: uv.lock:7  dependency ledger"
