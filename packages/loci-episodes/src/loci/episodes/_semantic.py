"""Meaning beside words: cosines of vectors as dense scores, and a cross-encoder that orders what was found.

Vectors mostly order what the words found: alone they rank far worse than words on the public benchmark. What no word of
the question leads to is found where it is closer to it than the scope's passages are to texts of other scopes.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ._embedder import Embedder, Reranker
from ._lanes import Lanes
from ._passage import Passage, PassageScores
from ._vectors import Vectors, content_key, passage_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._store import Episodes

CANDIDATES = 20
"""Of each lane, looked at again; so a question embeds at most 40 passages that have no vector yet."""

NEAREST = 20
"""Passages of a scope that meaning alone may add to the candidates."""

LEAST = 0.3
"""A cosine counts from here on: what lies below says no more than that both are English about software."""

MEANT = 1e-6  # No floor is so low that a passage without a score passes.

FILE_WEIGHT = 0.9
"""Of what a cosine exceeds `LEAST` by, beside a file's score, whose parts are each at most 1."""

COMMIT_WEIGHT = 0.2
"""Of the same relative to the lane's best, beside a commit's score relative to the lane's best.

The three were chosen among 23 settings on the 120 base questions of the public benchmark, scope given, by reciprocal
rank. On folds of whole projects the setting of four fifths, tried on the last fifth, finds 59.2 / 79.2 / 90.8 % of the
evidence among the first 1 / 3 / 10 in the list and 63.3 / 82.5 / 91.7 in two lanes; words alone 59.2 / 79.2 / 90.8 and
62.5 / 82.5 / 90.8 (2026-11-30, all-MiniLM-L6-v2)."""

LaneReranker = Callable[[str, Lanes], Lanes]
"""Puts the candidates of a question in a new order."""


@dataclass(frozen=True)
class Semantics:
    """A model, the vectors that exist of a scope, and the floor above which a match is no accident.

    Attributes:
        embedder: the model.
        vectors: of the scope's passages; candidates without one are embedded on the spot. None: all of them are.
        floor: see :func:`fit_floor`; None where it could not be fitted.
        made: vectors of candidates by the key of their text, kept for later questions.

    """

    embedder: Embedder
    vectors: Vectors | None = None
    floor: float | None = None
    made: MutableMapping[bytes, NDArray[np.float32]] = field(default_factory=dict, compare=False)

    def dense_scores(self, question: str, episodes: Episodes) -> PassageScores:
        """What the cosines with the question exceed `LEAST` by, to be fused with the scores from words.

        Candidates are what the words find, `CANDIDATES` of each lane, and up to `NEAREST` passages from the floor on.

        Raises:
            SegmentDamaged: a part of the segment does not decode.

        """
        import numpy as np

        counts = episodes.passages
        scores = np.zeros(sum(counts.values()), "<f4")
        if question.strip():
            asked = self.asked(question)
            candidates = episodes.candidates(question, CANDIDATES)
            for place, cosine in self._near(asked, episodes).items():
                scores[place] = max(cosine - LEAST, 0.0)
            cosines = self._cosines(asked, [passage for _, passage in candidates])
            for (place, _), cosine in zip(candidates, cosines, strict=True):
                scores[place] = max(cosine - LEAST, 0.0)
        # What is fused is relative to the best of the lane; for files the weight turns it back.
        best = float(scores[: len(scores) - counts["commit"]].max(initial=0.0))
        return PassageScores(scores.tobytes(), FILE_WEIGHT * best, COMMIT_WEIGHT)

    @property
    def gate_floor(self) -> float | None:
        """From which dense score on a passage is an answer whatever its words; None where nothing tells."""
        return None if self.floor is None else max(self.floor - LEAST, MEANT)

    def similarities(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """Cosine of each passage with the question, -1 to 1."""
        return self._cosines(self.asked(question), passages) if passages else []

    def asked(self, question: str) -> NDArray[np.float32]:
        """The vector of the question, made once: [dimension]."""
        key = b"?" + content_key(question)  # a model may read a question and a passage of one text differently
        if key not in self.made:
            self.made[key] = self.embedder.embed([question], question=True)[0]
        return self.made[key]

    def _cosines(self, asked: NDArray[np.float32], passages: Sequence[Passage]) -> list[float]:
        import numpy as np

        texts = [passage_text(passage) for passage in passages]
        keys = [content_key(text) for text in texts]
        found = np.full(len(texts), np.nan, np.float32)
        if self._usable is not None:
            found = self._usable.similarities(asked, keys)
        missing = {
            keys[place]: texts[place] for place in np.flatnonzero(np.isnan(found)) if keys[place] not in self.made
        }
        if missing:
            self.made.update(zip(missing, self.embedder.embed(list(missing.values())), strict=True))
        return [
            float(self.made[key] @ asked if np.isnan(cosine) else cosine)
            for key, cosine in zip(keys, found, strict=True)
        ]

    def _near(self, asked: NDArray[np.float32], episodes: Episodes) -> dict[int, float]:
        """Number and cosine of the passages that are as close as the floor asks."""
        if self._usable is None or self.floor is None:
            return {}
        near = self._usable.nearest(asked, self.floor, NEAREST)
        # The scope may have been indexed since: a passage that stands elsewhere now is left to the words.
        return {
            place: cosine
            for key, place, cosine in near
            for passage in episodes.all_passages(place, place + 1)
            if content_key(passage_text(passage)) == key
        }

    @property
    def _usable(self) -> Vectors | None:
        """The vectors, if this model made them."""
        return self.vectors if self.vectors is not None and self.vectors.signature == self.embedder.signature else None


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


FOREIGN_SHARE = 0.9
"""Of foreign texts, so many stay below the floor. Headings and subjects come closer to a foreign scope than questions
do, since every project has a changelog: at this share the floors of two scopes of the public benchmark were .56 and
.62, and of the 116 base questions put to each that belong elsewhere none reached it, of the 8 that belong there 2
(2026-11-30, all-MiniLM-L6-v2)."""
FEWEST_PROBES = 20


def fit_floor(vectors: Vectors, foreign: NDArray[np.float32]) -> float | None:
    """The cosine that the best passage of a scope reaches for at most 10 % of texts that belong to other scopes.

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
