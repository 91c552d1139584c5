"""The errors of loci, one tree.

LociError
├── NothingToAnswerFrom            exit 1
│   ├── NothingRegistered          no project is registered
│   └── NoIndex                    projects are registered, none is indexed
├── InvalidRequest                 exit 2   (ValueError)
│   ├── EmptyQuestion              the question has no words
│   ├── EmptySymbol                the name of a symbol is empty
│   ├── NoReranker                 no cross-encoder can be used
│   ├── UnknownScope               no registered project goes by that name   (LookupError)
│   ├── AmbiguousScope             several projects go by that name          (LookupError)
│   ├── UnknownGroup               no group of that name                     (LookupError)
│   ├── NotARepository             the path holds no git repository
│   ├── ExtractorMissing           the command that should build the structure is not installed
│   └── HomeNotWritable            the home directory cannot be written
├── ExtractorFailed                exit 1   another tool was run on a project and gave no structure
├── BuildLocked                    exit 3   another build holds the lock
└── DamagedStore                   exit 4
    ├── DamagedFile                a JSON file of the home cannot be read; line and column are named
    ├── DamagedSegment             a segment file is missing or unreadable
    └── StoreTooNew                written by a newer loci

Every error carries `message` (what is wrong, in the user's words), `hint` (what a person does about it, or None),
`exit_code`, `kind` (a stable name for programs) and the fields of its kind.

A hint is a plain sentence or a command that a person runs, the same whoever shows it. Where the way out depends on the
face (a flag here, an argument there), the error has no hint: each face has its own words for the kind.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar


class LociError(Exception):
    """Base of everything loci raises on purpose."""

    exit_code: ClassVar[int] = 2
    kind: ClassVar[str] = "error"
    fields: ClassVar[tuple[str, ...]] = ()
    """The attributes that say what the error is about."""
    nothing: ClassVar[str | None] = None
    """Why there is no answer, as of a block (`loci.core.Nothing`); None where that is not the matter."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def to_json(self, hint: str | None = None) -> dict[str, Any]:
        """`kind`, `message`, `hint` (of a face, else that of the error), `exit_code` and the fields of the kind."""
        values = {name: _plain(getattr(self, name)) for name in self.fields}
        nothing = {} if self.nothing is None else {"nothing": self.nothing}
        said = {"kind": self.kind, "message": self.message, "hint": hint or self.hint, "exit_code": self.exit_code}
        return {**said, **nothing, **values}


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


class NothingToAnswerFrom(LociError):
    """There is nothing to answer from."""

    exit_code = 1
    kind = "nothing_to_answer_from"


class NothingRegistered(NothingToAnswerFrom):
    """No project is registered. `home`: where."""

    kind = "nothing_registered"
    fields = ("home",)

    def __init__(self, home: Path) -> None:
        super().__init__(f"no project is registered in {home}", "loci setup <directory with your projects>")
        self.home = home


class NoIndex(NothingToAnswerFrom):
    """Projects are registered, but none is indexed. `registered`: how many."""

    kind = "no_index"
    fields = ("registered",)
    nothing = "not_indexed"

    def __init__(self, registered: int) -> None:
        projects = "1 project is" if registered == 1 else f"{registered} projects are"
        super().__init__(f"{projects} registered, but nothing is indexed yet", "loci index")
        self.registered = registered


class InvalidRequest(LociError, ValueError):
    """The request cannot be understood or names something that does not exist."""

    kind = "invalid_request"


class EmptyQuestion(InvalidRequest):
    """The question has no words. Each face has its hint."""

    kind = "empty_question"

    def __init__(self) -> None:
        super().__init__("the question is empty")


class EmptySymbol(InvalidRequest):
    """The name of a symbol is empty. Each face has its hint."""

    kind = "empty_symbol"

    def __init__(self) -> None:
        super().__init__("the name of the symbol is empty")


class NoReranker(InvalidRequest):
    """Reranking was asked for, and there is no cross-encoder that can be used; without it the question is answered.

    `named`: whether one is known, and cannot be used. Each face has its hint.
    """

    kind = "no_reranker"
    fields = ("named",)

    def __init__(self, reason: str | None = None) -> None:
        super().__init__(reason or "no cross-encoder is known")
        self.named = reason is not None


class UnknownScope(InvalidRequest, LookupError):
    """No registered project goes by that name; `near` lists names that look like it. Without any there is no hint."""

    kind = "unknown_scope"
    fields = ("name", "near")
    nothing = "no_such_scope"

    def __init__(self, name: str, near: Sequence[str]) -> None:
        super().__init__(f"no project is called {name!r}", f"did you mean {one_of(near)}?" if near else None)
        self.name = name
        self.near = tuple(near)


class AmbiguousScope(InvalidRequest, LookupError):
    """Several projects go by that name; `near` are their ids."""

    kind = "ambiguous_scope"
    fields = ("name", "near")

    def __init__(self, name: str, candidates: Sequence[str]) -> None:
        super().__init__(f"{name!r} can mean {one_of(candidates)}", "use one of these")
        self.name = name
        self.near = tuple(candidates)


