"""Vectors of a scope's passages, or of other texts of it, kept beside its segment and found by the content.

Since the key is the content, a vector outlives every rebuild of the segment in which its passage did not change, and
nothing has to be carried over. Components are kept as int8 with one scale per vector: 400 bytes for 384 of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ._embedder import Embedder, Progress
from ._model_errors import VectorsDamaged
from ._passage import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._store import Episodes

FORMAT = "1"
SUFFIX = ".vectors.safetensors"
KEY_BYTES = 16
MAX_TOKENS = 160
"""Passages are read up to here. On the public benchmark the first 64 tokens alone make a worse ranker than none."""
KINDS = ("document", "commit")
"""What `embed_passages` covers unless told otherwise. Source that a question brings up is embedded then, see
`Semantics`."""


def passage_text(passage: Passage) -> str:
    """What of a passage a model reads."""
    if passage.kind == "commit":
        return passage.text if passage.text.startswith(passage.heading) else f"{passage.heading}\n{passage.text}"
    return f"{passage.path}\n{passage.heading}\n{passage.text}"


def content_key(text: str) -> bytes:
    """The key of a text's vector: 16 bytes of its hash.

    >>> from loci.episodes import content_key
    >>> len(content_key("session close")), content_key("a") == content_key("b")
    (16, False)
    """
    from hashlib import blake2b  # a question without vectors has no use for it

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


class Vectors:
    """The vectors of one scope. Immutable, so several threads may read it.

    Attributes:
        signature: of the model that made them. model: its name.
        dimension: length of a vector.
        probes: vectors of texts that belong to this scope, read as questions; other scopes fit their floor on them, see
            `fit_floor`. [any number, dimension].
        places: number of the passage of each vector in the segment it was made for, the first one where several have
            the same text. The segment may be another by now.

    """

    def __init__(
        self,
        signature: str,
        model: str,
        keys: Sequence[bytes],
        components: NDArray[np.int8],
        scales: NDArray[np.float32],
        probes: NDArray[np.float32] | None = None,
        places: NDArray[np.uint32] | None = None,
    ) -> None:
        """Use :meth:`of` or :meth:`open`."""
        import numpy as np

        self.signature = signature
        self.model = model
        self.dimension = int(components.shape[1])
        self._components = components
        self._scales = scales
        self.probes = np.empty((0, self.dimension), np.float32) if probes is None else probes
        self.places = np.arange(len(scales), dtype=np.uint32) if places is None else places
        self._keys = list(keys)
        self._rows = {key: row for row, key in enumerate(self._keys)}

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: bytes) -> bool:
        return key in self._rows

    @classmethod
    def of(cls, embedder: Embedder, keys: Sequence[bytes], vectors: NDArray[np.float32]) -> Vectors:
        """Quantises `vectors` [len(keys), dimension], one for each key."""
        import numpy as np

        largest = np.abs(vectors).max(axis=1, initial=0)
        scales = (np.where(largest > 0, largest, 1) / 127).astype(np.float32)
        components = np.rint(vectors / scales[:, None]).astype(np.int8)
        return cls(embedder.signature, embedder.name, keys, components, scales)

    @classmethod
    def open(cls, path: str | Path) -> Vectors:
        """Reads a file that :meth:`save` wrote.

        Raises:
            VectorsDamaged: it is missing, or no such file.
            ModelExtraMissing: the packages that read it are not installed.

        """
        from ._model_extras import import_numpy

        import_numpy()
        import numpy as np
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(str(path), framework="numpy") as file:
                about = json.loads((file.metadata() or {}).get("loci", "{}"))
                if about.get("format") != FORMAT:
                    raise ValueError(f"its format is {about.get('format')!r}, not {FORMAT!r}")
                keys, components, scales, probes, places = (
                    file.get_tensor(name) for name in ("keys", "components", "scales", "probes", "places")
                )
            if (
                keys.dtype != np.uint8
                or keys.shape != (len(scales), KEY_BYTES)
                or components.dtype != np.int8
                or components.ndim != 2
                or len(components) != len(scales)
                or probes.ndim != 2
                or probes.shape[1] != components.shape[1]
                or places.dtype != np.uint32
                or places.shape != scales.shape
            ):
                raise ValueError("its parts do not fit together")
            flat = keys.tobytes()
            split = [flat[start : start + KEY_BYTES] for start in range(0, len(flat), KEY_BYTES)]
            scales, probes = scales.astype(np.float32), probes.astype(np.float32)
            return cls(about["model"], about["name"], split, components, scales, probes, places)
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            raise VectorsDamaged(f"the vectors in {path} cannot be read: {error}") from error

    def save(self, directory: Path) -> tuple[str, int]:
        """Writes them, synced, under a name made of their content: (file name, bytes).

        The same vectors give the same bytes.
        """
        from hashlib import blake2b

        import numpy as np
        from safetensors.numpy import save

        keys = np.frombuffer(b"".join(self._keys), np.uint8).reshape(len(self._keys), KEY_BYTES)
        data = save(
            {
                "keys": keys,
                "components": self._components,
                "scales": self._scales,
                "probes": self.probes.astype(np.float32),
                "places": self.places,
            },
            # One entry, since the order of several would be left to chance.
            {"loci": json.dumps({"format": FORMAT, "model": self.signature, "name": self.model})},
        )
        name = blake2b(data, digest_size=32).hexdigest() + SUFFIX
        temporary = directory / f".{name}.{os.getpid()}.tmp"
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(directory / name)
        finally:
            temporary.unlink(missing_ok=True)
        return name, len(data)

    def similarities(self, question: NDArray[np.float32], keys: Sequence[bytes]) -> NDArray[np.float32]:
        """Cosine of the question's vector with that of each key, NaN where there is none: [len(keys)]."""
        import numpy as np

        found = [(at, self._rows[key]) for at, key in enumerate(keys) if key in self._rows]
        result = np.full(len(keys), np.nan, np.float32)
        if found:
            at, places = zip(*found, strict=True)
            result[list(at)] = self._cosines(question, np.asarray(places))
        return result

    def nearest(self, question: NDArray[np.float32], floor: float, count: int) -> list[tuple[bytes, int, float]]:
        """(key, place, cosine) of at most `count` passages whose cosine reaches `floor`, best first."""
        import numpy as np

        cosines = self._cosines(question, slice(None))
        rows = np.flatnonzero(cosines >= floor)
        rows = rows[np.argsort(-cosines[rows], kind="stable")][:count]
        return [(self._keys[row], int(self.places[row]), float(cosines[row])) for row in rows]

    def best(self, question: NDArray[np.float32]) -> float:
        """The highest cosine of any passage; 0 without vectors."""
        return float(self._cosines(question, slice(None)).max(initial=0.0))

    def _cosines(self, question: NDArray[np.float32], places: NDArray[np.intp] | slice) -> NDArray[np.float32]:
        # A slice is no copy: of a scope with a hundred thousand vectors that is felt.
        return (self._components[places].astype("float32") @ question) * self._scales[places]

    def only(self, keys: Collection[bytes]) -> tuple[list[bytes], NDArray[np.int8], NDArray[np.float32]]:
        """The part of these keys: (keys, components, scales)."""
        import numpy as np

        kept = [key for key in self._keys if key in keys]
        places = np.asarray([self._rows[key] for key in kept], np.intp)
        return kept, self._components[places], self._scales[places]


