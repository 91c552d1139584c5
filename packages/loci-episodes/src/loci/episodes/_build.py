"""Building a scope's segment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _kernel
from ._errors import kernel_errors
from ._git_files import refuse_irregular
from ._policy import Policy, policy_json


@dataclass(frozen=True)
class BuildReport:
    """What a build read, wrote and left out.

    Attributes:
        segment: file name in the directory, made of the content's hash.
        bytes: size of the segment.
        commit: HEAD, hexadecimal; None in a repository without commits.
        fingerprint: state of the repository, comparable with :func:`fingerprint`.
        listed: files that git lists, and those that ``include`` and ``notes`` add; always
            ``read + sum(skipped.values()) + len(unreadable)``.
        read: files in the segment.
        skipped: files left out, by reason; ``skipped_examples`` names a few of each.
        ignored: files and whole directories that git ignores, which are not listed; a few of them stand in
            ``skipped_examples`` too.
        notes: files by note pattern.
        unreadable_dirs: (path, message) of directories and note patterns that could not be followed.
        unreadable: (path, message) of files that the system refused.
        lossy: files that were not valid text and were read leniently.
        submodules: repositories inside, which are scopes of their own.
        redactions: secrets replaced, by kind, in what the segment holds.
        passages: number per kind: document, source, commit.
        reused_files, reused_commits: taken over from the previous segment.
        shallow: the clone lacks older history, which is therefore not in the segment.
        last_commit_time: committer time of the newest commit, seconds since 1970.

    """

    segment: str
    bytes: int
    commit: str | None
    fingerprint: str
    listed: int
    read: int
    skipped: dict[str, int]
    skipped_examples: dict[str, list[str]]
    ignored: int
    notes: dict[str, int]
    unreadable_dirs: list[tuple[str, str]]
    unreadable: list[tuple[str, str]]
    lossy: list[str]
    submodules: list[str]
    redactions: dict[str, int]
    passages: dict[str, int]
    reused_files: int
    reused_commits: int
    shallow: bool
    last_commit_time: int | None

    def to_json(self) -> dict[str, Any]:
        """All attributes as plain values."""
        return {
            **self.__dict__,
            "unreadable": [list(item) for item in self.unreadable],
            "unreadable_dirs": [list(item) for item in self.unreadable_dirs],
        }


def build(
    root: str | Path,
    *,
    directory: str | Path,
    previous: str | Path | None = None,
    exclude: Sequence[str] = (),
    notes: Sequence[str] = (),
    policy: Policy | None = None,
    threads: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    subtree: str = "",
    apart: Sequence[str] = (),
) -> BuildReport:
    """Read the repository at ``root`` and write its segment into ``directory``.

    The segment depends on the repository's content and the rules alone: not on ``previous``, ``threads`` or the time.

    Args:
        root: a work tree, a linked work tree or a bare repository.
        directory: where the file goes, under the name in the report. It must exist.
        previous: an older segment of the same repository; what is unchanged in it is taken over. One that is gone,
            damaged or of other rules is not used.
        exclude: paths relative to ``root`` that belong to other scopes and are left out with all below them.
        notes: absolute glob patterns of further files, wherever they lie: `*` and `?` within one name, `**` for any
            directories. They are read although git ignores them or a rule would skip them, unless they exist to hold
            secrets; a passage of a file outside the repository has its absolute path, with `~` for the home directory.
        policy: overrides of :func:`loci.episodes.default_policy`; its ``include`` and ``exclude`` are the person's own
            ``.gitignore`` lines, which win over the rules for what is skipped.
        threads: how many to use; None for one per core.
        progress: called with the stage (``files``, ``commits``, ``writing``), the work done and in all
            (0 while not known), from any thread.
        subtree: the directory of the repository that is the scope, relative to ``root``, parts joined by ``/``; "" for
            all of it. Paths are then relative to that directory, and of the history only what touched it is kept.
        apart: directories, relative to ``subtree``, that are scopes of their own: none of their files is read, and
            commits that touched nothing else are left out.

    Raises:
        NotARepository: there is no git repository at ``root``.
        RepositoryUnreadable: git's own files cannot be read.
        OSError: the segment cannot be written.

    """
    refuse_irregular(Path(root))
    with kernel_errors():
        report = _kernel.build(
            Path(root),
            Path(directory),
            policy_json(policy, exclude, notes, subtree, apart),
            None if previous is None else Path(previous),
            threads,
            progress,
        )
    documents, source, commits = report.passages
    return BuildReport(
        segment=report.segment,
        bytes=report.bytes,
        commit=report.commit,
        fingerprint=report.fingerprint,
        listed=report.listed,
        read=report.read,
        skipped=report.skipped,
        skipped_examples=report.skipped_examples,
        ignored=report.ignored,
        notes=report.notes,
        unreadable_dirs=report.unreadable_dirs,
        unreadable=report.unreadable,
        lossy=report.lossy,
        submodules=report.submodules,
        redactions=report.redactions,
        passages={"document": documents, "source": source, "commit": commits},
        reused_files=report.reused_files,
        reused_commits=report.reused_commits,
        shallow=report.shallow,
        last_commit_time=report.last_commit_time,
    )


def fingerprint(
    root: str | Path,
    *,
    exclude: Sequence[str] = (),
    notes: Sequence[str] = (),
    policy: Policy | None = None,
    subtree: str = "",
    apart: Sequence[str] = (),
) -> str:
    """State of a repository: changes when anything that :func:`build` would read may have changed.

    Reads no file's content. The arguments are those of the build.

    Raises:
        NotARepository, RepositoryUnreadable: as :func:`build`.

    """
    refuse_irregular(Path(root))
    with kernel_errors():
        return _kernel.fingerprint(Path(root), policy_json(policy, exclude, notes, subtree, apart))


@dataclass(frozen=True)
class State:
    """A :func:`fingerprint`, and what it would take to catch up.

    Attributes:
        fingerprint: as :func:`fingerprint`.
        newer_files, newer_bytes: of the files that a build would read, those written since the given time.

    """

    fingerprint: str
    newer_files: int
    newer_bytes: int


def state(
    root: str | Path,
    *,
    since: float = 0.0,
    exclude: Sequence[str] = (),
    notes: Sequence[str] = (),
    policy: Policy | None = None,
    subtree: str = "",
    apart: Sequence[str] = (),
) -> State:
    """The state of a repository and how much of it was written since a time, in one look.

    `since`: seconds since 1970. The other arguments are those of the build.

    Raises:
        NotARepository, RepositoryUnreadable: as :func:`build`.

    """
    refuse_irregular(Path(root))
    with kernel_errors():
        found = _kernel.state(Path(root), policy_json(policy, exclude, notes, subtree, apart), int(since * 1e9))
    return State(*found)


@dataclass(frozen=True)
class Survey:
    """What a look at a repository tells before anything is built of it.

    Attributes:
        files, bytes: that a build would open.
        skipped: files that it would not, by reason.
        submodules: submodules and clones inside, relative to the root; each is a project of its own.
        ignored: clones inside that the repository ignores. What lies deeper in ignored directories is not looked at.
        named: paths of the files of the names asked for, those that a build skips left out.
        root_commit: as :func:`root_commit`.
        first_parents: commits on the line of first parents.
        authors: of the newest commits, by mail address in lower case, with their number.

    """

    files: int
    bytes: int
    skipped: dict[str, int]
    submodules: list[str]
    ignored: list[str]
    named: list[str]
    root_commit: str | None
    first_parents: int
    authors: dict[str, int]


def survey(
    root: str | Path,
    *,
    names: Sequence[str] = (),
    recent: int = 200,
    exclude: Sequence[str] = (),
    notes: Sequence[str] = (),
    policy: Policy | None = None,
    subtree: str = "",
    apart: Sequence[str] = (),
) -> Survey:
    """Looks at a repository without opening its files.

    `names`: file names whose paths are wanted. `recent`: how many of the newest commits are asked for their authors;
    with 0 the history is not looked at, and there is no root commit either. The other arguments are those of the build.

    Raises:
        NotARepository, RepositoryUnreadable: as :func:`build`.

    """
    refuse_irregular(Path(root))
    with kernel_errors():
        found = _kernel.survey(
            Path(root), policy_json(policy, exclude, notes, subtree, apart), list(names), max(0, recent)
        )
    return Survey(
        files=found.files,
        bytes=found.bytes,
        skipped=found.skipped,
        submodules=found.submodules,
        ignored=found.ignored,
        named=found.named,
        root_commit=found.root_commit,
        first_parents=found.first_parents,
        authors=found.authors,
    )


def root_commit(root: str | Path) -> str | None:
    """The first commit of the line of first parents, hexadecimal: the same in every clone of a project.

    None where the history does not reach that far (a shallow clone) or has not begun.

    Raises:
        NotARepository, RepositoryUnreadable: as :func:`build`.

    """
    refuse_irregular(Path(root))
    with kernel_errors():
        return _kernel.root_commit(Path(root))


def rules_signature(policy: Policy | None = None) -> str:
    """Signature of the rules that shape a segment: terms, chunking, redaction, reading."""
    return _kernel.signature(policy_json(policy))


def redact(text: str) -> str:
    """`text` with its secrets replaced as in every passage: for what a store keeps beside its segments.

    >>> redact("https://bob:hunter2pass@example.org/shop.git")
    'https://bob:[REDACTED:url-credentials]@example.org/shop.git'
    """
    return _kernel.redact(text)
