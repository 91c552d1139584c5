"""Errors of the episode store.

EpisodesError
├── NotARepository        (ValueError)         no git repository at the path
├── RepositoryUnreadable  (OSError)            git's own files cannot be read
├── SegmentMissing        (FileNotFoundError)  the file is gone
├── SegmentDamaged        (ValueError)         the bytes are no segment
└── SegmentOutdated       (ValueError)         built under other rules
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import _kernel


class EpisodesError(Exception):
    """Base of all errors of this package."""


class NotARepository(EpisodesError, ValueError):
    """The path holds no git repository."""


class RepositoryUnreadable(EpisodesError, OSError):
    """The repository is there, but git's own files cannot be read."""


class SegmentMissing(EpisodesError, FileNotFoundError):
    """The segment file is gone."""


class SegmentDamaged(EpisodesError, ValueError):
    """The segment file does not hold together; it has to be rebuilt."""


class SegmentOutdated(EpisodesError, ValueError):
    """The segment was built under other rules; it has to be rebuilt."""


_PUBLIC: dict[type[Exception], type[EpisodesError]] = {
    _kernel.NotARepository: NotARepository,
    _kernel.RepositoryUnreadable: RepositoryUnreadable,
    _kernel.SegmentMissing: SegmentMissing,
    _kernel.SegmentDamaged: SegmentDamaged,
    _kernel.SegmentOutdated: SegmentOutdated,
}


@contextmanager
def kernel_errors() -> Iterator[None]:
    """Raise the kernel's errors as this package's own."""
    try:
        yield
    except tuple(_PUBLIC) as error:
        raise _PUBLIC[type(error)](*error.args) from None
