"""The backend over graph files of this package's own kernel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from ._graph import Graph
from ._protocol import Project, Traversal


class BuiltIn:
    """Answers from graphs that :func:`loci.structure.build` wrote.

    >>> from loci.structure import BuiltIn, Project
    >>> BuiltIn({}).sources(Project("shop", None))
    []
    """

    name = "built-in"

    def __init__(self, graphs: Mapping[str, Graph | str | Path] | Callable[[str], Graph | None]) -> None:
        """Takes the graph (or its file) of each project's id, or a function that finds it."""
        self._graphs = graphs

    def graph(self, project: Project) -> Graph | None:
        """The open graph of a project, None where there is none."""
        if callable(self._graphs):
            return self._graphs(project.id)
        found = self._graphs.get(project.id)
        return found if found is None or isinstance(found, Graph) else Graph.open(found)

    def sources(self, project: Project) -> Sequence[str]:
        """One phrase with the size of the graph."""
        graph = self.graph(project)
        return [] if graph is None else [f"{graph.symbols} symbols of {graph.files} files ({graph.backend})"]

    def vocabulary(self, project: Project) -> Collection[str]:
        """The names of the project's symbols."""
        graph = self.graph(project)
        return set() if graph is None else graph.vocabulary()

    def query(
        self,
        project: Project,
        query: str,
        *,
        budget: int = 40,
        depth_first: bool = False,
        hints: Sequence[str] = (),
    ) -> Traversal:
        """As :meth:`Graph.query`; empty without a graph."""
        graph = self.graph(project)
        if graph is None:
            return Traversal()
        return graph.query(query, budget=budget, depth_first=depth_first, hints=hints)
