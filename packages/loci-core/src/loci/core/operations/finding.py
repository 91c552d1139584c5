"""One thing that is not as it should be, as `loci doctor` reports it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
"""error: answers are missing or wrong. warning: they are behind or poorer than they could be. note: worth knowing, and
nothing needs doing.
"""


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be.

    `scope`: the project it is about, None for the machine and the home. `kind`: a stable name. `problem`: what it is.
    `fix`: the command that mends it, None where there is none. `examples`: what it is about, such as paths.
    """

    scope: str | None
    severity: Severity
    kind: str
    problem: str
    fix: str | None = None
    examples: tuple[str, ...] = ()

    @property
    def needs_doing(self) -> bool:
        """Whether something is to be done about it."""
        return self.severity != "note"

    def to_json(self) -> dict[str, Any]:
        """As `loci doctor --json` prints it."""
        return {
            "scope": self.scope,
            "severity": self.severity,
            "kind": self.kind,
            "problem": self.problem,
            "fix": self.fix,
            "examples": list(self.examples),
        }
