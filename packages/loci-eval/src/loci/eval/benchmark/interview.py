"""Making questions with known answers out of questions that were asked: a person says of each what was right.

The label costs one key a question, since loci shows where it would send it now and most of the time that is right. What
is written is the format that `loci eval --questions` reads. Nothing is guessed: a question that the person does not
judge is not written.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import QuestionsError
from .questions import load_questions
from .table import one_line

if TYPE_CHECKING:
    from loci.core import Memory, Registered
    from loci.router import Route

__all__ = ["Candidate", "Interview", "candidates_from_lines", "candidates_from_log"]

ASKED = "asked"
"""The family of a question that one project answers."""

ASKED_SET = "asked_set"
"""The family of a question that several projects answer."""

SHOWN_SOURCES = 6
NONE = "-"


@dataclass(frozen=True)
class Candidate:
    """A question to be judged; what else is known of it is as in `loci.core.Asked`."""

    question: str
    time: int | None = None
    scopes: tuple[str, ...] = ()
    reason: str | None = None
    given: str | None = None
    here: str | None = None
    logged: bool = False


def normal(question: str) -> str:
    """What two askings of one question have in common."""
    return " ".join(question.casefold().split())


def candidates_from_log(memory: Memory, *, abstained_only: bool = False) -> list[Candidate]:
    """The kept questions, newest first, each once; empty when none are kept."""
    from loci.core import QueryLog

    found: dict[str, Candidate] = {}
    for asked in reversed(QueryLog(memory.home).read()):
        if abstained_only and not asked.abstained:
            continue
        found.setdefault(
            normal(asked.question),
            Candidate(asked.question, asked.time, asked.scopes, asked.reason, asked.given, asked.here, logged=True),
        )
    return list(found.values())


def candidates_from_lines(lines: Iterable[str], *, name: str) -> list[Candidate]:
    """Questions from lines of text, or of JSON objects with a `question`; each once, in their order.

    Raises QuestionsError naming the lines that begin like JSON and are none.
    """
    found: dict[str, Candidate] = {}
    for number, line in enumerate(lines, start=1):
        text = line.strip().removeprefix("\ufeff")
        if not text:
            continue
        if text.startswith("{"):
            try:
                text = json.loads(text)["question"]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise QuestionsError(
                    f'{name}:{number}: a line in braces must be a JSON object with a "question"'
                ) from error
            if not isinstance(text, str) or not text.strip():
                raise QuestionsError(f'{name}:{number}: "question" must be a non-empty string')
        found.setdefault(normal(text), Candidate(text.strip()))
    return list(found.values())


@dataclass
class Interview:
    """One sitting: shows each question, takes the verdict, appends it to the file at once.

    ask: called with the text of a prompt; returns what the person typed. say: prints one line.
    evidence: also asks which of the passages found shows the answer.
    """

    memory: Memory
    indexed: Mapping[str, Registered]
    out: Path
    ask: Callable[[str], str]
    say: Callable[[str], None]
    evidence: bool = False
    written: int = 0
    skipped: int = 0
    _known: set[str] = field(default_factory=set)
    _ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.out.exists() and self.out.stat().st_size:
            # A broken file is found before anybody has answered anything.
            for question in load_questions(self.out):
                self._known.add(normal(question.question))
                self._ids.add(question.id)

    def open_candidates(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those that the file does not have yet."""
        return [candidate for candidate in candidates if normal(candidate.question) not in self._known]

    def run(self, candidates: Sequence[Candidate]) -> None:
        """Goes through the candidates until they or the person's patience end."""
        todo = self.open_candidates(candidates)
        for number, candidate in enumerate(todo, start=1):
            self.say("")
            self.say(f"[{number} of {len(todo)}] {one_line(candidate.question, 400)}")
            route = self.memory.route(candidate.question)
            if candidate.logged:
                self.say(f"  {_then(candidate)}")
            self.say(f"  it goes {_now(route)}")
            scopes = self._judged(candidate, route)
            if scopes is None:
                return
            if scopes is _SKIPPED:
                self.skipped += 1
                continue
            self._write(candidate, route, scopes)

    def _judged(self, candidate: Candidate, route: Route) -> tuple[str, ...] | None:
        """The right scopes, `_SKIPPED`, or None to stop."""
        right = "right not to answer" if route.abstained else "right"
        while True:
            typed = self.ask(f"  {right}? yes, no, which project, skip, quit [y/n/w/s/q]").strip().casefold()
            if typed in ("y", "yes"):
                return tuple(scope.id for scope in route.scopes)
            if typed in ("q", "quit"):
                return None
            if typed in ("", "s", "skip"):
                return _SKIPPED
            if typed in ("n", "no", "w", "which"):
                return self._which(candidate)
            self.say("  one of y, n, w, s, q")

    def _which(self, candidate: Candidate) -> tuple[str, ...]:
        from loci.core import LociError

        given = f", Enter for {candidate.given}" if candidate.given in self.indexed else ", Enter to skip"
        while True:
            typed = self.ask(f"  which? names with commas between, {NONE} for none of my projects{given}").strip()
            if not typed:
                return (candidate.given,) if candidate.given in self.indexed and candidate.given else _SKIPPED
            if typed == NONE:
                return ()
            found = []
            try:
                for name in filter(None, (part.strip() for part in typed.split(","))):
                    found.append(self.memory.resolve(name).id)
            except LociError as error:
                self.say(f"  {one_line(error.message)}" + (f" ({one_line(error.hint)})" if error.hint else ""))
                continue
            missing = [scope for scope in found if scope not in self.indexed]
            if missing:
                self.say(f"  not indexed: {', '.join(missing)}")
                continue
            if found:
                return tuple(dict.fromkeys(found))

    def _write(self, candidate: Candidate, route: Route, scopes: tuple[str, ...]) -> None:
        record: dict[str, Any] = {
            "id": self._new_id(candidate.question),
            "family": _family(route, scopes),
            "question": candidate.question,
            "scopes": list(scopes),
        }
        if record["family"] == "deictic":
            record["cwd_ok"] = True
        if self.evidence and scopes:
            record["evidence"] = [
                item for scope in scopes for item in self._evidence(candidate, scope, len(scopes) > 1)
            ]
        line = json.dumps(record, ensure_ascii=False)
        self.out.parent.mkdir(parents=True, exist_ok=True)
        with self.out.open("a+b") as file:
            if file.tell() and not _ends_with_newline(file):
                line = "\n" + line
            file.write((line + "\n").encode("utf-8", "backslashreplace"))
        self._known.add(normal(candidate.question))
        self._ids.add(record["id"])
        self.written += 1

    def _evidence(self, candidate: Candidate, scope: str, several: bool) -> list[dict[str, str]]:
        answer = self.memory.ask(candidate.question, scope=scope, k=SHOWN_SOURCES, refresh=0.0)
        sources: dict[tuple[str, str], str] = {}
        for passage in (passage for block in answer.scopes for passage in block.passages):
            kind, value = ("commit", passage.commit or "") if passage.kind == "commit" else ("path", passage.path)
            sources.setdefault((kind, value), passage.heading or passage.symbol or "")
        listed = list(sources)[:SHOWN_SOURCES]
        if not listed:
            return []
        for number, (kind, value) in enumerate(listed, start=1):
            place = value[:10] if kind == "commit" else value
            self.say(f"    {number}  {one_line(place)}  {one_line(sources[kind, value], 70)}".rstrip())
        while True:
            typed = self.ask(f"  which of these show the answer in {scope}? numbers, Enter for none").replace(",", " ")
            try:
                numbers = [int(word) for word in typed.split()]
            except ValueError:
                numbers = [0]
            if all(1 <= number <= len(listed) for number in numbers):
                where = {"scope": scope} if several else {}
                return [{**where, listed[number - 1][0]: listed[number - 1][1]} for number in dict.fromkeys(numbers)]
            self.say(f"  numbers from 1 to {len(listed)}")

    def _new_id(self, question: str) -> str:
        digest = hashlib.sha256(normal(question).encode("utf-8", "backslashreplace")).hexdigest()
        length = 8
        while f"own-{digest[:length]}" in self._ids:
            length += 1
        return f"own-{digest[:length]}"


