"""The gate: when the passages that rank best are no answer, so that a store can say nothing.

Statistics of one scope cannot tell that. A foreign question still shares words with every project, and the best of a
bad lot looks like any other best. What tells it is how the whole corpus uses the words, which this package does not
know: whoever does says so with a :class:`Support`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._lanes import Lanes

SHARE_FLOOR = 0.04
"""A scope none of whose passages holds a word of the question answers from this share of the evidence of all scopes on;
see `HELD_WORTH`. Of all 3,480 pairs of 120 questions and a repository out of 30 that is not theirs 89.3 % stay below
(with `HOLDS_FLOOR`), and at the right ones 1.7 points of evidence among the first ten are lost. It was chosen there.
Chosen on four fifths of the repositories as the 2 % quantile of the right ones and tried on the last fifth, ten times
over: 90.5 % and 2.4 points. On 140 commit subjects over 10 other repositories, which share words with more of them
and were looked at when the worth was chosen: 65.1 % and 1.4 points (2026-11-30)."""

HELD_WORTH = 4.0
"""A passage that holds all of the question makes up for a share smaller by exp(4), one that holds a fourth of it for
one smaller by e. Without, and with a floor of 0.0125: 89.2 % and 1.7 points on the first corpus, on the second 68.7 %
and 4.3."""

HOLDS_FLOOR = 0.64
"""Or when it has this much of what the best scope has: a question may fit several, and one takes nearly all of a
share. The router's own measure for a scope that belongs in a set (`HOLDS_THRESHOLD` x `SET_FACTOR`)."""

WHETHER_FLOOR = 0.02
"""And when an answer is at all likely. Of 260 right scopes one lies below, and of 20 questions that nothing answers the
best scope of five."""

HELD_FLOOR = 0.5
"""Or, instead, when one of the best passages holds half of the question by the weights of the scope itself: evidence
over the whole corpus does not know misspelt words."""

HELD_ALONE = 0.15
"""What one of the best passages has to hold where nothing is known of other scopes. Of 260 right scopes three lie
below, and few foreign ones: one scope by itself cannot tell, so nearly everything is let through."""


@dataclass(frozen=True)
class Support:
    """How much the words of a question speak for one scope, seen from the whole corpus.

    Attributes:
        share: its share of the evidence of all scopes that may answer, 0 to 1, with what else speaks for it (that it is
            named, that one stands in it); 1 when there is no other scope.
        holds: how much of what the best scope has it has as well, 0 to 1.
        whether: the probability that it holds an answer, taken alone.

    """

    share: float
    holds: float
    whether: float


@dataclass(frozen=True)
class Gate:
    """Lets passages stand that are grounded in words, or that are close in meaning.

    Args:
        share, holds, whether, held, held_alone: floors of the signs; see the constants of this module.
        similarity: from which similarity (of dense scores, in its own unit) a passage stands whatever the words say;
            None: meaning alone is never enough.

    >>> Gate().grounded(Support(share=0.4, holds=1.0, whether=0.6), held=0.7)
    True
    >>> Gate().grounded(Support(share=0.001, holds=0.2, whether=0.6), held=0.7)
    False
    >>> Gate().grounded(None, held=0.7)
    True

    """

    share: float = SHARE_FLOOR
    holds: float = HOLDS_FLOOR
    whether: float = WHETHER_FLOOR
    held: float = HELD_FLOOR
    held_alone: float = HELD_ALONE
    similarity: float | None = None

    def grounded(self, support: Support | None, held: float) -> bool:
        """Whether the words speak for the scope. Without `support` the scope's own statistics have to do.

        Args:
            support: what the corpus says.
            held: `Lanes.held`: the largest part of the question in one of the best passages, 0 to 1.

        """
        if support is None:
            return held >= self.held_alone
        here = support.share * math.exp(HELD_WORTH * held) >= self.share or support.holds >= self.holds
        return here and (support.whether >= self.whether or held >= self.held)

    def admits(self, lanes: Lanes, support: Support | None = None) -> bool:
        """Whether what was found may be shown."""
        if self.grounded(support, lanes.held):
            return True
        return self.similarity is not None and lanes.similarity >= self.similarity
