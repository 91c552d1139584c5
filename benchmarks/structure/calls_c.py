r"""Measures the calls in loci's graphs of C repositories by clangd's answers.

    python benchmarks/structure/calls_c.py ask --answers answers.json \
        --flags "-Isrc -Ideps/hiredis" REPOSITORY...
    uv run --no-sync python benchmarks/structure/calls_c.py compare --answers answers.json REPOSITORY...

The first samples 400 calls inside function bodies with a fixed seed, and asks `clangd` where each name is defined, over
all files at once (its background index); the second builds the graphs in a temporary folder and compares. Nothing is
built: clangd is given every `.c` file below `--folder` with the same `--flags`, and does with what it can
resolve. Calls of macros are left out: clangd sees through them, loci reads what is written. The repositories are only
read.

Where bison or flex wrote a `.c` file into the repository, loci reads the grammar instead. The comparison is printed
twice then: with the places as clangd has them, and with those in such a file where its own `#line` says they are from.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

sys.path.insert(0, str(Path(__file__).parent))

from judging import SAMPLE, SEED, Place, Site, compare, load, sample, save

KEYWORDS = frozenset({"if", "for", "while", "switch", "return", "sizeof", "defined", "typeof", "alignof", "else", "do"})
TOKEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*|[A-Za-z_]\w*|[{}]|\n",
    re.DOTALL | re.MULTILINE,
)
INDEX_SECONDS = 1800.0


def call_sites(root: Path, folder: str) -> list[Site]:
    """Names before `(` inside the braces of the tracked `.c` files below a folder."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "*.c"], capture_output=True, check=True).stdout
    sites = []
    for path in sorted(filter(None, listed.decode().split("\0"))):
        if not path.startswith(folder):
            continue
        text = (root / path).read_bytes().decode("utf-8", errors="replace")
        depth = 0
        for found in TOKEN.finditer(text):
            token = found.group()
            if token in "{}":
                depth += 1 if token == "{" else -1
            elif depth > 0 and re.match(r"[A-Za-z_]", token) and token not in KEYWORDS:
                if not re.match(r"\s*\(", text[found.end() : found.end() + 20]):
                    continue
                start = text.rfind("\n", 0, found.start()) + 1
                line = text.count("\n", 0, start) + 1
                written = re.search(r"[\w.>-]*$", text[start : found.start()])
                before = written.group() if written and written.group().endswith((".", "->")) else ""
                sites.append(
                    Site(root.name, path, line, found.start() - start, token, before.replace("->", ".") + token)
                )
    return sites


