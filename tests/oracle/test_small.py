"""The oracle in small: what three projects answer, compared with what they answered when a person last read it.

`LOCI_FREEZE=1 pytest tests/oracle` writes `small.jsonl` anew; the difference is then read line by line and explained in
the commit. `benchmarks/oracle.py` is the same over thirty real repositories.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from normal_form import differences, line_of, normal_form

from loci.cli import main

FIXTURE = Path(__file__).with_name("small.jsonl")

TILL = {
    "README.md": "# till\n\nA till for small shops. It books sales and prints receipts.\n\n"
    "## Refunds\n\nA refund is booked against its receipt and needs the receipt number.\n",
    "CHANGELOG.md": "# Changelog\n\n## 2.1.0\n\n- Receipts carry a VAT line.\n\n"
    "## 2.0.0\n\n- `Ledger.book` takes cents.\n",
    "pyproject.toml": '[project]\nname = "till"\ndescription = "A till for small shops"\ndependencies = ["inkjet"]\n',
    "src/till/ledger.py": '"""The ledger."""\n\n\nclass Ledger:\n    """Books sales."""\n\n'
    '    def book(self, cents: int) -> None:\n        """Books one sale, and prints its receipt."""\n'
    "        self.check(cents)\n        print_receipt(cents)\n\n"
    "    def check(self, cents: int) -> None:\n        if cents < 0:\n            raise ValueError\n\n\n"
    'def print_receipt(cents: int) -> None:\n    """Prints a receipt with the VAT line."""\n',
    "src/till/shop.py": "from till.ledger import Ledger\n\n\ndef close_day(ledger: Ledger) -> None:\n"
    '    """Books what is left in the drawer at the end of the day."""\n    ledger.book(100)\n',
    "tests/test_ledger.py": "from till.ledger import Ledger\n\n\ndef test_book():\n    Ledger().book(5)\n",
}
GARDEN = {
    "README.md": "# garden\n\nWatering schedules for raised beds, driven by soil moisture.\n\n"
    "## Sensors\n\nA sensor listens on port 1883 and reports moisture every ten minutes.\n",
    "garden/schedule.py": '"""Schedules."""\n\n\ndef next_watering(moisture: float) -> int:\n'
    '    """Minutes until the bed is watered; at once if dry."""\n    return 0 if moisture < 1 else 60\n\n\n'
    "def water_now() -> None:\n    if next_watering(0.1) == 0:\n        open_valve()\n\n\n"
    'def open_valve() -> None:\n    """Opens the valve of the bed."""\n',
    "docs/valves.md": "# Valves\n\nA valve that sticks is opened three times before an alarm is raised.\n",
}
INKJET = {
    "README.md": "# inkjet\n\nA driver that prints lines on thermal and ink printers.\n",
    "package.json": '{"name": "inkjet", "version": "0.3.0", "description": "Prints lines on thermal printers"}\n',
    "src/printer.ts": "export class Printer {\n  /** Prints one line and cuts the paper. */\n  printLine(): void {\n"
    "    this.cut();\n  }\n\n  cut(): void {}\n}\n\nexport class QuietPrinter extends Printer {\n  cut(): void {}\n}\n",
}
QUESTIONS = [
    "how is a refund booked against its receipt?",
    "what happens when a valve sticks?",
    "why do receipts carry a VAT line?",
    "when was the drawer closed for the first time?",
    "what does till do?",
    "what is garden?",
    "what does till depend on?",
    "which of my projects use inkjet?",
    "which of my projects are written in Python?",
    "what changed in till 2.1.0?",
    "what changed in the last release of till?",
    "what are the latest commits in garden?",
    "who listens on 1883?",
    "who calls next_watering?",
    "what does `Ledger.book` call?",
    "which classes extend Printer?",
    "which tests cover Ledger.book?",
    "what breaks if I change print_receipt?",
    "is open_valve still used?",
    "how does close_day reach print_receipt?",
    "why does this fail?",
    "how do we shard the cluster over two data centres?",
    "does inkjet cut the paper after each line?",
    "wer ruft next_watering auf?",
    "¿quién llama a next_watering?",
    "谁调用 next_watering?",
    "next_watering はどこで呼ばれていますか?",
    "is moisture an important question?",
    "did you mean tll or garden?",
    "refund",
]
SYMBOLS = [
    ("book", "all"),
    ("Ledger.book", "callers"),
    ("close_day", "callees"),
    ("print_receipt", "reach"),
    ("Printer", "implementers"),
    ("Ledger", "tests"),
    ("till.ledger", "importers"),
    ("Circle", "all"),
]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, make_repository_in_session: Callable[..., Path]) -> list[Any]:
    """What the three projects answer, in normal form."""
    folder = tmp_path_factory.mktemp("oracle")
    corpus = folder / "projects"
    make_repository_in_session(corpus / "till", TILL, "Start the till", "Close the drawer when the day ends")
    make_repository_in_session(
        corpus / "garden", GARDEN, "Water dry beds at once", "Raise an alarm when a valve sticks"
    )
    make_repository_in_session(corpus / "inkjet", INKJET, "Print lines on thermal paper")

    def run(*arguments: str) -> str:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            main([*arguments, "--home", str(folder / "home")])
        return output.getvalue()

    run("scan", str(corpus), "-y")
    run("index")
    found = []
    for question in QUESTIONS:
        for options in ([], ["--scope", "till"]):
            answer = json.loads(run("ask", "--no-cwd", "--no-refresh", "--json", *options, question))
            found.append(normal_form({**answer, "id": " ".join([*options, question])}, str(corpus)))
    for name, relation in SYMBOLS:
        answer = json.loads(run("ask", "--no-cwd", "--no-refresh", "--json", "--symbol", name, "--relation", relation))
        found.append(normal_form({**answer, "id": f"{name} {relation}"}, str(corpus)))
    return found


def test_three_projects_answer_what_they_answered_before(asked: list[Any]) -> None:
    if os.environ.get("LOCI_FREEZE"):
        FIXTURE.write_text("".join(map(line_of, asked)), encoding="utf-8")
    before = [json.loads(line) for line in FIXTURE.read_text(encoding="utf-8").splitlines()]
    assert [each["id"] for each in before] == [each["id"] for each in asked]
    changed = [
        f"{old['id']}: {difference}"
        for old, new in zip(before, asked, strict=True)
        for difference in differences(old, new)
    ]
    assert not changed, "\n".join(changed)


def test_a_difference_is_found_at_its_place() -> None:
    before = {"id": "q", "scopes": [{"id": "till", "lines": [1, 2]}]}
    after = {"id": "q", "scopes": [{"id": "till", "lines": [1, 3, 4]}]}
    assert differences(before, after) == [
        "scopes[0].lines: 2 before, 3 now",
        "scopes[0].lines[1]: 2 before, 3 now",
    ]
    assert differences(before, before) == []
