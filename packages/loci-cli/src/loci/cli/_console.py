"""Where output goes and how it is made safe: data on stdout, everything else on stderr."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import IO, Any

import click

# What a terminal obeys instead of showing: control characters, and the marks that reorder text. Passages are other
# people's words and may carry any of them.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def safe(text: str) -> str:
    r"""The text with everything that could drive a terminal made visible; line breaks and tabs stay.

    >>> safe("red \x1b[31m alert")
    'red \\x1b[31m alert'
    """
    return _UNSAFE.sub(_shown, text.replace("\r\n", "\n"))


def safe_line(text: str) -> str:
    """The same for what has to stay on one line, such as a path."""
    return safe(text).replace("\n", "\\n").replace("\t", "\\t")


def prepare_streams() -> None:
    """Makes output encodable whatever the machine's code page, without changing what a terminal can show."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # whoever started the program closed it, and wants nothing there
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
            continue
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream.isatty():
            reconfigure(errors="replace")
        else:
            # Programs read a pipe, and JSON is UTF-8 wherever it is written.
            reconfigure(encoding="utf-8", errors="replace")


def data(text: str) -> None:
    """One piece of the answer."""
    _echo(text, _color(sys.stdout))


def data_json(value: Any) -> None:
    """One JSON value on one line."""
    # A lone surrogate (from a file name that is no UTF-8) has no encoding; escaped it survives.
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if re.search("[\ud800-\udfff]", text):
        text = json.dumps(value, allow_nan=False)
    _echo(text, False)


def _echo(text: str, color: bool | None) -> None:
    try:
        click.echo(text, color=color)
    except BrokenPipeError:
        drop_output()
        raise click.exceptions.Exit(0) from None
    except OSError as error:
        drop_output()
        raise OutputFailed(f"the output could not be written: {error.strerror or error}") from None


def drop_output() -> None:
    """Whoever reads has seen enough, which is no error. Python flushes stdout again at exit: it goes nowhere then."""
    sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115


class OutputFailed(click.ClickException):
    """What was printed did not get to where it was sent, such as a file on a full disk."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints it."""
        error(self.message)


def note(text: str) -> None:
    """Something that is not the answer; lost without a word where nobody reads it any more."""
    try:
        click.echo(text, err=True, color=_color(sys.stderr))
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115


def warning(text: str) -> None:
    """Something that went wrong without stopping the command."""
    note(f"{style('warning:', fg='yellow', bold=True)} {safe(text)}")


def hint(text: str) -> None:
    """What to do next."""
    note(f"{style('hint:', fg='cyan', bold=True)} {safe(text)}")


def error(text: str) -> None:
    """Why the command stopped."""
    note(f"{style('error:', fg='red', bold=True)} {safe(text)}")


def style(text: str, **how: Any) -> str:
    """Colour, removed again where the stream is no terminal or NO_COLOR is set."""
    return click.style(text, **how)


def _color(stream: IO[str]) -> bool | None:
    return False if os.environ.get("NO_COLOR") or not stream.isatty() else None


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
