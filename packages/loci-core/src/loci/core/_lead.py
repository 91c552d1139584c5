"""Passages that a question asks for by what they are, not by their words: they lead the answer.

The opening of a README says what a project is, and hardly ever in the words "what does this project do". What the
question asks for is read by the router (`Reading.request`); here it is found in the segment, by its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loci.episodes import Episodes, Passage

OPENING_PASSAGES = 12
"""How far into a README its opening is looked for: before it stand badges, banners and sponsors."""
OPENING_CHARACTERS = 700
"""An opening of several short paragraphs is shown up to here; a first paragraph is shown whole."""
LEAST_WORDS = 4
"""What a paragraph of an opening has at least; less is a caption, or what is left of a row of badges."""

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_TAG = re.compile(r"<[a-zA-Z/!][^>]*>")
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
# Lines that are no prose: headings and their underlines, directives, their options and substitutions, fields,
# definitions of links, rows of tables, rows of links.
_NO_PROSE = re.compile(
    r"^\s*(?:#|={3,}\s*$|-{3,}\s*$|~{3,}\s*$|\*{3,}\s*$|\+[-=+]+|\.\. |:[\w -]+:|\|[^|]+\|(?:_{0,2}\s*$|\s*\|)|"
    r"\[[^\]]+\]:|\[![A-Z]+\]|image:|.*[•·|»]\s*$|\s*[•·]\s*$|.*[•·].*[•·]|.*\s\|\s.*\s\|\s)"
)
_UNDERLINE = re.compile(r"^\s*(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|#{3,})\s*$")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2}|[^\W\d_]{2,}")
# What a README says of itself, or of who pays for it, before it says what the project is.
_OF_ITSELF = re.compile(
    r"^\W*(?:this (?:readme|document|file|page)|for the latest|note\b|warning\b|(?:\w+ )?sponsor)", re.IGNORECASE
)
_BESIDE = re.compile(
    r"^\W*(?:for enterprise|sponsor|donat|backer|fund|support(?:ers|ed by)?\b|licen[cs]e|install|toc\b|"
    r"(?:table of )?contents|"
    r"contribut|security|badge|status|menu|requirements|download|translations?|thanks|acknowledg|authors?\b|feedback)",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(
    r"^[ \t]*(?:[\"']?(?:description|summary|synopsis)[\"']?[ \t]*[:=][ \t]*[\"']?|"
    r"\w+\.(?:summary|description)[ \t]*=[ \t]*[\"']|<description>)[^\s\"'{\[].*$",
    re.MULTILINE,
)
MANIFESTS = (
    *("pyproject.toml", "setup.cfg", "setup.py", "package.json", "Cargo.toml", "composer.json", "pubspec.yaml"),
    *("mix.exs", "pom.xml", "build.gradle", "deno.json", "jsr.json", "shard.yml"),
)
"""Manifests that may say in one line what a package is."""


def introduction(store: Episodes, names: Sequence[str], root: Path | None) -> list[Passage]:
    """What the project is, in its own words: the opening of its README, else the description in its manifest.

    `names`: what the project is called, for a README that stands in a directory of that name. `root`: where the files
    are now. At most one passage, trimmed to the opening; none where nothing of the kind is indexed.
    """
    for beginning in ("README", "Readme", "readme", "ReadMe"):
        files = _by_file(each for each in store.passages_of(beginning, root=root) if "/" not in each.path)
        # README.md before README.de.md and README-VIM.md.
        for path in sorted((path for path in files if _is_readme(path)), key=lambda path: (path.count("."), len(path))):
            for passage in files[path][:OPENING_PASSAGES]:
                found = opening(passage, names)
                if found is not None:
                    return [found]
    for directory in dict.fromkeys([*names, ".github", "docs"]):
        for beginning in ("README.", "readme.", "Readme."):
            files = store.passages_of(f"{directory}/{beginning}", root=root)
            for passage in islice(files, OPENING_PASSAGES):
                found = opening(passage, names)
                if found is not None:
                    return [found]
    for place in ("", *(f"{name}/" for name in dict.fromkeys(names))):
        for manifest in MANIFESTS:
            for passage in store.passages_of(f"{place}{manifest}", root=root):
                match = _DESCRIPTION.search(passage.text) if passage.path == f"{place}{manifest}" else None
                if match is not None:
                    line = passage.text.count("\n", 0, match.start())
                    return [_lines_of(passage, line, line)]
    return []


def without(passages: Iterable[Passage], lead: Sequence[Passage]) -> list[Passage]:
    """The passages that do not show again what the lead shows."""

    def shown(passage: Passage) -> bool:
        (first, last) = passage.lines
        return any(
            (each.commit, each.path) == (passage.commit, passage.path)
            and (passage.commit is not None or (each.lines[0] <= last and first <= each.lines[1]))
            for each in lead
        )

    return [passage for passage in passages if not shown(passage)]


def opening(passage: Passage, names: Iterable[str] = ()) -> Passage | None:
    """The first prose of a passage, without what stands before it; None where it has none or is about something else.

    A paragraph that says what one of `names` is goes before a slogan. Further paragraphs follow as long as nothing else
    stands between, up to `OPENING_CHARACTERS` in all.
    """
    if any(_BESIDE.match(heading) for heading in passage.heading.split(" > ")):
        return None
    lines = passage.text.split("\n")
    paragraphs = list(_paragraphs(passage.text))
    if not paragraphs:
        return None
    called = "|".join(re.escape(name) for name in names)
    says = re.compile(rf"^\W*(?:the )?\W*(?:{called})\W+(?:is|are) (?:an?|the)\b", re.IGNORECASE) if called else None
    start = 0
    if says is not None:
        told = (says.match(_TAG.sub("", lines[first])) for first, _ in paragraphs)
        start = next((number for number, match in enumerate(told) if match), 0)
    first, last = paragraphs[start]
    for begin, end in paragraphs[start + 1 :]:
        between = "".join(lines[last + 1 : begin]).strip()
        if between or sum(len(line) + 1 for line in lines[first : end + 1]) > OPENING_CHARACTERS:
            break
        last = end
    return _lines_of(passage, first, last)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """First and last line of each paragraph of prose, from 0."""
    for pattern in (_COMMENT, _FENCE, _TAG):
        text = pattern.sub(lambda match: "\n" * match.group().count("\n"), text)
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    lines = text.split("\n")
    begin = 0
    for number in range(len(lines) + 1):
        if number < len(lines) and lines[number].strip():
            continue
        told = [
            place
            for place in range(begin, number)
            if not _NO_PROSE.match(lines[place]) and not (place + 1 < len(lines) and _UNDERLINE.match(lines[place + 1]))
        ]
        words = _WORD.findall(" ".join(lines[place] for place in told))
        if len(words) >= LEAST_WORDS and not _OF_ITSELF.match(lines[told[0]]):
            yield told[0], told[-1]
        begin = number + 1


def _lines_of(passage: Passage, first: int, last: int) -> Passage:
    """The lines `first` to `last`, from 0, of a passage; the lines that it cites follow."""
    lines = passage.text.split("\n")
    start = passage.lines[0]
    return replace(
        passage, text="\n".join(lines[first : last + 1]), lines=(start + first, min(start + last, passage.lines[1]))
    )


def _is_readme(path: str) -> bool:
    return path.partition(".")[0].lower() == "readme"


def _by_file(passages: Iterable[Passage]) -> dict[str, list[Passage]]:
    files: dict[str, list[Passage]] = {}
    for passage in passages:
        files.setdefault(passage.path, []).append(passage)
    return files
