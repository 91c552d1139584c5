"""Models without torch: the same numbers as the plainest forward pass, and one sentence for what cannot be used."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_model import POSITIONS, WIDTH, WORDS, hidden_states, ids_of, tensors_of, write_model

from loci.episodes import (
    Embedder,
    ModelExtraMissing,
    ModelMissing,
    ModelUnusable,
    Reranker,
    open_embedder,
    open_reranker,
    packaged_model,
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model") / "tiny")


def unit(values: list[float]) -> list[float]:
    length = math.sqrt(sum(x * x for x in values))
    return [x / length for x in values]


@given(st.lists(st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=12), min_size=1, max_size=8))
@settings(max_examples=15, deadline=None)
def test_same_vectors_as_the_plain_forward_pass(model: Path, texts: list[list[str]]) -> None:
    found = open_embedder(model).embed([" ".join(words) for words in texts])
    assert found.dtype == np.float32
    for words, vector in zip(texts, found, strict=True):
        ids = ids_of(" ".join(words))
        rows = hidden_states(model, ids, [0] * len(ids))
        mean = [sum(row[column] for row in rows) / len(rows) for column in range(WIDTH)]
        assert np.allclose(vector, unit(mean), atol=2e-5)


def test_first_token_pooling(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "cls", pooling="cls")
    ids = ids_of("the signed cookie")
    expected = unit(hidden_states(directory, ids, [0] * len(ids))[0])
    assert np.allclose(open_embedder(directory).embed(["the signed cookie"])[0], expected, atol=2e-5)


def test_the_old_way_of_naming_the_pooling_is_read(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "old", pooling="cls")
    new = open_embedder(directory).embed(["why is the queue dropped"])
    old = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (directory / "1_Pooling" / "config.json").write_text(json.dumps(old), encoding="utf-8")
    assert np.array_equal(open_embedder(directory).embed(["why is the queue dropped"]), new)


def test_length_one_of_every_text_and_order_kept(model: Path) -> None:
    texts = [" ".join(WORDS[: 1 + number % 9]) for number in range(200)]
    embedder = open_embedder(model)
    seen: list[tuple[int, int]] = []
    found = embedder.embed(texts, progress=lambda done, total: seen.append((done, total)))
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    for number in (0, 7, 8, 199):
        assert np.allclose(found[number], embedder.embed([texts[number]])[0], atol=1e-5)
    assert max(seen) == (200, 200)


def test_nothing_to_embed(model: Path) -> None:
    assert open_embedder(model).embed([]).shape == (0, WIDTH)
    assert open_embedder(model).embed([""]).shape == (1, WIDTH)


def test_long_texts_are_cut_at_the_end(model: Path) -> None:
    long = " ".join(["cookie"] * 100_000)
    own, shorter = open_embedder(model), open_embedder(model, max_tokens=6)
    assert np.allclose(own.embed([long]), own.embed([" ".join(["cookie"] * 38)]), atol=1e-6), "40 with the special ones"
    assert np.allclose(shorter.embed([long]), shorter.embed(["cookie cookie cookie cookie"]), atol=1e-6)
    assert open_embedder(model, max_tokens=10 * POSITIONS).signature == own.signature


def test_prompts_of_the_model_are_put_before_questions_and_passages(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "prompted")
    bare = open_embedder(directory)
    prompts = {"prompts": {"query": "why ", "document": "docs "}}
    (directory / "config_sentence_transformers.json").write_text(json.dumps(prompts), encoding="utf-8")
    prompted = open_embedder(directory)
    assert np.allclose(prompted.embed(["retry"], question=True), bare.embed(["why retry"]))
    assert np.allclose(prompted.embed(["retry"]), bare.embed(["docs retry"]))
    assert prompted.signature != bare.signature


def test_the_signature_is_the_model_s(tmp_path: Path) -> None:
    first, same, other = (write_model(tmp_path / name, seed=seed) for name, seed in (("a", 0), ("b", 0), ("c", 1)))
    assert open_embedder(first).signature == open_embedder(same).signature
    assert open_embedder(first).signature != open_embedder(other).signature
    assert open_embedder(first).signature != open_embedder(first, max_tokens=8).signature


def test_models_of_the_protocols(model: Path, tmp_path: Path) -> None:
    assert isinstance(open_embedder(model), Embedder)
    assert isinstance(open_reranker(write_model(tmp_path / "cross", labels=1)), Reranker)


def test_a_cross_encoder_scores_like_the_plain_forward_pass(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "cross", labels=1)
    tensors = tensors_of(directory)
    found = open_reranker(directory).score("why is the cookie dropped", ["session", "signed cookies", ""])
    for text, score in zip(["session", "signed cookies", ""], found, strict=True):
        first, second = ids_of("why is the cookie dropped"), ids_of(text)[1:]
        row = np.array(hidden_states(directory, first + second, [0] * len(first) + [1] * len(second))[0])
        pooled = np.tanh(tensors["pooler.dense.weight"] @ row + tensors["pooler.dense.bias"])
        assert score == pytest.approx((tensors["classifier.weight"] @ pooled + tensors["classifier.bias"])[0], abs=1e-4)


def test_a_classifier_of_several_labels_is_no_cross_encoder(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match="tells 3 labels apart"):
        open_reranker(write_model(tmp_path / "labels", labels=3), engine="numpy")
    with pytest.raises(ModelUnusable, match="is no cross-encoder"):
        open_reranker(write_model(tmp_path / "none"), engine="numpy")


def test_one_sentence_for_each_wrong_directory(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="there is no model at"):
        open_embedder(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(ModelUnusable, match="is a file"):
        open_embedder(tmp_path / "file")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnusable, match=r"neither config\.json nor modules\.json"):
        open_embedder(tmp_path / "empty")


def break_file(directory: Path, name: str, content: str | None) -> None:
    if content is None:
        (directory / name).unlink()
    else:
        (directory / name).write_text(content, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", "{", "has no readable config.json"),
        ("config.json", "[]", "is no JSON object"),
        ("config.json", '{"model_type": "t5"}', "is of the kind 't5'"),
        ("tokenizer.json", None, "has no tokenizer.json"),
        ("tokenizer.json", "{}", "has a tokenizer.json that cannot be read"),
        ("model.safetensors", None, "has no model.safetensors"),
        ("model.safetensors", "short", "has weights that do not fit"),
        ("modules.json", "[{}]", "has a modules.json that cannot be read"),
        ("1_Pooling/config.json", '{"pooling_mode": "lasttoken"}', "pools by lasttoken"),
    ],
)
def test_what_is_wrong_inside_a_model_is_said(tmp_path: Path, name: str, content: str | None, message: str) -> None:
    directory = write_model(tmp_path / "model")
    break_file(directory, name, content)
    with pytest.raises(ModelUnusable, match=message):
        open_embedder(directory, engine="numpy")


def test_old_weights_need_torch(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "model")
    (directory / "model.safetensors").rename(directory / "pytorch_model.bin")
    with pytest.raises(ModelUnusable, match=r"pytorch_model\.bin, which only torch can read"):
        open_embedder(directory, engine="numpy")


def test_weights_of_another_size_than_the_configuration_says(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match="do not fit its config"):
        open_embedder(write_model(tmp_path / "model", num_hidden_layers=3), engine="numpy")


def test_without_the_extra_the_error_has_the_command(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ModelExtraMissing, match=r"tokenizers.*pip install 'loci-episodes\[embed\]'"):
        open_embedder(model)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelExtraMissing, match=r"pip install 'loci-episodes\[sentence-transformers\]'"):
        open_embedder(model, engine="sentence-transformers")


def test_many_threads_get_the_same_vectors(model: Path) -> None:
    embedder = open_embedder(model)
    texts = [" ".join(WORDS[number % 7 : number % 7 + 5]) for number in range(40)]
    expected = embedder.embed(texts)
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: embedder.embed(texts), range(24)):
            assert np.allclose(found, expected, atol=1e-6)


def test_importing_loads_no_model_library_and_opening_stays_offline(model: Path) -> None:
    """qdrant/fastembed 615 and 218: the libraries must know before they are imported that there is no network."""
    program = (
        "import sys, os, loci.episodes\n"
        "heavy = {'numpy', 'tokenizers', 'safetensors', 'torch', 'sentence_transformers', 'huggingface_hub'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "import socket\n"
        "def refuse(*_, **__): raise AssertionError('a connection')\n"
        "socket.socket.connect = refuse\n"
        "socket.getaddrinfo = refuse\n"
        "loci.episodes.open_embedder(sys.argv[1]).embed(['cookie'])\n"
        "assert os.environ['HF_HUB_OFFLINE'] == os.environ['TRANSFORMERS_OFFLINE'] == '1'\n"
        "assert 'torch' not in sys.modules\n"
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "TRANSFORMERS_"))}
    subprocess.run([sys.executable, "-c", program, str(model)], check=True, env=environment)


@pytest.mark.skipif(packaged_model() is None, reason="the model package is not installed")
def test_the_packaged_model_knows_what_is_alike() -> None:
    directory = packaged_model()
    assert directory is not None
    embedder = open_embedder(directory)
    question, answer, other = embedder.embed(
        [
            "Why are my login cookies lost?",
            "Sessions end when the browser drops the cookie.",
            "Matrices are multiplied.",
        ]
    )
    assert embedder.dimension == 384
    assert question @ answer > 0.3 > question @ other
