"""A question as a value: immutable, read part by part, each part once."""

from __future__ import annotations

import json
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from loci.router import Question, read
from loci.router.question import Part

LOG = "a line of a log\n" * 1_000
ASKED = "Use loci to tell me who calls Session.close in flask 3.0, and why #12 dropped it."


def test_a_question_shows_what_was_understood():
    assert read(ASKED).to_json() == {
        "text": ASKED,
        "language": "en",
        "evidence": "who calls Session.close in flask 3.0, and why #12 dropped it.",
        "instrument": {"kind": "instrument", "text": "use loci to tell me", "span": [0, 19]},
        "enumeration": None,
        "deixis": [],
        "project_relations": [],
        "request": None,
        "code_names": [{"name": "Session.close", "span": [30, 43], "joined": True}],
        "symbol_relations": [{"name": "Session.close", "relation": "callers", "span": [30, 43], "sure": True}],
        "asked_relations": ["callers"],
        "chains": [],
        "citations": [
            {"kind": "version", "text": "3.0", "spellings": ["3.0"], "span": [53, 56]},
            {
                "kind": "reference",
                "text": "#12",
                "spellings": ["#12", "GH-12", "issues/12", "pull/12", "issue 12", "bug 12", "ticket 12"],
                "span": [66, 69],
            },
        ],
        "intent": {"asks_for": "reason", "date": False},
    }


def test_a_description_has_a_line_for_each_part_and_keeps_to_its_width():
    assert read(ASKED).describe() == (
        "language       English\n"
        "asks for       a reason\n"
        "instrument     use loci to tell me\n"
        "callers        Session.close\n"
        "names of code  Session.close\n"
        "cites          version 3.0, reference #12\n"
        "evidence       who calls Session.close in flask 3.0, and why #12 dropped it."
    )
    assert read("你好" * 60).describe(40).splitlines()[-1] == "evidence  你好你好你好你好你好你好你 ..."
    assert read("").describe().splitlines()[-1] == "evidence  no words"


def test_a_question_is_its_text():
    question = read(ASKED)
    assert read(question) is question
    assert question == read(ASKED) != read("who calls it?") and question != ASKED
    assert len({question, read(ASKED)}) == 1
    assert pickle.loads(pickle.dumps(question)).to_json() == question.to_json()
    assert repr(question) == f"<Question {ASKED!r}>"
    assert len(repr(read("x" * 5_000))) < 250


@pytest.mark.parametrize("name", ["text", "language", "citations", "enumeration", "colour"])
def test_a_question_cannot_be_changed(name):
    with pytest.raises(AttributeError):
        setattr(read(ASKED), name, "changed")


def test_a_part_is_read_once_whatever_the_threads(monkeypatch):
    readings, inside, over = [], threading.Event(), threading.Event()
    part = vars(Question)["citations"]
    assert isinstance(part, Part)

    def slow(question: Question) -> tuple[str, ...]:
        readings.append(question.text)
        inside.set()
        assert over.wait(30)
        return ("3.0",)

    monkeypatch.setattr(part, "_read", slow)
    question = read(ASKED)
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(lambda: question.citations)
        assert inside.wait(30)
        others = [pool.submit(lambda: question.citations) for _ in range(3)]
        over.set()
        assert {each.result(30) for each in [first, *others]} == {("3.0",)}
    assert readings == [ASKED]


def test_spans_of_what_stands_behind_a_paste_are_those_of_the_question():
    question = read(f"who calls open_box?\n{LOG}and does close_box reach end_box in 2.32.5?")
    spans = [each.span for each in (*question.code_names, *question.symbol_relations, *question.citations)]
    words = {question.cut(span) for span in spans}
    assert words == {"open_box", "close_box", "end_box", "2.32.5"}
    assert json.loads(json.dumps(question.to_json()))["text"] == question.text
