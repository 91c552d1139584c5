"""The families of questions that need no labels: what each is, how it is made, and what its figure says.

A family is only worth what its construction guarantees, so each says in one sentence what it shows and in one what it
does not. Which of them go together with the answers to real questions was measured
(benchmarks/results/calibration.md); the others are diagnostics: a change of theirs points at something, their height
means nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .corpus import OwnQuestion

__all__ = ["QUESTION_WORDS", "Family", "Sizes", "is_a_sentence", "sizes_for"]

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
