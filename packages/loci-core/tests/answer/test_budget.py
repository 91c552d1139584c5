"""Cutting to a budget: verbatim, contiguous, never above it, and around what was asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loci.core.answer.budget import (
    LEAST_TOKENS,
    RESERVED_TOKENS,
    UNITS_PER_TOKEN,
    Asked,
    cost,
    cut,
    excerpt,
    share,
    tokens,
)

LINES = st.lists(st.text(st.characters(blacklist_characters="\n"), max_size=60), min_size=1, max_size=30)


@given(LINES, st.lists(st.sampled_from(["cookie", "session", "a", "設定"])), st.integers(0, 900))
def test_an_excerpt_is_verbatim_contiguous_and_within_its_limit(lines, words, limit):
    text = "\n".join(lines)
    piece = excerpt(text, Asked(" ".join(words), [text]), 0, limit)
    assert cost(piece.text) <= max(limit, 0)
    assert piece.text in text
    assert 0 <= piece.first <= piece.last < len(lines)
    if piece.text:
        if piece.first == piece.last:
            assert piece.text in lines[piece.first]
        else:
            assert piece.text.startswith(lines[piece.first])
            whole = "\n".join(lines[piece.first : piece.last + 1])
            assert whole.startswith(piece.text) and len(piece.text) >= len(whole) - len(lines[piece.last])
    assert piece.cut or piece.text == text


@given(st.lists(st.tuples(st.integers(0, 500), st.floats(0.01, 1)), max_size=12), st.integers(0, 2000))
def test_shares_stay_within_the_budget_and_waste_none_of_it(texts, budget):
    costs = [need for need, _ in texts]
    given_shares = share(costs, [weight for _, weight in texts], budget)
    assert sum(given_shares) <= budget or sum(costs) <= budget
    assert all(0 <= got <= need for got, need in zip(given_shares, costs, strict=True))
    # What is left over is less than one unit per text that still wants some.
    wanting = sum(got < need for got, need in zip(given_shares, costs, strict=True))
    assert sum(given_shares) >= min(budget, sum(costs)) - wanting


@given(st.lists(st.lists(st.text(max_size=300), max_size=5), max_size=4), st.integers(0, 300))
def test_every_citation_stays(texts, budget):
    pieces = cut(texts, "why is the cookie dropped?", budget)
    assert [len(block) for block in pieces] == [len(block) for block in texts]
    assert sum(cost(piece.text) for block in pieces for piece in block) <= budget * UNITS_PER_TOKEN


def test_the_excerpt_stands_around_the_question_words():
    lines = [f"line {number} says nothing" for number in range(40)]
    lines[25] = "the session cookie is dropped when the domain is an address"
    ((piece,),) = cut([["\n".join(lines)]], "Why was the cookie dropped?", 60)
    assert lines[25] in piece.text
    assert piece.first <= 25 <= piece.last


def test_other_forms_of_a_word_and_parts_of_a_name_count():
    text = "\n".join(["filler words here"] * 30 + ["def dropCookies(self):"] + ["filler words here"] * 30)
    ((piece,),) = cut([[text]], "why is a cookie dropped", 45)
    assert "dropCookies" in piece.text


def test_a_word_that_every_text_holds_does_not_decide():
    common = ["the app and the app"] * 60
    rare = [*common, "the signer rotates"]
    pieces = cut([["\n".join(rare), "\n".join(common), "\n".join(common)]], "the app signer", 130)
    assert "signer" in pieces[0][0].text


LONG = "\n".join(f"word{number} " * 5 for number in range(80))


def test_higher_ranks_get_more():
    (pieces,) = cut([[LONG] * 8], "nothing of it", 900)
    sizes = [cost(piece.text) for piece in pieces]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > 2 * sizes[-1] > 0


def test_of_a_long_answer_the_better_ranks_get_more_than_what_is_set_aside_for_them():
    # 2,000 tokens set 60 aside for each of 20 texts; what that leaves of them, 800, goes by rank.
    (pieces,) = cut([[LONG] * 40], "nothing of it", 2000)
    sizes = [cost(piece.text) for piece in pieces]
    reserve = RESERVED_TOKENS * UNITS_PER_TOKEN
    assert sum(size > 0 for size in sizes) == 20 and sizes[20:] == [0] * 20
    assert sizes[0] > 3 * reserve and sizes[1] > 2 * reserve and all(size <= reserve for size in sizes[10:])
    # A budget of four texts or less is spent on them.
    for tokens_, shown in ((240, 4), (239, 4), (180, 3), (160, 3), (100, 2), (60, 1), (40, 1), (39, 0)):
        (few,) = cut([[LONG] * 40], "nothing of it", tokens_)
        assert sum(bool(piece.text) for piece in few) == shown, tokens_


def test_shares_by_hand():
    # A level of 1,200 fills the budget: 600, 400 and 300.
    assert share([1000] * 3, [1 / 2, 1 / 3, 1 / 4], 1300, [240] * 3) == [600, 400, 300]
    # The third keeps what was set aside for it: 900 for the others, at a level of 1,080.
    assert share([1000] * 3, [1 / 2, 1 / 3, 1 / 4], 1300, [0, 0, 400]) == [540, 360, 400]
    # The first needs less than its share; a least above a need is that need.
    assert share([100, 1000], [1.0, 0.5], 500, [200, 0]) == [100, 400]
    assert share([100, 200], [1.0, 1.0], 300) == [100, 200]
    assert share([100, 200], [1.0, 1.0], -5) == [0, 0]


def test_a_text_is_useful_or_left_out():
    pieces = cut([[LONG] * 20] * 8, "which projects support websockets?", 2000)
    shown = [[cost(piece.text) for piece in block if piece.text] for block in pieces]
    assert all(size >= LEAST_TOKENS * UNITS_PER_TOKEN for block in shown for size in block)
    assert all(piece.text == "" for block in pieces for piece in block[len(block) // 2 :])
    # Every project speaks, the better ones more, and nobody is shown at a later rank than one that is left out.
    assert all(shown) and [sum(block) for block in shown] == sorted(map(sum, shown), reverse=True)
    assert all([bool(p.text) for p in block] == sorted((bool(p.text) for p in block), reverse=True) for block in pieces)
    assert sum(map(sum, shown)) > 0.8 * 2000 * UNITS_PER_TOKEN


def test_short_texts_are_whole_however_many_share_the_budget():
    (pieces,) = cut([["a short text", LONG, "another short text"]], "short", 100)
    assert [piece.text for piece in pieces] == ["a short text", pieces[1].text, "another short text"]
    assert cost(pieces[1].text) >= LEAST_TOKENS * UNITS_PER_TOKEN


def test_a_project_beside_the_best_stays_below_its_ceiling():
    best, beside = cut([[LONG] * 10, [LONG] * 10], "word3", 2000, [1.0, 0.25])
    assert 160 <= sum(cost(piece.text) for piece in beside) <= 500 * UNITS_PER_TOKEN
    assert sum(cost(piece.text) for piece in best) > 1300 * UNITS_PER_TOKEN


def test_a_heading_before_a_paragraph_on_one_line_shows_the_paragraph():
    ((piece,),) = cut([["# Cookies\n\n" + "the signer signs every cookie " * 80]], "# cookies", 60)
    assert piece.text.startswith("# Cookies\n\nthe signer") and tokens(piece.text) >= LEAST_TOKENS


def test_one_endless_line_is_cut_around_the_word():
    line = "x" * 50 + " pad" * 500 + " the cookie signer " + "pad " * 500
    ((piece,),) = cut([[line]], "signer", 50)
    assert "signer" in piece.text and piece.text in line
    assert (piece.first, piece.last) == (0, 0)


def test_what_fits_is_left_alone():
    texts = [["short\n\ntext\n"], ["another"]]
    assert [[piece.text for piece in block] for block in cut(texts, "q", 100)] == texts


def test_a_budget_of_nothing_leaves_the_citations():
    ((first, second),) = cut([["one", "two"]], "one", 0)
    assert (first.text, second.text) == ("", "")


@pytest.mark.parametrize(
    ("text", "expected"), [("", 0), ("abcd", 1), ("abcde", 2), ("認証", 2), ("a認", 2), ("한국어", 3)]
)
def test_tokens(text, expected):
    assert tokens(text) == expected


def test_a_question_that_is_no_text_is_cut_all_the_same():
    ((piece,),) = cut([["\n".join([*["filler words here"] * 40, "the signer"])]], "caf\udce9 signer", 50)
    assert "signer" in piece.text


def test_a_line_is_not_cut_inside_a_word_that_begins_late():
    text = "class Interface:\n" + " " * 8 + "through the :mod:`itsdangerous` module, and signs what the session holds."
    ((piece,),) = cut([[text * 3]], "class", 13)
    for line in piece.text.split("\n"):
        assert not line or any(
            each.startswith(line) and each[len(line) :][:1] in ("", " ") for each in text.split("\n")
        )
    from loci.core.answer.budget import _beginning

    assert _beginning(" " * 10 + "through the :mod:`itsdangerous`", 4 * 8) == " " * 10 + "through the"
    # Without a border, or with one far before a word that nobody writes, it is cut where it has to be.
    assert _beginning("x" * 90, 50) == "x" * 50
    assert _beginning("if " + "x" * 90, 70) == "if " + "x" * 67


def test_an_excerpt_of_one_endless_line_begins_with_a_whole_word():
    line = "padding " * 500 + "the cookie signer " + "padding " * 500
    ((piece,),) = cut([[line]], "signer", 50)
    begins = line.index(piece.text)
    assert "signer" in piece.text and begins > 0 and line[begins - 1] == " "
