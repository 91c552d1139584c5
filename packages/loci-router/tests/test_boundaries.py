"""Where each decision turns, on evidence written down by hand: at the value itself, and just beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from reference_evidence import ReferenceIndex

from loci.router import Advice, Calibration, Evidence, Groups, Route, Router, Scope, ScopeEvidence, TermMeasure, advice

# Log-odds of 0 + 1 x ln(p): a confidence of p / (1 + p), so of exactly one half where nothing is in doubt.
PLAIN: Mapping[str, Any] = {
    "confidence_weights": {"bias": 0.0, "slope": 1.0},
    "threshold": 0.5,
    "deictic_threshold": 0.5,
    "leave_threshold": 0.5,
    "recency": 0.0,
}
QUESTION = "how are herons counted?"
SET = "which of my projects count herons?"


def scope(
    combined: float = 0.0, whether: float = 1.0, holds: float = 0.0, terms: tuple[tuple[str, float], ...] = ()
) -> ScopeEvidence:
    return ScopeEvidence("", combined, whether, holds, {}, {}, terms)


def term(word: str, **holders: int) -> TermMeasure:
    return TermMeasure(word, word, 1, 1.0, holders)


class Written:
    """An evidence model that says what a test wrote down, of scopes with a hundred passages each."""

    def __init__(self, scopes: Mapping[str, ScopeEvidence], terms: tuple[TermMeasure, ...]) -> None:
        self.found = Evidence(
            {name: each._replace(id=name) for name, each in scopes.items()}, terms, dict.fromkeys(scopes, 100)
        )

    def evidence(self, index: object, question: object) -> Evidence:
        return self.found


def router(scopes: Mapping[str, ScopeEvidence], *terms: TermMeasure, registered: Any = None, **values: Any) -> Router:
    options = {key: values.pop(key) for key in ("groups", "uses", "languages", "symbols") if key in values}
    return Router(
        ReferenceIndex.from_texts({name: ["a heron stands"] for name in scopes}),
        registered,
        calibration=Calibration(**{**PLAIN, **values}),
        evidence=Written(scopes, terms),
        **options,
    )


def ids(route: Route) -> list[str]:
    return [each.id for each in route.scopes]


# -- whether there is an answer --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threshold", "answered"), [(0.5, True), (0.500001, False)])
def test_a_confidence_that_reaches_the_threshold_is_enough(threshold: float, answered: bool) -> None:
    route = router({"a": scope()}, threshold=threshold).route(QUESTION)
    assert route.confidence == 0.5
    assert (ids(route), route.reason) == ((["a"], None) if answered else ([], "no_evidence"))


@pytest.mark.parametrize(("threshold", "reason"), [(0.5, None), (0.500001, "deictic")])
def test_a_pointing_word_has_a_threshold_of_its_own(threshold: float, reason: str | None) -> None:
    # A second project with a word of its own keeps the question from being everybody's.
    made = router({"a": scope(9.0), "b": scope(-99.0)}, term("herons", a=9), deictic_threshold=threshold)
    route = made.route("how does this count herons?")
    assert (route.confidence, route.reason) == (pytest.approx(0.5), reason)


@pytest.mark.parametrize(("holds", "answered"), [(0.25, True), (0.2499, False)])
def test_a_set_takes_a_scope_by_what_it_holds_itself(holds: float, answered: bool) -> None:
    made = router({"a": scope(9.0, holds=holds), "b": scope(holds=0.1)}, set_factor=0.5, holds_threshold=0.5)
    route = made.route(SET)
    assert (route.mode, ids(route), route.abstained) == ("set", ["a"] if answered else [], not answered)
    assert route.confidence == holds


def test_a_set_is_as_sure_as_its_surest_and_not_more_than_certain() -> None:
    scopes = {"a": scope(3.0, holds=0.7), "b": scope(2.0, holds=1.2), "c": scope(1.0, holds=0.9)}
    route = router(scopes).route(SET)
    assert (ids(route), route.confidence) == (["a", "b", "c"], 1.0)
    assert [each.confidence for each in route.scopes] == [0.7, 1.2, 0.9]
    assert ids(router(scopes, max_set=2).route(SET)) == ["a", "b"]


# -- which scopes an answer takes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("second", "expected"), [(9.0, ["a", "b"]), (8.999, ["a"])])
def test_a_score_that_is_near_enough_to_the_best_is_taken(second: float, expected: list[str]) -> None:
    assert ids(router({"a": scope(10.0), "b": scope(second)}, threshold=0.0).route(QUESTION)) == expected


def test_below_nothing_only_a_tie_is_near() -> None:
    assert ids(router({"a": scope(0.0), "b": scope(0.0), "c": scope(-0.01)}, threshold=0.0).route(QUESTION)) == [
        "a",
        "b",
    ]
    assert ids(router({"a": scope(-1.0), "b": scope(-1.05)}, threshold=0.0).route(QUESTION)) == ["a"]


@pytest.mark.parametrize(
    ("beside", "taken"),
    [
        (scope(holds=0.25), True),
        (scope(holds=0.2499, whether=0.69), False),
        # Half of what the best has, and an answer of its own at 0.7: both are needed.
        (scope(holds=0.5, whether=0.7), True),
        (scope(holds=0.4999, whether=1.0), False),
        (scope(holds=0.7, whether=0.6999), False),
    ],
)
def test_what_stands_beside_the_best(beside: ScopeEvidence, taken: bool) -> None:
    least = 0.25 if beside.holds < 0.3 else 0.8
    made = router({"a": scope(20.0), "b": beside}, beside_factor=1.0, holds_threshold=least, threshold=0.0)
    route = made.route(QUESTION)
    assert ids(route) == (["a", "b"] if taken else ["a"])
    if taken:
        # As sure as the best one, as far as it has what that has.
        assert route.scopes[1].confidence == pytest.approx(route.scopes[0].confidence * beside.holds)


def test_what_stands_beside_takes_the_room_that_the_near_ones_leave() -> None:
    scopes = {"a": scope(20.0), "b": scope(19.0), "c": scope(2.0, holds=1.0), "d": scope(1.0, holds=1.0)}
    for most, expected in ((4, "abcd"), (3, "abc"), (2, "ab"), (1, "a")):
        assert ids(router(scopes, max_single=most, threshold=0.0).route(QUESTION)) == list(expected)


@pytest.mark.parametrize(
    ("holders", "taken"),
    [
        # Of a hundred passages: the fiftieth part, and half of what the other makes of it.
        ({"b": 2}, ["b"]),
        ({"b": 1}, []),
        ({"b": 25, "c": 50}, ["b", "c"]),
        ({"b": 24, "c": 50}, ["c"]),
        ({"b": 50, "c": 50, "d": 50}, []),
        # Outside of what may answer there is nothing to take.
        ({}, []),
    ],
)
def test_a_concentrated_term_brings_its_holders_in(holders: dict[str, int], taken: list[str]) -> None:
    scopes = {"a": scope(20.0), **{name: scope(-float(n)) for n, name in enumerate("bcdefghij", 1)}}
    assert ids(router(scopes, term("herons", **holders), threshold=0.0).route(QUESTION)) == ["a", *taken]


@pytest.mark.parametrize(("scopes", "taken"), [("abc", []), ("abcd", ["b", "c"])])
def test_a_term_that_two_of_three_hold_is_not_concentrated(scopes: str, taken: list[str]) -> None:
    # How unevenly it is spread: 1 - ln 2 / ln 3 is 0.37, 1 - ln 2 / ln 4 is one half.
    found = {"a": scope(20.0), **{name: scope(-float(n)) for n, name in enumerate(scopes[1:], 1)}}
    assert ids(router(found, term("herons", b=50, c=50), threshold=0.0).route(QUESTION)) == ["a", *taken]


# -- a word by itself, and everybody's words -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "holders", "expected"),
    [
        ("herons", {"b": 3}, ["b"]),
        ("herons", {"b": 2}, []),
        ("herons", {"b": 3, "c": 3}, []),
        ("count herons", {"b": 3}, []),
    ],
)
def test_a_word_by_itself_goes_to_its_only_holder(question: str, holders: dict[str, int], expected: list[str]) -> None:
    scopes = {name: scope(-float(n), whether=0.1) for n, name in enumerate("abcd")}
    route = router(scopes, term("herons", **holders)).route(question)
    assert ids(route) == expected
    if expected:
        assert route.confidence == 0.5 == route.scopes[0].confidence


@pytest.mark.parametrize(("holding", "common"), [(5, True), (4, False)])
def test_a_word_is_everybodys_when_more_than_four_of_five_hold_it(holding: int, common: bool) -> None:
    scopes = {name: scope(-float(n), whether=0.2, terms=(("herons", 1.0),)) for n, name in enumerate("abcde")}
    route = router(scopes, term("herons", **dict.fromkeys("abcde"[:holding], 9))).route(QUESTION)
    assert route.reason == "no_evidence"
    assert route.advice == ((advice.CommonWords if common else advice.ThinEvidence)(tuple("abc"[:holding])),)


# -- what an abstention shows ----------------------------------------------------------------------------------------


def held(name: str, word: str = "herons") -> ScopeEvidence:
    return scope(-float("abcdef".index(name)), whether=0.2, terms=((word, 1.0),))


def test_a_term_in_exactly_half_of_the_scopes_makes_candidates_and_one_in_more_does_not() -> None:
    scopes = {name: held(name) for name in "abcd"}
    half = router(scopes, term("herons", c=9, d=9)).route(QUESTION)
    assert [each.id for each in half.candidates] == ["c", "d"]
    # With three of four nobody stands out, and the best three that hold anything are shown.
    more = router(scopes, term("herons", b=9, c=9, d=9)).route(QUESTION)
    assert [each.id for each in more.candidates] == ["a", "b", "c"]


@pytest.mark.parametrize(("passages", "shown"), [(5, ["a", "b"]), (4, ["a"])])
def test_a_term_counts_as_held_from_a_tenth_of_its_largest_share(passages: int, shown: list[str]) -> None:
    scopes = {name: held(name) for name in "abcd"}
    route = router(scopes, term("herons", a=50, b=passages)).route(QUESTION)
    assert [each.id for each in route.candidates] == shown


def test_of_one_scope_alone_a_term_is_rare_enough() -> None:
    # Half of one is none; at least one may hold it.
    (candidate,) = router({"a": held("a")}, term("herons", a=9)).route(QUESTION).candidates
    assert candidate.terms == [("herons", 1.0)]


def test_a_candidate_shows_three_terms() -> None:
    words = [f"heron{n}" for n in range(4)]
    scopes = {"a": scope(whether=0.2, terms=tuple((word, 1.0) for word in words)), "b": held("b", "x")}
    (candidate,) = router(scopes, *(term(word, a=9) for word in words)).route(QUESTION).candidates
    assert [word for word, _ in candidate.terms] == words[:3]


@pytest.mark.parametrize(("whether", "thin"), [(0.1, True), (0.12, False)])
def test_hardly_anything_is_less_than_a_tenth(whether: float, thin: bool) -> None:
    # 0.1 / 1.1 is 0.091, 0.12 / 1.12 is 0.107.
    scopes = {"a": scope(20.0, whether=whether, terms=(("herons", 1.0),)), "b": scope(-20.0, whether=0.0)}
    advised = router(scopes, term("herons", a=9)).route(QUESTION).advice
    assert advised == (advice.HardlyAnyEvidence() if thin else advice.ThinEvidence(("a",)),)


# -- the directory ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("leave", "expected"), [(0.5, ["b"]), (0.500001, ["a", "b"])])
def test_a_directory_is_left_for_as_much_as_it_takes(leave: float, expected: list[str], tmp_path: Path) -> None:
    registered = {"a": Scope("a", "a", path=tmp_path), "b": Scope("b", "b")}
    made = router({"a": scope(-20.0), "b": scope(20.0)}, registered=registered, leave_threshold=leave, cwd=1.0)
    route = made.route(QUESTION, cwd=tmp_path)
    assert ids(route) == expected
    assert route.advice == ((advice.LeftDirectory("a", "a", "b", "b", "evidence"),) if expected == ["b"] else ())


@pytest.mark.parametrize(("whether", "expected"), [(0.82, ["a", "b"]), (0.81, ["a"])])
def test_another_project_is_taken_along_from_a_confidence_on(
    whether: float, expected: list[str], tmp_path: Path
) -> None:
    # 0.82 / 1.82 is 0.4505, 0.81 / 1.81 is 0.4475, and 0.45 is asked for.
    registered = {"a": Scope("a", "a", path=tmp_path), "b": Scope("b", "b")}
    made = router({"a": scope(-20.0, whether=0.0), "b": scope(20.0, whether=whether)}, registered=registered, cwd=99.0)
    assert ids(made.route(QUESTION, cwd=tmp_path)) == expected


# -- languages, uses, definitions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "written"),
    [
        ({"Go": 1, "Python": 3}, True),
        ({"Go": 1, "Python": 4}, False),
        # As many as of any other is most, whatever the share.
        ({"Go": 2, "Python": 2, "Rust": 2, "C": 2, "Ruby": 2}, True),
        ({"Python": 4}, False),
    ],
)
def test_written_in_a_language_is_most_of_it_or_a_quarter(counts: dict[str, int], written: bool) -> None:
    made = router({"a": scope(), "b": scope()}, languages={"a": counts, "b": {"Python": 9}})
    route = made.route("which projects are written in Go?")
    assert (route.mode, ids(route)) == ("set", ["a"] if written else [])
    if written:
        assert route.scopes[0].confidence == counts["Go"] / max(counts.values())


@pytest.mark.parametrize(("count", "more"), [(8, ()), (9, (advice.MoreInLanguages(1, ("Go",)),))])
def test_more_than_a_set_holds_are_counted(count: int, more: tuple[Advice, ...]) -> None:
    names = [f"p{n}" for n in range(count)]
    made = router({name: scope() for name in names}, languages={name: {"Go": 1} for name in names})
    route = made.route("which projects are written in Go?")
    assert (len(route.scopes), route.advice) == (8, more)


@pytest.mark.parametrize(("count", "more"), [(8, 0), (9, 1)])
def test_more_users_than_a_set_holds_are_counted(count: int, more: int) -> None:
    names = [f"p{n}" for n in range(count)]
    made = router({name: scope() for name in [*names, "walrus"]}, uses={name: ["walrus"] for name in names})
    route = made.route("which projects use walrus?")
    assert (route.mode, len(route.scopes), route.confidence) == ("relational", 8, 1.0)
    assert route.advice == (advice.UsesListed(more),)


class Defined:
    """A symbol table in which some scopes define every name."""

    def __init__(self, *scopes: str) -> None:
        self.scopes = set(scopes)

    def defining(self, names: Sequence[str]) -> dict[str, set[str]]:
        return dict.fromkeys(names, self.scopes)


@pytest.mark.parametrize(
    ("count", "listed"), [(2, "p0, p1"), (5, "p0, p1, p2, p3, p4"), (6, "p0, p1, p2, p3, p4 and 1 more")]
)
def test_all_that_define_a_symbol_are_advised_and_five_of_them_are_said(count: int, listed: str) -> None:
    names = [f"p{n}" for n in range(count)]
    made = router({name: scope(whether=0.1) for name in names}, symbols=Defined(*names))
    route = made.route("who calls wade?")
    assert route.abstained and [each.id for each in route.candidates] == names
    (advised,) = route.advice
    assert advised == advice.DefinedInSeveral(("wade",), tuple(names))
    assert str(advised) == f"wade is defined in {listed}; ask one of these scopes itself, or name the project"


# -- groups ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threshold", "reason"), [(0.5, "out_of_group"), (0.500001, "no_evidence")])
def test_a_stray_answer_is_one_that_would_have_been_given(threshold: float, reason: str) -> None:
    registered = {"a": Scope("a", "a", groups=("acme",)), "b": Scope("b", "b")}
    made = router(
        {"a": scope(-99.0, whether=0.1), "b": scope(99.0)},
        registered=registered,
        groups=Groups(modes={"acme": "hard"}),
        threshold=threshold,
    )
    route = made.route(QUESTION, group="acme")
    assert (route.abstained, route.reason) == (True, reason)


@pytest.mark.parametrize(("evidence", "demoted"), [(0.5, -0.25), (0.0, None), (-0.5, None)])
def test_only_what_speaks_for_a_scope_is_halved(evidence: float, demoted: float | None, tmp_path: Path) -> None:
    registered = {"a": Scope("a", "a", path=tmp_path, groups=("acme",)), "b": Scope("b", "b")}
    route = router({"a": scope(), "b": scope(evidence)}, registered=registered).route(QUESTION, cwd=tmp_path)
    (outside,) = [each for each in route.trace.ranking if each.id == "b"]
    assert outside.signals.get("demoted") == demoted
