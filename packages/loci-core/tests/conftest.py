"""Real repositories in temporary directories."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the git configuration or the loci home of whoever runs it."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("LOCI_HOME", str(tmp_path / "home-nobody-named"))


@pytest.fixture
def git() -> Callable[..., str]:
    """`git(directory, *arguments)` runs git with fixed identity and dates and returns its stdout."""

    def run(directory: Path, *arguments: str) -> str:
        environment = {
            **os.environ,
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": "2024-05-01T12:00:00+00:00",
            "GIT_COMMITTER_DATE": "2024-05-01T12:00:00+00:00",
        }
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=directory,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    return run


@pytest.fixture
def make_repository(git: Callable[..., str]) -> Callable[..., Path]:
    """`make_repository(path, files, *subjects)`: files committed under the first subject, further commits empty."""

    def make(path: Path, files: Mapping[str, str] | None = None, *subjects: str) -> Path:
        path.mkdir(parents=True, exist_ok=True)
        git(path, "init", "-q", "-b", "main")
        for name, text in (files or {}).items():
            target = path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        for number, subject in enumerate(subjects or ("first",)):
            git(path, "add", "-A")
            git(path, "commit", "-q", "--allow-empty", "-m", subject or f"commit {number}")
        return path

    return make
