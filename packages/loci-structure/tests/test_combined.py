"""Several graphs asked as one, on answers written down by hand."""

from __future__ import annotations

import pytest

from loci.structure import Combined, Edge, Symbol, Traversal


def at(line: int, kind: str = "function", path: str = "a.py", **more: object) -> Symbol:
    return Symbol(f"s{line}", kind, path, line, **more)  # type: ignore[arg-type]


class Answered:
    """Stands in for a graph: answers each question as written down."""

    notes: tuple[str, ...] = ()

    def __init__(
        self, *symbols: Symbol, left_out: int = 0, unresolved: int = 0, backend: str = "answered", edges: tuple = ()
    ) -> None:
        self.answer = Traversal(symbols, left_out, unresolved)
        self.budgets: list[int] = []
        self.backend = backend
        self.edge_counts = {"exact": len(symbols), backend: 1}
        self.relations = list(edges)

    def find(self, name: str, *, budget: int) -> Traversal:
        self.budgets.append(budget)
        return self.answer

    def query(self, question: str, *, budget: int, **_how: object) -> Traversal:
        return self.find(question, budget=budget)

    def users(self, name: str, relations: object, *, budget: int) -> Traversal:
        return self.find(name, budget=budget)

    def callees(self, name: str, *, budget: int) -> Traversal:
        return self.find(name, budget=budget)

    def path(self, start: str, end: str) -> Traversal:
        return self.answer

    def edges(self, path: str | None = None) -> list[Edge]:
        return [edge for edge in self.relations if path in (None, edge.source_path)]


def combined(main: Answered, *others: Answered) -> Combined:
    return Combined(main, others)  # type: ignore[arg-type]


def lines(found: Traversal) -> list[int]:
    return [symbol.line for symbol in found]


@pytest.mark.parametrize(
    ("first", "second", "budget", "shown", "left_out"),
    [
        # Four places of both together; what one of the graphs left out, the other may have shown: the larger counts.
        (1, 5, 4, 4, 5),
        (5, 1, 4, 4, 5),
        (0, 5, 3, 3, 6),
        (5, 0, 3, 3, 6),
        (0, 0, 4, 4, 0),
        (0, 0, 5, 4, 0),
    ],
)
def test_what_either_of_two_graphs_left_out_is_counted(first, second, budget, shown, left_out):
    graphs = (
        Answered(at(1), at(2), left_out=first, unresolved=2),
        Answered(at(2), at(3), at(4), left_out=second, unresolved=9),
    )
    both = combined(*graphs)
    for found in (both.find("s", budget=budget), both.query("s", budget=budget)):
        assert (len(found), found.left_out) == (shown, left_out)
    assert both.find("s", budget=budget).unresolved == 2
    assert len(both.find("s", budget=0)) == len(both.find("s", budget=-1)) == len(both.query("s", budget=-1)) == 0
    # Each is asked for enough to be fused, whatever is shown, and for more where more is.
    both.find("s", budget=81)
    both.query("s", budget=82)
    assert [graph.budgets for graph in graphs] == [[80] * 6 + [81, 82]] * 2


def test_of_two_graphs_what_both_rank_high_comes_first():
    # 1/10 + 1/12, 1/11 + 1/10, 1/12 and 1/11: the second place of one and the first of the other.
    both = combined(Answered(at(1), at(2), at(3)), Answered(at(2), at(4), at(1)))
    assert lines(both.query("s")) == [2, 1, 4, 3]
    # What is worth the same stays in the order of the graphs.
    assert lines(combined(Answered(at(5)), Answered(at(4))).query("s")) == [5, 4]


def test_forty_are_shown_of_a_question_in_words_too():
    found = combined(Answered(*(at(line) for line in range(1, 42)))).query("s")
    assert (len(found), found.left_out) == (40, 1)


