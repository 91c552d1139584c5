"""The report of a corpus on itself: every family with its interval, an estimate for real questions, and what to do.

Nothing is labelled by hand and nothing leaves the process. `evaluate` works on a home, `evaluate_index` on any
`RoutingIndex`.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._corpus import Asked, Corpus
from ._families import FAMILIES, QUESTION_WORDS, Family, Sizes, asked_about_itself, is_a_sentence, sizes_for
from ._metrics import Share, cluster_bootstrap, hit_share, precision_recall, risk_coverage
from ._misses import Miss, explain_miss

if TYPE_CHECKING:
    from loci.core import Memory
    from loci.router import Calibration, RoutingIndex, Scope

__all__ = [
    "UNANSWERABLE_SHARE",
    "Estimate",
    "Evaluation",
    "FamilyResult",
    "ScopeResult",
    "corpus_of",
    "evaluate",
    "evaluate_index",
    "in_the_mix",
]

UNANSWERABLE_SHARE = 0.15
"""The assumed share of questions that are to be refused: of the public benchmark's 214, 15 %."""

RESAMPLES = 1000
COVERAGES = tuple(round(0.1 * step, 1) for step in range(1, 11))
RETRIEVED = 10
RETRIEVAL_QUESTIONS = 60

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class FamilyResult:
    """The figure of one family.

    `share`: of what `family.measure` says. `by_scope`: the 95 % interval when whole scopes are drawn. `answered`,
    `right_if_answered`: of answerable families. `precision`: of sets. `baselines`: the same questions with the same
    taken out, by the name of the baseline.
    """

    family: Family
    share: Share
    by_scope: tuple[float, float] | None
    answered: Share | None = None
    right_if_answered: Share | None = None
    recall: float | None = None
    precision: float | None = None
    baselines: Mapping[str, Share] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values: see `Evaluation.to_json`."""
        family = self.family
        return {
            "name": family.name,
            "title": family.title,
            "group": family.group,
            "measure": family.measure,
            **self.share.to_json(),
            "by_scope": None if self.by_scope is None else [round(end, 4) for end in self.by_scope],
            "answered": None if self.answered is None else self.answered.to_json(),
            "right_if_answered": None if self.right_if_answered is None else self.right_if_answered.to_json(),
            "recall": _rounded(self.recall),
            "precision": _rounded(self.precision),
            "baselines": {name: share.to_json() for name, share in sorted(self.baselines.items())},
            "role": family.role,
            "shows": family.shows,
            "shows_not": family.shows_not,
        }


@dataclass(frozen=True)
class Estimate:
    """What the report expects of real questions that name no project and are asked from nowhere: the share that goes to
    the right project first, with a 95 % interval over scopes. `by_family`: the shares it is the mean of.
    """

    top1: float
    low: float
    high: float
    n: int
    by_family: Mapping[str, float]

    RULE = (
        f"the mean of commit subjects and docstrings of at least {QUESTION_WORDS} content words, each family weighing "
        "the same: as long as a question, and in two kinds of words"
    )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "top1": round(self.top1, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "n": self.n,
            "from": sorted(self.by_family),
            "by_family": {name: round(share, 4) for name, share in sorted(self.by_family.items())},
            "rule": self.RULE,
        }


@dataclass(frozen=True)
class ScopeResult:
    """A scope's own questions: how many, how many went right and were answered. `drawn_to_it`: questions of others that
    came here first.
    """

    id: str
    name: str
    passages: int
    questions: int
    right: int
    answered: int
    drawn_to_it: int
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "id": self.id,
            "name": self.name,
            "passages": self.passages,
            "questions": self.questions,
            "right": self.right,
            "answered": self.answered,
            "drawn_to_it": self.drawn_to_it,
            "advice": self.advice,
        }


@dataclass(frozen=True)
class Evaluation:
    """A corpus measured on its own questions. `to_json` is the contract; reports are drawn from it."""

    corpus: Mapping[str, Any]
    seed: int
    families: tuple[FamilyResult, ...]
    estimate: Estimate | None
    risk_coverage: Mapping[str, list[dict[str, Any]]]
    operating: Mapping[str, Any]
    confusion: tuple[tuple[str, str, int], ...]
    scopes: tuple[ScopeResult, ...]
    retrieval: tuple[Mapping[str, Any], ...]
    misses: tuple[Miss, ...]
    advice: tuple[str, ...]
    calibration: Mapping[str, Any] | None
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, in this order of keys: corpus, seed, seconds, families, estimate, risk_coverage,
        operating, confusion, scopes, retrieval, misses, advice, calibration.
        """
        return {
            "corpus": dict(self.corpus),
            "seed": self.seed,
            "seconds": round(self.seconds, 2),
            "families": [family.to_json() for family in self.families],
            "estimate": None if self.estimate is None else self.estimate.to_json(),
            "risk_coverage": {name: list(points) for name, points in self.risk_coverage.items()},
            "operating": dict(self.operating),
            "confusion": [{"right": right, "got": got, "n": count} for right, got, count in self.confusion],
            "scopes": [scope.to_json() for scope in self.scopes],
            "retrieval": [dict(row) for row in self.retrieval],
            "misses": [miss.to_json() for miss in self.misses],
            "advice": list(self.advice),
            "calibration": None if self.calibration is None else dict(self.calibration),
        }


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
            asked.baselines.update(_baselines(corpus, asked))
        asked.measured = {}
        records.append(asked)
        if progress is not None:
            progress(asked.question.family, len(records), max(expected, len(records)))
    results = [_result(FAMILIES[name], [a for a in records if a.question.family == name], seed) for name in FAMILIES]
    families = tuple(result for result in results if result is not None)
    scopes = _scopes(corpus, records)
    numbers = [corpus.index.numbers(scope) for scope in corpus.index.scopes]
    return Evaluation(
        corpus={
            "scopes": len(corpus.index.scopes),
            **{f"{kind}s": sum(len(its[kind]) for its in numbers) for kind in ("document", "source", "commit")},
            "questions": len(records),
        },
        seed=seed,
        families=families,
        estimate=_estimate(records, seed),
        risk_coverage=_curves(records),
        operating=_operating(records, calibration),
        confusion=_confusion(records),
        scopes=scopes,
        retrieval=() if memory is None else _retrieval(memory, records),
        misses=tuple(miss for asked in records if (miss := explain_miss(asked)) is not None),
        advice=tuple(_advice(families, scopes, calibration)),
        calibration=dict(calibration.fitted_on) or None,
        seconds=time.perf_counter() - started,
    )


