"""What calls what in one project: symbols and the relations between them, each with its file and line.

For: the structure store of a scope, behind one protocol, so that whoever asks need not know which extractor ran.
Not for: prose and history (`loci.episodes`), or the choice of the project (`loci.router`).

This version has no backend yet; an answer's `symbols` are empty.

>>> from loci import structure
>>> structure.__all__
['__version__']
"""

__all__ = ["__version__"]

__version__ = "0.7.0"
