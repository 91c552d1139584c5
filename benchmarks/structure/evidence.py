"""Whether the structure store shows the file that answers: the benchmark's structure questions, scope given.

    python benchmarks/structure/evidence.py --corpus DIR --questions questions.jsonl [--hints] [--misses] [--family NAME]

For each question the graph of its project is asked; a question counts at 3 (10) when one of its evidence files is the
file of one of the first 3 (10) symbols shown. `--hints` also gives the graph what the episode store finds for the same
question, as `loci ask` does. Builds of both stores are kept below `--stores` between runs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from loci.episodes import Episodes
from loci.episodes import build as build_episodes
from loci.structure import Graph
from loci.structure import build as build_graph


def main() -> None:
    """Asks every question and prints the shares."""
    parser = argparse.ArgumentParser(description="Whether the structure store shows the file that answers.")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--stores", type=Path, default=Path(".structure-stores"))
    parser.add_argument("--family", action="append", help="structure; may be given several times")
    parser.add_argument("--hints", action="store_true")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    questions = [json.loads(line) for line in options.questions.read_text(encoding="utf-8").splitlines()]
    families = options.family or ["structure"]
    questions = [
        question
        for question in questions
        if question["family"] in families
        and len(question["scopes"]) == 1
        and any("path" in evidence for evidence in question["evidence"])
    ]
    graphs: dict[str, Graph] = {}
    passages: dict[str, Episodes] = {}
    hits = {1: 0, 3: 0, 10: 0}
    seconds = []
    for question in questions:
        name = question["scopes"][0]
        root = options.corpus / name
        directory = options.stores / name
        directory.mkdir(parents=True, exist_ok=True)
        if name not in graphs:
            previous = next(iter(directory.glob("*.graph.safetensors")), None)
            report = build_graph(root, directory=directory, previous=previous)
            for old in directory.glob("*.graph.safetensors"):
                if old.name != report.graph:
                    old.unlink()
            graphs[name] = Graph.open(directory / report.graph)
        hints: list[str] = []
        if options.hints:
            if name not in passages:
                segment = next((path for path in directory.glob("*.safetensors") if ".graph." not in path.name), None)
                if segment is None:
                    segment = directory / build_episodes(root, directory=directory).segment
                passages[name] = Episodes.open(segment)
            found = passages[name].lanes(question["question"], k=10).files
            hints = [f"{hit.path}#{hit.symbol}" if hit.symbol else hit.path for hit in found]
        started = time.perf_counter()
        shown = graphs[name].query(question["question"], budget=40, hints=hints)
        seconds.append(time.perf_counter() - started)
        wanted = {evidence["path"] for evidence in question["evidence"] if "path" in evidence}
        rank = next((place for place, symbol in enumerate(shown, 1) if symbol.path in wanted), None)
        for k in hits:
            hits[k] += rank is not None and rank <= k
        if options.misses and (rank is None or rank > 3):
            print(f"{question['id']}: rank {rank}; wanted {sorted(wanted)}")
            for symbol in list(shown)[:10]:
                print(f"    {symbol.path}:{symbol.line} {symbol.name} {symbol.relation or ''} {symbol.of or ''}")
    shares = ", ".join(f"@{k} {100 * count / len(questions):.1f} %" for k, count in hits.items())
    print(
        f"{len(questions)} questions{' with hints' if options.hints else ''}: {shares}; "
        f"median {1000 * statistics.median(seconds):.2f} ms, longest {1000 * max(seconds):.2f} ms"
    )


if __name__ == "__main__":
    main()
