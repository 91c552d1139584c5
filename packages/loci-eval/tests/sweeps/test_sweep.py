"""Sweeping a constant: which ones there are, that only the one changes, and what the table shows."""

import dataclasses
import json

import pytest
from click.testing import CliRunner

from loci.eval import SHAPES, Shape, parameter, sweep
from loci.eval._command import command
from loci.eval.sweeps.sweep import SweepError, _changed, _constants, render_sweep
from loci.router import Calibration

TINY = Shape(scopes=4, passages=12, questions=4)


@pytest.fixture(scope="module")
def thresholds():
    return sweep(parameter("threshold"), [0.0, 1.0], shapes={"tiny": TINY})


def share(result, value, measure, corpus=0):
    found = result.corpora[corpus].measures[result.values.index(value)][measure].share
    assert found is not None
    return found


# Constants


def test_a_field_of_the_calibration():
    assert (parameter("threshold").default, parameter("max_set").default) == (0.68, 8)
    assert parameter("weights.description").default == 1.5
    assert parameter("weights.passages").default == 1.0  # not listed: weighs 1
    assert parameter("whether_weights.raw").default == Calibration().whether_weights["raw"]


def test_a_constant_that_is_only_a_default_means_its_field():
    """Changing it in its module would change nothing, since the class took it long ago."""
    assert parameter("THRESHOLD").name == "threshold"
    assert parameter("NAMED_BOOST").name == "named"


def test_a_constant_of_a_module():
    chosen = parameter("COMMON_SHARE")
    assert (chosen.name, chosen.package, chosen.default) == ("router.COMMON_SHARE", "loci.router", 0.8)
    assert parameter("router.COMMON_SHARE") == parameter("loci.router.COMMON_SHARE") == chosen
    assert parameter("episodes.CLOSE_MATCH").ranks_passages
    assert not chosen.ranks_passages


def test_what_is_no_constant_is_named_with_the_near_ones():
    with pytest.raises(SweepError, match="no constant is called 'treshold'; did you mean threshold"):
        parameter("treshold")
    with pytest.raises(SweepError, match="no constant is called 'COMON_SHARE'; did you mean"):
        parameter("COMON_SHARE")


def test_values_are_of_the_constants_kind():
    assert parameter("max_set").parse("5") == 5
    with pytest.raises(SweepError, match="max_set is a whole number"):
        parameter("max_set").parse("5.5")
    with pytest.raises(SweepError, match="'high' is no number"):
        parameter("threshold").parse("high")
    with pytest.raises(SweepError, match="there is no evidence 'bm25'; there are summed-scores, prominence"):
        parameter("evidence").parse("bm25")


def test_a_changed_constant_is_changed_where_it_was_taken_by_name_and_put_back():
    from loci.router import calibration, case

    with pytest.raises(RuntimeError, match="stop"), _changed(parameter("COMMON_SHARE"), 0.1):
        assert (calibration.COMMON_SHARE, case.COMMON_SHARE) == (0.1, 0.1)
        raise RuntimeError("stop")
    assert (calibration.COMMON_SHARE, case.COMMON_SHARE) == (0.8, 0.8)


def test_a_constant_in_a_folder_of_a_package():
    assert (parameter("core.OVERLAYS").default, parameter("OVERLAYS").name) == (8, "core.OVERLAYS")


def test_every_constant_can_be_swept():
    for each in _constants():
        assert parameter(each.name) == each or parameter(each.name).name == each.constant.lower()
        with _changed(each, each.default):
            pass


# Sweeping


def test_the_threshold_decides_what_is_answered(thresholds):
    assert thresholds.values == [0.0, 0.68, 1.0]  # the shipped one is added, in its place
    assert thresholds.default == 0.68
    assert share(thresholds, 0.0, "answered") == 1.0
    assert share(thresholds, 1.0, "answered") == 0.0
    assert share(thresholds, 0.0, "abstained") == 0.0
    assert share(thresholds, 1.0, "abstained") == 1.0
    # Which one is ranked first is no matter of the threshold.
    assert share(thresholds, 0.0, "right_first") == share(thresholds, 1.0, "right_first")
    assert "right_if_answered" not in thresholds.corpora[0].measures[2]
    assert thresholds.corpora[0].questions == 20


