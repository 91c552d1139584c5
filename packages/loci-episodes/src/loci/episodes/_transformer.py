"""The forward pass of a BERT-like encoder in numpy: what torch is not needed for.

Reads the files that sentence-transformers writes: `config.json`, `model.safetensors`, `tokenizer.json`. Texts of one
pack are laid end to end, so the large products have no padding in them; only attention looks at each text by itself.
A pack holds few enough tokens for its intermediate results to stay in the processor's cache, and packs run on several
threads with a single-threaded BLAS, which shares a busy machine better than a BLAS that waits for its own threads.

Imported only when a model is opened: numpy, safetensors and tokenizers are an extra.
"""

from __future__ import annotations

import json
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file
from threadpoolctl import ThreadpoolController
from tokenizers import Tokenizer

from ._model_errors import ModelUnusable

Floats = NDArray[np.float32]
Item = "str | tuple[str, str]"

FAMILIES = ("bert", "roberta", "xlm-roberta", "camembert")
PACK_TOKENS = 512  # 512 x 1536 floats, the widest result of a small model, are 3 MB.
GELU_ROWS = 64  # The same for the many passes of the activation: 64 rows of it fit into the first levels of the cache.
TOKENIZE_AT_ONCE = 2048

# Abramowitz and Stegun 7.1.26, the error function to 1.5e-7: numpy has none.
_ERF_SCALE = np.float32(0.3275911)
_ERF = tuple(np.float32(value) for value in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592))


def gelu(values: Floats) -> None:
    """X * P(X <= x) for a standard normal X, in place."""
    for start in range(0, len(values), GELU_ROWS):
        rows = values[start : start + GELU_ROWS]
        absolute = np.abs(rows)
        scaled = absolute * np.float32(math.sqrt(0.5))
        t = scaled * _ERF_SCALE
        t += 1
        np.reciprocal(t, out=t)
        tail = t * _ERF[0]
        for coefficient in _ERF[1:]:
            tail += coefficient
            tail *= t
        np.square(scaled, out=scaled)
        np.negative(scaled, out=scaled)
        np.exp(scaled, out=scaled)
        tail *= scaled  # 1 - erf(|x| / sqrt(2))
        absolute *= tail
        absolute *= np.float32(0.5)
        np.maximum(rows, 0, out=rows)
        rows -= absolute


def gelu_tanh(values: Floats) -> None:
    """The approximation of :func:`gelu` that some models were trained with, in place."""
    inner = values * np.float32(math.sqrt(2 / math.pi)) * (1 + np.float32(0.044715) * np.square(values))
    values *= np.float32(0.5) * (1 + np.tanh(inner))


def relu(values: Floats) -> None:
    """max(x, 0), in place."""
    np.maximum(values, 0, out=values)


ACTIVATIONS: dict[str, Callable[[Floats], None]] = {
    "gelu": gelu,
    "gelu_new": gelu_tanh,
    "gelu_pytorch_tanh": gelu_tanh,
    "relu": relu,
}


