"""Small corpora for the tests of own questions: texts by topic, and repositories with a history."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from loci.core import Memory
from loci.router import RoutingIndex

TOPICS = {
    "harbour": "crane quay tide mooring ballast anchor pilot dredger wharf container tugboat customs hull berth cargo",
    "orchard": "apple graft rootstock blossom frost pollen harvest ladder cider prune canopy scab aphid mulch pip",
    "observatory": "telescope mirror nebula eclipse parallax comet spectrum dome "
    "orbit quasar meridian lens star aperture",
    "foundry": "furnace ingot alloy crucible slag mould casting bellows anvil temper quench forge billet flux ladle",
    "theatre": "curtain rehearsal prompter stage costume lighting balcony script "
    "chorus matinee scenery actor wings foyer",
    "dairy": "churn rennet whey curd pasture milking butter cellar cream culture vat udder hay parlour rind",
}
_COMMON = "system keeps every record weekly change after review because people need reliable careful work"


def texts(topics: int = 6, each: int = 24, *, alike: bool = False) -> dict[str, list[str]]:
    """Texts of two sentences by topic. `alike`: every scope draws from the words of all."""
    draw = random.Random(11)
    everything = " ".join(TOPICS.values()).split()
    made = {}
    for name in list(TOPICS)[:topics]:
        words = everything if alike else TOPICS[name].split()

        def sentence(words: list[str] = words) -> str:
            chosen = draw.sample(words, 5) + draw.sample(_COMMON.split(), 4)
            draw.shuffle(chosen)
            return " ".join(chosen).capitalize()

        made[name] = [f"{sentence()}. {sentence()}. {sentence()}." for _ in range(each)]
    return made


def index(topics: int = 6, each: int = 24, *, alike: bool = False) -> RoutingIndex:
    """A routing index of `texts`."""
    return RoutingIndex.from_texts(texts(topics, each, alike=alike))


def repositories(root: Path, make: Callable[..., Path], topics: int = 3, commits: int = 12) -> Memory:
    """An indexed home of repositories with documents, source with docstrings, and a history."""
    draw = random.Random(5)
    for name in list(TOPICS)[:topics]:
        words = TOPICS[name].split()

        def sentence(count: int = 8, words: list[str] = words) -> str:
            return " ".join(draw.sample(words, count)).capitalize()

        sections = "\n\n".join(
            f"## {sentence(3)}\n\n{sentence(12)} and {sentence(9).lower()}. {sentence(10)}." for _ in range(6)
        )
        functions = "\n\n\n".join(
            f"def {words[at]}_{words[at + 1]}({words[at + 2]}):\n"
            f'    """{sentence(9)}.\n\n    {sentence(12)}.\n    """\n'
            f"    return {words[at + 2]} + {words[at + 3]}({words[at + 4]}, {words[at + 5]})"
            for at in range(8)
        )
        files = {"README.md": f"# {name}\n\n{sentence(10)}.\n\n{sections}\n", "main.py": functions + "\n"}
        # A subject, and again in the changelog of a later commit.
        make(root / "work" / name, files, *(sentence(9) for _ in range(commits)))
    memory = Memory.open(root / "home")
    memory.scan([root / "work"])
    memory.index()
    return memory
