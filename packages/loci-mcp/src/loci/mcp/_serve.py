"""Serving over stdin and stdout so that nothing but JSON-RPC ever reaches the pipe and nothing outlives the client."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
import time
from typing import Any, Literal

PARENT_SECONDS = 1.0  # Between two looks at whether the client is still there; the end of stdin usually tells first.

Protocol = Literal["auto", "handshake"]


def serve(home: str | None = None, *, root: str | None = None, protocol: Protocol = "auto") -> int:
    """Serves until the client closes the pipe, a signal arrives or the parent dies; then the process ends, at once.

    `protocol="handshake"` refuses `server/discover`, for clients that send `initialize` after it succeeded. Returns
    only when the streams cannot be served at all: the process ends from in here, with calls in flight.
    """
    wire_in, wire_out = _claim_streams()
    _end_on_signals()
    _end_with_parent()
    # Imported after the streams are claimed: what a library prints while it is imported must not reach the pipe.
    import anyio

    try:
        anyio.run(_serve, wire_in, wire_out, home, root, protocol)
    except (BrokenPipeError, ConnectionError):
        pass  # the client went away while it was being answered
    except BaseException as error:
        if not _only_broken_pipes(error):
            sys.stderr.write(f"loci mcp: {type(error).__name__}: {error}\n")
            _end(1)
    _end(0)
    return 0


async def _serve(
    wire_in: io.TextIOWrapper, wire_out: io.TextIOWrapper, home: str | None, root: str | None, protocol: Protocol
) -> None:
    import anyio

    from loci.mcp._server import Options, build_server
    from mcp.server.stdio import stdio_server

    def open_memory() -> Any:
        from loci.core import Memory

        return Memory.open(home)

    server = build_server(open_memory, Options(root=root))
    # The SDK has no public way to its low-level server, which alone can be told which era to serve.
    low = server._lowlevel_server
    async with stdio_server(anyio.wrap_file(wire_in), anyio.wrap_file(wire_out)) as (reading, writing):
        if protocol == "handshake":
            from mcp.server.runner import serve_loop

            async with low.lifespan(low) as state:
                await serve_loop(
                    low, reading, writing, lifespan_state=state, init_options=low.create_initialization_options()
                )
        else:
            await low.run(reading, writing, low.create_initialization_options())


class _Wire(io.TextIOWrapper):
    """The way to the client. Where it has gone there is nobody to serve: the process ends, though a thread of the SDK
    still waits for input that another process may hold open.
    """

    def write(self, text: str) -> int:
        """As of a text file."""
        try:
            return super().write(text)
        except (BrokenPipeError, ConnectionError):
            _end(0)
            raise

    def flush(self) -> None:
        """As of a text file."""
        try:
            super().flush()
        except (BrokenPipeError, ConnectionError):
            _end(0)
            raise


def _claim_streams() -> tuple[io.TextIOWrapper, io.TextIOWrapper]:
    """The pipe for ourselves alone: descriptor 0 reads nothing from now on, and 1 writes to stderr."""
    sys.stdout.flush()
    wire_in, wire_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stderr.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    return (
        io.TextIOWrapper(os.fdopen(wire_in, "rb"), encoding="utf-8", errors="replace"),
        # A lone surrogate cannot be written as UTF-8; newline="" keeps Windows from adding a carriage return.
        _Wire(os.fdopen(wire_out, "wb"), encoding="utf-8", errors="replace", newline=""),
    )


def _end_on_signals() -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(getattr(signal, name), lambda *_: _end(0))


def _end_with_parent() -> None:
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_SECONDS)
        _end(0)

    threading.Thread(target=watch, name="loci-parent", daemon=True).start()


def _end(code: int) -> None:
    # Not sys.exit: it waits for threads, and a search in flight has no reader any more. Nothing is written here that
    # could be left half written.
    with contextlib.suppress(Exception):
        sys.stderr.flush()
    os._exit(code)


def _only_broken_pipes(error: BaseException) -> bool:
    inner = getattr(error, "exceptions", None)  # of an exception group, a class that Python 3.10 does not have
    if inner is not None:
        return all(_only_broken_pipes(item) for item in inner)
    return isinstance(error, (BrokenPipeError, ConnectionError))
