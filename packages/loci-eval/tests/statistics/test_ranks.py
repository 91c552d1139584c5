"""Ranks and sets, worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loci.eval import first_rank, hit_share, lane_rank, precision_recall


@pytest.mark.parametrize(
    ("selected", "gold", "expected"),
    [
        (["a", "b", "c"], ["a", "d"], (1 / 3, 1 / 2)),
        (["a"], ["a"], (1, 1)),
        ([], ["a"], (None, 0)),
        (["a"], [], (0, None)),
    ],
)
def test_precision_recall(selected, gold, expected):
    assert precision_recall(selected, gold) == expected


def test_first_rank_counts_a_source_once():
    # a, b, c in the order of first sight: the second a does not push c down.
    assert first_rank(["a", "a", "b", "a", "c"], {"c"}) == 3
    assert first_rank(["a", "b"], {"b", "a"}) == 1
    assert first_rank(["a", "b"], {"z"}) is None


def test_lane_rank_is_the_better_lane():
    assert lane_rank(["f1", "f2", "f3"], ["c1", "c2"], {"f3", "c2"}) == 2
    assert lane_rank(["f1"], ["c1", "c2"], {"c2"}) == 2
    assert lane_rank(["f1"], [], {"f1"}) == 1
    assert lane_rank([], [], {"f1"}) is None


@given(st.lists(st.integers(0, 12), max_size=20), st.sets(st.integers(0, 12), max_size=4))
def test_two_lanes_are_never_worse_than_the_one_list(sources, evidence):
    files = [source for source in sources if source % 2]
    commits = [source for source in sources if not source % 2]
    listed, lanes = first_rank(sources, evidence), lane_rank(files, commits, evidence)
    assert (listed is None) == (lanes is None)
    if listed is not None:
        assert lanes is not None and lanes <= listed


def test_hit_share_counts_a_missing_rank_as_a_miss():
    assert hit_share([1, 3, None, 4], 3).successes == 2
    assert hit_share([1, 3, None, 4], 3).n == 4
