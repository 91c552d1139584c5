"""A question, read once.

`read` takes a question's text and gives a `Question`: one immutable value whose parts are read when they are first
needed, each of them once. Routing, ranking, symbols and direct answers take the `Question` or a part of it, and read no
text again; only an index turns text into terms.

For: what the wording of a question says, in five languages, whatever projects there are. Not for: which words are names
of registered projects (`names`), how much the words speak for a project (`evidence`).

Most parts are closed classes: lists that a language does not add to, such as determiners, pronouns, auxiliaries, and
the few nouns that mean "one of my projects". Nothing here counts or weighs words, and nothing here decides; the router
does. The wordings of each language stand in one file of `patterns`.

>>> question = read("who calls Session.close in flask 3.0, and why?")
>>> [(each.name, each.relation) for each in question.symbol_relations]
[('Session.close', 'callers')]
>>> [(each.kind, each.text) for each in question.citations]
[('version', '3.0')]
>>> question.intent.asks_for
'reason'
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from .code_names import is_unmistakable, names_a_place, plain_name
from .parts import (
    LANGUAGES,
    OF_ALL,
    AskedRelation,
    Chain,
    Citation,
    CodeName,
    Cue,
    Intent,
    Language,
    ProjectRelation,
    RelationKind,
    Request,
    Span,
    SymbolRelation,
)

if TYPE_CHECKING:
    from .traces import Ends

T = TypeVar("T")


class Part(Generic[T]):
    """A part of a question: read when it is first asked for, and once, from however many threads it is asked for."""

    def __init__(self, read_part: Callable[[Question], T]) -> None:
        self._read = read_part
        self.__doc__ = read_part.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, question: None, owner: type) -> Part[T]: ...
    @overload
    def __get__(self, question: Question, owner: type) -> T: ...
    def __get__(self, question: Question | None, owner: type) -> Part[T] | T:
        if question is None:
            return self
        parts = question._parts
        if self._name not in parts:
            with question._lock:
                if self._name not in parts:
                    parts[self._name] = self._read(question)
        return parts[self._name]

    def __set__(self, question: Question, value: T) -> None:
        raise AttributeError(f"the {self._name} of a question cannot be set")


class Question:
    """What a question says, read from its text. Made by `read`; immutable, safe to share between threads.

    Two questions are equal when their texts are. Spans are pairs of places in `text`.
    """

    __slots__ = ("_lock", "_parts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._parts: dict[str, Any] = {}
        self._lock = threading.RLock()

    @property
    def text(self) -> str:
        """The question as it was asked."""
        return self._text

    # The text and its language

    @Part
    def head(self) -> str:
        """The beginning of the text that grammar is read off; nearly always all of it."""
        from .traces import READ_CHARACTERS

        return self._text[:READ_CHARACTERS]

    @Part
    def ends(self) -> Ends:
        """What is searched for names and numbers: all of the text, of a very long one its beginning and its end."""
        from .traces import ends_of

        return ends_of(self._text)

    @Part
    def whole_folded(self) -> str:
        """The head in lower case, with straight quotes and half-width signs, of the same length."""
        from .text import fold

        return fold(self.head)

    @Part
    def language(self) -> Language:
        """The language whose wordings apply beside the English ones."""
        from .language import language_of

        return language_of(self.whole_folded)

    @Part
    def languages(self) -> tuple[Language, ...]:
        """The languages whose wordings apply: `language`, and English."""
        from .language import with_english

        return tuple(with_english(self.language))

    @Part
    def languages_of_words(self) -> tuple[str, ...]:
        """All languages that a wording may be in which says the same in whatever language it stands."""
        from .language import of_words

        return of_words(self.ends.text)

    @Part
    def has_words(self) -> bool:
        """Whether there is a letter or a digit in the text."""
        return any(character.isalnum() for character in self._text)

    @Part
    def is_one_word(self) -> bool:
        """Whether the text is a single word, without a space."""
        return len(self._text.split()) == 1

    # What the grammar says

    @Part
    def instrument(self) -> Cue | None:
        """The wording that names a tool to ask with ("use loci to find"), if any; the tool is not the subject."""
        from .instrument import instrument_of

        return instrument_of(self.whole_folded, self.languages)

    @Part
    def folded(self) -> str:
        """The head, folded, with spaces in the place of the instrument."""
        from .text import blank

        return self.whole_folded if self.instrument is None else blank(self.whole_folded, [self.instrument.span])

    @Part
    def enumerations(self) -> tuple[Cue, ...]:
        """The wordings that ask for a set of projects ("which of my repos")."""
        from .sets import enumerations

        return tuple(enumerations(self.folded, self.languages))

    @property
    def enumeration(self) -> Cue | None:
        """The first wording that asks for a set of projects, if any."""
        return next(iter(self.enumerations), None)

    @Part
    def evidence(self) -> str:
        """The text without the instrument and the frame of an enumeration: its words are evidence for projects."""
        from .sets import frame_of
        from .text import blank

        spans = frame_of(self.folded, self.enumerations, self.languages)
        if self.instrument is not None:
            spans.append(self.instrument.span)
        return " ".join((blank(self.head, spans) + self._text[len(self.head) :]).split())

    @Part
    def project_relations(self) -> tuple[ProjectRelation, ...]:
        """Wordings that ask how projects use one another; which of them count depends on what is registered."""
        from .language import of_short
        from .project_relations import project_relations

        # "was hängt von click ab?" has one function word; no English sentence is worded like it.
        return tuple(project_relations(self.folded, of_short(self.folded, self.language)))

    @Part
    def request(self) -> Request | None:
        """What is asked of a project as a whole ("what does X do?"), where nothing else is asked."""
        from .requests import request_of

        if len(self.head) < len(self._text):
            return None
        found = request_of(self.folded, self.language)
        if found is not None and self.enumerations and found.kind not in (*OF_ALL, "needs"):
            return None
        return found

    @Part
    def deixis(self) -> tuple[Cue, ...]:
        """The wordings that point at a subject outside the question ("this repo"), without bound pronouns."""
        from .deixis import deixis_of
        from .text import blank

        # Whatever an enumeration says of "here" and "my" is said of the whole set of projects.
        pointing = blank(self.folded, [cue.span for cue in self.enumerations])
        found = deixis_of(pointing, self.languages)
        request = self.request
        if request is not None and request.subject is None and request.kind not in OF_ALL and not found:
            # "What is new?": it is asked of a project that is left out altogether.
            found.append(Cue("request", request.text, (0, len(self.folded))))
        return tuple(found)

    @Part
    def intent(self) -> Intent:
        """Whether the question asks for what is, for what happened, or for a reason, and whether it asks when."""
        from .intent import intent_of

        begins = self.folded if self.request is None else self.request.text
        return intent_of(self._text, begins, self.languages_of_words)

    # What it names

    @Part
    def code_names(self) -> tuple[CodeName, ...]:
        """The names that are written as code is, those that are nothing but code first."""
        from .code_names import code_names

        return tuple(code_names(self.ends))

    @Part
    def symbol_relations(self) -> tuple[SymbolRelation, ...]:
        """The names whose relations are asked for ("who calls X"), in their order."""
        from .relations import symbol_relations

        return tuple(symbol_relations(self.ends, self.languages_of_words))

    @Part
    def asked_relations(self) -> frozenset[AskedRelation]:
        """The relations that are asked for, of the symbols that are named or of whatever the words find."""
        from .relations import asked_relations

        return asked_relations(self.folded, self.symbol_relations, self.languages_of_words)

    @Part
    def chains(self) -> tuple[Chain, ...]:
        """The pairs of names that the way between is asked for ("from A to B")."""
        from .relations import chains

        return tuple(chains(self.ends, self.languages_of_words))

    @Part
    def asked_names(self) -> tuple[str, ...]:
        """The names in `symbol_relations` and `chains` that can only be symbols."""
        from .relations import sure_names

        return tuple(sure_names(self.symbol_relations, self.chains))

    @Part
    def citations(self) -> tuple[Citation, ...]:
        """The versions, issues, commits, standards, dates and numbers that are cited, three at most."""
        from .citations import citations

        return tuple(citations(self.ends))

    # How it looks

    def cut(self, span: Span) -> str:
        """The words of the question at a span."""
        return self._text[slice(*span)]

    def describe(self, width: int = 80) -> str:
        """What was understood, in plain text: a line for each part that the question has, of up to `width` columns."""
        from .describe import describe

        return describe(self, width)

    def to_json(self) -> dict[str, Any]:
        """Everything that was understood, as plain JSON values; all parts are read for it."""
        request, enumeration, instrument = self.request, self.enumeration, self.instrument
        return {
            "text": self._text,
            "language": self.language,
            "evidence": self.evidence,
            "instrument": None if instrument is None else instrument.to_json(),
            "enumeration": None if enumeration is None else enumeration.to_json(),
            "deixis": [each.to_json() for each in self.deixis],
            "project_relations": [each.to_json() for each in self.project_relations],
            "request": None if request is None else request.to_json(),
            "code_names": [each.to_json() for each in self.code_names],
            "symbol_relations": [each.to_json() for each in self.symbol_relations],
            "asked_relations": sorted(self.asked_relations),
            "chains": [each.to_json() for each in self.chains],
            "citations": [each.to_json() for each in self.citations],
            "intent": self.intent.to_json(),
        }

    def __repr__(self) -> str:
        return f"<Question {self._text!r}>" if len(self._text) <= 200 else f"<Question {self._text[:199]!r}...>"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Question) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[type[Question], tuple[str]]:
        return Question, (self._text,)


def read(question: str | Question) -> Question:
    """Reads a question, which is a function of its text alone; a `Question` is returned as it is."""
    return question if isinstance(question, Question) else Question(question)


__all__ = [
    "LANGUAGES",
    "OF_ALL",
    "AskedRelation",
    "Chain",
    "Citation",
    "CodeName",
    "Cue",
    "Intent",
    "Language",
    "ProjectRelation",
    "Question",
    "RelationKind",
    "Request",
    "Span",
    "SymbolRelation",
    "is_unmistakable",
    "names_a_place",
    "plain_name",
    "read",
]
