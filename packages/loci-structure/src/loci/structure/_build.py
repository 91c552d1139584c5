"""Building a scope's graph."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from . import _kernel
from ._errors import kernel_errors


@dataclass(frozen=True)
class StructureReport:
    """What a build read, wrote and left out.

    Attributes:
        graph: file name in the directory, made of the content's hash.
        bytes: size of the graph.
        fingerprint: state of the repository, comparable with ``loci.episodes.fingerprint``.
        listed: files that git lists.
        files: source files and manifests in the graph.
        reused_files: taken over from the previous graph.
        outcomes: source files by how far they were read: ``parsed``, ``partial`` (syntax errors; what stands around
            them is in), ``timed_out``, ``unparsed``; ``examples`` names a few of each but the first.
        skipped: files left out, by reason.
        unreadable: (path, message) of files that the system refused.
        lossy: files that were not valid text and were read leniently.
        symbols: number of symbols, files included.
        edges: number of relations by how they were resolved. An ambiguous one counts once.
        unresolved: calls without a target.

    """

    graph: str
    bytes: int
    fingerprint: str
    listed: int
    files: int
    reused_files: int
    outcomes: dict[str, int]
    examples: dict[str, list[str]]
    skipped: dict[str, int]
    unreadable: list[tuple[str, str]]
    lossy: list[str]
    symbols: int
    edges: dict[str, int]
    unresolved: int

    def to_json(self) -> dict[str, Any]:
        """All attributes as plain values."""
        return {**self.__dict__, "unreadable": [list(item) for item in self.unreadable]}


@cache
def _default() -> str:
    return _kernel.default_policy()


def _policy_json(policy: Mapping[str, Any] | None, exclude: Sequence[str] = ()) -> str:
    if not policy and not exclude:
        return _default()
    complete = json.loads(_default())
    for name, value in (policy or {}).items():
        if name not in complete:
            raise ValueError(f"no policy entry {name!r}; there are {', '.join(sorted(complete))}")
        complete[name] = value
    complete["exclude"] = [*complete["exclude"], *exclude]
    return json.dumps(complete, sort_keys=True)


def build(
    root: str | Path,
    *,
    directory: str | Path,
    previous: str | Path | None = None,
    exclude: Sequence[str] = (),
    policy: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> StructureReport:
    """Read the repository at ``root`` and write its graph into ``directory``.

    The graph depends on the repository's content and the rules alone: not on ``previous``, ``threads`` or the time.

    Args:
        root: a work tree or a linked work tree; a bare repository has no files and gives an empty graph.
        directory: where the file goes, under the name in the report. It must exist.
        previous: an older graph of the same repository; files that are unchanged in it are not parsed again. One that
            is gone, damaged or of other rules is not used.
        exclude: paths relative to ``root`` that belong to other scopes and are left out with all below them.
        policy: overrides of the rules for reading, as for ``loci.episodes.build``.
        threads: how many to use; None for one per core.
        progress: called with the stage (``files``, ``resolve``, ``writing``), the work done and in all, from
            any thread.

    Raises:
        NotARepository: there is no git repository at ``root``.
        RepositoryUnreadable: git's own files cannot be read.
        OSError: the graph cannot be written.

    """
    with kernel_errors():
        report = _kernel.build(
            Path(root),
            Path(directory),
            _policy_json(policy, exclude),
            None if previous is None else Path(previous),
            threads,
            progress,
        )
    return StructureReport(
        graph=report.graph,
        bytes=report.bytes,
        fingerprint=report.fingerprint,
        listed=report.listed,
        files=report.files,
        reused_files=report.reused_files,
        outcomes=report.outcomes,
        examples=report.examples,
        skipped=report.skipped,
        unreadable=report.unreadable,
        lossy=report.lossy,
        symbols=report.symbols,
        edges=report.edges,
        unresolved=report.unresolved,
    )


def rules_signature(policy: Mapping[str, Any] | None = None) -> str:
    """Signature of the rules that shape a graph: grammars, resolution, terms, redaction, reading."""
    return _kernel.signature(_policy_json(policy))
