"""Every kind of advice and of error has words for a person at a prompt: one sentence each, written by hand."""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import pytest

from loci import core
from loci.cli import words
from loci.core import LociError
from loci.router import Advice
from loci.router import advice as kinds

SENTENCES: list[tuple[Advice, str]] = [
    (
        kinds.OutsideGroup("hugo", "Hugo", ("acme",), asked_for=True),
        "the best answer is in Hugo, outside the group acme; ask without `--group acme`, or with `--scope hugo`",
    ),
    (
        kinds.OutsideGroup("hugo", "Hugo", ("acme", "web"), asked_for=False),
        "the best answer is in Hugo, outside the group acme, web; ask with `--no-cwd` or `--scope hugo`, or loosen it "
        "with `loci group set acme, web --mode soft`",
    ),
    (kinds.NothingIndexed(), "no project is indexed; `loci setup <directory>` indexes the projects in a directory"),
    (kinds.EmptyGroup(("acme",)), "the group acme has no members; `loci group add <scope> <group>` adds one"),
    (
        kinds.NoneInLanguage(("Go", "C"), mostly=True),
        "no indexed project is known to be mostly written in Go or C",
    ),
    (kinds.NoneInLanguage(("Go",), mostly=False), "no indexed project is known to have source files in Go"),
    (kinds.Misspelt("gohugoio/hugo", "hugo"), "did you mean hugo? then pass `--scope gohugoio/hugo`"),
    (
        kinds.SubjectNotNamed(("hugo", "bat")),
        "the question does not say which project it is about (it may be hugo, bat); name it, ask from inside it, or "
        "pass `--scope` or `--cwd`",
    ),
    (
        kinds.SubjectNotNamed(()),
        "the question does not say which project it is about; name it, ask from inside it, or pass `--scope` "
        "or `--cwd`",
    ),
    (
        kinds.HardlyAnyEvidence(),
        "almost nothing in the indexed projects matches; ask in other words, or register the project it is "
        "about: `loci add <directory>`",
    ),
    (
        kinds.CommonWords(("hugo", "bat", "jq")),
        "most projects contain every word of the question, so the words do not tell which one is meant; name "
        "the project, pass `--scope hugo` (or bat or jq), or ask from inside it",
    ),
    (
        kinds.ThinEvidence(("hugo",)),
        "the evidence is too weak to choose a project; pass `--scope hugo`, or ask from inside it",
    ),
    (
        kinds.NothingAskedOfSet(),
        "the question asks for projects without saying which; `loci scopes` lists all projects",
    ),
    (kinds.NoContentWords(), "the question has no content words; say what it is about"),
    (
        kinds.OnlyOutside(),
        "no project that may answer contains any word of the question; `loci scopes` lists all projects",
    ),
    (
        kinds.IndexedNowhere(),
        "no indexed project contains any word of the question; `loci scopes` lists all projects, `loci scan` adds more",
    ),
    (
        kinds.DefinedInSeveral(("close", "open"), ("a", "b", "c", "d", "e", "f", "g")),
        "close, open is defined in a, b, c, d, e and 2 more; pass `--scope a`, name the project, or ask from inside it",
    ),
    (
        kinds.LeftDirectory("hugo", "Hugo", "bat", "Bat", "named"),
        "answered from Bat and not from Hugo, the project of the working directory: the question names it; to "
        "stay, pass `--scope hugo`",
    ),
    (
        kinds.LeftDirectory("hugo", "Hugo", "bat", "Bat", "defines_symbol"),
        "answered from Bat and not from Hugo, the project of the working directory: it defines the symbol; to "
        "stay, pass `--scope hugo`",
    ),
    (
        kinds.LeftDirectory("hugo", "Hugo", "bat", "Bat", "evidence"),
        "answered from Bat and not from Hugo, the project of the working directory: the evidence for it is "
        "clearly stronger; to stay, pass `--scope hugo`",
    ),
    (kinds.MoreInLanguages(3, ("Go", "C")), "3 more projects have files in Go or C"),
    (
        kinds.UsesNotCollected(),
        "dependencies between projects were not collected, so these are the projects whose texts mention it; "
        "`loci uses --refresh` collects them",
    ),
    (kinds.UsesListed(0), "`loci uses` shows where"),
    (kinds.UsesListed(4), "`loci uses` shows where; 4 more projects use it"),
    (
        kinds.ChangedSinceIndexed(("hugo",)),
        "hugo has changed since it was indexed, and the changes were not searched: `loci index hugo`",
    ),
    (
        kinds.ChangedSinceIndexed(("a", "b", "c", "d", "e", "f")),
        "a, b, c, d, e and 1 more have changed since they were indexed, and the changes were not searched: "
        "`loci index`",
    ),
    (
        kinds.DirectoryNotRegistered("/code/shop"),
        "the question was asked in /code/shop, which is not registered; `loci add /code/shop` and `loci index` add it",
    ),
    (kinds.NameTheProject(), "to ask about another project, name it or pass `--scope`"),
    (
        kinds.NoUserFound(("hugo",), 30, ("imports in C are not collected: jq", "could not be read at all: bat (why)")),
        "no manifest, import or script of 30 projects names hugo; this does not prove that nothing uses it: "
        "imports in C are not collected: jq; could not be read at all: bat (why); `loci uses --refresh` reads "
        "them again",
    ),
    (
        kinds.NoUserFound((), 30, ()),
        "no manifest, import or script of 30 projects names any other; this does not prove that nothing uses "
        "it; `loci uses --refresh` reads them again",
    ),
    (
        kinds.NoSuchSymbol(("totals",), (("total", "desk"), ("total", "shop"))),
        "no indexed project has a symbol called totals: did you mean total (desk) or total (shop)?",
    ),
    (kinds.NoSuchSymbol(("main", "halt"), ()), "no indexed project has both main and halt"),
]


