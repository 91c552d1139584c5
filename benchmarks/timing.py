#!/usr/bin/env python3
"""How long loci takes and how much memory it needs, over a directory of git repositories.

    timing.py --corpus DIR --questions FILE [--json FILE] [--change NAME ...] [--repeat N]

Every index run and every `loci ask` is a process of its own, so that its time is what a person waits and its peak
memory is its own. The corpus is only read: new commits are made in temporary clones, which stand in for their
repositories from the start. Nothing here is asserted: a test that fails on a busy machine teaches nobody anything.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

IN_PROCESS = """
import json, sys, time
from loci.core import Memory
questions = json.load(sys.stdin)
started = time.perf_counter()
memory = Memory.open(sys.argv[1])
memory.route(questions[0])
opened = time.perf_counter() - started
seconds = {"route": [], "ask": [], "answered": []}
for question in questions:
    started = time.perf_counter()
    memory.route(question)
    seconds["route"].append(time.perf_counter() - started)
for question in questions:
    started = time.perf_counter()
    answer = memory.ask(question)
    seconds["ask"].append(time.perf_counter() - started)
    if not answer.abstained:  # an abstention searches nothing, so a system that abstains more would look faster
        seconds["answered"].append(seconds["ask"][-1])
json.dump({"open": opened, **seconds}, sys.stdout)
"""


@dataclass(frozen=True)
class Run:
    """One finished process: wall seconds, user + system seconds, peak resident memory in bytes, standard output."""

    seconds: float
    cpu_seconds: float
    peak_rss: int
    output: bytes


def run(arguments: Sequence[str], home: Path, stdin: str = "") -> Run:
    """Runs a process to its end with LOCI_HOME set; raises SystemExit with its standard error when it fails."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        source.write(stdin.encode())
        source.seek(0)
        environment = {**os.environ, "LOCI_HOME": str(home)}
        started = time.perf_counter()
        process = subprocess.Popen(arguments, stdin=source, stdout=output, stderr=errors, env=environment)
        # wait4 gives this child's own usage; getrusage(RUSAGE_CHILDREN) only the largest of all children so far. The
        # system counts the moment before exec too, so no peak is reported below this script's own size.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise SystemExit(f"{' '.join(arguments)} failed:\n{errors.read().decode(errors='replace')}")
        output.seek(0)
        scale = 1 if sys.platform == "darwin" else 1024
        return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale, output.read())


def git(directory: Path, *arguments: str, check: bool = True) -> str:
    """Runs git in a directory and returns its standard output."""
    command = ["git", "-C", str(directory), *arguments]
    return subprocess.run(command, check=check, capture_output=True, text=True).stdout


def clone(source: Path, target: Path) -> None:
    """A work tree of its own over the same objects; blobs that a partial corpus lacks are left out here as well."""
    head = git(source, "rev-parse", "HEAD").strip()
    subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", str(source), str(target)], check=True)
    git(target, "update-ref", "--no-deref", "HEAD", head)
    git(target, "read-tree", "HEAD")
    git(target, "checkout-index", "--all", "--force", "--quiet", check=False)


def commit(repository: Path, number: int) -> None:
    """One small commit to the repository's first document, or to its first file."""
    files = git(repository, "ls-files", "-z").split("\0")
    present = [name for name in files if name and (repository / name).is_file()]
    document = next((name for name in present if name.lower().endswith((".md", ".rst", ".txt"))), present[0])
    with (repository / document).open("a", encoding="utf-8") as file:
        file.write(f"\nMeasured change number {number}.\n")
    identity = ("-c", "user.name=timing", "-c", "user.email=timing@localhost", "-c", "commit.gpgsign=false")
    git(repository, *identity, "commit", "--quiet", "--no-verify", "-m", f"Measured change {number}", "--", document)


def command() -> str:
    """The `loci` of this environment."""
    beside = Path(sysconfig.get_path("scripts")) / "loci"
    found = str(beside) if beside.exists() else shutil.which("loci")
    if found is None:
        raise SystemExit("the loci command is not installed in this environment")
    return found


