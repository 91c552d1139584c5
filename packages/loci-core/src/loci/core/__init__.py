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

from typing import TYPE_CHECKING

from loci.core import notes
from loci.core.answer.answer import Answer, ScopeAnswer, partial_answer
from loci.core.answer.snapshot import RouterParts
from loci.core.build.freshness import REFRESH_PATIENCE, REFRESH_SECONDS
from loci.core.dependencies.table import ScopeNames, Use, Uses
from loci.core.errors import (
    AmbiguousScope,
    BuildLocked,
    DamagedFile,
    DamagedSegment,
    DamagedStore,
    EmptyQuestion,
    EmptySymbol,
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
from loci.core.late import late as _late
from loci.core.memory import Memory, Relation
from loci.core.notes import Cure, Note

if TYPE_CHECKING:
    from loci.core.build import EmbeddedScope, EmbedReport, IndexReport, ScopeReport
    from loci.core.operations import (
        STEPS,
        Chain,
        ChainReport,
        Finding,
        LoggedQuestion,
        QueryLog,
        Step,
        StepReport,
        likely_directory,
    )
    from loci.core.projects import Estimate, GroupStatus, HookPlan, ScanReport, ScopeStatus

__all__ = [
    "REFRESH_PATIENCE",
    "REFRESH_SECONDS",
    "STEPS",
    "AmbiguousScope",
    "Answer",
    "BuildLocked",
    "Chain",
    "ChainReport",
    "Cure",
    "DamagedFile",
    "DamagedSegment",
    "DamagedStore",
    "EmbedReport",
    "EmbeddedScope",
    "EmptyQuestion",
    "EmptySymbol",
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
    "LoggedQuestion",
    "Memory",
    "NoIndex",
    "NoReranker",
    "NotARepository",
    "Note",
    "NothingRegistered",
    "NothingToAnswerFrom",
    "QueryLog",
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
    "notes",
    "partial_answer",
    "quoted",
]

__version__ = "0.8.0"


__getattr__ = _late(
    __name__,
    {
        "build": ("EmbedReport", "EmbeddedScope", "IndexReport", "ScopeReport"),
        "operations": (
            "STEPS",
            "Chain",
            "ChainReport",
            "Finding",
            "LoggedQuestion",
            "QueryLog",
            "Step",
            "StepReport",
            "likely_directory",
        ),
        "projects": ("Estimate", "GroupStatus", "HookPlan", "ScanReport", "ScopeStatus"),
    },
)
