"""What calls what as part of the index: built with it, kept with it, asked through `Memory`."""

from __future__ import annotations

import pytest
from sentences import said

from loci.core import Cure, InvalidRequest, Memory, UnknownScope, notes
from loci.core.answer.snapshot import Snapshot
from loci.router import RoutingIndex, advice

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


CALLERS_OF_TOTAL = [
    ("total", None, None, None),
    ("pay", "calls", "total", "import"),
    ("discount", "calls", "total", "exact"),
]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("who calls total?", CALLERS_OF_TOTAL),
        ("which functions call total() when the cart is paid?", CALLERS_OF_TOTAL),
        ("list the callers of `total`", CALLERS_OF_TOTAL),
        ("where is the function total called?", CALLERS_OF_TOTAL),
        ("where do we call total", CALLERS_OF_TOTAL),
        ("what does pay call?", [("pay", None, None, None), ("total", "called_by", "pay", "import")]),
        ("what is called by pay?", [("pay", None, None, None), ("total", "called_by", "pay", "import")]),
    ],
)
def test_a_question_for_callers_is_answered_as_for_the_name(memory, question, first):
    """The callers stood in the answer as bare names, or not at all."""
    (block,) = memory.ask(question, scope="shop").scopes
    shown = [(s.name, s.relation, s.of, s.resolution) for s in block.symbols]
    count = len(first)
    assert shown[0] == first[0] and sorted(shown[1:count]) == sorted(first[1:])
    # What else the words find comes after, and nothing stands there twice.
    names = [(s.path, s.line, s.name) for s in block.symbols]
    assert not set(names[:count]) & set(names[count:])


def test_callers_keep_to_the_number_of_symbols_and_a_larger_k_shows_more(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    calls = "\n\n".join(f"def caller_{number}():\n    return open_box()\n" for number in range(30))
    memory.add(
        make_repository(tmp_path / "boxes", {"boxes.py": f"def open_box():\n    return 1\n\n\n{calls}"}, "Boxes")
    )
    memory.index()
    (block,) = memory.ask("who calls open_box?", scope="boxes", k=5).scopes
    assert len(block.symbols) == 10 and said(block) == "21 more symbols are left out; a larger k shows more of them"
    (block,) = memory.ask("who calls open_box?", scope="boxes", k=20).scopes
    assert sum(symbol.relation == "calls" for symbol in block.symbols) == 30 and "left out" not in said(block)
    (block,) = memory.symbol("open_box", relation="callers", budget=11).scopes
    assert said(block) == "20 more symbols are left out; a larger budget shows more of them"
    (block,) = memory.symbol("open_box", relation="callers", budget=31).scopes
    assert len(block.symbols) == 31 and said(block) == ""
    (block,) = memory.ask("who calls caller_3?", scope="boxes").scopes
    assert said(block) == "nothing here is known to call caller_3"
    (block,) = memory.ask("where is it called, and who calls nobody?", scope="boxes").scopes
    assert "known to call" not in said(block)


STORES = {
    "stores.py": """class Store:
    def load(self):
        return 1


class Disk(Store):
    def load(self):
        return open_file()


def open_file():
    return 2


def main():
    return Disk().load()
""",
    "test_stores.py": """from stores import Disk


def test_disk():
    assert Disk().load() == 2
""",
}


@pytest.fixture
def stores(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "stores", STORES, "Stores on disk"))
    memory.index()
    return memory


def _related(answer):
    (block,) = answer.scopes
    return [(symbol.name, symbol.relation, symbol.of) for symbol in block.symbols], said(block)


def test_each_relation_of_a_name(stores):
    assert _related(stores.symbol("Store", relation="implementers")) == (
        [("Store", None, None), ("Disk", "inherits", "Store")],
        "",
    )
    assert _related(stores.symbol("Store.load", relation="implementers"))[0][1:] == [
        ("Disk.load", "overrides", "Store.load")
    ]
    # What tests a method tests the class.
    assert _related(stores.symbol("Disk", relation="tests"))[0][1:] == [
        ("test_disk", "tests", "Disk"),
        ("test_disk", "tests", "Disk.load"),
    ]
    assert _related(stores.symbol("Disk", relation="importers"))[0][1:] == [("test_stores.py", "imports", "Disk")]
    assert [name for name, *_ in _related(stores.symbol("open_file", relation="reach"))[0]] == [
        "open_file",
        "Disk.load",
        "main",
        "test_disk",
    ]
    assert [name for name, *_ in _related(stores.symbol("open_file", relation="users"))[0]] == [
        "open_file",
        "Disk.load",
    ]
    assert _related(stores.symbol("main", relation="tests")) == (
        [("main", None, None)],
        "nothing here is known to test main",
    )


