#!/usr/bin/env python3
"""How fast the running server answers, and how much memory it holds, over an index that is there.

    questions.py --home DIR --questions FILE [--count 1000] [--json FILE] [--cold]

One server, started once, is asked over its pipe; the same questions go by turns to a second server that gives no mapped
pages back, and to a `Memory` in this process, so that all meet the same machine. Per question the time between the
line that asks and the line that answers, and for all of them the processor's time, which a busy machine changes
little. Then what the system says of the servers' memory (Linux): resident with mapped pages (Rss), the same with
shared pages divided by those who share them (Pss), and what is the server's own (anonymous).

`--cold` first drops the files of the interpreter, the packages and the index from the page cache, as far as nobody has
them mapped, and times the handshake.
"""

from __future__ import annotations

import argparse
import gc
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
KEEPING = "import loci.mcp._server as server; server.MAPPED_LIMIT = 1 << 60; " + SERVE
K, TOKENS = 5, 1330  # What the tool passes on by default: up to 5 files and 5 commits, and the room for their texts.
MEMORY_EVERY = 50


class Server:
    """The server as a client sees it: a process, a line out, a line in."""

    def __init__(self, home: Path, program: str = SERVE) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, str(home)],
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

    def processor(self) -> float:
        """Seconds of the processor that it has taken; 0 where the system does not tell."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

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


def handshake(home: Path) -> tuple[float, float]:
    """Seconds from the start of the process to the answer of `initialize`, and of the processor's time."""
    started = time.perf_counter()
    server = Server(home)
    server.initialize()
    seconds, processor = time.perf_counter() - started, server.processor()
    server.end()
    return seconds, processor


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
    result["handshake"] = {
        "median": statistics.median(seconds for seconds, _ in warm),
        "longest": max(seconds for seconds, _ in warm),
        "processor": statistics.median(processor for _, processor in warm),
    }
    if arguments.cold:
        places = [Path(sysconfig.get_path(name)) for name in ("purelib", "stdlib")]
        places += [Path(sys.executable).resolve(), arguments.home]
        result["dropped"] = drop_from_cache(places)
        result["handshake"]["cold"], result["handshake"]["cold, processor"] = handshake(arguments.home)

    servers = {"server": Server(arguments.home), "keeping": Server(arguments.home, KEEPING)}
    for server in servers.values():
        server.initialize()
    memory = Memory.open(arguments.home)
    seconds: dict[str, list[float]] = {"server": [], "keeping": [], "process": []}
    memories: dict[str, list[dict[str, float]]] = {name: [server.memory()] for name, server in servers.items()}
    began = {name: server.processor() for name, server in servers.items()}
    own, sizes, abstained = 0.0, [], 0
    for number, question in enumerate(questions):
        for name, server in servers.items():
            taken, reply = server.ask(question)
            seconds[name].append(taken)
            structure = json.dumps(reply["structuredContent"], ensure_ascii=False, separators=(",", ":"))
            sizes.append(max(len(reply["content"][0]["text"].encode()), len(structure.encode())))
        own_began, started = time.process_time(), time.perf_counter()
        refused = memory.ask(question, k=K, budget=TOKENS).abstained
        seconds["process"].append(time.perf_counter() - started)
        own += time.process_time() - own_began
        abstained += refused
        if number % MEMORY_EVERY == MEMORY_EVERY - 1:
            for name, server in servers.items():
                memories[name].append(server.memory())
    spent = {name: server.processor() - began[name] for name, server in servers.items()} | {"process": own}
    del memory
    gc.collect()
    servers["keeping"].end()
    last = servers["server"].memory()  # Alone with its mappings now: nobody divides Pss by sharing them.
    servers["server"].end()
    result["first question"] = {name: taken[0] * 1000 for name, taken in seconds.items()}
    result["others"] = {name: spread(taken[1:]) for name, taken in seconds.items()}
    result["processor, each"] = {name: taken / len(questions) * 1000 for name, taken in spent.items()}
    result["to process"] = {
        name: {key: result["others"][name][key] / result["others"]["process"][key] for key in ("median", "p99")}
        for name in servers
    }
    result["abstained"], result["largest reply, bytes"] = abstained, max(sizes)
    for name, found in memories.items():
        if found[0]:
            most = {key: max(each[key] for each in found) for key in found[0]}
            result[f"memory, {name}"] = {"start": found[0], "end": found[-1], "most seen": most}
    if last:
        result["memory, server"]["alone"] = last
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
