"""Comparing two runs: the test by hand, what counts as the same question, and what the command says."""

import json

import pytest
from click.testing import CliRunner

from loci.eval import Changed, RunsError, compare, load_run, render_comparison, to_json
from loci.eval._command import command


def entry(selected=(), ranked=None, **more):
    return {
        "selected": list(selected),
        "ranked": list(ranked if ranked is not None else selected),
        "reason": None,
        **more,
    }


def outcome(identity, answer, *, family="behavior", scopes=("billing",), question="why?", kind="", **systems):
    return {
        "id": identity,
        "family": family,
        "kind": kind,
        "question": question,
        "scopes": list(scopes),
        "loci": answer,
        **systems,
    }


def run(*outcomes, systems=("loci",), corpus=None):
    return {"systems": {name: {} for name in systems}, "outcomes": list(outcomes), "corpus": corpus}


# The test


# A comparison


FIRST = run(
    outcome("a", entry(["billing"], given=[{"scope": "billing", "list": 1, "two_lanes": 1}])),
    outcome("b", entry(["search"], ["search", "billing"], given=[{"scope": "billing", "list": 7, "two_lanes": 1}])),
    outcome("c", entry([], ["billing"], reason="no_evidence")),
    outcome("u", entry(["mail"]), family="unanswerable", scopes=()),
    outcome("i", entry(["mail"], found_nothing=True), family="unanswerable", scopes=(), kind="invented feature"),
    outcome("s", entry(["billing"]), family="shared", scopes=("billing", "mail")),
)
SECOND = run(
    outcome("a", entry(["search"], given=[{"scope": "billing", "list": 2, "two_lanes": 1}])),
    outcome("b", entry(["billing"], given=[{"scope": "billing", "list": 3, "two_lanes": 1}])),
    outcome("c", entry(["billing"])),
    outcome("u", entry([]), family="unanswerable", scopes=()),
    outcome("i", entry(["mail"], found_nothing=True), family="unanswerable", scopes=(), kind="invented feature"),
    outcome("s", entry(["mail", "billing"]), family="shared", scopes=("billing", "mail")),
)


def counts(row):
    """How many questions, and how many right in one run alone."""
    return [row.n, row.first_only, row.second_only]


def test_each_measure_counts_what_changed():
    measures = compare(FIRST, SECOND).measures
    overall = {name: measure.overall for name, measure in measures.items()}
    # right before: a, i, s; after: b, c, u, i, s.
    assert (overall["right"].n, overall["right"].first_only, overall["right"].second_only) == (6, 1, 3)
    assert (overall["right"].first, overall["right"].second) == (3 / 6, 5 / 6)
    assert overall["right"].difference == 2 / 6
    assert overall["right"].p == 0.625  # 2 (1 + 4) / 16
    # An abstention counts by its ranking: a, c, s before; b, c, s after. Unanswerable ones have no right project.
    assert counts(overall["best_ranked"]) == [4, 1, 1]
    assert counts(overall["all_selected"]) == [1, 0, 1]
    assert counts(overall["given@1"]) == [2, 1, 0]
    assert counts(overall["given@3"]) == [2, 0, 1]
    assert "end_to_end@1" not in overall  # none of the runs says
    families = measures["right"].families
    assert list(families) == ["behavior", "unanswerable", "shared"]
    assert counts(families["behavior"]) == [3, 1, 2]
    assert (families["behavior"].p, families["behavior"].p_holm) == (1.0, 1.0)


def test_the_changed_questions_are_listed_with_where_they_went():
    changed = compare(FIRST, SECOND).changed
    assert [(each.id, each.now) for each in changed] == [
        ("a", "wrong"),
        ("b", "right"),
        ("c", "right"),
        ("u", "right"),
    ]
    assert changed[2] == Changed(
        "c", "behavior", "why?", ["billing"], "right", [], ["billing"], first_reason="no_evidence", second_reason=None
    )


def several(right, wrong, turned=False):
    """`right` questions answered, then `wrong` ones; `turned`: the other way round."""
    return run(
        *(
            outcome(f"q{number}", entry(["billing"] if (number < right) != turned else ["mail"]), scopes=("billing",))
            for number in range(right + wrong)
        )
    )


def test_the_verdict():
    assert compare(several(5, 0), several(5, 0)).verdict == "No question changed between right and wrong."
    little = compare(several(10, 5), several(15, 0)).verdict
    assert little.startswith("No more than chance: 5 better, 0 worse, of 15 questions (p = 0.062)")
    assert "Fewer than 6 changed questions can never be" in little
    assert compare(several(10, 6), several(16, 0)).verdict.startswith("The second is better, more than by chance")
    assert compare(several(16, 0), several(10, 6)).verdict.startswith("The second is worse, more than by chance")
    torn = compare(several(8, 8), several(8, 8, turned=True)).verdict
    assert torn.startswith("No more than chance: 8 better, 8 worse, of 16 questions (p = 1.000)")
    assert "Fewer" not in torn


