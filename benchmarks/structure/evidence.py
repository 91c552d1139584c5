"""Whether the structure store shows the file that answers: the benchmark's structure questions, scope given.

    python benchmarks/structure/evidence.py --corpus DIR --questions questions.jsonl [--hints] [--misses]
        [--family NAME] [--model DIR]

For each question the graph of its project is asked; a question counts at 3 (10) when one of its evidence files is the
file of one of the first 3 (10) symbols shown. `--hints` also gives the graph what the episode store finds for the same
question by words, as `loci ask` does. `--model` gives the symbols vectors, as `loci embed` does, with floors fitted
among all projects of the questions; five to ten minutes for the public corpus. Builds and vectors are kept below
`--stores` between runs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np

from loci.core.build.symbol_vectors import SymbolSemantics, numbers_by_key
from loci.core.build.vectors import _headings
from loci.episodes import Embedder, Episodes, Vectors, embed_texts, fit_floor, open_embedder
from loci.episodes import build as build_episodes
from loci.episodes._vectors import MAX_TOKENS
from loci.router import read
from loci.structure import Graph
from loci.structure import build as build_graph


def open_graph(root: Path, directory: Path) -> Graph:
    """The graph of a project, built where it is not as its files are now."""
    directory.mkdir(parents=True, exist_ok=True)
    previous = next(iter(directory.glob("*.graph.safetensors")), None)
    report = build_graph(root, directory=directory, previous=previous)
    for old in directory.glob("*.graph.safetensors"):
        if old.name != report.graph:
            old.unlink()
    return Graph.open(directory / report.graph)


def open_passages(root: Path, directory: Path) -> Episodes:
    """The passages of a project, built once."""
    segments = (path for path in directory.glob("*.safetensors") if path.name.count(".") == 1)
    segment = next(segments, None)
    return Episodes.open(segment or directory / build_episodes(root, directory=directory).segment)


def with_vectors(
    graphs: dict[str, Graph], passages: dict[str, Episodes], embedder: Embedder, stores: Path
) -> dict[str, SymbolSemantics]:
    """The vectors of each project's symbols and the floor that headings and subjects of the others set."""
    vectors: dict[str, Vectors] = {}
    for name, graph in graphs.items():
        known = next(iter((stores / name).glob("*.vectors.safetensors")), None)
        started = time.perf_counter()
        made = embed_texts(graph.labels(), embedder, previous=Vectors.open(known) if known else None)
        vectors[name] = made.vectors
        if made.embedded:
            made.vectors.save(stores / name)
            seconds = time.perf_counter() - started
            print(f"{name}: {made.embedded} labels of {graph.symbols} symbols in {seconds:.1f} s", flush=True)
            if known:
                known.unlink()
    probes = {name: embedder.embed(_headings(store), question=True) for name, store in passages.items()}
    found = {}
    for name in graphs:
        floor = fit_floor(vectors[name], np.concatenate([own for other, own in probes.items() if other != name]))
        numbers = numbers_by_key(graphs[name])
        found[name] = SymbolSemantics(vectors[name], floor, lambda _, numbers=numbers: numbers)
    return found


def main() -> None:
    """Asks every question and prints the shares."""
    parser = argparse.ArgumentParser(description="Whether the structure store shows the file that answers.")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--stores", type=Path, default=Path(".structure-stores"))
    parser.add_argument("--family", action="append", help="structure; may be given several times")
    parser.add_argument("--hints", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--model", type=Path)
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
    names = sorted({question["scopes"][0] for question in questions})
    graphs = {name: open_graph(options.corpus / name, options.stores / name) for name in names}
    passages: dict[str, Episodes] = {}
    if options.hints or options.model:
        passages = {name: open_passages(options.corpus / name, options.stores / name) for name in names}
    embedder = open_embedder(options.model, max_tokens=MAX_TOKENS) if options.model else None
    near = with_vectors(graphs, passages, embedder, options.stores) if embedder is not None else {}
    hits = {1: 0, 3: 0, 10: 0}
    seconds = []
    reached = foreign = 0
    for question in questions:
        name, text = question["scopes"][0], question["question"]
        hints: list[str] = []
        if options.hints:
            found = passages[name].lanes(text, k=10).files
            hints = [f"{hit.path}#{hit.symbol}" if hit.symbol else hit.path for hit in found]
        asked = embedder.embed([text], question=True)[0] if embedder is not None else None
        started = time.perf_counter()
        nearest = near[name].near(asked, graphs[name]) if asked is not None else ()
        understood = read(text)
        shown = graphs[name].query(
            text,
            names=[each.name for each in understood.code_names],
            relations=understood.asked_relations,
            budget=40,
            hints=hints,
            near=nearest,
        )
        seconds.append(time.perf_counter() - started)
        if asked is not None:
            reached += bool(nearest)
            foreign += sum(bool(near[other].near(asked, graphs[other])) for other in names if other != name)
        wanted = {evidence["path"] for evidence in question["evidence"] if "path" in evidence}
        rank = next((place for place, symbol in enumerate(shown, 1) if symbol.path in wanted), None)
        for k in hits:
            hits[k] += rank is not None and rank <= k
        if options.misses and (rank is None or rank > 3):
            print(f"{question['id']}: rank {rank}; wanted {sorted(wanted)}")
            for symbol in list(shown)[:10]:
                print(f"    {symbol.path}:{symbol.line} {symbol.name} {symbol.relation or ''} {symbol.of or ''}")
    shares = ", ".join(f"@{k} {100 * count / len(questions):.1f} %" for k, count in hits.items())
    also = (" with hints" if options.hints else "") + (" with vectors" if near else "")
    print(
        f"{len(questions)} questions{also}: {shares}; "
        f"median {1000 * statistics.median(seconds):.2f} ms, longest {1000 * max(seconds):.2f} ms"
    )
    if near:
        pairs = len(questions) * (len(names) - 1)
        print(
            f"the floor is reached in the right project by {reached} of {len(questions)} questions, "
            f"in others by {foreign} of {pairs}"
        )


if __name__ == "__main__":
    main()