def chosen(repositories: Sequence[Path], names: Sequence[str]) -> list[Path]:
    """The repositories to change: those named, else the one with the median and the one with the largest file count."""
    if names:
        by_name = {repository.name: repository for repository in repositories}
        unknown = [name for name in names if name not in by_name]
        if unknown:
            raise SystemExit(f"not in the corpus: {', '.join(unknown)}")
        return [by_name[name] for name in names]
    counted = sorted(repositories, key=lambda path: (git(path, "ls-files").count("\n"), path.name))
    return list(dict.fromkeys([counted[len(counted) // 2], counted[-1]]))


def quantiles(seconds: Sequence[float]) -> dict[str, float] | None:
    """Median and 95th percentile in milliseconds, and the count; None of nothing."""
    if not seconds:
        return None
    ordered = sorted(seconds)
    p95 = statistics.quantiles(ordered, n=20, method="inclusive")[-1] if len(ordered) > 1 else ordered[0]
    return {"n": len(ordered), "median_ms": 1000 * statistics.median(ordered), "p95_ms": 1000 * p95}


def measure(corpus: Path, questions: Sequence[str], names: Sequence[str], repeat: int, scratch: Path) -> dict:
    """All measurements, as one JSON object."""
    from loci.core import Memory

    loci = command()
    home = scratch / "home"
    repositories = sorted(path.parent for path in corpus.glob("*/.git"))
    if not repositories:
        raise SystemExit(f"no git repository in {corpus}")
    changed = chosen(repositories, names)
    places = {path: path for path in repositories}
    for repository in changed:
        places[repository] = scratch / "clones" / repository.name
        clone(repository, places[repository])
    memory = Memory.open(home)
    for place in places.values():
        memory.add(place)

    note("index, cold")
    cold = run([loci, "index"], home)
    note("index, nothing changed")
    unchanged = [run([loci, "index"], home) for _ in range(repeat)]
    after: dict[str, list[Run]] = {}
    for repository in changed:
        note(f"index, one new commit in {repository.name}")
        after[repository.name] = []
        for number in range(repeat):
            commit(places[repository], number)
            after[repository.name].append(run([loci, "index"], home))
    note("questions in one process")
    inside = run([sys.executable, "-c", IN_PROCESS, str(home)], home, json.dumps(list(questions)))
    times = json.loads(inside.output)
    note("loci ask")
    picked = [questions[index * len(questions) // 10] for index in range(min(10, len(questions)))]
    run([loci, "ask", "--no-cwd", picked[0]], home)  # reads the program and the index from disk once
    asked = [run([loci, "ask", "--no-cwd", "--json", question], home) for question in picked]

    index: dict[str, dict] = {"cold": figures([cold]), "nothing changed": figures(unchanged)}
    for name, runs in after.items():
        index[f"one new commit in {name}"] = figures(runs)
    for row in index.values():
        row["of_cold"] = round(row["seconds"] / cold.seconds, 4)
    return {
        "machine": {"processors": os.cpu_count(), "system": platform.system(), "python": platform.python_version()},
        "scopes": len(places),
        "store_bytes": sum(path.stat().st_size for path in home.rglob("*") if path.is_file()),
        "index": index,
        "open_and_first_route_ms": 1000 * times["open"],
        "route_in_process": quantiles(times["route"]),
        "ask_in_process": {**(quantiles(times["ask"]) or {}), "peak_rss": inside.peak_rss},
        "ask_in_process_when_answered": quantiles(times["answered"]),
        "ask_as_a_command": {
            **(quantiles([one.seconds for one in asked]) or {}),
            "peak_rss": max(one.peak_rss for one in asked),
            "of_ask_in_process": statistics.median([one.seconds for one in asked]) / statistics.median(times["ask"]),
        },
    }


def figures(runs: Sequence[Run]) -> dict:
    """Of several runs of one thing: median wall and processor seconds, largest peak memory."""
    return {
        "runs": len(runs),
        "seconds": round(statistics.median([one.seconds for one in runs]), 3),
        "cpu_seconds": round(statistics.median([one.cpu_seconds for one in runs]), 3),
        "peak_rss": max(one.peak_rss for one in runs),
    }


def table(result: dict) -> str:
    """The measurements as text."""
    machine = result["machine"]
    lines = [
        f"{result['scopes']} scopes, {machine['processors']} processors, Python {machine['python']}",
        f"store: {result['store_bytes'] / 1e6:.0f} MB",
        "",
        f"{'index':40s} {'runs':>5s} {'s':>8s} {'cpu s':>8s} {'of cold':>8s} {'peak MB':>8s}",
    ]
    for name, row in result["index"].items():
        lines.append(
            f"{name:40s} {row['runs']:5d} {row['seconds']:8.2f} {row['cpu_seconds']:8.2f} "
            f"{row['of_cold']:8.3f} {row['peak_rss'] / 1e6:8.0f}"
        )
    lines += ["", f"{'questions':40s} {'n':>5s} {'median ms':>9s} {'p95 ms':>9s} {'peak MB':>8s}"]
    for key in ("route_in_process", "ask_in_process", "ask_in_process_when_answered", "ask_as_a_command"):
        row = result[key]
        if row is None:
            continue
        peak = f"{row['peak_rss'] / 1e6:8.0f}" if "peak_rss" in row else ""
        lines.append(
            f"{key.replace('_', ' '):40s} {row['n']:5d} {row['median_ms']:9.1f} {row['p95_ms']:9.1f} {peak}".rstrip()
        )
    lines.append(f"{'opening and first route':40s} {1:5d} {result['open_and_first_route_ms']:9.1f}")
    return "\n".join(lines)


def note(text: str) -> None:
    """Says on the terminal what is going on."""
    if sys.stderr.isatty():
        sys.stderr.write(f"{text} ...\n")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Times loci over a directory of git repositories.")
    parser.add_argument("--corpus", type=Path, required=True, help="directory with the repositories; only read")
    parser.add_argument("--questions", type=Path, required=True, help="question file (JSON lines)")
    parser.add_argument("--json", type=Path, help="also write the measurements here")
    parser.add_argument("--change", action="append", default=[], help="repository that gets new commits (repeatable)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each warm measurement (default 3)")
    arguments = parser.parse_args()
    lines = arguments.questions.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines if line.strip()]
    with tempfile.TemporaryDirectory(prefix="loci-timing-") as scratch:
        result = measure(
            arguments.corpus.resolve(), questions, arguments.change, max(1, arguments.repeat), Path(scratch).resolve()
        )
    sys.stdout.write(table(result) + "\n")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
