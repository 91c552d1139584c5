"""What whoever asked can do next, as values: one class a kind, with the scopes, groups and counts that it is about.

No value knows a flag, an argument or a command. Whoever shows a route puts each kind into words of their own: a command
line names its flags, a server its arguments. `describe` is a plain sentence for those who have no words of their own.

The router makes the kinds up to `UsesListed`. The last five are about what the router does not know: which projects are
there, how old their index is, who uses whom. Whoever keeps the projects adds them, as `loci.core` does.

`Advice` is the union of all kinds: a `match` over it that leaves out a kind is an error for a type checker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .statement import Statement

LeftBecause = Literal["named", "defines_symbol", "evidence"]


class OutsideGroup(Statement):
    """The best scope lies outside the groups that confine the question.

    Attributes:
        scope: The id of that scope.
        name: What people call it.
        groups: The groups, sorted.
        asked_for: True when the caller gave the group; False when the working directory did.

    """

    kind = "outside_group"
    scope: str
    name: str
    groups: tuple[str, ...]
    asked_for: bool

    def describe(self) -> str:
        """The sentence."""
        how = "without the group" if self.asked_for else "without the working directory"
        return (
            f"the best answer is in {self.name}, outside the group {', '.join(self.groups)}; ask {how}, "
            f"or ask the scope {self.scope} itself"
        )


class NothingIndexed(Statement):
    """There is no scope at all."""

    kind = "nothing_indexed"

    def describe(self) -> str:
        """The sentence."""
        return "no project is indexed"


class EmptyGroup(Statement):
    """No scope belongs to the groups that confine the question."""

    kind = "empty_group"
    groups: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return f"the group {', '.join(self.groups)} has no members"


class NoneInLanguage(Statement):
    """No scope has files in the programming languages that the question asks for.

    Attributes:
        languages: Their names.
        mostly: True when the question asks for scopes that are mostly written in them.

    """

    kind = "none_in_language"
    languages: tuple[str, ...]
    mostly: bool

    def describe(self) -> str:
        """The sentence."""
        what = "to be mostly written" if self.mostly else "to have source files"
        return f"no indexed project is known {what} in {' or '.join(self.languages)}"


class Misspelt(Statement):
    """A word of the question is nearly the name of a scope."""

    kind = "misspelt"
    scope: str
    name: str

    def describe(self) -> str:
        """The sentence."""
        return f"did you mean {self.name} (the scope {self.scope})?"


class SubjectNotNamed(Statement):
    """The question points at a project that it does not name. `candidates`: what it may be, best first."""

    kind = "subject_not_named"
    candidates: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        which = f" (it may be {', '.join(self.candidates)})" if self.candidates else ""
        return f"the question does not say which project it is about{which}; name it, or say where it is asked from"


class HardlyAnyEvidence(Statement):
    """What the scopes have of the question is too little to name candidates worth a try."""

    kind = "hardly_any_evidence"

    def describe(self) -> str:
        """The sentence."""
        return "almost nothing in the indexed projects matches; ask in other words, or register the project it is about"


class CommonWords(Statement):
    """Most scopes have every word of the question. `candidates`: scope ids, best first."""

    kind = "common_words"
    candidates: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return (
            "most projects contain every word of the question, so the words do not tell which one is meant; name the "
            f"project, or ask {' or '.join(self.candidates)} itself"
        )


class ThinEvidence(Statement):
    """The evidence is too thin to choose between the `candidates`: scope ids, best first."""

    kind = "thin_evidence"
    candidates: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return (
            f"the evidence is too weak to choose a project; ask {' or '.join(self.candidates)} itself, "
            "or say where it is asked from"
        )


class NothingAskedOfSet(Statement):
    """The question asks for projects and says nothing of them: all of them would be the answer."""

    kind = "nothing_asked_of_set"

    def describe(self) -> str:
        """The sentence."""
        return "the question asks for projects without saying which"


class NoContentWords(Statement):
    """The question has no words but stop words."""

    kind = "no_content_words"

    def describe(self) -> str:
        """The sentence."""
        return "the question has no content words; say what it is about"


class OnlyOutside(Statement):
    """Scopes have words of the question, but none that may answer has one."""

    kind = "only_outside"

    def describe(self) -> str:
        """The sentence."""
        return "no project that may answer contains any word of the question"


class IndexedNowhere(Statement):
    """No scope has any word of the question."""

    kind = "indexed_nowhere"

    def describe(self) -> str:
        """The sentence."""
        return "no indexed project contains any word of the question"


class DefinedInSeveral(Statement):
    """Several scopes define the symbols that the question asks about. `scopes`: all of them, best first."""

    kind = "defined_in_several"
    symbols: tuple[str, ...]
    scopes: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return (
            f"{', '.join(self.symbols)} is defined in {some(self.scopes)}; ask one of these scopes itself, "
            "or name the project"
        )


class LeftDirectory(Statement):
    """Another scope answers than the one of the working directory.

    Attributes:
        here: The id of the scope of the working directory.
        here_name: What people call it.
        there: The id of the scope that answers.
        there_name: What people call that.
        because: It is named, it defines the symbol, or the evidence for it is clearly stronger.

    """

    kind = "left_directory"
    here: str
    here_name: str
    there: str
    there_name: str
    because: LeftBecause

    def describe(self) -> str:
        """The sentence."""
        return (
            f"answered from {self.there_name} and not from {self.here_name}, the project of the working directory: "
            f"{left_because(self)}; to stay, ask the scope {self.here} itself"
        )


class MoreInLanguages(Statement):
    """More scopes have files in these languages than the route lists: `more` of them."""

    kind = "more_in_languages"
    more: int
    languages: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        return f"{self.more} more projects have files in {' or '.join(self.languages)}"


class UsesNotCollected(Statement):
    """The question is relational, and which scope uses another is not known: the words decided."""

    kind = "uses_not_collected"

    def describe(self) -> str:
        """The sentence."""
        return "dependencies between projects were not collected, so these are the projects whose texts mention it"


class UsesListed(Statement):
    """The scopes use another one, and it is known in which files. `more`: so many more do, and are not listed."""

    kind = "uses_listed"
    more: int

    def describe(self) -> str:
        """The sentence."""
        return "it is known where they use it" + (f"; {self.more} more projects use it" if self.more else "")


class ChangedSinceIndexed(Statement):
    """These scopes have changed since they were indexed, and what changed was not searched. Sorted ids."""

    kind = "changed_since_indexed"
    scopes: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        have, were = ("has", "it was") if len(self.scopes) == 1 else ("have", "they were")
        return f"{some(self.scopes)} {have} changed since {were} indexed, and the changes were not searched"


class DirectoryNotRegistered(Statement):
    """The question was asked inside a repository that is not registered. `directory`: its root."""

    kind = "directory_not_registered"
    directory: str

    def describe(self) -> str:
        """The sentence."""
        return f"the question was asked in {self.directory}, which is not registered"


class NameTheProject(Statement):
    """The question points at the working directory, which is not registered: another project has to be named."""

    kind = "name_the_project"

    def describe(self) -> str:
        """The sentence."""
        return "to ask about another project, name it"


class NoUserFound(Statement):
    """Nothing that was collected shows a use, which does not prove that there is none.

    Attributes:
        used: The scopes whose users were asked for; empty for those of any.
        projects: How many projects were looked at.
        gaps: What could not be looked at, a sentence each.

    """

    kind = "no_user_found"
    used: tuple[str, ...]
    projects: int
    gaps: tuple[str, ...]

    def describe(self) -> str:
        """The sentence."""
        gaps = f": {'; '.join(self.gaps)}" if self.gaps else ""
        return (
            f"no manifest, import or script of {self.projects} projects names {' or '.join(self.used) or 'any other'}; "
            f"this does not prove that nothing uses it{gaps}"
        )


class NoSuchSymbol(Statement):
    """No scope has a symbol of this name, or none has all of them.

    Attributes:
        names: The names that were asked for.
        near: Pairs of a symbol whose name is like it and the id of its scope, best first.

    """

    kind = "no_such_symbol"
    names: tuple[str, ...]
    near: tuple[tuple[str, str], ...]

    def describe(self) -> str:
        """The sentence."""
        like = f": did you mean {one_of([f'{name} ({scope})' for name, scope in self.near])}?" if self.near else ""
        called = f"a symbol called {self.names[0]}" if len(self.names) == 1 else f"both {' and '.join(self.names)}"
        return f"no indexed project has {called}{like}"


Advice = (
    OutsideGroup
    | NothingIndexed
    | EmptyGroup
    | NoneInLanguage
    | Misspelt
    | SubjectNotNamed
    | HardlyAnyEvidence
    | CommonWords
    | ThinEvidence
    | NothingAskedOfSet
    | NoContentWords
    | OnlyOutside
    | IndexedNowhere
    | DefinedInSeveral
    | LeftDirectory
    | MoreInLanguages
    | UsesNotCollected
    | UsesListed
    | ChangedSinceIndexed
    | DirectoryNotRegistered
    | NameTheProject
    | NoUserFound
    | NoSuchSymbol
)
"""Any kind."""


def left_because(advice: LeftDirectory) -> str:
    """Why the directory was left, as half a sentence."""
    reasons: dict[LeftBecause, str] = {
        "named": "the question names it",
        "defines_symbol": "it defines the symbol",
        "evidence": "the evidence for it is clearly stronger",
    }
    return reasons[advice.because]


def some(names: Sequence[str], limit: int = 5) -> str:
    """The first names, and how many more there are.

    >>> some(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    more = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {more} more" if more > 0 else "")


def one_of(names: Sequence[str], limit: int = 5) -> str:
    """The names as alternatives, of more than `limit` the first, and how many more there are.

    >>> one_of(["a"]), one_of(["a", "b", "c"]), one_of(["a", "b", "c"], limit=2)
    ('a', 'a, b or c', 'a, b or 1 more')
    """
    if len(names) > limit:
        return ", ".join(names[:limit]) + f" or {len(names) - limit} more"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


__all__ = [
    "Advice",
    "ChangedSinceIndexed",
    "CommonWords",
    "DefinedInSeveral",
    "DirectoryNotRegistered",
    "EmptyGroup",
    "HardlyAnyEvidence",
    "IndexedNowhere",
    "LeftBecause",
    "LeftDirectory",
    "Misspelt",
    "MoreInLanguages",
    "NameTheProject",
    "NoContentWords",
    "NoSuchSymbol",
    "NoUserFound",
    "NoneInLanguage",
    "NothingAskedOfSet",
    "NothingIndexed",
    "OnlyOutside",
    "OutsideGroup",
    "SubjectNotNamed",
    "ThinEvidence",
    "UsesListed",
    "UsesNotCollected",
    "left_because",
    "one_of",
    "some",
]
