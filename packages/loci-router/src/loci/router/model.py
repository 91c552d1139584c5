"""The words of the router: what it is given, what it decides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from .advice import Advice

if TYPE_CHECKING:
    from .confine import Confinement
    from .evidence import Evidence
    from .names import Mention
    from .question import Question

GroupMode = Literal["explicit", "soft", "hard"]
RouteMode = Literal["single", "set", "relational"]
Reason = Literal["deictic", "no_evidence", "out_of_group"]


class AdviceWords(Protocol):
    """Puts all the advice of a route into words: one sentence for each, in their order."""

    def __call__(self, advised: Sequence[Advice], /) -> Sequence[str]: ...


GROUP_MODES: tuple[GroupMode, ...] = ("explicit", "soft", "hard")
DEFAULT_GROUP_MODE: GroupMode = "soft"


@dataclass(frozen=True)
class Scope:
    """One project, one namespace.

    Args:
        id: The key of the scope in the index; never shown to be parsed, compared exactly.
        name: What people call it; also an alias.
        aliases: Other names it answers to: directory, repository, owner/name, distribution, import and command names.
            Case, hyphens, underscores and spaces do not have to be spelled out.
        path: The directory that belongs to it, for working-directory questions; None when it has none.
        groups: The labels it carries.
        last_commit_time: Seconds since 1970 of its newest commit; None when it has no history.

    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    path: Path | None = None
    groups: tuple[str, ...] = ()
    last_commit_time: int | None = None


@dataclass(frozen=True)
class Groups:
    """What each group does to a question; which scope is in which group stands on the scopes.

    Args:
        default: The mode of every group that `modes` does not list.
        modes: group -> "explicit", "soft" or "hard".

    Raises:
        ValueError: A mode is none of the three.

    """

    default: GroupMode = DEFAULT_GROUP_MODE
    modes: Mapping[str, GroupMode] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for where, mode in [("the default", self.default), *((f"group `{g}`", m) for g, m in self.modes.items())]:
            if mode not in GROUP_MODES:
                raise ValueError(f"{where} has mode {mode!r}; it must be one of explicit, soft, hard")

    def mode(self, group: str) -> GroupMode:
        """The mode of `group`."""
        return self.modes.get(group, self.default)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Groups:
        """Reads `{"default": mode, "modes": {group: mode}}`; other keys are left alone."""
        return cls(default=data.get("default", DEFAULT_GROUP_MODE), modes=dict(data.get("modes", {})))


class SymbolTable(Protocol):
    """Which projects define a symbol: whoever knows definitions tells the router.

    Texts say which words a project uses. A definition says more: what calls `Scaffold.route` can only be told by a
    project that has it, however many others write of scaffolds and routes. It may be slow: the router asks only where
    it matters.
    """

    def defining(self, names: Sequence[str]) -> Mapping[str, Collection[str]]:
        """Each of the names of symbols, as a question writes them -> ids of the scopes that define one."""
        ...


@dataclass(frozen=True)
class RoutedScope:
    """One scope of an answer: selected, or a candidate of an abstention.

    Attributes:
        id: The scope's id.
        name: The scope's name.
        score: Log-odds-like units, the sum of `signals`.
        confidence: Between 0 and 1: that this scope is what the question is about.
        signals: What the score is made of: "evidence", and where they apply "named", "symbol", "cwd", "recency" and
            "demoted".
        terms: Up to the question's own number of terms, strongest first, as (surface word, weight). On a candidate:
            up to three, each held by at most half of the corpus where any scope holds such a term.

    """

    id: str
    name: str
    score: float
    confidence: float
    signals: dict[str, float] = field(default_factory=dict)
    terms: list[tuple[str, float]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The object of `loci route --json`."""
        return {
            "id": self.id,
            "name": self.name,
            "score": round(self.score, 6),
            "confidence": round(self.confidence, 6),
            "signals": {name: round(value, 6) for name, value in sorted(self.signals.items())},
            "terms": [[term, round(weight, 6)] for term, weight in self.terms],
        }


@dataclass(frozen=True)
class Route:
    """Where a question goes, or why it goes nowhere.

    Attributes:
        question: As it was asked.
        abstained: True when no scope was selected; then `reason` says which kind, and `candidates` what came close.
        reason: None, "deictic", "no_evidence" or "out_of_group".
        mode: "single", "set" (the question asks for a set of projects) or "relational" (for relations between them).
        confidence: Between 0 and 1: that the selected scopes hold the answer; on an abstention, what fell short.
        scopes: The selected scopes, best first.
        candidates: On an abstention, the scopes that hold a term held by at most half of the corpus, best first; where
            there is none, the best three that hold any word of the question. First of all, a scope whose name the
            question seems to misspell.
        advice: What to do next, each a value (`loci.router.advice`), to be read in their order; empty when there is
            nothing to do.
        trace: How it came about, for `explain`, a `Trace` where a router decided; not part of the JSON contract.

    """

    question: str
    abstained: bool
    reason: Reason | None
    mode: RouteMode
    confidence: float
    scopes: list[RoutedScope]
    candidates: list[RoutedScope]
    advice: tuple[Advice, ...]
    trace: Any = field(default=None, repr=False, compare=False)

    def to_json(self, words: AdviceWords | None = None) -> dict[str, Any]:
        """The object of `loci route --json`: plain JSON values, stable keys.

        `words` gives the advice a sentence each, as `text`; the plain ones of `describe` when None.
        """
        texts = words(self.advice) if words is not None else [each.describe() for each in self.advice]
        return {
            "question": self.question,
            "abstained": self.abstained,
            "reason": self.reason,
            "mode": self.mode,
            "confidence": round(self.confidence, 6),
            "scopes": [each.to_json() for each in self.scopes],
            "candidates": [each.to_json() for each in self.candidates],
            "advice": [each.to_json(text) for each, text in zip(self.advice, texts, strict=True)],
        }

    def explain(self) -> str:
        """Why, in plain text: every gate with its value and threshold, every signal, the terms and the passages."""
        from .explain import explain

        return explain(self)


@dataclass(frozen=True)
class Gate:
    """One decision on the way: its name, whether it stopped the question, and what it compared."""

    name: str
    stopped: bool
    detail: str


@dataclass(frozen=True)
class Trace:
    """How a route came about.

    Attributes:
        question: The question as it was read.
        mentions: The names of scopes in it.
        cwd_scope: The scope that the working directory lies in, if any.
        confinement: Which scopes may answer.
        evidence: What its words say of each scope.
        ranking: Every scope that may answer, best first.
        gates: The decisions, in their order.
        describe: Says what a passage is, by scope id and number.
        about: Of a request (`Question.request`): the scopes that it asks of, as far as they are known; else empty.
        related: Of a relational question: the scopes whose users it asks for, or that a project may use; empty when it
            asks for those of any, or for all that a project uses.

    """

    question: Question
    mentions: tuple[Mention, ...]
    cwd_scope: str | None
    confinement: Confinement
    evidence: Evidence
    ranking: tuple[RoutedScope, ...]
    gates: tuple[Gate, ...]
    describe: Callable[[str, int], str]
    about: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
