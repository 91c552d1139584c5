"""A run over a corpus small enough to check every record and figure by hand."""

import json
import sys
from pathlib import Path

import pytest

from loci.eval import Evidence, Found, Question, Routed, Source, measure, render, summarise

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FOLDERS = {"billing": Path("corpus/billing"), "search": Path("corpus/search"), "mail": Path("corpus/mail")}

BEHAVIOR = Question(
    "b1", "behavior", "why is the cookie dropped", ("billing",), (Evidence("billing", "path", "cookie.py"),)
)
HISTORY = Question("h1", "history", "why did the ranker change", ("search",), (Evidence("search", "commit", COMMIT),))
SHARED = Question(
    "s1",
    "shared",
    "retry policy",
    ("billing", "mail"),
    (Evidence("billing", "path", "retry.py"), Evidence("mail", "path", "retry.py")),
)
DEICTIC = Question("d1", "deictic", "how is this deployed", cwd_ok=True)
INVENTED = Question("u1", "unanswerable", "which key signs quantum invoices", kind="invented feature")
OFF_TOPIC = Question("u2", "unanswerable", "how do I remove red wine", kind="not software")
QUESTIONS = [BEHAVIOR, HISTORY, SHARED, DEICTIC, INVENTED, OFF_TOPIC]


class Scripted:
    """A system with its answers written down: {id: (selected, candidates, confidence)}, {(id, scope): sources}."""

    def __init__(self, name, routes, finds=None, retrieves=True):
        self.name = name
        self.retrieves = retrieves
        self._ids = {question.question: question.id for question in QUESTIONS}
        self._routes = routes
        self._finds = finds or {}
        self.asked = []

    def route(self, question, cwd=None):
        self.asked.append((self._ids[question], None if cwd is None else cwd.name))
        if cwd is not None and cwd.name == "mail" and self._ids[question] in ("b1", "h1"):
            return Routed(("mail",), ("mail", "billing"), 0.5)  # led astray by the directory
        if cwd is not None:
            return Routed((cwd.name,), (cwd.name,), 1.0)
        selected, candidates, confidence = self._routes[self._ids[question]]
        return Routed(selected, selected + candidates, confidence, None if selected else "no_evidence")

    def ranking(self, question):
        return ("mail", "search", "billing")

    def retrieve(self, question, scope=None):
        assert self.retrieves
        return Found(tuple(self._finds.get((self._ids[question], scope), ())))


def path(scope, name):
    return Source(scope, "path", name)


@pytest.fixture
def loci():
    return Scripted(
        "loci",
        {
            "b1": (("billing",), ("search",), 0.9),
            "h1": ((), ("search", "billing"), 0.3),
            "s1": (("mail", "search"), (), 0.6),
            "d1": ((), ("mail",), 0.1),
            "u1": (("billing",), (), 0.4),
            "u2": (("mail",), (), 0.2),
        },
        {
            ("b1", "billing"): [
                path("billing", "a.py"),
                path("billing", "a.py"),
                Source("billing", "commit", COMMIT),
                path("billing", "cookie.py"),
            ],
            # The same path in another scope is no evidence.
            ("b1", None): [path("search", "cookie.py"), path("billing", "cookie.py")],
            ("h1", "search"): [path("search", "a.py"), Source("search", "commit", COMMIT)],
            ("s1", "billing"): [path("billing", "retry.py")],
            ("s1", "mail"): [path("mail", "other.py")],
            ("s1", None): [path("mail", "other.py")],
            ("u2", None): [path("mail", "wine.md")],
        },
    )


@pytest.fixture
def merged():
    return Scripted("merged", {q.id: (("billing",), ("search", "mail"), 1.0) for q in QUESTIONS}, retrieves=False)


@pytest.fixture
def records(loci, merged):
    return measure(QUESTIONS, [loci, merged], FOLDERS, count_words=lambda text: len(text.split()))


def by_id(records):
    return {record.question.id: record for record in records}


def test_every_question_is_asked_of_every_system(records):
    assert [record.question.id for record in records] == [question.id for question in QUESTIONS]
    assert all(set(record.routed) == {"loci", "merged"} for record in records)


