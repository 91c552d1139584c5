"""The order of decisions, selection, candidates and advice."""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_evidence import Passage, ReferenceIndex

from loci.router import Calibration, Groups, ProminenceEvidence, Router, RoutingIndex, Scope, advice
from loci.router.spelling import distance, misspelt

FILLER = [f"{word} is handled here" for word in ("startup", "shutdown", "logging", "parsing", "drawing", "storage")]
TEXTS = {
    "billing": ["invoices carry a ledger number", "ledger numbers are never reused by invoices", *FILLER],
    "search": ["documents are ranked by relevance", "relevance decays with the age of documents", *FILLER],
    "editor": ["the canvas redraws dirty shapes", "shapes snap to the grid of the canvas", *FILLER],
    "mailer": ["bounced mail is retried by the relay", "the relay signs outgoing mail", *FILLER],
    "player": ["frames are decoded ahead of time", "subtitles are drawn over frames", *FILLER],
}


def router(texts: dict[str, list[str]] | None = None, **options) -> Router:
    return Router(ReferenceIndex.from_texts(texts or TEXTS), **options)


def ids(route) -> list[str]:
    return [each.id for each in route.scopes]


def test_one_project_answers() -> None:
    route = router().route("why are ledger numbers never reused?")
    assert (route.abstained, route.reason, route.mode, ids(route)) == (False, None, "single", ["billing"])
    assert route.confidence > 0.5 and route.candidates == [] and route.advice == ()


# -- the three refusals, in their order ------------------------------------------------------------------------------


def hard(tmp_path: Path) -> Router:
    scopes = {
        "search": Scope("search", "search", groups=("acme",)),
        "editor": Scope("editor", "editor", groups=("acme",)),
    }
    return router(scopes=scopes, groups=Groups(modes={"acme": "hard"}))


def test_out_of_group_comes_before_deixis_and_enumeration(tmp_path: Path) -> None:
    asked = hard(tmp_path)
    for question in (
        "why are ledger numbers of invoices never reused here?",
        "which of my projects have ledger numbers on invoices?",
        "why are ledger numbers never reused?",
    ):
        assert asked.route(question, group="acme").reason == "out_of_group"


def test_out_of_group_needs_an_outside_scope_that_would_have_routed(tmp_path: Path) -> None:
    # The best scope lies outside, but with evidence that answers nothing.
    route = hard(tmp_path).route("is zebra logging handled in invoices of giraffes?", group="acme")
    assert route.reason != "out_of_group"


def test_deixis_comes_before_no_evidence() -> None:
    route = router().route("does this handle zebras?")
    assert route.reason == "deictic"
    assert route.advice == (advice.SubjectNotNamed(tuple(each.id for each in route.candidates[:3])),)


def test_no_evidence() -> None:
    route = router().route("how do zebras sleep?")
    assert (route.abstained, route.reason, route.candidates) == (True, "no_evidence", [])
    assert route.advice == (advice.IndexedNowhere(),)


def test_evidence_that_identifies_a_subject_outweighs_a_pointing_word() -> None:
    route = router().route("why are ledger numbers of invoices never reused by this?")
    assert ids(route) == ["billing"]


def test_words_that_every_project_has_name_no_subject_but_point_nowhere() -> None:
    route = router().route("where is logging handled?")
    assert route.reason == "no_evidence"
    assert len(route.candidates) == 3
    assert route.advice == (advice.CommonWords(tuple(each.id for each in route.candidates)),)


def test_words_that_every_project_has_may_be_one_projects_by_what_it_makes_of_them() -> None:
    texts = TEXTS | {"logger": [f"logging is handled at startup, logging of kind {n}" for n in range(30)]}
    route = router(texts).route("how is startup logging handled?")
    assert ids(route)[:1] == ["logger"]


def test_a_weak_cue_points_when_no_word_sets_projects_apart() -> None:
    texts = {scope: [*passages, "our logging"] for scope, passages in TEXTS.items()}
    assert router(texts).route("how is our logging handled?").reason == "deictic"


@pytest.mark.parametrize(
    "question",
    [
        "why do giraffes and zebras need relevance?",
        "does the zebra handle shutdown?",
        "which of my projects feed zebras at startup?",
        "are zebras handled by this?",
    ],
)
def test_an_abstention_on_words_that_stand_somewhere_has_candidates(question: str) -> None:
    route = router().route(question)
    assert route.abstained and advice.IndexedNowhere() not in route.advice
    assert route.candidates and all(1 <= len(each.terms) <= 3 for each in route.candidates)


