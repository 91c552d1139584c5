"""Questions that cite something by number: a version, an issue, a commit, a date, a port."""

from __future__ import annotations

import pytest

from loci.router import read


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("what changed in requests 2.32.5?", [("version", "2.32.5")]),
        ("what is new in v2, and is 4.0.0-rc.1 out?", [("version", "v2"), ("version", "4.0.0-rc.1")]),
        ("after moving to v5 my callback fires", []),
        ("what was #6767, PR 12 and issue #9?", [("reference", "#6767"), ("reference", "#12"), ("reference", "#9")]),
        ("why was commit abcd1234 reverted by 90fee08?", [("commit", "abcd1234"), ("commit", "90fee08")]),
        ("what was done on 2024-04-07?", [("number", "2024-04-07")]),
        ("who listens on port 8443, and what is E0308?", [("number", "8443"), ("code", "E0308")]),
        ("does it follow RFC 7231, and is CVE-2024-1234 mended?", [("code", "RFC 7231"), ("code", "CVE-2024-1234")]),
        # Not cited: years, counts, files, addresses, colours of words.
        ("what happened in 2021 to the 3 ways of doing it in 10 minutes?", []),
        ("what does app.2.js do, and https://example.org/2.3.4/x?", []),
        ("why is deadbeef a facade?", []),
        ("", []),
    ],
)
def test_what_a_question_cites(question, cited):
    found = read(question).citations
    assert [(each.kind, each.text) for each in found] == cited
    assert all(each.text.strip("#") in question[slice(*each.span)] for each in found)
