"""`loci eval synthetic` and `loci eval sweep`."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from ._console import Progress, Refused
from .benchmark.questions import Question, check_scopes, load_questions
from .benchmark.run import index_corpus, repositories
from .benchmark.shipped import public_questions
from .errors import EvalError
from .records import to_json
from .sweeps.sweep import parameter, render_sweep, sweep
from .sweeps.synthetic import SHAPES, shaped, synthesise

if TYPE_CHECKING:
    from loci.core import Memory

__all__ = ["sweep_command", "synthetic_command"]


@click.command("synthetic")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--shape", "base", type=click.Choice(list(SHAPES)), default="plain", show_default=True, help="Base shape."
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a number of it: scopes, passages, vocabulary, overlap, pair_shared, breadth, size, code, naming, "
    "script, vendored, questions. Repeatable.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the corpus.")
def synthetic_command(directory: Path, base: str, settings: tuple[str, ...], seed: int) -> None:
    """Make git repositories of a given shape in DIRECTORY, with questions whose answers are known.

    The words mean nothing, so that only statistics can find them. A shape says how many projects there are, how much
    they share, and whether one has a broad vocabulary, is large, or contains vendored code. The same shape and seed
    give the same bytes.
    """
    try:
        corpus = synthesise(shaped(SHAPES[base], settings), seed)
        corpus.write(directory)
    except (EvalError, ValueError) as error:
        raise Refused(str(error)) from error
    click.echo(f"{len(corpus.passages)} repositories and {len(corpus.questions)} questions in {directory}")
    click.echo(f"hint: loci eval bench --corpus {directory} --questions {directory / 'questions.jsonl'}", err=True)


@click.command("sweep")
@click.argument("constant")
@click.argument("values", nargs=-1, required=True)
@click.option("--shape", "names", multiple=True, type=click.Choice(list(SHAPES)), help="Only this shape. Repeatable.")
@click.option("--no-shapes", is_flag=True, help="No synthetic corpus; needs --corpus.")
@click.option(
    "--corpus",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also use these repositories, with the public questions or --questions.",
)
@click.option(
    "--questions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Questions on --corpus.  [default: the public ones]",
)
@click.option("--home", type=click.Path(file_okay=False, path_type=Path), help="Keep the index of --corpus here.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the synthetic corpora.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def sweep_command(
    constant: str,
    values: tuple[str, ...],
    names: tuple[str, ...],
    no_shapes: bool,
    corpus: Path | None,
    questions: Path | None,
    home: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Show the figures for each of the VALUES of a constant, over corpora of every shape.

    CONSTANT is a field of the calibration (threshold, weights.description), a number that loci names in capitals
    (COMMON_SHARE), or `evidence` with the values summed-scores and prominence. Your own index is not touched.
    """
    if no_shapes and (names or corpus is None):
        raise click.UsageError("--no-shapes needs --corpus and no --shape")
    if corpus is None and (questions is not None or home is not None):
        raise click.UsageError("--questions and --home belong to --corpus")
    try:
        chosen = parameter(constant)
        parsed = [chosen.parse(value) for value in values]
        shapes = {} if no_shapes else {name: SHAPES[name] for name in (names or SHAPES)}
        with ExitStack() as stack:
            progress = stack.enter_context(Progress())
            told = progress if progress.shown else None
            corpora: dict[str, tuple[Memory, list[Question]]] = {}
            if corpus is not None:
                if home is None:
                    directory = TemporaryDirectory(prefix="loci-sweep-", ignore_cleanup_errors=True)
                    home = Path(stack.enter_context(directory))
                corpora[corpus.resolve().name] = _corpus(corpus, questions, home, told)
            result = sweep(chosen, parsed, shapes=shapes, corpora=corpora, seed=seed, progress=told)
    except EvalError as error:
        raise Refused(str(error)) from error
    click.echo(
        json.dumps(to_json(result), ensure_ascii=False, indent=1) if as_json else render_sweep(result), nl=as_json
    )


def _corpus(corpus: Path, file: Path | None, home: Path, progress: Any) -> tuple[Memory, list[Question]]:
    """An indexed corpus and the questions on it, with ids in the place of folder names."""
    from dataclasses import replace

    asked = public_questions() if file is None else load_questions(file)
    folders = repositories(corpus)
    check_scopes(asked, folders, name="public questions" if file is None else file.name)
    indexed = index_corpus(folders, home, progress)
    ids = {folder: scope for scope, folder in indexed.names.items()}
    return indexed.memory, [
        replace(
            question,
            scopes=tuple(ids[scope] for scope in question.scopes),
            evidence=tuple(replace(item, scope=ids[item.scope]) for item in question.evidence),
        )
        for question in asked
    ]