class Encoder:
    """Hidden states of texts. Safe to use from several threads.

    Args:
        directory: where `config.json`, `model.safetensors` and `tokenizer.json` are.
        max_tokens: texts are cut to so many tokens, special ones included; the model's own limit holds too.

    Raises:
        ModelUnusable: another kind of model, or files that do not belong together.

    """

    def __init__(self, directory: Path, max_tokens: int) -> None:
        config = read_config(directory / "config.json")
        family = config.get("model_type")
        if family not in FAMILIES:
            raise ModelUnusable(
                directory, f"is of the kind {family!r}, and only {', '.join(FAMILIES)} run without torch"
            )
        if config.get("position_embedding_type", "absolute") != "absolute" or config.get("is_decoder"):
            raise ModelUnusable(directory, "has relative positions or is a decoder, which only torch can run")
        activation = ACTIVATIONS.get(str(config.get("hidden_act")))
        if activation is None:
            raise ModelUnusable(directory, f"has the activation {config.get('hidden_act')!r}, which only torch can run")
        self._activation = activation
        try:
            tensors = load_file(directory / "model.safetensors")
            self.weights = _without_prefix({name: value.astype(np.float32) for name, value in tensors.items()})
            self._heads = int(config["num_attention_heads"])
            self._epsilon = np.float32(config["layer_norm_eps"])
            self._words = self.weights["embeddings.word_embeddings.weight"]
            # Roberta counts positions from after the padding token's.
            first = 0 if family == "bert" else int(config.get("pad_token_id", 1)) + 1
            self._positions = self.weights["embeddings.position_embeddings.weight"][first:]
            self._types = self.weights["embeddings.token_type_embeddings.weight"]
            self._embedding_norm = self._norm("embeddings.LayerNorm")
            self._layers = [self._layer(f"encoder.layer.{i}.") for i in range(int(config["num_hidden_layers"]))]
        except (KeyError, ValueError, TypeError, IndexError, OSError, SafetensorError) as error:
            raise ModelUnusable(directory, f"has weights that do not fit its config.json ({error})") from error
        self.dimension = self._words.shape[1]
        self.max_tokens = max(3, min(max_tokens, len(self._positions)))
        try:
            self._tokenizer = Tokenizer.from_file(str(directory / "tokenizer.json"))
        except Exception as error:  # the library raises nothing more special
            raise ModelUnusable(directory, f"has a tokenizer.json that cannot be read ({error})") from error
        # The file may carry the limits of some other use.
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.max_tokens)
        if self._tokenizer.get_vocab_size() > len(self._words):
            raise ModelUnusable(directory, "has a tokenizer.json with more words than its weights")

    def map(
        self,
        texts: Sequence[str] | Sequence[tuple[str, str]],
        pool: Callable[[Floats], Floats],
        width: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> Floats:
        """`pool` of the hidden states of each text ([texts, tokens, dimension] -> [texts, width]): [len(texts), width].

        A text given as a pair is read as two segments, as a cross-encoder wants it. `progress(done, total)` is called
        from several threads.
        """
        result = np.empty((len(texts), width), np.float32)
        done = 0
        lock = threading.Lock()

        def run(pack: list[tuple[int, list[int], list[int]]]) -> None:
            nonlocal done
            self._run_pack(pack, pool, result)
            if progress is not None:
                with lock:
                    done += len(pack)
                    progress(done, len(texts))

        packs = self._packs(texts)
        workers = min(os.cpu_count() or 1, len(texts))
        with _single_threaded_blas():
            if workers <= 1 or len(texts) <= 2:
                for pack in packs:
                    run(pack)
            else:
                with ThreadPoolExecutor(workers, "loci-embed") as pool_of_threads:
                    for _ in pool_of_threads.map(run, packs):
                        pass
        return result

    def _packs(
        self, texts: Sequence[str] | Sequence[tuple[str, str]]
    ) -> Iterator[list[tuple[int, list[int], list[int]]]]:
        """(place, token ids, segment ids) of texts of about the same length, together at most `PACK_TOKENS` tokens."""
        for start in range(0, len(texts), TOKENIZE_AT_ONCE):
            encodings = self._tokenizer.encode_batch(list(texts[start : start + TOKENIZE_AT_ONCE]))
            items = [(start + place, encoding.ids, encoding.type_ids) for place, encoding in enumerate(encodings)]
            items.sort(key=lambda item: len(item[1]))
            pack: list[tuple[int, list[int], list[int]]] = []
            tokens = 0
            for item in items:
                if pack and tokens + len(item[1]) > PACK_TOKENS:
                    yield pack
                    pack, tokens = [], 0
                pack.append(item)
                tokens += len(item[1])
            if pack:
                yield pack

    def _run_pack(
        self, pack: list[tuple[int, list[int], list[int]]], pool: Callable[[Floats], Floats], result: Floats
    ) -> None:
        groups: list[tuple[int, int, int]] = []  # first token, number of texts, tokens of each
        start = 0
        for length, members in groupby(len(item[1]) for item in pack):
            count = len(list(members))
            groups.append((start, count, length))
            start += count * length
        hidden = self._forward(pack, groups)
        place = 0
        for start, count, length in groups:
            places = [item[0] for item in pack[place : place + count]]
            result[places] = pool(hidden[start : start + count * length].reshape(count, length, -1))
            place += count

    def _forward(self, pack: list[tuple[int, list[int], list[int]]], groups: list[tuple[int, int, int]]) -> Floats:
        ids = np.concatenate([np.asarray(item[1]) for item in pack])
        kinds = np.minimum(np.concatenate([np.asarray(item[2]) for item in pack]), len(self._types) - 1)
        hidden = self._words[ids] + self._types[kinds]
        for start, count, length in groups:
            hidden[start : start + count * length].reshape(count, length, -1)[:] += self._positions[:length]
        self._normalise(hidden, self._embedding_norm)
        context = np.empty_like(hidden)
        heads = self._heads
        for layer in self._layers:
            qkv = hidden @ layer["qkv"][0]
            qkv += layer["qkv"][1]
            for start, count, length in groups:
                query, key, value = (
                    qkv[start : start + count * length].reshape(count, length, 3, heads, -1).transpose(2, 0, 3, 1, 4)
                )
                attention = np.matmul(query, key.swapaxes(-1, -2))
                attention -= attention.max(-1, keepdims=True)
                np.exp(attention, out=attention)
                attention /= attention.sum(-1, keepdims=True)
                mixed = np.matmul(attention, value).transpose(0, 2, 1, 3)
                context[start : start + count * length].reshape(count, length, heads, -1)[:] = mixed
            hidden = self._add(context, layer["attention"], hidden, layer["attention_norm"])
            wide = hidden @ layer["intermediate"][0]
            wide += layer["intermediate"][1]
            self._activation(wide)
            hidden = self._add(wide, layer["output"], hidden, layer["output_norm"])
        return hidden

    def _add(
        self, values: Floats, dense: tuple[Floats, Floats], residual: Floats, norm: tuple[Floats, Floats]
    ) -> Floats:
        result = values @ dense[0]
        result += dense[1]
        result += residual
        self._normalise(result, norm)
        return result

    def _normalise(self, values: Floats, norm: tuple[Floats, Floats]) -> None:
        values -= values.mean(-1, keepdims=True)
        variance = np.einsum("td,td->t", values, values) / np.float32(values.shape[1])
        values *= (1 / np.sqrt(variance + self._epsilon))[:, None]
        values *= norm[0]
        values += norm[1]

    def dense(self, name: str) -> tuple[Floats, Floats]:
        """Weights (transposed, so that rows multiply) and bias of a linear layer; KeyError when it is not there."""
        return np.ascontiguousarray(self.weights[f"{name}.weight"].T), self.weights[f"{name}.bias"]

    def _norm(self, name: str) -> tuple[Floats, Floats]:
        return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]

    def _layer(self, prefix: str) -> dict[str, tuple[Floats, Floats]]:
        parts = [self.dense(f"{prefix}attention.self.{part}") for part in ("query", "key", "value")]
        width = len(parts[0][1])
        # Scaled here once instead of at every product of queries and keys.
        scale = np.float32(1 / math.sqrt(width // self._heads))
        parts[0] = (parts[0][0] * scale, parts[0][1] * scale)
        return {
            "qkv": (
                np.ascontiguousarray(np.concatenate([part[0] for part in parts], axis=1)),
                np.concatenate([part[1] for part in parts]),
            ),
            "attention": self.dense(f"{prefix}attention.output.dense"),
            "attention_norm": self._norm(f"{prefix}attention.output.LayerNorm"),
            "intermediate": self.dense(f"{prefix}intermediate.dense"),
            "output": self.dense(f"{prefix}output.dense"),
            "output_norm": self._norm(f"{prefix}output.LayerNorm"),
        }


def mean_of_tokens(hidden: Floats) -> Floats:
    """[texts, tokens, dimension] -> [texts, dimension]."""
    return hidden.mean(1)


def first_token(hidden: Floats) -> Floats:
    """[texts, tokens, dimension] -> [texts, dimension]."""
    return hidden[:, 0]


def classifier(encoder: Encoder, directory: Path) -> Callable[[Floats], Floats]:
    """The head of a cross-encoder with one label, on the first token: [texts, tokens, dimension] -> [texts, 1].

    Raises:
        ModelUnusable: it has another head.

    """
    try:
        if "classifier.out_proj.weight" in encoder.weights:
            pooler, label = encoder.dense("classifier.dense"), encoder.dense("classifier.out_proj")
        else:
            pooler, label = encoder.dense("pooler.dense"), encoder.dense("classifier")
    except KeyError as error:
        raise ModelUnusable(directory, f"is no cross-encoder: it has no weights {error}") from error
    if label[0].shape[1] != 1:
        raise ModelUnusable(directory, f"tells {label[0].shape[1]} labels apart; a cross-encoder for ranking has one")
    return partial(_classify, pooler, label)


def _classify(pooler: tuple[Floats, Floats], label: tuple[Floats, Floats], hidden: Floats) -> Floats:
    return np.tanh(hidden[:, 0] @ pooler[0] + pooler[1]) @ label[0] + label[1]


def read_config(path: Path) -> dict[str, Any]:
    """A JSON object of a model; ModelUnusable says which file is missing or no such thing."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelUnusable(path.parent, f"has no readable {path.name} ({error})") from error
    if not isinstance(value, dict):
        raise ModelUnusable(path.parent, f"has a {path.name} that is no JSON object")
    return value


def _without_prefix(tensors: dict[str, Floats]) -> dict[str, Floats]:
    """Names as in a bare encoder: with a head on it, its own weights are called `bert.…` or `roberta.…`."""
    return {name.removeprefix("bert.").removeprefix("roberta."): value for name, value in tensors.items()}


_blas = ThreadpoolController()
_blas_lock = threading.Lock()
_blas_users = 0
_blas_limit: Any = None


@contextmanager
def _single_threaded_blas() -> Iterator[None]:
    """One thread per product while any text is being embedded; what was set before holds again after the last one."""
    global _blas_limit, _blas_users
    with _blas_lock:
        if _blas_users == 0:
            _blas_limit = _blas.limit(limits=1, user_api="blas")
        _blas_users += 1
    try:
        yield
    finally:
        with _blas_lock:
            _blas_users -= 1
            if _blas_users == 0:
                _blas_limit.restore_original_limits()
                _blas_limit = None
