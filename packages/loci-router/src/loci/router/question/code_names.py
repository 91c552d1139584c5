"""Names of code in a question, and the rules for what such a name is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .parts import CodeName
from .text import compiled

if TYPE_CHECKING:
    from .traces import Ends

LONGEST_NAME = 200
"""A longer one is no name that anybody gave, and a note would repeat all of it."""

# What a name may not touch: letters of Latin alphabets. Chinese, Japanese and Korean put no space between a name and
# its neighbours. (A class that leaves those scripts out by ranges takes 3 ms to compile, in each of forty patterns.)
LETTER = "[0-9A-Za-z_\u00c0-\u024f]"
EDGE = rf"(?<!{LETTER})"

_JOINED = (
    rf"(?<!{LETTER})(?<![./:#-])"
    r"(?:[A-Za-z_]\w*(?:(?:::|\.|#)[A-Za-z_]\w*)+"  # Session.close, Router::nest
    r"|_*[a-z0-9]+(?:_[a-z0-9]+)+_*|_+[a-z][a-z0-9]*_*"  # open_session, _populate_page, sink_it_, __init__
    r"|[A-Z]?[a-z0-9]+(?:[A-Z][a-z0-9]+)+)"  # FlushEvents, sendFile
    rf"(?!{LETTER})(?![/:#-])(?!\.\w)"
)
_QUOTED = r"`([A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)(?:\(\))?`"
_CALLED = rf"{EDGE}([A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)\(\)"
# HTTPClient, toJSON; but also OAuth and macOS.
_CAPITALS = rf"{EDGE}(?:[A-Z]{{2,}}[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+)*|[A-Z]?[a-z0-9]+[A-Z]{{2,}}[a-z0-9]*)(?!{LETTER})"

WRITTEN_AS_CODE = r"[A-Z_.:#$>]"
"""What tells the name of a symbol from a word, where "uses" may speak of either."""
NO_PRODUCT = r"[a-z0-9][A-Z]|[_.:#$>]"
"""What no name of a product or a language has, or hardly one."""

# Node.js, app.py; com.example.shop and os.path, which name a place rather than a symbol.
_PLACE = r"\.(?:[a-z]\w?\w?|html|java|json|lock|swift|toml|yaml)$|^[a-z0-9_]+(?:\.[a-z0-9_]+)+$"
_UNMISTAKABLE = r"_|\.|::|#|->|^[a-z][a-z0-9]*[A-Z]|^(?:[A-Z][a-z0-9]+){3}"

NEVER_A_NAME = frozenset(
    """
    a all an and any anything anywhere are be been by code data did do does each either else everything
    files for from here him his how i if in into is it its itself just me more my no not nothing of on one
    only or other others our out own some something such that the their them then there these they this
    those to too up us was we were what when where which who why with you your
    """.split()  # noqa: SIM905 - a list of words is read, not a list of strings
)
"""Words that stand where a name would: "who calls it" asks for no symbol `it`, even where a test has one."""


def code_names(ends: Ends) -> list[CodeName]:
    """The names that a question writes as code: those that are nothing but code first, each where it stands first."""
    found: dict[str, CodeName] = {}
    for name in _written(ends):
        if len(name.name) <= LONGEST_NAME:
            found.setdefault(name.name, name)
    return list(found.values())


def _written(ends: Ends) -> Iterator[CodeName]:
    for match in compiled(_JOINED).finditer(ends.text):
        yield CodeName(match.group(), ends.span(match.span()), True)
    for pattern in (_QUOTED, _CALLED):
        for match in compiled(pattern, re.ASCII).finditer(ends.text):
            yield CodeName(match[1], ends.span(match.span(1)), False)
    for match in compiled(_CAPITALS).finditer(ends.text):
        yield CodeName(match.group(), ends.span(match.span()), False)


def plain_name(name: str) -> str:
    """A name with dots for whatever its language joins names by.

    >>> [plain_name(name) for name in ("Router::nest", "Cart#pay", "node->next", "close")]
    ['Router.nest', 'Cart.pay', 'node.next', 'close']
    """
    return name.replace("::", ".").replace("#", ".").replace("->", ".")


def names_a_place(name: str) -> bool:
    """Whether a name looks like that of a file or a package rather than of a symbol.

    >>> [names_a_place(name) for name in ("app.py", "com.example.shop", "Session.close", "open_session")]
    [True, True, False, False]
    """
    return compiled(_PLACE).search(name) is not None


def is_unmistakable(name: str) -> bool:
    """Whether a name can only be one of code: products and techniques have two capitals as well.

    >>> [is_unmistakable(name) for name in ("set_color", "sendFile", "ShouldPassByPosition", "WebSocket", "close")]
    [True, True, True, False, False]
    """
    return compiled(_UNMISTAKABLE).search(name) is not None
