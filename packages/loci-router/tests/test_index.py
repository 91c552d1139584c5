"""The routing index: the kernel against the plain Python oracle, changes, saving, and reading from many threads."""

import json
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_evidence import ReferenceIndex

from loci.router import (
    SCORES,
    DuplicateScope,
    IndexUnreadable,
    Measurement,
    Omission,
    Router,
    RoutingIndex,
    UnknownScope,
    _kernel,
    content_length,
)

TEXTS = {
    "billing": ["Invoices are sent on the first day of the month.", "A refund is booked against its invoice."],
    "search": ["Documents are ranked by relevance.", "The index is rebuilt every night."],
}

WORDS = st.sampled_from(
    [
        "invoice",
        "invoices",
        "refundBook",
        "ledger_number",
        "sha256",
        "OAuth",
        "the",
        "of",
        "数据库",
        "running",
        "ran",
        "x-ray",
    ]
)
TEXT = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
CORPUS = st.dictionaries(
    st.sampled_from(["alpha", "beta", "gamma", "delta"]), st.lists(TEXT, min_size=1, max_size=4), min_size=1, max_size=4
)


@settings(max_examples=150, deadline=None)
@given(CORPUS, TEXT)
def test_the_kernel_measures_what_the_formulas_say(corpus: dict[str, list[str]], question: str) -> None:
    measured = RoutingIndex.from_texts(corpus).measure(question)
    expected = ReferenceIndex.from_texts(corpus, _kernel.tokenize).measure(question)
    assert measured.sizes == expected.sizes
    assert [(t.term, t.count, dict(t.holders)) for t in measured.terms] == [
        (t.term, t.count, dict(t.holders)) for t in expected.terms
    ]
    for term, wanted in zip(measured.terms, expected.terms, strict=True):
        assert term.idf == pytest.approx(wanted.idf)
    for scope, wanted in expected.scopes.items():
        got = measured.scopes[scope]
        # Passage scores are summed in single precision.
        assert dict(got.scores) == pytest.approx(dict(wanted.scores), rel=1e-4, abs=1e-4)
        assert got.raw == pytest.approx(wanted.raw, rel=1e-4, abs=1e-4)
        assert [p.score for p in got.passages] == pytest.approx([p.score for p in wanted.passages], rel=1e-4, abs=1e-4)


def _close(measured: Measurement, expected: Measurement) -> None:
    assert measured.sizes == expected.sizes
    for term, wanted in zip(measured.terms, expected.terms, strict=True):
        assert (term.term, dict(term.holders)) == (wanted.term, dict(wanted.holders))
        assert term.idf == pytest.approx(wanted.idf)
    assert list(measured.scopes) == list(expected.scopes)
    for scope, wanted in expected.scopes.items():
        got = measured.scopes[scope]
        assert dict(got.scores) == pytest.approx(dict(wanted.scores), rel=1e-4, abs=1e-4)
        assert got.raw == pytest.approx(wanted.raw, rel=1e-4, abs=1e-4)
        assert [p.score for p in got.passages] == pytest.approx([p.score for p in wanted.passages], rel=1e-4, abs=1e-4)


@settings(max_examples=150, deadline=None)
@given(CORPUS, TEXT, st.data())
def test_what_is_left_out_was_never_there(corpus: dict[str, list[str]], question: str, data: st.DataObject) -> None:
    places = [(scope, number) for scope in sorted(corpus) for number in range(len(corpus[scope]))]
    gone = set(data.draw(st.lists(st.sampled_from(places), max_size=3)))
    scopes = set(data.draw(st.lists(st.sampled_from(sorted(corpus)), max_size=1)))
    rest = {
        scope: [text for number, text in enumerate(texts) if (scope, number) not in gone]
        for scope, texts in corpus.items()
        if scope not in scopes
    }
    omit = [Omission(scope, number) for scope, number in sorted(gone)]
    index = RoutingIndex.from_texts(corpus)
    measured = index.measure(question, omit=omit, without=scopes)
    _close(measured, ReferenceIndex.from_texts(rest, _kernel.tokenize).measure(question))
    never = RoutingIndex.from_texts(rest)
    assert {s: m.scores for s, m in measured.scopes.items()} == {
        s: m.scores for s, m in never.measure(question).scopes.items()
    }
    assert [(scope, score) for scope, _, score in index.merged_bm25(question, omit=omit, without=scopes)] == [
        (scope, score) for scope, _, score in never.merged_bm25(question)
    ]


def test_words_of_a_passage_are_left_out_by_their_content_positions() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    first = "Invoices are sent"
    end = content_length(first)
    assert end == 2
    left = index.measure("invoices of the month", omit=[Omission("billing", 0, (0, end))])
    _close(
        left,
        ReferenceIndex.from_texts(
            {**TEXTS, "billing": [TEXTS["billing"][0][len(first) :], TEXTS["billing"][1]]}, _kernel.tokenize
        ).measure("invoices of the month"),
    )
    # The other passage says "invoice" still.
    assert left.terms[0].holders == {"billing": 1}


def test_only_what_is_there_can_be_left_out() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    with pytest.raises(UnknownScope, match="did you mean `billing`"):
        index.measure("invoices", without=["biling"])
    with pytest.raises(UnknownScope, match="did you mean `billing`"):
        index.measure("invoices", omit=[Omission("biling", 0)])
    with pytest.raises(ValueError, match="no such passage"):
        index.measure("invoices", omit=[Omission("billing", 2)])
    with pytest.raises(ValueError, match="nothing or the scope"):
        index.merged_bm25("invoices", scope="search", without=["billing"])


