"""The families of questions that need no labels: what each is, how it is made, and what its figure says.

A family is only worth what its construction guarantees, so each says in one sentence what it shows and in one what it
does not. Which of them go together with the answers to real questions was measured
(benchmarks/results/calibration.md); the others are diagnostics: a change of theirs points at something, their height
means nothing.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ._corpus import Asked, Corpus, OwnQuestion, docstrings, headings, openings, subjects

__all__ = ["FAMILIES", "QUESTION_WORDS", "Family", "Sizes", "asked_about_itself", "is_a_sentence", "sizes_for"]

Measure = Literal["right project first", "abstains", "right project selected", "recall"]
Role = Literal["estimate", "certify", "diagnostic"]


@dataclass(frozen=True)
class Family:
    """A family of questions.

    `group`: "answerable", "refused", "place", "names" or "sets". `measure`: what its share is the share of. `role`:
    "estimate" when it stands for real questions in the estimate of the report, "certify" when the threshold is also
    chosen on it, "diagnostic" otherwise.
    """

    name: str
    title: str
    group: Literal["answerable", "refused", "place", "names", "sets"]
    measure: Measure
    role: Role
    shows: str
    shows_not: str


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family(
            "commit_subjects",
            "Commit subjects",
            "answerable",
            "right project first",
            "estimate",
            "a subject asked with its commit, and all that quotes it, left out: whether the rest of a project is "
            "enough to know its own history by",
            "nothing of how people ask: subjects are terse, and many say little to anybody who lacks the change",
        ),
        Family(
            "docstrings",
            "First lines of docstrings",
            "answerable",
            "right project first",
            "estimate",
            "a sentence on a definition asked with that line left out: whether code is found by what it is for",
            "nothing of questions in other words than the author's: the code beside the line often repeats them",
        ),
        Family(
            "openings",
            "First sentences of texts",
            "answerable",
            "right project first",
            "estimate",
            "a text's first sentence asked with it left out, of what has neither history nor source: whether a text is "
            "found by what it opens with",
            "nothing of questions in other words than the author's",
        ),
        Family(
            "headings",
            "Section headings",
            "answerable",
            "right project first",
            "diagnostic",
            "a heading asked with the heading left out and its section in place: whether documents speak for their "
            "project",
            "nothing of whole questions: most headings are three or four words, and fit several projects",
        ),
        Family(
            "removed_scope",
            "The same questions, their project left out",
            "refused",
            "abstains",
            "certify",
            "subjects and docstrings asked while their whole project is taken out of the corpus, so that nothing can "
            "answer them: the hardest questions to refuse, alike in length and style",
            "nothing of subjects far from all projects: here the nearest other project is often of the same trade",
        ),
        Family(
            "off_topic",
            "Everyday subjects",
            "refused",
            "abstains",
            "certify",
            "questions on gardens, travel and the like, as long as the answerable ones: whether common words route",
            "nothing of technical questions that no project answers",
        ),
        Family(
            "nonsense",
            "Invented words",
            "refused",
            "abstains",
            "diagnostic",
            "sentences of words that no project holds: whether a question without evidence is refused",
            "nothing else; a router that counts words at all refuses them",
        ),
        Family(
            "deictic",
            "Questions that point at no project",
            "refused",
            "abstains",
            "certify",
            "`what does this project do?` asked from nowhere: whether loci asks back instead of guessing",
            "nothing of a subject left out in other ways: the phrases are a fixed list",
        ),
        Family(
            "deictic_here",
            "The same, from inside a project",
            "place",
            "right project first",
            "diagnostic",
            "whether the working directory says which project `this` is",
            "nothing of the words: the directory decides",
        ),
        Family(
            "right_place",
            "Subjects and docstrings, from inside their project",
            "place",
            "right project first",
            "diagnostic",
            "whether a question from inside the project it is about stays there",
            "nothing of questions about other projects",
        ),
        Family(
            "wrong_place",
            "Subjects and docstrings, from inside another project",
            "place",
            "right project selected",
            "diagnostic",
            "whether a question about one project reaches it from inside another, first or beside the directory's own",
            "nothing of how often people ask so",
        ),
        Family(
            "named",
            "Projects by their names",
            "names",
            "right project first",
            "diagnostic",
            "every name a project has, in the ways people write it: whether a named project is always the one",
            "nothing of questions that name none",
        ),
        Family(
            "ordinary_words",
            "Names of projects as ordinary words",
            "names",
            "right project first",
            "diagnostic",
            "texts of one project in which the name of another stands as a word: whether the name draws them there",
            "nothing certain of any single one: some do speak of that other project",
        ),
        Family(
            "shared_terms",
            "Words of two projects",
            "sets",
            "recall",
            "diagnostic",
            "words that two projects hold and no other does: how many of the two are selected",
            "nothing of whole questions: a question that fits two projects has other words as well",
        ),
        Family(
            "users_of",
            "Which projects use X",
            "sets",
            "recall",
            "diagnostic",
            "enumerations whose truth is the table of `loci uses`: whether the wordings are understood, all are named",
            "nothing of whether that table is complete: it is both the answer and the truth",
        ),
    )
}


QUESTION_WORDS = 7
"""Content words from which an own question is about as long as one that people ask. Of the answerable questions of the
public benchmark one in six has fewer, and they have ten on average; subjects have six. How often the right project
comes first depends on the length more than on anything else, and with a longer minimum too few subjects are left."""


def is_a_sentence(question: OwnQuestion) -> bool:
    """Whether an own question is as long as one that people ask, and stands for one."""
    return FAMILIES[question.family].role == "estimate" and question.words >= QUESTION_WORDS


@dataclass(frozen=True)
class Sizes:
    """How many questions a family gets: of each scope, and in all for those that belong to none."""

    subjects: int = 8
    docstrings: int = 6
    headings: int = 4
    removed: int = 5
    placed: int = 2
    named: int = 2
    deictic: int = 24
    off_topic: int = 60
    nonsense: int = 20
    shared: int = 30
    users: int = 30


MOST_ANSWERABLE = 600
"""Questions with an answer in all: with more projects each gives fewer, so that the time does not grow with them."""


def sizes_for(scopes: int, wanted: Sizes | None = None) -> Sizes:
    """`wanted`, cut down for a corpus of many scopes."""
    sizes = wanted or Sizes()
    own = (sizes.subjects + sizes.docstrings + sizes.headings) * max(1, scopes)
    if own <= MOST_ANSWERABLE * 2:
        return sizes
    share = MOST_ANSWERABLE * 2 / own

    def less(count: int) -> int:
        return max(1, round(count * share))

    return Sizes(
        less(sizes.subjects),
        less(sizes.docstrings),
        less(sizes.headings),
        less(sizes.removed),
        1,
        1,
        sizes.deictic,
        sizes.off_topic,
        sizes.nonsense,
        sizes.shared,
        sizes.users,
    )


def asked_about_itself(
    corpus: Corpus, sizes: Sizes, seed: int = 0, *, only: Collection[str] | None = None, sentences: bool = False
) -> Iterator[Asked]:
    """Asks a corpus about itself, family by family; what is yielded was asked with the router in use.

    The answerable ones come first, scope by scope, since others are made from them. `only`: questions are made of these
    scopes alone; all scopes compete for them. `sentences`: subjects and docstrings shorter than a question are passed
    over.
    """
    told: list[Asked] = []
    removed: list[OwnQuestion] = []
    ordinary: dict[str, list[Asked]] = {}
    common = _SharedWords()
    makers = (
        (subjects, sizes.subjects),
        (docstrings, sizes.docstrings),
        (headings, sizes.headings),
    )
    for scope in sorted(corpus.index.scopes):
        if only is not None and scope not in only:
            continue
        here: list[list[Asked]] = []
        numbers = corpus.index.numbers(scope)
        texts_alone = not numbers["commit"] and not numbers["source"]
        alone = ((openings, sizes.subjects + sizes.docstrings), (headings, sizes.headings))
        for make, most in alone if texts_alone else makers:
            kept: list[Asked] = []
            for question in make(corpus, scope, seed):
                if len(kept) >= most:
                    break
                if sentences and FAMILIES[question.family].role == "estimate" and not is_a_sentence(question):
                    continue
                asked = corpus.ask(question)
                if asked.route.mode != "single" or _points(asked):
                    continue
                if not asked.mentions:
                    kept.append(asked)
                    common.learn(asked)
                elif scope not in asked.mentions and len(ordinary.setdefault(scope, [])) < sizes.placed:
                    ordinary[scope].append(asked)
            here.append(kept)
            told += kept
            yield from kept
        # Turns are taken, so that both kinds are asked of every scope.
        told_here = here[:1] if texts_alone else here[:2]
        both = [each for pair in itertools.zip_longest(*told_here) for each in pair if each is not None]
        removed += [_without_scope(each.question) for each in both[: sizes.removed]]
    for question in removed:
        asked = corpus.ask(question)
        if not asked.mentions:
            yield asked
    for scope in sorted(ordinary):
        for asked in ordinary[scope]:
            yield Asked(_renamed(asked.question, "ordinary_words"), asked.route, asked.measured, asked.baselines)
    yield from (corpus.ask(question) for question in _placed(corpus, told, sizes, seed))
    lengths = sorted(each.question.words for each in told if each.question.family != "headings")
    yield from (corpus.ask(question) for question in _off_topic(lengths, sizes.off_topic, seed))
    yield from (corpus.ask(question) for question in _nonsense(corpus, lengths, sizes.nonsense, seed))
    yield from (corpus.ask(question) for question in _deictic(corpus, sizes, seed))
    yield from (corpus.ask(question) for question in _named(corpus, sizes.named))
    yield from (corpus.ask(question) for question in common.questions(sizes.shared))
    yield from (corpus.ask(question) for question in _users(corpus, sizes.users))


def _points(asked: Asked) -> bool:
    """Whether it points at a subject it does not name: a subject such as "make it faster" is no question of a scope."""
    return asked.route.reason == "deictic"


def _renamed(question: OwnQuestion, family: str, **changes: object) -> OwnQuestion:
    from dataclasses import replace

    return replace(question, family=family, **changes)  # pyright: ignore[reportArgumentType]


def _without_scope(question: OwnQuestion) -> OwnQuestion:
    return _renamed(question, "removed_scope", scopes=(), omit=(), without=question.scopes)


def _placed(corpus: Corpus, told: Sequence[Asked], sizes: Sizes, seed: int) -> Iterator[OwnQuestion]:
    """Subjects and docstrings from inside their own scope, and from inside another one."""
    draw = random.Random(f"{seed}:place")
    places = [scope for scope in sorted(corpus.scopes) if corpus.scopes[scope].path is not None]
    taken: dict[str, int] = {}
    for asked in told:
        question = asked.question
        if question.family == "headings" or question.about not in places or len(places) < 2:
            continue
        if taken.setdefault(question.about, 0) >= sizes.placed:
            continue
        taken[question.about] += 1
        yield _renamed(question, "right_place", cwd=question.about)
        elsewhere = draw.choice([place for place in places if place != question.about])
        yield _renamed(question, "wrong_place", cwd=elsewhere)


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


def _off_topic(lengths: Sequence[int], most: int, seed: int) -> Iterator[OwnQuestion]:
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


def _nonsense(corpus: Corpus, lengths: Sequence[int], most: int, seed: int) -> Iterator[OwnQuestion]:
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


def _deictic(corpus: Corpus, sizes: Sizes, seed: int) -> Iterator[OwnQuestion]:
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


def _named(corpus: Corpus, most: int) -> Iterator[OwnQuestion]:
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


SHARED_LEAST = 3
"""Passages of each of the two scopes that must hold a shared word."""

SHARED_SHARE = 0.9
"""Of all shares of a shared word over the scopes, the two must have this part."""

SHARED_BALANCE = 0.25
"""And the lesser of the two this part of the greater."""


class _SharedWords:
    """Words that two scopes hold and hardly another one, as far as the questions asked so far had them."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[str]] = {}
        self._seen: set[str] = set()

    def learn(self, asked: Asked) -> None:
        for measurement in itertools.islice(asked.measured.values(), 1):
            for term in measurement.terms:
                if term.term in self._seen or len(term.holders) < 2 or not term.word.isalpha() or len(term.word) < 4:
                    continue
                self._seen.add(term.term)
                shares = {scope: measurement.share(term, scope) for scope in term.holders}
                first, second = sorted(shares, key=lambda scope: (-shares[scope], scope))[:2]
                enough = min(term.holders[first], term.holders[second]) >= SHARED_LEAST
                together = shares[first] + shares[second] >= SHARED_SHARE * sum(shares.values())
                if enough and together and shares[second] >= SHARED_BALANCE * shares[first]:
                    pair = (min(first, second), max(first, second))
                    self._found.setdefault(pair, []).append(term.word.lower())

    def questions(self, most: int) -> Iterator[OwnQuestion]:
        from loci.router import content_length

        for pair, words in sorted(self._found.items())[:most]:
            text = f"where is {' '.join(dict.fromkeys(words[:2]))} dealt with?"
            yield OwnQuestion("shared_terms", text, pair, pair[0], words=content_length(text))


_USING = (
    "which of my projects use {name}?",
    "what depends on {name}?",
    "which of my repos would break if {name} changed?",
)


def _users(corpus: Corpus, most: int) -> Iterator[OwnQuestion]:
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
