import json

import pytest

from loci.eval import Evidence, QuestionsError, check_scopes, load_questions, parse_questions

GOOD = {
    "id": "q1",
    "family": "behavior",
    "question": "Why is the cookie dropped?",
    "scopes": ["billing"],
    "evidence": [{"path": "src/cookie.py", "symbol": "drop"}],
}


def line(**changes):
    return json.dumps({**GOOD, **changes})


def test_a_question_in_one_scope_lends_it_to_its_evidence():
    commit = "0123456789abcdef0123456789abcdef01234567"
    (question,) = parse_questions([line(evidence=[{"path": "a.py"}, {"commit": commit}])])
    assert question.evidence == (Evidence("billing", "path", "a.py"), Evidence("billing", "commit", commit))
    assert question.answerable
    assert question.line == 1


def test_no_scopes_means_abstain():
    (question,) = parse_questions([line(scopes=[], evidence=[], kind="invented feature")])
    assert not question.answerable
    assert question.invented


def test_an_answerable_question_is_not_invented():
    (question,) = parse_questions([line(kind="invented feature")])
    assert not question.invented


def test_a_file_may_have_blank_lines_a_byte_order_mark_and_any_script(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + line(question="消息队列？").encode() + b"\r\n\n" + line(id="q2").encode())
    questions = load_questions(path)
    assert [(q.id, q.line) for q in questions] == [("q1", 1), ("q2", 3)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "must be a JSON object"),
        (line(id=""), '"id" must be a non-empty string'),
        (line(question=3), '"question" must be a non-empty string'),
        (line(scopes="billing"), '"scopes" must be a list of strings'),
        (line(scopes=["billing", "billing"]), "names a scope twice"),
        (line(cwd_ok="yes"), '"cwd_ok" must be true or false'),
        (line(evidence={}), '"evidence" must be a list'),
        (line(evidence=[{"path": "a"}, {"symbol": "f"}]), 'evidence 2 needs a "path" or a "commit"'),
        (line(evidence=[{"path": "a", "commit": "b"}]), 'evidence 1 needs a "path" or a "commit"'),
        (line(evidence=[{"commit": "fb54159"}]), "40 hexadecimal digits"),
        (line(evidence=[{"path": "a", "scope": "search"}]), 'stands in "search"'),
        (line(scopes=["a", "b"]), 'must name its "scope"'),
    ],
)
def test_a_bad_line_is_named_by_its_number(text, message):
    with pytest.raises(QuestionsError) as caught:
        parse_questions([line(id="fine"), "", text], name="q.jsonl")
    assert str(caught.value).startswith("q.jsonl:3: ")
    assert message in str(caught.value)


def test_a_line_that_is_no_utf8_is_named():
    with pytest.raises(QuestionsError, match="q:2: not UTF-8"):
        parse_questions([line().encode(), b'{"id": "\xff"}'], name="q")


def test_all_bad_lines_are_named_at_once():
    with pytest.raises(QuestionsError) as caught:
        parse_questions(["{", line(), "[]"], name="q")
    assert [part.split(": ")[0] for part in str(caught.value).splitlines()] == ["q:1", "q:3"]


def test_very_many_bad_lines_are_counted():
    with pytest.raises(QuestionsError, match="and 5 more"):
        parse_questions(["{"] * 25)


def test_an_id_used_twice_names_both_lines():
    with pytest.raises(QuestionsError, match=r'q:3: id "q1" is already used on line 1'):
        parse_questions([line(), line(id="q2"), line()], name="q")


def test_an_empty_file_and_a_missing_one(tmp_path):
    with pytest.raises(QuestionsError, match="holds no question"):
        parse_questions(["", " "])
    with pytest.raises(QuestionsError, match="cannot read the questions"):
        load_questions(tmp_path / "none.jsonl")


def test_a_scope_outside_the_corpus_is_named_with_near_names():
    questions = parse_questions([line(), line(id="q2", scopes=["serch"])])
    check_scopes(questions, {"billing", "serch"})
    with pytest.raises(QuestionsError) as caught:
        check_scopes(questions, {"billing", "search"}, name="q")
    assert str(caught.value) == 'q:2: q2 needs the scope "serch", which is not in the corpus (did you mean search?)'
