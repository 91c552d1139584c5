"""Small mutations of the modules that decide, a sample of them, each against the tests that reach it.

    python scripts/mutants.py --package router --package core --count 20 --seed 1

The mutations are those of cosmic-ray. Its own runner edits one installed package in place and runs one command for
each mutation, which neither suits a namespace that eight distributions share nor ends within an hour here. So this
takes its operators alone: a copy of the package stands before all others on the path, one mutation at a time is
written into it, and only the tests that execute the mutated line are run, the quick ones first. The tree is never
touched. What the tests reach is measured once for each state of the package, and kept in `target/mutants`.

`nox -s mutants` runs it; `tests/MUTANTS.md` says what the survivors are.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "target" / "mutants"


@dataclass(frozen=True)
class Package:
    """What is mutated of a package, as patterns below its directory, and the tests that are to notice it."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


PACKAGES = {
    "router": Package(
        (
            *("decide.py", "case.py", "rank.py", "selection.py", "refuse.py", "confine.py", "evidence.py"),
            *("calibration.py", "names.py", "spelling.py", "directories.py", "question/*.py"),
        ),
        ("packages/loci-router/tests",),
    ),
    "episodes": Package(("_gate.py", "_lanes.py", "_semantic.py", "_find.py"), ("packages/loci-episodes/tests",)),
    "structure": Package(("_combined.py", "_graph.py", "_labels.py"), ("packages/loci-structure/tests",)),
    "core": Package(
        (
            "answer/*.py",
            "build/freshness.py",
            "build/index.py",
            "home/[imr]*.py",
            "operations/doctor.py",
        ),
        ("packages/loci-core/tests",),
    ),
    "mcp": Package(("_server.py", "_reply.py", "_clients.py", "_place.py", "words.py"), ("packages/loci-mcp/tests",)),
    "cli": Package(
        ("_main.py", "_index.py", "_questions.py", "_doctor.py", "words.py"), ("packages/loci-cli/tests", "tests/cli")
    ),
    "eval": Package(
        (
            *(
                f"calibration/{name}.py"
                for name in ("certificate", "fit", "fitting", "mixed", "score_table", "threshold")
            ),
            *("statistics/*.py", "_step.py"),
        ),
        ("packages/loci-eval/tests",),
    ),
}
"""The eighth, `loci-mem`, has no code."""

OPERATORS = (
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Eq_NotEq", "NotEq_Eq")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Is_IsNot", "IsNot_Is")),
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul")),
    *("ReplaceAndWithOr", "ReplaceOrWithAnd", "AddNot", "ReplaceUnaryOperator_Delete_Not", "NumberReplacer"),
    *("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
    *("ZeroIterationForLoop", "ExceptionReplacer"),
)
"""Those that change a decision; not those that no program survives (`<` by `is`)."""

QUIET = ("-q", "--no-header", "-p", "no:cacheprovider")
IMPORTED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
LIBRARIES = ("pytest", "hypothesis", "numpy", "click.testing", "jsonschema", "anyio", "pydantic", "filelock", "mcp")
"""What tests import that is not loci: imported once, before a process is made for each mutation."""

DURATIONS = '''"""Notes how long each test takes that passes."""
import json, os
seen, failed = {}, set()
def pytest_runtest_logreport(report):
    seen[report.nodeid] = seen.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        failed.add(report.nodeid)
def pytest_sessionfinish():
    with open(os.environ["MUTANTS_DURATIONS"], "w") as file:
        json.dump({test: seconds for test, seconds in seen.items() if test not in failed}, file)
'''


@dataclass
class Mutant:
    """One mutation. `outcome`: killed, survived, or unreached where no test executes its line."""

    package: str
    module: str
    line: int
    operator: str
    occurrence: int
    before: str = ""
    after: str = ""
    outcome: str = ""
    by: str = ""
    seconds: float = 0.0
    code: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.package}/{self.module}:{self.line} {self.operator}\n    - {self.before}\n    + {self.after}"


