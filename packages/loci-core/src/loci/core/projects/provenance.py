"""Who writes a project: the person, or an organisation they have a clone from. Read from git, never from a service."""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OWN_SHARE = 0.1
"""From this share of the newest commits on a project counts as one's own: a contribution or two to somebody else's
project does not make it that, a tenth of a team's commits does."""
RECENT_COMMITS = 200
MINE = "me"
VENDOR = "vendor:"


def own_addresses(roots: Sequence[Path]) -> frozenset[str]:
    """The mail addresses the person commits with in these repositories, as `git config user.email` says, in lower case.

    Empty without git or without any configured.
    """
    with ThreadPoolExecutor(8, "loci-git-config") as pool:
        return frozenset(address for address in pool.map(_address, [None, *roots]) if address)


def _address(root: Path | None) -> str:
    try:
        done = subprocess.run(
            ["git", *([] if root is None else ["-C", str(root)]), "config", "--get", "user.email"],
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip().lower()


def inferred_groups(authors: Mapping[str, int], own: Collection[str], remote: str | None) -> list[str]:
    """`["me"]`, `["vendor:<org>"]`, or nothing where neither can be told.

    `authors`: commits of the newest by mail address. `own`: the person's addresses. `remote`: `host/owner/name`.

    >>> inferred_groups({"ada@example.org": 30, "bob@example.org": 70}, {"ada@example.org"}, "github.com/acme/shop")
    ['me']
    >>> inferred_groups({"bob@example.org": 70}, {"ada@example.org"}, "github.com/acme/shop")
    ['vendor:acme']
    """
    total = sum(authors.values())
    mine = sum(count for address, count in authors.items() if address in own)
    if own and (mine >= OWN_SHARE * total if total else remote is None):
        return [MINE]
    owner = organisation(remote)
    return [f"{VENDOR}{owner}"] if owner else []


def organisation(remote: str | None) -> str | None:
    """The owner in `host/owner/name`, in lower case; None without one.

    >>> organisation("gitlab.com/Acme/team/shop")
    'acme'
    """
    parts = (remote or "").split("/")
    return parts[1].lower() if len(parts) >= 3 else None