def test_a_subject_is_indexed_nowhere_only_when_none_of_its_words_is() -> None:
    route = router().route("zebras giraffes rhinos")
    assert (route.candidates, route.advice) == ([], (advice.IndexedNowhere(),))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("reconcileLedgerEntries", "Ledger, Entries"),
        ("reconcile_ledger_entries", "ledger, entries"),
        ("entries", "entries"),
    ],
)
def test_a_candidate_shows_only_the_pieces_of_a_name_that_it_has(name: str, shown: str) -> None:
    texts = {**TEXTS, **{each: ["the ledger has entries", *TEXTS[each]] for each in ("billing", "player", "mailer")}}
    route = Router(RoutingIndex.from_texts(texts)).route(f"why does {name} frobnicate zyzzyva quux blorb wibble?")
    assert route.abstained
    (billing,) = [each for each in route.candidates if each.id == "billing"]
    assert shown in [word for word, _ in billing.terms]


def test_too_thin_evidence_names_the_first_candidate() -> None:
    route = router().route("why do zebras, giraffes, rhinos and hippos need relevance?")
    assert (route.reason, route.candidates[0].id) == ("no_evidence", "search")
    assert route.advice == (advice.ThinEvidence(tuple(each.id for each in route.candidates[:3])),)


# -- names that are nearly right --------------------------------------------------------------------------------------


def test_a_misspelt_name_is_suggested_and_not_routed_to() -> None:
    route = router().route("how does the serach rhino sleep?")
    assert (route.abstained, route.candidates[0].id) == (True, "search")
    assert route.advice == (advice.Misspelt("search", "search"),)


def test_a_word_that_some_project_holds_is_not_misspelt() -> None:
    texts = TEXTS | {"frame": ["a picture hangs on the wall", *FILLER]}
    assert not any(isinstance(each, advice.Misspelt) for each in router(texts).route("do zebras have frames?").advice)


def test_a_word_that_is_nearly_two_names_is_none_of_them() -> None:
    scopes = {"searcha": Scope("searcha", "searcha"), "searchb": Scope("searchb", "searchb")}
    route = router(scopes=scopes).route("how does searchc sleep?")
    assert not any(isinstance(each, advice.Misspelt) for each in route.advice)


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [
        ("ripgerp", "ripgrep", 1),
        ("ripgrep", "ripgrep", 0),
        ("rigrep", "ripgrep", 1),
        ("ripgrrep", "ripgrep", 1),
        ("rapgrap", "ripgrep", 2),
        ("excalidarw", "excalidraw", 1),
        ("ecxalidarw", "excalidraw", 2),
        ("zebra", "ripgrep", 3),
    ],
)
def test_distance(left: str, right: str, edits: int) -> None:
    assert distance(left, right, 2) == distance(right, left, 2) == edits


def test_short_words_are_not_misspelt_names() -> None:
    names = {"vite": ("vite",), "scrapy": ("scrapy",), "excalidraw": ("excalidraw",)}
    assert misspelt("vote", names) is None
    assert misspelt("scrpay", names) == "scrapy"
    assert misspelt("scarpya", names) is None
    assert misspelt("ecxalidarw", names) == "excalidraw"
    assert misspelt("Excali-Darw", names) == "excalidraw"


def test_a_named_project_is_answered_whatever_the_evidence() -> None:
    route = router().route("in player, how do zebras sleep?")
    assert ids(route) == ["player"]
    assert route.scopes[0].signals["named"] > 0.0


def test_a_named_project_is_certain_however_strong_the_evidence_for_another() -> None:
    texts = TEXTS | {"billing": TEXTS["billing"] * 5}
    route = router(texts).route("in player, why are ledger numbers never reused by invoices?")
    assert ids(route) == ["player"] and route.scopes[0].confidence > 0.5 and route.confidence > 0.5


def test_what_is_selected_beside_the_best_has_a_confidence() -> None:
    texts = TEXTS | {"shop": ["ledger numbers are never reused", "a ledger number is printed twice", *FILLER]}
    route = router(texts).route("why are ledger numbers never reused by invoices?")
    assert ids(route)[0] == "billing"
    for each in route.scopes:
        assert 0.1 < each.confidence <= route.scopes[0].confidence


