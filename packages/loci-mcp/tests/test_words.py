"""Every kind of advice and error has words for an agent: arguments of the tools, and commands only for the person."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from loci import core
from loci.core import LociError
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
        "No project is indexed. The person runs `loci setup <directory>` to index the projects in a directory.",
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
        "Almost nothing in the indexed projects matches. Ask in other words. If the question is about a "
        "project that is not registered, the person runs `loci add <directory>`.",
    ),
    (
        kinds.CommonWords(("hugo", "bat")),
        "Most projects contain every word of the question, so the words do not tell which one is meant. Name "
        'the project, or call again with `scope="hugo"` (or "bat") or with `cwd` (its directory).',
    ),
    (
        kinds.ThinEvidence(("hugo", "bat", "jq")),
        "The evidence is too weak to choose a project. If you know the project, call again with "
        '`scope="hugo"` (or "bat" or "jq") or with `cwd` (its directory).',
    ),
    (
        kinds.NothingAskedOfSet(),
        "The question asks for projects without saying which. The tool `scopes` lists all projects.",
    ),
    (kinds.NoContentWords(), "The question has no content words. Say what it is about."),
    (
        kinds.OnlyOutside(),
        "No project that may answer contains any word of the question. The tool `scopes` lists all projects.",
    ),
    (
        kinds.IndexedNowhere(),
        "No indexed project contains any word of the question. The tool `scopes` lists all projects; the "
        "person adds more with `loci scan <directory>`.",
    ),
    (
        kinds.DefinedInSeveral(("close",), ("a", "b")),
        'close is defined in a, b. Call again with `scope="a"` or another of these, or with `cwd`.',
    ),
    (
        kinds.LeftDirectory("hugo", "Hugo", "bat", "Bat", "defines_symbol"),
        "Answered from Bat and not from Hugo, the project of `cwd`: it defines the symbol. To stay there, "
        'call again with `scope="hugo"`.',
    ),
    (kinds.MoreInLanguages(3, ("Go",)), "3 more projects have files in Go."),
    (
        kinds.UsesNotCollected(),
        "Dependencies between projects were not collected, so these are the projects whose texts mention it. "
        "The person collects them with `loci uses --refresh`.",
    ),
    (kinds.UsesListed(4), "4 more projects use it. The person lists all with `loci uses`."),
    (kinds.UsesListed(0), ""),
    (
        kinds.ChangedSinceIndexed(("hugo", "bat")),
        "hugo, bat have changed since they were indexed, and the changes were not searched. The person runs "
        "`loci index hugo bat`.",
    ),
    (
        kinds.DirectoryNotRegistered("/code/shop"),
        "The question was asked in /code/shop, which is not registered. The person runs `loci add /code/shop` "
        "and `loci index`.",
    ),
    (
        kinds.NameTheProject(),
        "To ask about another project, name it, or call again with `cwd` (its directory) or `scope` (its id).",
    ),
    (
        kinds.NoUserFound(("hugo",), 30, ("imports in C are not collected: jq",)),
        "No manifest, import or script of 30 projects names hugo; this does not prove that nothing uses it: "
        "imports in C are not collected: jq. The person reads them again with `loci uses --refresh`.",
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
        "To ask about another project, name it, or call again with `cwd` (its directory) or `scope` (its id)."
    ]


ERRORS: list[tuple[LociError, str | None]] = [
    (core.NothingRegistered(Path("/store/loci")), "loci setup <directory with your projects>"),
    (core.NoIndex(3), "loci index"),
    (core.InvalidRequest("k must be at least 1, not 0"), None),
    (core.InvalidRequest("a", "choose another"), "choose another"),
    (core.EmptyQuestion(), "pass the question in plain words"),
    (core.EmptySymbol(), "pass the name as it is written in the code, or leave `symbol` out"),
    (core.NoReranker(), "call again without `rerank`"),
    (core.NoReranker("it is damaged"), "call again without `rerank`"),
    (core.UnknownScope("hgo", ["hugo", "helix"]), "did you mean hugo or helix?"),
    (core.UnknownScope("zzz", []), "the tool `scopes` lists all names"),
    (core.AmbiguousScope("web", ["a/web", "b/web"]), "use one of these"),
    (core.UnknownGroup("acm", ["acme"], ["acme", "web"]), "did you mean acme?"),
    (core.UnknownGroup("zzz", [], ["acme", "web"]), "the groups are acme or web"),
    (core.UnknownGroup("a b", []), 'no project belongs to a group yet: loci group add PROJECT "a b"'),
    (core.ExtractorMissing("graphify", "install it"), "install it"),
    (core.ExtractorFailed("hugo", "graphify wrote no graph.json", "run it by hand"), "run it by hand"),
    (core.NotARepository(Path("/code")), None),
    (
        core.HomeNotWritable(Path("/store/loci"), "Read-only file system"),
        "questions are still answered; to index, make it writable or set LOCI_HOME to a writable directory",
    ),
    (core.BuildLocked(Path("/store/loci"), 7), "questions are still answered; try again later"),
    (core.DamagedStore("the routing index cannot be opened", "loci index --force"), "loci index --force"),
    (core.DamagedFile(Path("/store/scopes.json"), "nested too deeply", 3, 1), "correct the file, or move it away"),
    (core.DamagedSegment("hugo", Path("/store/a.seg"), "is missing"), "loci index --force hugo"),
    (core.StoreTooNew(Path("/store/manifest.json"), 9, 4), "install the newer loci that wrote it"),
]


def kinds_of(error: type[LociError]) -> set[str]:
    """The kinds of an error class and of all below it, as far as core has them."""
    below = [each for each in error.__subclasses__() if each.__module__ == "loci.core.errors"]
    return {error.kind}.union(*map(kinds_of, below))


def test_every_kind_of_error_has_a_hint_or_none() -> None:
    assert {error.kind for error, _ in ERRORS} == kinds_of(LociError) - {"error", "nothing_to_answer_from"}


@pytest.mark.parametrize(("error", "hint"), ERRORS)
def test_an_error_in_the_words_of_the_server(error: LociError, hint: str | None) -> None:
    assert words.error(error) == (f"{error.message}\nhint: {hint}" if hint else error.message)
    # A flag stands only in a command that the person runs.
    assert "--" not in error.message and ("--" not in (hint or "") or str(hint).startswith("loci index --force"))