class Clangd:
    """One server over one repository."""

    def __init__(self, command: str, root: Path, folder: str, flags: list[str], directory: Path) -> None:
        files = sorted(path for path in (root / folder).rglob("*.c"))
        database = [
            {"directory": str(root), "file": str(path), "arguments": ["cc", *flags, "-c", str(path)]} for path in files
        ]
        (directory / "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
        arguments = ["--background-index", "-j=1", "--log=error", "--limit-results=0", "--pch-storage=memory"]
        self.process = subprocess.Popen(
            ["nice", "-n", "10", command, f"--compile-commands-dir={directory}", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.number = 0
        self.indexed = False
        self.request(
            "initialize",
            {"processId": None, "rootUri": root.as_uri(), "capabilities": {"window": {"workDoneProgress": True}}},
        )
        self.send("initialized", {})
        self.open(files[0])
        started = time.monotonic()
        while not self.indexed and time.monotonic() - started < INDEX_SECONDS:
            self.take(self.receive())
        print(f"indexed in {time.monotonic() - started:.0f} s", file=sys.stderr)

    def write(self, message: dict[str, Any]) -> None:
        """Sends one message."""
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        self.process.stdin.flush()

    def send(self, method: str, parameters: Any) -> None:
        """A notification."""
        self.write({"method": method, "params": parameters})

    def receive(self) -> dict[str, Any]:
        """The next message."""
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            raise SystemExit("clangd ended")
        return json.loads(self.process.stdout.read(length))

    def take(self, message: dict[str, Any]) -> None:
        """What is no answer: requests are accepted, the end of the indexing is noted."""
        if "method" in message and "id" in message:
            self.write({"id": message["id"], "result": None})
        elif message.get("method") == "$/progress" and "Index" in str(message["params"]["token"]):
            self.indexed = self.indexed or message["params"]["value"].get("kind") == "end"

    def request(self, method: str, parameters: Any) -> Any:
        """Asks and waits for the answer."""
        self.number += 1
        self.write({"id": self.number, "method": method, "params": parameters})
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                return message.get("result")
            self.take(message)

    def open(self, path: Path) -> None:
        """Tells the server of a file."""
        text = path.read_bytes().decode("utf-8", errors="replace")
        document = {"uri": path.as_uri(), "languageId": "c", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": document})

    def close(self, path: Path) -> None:
        """Lets the server forget a file."""
        self.send("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def definitions(self, path: Path, line: int, column: int) -> list[tuple[Path, int]]:
        """Files and lines from 0."""
        position = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
        found = self.request("textDocument/definition", position) or []
        return [(Path(unquote(urlparse(one["uri"]).path)), one["range"]["start"]["line"]) for one in found]


def judge(site: Site, root: Path, found: list[tuple[Path, int]]) -> None:
    """Fills in what the definitions say: only functions with a body are targets."""
    verdicts = set()
    for path, line in found:
        resolved = path.resolve()
        if not resolved.is_relative_to(root):
            verdicts.add("outside")
            continue
        lines = resolved.read_bytes().decode("utf-8", errors="replace").split("\n")
        # The brackets of a definition may stand on the line below its name.
        text = " ".join(lines[line : line + 2])
        place = (resolved.relative_to(root).as_posix(), line + 1)
        if place == (site.path, site.line):
            verdicts.add("itself")
        elif re.match(r"\s*#\s*define\b", text):
            verdicts.add("macro")
        elif re.search(rf"\b{re.escape(site.name)}\s*\(", text) and not re.search(
            rf"\(\s*\*\s*{re.escape(site.name)}", text
        ):
            body = " ".join(lines[line : line + 30])
            after = body[body.find(site.name) :]
            # A prototype ends in `;` before any brace: its definition is in no file that was given.
            if re.match(r"[^{;]*\{", after):
                site.targets.append(place)
                verdicts.add("inside")
            else:
                verdicts.add("unknown")
        else:
            verdicts.add("value")
            site.values.append(place)
    for verdict in ("itself", "macro", "inside", "value", "outside"):
        if verdict in verdicts:
            site.verdict = verdict
            return


LINE = re.compile(r'\s*#\s*line\s+(\d+)\s+"([^"]+)"')


class Origins:
    """Where the lines of generated files are from."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known: dict[str, list[Place]] = {}

    def of(self, place: Place) -> Place:
        """The place in the grammar, or the place itself."""
        path, line = place
        if path not in self.known:
            origins: list[Place] = []
            at = (path, 0)
            for number, text in enumerate((self.root / path).read_text(errors="replace").split("\n"), 1):
                if found := LINE.match(text):
                    named = Path(found.group(2))
                    candidates = [named, Path(path).parent / named.name]
                    there = next((one for one in candidates if (self.root / one).is_file()), None)
                    at = (there.as_posix() if there else path, int(found.group(1)) - 1 - number)
                origins.append((at[0], number + at[1]) if at[0] != path else (path, number))
            self.known[path] = origins
        return self.known[path][line - 1]


def at_their_origin(sites: list[Site], roots: list[Path]) -> list[Site]:
    """The sites with all places as `#line` has them."""
    origins = {root.name: Origins(root) for root in roots}
    moved = []
    for site in sites:
        places = origins[site.repository]
        path, line = places.of((site.path, site.line))
        targets, values = [places.of(place) for place in site.targets], [places.of(place) for place in site.values]
        moved.append(replace(site, path=path, line=line, targets=targets, values=values))
    return moved


def ask(roots: list[Path], command: str, folder: str, flags: list[str], size: int) -> list[Site]:
    """Samples the call sites and fills in what clangd says."""
    # Macros and what turns out to be no call are dropped afterwards, so more are asked for than wanted.
    sites = sample([site for root in roots for site in call_sites(root, folder)], 2 * size)
    kept: list[Site] = []
    for root in roots:
        mine = [site for site in sites if site.repository == root.name]
        with tempfile.TemporaryDirectory() as directory:
            server = Clangd(command, root, folder, flags, Path(directory))
            for path in sorted({site.path for site in mine}):
                server.open(root / path)
                for site in (site for site in mine if site.path == path):
                    judge(site, root, server.definitions(root / path, site.line - 1, site.column))
                server.close(root / path)
            server.process.kill()
            server.process.wait()
        answered = [site for site in mine if site.verdict not in ("itself", "macro")]
        print(f"{root.name}: {len(mine) - len(answered)} of {len(mine)} are macros or no calls", file=sys.stderr)
        kept += answered
    return sample(kept, size)


def main() -> None:
    """Asks clangd, or compares loci's graphs with what it said."""
    parser = argparse.ArgumentParser(description=main.__doc__, epilog=f"{SAMPLE} calls, seed {SEED}")
    parser.add_argument("step", choices=["ask", "compare"])
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPOSITORY")
    parser.add_argument("--answers", type=Path, required=True, help="clangd's answers, written by `ask`")
    parser.add_argument("--clangd", default=shutil.which("clangd") or "clangd", help="the command")
    parser.add_argument("--folder", default="src/", help="whose .c files are given to clangd (default: src/)")
    parser.add_argument("--flags", default="-Isrc", help="for the compiler, relative to the repository")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"calls to ask about (default: {SAMPLE})")
    parser.add_argument("--json", type=Path, help="where the figures and all errors go")
    parser.add_argument("--examples", type=int, default=6, help="errors printed of each cause (default: 6)")
    arguments = parser.parse_args()
    roots = [path.resolve() for path in arguments.repositories]
    if arguments.step == "ask":
        save(
            ask(roots, arguments.clangd, arguments.folder, arguments.flags.split(), arguments.sample), arguments.answers
        )
        return
    sites = load(arguments.answers)
    moved = at_their_origin(sites, roots)
    places = {root.name: root for root in roots}
    result = compare(sites, places, examples=arguments.examples)
    if moved != sites:
        print("\nwith what bison and flex wrote at its place in the grammar:")
        result["at_origin"] = compare(moved, places, examples=arguments.examples)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
