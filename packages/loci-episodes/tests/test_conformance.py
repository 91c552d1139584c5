"""The backend protocol: the built-in store and a plain one keep to it, and each check can fail."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from repositories import commit, make

from loci.episodes import BuiltinEpisodes, EpisodeBackend, LaneReranker, Lanes, Passage, Project
from loci.episodes.conformance import EpisodeConformance

FILES: dict[str, str | bytes] = {
    "docs/billing.md": "# Billing\n\nInvoices are sent on the first of each month.\n",
    "docs/refunds.md": "# Refunds\n\nA refund is booked against its invoice, and sent to the card that paid.\n",
    "src/month.py": "def first(day):\n    '''The day on which invoices go out.'''\n    return day.replace(day=1)\n",
}
QUESTION = "on which day are invoices sent?"


class TestBuiltin(EpisodeConformance):
    def backend(self, tmp_path: Path) -> tuple[EpisodeBackend, Project, str, str]:
        if not (tmp_path / "repo").exists():
            root = make(tmp_path / "repo", FILES, message="Send invoices each month")
            commit(root, "Invoices were sent a day late", when=1_600_000_100)
        return BuiltinEpisodes(tmp_path), Project("shop", tmp_path / "repo"), QUESTION, "docs/billing.md"


def words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 3}


class Chunks(list[Passage]):
    scope_id = ""


class Plain:
    """A backend of its own: passages by how many words of the question they have."""

    name = "plain"

    def collect(self, project: Project) -> Collection[Passage]:
        if project.id != "shop":
            return Chunks()
        made = Chunks(
            [
                *(
                    Passage("document", path, (1, 3), None, "", "", "docs", str(text), 0.0)
                    for path, text in sorted(FILES.items())
                ),
                Passage("commit", "", (0, 0), "c1", "", "", "source", "Send invoices each month", 0.0),
                Passage("commit", "", (0, 0), "c2", "", "", "source", "Invoices were sent late", 0.0),
            ]
        )
        made.scope_id = project.id
        return made

    def search(
        self,
        question: str,
        chunks: Collection[Passage],
        scope_id: str,
        k: int = 10,
        rerank: LaneReranker | None = None,
    ) -> Sequence[Passage]:
        assert isinstance(chunks, Chunks)
        if chunks.scope_id != scope_id:
            return []
        scored = [replace(each, score=float(len(words(question) & words(each.text)))) for each in chunks]
        ranked = sorted((each for each in scored if each.score), key=lambda each: (-each.score, each.source))
        lanes = Lanes([p for p in ranked if not p.commit], [p for p in ranked if p.commit], 1.0)
        if rerank is not None:
            lanes = rerank(question, lanes)
        return replace(lanes, files=lanes.files[:k], commits=lanes.commits[:k]).merged()


class TestPlain(EpisodeConformance):
    def backend(self, tmp_path: Path) -> tuple[EpisodeBackend, Project, str, str]:
        return Plain(), Project("shop", None), QUESTION, "docs/billing.md"


class Nameless(Plain):
    name = " "


class NoSearch:
    name = "no search"
    collect = Plain.collect


class Shapeless(Plain):
    """Cites places that nobody can open."""

    def collect(self, project: Project) -> Collection[Passage]:
        made = Plain.collect(self, project)
        assert isinstance(made, Chunks)
        made[:] = [replace(each, path="/" + each.path) if each.path else each for each in made]
        return made


class Spent(Plain):
    """Its passages can be gone through once."""

    def collect(self, project: Project) -> Collection[Passage]:
        class Once(Chunks):
            spent = False

            def __iter__(self) -> Iterator[Passage]:
                if self.spent:
                    return iter(())
                self.spent = True
                return super().__iter__()

        made = Plain.collect(self, project)
        once = Once(made)
        assert isinstance(made, Chunks)
        once.scope_id = made.scope_id
        return once


class Generous(Plain):
    """Answers for whoever is named."""

    def search(self, question: str, chunks: Any, scope_id: str, k: int = 10, rerank: Any = None) -> Sequence[Passage]:
        return Plain.search(self, question, chunks, chunks.scope_id, k, rerank)


class Silent(Plain):
    def search(self, question: str, chunks: Any, scope_id: str, k: int = 10, rerank: Any = None) -> Sequence[Passage]:
        return []


class Inventive(Plain):
    def search(self, question: str, chunks: Any, scope_id: str, k: int = 10, rerank: Any = None) -> Sequence[Passage]:
        found = Plain.search(self, question, chunks, scope_id, k, rerank)
        return [replace(each, text="In short: " + each.text) for each in found]


class Boundless(Plain):
    def search(self, question: str, chunks: Any, scope_id: str, k: int = 10, rerank: Any = None) -> Sequence[Passage]:
        return Plain.search(self, question, chunks, scope_id, 10, rerank)


class Repeating(Plain):
    def search(self, question: str, chunks: Any, scope_id: str, k: int = 10, rerank: Any = None) -> Sequence[Passage]:
        return [each for found in Plain.search(self, question, chunks, scope_id, k, rerank) for each in (found, found)]


class Moody(Plain):
    def __init__(self) -> None:
        self.turn = 0

    def search(self, question: str, chunks: Any, scope_id: str, k: int = 10, rerank: Any = None) -> Sequence[Passage]:
        self.turn += 1
        return Plain.search(self, question, chunks, scope_id, k, rerank)[: self.turn]


class Talkative(Plain):
    """Finds something for anything."""

    def search(self, question: str, chunks: Any, scope_id: str, k: int = 10, rerank: Any = None) -> Sequence[Passage]:
        return Plain.search(self, f"{question} invoices", chunks, scope_id, k, rerank)


class Stubborn(Plain):
    """Takes another order and keeps its own."""

    def search(self, question: str, chunks: Any, scope_id: str, k: int = 10, rerank: Any = None) -> Sequence[Passage]:
        return Plain.search(self, question, chunks, scope_id, k)


BROKEN: list[tuple[type, str]] = [
    (Nameless, "test_it_is_a_backend"),
    (NoSearch, "test_it_is_a_backend"),
    (Shapeless, "test_what_it_collects_can_be_cited"),
    (Spent, "test_what_it_collects_can_be_cited"),
    (Generous, "test_it_knows_nothing_of_other_projects"),
    (Silent, "test_a_question_finds_its_source"),
    (Inventive, "test_what_it_finds_was_collected"),
    (Boundless, "test_k_holds"),
    (Repeating, "test_k_holds"),
    (Moody, "test_the_same_question_has_the_same_answer"),
    (Talkative, "test_it_can_say_nothing"),
    (Stubborn, "test_a_new_order_is_kept"),
]


@pytest.mark.parametrize(("broken", "check"), BROKEN, ids=lambda each: getattr(each, "__name__", each))
def test_each_check_can_fail(broken: type, check: str, tmp_path: Path) -> None:
    class Suite(EpisodeConformance):
        def backend(self, tmp_path: Path) -> tuple[EpisodeBackend, Project, str, str]:
            return broken(), Project("shop", None), QUESTION, "docs/billing.md"

    with pytest.raises(AssertionError):
        getattr(Suite(), check)(tmp_path)


def test_every_check_is_seen_to_fail() -> None:
    checks = {name for name in vars(EpisodeConformance) if name.startswith("test_")}
    assert checks == {check for _, check in BROKEN}


def test_the_builtin_store_refuses_the_chunks_of_another(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="must come from collect"):
        BuiltinEpisodes(tmp_path).search("why?", Chunks(), "shop")


def test_a_directory_that_is_no_repository_has_no_passages(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    chunks = BuiltinEpisodes(tmp_path).collect(Project("plain", tmp_path / "plain"))
    assert (len(chunks), list(chunks)) == (0, [])


def test_the_gate_of_the_builtin_store_shuts_what_hardly_holds_the_question(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", FILES, message="Start")
    backend = BuiltinEpisodes(tmp_path)
    chunks = backend.collect(Project("shop", root))
    assert backend.search("invoices", chunks, "shop")
    assert backend.search("quuxly frobnicated zorbles blorb wibble day", chunks, "shop") == []
