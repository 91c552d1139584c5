"""Measures whether loci sends questions to the right project, abstains when it should, and shows the evidence.

For: figures a person can check. `loci eval bench` asks loci and two baselines the same questions with known answers, in
one run. It gives every share with an interval, every abstention figure also at equal question length, and retrieval as
one list and as two lanes.

Not for: decisions about routing or ranking; nothing in loci imports this package. The metrics and the question format
need no other part of loci. The benchmark needs `loci-core`, and AUROC needs scikit-learn (`pip install
'loci-eval[bench]'`).

>>> from loci.eval import auroc, matched_weights
>>> confident, unsure = [0.9, 0.8, 0.3], [0.5, 0.3]      # confidences: answerable questions, and ones to refuse
>>> auroc(confident, unsure)
0.75
>>> weights = matched_weights([9, 4, 4], [4, 4])         # their content words: only questions of 4 words compare
>>> auroc(confident, unsure, *weights)
0.625
"""

from .benchmark.compare import Changed, Compared, Comparison, Row, compare, load_run, render_comparison
from .benchmark.measure import Found, Ranks, Record, Routed, Source, System, Visit, measure
from .benchmark.questions import (
    BASE_FAMILIES,
    SPECIAL_FAMILIES,
    Evidence,
    Question,
    check_scopes,
    load_questions,
    parse_questions,
)
from .benchmark.shipped import Fetched, Pinned, cache_folder, fetch_corpus, public_corpus, public_questions
from .benchmark.summary import summarise
from .benchmark.table import render
from .calibration.calibrate import calibrate, calibrate_index
from .calibration.certificate import (
    AtThreshold,
    CalibrationReport,
    FamilyOutcome,
    FittedOn,
    HeldOut,
    Outcome,
)
from .errors import BenchUnavailable, CorpusError, EvalError, QuestionsError, RunsError
from .own.evaluate import evaluate, evaluate_index
from .own.evaluation import (
    Confusion,
    CorpusCounts,
    Estimate,
    Evaluation,
    FamilyResult,
    OperatingPoint,
    Retrieval,
    ScopeResult,
)
from .own.families import FAMILIES, Family, Sizes
from .own.misses import Miss
from .own.page import report_page, write_report
from .records import to_json
from .statistics.abstention import Coverage, auroc, matched_weights, risk_coverage, weighted_share
from .statistics.ranks import first_rank, hit_share, lane_rank, precision_recall
from .statistics.shares import Share, cluster_bootstrap, wilson_interval
from .statistics.significance import holm, mcnemar
from .sweeps.sweep import Sweep, Swept, parameter, sweep
from .sweeps.synthetic import SHAPES, Shape, Synthetic, synthesise

__all__ = [
    "BASE_FAMILIES",
    "FAMILIES",
    "SHAPES",
    "SPECIAL_FAMILIES",
    "AtThreshold",
    "BenchUnavailable",
    "CalibrationReport",
    "Changed",
    "Compared",
    "Comparison",
    "Confusion",
    "CorpusCounts",
    "CorpusError",
    "Coverage",
    "Estimate",
    "EvalError",
    "Evaluation",
    "Evidence",
    "Family",
    "FamilyOutcome",
    "FamilyResult",
    "Fetched",
    "FittedOn",
    "Found",
    "HeldOut",
    "Miss",
    "OperatingPoint",
    "Outcome",
    "Pinned",
    "Question",
    "QuestionsError",
    "Ranks",
    "Record",
    "Retrieval",
    "Routed",
    "Row",
    "RunsError",
    "ScopeResult",
    "Shape",
    "Share",
    "Sizes",
    "Source",
    "Sweep",
    "Swept",
    "Synthetic",
    "System",
    "Visit",
    "__version__",
    "auroc",
    "cache_folder",
    "calibrate",
    "calibrate_index",
    "check_scopes",
    "cluster_bootstrap",
    "compare",
    "evaluate",
    "evaluate_index",
    "fetch_corpus",
    "first_rank",
    "hit_share",
    "holm",
    "lane_rank",
    "load_questions",
    "load_run",
    "matched_weights",
    "mcnemar",
    "measure",
    "parameter",
    "parse_questions",
    "precision_recall",
    "public_corpus",
    "public_questions",
    "render",
    "render_comparison",
    "report_page",
    "risk_coverage",
    "summarise",
    "sweep",
    "synthesise",
    "to_json",
    "weighted_share",
    "wilson_interval",
    "write_report",
]

__version__ = "0.8.0"
