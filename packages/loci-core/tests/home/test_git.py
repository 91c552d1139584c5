"""Reading `.git` without git, on every layout git makes; git itself is the judge."""

from __future__ import annotations

import pytest

from loci.core.home.git import (
    head_commit,
    origin_url,
    remote_path,
    repository_around,
    repository_at,
    submodule_paths,
    tagged_commits,
)


def repository_of(path):
    repository = repository_at(path)
    assert repository is not None
    return repository


def test_an_ordinary_repository(tmp_path, make_repository, git):
    root = make_repository(tmp_path / "app", {"a.txt": "x"})
    repository = repository_of(root)
    assert repository.root == root.resolve()
    assert not repository.bare and not repository.is_linked_worktree
    assert head_commit(repository) == git(root, "rev-parse", "HEAD")


def test_packed_refs_and_detached_head(tmp_path, make_repository, git):
    root = make_repository(tmp_path / "app", {}, "one", "two")
    git(root, "pack-refs", "--all")
    assert not (root / ".git/refs/heads/main").exists()
    assert head_commit(repository_of(root)) == git(root, "rev-parse", "HEAD")
    git(root, "checkout", "-q", "HEAD~1")
    assert head_commit(repository_of(root)) == git(root, "rev-parse", "HEAD")


def test_a_loose_ref_wins_over_the_packed_one(tmp_path, make_repository, git):
    root = make_repository(tmp_path / "app", {}, "one")
    git(root, "pack-refs", "--all")
    git(root, "commit", "-q", "--allow-empty", "-m", "two")
    assert head_commit(repository_of(root)) == git(root, "rev-parse", "HEAD")


def test_no_commits(tmp_path, git):
    git(tmp_path, "init", "-q")
    assert head_commit(repository_of(tmp_path)) is None


def test_a_bare_repository(tmp_path, make_repository, git):
    root = make_repository(tmp_path / "app")
    git(tmp_path, "clone", "-q", "--bare", "app", "app.git")
    repository = repository_of(tmp_path / "app.git")
    assert repository.bare
    assert head_commit(repository) == git(root, "rev-parse", "HEAD")


def test_a_linked_worktree_shares_the_common_directory(tmp_path, make_repository, git):
    root = make_repository(tmp_path / "app")
    git(root, "worktree", "add", "-q", "-b", "feature", "../app-feature")
    git(tmp_path / "app-feature", "commit", "-q", "--allow-empty", "-m", "only there")
    worktree = repository_of(tmp_path / "app-feature")
    assert worktree.is_linked_worktree
    assert worktree.common_dir == repository_of(root).common_dir
    assert head_commit(worktree) == git(tmp_path / "app-feature", "rev-parse", "HEAD")
    assert head_commit(worktree) != head_commit(repository_of(root))
    git(root, "pack-refs", "--all")
    assert head_commit(worktree) == git(tmp_path / "app-feature", "rev-parse", "HEAD")


def test_a_submodule_is_a_repository_of_its_own(tmp_path, make_repository, git):
    make_repository(tmp_path / "lib")
    root = make_repository(tmp_path / "app")
    git(root, "submodule", "--quiet", "add", "../lib", "vendor/lib")
    assert submodule_paths(root) == ["vendor/lib"]
    submodule = repository_of(root / "vendor/lib")
    assert not submodule.is_linked_worktree
    assert submodule.common_dir != repository_of(root).common_dir
    assert head_commit(submodule) == git(root / "vendor/lib", "rev-parse", "HEAD")


def test_reftable(tmp_path, make_repository, git):
    import subprocess

    try:
        git(tmp_path, "init", "-q", "--ref-format=reftable", "app")
    except subprocess.CalledProcessError:
        pytest.skip("this git knows no reftable")
    git(tmp_path / "app", "commit", "-q", "--allow-empty", "-m", "one")
    assert head_commit(repository_of(tmp_path / "app")) == git(tmp_path / "app", "rev-parse", "HEAD")


def test_around(tmp_path, make_repository):
    root = make_repository(tmp_path / "app", {"src/deep/a.txt": "x"})
    around = repository_around(root / "src" / "deep")
    assert around is not None and around.root == root.resolve()
    assert repository_at(root / "src") is None
    assert repository_around(tmp_path) is None


@pytest.mark.parametrize("content", ["", "gitdir: nowhere\n", "garbage\n"])
def test_a_dot_git_file_that_leads_nowhere(tmp_path, content):
    (tmp_path / ".git").write_text(content)
    assert repository_at(tmp_path) is None


def test_a_head_that_points_at_itself_ends(tmp_path, make_repository):
    root = make_repository(tmp_path / "app")
    (root / ".git/refs/heads/main").write_text("ref: refs/heads/main\n")
    assert head_commit(repository_of(root)) is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/pallets/flask.git", "github.com/pallets/flask"),
        ("https://user:secret@github.com/pallets/flask", "github.com/pallets/flask"),
        ("git@github.com:pallets/flask.git", "github.com/pallets/flask"),
        ("ssh://git@example.org:2222/team/tools/app.git/", "example.org/team/tools/app"),
        ("git://Example.ORG/app", "example.org/app"),
        ("github-work:me/notes.git", "github-work/me/notes"),
        ("/srv/git/app.git", None),
        ("../app", None),
        ("file:///srv/git/app.git", None),
        ("C:/git/app", None),
        ("C:\\git\\app", None),
        ("https://github.com/", None),
    ],
)
def test_remote_path(url, expected):
    assert remote_path(url) == expected


def test_no_password_of_a_remote_is_kept():
    assert "s3cret" not in str(remote_path("https://me:s3cret@example.org/a/b.git"))


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('[remote "origin"]\n\turl = https://a/b/c\n', "https://a/b/c"),
        ('[remote "up"]\n url = https://u/x/y\n[remote "origin"]\n url=https://o/x/y ; comment\n', "https://o/x/y"),
        ('[REMOTE "up"]\n URL = "https://u/x/y"\n', "https://u/x/y"),
        ('[remote "b"]\n url = https://b\n[remote "a"]\n url = https://a\n', "https://a"),
        ('[core]\n url = https://no\n[remote "origin"]\n fetch = +refs/*\n', None),
        ("", None),
    ],
)
def test_origin_url(tmp_path, git, config, expected):
    git(tmp_path, "init", "-q")
    (tmp_path / ".git/config").write_text(config)
    assert origin_url(repository_of(tmp_path)) == expected


def test_tags_are_told_packed_and_loose_annotated_and_not(tmp_path, make_repository, git):
    root = make_repository(tmp_path / "tagged", {"a": "a\n"}, "one", "two")
    first, second = git(root, "rev-parse", "HEAD~1"), git(root, "rev-parse", "HEAD")
    git(root, "tag", "plain", first)
    git(root, "tag", "-a", "noted", "-m", "noted", first)
    git(root, "pack-refs", "--all")
    git(root, "tag", "later/loose", second)
    git(root, "tag", "-a", "loose-noted", "-m", "noted", second)
    assert tagged_commits(repository_of(root)) == {
        first: ["noted", "plain"],
        second: ["later/loose", "loose-noted"],
    }
    assert tagged_commits(repository_of(make_repository(tmp_path / "none", {"a": "a\n"}))) == {}
