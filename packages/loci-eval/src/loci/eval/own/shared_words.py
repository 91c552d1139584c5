"""Questions from words that two scopes share."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from .corpus import Asked, OwnQuestion

__all__ = ["SharedWords"]

SHARED_LEAST = 3
"""Passages of each of the two scopes that must hold a shared word."""

SHARED_SHARE = 0.9
"""Of all shares of a shared word over the scopes, the two must have this part."""

SHARED_BALANCE = 0.25
"""And the lesser of the two this part of the greater."""


class SharedWords:
    """Words that two scopes hold and hardly another one, as far as the questions asked so far had them."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[str]] = {}
        self._seen: set[str] = set()

    def learn(self, asked: Asked) -> None:
        for measurement in itertools.islice(asked.measured.values(), 1):
            for term in measurement.terms:
                if term.term in self._seen or len(term.holders) < 2 or not term.word.isalpha() or len(term.word) < 4:
                    continue
                self._seen.add(term.term)
                shares = {scope: measurement.share(term, scope) for scope in term.holders}
                first, second = sorted(shares, key=lambda scope: (-shares[scope], scope))[:2]
                enough = min(term.holders[first], term.holders[second]) >= SHARED_LEAST
                together = shares[first] + shares[second] >= SHARED_SHARE * sum(shares.values())
                if enough and together and shares[second] >= SHARED_BALANCE * shares[first]:
                    pair = (min(first, second), max(first, second))
                    self._found.setdefault(pair, []).append(term.word.lower())

    def questions(self, most: int) -> Iterator[OwnQuestion]:
        from loci.router import content_length

        for pair, words in sorted(self._found.items())[:most]:
            text = f"where is {' '.join(dict.fromkeys(words[:2]))} dealt with?"
            yield OwnQuestion("shared_terms", text, pair, pair[0], words=content_length(text))
