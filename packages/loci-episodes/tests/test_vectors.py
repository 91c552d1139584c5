"""Vectors found by content, and the order that they give to what the words found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repositories import commit, make

from loci.episodes import (
    Episodes,
    Gate,
    Lanes,
    Passage,
    PassageScores,
    Reranking,
    Semantics,
    Vectors,
    VectorsDamaged,
    build,
    count_lacking,
    embed_passages,
    embed_texts,
    fit_floor,
)
from loci.episodes._semantic import FILE_WEIGHT, LEAST
from loci.episodes._vectors import content_key, passage_text


@dataclass
class WordCounts:
    """A model whose vectors are counts of a few words, normalised; it remembers what it was asked to embed."""

    signature: str = "words"
    name: str = "word-counts"
    words: tuple[str, ...] = ("cookie", "queue", "retry", "session")
    embedded: list[str] = field(default_factory=list)

    @property
    def dimension(self) -> int:
        return len(self.words)

    def embed(self, texts: Sequence[str], *, question: bool = False, progress: object = None) -> np.ndarray:
        self.embedded.extend(() if question else texts)
        counts = np.array([[t.count(word) + 0.01 for word in self.words] for t in texts], np.float32)
        counts = counts.reshape(len(texts), self.dimension)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def passage(name: str, text: str, score: float, kind: str = "document") -> Passage:
    sha = name if kind == "commit" else None
    return Passage(kind, "" if sha else name, (1, 1), sha, text if sha else "", "", "docs", text, score)


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3).filter(any), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_the_loss_of_int8_is_below_half_a_step(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[float]]
) -> None:
    vectors = np.array(rows, np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-30))
    keys = [content_key(str(place)) for place in range(len(rows))]
    directory = tmp_path_factory.mktemp("vectors")
    file, size = Vectors.of(WordCounts(), keys, vectors).save(directory)
    assert (directory / file).stat().st_size == size
    question = np.array([0.6, 0.0, 0.8], np.float32)
    found = Vectors.open(directory / file).similarities(question, [*keys, content_key("unknown")])
    # Each component is off by at most half of 1/127 of the largest.
    bound = np.abs(question).sum() * np.abs(vectors).max(axis=1) / 254 + 1e-5
    assert np.all(np.abs(found[:-1] - vectors @ question) <= bound)
    assert np.isnan(found[-1])


def test_passages_that_did_not_change_keep_their_vectors(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.md": "# A\n\nThe cookie is signed.\n", "b.md": "# B\n\nThe queue retries.\n"})
    report = build(root, directory=tmp_path)
    model = WordCounts()
    first = embed_passages(Episodes.open(tmp_path / report.segment), model)
    assert (first.embedded, first.kept, first.lacking) == (3, 0, 0), "two documents and a commit"
    model.embedded.clear()

    commit(root, "The queue is gone", {"b.md": "# B\n\nThe session retries.\n"})
    newer = build(root, directory=tmp_path)
    episodes = Episodes.open(tmp_path / newer.segment)
    assert count_lacking(episodes, first.vectors) == 2
    second = embed_passages(episodes, model, previous=first.vectors)
    assert (second.embedded, second.kept) == (2, 2)
    assert sorted(model.embedded) == ["The queue is gone", "b.md\nB\n# B\n\nThe session retries."]
    assert count_lacking(episodes, second.vectors) == 0
    whole = embed_passages(episodes, WordCounts())
    assert whole.vectors.save(tmp_path) == second.vectors.save(tmp_path), "the same as from nothing, byte for byte"


def test_texts_of_any_kind_share_vectors_keep_them_and_lose_them(tmp_path: Path) -> None:
    model = WordCounts()
    first = embed_texts([(7, "cookie"), (9, "queue"), (11, "cookie")], model)
    assert (first.embedded, first.kept, len(first.vectors)) == (2, 0, 2)
    asked = model.embed(["cookie"], question=True)[0]
    assert [(key, place) for key, place, _ in first.vectors.nearest(asked, 0.5, 9)] == [(content_key("cookie"), 7)]
    second = embed_texts([(0, "retry"), (1, "cookie")], model, previous=first.vectors)
    assert (second.embedded, second.kept, model.embedded) == (1, 1, ["cookie", "queue", "retry"])
    assert content_key("queue") not in second.vectors
    whole = embed_texts([(0, "retry"), (1, "cookie")], WordCounts())
    assert whole.vectors.save(tmp_path) == second.vectors.save(tmp_path), "the same as from nothing, byte for byte"
    empty, _ = embed_texts([], model).vectors.save(tmp_path)
    assert len(Vectors.open(tmp_path / empty)) == 0


def test_vectors_of_another_model_are_made_anew(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.md": "# A\n\nThe cookie is signed.\n"})
    episodes = Episodes.open(tmp_path / build(root, directory=tmp_path).segment)
    first = embed_passages(episodes, WordCounts())
    other = embed_passages(episodes, WordCounts(signature="other", words=("cookie", "queue")), previous=first.vectors)
    assert (other.embedded, other.kept, other.vectors.dimension) == (2, 0, 2)


def test_source_is_left_to_questions_unless_asked_for(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.py": "def cookie():\n    return 1\n"})
    episodes = Episodes.open(tmp_path / build(root, directory=tmp_path).segment)
    assert embed_passages(episodes, WordCounts()).lacking == 1
    assert embed_passages(episodes, WordCounts(), kinds=("document", "source", "commit")).lacking == 0


@pytest.mark.parametrize("content", [None, b"", b"no safetensors", b"\x02\x00\x00\x00\x00\x00\x00\x00{}"])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.vectors.safetensors"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(VectorsDamaged, match=r"a\.vectors\.safetensors"):
        Vectors.open(path)


@pytest.fixture
def kitchen(tmp_path: Path) -> Episodes:
    """Three documents and a commit; the model below takes a biscuit for a cookie."""
    files: dict[str, str | bytes] = {
        "a.md": "# Worker\n\nThe queue of the worker.\n",
        "b.md": "# Jar\n\nThe cookie of the session, and the worker.\n",
        "c.md": "# Nothing\n\nOf this and that.\n",
    }
    root = make(tmp_path / "repo", files, message="Begin")
    return Episodes.open(tmp_path / build(root, directory=tmp_path).segment)


@dataclass
class Synonyms(WordCounts):
    """Counts words whatever they are called."""

    def embed(self, texts: Sequence[str], *, question: bool = False, progress: object = None) -> np.ndarray:
        return super().embed([text.replace("biscuit", "cookie") for text in texts], question=question)


def scores_of(dense: PassageScores, episodes: Episodes) -> dict[str, float]:
    values = np.frombuffer(dense.scores, "<f4")
    return {p.source: float(v) for p, v in zip(episodes.all_passages(), values, strict=True) if v > 0}


def test_candidates_of_the_words_get_their_cosine_and_the_order_follows(kitchen: Episodes) -> None:
    model = Synonyms(words=("cookie", "worker"))
    dense = Semantics(model).dense_scores("worker biscuit", kitchen)
    asked = model.embed(["worker biscuit"], question=True)[0]
    cosines = {
        p.source: float(model.embed([passage_text(p)])[0] @ asked) - LEAST
        for p in kitchen.all_passages()
        if "worker" in p.text
    }
    assert dense.file_weight == pytest.approx(FILE_WEIGHT * max(cosines.values()))
    assert len(cosines) == 2
    assert scores_of(dense, kitchen) == pytest.approx(cosines), "c.md and the commit hold no word of the question"
    assert [p.source for p in kitchen.lanes("worker biscuit").files] == ["a.md", "b.md"], "by words alone"
    fused = kitchen.lanes("worker biscuit", dense=replace(dense, file_weight=2.0)).files
    assert [p.source for p in fused] == ["b.md", "a.md"]
    assert {p.source: p.similarity for p in fused} == pytest.approx(cosines)


def test_what_no_word_leads_to_is_found_from_the_floor_on_and_passes_the_gate(kitchen: Episodes) -> None:
    model = Synonyms()
    vectors = embed_passages(kitchen, model).vectors
    assert kitchen.search("biscuit") == []
    semantics = Semantics(model, vectors, floor=0.6)
    dense = semantics.dense_scores("biscuit", kitchen)
    assert [p.source for p in kitchen.search("biscuit", dense=dense)] == ["b.md"]
    weak, strong = Gate(), Gate(similarity=semantics.gate_floor)
    assert kitchen.search("biscuit", dense=dense, gate=weak) == []
    assert [p.source for p in kitchen.search("biscuit", dense=dense, gate=strong)] == ["b.md"]
    assert scores_of(Semantics(model, vectors, floor=0.99).dense_scores("biscuit", kitchen), kitchen) == {}
    assert scores_of(Semantics(model, vectors).dense_scores("biscuit", kitchen), kitchen) == {}, (
        "without a floor nothing is"
    )


def test_a_low_floor_admits_nothing_without_a_score() -> None:
    semantics = Semantics(WordCounts(), floor=0.1)
    assert not Gate(similarity=semantics.gate_floor).admits(Lanes([passage("a.md", "x", 1.0)], [], 1.0))
    assert Semantics(WordCounts()).gate_floor is None


def test_a_passage_that_moved_since_is_not_taken_for_another(kitchen: Episodes, tmp_path: Path) -> None:
    model = Synonyms()
    vectors = embed_passages(kitchen, model).vectors
    commit(tmp_path / "repo", "More", {"0.md": "# First\n\nIt moves all numbers.\n"})
    newer = Episodes.open(tmp_path / build(tmp_path / "repo", directory=tmp_path).segment)
    semantics = Semantics(model, vectors, floor=0.6)
    assert scores_of(semantics.dense_scores("biscuit", newer), newer) == {}
    again = embed_passages(newer, model, previous=vectors).vectors
    assert list(scores_of(Semantics(model, again, 0.6).dense_scores("biscuit", newer), newer)) == ["b.md"]


def test_vectors_that_questions_made_are_kept(kitchen: Episodes) -> None:
    model = Synonyms()
    semantics = Semantics(model)
    first = semantics.dense_scores("worker biscuit", kitchen)
    assert len(model.embedded) == 2
    assert semantics.dense_scores("worker biscuit", kitchen) == first
    assert len(model.embedded) == 2


def test_only_candidates_without_a_vector_are_embedded() -> None:
    known, unknown = passage("a.md", "cookie", 1.0), passage("b.md", "queue", 0.9)
    model = WordCounts()
    text = passage_text(known)
    vectors = Vectors.of(model, [content_key(text)], model.embed([text]))
    model.embedded.clear()
    cosines = Semantics(model, vectors).similarities("cookie", [known, unknown])
    assert model.embedded == [passage_text(unknown)]
    assert cosines == pytest.approx(Semantics(model).similarities("cookie", [known, unknown]), abs=0.01)


def test_a_question_of_nothing_is_not_embedded(kitchen: Episodes) -> None:
    assert scores_of(Semantics(WordCounts()).dense_scores(" ", kitchen), kitchen) == {}


def test_a_cross_encoder_decides_the_order_alone() -> None:
    class Longest:
        name = "longest"

        def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
            return np.array([len(text) for text in texts], np.float32)

    files = [passage("a", "x", 1.0), passage("b", "xxx", 0.5), passage("c", "xx", 0.4)]
    found = Reranking(Longest())("q", Lanes(files, [], 1.0))
    assert [(item.path, item.score) for item in found.files] == [("b", 1.0), ("c", 0.5), ("a", 0.4)]


def test_the_floor_is_what_few_foreign_texts_reach() -> None:
    model = WordCounts(words=("cookie", "queue"))
    vectors = Vectors.of(model, [content_key("x")], np.array([[1.0, 0.0]], np.float32))
    angles = np.linspace(0, np.pi / 2, 101)
    foreign = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    floor = fit_floor(vectors, foreign)
    assert floor == pytest.approx(np.quantile(np.cos(angles), 0.9), abs=0.005)
    assert fit_floor(vectors, foreign[:19]) is None, "too few to tell"


def test_search_takes_a_reranker_at_more_than_it_shows(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"{number:02}.md": f"# T\n\ncookie {'cookie ' * number}\n" for number in range(9)}
    files["z.md"] = "# T\n\ncookie queue queue queue queue and much else besides that is not asked for\n"
    root = make(tmp_path / "repo", files, message="zzz")
    episodes = Episodes.open(tmp_path / build(root, directory=tmp_path).segment)
    plain = [item.path for item in episodes.search("cookie", k=1)]
    seen: list[int] = []

    def last_first(question: str, lanes: Lanes) -> Lanes:
        seen.append(len(lanes.files))
        return Lanes(lanes.files[::-1], lanes.commits, lanes.best_passage)

    found = [item.path for item in episodes.search("cookie", k=1, reranker=last_first)]
    assert seen == [10]
    assert len(plain) == len(found) == 1
    assert plain != found
