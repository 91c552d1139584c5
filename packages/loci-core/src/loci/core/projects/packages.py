"""Packages of a monorepo as projects of their own: those that `.loci.json` names, and with `--split` those that a
package marker shows. Never a build output, never anything outside the repository.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath

from loci.core.errors import DamagedFile
from loci.core.home.home import read_json

DECLARATION = ".loci.json"
LARGEST_DECLARATION = 4_000_000  # Bytes; each package takes some twenty.
CONTAINERS = frozenset(
    {"packages", "apps", "libs", "crates", "services", "modules", "plugins", "projects", "components", "tools"}
)
"""Directories that hold packages side by side: without a marker of their own, the packages are looked for inside."""
NO_PACKAGES = frozenset(
    {"dist", "build", "out", "target", "output", "bin", "obj", "_build", "site", "public", "coverage", "tmp", "temp"}
    | {"node_modules", "bower_components", "vendor", "third_party", "third-party", "venv", "env"}
    | {"test", "tests", "fixtures", "testdata", "example", "examples", "samples", "templates", "template"}
)
"""What tools write, what others wrote, and what only shows or tests a package: no projects, markers or not."""


@cache
def markers() -> tuple[str, ...]:
    """A file of one of these names says that its directory is a package."""
    from loci.episodes import manifests

    return tuple(each.name for each in manifests() if each.package and each.name is not None)


def by_marker(markers: Iterable[str]) -> list[str]:
    """The packages of a repository, given the paths of its markers: one level down, or one below a `CONTAINERS`
    directory.

    >>> by_marker(["package.json", "client/package.json", "dist/package.json", "crates/core/Cargo.toml", "a/b/go.mod"])
    ['client', 'crates/core']
    """
    directories = {str(PurePosixPath(path).parent) for path in markers} - {"."}
    found = set()
    for directory in directories:
        parts = directory.split("/")
        if any(part.casefold() in NO_PACKAGES or part.startswith(".") for part in parts):
            continue
        if len(parts) == 1 or (len(parts) == 2 and parts[0] in CONTAINERS and parts[0] not in directories):
            found.add(directory)
    return sorted(found)


def declared(root: Path) -> tuple[list[str], list[str]]:
    """The packages that the `.loci.json` of a repository names, and what is wrong with it.

    A file that cannot be read names nothing; an entry that cannot be used leaves the others as they are.
    """
    file = root / DECLARATION
    try:
        if file.is_symlink():
            return [], [f"{file} is a link and was not read"]
        if file.is_file() and file.stat().st_size > LARGEST_DECLARATION:
            return [], [f"{file} has {file.stat().st_size / 1e6:.0f} MB and was not read"]
        data = read_json(file, hint="correct that place")
    except DamagedFile as error:
        return [], [f"{error.message}; it is ignored"]
    if data is None:
        return [], []
    entries = data.get("scopes", [])
    if not isinstance(entries, list):
        return [], [f'{file}: "scopes" must be a list; it is ignored']
    found: list[str] = []
    problems = []
    for position, entry in enumerate(entries, start=1):
        path = entry.get("path") if isinstance(entry, dict) else None
        if not isinstance(path, str) or not path.strip():
            problems.append(f'{file}: entry {position} of "scopes" needs "path" as text; it is ignored')
            continue
        subtree, problem = _inside(root, path)
        if problem:
            problems.append(f"{file}: {path!r} {problem}; it is ignored")
        elif subtree not in found:
            found.append(subtree)
    return sorted(found), problems


def _inside(root: Path, path: str) -> tuple[str, str]:
    """The path as parts joined by `/`, or what is wrong with it: it must be a directory of this repository, not by a
    link.
    """
    text = path.replace("\\", "/").strip()
    if text.startswith(("/", "~")) or (len(text) > 1 and text[1] == ":"):
        return "", "is not relative to the repository"
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts or "\0" in text:
        return "", "leads out of the repository"
    if not parts:
        return "", "is the repository itself"
    if ".git" in (part.casefold() for part in parts):
        return "", "is git's own directory"
    directory = root
    try:
        for part in parts:
            directory = directory / part
            if directory.is_symlink():
                return "", "is reached through a link"
            if (directory / ".git").exists():
                return "", "is a repository of its own"
        if not directory.is_dir():
            return "", "is no directory"
    except OSError as error:
        return "", f"cannot be looked at ({error.strerror or error})"
    return "/".join(parts), ""
