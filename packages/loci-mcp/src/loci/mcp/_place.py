"""Where the agent stands: which directory a call speaks of, from most to least certain.

The order: the tool's own argument, `--root`, `LOCI_ROOT`, `CLAUDE_PROJECT_DIR`, the client's roots, the directory of
the process. Only the last is a guess, and it is no place at all where clients start servers: `/`, the home directory, a
folder of applications.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Source = Literal["argument", "--root", "LOCI_ROOT", "CLAUDE_PROJECT_DIR", "roots", "process"]

ROOT_VARIABLES: tuple[Source, ...] = ("LOCI_ROOT", "CLAUDE_PROJECT_DIR")
# Where programs are installed: a client that starts servers in its own folder says nothing about the project.
APPLICATION_FOLDERS = (
    "/Applications",
    "/System",
    "/Library",
    "/usr",
    "/opt",
    "/bin",
    "/sbin",
    "/snap",
    "/nix",
    "/var/lib/flatpak",
)
APPLICATION_NAMES = frozenset({"program files", "program files (x86)", "windows", "appdata", "application support"})


@dataclass(frozen=True)
class Place:
    """A directory and how it is known. `path` is as the client wrote it: a path or a file URI."""

    path: str
    source: Source


def given_place(argument: str | None, root: str | None, environment: Mapping[str, str] | None = None) -> Place | None:
    """The place that somebody named, or None when the client's roots have to be asked for.

    >>> given_place("/src/app", "/elsewhere", {})
    Place(path='/src/app', source='argument')
    >>> given_place(None, None, {"CLAUDE_PROJECT_DIR": "/src/app"})
    Place(path='/src/app', source='CLAUDE_PROJECT_DIR')
    >>> given_place(" ", None, {}) is None
    True
    """
    environment = os.environ if environment is None else environment
    said: list[tuple[str | None, Source]] = [(argument, "argument"), (root, "--root")]
    said.extend((environment.get(variable), variable) for variable in ROOT_VARIABLES)
    for value, source in said:
        # A client that does not fill in `${workspaceFolder}` passes the text on as it is written.
        if value and value.strip() and not value.strip().startswith("${"):
            return Place(value.strip(), source)
    return None


def roots_place(roots: Sequence[str]) -> Place | None:
    """The place that the client's roots tell: the first one. Several roots name no single place, but the first leads.

    >>> roots_place(["file:///src/app", "file:///src/lib"])
    Place(path='file:///src/app', source='roots')
    """
    return next((Place(root, "roots") for root in roots if is_a_place(root)), None)


def process_place() -> Place | None:
    """The directory of the process, unless clients start servers there whatever the project is."""
    try:
        directory = str(Path.cwd())
    except OSError:
        return None  # it was removed
    return Place(directory, "process") if is_a_place(directory) else None


def is_a_place(path: str) -> bool:
    """Whether a directory can be where somebody works: not `/`, not home, not a folder of applications.

    >>> is_a_place("/"), is_a_place(os.path.expanduser("~")), is_a_place("/Applications/Editor.app")
    (False, False, False)
    >>> is_a_place("/src/app")
    True
    """
    from loci.router import as_path

    try:
        directory = as_path(path)
        home = Path.home()
    except (ValueError, OSError, RuntimeError):
        return False
    if directory == home or directory == directory.parent:
        return False
    inside_home = directory.is_relative_to(home)
    if any(part.casefold() in APPLICATION_NAMES for part in directory.parts):
        return False
    return inside_home or not any(directory.is_relative_to(folder) for folder in APPLICATION_FOLDERS)
