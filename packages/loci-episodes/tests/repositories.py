"""Small real repositories for the tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def git(root: Path, *arguments: str, when: int = 1_600_000_000) -> str:
    """Run git in `root` as nobody in particular, at a fixed time."""
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.invalid",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.invalid",
        "GIT_AUTHOR_DATE": f"@{when} +0000",
        "GIT_COMMITTER_DATE": f"@{when} +0000",
    }
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True, env=environment
    )
    return done.stdout.strip()


def make(root: Path, files: dict[str, str | bytes] | None = None, message: str | None = "Begin") -> Path:
    """A repository at `root` with `files`, committed unless `message` is None."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "--quiet", "--initial-branch=main")
    write(root, files or {})
    if message is not None:
        commit(root, message)
    return root


def write(root: Path, files: dict[str, str | bytes]) -> None:
    """Write `files` below `root`."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def commit(root: Path, message: str, files: dict[str, str | bytes] | None = None, when: int = 1_600_000_000) -> str:
    """Commit everything; the id."""
    write(root, files or {})
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", message, when=when)
    return git(root, "rev-parse", "HEAD")
