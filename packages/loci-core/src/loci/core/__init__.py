"""The home directory, the registry, index builds and the one query path.

For: everything between a command and the three stores. What is registered, what is on disk, in which order things are
built so that a killed build costs nothing, and `Memory`, through which the command line, the server and other
programs ask.

Not for: deciding which project a question is about (`loci.router`), how well a passage answers (`loci.episodes`), what
calls what (`loci.structure`), or how an answer looks (`loci.cli`).

>>> import tempfile
>>> from loci.core import Memory, NothingRegistered
>>> with tempfile.TemporaryDirectory() as home:
...     memory = Memory.open(home)
...     print(memory.scopes())
...     try:
...         memory.ask("why was the cookie dropped?")
...     except NothingRegistered as error:
...         print(error.hint)
[]
loci setup <directory with your projects>
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from loci.core._answer import Answer, ScopeAnswer, partial_answer
from loci.core._memory import Memory, Relation, RouterParts, ScopeStatus
from loci.core.build.freshness import REFRESH_PATIENCE, REFRESH_SECONDS
from loci.core.dependencies.table import ScopeNames, Use, Uses
from loci.core.errors import (
    AmbiguousScope,
    BuildLocked,
    DamagedFile,
    DamagedSegment,
    DamagedStore,
    ExtractorFailed,
    ExtractorMissing,
    HomeNotWritable,
    InvalidRequest,
    LociError,
    NoIndex,
    NoReranker,
    NotARepository,
    NothingRegistered,
    NothingToAnswerFrom,
    StoreTooNew,
    UnknownGroup,
    UnknownScope,
    quoted,
)
from loci.core.home.home import Home
from loci.core.home.registry import Registered

if TYPE_CHECKING:
    from loci.core.build.index import IndexReport, ScopeReport
    from loci.core.build.vectors import EmbeddedScope, EmbedReport
    from loci.core.operations.doctor import Finding
    from loci.core.operations.query_log import Asked, AskedLog
    from loci.core.operations.setup import STEPS, Chain, ChainReport, Step, StepReport, likely_directory
    from loci.core.projects.groups import GroupStatus
    from loci.core.projects.hooks import HookPlan
    from loci.core.projects.register import Estimate
    from loci.core.projects.scan import ScanReport

__all__ = [
    "REFRESH_PATIENCE",
    "REFRESH_SECONDS",
    "STEPS",
    "AmbiguousScope",
    "Answer",
    "Asked",
    "AskedLog",
    "BuildLocked",
    "Chain",
    "ChainReport",
    "DamagedFile",
    "DamagedSegment",
    "DamagedStore",
    "EmbedReport",
    "EmbeddedScope",
    "Estimate",
    "ExtractorFailed",
    "ExtractorMissing",
    "Finding",
    "GroupStatus",
    "Home",
    "HomeNotWritable",
    "HookPlan",
    "IndexReport",
    "InvalidRequest",
    "LociError",
    "Memory",
    "NoIndex",
    "NoReranker",
    "NotARepository",
    "NothingRegistered",
    "NothingToAnswerFrom",
    "Registered",
    "Relation",
    "RouterParts",
    "ScanReport",
    "ScopeAnswer",
    "ScopeNames",
    "ScopeReport",
    "ScopeStatus",
    "Step",
    "StepReport",
    "StoreTooNew",
    "UnknownGroup",
    "UnknownScope",
    "Use",
    "Uses",
    "__version__",
    "likely_directory",
    "partial_answer",
    "quoted",
]

__version__ = "0.7.0"


_LAZY = {
    # What is only needed to build or to scan: a question must not pay for importing it.
    "loci.core.operations.query_log": ("Asked", "AskedLog"),
    "loci.core.build.index": ("IndexReport", "ScopeReport"),
    "loci.core.operations.doctor": ("Finding",),
    "loci.core.build.vectors": ("EmbedReport", "EmbeddedScope"),
    "loci.core.projects.register": ("Estimate",),
    "loci.core.projects.groups": ("GroupStatus",),
    "loci.core.projects.hooks": ("HookPlan",),
    "loci.core.projects.scan": ("ScanReport",),
    "loci.core.operations.setup": ("STEPS", "Chain", "ChainReport", "Step", "StepReport", "likely_directory"),
}
_MODULE_OF = {name: module for module, names in _LAZY.items() for name in names}


def __getattr__(name: str) -> object:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(module), name)
