"""Cutting an answer to its budget: every citation stays, its text is cut to a verbatim excerpt around what was asked.

A token is taken as four characters, or one character of a script written without spaces.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

CHARACTERS_PER_TOKEN = 4
UNITS_PER_TOKEN = CHARACTERS_PER_TOKEN  # Costs are counted in quarter tokens, so that they stay whole numbers.
RANK_OFFSET = 2.0  # Weight of rank r is 1 / (r + this): the first gets about three times what the fifth gets.

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\Wa-zA-Z\d_]+")


@dataclass(frozen=True)
class Excerpt:
    """A contiguous piece of a text. `first`, `last`: its lines inside the text, counted from 0."""

    text: str
    first: int
    last: int
    cut: bool


def cost(text: str) -> int:
    """What a text costs, in quarter tokens."""
    return len(text) + (CHARACTERS_PER_TOKEN - 1) * len(_UNSPACED.findall(text))


def tokens(text: str) -> int:
    """What a text costs, in tokens, rounded up.

    >>> tokens("four characters make a token"), tokens("認証")
    (7, 2)
    """
    return -(-cost(text) // UNITS_PER_TOKEN)


def share(costs: Sequence[int], weights: Sequence[float], budget: int) -> list[int]:
    """Divides `budget` among texts by weight; what a short text does not need goes to the others.

    All in quarter tokens. Each gets at most its cost; the sum never exceeds the budget.
    """
    given = [0] * len(costs)
    hungry = [i for i, need in enumerate(costs) if need > 0 and weights[i] > 0]
    left = max(budget, 0)
    if sum(costs) <= left:
        return list(costs)
    while hungry:
        total = sum(weights[i] for i in hungry)
        satisfied = [i for i in hungry if costs[i] <= left * weights[i] / total]
        if not satisfied:
            for i in hungry:
                given[i] = math.floor(left * weights[i] / total)
            break
        for i in satisfied:
            given[i] = costs[i]
        left -= sum(costs[i] for i in satisfied)
        hungry = [i for i in hungry if i not in satisfied]
    return given


def cut(texts: Sequence[Sequence[str]], question: str, budget: int) -> list[list[Excerpt]]:
    """Cuts the texts of an answer, one list per scope in rank order, to `budget` tokens in all.

    The lists keep their lengths. A text whose share cannot hold a word becomes "" and keeps its first line number.
    """
    flat = [(rank, text) for block in texts for rank, text in enumerate(block)]
    shares = share(
        [cost(text) for _, text in flat],
        [1.0 / (rank + RANK_OFFSET) for rank, _ in flat],
        budget * UNITS_PER_TOKEN,
    )
    weights = _term_weights(question, [text for _, text in flat])
    excerpts = iter([excerpt(text, weights, limit) for (_, text), limit in zip(flat, shares, strict=True)])
    return [[next(excerpts) for _ in block] for block in texts]


def excerpt(text: str, weights: dict[str, float], limit: int) -> Excerpt:
    """The contiguous lines of `text` that cost at most `limit` quarter tokens and hold most of the weighted terms.

    Of equally good places the earliest is taken. When not even the best line fits, it is cut at word borders.
    """
    lines = text.split("\n")
    if cost(text) <= limit:
        return Excerpt(text, 0, len(lines) - 1, cut=False)
    if limit <= 0:
        return Excerpt("", 0, 0, cut=True)
    found = [{word for word in _words(line) if word in weights} for line in lines]
    costs = [cost(line) + 1 for line in lines]  # with the line break
    best: tuple[float, int, int] | None = None
    start, spent = 0, -1  # the last line of an excerpt has no break
    counts: dict[str, int] = {}
    value = 0.0
    for end in range(len(lines)):
        spent += costs[end]
        for word in found[end]:
            counts[word] = counts.get(word, 0) + 1
            # Further mentions of a word say little more; the first says what the place is about.
            value += weights[word] if counts[word] == 1 else weights[word] / 8
        while spent > limit and start <= end:
            for word in found[start]:
                counts[word] -= 1
                value -= weights[word] if counts[word] == 0 else weights[word] / 8
            spent -= costs[start]
            start += 1
        # Blank edges are no reason to prefer a place.
        if start <= end and lines[start].strip() and (best is None or value > best[0] + 1e-9):
            best = (value, start, end)
    whole_line = best[0] if best is not None else -1.0
    long_line = max(
        (i for i in range(len(lines)) if costs[i] - 1 > limit),
        key=lambda i: (sum(weights[word] for word in found[i]), -i),
        default=None,
    )
    if long_line is not None and (best is None or sum(weights[w] for w in found[long_line]) > 2 * whole_line + 1e-9):
        piece = _inside_line(lines[long_line], weights, limit)
        return Excerpt(piece, long_line, long_line, cut=True)
    if best is None:
        return Excerpt("", 0, 0, cut=True)
    _, first, last = best
    # The window ends at the line that completed its value; what is left of the share shows what follows, then what
    # precedes.
    spent = sum(costs[first : last + 1]) - 1
    while last + 1 < len(lines) and spent + costs[last + 1] <= limit:
        last += 1
        spent += costs[last]
    while first > 0 and spent + costs[first - 1] <= limit:
        first -= 1
        spent += costs[first]
    while last > first and not lines[last].strip():
        last -= 1
    while first < last and not lines[first].strip():
        first += 1
    return Excerpt("\n".join(lines[first : last + 1]), first, last, cut=True)


def _inside_line(line: str, weights: dict[str, float], limit: int) -> str:
    """A piece of one long line around its heaviest word, begun and ended at word borders where there are any."""
    hits = [
        (m.start(), m.end(), max((weights.get(w, 0.0) for w in _words(m[0])), default=0.0))
        for m in _WORD.finditer(line)
    ]
    heaviest = max(hits, key=lambda hit: hit[2], default=None)
    start = 0
    if heaviest is not None and heaviest[2] > 0:
        start = max(0, heaviest[0] - limit // 3)
        if start > 0:
            border = line.find(" ", start, heaviest[0])
            start = border + 1 if border >= 0 else start
    spent, end = 0, start
    while end < len(line):
        spent += cost(line[end])
        if spent > limit:
            break
        end += 1
    if end < len(line):
        border = line.rfind(" ", start, end + 1)
        end = border if border > start else end
    return line[start:end].strip()


def _term_weights(question: str, texts: Sequence[str]) -> dict[str, float]:
    """The question's words, each worth more the fewer of the texts hold it; function words so weigh next to nothing."""
    asked = set(_words(question))
    held = [set(_words(text)) & asked for text in texts]
    number = len(texts)
    return {word: math.log((number + 1) / (sum(word in words for words in held) + 0.5)) for word in asked if word}


def _words(text: str) -> list[str]:
    words = []
    for match in _WORD.finditer(text if text.isascii() else unicodedata.normalize("NFKC", text)):
        raw = match[0]
        if _UNSPACED.search(raw):
            words.extend(raw[i : i + 2] for i in range(max(len(raw) - 1, 1)))
            continue
        words.append(_root(raw.lower()))
        if not raw.islower() and not raw.isupper():
            parts = _HUMP.findall(raw)
            if len(parts) > 1:
                words.extend(_root(part.lower()) for part in parts)
    return words


def _root(word: str) -> str:
    """Folds the commonest English endings; only where to cut an excerpt hangs on it, not what is found."""
    for ending in ("ings", "ing", "ied", "ies", "ers", "ed", "es", "er", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            # "dropped" and "drop" meet.
            return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and ending != "s" else stem
    return word