def test_the_ranking_goes_on_by_evidence_behind_what_the_route_named(records):
    routed = by_id(records)
    assert routed["b1"].routed["loci"].ranked == ("billing", "search", "mail")
    assert routed["d1"].routed["loci"].ranked == ("mail", "search", "billing")
    assert routed["s1"].routed["loci"].ranked == ("mail", "search", "billing")


def test_ranks_with_the_scope_given(records):
    given = by_id(records)["b1"].given["loci"]
    # a.py, the commit, cookie.py: third in the list once a.py counts once, second file.
    assert [(r.scope, r.listed, r.lanes) for r in given] == [("billing", 3, 2)]
    history = by_id(records)["h1"].given["loci"]
    assert [(r.listed, r.lanes) for r in history] == [(2, 1)]


def test_a_question_on_two_scopes_is_retrieved_in_both(records):
    given = by_id(records)["s1"].given["loci"]
    assert [(r.scope, r.listed) for r in given] == [("billing", 1), ("mail", None)]


def test_end_to_end_evidence_must_stand_in_its_scope(records):
    assert by_id(records)["b1"].end_to_end["loci"].listed == 2


def test_a_system_that_only_routes_is_never_asked_for_passages(records):
    assert all("merged" not in record.end_to_end and "merged" not in record.given for record in records)


def test_places(records, loci):
    record = by_id(records)["b1"]
    assert record.right_place.cwd == "billing"
    assert record.wrong_place.cwd in ("search", "mail")
    assert by_id(records)["s1"].right_place is None
    assert by_id(records)["d1"].here.cwd in FOLDERS
    assert by_id(records)["u1"].here is None
    assert ("b1", "billing") in loci.asked


def test_places_depend_on_the_seed_and_the_question_alone(loci, merged):
    def places(questions, seed):
        records = measure(questions, [loci, merged], FOLDERS, count_words=len, seed=seed)
        return {r.question.id: r.wrong_place.cwd for r in records if r.wrong_place is not None}

    everything = places(QUESTIONS, 1)
    assert places([HISTORY], 1) == {"h1": everything["h1"]}
    assert len({json.dumps(places(QUESTIONS, seed)) for seed in range(12)}) > 1


def test_progress_reaches_the_end(loci):
    seen = []
    measure(QUESTIONS, [loci], FOLDERS, count_words=len, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 6) for done in range(7)]


# Figures


@pytest.fixture
def summary(records):
    return summarise(records, seed=0)


def test_routing_figures(summary):
    base = summary["systems"]["loci"]["routing"]["base"]
    # b1 right; h1 abstains with the right candidate first.
    assert base["n"] == 2
    assert base["first"]["share"] == 0.5
    assert base["best_ranked"]["share"] == 1.0
    assert base["answered"]["share"] == 0.5
    assert base["right_if_answered"] == {"successes": 1, "n": 1, "share": 1.0, "low": 0.2065, "high": 1.0}
    shared = summary["systems"]["loci"]["routing"]["shared"]
    assert shared["first"]["share"] == 1.0


def test_the_mix_counts_an_answer_to_the_unanswerable_as_wrong(summary):
    mix = summary["systems"]["loci"]["mix"]
    # answered: b1 and s1 right, u1 and u2 wrong.
    assert (mix["answered"]["successes"], mix["answered"]["n"]) == (4, 6)
    assert mix["right_if_answered"]["share"] == 0.5


def test_set_figures(summary):
    row = summary["systems"]["loci"]["sets"]["shared"]
    assert (row["recall"], row["precision_if_answered"]) == (0.5, 0.5)
    assert row["all_selected"]["successes"] == 0


