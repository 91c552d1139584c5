"""A whole benchmark: index a corpus into a home of its own, ask, summarise.

Only the public doors of the other packages are used, so the figures are those of what a user runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BenchUnavailable, CorpusError, QuestionsError
from .measure import measure
from .questions import Question, check_scopes, load_questions
from .shipped import Fetched, moved, public_corpus, public_questions
from .summary import quantiles, summarise
from .systems import build_systems, count_words

if TYPE_CHECKING:
    from loci.core import Memory

__all__ = ["index_corpus", "repositories", "run_bench", "select"]

COMMAND_RUNS = 10

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total)."""


@dataclass(frozen=True)
class Corpus:
    """An indexed corpus.

    folders: every repository by its folder's name. names: that name by the id of the scope. cost: what indexing took.
    """

    memory: Memory
    folders: Mapping[str, Path]
    names: Mapping[str, str]
    cost: dict[str, Any]


def repositories(corpus: Path) -> dict[str, Path]:
    """Every git repository that stands directly in `corpus`, by folder name; raises CorpusError when there is none."""
    if not corpus.is_dir():
        raise CorpusError(f"the corpus {corpus} is not a directory")
    found = {path.name: path for path in sorted(corpus.resolve().iterdir()) if (path / ".git").exists()}
    if not found:
        raise CorpusError(f"the corpus {corpus} contains no git repository; it needs one folder per repository")
    return found


def select(questions: Sequence[Question], only: Collection[str]) -> list[Question]:
    """The questions of these families, all of them when `only` is empty; an unknown family is a QuestionsError."""
    families = list(dict.fromkeys(question.family for question in questions))
    unknown = [family for family in only if family not in families]
    if unknown:
        raise QuestionsError(f"no question has the family {', '.join(unknown)}; there are {', '.join(families)}")
    return [question for question in questions if not only or question.family in only]


def index_corpus(folders: Mapping[str, Path], home: Path, progress: Progress | None = None) -> Corpus:
    """Registers the repositories in `home` and brings its index up to date.

    Peak memory is the process's own high-water mark at the end of indexing, so call this before anything big.
    Raises CorpusError when `home` is the person's own, when it holds other scopes (they would compete for the
    questions), or when a repository could not be indexed.
    """
    own = {Path.home() / ".loci", Path(os.environ.get("LOCI_HOME") or Path.home() / ".loci")}
    if home.resolve() in {path.expanduser().resolve() for path in own}:
        raise CorpusError(f"{home} is your own loci home; a benchmark needs another directory (--home)")
    try:
        from loci.core import Memory
    except ImportError as error:
        raise BenchUnavailable(
            f"the benchmark needs loci-core ({error}); install it with: pip install 'loci-eval[bench]'"
        ) from error
    memory = Memory.open(home)
    wanted = set(folders.values())
    others = [scope.id for scope in memory.scopes() if scope.path not in wanted]
    if others:
        raise CorpusError(
            f"the home {home} holds scopes that are not in the corpus ({', '.join(others[:5])}); use an empty directory"
        )
    cold = not memory.home.manifest.exists()
    names = {}
    for name, path in folders.items():
        registered, _ = memory.add(path)
        names[registered.id] = name
    started = time.perf_counter()
    report = memory.index(progress=None if progress is None else _whole(progress))
    seconds = time.perf_counter() - started
    failed = [scope for scope in report.scopes if scope.outcome not in ("built", "unchanged")]
    if failed:
        reasons = "\n".join(f"{scope.id}: {scope.message}" for scope in failed)
        raise CorpusError(f"{len(failed)} of {len(folders)} repositories could not be indexed\n{reasons}")
    return Corpus(
        memory=memory,
        folders=folders,
        names=names,
        cost={
            "cold": cold,
            "seconds": round(seconds, 3),
            "peak_rss_bytes": _peak_rss(),
            "store_bytes": sum(path.stat().st_size for path in home.rglob("*") if path.is_file()),
            "built": sum(scope.outcome == "built" for scope in report.scopes),
        },
    )


