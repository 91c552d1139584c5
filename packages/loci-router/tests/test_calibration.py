"""The numbers of the router: which are refused, and what they make of the signs."""

import math
from typing import Any

import pytest

from loci.router import BadCalibration, Calibration

SHARES = (
    "threshold",
    "deictic_threshold",
    "leave_threshold",
    "demotion",
    "holds_threshold",
    "set_factor",
    "beside_factor",
    "beside_alone",
    "keep_ratio",
)
NOT_NEGATIVE = ("temperature", "named", "cwd", "recency")
COUNTS = ("max_single", "max_set")


def calibration(name: str, value: Any) -> Calibration:
    """With one value other than shipped, whatever it is."""
    values: dict[str, Any] = {name: value}
    return Calibration(**values)


@pytest.mark.parametrize("name", SHARES)
def test_a_share_lies_between_0_and_1_and_may_be_either(name: str) -> None:
    for good in (0, 0.0, 0.5, 1, 1.0):
        assert getattr(calibration(name, good), name) == good
    for bad in (-0.001, 1.001, math.nan, math.inf, True, False, "0.5", None):
        with pytest.raises(BadCalibration, match=f"`{name}` must be"):
            calibration(name, bad)


@pytest.mark.parametrize("name", NOT_NEGATIVE)
def test_what_is_added_may_be_nothing_but_not_less(name: str) -> None:
    for good in (0, 0.0, 12.5):
        assert getattr(calibration(name, good), name) == good
    for bad in (-0.001, math.nan, math.inf, True, "1"):
        with pytest.raises(BadCalibration, match=f"`{name}` must"):
            calibration(name, bad)


@pytest.mark.parametrize("name", COUNTS)
def test_at_least_one_project_is_selected_and_true_is_no_number_of_them(name: str) -> None:
    assert getattr(calibration(name, 1), name) == 1
    for bad in (0, -1, True, 1.0, "1", None):
        with pytest.raises(BadCalibration, match=f"`{name}` must be a whole number of at least 1"):
            calibration(name, bad)


@pytest.mark.parametrize("name", ["weights", "whether_weights", "confidence_weights"])
def test_a_table_of_weights_has_finite_numbers(name: str) -> None:
    assert getattr(calibration(name, {"a": -1.5}), name) == {"a": -1.5}
    with pytest.raises(BadCalibration, match=f"`{name}` must be an object of numbers"):
        calibration(name, [1.0])
    for bad in (math.nan, True, "1"):
        with pytest.raises(BadCalibration, match=f"`{name}.a` must be a finite number"):
            calibration(name, {"a": bad})


def test_the_probability_of_an_answer_is_the_sum_of_its_signs() -> None:
    made = Calibration(whether_weights={"bias": 1.0, "raw": 2.0, "absent": -3.0})
    # 1 + 2 x 0.5 - 3 x 1 = -1; a sign without a coefficient counts nothing.
    assert made.whether({"raw": 0.5, "absent": 1.0, "other": 9.0}) == pytest.approx(1 / (1 + math.e))
    assert made.whether({}) == pytest.approx(math.e / (1 + math.e))
    assert Calibration(whether_weights={}).whether({"raw": 5.0}) == 0.5


def test_the_probability_that_an_answer_is_right() -> None:
    made = Calibration(confidence_weights={"bias": 0.5, "slope": 2.0, "agreement": 1.0})
    # 0.5 + 2 x ln(0.5 x 0.5) + 1 x 0.25
    odds = 0.75 + 2.0 * math.log(0.25)
    assert made.confidence(0.5, 0.5, 0.25) == pytest.approx(1 / (1 + math.exp(-odds)))
    assert made.confidence(1.0, 1.0) == pytest.approx(1 / (1 + math.exp(-1.5)))
    # Nothing is more than certain, and what cannot be is not.
    assert made.confidence(7.0, 2.0, 3.0) == made.confidence(1.0, 1.0, 1.0)
    assert made.confidence(0.5, 0.5, -1.0) == made.confidence(0.5, 0.5, 0.0)
    assert made.confidence(0.0, 1.0) == made.confidence(1.0, 0.0) == made.confidence(-1.0, -1.0) == 0.0
    # Without coefficients the product is read as odds of its own: logistic(ln p).
    assert Calibration(confidence_weights={}).confidence(0.5, 1.0) == pytest.approx(1 / 3)


def test_what_was_written_is_read_back_and_other_keys_are_left_alone() -> None:
    made = Calibration(threshold=0.5, max_single=2, weights={"bm25": 2.0})
    assert Calibration.from_json({**made.to_json(), "note": "mine"}) == made
    assert Calibration.from_json({}) == Calibration()
    with pytest.raises(BadCalibration, match="a calibration is an object, not list"):
        Calibration.from_json([])  # type: ignore[arg-type]
