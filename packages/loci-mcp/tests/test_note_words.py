"""Every kind of note has words for an agent: one sentence each, written by hand."""

from __future__ import annotations

import re

import pytest

from loci.core import Note
from loci.core import notes as kinds
from loci.mcp import words

SENTENCES: list[tuple[Note, str]] = [
    (kinds.NotIndexed("hugo"), "hugo is registered but not indexed; the person runs `loci index hugo`"),
    (kinds.OlderRules("hugo"), "it was indexed under older rules; the person runs `loci index hugo`"),
    (kinds.Changed("hugo", head=True), "HEAD has moved since it was indexed; the person runs `loci index hugo`"),
    (kinds.Changed("hugo", head=False), "files have changed since it was indexed; the person runs `loci index hugo`"),
    (kinds.NotCompared(""), "its files were not compared with the index in time"),
    (kinds.NotCompared("Input/output error"), "its files could not be compared with the index: Input/output error"),
    (kinds.NotThere("/code/hugo", "gone"), "/code/hugo is not there; this is what was indexed of it"),
    (
        kinds.NotThere("/code/hugo", "no_repository"),
        "/code/hugo is no longer a git repository; this is what was indexed of it",
    ),
    (kinds.NotThere("/code/hugo", "unreachable"), "/code/hugo cannot be reached; this is what was indexed of it"),
    (kinds.OtherWorktree("/code/b", "/code/a", True, True), "asked from /code/b: answered from the files there"),
    (
        kinds.OtherWorktree("/code/b", "/code/a", True, False),
        "asked from /code/b: answered from the files there, the symbols are those of /code/a",
    ),
    (
        kinds.OtherWorktree("/code/b", "/code/a", False, True),
        "asked from /code/b: the citations were compared with the files there, the text is that of /code/a",
    ),
    (kinds.NoWords(), "the question holds no word to search for"),
    (kinds.NoEvidence("hugo", True, 0, "", False), "no evidence in this scope"),
    (kinds.NoEvidence("hugo", False, 0, "", False), "no evidence in what is indexed of this scope"),
    (
        kinds.NoEvidence("hugo", False, 3, "a.md", False),
        "no evidence in this scope, but 3 files could not be read (for example a.md)",
    ),
    (
        kinds.NoEvidence("hugo", True, 0, "", True),
        'no evidence in this scope (what came nearest: call again with `scope="hugo"`)',
    ),
    (kinds.NoPassage("hugo"), 'no passage here answers it (what came nearest: call again with `scope="hugo"`)'),
    (kinds.CitedNowhere("#4711"), "#4711 stands nowhere in it"),
    (
        kinds.NewestTag(("v2.0", "latest"), 1, "0123456789", "2024-04-07"),
        "newest tag: v2.0, latest and 1 more, at commit 0123456789 of 2024-04-07",
    ),
    (
        kinds.SourceFiles((("Go", 1200), ("C", 3)), 1300, True, False),
        "Go: 1,200 of 1,300 source files (92 %); C: 3 of 1,300 source files (less than 1 %)",
    ),
    (kinds.SourceFiles((("Go", 75),), 100, False, True), "source files: Go 75 (75 %) and others"),
    (kinds.GraphOutdated("hugo"), "what calls what was built under older rules; the person runs `loci graphs hugo`"),
    (
        kinds.GraphUnreadable("hugo", "it is cut short"),
        "what calls what cannot be read (it is cut short); the person runs `loci graphs --all hugo`",
    ),
    (
        kinds.OtherGraph("hugo", "index.scip", "index.scip is older than HEAD", "rerun_indexer"),
        "index.scip is older than HEAD; the person runs its indexer again",
    ),
    (
        kinds.OtherGraph("hugo", "graph.json", "graph.json is older than HEAD", "extract"),
        "graph.json is older than HEAD; the person runs `loci graphs hugo --extractor graphify`",
    ),
    (kinds.OtherGraph("hugo", "graph.json", "graph.json cannot be read", None), "graph.json cannot be read"),
    (kinds.NamesAbsent(("open_it", "shut_it")), "no symbol here is called open_it or shut_it"),
    (
        kinds.NoSuchSymbol("totals", ("total",), 2),
        "no symbol of it is called totals: did you mean total? (2 of its files were parsed in part)",
    ),
    (kinds.NothingRelated("close", "callers"), "nothing here is known to call close"),
    (kinds.NothingRelated("close", "callees"), "close is not known to call anything here"),
    (
        kinds.NothingRelated("close", "users", True),
        "nothing is certain to refer to close; what is shown may mean another one",
    ),
    (
        kinds.CalledThrough("Disk.load", ("Store.load",), 2, False),
        "2 of the callers call Store.load, which it overrides, and may call another override",
    ),
    (kinds.SymbolsLeftOut(4, "budget"), "4 more symbols are left out: a larger budget shows more of them"),
    (kinds.UsesUnresolved("close", 1), "1 use of a close could not be resolved; it may be of this one"),
    (kinds.ChainCut("main", "open", 9), "the way from main to open has 9 symbols: a larger budget shows all of them"),
    (
        kinds.NoChain("main", "open"),
        "no way is known that leads from main to open; what could not be resolved is not followed",
    ),
    (kinds.NotInBackend("lens", "structure"), "lens has no structure of this project"),
    (
        kinds.WithoutVectors("hugo", "all", "they are of another model", True),
        "answered without vectors: they are of another model; the person runs `loci embed hugo`",
    ),
    (
        kinds.WithoutVectors("hugo", "symbols", "the model is gone", False),
        "symbols were found without vectors: the model is gone",
    ),
    (kinds.UsesNotCollected(False), "what it uses was not collected; the person runs `loci uses --refresh`"),
    (
        kinds.UsesNotCollected(True),
        "what it needs beside the registered projects is not known; the person runs `loci uses --refresh`",
    ),
    (
        kinds.NotMentioned("hugo", ("imports in C are not collected: jq",)),
        "no manifest, lock file, import or script of it names hugo (imports in C are not collected: jq)",
    ),
    (kinds.OnlyApart("hugo"), "only a test, an example or the documentation of it names hugo"),
    (kinds.OnlyLocked(), "only a lock file of it names that: something else that it uses brought it in"),
    (kinds.NothingDeclared(), "no manifest that loci reads declares what it needs"),
    (kinds.MoreDeclared(7), "7 more names are declared"),
    (kinds.NotCollected("imports in C are not collected: jq"), "imports in C are not collected: jq"),
    (
        kinds.HomeFileDamaged("uses.json cannot be read", "uses_unknown"),
        "uses.json cannot be read; who uses whom is not known; the person runs `loci uses --refresh`",
    ),
    (
        kinds.HomeFileDamaged("groups.json cannot be read", "defaults"),
        "groups.json cannot be read; the defaults are used",
    ),
    (
        kinds.NotConsidered(("a", "b", "c", "d", "e", "f")),
        "not indexed yet and so not considered: a, b, c, d, e and 1 more; the person runs `loci index`",
    ),
    (kinds.WithoutStructure(("hugo",)), "without structure and so not asked: hugo; the person runs `loci graphs`"),
    (kinds.InOtherCapitals(("hugo", "bat")), "in other capitals it is also a name in hugo, bat"),
    (kinds.BeingUpdated(("hugo",)), "being brought up to date: hugo"),
]


def test_every_kind_of_note_has_a_sentence() -> None:
    every = {kind for kind in vars(kinds).values() if isinstance(kind, type) and issubclass(kind, Note)} - {Note}
    assert {type(note) for note, _ in SENTENCES} == every
    assert len({kind.kind for kind in every}) == len(every) == 37


@pytest.mark.parametrize(("note", "sentence"), SENTENCES)
def test_a_note_in_the_words_of_the_server(note: Note, sentence: str) -> None:
    assert words.notes([note]) == [sentence]


@pytest.mark.parametrize(("note", "sentence"), SENTENCES)
def test_no_note_tells_an_agent_to_run_or_pass_what_it_cannot(note: Note, sentence: str) -> None:
    """A command stands only behind who runs it, and a flag only in such a command."""
    of_the_agent = re.sub(r"; the person runs .*", "", sentence)
    assert "--" not in of_the_agent and "loci " not in of_the_agent.replace("that loci reads", "")
