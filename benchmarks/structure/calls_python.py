"""Measures the calls in loci's graphs of Python repositories by jedi's answers.

Two steps, since jedi has an environment of its own (`uv venv JEDI && uv pip install --python JEDI/bin/python jedi`):

    JEDI/bin/python benchmarks/structure/calls_python.py ask --answers answers.json REPOSITORY...
    uv run --no-sync python benchmarks/structure/calls_python.py compare --answers answers.json REPOSITORY...

The first samples 400 calls with a fixed seed and asks jedi where each target is defined; the second builds the graphs
in a temporary folder and compares. The repositories are only read.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from judging import SAMPLE, SEED, Site, compare, load, sample, save

warnings.simplefilter("ignore", SyntaxWarning)


def call_sites(root: Path) -> list[Site]:
    """Every call of a name or attribute in the Python files that git tracks."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "*.py"], capture_output=True, check=True).stdout
    sites = []
    for path in sorted(filter(None, listed.decode().split("\0"))):
        try:
            text = (root / path).read_text(encoding="utf-8")
            tree = ast.parse(text)
        except (OSError, ValueError, SyntaxError):
            continue
        lines = text.split("\n")
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            line = node.func.end_lineno or node.func.lineno
            # ast counts columns in bytes, jedi in characters.
            end = len(lines[line - 1].encode()[: node.func.end_col_offset].decode(errors="replace"))
            sites.append(Site(root.name, path, line, end - len(name), name, _written(node.func)))
    return sites


def _written(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _written(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


def ask(roots: list[Path]) -> list[Site]:
    """Samples the call sites and fills in what jedi says."""
    try:
        import jedi  # pyright: ignore[reportMissingImports]
    except ImportError:
        sys.exit("jedi is not installed here: run this step with the interpreter of an environment that has it")
    sites = sample([site for root in roots for site in call_sites(root)])
    by_name = {root.name: root.resolve() for root in roots}
    # Nothing is installed for jedi: it has to be told where the packages of a `src` layout are.
    projects = {name: jedi.Project(root, added_sys_path=[root, root / "src"]) for name, root in by_name.items()}
    lines: dict[tuple[str, str, int, str], list[Site]] = {}
    for name, root in by_name.items():
        for site in call_sites(root):
            lines.setdefault((name, site.path, site.line, site.name), []).append(site)
    # Other calls of the same name on the same line are asked about as well: an edge of a graph says no column.
    asked = []
    for site in sites:
        others = [one for one in lines[site.repository, site.path, site.line, site.name] if one.column != site.column]
        asked += [(site, site)] + [(one, site) for one in others]
    for count, (site, sampled) in enumerate(asked, 1):
        root = by_name[site.repository]
        script = jedi.Script(path=root / site.path, project=projects[site.repository])
        try:
            found = script.goto(site.line, site.column, follow_imports=True, follow_builtin_imports=True)
        except Exception as error:  # jedi raises what its parser raises
            print(f"{site.repository}/{site.path}:{site.line}: {error!r}", file=sys.stderr)
            found = []
        verdicts = set()
        for definition in found:
            path = definition.module_path
            place = None if path is None else Path(path).resolve()
            inside = place is not None and place.is_relative_to(root)
            if definition.type in ("function", "class", "property"):
                if place is not None and inside:
                    site.targets.append((place.relative_to(root).as_posix(), definition.line))
                verdicts.add("inside" if inside else "outside")
            elif definition.type in ("param", "statement", "instance"):
                verdicts.add("value")
                if place is not None and inside and definition.line is not None:
                    site.values.append((place.relative_to(root).as_posix(), definition.line))
            else:
                verdicts.add("outside" if not inside else "unknown")
        for verdict in ("inside", "value", "outside"):
            if verdict in verdicts:
                site.verdict = verdict
                break
        if site is not sampled:
            sampled.beside += site.targets
        if count % 50 == 0:
            print(f"{count} of {len(asked)}", file=sys.stderr)
    return sites


def main() -> None:
    """Asks jedi, or compares loci's graphs with what it said."""
    parser = argparse.ArgumentParser(description=main.__doc__, epilog=f"{SAMPLE} calls, seed {SEED}")
    parser.add_argument("step", choices=["ask", "compare"])
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPOSITORY")
    parser.add_argument("--answers", type=Path, required=True, help="jedi's answers, written by `ask`")
    parser.add_argument("--json", type=Path, help="where the figures and all errors go")
    parser.add_argument("--examples", type=int, default=6, help="errors printed of each cause (default: 6)")
    arguments = parser.parse_args()
    if arguments.step == "ask":
        save(ask(arguments.repositories), arguments.answers)
        return
    roots = {root.name: root.resolve() for root in (path.resolve() for path in arguments.repositories)}
    result = compare(load(arguments.answers), roots, examples=arguments.examples)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
