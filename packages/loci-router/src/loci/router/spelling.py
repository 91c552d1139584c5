"""Names that are nearly right: a word of a question that stands nowhere may be a project's name, misspelt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .calibration import MISSPELLINGS
from .question.text import fold


def distance(left: str, right: str, most: int) -> int:
    """The edits between two words: a letter more, less or another, or two neighbours swapped. Above `most`: `most + 1`.

    The restricted Damerau-Levenshtein distance: no letters are changed again between two that were swapped.
    """
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, start=1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(right, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:
            return most + 1
    return min(row[-1], most + 1)


def misspelt(word: str, names: Mapping[str, Iterable[str]]) -> str | None:
    """The only scope one of whose `names` the word nearly is; None when there is none, or more than one.

    Case, hyphens, underscores and dots do not count, as they do not when a name is spelled right.
    """
    asked = _joined(word)
    letters_asked = frozenset(asked)
    most = next((edits for letters, edits in MISSPELLINGS if len(asked) >= letters), 0)
    if most == 0:
        return None

    def nearly(name: str) -> bool:
        joined = _joined(name)
        # An edit takes away one letter and brings another: words with more foreign letters need no comparison.
        if abs(len(joined) - len(asked)) > most or len(letters_asked.symmetric_difference(joined)) > 2 * most:
            return False
        return 0 < distance(asked, joined, most) <= most

    found = {scope for scope, spellings in names.items() if any(map(nearly, spellings))}
    return found.pop() if len(found) == 1 else None


def _joined(name: str) -> str:
    return "".join(letter for letter in fold(name) if letter.isalnum())
