"""Graphs of other tools: files that the tools themselves wrote of one small project, and files that are broken."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from loci.structure import (
    Combined,
    ForeignUnreadable,
    Graph,
    Graphify,
    GraphMissing,
    Project,
    Scip,
    Symbol,
    build,
    foreign_signature,
    graphify_node,
    read_graphify,
    read_scip,
)
from loci.structure.conformance import BackendConformance

PROJECTS = Path(__file__).parents[3] / "crates" / "loci-graph" / "tests" / "foreign"
GRAPHIFY = Path(__file__).parent / "graphify"


def copied(language: str, root: Path) -> Path:
    """A copy of a small project, with its index."""
    shutil.copytree(PROJECTS / language, root)
    return root


def with_graphify(root: Path, version: str) -> Path:
    """The Python project with what that version of graphify wrote of it."""
    copied("python", root)
    (root / "index.scip").unlink()
    (root / "graphify-out").mkdir()
    shutil.copy(GRAPHIFY / f"graph-{version}.json", root / "graphify-out" / "graph.json")
    return root


def calls(graph: Graph) -> list[tuple[str, str, int, str]]:
    return sorted(
        (edge.source, edge.target, edge.line, edge.resolution) for edge in graph.edges() if edge.relation == "calls"
    )


class TestScip(BackendConformance):
    def backend(self, tmp_path):
        root = tmp_path / "shop"
        return Scip(), Project("shop", root if root.exists() else copied("typescript", root)), "withTax"


class TestGraphify(BackendConformance):
    def backend(self, tmp_path):
        root = tmp_path / "shop"
        return Graphify(), Project("shop", root if root.exists() else with_graphify(root, "0.9.96")), "with_tax"


class TestOlderGraphify(BackendConformance):
    def backend(self, tmp_path):
        root = tmp_path / "shop"
        return Graphify(), Project("shop", root if root.exists() else with_graphify(root, "0.4.24")), "Cart.total"


def test_an_index_of_a_compiler_is_a_graph(tmp_path):
    root = copied("typescript", tmp_path / "shop")
    foreign = read_scip(root / "index.scip", root=root, directory=tmp_path)
    assert foreign.graph.backend == "scip"
    assert foreign.graph.notes == ["by scip-typescript 0.4.0"]
    assert [(caller.name, caller.site, caller.resolution) for caller in foreign.graph.callers("Rounding.apply")] == [
        ("Cart.total", 14, "compiler")
    ]
    assert foreign.bytes == (tmp_path / foreign.file).stat().st_size
    assert calls(Graph.open(tmp_path / foreign.file, signature=foreign_signature())) == calls(foreign.graph)


@pytest.mark.parametrize("version", ["0.4.24", "0.9.96"])
def test_what_graphify_wrote_is_a_graph(tmp_path, version):
    root = with_graphify(tmp_path / "shop", version)
    foreign = read_graphify(root / "graphify-out" / "graph.json", root=root)
    (cart,) = foreign.graph.find("Cart")
    assert (cart.kind, cart.path, cart.line, cart.documentation) == (
        "class",
        "shop/cart.py",
        7,
        "Items with their prices.",
    )
    found = [(symbol.name, symbol.kind) for symbol in foreign.graph.all_symbols() if symbol.path == "shop/money.py"]
    assert found == [
        ("money.py", "file"),
        ("with_tax", "function"),
        ("Rounding", "class"),
        ("Rounding.apply", "method"),
        ("Cash", "class"),
        ("Cash.apply", "method"),
    ]
    assert {(source, target, line) for source, target, line, _ in calls(foreign.graph)} >= {
        ("Cart.total", "with_tax", 20),
        ("checkout", "Cart", 24),
        ("checkout", "Cart.add", 26),
        ("test_checkout_adds_tax", "checkout", 5),
    }
    inherits = [edge for edge in foreign.graph.edges() if edge.relation == "inherits"]
    assert [(edge.source, edge.target, edge.resolution) for edge in inherits] == [
        ("Cash", "Rounding", "graphify:extracted")
    ]


def test_versions_are_told_apart(tmp_path):
    old = read_graphify(GRAPHIFY / "graph-0.4.24.json")
    new = read_graphify(GRAPHIFY / "graph-0.9.96.json")
    assert (old.commit, old.graph.notes) == (None, ["by graphify"])
    assert (new.commit, new.graph.notes) == ("f67a81265a15422df6444a58288b9891e6302a09", ["by graphify 0.9.96"])
    # What the one guessed from names the other read off the imports.
    resolutions = [
        {source: resolution for source, target, _, resolution in calls(foreign.graph) if target == "checkout"}
        for foreign in (old, new)
    ]
    assert resolutions == [
        {"test_checkout_adds_tax": "graphify:inferred"},
        {"test_checkout_adds_tax": "graphify:extracted"},
    ]


def document(nodes: list[dict], links: list[dict], **more: object) -> dict:
    return {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "links": links, **more}


def node(identity: str, label: str, path: str = "a.py", place: str | None = "L1", **more: object) -> dict:
    return {
        "id": identity,
        "label": label,
        "file_type": "code",
        "source_file": path,
        "source_location": place,
        **more,
    }


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_the_direction_is_that_of_the_older_fields(tmp_path):
    link = {"source": "b", "target": "a", "_src": "a", "_tgt": "b", "relation": "calls", "source_location": "L3"}
    path = written(tmp_path, document([node("a", "a()"), node("b", "b()", place="L9")], [link]))
    assert calls(read_graphify(path).graph) == [("a", "b", 3, "graphify:extracted")]
    del link["_src"], link["_tgt"]
    path = written(tmp_path, document([node("a", "a()"), node("b", "b()", place="L9")], [link]))
    assert calls(read_graphify(path).graph) == [("b", "a", 3, "graphify:extracted")]


def test_what_has_no_place_in_the_project_is_left_out(tmp_path):
    nodes = [
        node("in", "f()"),
        node("out", "requests", path=""),
        node("up", "x", path="../other/a.py"),
        node("disk", "y", path="C:\\a.py"),
        node("root", "z()", path="/etc/passwd"),
        node("own", "g()", path=str(tmp_path / "b.py"), place=None),
        node("idea", "Why the tax is rounded", path="docs\\tax.md", file_type="concept", place=""),
    ]
    links = [
        {"source": "in", "target": "out", "relation": "calls"},
        {"source": "idea", "target": "in", "relation": "explains", "confidence": "INFERRED"},
    ]
    foreign = read_graphify(written(tmp_path, document(nodes, links)), root=tmp_path)
    found = [(symbol.name, symbol.kind, symbol.path, symbol.line) for symbol in foreign.graph.all_symbols()]
    assert found == [
        ("a.py", "file", "a.py", 1),
        ("f", "function", "a.py", 1),
        ("b.py", "file", "b.py", 1),
        ("g", "function", "b.py", 1),
        ("tax.md", "file", "docs/tax.md", 1),
        ("Why the tax is rounded", "concept", "docs/tax.md", 1),
    ]
    assert foreign.graph.notes == ["by graphify", "4 names from outside are left out"]
    (edge,) = foreign.graph.edges()
    assert (edge.source, edge.relation, edge.target, edge.resolution) == (
        "Why the tax is rounded",
        "explains",
        "f",
        "graphify:inferred",
    )


def test_unknown_fields_are_kept_and_a_newer_schema_is_said(tmp_path):
    nodes = [node("a", "a()", future={"depth": [1, 2]})]
    path = written(tmp_path, document(nodes, [], graph={"schema_version": 7}, novelty=True))
    before = path.read_bytes()
    assert read_graphify(path).graph.notes[1].startswith("its schema 7 is newer than the one loci knows (1)")
    assert graphify_node(path, "a") == nodes[0]
    assert graphify_node(path, "b") is None
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "it is cut off or no JSON at line 1"),
        (b'{"nodes": [', "it is cut off or no JSON at line 1"),
        (b"\xff\xfe\x00", "it is cut off or no JSON"),
        (b"[1]", "it is no graph: an object with nodes and links is expected"),
        (b"{}", "it is no graph: it has no lists of nodes and links"),
        (b'{"nodes": {}, "links": []}', "it is no graph: it has no lists of nodes and links"),
        (b'{"nodes": [1], "links": []}', "it is no graph of graphify: a node has no id"),
        (b'{"nodes": [], "links": [{"source": 1}]}', "it is no graph of graphify: a link has no ends"),
        (b"[" * 200_000, "it is "),
    ],
)
def test_a_broken_graph_is_one_clear_error(tmp_path, content, detail):
    path = tmp_path / "graph.json"
    path.write_bytes(content)
    with pytest.raises(ForeignUnreadable) as caught:
        read_graphify(path)
    assert str(caught.value).startswith(f"{path} cannot be read: {detail}")
    assert str(caught.value).endswith("`graphify update .` writes it anew")


def test_a_broken_index_is_one_clear_error(tmp_path):
    root = copied("python", tmp_path / "shop")
    path = root / "index.scip"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ForeignUnreadable) as caught:
        read_scip(path, root=root)
    assert str(caught.value) == (f"{path} cannot be read: it ends in the middle of a field; its indexer writes it anew")
    path.unlink()
    with pytest.raises(GraphMissing):
        read_scip(path, root=root)


def test_a_backend_reads_a_file_again_when_it_changed(tmp_path):
    root = with_graphify(tmp_path / "shop", "0.4.24")
    backend, project = Graphify(), Project("shop", root)
    assert "with_tax" in backend.vocabulary(project)
    path = root / "graphify-out" / "graph.json"
    path.write_text(json.dumps(document([node("a", "novel()")], [])), encoding="utf-8")
    assert backend.vocabulary(project) == {"novel"}
    path.unlink()
    assert list(backend.sources(project)) == []


@pytest.fixture
def shop(tmp_path) -> tuple[Path, Graph]:
    """The Python project as a repository, with its built-in graph."""
    root = copied("python", tmp_path / "shop")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    return root, Graph.open(tmp_path / build(root, directory=tmp_path).graph)


def shown(found) -> list[tuple[str, str | None, int | None]]:
    return [(symbol.name, symbol.resolution, symbol.site) for symbol in found]


def test_several_graphs_answer_as_one(shop):
    root, built_in = shop
    scip = read_scip(root / "index.scip", root=root).graph
    graphify = read_graphify(GRAPHIFY / "graph-0.9.96.json", root=root).graph
    both = Combined(built_in, [scip, graphify])
    assert both.backend == "built-in, scip, graphify"
    assert both.notes == ["scip: by scip-python 0.6.6", "graphify: by graphify 0.9.96"]
    # One relation, known to all three, is shown once, as the surest says.
    assert shown(built_in.callers("with_tax")) == [("Cart.total", "import", 20)]
    assert shown(both.callers("with_tax")) == [("Cart.total", "compiler", 20)]
    assert shown(both.callees("checkout")) == [
        ("Cart", "compiler", 24),
        ("Cash", "compiler", 24),
        ("Cart.add", "compiler", 26),
        ("Cart.total", "compiler", 27),
    ]
    assert [symbol.name for symbol in both.path("test_checkout_adds_tax", "with_tax")] == [
        "test_checkout_adds_tax",
        "checkout",
        "Cart.total",
        "with_tax",
    ]
    assert both.vocabulary() == built_in.vocabulary() | scip.vocabulary() | graphify.vocabulary()
    assert len(both.find("Cart")) == 1
    assert both.find("Cart")[0] == built_in.find("Cart")[0]
    asked = partial(both.query, "who calls `with_tax`?", names=["with_tax"], relations=["callers"])
    names = [symbol.name for symbol in asked()]
    assert names[0] == "with_tax"
    assert len(names) == len(set(names))
    assert [symbol.name for symbol in asked(budget=2)] == names[:2]


def test_one_call_is_one_call_whoever_makes_it(shop):
    """An indexer that gives no lines to a function says that its file calls: the reference is the same."""
    root, built_in = shop
    directory = root.parent
    other = Graph.open(directory / _compiled(directory, "tests/test_cart.py", caller="tests/test_cart.py", line=5))
    assert shown(other.callers("checkout")) == [("test_cart.py", "compiler", 5)]
    assert shown(Combined(built_in, [other]).callers("checkout")) == [
        ("cart.py", "exact", 31),
        ("test_checkout_adds_tax", "compiler", 5),
    ]


def test_a_compiler_ends_a_guess(tmp_path):
    """Two classes have a method of one name, and only the compiler knows which one the factory's result has."""
    root = tmp_path / "shop"
    root.mkdir()
    source = (
        "class A:\n    def price(self): ...\n\n\nclass B:\n    def price(self): ...\n\n\n"
        "def pay(thing):\n    return thing.price()\n"
    )
    (root / "shop.py").write_text(source, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    built_in = Graph.open(tmp_path / build(root, directory=tmp_path).graph)
    assert [symbol.resolution for symbol in built_in.callees("pay")] == ["ambiguous", "ambiguous"]
    assert [symbol.resolution for symbol in built_in.callers("A.price")] == ["ambiguous"]
    compiler = Graph.open(tmp_path / _compiled(tmp_path))
    both = Combined(built_in, [compiler])
    assert shown(both.callees("pay")) == [("B.price", "compiler", 10)]
    assert shown(both.callers("B.price")) == [("pay", "compiler", 10)]
    assert shown(both.callers("A.price")) == []


def _compiled(directory: Path, path: str = "shop.py", *, caller: str = "pay", line: int = 10) -> str:
    """A graph with one call, as of an indexer: of `B.price` by `pay`, or of `checkout` by a file."""
    from loci.structure import _kernel

    symbols = [
        ("pay", "pay", "", "function", "shop.py", 9, (9, 10), "", "", ""),
        ("B.price", "price", "B", "method", "shop.py", 6, (6, 6), "", "", ""),
        (path, path.rsplit("/", 1)[-1], "", "file", path, 1, (1, 9), "", "", ""),
        ("checkout", "checkout", "", "function", "shop/cart.py", 23, (23, 27), "", "", ""),
    ]
    edges = [(caller, "B.price" if caller == "pay" else "checkout", "calls", "compiler", line)]
    return _kernel.foreign_graph("scip", "", [], symbols, edges, directory)[1]


def test_texts_of_other_tools_are_redacted(tmp_path):
    secret = "AKIA" + "Z7Q5R3T2V6X4C6B4"
    path = written(tmp_path, document([node("a", f"the key {secret}", file_type="concept")], []))
    (symbol,) = (symbol for symbol in read_graphify(path).graph.all_symbols() if symbol.kind == "concept")
    assert secret not in symbol.name
    assert isinstance(symbol, Symbol)


def test_what_is_no_word_where_one_belongs_is_not_taken_over(tmp_path):
    secret = "AKIA" + "Z7Q5R3T2V6X4C6B4"
    nodes = [node("a", "a()"), node("b", "b()", file_type=secret), node("c", "c", type=secret, node_kind="struct")]
    links = [
        {"source": "a", "target": "c", "relation": "calls", "confidence": secret},
        {"source": "a", "target": "c", "relation": secret, "confidence": "INFERRED"},
    ]
    more = {"graphify_version": secret, "built_at_commit": secret}
    foreign = read_graphify(written(tmp_path, document(nodes, links, **more)), directory=tmp_path)
    kinds = {symbol.name: symbol.kind for symbol in foreign.graph.all_symbols()}
    assert kinds == {"a.py": "file", "a": "function", "b": "symbol", "c": "struct"}
    relations = [(edge.relation, edge.resolution) for edge in foreign.graph.edges()]
    assert relations == [("calls", "graphify:ambiguous"), ("related_to", "graphify:inferred")]
    assert (foreign.commit, foreign.graph.notes) == (None, ["by graphify"])
    assert secret.encode() not in (tmp_path / foreign.file).read_bytes()


def test_half_a_character_in_a_graph_is_no_error(tmp_path):
    nodes = [node("\ud800", "pay\ud800()"), node("b", "b()", path="\ud800.py", place="L9")]
    link = {"source": "b", "target": "\ud800", "relation": "\ud800", "confidence": "\ud800"}
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(document(nodes, [link], graphify_version="\ud800")), encoding="ascii")
    graph = read_graphify(path).graph
    (edge,) = graph.edges()
    assert (edge.source, edge.relation, edge.target, edge.source_path) == ("b", "related_to", "pay?", "?.py")


@pytest.mark.parametrize(("name", "read"), [("index.scip", read_scip), ("graph.json", read_graphify)])
def test_what_is_no_file_of_the_project_is_not_opened(tmp_path, name, read):
    root = tmp_path / "shop"
    root.mkdir()
    path = root / name
    path.mkdir()
    with pytest.raises(ForeignUnreadable, match=r"it is no file$"):
        read(path, root=root)
    path.rmdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)
        with pytest.raises(ForeignUnreadable, match=r"it is no file$"):
            read(path, root=root)
        path.unlink()
    outside = tmp_path / "outside"
    outside.write_bytes(b"{}")
    try:
        path.symlink_to(outside)
    except OSError:
        return
    with pytest.raises(ForeignUnreadable, match=r"it leads out of the project by a link$"):
        read(path, root=root)
