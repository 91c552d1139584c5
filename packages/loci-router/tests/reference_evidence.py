"""The scores in plain Python: slow, written from the formulas, the oracle of the kernel.

Every quantity is computed directly from its definition over lists of tokens: no postings, no shortcuts for passages
that do not match, no single precision. `ReferenceIndex` is also a complete `Index`, so the router is tested on it
without the kernel.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from loci.router import Measurement, PassageReference, ScopeMeasure, TermMeasure

TAU = 2.5
PAIR_WEIGHT = 0.2
K1 = 1.2
PLAIN_K1 = 0.9
PLAIN_B = 0.4

# A term with the content position it stands at.
Token = tuple[str, int]
Tokenize = Callable[[str], list[Token]]

STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "have",
        "how",
        "i",
        "if",
        "in",
        "is",
        "it",
        "my",
        "never",
        "of",
        "on",
        "or",
        "the",
        "this",
        "to",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "with",
    ]
)


def simple_tokenize(text: str) -> list[Token]:
    """Lower-cased words without stop words, no stemming: enough to test decisions with."""
    words = [word for word in re.findall(r"[^\W_]+", text.lower()) if word not in STOP]
    return [(word, position) for position, word in enumerate(words)]


@dataclass(frozen=True)
class Passage:
    """One passage: its kind and the texts of its three fields."""

    kind: str  # "documents", "source", "commits"
    body: str
    head: str = ""
    path: str = ""


class ReferenceIndex:
    """An `Index` over passages in memory."""

    def __init__(self, scopes: Mapping[str, Iterable[Passage]], tokenize: Tokenize = simple_tokenize) -> None:
        self._tokenize = tokenize
        self._passages = {scope: list(passages) for scope, passages in sorted(scopes.items())}
        self._generation = 1
        self._prepare()

    @classmethod
    def from_texts(cls, texts: Mapping[str, Iterable[str]], tokenize: Tokenize = simple_tokenize) -> ReferenceIndex:
        return cls(
            {scope: [Passage("documents", text) for text in passages] for scope, passages in texts.items()}, tokenize
        )

    @property
    def scopes(self) -> list[str]:
        return sorted(self._passages)

    @property
    def generation(self) -> int:
        return self._generation

    def describe(self, scope: str, passage: int) -> str:
        return f"{scope} passage {passage}"

    def _prepare(self) -> None:
        self._fields = {
            scope: [{name: self._tokenize(getattr(p, name)) for name in ("body", "head", "path")} for p in passages]
            for scope, passages in self._passages.items()
        }
        self._count = sum(map(len, self._passages.values()))

        def length(tokens: list[Token]) -> int:
            # Joined forms share a position with their parts and lengthen nothing.
            return len({position for _, position in tokens})

        self._lengths = {
            scope: [{name: length(tokens) for name, tokens in fields.items()} for fields in passages]
            for scope, passages in self._fields.items()
        }
        self._average = {
            name: (
                sum(lengths[name] for all_ in self._lengths.values() for lengths in all_) / self._count
                if self._count
                else 0.0
            )
            or 1.0
            for name in ("body", "head", "path")
        }

    # -- statistics ---------------------------------------------------------------------------------------------------

    def _balanced(self, holders: Mapping[str, int]) -> float:
        """N times the mean share of passages: a document frequency in which every scope weighs the same."""
        shares = [holders.get(scope, 0) / max(len(passages), 1) for scope, passages in self._passages.items()]
        return self._count * sum(shares) / max(len(shares), 1)

    def _idf(self, frequency: float) -> float:
        return math.log(1.0 + (self._count - frequency + 0.5) / (frequency + 0.5))

    def measure(self, question: str) -> Measurement:
        tokens = self._tokenize(question)
        wanted = Counter(term for term, _ in tokens)
        order = list(dict.fromkeys(term for term, _ in tokens))
        pairs = sorted({(min(a, b), max(a, b)) for a, p in tokens for b, q in tokens if q - p == 1 and a != b})

        def holds(fields: Mapping[str, list[Token]], term: str) -> bool:
            return any(token == term for name in ("body", "head", "path") for token, _ in fields[name])

        holders = {
            term: {scope: n for scope, passages in self._fields.items() if (n := sum(holds(p, term) for p in passages))}
            for term in order
        }
        idf = {term: self._idf(self._balanced(holders[term])) for term in order}
        plain_idf = {term: self._idf(sum(holders[term].values())) for term in order}

        near = {
            scope: [{pair: _near(fields["body"], pair) for pair in pairs} for fields in passages]
            for scope, passages in self._fields.items()
        }
        pair_idf = {
            pair: self._idf(
                self._balanced({scope: sum(counts[pair] > 0 for counts in all_) for scope, all_ in near.items()})
            )
            for pair in pairs
        }

        background: dict[str, float] = {}
        totals: dict[str, int] = {}
        counts: dict[str, Counter[str]] = {}
        for scope, passages in self._fields.items():
            counts[scope] = Counter(token for fields in passages for token, _ in fields["body"])
            totals[scope] = sum(lengths["body"] for lengths in self._lengths[scope])
        for term in order:
            background[term] = sum(counts[s][term] / max(totals[s], 1) for s in self._fields) / max(
                len(self._fields), 1
            )

        measures: dict[str, ScopeMeasure] = {}
        for scope, passages in self._fields.items():
            single, pair_scores, plain = [], [], []
            for number, fields in enumerate(passages):
                lengths = self._lengths[scope][number]
                score = plain_score = 0.0
                for term in order:
                    tf = {name: sum(token == term for token, _ in fields[name]) for name in ("body", "head", "path")}
                    norm = {name: lengths[name] / self._average[name] for name in ("body", "head", "path")}
                    f = (
                        tf["body"] / (1 - 0.75 + 0.75 * norm["body"])
                        + tf["head"] / (1 - 0.3 + 0.3 * norm["head"])
                        + 0.5 * tf["path"] / (1 - 0.3 + 0.3 * norm["path"])
                    )
                    score += idf[term] * (K1 + 1) * f / (f + K1)
                    g = tf["body"] / (1 - PLAIN_B + PLAIN_B * norm["body"]) + tf["path"] / (
                        1 - 0.3 + 0.3 * norm["path"]
                    )
                    plain_score += plain_idf[term] * (PLAIN_K1 + 1) * g / (g + PLAIN_K1)
                single.append(score)
                plain.append(plain_score)
                pair_scores.append(
                    sum(pair_idf[pair] * (K1 + 1) * n / (n + K1) for pair, n in near[scope][number].items() if n)
                )
            full = [s + PAIR_WEIGHT * b for s, b in zip(single, pair_scores, strict=True)]
            kinds = [passage.kind for passage in self._passages[scope]]

            def of_kind(kind: str, kinds: list[str] = kinds, single: list[float] = single) -> float:
                return _log_mean_exp([s for s, k in zip(single, kinds, strict=True) if k == kind])

            def language(mass: float, scope: str = scope) -> float:
                return sum(
                    wanted[term]
                    * math.log(
                        (counts[scope][term] + mass * background[term]) / ((totals[scope] + mass) * background[term])
                    )
                    for term in order
                    if background[term] > 0.0
                )

            best = sorted(((s, -n) for n, s in enumerate(full) if s > 0.0), reverse=True)[:3]
            top = [-n for _, n in best]
            measures[scope] = ScopeMeasure(
                scores={
                    "passages": _log_mean_exp(full),
                    "documents": of_kind("documents"),
                    "source": of_kind("source"),
                    "commits": of_kind("commits"),
                    "language_5000": language(5_000),
                    "language_50000": language(50_000),
                    "top_passages": sum(sorted(single, reverse=True)[:3]) / 3,
                    "pairs": _log_mean_exp(pair_scores),
                    "best_pair": max(pair_scores, default=0.0),
                    "best_passage": max(plain, default=0.0),
                    "description": _log_mean_exp(
                        [s for s, p in zip(full, self._passages[scope], strict=True) if _describes(p)]
                    ),
                },
                raw=TAU * _log_mean_exp(single),
                passages=tuple(PassageReference(n, full[n]) for n in top),
                held=frozenset(term for term in order if any(holds(passages[n], term) for n in top)),
            )
        terms = tuple(TermMeasure(term, term, wanted[term], idf[term], holders[term]) for term in order)
        return Measurement(measures, terms, {scope: len(passages) for scope, passages in self._passages.items()})


MANIFESTS = frozenset(
    [
        "cargo.toml",
        "cmakelists.txt",
        "composer.json",
        "configure.ac",
        "gemfile",
        "go.mod",
        "meson.build",
        "package.json",
        "pom.xml",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
    ]
)


def _describes(passage: Passage) -> bool:
    """Whether a passage stands in a README or package manifest at the root."""
    path = passage.path.lower()
    root_file = passage.kind != "commits" and "/" not in path
    return root_file and (path.startswith("readme") or path in MANIFESTS)


def _near(tokens: list[Token], pair: tuple[str, str]) -> int:
    """How often the two terms stand at distance one or two among content words, in either order."""
    left = [position for token, position in tokens if token == pair[0]]
    right = [position for token, position in tokens if token == pair[1]]
    return sum(1 <= abs(a - b) <= 2 for a in left for b in right)


def _log_mean_exp(scores: list[float]) -> float:
    """Ln of the mean of exp(score / tau); 0 for no passages, as if nothing had matched."""
    return math.log(math.fsum(math.exp(s / TAU) for s in scores) / len(scores)) if scores else 0.0
