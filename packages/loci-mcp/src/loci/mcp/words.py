"""The words of the server: what a value of the router or of core is called for an agent.

For: every sentence that says what to do next, in the arguments of the tools: `scope="..."`, `cwd`. Commands that build
or change something stay commands: the person runs them. Not for: what is advised, which is decided below.

A kind without words here is an error for the type checker, and for a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loci.core import Cure, LociError, Note
    from loci.router import Advice, Route

DO_NOT_TRY = (
    "Pass a scope only if you know that this project holds the answer; do not try the candidates one by one. "
    "Else say that nothing indexed answers."
)


def next_steps(route: Route) -> list[str]:
    """What the agent does with this route, a sentence or several each; empty where there is nothing to do."""
    steps = [text for text in map(advice, route.advice) if text]
    return [*steps, DO_NOT_TRY] if route.abstained and route.reason == "no_evidence" else steps


def advice(advised: Advice) -> str:
    """One piece of advice as a full sentence, or several; "" where the reply shows it already."""
    from loci.router import advice as kinds

    match advised:
        case kinds.OutsideGroup(scope, name, groups, asked_for):
            group = ", ".join(groups)
            return (
                f"The best answer is in {name}, outside the group {group}. "
                f"Call again without `{'group' if asked_for else 'cwd'}`, or with {_scope(scope)}."
            )
        case kinds.NothingIndexed():
            return (
                "No project is indexed. The person runs `loci setup <directory>` to index the projects in a directory."
            )
        case kinds.EmptyGroup(groups):
            return (
                f"The group {', '.join(groups)} has no members. Call again without `group`; the person adds a project "
                "with `loci group add <project> <group>`."
            )
        case kinds.NoneInLanguage():
            return f"{_sentence(advised.describe())}."
        case kinds.Misspelt(scope, name):
            return f"Did you mean {name}? If so, call again with {_scope(scope)}."
        case kinds.SubjectNotNamed(candidates):
            which = f" (it may be {', '.join(candidates)})" if candidates else ""
            return (
                f"The question does not say which project it is about{which}. Name it, or call again with `cwd` (its "
                "directory) or `scope` (its id)."
            )
        case kinds.HardlyAnyEvidence():
            return (
                "Almost nothing in the indexed projects matches. Ask in other words. If the question is about a "
                "project that is not registered, the person runs `loci add <directory>`."
            )
        case kinds.CommonWords(candidates):
            return (
                "Most projects contain every word of the question, so the words do not tell which one is meant. Name "
                f"the project, or call again with {_scopes(candidates)} or with `cwd` (its directory)."
            )
        case kinds.ThinEvidence(candidates):
            return (
                "The evidence is too weak to choose a project. If you know the project, call again with "
                f"{_scopes(candidates)} or with `cwd` (its directory)."
            )
        case kinds.NothingAskedOfSet():
            return f"{_sentence(advised.describe())}. The tool `scopes` lists all projects."
        case kinds.NoContentWords():
            return "The question has no content words. Say what it is about."
        case kinds.OnlyOutside():
            return f"{_sentence(advised.describe())}. The tool `scopes` lists all projects."
        case kinds.IndexedNowhere():
            return (
                f"{_sentence(advised.describe())}. The tool `scopes` lists all projects; the person adds more with "
                "`loci scan <directory>`."
            )
        case kinds.DefinedInSeveral(symbols, scopes):
            return (
                f"{', '.join(symbols)} is defined in {kinds.some(scopes)}. Call again with {_scope(scopes[0])} or "
                "another of these, or with `cwd`."
            )
        case kinds.LeftDirectory(here, here_name, _, there_name):
            return (
                f"Answered from {there_name} and not from {here_name}, the project of `cwd`: "
                f"{kinds.left_because(advised)}. "
                f"To stay there, call again with {_scope(here)}."
            )
        case kinds.MoreInLanguages():
            return f"{_sentence(advised.describe())}."
        case kinds.UsesNotCollected():
            return f"{_sentence(advised.describe())}. The person collects them with `loci uses --refresh`."
        case kinds.UsesListed(more):
            return f"{more} more projects use it. The person lists all with `loci uses`." if more else ""
        case kinds.ChangedSinceIndexed(scopes):
            command = " ".join(["loci index", *scopes]) if len(scopes) <= 5 else "loci index"
            return f"{advised.describe()}. The person runs `{command}`."
        case kinds.DirectoryNotRegistered(directory):
            from loci.core import quoted

            return f"{_sentence(advised.describe())}. The person runs `loci add {quoted(directory)}` and `loci index`."
        case kinds.NameTheProject():
            return (
                "To ask about another project, name it, or call again with `cwd` (its directory) or `scope` (its id)."
            )
        case kinds.NoUserFound():
            return f"{_sentence(advised.describe())}. The person reads them again with `loci uses --refresh`."
        case kinds.NoSuchSymbol():
            text = _sentence(advised.describe())
            return text if text.endswith("?") else f"{text}."


def error(problem: LociError) -> str:
    """What is wrong, and what the agent or the person does about it, as `ask` and the other tools report it."""
    advised = _hint(problem)
    return f"{problem.message}\nhint: {advised}" if advised else problem.message


def _hint(problem: LociError) -> str | None:
    from loci.core import EmptyQuestion, EmptySymbol, NoReranker, UnknownScope

    match problem:
        case EmptyQuestion():
            return "pass the question in plain words"
        case EmptySymbol():
            return "pass the name as it is written in the code, or leave `symbol` out"
        case NoReranker():
            return "call again without `rerank`"
        case UnknownScope(near=()):
            return "the tool `scopes` lists all names"
        case _:
            return problem.hint


def notes(of_answer: Sequence[Note]) -> list[str]:
    """A sentence for each, in their order."""
    return [one_note(note) for note in of_answer]


def one_note(note: Note) -> str:
    """One note, with the argument that the agent passes or the command that the person runs."""
    from loci.core import notes as kinds

    text = note.describe()
    match note:
        case kinds.NoEvidence(kept_back=True) | kinds.NoPassage():
            return f"{text} ({_scope(note.scope)} shows the nearest passages)"
        case _:
            return text if note.cure is None else f"{text}; the person runs {_command(note.cure)}"


def _command(cure: Cure) -> str:
    """What the person runs: an agent builds nothing."""
    match cure.action:
        case "index" | "graphs" | "embed":
            return f"`{' '.join(['loci', cure.action, *([cure.scope] if cure.scope else [])])}`"
        case "rebuild_graphs":
            return f"`loci graphs --all {cure.scope}`"
        case "extract":
            return f"`loci graphs {cure.scope} --extractor graphify`"
        case "rerun_indexer":
            return "its indexer again"
        case "collect_uses":
            return "`loci uses --refresh`"


def _scope(identity: str) -> str:
    return f'`scope="{identity}"`'


def _scopes(candidates: Sequence[str]) -> str:
    """The argument for the first candidate, and the others that may stand in its place: `scope="a"` (or "b")."""
    first, *others = [f'"{each}"' for each in candidates]
    return f"`scope={first}`" + (f" (or {' or '.join(others)})" if others else "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["advice", "error", "next_steps", "notes", "one_note"]
