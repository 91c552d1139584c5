"""`loci eval`: the commands of this package, loaded by the command line through the entry point group `loci.commands`.

Data goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._console import Nothing, Progress, Refused
from ._sweep_command import sweep_command, synthetic_command
from .benchmark.compare import compare, load_run, render_comparison
from .benchmark.interview import Interview, candidates_from_lines, candidates_from_log
from .benchmark.own_index import indexed_scopes, run_own
from .benchmark.run import run_bench
from .benchmark.shipped import DOWNLOAD, Fetched, cache_folder, fetch_corpus, missing, public_corpus
from .benchmark.table import render
from .errors import EvalError
from .own.page import write_report
from .records import to_json

if TYPE_CHECKING:
    from loci.core import Memory

__all__ = ["command", "memory_of"]

DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group("eval", invoke_without_command=True)
@click.option("--misses", is_flag=True, help="Also show every question that went wrong, and why.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write one HTML page with curves, confusions and everything that went wrong.",
)
@click.option(
    "--questions",
    type=FILE,
    help="Ask the questions of this file instead; see `loci eval new`.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample of questions.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with every miss.")
@click.pass_context
def command(
    ctx: click.Context, misses: bool, report: Path | None, questions: Path | None, seed: int, as_json: bool
) -> None:
    """Measure routing on your own projects, with questions made from them.

    Nobody labels anything: it is known where commit subjects, docstrings and headings belong, and each is asked with
    its own text left out of the index. The report says what each family shows and does not show, what to expect of real
    questions, and which projects go wrong. Two older formulas are measured on the same questions.
    """
    if ctx.invoked_subcommand is not None:
        given = [name for name, value in (("--report", report), ("--questions", questions)) if value is not None]
        if given:
            raise click.UsageError(f"{given[0]} before `{ctx.invoked_subcommand}` says nothing; put it behind")
        return
    if questions is not None:
        if misses or report is not None:
            raise click.UsageError("--misses and --report show the questions made of your projects, not --questions")
        _own(ctx, questions, seed, as_json)
        return
    from .own.evaluate import evaluate
    from .own.text import render_evaluation

    memory = memory_of(ctx)
    with Progress() as progress:
        shown = (lambda _family, done, total: progress("questions", done, total)) if progress.shown else None
        data = to_json(evaluate(memory, seed=seed, progress=shown))
    if report is not None:
        try:
            write_report(data, report)
        except EvalError as error:
            raise Refused(str(error)) from error
        click.echo(f"the report is in {report}", err=True)
    if as_json:
        json.dump(data, sys.stdout, ensure_ascii=False, indent=1)
        click.echo()
    else:
        click.echo(render_evaluation(data, misses=misses), nl=False)


@command.command("bench")
@click.option(
    "--corpus",
    type=DIRECTORY,
    help="Directory of git repositories; each is a scope named by its folder.  [default: the public corpus, fetched "
    "into your cache folder]",
)
@click.option(
    "--questions",
    type=FILE,
    help="Questions with known answers, one JSON object a line.  [default: the public ones]",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the public corpus in this directory instead.",
)
@click.option("--mirror", metavar="URL", help="Fetch from URL/owner/name.git instead of GitHub.")
@click.option("-y", "--yes", is_flag=True, help="Fetch without asking.")
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    help="Index into this directory and keep it. Default: a temporary one, so that indexing is measured from nothing.",
)
@click.option("--only", multiple=True, metavar="FAMILY,…", help="Ask only these families.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the directories that questions are asked from."
)
@click.option(
    "--exclude-scope",
    "exclude_scopes",
    multiple=True,
    metavar="NAME",
    help="Show the base figures also without the questions on this scope; it stays in the corpus. Repeatable.",
)
@click.option("--model", type=DIRECTORY, help="Directory of a model whose vectors to use.  [default: words alone]")
@click.option(
    "--candidates-only",
    is_flag=True,
    help="With --model: embed nothing in advance, only what the words of each question find; minutes, not an hour.",
)
@click.option("--timings", is_flag=True, help="Also time `loci ask` as a command, about ten runs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with the outcome of every question.")
@click.pass_context
def bench(
    ctx: click.Context,
    corpus: Path | None,
    questions: Path | None,
    cache: Path | None,
    mirror: str | None,
    yes: bool,
    home: Path | None,
    only: tuple[str, ...],
    seed: int,
    exclude_scopes: tuple[str, ...],
    model: Path | None,
    candidates_only: bool,
    timings: bool,
    as_json: bool,
) -> None:
    """Measure loci and two baselines on a corpus, with questions whose answers are known.

    Without --corpus it first fetches the 30 repositories of the public benchmark. No other command of loci uses the
    network. This one says so before, keeps what it fetched, and continues where it was stopped.

    Nothing is written into the corpus, and your own index is not touched.
    """
    if corpus is not None and (cache is not None or mirror is not None):
        raise click.UsageError("--corpus is not fetched, so --cache and --mirror have nothing to do")
    if candidates_only and model is None:
        raise click.UsageError("--candidates-only says how to use the model that --model names")
    if home is None and getattr(ctx.obj, "home", None):
        home = Path(ctx.obj.home)  # `loci --home DIR eval bench` means the same
    families = [family.strip() for item in only for family in item.split(",") if family.strip()]
    with ExitStack() as stack:
        if home is None:
            directory = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="loci-bench-", ignore_cleanup_errors=True)
            )
            home = Path(directory)
        progress = stack.enter_context(Progress())
        try:
            summary = run_bench(
                corpus if corpus is not None else _fetched(cache or cache_folder(), mirror, yes, progress),
                questions,
                home,
                only=families,
                seed=seed,
                exclude_scopes=exclude_scopes,
                timings=timings,
                model=model,
                candidates_only=candidates_only,
                progress=progress if progress.shown else None,
            )
        except EvalError as error:
            raise Refused(str(error)) from error
    if as_json:
        json.dump(summary, sys.stdout, ensure_ascii=False, indent=1)
        click.echo()
    else:
        click.echo(render(summary), nl=False)


@command.command("new")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Add to this file.  [default: questions.jsonl in the home]",
)
@click.option(
    "--from",
    "source",
    type=click.File("rb"),
    metavar="FILE",
    help="Take the questions from here, one a line (text, or JSON with a question); - is stdin.",
)
@click.option("--abstained", is_flag=True, help="Only questions on which loci abstained.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Ask about at most this many.")
@click.option("--evidence", is_flag=True, help="Also ask which passage shows the answer.")
@click.pass_context
def new_command(ctx: click.Context, out: Path | None, source: Any, abstained: bool, limit: int, evidence: bool) -> None:
    """Make questions with known answers from what you asked: you say whether each went right.

    The questions are those that `loci eval log on` kept, newest first, or those of a file. Each reply is written at
    once, in the format of `loci eval --questions`. Nothing leaves this machine.
    """
    memory = memory_of(ctx)
    out = out or memory.home.directory / "questions.jsonl"
    if not _at_terminal(taken=source is not None and getattr(source, "name", "") == "<stdin>"):
        raise Refused(
            "`loci eval new` asks you about every question and needs a terminal; without one write the lines yourself, "
            f"into {out}:\n"
            '{"id": "q1", "family": "asked", "question": "why ...?", "scopes": ["PROJECT"]}   '
            '("scopes": [] where abstaining is right)'
        )
    try:
        if source is not None:
            lines = source.read().decode("utf-8", "replace").splitlines()
            candidates = candidates_from_lines(lines, name=getattr(source, "name", "the questions"))
        else:
            candidates = candidates_from_log(memory, abstained_only=abstained)
        interview = Interview(
            memory,
            indexed_scopes(memory),
            out,
            ask=lambda text: click.prompt(text, default="", show_default=False, err=True),
            say=lambda text: click.echo(text, err=True),
            evidence=evidence,
        )
        todo = interview.open_candidates(candidates)[:limit]
        if not todo:
            raise Nothing(_why_nothing(memory, bool(candidates), source is not None, out))
        _on_terminal(source, lambda: interview.run(todo))
    except EvalError as error:
        raise Refused(str(error)) from error
    click.echo(f"{interview.written} written to {out}, {interview.skipped} skipped")
    if interview.written:
        click.echo(f"hint: loci eval --questions {out}", err=True)


@command.command("log")
@click.argument("switch", type=click.Choice(["on", "off"]), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with the questions.")
@click.pass_context
def log_command(ctx: click.Context, switch: str | None, as_json: bool) -> None:
    """Keep the questions you ask, for `loci eval new`: off by default.

    They stay in a file of the home that only you can read, with secrets replaced; about the newest 500 are kept. `off`
    deletes them. Without an argument the command shows which is set.
    """
    from loci.core import QueryLog

    log = QueryLog(memory_of(ctx).home)
    if switch == "on":
        log.switch_on()
    removed = log.switch_off() if switch == "off" else 0
    asked = log.read()
    if as_json:
        kept = [{**dataclasses.asdict(each), "scopes": list(each.scopes)} for each in asked]
        click.echo(json.dumps({"on": log.is_on, "path": str(log.path), "questions": kept}, ensure_ascii=False))
    elif log.is_on:
        click.echo(
            f"on: {len(asked)} questions in {log.path}, {sum(each.abstained for each in asked)} of them unanswered"
        )
    else:
        click.echo("off" + (f": {removed} questions deleted" if removed else ""))


@command.command("compare")
@click.argument("first", type=FILE)
@click.argument("second", type=FILE, required=False)
@click.option("--system", default="loci", show_default=True, help="System of the first run.")
@click.option("--against", help="System of the second run.  [default: the same]")
@click.option("--all", "all_questions", is_flag=True, help="List every question that changed, not the first 40.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare_command(
    first: Path,
    second: Path | None,
    system: str,
    against: str | None,
    all_questions: bool,
    seed: int,
    as_json: bool,
) -> None:
    """List the questions that differ between two runs, and whether that is more than chance.

    FIRST and SECOND are what `loci eval bench --json` or `loci eval --questions FILE --json` wrote. With FIRST alone
    and --against, two systems of one run are compared.
    """
    if second is None and against in (None, system):
        raise click.UsageError("a second run is needed, or --against with another system of this one")
    try:
        comparison = compare(load_run(first), load_run(second or first), system=system, against=against, seed=seed)
    except EvalError as error:
        raise Refused(str(error)) from error
    if as_json:
        json.dump(to_json(comparison), sys.stdout, ensure_ascii=False, indent=1)
        click.echo()
        return
    names = (first.name, (second or first).name)
    click.echo(render_comparison(comparison, names=names, limit=None if all_questions else 40), nl=False)


def memory_of(ctx: click.Context) -> Memory:
    """The memory that the global options name."""
    try:
        from loci.core import Memory
    except ImportError as error:
        raise Refused(f"this needs loci-core ({error}); install it with: pip install 'loci-eval[bench]'") from error
    return Memory.open(getattr(ctx.obj, "home", None))


def _own(ctx: click.Context, questions: Path, seed: int, as_json: bool) -> None:
    """The figures of the person's own questions."""
    memory = memory_of(ctx)
    with Progress() as progress:
        try:
            summary = run_own(memory, questions, seed=seed, progress=progress if progress.shown else None)
        except EvalError as error:
            raise Refused(str(error)) from error
    if as_json:
        json.dump(summary, sys.stdout, ensure_ascii=False, indent=1)
        click.echo()
    else:
        click.echo(render(summary), nl=False)


