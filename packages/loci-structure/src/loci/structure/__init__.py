"""What calls what: the protocol every structure store of loci speaks.

For: the shape of an answer about code structure (`Symbol`) and the three calls a backend offers
(`StructureBackend`). Whoever holds an index of symbols and relations, built by whatever tool, can serve loci by
implementing them.

Not for: deciding which project a question is about (`loci.router`), finding prose and history (`loci.episodes`), or
reading files of a project at query time. No backend is built into this package yet: an answer composed without one
has no symbols.

>>> from loci.structure import Project, StructureBackend, Symbol
>>> class OneSymbol:
...     name = "one-symbol"
...     def sources(self, project):
...         return ["by hand"]
...     def vocabulary(self, project):
...         return {"open_session"}
...     def query(self, project, query, *, budget=40, depth_first=False):
...         return [Symbol("open_session", "function", "src/sessions.py", 12)] if "open_session" in query else []
>>> isinstance(OneSymbol(), StructureBackend)
True
>>> OneSymbol().query(Project("flask", None), "who calls open_session?")[0].to_json()["line"]
12
"""

from loci.structure._protocol import Project, Resolution, StructureBackend, Symbol

__all__ = ["Project", "Resolution", "StructureBackend", "Symbol", "__version__"]

__version__ = "0.7.0"