def test_every_kind_of_advice_has_a_sentence() -> None:
    assert {type(advised) for advised, _ in SENTENCES} == set(get_args(Advice))


@pytest.mark.parametrize(("advised", "sentence"), SENTENCES)
def test_advice_in_the_words_of_the_command_line(advised: Advice, sentence: str) -> None:
    assert words.advice([advised]) == [sentence]


def test_several_pieces_of_advice_read_as_one() -> None:
    here, changed = kinds.DirectoryNotRegistered("/shop"), kinds.ChangedSinceIndexed(("hugo",))
    of_here = "the question was asked in /shop, which is not registered; `loci add /shop` and `loci index` add it"
    of_changed = "hugo has changed since it was indexed, and the changes were not searched: `loci index hugo`"
    nowhere = (
        "no indexed project contains any word of the question; `loci scopes` lists all projects, `loci scan` adds more"
    )
    assert words.advice([here, changed, kinds.IndexedNowhere()]) == [
        of_here,
        f"otherwise, {of_changed}",
        f"apart from that, {nowhere}",
    ]
    assert words.advice([here, kinds.NameTheProject()]) == [
        of_here,
        "to ask about another project, name it or pass `--scope`",
    ]


@pytest.mark.skipif(os.name == "nt", reason="no shell's quotes there")
def test_a_path_is_proposed_as_a_shell_takes_it() -> None:
    (text,) = words.advice([kinds.DirectoryNotRegistered("/code/new one")])
    assert "`loci add '/code/new one'`" in text


ERRORS: list[tuple[LociError, str | None]] = [
    (core.NothingRegistered(Path("/store/loci")), "loci setup <directory with your projects>"),
    (core.NoIndex(3), "loci index"),
    (core.InvalidRequest("k must be at least 1, not 0"), None),
    (core.InvalidRequest("a", "choose another"), "choose another"),
    (core.EmptyQuestion(), 'loci ask "why ...?"'),
    (core.EmptySymbol(), "loci ask --symbol NAME"),
    (core.NoReranker(), "loci ask --rerank-model <directory of a cross-encoder>"),
    (core.NoReranker("it is damaged"), "without --rerank it works without a model"),
    (core.UnknownScope("hgo", ["hugo", "helix"]), "did you mean hugo or helix?"),
    (core.UnknownScope("zzz", []), "`loci scopes` lists all names"),
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
def test_what_to_do_about_an_error_in_the_words_of_the_command_line(error: LociError, hint: str | None) -> None:
    assert words.hint(error) == hint