_SKIPPED: tuple[str, ...] = ("",)
"""Told apart by identity: it is no id, and an empty tuple means that no project is right."""


def _ends_with_newline(file: Any) -> bool:
    file.seek(-1, 2)
    return file.read(1) == b"\n"


def _family(route: Route, scopes: tuple[str, ...]) -> str:
    if scopes:
        return ASKED if len(scopes) == 1 else ASKED_SET
    return "deictic" if route.reason == "deictic" else "unanswerable"


def _then(candidate: Candidate) -> str:
    went = "to " + ", ".join(candidate.scopes) if candidate.scopes else f"nowhere ({candidate.reason or 'no reason'})"
    when = "" if candidate.time is None else f"{_age(time.time() - candidate.time)} ago "
    where = f" from inside {candidate.here}" if candidate.here else ""
    named = f", since you named {candidate.given}" if candidate.given else ""
    return one_line(f"asked {when}{where.strip()}".strip() + f"; it went {went}{named}", 200)


def _now(route: Route) -> str:
    if not route.abstained:
        names = " and ".join(scope.name for scope in route.scopes)
        return one_line(f"to {names}, confidence {route.confidence:.2f}", 200)
    near = ", ".join(scope.name for scope in route.candidates[:3])
    return one_line(f"nowhere ({route.reason})" + (f"; near: {near}" if near else ""), 200)


def _age(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // length)
        if count >= 1:
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "a moment"
