"""How the figures of own questions relate to those of real ones, and whether a calibration keeps its promise on them.

    python benchmarks/own_questions.py HOME QUESTIONS.jsonl [--halves 4] [--part promise|relation]

HOME is an index of the public corpus (`loci eval bench --home HOME`), QUESTIONS the public questions. Two parts:

promise   calibrates the whole corpus, and halves of it drawn by seed, and routes the real questions with what came out.
          Of the questions without an answer a half gets half, so that the mix is the same.
relation  asks own and real questions of the whole corpus and of smaller ones drawn from it, and ranks the projects by
          every single score, by their sum, by one merged BM25 index and by the published formula: fourteen ways to be
          more or less right. A family predicts when its figure goes with that of the real questions over all of them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections.abc import Iterable, Sequence

import numpy as np

from loci.core import Memory
from loci.eval import BASE_FAMILIES, Question, load_questions
from loci.eval.calibration.calibrate import calibrate_index
from loci.eval.own.corpus import Corpus, OwnQuestion
from loci.eval.own.families import is_a_sentence
from loci.eval.own.texts import docstrings, headings, subjects
from loci.router import SCORES, Calibration, ProminenceEvidence, Route, Router, SummedScores, read


def mixed(routes: Sequence[tuple[Question, Route]]) -> dict[str, object]:
    """The figures of a mix: base answered, and three ways to count what is wrong among the answered."""
    base = [(q, r) for q, r in routes if q.family in BASE_FAMILIES]
    answered = [(q, [scope.id for scope in r.scopes]) for q, r in routes if not r.abstained]
    first = sum(selected[0] not in q.scopes for q, selected in answered)
    none = sum(not set(selected) & set(q.scopes) for q, selected in answered)
    invented = sum(q.invented for q, _ in answered)
    return {
        "questions": len(routes),
        "to refuse": sum(not q.answerable for q, _ in routes),
        "base answered": f"{sum(not r.abstained for _, r in base)}/{len(base)}",
        "base answered %": round(100 * sum(not r.abstained for _, r in base) / max(1, len(base)), 1),
        "answered": len(answered),
        "no right project %": round(100 * none / max(1, len(answered)), 1),
        "the same, invented features right %": round(100 * (none - invented) / max(1, len(answered)), 1),
        "right one not first %": round(100 * first / max(1, len(answered)), 1),
    }


def promise(memory: Memory, questions: Sequence[Question], halves: int, max_wrong: float) -> None:
    """Prints what the threshold does to the real questions, over all projects and over halves of them."""
    for seed in [None, *range(1, halves + 1)]:
        parts = memory.router_parts()
        scopes = sorted(parts.scopes)
        asked = list(questions)
        if seed is not None:
            draw = random.Random(seed)
            kept = set(draw.sample(scopes, len(scopes) // 2))
            for scope in scopes:
                if scope not in kept:
                    parts.index.remove(scope)
            refused = [q for q in questions if not q.answerable]
            asked = [q for q in questions if q.answerable and set(q.scopes) <= kept]
            asked += draw.sample(refused, len(refused) // 2)
        known = {scope: parts.scopes[scope] for scope in parts.index.scopes}
        uses = {user: used for user, used in (parts.uses or {}).items() if user in known}
        report = calibrate_index(parts.index, known, max_wrong=max_wrong)
        for name, calibration in (("shipped", None), ("calibrated", report.calibration)):
            router = Router(parts.index, known, parts.groups, calibration, uses=uses)
            figures = mixed([(q, router.route(q.question)) for q in asked])
            print(json.dumps({"half": seed, "calibration": name, **figures}))
        print(json.dumps({"half": seed, "reason": report.reason, "seconds": round(report.seconds, 1)}))
        fitted = report.fitted_on
        print(json.dumps({"half": seed, "weights": fitted.weights, "confidence": fitted.confidence}))


def relation(memory: Memory, questions: Sequence[Question]) -> None:
    """Prints, family by family, how its figure goes with that of the real base questions."""
    parts = memory.router_parts()
    corpus = Corpus(parts.index, parts.router, parts.scopes, parts.uses)
    scopes = sorted(parts.scopes)
    real = [OwnQuestion("real", q.question, q.scopes, q.scopes[0]) for q in questions if q.family in BASE_FAMILIES]
    own: list[OwnQuestion] = []
    for scope in scopes:
        for make, most in ((subjects, 14), (docstrings, 12), (headings, 8)):
            own += itertools.islice((q for q in make(corpus, scope) if not named(corpus, q)), most)
    families: dict[str, list[OwnQuestion]] = {"real": real}
    for question in own:
        families.setdefault(question.family, []).append(question)
        if is_a_sentence(question):
            families.setdefault(f"{question.family}, sentences", []).append(question)
            families.setdefault("estimate", []).append(question)
    draw = random.Random(0)
    corpora = [scopes, *(sorted(draw.sample(scopes, size)) for size in (5, 5, 10, 10, 15, 20))]
    points: dict[str, list[list[float]]] = {family: [] for family in families}
    by_scope: dict[str, dict[str, list[float]]] = {family: {} for family in families}
    for number, kept in enumerate(corpora):
        gone = [scope for scope in scopes if scope not in kept]
        cache: dict[int, dict[str, bool]] = {}
        for family, its in families.items():
            outcomes = []
            for question in its:
                if question.about in kept:
                    right = cache.setdefault(id(question), {}) or ways(corpus, question, gone)
                    cache[id(question)] = right
                    outcomes.append(right)
                    if number == 0:
                        by_scope[family].setdefault(question.about, []).append(float(right["sum"]))
            names = list(outcomes[0])
            points[family].append([float(np.mean([outcome[name] for outcome in outcomes])) for name in names])
    truth = np.array(points["real"])
    print(f"{'family':28} {'n':>5} {'all':>6} {'bias':>6} {'gap':>6} {'r':>6} {'r sum':>6} {'r scope':>8}")
    names = [*SCORES, "sum", "merged-bm25", "prominence"]
    total = names.index("sum")
    for family in families:
        its = np.array(points[family])
        gap = its - truth
        scope_points = [
            (np.mean(by_scope[family][scope]), np.mean(by_scope["real"][scope]))
            for scope in scopes
            if scope in by_scope[family] and scope in by_scope["real"]
        ]
        print(
            f"{family:28} {len(families[family]):5} {100 * its[0, total]:6.1f} {100 * gap.mean():6.1f} "
            f"{100 * np.abs(gap).mean():6.1f} {correlation(its.ravel(), truth.ravel()):6.2f} "
            f"{correlation(its[:, total], truth[:, total]):6.2f} {correlation(*np.array(scope_points).T):8.2f}"
        )
    print("\nby way of ranking, whole corpus:")
    for column, name in enumerate(names):
        print(f"{name:16} " + "  ".join(f"{family} {100 * points[family][0][column]:.1f}" for family in families))
    print("\nthe sum, by size of the corpus:")
    for row, kept in enumerate(corpora):
        print(f"{len(kept):3} " + "  ".join(f"{family} {100 * points[family][row][total]:.1f}" for family in families))


def named(corpus: Corpus, question: OwnQuestion) -> bool:
    """Whether a question names a project."""
    return bool(corpus.ask(question).mentions)


def ways(corpus: Corpus, question: OwnQuestion, gone: Iterable[str]) -> dict[str, bool]:
    """By every way of ranking, whether the right project comes first when some projects are gone."""
    text = read(question.question).evidence
    gone = [scope for scope in gone if scope not in question.scopes]
    omit = [omission for omission in question.omit if omission.scope not in gone]
    with corpus.masked.taken_out(omit, gone, {}):
        measured = corpus.masked.measure(text)
        models = {"sum": SummedScores(Calibration()), "prominence": ProminenceEvidence()}
        best = {name: model.evidence(corpus.masked, text).scopes.values() for name, model in models.items()}
    right: dict[str, bool] = {}
    for score in SCORES:
        top = min(measured.scopes, key=lambda scope: (-measured.scopes[scope].scores[score], scope))
        right[score] = top in question.scopes
    firsts = {name: min(its, key=lambda each: (-each.combined, each.id)).id for name, its in best.items()}
    right["sum"] = firsts["sum"] in question.scopes
    hits = corpus.index.merged_bm25(text, 1, omit=omit, without=gone)
    right["merged-bm25"] = bool(hits) and hits[0][0] in question.scopes
    right["prominence"] = firsts["prominence"] in question.scopes
    return right


def correlation(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Pearson's r; nan when either side does not vary."""
    if np.std(ours) == 0 or np.std(theirs) == 0:
        return float("nan")
    return float(np.corrcoef(ours, theirs)[0, 1])


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("home")
    parser.add_argument("questions")
    parser.add_argument("--halves", type=int, default=4)
    parser.add_argument("--max-wrong", type=float, default=0.05)
    parser.add_argument("--part", choices=["promise", "relation"])
    given = parser.parse_args()
    memory = Memory.open(given.home)
    questions = load_questions(given.questions)
    if given.part != "relation":
        promise(memory, questions, given.halves, given.max_wrong)
    if given.part != "promise":
        relation(memory, questions)


if __name__ == "__main__":
    main()
