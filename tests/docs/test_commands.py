"""The commands in the documentation are the commands there are, and the README's own two lines work."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def lines_of(heading: str) -> list[str]:
    """Returns the command lines of the first `sh` block under a heading of the README."""
    match = re.search(rf"(?ms)^#+ {heading}\n.*?^```sh\n(.*?)^```$", README)
    assert match, f"README.md has no `sh` block under {heading!r}"
    return match[1].strip().splitlines()


def test_the_page_of_commands_is_what_the_commands_print():
    script = ROOT / "scripts" / "command_help.py"
    done = subprocess.run([sys.executable, script], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def test_ci_runs_the_test_command_of_the_readme():
    (line,) = lines_of("Run the tests")
    install, _, command = line.partition(" && ")
    assert install == "pip install uv"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.rstrip().splitlines()[-1] == command


@pytest.mark.timeout(300)
def test_the_first_line_of_the_readme_answers(tmp_path):
    """What a newcomer copies: everything after the installation, run on this checkout with a store of its own."""
    (line,) = lines_of("Try it")
    commands = [shlex.split(part) for part in line.split(" && ")]
    ours = [command[2:] for command in commands if command[:2] == ["uv", "run"]]
    assert [command[0] for command in ours] == ["loci"] * len(ours)
    assert any(part.startswith("LOCI_HOME=") for command in commands for part in command), "spare the user's own store"
    environment = os.environ | {"LOCI_HOME": str(tmp_path / "home"), "NO_COLOR": "1"}
    output = ""
    for _, *arguments in ours:
        done = subprocess.run(
            [Path(sysconfig.get_path("scripts")) / "loci", *arguments],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        output = done.stdout
    cited = [name for name in re.findall(r"[\w./-]+\.\w+", output) if (ROOT / name).is_file()]
    assert cited, output


def test_the_table_of_the_readme_has_every_command():
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"(?m)^## loci (\w+)$", page))
    named = set(re.findall(r"(?m)^\| `loci (\w+)", README))
    assert named == commands