def test_little_evidence_selects_nothing_beside_the_best() -> None:
    texts = TEXTS | {"shop": ["the word ledger stands here once", *FILLER * 4]}
    assert ids(router(texts).route("why are ledger numbers never reused by invoices?")) == ["billing"]


def test_a_named_project_makes_deixis_and_enumeration_moot() -> None:
    assert ids(router().route("what does this do in the player repo?")) == ["player"]
    route = router().route("in the player repo, where else are frames decoded?")
    assert (route.mode, ids(route)) == ("single", ["player"])


def test_enumeration_outranks_deixis() -> None:
    route = router().route("which of my projects retry mail like this one does?")
    assert route.mode == "set" and route.reason != "deictic"


def test_a_set_question_without_evidence_abstains_as_a_set() -> None:
    route = router().route("which of my projects feed zebras?")
    assert (route.abstained, route.reason, route.mode) == (True, "no_evidence", "set")


# -- selection -------------------------------------------------------------------------------------------------------


def test_two_names_select_both() -> None:
    route = router().route("does mailer store frames the way player does?")
    assert sorted(ids(route)) == ["mailer", "player"]


def test_a_fork_ties_and_both_are_selected_by_id() -> None:
    texts = TEXTS | {"billing-fork": TEXTS["billing"]}
    route = router(texts).route("why are ledger numbers never reused by invoices?")
    assert ids(route) == ["billing", "billing-fork"]
    assert route.scopes[0].score == route.scopes[1].score


def test_single_mode_selects_at_most_three() -> None:
    texts = TEXTS | {f"billing-{n}": TEXTS["billing"] for n in range(5)}
    route = router(texts).route("why are ledger numbers never reused by invoices?")
    assert len(route.scopes) == 3 or route.abstained


def test_set_mode_selects_each_holder_in_rank_order() -> None:
    texts = TEXTS | {"ledger": ["every ledger number is printed twice", *FILLER]}
    route = router(texts).route("which of my projects have a ledger number?")
    assert route.mode == "set" and sorted(ids(route)) == ["billing", "ledger"]
    assert [each.score for each in route.scopes] == sorted((each.score for each in route.scopes), reverse=True)


def test_set_mode_selects_at_most_eight() -> None:
    texts = TEXTS | {f"ledger-{n:02}": [f"every ledger number of kind {n} is printed", *FILLER] for n in range(12)}
    texts |= {f"other-{n:02}": [f"kind {n} of something else", *FILLER] for n in range(12)}
    route = router(texts).route("which of my projects have a ledger number?")
    assert (route.mode, len(route.scopes)) == ("set", 8)


def test_recency_decides_a_tie_and_nothing_else() -> None:
    texts = TEXTS | {"billing-fork": TEXTS["billing"]}
    scopes = {
        "billing": Scope("billing", "billing", last_commit_time=1_000_000_000),
        "billing-fork": Scope("billing-fork", "billing fork", last_commit_time=1_700_000_000),
        "search": Scope("search", "search", last_commit_time=1_800_000_000),
    }
    route = router(texts, scopes=scopes).route("why are ledger numbers never reused by invoices?")
    assert ids(route)[:2] == ["billing-fork", "billing"]
    assert all(each.signals.get("recency", 0.0) <= 0.15 for each in route.trace.ranking)


def test_a_registered_scope_that_is_not_indexed_is_found_by_name_only() -> None:
    asked = router(scopes={"zoo": Scope("zoo", "zoo")})
    assert ids(asked.route("in the zoo repo, how do zebras sleep?")) == ["zoo"]
    assert asked.route("how do zebras sleep?").abstained


# -- relations -------------------------------------------------------------------------------------------------------


def test_relations_are_answered_from_the_collected_references() -> None:
    asked = router(uses={"billing": ["mailer"], "editor": [], "search": ["mailer", "player"]})
    route = asked.route("what depends on mailer?")
    assert (route.mode, sorted(ids(route))) == ("relational", ["billing", "search"])
    assert route.advice == (advice.UsesListed(more=0),)
    every = asked.route("which of my projects uses another of my projects?")
    assert (every.mode, sorted(ids(every))) == ("relational", ["billing", "search"])


def test_relations_that_were_not_collected_are_said_to_be() -> None:
    route = router().route("which projects use mailer?")
    assert (route.mode, route.advice) == ("relational", (advice.UsesNotCollected(),))


