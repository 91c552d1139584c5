"""Words that point at a subject outside the question ("this repo", "here", a bare "it").

A pronoun whose antecedent stands earlier in the same question is bound there and points at nothing outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .parts import Cue, Language
from .patterns import Pronouns, patterns_of
from .text import compiled

_WORD = r"[^\W_]+(?:'[^\W_]+)?"


def deixis_of(pointing: str, languages: Sequence[Language]) -> list[Cue]:
    """The wordings that point outside, in their order. `pointing`: the folded text without what asks for a set."""
    found: list[Cue] = []
    for language in languages:
        for kind, pattern in patterns_of(language).deixis:
            for match in compiled(pattern).finditer(pointing):
                if kind == "noun" and _introduced(pointing, match):
                    continue
                found.append(Cue(kind, match.group(), match.span()))
    pronouns = patterns_of(languages[0]).pronouns
    if pronouns is not None:
        taken = [cue.span for cue in found]
        for cue in _unbound(pointing, pronouns):
            if not any(start <= cue.span[0] < end for start, end in taken):
                found.append(cue)
    return sorted(found, key=lambda cue: cue.span)


def _introduced(folded: str, match: re.Match[str]) -> bool:
    """Whether the noun of a definite phrase was introduced earlier in the question: then it refers back, not out."""
    noun = match.group().split()[-1]
    return (
        re.search(
            rf"\b(?:a|an|each|every|one|another|new) (?:[\w-]+ ){{0,2}}{re.escape(noun)}\b", folded[: match.start()]
        )
        is not None
    )


# Pronouns that need an antecedent; the others of `plural` agree with a plural one.
_PLURAL = frozenset(["they", "them", "their", "theirs", "themselves", "these", "those"])


def _unbound(folded: str, words: Pronouns) -> Iterator[Cue]:
    """English pronouns with no noun before them that they could stand for.

    A pronoun looks back: its antecedent is a noun that precedes it in the question and agrees with it in number. A noun
    that only follows ("what happens to it when a task fails") is no antecedent; a plural cannot be "it".
    """
    expletive = {m.start() + m.group().index("it") for m in compiled(words.expletive).finditer(folded)}
    tokens = [(m.group(), m.start(), m.end()) for m in compiled(_WORD).finditer(folded)]
    verb_or_preposition = words.auxiliaries | words.prepositions
    singular = plural = False
    for i, (word, start, end) in enumerate(tokens):
        bare = word.removesuffix("'s")
        after = tokens[i + 1][0] if i + 1 < len(tokens) else ""
        gap = folded[end : tokens[i + 1][1]] if i + 1 < len(tokens) else ""
        clause_final = not after or any(sign in gap for sign in ",;:.?!")
        pronoun = False
        if bare in ("it", "its", "itself"):
            pronoun = start not in expletive
        elif bare in ("this", "these"):
            # Before a noun it is a determiner: "this setting" refers back just as the pronoun does.
            pronoun = True
        elif bare in ("that", "those"):
            before = tokens[i - 1][0] if i else ""
            # Complementizer and relative pronoun are no pointers: only a verb's subject after an auxiliary, an object
            # at the end of its clause, or the object of a preposition.
            pronoun = clause_final or (
                before in verb_or_preposition and before not in words.not_nouns - words.auxiliaries
            )
        elif bare in _PLURAL:
            pronoun = True
        if pronoun:
            bound = (singular or plural) if bare in ("that", "this") else singular
            if bare in _PLURAL:
                bound = plural or singular
            if not bound:
                yield Cue("pronoun", word, (start, end))
            continue
        if word in words.determiners and after:
            # English modifiers are singular ("the test runner"), so a plural right after the determiner is the head
            # ("the logs go"), and anything else starts a phrase that a singular pronoun can refer to.
            if _is_plural(after):
                plural = True
            else:
                singular = True
            continue
        if word in words.not_nouns or word.endswith("ly") or word.isdigit():
            continue
        # Without a determiner only the end of a phrase is surely a noun: before a function word or a pause.
        if clause_final or after in words.not_nouns or after in words.auxiliaries:
            if _is_plural(word):
                plural = True
            else:
                singular = True
        elif _is_plural(word):
            plural = True


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "as", "os"))
