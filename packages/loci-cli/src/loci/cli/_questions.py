"""`loci route` and `loci ask`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

import click

from loci.cli import _console as console
from loci.cli._main import Command, Settings, current_directory, home_option

if TYPE_CHECKING:
    from loci.core import Answer, Memory, Note, Relation
    from loci.router import Route

TOKENS_PER_SYMBOL = 50
"""What a line of `--symbol` takes of the budget; with its path, both names and how it was resolved it is no longer."""

BATCH_KEYS = ("question", "cwd", "scope", "group")


def _shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that `route` and `ask` have in common."""
    for option in reversed(
        [
            click.argument("question", nargs=-1),
            click.option("--group", help="Only projects of this group."),
            click.option("--cwd", type=click.Path(), help="Ask from this directory.  [default: the current one]"),
            click.option("--no-cwd", is_flag=True, help="Ignore the current directory."),
            click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
            click.option("--explain", is_flag=True, help="Show why; with --json, as text under `explain`."),
            click.option(
                "--batch",
                type=click.File("rb"),
                metavar="FILE",
                help="Ask many questions: one JSON object a line with id, question, cwd?, scope?, group?; - is stdin. "
                "Writes one JSON object per line.",
            ),
            home_option,
        ]
    ):
        function = option(function)
    return function


@click.command(cls=Command)
@_shared
@click.pass_obj
def route(
    settings: Settings,
    question: tuple[str, ...],
    group: str | None,
    cwd: str | None,
    no_cwd: bool,
    as_json: bool,
    explain: bool,
    batch: IO[bytes] | None,
) -> int:
    """Show which project a question is about, and why.

    An abstention is an answer: it gives the reason and the candidates.
    """
    memory = settings.memory()
    directory = _directory(cwd, no_cwd)

    def one(question: str, cwd: str | None, scope: str | None, group: str | None) -> dict[str, Any]:
        found = memory.route(question, cwd=cwd, scope=scope, group=group)
        return _json(found) | ({"explain": found.explain()} if explain else {})

    if batch is not None:
        return _run_batch(batch, question, one, directory, None, group)
    found = memory.route(_joined(question), cwd=directory, group=group)
    memory.keep_question(found, cwd=directory)
    _warn(memory)
    if as_json:
        console.data_json(_json(found) | ({"explain": found.explain()} if explain else {}))
        return 0
    from loci.cli._render import route_text

    console.data(route_text(found))
    if explain:
        console.data("\n" + console.safe(found.explain()))
    return 0


