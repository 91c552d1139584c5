"""The working directory: which scope it stands in, and what it is worth against the evidence."""

import os
from pathlib import Path

import pytest
from reference_evidence import ReferenceIndex

from loci.router import Router, Scope, advice
from loci.router.directories import Directories, as_path


def made(tmp_path: Path, **paths: str) -> list[Scope]:
    scopes = []
    for scope, relative in paths.items():
        path = tmp_path / relative
        path.mkdir(parents=True, exist_ok=True)
        scopes.append(Scope(scope, scope, path=path))
    return scopes


def test_the_deepest_containing_scope(tmp_path: Path) -> None:
    directories = Directories(made(tmp_path, mono="mono", client="mono/packages/client", other="other"))
    assert directories.containing(tmp_path / "mono/packages/client/src") == "client"
    assert directories.containing(tmp_path / "mono/packages") == "mono"
    assert directories.containing(str(tmp_path / "mono")) == "mono"
    assert directories.containing(tmp_path) is None
    assert directories.containing(None) is None


def test_a_name_that_only_starts_alike_is_outside(tmp_path: Path) -> None:
    directories = Directories(made(tmp_path, app="app"))
    (tmp_path / "app-old").mkdir()
    assert directories.containing(tmp_path / "app-old") is None


def test_symlinks_on_either_side(tmp_path: Path) -> None:
    (real,) = made(tmp_path, app="real/app")
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    assert real.path is not None
    (real.path / "src").mkdir()
    assert Directories([real]).containing(tmp_path / "link/app/src") == "app"
    through_link = Scope("app", "app", path=tmp_path / "link/app")
    assert Directories([through_link]).containing(real.path / "src") == "app"


def test_a_symlink_inside_a_scope_that_leads_out_of_it_stands_outside(tmp_path: Path) -> None:
    scopes = made(tmp_path, app="app", elsewhere="elsewhere")
    (tmp_path / "app/vendored").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert Directories(scopes).containing(tmp_path / "app/vendored") == "elsewhere"


def test_the_same_directory_under_another_spelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a case-insensitive file system does: another spelling has the same device and inode."""
    (app,) = made(tmp_path, app="App")
    directories = Directories([app])
    plain_stat = Path.stat

    def folding(self: Path, **options: bool) -> os.stat_result:
        parts = ["App" if part == "app" else part for part in self.parts]
        return plain_stat(Path(*parts), **options)

    assert directories.containing(tmp_path / "app") is None
    monkeypatch.setattr(Path, "stat", folding)
    assert directories.containing(tmp_path / "app") == "app"
    assert directories.containing(tmp_path / "app" / "gone") == "app"


def test_a_directory_that_is_gone_still_stands_where_it_stood(tmp_path: Path) -> None:
    directories = Directories(made(tmp_path, app="app"))
    assert directories.containing(tmp_path / "app/no/longer/there") == "app"


def test_a_scope_whose_own_directory_is_gone(tmp_path: Path) -> None:
    directories = Directories([Scope("app", "app", path=tmp_path / "gone")])
    assert directories.containing(tmp_path / "gone/src") == "app"


def test_a_reused_inode_is_not_the_scope(tmp_path: Path) -> None:
    (app,) = made(tmp_path, app="app")
    directories = Directories([app])
    (tmp_path / "app").rename(tmp_path / "moved")
    assert directories.containing(tmp_path / "moved") is None


def test_a_linked_worktree_counts_as_its_repository(tmp_path: Path) -> None:
    scopes = made(tmp_path, app="app")
    worktree = tmp_path / "trees/feature"
    (worktree / "src").mkdir(parents=True)
    directories = Directories(scopes, {worktree: "app"})
    assert directories.containing(worktree / "src") == "app"
    assert directories.containing(tmp_path / "trees") is None


def test_the_home_directory_and_the_root_contain_nothing_but_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "Downloads").mkdir()
    directories = Directories([Scope("dotfiles", "dotfiles", path=tmp_path), Scope("root", "root", path=Path("/"))])
    assert directories.containing(tmp_path / "Downloads") is None
    assert directories.containing(tmp_path) == "dotfiles"
    assert directories.containing("~") == "dotfiles"


def test_file_uris() -> None:
    assert as_path("file:///projects/my%20app") == Path("/projects/my app")
    assert as_path("file://localhost/work") == Path("/work")
    assert as_path("file:///c%3A/projects/app") == Path("c:/projects/app")


FILLER = [f"{word} is handled here" for word in ("startup", "shutdown", "logging", "parsing", "drawing", "storage")]


@pytest.fixture
def asked(tmp_path: Path) -> Router:
    texts = {
        "billing": ["invoices carry a ledger number", "ledger numbers are never reused by invoices", *FILLER],
        "search": ["documents are ranked by relevance", *FILLER],
        "editor": ["the canvas redraws dirty shapes", *FILLER],
        "mailer": ["bounced mail is retried by the relay", *FILLER],
        "player": ["frames are decoded ahead of time", *FILLER],
    }
    scopes = made(tmp_path, **{scope: scope for scope in texts})
    return Router(ReferenceIndex.from_texts(texts), {scope.id: scope for scope in scopes})


@pytest.mark.parametrize(
    "question", ["how do I run the tests?", "what does this do on startup?", "where is logging handled?"]
)
def test_a_vague_question_goes_to_the_directory(question: str, asked: Router, tmp_path: Path) -> None:
    route = asked.route(question, cwd=tmp_path / "search")
    assert [each.id for each in route.scopes] == ["search"]
    assert route.scopes[0].signals["cwd"] == 4.5
    assert asked.route(question).abstained


def test_clear_evidence_for_another_project_leaves_the_directory_and_says_so(asked: Router, tmp_path: Path) -> None:
    for question in ("in the billing repo, why are ledger numbers never reused?", "what does billing do with ledgers?"):
        route = asked.route(question, cwd=tmp_path / "search")
        assert route.scopes[0].id == "billing"
        assert route.advice == (advice.LeftDirectory("search", "search", "billing", "billing", "named"),)


def test_staying_in_the_directory_gives_no_advice(asked: Router, tmp_path: Path) -> None:
    assert asked.route("why are ledger numbers never reused?", cwd=tmp_path / "billing").advice == ()


def test_the_directory_does_not_turn_a_set_into_one(asked: Router, tmp_path: Path) -> None:
    route = asked.route("which of my projects have ledger numbers?", cwd=tmp_path / "search")
    assert route.mode == "set"
    assert [each.id for each in route.scopes] == ["billing"]