@dataclass
class Reach:
    """Which tests execute which lines of a package, by module, and how long each takes."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    def tests(self, module: str, line: int, *, within: bool) -> list[str]:
        """The tests that execute a line, the quick ones first; of the whole module where a line is none of a function
        (`within`), since it takes effect elsewhere.
        """
        known = self.lines.get(module, {})
        found = set(known.get(line, ())) if within else {test for tests in known.values() for test in tests}
        return sorted(found & self.seconds.keys(), key=lambda test: (self.seconds[test], test))


def main() -> int:
    """Runs the sample; 0 when enough of it was killed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--package", action="append", choices=PACKAGES, help="only these")
    parser.add_argument("--count", type=int, default=20, help="mutations of each package")
    parser.add_argument("--seed", type=int, default=0, help="which are drawn")
    parser.add_argument("--limit", type=float, default=180.0, help="seconds of tests for each; what is left is not run")
    parser.add_argument("--least", type=float, default=0.85, help="the share killed from which this succeeds")
    parser.add_argument("--quick", action="store_true", help="no measuring: the test files that mention a module")
    parser.add_argument("--only", help="only lines of this module, or of this module:line")
    parser.add_argument("--json", type=Path, help="where every outcome is written")
    given = parser.parse_args()
    for library in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    mutants: list[Mutant] = []
    for name in given.package or PACKAGES:
        mutants += examine(name, given)
    say("")
    for mutant in mutants:
        if mutant.outcome != "killed":
            say(f"{mutant.outcome}: {mutant}")
    for name in dict.fromkeys(mutant.package for mutant in mutants):
        say(summary(name, [mutant for mutant in mutants if mutant.package == name]))
    say(summary("all", mutants))
    if given.json:
        given.json.write_text(json.dumps([asdict(mutant) | {"code": ""} for mutant in mutants], indent=1))
    killed = sum(mutant.outcome == "killed" for mutant in mutants)
    return 0 if killed >= given.least * len(mutants) else 1


def summary(name: str, mutants: Sequence[Mutant]) -> str:
    """One line on a package."""
    killed = sum(mutant.outcome == "killed" for mutant in mutants)
    return f"{name:10} {killed:4} of {len(mutants):4} killed, {killed / max(len(mutants), 1):.0%}"


def examine(name: str, given: argparse.Namespace) -> list[Mutant]:
    """Draws mutations of one package and tries each."""
    package = PACKAGES[name]
    source = Path(find_spec(f"loci.{name}").origin).parent  # pyright: ignore
    modules = [path for pattern in package.modules for path in sorted(source.glob(pattern))]
    modules = [path for path in modules if path.name != "__init__.py"]
    lost = [pattern for pattern in package.modules if not list(source.glob(pattern))]
    if lost:
        raise SystemExit(f"{name} has no {', '.join(lost)} any more: mend PACKAGES")
    reach = None if given.quick else measured(name, package, source)
    mutants = drawn(name, source, modules, given)
    with tempfile.TemporaryDirectory(prefix="loci-mutants-") as directory:
        place = overlay(name, source, Path(directory) / "0")
        broken: dict[str, list[str]] = {}
        for mutant in mutants:
            if mutant.module not in broken:
                broken[mutant.module] = failing_anyway(mutant, source, place, reach)
            attempt(mutant, source, place, reach, given.limit, broken[mutant.module])
            where = f"{mutant.package}/{mutant.module}:{mutant.line}"
            say(f"{mutant.outcome:9} {mutant.seconds:6.1f} s  {where}  {mutant.operator}")
    return mutants


def drawn(name: str, source: Path, modules: Sequence[Path], given: argparse.Namespace) -> list[Mutant]:
    """The sample: places first, then one of the mutations of each, so that a number counts no more than an `and`."""
    draw = random.Random(f"{given.seed}:{name}")
    places: dict[tuple[str, int, str], list[Mutant]] = {}
    for path in modules:
        module = path.relative_to(source).as_posix()
        for mutant in possible(name, module, path.read_text(encoding="utf-8")):
            wanted = given.only in (None, module, f"{module}:{mutant.line}")
            if wanted:
                places.setdefault((module, mutant.line, mutant.operator.split("_")[0]), []).append(mutant)
    chosen: list[Mutant] = []
    order = sorted(places)
    draw.shuffle(order)
    for place in order:
        if len(chosen) == given.count:
            break
        mutant = draw.choice(places[place])
        text = (source / mutant.module).read_text(encoding="utf-8")
        code = mutated(text, mutant)
        if code is None or code == text:
            continue
        before, after = changed(text, code)
        mutant.code, mutant.before, mutant.after = code, before, after
        chosen.append(mutant)
    return sorted(chosen, key=lambda mutant: (mutant.module, mutant.line, mutant.operator))


