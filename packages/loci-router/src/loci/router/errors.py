"""The errors of the router.

RouterError
+-- UnknownGroup      (ValueError)          a group nobody is a member of
+-- UnknownScope      (LookupError)         a scope the index or the registry does not hold
+-- DuplicateScope    (ValueError)          a scope that is already there
+-- IndexUnreadable   (OSError)             a saved index that is missing or damaged
+-- BadCalibration    (ValueError)          calibration values that cannot be used
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RouterError(Exception):
    """Base of every error the router raises on purpose."""


def near_names(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """The known names that look most like `name`, best first (at most `limit`; may be empty)."""
    folded = {each.casefold(): each for each in sorted(known, reverse=True)}
    matches = difflib.get_close_matches(name.casefold(), sorted(folded), n=limit, cutoff=0.5)
    return [folded[match] for match in matches]


def _did_you_mean(near: list[str], known: Iterable[str], what: str) -> str:
    if near:
        return f"did you mean {', '.join(f'`{each}`' for each in near)}?"
    every = sorted(known)
    if not every:
        return f"there are no {what} yet"
    shown = ", ".join(f"`{each}`" for each in every[:10])
    return f"the {what} are {shown}" + (f" and {len(every) - 10} more" if len(every) > 10 else "")


class UnknownGroup(RouterError, ValueError):
    """Raised when a group was asked for that no scope belongs to. `near` lists the names that look like it."""

    def __init__(self, group: str, known: Iterable[str]) -> None:
        known = sorted(known)
        self.group = group
        self.near = near_names(group, known)
        super().__init__(f"there is no group `{group}`: {_did_you_mean(self.near, known, 'groups')}")


class UnknownScope(RouterError, LookupError):
    """Raised when a scope was asked for that is not there. `near` lists the names that look like it."""

    def __init__(self, scope: str, known: Iterable[str]) -> None:
        known = sorted(known)
        self.scope = scope
        self.near = near_names(scope, known)
        super().__init__(f"there is no scope `{scope}`: {_did_you_mean(self.near, known, 'scopes')}")


class DuplicateScope(RouterError, ValueError):
    """Raised when a scope is added under an id that is taken; remove it first to replace it."""


class IndexUnreadable(RouterError, OSError):
    """Raised when a saved routing index is missing, damaged or of another version."""


class BadCalibration(RouterError, ValueError):
    """Raised when calibration values are of the wrong kind or outside their range."""
