"""Questions how projects use one another: a verb of dependency with a project on both sides."""

from __future__ import annotations

from collections.abc import Sequence

from .parts import Cue, ProjectRelation
from .patterns import patterns_of
from .text import compiled


def project_relations(folded: str, languages: Sequence[str]) -> list[ProjectRelation]:
    """The wordings that ask how projects use one another; which of them count depends on what is registered."""
    found: list[ProjectRelation] = []
    for language in languages:
        for written in patterns_of(language).project_relations:
            pattern = compiled(written)
            for match in pattern.finditer(folded):
                subject = match.span("subject") if "subject" in pattern.groupindex and match["subject"] else None
                found.append(ProjectRelation(Cue("relation", match.group().strip(), match.span()), subject))
    return found
