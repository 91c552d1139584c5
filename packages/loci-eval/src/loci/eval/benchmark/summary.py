"""From records to figures: one JSON object, which `_table` shows as text.

Nothing is computed while rendering, so the table and `--json` cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib.util import find_spec
from typing import Any

from ..statistics.abstention import auroc, matched_weights, risk_coverage, weighted_share
from ..statistics.ranks import hit_share, precision_recall
from ..statistics.shares import Share, cluster_bootstrap
from .measure import Ranks, Record, Routed, Visit
from .questions import BASE_FAMILIES, SPECIAL_FAMILIES

__all__ = ["COVERAGES", "DEPTHS", "quantiles", "summarise"]

FORMAT = 1
"""Version of the JSON object."""

COVERAGES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
DEPTHS = (1, 3, 10)
TOP = 3

Json = dict[str, Any]


def summarise(records: Sequence[Record], *, seed: int = 0, exclude_scopes: Collection[str] = ()) -> Json:
    """All figures of a run, as one JSON object.

    records: as `measure` returns them; every record must hold the same systems.
    exclude_scopes: the base figures are given a second time without the questions on these scopes. The scopes stay in
    the corpus, so they still compete.
    """
    systems = list(records[0].routed) if records else []
    return {
        "format": FORMAT,
        "seed": seed,
        "questions": len(records),
        "systems": {name: _system(name, records, seed, set(exclude_scopes)) for name in systems},
        "places": _places(records, seed),
        "gate": _gate(records),
        "timings": _timings(records),
        "outcomes": [_outcome(record) for record in records],
    }


# Routing


def _system(name: str, records: Sequence[Record], seed: int, exclude: set[str]) -> Json:
    families = list(dict.fromkeys(record.question.family for record in records))
    answerable = [record for record in records if record.question.answerable]
    base = _base(answerable)
    groups = {family: [r for r in answerable if r.question.family == family] for family in families}
    rows = {family: _routing(name, group, seed) for family, group in groups.items() if group}
    rows["base"] = _routing(name, base, seed)
    if exclude:
        rows["base without"] = _routing(name, [r for r in base if not exclude & set(r.question.scopes)], seed)
    rows["answerable"] = _routing(name, answerable, seed)
    summary: Json = {
        "routing": rows,
        "mix": _mix(name, records),
        "sets": _sets(name, groups),
        "abstention": _abstention(name, records),
        "matched": _matched(name, records),
        "risk_coverage": {
            "base": _curve(name, base),
            "answerable": _curve(name, answerable),
            "mix": _curve(name, records),
        },
    }
    if exclude:
        summary["excluded"] = sorted(exclude)
    if any(name in record.end_to_end for record in records):
        summary["retrieval"] = _retrieval(name, groups, base, exclude)
    return summary


def _base(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record.question.family in BASE_FAMILIES]


def _first(record: Record, routed: Routed) -> bool:
    """Whether it answered and the first selected scope is right."""
    return bool(routed.selected) and routed.selected[0] in record.question.scopes


def _best_ranked(record: Record, routed: Routed) -> bool:
    """Whether the best-ranked scope is right, whether or not it abstained."""
    return bool(routed.ranked) and routed.ranked[0] in record.question.scopes


def _cluster(record: Record) -> str:
    return record.question.scopes[0] if record.question.scopes else ""


def _routing(name: str, records: Sequence[Record], seed: int) -> Json:
    pairs = [(record, record.routed[name]) for record in records]
    answered = [(record, routed) for record, routed in pairs if not routed.abstained]
    return {
        "n": len(pairs),
        "first": _clustered([(r, _first(r, routed)) for r, routed in pairs], seed),
        "best_ranked": _clustered([(r, _best_ranked(r, routed)) for r, routed in pairs], seed),
        "in_first_three": Share.of(
            [bool(set(routed.ranked[:TOP]) & set(r.question.scopes)) for r, routed in pairs]
        ).to_json(),
        "answered": Share.of([not routed.abstained for _, routed in pairs]).to_json(),
        "right_if_answered": Share.of([_first(r, routed) for r, routed in answered]).to_json(),
        "right_selected_if_answered": Share.of(
            [bool(set(routed.selected) & set(r.question.scopes)) for r, routed in answered]
        ).to_json(),
    }


def _clustered(outcomes: Sequence[tuple[Record, bool]], seed: int) -> Json:
    """A share with both intervals: Wilson's, and the bootstrap over scopes."""
    figure = Share.of([right for _, right in outcomes]).to_json()
    interval = cluster_bootstrap(
        [float(right) for _, right in outcomes], [_cluster(record) for record, _ in outcomes], seed=seed
    )
    figure["by_scope"] = None if interval is None else [round(end, 4) for end in interval]
    return figure


