"""What the judges of calls share: call sites, a judge's answers, and the comparison with a graph of loci.

For: `calls_python.py` and `calls_scip.py`, which ask a tool that resolves names properly where the target of a call is
defined, and measure the calls in loci's graph by it.
Not for: passing or failing. The figures are printed, with the errors by cause.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

SEED = 5
SAMPLE = 400
Place = tuple[str, int]
"""A path relative to the repository's root, and a line from 1."""


@dataclass
class Site:
    """A call in the source, and what the judge says of it.

    Attributes:
        repository, path, line, column: where the called name stands.
        name: the last part of what is called.
        written: all of it, as far as it is a plain path.
        verdict: `inside` (defined in the repository, at `targets`), `outside` (in another package), `value` (a
            parameter or variable, whatever it holds), or `unknown` (the judge has no answer).
        targets: the definitions; several for overloads and conditional definitions.
        beside: the definitions of other calls of the same name on the same line, where the judge knows them. The edges
            of a graph say no column, and one of those is no answer to this site.
        values: for `value`, where the judge has it defined. A claim of that very place is right: `self.storage = Dict`
            makes `self.storage()` a call of the field, and so does a struct's member that holds a function.

    """

    repository: str
    path: str
    line: int
    column: int
    name: str
    written: str
    verdict: str = "unknown"
    targets: list[Place] = field(default_factory=list)
    beside: list[Place] = field(default_factory=list)
    values: list[Place] = field(default_factory=list)


def sample(sites: list[Site], size: int = SAMPLE, seed: int = SEED) -> list[Site]:
    """The same number of sites from each repository where they have so many, always the same ones."""
    by_repository: dict[str, list[Site]] = defaultdict(list)
    for site in sites:
        by_repository[site.repository].append(site)
    chosen: list[Site] = []
    left = size
    for place, (name, found) in enumerate(sorted(by_repository.items(), key=lambda item: len(item[1]))):
        share = left // (len(by_repository) - place)
        found.sort(key=lambda site: (site.path, site.line, site.column))
        part = random.Random(f"{seed} {name}").sample(found, min(share, len(found)))
        left -= len(part)
        chosen += part
    return sorted(chosen, key=lambda site: (site.repository, site.path, site.line, site.column))


def save(sites: list[Site], path: Path) -> None:
    """Writes a judge's answers."""
    path.write_text(json.dumps([asdict(site) for site in sites], indent=1), encoding="utf-8")


def load(path: Path) -> list[Site]:
    """Reads what :func:`save` wrote."""
    sites = [Site(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))]
    for site in sites:
        site.targets = [(place[0], place[1]) for place in site.targets]
        site.beside = [(place[0], place[1]) for place in site.beside]
        site.values = [(place[0], place[1]) for place in site.values]
    return sites


CONSTRUCTORS = {"__init__", "__new__", "constructor", "new"}


class Judged:
    """The graph of one repository, indexed for the comparison."""

    def __init__(self, root: Path) -> None:
        from loci.structure import Graph, build

        with tempfile.TemporaryDirectory() as directory:
            graph = Graph.open(Path(directory) / build(root, directory=directory).graph)
            edges, symbols = graph.edges(), graph.all_symbols()
        self.calls: dict[Place, list[Any]] = defaultdict(list)
        for edge in edges:
            if edge.relation == "calls":
                self.calls[edge.source_path, edge.line].append(edge)
        self.symbols: dict[Place, list[Any]] = defaultdict(list)
        constructors: dict[tuple[str, str], list[int]] = defaultdict(list)
        for symbol in symbols:
            self.symbols[symbol.path, symbol.line].append(symbol)
            owner, _, name = symbol.name.rpartition(".")
            if name in CONSTRUCTORS:
                constructors[symbol.path, owner].append(symbol.line)
        self.same: dict[Place, set[Place]] = defaultdict(set)
        for (path, line), found in self.symbols.items():
            for symbol in found:
                for other in constructors.get((path, symbol.name), []):
                    # Calling a class and calling its constructor are one thing.
                    self.same[path, line].add((path, other))
                    self.same[path, other].add((path, line))

    def accepted(self, targets: Iterable[Place]) -> set[Place]:
        """The targets, and for a class its constructor and the other way round."""
        places = set(targets)
        return places.union(*(self.same[place] for place in places)) if places else places


