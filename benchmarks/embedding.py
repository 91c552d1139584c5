"""Vectors without torch beside those of sentence-transformers, and what vectors do for the order of answers.

    python benchmarks/embedding.py --home HOME --questions FILE --model DIR --passages 10000

Needs an index (HOME, for example what `loci eval bench --home HOME` left) and both extras of loci-episodes. Passages
are spread evenly over all scopes. Both engines read the same texts whole, up to the model's own limit, in turns.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from loci.episodes import Episodes, Lanes, Semantics, open_embedder
from loci.episodes._vectors import MAX_TOKENS, Vectors, content_key, passage_text

BASE = ("behavior", "structure", "history")
DEPTHS = (1, 3, 10)
TURN = 1000


def segments(home: Path) -> dict[str, Path]:
    """Segment of every scope by the name of its folder."""
    scopes = json.loads((home / "manifest.json").read_text(encoding="utf-8"))["scopes"]
    return {Path(entry["path"]).name: home / "segments" / entry["segment"] for entry in scopes.values()}


def sample(stores: dict[str, Episodes], count: int) -> list[str]:
    """Texts of `count` passages, spread evenly over all scopes."""
    texts = [passage_text(passage) for store in stores.values() for passage in store.all_passages()]
    return [texts[place * len(texts) // count] for place in range(min(count, len(texts)))]


def engines(model: Path, texts: list[str]) -> dict[str, Any]:
    """Speed of both engines and how far their vectors agree; the loss of int8.

    The engines take turns, a thousand passages each, so that whatever else the machine does slows both alike.
    """
    embedders = {engine: open_embedder(model, engine=engine) for engine in ("numpy", "sentence-transformers")}
    vectors: dict[str, list[np.ndarray]] = {engine: [] for engine in embedders}
    wall, processor = dict.fromkeys(embedders, 0.0), dict.fromkeys(embedders, 0.0)
    for embedder in embedders.values():
        embedder.embed(texts[:32])
    for turn, start in enumerate(range(0, len(texts), TURN)):
        # Who goes first changes too.
        for engine in sorted(embedders, reverse=turn % 2 == 1):
            began = time.perf_counter(), time.process_time()
            vectors[engine].append(embedders[engine].embed(texts[start : start + TURN]))
            wall[engine] += time.perf_counter() - began[0]
            processor[engine] += time.process_time() - began[1]
        print(start + TURN, wall, processor, file=sys.stderr, flush=True)
    found = {engine: np.concatenate(parts) for engine, parts in vectors.items()}
    exact = found["numpy"]
    keys = [content_key(str(place)) for place in range(len(texts))]
    stored = Vectors.of(embedders["numpy"], keys, exact)
    kept = np.stack([stored.similarities(vector, keys) for vector in exact[:50]])
    cosines = (exact * found["sentence-transformers"]).sum(axis=1)
    return {
        "passages": len(texts),
        "speed": {
            engine: {
                "per_second": len(texts) / wall[engine],
                "per_processor_second": len(texts) / processor[engine],
            }
            for engine in embedders
        },
        "ratio": {
            "per_second": wall["sentence-transformers"] / wall["numpy"],
            "per_processor_second": processor["sentence-transformers"] / processor["numpy"],
        },
        "cosine": {"min": float(cosines.min()), "mean": float(cosines.mean())},
        "largest_error_of_a_cosine_by_int8": float(np.abs(exact[:50] @ exact.T - kept).max()),
    }


def quality(model: Path, stores: dict[str, Episodes], questions: list[dict[str, Any]]) -> dict[str, Any]:
    """Evidence among the first files or the first commits, scope given, with and without vectors; time per question."""
    embedder = open_embedder(model, max_tokens=MAX_TOKENS)
    looks: dict[str, Any] = {"words": lambda _, lanes: lanes, "words and vectors": Semantics(embedder)}
    hits: dict[str, list[int]] = {name: [] for name in looks}
    seconds: list[float] = []
    for question in questions:
        lanes = stores[question["scopes"][0]].lanes(question["question"], k=max(DEPTHS) * 2)
        wanted = {item.get("path") or item.get("commit") for item in question["evidence"]}
        for name, look in looks.items():
            started = time.perf_counter()
            found: Lanes = look(question["question"], lanes)
            if name != "words":
                seconds.append(time.perf_counter() - started)
            places = [
                place for lane in (found.files, found.commits) for place, p in enumerate(lane) if p.source in wanted
            ]
            hits[name].append(min(places, default=1 << 30))
    return {
        "questions": len(questions),
        "two_lanes": {
            name: {f"@{k}": round(100 * sum(place < k for place in places) / len(places), 1) for k in DEPTHS}
            for name, places in hits.items()
        },
        "seconds_to_embed_all_candidates": {"median": float(np.median(seconds)), "max": float(np.max(seconds))},
    }


def main() -> None:
    """Measures and prints one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=10_000)
    arguments = parser.parse_args()
    stores = {name: Episodes.open(path) for name, path in segments(arguments.home).items()}
    lines = arguments.questions.read_text(encoding="utf-8").splitlines()
    questions = [question for line in lines if (question := json.loads(line))["family"] in BASE]
    result: dict[str, Any] = {"cores": os.cpu_count(), "load_before": os.getloadavg()}
    result["quality"] = quality(arguments.model, stores, questions)
    print(json.dumps(result["quality"]), file=sys.stderr, flush=True)
    result["engines"] = engines(arguments.model, sample(stores, arguments.passages))
    result["load_after"] = os.getloadavg()
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
