"""Reads questions (arguments) whole and prints as JSON what each costs: steps of all its patterns, and their number.

A program of its own: patterns are compiled once in a process, and here each of them notes what it is matched against.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from regex_steps import Matcher

seen: dict[tuple[re.Pattern[str], str], None] = {}
compile_pattern = re.compile


class Recorded:
    """A pattern that notes the texts it is matched against."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.recorded = pattern

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.recorded, name)
        if not callable(found):
            return found

        def call(*arguments: Any, **options: Any) -> Any:
            text = arguments[1 if name in ("sub", "subn") else 0]
            seen[self.recorded, text] = None
            return found(*arguments, **options)

        return call


def recorded(pattern: Any, flags: int = 0) -> Recorded:
    return pattern if isinstance(pattern, Recorded) else Recorded(compile_pattern(pattern, flags))


def main(questions: list[str]) -> dict[str, dict[str, int]]:
    """Question -> steps and patterns."""
    re.compile = recorded  # type: ignore[assignment]
    from loci.router.question import Part, Question, read

    parts = [name for name, value in vars(Question).items() if isinstance(value, Part)]
    costs = {}
    for text in questions:
        seen.clear()
        question = read(text)
        for name in parts:
            getattr(question, name)
        matcher = Matcher(allowed=1_000_000)
        for pattern, given in seen:
            assert matcher.spans(pattern, given) == [match.span() for match in pattern.finditer(given)], pattern.pattern
        costs[text] = {"steps": matcher.steps, "patterns": len(seen)}
    return costs


if __name__ == "__main__":
    sys.setrecursionlimit(20_000)
    sys.stdout.write(json.dumps(main(sys.argv[1:])))
