"""The words of the command line: what a value of the router or of core is called for a person at a prompt.

For: every sentence in which advice becomes flags and commands. Not for: what is advised, which is decided below.

A kind without words here is an error for the type checker, and for a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loci.core import Cure, LociError, Note
    from loci.router import Advice


def advice(advised: Sequence[Advice]) -> list[str]:
    """A sentence for each, in their order; joined with "; " they read as one."""
    texts: list[str] = []
    before: Advice | None = None
    for each in advised:
        texts.append(_joint(before, each) + one_advice(each))
        before = each
    return texts


def _joint(before: Advice | None, after: Advice) -> str:
    from loci.router import advice as kinds

    if isinstance(before, kinds.ChangedSinceIndexed):
        return "apart from that, "
    if isinstance(before, kinds.DirectoryNotRegistered) and not isinstance(after, kinds.NameTheProject):
        return "otherwise, "
    return ""


def one_advice(advised: Advice) -> str:
    """One piece of advice, with the flags and commands that a person types."""
    from loci.router import advice as kinds

    match advised:
        case kinds.OutsideGroup(scope, name, groups, asked_for):
            group = ", ".join(groups)
            if asked_for:
                leave = f"ask without `--group {group}`, or with `--scope {scope}`"
            else:
                leave = (
                    f"ask with `--no-cwd` or `--scope {scope}`, or loosen it with `loci group set {group} --mode soft`"
                )
            return f"the best answer is in {name}, outside the group {group}; {leave}"
        case kinds.NothingIndexed():
            return "no project is indexed; `loci setup <directory>` indexes the projects in a directory"
        case kinds.EmptyGroup(groups):
            return f"the group {', '.join(groups)} has no members; `loci group add <scope> <group>` adds one"
        case kinds.NoneInLanguage():
            return advised.describe()
        case kinds.Misspelt(scope, name):
            return f"did you mean {name}? then pass `--scope {scope}`"
        case kinds.SubjectNotNamed(candidates):
            which = f" (it may be {', '.join(candidates)})" if candidates else ""
            return (
                f"the question does not say which project it is about{which}; "
                "name it, ask from inside it, or pass `--scope` or `--cwd`"
            )
        case kinds.HardlyAnyEvidence():
            return (
                "almost nothing in the indexed projects matches; ask in other words, or register the project it is "
                "about: `loci add <directory>`"
            )
        case kinds.CommonWords(candidates):
            return (
                "most projects contain every word of the question, so the words do not tell which one is meant; name "
                f"the project, pass {_scope_flag(candidates)}, or ask from inside it"
            )
        case kinds.ThinEvidence(candidates):
            return (
                f"the evidence is too weak to choose a project; pass {_scope_flag(candidates)}, or ask from inside it"
            )
        case kinds.NothingAskedOfSet():
            return f"{advised.describe()}; `loci scopes` lists all projects"
        case kinds.NoContentWords():
            return advised.describe()
        case kinds.OnlyOutside():
            return f"{advised.describe()}; `loci scopes` lists all projects"
        case kinds.IndexedNowhere():
            return f"{advised.describe()}; `loci scopes` lists all projects, `loci scan` adds more"
        case kinds.DefinedInSeveral(symbols, scopes):
            return (
                f"{', '.join(symbols)} is defined in {kinds.some(scopes)}; pass `--scope {scopes[0]}`, "
                "name the project, or ask from inside it"
            )
        case kinds.LeftDirectory(here, here_name, _, there_name):
            return (
                f"answered from {there_name} and not from {here_name}, the project of the working directory: "
                f"{kinds.left_because(advised)}; to stay, pass `--scope {here}`"
            )
        case kinds.MoreInLanguages():
            return advised.describe()
        case kinds.UsesNotCollected():
            return f"{advised.describe()}; `loci uses --refresh` collects them"
        case kinds.UsesListed(more):
            return "`loci uses` shows where" + (f"; {more} more projects use it" if more else "")
        case kinds.ChangedSinceIndexed(scopes):
            command = " ".join(["loci index", *scopes]) if len(scopes) <= 5 else "loci index"
            return f"{advised.describe()}: `{command}`"
        case kinds.DirectoryNotRegistered(directory):
            from loci.core import quoted

            return f"{advised.describe()}; `loci add {quoted(directory)}` and `loci index` add it"
        case kinds.NameTheProject():
            return "to ask about another project, name it or pass `--scope`"
        case kinds.NoUserFound():
            return f"{advised.describe()}; `loci uses --refresh` reads them again"
        case kinds.NoSuchSymbol():
            return advised.describe()


def hint(error: LociError) -> str | None:
    """What to do about an error: its own hint, or the flags and commands where that is a matter of the face."""
    from loci.core import EmptyQuestion, EmptySymbol, NoReranker, UnknownScope

    match error:
        case EmptyQuestion():
            return 'loci ask "why ...?"'
        case EmptySymbol():
            return "loci ask --symbol NAME"
        case NoReranker(named=False):
            return "loci ask --rerank-model <directory of a cross-encoder>"
        case NoReranker():
            return "without --rerank it works without a model"
        case UnknownScope(near=()):
            return "`loci scopes` lists all names"
        case _:
            return error.hint


def notes(of_answer: Sequence[Note]) -> list[str]:
    """A sentence for each, in their order."""
    return [one_note(note) for note in of_answer]


def one_note(note: Note) -> str:
    """One note, with the flag or the command that a person types where something mends the matter."""
    from loci.core import notes as kinds

    text = note.describe()
    match note:
        case kinds.NoEvidence(kept_back=True) | kinds.NoPassage():
            return f"{text} (--scope {note.scope} shows the nearest passages)"
        case kinds.NotConsidered() | kinds.WithoutStructure():
            return f"{text} ({command(note.cure)})"
        case _:
            return text if note.cure is None else f"{text}: {command(note.cure)}"


def command(cure: Cure) -> str:
    """What a person types, or does, to mend a matter."""
    match cure.action:
        case "index" | "graphs" | "embed":
            return " ".join(["loci", cure.action, *([cure.scope] if cure.scope else [])])
        case "rebuild_graphs":
            return f"loci graphs --all {cure.scope}"
        case "extract":
            return f"loci graphs {cure.scope} --extractor graphify"
        case "rerun_indexer":
            return "run its indexer again"
        case "collect_uses":
            return "loci uses --refresh"


def _scope_flag(candidates: Sequence[str]) -> str:
    """The flag for the first candidate, and the others that may stand in its place.

    >>> _scope_flag(["hugo", "bat"])
    '`--scope hugo` (or bat)'
    """
    first, *others = candidates
    return f"`--scope {first}`" + (f" (or {' or '.join(others)})" if others else "")


__all__ = ["advice", "hint", "notes", "one_advice", "one_note"]