def _mix(name: str, records: Sequence[Record]) -> Json:
    """All questions as they are mixed in the file. Answering one that should be refused is wrong."""
    answered = [record for record in records if not record.routed[name].abstained]
    return {
        "n": len(records),
        "must_abstain": Share.of([not record.question.answerable for record in records]).to_json(),
        "answered": Share.of([not record.routed[name].abstained for record in records]).to_json(),
        "right_if_answered": Share.of([_first(record, record.routed[name]) for record in answered]).to_json(),
    }


def _sets(name: str, groups: dict[str, list[Record]]) -> Json:
    """Precision and recall of the selected set, where a family has questions with more than one right scope."""
    rows: Json = {}
    for family, records in groups.items():
        many = [record for record in records if len(record.question.scopes) > 1]
        if not many:
            continue
        scored = [(precision_recall(r.routed[name].selected, r.question.scopes), r.routed[name]) for r in many]
        answered = [figures for figures, routed in scored if not routed.abstained]
        rows[family] = {
            "n": len(many),
            "answered": Share.of([not routed.abstained for _, routed in scored]).to_json(),
            "recall": _mean([recall for (_, recall), _ in scored]),
            "recall_if_answered": _mean([recall for _, recall in answered]),
            "precision_if_answered": _mean([precision for precision, _ in answered]),
            "all_selected": Share.of([set(r.question.scopes) <= set(r.routed[name].selected) for r in many]).to_json(),
            "exactly": Share.of([set(r.question.scopes) == set(r.routed[name].selected) for r in many]).to_json(),
        }
    return rows


def _mean(values: Sequence[float | None]) -> float | None:
    kept = [value for value in values if value is not None]
    return round(sum(kept) / len(kept), 4) if kept else None


def _places(records: Sequence[Record], seed: int) -> Json:
    right = [(record, record.right_place) for record in records if record.right_place is not None]
    wrong = [(record, record.wrong_place) for record in records if record.wrong_place is not None]
    here = [(record, record.here) for record in records if record.here is not None]
    return {
        "right_place": {
            "n": len(right),
            "first": _clustered([(r, _first(r, visit.routed)) for r, visit in right], seed),
            "selected": Share.of([_selected(r, visit) for r, visit in right]).to_json(),
        },
        "wrong_place": {
            "n": len(wrong),
            "first": _clustered([(r, _first(r, visit.routed)) for r, visit in wrong], seed),
            "selected": Share.of([_selected(r, visit) for r, visit in wrong]).to_json(),
        },
        "deictic_with_directory": {
            "n": len(here),
            "first": Share.of([visit.routed.selected[:1] == (visit.cwd,) for _, visit in here]).to_json(),
            "only": Share.of([visit.routed.selected == (visit.cwd,) for _, visit in here]).to_json(),
        },
    }


def _gate(records: Sequence[Record]) -> Json:
    """What the gate keeps from scopes that cannot answer, and what it costs at the right ones."""
    deepest = max(DEPTHS)
    pairs = [(record, record.gated) for record in records if record.gated is not None]
    name = next((next(iter(record.given)) for record, _ in pairs if record.given), None)
    open_ranks = [record.given[name][0].lanes for record, _ in pairs] if name is not None else []
    ungated = hit_share(open_ranks, deepest)
    gated = hit_share([each.right.lanes for _, each in pairs], deepest)
    return {
        "n": len(pairs),
        "elsewhere_silent": Share.of([each.elsewhere_silent for _, each in pairs]).to_json(),
        "right_ungated": ungated.to_json(),
        "right_gated": gated.to_json(),
        "lost": Share.of(
            [
                open_rank is not None and open_rank <= deepest and each.right.lanes is None
                for open_rank, (_, each) in zip(open_ranks, pairs, strict=True)
            ]
        ).to_json(),
    }


