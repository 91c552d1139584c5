"""The skill: one SKILL.md, written into the folders in which clients look for skills."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

NAME = "loci"
MARK = "generator: loci"


class SkillError(Exception):
    """The skill cannot be written there; the message says why."""


def text() -> str:
    """The skill as it is shipped."""
    return resources.files("loci.mcp").joinpath("skill").joinpath(NAME).joinpath("SKILL.md").read_text(encoding="utf-8")


def default_folders() -> list[Path]:
    """Claude Code's folder, and the one that several other clients share."""
    claude = os.environ.get("CLAUDE_CONFIG_DIR")
    return [(Path(claude) if claude else Path.home() / ".claude") / "skills", Path.home() / ".agents" / "skills"]


def install(folder: Path) -> tuple[bool, Path]:
    """Writes `folder/loci/SKILL.md`; whether it had to be, and where it is. Raises `SkillError`."""
    path = folder.expanduser() / NAME / "SKILL.md"
    new = text()
    try:
        old = path.read_text(encoding="utf-8") if path.exists() else None
        if old == new:
            return False, path
        if old is not None and MARK not in old:
            raise SkillError(f"{path} is a skill of your own; move it away, or name another folder with --dir")
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(".SKILL.md.new")
        temporary.write_text(new, encoding="utf-8", newline="\n")
        temporary.replace(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SkillError(f"{path} cannot be written: {reason or error}") from error
    return True, path
