"""The wordings that each language has, a file for each. To add one, write it where its like stands in that file.

Every pattern is a regular expression, compiled when a question first needs it. Those of requests are matched as a
whole and have places: `<S>` the subject (a project), `<O>` one thing that it may need, `<L>` programming languages.
Those of symbol relations are searched for and have `<N>` (the name of a symbol, with what may stand around it), `<E>`
(the name that a way ends at) and `<NOUN>` ("function", "class"). Groups that are read: `subject` of a relation between
projects, and of a symbol relation `verb`, an empty `doubt` where the wording may speak of other things as well, and an
empty `code` where it does so for any name that is not written as code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from ..parts import AskedRelation, RelationKind

PROJECT_NAME = r"[\w@][\w@./+-]*(?:(?: |-)[\w.+-]+){0,2}?"
"""What the name of a project looks like, inside the pattern of a subject."""
QUOTE = r"[\"'`]?"


@dataclass(frozen=True)
class Pronouns:
    """What tells whether a pronoun has an antecedent in the question.

    Attributes:
        not_nouns: Words that cannot be the noun an antecedent consists of.
        determiners: Words that begin the phrase of a noun.
        auxiliaries: Verbs that stand before their subject in a question.
        prepositions: Words that have a noun behind them.
        expletive: Where "it" stands for the clause that follows, and so for nothing outside.

    """

    not_nouns: frozenset[str]
    determiners: frozenset[str]
    auxiliaries: frozenset[str]
    prepositions: frozenset[str]
    expletive: str


@dataclass(frozen=True)
class Patterns:
    """The wordings of one language. What a language lacks is empty.

    Attributes:
        function_words: Words that neither English nor another of the languages has: two of them decide.
        begins: How a short question begins that lacks such words.
        instrument: A tool is told to do the asking. Group `tool`.
        enumeration: A set of projects is asked for.
        frame_words: Words of these wordings that say nothing of the projects' content.
        deixis: (kind, pattern): what points at a subject outside the question.
        pronouns: How bound pronouns are told from others.
        project_relations: How projects use one another.
        subject: What may stand at `<S>`. Group `here` where it points, `name` or `bare` where it is named.
        lead: What may stand before a request.
        trail: What may stand behind it.
        written_in: Which projects are written in a language.
        holding: Which projects have files of a language.
        languages: What a project is written in.
        needs: What a project depends on.
        changes: What changed last in a project.
        release: What its newest release is.
        overview: What a project is and what it is for.
        symbol_relations: (relation, beginnings of words without which no question asks for it, pattern).
        asked_relations: The same for a relation that is asked for whatever the symbols, searched in the folded text.
        chains: (beginnings of words, pattern): the way between two symbols.
        event: Something that happened is asked for.
        reason: A reason is asked for.
        when: A question that begins so asks for a date.

    """

    function_words: frozenset[str] = frozenset()
    begins: str = ""
    instrument: tuple[str, ...] = ()
    enumeration: tuple[str, ...] = ()
    frame_words: frozenset[str] = frozenset()
    deixis: tuple[tuple[str, str], ...] = ()
    pronouns: Pronouns | None = None
    project_relations: tuple[str, ...] = ()
    subject: str = ""
    lead: str = ""
    trail: str = ""
    written_in: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    release: tuple[str, ...] = ()
    overview: tuple[str, ...] = ()
    symbol_relations: tuple[tuple[RelationKind, str, str], ...] = ()
    asked_relations: tuple[tuple[AskedRelation, str, str], ...] = ()
    chains: tuple[tuple[str, str], ...] = ()
    event: tuple[str, ...] = ()
    reason: tuple[str, ...] = ()
    when: str = ""


@cache
def patterns_of(language: str) -> Patterns:
    """The wordings of a language, read when a question first needs them. "others": of those with a few wordings."""
    return import_module(f"{__name__}.{language}").PATTERNS
