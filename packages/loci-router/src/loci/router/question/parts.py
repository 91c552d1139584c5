"""The values that a question is read into. Every span is a pair of places in `Question.text`: start and end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Language = Literal["en", "de", "es", "zh", "ja"]
Span = tuple[int, int]


@dataclass(frozen=True)
class Cue:
    """A wording that carries grammar: the class it belongs to, the words themselves (folded), and where they stand."""

    kind: str
    text: str
    span: Span

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"kind": self.kind, "text": self.text, "span": list(self.span)}


@dataclass(frozen=True)
class ProjectRelation:
    """A question about relations between projects ("which of my projects use X?").

    Attributes:
        cue: The wording.
        subject: Where the name of what is used stands; None when any other project is meant.

    """

    cue: Cue
    subject: Span | None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"text": self.cue.text, "span": list(self.cue.span), "subject": _json_span(self.subject)}


RequestKind = Literal["overview", "needs", "languages", "written_in", "holding", "release", "changes"]

OF_ALL: frozenset[RequestKind] = frozenset(["written_in", "holding"])
"""The requests that are made of all projects, and answered with a set of them."""


LANGUAGES = {
    "c": "C", "c#": "C#", "csharp": "C#", "c++": "C++", "cpp": "C++", "clojure": "Clojure", "dart": "Dart",
    "elixir": "Elixir", "erlang": "Erlang", "f#": "F#", "go": "Go", "golang": "Go", "groovy": "Groovy",
    "haskell": "Haskell", "java": "Java", "javascript": "JavaScript", "js": "JavaScript", "julia": "Julia",
    "kotlin": "Kotlin", "lua": "Lua", "nix": "Nix", "ocaml": "OCaml", "objective-c": "Objective-C", "php": "PHP",
    "perl": "Perl", "python": "Python", "r": "R", "ruby": "Ruby", "rust": "Rust", "scala": "Scala", "shell": "Shell",
    "bash": "Shell", "svelte": "Svelte", "swift": "Swift", "typescript": "TypeScript", "ts": "TypeScript", "vue": "Vue",
    "zig": "Zig",
}  # fmt: skip
"""Programming languages as people write them, folded -> as they are called."""


@dataclass(frozen=True)
class Request:
    """What a question asks of a project as a whole.

    Attributes:
        kind: "overview": what it is and what it is for. "needs": what it depends on. "languages": what it is written
            in. "release": what its newest release is, when it was or what it changed. "changes": what changed last.
            "written_in", "holding": which of the projects are mostly written in a language, or have files of it.
        text: The words of the question, folded.
        subject: Where the name of the project stands; None where the question points at it ("this repo", "it").
        object: Of "needs", where the name of what it may depend on stands; None where all of it is asked for.
        languages: The programming languages that are asked about, as `LANGUAGES` spells them; none: all.
        count: Of "changes", how many are asked for ("the last 5 commits"); None where no number is given.

    """

    kind: RequestKind
    text: str
    subject: Span | None
    object: Span | None = None
    languages: tuple[str, ...] = ()
    count: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "kind": self.kind,
            "text": self.text,
            "subject": _json_span(self.subject),
            "object": _json_span(self.object),
            "languages": list(self.languages),
            "count": self.count,
        }


class CodeName(NamedTuple):
    """A name that the question writes as code does.

    Attributes:
        name: As it is written, without backquotes and `()`.
        span: Where it stands first.
        joined: Whether it is nothing but code: of several words without a space (`Session.close`, `open_session`). The
            others stand in backquotes, before `()`, or have capitals inside, as names of products have as well.

    """

    name: str
    span: Span
    joined: bool

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"name": self.name, "span": list(self.span), "joined": self.joined}


RelationKind = Literal["callers", "callees", "users", "reach", "implementers", "tests", "importers"]


AskedRelation = Literal["callers", "callees", "implementers", "importers", "tests"]
"""What a question asks for of symbols, whatever their names: what calls them or depends on them, what they call, what
inherits from them or implements them, what imports them, what tests them."""


class SymbolRelation(NamedTuple):
    """A name whose relations are asked for; there may be no such symbol.

    Attributes:
        name: As it is written.
        relation: callers, callees, reach (what its change would reach), implementers, tests or importers; users where
            the question says "uses", which heirs and references do as well.
        span: Where the name stands.
        sure: Whether it can only be a symbol: "is Redis still used" may speak of a database.

    """

    name: str
    relation: RelationKind
    span: Span
    sure: bool

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"name": self.name, "relation": self.relation, "span": list(self.span), "sure": self.sure}


class Chain(NamedTuple):
    """Two names that the question asks the way between; there may be no such symbols.

    Attributes:
        start: The name that the way begins at.
        end: The name that it leads to.
        span: Where the name of `start` stands.

    """

    start: str
    end: str
    span: Span

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"start": self.start, "end": self.end, "span": list(self.span)}


CitationKind = Literal["version", "reference", "commit", "code", "number"]


@dataclass(frozen=True)
class Citation:
    """Something that the question cites by number: it has one place, and it is not where the words stand most often.

    Attributes:
        kind: "version": of a release. "reference": of an issue or a pull request. "commit": a commit id or its
            beginning. "code": of a standard, an advisory or an error. "number": a date, a port or another number.
        text: As answers name it: `2.32.5`, `#6767`, `90fee087`.
        spellings: How it may stand in a text; any of them is what is cited.
        span: Where it stands.

    """

    kind: CitationKind
    text: str
    spellings: tuple[str, ...]
    span: Span

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"kind": self.kind, "text": self.text, "spellings": list(self.spellings), "span": list(self.span)}


AsksFor = Literal["state", "event", "reason"]


@dataclass(frozen=True)
class Intent:
    """What a question wants to hear: it decides whether commits or files come first.

    Attributes:
        asks_for: "event": something that happened, which commits tell. "reason": why something is as it is, which a
            commit or a comment may tell. "state": anything else, which files tell.
        date: Whether it asks when: of a release, then its commit, which has a date, comes before its notes.

    """

    asks_for: AsksFor
    date: bool

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"asks_for": self.asks_for, "date": self.date}


def _json_span(span: Span | None) -> list[int] | None:
    return None if span is None else list(span)
