"""What every structure backend must keep to, as tests to inherit.

A backend proves itself by a class in its own test suite:

    class TestMine(BackendConformance):
        def backend(self, tmp_path):
            return Mine(...), Project("shop", root), "open_session"

`backend` returns the backend, a project it has something about, and the name of a symbol of it. pytest collects the
inherited tests; nothing of pytest is imported here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._protocol import Project, StructureBackend, Symbol

__all__ = ["BackendConformance"]


class BackendConformance:
    """Inherit and define :meth:`backend`."""

    def backend(self, tmp_path: Path) -> tuple[StructureBackend, Project, str]:
        """The backend under test, a project that it knows, and the name of a symbol there."""
        raise NotImplementedError

    def test_it_is_a_backend(self, tmp_path: Path) -> None:
        """It has the four parts of the protocol, and a name."""
        backend, _, _ = self.backend(tmp_path)
        assert isinstance(backend, StructureBackend)
        assert backend.name.strip()

    def test_it_says_what_it_has(self, tmp_path: Path) -> None:
        """Phrases about the project it knows, none about one it does not."""
        backend, project, _ = self.backend(tmp_path)
        sources = backend.sources(project)
        assert sources and all(isinstance(phrase, str) and phrase.strip() for phrase in sources)
        assert list(backend.sources(Project("no such project", None))) == []

    def test_its_vocabulary_holds_the_symbol(self, tmp_path: Path) -> None:
        """Plain names, without duplicates."""
        backend, project, name = self.backend(tmp_path)
        vocabulary = list(backend.vocabulary(project))
        assert name.rsplit(".", 1)[-1] in vocabulary
        assert len(vocabulary) == len(set(vocabulary))
        assert list(backend.vocabulary(Project("no such project", None))) == []

    def test_a_question_with_the_name_finds_the_symbol(self, tmp_path: Path) -> None:
        """With a place that a reader can open."""
        backend, project, name = self.backend(tmp_path)
        found = backend.query(project, f"what is `{name}`?", names=[name])
        assert any(symbol.name.rsplit(".", 1)[-1] == name.rsplit(".", 1)[-1] for symbol in found)
        for symbol in found:
            self._check(symbol)

    def test_the_budget_holds(self, tmp_path: Path) -> None:
        """Never more symbols than asked for, and the first ones are those of a larger budget."""
        backend, project, name = self.backend(tmp_path)
        whole = list(backend.query(project, f"who calls {name}()?", names=[name], relations=["callers"], budget=40))
        assert len(whole) <= 40
        for budget in (0, 1, 2):
            part = backend.query(project, f"who calls {name}()?", names=[name], relations=["callers"], budget=budget)
            assert [symbol.name for symbol in part] == [symbol.name for symbol in whole[:budget]]

    def test_the_same_question_has_the_same_answer(self, tmp_path: Path) -> None:
        """In both orders of traversal, which show the same symbols."""
        backend, project, name = self.backend(tmp_path)
        for depth_first in (False, True):
            first, again = (
                list(backend.query(project, f"how does {name} work?", names=[name], depth_first=depth_first))
                for _ in range(2)
            )
            assert first == again

    def test_no_symbol_is_meant(self, tmp_path: Path) -> None:
        """Then there is none: not for an empty question, nonsense, or a project that is not known."""
        backend, project, name = self.backend(tmp_path)
        assert list(backend.query(project, "")) == []
        assert list(backend.query(project, "zzqxv kkwpt")) == []
        assert list(backend.query(Project("no such project", None), name)) == []

    @staticmethod
    def _check(symbol: Any) -> None:
        assert isinstance(symbol, Symbol)
        assert symbol.name and symbol.kind and symbol.line >= 1
        assert symbol.path and not symbol.path.startswith("/") and "\\" not in symbol.path
        assert (symbol.relation is None) == (symbol.of is None) == (symbol.resolution is None)
        assert symbol.resolution != "unresolved"
