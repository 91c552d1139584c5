"""Models run by sentence-transformers: the reference, and the way for every model that numpy does not know."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ._embedder import Progress, signature_of
from ._model_errors import ModelUnusable

AT_ONCE = 1024


class TorchEmbedder:
    """An :class:`~loci.episodes.Embedder` over sentence-transformers; texts of several threads wait for each other."""

    def __init__(self, directory: Path, max_tokens: int | None = None) -> None:
        from sentence_transformers import SentenceTransformer  # pyright: ignore[reportMissingImports]

        try:
            self._model = SentenceTransformer(str(directory), device="cpu", local_files_only=True)
        except Exception as error:  # whatever a foreign file makes it raise
            raise ModelUnusable(directory, f"cannot be opened by sentence-transformers ({error})") from error
        own = self._model.max_seq_length or 512
        self._model.max_seq_length = own if max_tokens is None else min(own, max_tokens)
        self._lock = threading.Lock()
        self.name = directory.name if directory.name not in ("", "model") else directory.parent.name
        dimension = (
            getattr(self._model, "get_embedding_dimension", None) or self._model.get_sentence_embedding_dimension
        )
        self.dimension = int(dimension() or 0)
        self.signature = signature_of(
            directory,
            max_tokens=self._model.max_seq_length,
            prompts=sorted((k, v) for k, v in self._model.prompts.items() if v),
        )

    def embed(
        self, texts: Sequence[str], *, question: bool = False, progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """See :class:`~loci.episodes.Embedder`."""
        encode = self._model.encode_query if question else self._model.encode_document
        result = np.empty((len(texts), self.dimension), np.float32)
        with self._lock:
            for start in range(0, len(texts), AT_ONCE):
                part = list(texts[start : start + AT_ONCE])
                result[start : start + len(part)] = encode(part, normalize_embeddings=True, show_progress_bar=False)
                if progress is not None:
                    progress(start + len(part), len(texts))
        return result


class TorchReranker:
    """A :class:`~loci.episodes.Reranker` over sentence-transformers."""

    def __init__(self, directory: Path) -> None:
        from sentence_transformers import CrossEncoder  # pyright: ignore[reportMissingImports]

        try:
            self._model = CrossEncoder(str(directory), device="cpu", local_files_only=True)
        except Exception as error:  # whatever a foreign file makes it raise
            raise ModelUnusable(directory, f"cannot be opened by sentence-transformers ({error})") from error
        self._lock = threading.Lock()
        self.name = directory.name

    def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """See :class:`~loci.episodes.Reranker`."""
        if not texts:
            return np.empty(0, np.float32)
        with self._lock:
            scores = self._model.predict([(question, text) for text in texts], show_progress_bar=False)
        return np.asarray(scores, np.float32).reshape(len(texts))
