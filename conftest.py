"""What tests of several packages share: real repositories in temporary directories."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2024-05-01T12:00:00+00:00",
    "GIT_COMMITTER_DATE": "2024-05-01T12:00:00+00:00",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def run_git(directory: Path, *arguments: str) -> str:
    """Runs git with a fixed identity, fixed dates and nobody's configuration; returns its stdout."""
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=directory,
        env={**os.environ, **IDENTITY},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def new_repository(path: Path, files: Mapping[str, str] | None = None, *messages: str) -> Path:
    """Makes a repository with the files committed under the first message; further commits are empty."""
    path.mkdir(parents=True, exist_ok=True)
    run_git(path, "init", "-q", "-b", "main")
    for name, text in (files or {}).items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for message in messages or ("first",):
        run_git(path, "add", "-A")
        run_git(path, "commit", "-q", "--allow-empty", "-m", message)
    return path


@pytest.fixture(autouse=True)
def _quiet_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the git configuration or the loci home of whoever runs it."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("LOCI_HOME", str(tmp_path / "home-nobody-named"))


@pytest.fixture
def git() -> Callable[..., str]:
    """`git(directory, *arguments)`."""
    return run_git


@pytest.fixture(scope="session")
def make_repository() -> Callable[..., Path]:
    """`make_repository(path, files, *messages)`."""
    return new_repository


@pytest.fixture(scope="session")
def make_repository_in_session() -> Callable[..., Path]:
    """The same for fixtures that outlive a test."""
    return new_repository