def test_a_relation_to_something_unregistered_is_an_ordinary_set_question() -> None:
    assert router(uses={}).route("which projects use relevance?").mode == "set"


# -- what a route carries --------------------------------------------------------------------------------------------


def test_candidates_show_up_to_three_terms_held_by_at_most_half_of_the_corpus() -> None:
    route = router().route("zebra giraffe rhino hippo ledger canvas handled? logging")
    assert route.abstained
    assert {each.id for each in route.candidates} == {"billing", "editor"}
    holders = {term.word: len(term.holders) for term in route.trace.evidence.terms}
    for candidate in route.candidates:
        assert 1 <= len(candidate.terms) <= 3
        assert all(holders[word] <= len(TEXTS) / 2 for word, _ in candidate.terms)


def test_the_score_is_the_sum_of_its_signals(tmp_path: Path) -> None:
    scopes = {scope: Scope(scope, scope, path=tmp_path / scope, last_commit_time=n) for n, scope in enumerate(TEXTS)}
    route = router(scopes=scopes).route("how does mailer sign mail?", cwd=tmp_path / "editor")
    assert len(route.trace.ranking) == len(TEXTS)
    for each in route.trace.ranking:
        assert sum(each.signals.values()) == pytest.approx(each.score)


def test_the_json_object() -> None:
    for question in ("why are ledger numbers never reused?", "how do zebras sleep?", "ledger zebras giraffes rhinos?"):
        data = router().route(question).to_json()
        assert json.loads(json.dumps(data)) == data
        assert set(data) == {"question", "abstained", "reason", "mode", "confidence", "scopes", "candidates", "advice"}
        for each in data["scopes"] + data["candidates"]:
            assert set(each) == {"id", "name", "score", "confidence", "signals", "terms"}


def test_the_explanation_shows_what_decided() -> None:
    text = router().route("in the player repo, why are frames decoded?").explain()
    for part in (
        "`player` is a name of player",
        "X repo",
        "frames",
        "score",
        "named +6.000",
        "player passage 0",
        "decisions",
    ):
        assert part in text
    text = router().route("does this handle zebras?").explain()
    assert "deictic: STOP" in text and "against 0." in text and "this (pronoun)" in text


def test_what_stays_in_the_directory_is_not_explained_as_stopped(tmp_path: Path) -> None:
    scopes = {name: Scope(id=name, name=name, path=tmp_path / name) for name in TEXTS}
    route = router(scopes=scopes).route("does this handle zebras?", cwd=tmp_path / "player")
    text = route.explain()
    assert ids(route) == ["player"] and "deictic: stays in the directory" in text and "STOP" not in text


def test_the_baseline_formula_routes_too() -> None:
    asked = Router(ReferenceIndex.from_texts(TEXTS), evidence=ProminenceEvidence())
    assert asked.route("why are ledger numbers never reused?").trace.ranking[0].id == "billing"
    evidence = ProminenceEvidence().evidence(ReferenceIndex.from_texts(TEXTS), "ledger")
    # Held by one of five scopes, alone and so at full prominence; one query token; eight passages.
    assert evidence.scopes["billing"].combined == pytest.approx(math.log(1 + 4.5 / 1.5) / 8**0.15)
    assert evidence.scopes["search"].combined == 0.0


def test_fitted_numbers_are_used() -> None:
    question = "why are ledger numbers never reused?"
    strict = router(calibration=Calibration(threshold=1.0)).route(question)
    assert strict.abstained and strict.reason == "no_evidence"
    only = Calibration(
        weights=dict.fromkeys(("passages", "documents", "top_passages", "pairs", "best_pair", "best_passage"), 0.0)
    )
    assert (
        router(calibration=only).route(question).trace.ranking[0].score
        < router().route(question).trace.ranking[0].score
    )


# -- odd corpora -----------------------------------------------------------------------------------------------------


def test_an_empty_index() -> None:
    route = Router(ReferenceIndex({})).route("where are cookies parsed?")
    assert route.abstained and route.scopes == [] and route.candidates == []
    assert route.advice == (advice.NothingIndexed(),)


def test_one_scope() -> None:
    asked = router({"billing": TEXTS["billing"]})
    assert ids(asked.route("why are ledger numbers never reused by invoices?")) == ["billing"]
    assert asked.route("how do zebras sleep?").abstained


