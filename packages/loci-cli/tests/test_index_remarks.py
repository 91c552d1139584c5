"""What `loci index` says about a project that was built with losses."""

from __future__ import annotations

from typing import Any

import pytest

from loci.cli._index import _exit_code, _remarks
from loci.core import IndexReport, ScopeReport

COUNTS: Any = {
    "read": 3,
    "passages": {"document": 1, "source": 1, "commit": 2},
    "unreadable": [],
    "lossy": [],
    "shallow": False,
}


@pytest.mark.parametrize(
    ("outcome", "changes", "expected"),
    [
        ("built", {}, []),
        ("unchanged", {"unreadable": [["a.md", "Permission denied"]]}, []),
        (
            "built",
            {"unreadable": [["a.md", "Permission denied"]]},
            ["1 file could not be read and is left out: a.md (Permission denied)"],
        ),
        (
            "built",
            {"unreadable": [["a.md", "Permission denied"], ["b.md", "Input/output error"]]},
            ["2 files could not be read and are left out, for example a.md (Permission denied)"],
        ),
        ("built", {"lossy": ["old.c"]}, ["1 file is not clean text; read with replacements: old.c"]),
        ("built", {"lossy": ["old.c", "x.c"]}, ["2 files are not clean text; read with replacements: old.c"]),
        (
            "built",
            {"passages": {"document": 1, "source": 0, "commit": 0}},
            ["it has no commits yet; its files are indexed"],
        ),
        (
            "built",
            {"read": 0, "passages": {"document": 0, "source": 0, "commit": 0}},
            ["it is empty: no commits and no files to read"],
        ),
        (
            "built",
            {"shallow": True},
            ["it is a shallow clone: history before it is not indexed (git fetch --unshallow)"],
        ),
    ],
)
def test_remarks_on_a_build(outcome, changes, expected):
    counts: Any = {**COUNTS, **changes}
    assert _remarks(ScopeReport("app", outcome, counts=counts, bytes=10)) == expected


@pytest.mark.parametrize("outcome", ["failed", "gone"])
def test_a_project_that_could_not_be_built_says_what_still_answers(outcome):
    (remark,) = _remarks(ScopeReport("app", outcome, "the disk is gone", COUNTS, bytes=10))
    assert remark == "the disk is gone; the old index still answers"
    (remark,) = _remarks(ScopeReport("app", outcome, "the disk is gone"))
    assert remark == "the disk is gone"


def report(*outcomes: str, kept: int = 0) -> IndexReport:
    scopes = tuple(ScopeReport(f"p{n}", outcome, bytes=kept) for n, outcome in enumerate(outcomes))  # type: ignore[arg-type]
    return IndexReport(1, scopes, (), (), 0.0)


@pytest.mark.parametrize(
    ("outcomes", "kept", "of_all", "of_named"),
    [
        (["built", "unchanged"], 9, 0, 0),
        (["built", "failed"], 9, 1, 1),
        (["failed", "failed"], 0, 1, 1),
        # Moved or on another disk is no failure of a run over all, unless nothing is left to answer from.
        (["built", "gone"], 9, 0, 1),
        (["built", "unreachable"], 9, 0, 1),
        (["gone", "unreachable"], 9, 0, 1),
        (["gone", "unreachable"], 0, 1, 1),
        ([], 0, 1, 1),
    ],
)
def test_the_exit_code_says_whether_all_was_done(outcomes: list[str], kept: int, of_all: int, of_named: int) -> None:
    made = report(*outcomes, kept=kept)
    assert (_exit_code(made, named=False), _exit_code(made, named=True)) == (of_all, of_named)
