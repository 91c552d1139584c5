"""A picture of all projects as one HTML file: no network, no library, nothing that comes from a repository as markup.

The page holds its data as JSON, in which every `<` is escaped, and builds what it shows with `textContent` and
attributes: a project may be called anything.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from loci.core.dependencies.table import Uses
from loci.core.errors import NothingRegistered
from loci.core.home.home import Home
from loci.core.projects.status import ScopeStatus, statuses

LONGEST = 200  # Characters of a name or a path that are shown.


def map_of_projects(home: Home) -> str:
    """See `loci.core.Memory.map`."""
    scopes = statuses(home)
    if not scopes:
        raise NothingRegistered(home.directory)
    return map_page(scopes, Uses.load(home))


def map_page(scopes: Sequence[ScopeStatus], table: Uses | None) -> str:
    """The whole page. `table`: who uses whom; None when it was never collected, which the page says."""
    data = json.dumps(_data(scopes, table), ensure_ascii=False, separators=(",", ":"))
    # What ends a script element, begins a comment in it, or is a line end to JavaScript alone.
    for character in "<>&\u2028\u2029":
        data = data.replace(character, f"\\u{ord(character):04x}")
    data = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in data)
    page = Path(__file__).with_name("map_page.html").read_text(encoding="utf-8")
    return page.replace("/*DATA*/", data)


def _data(scopes: Sequence[ScopeStatus], table: Uses | None) -> dict[str, Any]:
    listed = [
        {
            "id": _short(scope.id),
            "name": _short(scope.name),
            "path": _short(str(scope.path)),
            "groups": [_short(group) for group in scope.groups],
            "state": _state(scope),
            "bytes": scope.bytes,
            "passages": sum(scope.counts.get("passages", {}).values()),
            "commits": scope.counts.get("passages", {}).get("commit", 0),
            "listed": scope.counts.get("listed", 0),
            "read": scope.counts.get("read", 0),
            "skipped": scope.counts.get("skipped", {}),
        }
        for scope in scopes
    ]
    place = {scope.id: position for position, scope in enumerate(scopes)}
    mentions: dict[tuple[int, int], list[str]] = defaultdict(list)
    direct: set[tuple[int, int]] = set()
    for use in table.uses if table is not None else ():
        if use.user not in place or use.used not in place:
            continue
        pair = (place[use.user], place[use.used])
        where = f"{use.places[0][0]}:{use.places[0][1]}" if use.places else ""
        what = "only locked" if use.indirect else use.kind
        mentions[pair].append(_short(f"{where}  {what} {use.name}"))
        if not use.indirect:
            direct.add(pair)
    uses = [
        {"user": user, "used": used, "direct": (user, used) in direct, "places": places[:6], "more": len(places[6:])}
        for (user, used), places in sorted(mentions.items())
    ]
    return {
        "made": time.strftime("%Y-%m-%d %H:%M"),
        "scopes": listed,
        "uses": uses,
        "gaps": ["who uses whom was not collected: loci uses"] if table is None else table.gaps(),
    }


def _state(scope: ScopeStatus) -> str:
    if scope.state == "indexed":
        return "up to date" if scope.commit == scope.head else "behind"
    return scope.state.replace("_", " ")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
