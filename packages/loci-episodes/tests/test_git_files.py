"""Git's own files that are none: a pipe in their place must end in an error, never in a wait."""

from __future__ import annotations

import os

import pytest

from loci import episodes

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")

CALLS = {
    "build": lambda root, tmp_path: episodes.build(root, directory=tmp_path),
    "fingerprint": lambda root, tmp_path: episodes.fingerprint(root),
    "state": lambda root, tmp_path: episodes.state(root),
    "survey": lambda root, tmp_path: episodes.survey(root),
    "root_commit": lambda root, tmp_path: episodes.root_commit(root),
}


@pytest.mark.parametrize(
    "name", ["HEAD", "config", "index", "packed-refs", "shallow", "info/exclude", "refs/heads/main"]
)
@pytest.mark.parametrize("call", list(CALLS))
def test_a_pipe_among_gits_files_is_refused(tmp_path, make_repository, name, call):
    root = make_repository(tmp_path / "work", {"README.md": "# Lynx\n"})
    (root / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(root / ".git" / name)
    with pytest.raises(episodes.RepositoryUnreadable, match="is a pipe or a device"):
        CALLS[call](root, tmp_path)


def test_a_pipe_in_the_shared_directory_of_a_worktree_or_among_the_files(tmp_path, make_repository, git):
    root = make_repository(tmp_path / "work", {"README.md": "# Lynx\n"})
    git(root, "worktree", "add", "-q", "../feature")
    before = episodes.fingerprint(tmp_path / "feature")
    os.mkfifo(root / "notes.md")  # a file of the project is passed over
    os.mkfifo(root / ".gitmodules")
    with pytest.raises(episodes.RepositoryUnreadable, match="gitmodules"):
        episodes.fingerprint(root)
    (root / ".gitmodules").unlink()
    assert episodes.fingerprint(root) and episodes.fingerprint(tmp_path / "feature") == before
    (root / ".git" / "config").unlink()
    os.mkfifo(root / ".git" / "config")
    with pytest.raises(episodes.RepositoryUnreadable, match="config"):
        episodes.fingerprint(tmp_path / "feature")


@pytest.mark.parametrize("name", [".gitignore", ".gitmodules", ".git/config"])
def test_one_beyond_reason_is_not_read(tmp_path, make_repository, name):
    root = make_repository(tmp_path / "work", {"README.md": "# Lynx\n"})
    with (root / name).open("ab") as file:
        file.truncate(200_000_000)  # sparse: it takes no room
    with pytest.raises(episodes.RepositoryUnreadable, match=r"has 200 MB"):
        episodes.fingerprint(root)


@pytest.mark.skipif(os.name == "nt", reason="a directory that somebody stands in cannot be deleted")
def test_a_process_outlives_the_directory_it_was_started_in(tmp_path, make_repository, monkeypatch):
    root = make_repository(tmp_path / "work", {"README.md": "# Lynx\n"})
    before = episodes.fingerprint(root)
    (tmp_path / "started").mkdir()
    monkeypatch.chdir(tmp_path / "started")
    (tmp_path / "started").rmdir()
    assert episodes.fingerprint(root) == before
