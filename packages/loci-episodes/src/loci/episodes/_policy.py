"""What is read and how it is cut: the numbers and lists that a person may want to change."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from . import _kernel

Policy = Mapping[str, Any]
"""Overrides of single entries of :func:`default_policy`, by name."""


@cache
def _default() -> str:
    return _kernel.default_policy()


def default_policy() -> dict[str, Any]:
    """All entries with the values that loci ships; the kernel documents each (``crates/loci-collect``)."""
    return json.loads(_default())


def policy_json(
    policy: Policy | None,
    exclude: Sequence[str] = (),
    notes: Sequence[str] = (),
    subtree: str = "",
    apart: Sequence[str] = (),
) -> str:
    """The complete policy for the kernel; `exclude` are paths, not patterns.

    Raises:
        ValueError: an entry that does not exist.

    """
    if not (policy or exclude or notes or subtree or apart):
        return _default()
    complete = default_policy()
    for name, value in (policy or {}).items():
        if name not in complete:
            raise ValueError(f"no policy entry {name!r}; there are {', '.join(sorted(complete))}")
        complete[name] = value
    complete["exclude"] = [*complete["exclude"], *(_pattern(path) for path in exclude)]
    complete["notes"] = [*complete["notes"], *notes]
    complete["subtree"] = subtree or complete["subtree"]
    complete["apart"] = [*complete["apart"], *sorted(apart)]
    return json.dumps(complete, sort_keys=True)


def _pattern(path: str) -> str:
    """The `.gitignore` line that means this path and no other."""
    escaped = "".join(f"\\{character}" if character in "\\*?[ " else character for character in path.strip("/"))
    return f"/{escaped}"
