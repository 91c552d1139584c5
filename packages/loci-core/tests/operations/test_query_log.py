"""Questions are kept on request only, without secrets, and never without bound."""

from __future__ import annotations

import os
import stat

import pytest

from loci.core import Memory, QueryLog
from loci.core.operations import query_log
from loci.router import Route, RoutedScope

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def route(question: str, *scopes: str, reason=None) -> Route:
    found = [RoutedScope(scope, scope, 1.0, 0.9) for scope in scopes]
    return Route(question, not found, reason, "single", 0.9, found, [], ())


@pytest.fixture
def log(tmp_path) -> QueryLog:
    return QueryLog(Memory.open(tmp_path / "home").home)


def test_nothing_is_kept_unless_it_is_switched_on(log):
    log.add(route("why?", "billing"))
    assert not log.is_on
    assert log.read() == []
    assert not log.path.parent.exists()


def test_a_kept_question_says_where_it_went(log):
    log.switch_on()
    log.add(route("when is a refund booked?", "billing"), given="billing", here="search")
    log.add(route("how do I deploy this?", reason="deictic"))
    first, second = log.read()
    assert (first.question, first.scopes, first.given, first.here) == (
        "when is a refund booked?",
        ("billing",),
        "billing",
        "search",
    )
    assert not first.abstained
    assert (second.scopes, second.reason, second.abstained) == ((), "deictic", True)


def test_switching_on_again_keeps_what_there_is(log):
    log.switch_on()
    log.add(route("one?", "billing"))
    log.switch_on()
    assert len(log.read()) == 1


def test_switching_off_deletes_everything(log):
    log.switch_on()
    log.add(route("one?", "billing"))
    assert log.switch_off() == 1
    assert (log.is_on, log.path.exists(), log.read()) == (False, False, [])
    assert log.switch_off() == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_the_file_is_the_persons_own(log):
    log.switch_on()
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


def test_secrets_are_replaced(log):
    log.switch_on()
    log.add(route(f"why is {SECRET} refused?", "billing"))
    log.add(route("x " * query_log.LONGEST + SECRET, "billing"))
    # Cut in the middle of the secret: it has to be replaced before anything is cut.
    log.add(route("y" * (query_log.LONGEST - 10) + " " + SECRET, "billing"))
    kept = log.path.read_text(encoding="utf-8")
    assert "[REDACTED:" in log.read()[0].question
    assert SECRET[:8] not in kept
    assert max(len(asked.question) for asked in log.read()) == query_log.LONGEST


def test_the_oldest_are_dropped(log, monkeypatch):
    monkeypatch.setattr(query_log, "LARGEST", 4_000)
    monkeypatch.setattr(query_log, "KEPT", 10)
    log.switch_on()
    for number in range(100):
        log.add(route(f"question {number}?", "billing"))
    kept = [asked.question for asked in log.read()]
    assert log.path.stat().st_size <= 4_200
    assert kept == [f"question {number}?" for number in range(100 - len(kept), 100)]
    assert len(kept) >= 10
    assert [path.name for path in log.path.parent.iterdir() if path.name.endswith(".tmp")] == []


def test_few_long_questions_are_dropped_too(log, monkeypatch):
    monkeypatch.setattr(query_log, "LARGEST", 4_000)
    log.switch_on()
    for number in range(20):
        log.add(route(f"{number} " + "z" * 900, "billing"))
    assert log.path.stat().st_size <= 5_000
    assert log.read()[-1].question.startswith("19 ")


def test_a_line_that_was_cut_short_is_left_out(log):
    log.switch_on()
    log.add(route("one?", "billing"))
    with log.path.open("ab") as file:
        file.write(b'{"time": 1, "question": "half\n[]\n{"time": null}\n')
    log.add(route("two?", "billing"))
    assert [asked.question for asked in log.read()] == ["one?", "two?"]


def test_letters_of_any_script_survive(log):
    log.switch_on()
    log.add(route("退款 \ud800 ü?", "billing"))
    (asked,) = log.read()
    assert asked.question.startswith("退款 ") and asked.question.endswith(" ü?")


def test_a_file_that_cannot_be_written_does_not_stop_the_question(log, monkeypatch):
    log.switch_on()

    def refuse(*_arguments):
        raise PermissionError("no")

    monkeypatch.setattr(os, "write", refuse)
    log.add(route("one?", "billing"))
    monkeypatch.undo()
    assert log.read() == []


def test_memory_keeps_what_a_face_hands_it(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    billing = make_repository(tmp_path / "billing", {"README.md": "# Billing\n\nRefunds reverse the charge.\n"})
    memory.add(billing)
    memory.index()
    found = memory.route("what do refunds reverse?")
    memory.keep_question(found)
    assert QueryLog(memory.home).read() == []
    QueryLog(memory.home).switch_on()
    assert QueryLog(memory.home).read() == []  # asking alone keeps nothing
    memory.route("what do refunds reverse?")
    memory.keep_question(found, cwd=billing, scope="Billing")
    memory.keep_question(found, cwd=tmp_path / "nowhere", scope="nobody")
    first, second = QueryLog(memory.home).read()
    assert (first.given, first.here) == ("billing", "billing")
    assert (second.given, second.here) == (None, None)
