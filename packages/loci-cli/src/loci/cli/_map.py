"""`loci map`: a picture of all projects."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import click

from loci.cli import _console as console
from loci.cli._main import Command, Settings, home_option
from loci.cli._render import size


@click.command("map", cls=Command)
@click.argument("file", default="loci-map.html", type=click.Path(dir_okay=False, writable=True))
@home_option
@click.pass_obj
def map_command(settings: Settings, file: str) -> int:
    """Draw all projects as one HTML FILE: sizes, index, groups, and who uses whom.

    The file needs no network and no other file. FILE - is stdout. Default: loci-map.html in the current directory.
    """
    page = settings.memory().map()
    if file == "-":
        console.data(page)
        return 0
    from loci.core import InvalidRequest

    path = Path(file)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp") if path.is_file() or not path.exists() else path
    try:
        beside.write_text(page, encoding="utf-8")
        if beside != path:
            beside.replace(path)  # so that a disk that is full costs nobody the picture that was there
    except OSError as error:
        if beside != path:
            with contextlib.suppress(OSError):
                beside.unlink()
        raise InvalidRequest(f"{path} cannot be written: {error.strerror or error}") from error
    console.data(f"{console.safe_line(str(path))}  {size(path.stat().st_size)}")
    return 0


__all__ = ["map_command"]
