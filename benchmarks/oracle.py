"""What loci answers today, frozen, and whether it still does: `oracle.py check --corpus DIR`.

For a change that is to change nothing. `DIR` holds the repositories of the public benchmark, a folder each, as the
benchmark's README lays them out. The command indexes them into a home of its own and asks through the installed `loci`
command: every public question without and with its project, the symbol questions in `oracle/symbols.jsonl`, and every
fifth question once more as a person sees the answer. What comes back is brought into a form without other people's
texts (`tests/oracle/normal_form.py`) and compared with the fixture byte for byte.

    oracle.py check  --corpus DIR [--home DIR] [--only PART]   compares; prints differences and exits with 1
    oracle.py freeze --corpus DIR [--home DIR]                 writes the fixture anew; the commit says why

`--home DIR` keeps the index for the next run; it is brought up to date first.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "oracle"))

from normal_form import differences, line_of, normal_form, text_form  # noqa: E402 - it stands with the tests

FIXTURE = HERE / "oracle" / "public.jsonl.xz"
SYMBOLS = HERE / "oracle" / "symbols.jsonl"
PARTS = ("routed", "given", "symbols", "shown")
SHOWN_EVERY = 5
SHOWN_DIFFERENCES = 12


class Loci:
    """The `loci` command beside this interpreter, over one home."""

    def __init__(self, home: Path) -> None:
        self._command = str(Path(sys.executable).with_name("loci"))
        self._environment = {**os.environ, "LOCI_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "80"}

    def run(self, *arguments: str, stdin: str | None = None) -> str:
        """Runs one command and returns its stdout; a name that nobody has (exit code 2) is an answer as well."""
        done = subprocess.run(
            [self._command, *arguments], input=stdin, env=self._environment, capture_output=True, text=True, check=False
        )
        if done.returncode not in (0, 1, 2) or (not done.stdout and arguments[0] == "ask"):
            raise SystemExit(f"loci {' '.join(arguments)[:200]} failed with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout


def questions() -> list[dict[str, Any]]:
    """The public questions, as loci-eval ships them."""
    text = (resources.files("loci.eval") / "public" / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one on each line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def answers(loci: Loci, corpus: Path, part: str) -> Iterator[dict[str, Any]]:
    """The forms of one part, in the order in which they are asked."""

    def batch(asked: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in asked)
        for line in loci.run("ask", "--no-cwd", "--no-refresh", "--batch", "-", stdin=lines).splitlines():
            yield normal_form(json.loads(line), str(corpus))

    public = questions()
    if part == "routed":
        yield from batch([{"id": f"routed {row['id']}", "question": row["question"]} for row in public])
    elif part == "given":
        yield from batch(
            [
                {"id": f"given {row['id']} {scope}", "question": row["question"], "scope": scope}
                for row in public
                for scope in row["scopes"][:2]
            ]
        )
    elif part == "symbols":
        every = rows(SYMBOLS)
        worded = [row for row in every if "question" in row]
        yield from batch([{**row, "id": f"symbols {row['id']}"} for row in worded])
        for row in every:
            if "symbol" in row:
                options = [f"--{key}={row[key]}" for key in ("symbol", "relation", "to", "scope") if key in row]
                found = json.loads(loci.run("ask", "--no-cwd", "--no-refresh", "--json", *options))
                yield normal_form({**found, "id": f"symbols {row['id']}"}, str(corpus))
    else:
        for row in public[::SHOWN_EVERY]:
            text = loci.run("ask", "--no-cwd", "--no-refresh", row["question"])
            yield text_form(f"shown {row['id']}", text, str(corpus))


def prepare(loci: Loci, corpus: Path) -> None:
    """Registers the projects of the corpus and brings the index up to date."""
    loci.run("scan", str(corpus), "-y")
    loci.run("index")


def check(loci: Loci, corpus: Path, parts: list[str]) -> int:
    """Compares and prints; returns how many answers differ."""
    frozen: dict[str, str] = {}
    with lzma.open(FIXTURE, "rt", encoding="utf-8") as file:
        for line in file:
            frozen[json.loads(line)["id"]] = line
    wrong = asked = 0
    for part in parts:
        missing = {identity for identity in frozen if identity.split()[0] == part}
        for form in answers(loci, corpus, part):
            asked += 1
            missing.discard(form["id"])
            before = frozen.get(form["id"])
            if before == line_of(form):
                continue
            wrong += 1
            print(form["id"])
            found = differences(json.loads(before), form) if before else ["not in the fixture"]
            for each in found[:SHOWN_DIFFERENCES]:
                print(f"    {each[:300]}")
            if len(found) > SHOWN_DIFFERENCES:
                print(f"    and {len(found) - SHOWN_DIFFERENCES} more")
        for identity in sorted(missing):
            wrong += 1
            print(f"{identity}\n    not answered")
    print(f"{asked} answers compared, {wrong} differ")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["check", "freeze"])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--only", choices=PARTS, action="append")
    given = parser.parse_args()
    corpus = given.corpus.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        loci = Loci((given.home or Path(temporary)).resolve())
        prepare(loci, corpus)
        if given.verb == "check":
            return 1 if check(loci, corpus, given.only or list(PARTS)) else 0
        text = "".join(line_of(form) for part in PARTS for form in answers(loci, corpus, part))
        FIXTURE.write_bytes(lzma.compress(text.encode("utf-8"), preset=9))
        print(f"{text.count(chr(10))} answers, {len(text):,} bytes, {FIXTURE.stat().st_size:,} compressed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
