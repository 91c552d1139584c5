"""Calibration: what is promised, what is written, and that nothing gets worse."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import own_corpora
import pytest
from click.testing import CliRunner

from loci.core import Memory
from loci.eval import CalibrationReport, Sizes, calibrate, calibrate_index, to_json
from loci.eval._calibrate_command import command
from loci.eval._step import is_current, run
from loci.eval.calibration import calibrate as module
from loci.eval.calibration.calibrate import save
from loci.eval.calibration.explain import explain_calibration
from loci.eval.calibration.fitting import Fit, half_of
from loci.eval.calibration.mixed import GRID, mixed
from loci.eval.own.ask import asked_about_itself
from loci.eval.own.corpus import Asked, Corpus, OwnQuestion
from loci.router import SCORES, Calibration

SMALL = Sizes(8, 4, 2, removed=2, placed=0, named=0, deictic=6, off_topic=6, nonsense=0, shared=0, users=0)
MANY = replace(SMALL, subjects=18, docstrings=6, removed=6, deictic=24, off_topic=40)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory, make_repository_in_session: Callable[..., Path]) -> Memory:
    return own_corpora.repositories(tmp_path_factory.mktemp("calibrate"), make_repository_in_session)


@pytest.fixture(autouse=True)
def _uncalibrated(memory: Memory) -> Iterator[None]:
    yield
    memory.home.calibration.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def certified() -> CalibrationReport:
    return calibrate_index(own_corpora.index(), max_wrong=0.05, sizes=MANY)


def test_a_corpus_whose_topics_differ_is_certified(certified: CalibrationReport) -> None:
    fitted = certified.fitted_on
    assert certified.certified and fitted.certified
    assert certified.calibration.threshold in GRID and certified.calibration.threshold < 0.9
    assert fitted.outcome.wrong.successes <= 0.05 * fitted.outcome.wrong.n and fitted.outcome.wrong.n >= 45
    assert (fitted.unanswerable_share, fitted.max_wrong, fitted.level) == (0.15, 0.05, 0.9)
    assert fitted.held_out is not None and fitted.held_out.outcome.wrong.share is not None
    assert fitted.held_out.outcome.wrong.share <= 0.05
    assert "at most 5.0% of such answers are" in certified.reason


def test_the_same_again(certified: CalibrationReport) -> None:
    again = calibrate_index(own_corpora.index(), max_wrong=0.05, sizes=MANY)
    assert {**to_json(again), "seconds": 0} == {**to_json(certified), "seconds": 0}
    assert json.loads(json.dumps(to_json(again))) == to_json(again)


def test_fitted_weights_that_help_no_unknown_family_are_not_taken(certified: CalibrationReport) -> None:
    assert "weights" not in certified.values
    assert certified.fitted_on.weights.startswith("defaults")
    assert dict(certified.calibration.weights) == dict(Calibration().weights)


def test_a_small_corpus_is_not_certified_and_keeps_the_shipped_threshold() -> None:
    report = calibrate_index(own_corpora.index(topics=2, each=8), sizes=SMALL)
    assert not report.certified and "too small to certify 5.0%" in report.reason
    assert report.values == {} and report.calibration.threshold == Calibration().threshold


def test_projects_that_are_alike_are_not_certified_and_the_best_is_said() -> None:
    report = calibrate_index(own_corpora.index(alike=True), max_wrong=0.02, sizes=MANY)
    assert not report.certified
    assert "too alike" in report.reason or "too small" in report.reason


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, float("nan")])
def test_a_share_outside_its_range_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="max_wrong must be above 0 and below 1"):
        calibrate_index(own_corpora.index(topics=2, each=4), max_wrong=share)


def test_stricter_promises_answer_no_more(certified: CalibrationReport) -> None:
    looser = calibrate_index(own_corpora.index(), max_wrong=0.2, sizes=MANY)
    assert looser.certified and looser.calibration.threshold <= certified.calibration.threshold


def test_halves_are_stable_and_nearly_equal() -> None:
    scopes = [f"s{number}" for number in range(21)]
    first = half_of(scopes, 0)
    assert len(first) == 11 and first == half_of(reversed(scopes), 0) != half_of(scopes, 1)
    assert half_of(["", "only"], 0) == {"only"}


def test_the_mix_has_the_share_that_is_assumed_of_every_kind_alike() -> None:
    corpus = Corpus.of_index(own_corpora.index(topics=2, each=4))

    def asked(family: str, scopes: tuple[str, ...], number: int) -> Asked:
        return corpus.ask(OwnQuestion(family, f"crane quay tide {number}", scopes, "".join(scopes), words=9))

    all_ = [asked("openings", ("harbour",), number) for number in range(85)]
    all_ += [
        asked(family, (), n) for family in ("removed_scope", "off_topic", "deictic", "nonsense") for n in range(20)
    ]
    mix = mixed(all_)
    refused = [each.question.family for each in mix if not each.question.scopes]
    assert {name: refused.count(name) for name in sorted(set(refused))} == {
        "deictic": 5,
        "off_topic": 5,
        "removed_scope": 5,
    }
    assert len(mix) == 100


def test_weights_are_taken_where_they_help_families_and_projects_they_do_not_know() -> None:
    # Under these weights the scope with least evidence comes first, so whatever is fitted helps.
    made = Calibration(weights=dict.fromkeys(SCORES, -1.0), threshold=0.0)
    corpus = Corpus.of_index(own_corpora.index())
    corpus.router = corpus.with_calibration(made)
    asked = list(asked_about_itself(corpus, MANY))
    # The one family of texts is split into two, so that each is unknown to the other.
    asked = [
        replace_family(each, "docstrings") if number % 2 and each.question.family == "openings" else each
        for number, each in enumerate(asked)
    ]
    fit = Fit(corpus, made, asked, 0.05, 0)
    before = sum(each.right for each in fit.asked if each.question.scopes)
    fit.weights()
    assert fit.fitted == ["weights"] and fit.reasons["weights"].startswith("fitted")
    assert sum(each.right for each in fit.asked if each.question.scopes) > before
    assert all(weight >= 0.0 for weight in fit.calibration.weights.values())


def replace_family(asked: Asked, family: str) -> Asked:
    return Asked(replace(asked.question, family=family), asked.route, asked.measured)


def test_what_a_person_wrote_stays_and_is_used(memory: Memory) -> None:
    memory.home.write_json(memory.home.calibration, {"cwd": 9.0, "threshold": 0.1, "mine": "note"})
    report = calibrate(memory, sizes=SMALL)
    assert report.calibration.cwd == 9.0
    assert "cwd" not in report.values
    save(memory, report)
    written = json.loads(memory.home.calibration.read_text(encoding="utf-8"))
    assert (written["cwd"], written["mine"]) == (9.0, "note")
    assert written["fitted_on"]["scopes"] == ["harbour", "observatory", "orchard"]
    assert written.get("threshold") == report.values.get("threshold")
    # The router reads it from the next question on.
    assert Memory.open(memory.home.directory).router_parts().calibration == report.calibration


def test_every_number_is_explained() -> None:
    rows = explain_calibration(Calibration(threshold=0.5))
    names = {name.partition(".")[0] for name, _, _, _ in rows}
    assert names == set(Calibration().to_json()) - {"fitted_on"}
    assert next(row for row in rows if row[0] == "threshold")[1:3] == ("0.5", "0.68")


def test_the_command_writes_shows_and_can_be_dry(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCI_HOME", str(memory.home.directory))
    monkeypatch.setattr(module, "SIZES", SMALL)
    monkeypatch.setattr(module, "MOST_TIMES", 1.0)
    dry = CliRunner().invoke(command, ["--dry-run"])
    assert dry.exit_code == 0 and "Not certified" in dry.stdout and not memory.home.calibration.exists()
    shown = CliRunner().invoke(command, ["--show"])
    assert "nothing was fitted" in shown.stdout
    done = CliRunner().invoke(command, ["--json", "--max-wrong", "0.1"])
    data = json.loads(done.stdout)
    assert data["fitted_on"]["max_wrong"] == 0.1
    assert memory.calibration_values() == {**data["values"], "fitted_on": data["fitted_on"]}
    shown = CliRunner().invoke(command, ["--show", "--json"])
    assert json.loads(shown.stdout)["fitted_on"] == data["fitted_on"]
    refused = CliRunner().invoke(command, ["--max-wrong", "1.5"])
    assert refused.exit_code == 2


def test_the_step_runs_when_the_projects_changed(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SIZES", SMALL)
    monkeypatch.setattr(module, "MOST_TIMES", 1.0)
    first = run(memory.home, False, None)
    assert (first.name, first.notes) == ("calibrate", ())
    assert first.summary == "threshold 0.68, as shipped: the projects are too small or too alike for another"
    assert run(memory.home, False, None).summary == "up to date"
    assert run(memory.home, True, None).summary == first.summary
    fitted = memory.calibration_values()["fitted_on"]
    assert is_current(memory, fitted)
    assert not is_current(memory, {**fitted, "passages": 2 * fitted["passages"]})
    assert not is_current(memory, {**fitted, "scopes": ["harbour"]})


def test_fewer_projects_give_more_questions_each() -> None:
    assert module._enough(30) == module._enough(300) == module.SIZES
    assert module._enough(15).subjects == 2 * module.SIZES.subjects
    assert module._enough(1).subjects == module._enough(10).subjects == 3 * module.SIZES.subjects
