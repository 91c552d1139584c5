"""A slow, plain reference of the two lanes: the formulas of docs/science.md (Retrieval), written without an index.

It sees passages as lists of terms and shares no code with the kernel, which must rank the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import log, sqrt

MAX_TOUCHED = 30
VOTERS = 50


@dataclass
class Doc:
    """A passage of a file, or a commit."""

    body: list[str]
    head: list[str]
    path: list[str]
    source: str
    penalty: float = 0.0
    touched: list[str] = field(default_factory=list)

    @property
    def fields(self) -> tuple[Counter[str], Counter[str], Counter[str]]:
        return Counter(self.body), Counter(self.head), Counter(self.path)


def bm25f(
    doc: Doc, lengths: tuple[int, int, int], averages: list[float], idf: dict[str, float], *, k1: float, weights, b
) -> float:
    counts = doc.fields
    total = 0.0
    for term, weight in idf.items():
        frequency = sum(
            weights[f] * counts[f][term] / (1 - b[f] + b[f] * lengths[f] / averages[f])
            for f in range(3)
            if counts[f][term]
        )
        total += weight * (k1 + 1) * frequency / (frequency + k1) if frequency else 0.0
    return total


def lanes(question: set[str], passages: list[Doc], commits: list[Doc], lengths: dict[int, tuple[int, int, int]]):
    """Scores by source: (files, commits). ``lengths`` maps id(doc) to its content lengths per field."""
    everything = passages + commits
    n = len(everything)
    averages = []
    for f in range(3):
        mean = sum(lengths[id(doc)][f] for doc in everything) / n
        averages.append(mean or 1.0)
    idf = {}
    for term in question:
        df = sum(any(term in counted for counted in doc.fields) for doc in everything)
        if df:
            idf[term] = log(1 + (n - df + 0.5) / (df + 0.5))

    def passage_score(doc: Doc) -> float:
        return bm25f(doc, lengths[id(doc)], averages, idf, k1=0.9, weights=(1, 0, 1), b=(0.4, 0, 0.3))

    def headed_score(doc: Doc) -> float:
        return bm25f(doc, lengths[id(doc)], averages, idf, k1=1.2, weights=(1, 2, 1), b=(0.6, 0.3, 0.3))

    files = sorted({doc.source for doc in passages})
    of = {file: [doc for doc in passages if doc.source == file] for file in files}
    best = {file: max(map(passage_score, of[file])) for file in files}
    second = {file: sorted([0.0, *map(headed_score, of[file])])[-2] for file in files}

    history_tf: dict[str, defaultdict[str, float]] = {file: defaultdict(float) for file in files}
    history_length = dict.fromkeys(files, 0.0)
    for commit in commits:
        if not 1 <= len(commit.touched) <= MAX_TOUCHED:
            continue
        share = 1 / sqrt(len(commit.touched))
        counts = Counter(commit.body)
        for file in commit.touched:
            if file in history_tf:
                history_length[file] += lengths[id(commit)][0] * share
                for term in question:
                    history_tf[file][term] += counts[term] * share
    with_history = [file for file in files if history_length[file] > 0]
    average = sum(history_length.values()) / len(with_history) if with_history else 1.0
    history = dict.fromkeys(files, 0.0)
    for term in idf:
        df = sum(history_tf[file][term] > 0 for file in files)
        weight = log(1 + max(0.0, len(with_history) - df + 0.5) / (df + 0.5))
        for file in files:
            tf = history_tf[file][term]
            if tf:
                norm = 1.2 * (1 - 0.75 + 0.75 * history_length[file] / average)
                history[file] += weight * 2.2 * tf / (tf + norm)

    votes = sorted(
        ((headed_score(commit), -number, commit) for number, commit in enumerate(commits)), key=lambda v: v[:2]
    )
    voters = [(score, commit) for score, _, commit in reversed(votes) if score > 0][:VOTERS]
    link = dict.fromkeys(files, 0.0)
    for score, commit in voters:
        if 1 <= len(commit.touched) <= MAX_TOUCHED:
            for file in commit.touched:
                if file in link:
                    link[file] += (score / voters[0][0]) ** 4 / sqrt(len(commit.touched))
    link = {file: log(1 + value) for file, value in link.items()}

    def normalised(values: dict[str, float], file: str) -> float:
        top = max(values.values(), default=0.0)
        return values[file] / top if top > 0 else 0.0

    file_scores = {
        file: normalised(best, file)
        + 0.5 * normalised(second, file)
        + 0.6 * normalised(link, file)
        + 0.4 * normalised(history, file)
        - of[file][0].penalty
        for file in files
        if best[file] > 0
    }
    commit_scores = {commit.source: passage_score(commit) for commit in commits if passage_score(commit) > 0}
    return file_scores, commit_scores