def _expected(scopes: int, sizes: Sizes) -> int:
    each = sizes.subjects + sizes.docstrings + sizes.headings + sizes.removed + 2 * sizes.placed + sizes.named
    return scopes * each + 2 * sizes.deictic + sizes.off_topic + sizes.nonsense


# -- the two baselines ------------------------------------------------------------------------------------------------


def _baselines(corpus: Corpus, asked: Asked) -> dict[str, str | None]:
    from loci.router import ProminenceEvidence, read

    question = asked.question
    hits = corpus.index.merged_bm25(question.question, 1, omit=question.omit, without=question.without)
    with corpus.masked.taken_out(question.omit, question.without, asked.measured):
        scopes = ProminenceEvidence().evidence(corpus.masked, read(question.question).evidence).scopes
    best = min(scopes.values(), key=lambda each: (-each.combined, each.id), default=None)
    return {
        "merged-bm25": hits[0][0] if hits else None,
        "prominence": best.id if best is not None and best.combined > 0.0 else None,
    }


# -- figures ----------------------------------------------------------------------------------------------------------


def _result(family: Family, records: Sequence[Asked], seed: int) -> FamilyResult | None:
    if not records:
        return None
    clusters = [asked.question.about or str(number) for number, asked in enumerate(records)]
    if family.measure == "recall":
        pairs = [precision_recall(asked.selected, asked.question.scopes) for asked in records]
        outcomes = [recall == 1.0 for _, recall in pairs]
        return FamilyResult(
            family,
            Share.of(outcomes),
            _by_scope(outcomes, clusters, seed),
            answered=Share.of([not asked.route.abstained for asked in records]),
            recall=_mean([recall for _, recall in pairs]),
            precision=_mean([precision for precision, _ in pairs]),
        )
    if family.measure == "right project selected":
        outcomes = [bool(set(asked.selected) & set(asked.question.scopes)) for asked in records]
    else:
        outcomes = [asked.right for asked in records]
    answerable = family.group == "answerable"
    answered = [asked for asked in records if not asked.route.abstained]
    names = list(records[0].baselines) if answerable else []
    return FamilyResult(
        family,
        Share.of(outcomes),
        _by_scope(outcomes, clusters, seed),
        answered=Share.of([not asked.route.abstained for asked in records]) if family.group != "refused" else None,
        right_if_answered=Share.of([asked.right for asked in answered]) if answerable else None,
        baselines={
            name: Share.of([asked.baselines.get(name) in asked.question.scopes for asked in records]) for name in names
        },
    )


