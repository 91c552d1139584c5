"""What reading a question costs, counted in steps of its patterns: words that repeat must not make them run away."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from regex_steps import Matcher, TooManySteps

REPEATED = (("what is the ", "last"), ("the new and ", "release"), ("is ", "it"), ("what does ", "do"))


def test_words_that_repeat_cost_no_more_than_their_number() -> None:
    questions = [words * number + end for words, end in REPEATED for number in (6, 12)]
    program = Path(__file__).with_name("count_question_steps.py")
    done = subprocess.run([sys.executable, program, *questions], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    costs = json.loads(done.stdout)
    for few, many in zip(questions[::2], questions[1::2], strict=True):
        assert costs[few]["patterns"] > 50, "the patterns of a question are no longer noted"
        # Twice the words at twice as many places are four times the steps; a pattern that runs away doubles them with
        # every word.
        assert costs[many]["steps"] <= 4 * costs[few]["steps"], many


def test_the_counter_sees_what_runs_away() -> None:
    counts = {}
    for pattern in (r"a+b", r"(?:a+)+b"):
        matcher = Matcher(allowed=100_000)
        assert matcher.end(re.compile(pattern), "a" * 12, 0) is None
        counts[pattern] = matcher.steps
    assert counts[r"a+b"] < 40 and counts[r"(?:a+)+b"] > 2**12
    with pytest.raises(TooManySteps):
        Matcher(allowed=100_000).end(re.compile(r"(?:a+)+b"), "a" * 40, 0)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(?<![\w-])(?:is|are)\b(?! it)", "is it, are they-is are"),
        (r"(?P<a>[ab])+?(?P=a)c?", "aabbc abba"),
        (r"^\s*(?i:What)[^\d_]{2,4}$", " WHAT is\n"),
        (r"(?m)^x.$|\Z", "xy\nx\nxz"),
        (r"[^\W\d]*?\B\d{2,}", "ab12 3 c456"),
        (r"(?s)a.?b|(?:)", "a\nb ab"),
    ],
)
def test_the_counter_matches_as_the_engine_does(pattern: str, text: str) -> None:
    compiled = re.compile(pattern)
    assert Matcher().spans(compiled, text) == [match.span() for match in compiled.finditer(text)]
