"""Errors of the structure store.

StructureError
├── NotARepository        (ValueError)         no git repository at the path
├── RepositoryUnreadable  (OSError)            git's own files cannot be read
├── GraphMissing          (FileNotFoundError)  the file is gone
├── GraphDamaged          (ValueError)         the bytes are no graph
├── GraphOutdated         (ValueError)         built under other rules
└── ForeignUnreadable     (ValueError)         a file of graphify or SCIP is cut off, or something else
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import _kernel


class StructureError(Exception):
    """Base of all errors of this package."""


class NotARepository(StructureError, ValueError):
    """The path holds no git repository."""


class RepositoryUnreadable(StructureError, OSError):
    """The repository is there, but git's own files cannot be read."""


class GraphMissing(StructureError, FileNotFoundError):
    """The graph file is gone."""


class GraphDamaged(StructureError, ValueError):
    """The graph file does not hold together; it has to be rebuilt."""


class GraphOutdated(StructureError, ValueError):
    """The graph was built under other rules; it has to be rebuilt."""


class ForeignUnreadable(StructureError, ValueError):
    """A file that another tool should have written is cut off, or is something else."""


_PUBLIC: dict[type[Exception], type[StructureError]] = {
    _kernel.NotARepository: NotARepository,
    _kernel.RepositoryUnreadable: RepositoryUnreadable,
    _kernel.GraphMissing: GraphMissing,
    _kernel.GraphDamaged: GraphDamaged,
    _kernel.GraphOutdated: GraphOutdated,
}


@contextmanager
def kernel_errors() -> Iterator[None]:
    """Raise the kernel's errors as this package's own."""
    try:
        yield
    except tuple(_PUBLIC) as error:
        raise _PUBLIC[type(error)](*error.args) from None