def test_abstention_counts_invented_features_both_ways_and_aside(summary):
    row = summary["systems"]["loci"]["abstention"]["families"]["unanswerable"]
    # u1 was routed but found nothing; u2 was routed and found something.
    assert row["abstains"]["successes"] == 0
    assert row["invented_may_find_nothing"]["successes"] == 1
    assert (row["without_invented"]["n"], row["without_invented"]["abstains"]["successes"]) == (1, 0)
    assert row["invented"]["abstains_or_finds_nothing"]["share"] == 1.0
    assert summary["systems"]["loci"]["abstention"]["families"]["deictic"]["abstains"]["share"] == 1.0
    assert summary["systems"]["loci"]["abstention"]["families"]["deictic"]["reasons"] == {"no_evidence": 1}


def test_a_system_that_only_routes_never_finds_nothing(summary):
    row = summary["systems"]["merged"]["abstention"]["families"]["unanswerable"]
    assert row["invented_may_find_nothing"]["successes"] == 0


def test_wrong_abstentions(summary):
    wrongly = summary["systems"]["loci"]["abstention"]["wrongly"]
    assert (wrongly["base"]["abstains"]["successes"], wrongly["base"]["n"]) == (1, 2)
    assert wrongly["special"]["n"] == 1


def test_matched_abstention(summary):
    rows = {(row["answerable"], row["refused"]): row for row in summary["systems"]["loci"]["matched"]}
    # base: 5 words (.9) and 5 words (.3). unanswerable: 5 words (.4) and 6 words (.2).
    row = rows["base", "unanswerable"]
    assert row["auroc"] == 0.75
    assert row["auroc_words"] == 0.25
    # One of the two base questions against u1 alone: .9 wins, .3 loses.
    assert row["matched"] == {"n": 1, "auroc": 0.5, "auroc_words": 0.5, "answered": 0.5, "abstained": 0.0}
    # base and deictic share no length, so there is no figure.
    assert rows["base", "deictic"]["matched"]["auroc"] is None
    assert ("base", "unanswerable: invented") in rows
    assert "AUROC needs" not in render(summary)


