"""The commands of loci: progress and rendering, no decisions.

For: turning arguments into calls of `loci.core`, and results into text for a person or JSON for a program. Data goes to
stdout, everything else to stderr.

Not for: decisions. Which project a question is about, what is indexed and when, and which passage answers is decided in
the packages below, where programs can use it too.

Other packages add commands through the entry point group `loci.commands` (name -> click command). A command is loaded
when it is called or listed.

>>> from loci.cli import main
>>> main(["--version"])
loci 0.8.0
0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["__version__", "main"]

__version__ = "0.8.0"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command as the shell would and returns its exit code. `arguments` default to the process's own."""
    from loci.cli._main import run, use_utf8

    if arguments is None:
        use_utf8()
    return run(arguments)