def _by_scope(outcomes: Sequence[bool], clusters: Sequence[str], seed: int) -> tuple[float, float] | None:
    return cluster_bootstrap([float(each) for each in outcomes], clusters, seed=seed, resamples=RESAMPLES)


def _estimate(records: Iterable[Asked], seed: int) -> Estimate | None:
    """See `Estimate.RULE`."""
    outcomes: dict[str, list[tuple[float, str]]] = {}
    for asked in records:
        if is_a_sentence(asked.question):
            outcomes.setdefault(asked.question.family, []).append((float(asked.right), asked.question.about))
    if not outcomes:
        return None
    shares = {name: sum(right for right, _ in its) / len(its) for name, its in outcomes.items()}
    top1 = sum(shares.values()) / len(shares)
    # Families weigh the same whatever their size: each question counts by one over the size of its family.
    count = sum(map(len, outcomes.values()))
    weighted = [
        (right * count / (len(outcomes) * len(its)), scope) for its in outcomes.values() for right, scope in its
    ]
    interval = cluster_bootstrap([v for v, _ in weighted], [s for _, s in weighted], seed=seed, resamples=RESAMPLES)
    low, high = interval or (top1, top1)
    return Estimate(top1, low, min(1.0, high), count, shares)


def in_the_mix(records: Iterable[Asked]) -> list[tuple[Asked, float]]:
    """Own questions that stand for a day's mix, with weights.

    They are the sentences of answerable families, and those to refuse at `UNANSWERABLE_SHARE` together; each family of
    either side weighs the same.
    """
    answerable: dict[str, list[Asked]] = {}
    refused: dict[str, list[Asked]] = {}
    for asked in records:
        family = FAMILIES[asked.question.family]
        if is_a_sentence(asked.question):
            answerable.setdefault(family.name, []).append(asked)
        elif family.group == "refused" and family.role == "certify":
            refused.setdefault(family.name, []).append(asked)
    mix: list[tuple[Asked, float]] = []
    for groups, share in ((answerable, 1.0 - UNANSWERABLE_SHARE), (refused, UNANSWERABLE_SHARE)):
        for its in groups.values():
            mix += [(asked, share / len(groups) / len(its)) for asked in its]
    return mix


def _curves(records: Sequence[Asked]) -> dict[str, list[dict[str, Any]]]:
    def curve(some: Sequence[Asked], weights: Sequence[float] | None = None) -> list[dict[str, Any]]:
        points = risk_coverage(
            [asked.route.confidence for asked in some],
            [bool(asked.question.scopes) and asked.best in asked.question.scopes for asked in some],
            COVERAGES,
            weights,
        )
        return [{"coverage": p.coverage, "answered": p.answered, "accuracy": round(p.accuracy, 4)} for p in points]

    answerable = [asked for asked in records if is_a_sentence(asked.question)]
    mix = in_the_mix(records)
    return {
        "answerable": curve(answerable),
        "mix": curve([asked for asked, _ in mix], [weight for _, weight in mix]),
    }


