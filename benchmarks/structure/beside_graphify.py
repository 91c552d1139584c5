"""Times loci's structure and graphify's over the same repositories, one after the other in one run.

    uv tool install graphifyy
    uv run --no-sync python benchmarks/structure/beside_graphify.py --corpus DIR [--json result.json]

The work tree of every repository below DIR is copied into a temporary folder, since graphify may write into it; loci
builds its graph there in a process of its own, then `graphify update .` does. Of both the wall time and the processor
time with that of all their processes are printed, and the largest memory: on a busy machine compare the processor
times. With `--json` a run that was ended goes on where it stopped. DIR is only read.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

BUILD = """
import sys
from loci.structure import Graph, build
report = build(sys.argv[1], directory=sys.argv[2])
print(report.symbols, sum(report.edges.values()), report.bytes)
"""


def run(command: list[str], cwd: Path, environment: dict[str, str]) -> tuple[dict[str, Any], str]:
    """Wall and processor seconds, MB at most, exit code; and what it printed."""
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode(errors="replace")
    figures = {
        "seconds": round(wall, 2),
        "processor": round(usage.ru_utime + usage.ru_stime, 2),
        "megabytes": usage.ru_maxrss // 1024,
        "code": process.returncode,
    }
    return figures, said


def measure(repository: Path, graphify: str) -> dict[str, Any]:
    """Both on one repository."""
    with tempfile.TemporaryDirectory(prefix="loci-beside-") as folder:
        work, out, store = Path(folder) / repository.name, Path(folder) / "out", Path(folder) / "store"
        store.mkdir()
        shutil.copytree(
            repository, work, symlinks=True, ignore=lambda path, _: [".git"] if path == str(repository) else []
        )
        subprocess.run(["git", "init", "--quiet", str(work)], check=True, capture_output=True)
        ours, said = run([sys.executable, "-c", BUILD, str(work), str(store)], work, dict(os.environ))
        if ours["code"] == 0:
            ours["symbols"], ours["edges"], ours["bytes"] = (int(word) for word in said.split()[-3:])
        theirs, _ = run([graphify, "update", "."], work, {**os.environ, "GRAPHIFY_OUT": str(out)})
        made = next((path for path in (out, work / "graphify-out") if (path / "graph.json").exists()), None)
        if made is not None:
            data = json.loads((made / "graph.json").read_bytes())
            theirs["symbols"], theirs["edges"] = len(data["nodes"]), len(data["links"])
            theirs["bytes"] = (made / "graph.json").stat().st_size
    return {"loci": ours, "graphify": theirs}


def main() -> None:
    """Times loci's structure and graphify's over the same repositories."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="a folder of repositories")
    parser.add_argument("--repository", action="append", default=[], help="only this one (repeatable)")
    parser.add_argument("--graphify", default=shutil.which("graphify"), help="the command")
    parser.add_argument("--json", type=Path, help="where all figures go")
    arguments = parser.parse_args()
    if arguments.graphify is None:
        sys.exit("no command graphify: uv tool install graphifyy, or --graphify PATH")
    repositories = sorted(path for path in arguments.corpus.iterdir() if (path / ".git").exists())
    if arguments.repository:
        repositories = [path for path in repositories if path.name in arguments.repository]
    # What an earlier run that was ended has measured is not measured again.
    result: dict[str, Any] = {}
    if arguments.json is not None and arguments.json.exists():
        # What an earlier run that was ended has measured is not measured again.
        result = json.loads(arguments.json.read_text(encoding="utf-8"))
    keys = ("seconds", "processor", "megabytes", "symbols", "edges", "bytes")
    print(f"{'':16} " + "  ".join(f"{tool:>48}" for tool in ("loci", "graphify")))
    print(f"{'':16} " + "  ".join("   wall s    cpu s     MB   symbols     edges     KB" for _ in range(2)))

    def show(name: str, figures: dict[str, Any]) -> None:
        cells = []
        for tool in ("loci", "graphify"):
            row = [figures[tool].get(key, 0) for key in keys]
            cells.append(
                f"{row[0]:9.2f} {row[1]:8.2f} {row[2]:6} {row[3]:9} {row[4]:9} {row[5] // 1024:6}"
                + ("" if figures[tool].get("code", 0) == 0 else "!")
            )
        print(f"{name:16} " + "  ".join(cells), flush=True)

    for repository in repositories:
        if repository.name not in result:
            result[repository.name] = measure(repository, arguments.graphify)
        show(repository.name, result[repository.name])
        if arguments.json:
            arguments.json.write_text(json.dumps(result, indent=1), encoding="utf-8")
    total = {
        tool: {
            key: (max if key == "megabytes" else sum)(entry[tool].get(key, 0) for entry in result.values())
            for key in keys
        }
        for tool in ("loci", "graphify")
    }
    show("all", total)


if __name__ == "__main__":
    main()
