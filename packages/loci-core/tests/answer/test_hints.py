"""What passages tell the graph: where the answer stands."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from loci.core.answer.symbols import hints_of


def test_a_passage_hints_at_its_symbol_or_its_file_and_a_commit_at_neither():
    passages: list[Any] = [
        SimpleNamespace(path="src/till.py", symbol="Ledger.book"),
        SimpleNamespace(path="docs/refunds.md", symbol=""),
        SimpleNamespace(path="", symbol=""),
    ]
    assert hints_of(passages) == ["src/till.py#Ledger.book", "docs/refunds.md"]