def test_what_is_called_through_its_base_says_so(tmp_path, make_repository):
    text = (
        "class Base:\n    def send(self):\n        pass\n\n\nclass Mail(Base):\n    def send(self):\n        pass\n\n\n"
        "class Fax(Base):\n    def send(self):\n        pass\n\n\n"
        "def run(base: Base):\n    base.send()\n\n\ndef fax(fax: Fax):\n    fax.send()\n"
    )
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "mail", {"mail.py": text}, "Mail"))
    memory.index()
    shown, note = _related(memory.symbol("Mail.send", relation="callers"))
    assert shown == [("Mail.send", None, None), ("run", "calls", "Mail.send")]
    assert note == "no caller of Mail.send itself is known; callers of Base.send, which it overrides, may call it"
    (block,) = memory.symbol("Fax.send", relation="callers").scopes
    assert [(symbol.name, symbol.resolution) for symbol in block.symbols[1:]] == [
        ("fax", "exact"),
        ("run", "through Base.send"),
    ]
    assert said(block) == "1 of the callers calls Base.send, which it overrides, and may call another override"
    # Neither of the two is counted as more than the calls that there are.
    shown, _ = _related(memory.symbol("Base.send", relation="callers"))
    assert shown == [("Base.send", None, None), ("run", "calls", "Base.send")]
    shown, _ = _related(memory.symbol("Mail.send", relation="reach", depth=1))
    assert ("run", "calls", "Mail.send") in shown


@pytest.fixture(scope="module")
def places(tmp_path_factory, make_repository):
    files = {
        "src/shop/__init__.py": "from .cart import Cart\n",
        "src/shop/cart.py": "class Cart:\n    def pay(self): ...\n\n\nclass Till:\n    def pay(self): ...\n",
        "src/shop/types.py": "from shop.cart import Cart\n\n\nclass Sum:\n    pass\n",
        "engine/Cargo.toml": '[package]\nname = "engine"\n',
        "engine/src/lib.rs": "pub mod bell;\n",
        "engine/src/bell.rs": "pub fn ring() {}\n",
    }
    root = tmp_path_factory.mktemp("places")
    memory = Memory.open(root / "home")
    memory.add(make_repository(root / "shop", files, "Shop"))
    memory.index()
    return memory


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("src/shop/cart.py", ("cart.py", "src/shop/cart.py")),
        ("shop/cart.py", ("cart.py", "src/shop/cart.py")),
        ("shop.cart", ("cart.py", "src/shop/cart.py")),
        ("shop.types.Sum", ("Sum", "src/shop/types.py")),
        ("Cart.pay", ("Cart.pay", "src/shop/cart.py")),
        ("Cart::pay", ("Cart.pay", "src/shop/cart.py")),
        ("Cart#pay", ("Cart.pay", "src/shop/cart.py")),
        ("shop/cart.py#Cart.pay", ("Cart.pay", "src/shop/cart.py")),
        ("crate::bell::ring", ("ring", "engine/src/bell.rs")),
    ],
)
def test_a_symbol_is_named_as_any_language_does(places, name, first):
    (block,) = places.symbol(name).scopes
    assert (block.symbols[0].name, block.symbols[0].path) == first
    assert block.nothing is None
    # Whoever stands in the project gets it too, and another of that name is not shown.
    assert len({symbol.name for symbol in block.symbols if symbol.relation is None}) == 1


def test_who_imports_a_file_is_shown_unasked(places):
    shown, _ = _related(places.symbol("src/shop/cart.py"))
    assert ("types.py", "imports", "cart.py") in shown


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("src/shop/card.py", "did you mean src/shop/cart.py"),
        ("lib/cart.py", "did you mean src/shop/cart.py"),
        ("shop.types.Summ", "did you mean Sum"),
        ("Kart.pay", "did you mean Cart.pay or Till.pay"),
        ("crate::bell::sing", "did you mean ring"),
    ],
)
def test_a_name_that_is_not_there_offers_what_is_near(places, name, near):
    (block,) = places.symbol(name, scope="shop").scopes
    assert (block.symbols, block.nothing) == ((), "absent")
    assert near in said(block)


