"""Every kind of advice has words for an agent: arguments of the tools, and commands only for the person."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from loci.mcp import words
from loci.router import Advice, Route
from loci.router import advice as kinds

SENTENCES: list[tuple[Advice, str]] = [
    (
        kinds.OutsideGroup("hugo", "Hugo", ("acme",), asked_for=True),
        'The best answer is in Hugo, outside the group acme. Call again without `group`, or with `scope="hugo"`.',
    ),
    (
        kinds.OutsideGroup("hugo", "Hugo", ("acme",), asked_for=False),
        'The best answer is in Hugo, outside the group acme. Call again without `cwd`, or with `scope="hugo"`.',
    ),
    (
        kinds.NothingIndexed(),
        "No project is indexed. The person runs `loci setup <directory>` to index the projects below it.",
    ),
    (
        kinds.EmptyGroup(("acme",)),
        "The group acme has no members. Call again without `group`; the person adds a project with "
        "`loci group add <project> <group>`.",
    ),
    (kinds.NoneInLanguage(("Go", "C"), mostly=True), "No indexed project is known to be mostly written in Go or C."),
    (kinds.Misspelt("gohugoio/hugo", "hugo"), 'Did you mean hugo? If so, call again with `scope="gohugoio/hugo"`.'),
    (
        kinds.SubjectNotNamed(("hugo", "bat")),
        "The question does not say which project it is about (it may be hugo, bat). Name it, or call again with "
        "`cwd` (its directory) or `scope` (its id).",
    ),
    (
        kinds.HardlyAnyEvidence(),
        "Hardly anything in the indexed projects matches. Ask in other words. If the question is about a project that "
        "is not registered, the person runs `loci add <directory>`.",
    ),
    (
        kinds.CommonWords(("hugo", "bat")),
        "Most projects have every word of the question, so none says which one is meant. Name the project, or call "
        'again with `scope="hugo"` (or "bat") or with `cwd` (its directory).',
    ),
    (
        kinds.ThinEvidence(("hugo", "bat", "jq")),
        'The evidence is too thin to choose. If you know the project, call again with `scope="hugo"` (or "bat" or '
        '"jq") or with `cwd` (its directory).',
    ),
    (
        kinds.NothingAskedOfSet(),
        "The question says nothing of the projects that it asks for. The tool `scopes` lists all of them.",
    ),
    (kinds.NoContentWords(), "The question has no content words. Say what it is about."),
    (
        kinds.OnlyOutside(),
        "No project that may answer has any of its words. The tool `scopes` lists what is indexed.",
    ),
    (
        kinds.IndexedNowhere(),
        "No indexed project has any of its words: the subject is indexed nowhere. The tool `scopes` lists what is; the "
        "person adds more with `loci scan <directory>`.",
    ),
    (
        kinds.DefinedInSeveral(("close",), ("a", "b")),
        'close is defined in a, b. Call again with `scope="a"` or another of these, or with `cwd`.',
    ),
    (
        kinds.LeftDirectory("hugo", "Hugo", "bat", "Bat", "defines_symbol"),
        "Bat answers and not Hugo, the project of `cwd`: it defines the symbol. To stay there, call again with "
        '`scope="hugo"`.',
    ),
    (kinds.MoreInLanguages(3, ("Go",)), "3 more have files in Go."),
    (
        kinds.UsesNotCollected(),
        "Which project uses another was not collected, so these are the projects whose texts speak of it. The person "
        "collects it with `loci uses --refresh`.",
    ),
    (kinds.UsesListed(4), "4 more use it and are not listed. The person sees all with `loci uses`."),
    (kinds.UsesListed(0), ""),
    (
        kinds.ChangedSinceIndexed(("hugo", "bat")),
        "hugo, bat have changed since they were indexed, and the changes were not searched. The person runs "
        "`loci index hugo bat`.",
    ),
    (
        kinds.DirectoryNotRegistered("/code/shop"),
        "/code/shop, where this was asked, is not registered. The person runs `loci add /code/shop` and `loci index`.",
    ),
    (
        kinds.NameTheProject(),
        "For another project, name it, or call again with `cwd` (its directory) or `scope` (its id).",
    ),
    (
        kinds.NoUserFound(("hugo",), 30, ("imports in C are not collected: jq",)),
        "No manifest, import or script of 30 projects names hugo, which does not prove that nothing uses it: imports "
        "in C are not collected: jq. The person reads them again with `loci uses --refresh`.",
    ),
    (
        kinds.NoSuchSymbol(("totals",), (("total", "desk"),)),
        "No indexed project has a symbol called totals: did you mean total (desk)?",
    ),
    (kinds.NoSuchSymbol(("main", "halt"), ()), "No indexed project has both main and halt."),
]


def test_every_kind_of_advice_has_a_sentence() -> None:
    assert {type(advised) for advised, _ in SENTENCES} == set(get_args(Advice))


@pytest.mark.parametrize(("advised", "sentence"), SENTENCES)
def test_advice_in_the_words_of_the_server(advised: Advice, sentence: str) -> None:
    assert words.advice(advised) == sentence


@pytest.mark.parametrize(("advised", "sentence"), SENTENCES)
def test_no_sentence_tells_an_agent_to_pass_a_flag(advised: Advice, sentence: str) -> None:
    """A flag stands only inside a command that the person runs."""
    of_the_agent = re.sub(r"[Tt]he person \w+(?: \w+){0,4} `[^`]*`(?: and `[^`]*`)?", "", sentence)
    assert "--" not in of_the_agent and "loci " not in of_the_agent


def route(*advised: Advice, reason: str | None = None) -> Route:
    return Route("q", reason is not None, reason, "single", 0.0, [], [], advised)  # type: ignore[arg-type]


def test_the_next_steps_of_a_route() -> None:
    assert words.next_steps(route()) == [] == words.next_steps(route(kinds.UsesListed(0)))
    denied = route(kinds.ChangedSinceIndexed(("hugo",)), kinds.NoContentWords(), reason="no_evidence")
    assert words.next_steps(denied) == [
        "hugo has changed since it was indexed, and the changes were not searched. The person runs `loci index hugo`.",
        "The question has no content words. Say what it is about.",
        "Pass a scope only if you know that this project holds the answer; do not try the candidates one by one. "
        "Else say that nothing indexed answers.",
    ]
    assert words.next_steps(route(kinds.NameTheProject(), reason="deictic")) == [
        "For another project, name it, or call again with `cwd` (its directory) or `scope` (its id)."
    ]
