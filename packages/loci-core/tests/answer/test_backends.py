"""A program's own store of passages and its own tool for symbols, asked through `Memory`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from loci.core import Memory, notes
from loci.episodes import EpisodeBackend, LaneReranker, Passage, Project
from loci.structure import Symbol

NOTES = {
    "mail": ("The invoice of the plumber came twice.", "Lunch is at noon."),
    "shop": ("The shop closes at six.",),
}


class Words:
    """Ranks the texts of a project by how many words they share with the question; it holds nothing of `empty`."""

    name = "words"

    def collect(self, project: Project) -> Collection[Passage]:
        return [
            Passage(
                kind="document",
                path=f"{number}.txt",
                lines=(1, 1),
                commit=None,
                heading="",
                symbol="",
                role="docs",
                text=text,
                score=0,
            )
            for number, text in enumerate(NOTES.get(project.id, ()))
        ]

    def search(
        self,
        question: str,
        chunks: Collection[Passage],
        scope_id: str,
        k: int = 10,
        rerank: LaneReranker | None = None,
    ) -> Sequence[Passage]:
        asked = set(question.lower().split())
        shared = {passage.path: len(asked & set(passage.text.lower().rstrip(".").split())) for passage in chunks}
        found = sorted(chunks, key=lambda passage: -shared[passage.path])
        return [passage for passage in found if shared[passage.path] > 1][:k]


class ByHand:
    """Knows one symbol of every project."""

    name = "by-hand"

    def sources(self, project: object) -> Sequence[str]:
        return ["by hand"]

    def vocabulary(self, project: object) -> Collection[str]:
        return {"pay"}

    def query(self, project: object, text: str, **_: object) -> Sequence[Symbol]:
        return [Symbol("pay", "function", "pay.py", 1)]


@pytest.fixture
def home(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    for name in ("mail", "shop", "empty"):
        memory.add(make_repository(tmp_path / name, {"README.md": f"# {name}\n\nThe words of the {name} project.\n"}))
    memory.index()
    return tmp_path / "home"


def test_passages_come_from_the_backend_and_symbols_from_the_index(home):
    assert isinstance(Words(), EpisodeBackend)
    memory = Memory.open(home, episodes=Words())
    (block,) = memory.ask("what about the invoice of the plumber", scope="mail").scopes
    assert [(passage.path, passage.text) for passage in block.passages] == [
        ("0.txt", "The invoice of the plumber came twice.")
    ]
    assert block.nothing is None and block.notes == ()
    (block,) = Memory.open(home).ask("what about the invoice of the plumber", scope="mail", gated=False).scopes
    assert "0.txt" not in [passage.path for passage in block.passages]


def test_a_project_that_the_backend_does_not_know_says_so(home):
    (block,) = Memory.open(home, episodes=Words()).ask("the words of the empty project", scope="empty").scopes
    assert block.passages == () and block.nothing == "absent"
    assert notes.NotInBackend("words", "passages") in block.notes


def test_both_backends_answer_in_one_block_and_routing_stays_the_index_s(home):
    memory = Memory.open(home, episodes=Words(), structure=ByHand())
    answer = memory.ask("when is it that the shop closes in the shop project")
    (block,) = answer.scopes
    assert block.id == "shop" and [passage.text for passage in block.passages] == ["The shop closes at six."]
    assert [symbol.name for symbol in block.symbols] == ["pay"]
