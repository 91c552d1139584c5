"""What loci needs to know of a repository without running git: where it is, where HEAD stands, its remote's name.

Read from the files under `.git`, whose layout git documents (gitrepository-layout); nothing is ever written there.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

_HEX = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")


@dataclass(frozen=True)
class Repository:
    """Where a repository keeps its things.

    `root`: the work tree, or the repository itself when it is bare. `git_dir`: what belongs to this work tree (HEAD,
    index). `common_dir`: what all work trees of the repository share (refs, config); equal to `git_dir` except in a
    linked worktree. `bare`: no work tree, so only the history can be read.
    """

    root: Path
    git_dir: Path
    common_dir: Path
    bare: bool = False

    @property
    def is_linked_worktree(self) -> bool:
        """Whether this is a further work tree that `git worktree add` made."""
        return self.git_dir != self.common_dir


def repository_at(path: Path) -> Repository | None:
    """The repository whose root is exactly `path`, or None. Damaged `.git` files count as none."""
    dot_git = path / ".git"
    if dot_git.is_dir():
        git_dir = dot_git
    elif dot_git.is_file():
        pointed = _pointed_to(dot_git)
        if pointed is None:
            return None
        git_dir = pointed
    elif _looks_like_git_dir(path):
        root = path.resolve()
        return Repository(root, root, root, bare=True)
    else:
        return None
    if not (git_dir / "HEAD").is_file():
        return None
    git_dir = git_dir.resolve()
    common_dir = git_dir
    shared = _read_line(git_dir / "commondir")
    if shared:
        common_dir = (git_dir / shared).resolve()
    return Repository(path.resolve(), git_dir, common_dir)


def damage_at(path: Path) -> str | None:
    """What is wrong with the `.git` of a directory, as an end of a sentence; None when it has none or it is sound."""
    dot_git = path / ".git"
    if dot_git.is_dir():
        repository = repository_at(path)
        common = dot_git if repository is None else repository.common_dir
        missing = [name for name in ("HEAD", "objects", "refs") if not (common / name).exists()]
        if not missing and repository is None:
            return "has a damaged .git, whose HEAD is no file"
        return f"has a damaged .git without {' and '.join(missing)}" if missing else None
    if dot_git.is_file() and repository_at(path) is None:
        pointed = _pointed_to(dot_git)
        if pointed is None:
            return "has a damaged .git file"
        return f"has a .git file that points to {pointed}, where no repository is"
    return None


def repository_around(path: Path) -> Repository | None:
    """The innermost repository that contains `path`, or None."""
    path = path.resolve()
    for directory in (path, *path.parents):
        found = repository_at(directory)
        if found is not None:
            return found
    return None


def head_commit(repository: Repository) -> str | None:
    """The commit HEAD stands on, as lowercase hex; None for a repository without commits (or an unreadable HEAD)."""
    target = _read_line(repository.git_dir / "HEAD")
    for _ in range(5):  # git itself follows at most five symbolic refs
        if target is None:
            return None
        if _HEX.match(target):
            return target
        if not target.startswith("ref:"):
            return None
        name = target[4:].strip()
        if name == "refs/heads/.invalid":
            return _head_from_git(repository)
        loose = _read_line(repository.git_dir / name) or _read_line(repository.common_dir / name)
        target = loose or _packed_ref(repository.common_dir, name)
    return None


def origin_url(repository: Repository) -> str | None:
    """The address of the remote `origin`, else of the first other remote by name; None without remotes."""
    text = _read(repository.common_dir / "config").decode("utf-8", "replace")
    remotes: dict[str, str] = {}
    section: str | None = None
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("["):
            match = re.match(r'\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]', line, re.IGNORECASE)
            section = re.sub(r"\\(.)", r"\1", match[1]) if match else None
        elif section is not None:
            match = re.match(r"url\s*=\s*(.*)", line, re.IGNORECASE)
            if match and section not in remotes:
                value = re.sub(r"\s+[#;].*$", "", match[1]).strip().strip('"')
                if value:
                    remotes[section] = value
    if "origin" in remotes:
        return remotes["origin"]
    return remotes[min(remotes)] if remotes else None


def remote_path(url: str) -> str | None:
    """`host/owner/name` of a remote's address, without user, password, port and `.git`; None for a local path.

    >>> remote_path("git@github.com:pallets/flask.git")
    'github.com/pallets/flask'
    >>> remote_path("https://user:token@example.org:8443/team/tools/app/")
    'example.org/team/tools/app'
    """
    match = re.match(r"[a-z][a-z0-9+.-]*://(?:[^/@]*@)?(\[[^\]]+\]|[^/:]+)(?::\d+)?/+(.*)\Z", url, re.IGNORECASE)
    if match and url[:5].lower() == "file:":
        return None
    if match is None:
        # The short form of ssh; a drive letter ("C:\...") is no host.
        match = re.match(r"(?:[^/@\s]+@)?([^/:@\s\\]{2,}):(?!//)(.*)\Z", url)
    if match is None:
        return None
    path = re.sub(r"[?#].*\Z", "", match[2], flags=re.DOTALL)
    path = re.sub(r"\.git/*\Z", "", path.strip("/")).strip("/")
    return f"{match[1].lower()}/{path}" if path else None


def linked_worktrees(repository: Repository) -> list[Path]:
    """The further work trees that `git worktree add` made of a repository, sorted; those that are gone left out."""
    found = []
    try:
        entries = list((repository.common_dir / "worktrees").iterdir())
    except OSError:
        return []
    for entry in entries:
        line = _read_line(entry / "gitdir")
        if line is not None:
            root = (entry / line).parent if not Path(line).is_absolute() else Path(line).parent
            if (root / ".git").exists():
                found.append(root.resolve())
    return sorted(path for path in found if path != repository.root)


def submodule_paths(root: Path) -> list[str]:
    """The paths `.gitmodules` names, as written there; empty without one."""
    text = _read(root / ".gitmodules").decode("utf-8", "replace")
    return [match[1].strip().strip('"') for match in re.finditer(r"^\s*path\s*=\s*(.+?)\s*$", text, re.MULTILINE)]


def _looks_like_git_dir(path: Path) -> bool:
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def _pointed_to(dot_git: Path) -> Path | None:
    line = _read_line(dot_git)
    if line is None or not line.startswith("gitdir:"):
        return None
    return dot_git.parent / line[7:].strip()


LARGEST_CONFIGURATION = 100_000_000  # Bytes: far beyond any that a person or git wrote, and read in a moment.


def _read(path: Path, lines: int = -1) -> bytes:
    """What stands in a file, or in so many of its first lines; nothing where it cannot be read. A pipe that somebody
    put in the place of one would never come to an end, and one of gigabytes takes all the memory.
    """
    try:
        if not path.is_file() or (lines < 0 and path.stat().st_size > LARGEST_CONFIGURATION):
            return b""
        with path.open("rb") as file:
            return file.read() if lines < 0 else b"".join(file.readline(65536) for _ in range(lines))
    except (OSError, ValueError):
        return b""


def _read_line(path: Path) -> str | None:
    return os.fsdecode(_read(path, lines=1)).strip() or None


def _packed_ref(common_dir: Path, name: str) -> str | None:
    data = _read(common_dir / "packed-refs")
    match = re.search(rb"^([0-9a-f]{40,64}) " + re.escape(os.fsencode(name)) + rb"\r?$", data, re.MULTILINE)
    return match[1].decode("ascii") if match else None


def tagged_commits(repository: Repository) -> dict[str, list[str]]:
    """Commit -> the names of its tags, sorted. A tag whose target cannot be told without git is left out."""
    found: dict[str, str] = {}
    name = ""
    for line in _read(repository.common_dir / "packed-refs").decode("utf-8", "replace").splitlines():
        if line.startswith("^"):
            if name:  # an annotated tag, and what it stands on
                found[name] = line[1:].strip()
            continue
        target, _, ref = line.strip().partition(" ")
        name = ref.removeprefix("refs/tags/") if ref.startswith("refs/tags/") else ""
        if name:
            found[name] = target
    loose = repository.common_dir / "refs" / "tags"
    for path in sorted(loose.rglob("*")):
        target = _read_line(path) if path.is_file() else None
        if target is not None and _HEX.match(target):
            found[path.relative_to(loose).as_posix()] = _tag_target(repository.common_dir, target) or target
    tags: dict[str, list[str]] = {}
    for name, commit in sorted(found.items()):
        tags.setdefault(commit, []).append(name)
    return tags


def _tag_target(common_dir: Path, identity: str) -> str | None:
    """What an annotated tag stands on, where it is a loose object; None for everything else."""
    import zlib

    data = _read(common_dir / "objects" / identity[:2] / identity[2:])
    try:
        head = zlib.decompressobj().decompress(data, 200)
    except zlib.error:
        return None
    match = re.match(rb"tag \d+\0object ([0-9a-f]{40,64})\n", head)
    return match[1].decode("ascii") if match else None


def _head_from_git(repository: Repository) -> str | None:
    # The reftable format keeps refs in binary files; HEAD then holds this placeholder and only git can tell.
    import subprocess

    try:
        done = subprocess.run(
            ["git", "--git-dir", str(repository.git_dir), "rev-parse", "--verify", "--quiet", "HEAD"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    commit = done.stdout.strip()
    return commit if _HEX.match(commit) else None
