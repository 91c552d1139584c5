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


DEFINED = re.compile(r"\b(?:def|class)\s+$")
METHOD = re.compile(r"\s*(?:(?:async|get|set|static)\s+|\*\s*)*$")
BODY = re.compile(r"\s*(?::[^;=]{0,200}?)?\{")


def defines(lines: list[str], line: int, start: int, end: int) -> bool:
    """Whether a name with brackets is a definition: `def total(`, or `total() {` in an object literal.

    Of the latter indexes say that it uses what the type of the object declares.
    """
    text = lines[line]
    if DEFINED.search(text[:start]):
        return True
    if not METHOD.match(text[:start]):
        return False
    rest = "\n".join([text[end:], *lines[line + 1 : line + 40]])
    depth = 0
    for at, letter in enumerate(rest):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and letter == ")":
            return BODY.match(rest[at + 1 : at + 300]) is not None
        if depth < 0 or (depth == 0 and letter in ";,"):
            return False
    return False


def is_python(symbol: str) -> bool:
    """Whether scip-python wrote a symbol."""
    return symbol.startswith("scip-python ")


def plain(symbol: str) -> str:
    """A symbol of Python by its module and what stands in it, without the package, its version and the folder `src`."""
    descriptor = symbol.split(" ", 4)[4]
    return descriptor.replace("`src.", "`", 1)


def implemented(place: Place, name: str, sources: Sources) -> list[Place]:
    """A definition, and for the head of an overload all definitions of the name behind it as well."""
    path, line = place
    lines = sources.of(path)
    decorators = "".join(lines[max(line - 3, 0) : line - 1])
    if not re.search(r"@(?:\w+\.)?overload\b", decorators):
        return [place]
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    head = re.compile(rf"\s{{{indent}}}(?:async )?def {re.escape(name)}\b")
    return [place] + [(path, at) for at, text in enumerate(lines, 1) if at > line and head.match(text)]


class Sources:
    """The lines of the files of a repository."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        """The lines of a file; none where it cannot be read."""
        if path not in self.known:
            try:
                # Bytes, since reading as text would end a line at a lone \r, which compilers do not.
                self.known[path] = (self.root / path).read_bytes().decode().split("\n")
            except (OSError, ValueError):
                self.known[path] = []
        return self.known[path]


def sites_of(root: Path, index: Path) -> list[Site]:
    """The calls that an index knows the target of, with the definitions."""
    definitions: dict[str, set[Place]] = {}
    sources = Sources(root)
    held = [document for document in documents(index) if not document.path.startswith("..")]
    for document in held:
        for occurrence in document.occurrences:
            if occurrence.roles & DEFINITION and not occurrence.symbol.startswith("local "):
                place = (document.path, occurrence.range[0] + 1)
                definitions.setdefault(occurrence.symbol, set()).add(place)
    packages = {tuple(symbol.split(" ")[2:3]) for symbol in definitions}
    # scip-python names what stands in a `src` folder by its place in the repository, and its uses by their imports.
    imported = {plain(symbol): places for symbol, places in definitions.items() if is_python(symbol)}
    sites: list[Site] = []
    for document in held:
        lines = sources.of(document.path)
        if not lines:
            continue
        seen: dict[tuple[int, int], Site] = {}
        defined = {one.range[:2] for one in document.occurrences if one.roles & DEFINITION}
        for occurrence in document.occurrences:
            line, start, last, end = occurrence.range
            if (line, start) in defined or (line < len(lines) and defines(lines, line, start, end)):
                continue
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
            targets = definitions.get(occurrence.symbol, set())
            if not targets and is_python(occurrence.symbol):
                targets = imported.get(plain(occurrence.symbol), set())
            if is_python(occurrence.symbol) and occurrence.symbol.endswith(")"):
                # `cls()` is a call of a parameter.
                found.verdict = "value"
                continue
            owned = tuple(occurrence.symbol.split(" ")[2:3]) in packages
            named = DESCRIPTOR.search(occurrence.symbol)
            renamed = (
                named is not None and named.group(1) not in (name, "constructor", "__init__") and "." in found.written
            )
            if renamed or (owned and not targets):
                # The index contradicts itself: `module.Client` cannot be `AsyncClient`, as scip-python has it behind
                # `from ._client import *`, and a symbol of this very package is defined somewhere in it.
                if found.verdict == "outside":
                    found.verdict = "unknown"
                continue
            for place in sorted(targets):
                found.verdict = "inside"
                for one in implemented(place, name, sources) if is_python(occurrence.symbol) else [place]:
                    if one not in found.targets:
                        found.targets.append(one)
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