def test_the_interval_draws_whole_projects():
    """All of the gain on one of two projects: drawn by project the gain may be nothing; by question it never is."""
    gain = [
        outcome(f"q{number}", entry(["a" if number < 20 else "z"]), scopes=("a" if number < 20 else "b",))
        for number in range(40)
    ]
    before = run(*(outcome(each["id"], entry(["z"]), scopes=each["scopes"]) for each in gain))
    row = compare(before, run(*gain)).measures["right"].overall
    assert row.difference == 0.5
    assert row.interval == (0.0, 1.0)


def test_the_same_runs_give_the_same_comparison():
    assert compare(FIRST, SECOND) == compare(FIRST, SECOND)
    # Another order of the questions is no other run.
    backwards = {**SECOND, "outcomes": SECOND["outcomes"][::-1]}
    assert compare(FIRST, backwards) == compare(FIRST, SECOND)


def test_an_edited_question_is_not_the_same_question():
    edited = run(
        *(each for each in SECOND["outcomes"] if each["id"] != "a"),
        outcome("a", entry(["billing"]), question="why not?"),
    )
    comparison = compare(FIRST, edited)
    assert comparison.changed_questions == ["a"]
    assert comparison.questions == 5
    assert "left out since they were edited in between: a" in render_comparison(comparison)


def test_questions_of_one_run_only_are_counted():
    more = run(*SECOND["outcomes"], outcome("z", entry(["mail"])))
    comparison = compare(FIRST, more)
    assert (comparison.only_first, comparison.only_second, comparison.questions) == (0, 1, 6)
    with pytest.raises(RunsError, match="no question in common"):
        compare(FIRST, run(outcome("z", entry(["mail"]))))


def test_two_systems_of_one_run():
    both = run(
        *(outcome(f"q{n}", entry(["billing"]), merged=entry(["mail" if n < 7 else "billing"])) for n in range(9)),
        systems=("loci", "merged"),
    )
    comparison = compare(both, both, against="merged")
    row = comparison.measures["right"].overall
    assert (row.first_only, row.second_only, row.p) == (7, 0, 0.015625)
    assert comparison.verdict.startswith("The second is worse")
    with pytest.raises(RunsError, match="the second run has no system nobody; it has loci, merged"):
        compare(both, both, against="nobody")


def test_other_corpora_are_pointed_out():
    comparison = compare({**FIRST, "corpus": {"scopes": 30}}, {**SECOND, "corpus": {"scopes": 29}})
    assert comparison.same_corpus is False
    assert "different corpora" in render_comparison(comparison)


# Files and the command


def written(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ("[]", "has no outcomes of single questions"),
        ('{"systems": {}, "outcomes": [{"id": "a"}]}', "outcome 1 lacks one of"),
    ],
)
def test_a_file_that_is_no_run(tmp_path, text, said):
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunsError, match=said):
        load_run(tmp_path / "run.json")
    with pytest.raises(RunsError, match="cannot read"):
        load_run(tmp_path / "nothing.json")


def test_the_command(tmp_path):
    one, other = written(tmp_path / "one.json", FIRST), written(tmp_path / "other.json", SECOND)
    done = CliRunner().invoke(command, ["compare", one, other])
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "6 questions in both; loci of one.json against loci of other.json"
    assert "  - a (behavior): why?" in lines
    assert "      billing -> search; right: billing" in lines
    assert "      abstained (no_evidence) -> billing; right: billing" in lines
    assert lines[-1].startswith("No more than chance: 3 better, 1 worse, of 6 questions (p = 0.625).")
    as_json = CliRunner().invoke(command, ["compare", one, other, "--json"])
    assert json.loads(as_json.stdout) == to_json(compare(FIRST, SECOND))


def test_the_command_lists_as_many_as_asked_for(tmp_path):
    one, other = written(tmp_path / "a.json", several(0, 50)), written(tmp_path / "b.json", several(50, 0))
    assert "and 10 more (--all lists them)" in CliRunner().invoke(command, ["compare", one, other]).stdout
    everything = CliRunner().invoke(command, ["compare", one, other, "--all"]).stdout
    assert everything.count("  + q") == 50


def test_one_run_alone_needs_another_system(tmp_path):
    one = written(tmp_path / "one.json", FIRST)
    for arguments in ([one], [one, "--against", "loci"]):
        done = CliRunner().invoke(command, ["compare", *arguments])
        assert done.exit_code == 2
        assert "a second run is needed" in done.stderr
    done = CliRunner().invoke(command, ["compare", one, "--against", "merged-bm25"])
    assert done.exit_code == 2
    assert "has no system merged-bm25; it has loci" in done.stderr


def test_a_question_cannot_drive_the_terminal(tmp_path):
    sly = [{**each, "question": "why \x1b[31m\nred?"} for each in FIRST["outcomes"]]
    after = [{**each, "question": "why \x1b[31m\nred?"} for each in SECOND["outcomes"]]
    text = render_comparison(compare(run(*sly), run(*after)))
    assert "\x1b" not in text
    assert "a (behavior): why [31m red?" in text
