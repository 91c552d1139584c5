"""Which of the definitions that Universal Ctags finds does loci's structure find too.

    cargo build --release -p loci-graph --example facts
    python benchmarks/structure/definitions.py --corpus DIR [--repository NAME ... | --all] [--misses N] [--json]

Needs `ctags` (Universal Ctags with JSON output) on the PATH. For each repository below DIR both read the same files:
those that loci reads and knows the language of. Counted are the functions, methods, classes and types of ctags; one
is found if loci has a symbol of that name in that file on that line or the one above or below.

Two figures are printed. The first counts every tag. The second leaves out what is no definition by the look of its own
line, whether loci has it or not: see `mistaken`, whose answers are counted and printed. A test macro
(`TEST(suite, name)`) and `module.exports = function` are found if loci has a symbol on that line, under its own name
for it. `--misses N` prints N misses of each repository with their source lines, `--all` takes every directory below
DIR. Nothing is written or asserted.
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


def mistaken(tag: dict, source: str) -> str | None:
    """Why a tag is no definition, by the line that it gives; `None` for all others, found or not."""
    name, language, kind = tag["name"], tag["language"], tag["kind"]
    if re.match(r"__anon|anonymousFunction|AnonymousFunction\w*$", name):
        return "a made-up name for something nameless"
    if language in {"JavaScript", "TypeScript"} and name in {"extends", "Function", "function", "from"}:
        return "a keyword"
    if language == "Sh" and name.endswith("="):
        return "an array of the shell: name=()"
    # ctags writes `Foo.bar` and `Foo::bar` for some assigned methods.
    last = name if language in {"Ruby", "Sh"} else re.split(r"\.|::", name)[-1]
    if not any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", source) for one in (last, name.replace(" ", ""))):
        return "a name that is not on its line"
    escaped = re.escape(last)
    if language == "TypeScript" and kind == "alias" and not re.search(rf"\btype\s+{escaped}\s*(=|<|$)", source):
        return "a type that is imported or used"
    if language == "JavaScript":
        if kind == "class" and re.search(r"[=:]\s*\{", source):
            return "an object taken for a class"
        defined = rf"(function\*?|class)\s+{escaped}\b|\b{escaped}['\"]?\s*([=:]|\()"
        if re.search(rf"\b{escaped}\s*[.\[]", source) and not re.search(defined, source):
            return "the receiver of what is assigned or called"
    return None


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
    """The counts of one repository."""
    paths = paths_of(repository)
    known = ours(repository)
    totals: dict[str, Counter[str]] = defaultdict(Counter)
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
        source = source_line(path, line)
        last = name if tag["language"] in {"Ruby", "Sh"} else re.split(r"\.|::", name)[-1]
        names = known.get(path, {})
        lines = names.get(name) or names.get(last) or names.get(name.replace(" ", "")) or []
        if name in BY_LINE:
            lines = [other for others in names.values() for other in others]
        hit = any(abs(line - other) <= 1 for other in lines)
        count = totals[tag["language"]]
        count["tags"] += 1
        count["tags found"] += hit
        aside = mistaken(tag, source)
        if aside:
            count[f"aside: {aside}"] += 1
            count[f"found: {aside}"] += hit
            continue
        count["definitions"] += 1
        count["definitions found"] += hit
        kinds[tag["kind"]][0] += 1
        kinds[tag["kind"]][1] += hit
        if not hit:
            why = cause(tag, source, lines)
            causes[why] += 1
            if len(examples) < misses:
                examples.append(f"{path}:{line} {tag['kind']} {name} [{why}] {source.strip()[:100]}")
    return {
        "repository": repository.name,
        "languages": {name: dict(totals[name]) for name in sorted(totals)},
        "kinds": dict(sorted(kinds.items())),
        "misses": dict(causes.most_common()),
        "examples": examples,
    }


def share(found: int, total: int) -> str:
    """Counts and their ratio."""
    return f"{found:6} of {total:6} {found / total:7.2%}" if total else f"{'none':>24}"


def both(name: str, count: Counter[str]) -> str:
    """The two figures on one line."""
    definitions = share(count["definitions found"], count["definitions"])
    return f"{name:14} definitions {definitions}   every tag {share(count['tags found'], count['tags'])}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument(
        "--repository", action="append", help="a directory below the corpus; default: ten, one a language"
    )
    parser.add_argument("--all", action="store_true", help="every directory below the corpus")
    parser.add_argument("--misses", type=int, default=0, help="print this many misses of each repository")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not BINARY.exists():
        print("no facts binary: cargo build --release -p loci-graph --example facts", file=sys.stderr)
        return 2
    every = sorted(path.name for path in options.corpus.iterdir() if path.is_dir()) if options.all else None
    results = [compare(options.corpus / name, options.misses) for name in every or options.repository or REPOSITORIES]
    if options.json:
        print(json.dumps(results, indent=1))
        return 0
    languages: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        of_repository: Counter[str] = Counter()
        for name, counts in result["languages"].items():
            languages[name].update(counts)
            of_repository.update(counts)
        print(both(result["repository"], of_repository))
        print(f"{'':6}by kind {result['kinds']}  misses {result['misses']}")
        for example in result["examples"]:
            print(f"{'':10}{example}")
    print()
    everything: Counter[str] = Counter()
    for name in sorted(languages):
        print(both(name, languages[name]))
        everything.update(languages[name])
        for why, number in sorted(languages[name].items()):
            if why.startswith("aside: "):
                found = languages[name]["found" + why.removeprefix("aside")]
                print(f"{'':6}left out {number}, of which loci has {found}: {why.removeprefix('aside: ')}")
    print(both("all", everything))
    return 0


if __name__ == "__main__":
    sys.exit(main())
