"""How the commands of this package speak: errors as `loci` says its own, progress on a terminal."""

from __future__ import annotations

import sys
import time
from typing import Any

import click

__all__ = ["Nothing", "Progress", "Refused"]


class Nothing(click.ClickException):
    """There is nothing to work on; the message says what would bring something."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        """Writes the message as `loci` writes its own."""
        click.echo(f"error: {self.message}", file=file, err=file is None)


class Refused(click.ClickException):
    """Wrong usage or an unusable file, in the words of the error that was raised."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Writes the message as `loci` writes its own."""
        click.echo(f"error: {self.message}", file=file, err=file is None)


class Progress:
    """A progress bar on standard error for each stage, on a terminal only."""

    REDRAW_SECONDS = 0.1

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()
        self._stage: str | None = None
        self._bar: Any = None
        self._drawn = 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            self._close()
            self._stage = stage
            self._bar = click.progressbar(length=total, label=stage.ljust(10), file=sys.stderr)
            self._bar.__enter__()
        now = time.monotonic()
        if done < total and now - self._drawn < self.REDRAW_SECONDS:
            return
        self._drawn = now
        self._bar.update(done - self._bar.pos)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None
