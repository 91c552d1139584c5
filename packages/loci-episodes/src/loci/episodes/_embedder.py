"""What a model is to the rest of this package: two protocols, and the signature of its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[int, int], None]

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