def test_scopes_that_hold_nothing_and_everything() -> None:
    passages = {scope: [Passage("documents", text) for text in texts] for scope, texts in TEXTS.items()}
    passages["empty"] = []
    passages["tiny"] = [Passage("documents", "a readme")]
    passages["commits-only"] = [Passage("commits", "fix the ledger", "fix the ledger")]
    passages["huge"] = [
        Passage("source", f"symbol{n} handles part {n % 50}", f"symbol{n}", f"src/{n}.c") for n in range(400)
    ]
    route = Router(ReferenceIndex(passages)).route("why are ledger numbers never reused by invoices?")
    assert route.trace.ranking[0].id == "billing"


@pytest.mark.parametrize("question", ["", "   ", "???", "the of and", "\x00", "a" * 20_000, "ledger " * 500])
def test_any_text_is_a_question(question: str) -> None:
    route = router().route(question)
    assert 0.0 <= route.confidence <= 1.0
    route.explain()


# -- properties ------------------------------------------------------------------------------------------------------

VOCABULARY = "ledger number invoice canvas shape relay mail frame subtitle relevance startup logging zebra this my"
WORDS = st.sampled_from(sorted(set(re.findall(r"\w+", VOCABULARY))))
QUESTIONS = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)
CORPORA = st.dictionaries(
    st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon"]),
    st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), max_size=4),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(CORPORA, QUESTIONS, st.randoms(use_true_random=False))
def test_the_order_of_scopes_changes_nothing(corpus: dict[str, list[str]], question: str, random) -> None:
    shuffled = list(corpus.items())
    random.shuffle(shuffled)
    first = Router(ReferenceIndex.from_texts(corpus)).route(question)
    second = Router(ReferenceIndex.from_texts(dict(shuffled))).route(question)
    assert first.to_json() == second.to_json()
    assert first.explain() == second.explain()


@settings(max_examples=60, deadline=None)
@given(CORPORA, QUESTIONS)
def test_what_every_route_keeps(corpus: dict[str, list[str]], question: str) -> None:
    route = Router(ReferenceIndex.from_texts(corpus)).route(question)
    assert route.abstained == (route.scopes == []) == (route.reason is not None)
    assert route.abstained or route.candidates == []
    assert not route.abstained or len(route.advice) == 1
    assert 0.0 <= route.confidence <= 1.0
    assert len(route.scopes) <= 8
    ranked = route.scopes or route.candidates
    assert [each.id for each in ranked] == [each.id for each in sorted(ranked, key=lambda each: (-each.score, each.id))]


@settings(max_examples=40, deadline=None)
@given(CORPORA, QUESTIONS)
def test_a_copy_of_every_scope_halves_nobody_unfairly(corpus: dict[str, list[str]], question: str) -> None:
    """A scope and its copy always have the same evidence."""
    doubled = corpus | {f"{scope}-copy": texts for scope, texts in corpus.items()}
    route = Router(ReferenceIndex.from_texts(doubled)).route(question)
    evidence = {scope: each.combined for scope, each in route.trace.evidence.scopes.items()}
    for scope in corpus:
        assert evidence[scope] == pytest.approx(evidence[f"{scope}-copy"], abs=1e-9)


def test_scopes_beyond_the_closely_looked_at_keep_their_place_and_are_explained():
    texts = {f"service{number:03}": [f"shared words number{number}", "shared words again"] for number in range(120)}
    texts["billing"] = ["Invoices are sent when a subscription renews.", "Refunds reverse the charge."]
    router = Router(RoutingIndex.from_texts(texts))
    route = router.route("which part reverses a charge when a refund is made?")
    assert [scope.id for scope in route.scopes] == ["billing"]
    explained = route.explain()
    assert "service119" in explained or "more" in explained
    named = router.route("what does service119 do with shared words?")
    assert named.scopes[0].id == "service119"
    assert named.scopes[0].confidence > 0.5


# -- advice that misleads nobody, and words that stand alone ----------------------------------------------------------

EVERYBODY = ["do we log how our worker waits", "the server answers", "do we wait for our server"]
COMMON = {name: [*texts, *EVERYBODY] for name, texts in TEXTS.items()}


def test_next_to_no_evidence_names_no_project_to_try() -> None:
    route = router().route("which purple elephants dance around startup of the moon city theatre opera ballet?")
    assert route.reason == "no_evidence" and route.confidence < 0.1
    assert route.advice == (advice.HardlyAnyEvidence(),)


