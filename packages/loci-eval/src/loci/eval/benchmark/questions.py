"""The question file: one JSON object a line, read strictly.

A benchmark that drops a malformed line measures something else than it says, so every fault is collected and named by
its line number, and none is repaired.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import QuestionsError

__all__ = [
    "BASE_FAMILIES",
    "SPECIAL_FAMILIES",
    "Evidence",
    "Question",
    "check_scopes",
    "listed",
    "load_questions",
    "parse_questions",
]

BASE_FAMILIES = ("behavior", "structure", "history")
"""The families whose pooled figure is the headline of a run."""

SPECIAL_FAMILIES = ("alias_trap", "pronoun_ok", "shared")
"""Answerable questions about as short as those that must be refused: the fair positives of an abstention figure."""

INVENTED = "invented"
"""A `kind` that starts with this word marks an unanswerable question about a made-up feature of a real domain."""

_FAULTS_SHOWN = 20
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Evidence:
    """One place that answers a question.

    kind: "path" (value is a path relative to the scope's root, with `/`) or "commit" (value is the full id in hex).
    """

    scope: str
    kind: str
    value: str


@dataclass(frozen=True)
class Question:
    """One question and what is right for it.

    scopes: the scopes that answer it, as folder names of the corpus; empty means the right answer is to abstain.
    evidence: where the answer stands; may be empty.
    line: 1-based line of the file it came from, 0 when it came from none.
    """

    id: str
    family: str
    question: str
    scopes: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    kind: str = ""
    cwd_ok: bool = False
    line: int = 0

    @property
    def answerable(self) -> bool:
        """Whether some scope answers it; otherwise abstaining is right."""
        return bool(self.scopes)

    @property
    def invented(self) -> bool:
        """Whether it asks for a made-up feature, where routing to that domain and finding nothing is right too."""
        return not self.scopes and self.kind.startswith(INVENTED)


def load_questions(path: str | Path) -> list[Question]:
    """Reads a question file (JSON lines, UTF-8; blank lines are skipped).

    Raises QuestionsError, which names every faulty line, when the file is missing, empty or malformed.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise QuestionsError(f"cannot read the questions {path}: {error.strerror or error}") from error
    return parse_questions(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), name=path.name)


def parse_questions(lines: Iterable[bytes | str], *, name: str = "questions") -> list[Question]:
    """As load_questions, from lines already read; `name` is what the messages call the file."""
    questions: list[Question] = []
    faults: list[str] = []
    first_line: dict[str, int] = {}
    for number, raw in enumerate(lines, start=1):
        try:
            text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
        except UnicodeDecodeError:
            faults.append(f"{name}:{number}: not UTF-8")
            continue
        if not text.strip():
            continue
        try:
            question = _parse(text, number)
        except _LineError as fault:
            faults.append(f"{name}:{number}: {fault}")
            continue
        if question.id in first_line:
            faults.append(f'{name}:{number}: id "{question.id}" is already used on line {first_line[question.id]}')
            continue
        first_line[question.id] = number
        questions.append(question)
    if faults:
        raise QuestionsError(listed(faults))
    if not questions:
        raise QuestionsError(f"{name} holds no question")
    return questions


def check_scopes(questions: Sequence[Question], known: Collection[str], *, name: str = "questions") -> None:
    """Raises QuestionsError naming each question whose scope is not in the corpus, with the near names."""
    faults = []
    for question in questions:
        for scope in question.scopes:
            if scope in known:
                continue
            near = difflib.get_close_matches(scope, sorted(known), n=3)
            hint = f" (did you mean {', '.join(near)}?)" if near else ""
            faults.append(
                f'{name}:{question.line}: {question.id} needs the scope "{scope}", which is not in the corpus{hint}'
            )
    if faults:
        raise QuestionsError(listed(faults))


class _LineError(Exception):
    """What is wrong with one line, without its number."""


def listed(faults: Sequence[str]) -> str:
    """The faults of a file, one a line; of very many the first ones."""
    shown = list(faults[:_FAULTS_SHOWN])
    if len(faults) > len(shown):
        shown.append(f"and {len(faults) - len(shown)} more")
    return "\n".join(shown)


def _parse(text: str, line: int) -> Question:
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise _LineError(f"not JSON: {error.msg} at column {error.colno}") from error
    if not isinstance(record, dict):
        raise _LineError("a line must be a JSON object")
    identity, family, text = (_string(record, key) for key in ("id", "family", "question"))
    scopes = _strings(record, "scopes")
    if len(set(scopes)) != len(scopes):
        raise _LineError('"scopes" names a scope twice')
    return Question(
        id=identity,
        family=family,
        question=text,
        scopes=scopes,
        evidence=_evidence(record.get("evidence", []), scopes),
        kind=_string(record, "kind", default=""),
        cwd_ok=_boolean(record, "cwd_ok"),
        line=line,
    )


def _string(record: dict[str, Any], key: str, default: str | None = None) -> str:
    if key not in record and default is not None:
        return default
    value = record.get(key)
    if not isinstance(value, str) or not value.strip():
        raise _LineError(f'"{key}" must be a non-empty string')
    return value


def _strings(record: dict[str, Any], key: str) -> tuple[str, ...]:
    value = record.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise _LineError(f'"{key}" must be a list of strings (empty when the right answer is to abstain)')
    return tuple(value)


def _boolean(record: dict[str, Any], key: str) -> bool:
    value = record.get(key, False)
    if not isinstance(value, bool):
        raise _LineError(f'"{key}" must be true or false')
    return value


def _evidence(value: Any, scopes: tuple[str, ...]) -> tuple[Evidence, ...]:
    if not isinstance(value, list):
        raise _LineError('"evidence" must be a list')
    return tuple(_one_evidence(item, position, scopes) for position, item in enumerate(value, start=1))


def _one_evidence(item: Any, position: int, scopes: tuple[str, ...]) -> Evidence:
    if not isinstance(item, dict):
        raise _LineError(f"evidence {position} must be an object")
    kinds = [kind for kind in ("path", "commit") if kind in item]
    if len(kinds) != 1:
        raise _LineError(f'evidence {position} needs a "path" or a "commit", one of them')
    kind = kinds[0]
    value = _string(item, kind)
    if kind == "commit" and not _COMMIT.fullmatch(value):
        raise _LineError(f"evidence {position}: a commit is 40 hexadecimal digits in lower case")
    if "scope" in item:
        scope = _string(item, "scope")
        if scope not in scopes:
            raise _LineError(f'evidence {position} stands in "{scope}", which "scopes" does not name')
    elif len(scopes) == 1:
        scope = scopes[0]
    else:
        raise _LineError(f'evidence {position} must name its "scope", since "scopes" holds {len(scopes)}')
    return Evidence(scope=scope, kind=kind, value=value)
