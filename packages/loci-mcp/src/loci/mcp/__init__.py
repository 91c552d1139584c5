"""The server for AI clients: the query path of `loci.core` as three tools over stdin and stdout.

For: giving a coding agent the answers of the command line (`ask`, `scopes`, `doctor`) within the limits of clients: an
immediate handshake, replies of bounded size, a deadline, and nothing on stdout but JSON-RPC.

Not for: decisions. Which project answers, what is cited and what is stale is decided in the packages below.

The server is an object of the official SDK, so a test or another program can talk to it in memory:

>>> import anyio, tempfile
>>> from loci.core import Memory
>>> from loci.mcp import build_server
>>> from mcp import Client
>>> async def tools(home):
...     async with Client(build_server(lambda: Memory.open(home))) as client:
...         return [tool.name for tool in (await client.list_tools()).tools]
>>> with tempfile.TemporaryDirectory() as home:
...     anyio.run(tools, home)
['ask', 'scopes', 'doctor']

`serve` is what `loci mcp` runs. Importing this module imports neither the SDK nor an index: other commands do not pay
for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loci.mcp._serve import serve
    from loci.mcp._server import Options, build_server

__all__ = ["Options", "__version__", "build_server", "serve"]

__version__ = "0.8.0"


def __getattr__(name: str) -> object:
    if name in ("Options", "build_server"):
        from loci.mcp import _server

        return getattr(_server, name)
    if name == "serve":
        from loci.mcp._serve import serve

        return serve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