def possible(name: str, module: str, text: str) -> Iterator[Mutant]:
    """Every mutation of a module."""
    from cosmic_ray.ast import Visitor, get_ast  # pyright: ignore[reportMissingImports]
    from cosmic_ray.plugins import get_operator  # pyright: ignore[reportMissingImports]

    class Places(Visitor):
        def __init__(self, operator: Any) -> None:
            self.operator = operator
            self.places: list[tuple[int, int]] = []

        def visit(self, node: Any) -> Any:
            self.places += [start for start, _end in self.operator.mutation_positions(node)]
            return node

    rows = text.splitlines()
    for operator in OPERATORS:
        places = Places(get_operator(f"core/{operator}")())
        places.walk(get_ast(text))
        for occurrence, (line, column) in enumerate(places.places):
            row = rows[line - 1]
            before = row[:column].rstrip()
            unary = not before or before.endswith(("(", ",", "[", "{"))  # a star before arguments, a sign
            # Whether a value is frozen, and what only a type checker imports, decides nothing.
            idle = "TYPE_CHECKING" in row or row.lstrip().startswith("@")
            if not idle and not (operator.startswith("ReplaceBinary") and unary):
                yield Mutant(name, module, line, operator, occurrence)


def mutated(text: str, mutant: Mutant) -> str | None:
    """The module with the mutation; None where that is no program."""
    from cosmic_ray.mutating import mutate_code  # pyright: ignore[reportMissingImports]
    from cosmic_ray.plugins import get_operator  # pyright: ignore[reportMissingImports]

    code = mutate_code(text, get_operator(f"core/{mutant.operator}")(), mutant.occurrence)
    try:
        compile(code or "(", mutant.module, "exec")
    except (SyntaxError, ValueError):
        return None
    return code


def changed(before: str, after: str) -> tuple[str, str]:
    """The line that differs, as it was and as it is."""
    for old, new in zip(before.splitlines(), after.splitlines(), strict=False):
        if old != new:
            return old.strip(), new.strip()
    return "", ""


