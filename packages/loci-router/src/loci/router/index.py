"""The texts of all scopes, searchable: what the router measures a question against.

`RoutingIndex` wraps the kernel, which holds one immutable lexical segment per scope. Adding or removing a scope
touches no other scope's segment. Reading is safe from any number of threads, also while another one adds or removes:
a question sees the scopes that were there when it was asked.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from . import _kernel
from .errors import DuplicateScope, IndexUnreadable, UnknownScope

SCORES: tuple[str, ...] = (
    "passages",
    "documents",
    "source",
    "commits",
    "language_5000",
    "language_50000",
    "top_passages",
    "pairs",
    "best_pair",
    "best_passage",
    "description",
)
"""The scores of a scope: log-mean-exp of the passage scores with pairs; without pairs over documents, source and
commits alone; the scope's language model with two strengths of smoothing; the mean of the three best passages;
log-mean-exp and maximum of the pair scores; the best passage with plain corpus-wide idf; log-mean-exp over the files at
the root in which the project describes itself (its README and package manifests)."""


class PassageReference(NamedTuple):
    """A passage that spoke for a scope: its number in the scope's segment, from 0, and its score."""

    ordinal: int
    score: float


class Omission(NamedTuple):
    """What of a passage does not count for one question: see `RoutingIndex.measure`.

    Attributes:
        scope: The scope's id.
        passage: Its number in the scope, from 0.
        words: (first, end) content positions of its text that do not count, beside its heading; None: all of it.

    """

    scope: str
    passage: int
    words: tuple[int, int] | None = None


class PassageText(NamedTuple):
    """A passage as it was indexed.

    Attributes:
        passage: Its number in the scope, from 0.
        kind: "document", "source" or "commit".
        path: Its file; "" for a commit.
        commit: 40 hexadecimal digits, or None.
        heading: Heading path, signature or subject; may be "".
        symbol: Qualified name of the definition it holds; may be "".
        text: Verbatim.
        words: Content positions of its text in the index; where `content_length(text)` differs, the text was indexed in
            another form (a manual page without its macros).

    """

    passage: int
    kind: str
    path: str
    commit: str | None
    heading: str
    symbol: str
    text: str
    words: int


class ScopeMeasure(NamedTuple):
    """What the index measured of one scope for one question.

    Attributes:
        scores: One raw value per name in `SCORES`.
        raw: Absolute evidence: tau times the log-mean-exp of the passage scores; 0 when nothing matched.
        passages: The best passages, best first, at most three.
        held: The terms of the question that any of these passages holds.

    """

    scores: Mapping[str, float]
    raw: float
    passages: tuple[PassageReference, ...] = ()
    held: frozenset[str] = frozenset()


@dataclass(frozen=True)
class TermMeasure:
    """What the index knows of one distinct term of the question.

    Attributes:
        term: The term as it is indexed.
        word: The word of the question it came from, as written there; of a sentence without spaces, the part of it.
        count: How often the question has it.
        idf: Its inverse document frequency, with every scope weighing the same.
        holders: scope id -> the number of the scope's passages that hold it (> 0).

    """

    term: str
    word: str
    count: int
    idf: float
    holders: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Measurement:
    """What the index measured for one question.

    Attributes:
        scopes: scope id -> what was measured of it.
        terms: The distinct terms of the question, in its order.
        sizes: scope id -> the number of its passages.

    """

    scopes: Mapping[str, ScopeMeasure]
    terms: tuple[TermMeasure, ...]
    sizes: Mapping[str, int]

    def share(self, term: TermMeasure, scope: str) -> float:
        """The share of the scope's passages that hold the term."""
        return term.holders.get(scope, 0) / max(self.sizes.get(scope, 0), 1)


class Index(Protocol):
    """What a router needs of an index. `RoutingIndex` is the one that loci ships."""

    @property
    def scopes(self) -> list[str]:
        """The ids of all scopes, sorted."""
        ...

    @property
    def generation(self) -> int:
        """Grows with every change; what was derived from an older one is void."""
        ...

    def measure(self, question: str) -> Measurement:
        """Measures every scope for `question`."""
        ...

    def describe(self, scope: str, passage: int) -> str:
        """Where a passage stands, in words for a person."""
        ...


_FORMAT = 1
_CATALOGUE = "routing.json"


