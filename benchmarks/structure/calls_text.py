"""Which calls of functions with a name of their own lead there, in every language, without any judge but the text.

    python benchmarks/structure/calls_text.py --corpus DIR [--misses 10] [--language TypeScript]

A function or method whose name no other symbol of its project has, of seven letters or more, should be what `name(` in
a file of its language means. The script counts the lines where that stands outside of comments and the graph has a call
that leads there, on the line or the next. It is a floor and a way to find what is missing, no recall: a method of a
library may have the same name, a local variable too, and strings and heads of definitions that span lines are counted.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import defaultdict
from pathlib import Path

from loci.structure import Graph, StructureError, build

SUFFIXES = {
    **dict.fromkeys((".py",), "Python"),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), "JavaScript"),
    **dict.fromkeys((".ts", ".tsx"), "TypeScript"),
    **dict.fromkeys((".go",), "Go"),
    **dict.fromkeys((".rs",), "Rust"),
    **dict.fromkeys((".c", ".h"), "C"),
    **dict.fromkeys((".cc", ".cpp", ".hpp"), "C++"),
    **dict.fromkeys((".java",), "Java"),
    **dict.fromkeys((".rb",), "Ruby"),
    **dict.fromkeys((".vue",), "Vue"),
}
LEAST_LETTERS = 7
CALL = re.compile(r"(?<![\w$])(\w{7,})\s*!?\(")
HEAD = re.compile(r"\s*(?:def|func|fn|function|class|public|private|protected|static|pub|export|async)\b")


def without_comments(text: str, language: str) -> str:
    """The text with its comments gone, lines kept."""

    def gone(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n")

    if language in ("Python", "Ruby"):
        text = re.sub(r"(?m)#.*$", "", text)
        return re.sub(r'(?s)("""|\'\'\').*?\1', gone, text) if language == "Python" else text
    return re.sub(r"(?m)//.*$", "", re.sub(r"(?s)/\*.*?\*/", gone, text))


def main() -> None:
    """Counts every repository of the corpus and prints the shares."""
    parser = argparse.ArgumentParser(description="Calls of names that are the only ones, counted against the text.")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--language")
    options = parser.parse_args()
    found: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    misses: dict[str, list[str]] = defaultdict(list)
    for root in sorted(path for path in options.corpus.iterdir() if path.is_dir()):
        with tempfile.TemporaryDirectory() as directory:
            try:
                graph = Graph.open(Path(directory) / build(root, directory=directory).graph)
            except StructureError as error:
                print(f"{root.name}: {error}")
                continue
            count(root, graph, found, total, misses)
    pick = random.Random(1)
    for language in sorted(total):
        if options.language in (None, language):
            print(f"{language:<11} {100 * found[language] / total[language]:5.1f} % of {total[language]:,}")
            some = misses[language]
            for line in pick.sample(some, min(options.misses, len(some))):
                print(f"    {line}")


def count(root: Path, graph: Graph, found: dict[str, int], total: dict[str, int], misses: dict[str, list[str]]) -> None:
    """Adds the lines of one repository."""
    symbols = graph.all_symbols()
    by_name = defaultdict(list)
    for symbol in symbols:
        by_name[re.split(r"[.#]", symbol.name)[-1]].append(symbol)
    alone = {
        name: same[0]
        for name, same in by_name.items()
        if len(same) == 1
        and len(name) >= LEAST_LETTERS
        and name.isidentifier()
        and same[0].kind in ("function", "method")
    }
    calls: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for edge in graph.edges():
        name = re.split(r"[.#]", edge.target)[-1]
        if edge.relation == "calls" and name in alone:
            calls[name].add((edge.source_path, edge.line))
    for path in sorted({symbol.path for symbol in symbols}):
        language = SUFFIXES.get(Path(path).suffix)
        if language is None or not (root / path).is_file():
            continue
        text = without_comments((root / path).read_text(encoding="utf-8", errors="replace"), language)
        for number, line in enumerate(text.split("\n"), 1):
            if HEAD.match(line):
                continue
            for name in CALL.findall(line):
                symbol = alone.get(name)
                if symbol is None or SUFFIXES.get(Path(symbol.path).suffix) != language:
                    continue
                if symbol.path == path and abs(symbol.line - number) < 2:
                    continue
                total[language] += 1
                if any((path, number + step) in calls[name] for step in (-1, 0, 1)):
                    found[language] += 1
                else:
                    misses[language].append(f"{root.name}/{path}:{number} {line.strip()[:100]} ({symbol.path})")


if __name__ == "__main__":
    main()
