"""Graphs of small repositories: what is built, what is answered, and what a backend over them keeps to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from loci import structure
from loci.structure import BuiltIn, Combined, Graph, Near, Project, build
from loci.structure.conformance import BackendConformance

FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": 'def total(items):\n    """The sum of what the items cost."""\n    return sum(items)\n',
    "shop/cart.py": (
        "from shop.prices import total\n\n\nclass Cart:\n    def pay(self):\n        return total(self.items)\n\n\n"
        "def checkout():\n    return Cart().pay()\n"
    ),
    "tests/test_prices.py": "from shop.prices import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
}


def repository(root: Path) -> Path:
    """Makes the repository below `root`."""
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def graph(tmp_path) -> Graph:
    """The graph of the small shop."""
    root = repository(tmp_path / "shop")
    return Graph.open(tmp_path / build(root, directory=tmp_path).graph)


class TestBuiltIn(BackendConformance):
    def backend(self, tmp_path):
        root = repository(tmp_path / "shop")
        report = build(root, directory=tmp_path)
        return BuiltIn({"shop": tmp_path / report.graph}), Project("shop", root), "total"


def test_a_report_counts_what_was_read(tmp_path):
    root = repository(tmp_path / "shop")
    report = build(root, directory=tmp_path)
    assert report.outcomes == {"parsed": 4}
    assert (report.files, report.reused_files) == (4, 0)
    assert report.bytes == (tmp_path / report.graph).stat().st_size
    assert report.to_json()["unreadable"] == []
    again = build(root, directory=tmp_path, previous=tmp_path / report.graph, threads=1)
    assert (again.graph, again.reused_files) == (report.graph, 4)


def test_progress_names_the_stages(tmp_path):
    seen = []
    build(repository(tmp_path / "shop"), directory=tmp_path, progress=lambda *event: seen.append(event))
    assert {stage for stage, _, _ in seen} == {"files", "resolve", "writing"}
    assert ("files", 4, 4) in seen


def test_callers_say_where_and_how(graph):
    callers = graph.callers("total")
    assert [(symbol.name, symbol.path, symbol.site, symbol.relation, symbol.of) for symbol in callers] == [
        ("Cart.pay", "shop/cart.py", 6, "calls", "total"),
        ("test_total", "tests/test_prices.py", 5, "calls", "total"),
    ]
    assert [(symbol.resolution, symbol.role, symbol.test) for symbol in callers] == [
        ("import", "source", False),
        ("import", "test", True),
    ]
    assert (callers.left_out, callers.unresolved) == (0, 0)
    assert graph.callers("total", budget=1).left_out == 1


def test_direct_questions(graph):
    assert [symbol.name for symbol in graph.callees("checkout")] == ["Cart", "Cart.pay"]
    assert [symbol.name for symbol in graph.path("checkout", "total")] == ["checkout", "Cart.pay", "total"]
    assert [symbol.name for symbol in graph.reach("total", depth=2)] == ["Cart.pay", "test_total", "checkout"]
    (found,) = graph.find("total")
    assert (found.line, found.lines, found.documentation) == (1, (1, 3), "The sum of what the items cost.")
    assert found.signature.startswith("def total(items)")
    assert not graph.find("nothing_of_that_name")


def test_users_by_relation(graph):
    assert [(user.name, user.relation) for user in graph.users("total", ["calls", "tests"])] == [
        ("Cart.pay", "calls"),
        ("test_total", "calls"),
        ("test_total", "tests"),
    ]
    assert [user.path for user in graph.users("total", ["imports"])] == ["shop/cart.py", "tests/test_prices.py"]
    assert graph.users("total", ["calls"]) == graph.callers("total")
    assert not graph.users("nothing")
    with pytest.raises(ValueError, match="no relation 'eats'"):
        graph.users("total", ["eats"])


def test_vocabulary_by_role(graph):
    assert graph.vocabulary("test") == {"test_total"}
    assert {"total", "Cart", "pay", "checkout"} <= graph.vocabulary("source")
    with pytest.raises(ValueError, match="no role 'atic'"):
        graph.vocabulary("atic")


def test_labels_say_what_a_person_would_search_by(graph):
    labels = dict(graph.labels())
    assert sorted(labels.values()) == [
        "cart\nclass",
        "cart pay\nmethod",
        "checkout\nfunction",
        "total\nfunction\nThe sum of what the items cost.",
    ]
    assert [text for _, text in graph.labels(kinds=("class",))] == ["cart\nclass"]
    assert graph.labels(roles=("docs",)) == []
    with pytest.raises(ValueError, match="no role 'kitchen'"):
        graph.labels(roles=("kitchen",))


@pytest.mark.parametrize("several", [False, True])
def test_what_is_near_is_a_way_to_a_symbol(graph, several):
    asked = Combined(graph, [graph]) if several else graph
    total = next(number for number, text in asked.labels() if text.startswith("total"))
    assert list(asked.query("zzqxv")) == []
    assert asked.query("zzqxv", near=[Near(total, 0.4)])[0].name == "total"
    words = asked.query("who pays for the cart")
    assert words
    assert asked.query("who pays for the cart", near=[Near(total, -1.0)]) == words
    assert asked.query("who pays for the cart", near=[Near(2**31, 1.0)]) == words


def test_edges_are_one_per_place(graph):
    calls = [edge for edge in graph.edges("shop/cart.py") if edge.relation == "calls"]
    assert [(edge.source, edge.line, edge.target, edge.target_path, edge.target_line) for edge in calls] == [
        ("Cart.pay", 6, "total", "shop/prices.py", 1),
        ("checkout", 10, "Cart", "shop/cart.py", 4),
        ("checkout", 10, "Cart.pay", "shop/cart.py", 5),
    ]
    assert graph.edges("nowhere.py") == []


def test_errors_are_of_this_package(tmp_path):
    with pytest.raises(structure.NotARepository):
        build(tmp_path, directory=tmp_path)
    with pytest.raises(structure.GraphMissing):
        Graph.open(tmp_path / "nothing")
    (tmp_path / "torn").write_bytes(b"\0" * 20)
    with pytest.raises(structure.GraphDamaged):
        Graph.open(tmp_path / "torn")
    report = build(repository(tmp_path / "shop"), directory=tmp_path)
    with pytest.raises(structure.GraphOutdated):
        Graph.open(tmp_path / report.graph, signature="another")
    assert Graph.open(tmp_path / report.graph, signature=structure.rules_signature())
    with pytest.raises(ValueError, match="no policy entry 'colour'"):
        build(tmp_path / "shop", directory=tmp_path, policy={"colour": 1})
    for error in (structure.GraphMissing, structure.GraphDamaged, structure.NotARepository):
        assert issubclass(error, structure.StructureError)


@pytest.fixture(scope="module")
def crowded(tmp_path_factory) -> Graph:
    """A file with 42 classes of one method's name, 42 callers of one function, which calls 42 others, and a chain."""
    place = tmp_path_factory.mktemp("crowded")
    lines = [f"class C{n}:\n    def go(self):\n        return hub()\n" for n in range(42)]
    lines += [f"def leaf{n}():\n    return {n}\n" for n in range(42)]
    lines += ["def hub():\n    return " + " + ".join(f"leaf{n}()" for n in range(42)) + "\n"]
    lines += ["def s0():\n    return 1\n", *(f"def s{n}():\n    return s{n - 1}()\n" for n in range(1, 6))]
    subprocess.run(["git", "init", "--quiet", str(place / "crowd")], check=True)
    (place / "crowd" / "crowd.py").write_text("\n\n".join(lines), encoding="utf-8")
    return Graph.open(place / build(place / "crowd", directory=place).graph)


@pytest.mark.parametrize("several", [False, True])
def test_forty_symbols_and_three_steps_unless_told_otherwise(crowded, several):
    asked = Combined(crowded, [crowded]) if several else crowded
    for ask in (asked.find, asked.callers, asked.users, asked.callees, asked.reach):
        name = "go" if ask == asked.find else "hub"
        found = ask(name)
        assert (len(found), found.left_out) == (40, 2), ask
        assert (len(ask(name, budget=41)), ask(name, budget=41).left_out) == (41, 1), ask
        assert (len(ask(name, budget=0)), len(ask(name, budget=-1))) == (0, 0), ask
    assert [symbol.name for symbol in asked.reach("s0")] == ["s1", "s2", "s3"]
    assert [symbol.name for symbol in asked.reach("s0", depth=1)] == ["s1"]
    assert list(asked.reach("s0", depth=-1)) == list(asked.reach("s0", depth=0)) == []


def test_the_first_of_several_unknown_relations_is_named(crowded):
    with pytest.raises(ValueError, match="no relation 'feeds'; there are"):
        crowded.users("hub", ["hunts", "calls", "feeds"])
