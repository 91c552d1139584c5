"""What projects are called, and the ids they get."""

from __future__ import annotations

from pathlib import Path

import pytest

from loci.core.projects.names import known_names, label, scope_id, slug


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("flask", "flask"),
        ("Flask", "flask"),
        ("workers-sdk", "workers-sdk"),
        ("my_app.py", "my_app.py"),
        ("My Project (old)", "my-project-old"),
        ("請求書", "請求書"),
        ("ｆｕｌｌ", "full"),
        ("café", "café"),
        ("...", "scope"),
        ("---", "scope"),
        ("a/b\\c", "a-b-c"),
    ],
)
def test_slug(name, expected):
    assert slug(name) == expected


def test_the_id_goes_through_its_candidates_in_order():
    root = Path("/home/me/work/app")
    taken: set[str] = set()
    for expected in ("app", "acme/app", "work/app"):
        assert scope_id(root, "github.com/acme/app", taken) == expected
        taken.add(expected)
    last = scope_id(root, "github.com/acme/app", taken)
    assert last.startswith("app-") and last == scope_id(root, "github.com/acme/app", taken)
    other = scope_id(Path("/elsewhere/work/app"), "github.com/acme/app", taken)
    assert other.startswith("app-") and other != last


def test_a_bare_repository_is_called_without_its_ending():
    assert label(Path("/srv/git/notes.git")) == "notes"
    assert scope_id(Path("/srv/git/notes.git"), None, ()) == "notes"


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("pyproject.toml", '[project]\nname = "acme-billing"\n', ["acme-billing"]),
        ("pyproject.toml", '[tool.poetry]\nname = "poetic"\n', ["poetic"]),
        ("pyproject.toml", '\ufeff[project]\nname = "bom"\n', ["bom"]),
        ("pyproject.toml", "[project\n", []),
        ("pyproject.toml", "[project]\nname = 3\n", []),
        ("setup.cfg", "[metadata]\nname = old-style\n", ["old-style"]),
        ("setup.cfg", "name = none\n", []),
        ("package.json", '{"name": "@acme/web"}', ["@acme/web"]),
        ("package.json", "[1]", []),
        ("package.json", "[" * 100_000, []),
        ("Cargo.toml", '[package]\nname = "acme-cli"\n', ["acme-cli"]),
        ("Cargo.toml", "[workspace]\n", []),
        ("go.mod", "module github.com/acme/queue/v2\n\ngo 1.22\n", ["queue"]),
        ("go.mod", "// nothing\n", []),
    ],
)
def test_names_from_manifests(tmp_path, file, text, expected):
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert known_names(tmp_path, None) == expected


def test_names_are_unique_and_leave_out_the_label(tmp_path):
    root = tmp_path / "Billing"
    root.mkdir()
    (root / "package.json").write_text('{"name": "billing"}')
    (root / "pyproject.toml").write_text('[project]\nname = "acme-billing"\n')
    assert known_names(root, "github.com/acme/billing") == ["acme/billing", "acme-billing"]


def test_a_manifest_is_not_read_through_a_link_out_of_the_project(tmp_path):
    (tmp_path / "elsewhere.json").write_text('{"name": "stolen"}')
    root = tmp_path / "app"
    root.mkdir()
    (root / "package.json").symlink_to(tmp_path / "elsewhere.json")
    assert known_names(root, None) == []
