"""Where evidence stands in a list, and how much of a set was selected."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from .shares import Share

__all__ = ["first_rank", "hit_share", "lane_rank", "precision_recall"]


def precision_recall(selected: Collection[str], gold: Collection[str]) -> tuple[float | None, float | None]:
    """Precision and recall of a selected set.

    Precision is None when nothing was selected, recall when gold is empty.
    """
    chosen, wanted = set(selected), set(gold)
    both = len(chosen & wanted)
    return (both / len(chosen) if chosen else None, both / len(wanted) if wanted else None)


def first_rank(sources: Sequence[Hashable], evidence: Collection[Hashable]) -> int | None:
    """The 1-based rank of the first source that is evidence, sources counted once each; None when there is none."""
    seen: set[Hashable] = set()
    for source in sources:
        if source in seen:
            continue
        seen.add(source)
        if source in evidence:
            return len(seen)
    return None


def lane_rank(files: Sequence[Hashable], commits: Sequence[Hashable], evidence: Collection[Hashable]) -> int | None:
    """The smallest k with the evidence among the first k files or the first k commits; None when it is in neither."""
    ranks = [rank for rank in (first_rank(files, evidence), first_rank(commits, evidence)) if rank is not None]
    return min(ranks, default=None)


def hit_share(ranks: Sequence[int | None], k: int) -> Share:
    """The share of ranks that are k or better; None is a miss."""
    return Share.of([rank is not None and rank <= k for rank in ranks])
