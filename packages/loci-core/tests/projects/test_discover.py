"""Scanning: what is found, and what is not even entered."""

from __future__ import annotations

import os
from pathlib import Path

from loci.core.projects.discover import discover


def names(result):
    return [found.path.name for found in result.found]


def test_repositories_at_every_depth_sorted(tmp_path, make_repository):
    make_repository(tmp_path / "b")
    make_repository(tmp_path / "group" / "deep" / "a")
    (tmp_path / "no-repository").mkdir()
    result = discover([tmp_path])
    assert [str(found.path.relative_to(tmp_path)) for found in result.found] == ["b", "group/deep/a"]


def test_the_root_itself(tmp_path, make_repository):
    make_repository(tmp_path / "app")
    assert names(discover([tmp_path / "app"])) == ["app"]


def test_overlapping_roots_find_each_once(tmp_path, make_repository):
    make_repository(tmp_path / "work" / "app")
    assert names(discover([tmp_path, tmp_path / "work", tmp_path / "work" / "app"])) == ["app"]


def test_dependencies_caches_and_hidden_directories_are_not_entered(tmp_path, make_repository):
    for place in ("node_modules", ".venv", ".cache", "__pycache__", "site-packages"):
        make_repository(tmp_path / place / "found")
    for place, marker in (("env", "pyvenv.cfg"), ("anything", "CACHEDIR.TAG")):
        make_repository(tmp_path / place / "found")
        (tmp_path / place / marker).write_text("")
    make_repository(tmp_path / "app")
    result = discover([tmp_path])
    assert names(result) == ["app"]
    assert result.directories < 8


def test_build_is_a_folder_of_projects_outside_and_an_output_inside(tmp_path, make_repository):
    make_repository(tmp_path / "build" / "mine")
    root = make_repository(tmp_path / "app")
    make_repository(root / "build" / "fetched")
    make_repository(root / "vendor" / "copied")
    assert names(discover([tmp_path])) == ["app", "mine"]


def test_a_hidden_directory_given_as_root_is_searched(tmp_path, make_repository):
    make_repository(tmp_path / ".config" / "nvim")
    assert names(discover([tmp_path])) == []
    assert names(discover([tmp_path / ".config"])) == ["nvim"]


def test_submodules_are_projects_of_their_own_wherever_they_stand(tmp_path, make_repository, git):
    make_repository(tmp_path / "outside" / "lib")
    root = make_repository(tmp_path / "in" / "app")
    git(root, "submodule", "--quiet", "add", "../../outside/lib", "vendor/deep/lib")
    git(root, "submodule", "--quiet", "add", "../../outside/lib", ".hidden")
    assert names(discover([tmp_path / "in"])) == ["app", ".hidden", "lib"]


def test_a_linked_worktree_counts_as_its_repository(tmp_path, make_repository, git):
    root = make_repository(tmp_path / "z-app")
    git(root, "worktree", "add", "-q", "-b", "feature", "../a-feature")
    (found,) = discover([tmp_path]).found
    assert found.path == root.resolve()
    assert found.worktrees == ((tmp_path / "a-feature").resolve(),)


def test_worktrees_of_a_bare_repository_count_once_and_main_speaks(tmp_path, make_repository, git):
    make_repository(tmp_path / "origin")
    git(tmp_path, "clone", "-q", "--bare", "origin", "app/repository.git")
    for branch in ("feature", "main"):
        arguments = ["-b", branch] if branch != "main" else []
        git(
            tmp_path / "app/repository.git",
            "worktree",
            "add",
            "-q",
            *arguments,
            f"../{branch}",
            *(["main"] if branch == "main" else []),
        )
    (found,) = discover([tmp_path / "app"]).found
    assert found.path.name == "main"
    assert [path.name for path in found.worktrees] == ["feature"]


def test_a_bare_repository_alone(tmp_path, make_repository, git):
    make_repository(tmp_path / "origin")
    git(tmp_path, "clone", "-q", "--bare", "origin", "server/app.git")
    (found,) = discover([tmp_path / "server"]).found
    assert found.repository.bare


def test_what_a_repository_ignores_is_not_walked(tmp_path, make_repository, monkeypatch):
    """FIELD 48: folders of reference clones were walked although ignored."""
    root = make_repository(tmp_path / "app", {".gitignore": "references/\nscratch/\n"})
    make_repository(root / "references" / "linux")
    make_repository(root / "scratch")
    make_repository(root / "tools" / "own")
    entered = []
    real = os.scandir

    def scandir(path="."):
        entered.append(Path(path).name)
        return real(path)

    # Only for this: pytest itself clears the folder away with it.
    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", scandir)
        result = discover([tmp_path])
    assert names(result) == ["app", "own"]
    assert [path.name for path in result.ignored] == ["scratch"]
    assert entered == [tmp_path.name] and result.directories == 1


def test_a_survey_comes_with_what_was_found(tmp_path, make_repository):
    root = make_repository(tmp_path / "app", {"client/package.json": "{}", "README.md": "# App"}, "one", "two")
    (found,) = discover([tmp_path]).found
    assert found.survey is not None
    assert (found.survey.files, found.survey.first_parents) == (2, 2)
    assert found.survey.named == ["client/package.json"] and found.survey.authors == {"ada@example.org": 2}
    (known,) = discover([tmp_path], is_known=lambda repository: repository.root == root.resolve()).found
    assert known.survey is not None and known.survey.files == 2 and known.survey.root_commit is None


def test_a_scanned_directory_that_is_itself_a_repository_hides_nothing(tmp_path, make_repository):
    """A home directory under version control ignores everything in it."""
    home = make_repository(tmp_path / "me", {".gitignore": "*\n"})
    make_repository(home / "code" / "app")
    assert names(discover([home])) == ["me", "app"]


def test_links_are_not_followed(tmp_path, make_repository):
    make_repository(tmp_path / "elsewhere" / "app")
    (tmp_path / "scanned").mkdir()
    (tmp_path / "scanned" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "scanned" / "loop").symlink_to(tmp_path / "scanned")
    assert names(discover([tmp_path / "scanned"])) == []


def test_names_with_spaces_and_other_scripts(tmp_path, make_repository):
    for name in ("my app", "請求書", "ünï"):
        make_repository(tmp_path / name)
    assert sorted(names(discover([tmp_path]))) == sorted(["my app", "請求書", "ünï"])
