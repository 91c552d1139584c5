"""Two runs over the same questions, compared question by question.

Two shares of 83 % and 85 % say nothing by themselves: most questions came out the same, and only those that changed
carry information. So the test is McNemar's, exact: of the questions that one run got right and the other did not, how
likely is a split at least this uneven if both were equally good? Many families are looked at, and one of twenty would
seem to differ by chance; so each family's p is also given by Holm's method. The size of the difference has an interval
from a bootstrap that draws whole scopes, for the same reason as everywhere here: the questions on one project succeed
and fail together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import RunsError
from ..statistics.shares import cluster_bootstrap
from ..statistics.significance import holm, mcnemar
from .table import one_line, table

__all__ = ["Changed", "Compared", "Comparison", "Row", "compare", "load_run", "render_comparison"]

LEVEL = 0.05
"""Below this p a difference counts as more than chance."""

FORMAT = 1

Json = dict[str, Any]


@dataclass(frozen=True)
class _Measure:
    """One thing a question can be right or wrong in; `outcome` is None where it does not apply."""

    name: str
    title: str
    outcome: Callable[[Json, Json], bool | None]


def _right(question: Json, entry: Json) -> bool:
    """Answered from the right scope first, or rightly not answered."""
    if question["scopes"]:
        return bool(entry["selected"]) and entry["selected"][0] in question["scopes"]
    invented = str(question.get("kind") or "").startswith("invented")
    return not entry["selected"] or (invented and bool(entry.get("found_nothing")))


def _ranked(question: Json, entry: Json) -> bool | None:
    if not question["scopes"]:
        return None
    return bool(entry["ranked"]) and entry["ranked"][0] in question["scopes"]


def _all_selected(question: Json, entry: Json) -> bool | None:
    return set(question["scopes"]) <= set(entry["selected"]) if len(question["scopes"]) > 1 else None


def _given(depth: int) -> Callable[[Json, Json], bool | None]:
    def outcome(_question: Json, entry: Json) -> bool | None:
        ranks = [each["list"] for each in entry.get("given") or []]
        return all(rank is not None and rank <= depth for rank in ranks) if ranks else None

    return outcome


def _end_to_end(depth: int) -> Callable[[Json, Json], bool | None]:
    def outcome(_question: Json, entry: Json) -> bool | None:
        if "end_to_end" not in entry:
            return None
        rank = entry["end_to_end"]["list"]
        return rank is not None and rank <= depth

    return outcome


MEASURES = (
    _Measure("right", "right: answered from the right project first, or rightly not at all", _right),
    _Measure("best_ranked", "right project ranked first, answered or not", _ranked),
    _Measure("all_selected", "every right project selected", _all_selected),
    *(_Measure(f"given@{k}", f"evidence among the first {k}, project given", _given(k)) for k in (1, 3, 10)),
    *(_Measure(f"end_to_end@{k}", f"evidence among the first {k}, nothing given", _end_to_end(k)) for k in (1, 3, 10)),
)
"""The first decides the verdict; which one that is was not chosen by looking at results."""


def load_run(path: str | Path) -> Json:
    """A run as `loci eval bench --json` wrote it. Raises RunsError when it is none."""
    path = Path(path)
    try:
        run = json.loads(path.read_bytes())
    except OSError as error:
        raise RunsError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise RunsError(f"{path} is no JSON ({error}); write it with: loci eval bench --json > FILE") from error
    if (
        not isinstance(run, dict)
        or not isinstance(run.get("outcomes"), list)
        or not isinstance(run.get("systems"), dict)
    ):
        raise RunsError(f"{path} is no run of `loci eval bench --json`: it has no outcomes of single questions")
    needed = ("id", "family", "scopes")
    for number, outcome in enumerate(run["outcomes"], start=1):
        if not isinstance(outcome, dict) or not all(key in outcome for key in needed):
            raise RunsError(f"{path}: outcome {number} lacks one of {', '.join(needed)}; was the file edited?")
    return run


@dataclass(frozen=True)
class Row:
    """A measure in two runs: the share of `n` questions in each, from 0 to 1, and the questions right in one alone.

    `interval`: of the difference, 95 %, drawn by scope. `p`: of McNemar's test; `p_holm`: the same with all families
    looked at, None in the overall row.
    """

    n: int
    first: float
    second: float
    difference: float
    interval: tuple[float, float] | None
    first_only: int
    second_only: int
    p: float = field(metadata={"digits": 6})
    p_holm: float | None = field(default=None, metadata={"digits": 6})


@dataclass(frozen=True)
class Compared:
    """One measure, over all questions and family by family."""

    title: str
    overall: Row
    families: Mapping[str, Row]


@dataclass(frozen=True)
class Changed:
    """A question that is right in one run alone: `now` "right" or "wrong", and the scopes it was answered from."""

    id: str
    family: str
    question: str
    scopes: Sequence[str]
    now: str
    first: Sequence[str]
    second: Sequence[str]
    first_reason: str | None
    second_reason: str | None


@dataclass(frozen=True)
class Comparison:
    """What changed from the first run to the second. `loci.eval.to_json` makes the contract of it.

    `questions`: in both runs and the same. `changed_questions`: ids whose question was edited in between. `measures`:
    by name; "right" decides the verdict.
    """

    format: int
    system: str
    against: str
    seed: int
    questions: int
    only_first: int
    only_second: int
    changed_questions: Sequence[str]
    same_corpus: bool
    measures: Mapping[str, Compared]
    changed: Sequence[Changed]
    verdict: str


def compare(
    first: Json, second: Json, *, system: str = "loci", against: str | None = None, seed: int = 0
) -> Comparison:
    """What changed from the first run to the second, and whether that is more than chance.

    first, second: as `load_run` returns them.
    system: which system of the first run. against: which of the second; the same by default. With the same run twice,
        two systems are compared.

    Raises RunsError when a system is missing or no question is common to both.
    """
    against = against or system
    for run, name, which in ((first, system, "first"), (second, against, "second")):
        if name not in run["systems"]:
            raise RunsError(f"the {which} run has no system {name}; it has {', '.join(run['systems'])}")
    left = {outcome["id"]: outcome for outcome in first["outcomes"]}
    right = {outcome["id"]: outcome for outcome in second["outcomes"]}
    both = [identity for identity in left if identity in right]
    # A question that was rewritten, or whose answer is another now, is not the same question under its old id.
    edited = [identity for identity in both if not _same(left[identity], right[identity])]
    common = [identity for identity in both if identity not in set(edited)]
    if not common:
        raise RunsError("the two runs have no question in common; they must ask the same file of questions")
    pairs = [(left[identity], left[identity][system], right[identity][against]) for identity in common]
    measures: dict[str, Compared] = {}
    for measure in MEASURES:
        found = [
            (question, before, after)
            for question, one, other in pairs
            if (before := measure.outcome(question, one)) is not None
            and (after := measure.outcome(question, other)) is not None
        ]
        if found:
            measures[measure.name] = Compared(measure.title, _row(found, seed), _by_family(found, seed))
    return Comparison(
        format=FORMAT,
        system=system,
        against=against,
        seed=seed,
        questions=len(common),
        only_first=sum(identity not in right for identity in left),
        only_second=sum(identity not in left for identity in right),
        changed_questions=edited,
        same_corpus=first.get("corpus") == second.get("corpus"),
        measures=measures,
        changed=[_changed(*pair) for pair in pairs if _right(pair[0], pair[1]) != _right(pair[0], pair[2])],
        verdict=_verdict(measures["right"]),
    )


def _same(one: Json, other: Json) -> bool:
    return all(one.get(key) == other.get(key) for key in ("question", "family", "scopes", "kind"))


def _changed(question: Json, one: Json, other: Json) -> Changed:
    return Changed(
        id=question["id"],
        family=question["family"],
        question=question.get("question", ""),
        scopes=question["scopes"],
        now="right" if _right(question, other) else "wrong",
        first=one["selected"],
        second=other["selected"],
        first_reason=one.get("reason"),
        second_reason=other.get("reason"),
    )


def _by_family(found: Sequence[tuple[Json, bool, bool]], seed: int) -> dict[str, Row]:
    names = list(dict.fromkeys(question["family"] for question, _, _ in found))
    rows = [_row([each for each in found if each[0]["family"] == name], seed) for name in names]
    adjusted = holm([row.p for row in rows])
    return {name: replace(row, p_holm=p) for name, row, p in zip(names, rows, adjusted, strict=True)}


def _row(found: Sequence[tuple[Json, bool, bool]], seed: int) -> Row:
    before = sum(one for _, one, _ in found)
    after = sum(other for _, _, other in found)
    first_only = sum(one and not other for _, one, other in found)
    second_only = sum(other and not one for _, one, other in found)
    interval = cluster_bootstrap(
        [float(other) - float(one) for _, one, other in found],
        [question["scopes"][0] if question["scopes"] else "" for question, _, _ in found],
        seed=seed,
    )
    return Row(
        n=len(found),
        first=before / len(found),
        second=after / len(found),
        difference=(after - before) / len(found),
        interval=interval,
        first_only=first_only,
        second_only=second_only,
        p=mcnemar(first_only, second_only),
    )


def _verdict(measure: Compared) -> str:
    row = measure.overall
    changed = row.first_only + row.second_only
    if not changed:
        return "No question changed between right and wrong."
    what = f"{row.second_only} better, {row.first_only} worse, of {row.n} questions (p = {_p(row.p)})"
    if row.p >= LEVEL:
        # 0 of 5 has p = .0625: below six changes no split whatever is more than chance.
        few = " Fewer than 6 changed questions can never be." if changed < 6 else ""
        verdict = f"No more than chance: {what}.{few}"
    elif row.second_only > row.first_only:
        verdict = f"The second is better, more than by chance: {what}."
    else:
        verdict = f"The second is worse, more than by chance: {what}."
    telling = [family for family, each in measure.families.items() if each.p_holm is not None and each.p_holm < LEVEL]
    if telling and row.p >= LEVEL:
        verdict += f" By itself, also among {len(measure.families)} families: {', '.join(telling)}."
    return verdict


def render_comparison(
    comparison: Comparison, *, names: tuple[str, str] = ("first", "second"), limit: int | None = 40
) -> str:
    """The comparison as text. names: what the two runs are called. limit: how many changed questions are listed."""
    lines = [
        f"{comparison.questions} questions in both; {comparison.system} of {names[0]} against "
        f"{comparison.against} of {names[1]}"
    ]
    if not comparison.same_corpus:
        lines.append("the two runs are over different corpora, which may be what made the difference")
    for only, name in ((comparison.only_first, names[0]), (comparison.only_second, names[1])):
        if only:
            lines.append(f"{only} questions are only in {name} and left out")
    if comparison.changed_questions:
        lines.append(f"left out since they were edited in between: {', '.join(comparison.changed_questions)}")
    sections = ["\n".join(lines)]
    rows = [["share in %", "n", "first", "second", "change", "[by scope]", "better", "worse", "p"]]
    for measure in comparison.measures.values():
        rows.append([measure.title, *_cells(measure.overall)])
    sections.append(table(rows))
    rows = [
        ["right, by family", "n", "first", "second", "change", "[by scope]", "better", "worse", "p", "p, all looked at"]
    ]
    for family, row in comparison.measures["right"].families.items():
        rows.append([family, *_cells(row), _p(row.p_holm)])
    sections.append(table(rows))
    changed = comparison.changed
    if changed:
        shown = changed if limit is None else changed[:limit]
        listed = [f"questions that changed ({len(changed)}):"]
        for each in shown:
            sign = "+" if each.now == "right" else "-"
            listed.append(f"  {sign} {each.id} ({each.family}): {one_line(each.question)}")
            listed.append(
                f"      {_went(each.first, each.first_reason)} -> {_went(each.second, each.second_reason)}"
                f"; right: {', '.join(each.scopes) or 'abstain'}"
            )
        if len(shown) < len(changed):
            listed.append(f"  and {len(changed) - len(shown)} more (--all lists them)")
        sections.append("\n".join(listed))
    sections.append(comparison.verdict)
    return "\n\n".join(sections) + "\n"


def _cells(row: Row) -> list[str]:
    low, high = row.interval or (0.0, 0.0)
    return [
        str(row.n),
        f"{100 * row.first:.1f}",
        f"{100 * row.second:.1f}",
        f"{100 * row.difference:+.1f}",
        f"[{100 * low:+.0f} to {100 * high:+.0f}]",
        str(row.second_only),
        str(row.first_only),
        _p(row.p),
    ]


def _p(value: float | None) -> str:
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _went(selected: Sequence[str], reason: str | None) -> str:
    return ", ".join(selected) if selected else f"abstained ({reason or 'no reason'})"
