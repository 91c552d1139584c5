"""Direct answers: passages that a question asks for by what they are, not by their words. They come first.

The opening of a README says what a project is, and hardly ever in the words "what does this project do". What the
question asks for is read by the router (`Question.request`); here it is found in the segment, by its place.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from loci.core.notes import NewestTag, Note

if TYPE_CHECKING:
    from loci.episodes import Episodes, Passage
    from loci.router import Intent, Request

MOST_COMMITS = 50
"""However many a question asks for."""
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
SECTION_PASSAGES = 3
BEGINNING_CHARACTERS = 1200
"""A section of a changelog is shown from its beginning: an excerpt around the word "release" says nothing."""
CHANGELOG_PASSAGES = 300
TAGS_SHOWN = 3
RELEASE_COMMITS = 400
"""Among so many of the latest commits the one of the newest release is looked for."""
HISTORY_READ = 600
"""Of the end of the history so much is sorted by author time."""

_VERSION = re.compile(
    r"(?:^|[^\w.])v?(\d+(?:\.\d+)+(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)\d*)?)(?![\w.]*\.(?:x|py|md)\b)"
)
_AHEAD = re.compile(
    r"\bunreleased\b|\bnot (?:yet )?released\b|\bupcoming\b|^HEAD$|\bin development\b|\b(?:to be|next) released?\b",
    re.IGNORECASE | re.MULTILINE,
)
_RELEASES = re.compile(
    r"(?:\w+(?:\([\w-]+\))?!?: )?"
    r"(?:(?:release|releases|released|releasing|version|bump|bumped|prepare|cut|tag|publish|set|start)\b.{0,30}?)?"
    r"\bv?\d+(?:\.\d+)+[\w.-]*\W*(?:release[ds]?|\(#\d+\))?\W*$",
    re.IGNORECASE,
)
_DEPENDENCY = re.compile(r"\bfrom\b|->|\bdeps?\b|\bdependenc", re.IGNORECASE)  # "bump actions/checkout from 6 to 7"
_MERGES = re.compile(r"Merge (?:pull request|branch|remote|tag|commit|PR)\b", re.IGNORECASE)


@dataclass(frozen=True)
class ProjectFiles:
    """Where direct answers are looked for: a project's segment, its names, where its files are now, and its tags.

    `tags` reads commit -> names of tags.
    """

    store: Episodes
    names: Sequence[str]
    root: Path | None
    tags: Callable[[], Mapping[str, Sequence[str]]]


def asked_for(request: Request, intent: Intent, place: ProjectFiles, k: int) -> tuple[list[Passage], list[Note]]:
    """What the request asks for by its place, best first, and notes on it; `k` commits where it gives no number."""
    if request.kind == "overview":
        return introduction(place.store, place.names, place.root), []
    if request.kind == "release":
        return newest_release(place.store, place.root, place.tags(), event=intent.date)
    if request.kind == "changes":
        return newest_commits(place.store, k if request.count is None else min(request.count, MOST_COMMITS)), []
    return [], []


def introduction(store: Episodes, names: Sequence[str], root: Path | None) -> list[Passage]:
    """What the project is, in its own words: the opening of its README, else the description in its manifest.

    `names`: what the project is called, for a README that stands in a directory of that name. `root`: where the files
    are now. At most one passage, trimmed to the opening; none where nothing of the kind is indexed.
    """
    from loci.episodes import manifests

    for beginning in ("README", "Readme", "readme", "ReadMe"):
        files = _by_file(each for each in store.passages_of(beginning) if "/" not in each[1].path)
        # README.md before README.de.md and README-VIM.md.
        for path in sorted((path for path in files if _is_readme(path)), key=lambda path: (path.count("."), len(path))):
            for number, passage in files[path][:OPENING_PASSAGES]:
                if opening(passage, names) is not None:
                    return _shown(opening(store.passage(number, root=root), names))
    for directory in dict.fromkeys([*names, ".github", "docs"]):
        for beginning in ("README.", "readme.", "Readme."):
            for number, passage in islice(store.passages_of(f"{directory}/{beginning}"), OPENING_PASSAGES):
                if opening(passage, names) is not None:
                    return _shown(opening(store.passage(number, root=root), names))
    for place in ("", *(f"{name}/" for name in dict.fromkeys(names))):
        for manifest in (each.name for each in manifests() if each.summary):
            for number, passage in store.passages_of(f"{place}{manifest}"):
                match = _DESCRIPTION.search(passage.text) if passage.path == f"{place}{manifest}" else None
                if match is not None:
                    line = passage.text.count("\n", 0, match.start())
                    return [_lines_of(store.passage(number, root=root), line, line)]
    return []


def newest_release(
    store: Episodes, root: Path | None, tags: Mapping[str, Sequence[str]], *, event: bool
) -> tuple[list[Passage], list[Note]]:
    """The newest release: its section of the changelog and its commit, and a note that names the newest tag.

    What stands above it as not released yet follows. `tags`: commit -> names. `event`: the commit, which has a date,
    comes first; it also does where it is of a later version than the changelog. Both are empty where the project keeps
    neither a changelog by versions nor commits that release.
    """
    version, numbers = _newest_section(store)
    section = [beginning(store.passage(number, root=root)) for number in numbers]
    recent = _newest_commits(store, RELEASE_COMMITS)
    tagged = next((each for each in recent if each.commit in tags), None)
    commit = tagged or next((each for each in recent if _is_release(each.heading)), None)
    notes: list[Note] = []
    if tagged is not None and tagged.commit is not None and tagged.time is not None:
        names = tags[tagged.commit]
        day = time.strftime("%Y-%m-%d", time.gmtime(tagged.time))
        more = max(0, len(names) - TAGS_SHOWN)
        notes.append(NewestTag(tuple(names[:TAGS_SHOWN]), more, tagged.commit[:10], day))
        event = event or version < max(_version(name) or () for name in names)
    commits = [] if commit is None else [commit]
    return [*commits, *section] if event else [*section, *commits], notes


def newest_commits(store: Episodes, limit: int) -> list[Passage]:
    """The commits of the latest author time, latest first; merges only where there is nothing else."""
    recent = _newest_commits(store, max(limit, 1) * 4)
    return ([each for each in recent if not _MERGES.match(each.heading)] or recent)[:limit]


def _newest_commits(store: Episodes, limit: int) -> list[Passage]:
    counts = store.passages
    total = sum(counts.values())
    # History is stored from its beginning on; author times go back and forth a little, by what was merged or rebased.
    reach = min(counts["commit"], max(limit, HISTORY_READ))
    found = [each for each in store.all_passages(total - reach, total) if each.time is not None]
    found.sort(key=lambda each: -(each.time or 0))
    return found[:limit]


def _newest_section(store: Episodes) -> tuple[tuple[int, ...], list[int]]:
    """The version of the newest release in a changelog, and the numbers of its passages; () and [] without one."""
    best: tuple[tuple[int, ...], list[int]] = ((), [])
    changelogs = store.changelogs()
    for place in ("", "docs/", "doc/"):
        for path, first, stop in changelogs:
            if path.startswith(place) and "/" not in path.removeprefix(place):
                passages = store.all_passages(first, min(stop, first + CHANGELOG_PASSAGES))
                best = max(best, _section_of(list(enumerate(passages, first))), key=lambda found: found[0])
        if best[0]:
            break
    return best


def _section_of(passages: Sequence[tuple[int, Passage]]) -> tuple[tuple[int, ...], list[int]]:
    """The newest release of one changelog: its version and passages, then the first of what is not released yet."""
    sections: list[tuple[tuple[int, ...], list[int], bool]] = []
    before = ""
    for number, passage in passages:
        heading = next((each for each in passage.heading.split(" > ") if _version(each) or _is_ahead(each)), "")
        if heading and heading != before:
            before = heading
            ahead = _is_ahead("\n".join([heading, *passage.text.split("\n")[:6]]))
            sections.append((_version(heading) or (), [], ahead))
        if heading:
            sections[-1][1].append(number)
    versions = [version for version, _, _ in sections if version]
    if not versions:
        # Without headings: the newest stands at the beginning, if versions are named there at all.
        named = _versions("\n".join(passages[0][1].text.split("\n")[:6]))
        return (max(named), [passages[0][0]]) if named else ((), [])
    if versions[0] < versions[-1]:  # written from the oldest on
        sections.reverse()
    released = [(version, numbers) for version, numbers, ahead in sections if version and not ahead][:1]
    next_one = [numbers[0] for _, numbers, ahead in sections if ahead][:1]
    if not released:
        return versions[0], next_one
    version, numbers = released[0]
    return version, [*numbers[:SECTION_PASSAGES], *next_one]


def _is_release(subject: str) -> bool:
    return _RELEASES.match(subject) is not None and _DEPENDENCY.search(subject) is None


def _version(heading: str) -> tuple[int, ...] | None:
    return next(iter(_versions(heading)), None)


def _versions(text: str) -> list[tuple[int, ...]]:
    return [tuple(int(part) for part in re.findall(r"\d+", found)[:4]) for found in _VERSION.findall(text)]


def _is_ahead(text: str) -> bool:
    return _AHEAD.search(text) is not None


def beginning(passage: Passage, first: int = 0) -> Passage:
    """A passage from its line `first` (from 0) on, as far as an answer is likely to have room for it."""
    lines = passage.text.split("\n")
    spent, last = 0, first
    for number, line in enumerate(lines[first:], start=first):
        spent += len(line) + 1
        if number > first and spent > BEGINNING_CHARACTERS:
            break
        last = number
    return _lines_of(passage, first, last)


def without(passages: Iterable[Passage], first: Sequence[Passage]) -> list[Passage]:
    """The passages that do not show again what the first ones show."""

    def shown(passage: Passage) -> bool:
        (begin, end) = passage.lines
        return any(
            (each.commit, each.path) == (passage.commit, passage.path)
            and (passage.commit is not None or (each.lines[0] <= end and begin <= each.lines[1]))
            for each in first
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


def _by_file(passages: Iterable[tuple[int, Passage]]) -> dict[str, list[tuple[int, Passage]]]:
    files: dict[str, list[tuple[int, Passage]]] = {}
    for number, passage in passages:
        files.setdefault(passage.path, []).append((number, passage))
    return files


def _shown(passage: Passage | None) -> list[Passage]:
    return [] if passage is None else [passage]
