"""What calls what as part of the index: built with it, kept with it, asked through `Memory`."""

from __future__ import annotations

import pytest

from loci.core import InvalidRequest, Memory, UnknownScope

SHOP = {
    "prices.py": "def total(items):\n    return sum(items)\n\n\ndef discount(items):\n    return total(items) - 1\n",
    "cart.py": "from prices import total\n\n\ndef pay(cart):\n    return total(cart)\n",
}
DESK = {"desk.py": "def total(rows):\n    return len(rows)\n"}


@pytest.fixture
def memory(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "work" / "shop", SHOP, "Prices and the cart"))
    memory.add(make_repository(tmp_path / "work" / "desk", DESK, "Count rows"))
    memory.index()
    return memory


def test_a_question_shows_the_symbols_it_speaks_of(memory):
    (block,) = memory.ask("who calls total when the cart is paid?", scope="shop").scopes
    assert {"total", "pay"} <= {symbol.name for symbol in block.symbols}
    assert {symbol.path for symbol in block.symbols} <= set(SHOP)


def test_a_symbol_is_asked_by_its_name(memory):
    answer = memory.symbol("total", scope="shop")
    (block,) = answer.scopes
    assert [(s.name, s.path, s.line) for s in block.symbols if s.relation is None] == [("total", "prices.py", 1)]
    assert {(s.name, s.relation, s.resolution) for s in block.symbols if s.relation == "calls"} == {
        ("pay", "calls", "import"),
        ("discount", "calls", "exact"),
    }
    # The name is two projects': both answer, apart.
    assert [block.id for block in memory.symbol("total").scopes] == ["desk", "shop"]
    assert [block.id for block in memory.symbol("discount").scopes] == ["shop"]


def test_whoever_stands_in_a_project_that_has_the_name_means_that_one(memory, tmp_path):
    assert [block.id for block in memory.symbol("total", cwd=tmp_path / "work" / "shop").scopes] == ["shop"]
    assert [block.id for block in memory.symbol("discount", cwd=tmp_path / "work" / "desk").scopes] == ["shop"]


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("who calls total_items when the cart is paid?", "total_items"),
        ("what does Basket.total do for the cart", "Basket.total"),
        ("is it CartTotal or prices::totalOf that the cart pays?", "CartTotal or prices::totalOf"),
        ("who calls total when the cart is paid?", None),
        ("which line of cart.py pays the cart, as in Node.js or on shop.example.com?", None),
        ("where does the shop of the Cart pay, with total(items)?", None),
    ],
)
def test_a_question_for_a_name_that_is_not_there_is_told_so(memory, question, absent):
    """FIELD 26: what looks like the name was shown without a word that it is not there."""
    (block,) = memory.ask(question, scope="shop").scopes
    assert block.symbols
    assert block.note == ("" if absent is None else f"no symbol here is called {absent}")


def test_a_name_that_nobody_has_is_no_look_alike(memory):
    """FIELD 26: look-alikes of a symbol that is not there were shown as its definition."""
    answer = memory.symbol("totals")
    assert answer.abstained and answer.scopes == () and "totals" in answer.route.advice
    (block,) = memory.symbol("totals", scope="shop").scopes
    assert block.nothing == "absent" and block.symbols == ()
    with pytest.raises(UnknownScope):
        memory.symbol("total", scope="nowhere")
    with pytest.raises(InvalidRequest):
        memory.symbol("  ")


def test_a_removed_function_and_a_deleted_file_disappear(memory, tmp_path):
    """FIELD 40 and 41: what was removed went on being called."""
    work = tmp_path / "work" / "shop"
    (work / "prices.py").write_text("def total(items):\n    return sum(items)\n")
    (work / "cart.py").unlink()
    memory.index()
    assert memory.symbol("discount").scopes == ()
    (block,) = memory.symbol("total", scope="shop").scopes
    assert [(symbol.name, symbol.relation) for symbol in block.symbols] == [("total", None)]


def test_a_damaged_graph_silences_only_itself(memory):
    record = memory._snapshot().indexed["shop"]
    assert record.graph is not None
    path = memory.home.segments / record.graph["file"]
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[: len(data) // 2])
    memory = Memory.open(memory.home.directory)
    (block,) = memory.ask("how is the total of the cart paid?", scope="shop", refresh=0).scopes
    assert block.passages and block.symbols == () and "loci graphs --all shop" in block.note
    memory.index()  # it is not of the right size and so built again
    assert memory.symbol("discount").scopes


def test_structure_is_left_out_until_it_is_asked_for(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "shop", SHOP))
    memory.index(graphs=False)
    memory.index()
    (block,) = memory.ask("total of the cart", scope="shop", refresh=0).scopes
    assert block.symbols == () and block.note == ""
    assert "loci graphs" in memory.symbol("total").notes[0]
    (report,) = memory.graphs().scopes
    assert report.outcome == "unchanged" and report.graph is not None and report.graph["symbols"] > 0
    assert memory.symbol("total").scopes
    (tmp_path / "shop" / "more.py").write_text("def more():\n    return 1\n")
    memory.index()
    assert memory.symbol("more").scopes


def test_the_same_files_give_the_same_graph(memory, tmp_path):
    def graphs():
        return {key: record.graph for key, record in memory._snapshot().indexed.items()}

    before = graphs()
    memory.graphs(rebuild=True)
    assert graphs() == before
    memory.index(force=True)
    assert {key: graph["file"] for key, graph in graphs().items()} == {
        key: graph["file"] for key, graph in before.items()
    }