@dataclass(frozen=True)
class VectorsReport:
    """What :func:`embed_passages` or :func:`embed_texts` made.

    Attributes:
        vectors: of the scope, old and new; :meth:`Vectors.save` writes them.
        embedded: passages or other texts that got a vector now. kept: that had one. lacking: that have none, being of
            other kinds.

    """

    vectors: Vectors
    embedded: int
    kept: int
    lacking: int


def embed_passages(
    episodes: Episodes,
    embedder: Embedder,
    *,
    previous: Vectors | None = None,
    kinds: Collection[str] = KINDS,
    probes: NDArray[np.float32] | None = None,
    progress: Progress | None = None,
) -> VectorsReport:
    """Gives the passages of a scope their vectors.

    Args:
        episodes: the open segment.
        embedder: the model.
        previous: older vectors of the scope; those of passages that are still there are kept, unless another model
            made them.
        kinds: of which passages: ``document``, ``source``, ``commit``.
        probes: see :class:`Vectors`; saved with the vectors.
        progress: called with the passages done and in all, from any thread.

    Raises:
        SegmentDamaged: a part of the segment does not decode.

    """
    texts = ((place, passage_text(passage), passage.kind) for place, passage in enumerate(episodes.all_passages()))
    return _embed(texts, embedder, previous, kinds, probes, progress)


def embed_texts(
    texts: Iterable[tuple[int, str]],
    embedder: Embedder,
    *,
    previous: Vectors | None = None,
    progress: Progress | None = None,
) -> VectorsReport:
    """Gives any texts vectors that are kept and found as those of passages are; several of one text share a vector.

    Args:
        texts: number and text of each; the number of the first one of a text becomes the place of its vector.
        embedder: the model.
        previous: older vectors; those of texts that are still there are kept, unless another model made them.
        progress: called with the texts done and in all, from any thread.

    """
    return _embed(((place, text, "") for place, text in texts), embedder, previous, ("",), None, progress)


def _embed(
    texts: Iterable[tuple[int, str, str]],
    embedder: Embedder,
    previous: Vectors | None,
    kinds: Collection[str],
    probes: NDArray[np.float32] | None,
    progress: Progress | None,
) -> VectorsReport:
    import numpy as np

    old = previous if previous is not None and previous.signature == embedder.signature else None
    present: dict[bytes, int] = {}
    wanted: dict[bytes, str] = {}
    lacking: set[bytes] = set()
    for place, text, kind in texts:
        key = content_key(text)
        present.setdefault(key, place)
        if old is not None and key in old:
            continue
        if kind in kinds:
            wanted.setdefault(key, text)
        else:
            lacking.add(key)
    fresh = Vectors.of(embedder, list(wanted), embedder.embed(list(wanted.values()), progress=progress))
    parts = [part.only(present) for part in (old, fresh) if part is not None]
    keys = [key for part in parts for key in part[0]]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    keys = [keys[row] for row in order]
    whole = Vectors(
        embedder.signature,
        embedder.name,
        keys,
        np.concatenate([part[1] for part in parts])[order],
        np.concatenate([part[2] for part in parts])[order],
        probes,
        np.array([present[key] for key in keys], np.uint32),
    )
    return VectorsReport(whole, len(wanted), len(whole) - len(wanted), len(lacking - wanted.keys()))


def count_lacking(episodes: Episodes, vectors: Vectors, kinds: Collection[str] = KINDS) -> int:
    """Passages of these kinds without a vector: what changed since they were embedded."""
    return len(
        {
            key
            for passage in episodes.all_passages()
            if passage.kind in kinds and (key := content_key(passage_text(passage))) not in vectors
        }
    )
