"""The command line keeps questions where a person switched that on; files of questions are no person's questions."""

from __future__ import annotations

import json

from loci.cli import main
from loci.core import Memory, QueryLog


def test_the_command_line_keeps_questions(tmp_path, make_repository, capsys):
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "billing", {"README.md": "# Billing\n\nRefunds reverse the charge.\n"}))
    memory.index()
    log = QueryLog(memory.home)
    log.switch_on()
    home = ["--home", str(tmp_path / "home")]
    assert main([*home, "ask", "what do refunds reverse?", "--no-cwd"]) == 0
    assert main([*home, "route", "what do refunds reverse?", "--no-cwd"]) == 0
    assert main([*home, "ask", "what do they reverse?", "--scope", "billing", "--no-cwd"]) == 0
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps({"question": "from a file?"}), encoding="utf-8")
    assert main([*home, "route", "--batch", str(batch)]) == 0
    assert [(asked.question, asked.given) for asked in log.read()] == [
        ("what do refunds reverse?", None),
        ("what do refunds reverse?", None),
        ("what do they reverse?", "billing"),
    ]
    capsys.readouterr()