def test_an_agent_is_no_subject_that_was_left_out() -> None:
    asked = router(COMMON)
    route = asked.route("do we log how worker wait server?")
    assert route.reason == "no_evidence"
    # The possessor of what is asked about is, and so is everybody who says nothing more.
    assert asked.route("do our worker log how server?").reason == "deictic"
    assert asked.route("do we log?").reason == "deictic"


SIGNALS = {
    **TEXTS,
    "mailer": [
        *TEXTS["mailer"],
        "sigwinch redraws",
        "sigwinch is caught",
        "sigwinch is sent",
        "sighup twice",
        "sighup",
    ],
}


def test_a_lone_word_goes_to_the_only_project_that_holds_it() -> None:
    asked = router(SIGNALS)
    for word in ("SIGWINCH", "sigwinch?"):
        route = asked.route(word)
        assert ids(route) == ["mailer"] and not route.abstained
        assert route.confidence >= Calibration().threshold
    # Said twice, which may be chance, or not all that was asked: then the evidence has to do.
    for other in ("sighup", "zyzzyva sigwinch"):
        assert "only holder" not in [gate.name for gate in asked.route(other).trace.gates]
    assert asked.route("handled").abstained, "everybody has it"
    assert asked.route("zyzzyva").abstained, "nobody has it"


def test_a_lone_word_leaves_the_directory_of_a_project_without_it() -> None:
    scopes = {name: Scope(name, name, path=Path("/code") / name) for name in TEXTS}
    asked = router(SIGNALS, scopes=scopes)
    route = asked.route("sigwinch", cwd="/code/search")
    assert ids(route) == ["mailer"]
    assert route.advice == (advice.LeftDirectory("search", "search", "mailer", "mailer", "evidence"),)
    assert ids(asked.route("sigwinch", cwd="/code/mailer")) == ["mailer"]


def test_a_lone_word_of_a_project_outside_the_group_stays_outside() -> None:
    scopes = {name: Scope(name, name, groups=("acme",)) for name in ("search", "editor")}
    asked = router(SIGNALS, scopes=scopes, groups=Groups(modes={"acme": "explicit"}))
    assert asked.route("sigwinch", group="acme").abstained


def test_all_projects_are_listed_by_another_command() -> None:
    route = router().route("list all my projects")
    assert route.abstained and route.advice == (advice.NothingAskedOfSet(),)


# -- symbols, where somebody knows what each project defines ----------------------------------------------------------


class Table:
    """Who defines what, as `{name: scopes}`."""

    def __init__(self, **defined: set[str]) -> None:
        self.defined = defined

    def defining(self, names: Sequence[str]) -> dict[str, set[str]]:
        return {name: self.defined.get(name, set()) for name in names}


def test_the_only_project_that_defines_a_symbol_answers_who_calls_it() -> None:
    asked = router(symbols=Table(snap_to={"editor"}))
    assert router().route("who calls snap_to?").abstained
    route = asked.route("who calls snap_to?")
    assert ids(route) == ["editor"] and route.scopes[0].signals["symbol"] == Calibration().named
    assert ("symbol", False, "only editor defines snap_to") in [
        (g.name, g.stopped, g.detail) for g in route.trace.gates
    ]
    assert "only editor defines snap_to" in route.explain()


def test_of_several_that_define_a_symbol_the_rest_of_the_question_decides_or_none() -> None:
    asked = router(symbols=Table(close={"editor", "mailer", "player"}))
    route = asked.route("who calls close?")
    assert route.abstained and {each.id for each in route.candidates} == {"editor", "mailer", "player"}
    assert route.advice == (advice.DefinedInSeveral(("close",), tuple(each.id for each in route.candidates)),)
    assert ids(asked.route("who calls close when the relay has retried bounced mail?")) == ["mailer"]


def test_a_symbol_is_looked_for_where_the_question_is_confined_to() -> None:
    scopes = {name: Scope(name, name, path=Path("/code") / name) for name in TEXTS}
    scopes["search"] = Scope("search", "search", path=Path("/code/search"), groups=("acme",))
    asked = router(scopes=scopes, symbols=Table(snap_to={"editor"}, close={"editor", "mailer"}))
    assert asked.route("who calls snap_to?", group="acme").abstained
    # Whoever stands in a project that has it means that one, and one that has not even the word is left.
    assert ids(asked.route("who calls close?", cwd="/code/mailer")) == ["mailer"]
    left = asked.route("who calls snap_to?", cwd="/code/mailer")
    assert ids(left) == ["editor"]
    assert left.advice == (advice.LeftDirectory("mailer", "mailer", "editor", "editor", "defines_symbol"),)


