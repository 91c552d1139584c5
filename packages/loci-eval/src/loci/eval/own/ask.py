"""Asks a corpus about itself, family by family."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterator, Sequence

from .corpus import Asked, Corpus, OwnQuestion
from .families import FAMILIES, Sizes, is_a_sentence
from .shared_words import SharedWords
from .texts import docstrings, headings, openings, subjects
from .wordings import deictic, named, nonsense, off_topic, users_of

__all__ = ["asked_about_itself"]


def asked_about_itself(
    corpus: Corpus, sizes: Sizes, seed: int = 0, *, only: Collection[str] | None = None, sentences: bool = False
) -> Iterator[Asked]:
    """Asks a corpus about itself, family by family; what is yielded was asked with the router in use.

    The answerable ones come first, scope by scope, since others are made from them. `only`: questions are made of these
    scopes alone; all scopes compete for them. `sentences`: subjects and docstrings shorter than a question are passed
    over.
    """
    answerable: list[Asked] = []
    removed: list[OwnQuestion] = []
    ordinary: dict[str, list[Asked]] = {}
    common = SharedWords()
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
            answerable += kept
            yield from kept
        # Turns are taken, so that both kinds are asked of every scope.
        answerable_here = here[:1] if texts_alone else here[:2]
        both = [each for pair in itertools.zip_longest(*answerable_here) for each in pair if each is not None]
        removed += [_without_scope(each.question) for each in both[: sizes.removed]]
    for question in removed:
        asked = corpus.ask(question)
        if not asked.mentions:
            yield asked
    for scope in sorted(ordinary):
        for asked in ordinary[scope]:
            yield Asked(_renamed(asked.question, "ordinary_words"), asked.route, asked.measured, asked.baselines)
    yield from (corpus.ask(question) for question in _placed(corpus, answerable, sizes, seed))
    lengths = sorted(each.question.words for each in answerable if each.question.family != "headings")
    yield from (corpus.ask(question) for question in off_topic(lengths, sizes.off_topic, seed))
    yield from (corpus.ask(question) for question in nonsense(corpus, lengths, sizes.nonsense, seed))
    yield from (corpus.ask(question) for question in deictic(corpus, sizes, seed))
    yield from (corpus.ask(question) for question in named(corpus, sizes.named))
    yield from (corpus.ask(question) for question in common.questions(sizes.shared))
    yield from (corpus.ask(question) for question in users_of(corpus, sizes.users))


def _points(asked: Asked) -> bool:
    """Whether it points at a subject it does not name: a subject such as "make it faster" is no question of a scope."""
    return asked.route.reason == "deictic"


def _renamed(question: OwnQuestion, family: str, **changes: object) -> OwnQuestion:
    from dataclasses import replace

    return replace(question, family=family, **changes)  # pyright: ignore[reportArgumentType]


def _without_scope(question: OwnQuestion) -> OwnQuestion:
    return _renamed(question, "removed_scope", scopes=(), omit=(), without=question.scopes)


def _placed(corpus: Corpus, answerable: Sequence[Asked], sizes: Sizes, seed: int) -> Iterator[OwnQuestion]:
    """Subjects and docstrings from inside their own scope, and from inside another one."""
    draw = random.Random(f"{seed}:place")
    places = [scope for scope in sorted(corpus.scopes) if corpus.scopes[scope].path is not None]
    taken: dict[str, int] = {}
    for asked in answerable:
        question = asked.question
        if question.family == "headings" or question.about not in places or len(places) < 2:
            continue
        if taken.setdefault(question.about, 0) >= sizes.placed:
            continue
        taken[question.about] += 1
        yield _renamed(question, "right_place", cwd=question.about)
        elsewhere = draw.choice([place for place in places if place != question.about])
        yield _renamed(question, "wrong_place", cwd=elsewhere)
