"""Every kind of note has words for a person at a prompt: one sentence each, written by hand."""

from __future__ import annotations

import pytest

from loci.cli import words
from loci.core import Note
from loci.core import notes as kinds

SENTENCES: list[tuple[Note, str]] = [
    (kinds.NotIndexed("hugo"), "hugo is registered but not indexed: loci index hugo"),
    (kinds.OlderRules("hugo"), "it was indexed by another version of loci: loci index hugo"),
    (kinds.Changed("hugo", head=True), "HEAD has moved since it was indexed: loci index hugo"),
    (kinds.Changed("hugo", head=False), "files have changed since it was indexed: loci index hugo"),
    (kinds.NotCompared(""), "there was no time to compare its files with the index"),
    (kinds.NotCompared("Input/output error"), "its files could not be compared with the index: Input/output error"),
    (kinds.NotThere("/code/hugo", "gone"), "/code/hugo does not exist any more; answered from its index"),
    (
        kinds.NotThere("/code/hugo", "no_repository"),
        "/code/hugo is no longer a git repository; answered from its index",
    ),
    (kinds.NotThere("/code/hugo", "unreachable"), "/code/hugo cannot be reached; answered from its index"),
    (kinds.OtherWorktree("/code/b", "/code/a", True, True), "asked from /code/b: answered from the files there"),
    (
        kinds.OtherWorktree("/code/b", "/code/a", True, False),
        "asked from /code/b: answered from the files there, symbols come from /code/a",
    ),
    (
        kinds.OtherWorktree("/code/b", "/code/a", False, True),
        "asked from /code/b: citations were compared with the files there, texts come from /code/a",
    ),
    (kinds.NoWords(), "the question contains no word to search for"),
    (kinds.NoEvidence("hugo", True, 0, "", False), "no evidence in this project"),
    (kinds.NoEvidence("hugo", False, 0, "", False), "no evidence in the index of this project"),
    (
        kinds.NoEvidence("hugo", False, 3, "a.md", False),
        "no evidence in this project, but 3 files could not be read (for example a.md)",
    ),
    (
        kinds.NoEvidence("hugo", True, 0, "", True),
        "no evidence in this project (--scope hugo shows the nearest passages)",
    ),
    (
        kinds.NoPassage("hugo"),
        "no passage of this project answers the question (--scope hugo shows the nearest passages)",
    ),
    (kinds.CitedNowhere("#4711"), "#4711 does not occur in this project"),
    (
        kinds.NewestTag(("v2.0", "latest"), 1, "0123456789", "2024-04-07"),
        "newest tag: v2.0, latest and 1 more, at commit 0123456789 of 2024-04-07",
    ),
    (
        kinds.SourceFiles((("Go", 1200), ("C", 3)), 1300, True, False),
        "Go: 1,200 of 1,300 source files (92 %); C: 3 of 1,300 source files (less than 1 %)",
    ),
    (kinds.SourceFiles((("Go", 75),), 100, False, True), "source files: Go 75 (75 %) and others"),
    (kinds.GraphOutdated("hugo"), "the call graph was built by another version of loci: loci graphs hugo"),
    (
        kinds.GraphUnreadable("hugo", "it is cut short"),
        "the call graph cannot be read (it is cut short): loci graphs --all hugo",
    ),
    (
        kinds.OtherGraph("hugo", "index.scip", "index.scip is older than HEAD", "rerun_indexer"),
        "index.scip is older than HEAD: run its indexer again",
    ),
    (
        kinds.OtherGraph("hugo", "graph.json", "graph.json is older than HEAD", "extract"),
        "graph.json is older than HEAD: loci graphs hugo --extractor graphify",
    ),
    (kinds.OtherGraph("hugo", "graph.json", "graph.json cannot be read", None), "graph.json cannot be read"),
    (kinds.NamesAbsent(("open_it", "shut_it")), "this project has no symbol called open_it or shut_it"),
    (
        kinds.NoSuchSymbol("totals", ("total",), 2),
        "this project has no symbol called totals: did you mean total? (2 of its files were only parsed in part)",
    ),
    (kinds.NothingRelated("close", "callers"), "nothing here is known to call close"),
    (kinds.NothingRelated("close", "callees"), "close is not known to call anything here"),
    (
        kinds.NothingRelated("close", "users", True),
        "nothing is certain to refer to close; what is shown may refer to another one",
    ),
    (
        kinds.CalledThrough("Disk.load", ("Store.load",), 2, False),
        "2 of the callers call Store.load, which it overrides, and may call another override",
    ),
    (kinds.SymbolsLeftOut(4, "budget"), "4 more symbols are left out; a larger budget shows more of them"),
    (kinds.UsesUnresolved("close", 1), "1 use of a symbol named close could not be resolved; it may refer to this one"),
    (kinds.ChainCut("main", "open", 9), "the path from main to open has 9 symbols; a larger budget shows all of them"),
    (
        kinds.NoChain("main", "open"),
        "no path from main to open is known; unresolved calls are not followed",
    ),
    (kinds.NotInBackend("lens", "structure"), "lens has no structure of this project"),
    (
        kinds.WithoutVectors("hugo", "all", "they are of another model", True),
        "answered without vectors: they are of another model: loci embed hugo",
    ),
    (
        kinds.WithoutVectors("hugo", "symbols", "the model is gone", False),
        "symbols were found without vectors: the model is gone",
    ),
    (kinds.UsesNotCollected(False), "its dependencies were not collected: loci uses --refresh"),
    (
        kinds.UsesNotCollected(True),
        "its dependencies outside the registered projects are not known: loci uses --refresh",
    ),
    (
        kinds.NotMentioned("hugo", ("imports in C are not collected: jq",)),
        "no manifest, lock file, import or script of this project names hugo (imports in C are not collected: jq)",
    ),
    (kinds.OnlyApart("hugo"), "only a test, an example or the documentation of this project names hugo"),
    (kinds.OnlyLocked(), "only a lock file of this project names it: an indirect dependency"),
    (kinds.NothingDeclared(), "no manifest that loci reads declares a dependency"),
    (kinds.MoreDeclared(7), "7 more dependencies are declared"),
    (kinds.NotCollected("imports in C are not collected: jq"), "imports in C are not collected: jq"),
    (
        kinds.HomeFileDamaged("uses.json cannot be read", "uses_unknown"),
        "uses.json cannot be read; who uses whom is not known: loci uses --refresh",
    ),
    (
        kinds.HomeFileDamaged("groups.json cannot be read", "defaults"),
        "groups.json cannot be read; the defaults are used",
    ),
    (
        kinds.NotConsidered(("a", "b", "c", "d", "e", "f")),
        "not indexed, so not searched: a, b, c, d, e and 1 more (loci index)",
    ),
    (kinds.WithoutStructure(("hugo",)), "no call graph, so not searched: hugo (loci graphs)"),
    (kinds.InOtherCapitals(("hugo", "bat")), "in other letter case the name also exists in hugo, bat"),
    (kinds.BeingUpdated(("hugo",)), "being updated: hugo"),
]


def test_every_kind_of_note_has_a_sentence() -> None:
    every = {kind for kind in vars(kinds).values() if isinstance(kind, type) and issubclass(kind, Note)} - {Note}
    assert {type(note) for note, _ in SENTENCES} == every
    assert len({kind.kind for kind in every}) == len(every) == 37


@pytest.mark.parametrize(("note", "sentence"), SENTENCES)
def test_a_note_in_the_words_of_the_command_line(note: Note, sentence: str) -> None:
    assert words.notes([note]) == [sentence]
