"""Making output safe, and laying it out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loci.cli._console import safe, safe_line
from loci.cli._render import size, table


@given(st.text())
def test_nothing_that_drives_a_terminal_is_left(text):
    shown = safe(text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    shown.encode("utf-8")
    assert "\n" not in safe_line(text) and "\t" not in safe_line(text)


@given(st.text(st.characters(whitelist_categories=("L", "N", "P", "S", "Zs"))))
def test_ordinary_text_is_left_alone(text):
    assert safe(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb", "a\nb"),
        ("overwritten\rby this", "overwritten\\x0dby this"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("a\u202eb", "a\\u202eb"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\udcff", "\\udcff"),
    ],
)
def test_what_it_becomes(text, expected):
    assert safe(text) == expected


def test_a_table_is_aligned_and_has_no_trailing_blanks():
    assert table([("a", "1"), ("long", ""), ("b", "22")]) == "a     1\nlong\nb     22"
    assert table([]) == ""


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 kB"), (1, "1 kB"), (1499, "1 kB"), (2_340_000, "2.3 MB"), (118_400_000, "118 MB")]
)
def test_size(number, expected):
    assert size(number) == expected
