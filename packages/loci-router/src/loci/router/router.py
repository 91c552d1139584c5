"""The router: which project a question is about, or why none.

It reads the question, looks up the names in it, measures the evidence, and hands all of it to `decide`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .calibration import Calibration
from .directories import Directories
from .evidence import Evidence, EvidenceModel, SummedScores
from .index import Index
from .model import Groups, Route, Scope, SymbolTable
from .question import Question, read

if TYPE_CHECKING:
    from .names import Mention, Names


class Router:
    """Routes questions to scopes.

    Args:
        index: The texts of the scopes.
        scopes: scope id -> `Scope`; scopes that only the index knows are named by their id. A scope that is
            registered but
            not indexed has no evidence, and is found by its name and its directory.
        groups: What groups do; the shipped default mode for all of them when None.
        calibration: Every number; the shipped ones when None.
        evidence: The evidence model; `SummedScores(calibration)` when None.
        worktrees: directory -> scope id, for linked worktrees outside the scope's own directory.
        uses: scope id -> ids of the scopes it uses, for relational questions; None when it is not known.
        languages: scope id -> number of its source files by programming language, for questions which scopes are
            written in one; None when it is not known.
        symbols: Which scopes define the symbols that a question speaks of; None when it is not known.

    Reading is thread-safe: one router may be asked from many threads.

    """

    def __init__(
        self,
        index: Index,
        scopes: Mapping[str, Scope] | None = None,
        groups: Groups | None = None,
        calibration: Calibration | None = None,
        evidence: EvidenceModel | None = None,
        *,
        worktrees: Mapping[str | Path, str] | None = None,
        uses: Mapping[str, Iterable[str]] | None = None,
        languages: Mapping[str, Mapping[str, int]] | None = None,
        symbols: SymbolTable | None = None,
    ) -> None:
        self._index = index
        self._registered = dict(scopes or {})
        self._groups = groups or Groups()
        self._calibration = calibration or Calibration()
        self._model = evidence or SummedScores(self._calibration)
        self._uses = {user: frozenset(used) for user, used in uses.items()} if uses is not None else None
        self._languages = languages
        self._symbols = symbols
        self._directories = Directories(self._registered.values(), worktrees)
        self._named: tuple[int, dict[str, Scope], Names] | None = None

    def route(self, question: str | Question, cwd: str | Path | None = None, group: str | None = None) -> Route:
        """Decides where `question` goes.

        Args:
            question: As a person asks it, or as it was read.
            cwd: The directory they stand in; a path or a `file://` URI. None: no directory is known.
            group: Confines the question to this group's members.

        Raises:
            UnknownGroup: There is no such group; the message lists near names.

        """
        # Whoever only opens an index or reads a question needs none of these.
        from .case import Case
        from .confine import confine
        from .decide import Decision, Known

        scopes, names = self._scopes()
        cwd_scope = self._directories.containing(cwd)
        confinement = confine(scopes, self._groups, group=group, cwd_scope=cwd_scope)
        question = read(question)
        mentions = tuple(_outside_instrument(names.find(question), question))
        if question.request is not None and question.request.subject is not None:
            # A request names nothing but its subject.
            asked = names.asked_about(question, question.request.subject)
            known = {mention.scope for mention in asked}
            mentions = (*asked, *(mention for mention in mentions if mention.scope not in known))
        evidence = self._without_names(self._model.evidence(self._index, question.evidence), question, mentions)
        cwd = cwd_scope if cwd_scope in scopes else None
        case = Case(question, scopes, evidence, mentions, cwd, confinement, self._calibration)
        return Decision(case, Known(self._index, names, self._uses, self._languages, self._symbols)).route()

    def named(self, text: str) -> list[str]:
        """The ids of the scopes that `text`, taken as a whole, is a name of, sorted; empty where it names none."""
        return self._scopes()[1].resolve(text)

    def _without_names(self, evidence: Evidence, question: Question, mentions: Sequence[Mention]) -> Evidence:
        """`evidence` in which a word that is not used as a name does not speak for the project of that name.

        A project's texts are full of its own name: "a Flask app" would go to Flask whatever the rest of the question
        says. For the scopes whose name the question has as a mere word, the question counts without that word.
        """
        from .names import IDENTIFYING

        words = {m.scope: m.text for m in mentions if m.weight < IDENTIFYING}
        if not words:
            return evidence
        text = question.evidence
        for word in sorted(set(words.values()), key=len, reverse=True):
            text = text.replace(word, " ")
        without = self._model.evidence(self._index, text)
        scopes = dict(evidence.scopes)
        for scope in words:
            if scope in scopes and without.scopes[scope].combined < scopes[scope].combined:
                scopes[scope] = scopes[scope]._replace(
                    combined=without.scopes[scope].combined, parts=without.scopes[scope].parts
                )
        return replace(evidence, scopes=scopes)

    def _scopes(self) -> tuple[dict[str, Scope], Names]:
        """All scopes and their names, made anew when the index has changed."""
        generation = self._index.generation
        current = self._named
        if current is None or current[0] != generation:
            from .names import Names

            indexed = self._index.scopes
            scopes = {
                scope: self._registered.get(scope) or Scope(scope, scope) for scope in {*indexed, *self._registered}
            }
            current = (generation, scopes, Names(scopes.values(), self._spread))
            self._named = current
        return current[1], current[2]

    def _spread(self, word: str, scope: str) -> tuple[int, int]:
        """How many other scopes hold a word, and how many others there are; of a compound, its rarest term."""
        measurement = self._index.measure(word)
        others = len(measurement.scopes) - (scope in measurement.scopes)
        counts = [len(set(term.holders) - {scope}) for term in measurement.terms]
        # A word the index does not keep (a stop word) is everybody's.
        return (min(counts) if counts else others), others


def _outside_instrument(mentions: Iterable[Mention], question: Question) -> Iterable[Mention]:
    start, end = (0, 0) if question.instrument is None else question.instrument.span
    return (mention for mention in mentions if not start <= mention.span[0] < end)
