"""--batch: one JSON object per line in, one per line out, in order, whatever a line holds."""

from __future__ import annotations

import json

import pytest

REFUND = "how is a refund booked against its invoice?"


def lines_of(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def as_lines(*requests):
    return "".join(json.dumps(request) + "\n" for request in requests)


@pytest.mark.parametrize("command", ["route", "ask"])
def test_every_line_is_answered_in_order(shared_world, command, tmp_path):
    requests = [
        {"id": "one", "question": REFUND},
        {"id": 2, "question": "why does this fail?"},
        {"id": None, "question": "how are documents ranked by relevance?"},
        {"question": "why does this drop a cookie?", "cwd": str(shared_world.work / "cookiejar")},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\ufeff" + as_lines(*requests) + "\n", encoding="utf-8")
    result = shared_world.run(command, "--batch", str(file), "--no-cwd")
    assert result.exit_code == 0, result.output
    answers = lines_of(result)
    assert [answer["id"] for answer in answers] == ["one", 2, None, None]
    assert [answer["question"] for answer in answers] == [request["question"] for request in requests]
    assert [[scope["id"] for scope in answer["scopes"]] for answer in answers] == [
        ["billing"],
        [],
        ["search"],
        ["cookiejar"],
    ]


def test_a_line_is_the_same_object_as_a_single_question(shared_world):
    single = shared_world.json("ask", REFUND, "--no-cwd", "--json")
    (batch,) = lines_of(
        shared_world.run("ask", "--batch", "-", "--no-cwd", input=as_lines({"id": 1, "question": REFUND}))
    )
    assert batch == {"id": 1, **single}


def test_a_scope_of_its_own(shared_world):
    requests = as_lines({"id": 1, "question": REFUND, "scope": "search"}, {"id": 2, "question": REFUND})
    answers = lines_of(shared_world.run("ask", "--batch", "-", "--scope", "cookiejar", input=requests))
    assert [[scope["id"] for scope in answer["scopes"]] for answer in answers] == [["search"], ["cookiejar"]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "line 2 is no JSON"),
        ("[1, 2]", "line 2 must be a JSON object"),
        ('{"id": 7}', "line 2 has no question"),
        ('{"id": 7, "question": 5}', "'question' must be text"),
        ('{"id": 7, "question": "  "}', "the question is empty"),
        ('{"id": 7, "question": "refund", "scope": "nope"}', "no project is called 'nope'"),
        ('{"id": 7, "question": "refund", "group": "nope"}', "no group is called 'nope'"),
        ('{"id": 7, "question": "refund", "cwd": "/nowhere/at/all"}', "/nowhere/at/all is no directory"),
        ('{"question": "refund", "cwd": "file:///nowhere/at/all"}', "/nowhere/at/all is no directory"),
        ("\ud800".encode("utf-8", "surrogatepass"), "line 2 is no JSON"),
    ],
)
def test_a_bad_line_gets_an_error_in_its_place(shared_world, line, message):
    good = json.dumps({"id": 1, "question": REFUND}).encode()
    raw = line if isinstance(line, bytes) else line.encode()
    result = shared_world.run("ask", "--batch", "-", "--no-cwd", input=b"\n".join([good, raw, good]))
    assert result.exit_code == 2
    first, bad, last = lines_of(result)
    assert first == last and first["scopes"][0]["id"] == "billing"
    assert message in bad["error"]["message"]
    assert bad["id"] == (7 if b'"id": 7' in raw else None)


def test_a_route_to_a_given_scope_decides_nothing(shared_world):
    result = shared_world.run("route", "--batch", "-", input=as_lines({"id": 1, "question": REFUND, "scope": "search"}))
    (route,) = lines_of(result)
    assert result.exit_code == 0
    assert [scope["id"] for scope in route["scopes"]] == ["search"]
    assert route["scopes"][0]["signals"] == {"explicit": 1.0}


def test_keys_that_are_the_callers_own_are_passed_over(shared_world):
    question = {"id": 1, "question": REFUND}
    extended = {**question, "family": "behavior", "scopes": ["billing"], "evidence": []}
    plain, annotated = lines_of(shared_world.run("ask", "--batch", "-", "--no-cwd", input=as_lines(question, extended)))
    assert plain == annotated


def test_a_question_and_a_batch(shared_world):
    result = shared_world.run("ask", REFUND, "--batch", "-", input="")
    assert result.exit_code == 2 and "not both" in result.stderr


def test_an_empty_batch(shared_world):
    result = shared_world.run("ask", "--batch", "-", input="\n\n")
    assert result.exit_code == 0 and result.stdout == ""


def test_without_an_index_a_batch_ends_at_once(fresh):
    result = fresh.run("ask", "--batch", "-", input=as_lines({"id": 1, "question": REFUND}))
    assert result.exit_code == 1 and "no project is registered" in result.stderr


@pytest.mark.parametrize("command", ["ask", "route"])
def test_half_a_character_stops_nothing(shared_world, command):
    requests = '{"id": 1, "question": "\\ud800 how is a refund booked against its invoice?"}\n'
    result = shared_world.run(command, "--batch", "-", "--no-cwd", input=requests)
    assert result.exit_code == 0, result.output
    assert [scope["id"] for scope in lines_of(result)[0]["scopes"]] == ["billing"]


@pytest.mark.parametrize("command", ["route", "ask"])
def test_what_no_json_or_no_path_can_hold_spoils_only_its_line(shared_world, command):
    lines = [
        '{"id": NaN, "question": "x"}',
        '{"id": 1e999, "question": "x"}',
        json.dumps({"id": 3, "question": REFUND, "cwd": "a\0b"}),
        json.dumps({"id": 4, "question": REFUND, "cwd": "~nobody-of-that-name"}),
        json.dumps({"id": 5, "question": REFUND, "cwd": "x/" * 5000}),
        json.dumps({"id": 6, "question": "\ud800 " + REFUND}),
    ]
    result = shared_world.run(command, "--batch", "-", "--no-cwd", input="\n".join(lines) + "\n")
    answers = lines_of(result)
    assert result.exit_code == 2
    assert ["error" in answer for answer in answers] == [True] * 5 + [False]
    assert [answer["id"] for answer in answers] == [None, None, 3, 4, 5, 6]
