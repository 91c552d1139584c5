"""Which projects define a symbol: whoever knows definitions tells the router.

Texts say which words a project uses. A definition says more: what calls `Scaffold.route` can only be told by a project
that has it, however many others write of scaffolds and routes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol


class SymbolTable(Protocol):
    """What is known of the symbols of all scopes. It may be slow: the router asks only where it matters."""

    def defining(self, names: Sequence[str]) -> Mapping[str, Collection[str]]:
        """Each of the names of symbols, as a question writes them -> ids of the scopes that define one."""
        ...


def definers(found: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The scopes that define all the names that any scope defines; of several names without such a scope, none."""
    known = [frozenset(scopes) for scopes in found.values() if scopes]
    return frozenset.intersection(*known) if known else frozenset()
