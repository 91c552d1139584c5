"""Vectors of symbols: made of the labels of a graph, and the symbols that a question is near to.

Kept and found as those of passages are: by the hash of a label, so that they outlive a graph that was built again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from loci.core.home.home import Home
from loci.core.home.manifest import Indexed
from loci.core.home.records import SymbolVectorsRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from loci.episodes import Embedder, Vectors, VectorsReport
    from loci.structure import Combined, Graph, Near

LEAST = 0.3
"""A cosine counts from here on, as for passages, and from the floor of the project on where that is higher."""

NEAREST = 20
"""So many symbols of a project gain by it."""

WEIGHT = 1.0
"""What a cosine of 1 is worth beside the best match by words.

Without the floor, what lies below it and shares words with the question gains too: then one question of 30 is no longer
answered among the first three. With it 1.0 loses nowhere, with hints or without, and 2.0 does
(benchmarks/results/embedding.md)."""


@dataclass(frozen=True)
class SymbolSemantics:
    """The vectors of a project's symbols, and the cosine from which one speaks to a question; None where nothing tells.

    `numbers` gives the symbols of each label of a graph, by the key of the label.
    """

    vectors: Vectors
    floor: float | None
    numbers: Callable[[Graph | Combined], Mapping[bytes, Sequence[int]]]

    def near(self, asked: NDArray[np.float32], graph: Graph | Combined) -> list[Near]:
        """The symbols of the graph that are near a question, nearest first; `asked`: its vector, [dimension]."""
        from loci.structure import Near

        nearest = self.vectors.nearest(asked, max(self.floor, LEAST), NEAREST) if self.floor is not None else []
        if not nearest:
            return []
        numbers = self.numbers(graph)
        return [
            Near(number, WEIGHT * (cosine - LEAST) / (1.0 - LEAST))
            for key, _, cosine in nearest
            for number in numbers.get(key, ())
        ][:NEAREST]


def numbers_by_key(graph: Graph | Combined) -> dict[bytes, list[int]]:
    """The symbols of each label, by its key."""
    from loci.episodes import content_key

    found: dict[bytes, list[int]] = {}
    for number, label in graph.labels():
        found.setdefault(content_key(label), []).append(number)
    return found


def embed_symbols(
    home: Home,
    record: Indexed,
    embedder: Embedder,
    previous: Vectors | None,
    progress: Callable[[int, int], None] | None = None,
) -> VectorsReport:
    """Vectors of the symbols of a scope's own graph; those that `previous` has are kept.

    Raises `loci.structure.StructureError` where the graph cannot be read.
    """
    from loci import structure
    from loci.episodes import embed_texts

    if record.graph is None:
        raise ValueError(f"{record.id} has no graph")
    graph = structure.Graph.open(home.segments / record.graph["file"])
    return embed_texts(graph.labels(), embedder, previous=previous, progress=progress)


def symbols_are_current(home: Home, record: Indexed, signature: str) -> bool:
    """Whether the symbols of the graph as it is have the vectors of this model, or there is no graph."""
    about = about_symbols(record)
    if record.graph is None or about is None:
        return record.graph is None
    vectors = open_symbol_vectors(home, record)
    return not is_behind(home, record) and vectors is not None and vectors.signature == signature


def is_behind(home: Home, record: Indexed) -> bool:
    """Whether a look at the manifest says that symbols lack vectors: the graph is another, or the file is gone."""
    from loci.structure import LABEL_RULES

    about = about_symbols(record)
    if record.graph is None or about is None:
        return record.graph is not None
    return (about["graph"], about["rules"]) != (record.graph["file"], LABEL_RULES) or not (
        home.segments / about["file"]
    ).is_file()


def about_symbols(record: Indexed) -> SymbolVectorsRecord | None:
    """What the manifest says of the vectors of a scope's symbols."""
    return None if record.vectors is None else record.vectors["symbols"]


def open_symbol_vectors(home: Home, record: Indexed) -> Vectors | None:
    """None where there are none, or what is there cannot be read and is made anew."""
    from loci import episodes

    about = about_symbols(record)
    if about is None:
        return None
    try:
        return episodes.Vectors.open(home.segments / about["file"])
    except episodes.VectorsDamaged:
        return None
