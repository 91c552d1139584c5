"""How long the structure of a repository takes after one file changed, beside building it from nothing.

    python benchmarks/structure/update.py REPOSITORY [--times N]

REPOSITORY is copied first. A source file of the copy then changes N times, in turn by a line of comment, by a new
function at its end, and by a call of that function; each time the graph is built from the one before, written and
synced. Prints the median and the longest in milliseconds and as a share of building it all, and fails unless the last
graph is byte for byte that of a fresh build. Times on a busy machine are no times: read the share.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from loci.structure import build

LINES = {
    ".py": ("# line {n}", "def changed_{n}(): pass", "changed_{n}()"),
    ".ts": ("// line {n}", "export function changed{n}() {{}}", "changed{n}();"),
    ".js": ("// line {n}", "function changed{n}() {{}}", "changed{n}();"),
    ".go": ("// line {n}", "func changed{n}() {{}}", "func call{n}() {{ changed{n}() }}"),
    ".rs": ("// line {n}", "fn changed_{n}() {{}}", "fn call_{n}() {{ changed_{n}() }}"),
    ".c": ("/* line {n} */", "int changed_{n}(void) {{ return 0; }}", "int call_{n}(void) {{ return changed_{n}(); }}"),
}


def file_of(root: Path) -> Path:
    """The median file by size of the language with most files."""
    files = [path for path in root.rglob("*") if path.suffix in LINES and ".git" not in path.parts and path.is_file()]
    most = Counter(path.suffix for path in files).most_common(1)[0][0]
    files = sorted((path for path in files if path.suffix == most), key=lambda path: (path.stat().st_size, str(path)))
    return files[len(files) // 2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--times", type=int, default=12)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        root, graphs, fresh = (Path(directory) / name for name in ("copy", "graphs", "fresh"))
        shutil.copytree(options.repository, root, symlinks=True)
        graphs.mkdir()
        fresh.mkdir()
        file = file_of(root)
        started = time.perf_counter()
        report = build(root, directory=graphs)
        whole = time.perf_counter() - started
        print(f"{options.repository.name}: {report.files} files, {report.symbols} symbols, {report.bytes} bytes")
        print(f"from nothing {whole:.2f} s; {file.relative_to(root)} changes")
        seconds = []
        for number in range(options.times):
            with file.open("a", encoding="utf-8") as stream:
                line = LINES[file.suffix][number % 3]
                stream.write("\n" + line.format(n=number // 3) + "\n")
            started = time.perf_counter()
            report = build(root, directory=graphs, previous=graphs / report.graph)
            seconds.append(time.perf_counter() - started)
        median, longest = statistics.median(seconds), max(seconds)
        print(
            f"one file changed {options.times} times: median {1000 * median:.0f} ms, longest {1000 * longest:.0f} ms; "
            f"{median / whole:.4f} of building it all"
        )
        same = build(root, directory=fresh).graph == report.graph
        print(f"the bytes of a fresh build: {'yes' if same else 'NO'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
