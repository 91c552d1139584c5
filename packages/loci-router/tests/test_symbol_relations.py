"""Names of code in a question: which there are, and what is asked of them."""

from __future__ import annotations

import pytest

from loci.router import read


def asked_of(question):
    """The names and relations that a question asks for."""
    return [(each.name, each.relation) for each in read(question).symbol_relations]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("who calls open_session?", [("open_session", "callers")]),
        ("Which other methods are calling Session.close", [("Session.close", "callers")]),
        ("who uses Client?", [("Client", "users")]),
        (
            "which classes implement Store, and what extends `plain`?",
            [("Store", "implementers"), ("plain", "implementers")],
        ),
        ("subclasses of Base", [("Base", "implementers")]),
        ("which tests cover Client.send?", [("Client.send", "tests")]),
        ("are there tests for redirects?", []),
        ("who imports `_compat`?", [("_compat", "importers")]),
        ("who imports the data?", []),
        ("what would a change of total reach?", [("total", "reach")]),
        (
            "What breaks if I change `total`, and what is affected when we remove Cart.pay?",
            [("total", "reach"), ("Cart.pay", "reach")],
        ),
        ("what is the impact of changing jv_copy?", [("jv_copy", "reach")]),
        ("what depends on Cart?", [("Cart", "reach")]),
        ("what depends on click?", []),
        ("what happens if I delete a snapshot?", []),
        ("what uses caching?", []),
        ("who calls it?", []),
        ("what is the option called that turns colours off?", []),
        ("what does this project do?", []),
        ("what does Flask.finalize_request call?", [("Flask.finalize_request", "callees")]),
        (
            "which functions does Router::nest call, and who calls jv_copy",
            [("Router::nest", "callees"), ("jv_copy", "callers")],
        ),
        ("", []),
        # Wordings of developers that were taken for other questions.
        ("Is open_box still used anywhere?", [("open_box", "users")]),
        ("Is open_box dead code? Can I remove open_box?", [("open_box", "users")]),
        ("Does anybody use open_box?", [("open_box", "users")]),
        ("who's calling open_box, and where's open_box called?", [("open_box", "callers")]),
        ("From which functions is open_box called?", [("open_box", "callers")]),
        ("find all references to open_box", [("open_box", "users")]),
        ("What triggers open_box?", [("open_box", "users")]),
        ("What does open_box depend on?", [("open_box", "callees")]),
        ("What is affected by a change to open_box?", [("open_box", "reach")]),
        ("What breaks if I change what open_box returns?", [("open_box", "reach")]),
        ("If I add a parameter to open_box, what do I have to touch?", [("open_box", "reach")]),
        ("what else has to change when Cart.pay changes?", [("Cart.pay", "reach")]),
        ("Which test fails if I break open_box?", [("open_box", "tests")]),
        ("Do we have tests that cover open_box?", [("open_box", "tests")]),
        ("Which types satisfy Store?", [("Store", "implementers")]),
        ("Which sinks are derived from base_sink?", [("base_sink", "implementers")]),
        (
            "wer ruft open_box auf, und wo wird close_box verwendet?",
            [("open_box", "callers"), ("close_box", "callers")],
        ),
        ("qui appelle open_box ?", [("open_box", "callers")]),
        ("¿quién llama a open_box?", [("open_box", "callers")]),
        ("谁调用了open_box？", [("open_box", "callers")]),
        ("open_boxを呼び出しているのは誰ですか", [("open_box", "callers")]),
        ("Can I remove files from the index, or drop a table?", []),
        ("what breaks if the disk fails, and what happens when the connection is closed?", []),
        ("If I change the port, what else do I have to set?", []),
        ("does anyone know why the tests fail?", []),
        ("What runs migrations, and what triggers a rebuild?", []),
    ],
)
def test_what_a_question_asks_of_a_name(question, asked):
    assert asked_of(question) == asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("how does Cart.pay reach total?", [("Cart.pay", "total")]),
        ("how do I get from `checkout` down to `total`", [("checkout", "total")]),
        ("the chain between open_box and close_box, please", [("open_box", "close_box")]),
        ("why did we move from master to main?", []),
        ("wie kommt man von Cart.pay zu total_of?", [("Cart.pay", "total_of")]),
        ("¿cómo se llega de Cart.pay a total_of?", [("Cart.pay", "total_of")]),
        ("从Cart.pay到total_of怎么走？", [("Cart.pay", "total_of")]),
        ("Cart.payからtotal_ofまでの経路は？", [("Cart.pay", "total_of")]),
        ("was ist der Unterschied zwischen Cart.pay und total_of?", []),
        ("der Weg zwischen Cart.pay und total_of", [("Cart.pay", "total_of")]),
        ("¿qué diferencia hay entre Cart.pay y total_of?", []),
        ("was hat sich von gestern zu heute geändert?", []),
        ("¿cuándo pasamos de Python a otro lenguaje?", []),
        ("how does it reach total_of?", []),
    ],
)
def test_which_way_a_question_asks_for(question, asked):
    assert [(each.start, each.end) for each in read(question).chains] == asked


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("who calls open_session, and is Redis still used?", ["open_session"]),
        ("what calls the scheduler, who calls pack", ["pack"]),
        ("how does carry reach Shelf.fill", ["carry", "Shelf.fill"]),
        ("does anybody use `Redis`?", ["Redis"]),
    ],
)
def test_which_names_can_only_be_symbols(question, names):
    assert list(read(question).asked_names) == names


@pytest.mark.parametrize(
    ("question", "joined", "further"),
    [
        ("is _compat gone, and __init__?", ["_compat", "__init__"], []),
        (
            "why does `close` call Session.flush and then toJSON() on macOS?",
            ["Session.flush"],
            ["close", "toJSON", "macOS"],
        ),
        ("谁改了open_box？", ["open_box"], []),
        ("see src/app_main.py, --dry_run and https://example.org/open_box", [], []),
        ("x" * 300 + "_y", [], []),
    ],
)
def test_names_written_as_code(question, joined, further):
    found = read(question).code_names
    assert [each.name for each in found] == [*joined, *further]
    assert [each.name for each in found if each.joined] == joined
    assert [question[slice(*each.span)] for each in found] == [*joined, *further]


@pytest.mark.parametrize("part", ["what ", "who really ", "if we change the signature of ", "1.", "_a", "Aa", "`", "x"])
def test_a_pasted_log_is_read_at_both_ends(part):
    """Patterns with a gap in them ran for minutes on it."""
    question = f"who calls open_box?\n{part * 40_000}\nand what calls close_box in 2.32.5?"
    assert asked_of(question)[:1] == [("open_box", "callers")]
    assert ("close_box", "callers") in asked_of(question)
    assert {"open_box", "close_box"} <= {each.name for each in read(question).code_names} and read(
        question
    ).chains == ()
    assert "2.32.5" in [each.text for each in read(question).citations] or part == "1."
    last = next(each for each in read(question).symbol_relations if each.name == "close_box")
    assert question[slice(*last.span)] == "close_box"
