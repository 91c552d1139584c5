"""What is known of one question before anything is decided: the scopes, the names in it, and what its words say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from .calibration import COMMON_SHARE, OWN_TERMS, Calibration
from .confine import Confinement
from .evidence import Evidence
from .model import Scope
from .names import IDENTIFYING, Mention, name_weights
from .question import OF_ALL, Question

WEAK_CUES = frozenset(["person"])
"""Deictic cues that say whose subject it is ("we", "our") but not that the question leaves it out: people say "why
did we drop X" of every subject. They name the kind of an abstention; they cause one only where no word of the question
sets projects apart ("our dependencies").
"""


AGENTS = frozenset(["we", "wir"])
"""Those of the weak cues that are the subject of a clause, and not the possessor of what is asked about."""


@dataclass(frozen=True)
class Case:
    """One question and all that is known of it.

    Attributes:
        question: The question as it was read.
        scopes: All scopes by id.
        evidence: What the question's words say of each.
        mentions: The names of scopes in it.
        cwd: The scope that the working directory lies in, if any.
        confinement: Which scopes may answer.
        calibration: Every number.

    """

    question: Question
    scopes: Mapping[str, Scope]
    evidence: Evidence
    mentions: tuple[Mention, ...]
    cwd: str | None
    confinement: Confinement
    calibration: Calibration

    @cached_property
    def eligible(self) -> list[str]:
        """The scopes that may answer, sorted."""
        return sorted(self.confinement.eligible)

    @property
    def from_inside(self) -> bool:
        """Whether the working directory lies in a scope that may answer."""
        return self.cwd in self.confinement.eligible

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Scope id -> how much of a name its strongest mention is; scopes that are not mentioned are left out."""
        return name_weights(self.mentions)

    @cached_property
    def identified(self) -> list[str]:
        """The scopes that the question names as its subject, sorted."""
        return sorted(scope for scope, weight in self.weights.items() if weight >= IDENTIFYING)

    @cached_property
    def named(self) -> list[str]:
        """Those of them that may answer."""
        return [scope for scope in self.identified if scope in self.confinement.eligible]

    @cached_property
    def about(self) -> tuple[str, ...]:
        """The scopes that a request asks of, as far as they are known; empty without a request."""
        request = self.question.request
        if request is None or request.kind in OF_ALL:
            return ()
        if request.subject is None:
            return (self.cwd,) if self.cwd is not None and self.from_inside else ()
        return tuple(sorted(mention.scope for mention in self.mentions if mention.frame == "asked about"))

    @cached_property
    def least_evidence(self) -> float:
        """The evidence of the scope with least of it: what one that is not indexed is taken to have."""
        return min((each.combined for each in self.evidence.scopes.values()), default=0.0)

    @cached_property
    def newest_commit(self) -> int | None:
        """When the newest commit of all scopes was made, in seconds since 1970; None without any history."""
        times = [scope.last_commit_time for scope in self.scopes.values() if scope.last_commit_time is not None]
        return max(times, default=None)

    def holds(self, scope: str) -> float:
        """How much of what the best scope has this one has as well, 0 to 1."""
        evidence = self.evidence.scopes.get(scope)
        return evidence.holds if evidence else 0.0

    def shares(self, holders: Mapping[str, int]) -> dict[str, float]:
        """Scope id -> the share of its passages that hold a term. `holders`: their number."""
        return {scope: count / max(self.evidence.sizes.get(scope, 0), 1) for scope, count in holders.items()}

    @cached_property
    def common(self) -> bool:
        """Whether every word of the question stands in most projects: it may still be one project's by how they stand
        together, and by how much one of them makes of them, but nobody has a word that the others lack.
        """
        most = COMMON_SHARE * len(self.evidence.scopes)
        return bool(self.evidence.terms) and all(len(term.holders) > most for term in self.evidence.terms)

    @cached_property
    def pointing(self) -> list[str]:
        """The words that point at a subject outside the question."""
        # "How long do we wait before giving up on a server?" says what it is about, if in everybody's words.
        said = len(self.evidence.terms) >= OWN_TERMS
        return [
            cue.text
            for cue in self.question.deixis
            if cue.kind not in WEAK_CUES or (self.common and not (said and cue.text in AGENTS))
        ]
