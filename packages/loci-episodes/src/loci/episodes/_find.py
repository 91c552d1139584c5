"""Lines of a repository by pattern: for a caller who asks for imports and calls, not for passages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from . import _kernel
from ._errors import kernel_errors
from ._git_files import refuse_irregular
from ._policy import Policy, policy_json


@dataclass(frozen=True)
class LineRule:
    r"""Which lines are wanted of which files.

    Attributes:
        pattern: a regular expression over a file's bytes, `^` and `$` at every line (no look-around, ASCII classes).
            Its first group is what is found.
        endings: ends of file names, in lower case, such as ``.py``.
        names: whole file names, in lower case.
        interpreters: programs that a first line ``#!`` names, for files without an ending.
        below: only below this directory; "" for the whole repository.

    """

    pattern: str
    endings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    below: str = ""


@dataclass(frozen=True)
class LineMatch:
    """One text that a rule found.

    Attributes:
        rule: position of the rule.
        text: what its first group held.
        files: how many files hold it.
        places: path and line (from 1) of some of them, source before tests and examples, then by path.

    """

    rule: int
    text: str
    files: int
    places: list[tuple[str, int]]


@dataclass(frozen=True)
class Lines:
    """What a search of one repository gave.

    Attributes:
        files: path and size of every file that git lists and the policy admits.
        submodules: repositories inside, which are scopes of their own.
        matches: by rule, then text.
        searched: how many files each rule was applied to.
        unreadable: (path, message) of files that the system refused.

    """

    files: list[tuple[str, int]]
    submodules: list[str]
    matches: list[LineMatch]
    searched: list[int]
    unreadable: list[tuple[str, str]]


class LineFinder:
    r"""Rules, compiled once for many repositories. Files over 1 MB are listed and
    not searched, unless a rule has their name.

    Raises:
        ValueError: a pattern that is no regular expression or has no group.

    >>> finder = LineFinder([LineRule(r"^import (\w+)", endings=(".py",))])

    """

    def __init__(self, rules: Sequence[LineRule]) -> None:
        self._finder = _kernel.Finder(json.dumps([asdict(rule) for rule in rules]))

    def find(
        self,
        root: str | Path,
        *,
        exclude: Sequence[str] = (),
        policy: Policy | None = None,
        subtree: str = "",
        apart: Sequence[str] = (),
        places: int = 3,
    ) -> Lines:
        """Searches the repository at ``root``; at most ``places`` places of each text.

        ``exclude``, ``policy``, ``subtree`` and ``apart`` as in :func:`loci.episodes.build`.

        Raises:
            NotARepository, RepositoryUnreadable: as :func:`loci.episodes.build`.

        """
        refuse_irregular(Path(root))
        with kernel_errors():
            found = self._finder.find(Path(root), policy_json(policy, exclude, (), subtree, apart), places)
        return Lines(
            found.files,
            found.submodules,
            [LineMatch(*match) for match in found.matches],
            found.searched,
            found.unreadable,
        )


def intact(segment: str | Path) -> bool:
    """Whether a segment, or a graph beside it, still has the content it was named after; reads all of it.

    Raises:
        OSError: it cannot be read.

    """
    # The hash ends at the first dot: a graph is called `<hash>.graph.safetensors`.
    return _kernel.name_by_content(Path(segment)).split(".")[0] == Path(segment).name.split(".")[0]
