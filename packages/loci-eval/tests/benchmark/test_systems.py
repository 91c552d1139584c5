"""The wrappers around loci and the baselines, over stand-ins with the same attributes."""

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from loci.eval import Source
from loci.eval.benchmark.systems import EvidenceAlone, Loci, MergedBM25, source_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NAMES = {"billing-1": "billing", "search": "search"}


@dataclass
class FakeModel:
    """Evidence by script: scope id -> combined."""

    combined: dict

    def evidence(self, index, question):
        return SimpleNamespace(scopes={key: SimpleNamespace(combined=value) for key, value in self.combined.items()})


def evidence(**combined):
    names = {**NAMES, "mail": "mail"}
    model: Any = FakeModel({key.replace("_", "-"): value for key, value in combined.items()})
    index: Any = None  # the scripted model looks nothing up
    return EvidenceAlone("evidence", model, index, names)


def route(*selected, candidates=(), confidence=0.5, reason=None, mode="single"):
    return SimpleNamespace(
        abstained=not selected,
        scopes=[SimpleNamespace(id=scope) for scope in selected],
        candidates=[SimpleNamespace(id=scope) for scope in candidates],
        confidence=confidence,
        reason=reason,
        mode=mode,
    )


def passage(kind, path="", commit=None):
    return SimpleNamespace(kind=kind, path=path, commit=commit, also_at=())


@dataclass
class FakeMemory:
    calls: list = field(default_factory=list)

    def route(self, question, cwd=None):
        self.calls.append(("route", question, cwd))
        return route("search", candidates=["search", "billing-1"], confidence=0.7)

    def ask(self, question, scope=None, k=10):
        self.calls.append(("ask", question, scope, k))
        blocks = [
            SimpleNamespace(id="search", passages=[passage("source", "a.py"), passage("commit", commit=COMMIT)]),
            SimpleNamespace(id="billing-1", passages=[passage("document", "README.md", "f" * 40)]),
        ]
        return SimpleNamespace(scopes=blocks)


def test_loci_speaks_of_folders_not_ids():
    memory = FakeMemory()
    loci = Loci(memory, NAMES, evidence(search=1.0, billing_1=2.0))
    routed = loci.route("q", Path("here"))
    assert (routed.selected, routed.ranked, routed.confidence) == (("search",), ("search", "billing"), 0.7)
    loci.retrieve("q", "billing")
    loci.retrieve("q")
    assert memory.calls == [("route", "q", Path("here")), ("ask", "q", "billing-1", 10), ("ask", "q", None, 10)]


def test_loci_keeps_the_order_of_the_answer():
    assert Loci(FakeMemory(), NAMES, evidence(search=1.0, billing_1=2.0)).retrieve("q").sources == (
        Source("search", "path", "a.py"),
        Source("search", "commit", COMMIT),
        Source("billing", "path", "README.md"),
    )


def test_an_abstention_selects_nothing_and_ranks_its_candidates():
    memory = FakeMemory()
    memory.route = lambda question, cwd=None: route(candidates=["billing-1"], confidence=0.2, reason="deictic")
    routed = Loci(memory, NAMES, evidence(search=1.0, billing_1=2.0)).route("q")
    assert routed.abstained
    assert (routed.ranked, routed.reason) == (("billing",), "deictic")


def test_loci_ranks_what_a_route_leaves_out_by_evidence():
    assert list(Loci(FakeMemory(), NAMES, evidence(search=1.0, billing_1=2.0)).ranking("q")) == ["billing", "search"]


def test_evidence_alone_selects_the_best_scope_and_breaks_ties_by_id():
    routed = evidence(search=0.5, mail=0.5, billing_1=-1.0).route("q", Path("ignored"))
    assert routed.selected == ("mail",)
    assert routed.ranked == ("mail", "search", "billing")
    assert routed.confidence == 0.5


@pytest.mark.parametrize("combined", [{}, {"search": 0.0, "mail": 0.0}])
def test_evidence_alone_abstains_when_nothing_matched(combined):
    routed = evidence(**combined).route("q")
    assert (routed.abstained, routed.ranked, routed.reason) == (True, (), "no_evidence")


def test_evidence_alone_refuses_to_retrieve():
    with pytest.raises(NotImplementedError, match="evidence only routes"):
        evidence(search=1.0).retrieve("q")


def ranked(question, k, folder):
    hits = [
        ("search", "source", "a.py", None, 9.0),
        ("search", "commit", "", COMMIT, 8.0),
        ("billing", "document", "b.md", None, 7.0),
        ("search", "source", "c.py", None, 6.0),
    ]
    return [hit for hit in hits if folder in (None, hit[0])][:k]


def test_merged_bm25_sends_a_question_to_the_scope_of_the_best_passage():
    routed = MergedBM25(ranked).route("q")
    assert (routed.selected, routed.ranked, routed.confidence) == (("search",), ("search", "billing"), 9.0)


def test_merged_bm25_abstains_only_when_no_word_is_known():
    routed = MergedBM25(lambda question, k, folder: []).route("q")
    assert routed.abstained
    assert (routed.ranked, routed.confidence) == ((), 0.0)


def test_merged_bm25_retrieves_its_own_ranking_or_one_scope_of_it():
    merged = MergedBM25(ranked)
    assert [source.value for source in merged.retrieve("q").sources] == ["a.py", COMMIT, "b.md", "c.py"]
    assert [source.value for source in merged.retrieve("q", "billing").sources] == ["b.md"]


def test_a_file_passage_is_its_path_even_when_it_carries_a_commit():
    assert source_of("search", "source", "a.py", "f" * 40) == Source("search", "path", "a.py")
    with pytest.raises(ValueError, match="has no commit id"):
        source_of("search", "commit", "", None)
