"""Which scope a question goes to, or why to none: the decisions, in their order.

Each of them leaves a `Gate` in the trace, so that `Route.explain` can show every value beside its threshold:

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

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from . import advice
from .advice import Advice
from .calibration import ADVISABLE, ALONE_PASSAGES, SUGGESTION
from .case import Case
from .index import Index
from .model import Gate, Reason, Route, RoutedScope, RouteMode, SymbolTable, Trace
from .names import Names
from .question import OF_ALL, Request, is_unmistakable, names_a_place
from .rank import Standing, rank
from .refuse import candidates, misspelt_scope, what_next
from .selection import holding, in_languages, selected, users


@dataclass(frozen=True)
class Known:
    """What a router knows beside the texts, for every question.

    Attributes:
        index: The texts of the scopes.
        names: The names of the scopes.
        uses: scope id -> ids of the scopes it uses; None when it is not known.
        languages: scope id -> number of its source files by programming language; None when it is not known.
        symbols: Which scopes define a symbol; None when it is not known.

    """

    index: Index
    names: Names
    uses: Mapping[str, frozenset[str]] | None
    languages: Mapping[str, Mapping[str, int]] | None
    symbols: SymbolTable | None


class Decision:
    """The decisions on one question."""

    def __init__(self, case: Case, known: Known) -> None:
        self._case = case
        self._known = known
        self._question = case.question
        self._calibration = case.calibration
        self._gates: list[Gate] = []
        self._related: tuple[str, ...] = ()
        self._defining: frozenset[str] = frozenset()

    def route(self) -> Route:
        """Where the question goes."""
        case = self._case
        relation = self._relation()
        self._related = tuple(relation[0]) if relation else ()
        if case.confinement.strict and (stray := self._stray()) is not None:
            return self._abstain("out_of_group", self._rank(), stray=stray)

        needs = self._needs()
        if needs is not None:
            return self._needed(needs)
        request = self._question.request
        if request is not None and request.kind in OF_ALL and self._known.languages is not None:
            return self._by_language(request, self._known.languages)

        mode = self._mode(relation)
        if mode == "relational" and relation is not None:
            return self._relational(relation[0])
        if mode == "set":
            return self._set(self._rank(directory=False), mode)

        if case.named:
            self._pass("named", "named: " + ", ".join(case.named))
            standing = self._rank()
            return self._answer("single", list(standing.near), standing.confidence, standing)
        identified = self._by_symbol() or self._owner() or self._only_holder()
        if identified is not None:
            return identified
        if case.from_inside:
            return self._from_directory()

        standing = self._rank()
        if not standing.ranking:
            return self._abstain("no_evidence", standing)
        deictic = self._deictic(standing)
        if deictic or self._gate("no_evidence", standing.confidence, self._calibration.threshold):
            confirmed = self._confirmed(standing)
            return confirmed or self._abstain("deictic" if deictic else "no_evidence", standing)
        return self._answer("single", selected(case, standing), standing.confidence, standing)

    def _rank(self, eligible: Iterable[str] | None = None, *, directory: bool = True) -> Standing:
        chosen = self._case.eligible if eligible is None else eligible
        return rank(self._case, chosen, directory=directory, defining=self._defining)

    def _pass(self, name: str, detail: str) -> None:
        self._gates.append(Gate(name, False, detail))

    def _gate(self, name: str, value: float, threshold: float, detail: str = "") -> bool:
        stopped = value < threshold
        words = f" ({detail})" if detail else ""
        self._gates.append(Gate(name, stopped, f"confidence {value:.3f} against {threshold:.3f}{words}"))
        return stopped

    # -- outside the group --------------------------------------------------------------------------------------------

    def _stray(self) -> RoutedScope | None:
        """The best scope of the whole corpus, when it is outside and would have been routed to."""
        everything = self._rank(sorted(self._case.scopes))
        if not everything.ranking:
            return None
        best = everything.near[0]
        outside = best.id not in self._case.confinement.eligible
        threshold = self._calibration.threshold
        routed = best.id in self._case.identified or everything.confidence >= threshold
        self._gates.append(
            Gate(
                "out_of_group",
                outside and routed,
                f"best of all: {best.id}, {'outside' if outside else 'inside'}, confidence {everything.confidence:.3f} "
                f"against {threshold:.3f}",
            )
        )
        return best if outside and routed else None

    # -- a symbol identifies the subject ------------------------------------------------------------------------------

    def _by_symbol(self) -> Route | None:
        """The answer, or the abstention, of a question for the relations of a symbol; None where that decides nothing.

        A project that defines the symbol answers. Of several, the one that the rest of the question speaks of, or the
        one that is stood in.
        """
        case = self._case
        if self._known.symbols is None:
            return None
        asked = self._known.symbols.defining(self._question.asked_names)
        defining = _definers(asked) & case.confinement.eligible
        if not defining:
            return None
        if case.cwd is not None and case.from_inside and (case.cwd in defining or self._has_any(case.cwd, asked)):
            # Who calls it here can be told here, even where it is defined elsewhere.
            return None
        alone = self._rank(directory=False)
        best = alone.near[0].id
        if best not in defining and alone.confidence >= self._calibration.leave_threshold:
            # A word that is a name somewhere ("what calls support") may still be a word.
            self._pass("symbol", f"the evidence for {best} is stronger")
            return None
        symbols = tuple(name for name, scopes in asked.items() if scopes)
        names = ", ".join(symbols)
        # Of several, all have the name: that they do speaks for none of them.
        self._defining = defining if len(defining) == 1 else frozenset()
        standing = self._rank(sorted(defining), directory=False)
        if self._defining:
            self._pass("symbol", f"only {standing.ranking[0].id} defines {names}")
            return self._answer("single", [replace(standing.ranking[0], confidence=1.0)], 1.0, standing)
        if self._gate("symbol", standing.confidence, self._calibration.threshold, f"{len(defining)} define {names}"):
            return replace(
                self._abstain("no_evidence", standing),
                candidates=list(standing.ranking[: self._calibration.max_set]),
                advice=(advice.DefinedInSeveral(symbols, tuple(each.id for each in standing.ranking)),),
            )
        return self._answer("single", list(standing.near), standing.confidence, standing)

    def _owner(self) -> Route | None:
        """The answer of the only scope that defines a name of the question, over one that has only its pieces.

        "Where is set_color implemented?" is not asked of the project with many settings and colours.
        """
        if self._known.symbols is None or self._case.from_inside:
            return None
        found = self._mentioned
        names = [name for name in found if is_unmistakable(name)]
        defining = _definers({name: found[name] for name in names}) & self._case.confinement.eligible
        if len(defining) != 1:
            return None
        standing = self._rank()
        best = standing.near[0].id
        if best in defining or self._has_any(best, names):
            return None
        self._defining = defining
        standing = self._rank(sorted(defining))
        owner = standing.ranking[0]
        self._pass("symbol", f"{owner.id} defines {', '.join(names)}, which {best} does not have")
        return self._answer("single", [owner], owner.confidence, standing)

    def _confirmed(self, standing: Standing) -> Route | None:
        """The answer of the best scope where the question writes a name as code does that only this one defines.

        The evidence alone was too thin. That it points at the very project that has the name is no chance.
        """
        best = standing.ranking[0]
        found = self._mentioned
        names = [name for name, scopes in found.items() if set(scopes) == {best.id}]
        if not names or any(best.id not in scopes for scopes in found.values() if scopes):
            return None
        self._pass("symbol", f"only {best.id} defines {', '.join(names)}")
        sure = self._calibration.threshold
        return self._answer("single", [replace(best, confidence=max(best.confidence, sure))], sure, standing)

    @cached_property
    def _mentioned(self) -> Mapping[str, Collection[str]]:
        """The names of the question that are written as code, with the scopes that define them: looked up once."""
        if self._known.symbols is None:
            return {}
        names = [each.name for each in self._question.code_names if not names_a_place(each.name)]
        return self._known.symbols.defining(names)

    def _has_any(self, scope: str, names: Iterable[str]) -> bool:
        """Whether a scope has one of the names, with all its parts and as a whole, in its texts."""
        measured = (self._known.index.measure(name).terms for name in names)
        return any(terms and all(scope in term.holders for term in terms) for terms in measured)

    # -- a word identifies the subject --------------------------------------------------------------------------------

    def _only_holder(self) -> Route | None:
        """The answer of the eligible scope that alone holds the word which is the whole question, and not by chance.

        How much of its texts the word is does not matter then: nothing else was asked, and nobody else can answer.
        """
        terms = self._case.evidence.terms
        if not self._question.is_one_word or not terms or self._question.deixis:
            return None
        # Of a name of several parts ("open_session") the whole is the rarest.
        rarest = min(terms, key=lambda term: len(term.holders))
        if len(rarest.holders) != 1:
            return None
        ((holder, passages),) = rarest.holders.items()
        held = all(holder in term.holders for term in terms)
        eligible = holder in self._case.confinement.eligible
        if passages < ALONE_PASSAGES or not held or not eligible or holder == self._case.cwd:
            return None
        self._pass("only holder", f"no other scope has the word: {holder}")
        standing = self._rank()
        found = next(each for each in standing.ranking if each.id == holder)
        sure = max(found.confidence, self._calibration.threshold)
        return self._answer("single", [replace(found, confidence=sure)], sure, standing)

    # -- the directory identifies the subject -------------------------------------------------------------------------

    def _from_directory(self) -> Route:
        """The directory identifies the subject, unless the question would have been answered without it."""
        case = self._case
        alone = self._rank(directory=False)
        standing = self._rank()
        self._pass("directory", f"asked from inside {case.cwd}")
        # The words of a request say what is asked for, so none of them speaks for another project.
        request = self._question.request
        pointed = request is not None and request.subject is None and request.kind not in OF_ALL
        leave = self._calibration.leave_threshold
        if pointed or self._deictic(alone) or self._gate("leaves directory", alone.confidence, leave):
            here = next(each for each in standing.ranking if each.id == case.cwd)
            # Staying is right at least as often as the evidence for another one is wrong.
            here = replace(here, confidence=max(here.confidence, 1.0 - alone.confidence))
            chosen = [here]
            if not pointed and self._suggests_another(alone):
                others = {each.id: each.confidence for each in selected(case, alone)}
                chosen += [
                    replace(each, confidence=min(here.confidence, others[each.id]))
                    for each in standing.ranking
                    if each.id in others and each.id != case.cwd
                ]
            return self._answer("single", chosen[: self._calibration.max_single], here.confidence, standing)
        return self._answer("single", selected(case, standing), standing.confidence, standing)

    def _suggests_another(self, alone: Standing) -> bool:
        """Whether the question, too thin to leave the directory, still speaks of some other project rather than not."""
        # Words that most projects have suggest another one only when they would answer without a directory.
        enough = self._calibration.threshold if self._case.common else SUGGESTION
        return not self._case.pointing and alone.confidence >= enough

    def _deictic(self, standing: Standing) -> bool:
        cues = self._case.pointing
        threshold = self._calibration.deictic_threshold
        return bool(cues) and self._gate("deictic", standing.confidence, threshold, ", ".join(cues))

    # -- sets and relations -------------------------------------------------------------------------------------------

    def _relation(self) -> tuple[list[str], str] | None:
        """(scopes that are used, the wording) when the question is about relations between registered projects."""
        for relation in self._question.project_relations:
            if relation.subject is None:
                return [], relation.cue.text
            used = self._known.names.resolve(self._question.cut(relation.subject))
            if used:
                return used, relation.cue.text
        return None

    def _mode(self, relation: tuple[list[str], str] | None) -> RouteMode:
        if relation is not None:
            self._pass("relational", relation[1])
            return "relational"
        cue = self._question.enumeration
        if cue is None:
            return "single"
        if self._case.named:
            self._pass("enumerative", f"{cue.text}: not a set, since {', '.join(self._case.named)} is named")
            return "single"
        self._pass("enumerative", cue.text)
        return "set"

    def _set(self, standing: Standing, mode: RouteMode) -> Route:
        calibration = self._calibration
        threshold = calibration.set_factor * calibration.holds_threshold
        most = max((self._case.holds(each.id) for each in standing.ranking), default=0.0)
        if self._gate("no_evidence", most, threshold, "each scope on its own"):
            return self._abstain("no_evidence", standing, mode=mode, confidence=most)
        chosen = holding(self._case, standing, threshold)[: calibration.max_set]
        return self._answer(mode, chosen, min(1.0, most), standing)

    def _needs(self) -> list[str] | None:
        """The scopes whose own uses the question asks for; None where it does not, or what they use is not known.

        Nor where what may be used is no registered project: then the words may have a meaning of their own.
        """
        request = self._question.request
        if request is None or request.kind != "needs" or self._known.uses is None:
            return None
        if request.object is not None:
            used = self._known.names.resolve(self._question.cut(request.object))
            if not used:
                return None
            self._related = tuple(used)
        return [scope for scope in self._case.about if scope in self._case.confinement.eligible] or None

    def _needed(self, asked: Sequence[str]) -> Route:
        """The answer for what some projects use: the projects themselves."""
        assert self._question.request is not None
        self._pass("relational", self._question.request.text)
        standing = self._rank()
        chosen = [each for each in standing.ranking if each.id in asked][: self._calibration.max_single]
        # Named, or stood in: which project is meant is certain, as far as the name is one.
        weights = self._case.weights
        sure = [replace(each, confidence=max(each.confidence, weights.get(each.id, 1.0))) for each in chosen]
        return self._answer("relational", sure, max(each.confidence for each in sure), standing)

    def _by_language(self, request: Request, languages: Mapping[str, Mapping[str, int]]) -> Route:
        self._pass("language", request.text)
        standing = self._rank(directory=False)
        found = in_languages(standing, request, languages)
        if not found:
            return self._abstain("no_evidence", standing, mode="set", confidence=0.0)
        chosen = found[: self._calibration.max_set]
        rest = len(found) - len(chosen)
        more = (advice.MoreInLanguages(rest, tuple(request.languages)),) if rest > 0 else ()
        return self._answer("set", chosen, max(each.confidence for each in chosen), standing, more)

    def _relational(self, used: Sequence[str]) -> Route:
        standing = self._rank(directory=False)
        if self._known.uses is None:
            others = tuple(each for each in standing.ranking if each.id not in used)
            route = self._set(replace(standing, ranking=others), "relational")
            return replace(route, advice=(advice.UsesNotCollected(),))
        found = users(standing, self._known.uses, used)
        if not found:
            return self._abstain("no_evidence", standing, mode="relational")
        listed = found[: self._calibration.max_set]
        return self._answer("relational", listed, 1.0, standing, (advice.UsesListed(more=len(found) - len(listed)),))

    # -- results ------------------------------------------------------------------------------------------------------

    def _answer(
        self,
        mode: RouteMode,
        chosen: list[RoutedScope],
        confidence: float,
        standing: Standing,
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

    def _left_directory(self, chosen: Sequence[RoutedScope]) -> tuple[advice.LeftDirectory, ...]:
        case = self._case
        if case.cwd is None or not case.from_inside or not chosen or chosen[0].id == case.cwd:
            return ()
        there = chosen[0]
        because: advice.LeftBecause = "evidence"
        if there.id in case.identified:
            because = "named"
        elif there.id in self._defining:
            because = "defines_symbol"
        return (advice.LeftDirectory(case.cwd, case.scopes[case.cwd].name, there.id, there.name, because),)

    def _abstain(
        self,
        reason: Reason,
        standing: Standing,
        *,
        mode: RouteMode = "single",
        stray: RoutedScope | None = None,
        confidence: float | None = None,
    ) -> Route:
        meant = misspelt_scope(self._case)
        near = candidates(self._case, standing, meant)
        advised = what_next(
            self._case,
            reason,
            near,
            stray=stray,
            meant=meant,
            thin=mode == "single" and standing.confidence < ADVISABLE,
            languages_known=self._known.languages is not None,
        )
        return Route(
            question=self._question.text,
            abstained=True,
            reason=reason,
            mode=mode,
            confidence=stray.confidence if stray else standing.confidence if confidence is None else confidence,
            scopes=[],
            candidates=near,
            advice=(advised,),
            trace=self._trace(standing),
        )

    def _trace(self, standing: Standing) -> Trace:
        case = self._case
        return Trace(
            question=self._question,
            mentions=case.mentions,
            cwd_scope=case.cwd,
            confinement=case.confinement,
            evidence=case.evidence,
            ranking=standing.ranking,
            gates=tuple(self._gates),
            describe=self._known.index.describe,
            about=case.about,
            related=self._related,
        )


def _definers(found: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The scopes that define all the names that any scope defines; of several names without such a scope, none."""
    known = [frozenset(scopes) for scopes in found.values() if scopes]
    return frozenset.intersection(*known) if known else frozenset()
