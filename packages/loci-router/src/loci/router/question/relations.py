"""What a question asks of the symbols of a project: whose relations, and which.

Wordings of developers, as patterns. A question that fits none is still answered from the names that it writes as code
does, so a missing wording costs the order of the answer and not the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .code_names import EDGE, LONGEST_NAME, NEVER_A_NAME, NO_PRODUCT, WRITTEN_AS_CODE
from .parts import AskedRelation, Chain, RelationKind, SymbolRelation
from .patterns import patterns_of
from .text import compiled
from .traces import Ends

# What the patterns call <N> and <E>: a name, with what may stand before and behind it, and the name that a way ends at.
_NOUN = r"(?:function|method|class|constructor|macro|routine|symbol|type|interface|trait|struct|helper|component|hook)"
_NAME = (
    rf"(?:(?:the|our|my)\s+)?(?:{_NOUN}\s+)?"
    r"`?(?P<name>[A-Za-z_$][A-Za-z0-9_$]*(?:(?:\.|::|\#|->)[A-Za-z_$][A-Za-z0-9_$]*)*)(?:\(\))?`?"
)
_PLACES = {"<N>": _NAME, "<E>": _NAME.replace("<name>", "<end>"), "<NOUN>": _NOUN}

_ALSO_OF_PEOPLE = (
    r"us|depend|rel|need|run|trigger|execut|refer|construct|instant|dead|unused|obsolete|unreach|remove|delete|drop"
    r"|nutz|benutz|verwend|utilis|utiliz"
)
"""Beginnings of verbs of which projects, people and plain things are the object as well: "what depends on click" asks
for no function `click`, and "can I remove files" for no function `files`.
"""

_MORE_TELLING: tuple[RelationKind, ...] = (
    "tests",
    "implementers",
    "importers",
    "reach",
    "callees",
    "callers",
    "users",
)


def symbol_relations(ends: Ends, languages: Sequence[str]) -> list[SymbolRelation]:
    """The names that a question asks the relations of, in its order."""
    # The first wording that fits a place is the one meant: "which tests call X" asks for no other callers.
    asked: dict[int, SymbolRelation] = {}
    for each in sorted(_asked(ends.text, languages), key=lambda each: (each.place, _MORE_TELLING.index(each.relation))):
        known = asked.setdefault(
            each.place,
            SymbolRelation(each.name, each.relation, ends.span((each.place, each.place + len(each.name))), False),
        )
        if _is_sure(each) and not _is_word(ends.text, each.name):
            asked[each.place] = known._replace(sure=True)
    found: dict[tuple[str, str], SymbolRelation] = {}
    for each in asked.values():
        known = found.setdefault((each.name, each.relation), each)
        if each.sure and not known.sure:
            found[each.name, each.relation] = known._replace(sure=True)
    return list(found.values())


class _Asked(NamedTuple):
    """A name in a wording. `doubtful`: it may speak of other things. `marked`: as code, by what surrounds the name."""

    place: int
    name: str
    relation: RelationKind
    doubtful: bool
    marked: bool


def _asked(text: str, languages: Sequence[str]) -> Iterator[_Asked]:
    folded = text.casefold()
    for language in languages:
        for relation, beginnings, written in patterns_of(language).symbol_relations:
            # The beginnings spare a question about nothing of the kind the making of forty patterns, which takes longer
            # than routing.
            if not any(word in folded for word in beginnings.split()):
                continue
            for match in compiled(_placed(EDGE + written), re.IGNORECASE).finditer(text):
                name = match["name"]
                if name.casefold() in NEVER_A_NAME or len(name) > LONGEST_NAME:
                    continue
                groups = match.groupdict()
                verb = (groups.get("verb") or "").casefold()
                doubtful = (
                    "doubt" in groups
                    or relation in ("tests", "importers")
                    or compiled(_ALSO_OF_PEOPLE).match(verb) is not None
                )
                start, end = match.span("name")
                marked = text[start - 1 : start] == "`" or text[end : end + 2] == "()"
                if (doubtful or "code" in groups) and not (marked or compiled(WRITTEN_AS_CODE).search(name)):
                    continue
                # Heirs and references use it as well.
                users = relation == "callers" and verb != "" and not verb.startswith(("call", "invo"))
                yield _Asked(start, name, "users" if users else relation, doubtful, marked)


def _is_sure(each: _Asked) -> bool:
    return not each.doubtful or each.marked or compiled(NO_PRODUCT).search(each.name) is not None


def _is_word(text: str, name: str) -> bool:
    """Whether a name stands there as a plain word with an article: "what calls the scheduler" may mean no function."""
    if compiled(WRITTEN_AS_CODE).search(name):
        return False
    return re.search(rf"\b(?:an?|the)\s+{re.escape(name)}\b(?!\(|`)", text, re.IGNORECASE) is not None


_OF_A_NAME: dict[RelationKind, AskedRelation] = {
    "callers": "callers",
    "users": "callers",
    "reach": "callers",
    "callees": "callees",
    "implementers": "implementers",
    "importers": "importers",
    "tests": "tests",
}


def asked_relations(
    folded: str, relations: Sequence[SymbolRelation], languages: Sequence[str]
) -> frozenset[AskedRelation]:
    """The relations that a question asks for, of the symbols it names or of whatever its words find.

    "which commands go through it" asks for callers though it names no symbol.
    """
    found: set[AskedRelation] = {_OF_A_NAME[each.relation] for each in relations}
    for language in languages:
        for relation, beginnings, written in patterns_of(language).asked_relations:
            if relation in found or not any(word in folded for word in beginnings.split()):
                continue
            if compiled(written).search(folded):
                found.add(relation)
    return frozenset(found)


def chains(ends: Ends, languages: Sequence[str]) -> list[Chain]:
    """Pairs of names that a question asks the way between, in its order."""
    text = ends.text
    folded = text.casefold()
    found = (
        (match.start("name"), match["name"], match["end"])
        for language in languages
        for beginnings, written in patterns_of(language).chains
        if any(word in folded for word in beginnings.split())
        for match in compiled(_placed(written), re.IGNORECASE).finditer(text)
        if not {match["name"].casefold(), match["end"].casefold()} & NEVER_A_NAME
        and max(len(match["name"]), len(match["end"])) <= LONGEST_NAME
        # "from master to main" speaks of branches, whatever is called so.
        and any(
            text[match.start(each) - 1 : match.start(each)] == "`" or compiled(WRITTEN_AS_CODE).search(match[each])
            for each in ("name", "end")
        )
    )
    chosen: dict[tuple[str, str], Chain] = {}
    for place, start, end in sorted(found):
        chosen.setdefault((start, end), Chain(start, end, ends.span((place, place + len(start)))))
    return list(chosen.values())


def sure_names(relations: Sequence[SymbolRelation], ways: Sequence[Chain]) -> list[str]:
    """The names in these that can only be symbols, each once."""
    names = [each.name for each in relations if each.sure]
    names += [name for way in ways for name in (way.start, way.end)]
    return list(dict.fromkeys(names))


def _placed(written: str) -> str:
    for mark, pattern in _PLACES.items():
        written = written.replace(mark, pattern)
    return written
