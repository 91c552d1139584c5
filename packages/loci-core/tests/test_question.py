"""A question is read once, however many projects answer it."""

from __future__ import annotations

from collections import Counter

import pytest

from loci.core import Memory
from loci.router import Question, read
from loci.router.question import Part

SOURCE = {
    "counting.py": "def total_of(items):\n    return sum(items)\n\n\ndef report(items):\n    return total_of(items)\n"
}


@pytest.fixture
def memory(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "home")
    for name in ("shop", "desk", "barn"):
        files = {**SOURCE, "README.md": f"# {name}\n\nThe {name} counts items, in 2.3.4 twice.\n"}
        memory.add(make_repository(tmp_path / "work" / name, files, "Count items"))
    memory.index()
    return memory


@pytest.fixture
def readings(monkeypatch) -> Counter[str]:
    """How often each part of any question was read, and under "questions" how many there were."""
    counts: Counter[str] = Counter()
    begin = Question.__init__

    def counted_begin(question: Question, text: str) -> None:
        counts["questions"] += 1
        begin(question, text)

    monkeypatch.setattr(Question, "__init__", counted_begin)
    for name, part in vars(Question).items():
        if isinstance(part, Part):

            def counted(question, name=name, read_part=part._read):
                counts[name] += 1
                return read_part(question)

            monkeypatch.setattr(part, "_read", counted)
    return counts


def test_each_part_is_read_once_for_three_projects(memory, readings):
    answer = memory.ask("which of my projects count items in total_of as 2.3.4 does, and why?")
    assert [block.id for block in answer.scopes] == ["barn", "desk", "shop"]
    assert all(block.passages and block.symbols for block in answer.scopes)
    assert {"language", "evidence", "citations", "code_names", "symbol_relations", "chains", "intent"} <= set(readings)
    assert set(readings.values()) == {1}


def test_a_project_that_is_given_is_asked_the_same_question(memory, readings):
    answer = memory.ask("who calls total_of?", scope="desk")
    assert [symbol.name for symbol in answer.scopes[0].symbols][:2] == ["total_of", "report"]
    assert set(readings.values()) == {1}


def test_a_question_that_was_read_already_is_not_read_again(memory, readings):
    question = read("who calls total_of in the shop project?")
    route, answer = memory.route(question), memory.ask(question)
    assert [scope.id for scope in route.scopes] == [scope.id for scope in answer.scopes] == ["shop"]
    assert route.question == answer.question == question.text
    assert set(readings.values()) == {1}
