"""What the names of files say. The kernel owns the lists (``crates/loci-collect/data``); here they are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from . import _kernel


@dataclass(frozen=True)
class Manifest:
    """A manifest of a package manager or build tool. Exactly one of `name`, `ending` and `pattern` is given.

    Attributes:
        name: the file name as it is written, such as ``Cargo.toml``.
        ending: the end of the file name, such as ``.csproj``.
        pattern: a regular expression for the whole file name.
        ecosystem: the index in which the names in it are unique (``pypi``, ``npm``, ``crates``, ...); "" for none.
        format: how it is written, for those who read it; "" if nobody does.
        package: its directory is a package.
        description: at the root of a project it describes the project.
        summary: it may say in one line what the package is.

    """

    name: str | None
    ending: str | None
    pattern: str | None
    ecosystem: str
    format: str
    package: bool
    description: bool
    summary: bool


@dataclass(frozen=True)
class LockFile:
    """A lock file of a package manager: its name as it is written; `ecosystem` and `format` as of :class:`Manifest`."""

    name: str
    ecosystem: str
    format: str


@cache
def _table() -> tuple[tuple[Manifest, ...], tuple[LockFile, ...]]:
    table = json.loads(_kernel.manifests())
    return tuple(Manifest(**each) for each in table["manifest"]), tuple(LockFile(**each) for each in table["lock"])


def manifests() -> tuple[Manifest, ...]:
    """Every manifest that loci knows; of several in a directory the first one speaks.

    >>> [each.name for each in manifests() if each.package][:3]
    ['pyproject.toml', 'setup.cfg', 'setup.py']

    """
    return _table()[0]


def lock_files() -> tuple[LockFile, ...]:
    """Every lock file that loci knows.

    >>> [each.name for each in lock_files() if each.ecosystem == "crates"]
    ['Cargo.lock']

    """
    return _table()[1]


@cache
def languages() -> Mapping[str, tuple[str, ...]]:
    """Programming languages and the endings of their source files, in lower case.

    >>> languages()["Kotlin"]
    ('.kt', '.kts')

    """
    each = _kernel.languages().items()
    return MappingProxyType({name: tuple(f".{end}" for end in extensions) for name, extensions in each if extensions})


def is_changelog(path: str) -> bool:
    """Whether a path is a project's list of changes: a changelog, release notes, a document in a directory of such.

    >>> is_changelog("docs/releases/notes.md"), is_changelog("CHANGES-4.0.txt"), is_changelog("docs/newsletter.md")
    (True, True, False)

    """
    return _kernel.is_changelog(path)
