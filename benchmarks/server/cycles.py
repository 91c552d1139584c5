#!/usr/bin/env python3
"""Starts the server and ends it, over and over, in every way that clients do, and looks for what stays behind.

    cycles.py [--count 1000] [--workers 2] [--json FILE]

By turns: the end of stdin, SIGTERM, SIGINT, and the client killed while somebody else holds its pipe open; each idle,
with calls in flight, and with calls in flight while the index is being brought up to date. After each end no process
that the server was or started may be alive. At the end the index, the temporary directory, the home directory and the
directory that the servers stood in hold the files that they held before: what an interrupted build leaves has to be
gone after the next one. Exits with 1, and says what stayed, otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loci.core import Memory

SERVE = "import sys; from loci.mcp import serve; serve(sys.argv[1])"
# Starts the server and tells its process id on a descriptor of its own; then it waits to be killed.
CLIENT = (
    "import os, subprocess, sys, time\n"
    "server = subprocess.Popen([sys.executable, '-c', sys.argv[1], sys.argv[2]])\n"
    "os.write(int(sys.argv[3]), str(server.pid).encode())\n"
    "time.sleep(600)\n"
)
ENDS = ("end of stdin", "SIGTERM", "SIGINT", "client killed")
STATES = ("idle", "calls in flight", "catching up")
QUESTIONS = ("when is the inverted index rebuilt?", "who calls rank?", "why does it fail here?")
CALLS = 5
PATIENCE = 60.0  # Seconds for a start on a busy machine.
LONGEST_END = 10.0  # Seconds until a server that has not ended counts as one that stays.
MARK = "LOCI_CYCLE"


@dataclass
class Report:
    """What happened: cycles by end and state, seconds until the process was gone, and what stayed behind."""

    cycles: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    processes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    unseen: int = 0

    @property
    def clean(self) -> bool:
        """Whether nothing stayed behind, every handshake was answered, and every server was seen before it ended."""
        return not (self.processes or self.files or self.unanswered or self.unseen)


class Yard:
    """The directories that the servers may write to, with a small project that is indexed."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.home, self.temporary, self.person, self.standing = (
            place / name for name in ("index", "temporary", "person", "standing")
        )
        for directory in (self.temporary, self.person, self.standing):
            directory.mkdir()
        self.project = place / "search"
        self.project.mkdir()
        (self.project / "README.md").write_text("# Search\n\nThe inverted index is rebuilt every night.\n")
        (self.project / "rank.py").write_text("def rank(documents):\n    return sorted(documents)\n\n\nrank([])\n")
        git = ["git", "-C", str(self.project), "-c", "user.name=cycles", "-c", "user.email=cycles@localhost"]
        for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Rank documents"]):
            subprocess.run([*git, *arguments], check=True)
        memory = Memory.open(self.home)
        memory.add(self.project)
        memory.index()

    def edit(self, number: int) -> None:
        """A change that the next question brings in."""
        (self.project / "README.md").write_text(f"# Search\n\nThe inverted index is rebuilt every night, {number}.\n")

    def files(self) -> set[str]:
        """Every file that a server could have made, by its place; segments by what they are, since names change."""
        found = set()
        for directory in (self.home, self.temporary, self.person, self.standing):
            for path in directory.rglob("*"):
                segment = path.parent.name == "segments" and path.suffix == ".safetensors"
                name = path.relative_to(self.place)
                found.add(str(name.parent / "".join(path.suffixes)) if segment else str(name))
        segments = [path.name for path in (self.home / "segments").iterdir()]
        return found | {f"{len(segments)} files in segments"}

    def environment(self, mark: str) -> dict[str, str]:
        """What the servers run with: their own directories, and a mark that their children would inherit."""
        places = {"TMPDIR": self.temporary, "HOME": self.person, "XDG_CACHE_HOME": self.person / "cache"}
        return {**os.environ, **{key: str(path) for key, path in places.items()}, MARK: mark}