def test_a_question_for_a_symbol_in_its_module_is_one_for_the_symbol(places):
    (block,) = places.ask("who uses `shop.cart.Cart`?", scope="shop").scopes
    assert block.asked > 0
    assert block.symbols[0].name == "Cart"


def test_a_plain_name_that_is_asked_for_and_not_there_is_told_so(memory):
    (block,) = memory.ask("who calls zzqqfoo in the cart?", scope="shop").scopes
    assert "this project has no symbol called zzqqfoo" in said(block)


def test_what_uses_a_symbol_is_shown_unasked(stores):
    shown, _ = _related(stores.symbol("Store"))
    assert ("Disk", "inherits", "Store") in shown
    shown, _ = _related(stores.symbol("Store.load"))
    assert ("Disk.load", "overrides", "Store.load") in shown
    assert stores.ask("why are the stores on disk?", scope="stores").scopes[0].asked == 0


def test_the_way_from_one_symbol_to_another(stores):
    way = [("main", None, None), ("Disk.load", "called_by", "main"), ("open_file", "called_by", "Disk.load")]
    assert _related(stores.symbol("main", to="open_file")) == (way, "")
    assert _related(stores.symbol("main", to="open_file", budget=2)) == (
        way[:2],
        "the path from main to open_file has 3 symbols; a larger budget shows all of them",
    )
    shown, note = _related(stores.symbol("open_file", to="main"))
    assert [name for name, *_ in shown] == ["open_file", "main"] and note.startswith(
        "no path from open_file to main is known"
    )
    shown, note = _related(stores.symbol("main", to="open_fil", scope="stores"))
    assert shown == [] and note == "this project has no symbol called open_fil: did you mean open_file?"
    assert stores.symbol("main", to="nowhere").route.advice == (advice.NoSuchSymbol(("main", "nowhere"), ()),)
    with pytest.raises(InvalidRequest):
        stores.symbol("main", to=" ")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("which classes extend Store?", ["Store", "Disk"]),
        ("which tests cover Disk.load?", ["Disk.load", "test_disk"]),
        ("what would a change of open_file reach?", ["open_file", "Disk.load", "main", "test_disk"]),
        ("how does main reach open_file?", ["main", "Disk.load", "open_file"]),
    ],
)
def test_a_question_for_a_relation_begins_with_it(stores, question, first):
    (block,) = stores.ask(question, scope="stores").scopes
    assert [symbol.name for symbol in block.symbols][: len(first)] == first
    assert block.asked == len(first)


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
    assert said(block) == ("" if absent is None else f"this project has no symbol called {absent}")


def test_what_is_too_long_for_a_name_is_not_repeated(memory):
    (block,) = memory.ask("why does open_session use " + "Session." * 5_000 + "close?", scope="shop").scopes
    assert "Session.Session" not in said(block)


def test_a_name_that_is_no_text_is_one_that_nobody_has(memory):
    assert memory.symbol("\udcff\udcfe").route.advice == (advice.NoSuchSymbol(("??",), ()),)
    assert memory.symbol("open_session", to="\udcff").route.advice == (advice.NoSuchSymbol(("open_session", "?"), ()),)


def test_a_name_that_nobody_has_is_no_look_alike(memory):
    """FIELD 26: look-alikes of a symbol that is not there were shown as its definition."""
    answer = memory.symbol("totals")
    assert answer.abstained and answer.scopes == ()
    assert answer.route.advice == (advice.NoSuchSymbol(("totals",), (("total", "desk"), ("total", "shop"))),)
    (block,) = memory.symbol("totals", scope="shop").scopes
    assert block.nothing == "absent" and block.symbols == ()
    assert said(block) == "this project has no symbol called totals: did you mean total?"
    # Nothing looks like this.
    assert memory.symbol("quokka").route.advice == (advice.NoSuchSymbol(("quokka",), ()),)
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
    record = Snapshot(memory.home).indexed["shop"]
    assert record.graph is not None
    path = memory.home.segments / record.graph["file"]
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[: len(data) // 2])
    memory = Memory.open(memory.home.directory)
    (block,) = memory.ask("how is the total of the cart paid?", scope="shop", refresh=0).scopes
    assert (
        block.passages and block.symbols == () and Cure("rebuild_graphs", "shop") in [note.cure for note in block.notes]
    )
    memory.index()  # it is not of the right size and so built again
    assert memory.symbol("discount").scopes


def test_structure_is_left_out_until_it_is_asked_for(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "shop", SHOP))
    memory.index(graphs=False)
    memory.index()
    (block,) = memory.ask("total of the cart", scope="shop", refresh=0).scopes
    assert block.symbols == () and said(block) == ""
    assert memory.symbol("total").notes == (notes.WithoutStructure(("shop",)),)
    (report,) = memory.graphs().scopes
    assert report.outcome == "unchanged" and report.graph is not None and report.graph["symbols"] > 0
    assert memory.symbol("total").scopes
    (tmp_path / "shop" / "more.py").write_text("def more():\n    return 1\n")
    memory.index()
    assert memory.symbol("more").scopes


