"""What groups do to a question: which scopes may answer, which are demoted, and whether to abstain rather than stray.

| mode | reached through the working directory | a group X is asked for |
|---|---|---|
| explicit | nothing | confines to X's members |
| soft | every outside scope's evidence is halved | confines to X's members |
| hard | confines, and abstains when the best answer is outside | the same |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .errors import UnknownGroup
from .model import Groups, Scope


@dataclass(frozen=True)
class Confinement:
    """The effect of groups on one question.

    Attributes:
        eligible: The ids of the scopes that may be selected.
        demoted: The ids of the scopes whose evidence is halved.
        strict: Whether to abstain when the best scope of the whole corpus is not eligible.
        groups: The groups that had an effect, sorted.
        through: "group", "cwd" or None.

    """

    eligible: frozenset[str]
    demoted: frozenset[str]
    strict: bool
    groups: tuple[str, ...] = ()
    through: str | None = None


def confine(scopes: Mapping[str, Scope], groups: Groups, *, group: str | None, cwd_scope: str | None) -> Confinement:
    """The confinement of a question asked of `group`, or from inside the scope `cwd_scope`.

    A group that is named decides alone: it is what the person says now, the directory is where they happen to stand.
    A directory in several hard groups is confined to what all of them share, since each of them promises that nothing
    from outside is answered; with soft groups a scope is inside when it shares any of them.

    Raises:
        UnknownGroup: No scope carries `group` and no mode is set for it.

    """
    everything = frozenset(scopes)
    members: dict[str, set[str]] = {}
    for scope in scopes.values():
        for label in scope.groups:
            members.setdefault(label, set()).add(scope.id)

    if group is not None:
        if group not in members and group not in groups.modes:
            raise UnknownGroup(group, {*members, *groups.modes})
        eligible = frozenset(members.get(group, set()))
        return Confinement(eligible, frozenset(), groups.mode(group) == "hard", (group,), "group")

    if cwd_scope is None or cwd_scope not in scopes:
        return Confinement(everything, frozenset(), False)

    labels = sorted(set(scopes[cwd_scope].groups))
    hard = [label for label in labels if groups.mode(label) == "hard"]
    soft = [label for label in labels if groups.mode(label) == "soft"]
    eligible = everything
    for label in hard:
        eligible &= frozenset(members[label])
    demoted: frozenset[str] = frozenset()
    if soft:
        demoted = eligible - frozenset().union(*(members[label] for label in soft))
    effective = tuple(hard + soft)
    return Confinement(eligible, demoted, bool(hard), tuple(sorted(effective)), "cwd" if effective else None)