def _selected(record: Record, visit: Visit) -> bool:
    return bool(set(record.question.scopes) & set(visit.routed.selected))


# Abstention


def _abstention(name: str, records: Sequence[Record]) -> Json:
    refused = [record for record in records if not record.question.answerable]
    rows: Json = {}
    for family in dict.fromkeys(record.question.family for record in refused):
        group = [record for record in refused if record.question.family == family]
        row = _abstains(name, group)
        invented = [record for record in group if record.question.invented]
        if invented:
            row["invented_may_find_nothing"] = _share(group, lambda r: _refused_or_empty(name, r))
            row["without_invented"] = _abstains(name, [r for r in group if not r.question.invented])
            row["invented"] = _abstains(name, invented)
            row["invented"]["abstains_or_finds_nothing"] = _share(invented, lambda r: _refused_or_empty(name, r))
        kinds = list(dict.fromkeys(record.question.kind for record in group if record.question.kind))
        if kinds:
            row["kinds"] = {kind: _abstains(name, [r for r in group if r.question.kind == kind]) for kind in kinds}
        rows[family] = row
    wrongly = {
        "base": _abstains(name, _base([r for r in records if r.question.answerable])),
        "special": _abstains(
            name, [r for r in records if r.question.answerable and r.question.family in SPECIAL_FAMILIES]
        ),
        "answerable": _abstains(name, [r for r in records if r.question.answerable]),
    }
    return {"families": rows, "wrongly": {key: row for key, row in wrongly.items() if row["n"]}}


def _abstains(name: str, records: Sequence[Record]) -> Json:
    reasons: dict[str, int] = {}
    for record in records:
        reason = record.routed[name].reason
        if record.routed[name].abstained and reason:
            reasons[reason] = reasons.get(reason, 0) + 1
    return {
        "n": len(records),
        "abstains": _share(records, lambda record: record.routed[name].abstained),
        "reasons": dict(sorted(reasons.items())),
    }


def _share(records: Sequence[Record], outcome: Callable[[Record], bool]) -> Json:
    return Share.of([outcome(record) for record in records]).to_json()


def _refused_or_empty(name: str, record: Record) -> bool:
    return record.routed[name].abstained or (record.question.invented and record.found_nothing.get(name, False))


def _matched(name: str, records: Sequence[Record]) -> list[Json]:
    """Answerable against must-abstain questions, before and after both sides have the same lengths.

    Short questions are mostly the ones to refuse, so a rule on length looks good on the plain figures;
    `auroc_words` is what that rule scores, and it must be near .5 after matching. Both are null without scikit-learn.
    """
    answerable = [record for record in records if record.question.answerable]
    refused = [record for record in records if not record.question.answerable]
    positives = {
        "base": _base(answerable),
        "special": [record for record in answerable if record.question.family in SPECIAL_FAMILIES],
        "answerable": answerable,
    }
    negatives: dict[str, list[Record]] = {}
    for family in dict.fromkeys(record.question.family for record in refused):
        group = [record for record in refused if record.question.family == family]
        negatives[family] = group
        if any(record.question.invented for record in group):
            negatives[f"{family} without invented"] = [r for r in group if not r.question.invented]
            negatives[f"{family}: invented"] = [r for r in group if r.question.invented]
    return [
        {"answerable": left, "refused": right, **_against(name, positives[left], negatives[right])}
        for left in positives
        for right in negatives
        if positives[left] and negatives[right]
    ]


def _against(name: str, positives: Sequence[Record], negatives: Sequence[Record]) -> Json:
    words = [r.words for r in positives], [r.words for r in negatives]
    confidences = [r.routed[name].confidence for r in positives], [r.routed[name].confidence for r in negatives]
    weights = matched_weights(*words)
    kept = sum(weights[0])
    return {
        "n": [len(positives), len(negatives)],
        "auroc": _rounded(_auroc(*confidences)),
        "auroc_words": _rounded(_auroc(*words)),
        "answered": _rounded(weighted_share([not r.routed[name].abstained for r in positives], [1.0] * len(positives))),
        "abstained": _rounded(weighted_share([r.routed[name].abstained for r in negatives], [1.0] * len(negatives))),
        "matched": {
            "n": round(kept),
            "auroc": _rounded(_auroc(*confidences, *weights)),
            "auroc_words": _rounded(_auroc(*words, *weights)),
            "answered": _rounded(weighted_share([not r.routed[name].abstained for r in positives], weights[0])),
            "abstained": _rounded(weighted_share([r.routed[name].abstained for r in negatives], weights[1])),
        },
    }