def test_who_calls_what_another_project_defines_is_asked_of_the_directory_that_uses_it() -> None:
    texts = {**TEXTS, "mailer": ["the relay goes through snap_to before it signs", *TEXTS["mailer"]]}
    scopes = {name: Scope(name, name, path=Path("/code") / name) for name in TEXTS}
    asked = router(texts, scopes=scopes, symbols=Table(snap_to={"editor"}))
    assert ids(asked.route("who calls snap_to?", cwd="/code/mailer"))[0] == "mailer"


def test_a_named_project_and_clear_evidence_come_before_a_symbol() -> None:
    asked = router(symbols=Table(ledger={"player"}, snap_to={"editor"}))
    assert ids(asked.route("in billing, who calls snap_to?")) == ["billing"]
    route = asked.route("what calls ledger numbers of invoices never reused?")
    assert ids(route) == ["billing"]
    assert "the evidence for billing is stronger" in [gate.detail for gate in route.trace.gates]


def test_a_mentioned_symbol_confirms_the_project_that_little_speaks_for() -> None:
    texts = {**TEXTS, "editor": [*TEXTS["editor"], "the on_drop callback"]}
    for question, reason in (
        ("why is the on_drop handler so unbearably slow on tablets?", "no_evidence"),
        ("why is the on_drop handler broken since yesterday?", "deictic"),
    ):
        assert router(texts).route(question).reason == reason
        assert ids(router(texts, symbols=Table(on_drop={"editor"})).route(question)) == ["editor"]
        # Another has it as well, or it is another's: nothing is confirmed.
        for others in ({"editor", "player"}, {"player"}, set()):
            assert router(texts, symbols=Table(on_drop=others)).route(question).reason == reason
    assert router(symbols=Table(on_drop={"editor"})).route("who are you?").abstained


def test_a_name_outweighs_the_project_that_has_only_its_pieces() -> None:
    texts = {
        **TEXTS,
        "mailer": ["set the color of the banner", "settings choose colors", "a color is set by name", *TEXTS["mailer"]],
        "editor": ["set_color", *TEXTS["editor"]],
    }

    def router(texts: dict[str, list[str]], **options) -> Router:  # the index that knows joined words as such
        return Router(RoutingIndex.from_texts(texts), **options)

    question = "where is set_color implemented: the color of the banner that settings choose?"
    assert ids(router(texts).route(question))[0] == "mailer"
    route = router(texts, symbols=Table(set_color={"editor"})).route(question)
    assert ids(route) == ["editor"] and not route.abstained
    assert "editor defines set_color, which mailer does not have" in [gate.detail for gate in route.trace.gates]
    # Two define it, or whoever the words speak of has the name as well: then the words decide.
    assert ids(router(texts, symbols=Table(set_color={"editor", "player"})).route(question))[0] == "mailer"
    texts["mailer"] = [*texts["mailer"], "calls set_color"]
    assert ids(router(texts, symbols=Table(set_color={"editor"})).route(question))[0] == "mailer"
    # A product may be called like a class.
    words = "which Banner color do settings choose?"
    assert ids(router(TEXTS | texts, symbols=Table(Banner={"player"})).route(words)) == ["mailer"]
    # Whoever stands in a project asks of it.
    scopes = {name: Scope(name, name, path=Path("/code") / name) for name in TEXTS}
    asked = router(texts, scopes=scopes, symbols=Table(set_color={"editor"}))
    assert ids(asked.route(question, cwd="/code/mailer"))[0] == "mailer"


@settings(max_examples=60, deadline=None)
@given(defined=st.dictionaries(st.sampled_from(["alpha", "beta_x"]), st.sets(st.sampled_from(sorted(TEXTS)))))
def test_a_symbol_table_only_ever_adds_an_answer_or_narrows_it_to_definers(defined) -> None:
    table = Table(**defined)
    for question in ("who calls alpha?", "who calls beta_x on the canvas?", "beta_x and the relay", "retried mail"):
        plain, informed = router().route(question), router(symbols=table).route(question)
        if ids(plain) != ids(informed):
            known = set().union(*defined.values())
            assert set(ids(informed)) <= known
