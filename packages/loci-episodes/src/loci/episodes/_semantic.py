"""A second look at what the words found: vectors or a cross-encoder put the candidates of each lane in a new order.

Only the order changes. What no word of the question leads to is not looked for: vectors alone rank far worse than words
on the public benchmark, and a passage that only they find would stand behind the candidates anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ._embedder import Embedder, Reranker
from ._lanes import Lanes
from ._passage import Passage
from ._vectors import Vectors, content_key, passage_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES = 20
"""Of each lane, looked at again; so a question embeds at most 40 passages that have no vector yet."""

FILE_WEIGHT = 0.2
"""Of a cosine beside a file's score, whose parts are each at most 1."""
COMMIT_WEIGHT = 0.3
"""Of the cosine relative to the lane's best, beside the score relative to the lane's best. Each weight was read off the
120 base questions by itself, the other at .1 or 0, without folds; the pair has not been measured together yet."""

SecondLook = Callable[[str, Lanes], Lanes]
"""Puts the candidates of a question in a new order."""


@dataclass(frozen=True)
class Semantics:
    """A model, the vectors that exist of a scope, and the floor above which a match is no accident.

    Attributes:
        embedder: the model.
        vectors: of the scope's passages; candidates without one are embedded on the spot. None: all of them are.
        floor: see :func:`fit_floor`; None where it could not be fitted.

    """

    embedder: Embedder
    vectors: Vectors | None = None
    floor: float | None = None

    def __call__(self, question: str, lanes: Lanes) -> Lanes:
        """The lanes in the order of words and vectors together."""
        files, commits = lanes.files[:CANDIDATES], lanes.commits[:CANDIDATES]
        cosines = self.similarities(question, [*files, *commits])
        of_files, of_commits = cosines[: len(files)], cosines[len(files) :]
        best = max(of_commits, default=0.0)
        strongest = max((passage.score for passage in commits), default=0.0)
        ordered_files = _ordered(
            files, [p.score + FILE_WEIGHT * max(cosine, 0.0) for p, cosine in zip(files, of_files, strict=True)]
        )
        ordered_commits = _ordered(
            commits,
            [
                (p.score / strongest if strongest > 0 else 0.0)
                + (COMMIT_WEIGHT * max(c, 0.0) / best if best > 0 else 0.0)
                for p, c in zip(commits, of_commits, strict=True)
            ],
        )
        return replace(
            lanes,
            files=[*ordered_files, *lanes.files[CANDIDATES:]],
            commits=[*ordered_commits, *lanes.commits[CANDIDATES:]],
        )

    def similarities(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Cosine of each passage with the question, -1 to 1."""
        import numpy as np

        if not passages:
            return []
        asked = self.embedder.embed([question], question=True)[0]
        texts = [passage_text(passage) for passage in passages]
        found = np.full(len(texts), np.nan, np.float32)
        if self.vectors is not None and self.vectors.signature == self.embedder.signature:
            found = self.vectors.similarities(asked, [content_key(text) for text in texts])
        missing = np.flatnonzero(np.isnan(found))
        if len(missing):
            found[missing] = self.embedder.embed([texts[place] for place in missing]) @ asked
        return [float(value) for value in found]

    def confident(self, similarity: float) -> bool:
        """Whether a match so close says that the scope answers, whatever words it shares; False without a floor."""
        return self.floor is not None and similarity >= self.floor


@dataclass(frozen=True)
class Reranking:
    """A cross-encoder over the candidates of each lane: its order replaces theirs."""

    reranker: Reranker

    def __call__(self, question: str, lanes: Lanes) -> Lanes:
        """The lanes in the order of the cross-encoder."""
        files, commits = lanes.files[:CANDIDATES], lanes.commits[:CANDIDATES]
        scores = [float(s) for s in self.reranker.score(question, [passage_text(p) for p in (*files, *commits)])]
        return replace(
            lanes,
            files=[*_ordered(files, scores[: len(files)]), *lanes.files[CANDIDATES:]],
            commits=[*_ordered(commits, scores[len(files) :]), *lanes.commits[CANDIDATES:]],
        )


FOREIGN_SHARE = 0.95
"""Of foreign texts, so many stay below the floor."""
FEWEST_PROBES = 20


def fit_floor(vectors: Vectors, foreign: NDArray[np.float32]) -> float | None:
    """The cosine that the best passage of a scope reaches for at most 5 % of texts that belong to other scopes.

    Args:
        vectors: of the scope.
        foreign: vectors of headings and commit subjects of other scopes, read as questions: [texts, dimension].

    Returns:
        The floor, or None for fewer than 20 texts or a scope without vectors.

    """
    if len(foreign) < FEWEST_PROBES or not len(vectors):
        return None
    import numpy as np

    return float(np.quantile([vectors.best(probe) for probe in foreign], FOREIGN_SHARE))


def _ordered(passages: Sequence[Passage], values: Sequence[float]) -> list[Passage]:
    """By value, ties as they were. The scores of the lane are handed out anew in that order: their unit stays."""
    order = sorted(range(len(passages)), key=lambda place: -values[place])
    scores = sorted((passage.score for passage in passages), reverse=True)
    return [replace(passages[place], score=score) for place, score in zip(order, scores, strict=True)]
