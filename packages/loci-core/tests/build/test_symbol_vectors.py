"""Vectors of symbols: made of labels, kept by builds, and one more way to a symbol for a question in other words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from repositories import commit, make
from sentences import said

import loci.core.build.models as core_models
import loci.core.build.vectors as core_embed
from loci.core import Cure, Memory
from loci.episodes import Vectors, _semantic, content_key

CONCEPTS = (("frees", "liberated"), ("charge", "invoice", "pays"))
RELEASE = "session release\nmethod\nFrees the socket."

FILES: dict[str, str | bytes] = {
    "README.md": "# Bank\n\nA small bank.\n",
    "src/session.py": (
        "class Session:\n    limit = 3\n\n    def release(self, force=False):\n"
        '        """Frees the socket."""\n        drop(self)\n\n\ndef drop(session):\n    pass\n'
    ),
    "src/money.py": "def charge(customer):\n    pass\n",
    "tests/test_money.py": "def test_charge():\n    pass\n",
}


@dataclass
class Synonyms:
    """A model that knows two concepts; what speaks of neither is like nothing else. It remembers what it embedded."""

    signature: str = "synonyms"
    name: str = "synonyms"
    dimension: int = len(CONCEPTS) + 2
    embedded: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str], *, question: bool = False, progress: object = None) -> Any:
        self.embedded.extend(() if question else texts)
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for place, words in enumerate(CONCEPTS):
                row[place] = any(word in text.lower() for word in words)
            if not row.any():
                row[-1 if question else -2] = 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Synonyms:
    made = Synonyms()
    monkeypatch.setattr(core_models, "open_embedder", lambda directory: made)
    monkeypatch.setattr(_semantic, "FEWEST_PROBES", 1)
    return made


def bank(tmp_path: Path, other: str = "The Yellow Green Garden") -> Memory:
    """Project `p0` with the files above, and `p1`, whose heading is what fits the floors of `p0`."""
    memory = Memory.open(tmp_path / "home")
    memory.add(make(tmp_path / "p0", FILES))
    memory.add(make(tmp_path / "p1", {"README.md": f"# {other}\n\nTrees.\n"}, message="x"))
    memory.index()
    return memory


def symbols_of(memory: Memory, scope: str = "p0") -> dict[str, Any]:
    return json.loads(memory.home.manifest.read_text(encoding="utf-8"))["scopes"][scope]["vectors"]["symbols"]


def names(memory: Memory, question: str, **more: Any) -> list[str]:
    return [symbol.name for symbol in memory.ask(question, scope="p0", **more).scopes[0].symbols]


def test_a_symbol_is_found_by_what_it_means_and_what_is_related_follows(tmp_path: Path, model: Synonyms) -> None:
    memory = bank(tmp_path)
    assert names(memory, "how is it liberated") == []
    report = memory.embed(model=tmp_path).scopes[0]
    assert (report.symbols, report.symbols_kept, report.symbols_floor, report.message) == (4, 0, 0.0, "")
    labels = ["charge\nfunction", "drop\nfunction", "session\nclass", RELEASE]
    assert sorted(text for text in model.embedded if text in labels) == labels
    assert not any("test" in text and "function" in text for text in model.embedded), "tests are left to words"
    assert names(memory, "what does it call when liberated") == ["Session.release", "drop"]
    assert names(memory, "how is it liberated", fast=True) == []


def test_answers_without_vectors_are_those_of_words(tmp_path: Path, model: Synonyms) -> None:
    memory = bank(tmp_path)
    questions = ["who calls drop", "what does a session release", "the charge of a customer"]
    before = [names(memory, question) for question in questions]
    assert all(before)
    memory.embed(model=tmp_path)
    assert [names(memory, question, fast=True) for question in questions] == before


def test_an_unrelated_question_brings_up_no_symbol(tmp_path: Path, model: Synonyms) -> None:
    memory = bank(tmp_path, other="Invoice the Frees")  # the other project speaks of both concepts at once
    memory.embed(model=tmp_path)
    floor = symbols_of(memory)["floor"]
    assert floor == pytest.approx(2**-0.5, abs=0.01)
    assert names(memory, "is zzqxv yellow") == []
    about = json.loads(memory.home.manifest.read_text(encoding="utf-8"))
    about["scopes"]["p0"]["vectors"]["symbols"]["floor"] = 1.1
    memory.home.write_json(memory.home.manifest, about)
    assert names(Memory.open(memory.home.directory), "how is it liberated") == [], "near, and no more than accident"


def test_a_build_keeps_vectors_and_only_new_labels_are_embedded(tmp_path: Path, model: Synonyms) -> None:
    memory = bank(tmp_path)
    memory.embed(model=tmp_path)
    first = symbols_of(memory)
    model.embedded.clear()
    changed = "def before():\n    pass\n\n\n" + str(FILES["src/session.py"])
    commit(tmp_path / "p0", "More", {"src/a.py": "def drop(all):\n    pass\n", "src/session.py": changed})
    memory.index()
    assert symbols_of(memory)["file"] == first["file"]
    # Every symbol has another number now, and is found by its label.
    assert names(memory, "how is it liberated", refresh=0)[0] == "Session.release"
    findings = [(f.scope, f.severity, f.kind) for f in memory.doctor() if f.kind == "vectors_behind"]
    assert findings == [("p0", "note", "vectors_behind")]
    report = memory.embed(model=tmp_path).scopes[0]
    assert (report.symbols, report.symbols_kept) == (1, 4), "two functions of one label share a vector"
    assert [text for text in model.embedded if "\nfunction" in text and "/" not in text] == ["before\nfunction"]
    assert not (memory.home.segments / first["file"]).exists()
    assert not [f for f in memory.doctor() if f.kind == "vectors_behind"]
    assert memory.embed(model=tmp_path).scopes[0].symbols_kept == 5
    assert symbols_of(memory)["count"] == 5


def test_symbols_of_one_label_are_all_found(tmp_path: Path, model: Synonyms) -> None:
    memory = Memory.open(tmp_path / "home")
    files: dict[str, str | bytes] = {f"src/{name}.py": 'def go():\n    """Frees it."""\n' for name in "ab"}
    memory.add(make(tmp_path / "p0", files))
    memory.add(make(tmp_path / "p1", {"README.md": "# The Yellow Green Garden\n"}, message="x"))
    memory.index()
    assert memory.embed(model=tmp_path).scopes[0].symbols == 1
    found = memory.ask("how is everybody liberated", scope="p0").scopes[0].symbols
    assert [(symbol.name, symbol.path) for symbol in found] == [("go", "src/a.py"), ("go", "src/b.py")]


def test_a_symbol_that_is_gone_is_gone(tmp_path: Path, model: Synonyms) -> None:
    memory = bank(tmp_path)
    memory.embed(model=tmp_path)
    commit(tmp_path / "p0", "Less", {"src/session.py": "def drop(session):\n    pass\n"})
    memory.index()
    assert names(memory, "how is it liberated", refresh=0) == [], "its vector is still there, and leads nowhere"
    memory.embed(model=tmp_path)
    vectors = Vectors.open(memory.home.segments / symbols_of(memory)["file"])
    assert len(vectors) == 2
    assert content_key(RELEASE) not in vectors


def test_a_kill_between_passages_and_symbols_keeps_the_passages(
    tmp_path: Path, model: Synonyms, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = bank(tmp_path)

    def killed(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(core_embed, "embed_symbols", killed)
        with pytest.raises(KeyboardInterrupt):
            memory.embed(model=tmp_path)
    assert symbols_of(memory) is None
    assert names(memory, "who calls drop")[0] == "drop"
    report = memory.embed(model=tmp_path).scopes[0]
    assert (report.embedded, report.kept, report.symbols, report.symbols_floor) == (0, 2, 4, 0.0)
    assert names(memory, "how is it liberated")[0] == "Session.release"


def test_damaged_vectors_are_named_and_made_again(tmp_path: Path, model: Synonyms) -> None:
    memory = bank(tmp_path)
    memory.embed(model=tmp_path)
    (memory.home.segments / symbols_of(memory)["file"]).write_bytes(b"no")
    block = Memory.open(memory.home.directory).ask("who calls drop", scope="p0").scopes[0]
    assert block.symbols[0].name == "drop"
    assert "symbols were found without vectors: the vectors in " in said(block)
    assert Cure("embed", "p0") in [note.cure for note in block.notes]
    assert [(f.scope, f.kind) for f in memory.doctor() if "vectors" in f.kind] == [("p0", "damaged_vectors")]
    assert memory.embed(model=tmp_path).scopes[0].symbols == 4
    assert not [f for f in memory.doctor() if "vectors" in f.kind]


def test_no_secret_is_embedded(tmp_path: Path, model: Synonyms) -> None:
    key = "AKIA" + "Z7QTR4WX2MPLN6VB"
    memory = Memory.open(tmp_path / "home")
    text = f'def connect(access_key="{key}"):\n    """Connects with {key}."""\n\n\ndef plain(key="{key}"):\n    pass\n'
    memory.add(make(tmp_path / "p0", {"src/a.py": text}))
    memory.index()
    memory.embed(model=tmp_path, kinds=("commit", "document", "source"))
    assert "connect\nfunction\nConnects with REDACTEDxxxxxxxxxxxx." in model.embedded
    assert "plain\nfunction" in model.embedded
    assert not any(key in text for text in model.embedded)


def test_without_a_graph_there_are_no_vectors_of_symbols(tmp_path: Path, model: Synonyms) -> None:
    memory = Memory.open(tmp_path / "home")
    memory.add(make(tmp_path / "p0", FILES))
    memory.index(graphs=False)
    report = memory.embed(model=tmp_path).scopes[0]
    assert (report.symbols, report.symbols_kept, report.message) == (0, 0, "")
    assert symbols_of(memory) is None
    assert memory.embed(model=tmp_path).scopes[0].symbols == 0
    memory.index(graphs=True)
    assert memory.embed(model=tmp_path).scopes[0].symbols == 4


def test_forgetting_a_project_removes_the_vectors_of_its_symbols(tmp_path: Path, model: Synonyms) -> None:
    memory = bank(tmp_path)
    memory.embed(model=tmp_path)
    file = memory.home.segments / symbols_of(memory)["file"]
    assert file.exists()
    memory.forget("p0")
    assert not file.exists()
