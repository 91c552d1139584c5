"""Finds circles between the modules of each crate: `python scripts/crate_circles.py`; exits 1 if there is one.

The compiler allows two files of a crate to use each other. Here they may not, because neither can then be read or moved
alone, unless they are one concept: see `ONE_CONCEPT`. Seen from outside, a folder is one module; the files in it are
compared among themselves. A parent may use its children, and a child what the parent itself defines.

What counts as a use is a path that starts with `crate`, `super` or `self` outside of tests. A name that a `lib.rs` or
`mod.rs` hands on with `pub use` is a use of the module that defines it.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]

ONE_CONCEPT: Mapping[str, Sequence[frozenset[str]]] = {
    "loci-episodes": [frozenset({"rank", "twins"})],
    "loci-rank": [frozenset({"lanes", "near_duplicates"})],
}
"""Circles that are allowed, by crate."""

Module = tuple[str, ...]
"""A path from the root of a crate: `crate::query::names` is ("query", "names"), `lib.rs` is ()."""

COMMENT = re.compile(r"//[^\n]*")
STRING = re.compile(r'b?"(?:[^"\\]|\\.)*"', re.DOTALL)
TESTS = re.compile(r"^#\[cfg\(test\)\]\s*mod \w+ \{.*", re.DOTALL | re.MULTILINE)
USE = re.compile(r"\b(crate|self|super(?:::super)*)::([\w:]*)(\{)?")
EXPORT = re.compile(r"^\s*pub(?:\([\w ]+\))? use (?:(?:crate|self)::)?([\w:]+)(\{[^;]*\})?(?: as \w+)?;", re.MULTILINE)


def modules_of(source: Path) -> dict[Module, str]:
    """Returns the text of each module below `source`, without comments, strings and tests."""
    found = {}
    for file in sorted(source.rglob("*.rs")):
        parts = file.relative_to(source).with_suffix("").parts
        module = parts[:-1] if parts[-1] in {"lib", "mod", "main"} else parts
        if "tests" not in module:
            text = COMMENT.sub("", file.read_text(encoding="utf-8"))
            found[module] = TESTS.sub("", STRING.sub('""', text))
    return found


def parts_of(path: str) -> Module:
    """Returns the names of a path: `a::b::` and `a::b::self` are ("a", "b")."""
    return tuple(part for part in path.split("::") if part and part != "self")


def members_of(group: str) -> list[str]:
    """Returns the paths in the braces at the start of `group`: `{a, b::{c, d as e}}` holds a, b::c and b::d."""
    members, depth, begin = [], 0, 1
    for place, character in enumerate(group):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0 or (depth == 1 and character == ","):
            members.append(group[begin:place].strip())
            begin = place + 1
        if depth == 0:
            break
    flat = []
    for member in filter(None, members):
        head, brace, _ = member.partition("{")
        flat += [head + inner for inner in members_of(member[len(head) :])] if brace else [member.split(" as ")[0]]
    return flat


def exports_of(modules: Mapping[Module, str]) -> dict[Module, Module]:
    """Returns what each `pub use` stands for: ("Graph",) for ("store", "Graph")."""
    exports = {}
    for module, text in modules.items():
        for path, group in EXPORT.findall(text):
            for member in members_of(group) if group else [""]:
                parts = parts_of(path) + parts_of(member)
                exports[(*module, parts[-1])] = (*module, *parts)
    return exports


def paths_in(module: Module, text: str) -> Iterator[Module]:
    """Yields every path that a module mentions, from the root of the crate."""
    for match in USE.finditer(text):
        start, path, brace = match.groups()
        base = {"crate": (), "self": module}.get(start, module[: -start.count("super")])
        for member in members_of(text[match.end() - 1 :]) if brace else [""]:
            yield (*base, *parts_of(path), *parts_of(member))


def uses_of(modules: Mapping[Module, str]) -> dict[Module, set[Module]]:
    """Returns which other modules each module uses; parents and children are left out."""
    exports = exports_of(modules)
    uses: dict[Module, set[Module]] = defaultdict(set)
    for module, text in modules.items():
        for mentioned in paths_in(module, text):
            path, seen = mentioned, set()
            while path in exports and path not in seen:
                seen.add(path)
                path = exports[path]
            while path and path not in modules:
                path = path[:-1]
            if path != module[: len(path)] and module != path[: len(module)]:
                uses[module].add(path)
    return uses


def circles_of(uses: Mapping[Module, set[Module]]) -> Iterator[tuple[Module, list[str]]]:
    """Yields the folder and the sorted names of each set of modules there that all reach each other."""
    folders = {user[:depth] for user in uses for depth in range(len(user))}
    for folder in sorted(folders):
        depth = len(folder)
        siblings: dict[str, set[str]] = defaultdict(set)
        for user, used in uses.items():
            for other in used:
                if user[:depth] == folder == other[:depth] and user[depth] != other[depth]:
                    siblings[user[depth]].add(other[depth])
        reach = {name: reached(siblings, name) for name in siblings}
        done: set[str] = set()
        for name in sorted(reach):
            if name in reach[name] and name not in done:
                circle = {other for other in reach[name] if name in reach.get(other, ())}
                done |= circle
                yield folder, sorted(circle)


def reached(edges: Mapping[str, set[str]], start: str) -> set[str]:
    """Returns whatever can be reached from `start`; itself only if there is a way back."""
    found: set[str] = set()
    ahead = list(edges.get(start, ()))
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += edges.get(name, ())
    return found


def main(root: Path = ROOT, allowed: Mapping[str, Sequence[frozenset[str]]] = ONE_CONCEPT) -> int:
    """Prints every circle that is not allowed, with the uses that make it; returns 1 if there is one."""
    status = 0
    for source in sorted(root.glob("crates/*/src")):
        crate = source.parent.name
        uses = uses_of(modules_of(source))
        for folder, circle in circles_of(uses):
            names = {"::".join((*folder, name)) for name in circle}
            if any(names <= concept for concept in allowed.get(crate, ())):
                continue
            status = 1
            sys.stdout.write(f"{crate}: {', '.join(sorted(names))} use each other\n")
            depth = len(folder)
            for user, used in sorted(uses.items()):
                if user[:depth] == folder and user[depth] in circle:
                    others = set(circle) - {user[depth]}
                    inside = [other for other in sorted(used) if other[:depth] == folder and other[depth] in others]
                    if inside:
                        sys.stdout.write(f"    {'::'.join(user)} uses {', '.join(map('::'.join, inside))}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
