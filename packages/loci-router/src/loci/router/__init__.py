"""Decides which project a question is about, or abstains and says why.

A `RoutingIndex` holds the texts of several scopes; a `Router` measures a question against all of them and decides, in
a fixed order, where it goes: to one project, to a set of them, or nowhere, with the reason and what to do next. No
model is called and nothing is learnt: evidence is arithmetic over words, names and grammar are tables, and every
number is in `Calibration`.

For: choosing among any `{scope: texts}`, in a process of your own. Not for: what is on disk, git, or the answers
themselves.

>>> from loci.router import Router, RoutingIndex
>>> router = Router(RoutingIndex.from_texts({
...     "billing": ["Invoices are sent on the first day of the month.", "A refund is booked against its invoice."],
...     "search": ["Documents are ranked by relevance.", "The index is rebuilt every night."],
... }))
>>> [scope.id for scope in router.route("how does billing book a refund?").scopes]
['billing']
"""

from . import advice
from .advice import Advice
from .calibration import Calibration
from .directories import as_path
from .errors import (
    BadCalibration,
    DuplicateScope,
    IndexUnreadable,
    RouterError,
    UnknownGroup,
    UnknownScope,
)
from .evidence import Evidence, EvidenceModel, ProminenceEvidence, ScopeEvidence, SummedScores, concentration
from .index import (
    SCORES,
    Index,
    Measurement,
    Omission,
    PassageReference,
    PassageText,
    RoutingIndex,
    ScopeMeasure,
    TermMeasure,
    content_length,
)
from .model import AdviceWords, Groups, Route, RoutedScope, Scope, SymbolTable, Trace
from .question import (
    LANGUAGES,
    OF_ALL,
    AskedRelation,
    Chain,
    Citation,
    CodeName,
    Cue,
    Intent,
    ProjectRelation,
    Question,
    Request,
    SymbolRelation,
    is_unmistakable,
    names_a_place,
    plain_name,
    read,
)
from .router import Router
from .statement import Statement

__all__ = [
    "LANGUAGES",
    "OF_ALL",
    "SCORES",
    "Advice",
    "AdviceWords",
    "AskedRelation",
    "BadCalibration",
    "Calibration",
    "Chain",
    "Citation",
    "CodeName",
    "Cue",
    "DuplicateScope",
    "Evidence",
    "EvidenceModel",
    "Groups",
    "Index",
    "IndexUnreadable",
    "Intent",
    "Measurement",
    "Omission",
    "PassageReference",
    "PassageText",
    "ProjectRelation",
    "ProminenceEvidence",
    "Question",
    "Request",
    "Route",
    "RoutedScope",
    "Router",
    "RouterError",
    "RoutingIndex",
    "Scope",
    "ScopeEvidence",
    "ScopeMeasure",
    "Statement",
    "SummedScores",
    "SymbolRelation",
    "SymbolTable",
    "TermMeasure",
    "Trace",
    "UnknownGroup",
    "UnknownScope",
    "__version__",
    "advice",
    "as_path",
    "concentration",
    "content_length",
    "is_unmistakable",
    "names_a_place",
    "plain_name",
    "read",
]

__version__ = "0.8.0"