def test_the_same_files_give_the_same_graph(memory, tmp_path):
    def graphs():
        return {key: record.graph or {} for key, record in Snapshot(memory.home).indexed.items()}

    before = graphs()
    memory.graphs(rebuild=True)
    assert graphs() == before
    memory.index(force=True)
    assert {key: graph["file"] for key, graph in graphs().items()} == {
        key: graph["file"] for key, graph in before.items()
    }


def test_a_name_in_its_own_capitals_comes_before_others(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "alpha", {"a.py": "def client():\n    return 1\n"}, "one"))
    memory.add(make_repository(tmp_path / "omega", {"o.py": "class Client:\n    pass\n"}, "one"))
    memory.index()
    for name, project in (("client", "alpha"), ("Client", "omega")):
        answer = memory.symbol(name)
        assert [block.id for block in answer.scopes] == [project]
        (note,) = answer.notes
        assert isinstance(note, notes.InOtherCapitals)
        # Also for whoever stands where it is written in another way.
        assert [block.id for block in memory.symbol(name, cwd=tmp_path / "alpha").scopes] == [project]
    assert {block.id for block in memory.symbol("CLIENT").scopes} == {"alpha", "omega"}
    assert [block.id for block in memory.symbol("CLIENT", cwd=tmp_path / "omega").scopes] == ["omega"]
    assert [block.id for block in memory.symbol("Client", scope="alpha").scopes] == ["alpha"]


def test_the_file_of_a_site_is_that_of_whoever_refers(memory):
    (block,) = memory.symbol("pay", scope="shop", relation="callees").scopes
    called = next(symbol for symbol in block.symbols if symbol.relation == "called_by")
    assert (called.path, called.site, block.site_path(called)) == ("prices.py", 5, "cart.py")
    (block,) = memory.symbol("total", scope="shop", relation="callers").scopes
    calls = next(symbol for symbol in block.symbols if symbol.name == "pay")
    assert (calls.path, block.site_path(calls)) == ("cart.py", "cart.py")
    assert block.site_path(block.symbols[0]) is None


@pytest.mark.parametrize("question", ["where is total defined, and why is total_of gone?", "was ist mit `total` los?"])
def test_a_name_written_as_code_brings_its_definition_and_its_users_in_any_wording(memory, question):
    (block,) = memory.ask(question.replace("total defined", "total() defined"), scope="shop").scopes
    assert (block.symbols[0].name, block.symbols[0].relation, block.asked) == ("total", None, 1)
    assert {symbol.name for symbol in block.symbols if symbol.of == "total"} == {"pay", "discount"}


def test_what_may_use_a_symbol_is_no_nothing(tmp_path, make_repository):
    """Who uses X was told that nothing does, where who calls X had callers."""
    memory = Memory.open(tmp_path / "home")
    files = {
        "sinks.py": (
            "class Disk:\n    def flush_all(self):\n        return 1\n\n\n"
            "class Net:\n    def flush_all(self):\n        return 2\n"
        ),
        "app.py": "import sinks\n\n\ndef stop(sink):\n    sink.flush_all()\n\n\nprint(sinks)\n",
    }
    memory.add(make_repository(tmp_path / "sinks", files, "Begin"))
    memory.index()
    for relation in ("users", "reach", "callers"):
        (block,) = memory.symbol("Disk.flush_all", relation=relation).scopes
        assert [(s.name, s.relation, s.candidates) for s in block.symbols[1:]] == [("stop", "calls", 2)], relation
    (block,) = memory.ask("who uses Disk.flush_all?").scopes
    assert "nothing is certain to refer to Disk.flush_all; what is shown may refer to another one" in said(block)
    (block,) = memory.symbol("stop", relation="users").scopes
    assert said(block) == "nothing here is known to refer to stop"


