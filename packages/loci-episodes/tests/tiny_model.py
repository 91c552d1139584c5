"""A BERT of random weights in the layout of sentence-transformers, and the plainest forward pass as its oracle."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = [
    "the",
    "a",
    "cookie",
    "cookies",
    "session",
    "signed",
    "retry",
    "queue",
    "worker",
    "why",
    "is",
    "was",
    "dropped",
    "backend",
    "docs",
    "readme",
    "md",
    "commit",
]
WIDTH, HEADS, LAYERS, INNER, POSITIONS = 16, 4, 2, 32, 48


def write_model(directory: Path, *, seed: int = 0, pooling: str = "mean", labels: int = 0, **config: Any) -> Path:
    """Writes the model; with `labels` it is a cross-encoder. `config` overrides config.json."""
    directory.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)

    def weights(*shape: int) -> Any:
        return random.normal(0, 0.4, shape).astype(np.float32)

    vocabulary = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    tensors = {
        "embeddings.word_embeddings.weight": weights(len(vocabulary), WIDTH),
        "embeddings.position_embeddings.weight": weights(POSITIONS, WIDTH),
        "embeddings.token_type_embeddings.weight": weights(2, WIDTH),
        "embeddings.LayerNorm.weight": 1 + weights(WIDTH),
        "embeddings.LayerNorm.bias": weights(WIDTH),
    }
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."
        for name, rows, columns in (
            ("attention.self.query", WIDTH, WIDTH),
            ("attention.self.key", WIDTH, WIDTH),
            ("attention.self.value", WIDTH, WIDTH),
            ("attention.output.dense", WIDTH, WIDTH),
            ("intermediate.dense", INNER, WIDTH),
            ("output.dense", WIDTH, INNER),
        ):
            tensors[f"{prefix}{name}.weight"] = weights(rows, columns)
            tensors[f"{prefix}{name}.bias"] = weights(rows)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            tensors[f"{prefix}{name}.weight"] = 1 + weights(WIDTH)
            tensors[f"{prefix}{name}.bias"] = weights(WIDTH)
    if labels:
        tensors = {f"bert.{name}": tensor for name, tensor in tensors.items()}
        tensors |= {"bert.pooler.dense.weight": weights(WIDTH, WIDTH), "bert.pooler.dense.bias": weights(WIDTH)}
        tensors |= {"classifier.weight": weights(labels, WIDTH), "classifier.bias": weights(labels)}
    save_file(tensors, directory / "model.safetensors")
    settings = {
        "model_type": "bert",
        "hidden_size": WIDTH,
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "intermediate_size": INNER,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": POSITIONS,
        "vocab_size": len(vocabulary),
        "type_vocab_size": 2,
        "pad_token_id": 0,
        **config,
    }
    _json(directory / "config.json", settings)
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()  # pyright: ignore[reportAttributeAccessIssue]
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()  # pyright: ignore[reportAttributeAccessIssue]
    ends = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.post_processor = ends  # pyright: ignore[reportAttributeAccessIssue]
    # As in the published models, the file carries limits of some other use.
    tokenizer.enable_padding(length=12)
    tokenizer.enable_truncation(6)
    tokenizer.save(str(directory / "tokenizer.json"))
    if not labels:
        kinds = {"0": ("Transformer", ""), "1": ("Pooling", "1_Pooling"), "2": ("Normalize", "2_Normalize")}
        modules = [
            {"idx": int(k), "name": k, "path": path, "type": f"sentence_transformers.models.{name}"}
            for k, (name, path) in kinds.items()
        ]
        _json(directory / "modules.json", modules)
        (directory / "1_Pooling").mkdir(exist_ok=True)
        _json(directory / "1_Pooling" / "config.json", {"word_embedding_dimension": WIDTH, "pooling_mode": pooling})
        _json(directory / "sentence_bert_config.json", {"max_seq_length": 40, "do_lower_case": False})
    return directory


def tensors_of(directory: Path) -> dict[str, Any]:
    """The weights, without the prefix that a head brings."""
    from safetensors.numpy import load_file

    return {name.removeprefix("bert."): value for name, value in load_file(directory / "model.safetensors").items()}


def hidden_states(directory: Path, ids: list[int], kinds: list[int]) -> list[list[float]]:
    """The last layer for one text, number by number."""
    tensors = {name: value.astype(float).tolist() for name, value in tensors_of(directory).items()}

    def linear(rows: list[list[float]], name: str) -> list[list[float]]:
        weight, bias = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
        return [
            [sum(w * x for w, x in zip(line, row, strict=True)) + b for line, b in zip(weight, bias, strict=False)]
            for row in rows
        ]

    def normalised(rows: list[list[float]], name: str) -> list[list[float]]:
        result = []
        for row in rows:
            mean = sum(row) / len(row)
            deviation = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
            scale, shift = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
            result.append([(x - mean) / deviation * s + b for x, s, b in zip(row, scale, shift, strict=True)])
        return result

    def plus(left: list[list[float]], right: list[list[float]]) -> list[list[float]]:
        return [[x + y for x, y in zip(a, b, strict=True)] for a, b in zip(left, right, strict=False)]

    words, positions, types = (tensors[f"embeddings.{n}_embeddings.weight"] for n in ("word", "position", "token_type"))
    rows = [
        [w + p + t for w, p, t in zip(words[i], positions[at], types[k], strict=True)]
        for at, (i, k) in enumerate(zip(ids, kinds, strict=False))
    ]
    rows = normalised(rows, "embeddings.LayerNorm")
    size = WIDTH // HEADS
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."
        query, key, value = (linear(rows, f"{prefix}attention.self.{part}") for part in ("query", "key", "value"))
        mixed = [[0.0] * WIDTH for _ in rows]
        for head in range(HEADS):
            part = slice(head * size, (head + 1) * size)
            for at, asked in enumerate(query):
                weights = [
                    math.exp(sum(x * y for x, y in zip(asked[part], other[part], strict=True)) / math.sqrt(size))
                    for other in key
                ]
                for column in range(part.start, part.stop):
                    mixed[at][column] = sum(w * v[column] for w, v in zip(weights, value, strict=True)) / sum(weights)
        rows = normalised(
            plus(rows, linear(mixed, f"{prefix}attention.output.dense")), f"{prefix}attention.output.LayerNorm"
        )
        wide = [
            [0.5 * x * (1 + math.erf(x / math.sqrt(2))) for x in row]
            for row in linear(rows, f"{prefix}intermediate.dense")
        ]
        rows = normalised(plus(rows, linear(wide, f"{prefix}output.dense")), f"{prefix}output.LayerNorm")
    return rows


def ids_of(text: str) -> list[int]:
    """Token ids of a text of known and unknown words, special tokens included."""
    known = {word: place for place, word in enumerate(WORDS, start=4)}
    return [2, *(known.get(word, 1) for word in text.split()), 3]


def _json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