def _operating(records: Sequence[Asked], calibration: Calibration) -> dict[str, Any]:
    """What the threshold in use does.

    `answered_of_answerable` counts what `loci calibrate` calls answered; `answered` is of all questions of the mix, of
    which those to refuse should not be.
    """
    mix = in_the_mix(records)
    total = math.fsum(weight for _, weight in mix)
    answered = math.fsum(weight for asked, weight in mix if not asked.route.abstained)
    wrong = math.fsum(weight for asked, weight in mix if asked.wrong_answer)
    return {
        "threshold": calibration.threshold,
        "unanswerable_share": UNANSWERABLE_SHARE,
        "answered": _rounded(answered / total) if total else None,
        "answered_of_answerable": Share.of(
            [not asked.route.abstained for asked, _ in mix if asked.question.scopes]
        ).to_json(),
        "wrong_if_answered": _rounded(wrong / answered) if answered else None,
    }


def _confusion(records: Iterable[Asked]) -> tuple[tuple[str, str, int], ...]:
    counts = Counter(
        (asked.question.about, asked.best)
        for asked in records
        if FAMILIES[asked.question.family].group == "answerable" and asked.best not in asked.question.scopes
    )
    pairs = [(right, got, count) for (right, got), count in counts.items() if got is not None]
    return tuple(sorted(pairs, key=lambda each: (-each[2], each[0], each[1])))


LITTLE = 40
"""Passages below which a scope has too little text to be found by."""

POOR = 0.5
"""A scope whose own questions go right less often needs a name or its documents."""


def _scopes(corpus: Corpus, records: Sequence[Asked]) -> tuple[ScopeResult, ...]:
    own = [asked for asked in records if FAMILIES[asked.question.family].group == "answerable"]
    drawn = Counter(asked.best for asked in own if asked.best not in asked.question.scopes)
    rows = []
    for scope in sorted(corpus.index.scopes):
        its = [asked for asked in own if asked.question.about == scope]
        passages = sum(map(len, corpus.index.numbers(scope).values()))
        right = sum(asked.right for asked in its)
        name = corpus.scopes[scope].name
        advice = ""
        if passages < LITTLE:
            advice = f"only {passages} passages: name {name} in a question, or ask from inside it"
        elif its and right < POOR * len(its):
            rivals = Counter(asked.best for asked in its if not asked.right and asked.best is not None)
            rival = min(rivals, key=lambda each: (-rivals[each], each)) if rivals else None
            advice = (
                f"most of its own questions go elsewhere{f', first to {rival}' if rival else ''}; name it when you ask"
            )
        elif drawn[scope] > max(4, len(its)):
            advice = f"draws {drawn[scope]} questions of others: is text of others in it (copies, dependencies)?"
        rows.append(
            ScopeResult(
                scope, name, passages, len(its), right, sum(not a.route.abstained for a in its), drawn[scope], advice
            )
        )
    return tuple(rows)


def _retrieval(memory: Memory, records: Sequence[Asked]) -> tuple[Mapping[str, Any], ...]:
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
        {
            "name": "docstrings",
            "title": "Docstrings in their own project: rank of the file (the line itself is there to be found)",
            "n": len(ranks),
            **{f"@{k}": hit_share(ranks, k).to_json() for k in (1, 3, 10)},
        },
    )


def _advice(families: Sequence[FamilyResult], scopes: Sequence[ScopeResult], calibration: Calibration) -> Iterable[str]:
    if not calibration.fitted_on:
        yield "the threshold is the shipped one: `loci calibrate` chooses it for these projects"
    by_name = {result.family.name: result for result in families}
    refused = by_name.get("removed_scope")
    if refused is not None and (refused.share.share or 0.0) < 0.5:
        yield (
            "of questions whose project is missing, more than half are answered from another one: "
            "a stricter threshold (`loci calibrate --max-wrong 0.02`) refuses more of them"
        )
    poor = [scope.name for scope in scopes if scope.advice]
    if poor:
        yield f"{len(poor)} of {len(scopes)} projects need a look: {', '.join(poor[:5])}"
    if len(scopes) < 2:
        yield "there is one project: nothing can be confused, and nothing here says how routing does"


def _mean(values: Sequence[float | None]) -> float | None:
    kept = [value for value in values if value is not None]
    return sum(kept) / len(kept) if kept else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
