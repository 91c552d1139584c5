"""The report of a corpus on itself: every family with its interval, an estimate for real questions, and what to do.

Nothing is labelled by hand and nothing leaves the process. `evaluate` works on a home, `evaluate_index` on any
`RoutingIndex`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from ..statistics.ranks import hit_share
from .ask import asked_about_itself
from .corpus import Asked, Corpus
from .evaluation import CorpusCounts, Evaluation, Retrieval
from .families import FAMILIES, Sizes, sizes_for
from .figures import baselines_of, confusion, curves, estimate, family_result, operating_point
from .misses import explain_miss
from .scopes import advice, scope_results

if TYPE_CHECKING:
    from loci.core import Memory
    from loci.router import Calibration, RoutingIndex, Scope

__all__ = ["corpus_of", "evaluate", "evaluate_index"]

RETRIEVED = 10
RETRIEVAL_QUESTIONS = 60

Progress = Callable[[str, int, int], None]


def corpus_of(memory: Memory) -> tuple[Corpus, Calibration]:
    """The indexed projects of a home as a corpus, and the calibration that its router uses.

    Raises what `Memory.router_parts` raises.
    """
    from loci.router import Calibration

    parts = memory.router_parts()
    return Corpus(parts.index, parts.router, parts.scopes, parts.uses), parts.calibration or Calibration()


def evaluate(
    memory: Memory, *, seed: int = 0, sizes: Sizes | None = None, progress: Progress | None = None
) -> Evaluation:
    """Measures a home on its own questions.

    Args:
        memory: The home; it must be indexed.
        seed: Which texts are drawn; the same seed over the same index gives the same questions and figures.
        sizes: How many questions of each family; the defaults take 20 s at most for 30 projects.
        progress: Called as progress(family, questions done, questions expected).

    Raises what `Memory.router_parts` raises, and `EvalError` when the corpus makes no questions.

    """
    corpus, calibration = corpus_of(memory)
    return _evaluate(corpus, calibration, seed, sizes, progress, memory)


def evaluate_index(
    index: RoutingIndex,
    scopes: Mapping[str, Scope] | None = None,
    calibration: Calibration | None = None,
    *,
    uses: Mapping[str, Collection[str]] | None = None,
    seed: int = 0,
    sizes: Sizes | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """The same over any routing index, without the rest of loci.

    There is no retrieval, and questions from places only where `scopes` have paths.
    """
    from loci.router import Calibration

    corpus = Corpus.of_index(index, scopes, calibration, uses)
    return _evaluate(corpus, calibration or Calibration(), seed, sizes, progress, None)


def _evaluate(
    corpus: Corpus,
    calibration: Calibration,
    seed: int,
    sizes: Sizes | None,
    progress: Progress | None,
    memory: Memory | None,
) -> Evaluation:
    started = time.perf_counter()
    chosen = sizes_for(len(corpus.index.scopes), sizes)
    expected = _expected(len(corpus.index.scopes), chosen)
    records: list[Asked] = []
    for asked in asked_about_itself(corpus, chosen, seed):
        if FAMILIES[asked.question.family].group == "answerable":
            asked.baselines.update(baselines_of(corpus, asked))
        asked.measured = {}
        records.append(asked)
        if progress is not None:
            progress(asked.question.family, len(records), max(expected, len(records)))
    results = [
        family_result(FAMILIES[name], [a for a in records if a.question.family == name], seed) for name in FAMILIES
    ]
    families = tuple(result for result in results if result is not None)
    scopes = scope_results(corpus, records)
    numbers = [corpus.index.numbers(scope) for scope in corpus.index.scopes]
    return Evaluation(
        corpus=CorpusCounts(
            scopes=len(corpus.index.scopes),
            documents=sum(len(its["document"]) for its in numbers),
            sources=sum(len(its["source"]) for its in numbers),
            commits=sum(len(its["commit"]) for its in numbers),
            questions=len(records),
        ),
        seed=seed,
        families=families,
        estimate=estimate(records, seed),
        risk_coverage=curves(records),
        operating=operating_point(records, calibration),
        confusion=confusion(records),
        scopes=scopes,
        retrieval=() if memory is None else _retrieval(memory, records),
        misses=tuple(miss for asked in records if (miss := explain_miss(asked)) is not None),
        advice=tuple(advice(families, scopes, calibration)),
        calibration=dict(calibration.fitted_on) or None,
        seconds=round(time.perf_counter() - started, 2),
    )


def _expected(scopes: int, sizes: Sizes) -> int:
    each = sizes.subjects + sizes.docstrings + sizes.headings + sizes.removed + 2 * sizes.placed + sizes.named
    return scopes * each + 2 * sizes.deictic + sizes.off_topic + sizes.nonsense


def _retrieval(memory: Memory, records: Sequence[Asked]) -> tuple[Retrieval, ...]:
    """Docstrings asked in their own project: at which rank their file stands.

    The line is in the store while it is asked: the store of passages cannot leave words out as the routing index can.
    """
    some = [asked.question for asked in records if asked.question.family == "docstrings"]
    if not some:
        return ()
    picked = [some[number * len(some) // RETRIEVAL_QUESTIONS] for number in range(min(len(some), RETRIEVAL_QUESTIONS))]
    parts = memory.router_parts()
    ranks: list[int | None] = []
    for question in picked:
        passage = question.omit[0].passage
        (text,) = parts.index.texts(question.about, [passage])
        answer = memory.ask(question.question, scope=question.about, k=RETRIEVED)
        paths = list(dict.fromkeys(p.path for block in answer.scopes for p in block.passages if p.path))
        ranks.append(paths.index(text.path) + 1 if text.path in paths else None)
    return (
        Retrieval(
            "docstrings",
            "Docstrings in their own project: rank of the file (the line itself is there to be found)",
            len(ranks),
            {f"@{k}": hit_share(ranks, k) for k in (1, 3, 10)},
        ),
    )
