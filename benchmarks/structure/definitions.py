"""Which of the definitions that Universal Ctags finds does loci's structure find too.

    cargo build --release -p loci-graph --example facts
    python benchmarks/structure/definitions.py --corpus DIR [--repository NAME ...] [--misses N] [--json]

Needs `ctags` (Universal Ctags with JSON output) on the PATH. For each repository below DIR both read the same files:
those that loci reads and knows the language of. Counted are the functions, methods, classes and types of ctags; one
is found if loci has a symbol of that name in that file on that line or the one above or below. Not counted is what
ctags takes for a definition by mistake: names it makes up for nameless things, keywords as names (`type A = B extends
C ? …`), names that do not stand on the line it gives, and "classes" of JavaScript that are object literals. A test
macro (`TEST(suite, name)`) and `module.exports = function` are found if loci has a symbol on that line, under its own
name for it. `--misses N` prints N misses of each repository with their source lines. Nothing is written or asserted.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

BINARY = Path(__file__).resolve().parents[2] / "target" / "release" / "examples" / "facts"

REPOSITORIES = (
    "scrapy",
    "express",
    "hono",
    "hugo",
    "ripgrep",
    "redis",
    "zim-tools",
    "gson",
    "jekyll",
    "dotfiles",
)
"""One for each of Python, JavaScript, TypeScript, Go, Rust, C, C++, Java, Ruby and shell."""

KINDS = frozenset(
    {"function", "func", "method", "singletonMethod", "methodSpec", "generator", "getter", "setter"}
    | {"class", "struct", "union", "enum", "interface", "trait", "annotation", "typedef", "type", "talias", "alias"}
)

BY_LINE = frozenset({"TEST", "TEST_F", "TEST_P", "exports"})
"""Names of ctags for which loci has the better one."""

LANGUAGES = frozenset({"Python", "JavaScript", "TypeScript", "Go", "Rust", "C", "C++", "Java", "Ruby", "Sh"})


def paths_of(repository: Path) -> list[str]:
    """The files that loci reads and knows the language of, relative to the repository."""
    result = subprocess.run([BINARY, "--paths", repository], capture_output=True, check=True, text=True)
    return result.stdout.splitlines()


def ours(repository: Path) -> dict[str, dict[str, list[int]]]:
    """The lines of every symbol: by path, then by name."""
    result = subprocess.run([BINARY, "--symbols", repository], capture_output=True, check=True, text=True)
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for line in result.stdout.splitlines():
        entry = json.loads(line)
        symbol = entry["symbol"]
        found[entry["path"]][symbol["name"]].append(symbol["name_line"])
    return found


def theirs(repository: Path, paths: list[str]) -> Iterator[dict]:
    """What ctags finds in these files: functions, methods, classes and types."""
    command = ["ctags", "-f", "-", "--output-format=json", "--fields=+nKlze", "--extras=-F", "--sort=no", "-L", "-"]
    result = subprocess.run(
        command, cwd=repository, input="\n".join(paths), capture_output=True, check=True, text=True, errors="replace"
    )
    for line in result.stdout.splitlines():
        tag = json.loads(line)
        # A method of Python is a "member"; the members of the other languages are fields.
        wanted = tag.get("kind") in KINDS or (tag.get("kind") == "member" and tag.get("language") == "Python")
        if tag.get("_type") == "tag" and wanted and tag.get("language") in LANGUAGES:
            yield tag


def cause(tag: dict, source: str, lines: list[int]) -> str:
    """Why a definition may be missing, by a look at its line."""
    name = re.escape(tag["name"])
    if lines:
        return "elsewhere in the file"
    if re.search(r"^\s*(#|//|\*|/\*)", source):
        return "in a comment"
    if tag["language"] in {"JavaScript", "TypeScript"} and re.search(rf"[{{,]?\s*['\"]?{name}['\"]?\s*:", source):
        return "property of an object"
    if re.search(rf"['\"].*{name}.*['\"]", source):
        return "in a string"
    if tag["language"] in {"C", "C++"} and re.search(rf"{name}\s*\(.*\)\s*;", source):
        return "macro call or declaration"
    return "other"


def compare(repository: Path, misses: int) -> dict:
    paths = paths_of(repository)
    known = ours(repository)
    totals: Counter[str] = Counter()
    found: Counter[str] = Counter()
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    causes: Counter[str] = Counter()
    examples: list[str] = []
    sources: dict[str, list[str]] = {}

    def source_line(path: str, line: int) -> str:
        if path not in sources:
            sources[path] = (repository / path).read_text(errors="replace").split("\n")
        return sources[path][line - 1] if line <= len(sources[path]) else ""

    for tag in theirs(repository, paths):
        name, path, line = tag["name"], tag["path"].removeprefix("./"), tag["line"]
        if (
            name.startswith("__anon")
            or name.startswith("anonymousFunction")
            or re.match(r"AnonymousFunction\w*$", name)
        ):
            continue
        # ctags writes `Foo.bar` and `Foo::bar` for some assigned methods.
        last = re.split(r"\.|::", name)[-1] if tag["language"] not in {"Ruby", "Sh"} else name
        source = source_line(path, line)
        if tag["kind"] == "class" and tag["language"] == "JavaScript" and re.search(r"[=:]\s*\{", source):
            continue
        if name in {"extends", "Function", "function"}:
            continue
        if not any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", source) for one in (last, name.replace(" ", ""))):
            continue
        names = known.get(path, {})
        lines = names.get(name) or names.get(last) or names.get(name.replace(" ", "")) or []
        if name in BY_LINE:
            lines = [other for others in names.values() for other in others]
        hit = any(abs(line - other) <= 1 for other in lines)
        totals[tag["language"]] += 1
        found[tag["language"]] += hit
        kinds[tag["kind"]][0] += 1
        kinds[tag["kind"]][1] += hit
        if not hit:
            why = cause(tag, source, lines)
            causes[why] += 1
            if len(examples) < misses:
                examples.append(f"{path}:{line} {tag['kind']} {name} [{why}] {source.strip()[:100]}")
    total = sum(totals.values())
    return {
        "repository": repository.name,
        "definitions": total,
        "found": sum(found.values()),
        "share": round(sum(found.values()) / total, 4) if total else None,
        "languages": {name: [totals[name], found[name]] for name in sorted(totals)},
        "kinds": dict(sorted(kinds.items())),
        "misses": dict(causes.most_common()),
        "examples": examples,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument(
        "--repository", action="append", help="a directory below the corpus; default: ten, one a language"
    )
    parser.add_argument("--misses", type=int, default=0, help="print this many misses of each repository")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not BINARY.exists():
        print("no facts binary: cargo build --release -p loci-graph --example facts", file=sys.stderr)
        return 2
    results = [compare(options.corpus / name, options.misses) for name in options.repository or REPOSITORIES]
    if options.json:
        print(json.dumps(results, indent=1))
        return 0
    for result in results:
        share = "-" if result["share"] is None else f"{result['share']:.1%}"
        print(
            f"{result['repository']:12} {result['definitions']:6} {result['found']:6} {share:>6}  {result['languages']}"
        )
        print(f"{'':12} by kind {result['kinds']}  misses {result['misses']}")
        for example in result["examples"]:
            print(f"{'':14}{example}")
    languages: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for result in results:
        for name, (total, found) in result["languages"].items():
            languages[name] += total
            hits[name] += found
    for name in sorted(languages):
        print(f"{name}: {hits[name]} of {languages[name]} = {hits[name] / languages[name]:.1%}")
    total = sum(languages.values())
    print(f"all: {sum(hits.values())} of {total} = {sum(hits.values()) / total:.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
