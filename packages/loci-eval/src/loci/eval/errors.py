"""What can go wrong in an evaluation, as exceptions.

EvalError(Exception)
├── QuestionsError(EvalError, ValueError)   the question file cannot be used; names the lines
├── RunsError(EvalError, ValueError)        two runs cannot be compared
├── CorpusError(EvalError, ValueError)      the corpus directory cannot be used
└── BenchUnavailable(EvalError, ImportError) the benchmark was asked for without loci-core
"""

from __future__ import annotations

__all__ = ["BenchUnavailable", "CorpusError", "EvalError", "QuestionsError", "RunsError"]


class EvalError(Exception):
    """Base of everything loci.eval raises on purpose."""


class QuestionsError(EvalError, ValueError):
    """The question file cannot be used; the message names every bad line by its number."""


class RunsError(EvalError, ValueError):
    """Two runs cannot be compared; the message says why and what would do."""


class CorpusError(EvalError, ValueError):
    """The corpus directory, or the home it is indexed into, cannot be used."""


class BenchUnavailable(EvalError, ImportError):
    """The benchmark needs loci-core, which is not installed."""
