"""A route in words: every decision with its value and threshold, every signal, the terms and the passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .index import SCORES

if TYPE_CHECKING:
    from .model import Route, Trace

SHOWN_SCOPES = 5
SHOWN_TERMS = 8


def explain(route: Route) -> str:
    """`route` in plain text, a line each; ends without a line break. Deterministic."""
    lines = [f"question   {route.question}"]
    if route.abstained:
        lines.append(f"answer     none: {route.reason} ({route.mode} mode, confidence {route.confidence:.3f})")
    else:
        chosen = ", ".join(f"{each.id} {each.confidence:.3f}" for each in route.scopes)
        lines.append(f"answer     {chosen} ({route.mode} mode, confidence {route.confidence:.3f})")
    if route.advice:
        lines.append(f"advice     {'; '.join(each.describe() for each in route.advice)}")
    trace: Trace | None = route.trace
    if trace is None:
        return "\n".join(lines)

    lines += ["", "understood"]
    lines += [f"  {line}" for line in trace.question.describe(78).splitlines()]
    if trace.mentions:
        lines += ["", "names"]
    for mention in trace.mentions:
        lines.append(
            f"  `{mention.text}` is a name of {mention.scope} by {mention.weight:.2f} "
            f"(frame: {mention.frame}; word: {mention.commonness})"
        )

    confinement = trace.confinement
    lines += ["", "confinement"]
    if trace.cwd_scope:
        lines.append(f"  directory stands in {trace.cwd_scope}")
    if confinement.groups:
        lines.append(
            f"  {', '.join(confinement.groups)} through {confinement.through}: {len(confinement.eligible)} eligible, "
            f"{len(confinement.demoted)} demoted{', strict' if confinement.strict else ''}"
        )
    else:
        lines.append(f"  none: {len(confinement.eligible)} eligible")

    lines += ["", "decisions"]
    # What would stop a question asked from nowhere makes one asked from inside a project stay there.
    stop = "STOP" if route.abstained else "stays in the directory"
    lines += [f"  {gate.name}: {stop if gate.stopped else 'pass'}, {gate.detail}" for gate in trace.gates]

    terms = trace.evidence.terms
    lines += ["", "terms (idf; scopes that hold it)"]
    for term in sorted(terms, key=lambda t: (-t.idf, t.term)):
        lines.append(f"  {term.word} [{term.term}] {term.idf:.2f}; {len(term.holders)}")
    if not terms:
        lines.append("  none")

    lines += ["", "scopes"]
    for place, each in enumerate(trace.ranking[:SHOWN_SCOPES], start=1):
        signals = " ".join(f"{name} {value:+.3f}" for name, value in sorted(each.signals.items()))
        lines.append(f"  {place}. {each.id}  score {each.score:.3f}  confidence {each.confidence:.3f}  = {signals}")
        evidence = trace.evidence.scopes.get(each.id)
        if evidence is None:
            lines.append("       not indexed")
            continue
        parts = sorted(
            evidence.parts.items(),
            key=lambda item: (SCORES.index(item[0]) if item[0] in SCORES else len(SCORES), item[0]),
        )
        lines.append("       evidence: " + (" ".join(f"{name} {value:+.2f}" for name, value in parts) or "none"))
        signs = " ".join(f"{name} {value:.3f}" for name, value in sorted(evidence.signs.items()))
        lines.append(
            f"       holds an answer: {evidence.whether:.3f}; of what the best has: {evidence.holds:.3f}; "
            f"first in {evidence.agreement:.2f} of the scores ({signs})"
        )
        weights = ", ".join(f"{word} {weight:.2f}" for word, weight in evidence.terms[:SHOWN_TERMS])
        lines.append(f"       terms: {weights or 'none'}")
        if evidence.missing:
            lines.append(f"       not in its best passages: {', '.join(evidence.missing[:SHOWN_TERMS])}")
        for passage in evidence.passages:
            lines.append(f"       {passage.score:7.2f}  {trace.describe(each.id, passage.ordinal)}")
    if len(trace.ranking) > SHOWN_SCOPES:
        lines.append(f"  and {len(trace.ranking) - SHOWN_SCOPES} more")
    return "\n".join(lines)
