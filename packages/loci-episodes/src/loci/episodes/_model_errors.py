"""Errors of models and of vectors."""

from __future__ import annotations

from pathlib import Path

from ._errors import EpisodesError


class ModelError(EpisodesError):
    """Base of what can be wrong with a model; everything but embedding works without one."""


class ModelMissing(ModelError, FileNotFoundError):
    """There is no such directory."""

    def __init__(self, directory: Path) -> None:
        super().__init__(f"there is no model at {directory}")
        self.directory = directory


class ModelUnusable(ModelError, ValueError):
    """The directory holds something else than a model that can be read."""

    def __init__(self, directory: Path, reason: str) -> None:
        super().__init__(f"the model at {directory} {reason}")
        self.directory = directory
        self.reason = reason


class ModelExtraMissing(ModelError, ImportError):
    """A package that reads models is not installed; the message has the command that installs it."""


class VectorsDamaged(EpisodesError, ValueError):
    """A file of vectors is missing or does not hold together; embedding again repairs it."""
