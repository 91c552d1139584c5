"""The gate, and words that a scope spells otherwise."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest
from repositories import commit, make

from loci.episodes import Episodes, Gate, Lanes, Passage, PassageScores, Support, build


def open_store(base: Path, files: dict[str, str | bytes], message: str = "Start") -> Episodes:
    root = make(base / "repo", files, message=message)
    return Episodes.open(base / build(root, directory=base).segment)


@pytest.mark.parametrize(
    ("support", "held", "grounded"),
    [
        (Support(share=0.5, holds=0.0, whether=0.5), 0.0, True),
        (Support(share=0.04, holds=0.0, whether=0.02), 0.0, True),
        (Support(share=0.0399, holds=0.63, whether=0.9), 0.0, False),
        # exp(4 x 0.25) = 2.718 times less of a share will do where a passage holds a fourth of the question.
        (Support(share=0.0148, holds=0.0, whether=0.9), 0.25, True),
        (Support(share=0.0147, holds=0.0, whether=0.9), 0.25, False),
        (Support(share=0.0007, holds=0.0, whether=0.9), 1.0, False),
        # One of several projects that a question fits has next to no share of it.
        (Support(share=0.0, holds=0.64, whether=0.5), 0.0, True),
        # FIELD 29: a nonsense phrase asked from inside a project still returned five memories.
        (Support(share=1.0, holds=1.0, whether=0.01), 0.49, False),
        # Misspelt words are no evidence for the corpus; the scope has most of the question all the same.
        (Support(share=1.0, holds=1.0, whether=0.01), 0.5, True),
        # Where nothing is known of other scopes, what holds any part worth the name is shown.
        (None, 0.15, True),
        (None, 0.14, False),
    ],
)
def test_grounded_takes_a_place_in_the_corpus_and_something_there(
    support: Support | None, held: float, grounded: bool
) -> None:
    assert Gate().grounded(support, held) is grounded


def test_what_is_close_in_meaning_stands_without_words() -> None:
    near = Passage("document", "a.md", (1, 2), None, "", "", "docs", "text", 1.0, similarity=0.8)
    lanes, foreign = Lanes([near], [], 0.0), Support(0.0, 0.0, 0.0)
    assert not Gate().admits(lanes, foreign)
    assert Gate(similarity=0.8).admits(lanes, foreign)
    assert not Gate(similarity=0.81).admits(lanes, foreign)
    assert not Gate(similarity=0.1).admits(Lanes([], [], 0.0), foreign)


def test_a_store_with_a_gate_can_say_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path, {"a.md": "# Cookies\n\nThe cookie is signed with the newest key.\n"})
    question = "when is the cookie signed?"
    foreign = Support(share=0.0005, holds=0.1, whether=0.9)
    assert store.search(question, gate=Gate(), support=foreign) == []
    assert [p.path for p in store.search(question, gate=Gate(), support=Support(1.0, 1.0, 0.9))] == ["a.md"]
    assert [p.path for p in store.search(question)] == ["a.md"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("samesite", "Set `SameSite=None` on it."),
        ("retreive", "It will retrieve the parcel."),
        ("colour", "The color of the border."),
        ("web socket", "The websocket closes."),
        ("websocket", "Opens a web socket."),
    ],
)
def test_a_word_is_found_however_it_is_spelled(tmp_path: Path, question: str, text: str) -> None:
    store = open_store(tmp_path, {"a.md": text + "\n", "b.md": "Nothing of the kind.\n"})
    assert [p.path for p in store.lanes(question).files] == ["a.md"]


def test_a_look_alike_never_outranks_the_word_itself(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{n}.md": "They retrieve, retrieve and retrieve it.\n" for n in range(40)}
    files["slip.md"] = (
        "They retreive it, says a text that goes on about parcels, queues, workers and what they carry.\n"
    )
    found = open_store(tmp_path, files).lanes("retreive", k=50).files
    assert found[0].path == "slip.md"
    assert [len(p.also_at) for p in found] == [0, 39]


def test_nonsense_is_not_grounded_and_a_slip_is_less_than_half(tmp_path: Path) -> None:
    """FIELD 26, 29: look-alikes as evidence for a symbol that does not exist; passages for a nonsense phrase."""
    store = open_store(tmp_path, {"a.md": "It will retrieve the parcel.\n"})
    assert store.lanes("xyzzyfrob").files == []
    assert store.lanes("xyzzyfrob").held == 0.0
    assert store.lanes("retreive").held == pytest.approx(0.4)
    assert Gate().admits(store.lanes("retreive")), "the passage it was meant for, where nothing speaks against it"
    assert not Gate().admits(store.lanes("retreive"), Support(share=1.0, holds=1.0, whether=0.01))
    assert not Gate().admits(store.lanes("retreive xyzzyfrob quuxly zorbles"))
    assert store.lanes("retrieve").held == pytest.approx(1.0)


def test_a_third_ranker_is_fused_and_one_that_says_nothing_changes_nothing(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.md": "The cookie is signed.\n", "b.md": "Biscuits are sealed.\n"}, message="zzz")
    commit(root, "cookie one", when=1_600_000_100)
    commit(root, "crumbs", when=1_600_000_200)
    store = Episodes.open(tmp_path / build(root, directory=tmp_path).segment)
    assert store.passages == {"document": 2, "source": 0, "commit": 3}

    def scores(*values: float) -> PassageScores:
        return PassageScores(struct.pack(f"<{len(values)}f", *values), file_weight=2.0, commit_weight=3.0)

    words = store.lanes("cookie")
    assert [p.path for p in words.files] == ["a.md"]
    assert store.lanes("cookie", dense=scores(0.0, -1.0, math.nan, 0.0, 0.0)) == words
    both = store.lanes("cookie", dense=scores(0.0, 0.5, 0.0, 0.0, 0.25))
    # Penalties aside (documents lose 0.25): a.md has its words, b.md twice the whole of the dense scores.
    assert [(p.path, p.similarity) for p in both.files] == [("b.md", 0.5), ("a.md", None)]
    assert both.files[0].score == pytest.approx(1.75)
    assert both.similarity == 0.5
    # Dense scores move commits, and no lane before the other: that is left to the words.
    assert both.best_commit == words.best_commit == words.commits[0].score != both.commits[0].score
    assert both.best_passage == words.best_passage
    unit = words.commits[0].score
    assert [p.score for p in both.commits] == pytest.approx([unit * 3 / 4, unit / 4])
    alone = store.lanes("seal", dense=scores(0.0, 0.0, 0.0, 0.0, 0.25))
    assert [p.score for p in alone.commits] == pytest.approx([1.0])
    with pytest.raises(ValueError, match="scores of 4 bytes do not fit 5 passages, which need 20"):
        store.lanes("cookie", dense=scores(1.0))
