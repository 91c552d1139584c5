"""The picture: complete, self-contained, and deaf to what names try."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

from loci.core import ScopeStatus, Use, Uses
from loci.core.operations.map import map_page

HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!--<script>",
    "&lt;b&gt;",
    "\u2028\u2029'`${alert(1)}",
    "\ud800 half",
]


def scope(identity: str, **changes: object) -> ScopeStatus:
    status = {
        "id": identity,
        "name": identity,
        "path": Path("/work") / "x",
        "aliases": (),
        "names": (),
        "groups": (identity,),
        "remote": None,
        "state": "indexed",
        "commit": "a",
        "head": "a",
        "bytes": 10,
        "counts": {"passages": {"document": 2, "commit": 3}, "listed": 4, "read": 3, "skipped": {"binary": 1}},
    }
    return ScopeStatus(**(status | changes))  # type: ignore[arg-type]


def data(page: str) -> dict:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def elements(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Elements()
    parser.feed(page)
    return parser.seen


def test_everything_is_in_it() -> None:
    use = Use("b", "a", "dependency", "pypi", "a", (("pyproject.toml", 4), ("b.py", 1)), 7)
    locked = Use("a", "b", "locked", "pypi", "b", (("uv.lock", 9),))
    held = data(map_page([scope("a"), scope("b", head="c")], Uses((use, locked))))
    assert [(each["id"], each["state"], each["passages"], each["read"]) for each in held["scopes"]] == [
        ("a", "up to date", 5, 3),
        ("b", "behind", 5, 3),
    ]
    assert held["uses"] == [
        {"user": 0, "used": 1, "direct": False, "places": ["uv.lock:9  only locked b"], "more": 0},
        {"user": 1, "used": 0, "direct": True, "places": ["pyproject.toml:4  dependency a"], "more": 0},
    ]


def test_no_name_becomes_markup() -> None:
    harmless = elements(map_page([scope("a")], Uses()))
    scopes = [scope(name) for name in HOSTILE]
    uses = tuple(Use(HOSTILE[0], name, "import", "pypi", name, ((name, 1),)) for name in HOSTILE[1:])
    page = map_page(scopes, Uses(uses))
    assert elements(page) == harmless
    shown = [each["id"] for each in data(page)["scopes"]]
    assert shown == HOSTILE
    page.encode("utf-8")


def test_nothing_is_loaded_from_anywhere() -> None:
    page = map_page([scope("a")], None)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert not [
        tag for tag, attributes in elements(page) if "src" in attributes or "href" in attributes or tag == "link"
    ]
    assert "default-src 'none'" in page


def test_uses_that_were_never_collected_are_no_none() -> None:
    assert data(map_page([scope("a")], None))["gaps"] == ["who uses whom was not collected: loci uses"]


def test_a_use_of_a_project_that_is_not_listed_is_left_out() -> None:
    use = Use("a", "forgotten", "import", "pypi", "x", (("a.py", 1),))
    assert data(map_page([scope("a")], Uses((use,))))["uses"] == []
