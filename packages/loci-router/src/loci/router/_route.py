"""The router: which project a question is about, or why none.

The order of decisions is fixed, and each of them leaves a `Gate` in the trace, so that `Route.explain` can show every
value beside its threshold:

1. `out_of_group`: the confinement is strict, the best scope of the whole corpus lies outside, and it would have routed.
2. A named project or the working directory identifies the subject: 4 is skipped, and of a named one 3 as well. So does
   a symbol whose relations are asked for, where definitions are known (`SymbolTable`).
3. An enumerative question is answered with a set, a relational one with the projects that use another.
4. `deictic`: the question points at a subject it never names, and the evidence does not identify one.
5. `no_evidence`: the evidence does not reach the threshold. Words that most projects have do not point anywhere; they
   are merely little evidence.
6. Selection.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from . import advice
from ._calibration import (
    ADVISABLE,
    ALONE_PASSAGES,
    BESIDE_LEAST,
    CANDIDATE_HOLDS,
    CANDIDATE_SHARE,
    CANDIDATE_TERMS,
    CANDIDATES_AT_LEAST,
    COMMON_SHARE,
    CONCENTRATED_HALF,
    CONCENTRATED_SCOPES,
    CONCENTRATED_SHARE,
    OWN_TERMS,
    RECENCY_HALF_LIFE,
    SUGGESTION,
    Calibration,
)
from ._confine import Confinement, confine
from ._cwd import Directories
from ._evidence import Evidence, EvidenceModel, SummedScores, concentration
from ._index import Index
from ._model import Groups, Reason, Route, RoutedScope, RouteMode, Scope
from ._names import IDENTIFYING, Mention, Names, name_weights
from ._spelling import misspelt
from ._symbols import SymbolTable, definers
from .advice import Advice
from .question import OF_ALL, Question, Request, is_unmistakable, names_a_place, read

WEAK_CUES = frozenset(["person"])
"""Deictic cues that say whose subject it is ("we", "our") but not that the question leaves it out: people say "why
did we drop X" of every subject. They name the kind of an abstention; they cause one only where no word of the question
sets projects apart ("our dependencies").
"""


AGENTS = frozenset(["we", "wir"])
"""Those of the weak cues that are the subject of a clause, and not the possessor of what is asked about."""

ADVISED_CANDIDATES = 3
"""Candidates that the advice of an abstention names."""

WRITTEN_IN_SHARE = 0.25
"""A scope is written in a language that this share of its source files is in, whichever other has more."""


@dataclass(frozen=True)
class Gate:
    """One decision on the way: its name, whether it stopped the question, and what it compared."""

    name: str
    stopped: bool
    detail: str


@dataclass(frozen=True)
class Trace:
    """How a route came about."""

    question: Question
    mentions: tuple[Mention, ...]
    cwd_scope: str | None
    confinement: Confinement
    evidence: Evidence
    ranking: tuple[RoutedScope, ...]
    gates: tuple[Gate, ...]
    describe: Callable[[str, int], str]
    about: tuple[str, ...] = ()
    """Of a request (`Question.request`): the scopes that it asks of, as far as they are known; else empty."""
    related: tuple[str, ...] = ()
    """Of a relational question: the scopes whose users it asks for, or that a project may use; empty when it asks for
    those of any, or for all that a project uses.
    """


@dataclass(frozen=True)
class _Standing:
    """All scopes, scored and ranked, before anything is decided.

    Attributes:
        ranking: Best first, ties by id.
        near: The named scopes, else those whose score is near the best: together they answer "which".
        confidence: That the answer is among `near`.

    """

    ranking: tuple[RoutedScope, ...] = ()
    near: tuple[RoutedScope, ...] = ()
    confidence: float = 0.0


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
        return _Decision(self, scopes, names, question, evidence, mentions, cwd_scope, confinement).route()

    def named(self, text: str) -> list[str]:
        """The ids of the scopes that `text`, taken as a whole, is a name of, sorted; empty where it names none."""
        return self._scopes()[1].resolve(text)

    def _without_names(self, evidence: Evidence, question: Question, mentions: Sequence[Mention]) -> Evidence:
        """`evidence` in which a word that is not used as a name does not speak for the project of that name.

        A project's texts are full of its own name: "a Flask app" would go to Flask whatever the rest of the question
        says. For the scopes whose name the question has as a mere word, the question counts without that word.
        """
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


def _piece(word: str, term: str) -> str:
    """The part of a joined name that a term was made of: `Entries` of `reconcileLedgerEntries` and "entri"."""
    start = word.lower().find(term)
    if start < 0:
        return term
    rest = re.match(r"[A-Z]*[a-z]*|[A-Z]+|\d+", word[start + len(term) :])
    return word[start : start + len(term)] + (rest[0] if rest and rest[0].islower() else "")


class _Decision:
    """The decisions on one question."""

    def __init__(
        self,
        router: Router,
        scopes: Mapping[str, Scope],
        names: Names,
        question: Question,
        evidence: Evidence,
        mentions: tuple[Mention, ...],
        cwd_scope: str | None,
        confinement: Confinement,
    ) -> None:
        self._index = router._index
        self._calibration = router._calibration
        self._uses = router._uses
        self._languages = router._languages
        self._symbols = router._symbols
        self._defining: frozenset[str] = frozenset()
        self._scopes = scopes
        self._names = names
        self._question = question
        self._evidence = evidence
        self._mentions = mentions
        self._cwd = cwd_scope if cwd_scope in scopes else None
        self._confinement = confinement
        self._gates: list[Gate] = []
        self._related: tuple[str, ...] = ()
        times = [scope.last_commit_time for scope in scopes.values() if scope.last_commit_time is not None]
        self._newest = max(times, default=None)
        # A scope that is not indexed has the evidence of the one with least.
        self._floor = min((each.combined for each in evidence.scopes.values()), default=0.0)
        self._weights = name_weights(mentions)
        self._identified = sorted(scope for scope, weight in self._weights.items() if weight >= IDENTIFYING)

    # -- scoring ------------------------------------------------------------------------------------------------------

    def _signals(self, scope: str, *, directory: bool) -> dict[str, float]:
        calibration = self._calibration
        evidence = self._evidence.scopes.get(scope)
        signals = {"evidence": evidence.combined if evidence else self._floor}
        if scope in self._confinement.demoted and signals["evidence"] > 0.0:
            # Below the average there is nothing to halve: it would be a promotion.
            signals["demoted"] = -(1.0 - calibration.demotion) * signals["evidence"]
        if scope in self._weights:
            signals["named"] = calibration.named * self._weights[scope]
        if scope in self._defining:
            signals["symbol"] = calibration.named
        if directory and scope == self._cwd:
            signals["cwd"] = calibration.cwd
        time = self._scopes[scope].last_commit_time
        if time is not None and self._newest is not None:
            signals["recency"] = calibration.recency * 0.5 ** ((self._newest - time) / RECENCY_HALF_LIFE)
        return signals

    def _rank(self, eligible: Iterable[str], *, directory: bool = True) -> _Standing:
        signals = {scope: self._signals(scope, directory=directory) for scope in eligible}
        scores = {scope: math.fsum(each.values()) for scope, each in signals.items()}
        if not scores:
            return _Standing()
        order = sorted(scores, key=lambda scope: (-scores[scope], scope))
        powers = {scope: math.exp(scores[scope] - scores[order[0]]) for scope in order}
        total = math.fsum(powers.values())

        def whether(scope: str) -> float:
            # A name, a definition and the directory say that there is an answer without any evidence.
            if scope in self._identified or scope in self._defining or (directory and scope == self._cwd):
                return 1.0
            evidence = self._evidence.scopes.get(scope)
            return evidence.whether if evidence else 0.0

        def agreement(scope: str) -> float:
            evidence = self._evidence.scopes.get(scope)
            sure = scope in self._identified or scope in self._defining or (directory and scope == self._cwd)
            return 1.0 if evidence is None or sure else evidence.agreement

        def which(scope: str) -> float:
            # The name says which, as surely as it is used as one, whatever the evidence says of the others.
            named = self._weights[scope] if scope in self._identified else 0.0
            return max(powers[scope] / total, named)

        confidence = self._calibration.confidence
        ranking = tuple(
            RoutedScope(
                id=scope,
                name=self._scopes[scope].name,
                score=scores[scope],
                confidence=confidence(which(scope), whether(scope), agreement(scope)),
                signals=signals[scope],
                terms=list(self._evidence.scopes[scope].terms) if scope in self._evidence.scopes else [],
            )
            for scope in order
        )
        near = self._near(ranking)
        together = max(math.fsum(powers[each.id] for each in near) / total, *(which(each.id) for each in near))
        exists = max(whether(each.id) for each in near)
        return _Standing(ranking, near, confidence(together, exists, agreement(near[0].id)))

    def _near(self, ranking: Sequence[RoutedScope]) -> tuple[RoutedScope, ...]:
        calibration = self._calibration
        named = [each for each in ranking if each.id in self._identified]
        if named:
            return tuple(named[: calibration.max_single])
        top = ranking[0]
        floor = calibration.keep_ratio * top.score if top.score > 0.0 else top.score
        return tuple([each for each in ranking if each.score >= floor][: calibration.max_single])

    # -- decisions ----------------------------------------------------------------------------------------------------

    def route(self) -> Route:
        eligible = sorted(self._confinement.eligible)
        relation = self._relation()
        self._related = tuple(relation[0]) if relation else ()
        if self._confinement.strict and (stray := self._stray()) is not None:
            return self._abstain("out_of_group", self._rank(eligible), stray=stray)

        needs = self._needs()
        if needs is not None:
            return self._needed(eligible, needs)
        request = self._question.request
        if request is not None and request.kind in OF_ALL and self._languages is not None:
            return self._by_language(self._rank(eligible, directory=False), request, self._languages)

        mode = self._mode(relation)
        if mode == "relational" and relation is not None:
            return self._relational(self._rank(eligible, directory=False), relation[0])
        if mode == "set":
            return self._set(self._rank(eligible, directory=False), mode)

        named = [scope for scope in self._identified if scope in self._confinement.eligible]
        if named:
            self._gates.append(Gate("named", False, "named: " + ", ".join(named)))
            standing = self._rank(eligible)
            return self._answer("single", list(standing.near), standing.confidence, standing)
        by_symbol = self._by_symbol(eligible)
        if by_symbol is not None:
            return by_symbol
        owner = self._owner(eligible)
        if owner is not None:
            return owner
        holder = self._only_holder()
        if holder is not None and holder != self._cwd:
            self._gates.append(Gate("only holder", False, f"no other scope has the word: {holder}"))
            standing = self._rank(eligible)
            found = next(each for each in standing.ranking if each.id == holder)
            sure = max(found.confidence, self._calibration.threshold)
            return self._answer("single", [replace(found, confidence=sure)], sure, standing)
        if self._cwd in self._confinement.eligible:
            return self._from_directory(eligible)

        standing = self._rank(eligible)
        if not standing.ranking:
            return self._abstain("no_evidence", standing)
        deictic = self._deictic(standing)
        if deictic or self._gate("no_evidence", standing.confidence, self._calibration.threshold):
            confirmed = self._confirmed(standing)
            return confirmed or self._abstain("deictic" if deictic else "no_evidence", standing)
        return self._answer("single", self._select(standing), standing.confidence, standing)

    def _by_symbol(self, eligible: Sequence[str]) -> Route | None:
        """The answer, or the abstention, of a question for the relations of a symbol; None where that decides nothing.

        A project that defines the symbol answers. Of several, the one that the rest of the question speaks of, or the
        one that is stood in.
        """
        if self._symbols is None:
            return None
        asked = self._symbols.defining(self._question.asked_names)
        defining = definers(asked) & self._confinement.eligible
        if not defining:
            return None
        if self._cwd in self._confinement.eligible and (self._cwd in defining or self._used_here(asked)):
            # Who calls it here can be told here, even where it is defined elsewhere.
            return None
        alone = self._rank(eligible, directory=False)
        best = alone.near[0].id
        if best not in defining and alone.confidence >= self._calibration.leave_threshold:
            # A word that is a name somewhere ("what calls support") may still be a word.
            self._gates.append(Gate("symbol", False, f"the evidence for {best} is stronger"))
            return None
        names = ", ".join(name for name, scopes in asked.items() if scopes)
        # Of several, all have the name: that they do speaks for none of them.
        self._defining = defining if len(defining) == 1 else frozenset()
        standing = self._rank(sorted(defining), directory=False)
        if self._defining:
            self._gates.append(Gate("symbol", False, f"only {standing.ranking[0].id} defines {names}"))
            return self._answer("single", [replace(standing.ranking[0], confidence=1.0)], 1.0, standing)
        if self._gate("symbol", standing.confidence, self._calibration.threshold, f"{len(defining)} define {names}"):
            symbols = tuple(name for name, scopes in asked.items() if scopes)
            return self._defined_in_several(symbols, standing)
        return self._answer("single", list(standing.near), standing.confidence, standing)

    def _defined_in_several(self, symbols: tuple[str, ...], standing: _Standing) -> Route:
        return replace(
            self._abstain("no_evidence", standing),
            candidates=list(standing.ranking[: self._calibration.max_set]),
            advice=(advice.DefinedInSeveral(symbols, tuple(each.id for each in standing.ranking)),),
        )

    def _owner(self, eligible: Sequence[str]) -> Route | None:
        """The answer of the only scope that defines a name of the question, over one that has only its pieces.

        "Where is set_color implemented?" is not asked of the project with many settings and colours.
        """
        if self._symbols is None or self._cwd in self._confinement.eligible:
            return None
        found = self._mentioned
        names = [name for name in found if is_unmistakable(name)]
        defining = definers({name: found[name] for name in names}) & self._confinement.eligible
        if len(defining) != 1:
            return None
        standing = self._rank(eligible)
        best = standing.near[0].id
        if best in defining or self._has_any(best, names):
            return None
        self._defining = defining
        standing = self._rank(sorted(defining))
        owner = standing.ranking[0]
        self._gates.append(Gate("symbol", False, f"{owner.id} defines {', '.join(names)}, which {best} does not have"))
        return self._answer("single", [owner], owner.confidence, standing)

    def _used_here(self, names: Iterable[str]) -> bool:
        """Whether the directory's project has one of the names in its texts."""
        return self._cwd is not None and self._has_any(self._cwd, names)

    def _has_any(self, scope: str, names: Iterable[str]) -> bool:
        """Whether a scope has one of the names, with all its parts and as a whole, in its texts."""
        measured = (self._index.measure(name).terms for name in names)
        return any(terms and all(scope in term.holders for term in terms) for terms in measured)

    @cached_property
    def _mentioned(self) -> Mapping[str, Collection[str]]:
        """The names of the question that are written as code, with the scopes that define them: looked up once."""
        if self._symbols is None:
            return {}
        return self._symbols.defining([each.name for each in self._question.code_names if not names_a_place(each.name)])

    def _confirmed(self, standing: _Standing) -> Route | None:
        """The answer of the best scope where the question writes a name as code does that only this one defines.

        The evidence alone was too thin. That it points at the very project that has the name is no chance.
        """
        best = standing.ranking[0]
        found = self._mentioned
        names = [name for name, scopes in found.items() if set(scopes) == {best.id}]
        if not names or any(best.id not in scopes for scopes in found.values() if scopes):
            return None
        self._gates.append(Gate("symbol", False, f"only {best.id} defines {', '.join(names)}"))
        sure = self._calibration.threshold
        return self._answer("single", [replace(best, confidence=max(best.confidence, sure))], sure, standing)

    def _from_directory(self, eligible: Sequence[str]) -> Route:
        """The directory identifies the subject, unless the question would have been answered without it."""
        assert self._cwd is not None
        alone = self._rank(eligible, directory=False)
        standing = self._rank(eligible)
        self._gates.append(Gate("directory", False, f"asked from inside {self._cwd}"))
        # The words of a request say what is asked for, so none of them speaks for another project.
        request = self._question.request
        pointed = request is not None and request.subject is None and request.kind not in OF_ALL
        leave = self._calibration.leave_threshold
        if pointed or self._deictic(alone) or self._gate("leaves directory", alone.confidence, leave):
            here = next(each for each in standing.ranking if each.id == self._cwd)
            # Staying is right at least as often as the evidence for another one is wrong.
            here = replace(here, confidence=max(here.confidence, 1.0 - alone.confidence))
            chosen = [here]
            if not pointed and self._suggests_another(alone):
                others = {each.id: each.confidence for each in self._select(alone)}
                chosen += [
                    replace(each, confidence=min(here.confidence, others[each.id]))
                    for each in standing.ranking
                    if each.id in others and each.id != self._cwd
                ]
            return self._answer("single", chosen[: self._calibration.max_single], here.confidence, standing)
        return self._answer("single", self._select(standing), standing.confidence, standing)

    def _suggests_another(self, alone: _Standing) -> bool:
        """Whether the question, too thin to leave the directory, still speaks of some other project rather than not."""
        # Words that most projects have suggest another one only when they would answer without a directory.
        enough = self._calibration.threshold if self._common() else SUGGESTION
        return not self._pointing() and alone.confidence >= enough

    def _pointing(self) -> list[str]:
        """The words that point at a subject outside the question."""
        common = self._common()
        # "How long do we wait before giving up on a server?" says what it is about, if in everybody's words.
        said = len(self._evidence.terms) >= OWN_TERMS
        return [
            cue.text
            for cue in self._question.deixis
            if cue.kind not in WEAK_CUES or (common and not (said and cue.text in AGENTS))
        ]

    def _only_holder(self) -> str | None:
        """The eligible scope that alone holds the word which is the whole question, and not by chance; else None.

        How much of its texts the word is does not matter then: nothing else was asked, and nobody else can answer.
        """
        terms = self._evidence.terms
        if not self._question.is_one_word or not terms or self._question.deixis:
            return None
        # Of a name of several parts ("open_session") the whole is the rarest.
        rarest = min(terms, key=lambda term: len(term.holders))
        if len(rarest.holders) != 1:
            return None
        ((holder, passages),) = rarest.holders.items()
        if passages < ALONE_PASSAGES:
            return None
        held = all(holder in term.holders for term in terms)
        return holder if held and holder in self._confinement.eligible else None

    def _common(self) -> bool:
        """Whether every word of the question stands in most projects: it may still be one project's by how they stand
        together, and by how much one of them makes of them, but nobody has a word that the others lack.
        """
        most = COMMON_SHARE * len(self._evidence.scopes)
        return bool(self._evidence.terms) and all(len(term.holders) > most for term in self._evidence.terms)

    def _deictic(self, standing: _Standing) -> bool:
        cues = self._pointing()
        threshold = self._calibration.deictic_threshold
        return bool(cues) and self._gate("deictic", standing.confidence, threshold, ", ".join(cues))

    def _gate(self, name: str, value: float, threshold: float, detail: str = "") -> bool:
        stopped = value < threshold
        words = f" ({detail})" if detail else ""
        self._gates.append(Gate(name, stopped, f"confidence {value:.3f} against {threshold:.3f}{words}"))
        return stopped

    def _stray(self) -> RoutedScope | None:
        """The best scope of the whole corpus, when it is outside and would have been routed to."""
        everything = self._rank(sorted(self._scopes))
        if not everything.ranking:
            return None
        best = everything.near[0]
        outside = best.id not in self._confinement.eligible
        routed = best.id in self._identified or everything.confidence >= self._calibration.threshold
        self._gates.append(
            Gate(
                "out_of_group",
                outside and routed,
                f"best of all: {best.id}, {'outside' if outside else 'inside'}, confidence {everything.confidence:.3f} "
                f"against {self._calibration.threshold:.3f}",
            )
        )
        return best if outside and routed else None

    def _relation(self) -> tuple[list[str], str] | None:
        """(scopes that are used, the wording) when the question is about relations between registered projects."""
        for relation in self._question.project_relations:
            if relation.subject is None:
                return [], relation.cue.text
            used = self._names.resolve(self._question.cut(relation.subject))
            if used:
                return used, relation.cue.text
        return None

    def _mode(self, relation: tuple[list[str], str] | None) -> RouteMode:
        if relation is not None:
            self._gates.append(Gate("relational", False, relation[1]))
            return "relational"
        cue = self._question.enumeration
        if cue is None:
            return "single"
        named = [scope for scope in self._identified if scope in self._confinement.eligible]
        if named:
            self._gates.append(Gate("enumerative", False, f"{cue.text}: not a set, since {', '.join(named)} is named"))
            return "single"
        self._gates.append(Gate("enumerative", False, cue.text))
        return "set"

    # -- selection ----------------------------------------------------------------------------------------------------

    def _select(self, standing: _Standing) -> list[RoutedScope]:
        """Those near the best, others that have as much of the question, and the holders of a concentrated term.

        A scope beside the best has a small share of the softmax, whose shares sum to one. Its confidence is how much it
        has of what the best has, as far as the best one is right.
        """
        beside = [each.id for each in standing.ranking if self._speaks(each.id)]
        near = [each.id for each in standing.near]
        room = max(0, self._calibration.max_single - len(near))
        kept = {*near, *[scope for scope in beside if scope not in near][:room], *self._concentrated()}
        best = standing.ranking[0].confidence
        return [
            replace(each, confidence=max(each.confidence, best * min(1.0, self._holds(each.id))))
            for each in standing.ranking
            if each.id in kept
        ]

    def _speaks(self, scope: str) -> bool:
        """Whether a scope's own evidence speaks for it, however much better another one is."""
        calibration = self._calibration
        evidence = self._evidence.scopes.get(scope)
        if evidence is None:
            return False
        if evidence.holds >= calibration.beside_factor * calibration.holds_threshold:
            return True
        return evidence.holds >= BESIDE_LEAST and evidence.whether >= calibration.beside_alone

    def _holds(self, scope: str) -> float:
        evidence = self._evidence.scopes.get(scope)
        return evidence.holds if evidence else 0.0

    def _concentrated(self) -> set[str]:
        """The eligible scopes that hold a term which hardly any other scope holds, and make much of it."""
        found: set[str] = set()
        for term in self._evidence.terms:
            if 0 < len(term.holders) <= CONCENTRATED_SCOPES:
                shares = self._shares(term.holders)
                if concentration(shares, len(self._evidence.scopes)) < CONCENTRATED_HALF:
                    continue
                much = max(CONCENTRATED_SHARE, CONCENTRATED_HALF * max(shares.values()))
                found |= {scope for scope, share in shares.items() if share >= much}
        return found & self._confinement.eligible

    def _shares(self, holders: Mapping[str, int]) -> dict[str, float]:
        return {scope: count / max(self._evidence.sizes.get(scope, 0), 1) for scope, count in holders.items()}

    def _set(self, standing: _Standing, mode: RouteMode) -> Route:
        calibration = self._calibration
        threshold = calibration.set_factor * calibration.holds_threshold
        chosen: list[RoutedScope] = []
        most = 0.0
        for each in standing.ranking:
            holds = self._holds(each.id)
            most = max(most, holds)
            if holds >= threshold:
                chosen.append(RoutedScope(each.id, each.name, each.score, holds, each.signals, each.terms))
        if self._gate("no_evidence", most, threshold, "each scope on its own"):
            return self._abstain("no_evidence", standing, mode=mode, confidence=most)
        chosen = chosen[: calibration.max_set]
        return self._answer(mode, chosen, min(1.0, most), standing)

    def _needs(self) -> list[str] | None:
        """The scopes whose own uses the question asks for; None where it does not, or what they use is not known.

        Nor where what may be used is no registered project: then the words may have a meaning of their own.
        """
        request = self._question.request
        if request is None or request.kind != "needs" or self._uses is None:
            return None
        if request.object is not None:
            used = self._names.resolve(self._question.cut(request.object))
            if not used:
                return None
            self._related = tuple(used)
        return [scope for scope in self._about() if scope in self._confinement.eligible] or None

    def _needed(self, eligible: Sequence[str], users: Sequence[str]) -> Route:
        """The answer for what some projects use: the projects themselves."""
        assert self._question.request is not None
        self._gates.append(Gate("relational", False, self._question.request.text))
        standing = self._rank(eligible)
        chosen = [each for each in standing.ranking if each.id in users][: self._calibration.max_single]
        # Named, or stood in: which project is meant is certain, as far as the name is one.
        sure = [replace(each, confidence=max(each.confidence, self._weights.get(each.id, 1.0))) for each in chosen]
        return self._answer("relational", sure, max(each.confidence for each in sure), standing)

    def _by_language(self, standing: _Standing, request: Request, languages: Mapping[str, Mapping[str, int]]) -> Route:
        """The scopes with files in the languages asked for, most first: a matter of files, not of words.

        Written in a language is what has more files in it than in any other, or a good part of all.
        """
        self._gates.append(Gate("language", False, request.text))
        found: list[RoutedScope] = []
        for each in standing.ranking:
            counts = languages.get(each.id, {})
            total = sum(counts.values())
            part = sum(counts.get(language, 0) for language in request.languages)
            most = max(counts.values(), default=0)
            if not part or (request.kind == "written_in" and part < most and part < WRITTEN_IN_SHARE * total):
                continue
            found.append(replace(each, confidence=min(1.0, part / most), signals={"language": part / total}))
        found.sort(key=lambda each: (-each.signals["language"], each.id))
        if not found:
            return self._abstain("no_evidence", standing, mode="set", confidence=0.0)
        rest = len(found) - self._calibration.max_set
        more = (advice.MoreInLanguages(rest, tuple(request.languages)),) if rest > 0 else ()
        chosen = found[: self._calibration.max_set]
        return self._answer("set", chosen, max(each.confidence for each in chosen), standing, more)

    def _relational(self, standing: _Standing, used: Sequence[str]) -> Route:
        if self._uses is None:
            route = self._set(
                replace(standing, ranking=tuple(each for each in standing.ranking if each.id not in used)), "relational"
            )
            return replace(route, advice=(advice.UsesNotCollected(),))
        wanted = set(used)
        users = {user for user, its in self._uses.items() if (its & wanted if wanted else its)}
        chosen = [
            RoutedScope(each.id, each.name, each.score, 1.0, each.signals, each.terms)
            for each in standing.ranking
            if each.id in users
        ]
        if not chosen:
            return self._abstain("no_evidence", standing, mode="relational")
        listed = chosen[: self._calibration.max_set]
        return self._answer("relational", listed, 1.0, standing, (advice.UsesListed(more=len(chosen) - len(listed)),))

    # -- results ------------------------------------------------------------------------------------------------------

    def _left_directory(self, chosen: Sequence[RoutedScope]) -> tuple[advice.LeftDirectory, ...]:
        if self._cwd is None or not chosen or chosen[0].id == self._cwd:
            return ()
        if self._cwd not in self._confinement.eligible:
            return ()
        there = chosen[0]
        because: advice.LeftBecause = "evidence"
        if there.id in self._identified:
            because = "named"
        elif there.id in self._defining:
            because = "defines_symbol"
        return (advice.LeftDirectory(self._cwd, self._scopes[self._cwd].name, there.id, there.name, because),)

    def _answer(
        self,
        mode: RouteMode,
        chosen: list[RoutedScope],
        confidence: float,
        standing: _Standing,
        said: tuple[Advice, ...] = (),
    ) -> Route:
        return Route(
            question=self._question.text,
            abstained=False,
            reason=None,
            mode=mode,
            confidence=confidence,
            scopes=chosen,
            candidates=[],
            advice=said or (self._left_directory(chosen) if mode == "single" else ()),
            trace=self._trace(standing),
        )

    def _abstain(
        self,
        reason: Reason,
        standing: _Standing,
        *,
        mode: RouteMode = "single",
        stray: RoutedScope | None = None,
        confidence: float | None = None,
    ) -> Route:
        candidates = self._candidates(standing)
        meant = self._meant()
        if meant is not None:
            candidates.sort(key=lambda each: each.id != meant)
            if not candidates or candidates[0].id != meant:
                candidates[:0] = [
                    replace(each, terms=each.terms[:CANDIDATE_TERMS]) for each in standing.ranking if each.id == meant
                ]
        return Route(
            question=self._question.text,
            abstained=True,
            reason=reason,
            mode=mode,
            confidence=stray.confidence if stray else standing.confidence if confidence is None else confidence,
            scopes=[],
            candidates=candidates,
            advice=(
                self._advice(
                    reason, candidates, stray, meant, thin=mode == "single" and standing.confidence < ADVISABLE
                ),
            ),
            trace=self._trace(standing),
        )

    def _candidates(self, standing: _Standing) -> list[RoutedScope]:
        """Every eligible scope that holds a term which at most half of the corpus holds, in rank order.

        A large repository holds nearly every word somewhere. A term counts as held where it is at least a tenth as
        common as in the scope that has most of it. Where no scope holds such a term, the best-ranked scopes that hold
        anything of the question are the candidates: the subject is indexed nowhere only when none of its words is.
        """
        most = max(1, int(CANDIDATE_SHARE * len(self._evidence.scopes)))
        rare: dict[str, set[str]] = {}
        for term in self._evidence.terms:
            shares = self._shares(term.holders)
            floor = CANDIDATE_HOLDS * max(shares.values(), default=0.0)
            holders = {scope for scope, share in shares.items() if share >= floor}
            if holders and len(holders) <= most:
                rare.setdefault(term.word, set()).update(holders)
        candidates = []
        for each in standing.ranking:
            terms = [(word, weight) for word, weight in each.terms if each.id in rare.get(word, ())][:CANDIDATE_TERMS]
            if terms:
                candidates.append(replace(each, terms=terms))
        if not candidates:
            holding = [each for each in standing.ranking if each.terms]
            candidates = [replace(each, terms=each.terms[:CANDIDATE_TERMS]) for each in holding[:CANDIDATES_AT_LEAST]]
        return [
            replace(each, terms=[(self._held_of(word, each.id), weight) for word, weight in each.terms])
            for each in candidates
        ]

    def _held_of(self, word: str, scope: str) -> str:
        """A word, or of a name of several parts those that the scope has where it does not have all of it.

        That a project has entries is no reason to show `reconcileLedgerEntries` beside it.
        """
        terms = [term for term in self._evidence.terms if term.word == word]
        held = [term for term in terms if scope in term.holders]
        if len(held) == len(terms):
            return word
        pieces = dict.fromkeys(piece for term in held for piece in [_piece(word, term.term)] if piece != word)
        return ", ".join(pieces) or word

    def _meant(self) -> str | None:
        """The one eligible scope whose name a word of the question, which no scope holds, nearly is."""
        held = {term.word for term in self._evidence.terms if term.holders}
        unknown = [term.word for term in self._evidence.terms if term.word not in held]
        if not unknown:
            return None
        names = {
            scope: (self._scopes[scope].name, scope, *self._scopes[scope].aliases)
            for scope in sorted(self._confinement.eligible)
        }
        found = {scope for word in dict.fromkeys(unknown) for scope in [misspelt(word, names)] if scope is not None}
        return found.pop() if len(found) == 1 else None

    def _advice(
        self,
        reason: Reason,
        candidates: Sequence[RoutedScope],
        stray: RoutedScope | None,
        meant: str | None,
        *,
        thin: bool,
    ) -> Advice:
        groups = self._confinement.groups
        if reason == "out_of_group" and stray is not None:
            return advice.OutsideGroup(stray.id, stray.name, groups, asked_for=self._confinement.through == "group")
        if not self._scopes:
            return advice.NothingIndexed()
        if not self._confinement.eligible:
            return advice.EmptyGroup(groups)
        request = self._question.request
        if request is not None and request.kind in OF_ALL and self._languages is not None:
            return advice.NoneInLanguage(tuple(request.languages), mostly=request.kind == "written_in")
        if meant is not None:
            return advice.Misspelt(meant, self._scopes[meant].name)
        near = tuple(each.id for each in candidates[:ADVISED_CANDIDATES])
        if reason == "deictic":
            return advice.SubjectNotNamed(near)
        if candidates and thin:
            return advice.HardlyAnyEvidence()
        if candidates:
            return advice.CommonWords(near) if self._common() else advice.ThinEvidence(near)
        if not self._evidence.terms:
            return advice.NothingAskedOfSet() if self._question.enumeration is not None else advice.NoContentWords()
        if any(term.holders for term in self._evidence.terms):
            # Held, but by no project that may answer.
            return advice.OnlyOutside()
        return advice.IndexedNowhere()

    def _trace(self, standing: _Standing) -> Trace:
        return Trace(
            question=self._question,
            mentions=self._mentions,
            cwd_scope=self._cwd,
            confinement=self._confinement,
            evidence=self._evidence,
            ranking=standing.ranking,
            gates=tuple(self._gates),
            describe=self._index.describe,
            about=self._about(),
            related=self._related,
        )

    def _about(self) -> tuple[str, ...]:
        request = self._question.request
        if request is None or request.kind in OF_ALL:
            return ()
        if request.subject is None:
            return (self._cwd,) if self._cwd in self._confinement.eligible else ()
        return tuple(sorted(mention.scope for mention in self._mentions if mention.frame == "asked about"))
