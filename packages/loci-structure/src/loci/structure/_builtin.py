"""The backend over graph files of this package's own kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ._graph import Graph
from ._one_graph import OneGraph
from ._protocol import Project


class BuiltIn(OneGraph):
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