def test_a_file_and_what_begins_in_its_first_line_are_two_symbols():
    first = Answered(at(9), at(1, "file"), at(2))
    second = Answered(at(8), at(1), at(2, "class"))
    found = combined(first, second).query("s")
    # Places 1: a file and a function; places 2: what one calls a function and the other a class is one thing.
    assert sorted((symbol.line, symbol.kind) for symbol in found) == [
        (1, "file"),
        (1, "function"),
        (2, "function"),
        (8, "function"),
        (9, "function"),
    ]
    # The best of a list is what was asked for: it is not told apart.
    assert [(s.line, s.kind) for s in combined(Answered(at(1, "file")), Answered(at(1))).query("s")] == [(1, "file")]


def test_production_comes_before_tests_where_several_answer():
    first, second = Answered(at(1, test=True), at(2)), Answered(at(3, test=True), at(4))
    assert lines(combined(first, second).find("s")) == [2, 4, 1, 3]
    assert lines(combined(first).find("s")) == [1, 2]  # one graph has its own order


def test_relations_are_counted_over_all_and_named():
    both = combined(Answered(at(1)), Answered(at(2), at(3), backend="scip"))
    assert both.edge_counts == {"exact": 3, "answered": 1, "scip": 1}
    assert both.backend == "answered, scip"


@pytest.mark.parametrize(
    ("known", "other", "resolution"),
    [
        ("exact", "compiler", "compiler"),
        ("compiler", "exact", "compiler"),
        ("unique-name", "graphify:extracted", "graphify:extracted"),
        ("ambiguous", "graphify:inferred", "graphify:inferred"),
        ("ambiguous", "through Base.go", "ambiguous"),  # of two that nobody ranks the first stays
        (None, "compiler", None),
        ("ambiguous", None, "ambiguous"),
    ],
)
def test_the_surer_of_two_says_how_a_relation_was_resolved(known, other, resolution):
    first = at(1, relation="calls", site=3, of="f", resolution=known, candidates=4)
    second = at(1, relation="calls", site=3, of="f", resolution=other, candidates=1)
    for ask in ("query", "callers"):
        (found,) = getattr(combined(Answered(first), Answered(second)), ask)("f")
        assert (found.resolution, found.candidates) == (resolution, 4 if resolution == known else 1)


def test_candidates_of_a_line_fall_away_where_a_compiler_says_what_its_call_means():
    guess = at(1, relation="calls", site=3, of="f", resolution="ambiguous", candidates=2)
    elsewhere = at(7, relation="calls", site=8, of="f", resolution="ambiguous", candidates=2)
    sure = at(9, relation="calls", site=3, of="g.f", resolution="exact", path="c.py")

    def shown(relation: str = "calls", line: int = 3, target: str = "Base.f", backend: str = "scip") -> list[int]:
        edge = Edge("g", "a.py", 1, relation, line, "compiler", target, "b.py", 1, 1)
        other = Answered(backend=backend, edges=(edge,))
        return lines(combined(Answered(guess, elsewhere, sure), other).callers("f"))

    assert shown() == [7, 9]
    assert shown(target="f") == shown(target="m#f()") == shown(target="m::f") == [7, 9]
    assert shown(relation="uses") == shown(line=4) == shown(target="g") == shown(backend="graphify") == [1, 7, 9]


def test_callees_that_a_compiler_knows_leave_no_candidates():
    guess = at(1, relation="called_by", site=3, resolution="ambiguous")
    same = Symbol("Other.s1", "function", "b.py", 5, relation="called_by", site=3, resolution="compiler")
    assert lines(combined(Answered(guess), Answered(same)).callees("g")) == [5]
    for other in (
        Symbol("Other.s2", "function", "b.py", 5, relation="called_by", site=3, resolution="compiler"),
        Symbol("Other.s1", "function", "b.py", 5, relation="called_by", site=4, resolution="compiler"),
        Symbol("Other.s1", "function", "b.py", 5, relation="called_by", site=3, resolution="exact"),
    ):
        assert lines(combined(Answered(guess), Answered(other)).callees("g")) == [1, 5]


def test_the_shortest_chain_is_shown_and_the_first_among_equals():
    long, short, none = Answered(at(1), at(2), at(3)), Answered(at(4), at(5)), Answered()
    assert lines(combined(long, none, short).path("a", "b")) == [4, 5]
    assert lines(combined(short, Answered(at(6), at(7))).path("a", "b")) == [4, 5]
    assert lines(combined(none, none).path("a", "b")) == []
