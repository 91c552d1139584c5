r"""What a project ever wrote down, found again with citations.

An *episode* is a verbatim passage: a piece of a document, a commit message, a piece of source. This package reads one
repository (git's own file list and its whole history), hides secrets, cuts the text into passages and keeps them in one
immutable segment file; and it ranks the passages of a segment for a question. It knows nothing of other scopes: which
project a question is about is decided by ``loci.router``, where segments live and when they are rebuilt by
``loci.core``.

>>> import subprocess, tempfile
>>> from pathlib import Path
>>> from loci.episodes import Episodes, build
>>> root, store = Path(tempfile.mkdtemp()), Path(tempfile.mkdtemp())
>>> _ = subprocess.run(["git", "init", "--quiet", str(root)], check=True)
>>> _ = (root / "README.md").write_text("# Billing\n\nInvoices are sent on the first of each month.\n")
>>> report = build(root, directory=store)
>>> report.passages["document"]
1
>>> Episodes.open(store / report.segment).search("when are invoices sent?")[0].path
'README.md'
"""

from ._build import BuildReport, State, Survey, build, fingerprint, redact, root_commit, rules_signature, state, survey
from ._embedder import Embedder, Reranker
from ._errors import (
    EpisodesError,
    NotARepository,
    RepositoryUnreadable,
    SegmentDamaged,
    SegmentMissing,
    SegmentOutdated,
)
from ._files import LockFile, Manifest, is_changelog, languages, lock_files, manifests
from ._find import LineFinder, LineMatch, LineRule, Lines, intact
from ._gate import Gate, Support
from ._lanes import AsksFor, Lanes
from ._model_errors import ModelError, ModelExtraMissing, ModelMissing, ModelUnusable, VectorsDamaged
from ._open_model import open_embedder, open_reranker, packaged_model
from ._passage import ROLES, Passage, PassageScores, Place
from ._policy import Policy, default_policy
from ._protocol import BuiltinEpisodes, EpisodeBackend, Project
from ._semantic import LaneReranker, Reranking, Semantics, fit_floor
from ._store import Episodes, question_lines, stands_in
from ._vectors import Vectors, VectorsReport, content_key, count_lacking, embed_passages, embed_texts

__all__ = [
    "ROLES",
    "AsksFor",
    "BuildReport",
    "BuiltinEpisodes",
    "Embedder",
    "EpisodeBackend",
    "Episodes",
    "EpisodesError",
    "Gate",
    "LaneReranker",
    "Lanes",
    "LineFinder",
    "LineMatch",
    "LineRule",
    "Lines",
    "LockFile",
    "Manifest",
    "ModelError",
    "ModelExtraMissing",
    "ModelMissing",
    "ModelUnusable",
    "NotARepository",
    "Passage",
    "PassageScores",
    "Place",
    "Policy",
    "Project",
    "RepositoryUnreadable",
    "Reranker",
    "Reranking",
    "SegmentDamaged",
    "SegmentMissing",
    "SegmentOutdated",
    "Semantics",
    "State",
    "Support",
    "Survey",
    "Vectors",
    "VectorsDamaged",
    "VectorsReport",
    "__version__",
    "build",
    "content_key",
    "count_lacking",
    "default_policy",
    "embed_passages",
    "embed_texts",
    "fingerprint",
    "fit_floor",
    "intact",
    "is_changelog",
    "languages",
    "lock_files",
    "manifests",
    "open_embedder",
    "open_reranker",
    "packaged_model",
    "question_lines",
    "redact",
    "root_commit",
    "rules_signature",
    "stands_in",
    "state",
    "survey",
]

__version__ = "0.8.0"