def compare(sites: list[Site], roots: dict[str, Path], *, examples: int = 6) -> dict[str, Any]:
    """Measures the graphs of the repositories by a judge's answers, and prints the figures.

    Precision is over the calls at these sites that loci claims as `exact` or `import` and on which the judge has an
    answer. Recall is over the sites whose target the judge places in the repository; a call that loci calls ambiguous
    counts where the target is among its candidates, and `recall_certain` leaves those out.
    """
    figures: dict[str, Any] = {}
    causes: dict[str, list[str]] = defaultdict(list)
    totals: Counter[str] = Counter()
    for repository in sorted({site.repository for site in sites}):
        graph = Judged(roots[repository])
        counts: Counter[str] = Counter()
        for site in sites:
            if site.repository != repository:
                continue
            counts["sites"] += 1
            counts[site.verdict] += 1
            accepted = graph.accepted(site.targets)
            here = graph.calls.get((site.path, site.line), [])
            # Several calls may stand on one line: those of this site have its name, or its target under another one.
            mine = [
                edge
                for edge in here
                if site.name in (edge.target.rpartition(".")[2], edge.target.split(".")[-2:][0])
                or (edge.target_path, edge.target_line) in accepted
            ]
            others = graph.accepted(site.beside) - accepted
            mine = [edge for edge in mine if (edge.target_path, edge.target_line) not in others]
            where = f"{repository}/{site.path}:{site.line} {site.written or site.name}()"
            certain = [edge for edge in mine if edge.resolution in ("exact", "import")]
            hits = [edge for edge in mine if (edge.target_path, edge.target_line) in accepted]
            for edge in certain[:1]:
                if site.verdict == "unknown":
                    counts["claims_unjudged"] += 1
                    continue
                counts["claims"] += 1
                said = f"{edge.target} {edge.target_path}:{edge.target_line} ({edge.resolution})"
                if any(edge in hits or (edge.target_path, edge.target_line) in site.values for edge in certain):
                    counts["claims_right"] += 1
                elif site.verdict == "inside":
                    path, line = site.targets[0]
                    causes[f"wrong: another definition, {edge.resolution}"].append(
                        f"{where}: {said}, judge {path}:{line}"
                    )
                else:
                    causes[f"wrong: the judge says {site.verdict}, {edge.resolution}"].append(f"{where}: {said}")
            if site.verdict != "inside":
                continue
            counts["findable"] += 1
            if hits:
                counts["found"] += 1
                counts["found_certain"] += all(edge.resolution != "ambiguous" for edge in hits)
                counts[f"found_{hits[0].resolution}"] += 1
                continue
            path, line = site.targets[0]
            if not any(graph.symbols.get(place) for place in accepted):
                cause = "missed: the definition is no symbol"
            elif mine:
                cause = f"missed: another target, {mine[0].resolution}"
            elif "." in site.written or not site.written:
                cause = "missed: no target, call on a receiver"
            else:
                cause = "missed: no target, plain name"
            causes[cause].append(f"{where}: judge {path}:{line}")
        figures[repository] = _rates(counts)
        totals += counts
    figures["all"] = _rates(totals)
    for name, rates in figures.items():
        print(
            f"{name:12} sites {rates['sites']:4}  precision {_show(rates['precision'])} of {rates['claims']:4} "
            f"exact or import ({rates['claims_unjudged']} more not judged)  recall {_show(rates['recall'])} of "
            f"{rates['findable']:4} (without ambiguous {_show(rates['recall_certain'])})"
        )
    for cause, found in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"{len(found):4} {cause}")
        for line in found[:examples]:
            print(f"       {line}")
    return {"figures": figures, "causes": dict(causes)}


def _rates(counts: Counter[str]) -> dict[str, Any]:
    def share(part: str, whole: str) -> float | None:
        return counts[part] / counts[whole] if counts[whole] else None

    keys = ("sites", "claims", "claims_right", "claims_unjudged", "findable", "found")
    return {
        **dict(counts),
        **{key: counts[key] for key in keys},
        "precision": share("claims_right", "claims"),
        "recall": share("found", "findable"),
        "recall_certain": share("found_certain", "findable"),
    }


def _show(rate: float | None) -> str:
    return "  -  " if rate is None else f"{rate:.3f}"
