"""The choice of a threshold: golden values, and the promise over many draws."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loci.eval.calibration.threshold import learn_then_test
from loci.eval.statistics.significance import binomial_tail, least_answered

GRID = [round(0.95 - 0.05 * step, 2) for step in range(15)]


def test_the_walk_ends_at_the_first_failure() -> None:
    # At 0.9 two hundred right answers pass; at 0.8 twenty wrong ones fail; that 0.7 passes again is not looked at.
    confidences = [0.95] * 200 + [0.85] * 20 + [0.75] * 300
    wrong = [False] * 200 + [True] * 20 + [False] * 300
    certified, best = learn_then_test(confidences, wrong, [0.9, 0.8, 0.7], 0.05, 0.9)
    assert certified is not None and best is not None
    assert (certified.threshold, certified.answered, certified.wrong) == (0.9, 200, 0)
    assert certified.certified and certified.chance == pytest.approx(0.95**200)
    assert (best.threshold, best.answered, best.wrong, best.certified) == (0.7, 520, 20, False)


def test_a_walk_that_has_ended_does_not_go_on_where_it_would_pass_again() -> None:
    # A third of 1,030 is 344, so both ends are tested. 0 of 400 wrong passes, 30 of 430 fails (7 % of them), and 30 of
    # 1,030 would pass again (51.5 are expected at 5 %): whoever tests on until something passes has no promise to give.
    confidences = [0.95] * 400 + [0.85] * 30 + [0.75] * 600
    wrong = [False] * 400 + [True] * 30 + [False] * 600
    assert binomial_tail(30, 430, 0.05) > 0.1 >= binomial_tail(30, 1030, 0.05)
    certified, best = learn_then_test(confidences, wrong, [0.9, 0.8, 0.7], 0.05, 0.9)
    assert certified is not None and best is not None
    assert (certified.threshold, certified.answered, certified.wrong) == (0.9, 400, 0)
    assert (best.threshold, best.answered, best.wrong, best.certified) == (0.7, 1030, 30, False)


def test_a_threshold_is_met_by_a_confidence_equal_to_it_and_a_share_by_one_equal_to_it() -> None:
    # 1 of 20 is 5 %, which is not more than 5 %; the answers at exactly 0.9 are answered at 0.9.
    _, best = learn_then_test([0.9] * 20, [True] + [False] * 19, [0.9], 0.05, 0.9)
    assert best is not None and (best.answered, best.wrong) == (20, 1)
    assert learn_then_test([0.9] * 19, [True] + [False] * 18, [0.9], 0.05, 0.9) == (None, None)


def test_a_third_of_the_answers_is_enough_to_begin() -> None:
    # 150 answers, a third is 50, and 45 without an error are needed: 49 at 0.9 are passed over, 50 are not.
    for sure, threshold in ((49, None), (50, 0.9)):
        rest = 150 - sure
        certified, _ = learn_then_test(
            [0.95] * sure + [0.85] * rest, [False] * sure + [True] * rest, [0.9, 0.8], 0.05, 0.9
        )
        assert (certified.threshold if certified else None) == threshold


def test_the_walk_begins_where_a_third_is_answered() -> None:
    # One wrong answer among the first fifty would end it there; among a hundred it does not.
    confidences = [0.95] * 50 + [0.85] * 50 + [0.2] * 100
    wrong = [True] + [False] * 199
    certified, _ = learn_then_test(confidences, wrong, [0.9, 0.8], 0.05, 0.9)
    assert certified is not None and (certified.threshold, certified.wrong) == (0.8, 1)


def test_too_few_answers_certify_nothing() -> None:
    certified, best = learn_then_test([0.9] * 44, [False] * 44, GRID, 0.05, 0.9)
    assert certified is None
    assert best is not None and best.answered == 44 and not best.certified
    assert learn_then_test([], [], GRID, 0.05, 0.9) == (None, None)


def test_a_threshold_before_there_are_enough_answers_is_passed_over() -> None:
    confidences = [0.95] * 10 + [0.85] * 60
    wrong = [True] + [False] * 69
    certified, _ = learn_then_test(confidences, wrong, [0.9, 0.8], 0.1, 0.9)
    assert certified is not None and certified.threshold == 0.8


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=120),
    st.sampled_from([0.05, 0.1, 0.3]),
    st.sampled_from([0.8, 0.9]),
)
def test_what_is_certified_passes_at_every_stricter_threshold(
    answers: list[tuple[float, bool]], max_wrong: float, level: float
) -> None:
    confidences, wrong = [c for c, _ in answers], [w for _, w in answers]
    certified, _ = learn_then_test(confidences, wrong, GRID, max_wrong, level)
    if certified is None:
        return
    for threshold in [each for each in GRID if each >= certified.threshold]:
        bad = [w for c, w in answers if c >= threshold]
        if len(bad) >= max(least_answered(max_wrong, level), len(answers) / 3):
            assert binomial_tail(sum(bad), len(bad), max_wrong) <= 1 - level


def test_the_promise_is_broken_no_more_often_than_it_says() -> None:
    draw = random.Random(3)
    broken = 0
    runs = 400
    for _ in range(runs):
        # Confidence says how likely an answer is right; the promise of 10 % holds from a threshold of 0.8 on.
        confidences = [draw.random() for _ in range(300)]
        wrong = [draw.random() > confidence for confidence in confidences]
        certified, _ = learn_then_test(confidences, wrong, GRID, 0.1, 0.9)
        broken += certified is not None and certified.threshold < 0.8 - 1e-9
    assert broken / runs <= 0.1
