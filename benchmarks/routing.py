"""How the time of one `route` grows with the number of scopes.

    python benchmarks/routing.py --corpus DIR --questions FILE [--parts 10] [--json]

Reads the repositories below DIR as plain texts (windows of 50 lines, commit messages) and indexes them in memory twice:
one scope per repository, then each repository cut into `--parts` scopes of the same total size. The same questions are
routed over both. Then many small synthetic scopes: 25, 100 and 1,000. Prints medians and ratios of one run; nothing is
written and nothing is asserted.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from loci.router import Router, RoutingIndex

WINDOW_LINES = 50
MAX_FILE_BYTES = 1 << 20


def texts_of(repository: Path) -> Iterator[str]:
    """The repository's text files in windows, then its commit messages."""

    def git(*arguments: str) -> bytes:
        return subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True).stdout

    for name in git("ls-files", "-z").split(b"\0"):
        path = repository / name.decode("utf-8", "surrogateescape")
        if not name or path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
            continue
        data = path.read_bytes()
        if b"\0" in data:
            continue
        lines = data.decode("utf-8", "replace").splitlines()
        for start in range(0, len(lines), WINDOW_LINES):
            yield "\n".join(lines[start : start + WINDOW_LINES])
    yield from git("log", "--format=%B%x00").decode("utf-8", "replace").split("\0")


def synthetic(scopes: int, passages: int = 40, words: int = 30) -> dict[str, list[str]]:
    """Small scopes that share most of their words, drawn with a fixed seed."""
    draw = random.Random(scopes)
    common = [f"word{number}" for number in range(2_000)]
    return {
        f"scope{number:04}": [" ".join([f"own{number}", *draw.choices(common, k=words)]) for _ in range(passages)]
        for number in range(scopes)
    }


def measure(texts: Mapping[str, list[str]], questions: list[str]) -> dict[str, float]:
    """Median and 95th percentile of one route in milliseconds."""
    router = Router(RoutingIndex.from_texts(texts))
    router.route(questions[0])
    seconds = []
    for question in questions:
        start = time.perf_counter()
        router.route(question)
        seconds.append(time.perf_counter() - start)
    seconds.sort()
    return {
        "scopes": len(texts),
        "passages": sum(map(len, texts.values())),
        "median_ms": 1e3 * statistics.median(seconds),
        "p95_ms": 1e3 * seconds[int(0.95 * (len(seconds) - 1))],
    }


def main() -> int:
    """Runs the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True, help="a folder with one repository per folder")
    parser.add_argument("--questions", type=Path, required=True, help="JSONL with a `question` on each line")
    parser.add_argument("--parts", type=int, default=10, help="scopes made of each repository (default 10)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    with options.questions.open(encoding="utf-8") as file:
        questions = [json.loads(line)["question"] for line in file if line.strip()]
    whole = {path.name: list(texts_of(path)) for path in sorted(options.corpus.iterdir()) if (path / ".git").exists()}
    parts = {
        f"{name}-{part:02}": texts[part :: options.parts]
        for name, texts in whole.items()
        for part in range(options.parts)
    }
    rows = {"repositories": measure(whole, questions), "parts": measure(parts, questions)}
    draw = random.Random(0)
    for count in (25, 100, 1_000):
        asked = [" ".join(f"word{draw.randrange(2_000)}" for _ in range(8)) for _ in range(50)]
        rows[f"synthetic {count}"] = measure(synthetic(count), asked)
    ratio = rows["parts"]["median_ms"] / rows["repositories"]["median_ms"]
    if options.json:
        print(json.dumps({"rows": rows, "parts_to_repositories": ratio}, indent=2))
        return 0
    print(f"{'':16} {'scopes':>7} {'passages':>9} {'median ms':>10} {'p95 ms':>8}")
    for name, row in rows.items():
        print(f"{name:16} {row['scopes']:7} {row['passages']:9} {row['median_ms']:10.2f} {row['p95_ms']:8.2f}")
    print(f"{options.parts} times as many scopes of the same total size take {ratio:.1f} times as long")
    return 0


if __name__ == "__main__":
    sys.exit(main())
