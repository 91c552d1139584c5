"""What the names of files say: the kernel's lists as Python reads them."""

from __future__ import annotations

import pytest

from loci.episodes import Episodes, build, is_changelog, languages, lock_files, manifests


def test_manifests_say_what_they_are():
    by_name = {each.name: each for each in manifests() if each.name}
    cargo = by_name["Cargo.toml"]
    assert (cargo.ecosystem, cargo.format) == ("crates", "cargo")
    assert (cargo.package, cargo.description, cargo.summary) == (True, True, True)
    assert (by_name["mix.exs"].package, by_name["mix.exs"].description) == (True, False)
    assert (by_name["CMakeLists.txt"].ecosystem, by_name["CMakeLists.txt"].package) == ("", False)
    assert {each.ending for each in manifests() if each.format == "msbuild"} == {".csproj", ".fsproj", ".vbproj"}
    assert [each.name for each in lock_files() if each.format == "poetry"] == ["poetry.lock", "uv.lock", "pdm.lock"]


def test_languages_have_endings_and_markup_is_none():
    assert languages()["C++"] == (".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".ipp")
    assert not {"HTML", "CSS", "SQL"} & set(languages())
    with pytest.raises(TypeError):
        languages()["Python"] = ()  # type: ignore[index]


def test_changelogs_of_a_segment_with_their_passages(tmp_path, make_repository):
    text = "# Changes\n\n## 2.0\n\n" + "Faster. " * 400 + "\n\n## 1.0\n\nFirst.\n"
    files = {
        "CHANGES.md": text,
        "README.md": "# A\n\nText.\n",
        "docs/releases/2.md": "Faster.\n",
        "docs/newsletter.md": "Faster.\n",
        "history.py": "def changes():\n    pass\n",
    }
    root = make_repository(tmp_path / "a", files, "Begin")
    store = Episodes.open(tmp_path / build(root, directory=tmp_path).segment)
    (changes, first, stop), (notes, second, end) = store.changelogs()
    assert (changes, notes, end - second) == ("CHANGES.md", "docs/releases/2.md", 1)
    passages = list(store.all_passages(first, stop))
    assert {each.path for each in passages} == {"CHANGES.md"} and stop - first > 1
    assert passages[-1].text.endswith("First.") and passages[0].lines[0] == 1
    assert [is_changelog(path) for path in files] == [True, False, True, False, False]
