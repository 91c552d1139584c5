"""manifest.json: which formats are read, and what is refused before any name in it is used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loci.core import DamagedFile, Home, StoreTooNew
from loci.core.home.manifest import FORMAT, Manifest

ENTRY = {
    "segment": "a.safetensors",
    "bytes": 10,
    "commit": None,
    "fingerprint": "f",
    "signature": "s",
    "name": "a",
    "path": "/code/a",
}
VECTORS = {
    "file": "v.safetensors",
    "bytes": 5,
    "signature": "s",
    "model": "m",
    "directory": "/m",
    "segment": "a.safetensors",
    "kinds": [],
    "passages": 1,
    "lacking": 0,
    "floor": 0.5,
}
SYMBOLS = {"file": "w.safetensors", "bytes": 7, "graph": "g", "rules": "r", "count": 1, "floor": 0.5}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home.locate(tmp_path / "home")
    home.create()
    return home


def write(home: Home, version: object = FORMAT, **entry: object) -> None:
    home.manifest.write_text(
        json.dumps({"format": version, "generation": 3, "scopes": {"a": {**ENTRY, **entry}}}), encoding="utf-8"
    )


def load(home: Home) -> Manifest:
    found = Manifest.load(home)
    assert found is not None
    return found


def test_before_anything_was_indexed_there_is_none(home: Home) -> None:
    assert Manifest.load(home) is None


def test_a_manifest_of_the_next_format_is_too_new_and_one_of_another_is_damaged(home: Home) -> None:
    write(home)
    assert (load(home).generation, load(home).graphs) == (3, True)
    write(home, FORMAT + 1)
    with pytest.raises(StoreTooNew, match=f"format {FORMAT + 1}"):
        Manifest.load(home)
    for other in (FORMAT - 1, None, "1"):
        write(home, other)
        with pytest.raises(DamagedFile, match=f"format {other!r} is not known"):
            Manifest.load(home)


def test_the_size_of_a_project_is_that_of_all_its_files(home: Home) -> None:
    others = [{"source": "x", "file": "o.safetensors"}, {"source": "y", "file": None}]
    write(home, graph={"file": "g.safetensors", "bytes": 3, "others": others}, vectors={**VECTORS, "symbols": SYMBOLS})
    record = load(home).scopes["a"]
    assert record.size == 10 + 3 + 5 + 7
    assert record.files == {f"{name}.safetensors" for name in "agovw"}
    write(home)
    assert (load(home).scopes["a"].size, load(home).scopes["a"].files) == (10, {"a.safetensors"})


@pytest.mark.parametrize("missing", sorted(VECTORS))
def test_vectors_that_do_not_say_what_they_are_of_do_not_count(home: Home, missing: str) -> None:
    entry = {key: value for key, value in VECTORS.items() if key != missing}
    write(home, vectors={"file": "v.safetensors", **entry, **({"file": "v"} if missing == "file" else {})})
    if missing != "file":
        assert load(home).scopes["a"].vectors is None
    write(home, vectors=VECTORS)
    assert load(home).scopes["a"].vectors == {**VECTORS, "symbols": None}
    write(home, vectors={**VECTORS, "symbols": {key: 1 for key in SYMBOLS if key != "floor"} | {"file": "w"}})
    assert load(home).scopes["a"].vectors == {**VECTORS, "symbols": None}


@pytest.mark.parametrize("name", ["../a", "a/b", "", ".", "..", 3])
@pytest.mark.parametrize("kind", ["segment", "graph", "vectors", "symbols", "others"])
def test_no_file_of_a_project_lies_elsewhere(home: Home, kind: str, name: object) -> None:
    entry: dict[str, object] = {
        "segment": {"segment": name},
        "graph": {"graph": {"file": name}},
        "vectors": {"vectors": {"file": name}},
        "symbols": {"vectors": {"file": "v", "symbols": {"file": name}}},
        "others": {"graph": {"file": "g", "others": [{"source": "x", "file": name}]}},
    }[kind]
    write(home, **entry)
    if kind == "others" and name == "":
        assert load(home).scopes["a"].files == {"a.safetensors", "g"}  # a tool that gave nothing has no file
        return
    with pytest.raises(DamagedFile, match="is no file name"):
        Manifest.load(home)


@pytest.mark.parametrize(
    ("subtree", "good"), [("", True), ("a/b", True), ("..", False), ("a//b", False), ("/a", False)]
)
def test_a_subtree_lies_below_its_repository(home: Home, subtree: str, good: bool) -> None:
    write(home, subtree=subtree)
    if good:
        assert load(home).scopes["a"].subtree == subtree
    else:
        with pytest.raises(DamagedFile, match="is no path below a repository"):
            Manifest.load(home)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"format": FORMAT, "scopes": {}}, "'generation' is missing"),
        ({"format": FORMAT, "generation": 1, "scopes": []}, "must be an object of objects"),
        ({"format": FORMAT, "generation": 1, "scopes": {"a": 1}}, "must be an object of objects"),
        ({"format": FORMAT, "generation": 1, "scopes": {"a": {}}}, "'segment' is missing"),
        ({"format": FORMAT, "generation": "many", "scopes": {}}, "invalid literal"),
    ],
)
def test_what_cannot_be_meant_is_damage(home: Home, data: object, reason: str) -> None:
    home.manifest.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DamagedFile, match=reason) as caught:
        Manifest.load(home)
    assert caught.value.hint is not None and "loci index" in caught.value.hint
