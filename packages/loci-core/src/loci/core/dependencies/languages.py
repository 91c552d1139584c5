"""Which programming languages a project is written in, by the endings of its files.

Counted when what a project mentions is collected, over the files that git lists less what is vendored, generated or
minified. Markup, data and documents are no programming languages here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from loci.core.notes import SourceFiles

_HEADER = ".h"  # of C, C++ or Objective-C: it is counted for the one that the project has more files of

SHOWN = 4


@cache
def _by_ending() -> dict[str, str]:
    from loci.episodes import languages

    return {ending: language for language, endings in languages().items() for ending in endings}


def count_languages(endings: Mapping[str, int]) -> dict[str, int]:
    """Files by language, most first. `endings`: number of files by lower-case ending.

    >>> count_languages({".go": 3, ".h": 2, ".c": 1, ".md": 9})
    {'C': 3, 'Go': 3}
    """
    counts: dict[str, int] = {}
    for ending, files in endings.items():
        language = _by_ending().get(ending)
        if language is not None and files:
            counts[language] = counts.get(language, 0) + files
    headers = endings.get(_HEADER, 0)
    if headers:
        owner = max(("C", "C++", "Objective-C"), key=lambda language: counts.get(language, 0))
        counts[owner] = counts.get(owner, 0) + headers
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def source_files(counts: Mapping[str, int], asked: Iterable[str] = ()) -> SourceFiles | None:
    """How much of a project is in each language, or in those asked about; None where nothing was counted.

    >>> source_files({"C": 8, "Python": 2}).describe()
    'source files: C 8 (80 %), Python 2 (20 %)'
    >>> source_files({"C": 8, "Python": 2}, ["Python"]).describe()
    'Python: 2 of 10 source files (20 %)'
    """
    total = sum(counts.values())
    if not total:
        return None
    wanted = list(asked)
    wanted = [language for language in wanted if counts.get(language)] or wanted[:1]
    if wanted:
        return SourceFiles(tuple((language, counts.get(language, 0)) for language in wanted), total, True, False)
    return SourceFiles(tuple(list(counts.items())[:SHOWN]), total, False, len(counts) > SHOWN)