def _why_nothing(memory: Memory, any_at_all: bool, from_file: bool, out: Path) -> str:
    from loci.core import QueryLog

    if any_at_all:
        return f"every one of these questions is in {out} already"
    if from_file:
        return "the file holds no question"
    if QueryLog(memory.home).is_on:
        return "no such question was asked yet; they are kept from now on"
    return (
        "no questions are kept; `loci eval log on` keeps them from now on (on this machine alone), or give some: "
        "loci eval new --from FILE"
    )


def _interactive() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


CONSOLE = "CONIN$" if os.name == "nt" else "/dev/tty"


def _at_terminal(*, taken: bool) -> bool:
    """Whether a person can be asked; `taken`: stdin is read as a file, so the terminal has to be found elsewhere."""
    if not taken:
        return _interactive()
    try:
        with Path(CONSOLE).open():
            return sys.stderr.isatty()
    except OSError:
        return False


def _on_terminal(source: Any, work: Callable[[], None]) -> None:
    """Runs `work` with the person's keys on stdin, also where stdin was read to its end before."""
    if source is None or getattr(source, "name", "") != "<stdin>":
        work()
        return
    with Path(CONSOLE).open(encoding="utf-8", errors="replace") as keys:
        before, sys.stdin = sys.stdin, keys
        try:
            work()
        finally:
            sys.stdin = before


def _fetched(target: Path, mirror: str | None, yes: bool, progress: Progress) -> Fetched:
    """The public corpus: from the cache, or from the network after saying so."""
    pinned = public_corpus()
    wanted = missing(pinned, target)
    if wanted:
        click.echo(
            f"This fetches {len(wanted)} of {len(pinned)} public repositories with their history ({DOWNLOAD} for all) "
            f"from {mirror or 'github.com'} into {target}, once. Nothing of yours is sent.",
            err=True,
        )
        # Without a terminal the default is taken, like everywhere: whoever typed the command wants it.
        if not yes and _interactive() and not click.confirm("Go on?", default=True, err=True):
            raise Refused("not fetched; lay out a corpus of your own and name it with --corpus DIR")
    fetched = fetch_corpus(pinned, target, mirror=mirror, progress=progress if progress.shown else None)
    for name, reason in fetched.failed.items():
        click.echo(f"warning: {name} could not be fetched: {reason}", err=True)
    if fetched.failed and fetched.folders:
        click.echo(
            "hint: the same command again fetches only what is missing; now it goes on without them, and the figures "
            "are those of a smaller corpus",
            err=True,
        )
    return fetched


command.add_command(synthetic_command)
command.add_command(sweep_command)
