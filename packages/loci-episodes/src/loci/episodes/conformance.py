"""What every store of episodes must keep to, as tests to inherit.

A backend proves itself by a class in its own test suite:

    class TestMine(EpisodeConformance):
        def backend(self, tmp_path):
            return Mine(...), Project("shop", root), "when are invoices sent?", "docs/billing.md"

`backend` returns the backend, a project it has passages of, a question in words of the project, and the path or commit
that must be among what the question finds. pytest collects the inherited tests; nothing of pytest is imported here.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from ._lanes import Lanes
from ._passage import ROLES, Passage
from ._protocol import EpisodeBackend, Project

__all__ = ["EpisodeConformance"]

EVERYTHING = 1000


class EpisodeConformance:
    """Inherit and define :meth:`backend`."""

    def backend(self, tmp_path: Path) -> tuple[EpisodeBackend, Project, str, str]:
        """The backend under test, a project that it knows, a question, and the path or commit that answers it."""
        raise NotImplementedError

    def test_it_is_a_backend(self, tmp_path: Path) -> None:
        """It has the parts of the protocol, and a name."""
        backend = self.backend(tmp_path)[0]
        assert isinstance(backend, EpisodeBackend)
        assert backend.name.strip()

    def test_what_it_collects_can_be_cited(self, tmp_path: Path) -> None:
        """Passages with a place that a reader can open, in the same order each time."""
        backend, project, _, _ = self.backend(tmp_path)
        chunks = backend.collect(project)
        passages = list(chunks)
        assert passages and len(chunks) == len(passages)
        assert list(chunks) == passages
        for passage in passages:
            self._check(passage)

    def test_it_knows_nothing_of_other_projects(self, tmp_path: Path) -> None:
        """Neither does it collect of a project that it does not know, nor answer in the name of another one."""
        backend, project, question, _ = self.backend(tmp_path)
        nobody = Project("no such project", None)
        assert list(backend.collect(nobody)) == []
        assert list(backend.search(question, backend.collect(nobody), nobody.id)) == []
        assert list(backend.search(question, backend.collect(project), nobody.id)) == []

    def test_a_question_finds_its_source(self, tmp_path: Path) -> None:
        """The one that the suite names for it."""
        backend, project, question, source = self.backend(tmp_path)
        found = backend.search(question, backend.collect(project), project.id)
        assert source in [passage.source for passage in found]

    def test_what_it_finds_was_collected(self, tmp_path: Path) -> None:
        """Verbatim, from the same place: nothing is summarised or made up."""
        backend, project, question, _ = self.backend(tmp_path)
        chunks = backend.collect(project)
        texts: dict[str, list[str]] = {}
        for chunk in chunks:
            texts.setdefault(chunk.source, []).append(chunk.text)
        for passage in backend.search(question, chunks, project.id):
            self._check(passage)
            assert any(passage.text in text for text in texts.get(passage.source, []))

    def test_k_holds(self, tmp_path: Path) -> None:
        """For files and for commits; each is cited once, and few of them are the first of many."""
        backend, project, question, _ = self.backend(tmp_path)
        chunks = backend.collect(project)
        files, commits = _split(backend.search(question, chunks, project.id, EVERYTHING))
        for k in (0, 1, 2, EVERYTHING):
            few = _split(backend.search(question, chunks, project.id, k))
            assert few == (files[:k], commits[:k])
        assert len(set(files)) == len(files) and len(set(commits)) == len(commits)

    def test_the_same_question_has_the_same_answer(self, tmp_path: Path) -> None:
        """Also from passages that were collected anew."""
        backend, project, question, _ = self.backend(tmp_path)
        chunks = backend.collect(project)
        first = list(backend.search(question, chunks, project.id))
        assert list(backend.search(question, chunks, project.id)) == first
        assert list(backend.search(question, backend.collect(project), project.id)) == first

    def test_it_can_say_nothing(self, tmp_path: Path) -> None:
        """To an empty question, and to one of which the project has no word."""
        backend, project, _, _ = self.backend(tmp_path)
        chunks = backend.collect(project)
        assert list(backend.search("", chunks, project.id)) == []
        assert list(backend.search("zzqxv kkwpt", chunks, project.id)) == []

    def test_a_new_order_is_kept(self, tmp_path: Path) -> None:
        """What `rerank` puts first comes first; it adds nothing and leaves nothing out."""
        backend, project, question, _ = self.backend(tmp_path)
        chunks = backend.collect(project)
        files, commits = _split(backend.search(question, chunks, project.id, EVERYTHING))
        asked: list[str] = []

        def backwards(question: str, lanes: Lanes) -> Lanes:
            asked.append(question)
            return replace(lanes, files=list(lanes.files)[::-1], commits=list(lanes.commits)[::-1])

        turned = backend.search(question, chunks, project.id, EVERYTHING, backwards)
        assert asked == [question]
        assert _split(turned) == (files[::-1], commits[::-1])

    @staticmethod
    def _check(passage: Passage) -> None:
        assert isinstance(passage, Passage)
        assert passage.kind in ("document", "source", "commit") and passage.role in ROLES
        if passage.kind == "commit":
            assert passage.commit and not passage.path
            assert passage.lines == (0, 0)
            return
        assert passage.text.strip()
        assert passage.path and not passage.path.startswith("/") and "\\" not in passage.path
        assert passage.commit is None
        assert 1 <= passage.lines[0] <= passage.lines[1]


def _split(found: Collection[Passage]) -> tuple[list[str], list[str]]:
    """The files and the commits that are cited, each in their order."""
    return (
        [passage.source for passage in found if passage.kind != "commit"],
        [passage.source for passage in found if passage.kind == "commit"],
    )
