"""Cutting an answer to its budget: every citation stays, its text is cut to a verbatim excerpt around what was asked.

An excerpt of a few words says nothing and costs the others their room, so a text that cannot have a useful one is left
out whole.

A token is taken as four characters, or one character of a script written without spaces.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

CHARACTERS_PER_TOKEN = 4
UNITS_PER_TOKEN = CHARACTERS_PER_TOKEN  # Costs are counted in quarter tokens, so that they stay whole numbers.
LEAST_TOKENS = 40  # Two or three lines: what an excerpt needs to be worth reading.
RESERVED_TOKENS = 60  # Set aside for each text that is shown; cutting at lines and words loses some of it.
RESERVED_FRACTION = 0.6  # Of the budget; the rest goes by rank. 2,000 tokens show 20 texts.
LONG_WORD = 40  # Characters; what is longer is no word, and may be cut.
RANK_OFFSET = 2.0  # Weight of rank r is 1 / (r + this): the first gets about three times what the fifth gets.

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Excerpt:
    """A contiguous piece of a text. `first`, `last`: its lines inside the text, counted from 0."""

    text: str
    first: int
    last: int
    cut: bool


class Asked:
    """What a question asks for, in the texts of one answer.

    Terms are those of the index, so an excerpt is cut around the words that found it.

    Attributes:
        lines: per text, per line, the numbers of the question's terms in it.
        weights: per term; one that fewer of the texts hold is worth more.

    """

    def __init__(self, question: str, texts: Sequence[str]) -> None:
        from loci.episodes import question_lines

        self._question = encodable(question)
        self._find = question_lines
        terms, self.lines = question_lines(self._question, [encodable(text) for text in texts])
        held = [{term for line in lines for term in line} for lines in self.lines]
        self.weights = [
            math.log((len(texts) + 1) / (sum(term in each for each in held) + 0.5)) for term in range(len(terms))
        ]

    def worth(self, words: Sequence[str]) -> list[float]:
        """What each of some words, which hold no line break, is worth; 0 for what was not asked."""
        _, found = self._find(self._question, [encodable(word) for word in words])
        return [max((self.weights[term] for line in lines for term in line), default=0.0) for lines in found]


def encodable(text: str) -> str:
    """The text for the kernel: a lone surrogate (an argument that is no UTF-8) becomes "?"; lines and lengths stay."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def cost(text: str) -> int:
    """What a text costs, in quarter tokens."""
    return len(text) + (CHARACTERS_PER_TOKEN - 1) * len(_UNSPACED.findall(text))