@click.command(cls=Command)
@_shared
@click.option("--scope", help="Ask this project (id, name or path) without routing.")
@click.option(
    "-k",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Show at most this many files and this many commits for each project.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=0),
    default=2000,
    show_default=True,
    help="Tokens (4 characters each) for all cited texts together; with --symbol, 50 for each line.",
)
@click.option("--no-refresh", is_flag=True, help="Answer from the index as it is, even if it is behind.")
@click.option(
    "--symbol", help="Instead of a question: show where this symbol is defined, who uses it, and what it uses."
)
@click.option(
    "--relation",
    type=click.Choice(["all", "callers", "callees", "users", "reach", "implementers", "tests", "importers"]),
    default="all",
    show_default=True,
    help="With --symbol: what to show. reach is all that a change would reach, users is its first step.",
)
@click.option("--to", metavar="NAME", help="With --symbol: show the shortest path from it to this symbol.")
@click.option("--fast", is_flag=True, help="Ignore the vectors of `loci embed`.")
@click.option(
    "--rerank",
    is_flag=True,
    help="Let a cross-encoder order the candidates: the one in models.json, or that of --rerank-model.",
)
@click.option("--rerank-model", type=click.Path(), help="Directory of a cross-encoder; implies --rerank.")
@click.pass_obj
def ask(
    settings: Settings,
    question: tuple[str, ...],
    group: str | None,
    cwd: str | None,
    no_cwd: bool,
    as_json: bool,
    explain: bool,
    batch: IO[bytes] | None,
    scope: str | None,
    k: int,
    budget: int,
    no_refresh: bool,
    symbol: str | None,
    relation: Relation,
    to: str | None,
    fast: bool,
    rerank: bool,
    rerank_model: str | None,
) -> int:
    """Answer a question from the right project, with citations.

    Each project's block names the commit it was indexed at, and whether that is up to date. A project that is behind is
    updated first if that takes less than a third of a second.
    """
    from loci.core import REFRESH_SECONDS

    memory = settings.memory()
    directory = _directory(cwd, no_cwd)
    models: dict[str, Any] = {"fast": fast, "rerank": rerank_model or rerank}
    refresh = 0.0 if no_refresh else REFRESH_SECONDS

    def one(question: str, cwd: str | None, scope: str | None, group: str | None) -> dict[str, Any]:
        found = memory.ask(question, cwd=cwd, scope=scope, group=group, k=k, budget=budget, refresh=refresh, **models)
        return _json(found) | ({"explain": found.route.explain()} if explain else {})

    if symbol is not None:
        if question or batch is not None:
            raise click.UsageError("either a question or --symbol, not both")
        if to is not None and relation != "all":
            raise click.UsageError("either --relation or --to, not both")
        found = memory.symbol(
            symbol,
            cwd=directory,
            scope=scope,
            group=group,
            relation=relation,
            to=to,
            refresh=refresh,
            budget=max(1, budget // TOKENS_PER_SYMBOL),
        )
        if as_json:
            console.data_json(_json(found))
        else:
            from loci.cli._render import symbol_text

            console.data(symbol_text(found))
        _say(found.notes)
        return _symbol_exit_code(found)
    if to is not None or relation != "all":
        raise click.UsageError(f"{'--to' if to is not None else '--relation'} goes with --symbol NAME")
    if batch is not None:
        return _run_batch(batch, question, one, directory, scope, group)
    found = memory.ask(
        _joined(question), cwd=directory, scope=scope, group=group, k=k, budget=budget, refresh=refresh, **models
    )
    memory.keep_question(found.route, cwd=directory, scope=scope)
    if as_json:
        console.data_json(_json(found) | ({"explain": found.route.explain()} if explain else {}))
    else:
        from loci.cli._render import answer_text

        console.data(answer_text(found))
        if explain:
            console.data("\n" + console.safe(found.route.explain()))
    _say(found.notes)
    # Projects were selected, but none of them is indexed: there was nothing to answer from.
    return 1 if found.scopes and all(block.nothing == "not_indexed" for block in found.scopes) else 0


def _json(found: Route | Answer) -> dict[str, Any]:
    from loci.cli import words
    from loci.core import Answer

    return found.to_json(words) if isinstance(found, Answer) else found.to_json(words.advice)


def _symbol_exit_code(found: Answer) -> int:
    if any(block.symbols for block in found.scopes):
        return 0
    # Without an index, or where that is behind, nobody can tell; else the name is unknown, as a project's would be.
    return 1 if any(block.nothing in ("not_indexed", "cannot_tell") for block in found.scopes) else 2


def _directory(cwd: str | None, no_cwd: bool) -> str | None:
    if cwd is not None:
        if not _is_directory(cwd):
            raise click.BadParameter(f"{cwd} is no directory", param_hint="--cwd")
        return cwd
    if no_cwd:
        return None
    return current_directory()


def _is_directory(place: str) -> bool:
    from loci.router import as_path

    try:
        return as_path(place).is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def _joined(question: tuple[str, ...]) -> str:
    """The question, which needs no quotes as long as the shell leaves its words alone."""
    if not question:
        raise click.UsageError('a question is needed: loci ask "why ...?"')
    return " ".join(question)


def _warn(memory: Memory) -> None:
    _say(memory.notes())


def _say(notes: Sequence[Note]) -> None:
    if notes:
        from loci.cli import words

        for text in words.notes(notes):
            console.warning(text)


def _run_batch(
    file: IO[bytes],
    question: tuple[str, ...],
    one: Callable[[str, str | None, str | None, str | None], dict[str, Any]],
    cwd: str | None,
    scope: str | None,
    group: str | None,
) -> int:
    """Answers every line in order. A bad line gets an error object in its place and makes the exit code 2."""
    if question:
        raise click.UsageError("either a question or --batch, not both")
    from loci.core import InvalidRequest, LociError

    failed = False
    for number, line in enumerate(_lines(file), start=1):
        identity: Any = None
        try:
            request = _parse(line, number)
            identity = request.get("id")
            # Other keys belong to whoever wrote the file: a file of benchmark questions can be asked as it is.
            values = {key: request.get(key) for key in BATCH_KEYS}
            for key, value in values.items():
                if value is not None and not isinstance(value, str):
                    raise InvalidRequest(f"line {number}: {key!r} must be text")
            if values["question"] is None:
                raise InvalidRequest(f"line {number} has no question")
            if values["cwd"] and not _is_directory(values["cwd"]):
                raise InvalidRequest(f"line {number}: the cwd {values['cwd']} is no directory")
            answer = one(values["question"], values["cwd"] or cwd, values["scope"] or scope, values["group"] or group)
            console.data_json({"id": identity, **answer})
        except click.UsageError as error:
            failed = True
            console.data_json({"id": identity, "error": InvalidRequest(f"line {number}: {error.message}").to_json()})
        except InvalidRequest as error:
            failed = True
            from loci.cli import words

            console.data_json({"id": identity, "error": error.to_json(words.hint(error))})
        except LociError:
            raise  # no index, a damaged store: no other line can do better
    return 2 if failed else 0


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines that hold something; a byte order mark is dropped."""
    for number, line in enumerate(file):
        if number == 0:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield line


def _parse(line: bytes, number: int) -> dict[str, Any]:
    from loci.core import InvalidRequest

    try:
        value = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise InvalidRequest(f"line {number} is no JSON: {reason}") from error
    if not isinstance(value, dict):
        raise InvalidRequest(f"line {number} must be a JSON object")
    return value


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _no_number(text)


__all__ = ["ask", "route"]