class UnknownGroup(InvalidRequest, LookupError):
    """No group of that name exists; `near` lists names that look like it, `known` all there are."""

    kind = "unknown_group"
    fields = ("name", "near", "known")

    def __init__(self, name: str, near: Sequence[str], known: Sequence[str] = ()) -> None:
        if near:
            hint = f"did you mean {one_of(near)}?"
        elif known:
            hint = f"the groups are {one_of(known)}"
        else:
            hint = f"no project belongs to a group yet: loci group add PROJECT {json.dumps(name, ensure_ascii=False)}"
        super().__init__(f"no group is called {name!r}", hint)
        self.name = name
        self.near = tuple(near)
        self.known = tuple(known)


class ExtractorMissing(InvalidRequest):
    """The command of another tool is not installed; `command` is its name."""

    kind = "extractor_missing"
    fields = ("command",)

    def __init__(self, command: str, hint: str) -> None:
        super().__init__(f"the command {command} is not installed", hint)
        self.command = command


class ExtractorFailed(LociError):
    """Another tool was run on a project (`scope`) and gave no structure; what was there before stays."""

    exit_code = 1
    kind = "extractor_failed"
    fields = ("scope", "reason")

    def __init__(self, scope: str, reason: str, hint: str) -> None:
        super().__init__(f"{scope}: {reason}", hint)
        self.scope = scope
        self.reason = reason


class NotARepository(InvalidRequest):
    """The path is not a git repository."""

    kind = "not_a_repository"
    fields = ("path", "reason")

    def __init__(self, path: Path, reason: str = "contains no git repository", hint: str | None = None) -> None:
        super().__init__(f"{path} {reason}", hint)
        self.path = path
        self.reason = reason


class HomeNotWritable(InvalidRequest):
    """The home directory cannot be written; reading from it goes on."""

    kind = "home_not_writable"
    fields = ("home", "reason")

    def __init__(self, home: Path, reason: str) -> None:
        super().__init__(
            f"cannot write to {home}: {reason}",
            "questions are still answered; to index, make it writable or set LOCI_HOME to a writable directory",
        )
        self.home = home
        self.reason = reason


class BuildLocked(LociError):
    """Another process is building the index; `pid` is its process id when known."""

    exit_code = 3
    kind = "build_locked"
    fields = ("home", "pid")

    def __init__(self, home: Path, pid: int | None) -> None:
        holder = f"process {pid}" if pid is not None else "another process"
        super().__init__(f"{holder} is building the index in {home}", "questions are still answered; try again later")
        self.home = home
        self.pid = pid


class DamagedStore(LociError):
    """What is on disk cannot be used."""

    exit_code = 4
    kind = "damaged_store"


class DamagedFile(DamagedStore):
    """A JSON file of the home directory cannot be read."""

    kind = "damaged_file"
    fields = ("path", "line", "column", "reason")

    def __init__(
        self, path: Path, reason: str, line: int | None = None, column: int | None = None, hint: str | None = None
    ) -> None:
        where = f":{line}:{column}" if line is not None else ""
        super().__init__(f"{path}{where} cannot be read: {reason}", hint or "correct the file, or move it away")
        self.path = path
        self.line = line
        self.column = column
        self.reason = reason


class DamagedSegment(DamagedStore):
    """A segment file that the manifest names is missing, unreadable or built under other rules."""

    kind = "damaged_segment"
    fields = ("scope", "segment", "reason")
    nothing = "cannot_tell"

    def __init__(self, scope: str, segment: Path, reason: str) -> None:
        super().__init__(f"the index of {scope} cannot be used: {segment} {reason}", f"loci index --force {scope}")
        self.scope = scope
        self.segment = segment
        self.reason = reason


class StoreTooNew(DamagedStore):
    """The file was written by a newer loci. `found`: its format; `known`: the newest that this loci reads."""

    kind = "store_too_new"
    fields = ("path", "found", "known")

    def __init__(self, path: Path, found: object, known: int) -> None:
        super().__init__(
            f"{path} has format {found}, this loci knows formats up to {known}", "install the newer loci that wrote it"
        )
        self.path = path
        self.found = str(found)
        self.known = known


def said(error: BaseException) -> str:
    """What an error of the system or of a kernel says, without its numbers and Python's way to write a path."""
    if isinstance(error, OSError) and error.strerror:
        reason = re.sub(r" \(os error \d+\)\Z", "", error.strerror)
        return f"{reason}: {os.fsdecode(error.filename)}" if error.filename else reason
    return str(error) or type(error).__name__


def quoted(path: Path | str) -> str:
    """A path as a shell takes it, for commands that are proposed."""
    return str(path) if os.name == "nt" else shlex.quote(str(path))


def near_names(name: str, names: Iterable[str], limit: int = 5) -> list[str]:
    """Up to `limit` of `names` that look like `name`, best first; spelling and letter case are forgiven."""
    import difflib

    by_folded: dict[str, str] = {}
    for candidate in sorted(set(names)):
        by_folded.setdefault(candidate.casefold(), candidate)
    wanted = name.casefold()
    close = difflib.get_close_matches(wanted, by_folded, n=limit, cutoff=0.6)
    inside = [folded for folded in by_folded if len(wanted) >= 3 and (wanted in folded or folded in wanted)]
    return [by_folded[folded] for folded in dict.fromkeys([*close, *inside])][:limit]


def one_of(names: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`; of more than five the first five, and how many there are more."""
    shown = list(names[:5])
    if len(names) > len(shown):
        return ", ".join(shown) + f" or {len(names) - len(shown)} more"
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]