class RoutingIndex:
    """Segments of several scopes with the statistics they share.

    >>> index = RoutingIndex.from_texts({"billing": ["Invoices are sent."], "search": ["Documents are ranked."]})
    >>> index.scopes
    ['billing', 'search']
    """

    def __init__(self) -> None:
        self._index = _kernel.Index()
        self._change = threading.Lock()
        self._generation = 0

    @classmethod
    def from_texts(cls, texts: Mapping[str, Iterable[str]]) -> RoutingIndex:
        """An index in memory of any `{scope: texts}`; every text is one passage."""
        index = cls()
        index._index.add_texts([(scope, list(passages)) for scope, passages in texts.items()])
        index._generation = 1
        return index

    @classmethod
    def open(cls, source: Mapping[str, str | Path] | str | Path, *, signature: str | None = None) -> RoutingIndex:
        """Opens segment files, `{scope: path}`, or a directory that `save` wrote.

        Args:
            source: The segments, or the directory.
            signature: Term rules that the segments must have been built with; None accepts any.

        Raises:
            IndexUnreadable: A file is missing, damaged or built under other rules; the message names it.

        """
        if not isinstance(source, Mapping):
            source = _read_catalogue(Path(source))
        index = cls()
        index._segments(dict(source), signature)
        index._generation = 1
        return index

    @property
    def scopes(self) -> list[str]:
        """The ids of all scopes, sorted."""
        return self._index.ids()

    @property
    def generation(self) -> int:
        """Grows with every change; what was derived from an older one is void."""
        return self._generation

    def add(self, scope: str, texts: Iterable[str]) -> None:
        """Adds a scope made of texts; every text is one passage.

        Raises:
            DuplicateScope: `scope` is taken.

        """
        passages = list(texts)
        with self._change:
            self._must_be_new(scope)
            self._index.add_texts([(scope, passages)])
            self._generation += 1

    def add_segment(self, scope: str, path: str | Path, *, signature: str | None = None) -> None:
        """Adds a scope whose segment is a file.

        Raises:
            DuplicateScope: `scope` is taken.
            IndexUnreadable: The file is missing, damaged or built under other rules.

        """
        with self._change:
            self._must_be_new(scope)
            self._segments({scope: path}, signature)
            self._generation += 1

    def remove(self, scope: str) -> None:
        """Takes a scope out.

        Raises:
            UnknownScope: There is none of this id.

        """
        with self._change:
            if not self._index.remove(scope):
                raise UnknownScope(scope, self.scopes)
            self._generation += 1

    def save(self, directory: str | Path) -> None:
        """Writes every scope's segment and a catalogue of them into `directory`, which is made when it is missing.

        The catalogue is replaced in one step after the segments are written: a reader sees the old index or the new
            one.
        """
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        with self._change:
            segments = {scope: self._index.write(scope, directory) for scope in self.scopes}
        catalogue = {"format": _FORMAT, "signature": _kernel.signature(), "segments": segments}
        handle, temporary = tempfile.mkstemp(dir=directory, prefix=".routing-", suffix=".json")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(catalogue, file, indent=2, sort_keys=True)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(directory / _CATALOGUE)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def release(self) -> None:
        """Gives the mapped pages of the segments back to the system; they stay open, and the next question maps anew
        what it reads. For a process that waits for long between questions.
        """
        self._index.release()

    def measure(self, question: str, *, omit: Sequence[Omission] = (), without: Collection[str] = ()) -> Measurement:
        """Measures every scope for `question`.

        Args:
            question: As a person asks it.
            omit: Passages, or words of them, that do not count.
            without: Scopes that do not count.

        The measures are exactly those of an index that never held what is left out, save that passages keep their
        numbers. A question made from a text of this very index is asked fairly so: its text is not there to be found.
        (In passages of more than 65,535 words, of which the index counts no more, leaving words out is approximate.)

        Raises:
            UnknownScope: There is no scope of one of these ids.
            ValueError: There is no such passage.

        """
        if omit or without:
            left_out = self._left_out(omit, without)
            ids, evidence = self._index.score_without(question, *left_out)
        else:
            ids, evidence = self._index.score(question)
        # Each look at an attribute of the kernel's object makes new Python lists: one look each.
        asked = evidence.terms
        sizes = dict(zip(ids, evidence.sizes, strict=True))
        scopes = {
            scope: ScopeMeasure(
                scores=dict(zip(SCORES, features, strict=True)),
                raw=raw,
                passages=tuple(map(PassageReference._make, top)),
                held=frozenset([asked[column][0] for column in held]),
            )
            for scope, features, raw, top, held in zip(
                ids, evidence.features, evidence.raw, evidence.top, evidence.held, strict=True
            )
        }
        terms = tuple(
            TermMeasure(
                term=term,
                word=word,
                count=count,
                idf=idf,
                holders={scope: df for scope, (df, _) in zip(ids, frequencies, strict=True) if df},
            )
            for (term, word, count, idf, _), frequencies in zip(asked, evidence.frequencies, strict=True)
        )
        return Measurement(scopes, terms, sizes)

    def quotes(self, question: str, share: float = 0.8) -> list[tuple[str, int, float]]:
        """The passages that quote a question: (scope, passage, share of its pairs of neighbouring words held there).

        Args:
            question: As a person asks it. One of a single content word has no pairs, and nothing quotes it.
            share: The least share, 0 to 1.

        """
        return self._index.quotes(question, share)

    def numbers(self, scope: str) -> dict[str, range]:
        """The numbers of a scope's passages by kind: "document", "source", "commit".

        Raises:
            UnknownScope: There is none of this id.

        """
        self._must_be_known([scope])
        document, source, commit, end = self._index.kinds(scope)
        return {"document": range(document, source), "source": range(source, commit), "commit": range(commit, end)}

    def texts(self, scope: str, passages: Iterable[int]) -> list[PassageText]:
        """Passages with their texts, by ascending number.

        Raises:
            UnknownScope: There is no scope of this id.
            ValueError: There is no such passage.

        """
        numbers = self.numbers(scope)
        wanted = sorted(set(passages))
        return [
            PassageText(
                number,
                next(kind for kind, its in numbers.items() if number in its),
                path,
                commit,
                heading,
                symbol,
                text,
                words,
            )
            for number, path, commit, heading, symbol, text, words in self._index.texts(scope, wanted)
        ]

    def describe(self, scope: str, passage: int) -> str:
        """Where a passage stands, in words for a person."""
        kind, path, (first, last), commit, heading, symbol = self._index.passage(scope, passage)
        if kind == "commit":
            return f"commit {(commit or '')[:10]} {heading}".rstrip()
        # Texts that were added without files are numbered instead of named.
        place = f"text {passage + 1}" if path == f"{passage:08}" else f"{path}:{first}-{last}"
        label = symbol or heading
        return f"{place} ({label})" if label else place

    def merged_bm25(
        self,
        question: str,
        k: int = 10,
        *,
        scope: str | None = None,
        omit: Sequence[Omission] = (),
        without: Collection[str] = (),
    ) -> list[tuple[str, int, float]]:
        """The baseline of every comparison, one merged BM25 index: (scope, passage, score), best first, at most `k`.

        `omit` and `without` as in `measure`; they go with no `scope`.
        """
        if omit or without:
            if scope is not None:
                raise ValueError("leave out either nothing or the scope")
            left_out = self._left_out(omit, without)
            return self._index.merged_bm25_without(question, k, *left_out)
        return self._index.merged_bm25(question, k, scope)

    def _left_out(
        self, omit: Sequence[Omission], without: Collection[str]
    ) -> tuple[list[str], list[tuple[str, int, tuple[int, int] | None]]]:
        self._must_be_known([*without, *(each.scope for each in omit)])
        return list(without), [(each.scope, each.passage, each.words) for each in omit]

    def _must_be_known(self, scopes: Iterable[str]) -> None:
        known = self.scopes
        for scope in scopes:
            if scope not in known:
                raise UnknownScope(scope, known)

    def _must_be_new(self, scope: str) -> None:
        if scope in self.scopes:
            raise DuplicateScope(f"there is already a scope `{scope}`; remove it first to replace it")

    def _segments(self, segments: Mapping[str, str | Path], signature: str | None) -> None:
        try:
            self._index.add_segments([(scope, Path(path)) for scope, path in segments.items()], signature)
        except (_kernel.SegmentMissing, _kernel.SegmentDamaged, _kernel.SegmentOutdated) as error:
            raise IndexUnreadable(str(error)) from error


def content_length(text: str) -> int:
    """The number of content positions of a text, by the index's own rules: stop words take up none."""
    return _kernel.content_length(text)


def _read_catalogue(directory: Path) -> dict[str, Path]:
    path = directory / _CATALOGUE
    try:
        catalogue: Any = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise IndexUnreadable(f"`{directory}` holds no saved routing index: it has no {_CATALOGUE}") from None
    except (OSError, ValueError) as error:
        raise IndexUnreadable(f"`{path}` cannot be read: {error}") from error
    if not isinstance(catalogue, dict) or catalogue.get("format") != _FORMAT:
        raise IndexUnreadable(f"`{path}` is of another format than {_FORMAT}; save the index again")
    segments = catalogue.get("segments")
    if not isinstance(segments, dict) or not all(isinstance(name, str) for name in segments.values()):
        raise IndexUnreadable(f"`{path}` lists no segments; save the index again")
    return {scope: directory / name for scope, name in segments.items()}
