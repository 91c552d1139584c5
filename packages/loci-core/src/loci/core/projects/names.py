"""What a project is called from outside: its directory, its remote, and the distributions its manifests declare."""

from __future__ import annotations

import configparser
import hashlib
import json
import re
import sys
import unicodedata
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # pyright: ignore[reportMissingImports] (only there on 3.10)

MANIFEST_BYTES = 1_000_000  # A manifest beyond this is no manifest a person wrote.


def slug(name: str) -> str:
    """A name made fit for a scope id: lower case, letters and digits of any script, `-`, `_` and `.`.

    >>> slug("My Project (old)")
    'my-project-old'
    """
    folded = unicodedata.normalize("NFKC", name).lower()
    return re.sub(r"[^\w.]+", "-", folded).strip("-.") or "scope"


def scope_id(root: Path, remote: str | None, taken: Container[str]) -> str:
    """The id for a new scope: directory name, owner/name of the remote, parent/name or name-hash, as is free."""
    name = slug(_directory_name(root))
    if name not in taken:
        return name
    candidates = []
    if remote and remote.count("/") >= 2:
        candidates.append("/".join(slug(part) for part in remote.split("/")[-2:]))
    if root.parent.name:
        candidates.append(f"{slug(root.parent.name)}/{name}")
    for candidate in candidates:
        if candidate not in taken:
            return candidate
    digest = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()
    length = 6
    while f"{name}-{digest[:length]}" in taken:
        length += 2
    return f"{name}-{digest[:length]}"


def package_id(parent: str, subtree: str, taken: Container[str]) -> str:
    """The id for a package of a monorepo: that of the repository and its place there.

    >>> package_id("mono", "packages/My Client", {"mono"})
    'mono/packages/my-client'
    """
    identity = "/".join([parent, *(slug(part) for part in subtree.split("/"))])
    number = 2
    while identity in taken:
        identity = f"{identity.rsplit('~', 1)[0]}~{number}"
        number += 1
    return identity


def label(root: Path) -> str:
    """What the project is called in answers: its directory's name, without the `.git` of a bare repository."""
    return _directory_name(root)


def known_names(root: Path, remote: str | None) -> list[str]:
    """Further names of the project: repository and owner/name of its remote, distribution names; no duplicates, and
    not the name of its directory, which of a package ("client") may be any word.

    A manifest that cannot be read gives no name; it is the project's business, not an error of ours.
    """
    from loci.episodes import manifests, redact

    names: list[str] = []
    if remote:
        parts = remote.split("/")
        names.append(parts[-1])
        if len(parts) >= 3:
            names.append("/".join(parts[-2:]))
    for manifest in manifests():
        read = _READERS.get(manifest.format)
        if read is None or manifest.name is None:
            continue
        path = root / manifest.name
        try:
            if path.is_symlink() or not path.is_file() or path.stat().st_size > MANIFEST_BYTES:
                continue
            found = read(path.read_text(encoding="utf-8-sig", errors="replace"))
        except (OSError, ValueError, configparser.Error, RecursionError):
            continue
        if isinstance(found, str) and 0 < len(found.strip()) <= 200:
            names.append(found.strip())
    unique: dict[str, str] = {}
    for name in names:
        if redact(name) != name:
            continue  # a secret where a name belongs is kept nowhere
        unique.setdefault(name.casefold(), name)
    unique.pop(label(root).casefold(), None)
    return list(unique.values())


def _directory_name(root: Path) -> str:
    name = root.name or "root"
    return name[:-4] if name.endswith(".git") and len(name) > 4 else name


def _pyproject(text: str) -> Any:
    data = tomllib.loads(text)
    return _at(data, "project", "name") or _at(data, "tool", "poetry", "name")


def _setup_cfg(text: str) -> Any:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    return parser.get("metadata", "name", fallback=None)


def _package_json(text: str) -> Any:
    return _at(json.loads(text), "name")


def _cargo(text: str) -> Any:
    return _at(tomllib.loads(text), "package", "name")


def _go_mod(text: str) -> Any:
    match = re.search(r'^\s*module\s+"?([^\s"]+)"?', text, re.MULTILINE)
    if match is None:
        return None
    # ".../name/v2" is release 2 of name.
    parts = [part for part in match[1].split("/") if not re.fullmatch(r"v\d+", part)]
    return parts[-1] if parts else None


def _at(data: Any, *keys: str) -> Any:
    for key in keys:
        if not isinstance(data, dict):
            return None
        data = data.get(key)
    return data


_READERS: dict[str, Callable[[str], Any]] = {
    "cargo": _cargo,
    "go.mod": _go_mod,
    "package.json": _package_json,
    "pyproject": _pyproject,
    "setup.cfg": _setup_cfg,
}