def tokens(text: str) -> int:
    """What a text costs, in tokens, rounded up.

    >>> tokens("four characters make a token"), tokens("認証")
    (7, 2)
    """
    return -(-cost(text) // UNITS_PER_TOKEN)


def share(costs: Sequence[int], weights: Sequence[float], budget: int, least: Sequence[int] | None = None) -> list[int]:
    """Divides `budget` among texts by weight; what a short text does not need goes to the others.

    All in quarter tokens. Each gets at most its cost and not less than its `least` (default 0), whose sum must lie
    within the budget; the sum never exceeds the budget.
    """
    low = [0] * len(costs) if least is None else [min(a, b) for a, b in zip(least, costs, strict=True)]
    budget = max(budget, 0)
    if sum(costs) <= budget:
        return list(costs)

    def given(level: float) -> list[int]:
        return [
            max(floor, min(need, math.floor(level * weight)))
            for need, weight, floor in zip(costs, weights, low, strict=True)
        ]

    # The level at which the weights fill the budget, by bisection: only the level 0 is known to stay within it.
    below, above = 0.0, 2.0 * (budget + 1) / min((weight for weight in weights if weight > 0), default=1.0)
    for _ in range(60):
        middle = (below + above) / 2
        if sum(given(middle)) <= budget:
            below = middle
        else:
            above = middle
    return given(below)


def cut(
    texts: Sequence[Sequence[str]], question: str, budget: int, ceilings: Sequence[float] | None = None
) -> list[list[Excerpt]]:
    """Cuts the texts of an answer, one list per scope in rank order, to `budget` tokens in all.

    The lists keep their lengths. A text is whole, or an excerpt of at least `LEAST_TOKENS`, or "". Where not all fit,
    texts are taken in rank order, one of each scope in turn; better ranks and earlier scopes get more. `ceilings`: the
    most that each scope gets while others want more, as a fraction of the budget (default 1).
    """
    limit = budget * UNITS_PER_TOKEN
    costs = [[cost(text) for text in block] for block in texts]
    asked = Asked(question, [text for block in texts for text in block])
    if sum(map(sum, costs)) <= limit:
        shares = costs
    else:
        most = [math.floor(limit * ceiling) for ceiling in (ceilings or [1.0] * len(texts))]
        shares = _fill(costs, _reserve(costs, limit, most), limit, most)
    numbers = itertools.count()
    return [
        [_useful(text, asked, next(numbers), units) for text, units in zip(block, given, strict=True)]
        for block, given in zip(texts, shares, strict=True)
    ]


def _reserve(costs: list[list[int]], limit: int, most: list[int]) -> list[list[int]]:
    """What is set aside for each text so that it can be useful; 0 for one that is left out."""
    reserved = [[0] * len(block) for block in costs]
    spent = [0] * len(costs)
    # A small budget is spent on a few texts; of a large one the better ranks shall have something to grow by.
    reservable = max(limit * RESERVED_FRACTION, min(limit, 4 * RESERVED_TOKENS * UNITS_PER_TOKEN))
    open_blocks = {number for number, block in enumerate(costs) if block}
    for rank in range(max(map(len, costs), default=0)):
        for number in sorted(open_blocks):
            if rank >= len(costs[number]):
                open_blocks.discard(number)
                continue
            room = min(limit - sum(spent), most[number] - spent[number])
            need = costs[number][rank]
            least = min(need, LEAST_TOKENS * UNITS_PER_TOKEN)
            wanted = min(need, RESERVED_TOKENS * UNITS_PER_TOKEN, max(room, least))
            if wanted > room or sum(spent) + wanted > reservable:
                open_blocks.discard(number)
                continue
            reserved[number][rank] = wanted
            spent[number] += wanted
    return reserved


def _fill(costs: list[list[int]], reserved: list[list[int]], limit: int, most: list[int]) -> list[list[int]]:
    """Divides the whole budget among the texts that something was set aside for."""
    result = [[0] * len(block) for block in costs]
    pending = set(range(len(costs)))

    def divide(numbers: set[int], units: int) -> dict[int, list[int]]:
        places = [(n, r) for n in sorted(numbers) for r, least in enumerate(reserved[n]) if least]
        given = share(
            [costs[n][r] for n, r in places],
            [1.0 / (r + RANK_OFFSET) / (n + RANK_OFFSET) for n, r in places],
            units,
            [reserved[n][r] for n, r in places],
        )
        blocks = {n: [0] * len(costs[n]) for n in numbers}
        for (n, r), got in zip(places, given, strict=True):
            blocks[n][r] = got
        return blocks

    while pending:
        blocks = divide(pending, limit)
        above = {number for number in pending if sum(blocks[number]) > most[number]}
        for number in above or pending:
            result[number] = divide({number}, most[number])[number] if above else blocks[number]
            limit -= sum(result[number])
        pending -= above or pending
    return result


def _useful(text: str, asked: Asked, number: int, limit: int) -> Excerpt:
    piece = excerpt(text, asked, number, limit)
    if piece.cut and cost(piece.text) < LEAST_TOKENS * UNITS_PER_TOKEN:
        return Excerpt("", 0, text.count("\n"), cut=True)
    return piece


def excerpt(text: str, asked: Asked, number: int, limit: int) -> Excerpt:
    """The contiguous lines of `text` that cost at most `limit` quarter tokens and hold most of what was asked.

    `number`: the place of `text` among the texts that `asked` was made of.

    Of equally good places the earliest is taken. When not even the best line fits, it is cut at word borders.
    """
    lines = text.split("\n")
    if cost(text) <= limit:
        return Excerpt(text, 0, len(lines) - 1, cut=False)
    if limit <= 0:
        return Excerpt("", 0, 0, cut=True)
    found, weights = asked.lines[number], asked.weights
    costs = [cost(line) + 1 for line in lines]  # with the line break
    best: tuple[float, int, int] | None = None
    start, spent = 0, -1  # the last line of an excerpt has no break
    counts: dict[int, int] = {}
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
        piece = _inside_line(lines[long_line], asked, limit)
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
    piece = "\n".join(lines[first : last + 1])
    # A short line (a heading) before a paragraph that stands on one long line: begin the paragraph.
    following = last + 1
    while following < len(lines) and not lines[following].strip():
        following += 1
    if cost(piece) < LEAST_TOKENS * UNITS_PER_TOKEN and following < len(lines):
        between = "\n" * (following - last)
        begun = _beginning(lines[following], limit - cost(piece) - len(between))
        if begun:
            return Excerpt(piece + between + begun, first, following, cut=True)
    return Excerpt(piece, first, last, cut=True)


def _beginning(line: str, limit: int) -> str:
    """What of a line fits, ended at a word border where that costs less than half of it, or just a word."""
    spent, end = 0, 0
    while end < len(line):
        spent += cost(line[end])
        if spent > limit:
            break
        end += 1
    if end < len(line):
        border = line.rfind(" ", 0, end + 1)
        if line[: max(border, 0)].strip() and (border > end // 2 or end - border <= LONG_WORD):
            end = border
    return line[:end].rstrip()


def _inside_line(line: str, asked: Asked, limit: int) -> str:
    """A piece of one long line around its heaviest word, begun and ended at word borders where there are any."""
    words = list(_WORD.finditer(line))
    worth = asked.worth([match[0] for match in words])
    hits = [(match.start(), match.end(), value) for match, value in zip(words, worth, strict=True)]
    heaviest = max(hits, key=lambda hit: hit[2], default=None)
    start = 0
    if heaviest is not None and heaviest[2] > 0:
        start = max(0, heaviest[0] - limit // 3)
        if start > 0:
            border = line.find(" ", start, heaviest[0])
            start = border + 1 if border >= 0 else start
    piece = _beginning(line[start:], limit)
    if start > 0 and start + len(piece) >= len(line.rstrip()):
        # The line ends before the limit is reached: take more of what precedes.
        spent = cost(piece)
        while start > 0 and spent + cost(line[start - 1]) <= limit:
            start -= 1
            spent += cost(line[start])
        border = line.find(" ", start)
        if start > 0 and 0 <= border - start < len(line[start:]) // 2:
            start = border + 1
        piece = line[start:]
    return piece.strip()