def test_a_name_that_is_not_there_may_stand_in_what_was_not_parsed(tmp_path, make_repository):
    """A class that a grammar could not read was denied without a word on it."""
    memory = Memory.open(tmp_path / "home")
    broken = "def lost(:\n" * 3 + "))) def half(\n"
    memory.add(
        make_repository(tmp_path / "odd", {"good.py": "def total():\n    return 1\n", "odd.py": broken}, "Begin")
    )
    memory.index()
    (block,) = memory.symbol("vanished", scope="odd").scopes
    assert said(block) == "this project has no symbol called vanished (1 of its files was only parsed in part)"
    memory.add(make_repository(tmp_path / "even", {"good.py": "def total():\n    return 1\n"}, "Begin"))
    memory.index()
    (block,) = memory.symbol("vanished", scope="even").scopes
    assert said(block) == "this project has no symbol called vanished"


def test_the_mark_at_the_end_of_a_name_of_ruby_is_that_of_the_question(tmp_path, make_repository):
    memory = Memory.open(tmp_path / "home")
    files = {"shop.rb": "class Shop\n  def open_today?\n    true\n  end\n\n  def sell\n    open_today?\n  end\nend\n"}
    memory.add(make_repository(tmp_path / "shop", files, "Begin"))
    memory.index()
    (block,) = memory.ask("who calls open_today?").scopes
    assert [(symbol.name, symbol.relation) for symbol in block.symbols[: block.asked]] == [
        ("Shop.open_today?", None),
        ("Shop.sell", "calls"),
    ]
    assert "no symbol here" not in said(block)


@pytest.fixture
def shelves(tmp_path, make_repository) -> Memory:
    """Three projects: one defines Shelf, two define pack, a test of the third defines a Shelf as well."""
    memory = Memory.open(tmp_path / "home")
    memory.add(
        make_repository(
            tmp_path / "work" / "library",
            {
                "shelf.py": "class Shelf:\n    def fill(self):\n        return 1\n\n\nclass Tall(Shelf):\n    pass\n",
                "move.py": "def pack(books):\n    return list(books)\n\n\ndef carry(books):\n    return pack(books)\n",
            },
            "Where books stand",
        )
    )
    memory.add(
        make_repository(
            tmp_path / "work" / "parcels",
            {
                "send.py": "def pack(things):\n    return tuple(things)\n",
                "post.py": "from send import pack\n\n\ndef send(things):\n    return pack(things)\n",
            },
            "Parcels leave by post",
        )
    )
    memory.add(
        make_repository(
            tmp_path / "work" / "garden",
            {"beds.py": "def water(bed):\n    return bed\n", "test_beds.py": "class Shelf:\n    pass\n"},
            "Beds and water",
        )
    )
    memory.index()
    return memory


@pytest.mark.parametrize(
    ("question", "project"),
    [
        ("which classes extend Shelf?", "library"),
        ("the subclasses of Shelf", "library"),
        ("what breaks if I change Shelf.fill?", "library"),
        ("how does carry reach Shelf.fill?", "library"),
        ("who calls water?", "garden"),
        ("who calls `pack` before a parcel leaves by post?", "parcels"),
    ],
)
def test_a_symbol_that_one_project_defines_routes_the_question_for_its_relations(shelves, question, project):
    assert [scope.id for scope in shelves.route(question).scopes] == [project]


def test_a_symbol_that_several_projects_define_is_asked_back(shelves):
    route = shelves.route("who calls pack?")
    assert route.abstained and {each.id for each in route.candidates} == {"library", "parcels"}
    assert route.advice == (advice.DefinedInSeveral(("pack",), tuple(each.id for each in route.candidates)),)


def test_a_damaged_graph_leaves_routing_to_the_others(shelves, tmp_path):
    record = Snapshot(shelves.home).indexed["library"]
    assert record.graph is not None
    (shelves.home.segments / record.graph["file"]).write_bytes(b"nothing")
    again = Memory.open(tmp_path / "home")
    assert [scope.id for scope in again.route("who calls pack?").scopes] == ["parcels"]


def test_a_router_over_a_part_of_the_index_knows_no_symbols(shelves):
    """Else the symbol of a text that is left out would route the question made from it."""
    parts = Snapshot(shelves.home).router_parts()
    assert parts.router()._symbols is not None
    assert parts.router(RoutingIndex.from_texts({"library": ["books"]}))._symbols is None