def test_quotes_are_found_and_texts_are_read_back() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    assert index.quotes("a refund is booked against its invoice") == [("billing", 1, 1.0)]
    assert index.quotes("refund") == []
    assert index.numbers("billing") == {"document": range(2), "source": range(2, 2), "commit": range(2, 2)}
    (text,) = index.texts("billing", [1])
    assert (text.passage, text.kind, text.commit, text.heading) == (1, "document", None, "")
    assert text.text == TEXTS["billing"][1] and text.words == content_length(text.text)
    with pytest.raises(UnknownScope):
        index.texts("biling", [0])
    with pytest.raises(ValueError, match="passages must exist"):
        index.texts("billing", [2])


def test_every_score_has_a_name() -> None:
    assert list(SCORES) == _kernel.FEATURE_NAMES


def test_the_held_terms_are_those_of_the_best_passages() -> None:
    measured = RoutingIndex.from_texts(TEXTS).measure("is a refund ranked?")
    assert measured.scopes["billing"].held == {"refund"}
    assert measured.scopes["search"].held == {"rank"}


def test_adding_and_removing_a_scope_is_like_never_having_had_it() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    before = index.measure("when are invoices sent?")
    generation = index.generation
    index.add("mail", ["Invoices go out through the relay."])
    assert index.scopes == ["billing", "mail", "search"]
    assert index.measure("when are invoices sent?") != before
    index.remove("mail")
    assert index.measure("when are invoices sent?") == before
    assert index.generation > generation


def test_a_router_sees_scopes_that_are_added_later() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    router = Router(index)
    assert router.route("in the mail repo, who retries bounces?").abstained
    index.add("mail", ["Bounces are retried by the relay."])
    assert [scope.id for scope in router.route("in the mail repo, who retries bounces?").scopes] == ["mail"]


def test_a_taken_or_unknown_scope_is_an_error() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    with pytest.raises(DuplicateScope, match="`billing`"):
        index.add("billing", ["again"])
    with pytest.raises(DuplicateScope, match="`billing`"):
        index.add_segment("billing", "anywhere")
    with pytest.raises(UnknownScope, match="did you mean `billing`") as caught:
        index.remove("biling")
    assert isinstance(caught.value, LookupError)
    assert caught.value.near == ["billing"]


def test_saved_and_opened_again(tmp_path: Path) -> None:
    index = RoutingIndex.from_texts(TEXTS)
    index.save(tmp_path / "index")
    opened = RoutingIndex.open(tmp_path / "index")
    assert opened.scopes == index.scopes
    question = "when are invoices sent?"
    assert opened.measure(question) == index.measure(question)
    assert Router(opened).route(question).to_json() == Router(index).route(question).to_json()


def test_saving_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    for place in ("one", "two"):
        RoutingIndex.from_texts(dict(reversed(TEXTS.items()))).save(tmp_path / place)
    RoutingIndex.from_texts(TEXTS).save(tmp_path / "two")
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / place).iterdir()} for place in ("one", "two"))
    assert one == two and len(one) == 3


def test_a_segment_of_another_index_can_be_added(tmp_path: Path) -> None:
    RoutingIndex.from_texts(TEXTS).save(tmp_path)
    segments = json.loads((tmp_path / "routing.json").read_text())["segments"]
    index = RoutingIndex.open({"billing": tmp_path / segments["billing"]})
    index.add_segment("search", tmp_path / segments["search"])
    assert index.measure("ranked documents") == RoutingIndex.from_texts(TEXTS).measure("ranked documents")


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexUnreadable, match="no saved routing index"):
        RoutingIndex.open(tmp_path)
    with pytest.raises(IndexUnreadable, match="missing"):
        RoutingIndex.open({"billing": tmp_path / "missing.safetensors"})
    (tmp_path / "routing.json").write_text("{", encoding="utf-8")
    with pytest.raises(IndexUnreadable, match=r"routing\.json"):
        RoutingIndex.open(tmp_path)
    (tmp_path / "routing.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(IndexUnreadable, match="another format"):
        RoutingIndex.open(tmp_path)
    RoutingIndex.from_texts(TEXTS).save(tmp_path / "index")
    for segment in (tmp_path / "index").glob("*.safetensors"):
        segment.write_bytes(segment.read_bytes()[:40])
    with pytest.raises(IndexUnreadable):
        RoutingIndex.open(tmp_path / "index")


def test_passages_are_described() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    assert "2" in index.describe("billing", 1)
    assert "named" in Router(index).route("in the billing repo, what is a refund?").explain()


def test_the_merged_baseline_ranks_passages_of_all_scopes() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    hits = index.merged_bm25("refund against an invoice", 3)
    assert [(scope, passage) for scope, passage, _ in hits] == [("billing", 1), ("billing", 0)]
    assert index.merged_bm25("refund", 3, scope="search") == []


def test_questions_are_answered_while_scopes_come_and_go() -> None:
    index = RoutingIndex.from_texts(TEXTS)
    router = Router(index)
    question = "in the billing repo, how is a refund booked?"
    stop = threading.Event()
    wrong: list[object] = []

    def ask() -> None:
        while not stop.is_set():
            try:
                route = router.route(question)
                if [scope.id for scope in route.scopes] != ["billing"]:
                    wrong.append(route)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(40):
        index.add(f"other-{number}", ["Refunds of something else."])
    for number in range(40):
        index.remove(f"other-{number}")
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert index.scopes == ["billing", "search"]
