"""Keeps docs/commands.md equal to what the installed `loci` prints for `--help`.

python scripts/command_help.py            compares; prints the difference and exits 1 if there is one
python scripts/command_help.py --write    writes the page
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
INTRODUCTION = """\
# Commands

What every command prints for `--help`. This page is written by `uv run nox -s docs -- --update` and compared with the
installed command by `uv run nox -s docs`; do not edit it by hand.
"""


def help_of(*command: str) -> str:
    """Returns the help of one command, laid out for a terminal of 100 columns."""
    executable = Path(sysconfig.get_path("scripts")) / "loci"
    environment = os.environ | {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}
    done = subprocess.run(
        [executable, *command, "--help"], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def subcommands(text: str) -> list[str]:
    """Returns the names that a help text lists under `Commands:`."""
    _, _, listing = text.partition("\nCommands:\n")
    return re.findall(r"(?m)^  (\S+)", listing)


def sections(*command: str) -> list[str]:
    """Returns one section per command, a group before its members."""
    text = help_of(*command)
    title = " ".join(["loci", *command])
    found = [f"## {title}\n\n```text\n{text}\n```\n"]
    for name in subcommands(text):
        found += sections(*command, name)
    return found


def main() -> int:
    """Compares or writes; returns the exit code."""
    wanted = "\n".join([INTRODUCTION, *sections()])
    if "--write" in sys.argv[1:]:
        PAGE.write_text(wanted, encoding="utf-8")
        return 0
    present = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    difference = difflib.unified_diff(
        present.splitlines(), wanted.splitlines(), "docs/commands.md", "loci --help", lineterm=""
    )
    report = "\n".join(difference)
    if report:
        sys.stderr.write(f"{report}\nhint: `uv run nox -s docs -- --update` writes the page\n")
    return 1 if report else 0


if __name__ == "__main__":
    raise SystemExit(main())
