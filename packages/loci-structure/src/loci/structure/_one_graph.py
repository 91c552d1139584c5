"""What every backend with one graph for each project answers, once it can say which graph that is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

from ._graph import Graph
from ._protocol import AskedRelation, Project, Traversal


class OneGraph(ABC):
    """Answers from the graph that :meth:`graph` finds for a project; with nothing where it finds none."""

    @abstractmethod
    def graph(self, project: Project) -> Graph | None:
        """The open graph of a project, None where there is none."""

    def sources(self, project: Project) -> Sequence[str]:
        """One phrase with the size of the graph and who made it."""
        graph = self.graph(project)
        return [] if graph is None else [f"{graph.symbols} symbols of {graph.files} files ({self.maker(graph)})"]

    def maker(self, graph: Graph) -> str:
        """Who made the graph, in words."""
        return graph.backend

    def vocabulary(self, project: Project) -> Collection[str]:
        """The names of the project's symbols."""
        graph = self.graph(project)
        return set() if graph is None else graph.vocabulary()

    def query(
        self,
        project: Project,
        text: str,
        *,
        names: Sequence[str] = (),
        relations: Collection[AskedRelation] = (),
        budget: int = 40,
        depth_first: bool = False,
        hints: Sequence[str] = (),
    ) -> Traversal:
        """As :meth:`Graph.query`; empty without a graph."""
        graph = self.graph(project)
        if graph is None:
            return Traversal()
        return graph.query(text, names=names, relations=relations, budget=budget, depth_first=depth_first, hints=hints)