def test_without_scikit_learn_auroc_alone_is_missing(records, summary, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    lacking = summarise(records, seed=0)
    row = lacking["systems"]["loci"]["matched"][0]
    assert (row["auroc"], row["auroc_words"], row["matched"]["auroc"]) == (None, None, None)
    assert "\nAUROC needs scikit-learn: pip install 'loci-mem[eval]'\n" in render(lacking)
    for run in (lacking, summary):
        for row in run["systems"]["loci"]["matched"] + run["systems"]["merged"]["matched"]:
            for figures in (row, row["matched"]):
                del figures["auroc"], figures["auroc_words"]
    assert lacking == summary


def test_risk_coverage(summary):
    curve = summary["systems"]["loci"]["risk_coverage"]["mix"]
    # By confidence: b1 right, s1 right, u1 wrong, h1 right by its candidate, u2 and d1 wrong.
    assert [(p["coverage"], p["answered"], p["accuracy"]) for p in curve] == [
        (0.5, 3, 0.6667),
        (0.6, 4, 0.75),
        (0.7, 4, 0.75),
        (0.8, 5, 0.6),
        (0.9, 5, 0.6),
        (1.0, 6, 0.5),
    ]


def test_retrieval_figures(summary):
    given = summary["systems"]["loci"]["retrieval"]["scope_given"]
    assert [given["base"]["list"][k]["successes"] for k in ("@1", "@3", "@10")] == [0, 2, 2]
    assert [given["base"]["two_lanes"][k]["successes"] for k in ("@1", "@3", "@10")] == [1, 2, 2]
    assert (given["shared"]["n"], given["shared"]["list"]["@1"]["successes"]) == (2, 1)
    end = summary["systems"]["loci"]["retrieval"]["end_to_end"]
    assert (end["base"]["n"], end["base"]["list"]["@3"]["successes"]) == (2, 1)
    assert "retrieval" not in summary["systems"]["merged"]


def test_timings_of_answers_leave_out_abstentions(records):
    for number, record in enumerate(records):
        record.route_seconds, record.ask_seconds = 0.001, 0.01 * (number + 1)
    timings = summarise(records)["timings"]
    assert timings["route_in_process"] == {"n": 6, "median_ms": 1.0, "p95_ms": 1.0, "max_ms": 1.0}
    assert (timings["ask_in_process"]["n"], timings["ask_in_process"]["median_ms"]) == (6, 35.0)
    # b1, s1, u1 and u2 answered: 10, 30, 50 and 60 ms.
    assert timings["ask_in_process_when_answered"]["n"] == 4
    assert timings["ask_in_process_when_answered"]["median_ms"] == 40.0
    assert timings["ask_in_process_when_answered"]["max_ms"] == 60.0


def test_place_figures(summary, records):
    places = summary["places"]
    assert places["right_place"]["first"]["share"] == 1.0
    assert places["wrong_place"]["n"] == 2
    assert places["wrong_place"]["selected"]["successes"] == 0
    assert places["deictic_with_directory"]["only"]["share"] == 1.0


def test_excluding_a_scope_leaves_out_its_questions(records):
    system = summarise(records, exclude_scopes=["search"])["systems"]["loci"]
    assert system["routing"]["base"]["n"] == 2
    assert system["routing"]["base without"]["n"] == 1
    assert system["retrieval"]["scope_given"]["base without"]["n"] == 1
    assert "base without search" in render(summarise(records, exclude_scopes=["search"]))


def test_the_summary_is_json_and_the_same_twice(records):
    def text(summary):
        summary["timings"] = None
        return json.dumps(summary, sort_keys=True)

    assert text(summarise(records)) == text(summarise(records))


def test_outcomes_say_what_each_question_gave(summary):
    outcome = summary["outcomes"][0]
    assert outcome["id"] == "b1"
    assert outcome["loci"]["selected"] == ["billing"]
    assert outcome["loci"]["given"] == [{"scope": "billing", "list": 3, "two_lanes": 2}]
    assert outcome["right_place"]["cwd"] == "billing"


def test_the_table_shows_the_figures(summary):
    text = render(summary)
    lines = {line.split("  ")[0].strip(): line for line in text.splitlines()}
    cells = lines["base / unanswerable"].removeprefix("base / unanswerable").split()
    assert cells == [
        *("2/2", "0.750", "0.250", "50.0", "0.0"),
        *("|", "1", "0.500", "0.500", "50.0", "0.0"),
        *("|", "0.500"),  # the other system is equally sure of everything
    ]
    assert "\n  invented features alone: or finds nothing  " in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_a_run_of_one_family_still_renders(loci):
    for question in QUESTIONS:
        records = measure([question], [loci], FOLDERS, count_words=len)
        text = render(summarise(records))
        assert text.startswith("1 question, ")


def test_a_gate_is_measured_on_both_sides(loci):
    """Kept from the scope that cannot answer, and lost at the one that can."""

    def retrieve_gated(question, scope):
        # The gate shuts every scope but search.
        return loci.retrieve(question, scope) if scope == "search" else Found(())

    loci.retrieve_gated = retrieve_gated
    records = measure(QUESTIONS, [loci], FOLDERS, count_words=len)
    gated = {record.question.id: record.gated for record in records}
    assert {key for key, value in gated.items() if value is not None} == {"b1", "h1"}
    assert (first := gated["b1"]) is not None
    assert first.elsewhere != "billing"
    assert first.elsewhere_silent
    gate = summarise(records)["gate"]
    assert gate["n"] == 2
    assert (gate["right_ungated"]["share"], gate["right_gated"]["share"], gate["lost"]["share"]) == (1.0, 0.5, 0.5)
    assert "gate, base" in render(summarise(records))


def test_a_system_without_a_gate_has_no_row_for_it(summary):
    assert summary["gate"]["n"] == 0
    assert "gate, base" not in render(summary)


def test_evidence_that_is_named_beside_what_is_shown_is_found_there(loci):
    copy = path("billing", "copy.py")

    def retrieve(question, scope=None):
        return Found((path("billing", "a.py"), copy), {path("billing", "cookie.py"): copy})

    loci.retrieve = retrieve
    (record,) = measure([BEHAVIOR], [loci], FOLDERS, count_words=len)
    assert [(r.listed, r.lanes) for r in record.given["loci"]] == [(2, 2)]