def test_a_constant_of_a_module_changes_figures():
    none = sweep(parameter("RAW_FLOOR"), [10.0], shapes={"tiny": TINY})
    measured = none.corpora[0].measures
    assert none.values == [0.02, 10.0]
    # With so much given to everybody, every question seems to have an answer.
    assert measured[1]["abstained"].successes < measured[0]["abstained"].successes


def test_a_constant_of_the_passages_shows_the_evidence():
    result = sweep(parameter("episodes.CLOSE_MATCH"), [0.0], shapes={"tiny": TINY})
    assert result.corpora[0].measures[0]["evidence@3"].n == 16
    assert "evidence@3" not in sweep(parameter("cwd"), [1.0], shapes={"tiny": TINY}).corpora[0].measures[0]


def test_the_formula_itself():
    """The known failure as a sweep shows it: the broad project draws others' questions under one formula only."""
    shapes = {name: dataclasses.replace(SHAPES[name], scopes=6) for name in ("plain", "broad")}
    result = sweep(parameter("evidence"), ["prominence"], shapes=shapes)
    assert result.values == ["summed-scores", "prominence"]
    assert share(result, "prominence", "drawn_to_broad", 1) > share(result, "prominence", "drawn_to_broad", 0) + 0.05
    assert share(result, "summed-scores", "drawn_to_broad", 1) < 0.05
    # The router's thresholds mean nothing for another formula.
    assert "answered" not in result.corpora[1].measures[1]


def test_a_refused_value_is_refused_before_anything_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr("loci.eval.sweeps.sweep.synthesise", lambda *_: pytest.fail("made"))
    with pytest.raises(SweepError, match="`threshold` must be between 0 and 1"):
        sweep(parameter("threshold"), [1.5])


def test_the_table(thresholds):
    text = render_sweep(thresholds)
    assert text.startswith("threshold, shares in %, * is the shipped value; seed 0.")
    lines = text.splitlines()
    (answered,) = [line for line in lines if line.startswith("answered, of the questions that have an answer")]
    assert answered.split()[-4:] == ["n", "0", "0.68*", "1"]
    row = lines[lines.index(answered) + 2]
    assert row.split()[0] == "tiny"
    assert "scopes 4, passages 12, questions 4" in row
    assert (row.split()[-3], row.split()[-1]) == ("100.0", "0.0")
    assert [line for line in lines if line.startswith("every right project")] == []  # no such question


# The command


def run(*arguments):
    return CliRunner().invoke(command, ["sweep", *map(str, arguments)])


def test_the_command_over_a_corpus_of_ones_own(tmp_path, make_repository):
    corpus = tmp_path / "mine"
    make_repository(corpus / "billing", {"README.md": "# Billing\n\nInvoices are sent when a subscription renews.\n"})
    make_repository(corpus / "search", {"README.md": "# Search\n\nThe crawler feeds the inverted index.\n"})
    questions = tmp_path / "q.jsonl"
    lines = [
        {
            "id": "b",
            "family": "behavior",
            "question": "When are the invoices of a subscription sent?",
            "scopes": ["billing"],
        },
        {"id": "s", "family": "behavior", "question": "What does the crawler feed?", "scopes": ["search"]},
    ]
    questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run("threshold", "0.5", "1", "--no-shapes", "--corpus", corpus, "--questions", questions, "--json")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert [(each["corpus"], each["questions"]) for each in result["corpora"]] == [("mine", 2)]
    assert result["corpora"][0]["values"][result["values"].index(0.5)]["right_first"]["share"] == 1.0
    assert "drawn_to_broad" not in result["corpora"][0]["values"][0]
    assert (
        "answered, of the" in run("threshold", "1", "--no-shapes", "--corpus", corpus, "--questions", questions).stdout
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["thresold", "1"], "did you mean threshold"),
        (["threshold", "2", "--shape", "few"], "`threshold` must be between 0 and 1"),
        (["threshold"], "Missing argument"),
        (["threshold", "1", "--no-shapes"], "--no-shapes needs --corpus"),
        (["threshold", "1", "--home", "x"], "belong to --corpus"),
    ],
)
def test_the_command_refuses(arguments, said):
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == ""
