#!/usr/bin/env python3
"""How fast the running server answers, and how much memory it holds, over an index that is there.

    questions.py --home DIR --questions FILE [--count 1000] [--json FILE] [--cold]

One server, started once, is asked over its pipe; the same questions go to a `Memory` in this process by turns, so that
both meet the same machine. Per question the time between the line that asks and the line that answers. Then what the
system says of the server's memory (Linux): resident with mapped pages (Rss), the same with shared pages divided by
those who share them (Pss), and what is the server's own (anonymous). `--cold` first drops the files of the
interpreter, the packages and the index from the page cache, as far as nobody has them mapped, and times the handshake.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from loci.core import Memory

SERVE = "import sys; from loci.mcp import serve; serve(sys.argv[1])"
K, TOKENS = 5, 1330  # What the tool passes on by default: up to 5 files and 5 commits, and the room for their texts.
MEMORY_EVERY = 50


class Server:
    """The server as a client sees it: a process, a line out, a line in."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )
        self._number = 0

    def request(self, method: str, params: Any) -> tuple[float, dict[str, Any]]:
        """Seconds until the answer, and the answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        line = json.dumps(message).encode() + b"\n"
        started = time.perf_counter()
        self.process.stdin.write(line)
        self.process.stdin.flush()
        while True:
            answer = self.process.stdout.readline()
            seconds = time.perf_counter() - started
            if not answer:
                raise SystemExit("the server ended")
            found = json.loads(answer)
            if found.get("id") == self._number:
                return seconds, found

    def initialize(self) -> None:
        """The handshake."""
        client = {"name": "benchmark", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        assert self.process.stdin is not None
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def ask(self, question: str) -> tuple[float, dict[str, Any]]:
        """Seconds and the reply."""
        seconds, found = self.request("tools/call", {"name": "ask", "arguments": {"question": question}})
        if "result" not in found or found["result"].get("isError"):
            raise SystemExit(f"no answer to {question!r}: {found}")
        return seconds, found["result"]

    def memory(self) -> dict[str, float]:
        """Rss, Pss and anonymous memory in MB; empty where the system does not tell."""
        try:
            lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines()
            status = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        except OSError:
            return {}
        found = {
            line.split(":")[0]: int(line.split()[1]) / 1000 * 1.024
            for line in [*lines[1:], *status]
            if line.startswith(("Rss:", "Pss:", "Anonymous:", "VmHWM:"))
        }
        return {"rss": found["Rss"], "pss": found["Pss"], "anonymous": found["Anonymous"], "peak": found["VmHWM"]}

    def end(self) -> None:
        """Closes the pipe and waits."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


def drop_from_cache(places: Iterable[Path]) -> int:
    """Asks the system to forget the files below these places; how many."""
    count = 0
    for place in places:
        for path in [place] if place.is_file() else place.rglob("*"):
            if path.is_file() and hasattr(os, "posix_fadvise"):
                try:
                    descriptor = os.open(path, os.O_RDONLY)
                except OSError:
                    continue
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)
                count += 1
    return count


def handshake(home: Path) -> float:
    """Seconds from the start of the process to the answer of `initialize`."""
    started = time.perf_counter()
    server = Server(home)
    server.initialize()
    seconds = time.perf_counter() - started
    server.end()
    return seconds


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 99th percentile and the longest, in milliseconds."""
    ordered = sorted(seconds)
    return {
        "median": statistics.median(ordered) * 1000,
        "p99": ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1000,
        "longest": ordered[-1] * 1000,
    }


def main() -> None:
    """Runs the measurement and prints it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--cold", action="store_true")
    arguments = parser.parse_args()
    lines = arguments.questions.read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines if line.strip()]
    questions = [asked[number % len(asked)] for number in range(arguments.count)]

    result: dict[str, Any] = {"questions": len(questions), "different": len(set(questions))}
    result["machine"] = {"cpus": os.cpu_count(), "load": os.getloadavg()[0], "python": platform.python_version()}
    warm = [handshake(arguments.home) for _ in range(5)]
    result["handshake"] = {"median": statistics.median(warm), "longest": max(warm)}
    if arguments.cold:
        places = [Path(sysconfig.get_path(name)) for name in ("purelib", "stdlib")]
        places += [Path(sys.executable).resolve(), arguments.home]
        result["dropped"] = drop_from_cache(places)
        result["handshake"]["cold"] = handshake(arguments.home)

    server = Server(arguments.home)
    server.initialize()
    memory = Memory.open(arguments.home)
    piped, direct, memories, sizes, abstained = [], [], [server.memory()], [], 0
    for number, question in enumerate(questions):
        seconds, reply = server.ask(question)
        piped.append(seconds)
        sizes.append(max(len(reply["content"][0]["text"]), len(json.dumps(reply["structuredContent"]))))
        started = time.perf_counter()
        answer = memory.ask(question, k=K, budget=TOKENS)
        direct.append(time.perf_counter() - started)
        abstained += answer.abstained
        if number % MEMORY_EVERY == MEMORY_EVERY - 1:
            memories.append(server.memory())
    server.end()
    result["first"] = {"pipe": piped[0] * 1000, "process": direct[0] * 1000}
    result["pipe"], result["process"] = spread(piped[1:]), spread(direct[1:])
    result["ratio"] = {key: result["pipe"][key] / result["process"][key] for key in ("median", "p99")}
    result["abstained"] = abstained
    result["largest_reply"] = max(sizes)
    if memories[0]:
        result["memory"] = {
            "start": memories[0],
            "end": memories[-1],
            "most_seen": {key: max(found[key] for found in memories) for key in memories[0]},
        }
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