def _auroc(*sides: Sequence[float]) -> float | None:
    return auroc(*sides) if find_spec("sklearn") is not None else None


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)


def _curve(name: str, records: Sequence[Record]) -> list[Json]:
    routed = [record.routed[name] for record in records]
    points = risk_coverage(
        [route.confidence for route in routed],
        [_best_ranked(record, route) for record, route in zip(records, routed, strict=True)],
        COVERAGES,
    )
    return [{"coverage": p.coverage, "answered": p.answered, "accuracy": round(p.accuracy, 4)} for p in points]


# Retrieval


def _retrieval(name: str, groups: dict[str, list[Record]], base: list[Record], exclude: set[str]) -> Json:
    named = {family: group for family, group in groups.items() if any(name in r.end_to_end for r in group)}
    named["base"] = base
    if exclude:
        named["base without"] = [record for record in base if not exclude & set(record.question.scopes)]
    return {
        "scope_given": {
            key: _hits([rank for r in group for rank in r.given.get(name, [])]) for key, group in named.items()
        },
        "end_to_end": {
            key: _hits([r.end_to_end[name] for r in group if name in r.end_to_end]) for key, group in named.items()
        },
    }


def _hits(ranks: Sequence[Ranks]) -> Json:
    return {
        "n": len(ranks),
        "list": {f"@{k}": hit_share([rank.listed for rank in ranks], k).to_json() for k in DEPTHS},
        "two_lanes": {f"@{k}": hit_share([rank.lanes for rank in ranks], k).to_json() for k in DEPTHS},
    }


# Time


def _timings(records: Sequence[Record]) -> Json:
    asked = [(r.ask_seconds, next(iter(r.routed.values())).abstained) for r in records if r.ask_seconds is not None]
    return {
        "route_in_process": quantiles([record.route_seconds for record in records]),
        "ask_in_process": quantiles([seconds for seconds, _ in asked]),
        # An abstention searches nothing, so a system that abstains more would look faster.
        "ask_in_process_when_answered": quantiles([seconds for seconds, abstained in asked if not abstained]),
    }


def quantiles(seconds: Sequence[float]) -> Json | None:
    """`{"n", "median_ms", "p95_ms", "max_ms"}` of durations in seconds; None when there are none."""
    if not seconds:
        return None
    import numpy as np

    median, p95, longest = np.quantile(seconds, [0.5, 0.95, 1.0])
    return {
        "n": len(seconds),
        "median_ms": round(1000 * float(median), 2),
        "p95_ms": round(1000 * float(p95), 2),
        "max_ms": round(1000 * float(longest), 2),
    }


# One line per question, for comparing two runs


def _outcome(record: Record) -> Json:
    question = record.question
    outcome: Json = {
        "id": question.id,
        "family": question.family,
        "kind": question.kind,
        "question": question.question,
        "scopes": list(question.scopes),
        "words": record.words,
    }
    for name, routed in record.routed.items():
        entry: Json = {
            "selected": list(routed.selected),
            "ranked": list(routed.ranked[:10]),
            "confidence": round(routed.confidence, 6),
            "reason": routed.reason,
            "mode": routed.mode,
        }
        if name in record.given:
            entry["given"] = [{"scope": r.scope, "list": r.listed, "two_lanes": r.lanes} for r in record.given[name]]
        if name in record.end_to_end:
            ranks = record.end_to_end[name]
            entry["end_to_end"] = {"list": ranks.listed, "two_lanes": ranks.lanes}
        if name in record.found_nothing:
            entry["found_nothing"] = record.found_nothing[name]
        outcome[name] = entry
    for key, visit in (("right_place", record.right_place), ("wrong_place", record.wrong_place), ("here", record.here)):
        if visit is not None:
            outcome[key] = {"cwd": visit.cwd, "selected": list(visit.routed.selected), "reason": visit.routed.reason}
    return outcome
