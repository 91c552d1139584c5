"""The order in which the two lanes of a scope, files and commits, are shown as one list.

Each lane keeps its own order; what is decided here is which lane comes first. A question asks for what IS (where, how,
which, what happens if) or for what HAPPENED and for what reason. Files tell the first, commit messages the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ._passage import Passage

AsksFor = Literal["state", "event", "reason"]
"""What a question asks for: what is (`state`), what happened (`event`), or why (`reason`). Commits tell the second; the
third may stand in one, or in the code's own comments and documents."""

CLOSE_MATCH = 0.9
"""A reason is looked for among commits first when the best commit matches the question at least this well, compared
with the best passage of a file under the same formula. On the base questions of the public benchmark 23 of 28 history
questions that ask `why` lie above it, and 6 of 18 others (2026-11-30)."""

COMMITS_FIRST = "CF"
"""A commit, a file, and so on (docs/science.md, Retrieval)."""
FILES_FIRST = "FFFC"
"""Three files, a commit, and so on (docs/science.md, Retrieval)."""


@dataclass(frozen=True)
class Lanes:
    """What a scope has for a question.

    Attributes:
        files: one passage per file, best first.
        commits: best first. Scores of the two lanes are not comparable.
        best_passage: the best score that one passage of any file reaches under the formula that ranks commits.
        best_commit: the best score of a commit under that formula, from words alone; None: that of the first commit.
        held: the largest part of the question, by the weight of its words, that one of the best passages holds, 0 to 1.

    """

    files: Sequence[Passage]
    commits: Sequence[Passage]
    best_passage: float
    best_commit: float | None = None
    held: float = 0.0

    @property
    def similarity(self) -> float:
        """The best that dense scores gave any of the passages; 0 where it said nothing."""
        return max((each.similarity or 0.0 for each in (*self.files, *self.commits)), default=0.0)

    def commits_first(self, asks_for: AsksFor) -> bool:
        """Whether a question that asks for this is rather answered by commits."""
        if not self.commits or asks_for == "state":
            return False
        best = self.commits[0].score if self.best_commit is None else self.best_commit
        return asks_for == "event" or best >= CLOSE_MATCH * self.best_passage

    def merged(self, asks_for: AsksFor = "state") -> list[Passage]:
        """Both lanes as one list, for a question that asks for this."""
        pattern = COMMITS_FIRST if self.commits_first(asks_for) else FILES_FIRST
        lanes = {"F": iter(self.files), "C": iter(self.commits)}
        merged: list[Passage] = []
        while lanes:
            for lane in pattern:
                if lane in lanes:
                    following = next(lanes[lane], None)
                    if following is None:
                        del lanes[lane]
                    else:
                        merged.append(following)
        return merged
