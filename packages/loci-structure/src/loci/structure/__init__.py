r"""What calls what in a project: symbols and the relations between them, each with its file and line.

For: building one graph file from one repository (tree-sitter grammars are compiled in; nothing is installed or written
into the repository), and asking it: who calls a function, what would a change reach, which symbols does a question
mention. Every relation says how it was resolved; a call that cannot be resolved stays unresolved. Graphs of other tools
answer in the same shape: `index.scip` of compilers (`Scip`), `graphify-out/graph.json` (`Graphify`), any
`StructureBackend`; `Combined` asks several as one.

Not for: deciding which project a question is about (`loci.router`), finding prose and history (`loci.episodes`), or
keeping track of many projects (`loci.core`). It runs no compiler, and knows only what the files say.

>>> import subprocess, tempfile
>>> from pathlib import Path
>>> from loci.structure import Graph, build
>>> root, store = Path(tempfile.mkdtemp()), Path(tempfile.mkdtemp())
>>> _ = subprocess.run(["git", "init", "--quiet", str(root)], check=True)
>>> _ = (root / "prices.py").write_text("def total(items):\n    return sum(items)\n")
>>> _ = (root / "cart.py").write_text("from prices import total\n\ndef pay(cart):\n    return total(cart)\n")
>>> graph = Graph.open(store / build(root, directory=store).graph)
>>> [(caller.name, caller.path, caller.site, caller.resolution) for caller in graph.callers("total")]
[('pay', 'cart.py', 4, 'import')]
"""

from ._build import StructureReport, build, rules_signature
from ._builtin import BuiltIn
from ._combined import Combined
from ._errors import (
    ForeignUnreadable,
    GraphDamaged,
    GraphMissing,
    GraphOutdated,
    NotARepository,
    RepositoryUnreadable,
    StructureError,
)
from ._foreign import (
    GRAPHIFY_GRAPH,
    SCIP_INDEX,
    Foreign,
    Graphify,
    Scip,
    foreign_signature,
    graphify_node,
    read_graphify,
    read_scip,
)
from ._graph import Edge, Graph
from ._labels import LABEL_RULES, LABELLED_KINDS, LABELLED_ROLES, Near
from ._protocol import (
    ASKED_RELATIONS,
    RELATIONS,
    RESOLUTIONS,
    ROLES,
    THROUGH,
    AskedRelation,
    Project,
    Resolution,
    StructureBackend,
    Symbol,
    Traversal,
)

__all__ = [
    "ASKED_RELATIONS",
    "GRAPHIFY_GRAPH",
    "LABELLED_KINDS",
    "LABELLED_ROLES",
    "LABEL_RULES",
    "RELATIONS",
    "RESOLUTIONS",
    "ROLES",
    "SCIP_INDEX",
    "THROUGH",
    "AskedRelation",
    "BuiltIn",
    "Combined",
    "Edge",
    "Foreign",
    "ForeignUnreadable",
    "Graph",
    "GraphDamaged",
    "GraphMissing",
    "GraphOutdated",
    "Graphify",
    "Near",
    "NotARepository",
    "Project",
    "RepositoryUnreadable",
    "Resolution",
    "Scip",
    "StructureBackend",
    "StructureError",
    "StructureReport",
    "Symbol",
    "Traversal",
    "__version__",
    "build",
    "foreign_signature",
    "graphify_node",
    "read_graphify",
    "read_scip",
    "rules_signature",
]

__version__ = "0.8.0"
