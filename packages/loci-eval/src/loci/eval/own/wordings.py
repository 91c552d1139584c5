"""Questions in wordings made up here: everyday subjects, invented words, pointing, names, users."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from .corpus import Corpus, OwnQuestion
from .families import Sizes

__all__ = ["deictic", "named", "nonsense", "off_topic", "users_of"]

# Everyday subjects in three parts each, so that a question of any length can be had.
_EVERYDAY = (
    ("How did the glaciers of the Alps shape valleys", "during the last ice age", "before any people lived there"),
    ("When is the best month to visit Lisbon", "for warm evenings by the river", "before the summer crowds arrive"),
    ("Which houseplants survive a dark hallway", "with little water in winter", "and no fertiliser for months"),
    ("How do I get red wine out of a wool carpet", "after it has dried overnight", "without bleaching the pattern"),
    ("What should I pack for a week of hiking", "in the Norwegian mountains", "if heavy rain is likely"),
    ("Why do swallows fly low above the lake", "on humid evenings in summer", "shortly before a thunderstorm"),
    ("How much should a six month old baby sleep", "between two afternoon feeds", "while teething badly"),
    ("Which muscles does rowing train", "compared with swimming breaststroke", "for somebody with a sore shoulder"),
    ("How do bees find their way home", "after a long flight over meadows", "when clouds hide the sun"),
    ("What makes an old violin sound warmer", "than a cheap factory violin", "played with the same bow"),
    ("How can I stop my dog from barking", "at the neighbour's cat", "whenever the garden gate opens"),
    ("Which vaccinations do I need for Kenya", "six weeks before the safari", "when travelling with small children"),
    ("How do I prune an apple tree", "that has not been cut for years", "without losing next autumn's harvest"),
    ("Why do my knees hurt when running downhill", "on wet forest trails", "although my shoes are new"),
    ("What is a fair rent for a two room flat", "near the university hospital", "with a balcony facing south"),
    ("How was the medieval cathedral roof built", "from oak beams and lead", "before cranes were invented"),
    ("Which emperor rebuilt the burned palace", "after the great fire of the city", "with marble from the south"),
    ("How do I teach a child to ride a bicycle", "without stabilisers on grass", "in a single sunny weekend"),
    ("Why is the sea salty", "while most rivers taste fresh", "even where they meet the ocean"),
    ("What gives old stained glass its deep blue", "in the windows of a chapel", "when the afternoon sun shines"),
)


def off_topic(lengths: Sequence[int], most: int, seed: int) -> Iterator[OwnQuestion]:
    """Everyday questions whose lengths are those of the answerable ones."""
    from loci.router import content_length

    if not lengths:
        return
    asked: set[str] = set()
    for number in range(min(most, 3 * len(_EVERYDAY))):
        wanted = lengths[(2 * number + 1) * len(lengths) // (2 * most)]
        parts = _EVERYDAY[(number + seed) % len(_EVERYDAY)]
        forms = [" ".join(parts[:count]) + "?" for count in (1, 2, 3)]
        free = [form for form in forms if form not in asked] or forms
        text = min(free, key=lambda form: (abs(content_length(form) - wanted), form))
        if text not in asked:
            asked.add(text)
            yield OwnQuestion("off_topic", text, words=content_length(text))


_ONSETS = ("bl", "dr", "fl", "gr", "kw", "pl", "shr", "sk", "tr", "v", "wr", "z", "m", "n", "th")
_RHYMES = ("orb", "imp", "unt", "azz", "elk", "oft", "und", "ivv", "arg", "osh", "eeb", "uzz")


def nonsense(corpus: Corpus, lengths: Sequence[int], most: int, seed: int) -> Iterator[OwnQuestion]:
    """Sentences of words that nothing holds."""
    from loci.router import content_length

    draw = random.Random(f"{seed}:nonsense")
    words: list[str] = []
    for _ in range(4):
        made = ["".join(draw.choice(_ONSETS) + draw.choice(_RHYMES) for _ in range(2)) for _ in range(60)]
        held = {term.word for term in corpus.index.measure(" ".join(made)).terms if term.holders}
        words += [word for word in dict.fromkeys(made) if word not in held]
    if len(words) < 20 or not lengths:
        return
    for number in range(most):
        wanted = max(3, lengths[(2 * number + 1) * len(lengths) // (2 * most)])
        chosen = draw.sample(words, min(wanted, len(words)))
        half = len(chosen) // 2
        text = f"why does the {' '.join(chosen[:half])} not {' '.join(chosen[half:])}?"
        yield OwnQuestion("nonsense", text, words=content_length(text))


_POINTING = (
    "what does this project do?",
    "how do I run the tests here?",
    "why was it written in this language?",
    "where is the entry point of this thing?",
    "who maintains this?",
    "how is this deployed?",
    "which licence does it have?",
    "what changed here since last week?",
    "is this still in use?",
    "how do I build it from source?",
    "where does the app keep its settings?",
    "what are the main parts of this codebase?",
    "how do I set this up on a new machine?",
    "which version is this?",
    "what would break if I removed that?",
    "does this have any tests?",
    "where are its docs?",
    "why is it so slow?",
    "can you explain this repository to me?",
    "what is left to do here?",
    "how do I contribute to this?",
    "what depends on it?",
    "where do I start reading this code?",
    "how old is this project?",
)


def deictic(corpus: Corpus, sizes: Sizes, seed: int) -> Iterator[OwnQuestion]:
    """Questions that point: from nowhere they are to be refused, from inside a scope they are about it."""
    from loci.router import content_length

    forms = [text.format(text=pointing) for text in ("{text}", "quick question: {text}") for pointing in _POINTING]
    for text in forms[: sizes.deictic]:
        yield OwnQuestion("deictic", text, words=content_length(text))
    places = [scope for scope in sorted(corpus.scopes) if corpus.scopes[scope].path is not None]
    for number, scope in enumerate(places[: 2 * sizes.deictic]):
        text = _POINTING[(number + seed) % len(_POINTING)]
        yield OwnQuestion("deictic_here", text, (scope,), scope, cwd=scope, words=content_length(text))


_NAMING = (
    "how does {name} handle errors at start?",
    "in the {name} repo, where are the settings read?",
    "what did we change in {name} last month?",
    "{name}: what happens when the input is empty?",
    "where does {name}'s main loop begin?",
)


def named(corpus: Corpus, most: int) -> Iterator[OwnQuestion]:
    """Every name of every scope, up to `most` of each, in turn in each way of naming and spelling."""
    from loci.router import content_length

    owners: dict[str, set[str]] = {}
    for scope in corpus.scopes.values():
        for name in {scope.name, *scope.aliases}:
            owners.setdefault(_folded(name), set()).add(scope.id)
    turn = itertools.count()
    for scope in sorted(corpus.scopes.values(), key=lambda each: each.id):
        names = [name for name in dict.fromkeys([scope.name, *scope.aliases]) if len(_folded(name)) > 2]
        for name in names[:most]:
            number = next(turn)
            spelled = [name, name.replace("-", " ").replace("_", " "), name.capitalize(), name][number % 4]
            text = _NAMING[number % len(_NAMING)].format(name=spelled)
            right = tuple(sorted(owners[_folded(name)]))
            yield OwnQuestion("named", text, right, scope.id, words=content_length(text))


def _folded(name: str) -> str:
    return name.lower().replace("-", " ").replace("_", " ")


_USING = (
    "which of my projects use {name}?",
    "what depends on {name}?",
    "which of my repos would break if {name} changed?",
)


def users_of(corpus: Corpus, most: int) -> Iterator[OwnQuestion]:
    """Who uses a project, where `loci uses` knows of anybody."""
    from loci.router import content_length

    users: dict[str, set[str]] = {}
    for user, used in sorted((corpus.uses or {}).items()):
        for scope in used:
            if scope in corpus.scopes and user in corpus.scopes:
                users.setdefault(scope, set()).add(user)
    for number, scope in enumerate(sorted(users)[:most]):
        text = _USING[number % len(_USING)].format(name=corpus.scopes[scope].name)
        yield OwnQuestion("users_of", text, tuple(sorted(users[scope])), scope, words=content_length(text))
