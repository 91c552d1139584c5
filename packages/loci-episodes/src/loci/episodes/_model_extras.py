"""Imports what a model needs, or says which extra brings it. Nothing heavy is imported before a model is opened."""

from __future__ import annotations

import os

from ._model_errors import ModelExtraMissing

OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
"""Set before the libraries are imported, which read them then: a model that lies on the disk must not make them ask
the network about it (qdrant/fastembed 615 and 218)."""

NUMPY_EXTRA = "pip install 'loci-episodes[embed]'"
TORCH_EXTRA = "pip install 'loci-episodes[sentence-transformers]'"


def has_torch() -> bool:
    from importlib.util import find_spec

    return find_spec("sentence_transformers") is not None


def import_numpy() -> None:
    os.environ.update(OFFLINE)
    try:
        import numpy  # noqa: F401
        import safetensors  # noqa: F401
        import threadpoolctl  # noqa: F401
        import tokenizers  # noqa: F401
    except ImportError as error:
        raise ModelExtraMissing(f"reading a model needs {error.name}, which is not installed: {NUMPY_EXTRA}") from error


def import_torch() -> None:
    os.environ.update(OFFLINE)
    try:
        import sentence_transformers  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ModelExtraMissing(f"sentence-transformers is not installed: {TORCH_EXTRA}") from error
