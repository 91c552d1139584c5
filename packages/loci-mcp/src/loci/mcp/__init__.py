"""The stdio server for AI clients: the query path of `loci.core` as tools.

For: giving a coding agent the answers of the command line. Not for: decisions, or for wording of its own.

This version has no server yet.

>>> from loci import mcp
>>> mcp.__all__
['__version__']
"""

__all__ = ["__version__"]

__version__ = "0.7.0"
