"""Names of code in a question, and which projects define them: whoever knows definitions tells the router.

Texts say which words a project uses. A definition says more: what calls `Scaffold.route` can only be told by a project
that has it, however many others write of scaffolds and routes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol


class SymbolTable(Protocol):
    """What is known of the symbols of all scopes. Both methods may be slow: the router asks only where it matters."""

    def asked(self, question: str) -> Mapping[str, Collection[str]]:
        """The names that the question asks the relations of ("who calls X") -> ids of the scopes that define one."""
        ...

    def mentioned(self, question: str) -> Mapping[str, Collection[str]]:
        """The names that the question writes as code does (`app.listen`) -> ids of the scopes that define one."""
        ...

    def is_unmistakable(self, name: str) -> bool:
        """Whether a name can only be one of code: `set_color`, but not `WebSocket`, which is a thing as well."""
        ...


def definers(found: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The scopes that define all the names that any scope defines; of several names without such a scope, none."""
    known = [frozenset(scopes) for scopes in found.values() if scopes]
    return frozenset.intersection(*known) if known else frozenset()