def alive(mark: str) -> list[str]:
    """The command lines of the processes with this mark in their environment (Linux; elsewhere none is seen)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200])
    return found


@contextlib.contextmanager
def started(yard: Yard, mark: str, *, by_client: bool) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server, by itself or as the child of a client, and the process id of the server."""
    telling, tell = os.pipe()
    command = [sys.executable, "-c", SERVE, str(yard.home)]
    if by_client:
        command = [sys.executable, "-c", CLIENT, SERVE, str(yard.home), str(tell)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=yard.standing,
        env=yard.environment(mark),
        pass_fds=[tell] if by_client else [],
    )
    os.close(tell)
    try:
        yield process, int(os.read(telling, 20)) if by_client else process.pid
    finally:
        os.close(telling)
        with contextlib.suppress(OSError):
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError, AttributeError):
                stream.close()  # type: ignore[union-attr]


def cycle(yard: Yard, number: int, report: Report, lock: threading.Lock) -> None:
    """One start and one end."""
    end, state = ENDS[number % len(ENDS)], STATES[number // len(ENDS) % len(STATES)]
    mark = f"{os.getpid()}-{number}"
    with started(yard, mark, by_client=end == "client killed") as (process, server):
        assert process.stdin is not None and process.stdout is not None

        def send(message: dict[str, Any]) -> None:
            assert process.stdin is not None
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            process.stdin.flush()

        client = {"name": "cycles", "version": "1"}
        asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        # A server that hangs at its start is ended from outside, and its line is then empty.
        watchdog = threading.Timer(PATIENCE, process.kill)
        watchdog.start()
        send({"id": 0, "method": "initialize", "params": asked})
        answered = b"protocolVersion" in process.stdout.readline()
        watchdog.cancel()
        send({"method": "notifications/initialized"})
        if state == "catching up":
            yard.edit(number)
        if state != "idle":
            for call in range(CALLS):
                arguments = {"question": QUESTIONS[call % len(QUESTIONS)], "cwd": str(yard.project)}
                send({"id": call + 1, "method": "tools/call", "params": {"name": "ask", "arguments": arguments}})
            # At another moment of the work in every round.
            time.sleep(number % 7 * 0.05)
        # What cannot be seen while it runs could not be seen to stay either.
        seen = bool(alive(mark)) or not Path("/proc/self/environ").exists()
        began = time.monotonic()
        if end == "end of stdin":
            process.stdin.close()
        elif end == "client killed":
            process.kill()  # This side of the pipe stays open.
        else:
            process.send_signal(getattr(signal, end))
        left = alive(mark)
        while left and time.monotonic() - began < LONGEST_END:
            time.sleep(0.02)
            left = alive(mark)
        seconds = time.monotonic() - began
        if end == "client killed" and left:
            with contextlib.suppress(OSError):
                os.kill(server, signal.SIGKILL)
    with lock:
        report.cycles[f"{end}, {state}"] += 1
        report.seconds.append(seconds)
        report.processes += [f"{end}, {state}: {command}" for command in left]
        report.unseen += not seen
        if not answered:
            report.unanswered.append(f"cycle {number}: {end}, {state}")


def run(count: int, workers: int = 2) -> Report:
    """So many cycles, some at a time, and what stayed behind."""
    report, lock = Report(), threading.Lock()
    with tempfile.TemporaryDirectory(prefix="loci-cycles-") as place:
        yard = Yard(Path(place))
        # What the very first server makes and every other keeps (a table of who uses whom, say) is not left behind.
        for number in (0, len(ENDS) * 2):
            cycle(yard, number, Report(), lock)
        Memory.open(yard.home).index()
        before = yard.files()
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda number: cycle(yard, number, report, lock), range(count)))
        Memory.open(yard.home).index()
        after = yard.files()
        report.files = [f"more: {name}" for name in sorted(after - before)]
        report.files += [f"gone: {name}" for name in sorted(before - after)]
    return report


def main() -> None:
    """Runs the cycles and prints what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    began = time.monotonic()
    report = run(arguments.count, arguments.workers)
    ordered = sorted(report.seconds)
    result = {
        "cycles": dict(sorted(report.cycles.items())),
        "in all": report.cycles.total(),
        "seconds": round(time.monotonic() - began),
        "load": os.getloadavg()[0],
        "until it was gone": {
            "median": ordered[len(ordered) // 2],
            "p99": ordered[int(len(ordered) * 0.99)],
            "longest": ordered[-1],
        },
        "processes that stayed": report.processes,
        "files that stayed": report.files,
        "handshakes without an answer": report.unanswered,
        "servers not seen while they ran": report.unseen,
    }
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))
    sys.exit(0 if report.clean else 1)


if __name__ == "__main__":
    main()