def failing_anyway(mutant: Mutant, source: Path, place: Path, reach: Reach | None) -> list[str]:
    """The tests of a module that fail without a mutation; `Reach` has none of them."""
    if reach is not None:
        return []
    tests = naming(mutant.package, mutant.module, (source / mutant.module).read_text(encoding="utf-8"))
    code, output = forked(place, ["--timeout=60", *tests], 600.0)
    rows = [line.split(" ")[1] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if code not in (0, 1) or (code == 1 and not rows):
        raise SystemExit(f"the tests of {mutant.module} cannot be run:\n{output[-3000:]}")
    for row in rows:
        say(f"left out, since it fails before anything is mutated: {row}")
    return rows


def attempt(
    mutant: Mutant, source: Path, place: Path, reach: Reach | None, limit: float, broken: Sequence[str] = ()
) -> None:
    """Runs the tests that reach a mutation: first those of its line, then all of its module. Without `reach` those of
    the files that mention its module.
    """
    target = place / "loci" / mutant.package / mutant.module
    original = (source / mutant.module).read_text(encoding="utf-8")
    if reach is None:
        near, far = naming(mutant.package, mutant.module, original), []
    else:
        near = reach.tests(mutant.module, mutant.line, within=in_function(original, mutant.line))
        far = [test for test in reach.tests(mutant.module, mutant.line, within=False) if test not in set(near)]
    began = time.monotonic()
    mutant.outcome = "unreached" if not near else "survived"
    target.write_text(mutant.code, encoding="utf-8")
    try:
        for tests in (near, far):
            left = limit - (time.monotonic() - began)
            if tests and left > 0 and mutant.outcome != "killed":
                by = failing(tests, place, left, broken)
                if by is not None:
                    mutant.outcome, mutant.by = "killed", by
    finally:
        target.write_text(original, encoding="utf-8")
        mutant.seconds = round(time.monotonic() - began, 1)


def naming(name: str, module: str, text: str) -> list[str]:
    """The test files that are called as a module is, or that mention it or a class of it, small ones first; all of the
    package where there are none.
    """
    path = module.removesuffix(".py").replace("/", ".")
    called = f"test_{Path(module).stem.lstrip('_')}.py"
    classes = [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    mentions = re.compile("|".join([rf"loci\.{name}\.{re.escape(path)} import", *(rf"\b{each}\(" for each in classes)]))
    files = [file for tests in PACKAGES[name].tests for file in (ROOT / tests).rglob("test_*.py")]
    found = [file for file in files if file.name == called or mentions.search(file.read_text(encoding="utf-8"))]
    ordered = sorted(found or files, key=lambda file: (file.stat().st_size, file))
    return [str(file.relative_to(ROOT)) for file in ordered]


def failing(tests: Sequence[str], place: Path, limit: float, broken: Sequence[str]) -> str | None:
    """The test that fails, None where none does in the time there is. A test that hangs fails after a minute."""
    selection = place / "tests.txt"
    selection.write_text("\n".join(tests) + "\n", encoding="utf-8")
    code, output = forked(
        place, ["-x", "--timeout=60", *(f"--deselect={test}" for test in broken), f"@{selection}"], limit
    )
    if code == 0 or code is None:
        return None
    if code not in (1, 2):  # of pytest: tests failed, or could not be collected
        raise SystemExit(f"pytest ended with {code}:\n{output[-3000:]}")
    failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0] if failed else f"pytest ended with {code}"


def forked(place: Path, arguments: Sequence[str], limit: float) -> tuple[int | None, str]:
    """Runs pytest in a copy of this process, in which the libraries are imported already and nothing of loci is.

    Returns its exit code, None where time ran out, and what it printed.
    """
    printed = place / "printed.txt"
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.setpgid(0, 0)
            sink = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(sink, stream)
            os.chdir(ROOT)
            sys.path.insert(0, str(place))
            sys.dont_write_bytecode = True
            os.environ |= {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
            import pytest

            code = int(pytest.main([*QUIET, *IMPORTED, f"--basetemp={place}/tmp", *arguments]))
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    end = time.monotonic() + limit
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), printed.read_text(encoding="utf-8", errors="replace")
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None, ""


def pytest(place: Path, arguments: Sequence[str], **environment: str) -> Any:
    """Runs pytest with the copy in `place` before every other package."""
    command = [sys.executable, "-m", "pytest", *QUIET, f"--basetemp={place}/tmp"]
    env = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run([*command, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def in_function(text: str, line: int) -> bool:
    """Whether a line is run when a function is called, and not when its module is imported."""
    return any(
        node.body[0].lineno <= line <= (node.end_lineno or 0)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )


def overlay(name: str, source: Path, place: Path) -> Path:
    """A copy of the package, in a directory that can stand on the path before the others of the namespace."""
    shutil.copytree(source, place / "loci" / name, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "mutants_durations.py").write_text(DURATIONS, encoding="utf-8")
    return place


def measured(name: str, package: Package, source: Path) -> Reach:
    """What the tests of a package reach, measured again when the package or its tests have changed."""
    digest = hashlib.sha256()
    folders = [source, *(ROOT / tests for tests in package.tests)]
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    kept = KEPT / f"{name}-{digest.hexdigest()[:16]}.json"
    if not kept.exists():
        say(f"{name}: which tests reach which lines ...")
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="loci-mutants-") as directory:
            reach = measure(name, package, overlay(name, source, Path(directory) / "0"))
        kept.write_text(json.dumps(asdict(reach)), encoding="utf-8")
    found = json.loads(kept.read_text(encoding="utf-8"))
    lines = {module: {int(line): tests for line, tests in known.items()} for module, known in found["lines"].items()}
    return Reach(lines, found["seconds"])


def measure(name: str, package: Package, place: Path) -> Reach:
    """Runs the tests of a package once, under coverage by test."""
    from coverage import CoverageData  # pyright: ignore[reportMissingImports]

    inside = place / "loci" / name
    done = pytest(
        place,
        ["-p", "mutants_durations", f"--cov={inside}", "--cov-context=test", "--cov-report=", *package.tests],
        MUTANTS_DURATIONS=str(place / "durations.json"),
        COVERAGE_FILE=str(place / "coverage"),
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"the tests of {name} cannot be run:\n{done.stdout[-3000:]}")
    for line in done.stdout.splitlines():
        if line.startswith(("FAILED", "ERROR")):
            say(f"{name}: left out, since it fails before anything is mutated: {line}")
    data = CoverageData(str(place / "coverage"))
    data.read()
    lines: dict[str, dict[int, list[str]]] = {}
    for file in data.measured_files():
        module = Path(file).relative_to(inside.resolve()).as_posix()
        lines[module] = {
            line: sorted({context.rpartition("|")[0] for context in contexts} - {""})
            for line, contexts in data.contexts_by_lineno(file).items()
        }
    return Reach(lines, json.loads((place / "durations.json").read_text(encoding="utf-8")))


def say(text: str) -> None:
    """A line for whoever waits."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
