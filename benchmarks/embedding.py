"""Vectors without torch beside those of sentence-transformers: speed and agreement.

    python benchmarks/embedding.py --home HOME --model DIR --passages 10000

Needs an index (HOME, for example what `loci eval bench --home HOME` left) and both extras of loci-episodes. Passages
are spread evenly over all scopes. Both engines read the same texts whole, up to the model's own limit, in turns. What
vectors do for answers says `loci eval bench --model DIR`.
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

from loci.episodes import Episodes, Vectors, open_embedder
from loci.episodes._vectors import content_key, passage_text


def segments(home: Path) -> dict[str, Path]:
    """Segment of every scope by the name of its folder."""
    scopes = json.loads((home / "manifest.json").read_text(encoding="utf-8"))["scopes"]
    return {Path(entry["path"]).name: home / "segments" / entry["segment"] for entry in scopes.values()}


def sample(stores: dict[str, Episodes], count: int) -> list[str]:
    """Texts of `count` passages, spread evenly over all scopes."""
    every = [(store, place) for store in stores.values() for place in range(sum(store.passages.values()))]
    count = min(count, len(every))
    chosen = [every[number * len(every) // count] for number in range(count)]
    return [passage_text(passage) for store, place in chosen for passage in store.all_passages(place, place + 1)]


def engines(model: Path, texts: list[str], turn: int) -> dict[str, Any]:
    """Speed of both engines and how far their vectors agree; the loss of int8.

    The engines take turns, `turn` passages each, so that whatever else the machine does slows both alike.
    """
    embedders = {engine: open_embedder(model, engine=engine) for engine in ("numpy", "sentence-transformers")}
    vectors: dict[str, list[np.ndarray]] = {engine: [] for engine in embedders}
    wall, processor = dict.fromkeys(embedders, 0.0), dict.fromkeys(embedders, 0.0)
    for embedder in embedders.values():
        embedder.embed(texts[:32])
    for number, start in enumerate(range(0, len(texts), turn)):
        # Who goes first changes too.
        for engine in sorted(embedders, reverse=number % 2 == 1):
            began = time.perf_counter(), time.process_time()
            vectors[engine].append(embedders[engine].embed(texts[start : start + turn]))
            wall[engine] += time.perf_counter() - began[0]
            processor[engine] += time.process_time() - began[1]
        print(start + turn, wall, processor, file=sys.stderr, flush=True)
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


def main() -> None:
    """Measures and prints one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--turn", type=int, default=1000, help="passages that one engine does before the other")
    arguments = parser.parse_args()
    stores = {name: Episodes.open(path) for name, path in segments(arguments.home).items()}
    result: dict[str, Any] = {"cores": os.cpu_count(), "load_before": os.getloadavg()}
    result["engines"] = engines(arguments.model, sample(stores, arguments.passages), arguments.turn)
    result["load_after"] = os.getloadavg()
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
