"""An open segment."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from . import _kernel
from ._errors import kernel_errors
from ._gate import Gate, Support
from ._lanes import AsksFor, Lanes
from ._passage import ROLES, Passage, PassageScores, Place
from ._semantic import CANDIDATES, LaneReranker

PASSAGES_AT_ONCE = 4096
FILE_PASSAGES_AT_ONCE = 32


class Episodes:
    """The passages of one scope. Safe to use from several threads."""

    def __init__(self, store: _kernel.Store) -> None:
        """Use :meth:`open`."""
        self._store = store
        self._paths: dict[int, str] = {}

    @classmethod
    def open(cls, path: str | Path, *, signature: str | None = None) -> Episodes:
        """Map the segment at ``path``.

        Args:
            path: a segment file.
            signature: the rules it must have been built under; None accepts any.

        Raises:
            SegmentMissing, SegmentDamaged, SegmentOutdated: as their names say.

        """
        with kernel_errors():
            return cls(_kernel.Store(Path(path), signature))

    @property
    def commit(self) -> str | None:
        """HEAD when the segment was built, hexadecimal."""
        return self._store.commit

    @property
    def signature(self) -> str:
        """The rules the segment was built under."""
        return self._store.signature

    @property
    def passages(self) -> dict[str, int]:
        """Number of passages per kind."""
        documents, source, commits = self._store.passages
        return {"document": documents, "source": source, "commit": commits}

    def release(self) -> None:
        """Give the mapped pages back to the system; the segment stays open and is mapped anew as it is read."""
        self._store.release()

    def lanes(
        self,
        question: str,
        *,
        k: int = 10,
        root: str | Path | None = None,
        dense: PassageScores | None = None,
        reranker: LaneReranker | None = None,
    ) -> Lanes:
        """The files and the commits that answer best, best first, at most ``k`` each; one passage per file.

        Of near-identical passages in a lane the newest is shown, where the best of them stood, and says where the
        others are; one in a test, document or example gives way to one that is in none. A word that the scope does not
        know is looked for in two parts, joined with its neighbour, and among the words that look like it.

        Args:
            question: any text.
            k: length of each lane.
            root: where the files are now; with it, each citation is compared with the file: text that moved gets its
                new lines, text that is gone is marked stale.
            dense: scores to fuse with those from words, such as :meth:`~loci.episodes.Semantics.dense_scores` gives;
                lanes are as without it where it says nothing.
            reranker: puts the candidates of each lane in a new order, as :class:`~loci.episodes.Reranking` does.

        Raises:
            SegmentDamaged: a part of the segment does not decode.
            ValueError: ``dense`` has more or fewer scores than there are passages.

        """
        if reranker is not None:
            lanes = reranker(question, self.lanes(question, k=max(k, CANDIDATES), root=root, dense=dense))
            return replace(lanes, files=lanes.files[: max(0, k)], commits=lanes.commits[: max(0, k)])
        with kernel_errors():
            if dense is None:
                ranked = self._store.search(question, max(0, k))
            else:
                ranked = self._store.search(question, max(0, k), dense.scores, dense.file_weight, dense.commit_weight)
        where = None if root is None else Path(root)
        return Lanes(
            [_passage(found, where) for found in ranked.files],
            [_passage(found, None) for found in ranked.commits],
            ranked.best_passage,
            ranked.best_commit,
            ranked.held,
        )

    def search(
        self,
        question: str,
        *,
        asks_for: AsksFor = "state",
        k: int = 10,
        root: str | Path | None = None,
        gate: Gate | None = None,
        support: Support | None = None,
        dense: PassageScores | None = None,
        reranker: LaneReranker | None = None,
    ) -> list[Passage]:
        """Both lanes in one list.

        Args:
            question: any text; its words are searched for, and nothing else is read off it.
            asks_for: what decides which lane comes first: commits for an ``event``, and for a ``reason`` where one
                matches well; else files.
            k: length of each lane.
            root: where the files are now, as in :meth:`lanes`.
            gate: what decides whether the passages are an answer at all; None shows them in any case.
            support: what is known of the scope from outside, for the gate.
            dense: scores to fuse, as in :meth:`lanes`.
            reranker: a new order of the candidates, as in :meth:`lanes`.

        Returns:
            Best first; empty when nothing matches or the gate does not admit it. Errors as in :meth:`lanes`.

        """
        lanes = self.lanes(question, k=k, root=root, dense=dense, reranker=reranker)
        return lanes.merged(asks_for) if gate is None or gate.admits(lanes, support) else []

    def candidates(self, question: str, k: int) -> list[tuple[int, Passage]]:
        """What the words find, at most ``k`` of each lane, each with its number in the order of :meth:`all_passages`.

        Raises:
            SegmentDamaged: a part of the segment does not decode.

        """
        with kernel_errors():
            ranked = self._store.search(question, max(0, k))
        return [(found.ordinal, _passage(found, None)) for found in (*ranked.files, *ranked.commits)]

    def holding(self, literals: Sequence[str]) -> list[tuple[int, int, bool]]:
        """Every passage that has one of ``literals`` as a whole, by number: (passage, literal, whether in its heading).

        For what no index knows: versions, issue numbers, dates. ``2.32.5`` does not stand in ``2.32.50`` nor in
        ``2.32.5-rc1``; a literal that ends in a dot may go on with anything. All texts are read for it.

        Raises:
            SegmentDamaged: a part of the segment does not decode.

        """
        with kernel_errors():
            return self._store.holding(list(literals))

    def commits_of(self, prefix: str) -> list[int]:
        """The numbers of the passages of the commits whose id begins with ``prefix``; none for an empty one."""
        return self._store.commits_of(prefix)

    def passages_of(self, beginning: str) -> Iterator[tuple[int, Passage]]:
        """The passages of the files whose path begins with ``beginning``, each with its number for :meth:`passage`.

        Documents before source, by path, those of one file in its order; their score is 0.

        Raises:
            SegmentDamaged: a part of the segment does not decode.

        """
        documents, source, _ = self._store.passages

        def path(number: int) -> str:
            # Every search begins with the same halves.
            if number not in self._paths:
                with kernel_errors():
                    self._paths[number] = self._store.texts(number, number + 1)[0].path
            return self._paths[number]

        for first, stop in ((0, documents), (documents, documents + source)):
            # Passages of a kind stand in the order of their paths.
            number = first + bisect_left(range(first, stop), beginning, key=path)
            while number < stop:
                with kernel_errors():
                    batch = self._store.texts(number, min(number + FILE_PASSAGES_AT_ONCE, stop))
                for found in batch:
                    if not found.path.startswith(beginning):
                        number = stop
                        break
                    yield number, _passage(found, None)
                    number += 1

    def changelogs(self) -> list[tuple[str, int, int]]:
        """The documents that are changelogs (:func:`is_changelog`), by path.

        Returns:
            Of each its path, the number of its first passage and the number after its last, for :meth:`all_passages`.

        """
        return self._store.changelogs()

    def passage(self, number: int, *, root: str | Path | None = None) -> Passage:
        """The passage of this number in the order of :meth:`all_passages`; its score is 0.

        Args:
            number: from 0.
            root: where the files are now, as in :meth:`lanes`.

        Raises:
            IndexError: there is no such passage.
            SegmentDamaged: a part of the segment does not decode.

        """
        if not 0 <= number < sum(self._store.passages):
            raise IndexError(f"there is no passage {number}")
        with kernel_errors():
            found = self._store.texts(number, number + 1)[0]
        return _passage(found, None if root is None else Path(root))

    def all_passages(self, first: int = 0, stop: int | None = None) -> Iterator[Passage]:
        """Every passage of the segment: documents, source, commits; their score is 0.

        Args:
            first: start with the passage of this number, counted from 0.
            stop: end before the passage of this number; None: at the end.

        Raises:
            SegmentDamaged: a part of the segment does not decode.

        """
        end = sum(self._store.passages)
        end = end if stop is None else min(stop, end)
        for start in range(first, end, PASSAGES_AT_ONCE):
            with kernel_errors():
                found = self._store.texts(start, min(start + PASSAGES_AT_ONCE, end))
            yield from (_passage(item, None) for item in found)


def _passage(found: _kernel.Found, root: Path | None) -> Passage:
    lines, stale = found.lines, False
    if root is not None and found.digest is not None:
        # A note outside the repository is cited by its own path.
        place = Path(found.file).expanduser() if found.file.startswith("~/") else root / found.file
        if "\ufffd" in found.file:
            place = _as_named(place)
        lines, stale = _anchor(place, found, found.digest)
    return Passage(
        kind=found.kind,
        path=found.path,
        lines=lines,
        commit=found.commit,
        heading=found.heading,
        symbol=found.symbol,
        role=ROLES[found.role],
        text=found.text,
        score=found.score,
        stale=stale,
        time=found.time,
        similarity=found.similarity,
        also_at=tuple(Place(*place) for place in found.also_at),
    )


def _as_named(path: Path) -> Path:
    """The file whose name is no text: a segment shows what is no UTF-8 in it as replacement characters."""
    for number, part in enumerate(path.parts):
        if "\ufffd" in part:
            try:
                beside = sorted(Path(*path.parts[:number]).iterdir())
            except OSError:
                return path
            same = [entry for entry in beside if os.fsencode(entry.name).decode("utf-8", "replace") == part]
            if same:
                path = same[0].joinpath(*path.parts[number + 1 :])
    return path


def _anchor(path: Path, found: _kernel.Found, digest: bytes) -> tuple[tuple[int, int], bool]:
    """Where the passage stands in the file as it is now: (lines, stale)."""
    current = _kernel.locate(path, digest, found.text, found.lines)
    return (found.lines, True) if current is None else (current, False)


def question_lines(question: str, texts: Sequence[str]) -> tuple[list[str], list[list[list[int]]]]:
    r"""Which terms of a question stand in which lines, found by the rules of the index: what an excerpt is cut around.

    Args:
        question: any text.
        texts: passages.

    Returns:
        The distinct terms of the question, and per text, per line (split at line feeds), the places in that list of the
        terms that the line holds, ascending.

    >>> question_lines("why are cookies dropped?", ["the cookie\nis gone"])
    (['cooki', 'drop'], [[[0], []]])

    """
    return _kernel.question_lines(question, list(texts))


def stands_in(text: str, literal: str) -> bool:
    """Whether a text has a literal as a whole, by the rule of :meth:`Episodes.holding`.

    >>> stands_in("released in v2.32.5.", "2.32.5"), stands_in("2.32.50", "2.32.5")
    (True, False)

    """
    return _kernel.stands_in(text, literal)
