"""Models run by `_transformer.py`: sentence embeddings and cross-encoders without torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._embedder import Progress, signature_of
from ._model_errors import ModelUnusable
from ._transformer import Encoder, Floats, classifier, first_token, mean_of_tokens, read_config

POOLINGS = {"mean": mean_of_tokens, "cls": first_token}
OLD_POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
MODULES = {"Transformer", "Pooling", "Normalize"}
DEFAULT_MAX_TOKENS = 512
QUESTION_PROMPTS = ("query",)
PASSAGE_PROMPTS = ("document", "passage", "corpus")


class NumpyEmbedder:
    """An :class:`~loci.episodes.Embedder` over numpy. Safe to use from several threads."""

    def __init__(self, directory: Path, max_tokens: int | None = None) -> None:
        modules = _modules(directory)
        transformer = directory / modules.get("Transformer", "")
        _check_files(directory, transformer)
        settings = _optional(transformer / "sentence_bert_config.json")
        own = int(settings.get("max_seq_length") or DEFAULT_MAX_TOKENS)
        self._lower = bool(settings.get("do_lower_case"))
        self._pool = POOLINGS[_pooling(directory, modules)]
        prompts = _optional(directory / "config_sentence_transformers.json").get("prompts") or {}
        self._question_prompt = _first(prompts, QUESTION_PROMPTS)
        self._passage_prompt = _first(prompts, PASSAGE_PROMPTS)
        self._encoder = Encoder(transformer, own if max_tokens is None else min(own, max_tokens))
        self.name = directory.name if directory.name not in ("", "model") else directory.parent.name
        self.dimension = self._encoder.dimension
        self.signature = signature_of(
            directory, max_tokens=self._encoder.max_tokens, prompts=sorted((k, v) for k, v in prompts.items() if v)
        )

    def embed(self, texts: Sequence[str], *, question: bool = False, progress: Progress | None = None) -> Floats:
        """See :class:`~loci.episodes.Embedder`."""
        prompt = self._question_prompt if question else self._passage_prompt
        # A character is at most one token or so: what is far behind the limit need not be cut into tokens.
        longest = 32 * self._encoder.max_tokens
        read = [prompt + (text[:longest].lower() if self._lower else text[:longest]) for text in texts]
        vectors = self._encoder.map(read, self._pool, self.dimension, progress)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
        return vectors


class NumpyReranker:
    """A :class:`~loci.episodes.Reranker` over numpy. Safe to use from several threads."""

    def __init__(self, directory: Path) -> None:
        _check_files(directory, directory)
        self._encoder = Encoder(directory, DEFAULT_MAX_TOKENS)
        self._classify = classifier(self._encoder, directory)
        self.name = directory.name

    def score(self, question: str, texts: Sequence[str]) -> Floats:
        """See :class:`~loci.episodes.Reranker`."""
        longest = 32 * self._encoder.max_tokens
        pairs = [(question[:longest], text[:longest]) for text in texts]
        return self._encoder.map(pairs, self._classify, 1)[:, 0]


def _modules(directory: Path) -> dict[str, str]:
    """Folder of each module by the last part of its type; empty for a bare transformer."""
    path = directory / "modules.json"
    if not path.is_file():
        return {}
    import json

    try:
        modules = {str(m["type"]).rpartition(".")[2]: str(m["path"]) for m in json.loads(path.read_text("utf-8"))}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelUnusable(directory, f"has a modules.json that cannot be read ({error})") from error
    others = sorted(set(modules) - MODULES)
    if others or "Transformer" not in modules:
        raise ModelUnusable(directory, f"has the part {(others or ['no Transformer'])[0]}, which only torch can run")
    return modules


def _pooling(directory: Path, modules: dict[str, str]) -> str:
    if "Pooling" not in modules:
        return "mean"  # what sentence-transformers makes of a bare transformer
    config = read_config(directory / modules["Pooling"] / "config.json")
    chosen = config.get("pooling_mode") or [name for key, name in OLD_POOLINGS.items() if config.get(key)]
    modes = [chosen] if isinstance(chosen, str) else list(chosen)
    if len(modes) != 1 or modes[0] not in POOLINGS:
        raise ModelUnusable(directory, f"pools by {' and '.join(modes) or 'nothing'}, which only torch can run")
    return modes[0]


def _check_files(directory: Path, transformer: Path) -> None:
    for name in ("config.json", "tokenizer.json"):
        if not (transformer / name).is_file():
            raise ModelUnusable(directory, f"has no {name}")
    if not (transformer / "model.safetensors").is_file():
        old = (
            " but pytorch_model.bin, which only torch can read" if (transformer / "pytorch_model.bin").is_file() else ""
        )
        raise ModelUnusable(directory, f"has no model.safetensors{old}")


def _optional(path: Path) -> dict[str, Any]:
    return read_config(path) if path.is_file() else {}


def _first(prompts: dict[str, Any], names: Sequence[str]) -> str:
    return next((str(prompts[name]) for name in names if prompts.get(name)), "")
