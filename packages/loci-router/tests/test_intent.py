"""Whether a question asks for what is, for what happened, or for a reason."""

from __future__ import annotations

import pytest

from loci.router import read


@pytest.mark.parametrize(
    ("question", "asks_for"),
    [
        ("Why was the cookie dropped?", "event"),
        ("When did we stop rotating keys?", "event"),
        ("which commit renamed the queue?", "event"),
        ("Why is the cookie signed with two keys?", "reason"),
        ("What is the rationale for two keys?", "reason"),
        ("Warum ist der Cookie doppelt signiert?", "reason"),
        ("¿Por qué se firma la cookie dos veces?", "reason"),
        ("为什么签名两次？", "reason"),
        ("なぜ二回署名するのですか", "reason"),
        ("pourquoi deux clés ?", "reason"),
        ("Where is the cookie signed?", "state"),
        ("What happens when a worker dies?", "state"),
        ("How does the session end when the cookie was lost?", "state"),
        ("", "state"),
    ],
)
def test_what_a_question_asks_for(question: str, asks_for: str) -> None:
    assert read(question).intent.asks_for == asks_for


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("when was the last release?", True),
        ("please tell me when was flask last released", True),
        ("wann war der letzte Release?", True),
        ("¿cuándo salió la última versión?", True),
        ("最新版本是什么时候发布的？", True),
        ("what is in the last release?", False),
        ("what changed when the key was lost?", False),
    ],
)
def test_whether_a_question_asks_when(question: str, date: bool) -> None:
    assert read(question).intent.date is date
