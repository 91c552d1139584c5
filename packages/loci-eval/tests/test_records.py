"""Records as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from loci.eval import Share, to_json
from loci.eval.records import EXACT, FLAT, HIDDEN


@dataclass(frozen=True)
class Point:
    x: float
    y: float


@dataclass(frozen=True)
class Figure:
    name: str
    start: Point = field(metadata=FLAT)
    others: tuple[Point, ...]
    share: Share
    hits: Mapping[str, Share] = field(metadata=FLAT)
    origin: str = field(metadata={"name": "from"})
    made_by: object = field(metadata=HIDDEN)
    values: tuple[float, ...] = field(default=(0.0000123,), metadata=EXACT)
    tiny: float = field(default=0.0000123, metadata={"digits": 6})
    nothing: None = field(default=None, metadata={"digits": 6})


def test_a_record_is_an_object_of_its_fields():
    half = Share.of([True, False])
    figure = Figure("line", Point(1.0, 2 / 3), (Point(0.00004, 7),), half, {"@1": half}, "here", object())
    # Wilson's interval of one in two: 1/2 -+ sqrt(1/8 + 3.8415/16) * 1.96 / (1 + 3.8415/2) = .5 -+ .4055
    share = {"successes": 1, "n": 2, "share": 0.5, "low": 0.0945, "high": 0.9055}
    assert to_json(figure) == {
        "name": "line",
        "x": 1.0,
        "y": 0.6667,
        "others": [{"x": 0.0, "y": 7}],
        "share": share,
        "@1": share,
        "from": "here",
        "values": (0.0000123,),
        "tiny": 0.000012,
        "nothing": None,
    }
    assert list(to_json(figure)) == ["name", "x", "y", "others", "share", "@1", "from", "values", "tiny", "nothing"]
    assert type(to_json(Point(1, 2))["x"]) is int
