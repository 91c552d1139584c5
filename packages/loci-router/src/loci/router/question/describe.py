"""What was understood of a question, in words: the short block that `loci route --explain` begins with."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from . import Question

_LANGUAGES = {"en": "English", "de": "German", "es": "Spanish", "zh": "Chinese", "ja": "Japanese"}
_REQUESTS = {
    "overview": "what a project is",
    "needs": "what a project depends on",
    "languages": "what a project is written in",
    "written_in": "which projects are written in",
    "holding": "which projects have files in",
    "release": "the newest release",
    "changes": "the latest changes",
}
_ASKS_FOR = {"state": "what is", "event": "something that happened", "reason": "a reason"}


def describe(question: Question, width: int) -> str:
    """A line for each part that the question has, none longer than `width`; ends without a line break."""
    rows = [("language", _LANGUAGES[question.language])]
    intent = question.intent
    rows.append(("asks for", _ASKS_FOR[intent.asks_for] + (", and when" if intent.date else "")))
    if question.request is not None:
        request = question.request
        of = "" if request.subject is None else f": {question.cut(request.subject)}"
        count = "" if request.count is None else f" ({request.count})"
        needed = "" if request.object is None else f", of {question.cut(request.object)}"
        rows.append(("request", _REQUESTS[request.kind] + count + of + needed + " ".join(["", *request.languages])))
    if question.instrument is not None:
        rows.append(("instrument", question.instrument.text))
    if question.enumeration is not None:
        rows.append(("a set of projects", question.enumeration.text))
    rows += [
        (
            "relation of projects",
            each.cue.text if each.subject is None else f"who uses {question.cut(each.subject)} ({each.cue.text})",
        )
        for each in question.project_relations
    ]
    if question.deixis:
        rows.append(("points outside", ", ".join(f"{cue.text} ({cue.kind})" for cue in question.deixis)))
    for each in question.symbol_relations:
        unsure = "" if each.sure else " (if it is a symbol)"
        rows.append((each.relation, f"{each.name}{unsure}"))
    unnamed = question.asked_relations.difference(_of_names(question))
    if unnamed:
        rows.append(("relations", ", ".join(sorted(unnamed))))
    rows += [("way", f"from {each.start} to {each.end}") for each in question.chains]
    if question.code_names:
        rows.append(("names of code", ", ".join(each.name for each in question.code_names)))
    if question.citations:
        rows.append(("cites", ", ".join(f"{each.kind} {each.text}" for each in question.citations)))
    rows.append(("evidence", question.evidence or "no words"))
    column = max(len(name) for name, _ in rows) + 2
    return "\n".join(_line(name, text, column, width) for name, text in rows)


def _of_names(question: Question) -> set[str]:
    """The relations that stand in a line of their own, with a name."""
    return {"callers" if each.relation in ("users", "reach") else each.relation for each in question.symbol_relations}


def _line(name: str, text: str, column: int, width: int) -> str:
    line = f"{name:<{column}}{' '.join(text.split())}"
    columns = list(accumulate(2 if east_asian_width(character) in "WF" else 1 for character in line))
    if columns[-1] <= width:
        return line
    return line[: sum(column <= width - 4 for column in columns)].rstrip() + " ..."
