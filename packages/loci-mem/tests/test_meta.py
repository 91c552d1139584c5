"""The meta-package: it brings the command and every part, and holds nothing itself."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import loci_mem

PARTS = {"loci-mem-cli", "loci-core", "loci-router", "loci-episodes", "loci-structure", "loci-eval", "loci-mcp"}


def requirements(distribution: str) -> set[str]:
    found = set()
    for requirement in metadata.requires(distribution) or ():
        if ";" in requirement and "extra ==" in requirement:
            continue
        match = re.match(r"[A-Za-z0-9._-]+", requirement)
        assert match
        found.add(match[0].lower())
    return found


def test_the_loci_command_belongs_to_this_package():
    """Of the distribution it was asked to install, pipx offers the scripts, and of no other."""
    (script,) = metadata.entry_points(group="console_scripts", name="loci")
    assert script.dist is not None and script.dist.name == "loci-mem"
    assert callable(script.load())


def test_it_brings_every_part():
    reached, pending = set(), ["loci-mem"]
    while pending:
        for name in requirements(pending.pop()) & PARTS:
            if name not in reached:
                reached.add(name)
                pending.append(name)
    assert reached == PARTS


def test_it_holds_no_code():
    assert [name for name in vars(loci_mem) if not name.startswith("__")] == []
    assert [path.name for path in Path(loci_mem.__file__).parent.glob("*.py")] == ["__init__.py"]
