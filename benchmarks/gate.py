"""How well the gate of a scope's episodes tells questions that the scope answers from those of other scopes.

    python benchmarks/gate.py HOME QUESTIONS [HOME QUESTIONS ...]

HOME is an index that `loci eval bench --home HOME` kept, QUESTIONS the file it asked. Every question that has
evidence in one scope is put to every scope. Rejected: the share of wrong scopes that the gate shuts. Lost: the share of
all questions whose evidence stands among the first ten files or commits of their scope and is shut away. The first pair
also has its floor chosen on four fifths of the scopes (the 2 % quantile of right ones) and tried on the last fifth, ten
times over.
"""

from __future__ import annotations

import json
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from loci.episodes import Episodes, Gate, Support
from loci.episodes._gate import HELD_WORTH, HOLDS_FLOOR
from loci.router import RoutingIndex, SummedScores

QUANTILE = 0.02
FOLDS = 5
TIMES = 10


@dataclass(frozen=True)
class Pair:
    """A question put to a scope. `found`: whether the scope's own evidence is among the first ten of a lane."""

    project: str
    right: bool
    found: bool
    support: Support
    held: float

    @property
    def level(self) -> float:
        """What the floor is compared with; beyond every floor where the other sign says yes."""
        return math.inf if self.support.holds >= HOLDS_FLOOR else self.support.share * math.exp(HELD_WORTH * self.held)


def pairs(home: Path, questions: Path) -> list[Pair]:
    manifest = json.loads((home / "manifest.json").read_text(encoding="utf-8"))
    segments = {Path(entry["path"]).name: home / "segments" / entry["segment"] for entry in manifest["scopes"].values()}
    stores = {name: Episodes.open(segment) for name, segment in segments.items()}
    index, model = RoutingIndex.open(segments), SummedScores()
    found = []
    for line in questions.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        if len(question["scopes"]) != 1 or question["family"] not in ("behavior", "structure", "history"):
            continue
        own = question["scopes"][0]
        evidence = {item.get("path") or item.get("commit") for item in question["evidence"]}
        scopes = model.evidence(index, question["question"]).scopes
        total = math.fsum(math.exp(scope.combined) for scope in scopes.values())
        for name, scope in scopes.items():
            lanes = stores[name].lanes(question["question"], k=10)
            shown = {
                source
                for passage in (*lanes.files, *lanes.commits)
                for source in (passage.source, *(place.commit or place.path for place in passage.also_at))
            }
            support = Support(math.exp(scope.combined) / total, scope.holds, scope.whether)
            found.append(Pair(own, name == own, name == own and bool(shown & evidence), support, lanes.held))
    return found


def line(what: str, outcomes: list[tuple[Pair, bool]]) -> str:
    wrong = [not admitted for pair, admitted in outcomes if not pair.right]
    lost = [pair.found and not admitted for pair, admitted in outcomes if pair.right]
    shares = f"rejected {sum(wrong) / len(wrong):.3f} of {len(wrong)}, lost {sum(lost) / len(lost):.3f} of {len(lost)}"
    return f"{what}: {shares}"


def folds(all_pairs: list[Pair]) -> list[tuple[Pair, bool]]:
    projects = sorted({pair.project for pair in all_pairs})
    outcomes = []
    for seed in range(TIMES):
        shuffled = list(projects)
        random.Random(seed).shuffle(shuffled)
        for fold in range(FOLDS):
            left_out = set(shuffled[fold::FOLDS])
            levels = sorted(pair.level for pair in all_pairs if pair.found and pair.project not in left_out)
            place = QUANTILE * (len(levels) - 1)
            low, high = levels[int(place)], levels[int(place) + 1]
            floor = low + (high - low) * (place - int(place)) if high < math.inf else low
            outcomes += [(pair, pair.level >= floor) for pair in all_pairs if pair.project in left_out]
    return outcomes


def main() -> None:
    gate = Gate()
    for number in range(1, len(sys.argv), 2):
        measured = pairs(Path(sys.argv[number]), Path(sys.argv[number + 1]))
        print(line("as it is", [(pair, gate.grounded(pair.support, pair.held)) for pair in measured]))
        alone = [(pair, gate.grounded(None, pair.held)) for pair in measured]
        print(line("nothing known of other scopes", alone))
        if number == 1:
            print(line("floor from folds", folds(measured)))


if __name__ == "__main__":
    main()
