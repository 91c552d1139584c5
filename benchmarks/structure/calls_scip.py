"""Measures the calls in loci's graphs by indexes that compilers made.

    uv run --no-sync python benchmarks/structure/calls_scip.py REPOSITORY=INDEX.scip...

Each REPOSITORY is a git work tree and INDEX.scip what an indexer wrote about the same files, made in a copy:

    npm install @sourcegraph/scip-typescript @sourcegraph/scip-python
    scip-typescript index --infer-tsconfig        # in a copy of a TypeScript repository
    scip-python index . --project-name NAME       # in a copy of a Python repository
    go install github.com/scip-code/scip-go/cmd/scip-go@latest
    scip-go                                       # in a copy of a Go module

SCIP does not say which occurrences are calls: here a call is an occurrence followed by `(`. Targets that the index
calls local (parameters, variables and functions inside functions) are left out, since they have no name outside their
file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from judging import SAMPLE, SEED, Place, Site, compare, sample
from scip_index import DEFINITION, FORWARD, IMPORT, documents

DESCRIPTOR = re.compile(r"([\w$]+)`?(?:\(\+?\d*\))?[.#]$")
CALLED = re.compile(r"\s*(?:\?\.)?(?:<[^<>()]*>|\[[^\[\]()]*\])?\(")
WRITTEN = re.compile(r"[\w$.]*$")


def sites_of(root: Path, index: Path) -> list[Site]:
    """The calls that an index knows the target of, with the definitions."""
    definitions: dict[str, set[Place]] = {}
    held = [document for document in documents(index) if not document.path.startswith("..")]
    for document in held:
        for occurrence in document.occurrences:
            if occurrence.roles & DEFINITION and not occurrence.symbol.startswith("local "):
                place = (document.path, occurrence.range[0] + 1)
                definitions.setdefault(occurrence.symbol, set()).add(place)
    packages = {tuple(symbol.split(" ")[2:3]) for symbol in definitions}
    sites: list[Site] = []
    for document in held:
        try:
            # Bytes, since reading as text would end a line at a lone \r, which compilers do not.
            lines = (root / document.path).read_bytes().decode().split("\n")
        except (OSError, ValueError):
            continue
        seen: dict[tuple[int, int], Site] = {}
        for occurrence in document.occurrences:
            line, start, last, end = occurrence.range
            if occurrence.roles & (DEFINITION | IMPORT | FORWARD) or occurrence.symbol.startswith("local "):
                continue
            if line != last or line >= len(lines):
                continue
            text = lines[line]
            name = text[start:end]
            if not re.fullmatch(r"[A-Za-z_$#][\w$]*", name) or not CALLED.match(text, end):
                continue
            before = WRITTEN.search(text[:start])
            found = seen.setdefault(
                (line, start),
                Site(
                    root.name,
                    document.path,
                    line + 1,
                    start,
                    name,
                    (before.group() if before else "") + name,
                    "outside",
                ),
            )
            owned = tuple(occurrence.symbol.split(" ")[2:3]) in packages
            named = DESCRIPTOR.search(occurrence.symbol)
            renamed = (
                named is not None and named.group(1) not in (name, "constructor", "__init__") and "." in found.written
            )
            if renamed or (owned and occurrence.symbol not in definitions):
                # The index contradicts itself: `module.Client` cannot be `AsyncClient`, as scip-python has it behind
                # `from ._client import *`, and a symbol of this very package is defined somewhere in it.
                if found.verdict == "outside":
                    found.verdict = "unknown"
                continue
            for place in sorted(definitions.get(occurrence.symbol, ())):
                found.verdict = "inside"
                if place not in found.targets:
                    found.targets.append(place)
        by_name: dict[tuple[int, str], list[Site]] = {}
        for site in seen.values():
            by_name.setdefault((site.line, site.name), []).append(site)
        for same in by_name.values():
            for site in same:
                site.beside = [place for other in same if other is not site for place in other.targets]
        sites += seen.values()
    return sites


def main() -> None:
    """Compares loci's graphs with SCIP indexes."""
    parser = argparse.ArgumentParser(description=main.__doc__, epilog=f"seed {SEED}")
    parser.add_argument("repositories", nargs="+", metavar="REPOSITORY=INDEX")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"calls to compare (default: {SAMPLE})")
    parser.add_argument("--json", type=Path, help="where the figures and all errors go")
    parser.add_argument("--examples", type=int, default=6, help="errors printed of each cause (default: 6)")
    arguments = parser.parse_args()
    pairs = [
        (Path(pair.rpartition("=")[0]).resolve(), Path(pair.rpartition("=")[2])) for pair in arguments.repositories
    ]
    sites = sample([site for root, index in pairs for site in sites_of(root, index)], arguments.sample)
    result = compare(sites, {root.name: root for root, _ in pairs}, examples=arguments.examples)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
