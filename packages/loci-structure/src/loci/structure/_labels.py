"""Symbols that mean what a question means, whatever their words: the seam for models, of which this package has none.

Whoever has a model embeds the labels of a graph (:meth:`loci.structure.Graph.labels`) and says which symbols are near a
question (:class:`Near`); the graph goes on from there as it does from words.
"""

from __future__ import annotations

from typing import NamedTuple

LABEL_RULES = "1"
"""Changes with whatever is labelled and with what a label says."""

LABELLED_KINDS = (
    "class",
    "constructor",
    "enum",
    "function",
    "interface",
    "macro",
    "method",
    "struct",
    "trait",
    "type",
)
"""What does or is something by itself. Fields, constants and variables are more than half as many again,
and found by the words of what uses them."""

LABELLED_ROLES = ("source",)
"""Where people look for what they describe. Tests, examples, generated and vendored files are left to words."""


class Near(NamedTuple):
    """A symbol that is near a question.

    Attributes:
        symbol: its number in the graph, see :meth:`loci.structure.Graph.labels`.
        share: what that is worth, as a share of what the best match by words is; nothing at 0 and below.

    """

    symbol: int
    share: float
