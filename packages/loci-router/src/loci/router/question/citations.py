# ruff: noqa: E501 - a pattern that is broken over lines cannot be read.
"""What a question cites by number: a version, an issue, a commit, a date, a port.

Numbers are no evidence for a project and say nothing of what a passage is about, so no index knows them. But the question
what changed in 2.32.5 has one answer, and it is not where "changed" stands most often.
"""

from __future__ import annotations

import re

from .parts import Citation, CitationKind, Span
from .text import compiled
from .traces import Ends

MOST_CITATIONS = 3
"""So many citations of a question are looked for."""

_PATTERNS: tuple[tuple[CitationKind, str, int], ...] = (
    # CVE-2024-1234, RFC 7231, PEP 585, E0308, ABC-123
    ("code", r"(?<![\w.#/-])(?:CVE-\d{4}-\d{3,}|(?:RFC|PEP|ISO|JEP|KEP)[ -]?\d{2,}|[A-Z]{1,4}\d{3,5}|[A-Z]{2,8}-\d+)(?![\w.-]*\w)", 0),
    # #6767, issue 6767, PR #12, GH-12, pull request 12
    (
        "reference",
        r"(?<![\w&])(?:#|GH-)(\d{1,7})\b|\b(?:issues?|PRs?|pull requests?|pulls?|tickets?|bugs?|MRs?)[ /#]{1,2}(\d{1,7})\b(?!\.\d)",
        re.IGNORECASE,
    ),
    # a date, before versions: 2024-04-07
    ("number", r"(?<![\w.-])\d{4}-\d{2}-\d{2}(?![\w-])", 0),
    # 2.32.5, v1.0, 4.0.0-rc.1; not a file app.2.js, not a section sign
    ("version", r"(?<![\w.,/:-])v?(\d{1,5}(?:\.\d{1,5}){1,3}(?:[-.]?(?:a|b|c|rc|alpha|beta|dev|post|pre|preview|final)[-.]?\d*)?)(?![\w-]|\.\w)", re.IGNORECASE),
    # What came in v5; but what moved to v5 is not about it.
    ("version", r"\b(?:in|of|for|with|version|release)\s+(v\d{1,4})(?![\w-]|\.\d)", re.IGNORECASE),
    # a commit: letters and digits, or named as one
    ("commit", r"(?<![\w.#/-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])", 0),
    ("commit", r"\b(?:commit|revision|sha)\s+([0-9a-f]{4,40})\b", re.IGNORECASE),
    # 8443, 0x1F, 4_096; years are told apart below
    ("number", r"(?<![\w.,#/:-])(?:0x[0-9a-fA-F]{2,}|\d{4,9})(?![\w-]|[.,]\d)", 0),
)  # fmt: skip
_YEAR = r"(?:19|20)\d\d"


def citations(ends: Ends) -> list[Citation]:
    """What a question cites, in its order, at most `MOST_CITATIONS`."""
    found: dict[int, tuple[int, Citation]] = {}
    for kind, pattern, flags in _PATTERNS:
        for match in compiled(pattern, flags).finditer(ends.text):
            # A part of what is cited already.
            if any(start < match.end() and match.start() < stop for start, (stop, _) in found.items()):
                continue
            text = next((group for group in match.groups() if group), match.group())
            if kind == "number" and re.fullmatch(_YEAR, text):
                continue
            found[match.start()] = (match.end(), _citation(kind, text, ends.span(match.span())))
    chosen: dict[tuple[str, str], Citation] = {}
    for _, (_, each) in sorted(found.items(), key=lambda item: item[0]):
        chosen.setdefault((each.kind, each.text), each)
    return list(chosen.values())[:MOST_CITATIONS]


def _citation(kind: CitationKind, text: str, span: Span) -> Citation:
    if kind == "reference":
        spellings = (
            f"#{text}",
            f"GH-{text}",
            f"issues/{text}",
            f"pull/{text}",
            f"issue {text}",
            f"bug {text}",
            f"ticket {text}",
        )
        return Citation(kind, f"#{text}", spellings, span)
    if kind == "commit":
        return Citation(kind, text.lower(), (text.lower(),), span)
    if kind == "code" and re.match(r"[A-Z]+[ -]\d", text):
        name, number = re.split(r"[ -]", text, maxsplit=1)
        spellings = dict.fromkeys((text, f"{name} {number}", f"{name}-{number}", f"{name}{number}"))
        return Citation(kind, text, tuple(spellings), span)
    if kind == "version" and text.startswith(("v", "V")):
        return Citation(kind, text, (text, f"{text[1:]}.0", f"{text[1:]}.0.0"), span)
    return Citation(kind, text, (text,), span)
