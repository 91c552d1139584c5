"""What a reader should know of an answer, as values: one class a kind, with the scopes, names and counts it is about.

No value knows a flag, an argument or a command. `describe` is the plain sentence; `cure` says what mends the matter,
where something does. Whoever shows an answer puts the cure into words of their own: a command line names a command, a
server says what the person runs. A face may also have a sentence of its own for a kind; one that has none is complete
with `describe` and its own words for the few actions of a `Cure`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda kind: kind


Action = Literal["index", "graphs", "rebuild_graphs", "extract", "rerun_indexer", "embed", "collect_uses"]


class Cure(NamedTuple):
    """What mends what a note tells.

    Attributes:
        action: `index`, `graphs` (what calls what), `rebuild_graphs` (the same from nothing) or `embed` of the scope;
            `extract`: run graphify on it again; `rerun_indexer`: run the tool that wrote its SCIP index again;
            `collect_uses`: read again who uses whom.
        scope: The id of the scope; "" for all.

    """

    action: Action
    scope: str = ""


@dataclass_transform(frozen_default=True)
class Note:
    """What all kinds have in common: a frozen value with the fields that its class annotates.

    To a type checker and to `match` a kind is a frozen dataclass. It is not made by `dataclasses`, which compiles six
    methods for each class: with forty kinds that takes ten times as long as reading this module.
    """

    kind: ClassVar[str]
    """The stable name of the kind, for programs."""
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.__match_args__ = tuple(cls.__annotations__)

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self.__match_args__, values, strict=False), **named)
        wrong = [name for name in given if name not in self.__match_args__]
        missing = [name for name in self.__match_args__ if name not in given and not hasattr(type(self), name)]
        if wrong or missing or len(values) > len(self.__match_args__):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self.__match_args__) or 'none'}")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a note cannot be changed: {name}")

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__match_args__}

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.kind, *self._values().values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._values().items())})"

    def __str__(self) -> str:
        return self.describe()

    def describe(self) -> str:
        """The plain sentence, without a full stop."""
        raise NotImplementedError

    @property
    def cure(self) -> Cure | None:
        """What mends the matter; None where nothing does, or nothing needs to."""
        return None

    def to_json(self, text: str | None = None) -> dict[str, Any]:
        """`kind`, `text` (the sentence of a face, else the plain one) and the fields of the kind."""
        values = {name: _plain(value) for name, value in self._values().items()}
        return {"kind": self.kind, "text": self.describe() if text is None else text, **values}


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


NoteWords = Callable[[Sequence[Note]], Sequence[str]]
"""The words of a face: a sentence for each note, in their order."""


def plain_words(notes: Sequence[Note]) -> list[str]:
    """The plain sentences."""
    return [note.describe() for note in notes]


def notes_json(notes: Sequence[Note], words: NoteWords = plain_words) -> list[dict[str, Any]]:
    """Each note as an object, with the sentence of the face."""
    return [note.to_json(text) for note, text in zip(notes, words(notes), strict=True)]


# -- how old the index of a project is --------------------------------------------------------------------------------


class NotIndexed(Note):
    """The project is registered, and nothing of it is indexed."""

    kind = "not_indexed"
    scope: str

    def describe(self) -> str:
        """The sentence."""
        return f"{self.scope} is registered but not indexed"

    @property
    def cure(self) -> Cure:
        """An index run."""
        return Cure("index", self.scope)


class OlderRules(Note):
    """Another version of loci indexed the project, by other rules."""

    kind = "older_rules"
    scope: str

    def describe(self) -> str:
        """The sentence."""
        return "it was indexed by another version of loci"

    @property
    def cure(self) -> Cure:
        """An index run."""
        return Cure("index", self.scope)


class Changed(Note):
    """The project has changed since it was indexed. `head`: another commit is checked out; else only files changed."""

    kind = "changed"
    scope: str
    head: bool

    def describe(self) -> str:
        """The sentence."""
        return "HEAD has moved since it was indexed" if self.head else "files have changed since it was indexed"

    @property
    def cure(self) -> Cure:
        """An index run."""
        return Cure("index", self.scope)


class NotCompared(Note):
    """Whether the project has changed is not known. `reason`: what went wrong; "" where there was no time to look."""

    kind = "not_compared"
    reason: str

    def describe(self) -> str:
        """The sentence."""
        if not self.reason:
            return "there was no time to compare its files with the index"
        return f"its files could not be compared with the index: {self.reason}"


class NotThere(Note):
    """The project is not where it was registered. `state`: gone, no_repository, or unreachable (its disk is away)."""

    kind = "not_there"
    path: str
    state: Literal["gone", "no_repository", "unreachable"]

    def describe(self) -> str:
        """The sentence."""
        what = {
            "gone": "does not exist any more",
            "no_repository": "is no longer a git repository",
            "unreachable": "cannot be reached",
        }[self.state]
        return f"{self.path} {what}; answered from its index"


class OtherWorktree(Note):
    """The question was asked from another work tree of the project.

    Attributes:
        root: The root of that work tree.
        path: The registered one.
        texts_from_there: Whether the texts are those of the files there.
        symbols_from_there: Whether the symbols are too, or there are none.

    """

    kind = "other_worktree"
    root: str
    path: str
    texts_from_there: bool
    symbols_from_there: bool

    def describe(self) -> str:
        """The sentence."""
        if not self.texts_from_there:
            what = f"citations were compared with the files there, texts come from {self.path}"
        elif not self.symbols_from_there:
            what = f"answered from the files there, symbols come from {self.path}"
        else:
            what = "answered from the files there"
        return f"asked from {self.root}: {what}"


# -- what was and was not found ---------------------------------------------------------------------------------------


class NoWords(Note):
    """The question has no word to search for."""

    kind = "no_words"

    def describe(self) -> str:
        """The sentence."""
        return "the question contains no word to search for"


class NoEvidence(Note):
    """Nothing in the project answers.

    Attributes:
        scope: Its id.
        up_to_date: Whether the whole project was searched as it is now.
        unreadable: How many of its files could not be read.
        example: One of these; "" without any.
        kept_back: Whether there are passages that come near and were kept back; asking the scope itself shows them.

    """

    kind = "no_evidence"
    scope: str
    up_to_date: bool
    unreadable: int
    example: str
    kept_back: bool

    def describe(self) -> str:
        """The sentence."""
        if self.unreadable:
            files = "1 file" if self.unreadable == 1 else f"{self.unreadable} files"
            return f"no evidence in this project, but {files} could not be read (for example {self.example})"
        return "no evidence in this project" if self.up_to_date else "no evidence in the index of this project"


class NoPassage(Note):
    """Only symbols answer. Passages that come near were kept back; asking the scope itself shows them."""

    kind = "no_passage"
    scope: str

    def describe(self) -> str:
        """The sentence."""
        return "no passage of this project answers the question"


class CitedNowhere(Note):
    """The question cites a number, and the project does not have it. `number`: as it is cited."""

    kind = "cited_nowhere"
    number: str

    def describe(self) -> str:
        """The sentence."""
        return f"{self.number} does not occur in this project"


class NewestTag(Note):
    """The newest tag of the project.

    Attributes:
        tags: Its names, three at most.
        more: How many more names it has.
        commit: The first ten digits of its commit.
        date: The day of that commit, as 2024-04-07.

    """

    kind = "newest_tag"
    tags: tuple[str, ...]
    more: int
    commit: str
    date: str

    def describe(self) -> str:
        """The sentence."""
        more = f" and {self.more} more" if self.more else ""
        return f"newest tag: {', '.join(self.tags)}{more}, at commit {self.commit} of {self.date}"


class SourceFiles(Note):
    """How many source files of the project are in which language.

    Attributes:
        files: Pairs of a language and its number of files, most first: the languages asked about, else the first.
        total: All source files.
        asked: Whether the question asks about these languages.
        others: Whether there are further languages.

    """

    kind = "source_files"
    files: tuple[tuple[str, int], ...]
    total: int
    asked: bool
    others: bool

    def describe(self) -> str:
        """The sentence."""
        if self.asked:
            return "; ".join(
                f"{language}: {files:,} of {self.total:,} source files ({self._share(files)})"
                for language, files in self.files
            )
        shown = ", ".join(f"{language} {files:,} ({self._share(files)})" for language, files in self.files)
        return f"source files: {shown}{' and others' if self.others else ''}"

    def _share(self, files: int) -> str:
        part = 100 * files / self.total
        return "less than 1 %" if 0 < part < 1 else f"{part:.0f} %"


# -- symbols ----------------------------------------------------------------------------------------------------------


class GraphOutdated(Note):
    """Another version of loci built the graph of what calls what."""

    kind = "graph_outdated"
    scope: str

    def describe(self) -> str:
        """The sentence."""
        return "the call graph was built by another version of loci"

    @property
    def cure(self) -> Cure:
        """A run that builds what is missing or behind."""
        return Cure("graphs", self.scope)


class GraphUnreadable(Note):
    """The graph of what calls what cannot be read."""

    kind = "graph_unreadable"
    scope: str
    reason: str

    def describe(self) -> str:
        """The sentence."""
        return f"the call graph cannot be read ({self.reason})"

    @property
    def cure(self) -> Cure:
        """A run that builds all anew."""
        return Cure("rebuild_graphs", self.scope)


class OtherGraph(Note):
    """What is wrong with the graph of another tool that is asked beside the built-in one.

    Attributes:
        scope: The id of the project.
        source: The file of the tool in the project.
        problem: What is wrong, as a sentence.
        remedy: What mends it; None where the built-in graph answers all the same and no more is said.

    """

    kind = "other_graph"
    scope: str
    source: str
    problem: str
    remedy: Action | None

    def describe(self) -> str:
        """The sentence."""
        return self.problem

    @property
    def cure(self) -> Cure | None:
        """The remedy, for this scope."""
        return None if self.remedy is None else Cure(self.remedy, self.scope)


class NamesAbsent(Note):
    """The question writes these names as code, and the project has no such symbol: what is shown only looks like it."""

    kind = "names_absent"
    names: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return f"this project has no symbol called {' or '.join(self.names)}"


class NoSuchSymbol(Note):
    """The project has no symbol of the name.

    Attributes:
        name: As it was asked for.
        near: Names of symbols that look like it, best first.
        partly_parsed: How many files of the project did not parse whole, which limits the claim.

    """

    kind = "no_such_symbol"
    name: str
    near: tuple[str, ...]
    partly_parsed: int

    def describe(self) -> str:
        """The sentence."""
        from loci.core.errors import one_of

        like = f": did you mean {one_of(self.near)}?" if self.near else ""
        files = "1 of its files was" if self.partly_parsed == 1 else f"{self.partly_parsed} of its files were"
        limit = f" ({files} only parsed in part)" if self.partly_parsed else ""
        return f"this project has no symbol called {self.name}{like}{limit}"


class NothingRelated(Note):
    """Nothing in the project is known to have the relation that was asked for.

    Attributes:
        name: The symbol.
        relation: callers, callees, implementers, tests, importers, reach or users.
        others_shown: Whether uses of a symbol of the same name are shown, which may mean another one.

    """

    kind = "nothing_related"
    name: str
    relation: str
    others_shown: bool = False

    def describe(self) -> str:
        """The sentence."""
        if self.relation == "callees":
            return f"{self.name} is not known to call anything here"
        does = {
            "callers": "call",
            "implementers": "inherit from, implement or override",
            "tests": "test",
            "importers": "import",
        }.get(self.relation, "refer to")
        if self.others_shown:
            return f"nothing is certain to {does} {self.name}; what is shown may refer to another one"
        return f"nothing here is known to {does} {self.name}"


class CalledThrough(Note):
    """Callers call what the method overrides; the object may be of another class.

    Attributes:
        name: The method.
        bases: The methods that it overrides and that are called.
        callers: How many of the callers call one of these.
        all_callers: Whether these are all of them.

    """

    kind = "called_through"
    name: str
    bases: tuple[str, ...]
    callers: int
    all_callers: bool

    def describe(self) -> str:
        """The sentence."""
        bases = " or ".join(self.bases)
        if self.all_callers:
            return f"no caller of {self.name} itself is known; callers of {bases}, which it overrides, may call it"
        count = "1 of the callers calls" if self.callers == 1 else f"{self.callers} of the callers call"
        return f"{count} {bases}, which it overrides, and may call another override"


class SymbolsLeftOut(Note):
    """There are more symbols than there is room for. `limit`: what makes the room, `k` or `budget`."""

    kind = "symbols_left_out"
    count: int
    limit: Literal["k", "budget"]

    def describe(self) -> str:
        """The sentence."""
        symbols = "1 more symbol is" if self.count == 1 else f"{self.count} more symbols are"
        return f"{symbols} left out; a larger {self.limit} shows more of them"


class UsesUnresolved(Note):
    """Uses of a symbol of this name could not be resolved. `name`: the last part of the name."""

    kind = "uses_unresolved"
    name: str
    count: int

    def describe(self) -> str:
        """The sentence."""
        uses, they = ("use", "it") if self.count == 1 else ("uses", "they")
        return f"{self.count} {uses} of a symbol named {self.name} could not be resolved; {they} may refer to this one"


class ChainCut(Note):
    """The chain from one symbol to the other is longer than there is room for. `symbols`: how many it has."""

    kind = "chain_cut"
    start: str
    end: str
    symbols: int

    def describe(self) -> str:
        """The sentence."""
        return f"the path from {self.start} to {self.end} has {self.symbols} symbols; a larger budget shows all of them"


class NoChain(Note):
    """No chain leads from one symbol to the other, as far as calls could be resolved."""

    kind = "no_chain"
    start: str
    end: str

    def describe(self) -> str:
        """The sentence."""
        return f"no path from {self.start} to {self.end} is known; unresolved calls are not followed"


class NotInBackend(Note):
    """A backend that the program brought has nothing of the project. `part`: structure or passages."""

    kind = "not_in_backend"
    backend: str
    part: Literal["structure", "passages"]

    def describe(self) -> str:
        """The sentence."""
        what = "structure of this project" if self.part == "structure" else "passages of this project"
        return f"{self.backend} has no {what}"


# -- vectors ----------------------------------------------------------------------------------------------------------


class WithoutVectors(Note):
    """The project has vectors, and they could not be used.

    Attributes:
        scope: Its id.
        part: Whose: all (passages and symbols) or symbols.
        reason: Why.
        embed: Whether embedding the project mends it.

    """

    kind = "without_vectors"
    scope: str
    part: Literal["all", "symbols"]
    reason: str
    embed: bool

    def describe(self) -> str:
        """The sentence."""
        what = "answered" if self.part == "all" else "symbols were found"
        return f"{what} without vectors: {self.reason}"

    @property
    def cure(self) -> Cure | None:
        """Embedding, where that helps."""
        return Cure("embed", self.scope) if self.embed else None


# -- who uses whom ----------------------------------------------------------------------------------------------------


class UsesNotCollected(Note):
    """What the project uses was not collected. `declared_only`: what it uses of registered projects was."""

    kind = "uses_not_collected"
    declared_only: bool

    def describe(self) -> str:
        """The sentence."""
        if self.declared_only:
            return "its dependencies outside the registered projects are not known"
        return "its dependencies were not collected"

    @property
    def cure(self) -> Cure:
        """Collecting it."""
        return Cure("collect_uses")


class NotMentioned(Note):
    """The project does not mention the name. `gaps`: what could not be looked at, a sentence each."""

    kind = "not_mentioned"
    name: str
    gaps: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        gaps = f" ({'; '.join(self.gaps)})" if self.gaps else ""
        return f"no manifest, lock file, import or script of this project names {self.name}{gaps}"


class OnlyApart(Note):
    """Only a test, an example or the documentation of the project mentions the name."""

    kind = "only_apart"
    name: str

    def describe(self) -> str:
        """The sentence."""
        return f"only a test, an example or the documentation of this project names {self.name}"


class OnlyLocked(Note):
    """All that is shown is in lock files only: a dependency of a dependency."""

    kind = "only_locked"

    def describe(self) -> str:
        """The sentence."""
        return "only a lock file of this project names it: an indirect dependency"


class NothingDeclared(Note):
    """No manifest of the project declares a dependency."""

    kind = "nothing_declared"

    def describe(self) -> str:
        """The sentence."""
        return "no manifest that loci reads declares a dependency"


class MoreDeclared(Note):
    """The project declares more names than are shown. `count`: so many more."""

    kind = "more_declared"
    count: int

    def describe(self) -> str:
        """The sentence."""
        return f"{self.count} more dependencies are declared"


class NotCollected(Note):
    """A part of who uses whom could not be collected. `problem`: which, as a sentence."""

    kind = "not_collected"
    problem: str

    def describe(self) -> str:
        """The sentence."""
        return self.problem


# -- the answer as a whole --------------------------------------------------------------------------------------------


class HomeFileDamaged(Note):
    """A file of the home cannot be used.

    Attributes:
        problem: Which, and what is wrong with it.
        instead: What is done without it: the projects are those that were indexed, the defaults are used, or who uses
            whom is not known.

    """

    kind = "home_file_damaged"
    problem: str
    instead: Literal["indexed_projects", "defaults", "uses_unknown"]

    def describe(self) -> str:
        """The sentence."""
        instead = {
            "indexed_projects": "answering with the projects as they were last indexed",
            "defaults": "the defaults are used",
            "uses_unknown": "who uses whom is not known",
        }[self.instead]
        return f"{self.problem}; {instead}"

    @property
    def cure(self) -> Cure | None:
        """Collecting who uses whom again; a person's own file has to be mended by hand."""
        return Cure("collect_uses") if self.instead == "uses_unknown" else None


class NotConsidered(Note):
    """These projects are registered and could not answer: they are not indexed. Sorted ids."""

    kind = "not_considered"
    scopes: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return f"not indexed, so not searched: {some(self.scopes)}"

    @property
    def cure(self) -> Cure:
        """An index run over all."""
        return Cure("index")


class WithoutStructure(Note):
    """These projects could not be asked for the symbol: they have no graph."""

    kind = "without_structure"
    scopes: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return f"no call graph, so not searched: {some(self.scopes)}"

    @property
    def cure(self) -> Cure:
        """Graphs for all."""
        return Cure("graphs")


class InOtherCapitals(Note):
    """These projects have a symbol whose name differs in capitals only."""

    kind = "in_other_capitals"
    scopes: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return f"in other letter case the name also exists in {some(self.scopes)}"


class BeingUpdated(Note):
    """These projects are being brought up to date; the answer is from before. Sorted ids."""

    kind = "being_updated"
    scopes: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return f"being updated: {', '.join(self.scopes)}"


def some(names: Sequence[str], limit: int = 5) -> str:
    """The first names, and how many more there are.

    >>> some(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    more = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {more} more" if more > 0 else "")