def run_bench(
    corpus: Path | Fetched,
    questions_file: Path | None,
    home: Path,
    *,
    only: Collection[str] = (),
    seed: int = 0,
    exclude_scopes: Collection[str] = (),
    timings: bool = False,
    model: Path | None = None,
    candidates_only: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The figures of a benchmark as one JSON object (see `summarise`), with what indexing cost.

    corpus: a directory of repositories, or what `fetch_corpus` brought. Questions on a repository that could not be
        fetched are left out, and the result says so: its figures are those of a smaller corpus.
    questions_file: None asks the public questions.
    model: directory of a model whose vectors have a say in the answers; None: words alone, whatever `home` holds.
    candidates_only: nothing is embedded ahead; each question embeds what its words find. What only vectors find is not
        measured then, and neither is what they do to the gate.

    Everything that can be wrong with the files is found before anything is indexed.
    """
    fetched = corpus if isinstance(corpus, Fetched) else Fetched(repositories(corpus))
    folders, failed = fetched.folders, fetched.failed
    if not folders:
        reasons = "\n".join(f"{name}: {reason}" for name, reason in failed.items())
        raise CorpusError(f"no repository of the corpus could be fetched\n{reasons}".rstrip())
    if questions_file is None:
        loaded, name = public_questions(), "public questions"
    else:
        loaded, name = load_questions(questions_file), questions_file.name
    chosen = select(loaded, only)
    check_scopes(chosen, {*folders, *failed}, name=name)
    questions = [question for question in chosen if not failed.keys() & set(question.scopes)]
    unknown = [scope for scope in exclude_scopes if scope not in folders]
    if unknown:
        raise CorpusError(f"no scope of the corpus is called {', '.join(unknown)}")
    indexed = index_corpus(folders, home, progress)
    if model is not None:
        indexed.cost["vectors"] = _embed(indexed.memory, model, candidates_only, progress)
    records = measure(
        questions,
        build_systems(indexed.memory, indexed.names, fast=model is None),
        folders,
        count_words=count_words,
        seed=seed,
        progress=None if progress is None else lambda done, total: progress("questions", done, total),
    )
    summary = summarise(records, seed=seed, exclude_scopes=exclude_scopes)
    summary["corpus"] = {
        "name": next(iter(folders.values())).parent.name,
        "scopes": len(folders),
        "missing": failed,
        "questions_left_out": len(chosen) - len(questions),
        # Other commits hold other text: figures over them are not those of anybody else.
        "not_as_pinned": moved(folders, public_corpus()) if questions_file is None else [],
    }
    summary["index"] = indexed.cost
    if timings:
        asked = [question.question for question in questions if question.answerable] or [q.question for q in questions]
        summary["timings"]["ask_as_a_command"] = quantiles(time_command(asked, home, progress=progress))
    return summary


def _embed(memory: Memory, model: Path, candidates_only: bool, progress: Progress | None) -> dict[str, Any]:
    """Gives the corpus vectors, with `candidates_only` a model and no vectors; raises CorpusError without a model."""
    from loci.core import InvalidRequest

    try:
        report = memory.embed(
            model=model,
            kinds=() if candidates_only else None,
            force=candidates_only,
            progress=None if progress is None else _whole(progress, "vectors"),
        )
    except InvalidRequest as error:
        raise CorpusError(str(error)) from error
    failed = [f"{scope.id}: {scope.message}" for scope in report.scopes if scope.message]
    if failed:
        raise CorpusError("\n".join([f"{len(failed)} repositories could not be embedded", *failed]))
    return {
        "model": report.model,
        "signature": report.signature,
        "candidates_only": candidates_only,
        "seconds": round(report.seconds, 3),
        "embedded": sum(scope.embedded for scope in report.scopes),
        "bytes": sum(scope.bytes for scope in report.scopes),
    }


def time_command(
    questions: Sequence[str], home: Path, *, runs: int = COMMAND_RUNS, progress: Progress | None = None
) -> list[float]:
    """Seconds of `loci ask` as a command, for up to `runs` questions spread over the list.

    One run before them is not counted: it reads the program from disk. Raises CorpusError when the command is not
    installed beside this Python, or fails.
    """
    command = Path(sysconfig.get_path("scripts")) / ("loci.exe" if os.name == "nt" else "loci")
    if not command.exists():
        raise CorpusError("`loci` is not installed in this environment, so it cannot be timed; leave out --timings")
    count = min(runs, len(questions))
    picked = [questions[number * len(questions) // count] for number in range(count)]
    environment = {**os.environ, "LOCI_HOME": str(home)}
    seconds = []
    for number, question in enumerate([picked[0], *picked]):
        started = time.perf_counter()
        done = subprocess.run(
            [str(command), "ask", "--no-cwd", "--json", question],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if number > 0:
            seconds.append(time.perf_counter() - started)
        if done.returncode != 0:
            raise CorpusError(f"`loci ask` failed: {done.stderr.decode(errors='replace').strip()}")
        if progress is not None:
            progress("loci ask", number, count)
    return seconds


def _whole(progress: Progress, stage_shown: str = "index") -> Callable[[str, str, int, int], None]:
    """Of what an index build reports, the number of finished scopes; it calls from several threads, one line each."""

    def advance(scope: str, stage: str, done: int, total: int) -> None:
        if not scope:
            progress(stage_shown, done, total)

    return advance


def _peak_rss() -> int | None:
    """The process's peak resident memory in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
