"""Questions for what every project has, and questions that only begin like them."""

import pytest
from reference_evidence import ReferenceIndex

from loci.router import Advice, Router, Scope, advice, read

OVERVIEWS = {
    # question -> the words that name the project, None where it is pointed at
    "what does this project do?": None,
    "What is this repo?": None,
    "what is it?": None,
    "what is the project about?": None,
    "what does this plugin do?": None,
    "can you give me a quick overview of this codebase, please?": None,
    "explain what this project does": None,
    "tell me what this repo is about": None,
    "What kind of project is this?": None,
    "what does ledger do?": "ledger",
    "what is ledger?": "ledger",
    "what's ledger for?": "ledger",
    "What is the `ledger` library for, exactly?": "ledger",
    "what is the purpose of acme-ledger?": "acme-ledger",
    "what is ledger's purpose?": "ledger",
    "give me an overview of ledger": "ledger",
    "tell me about ledger": "ledger",
    "ledger overview": "ledger",
    "ledger": "ledger",
    "describe ledger in one sentence": "ledger",
    "what can I do with ledger?": "ledger",
    "Was macht dieses Projekt?": None,
    "Worum geht es in diesem Repo?": None,
    "wofür ist ledger gut?": "ledger",
    "Gib mir einen Überblick über ledger": "ledger",
    "¿Qué hace este proyecto?": None,
    "¿Para qué sirve ledger?": "ledger",
    "dame un resumen de ledger": "ledger",
    "这个项目是做什么的？": None,
    "ledger是什么？": "ledger",
    "请介绍一下 ledger": "ledger",
    "このプロジェクトは何をするものですか？": None,
    "ledgerとは何ですか？": "ledger",
    "このリポジトリの概要を教えてください": None,
}

NOT_OVERVIEWS = [
    # Something of its own is asked for.
    "what does it do first when it starts up?",
    "what does the project do on start-up?",
    "what does ledger do with a refund?",
    "what does ledger's refund do?",
    "why does this project exist in two versions?",
    "what is the difference?",
    "what is the plugin for?",
    "how does ledger work?",
    "what happens when ledger stops?",
    "what is the difference between ledger and billing?",
    "give me an overview of how refunds are booked in ledger",
    "which of my projects does invoices?",
    "was macht dieses Projekt mit einer Rechnung?",
    "¿qué hace este proyecto con una factura?",
    "这个项目怎么处理发票？",
    "このプロジェクトはどこで請求書を処理しますか？",
]


@pytest.mark.parametrize("question", OVERVIEWS)
def test_asks_what_a_project_is(question: str) -> None:
    request = read(question).request
    assert request is not None and request.kind == "overview"
    assert (request.subject and question[slice(*request.subject)]) == OVERVIEWS[question]


@pytest.mark.parametrize("question", NOT_OVERVIEWS)
def test_asks_for_something_of_its_own(question: str) -> None:
    assert read(question).request is None


def test_the_tool_that_is_told_to_ask_is_not_in_the_way() -> None:
    request = read("use loci to tell me what this project does").request
    assert request is not None and request.subject is None


TEXTS = {
    "ledger": ["a ledger keeps invoices", "refunds are booked in the ledger"],
    # Everybody speaks of ledgers, so the word by itself names nobody.
    "billing": ["the ledger of the month is closed", "an entry of the ledger"],
    "search": ["documents are ranked", "a ledger of queries"],
    "editor": ["shapes snap to the grid", "the undo ledger"],
}


def asked_of(question: str, cwd: str | None = None) -> tuple[bool, list[str], tuple[str, ...]]:
    from pathlib import Path

    scopes = {name: Scope(name, name, path=Path("/code") / name) for name in TEXTS}
    route = Router(ReferenceIndex.from_texts(TEXTS), scopes).route(question, cwd=cwd)
    return route.abstained, [scope.id for scope in route.scopes], route.trace.about


def test_a_name_that_is_an_ordinary_word_is_a_name_where_nothing_else_is_asked() -> None:
    for question in ("give me an overview of ledger", "what is ledger?", "tell me about ledger"):
        assert asked_of(question) == (False, ["ledger"], ("ledger",))


def test_an_article_makes_a_common_noun_of_it() -> None:
    assert asked_of("what is a ledger?")[2] == ()
    assert asked_of("what is the ledger?")[2] == ()


def test_what_is_pointed_at_is_the_project_around_the_directory() -> None:
    assert asked_of("what does this project do?", cwd="/code/search/src") == (False, ["search"], ("search",))
    assert asked_of("what is billing?", cwd="/code/search/src") == (False, ["billing"], ("billing",))
    abstained, scopes, about = asked_of("what does this project do?")
    assert (abstained, scopes, about) == (True, [], ())


NEEDS = {
    # question -> the project that needs (None: pointed at), what it may need (None: everything)
    "what does ledger depend on?": ("ledger", None),
    "which libraries does ledger use?": ("ledger", None),
    "which of my projects does ledger use?": ("ledger", None),
    "what are the dependencies of ledger?": ("ledger", None),
    "ledger's dependencies": ("ledger", None),
    "list the direct dependencies of this project": (None, None),
    "what does this project depend on?": (None, None),
    "what is ledger built on?": ("ledger", None),
    "does ledger use billing?": ("ledger", "billing"),
    "does ledger directly depend on billing-core?": ("ledger", "billing-core"),
    "is ledger built on top of billing?": ("ledger", "billing"),
    "is billing a dependency of ledger?": ("ledger", "billing"),
    "is billing used by ledger?": ("ledger", "billing"),
    "which version of billing does ledger require?": ("ledger", "billing"),
    "does this use billing?": (None, "billing"),
    "Wovon hängt ledger ab?": ("ledger", None),
    "Welche Bibliotheken benutzt dieses Projekt?": (None, None),
    "benutzt ledger billing?": ("ledger", "billing"),
    "¿De qué depende ledger?": ("ledger", None),
    "¿ledger usa billing?": ("ledger", "billing"),
    "ledger依赖哪些库？": ("ledger", None),
    "ledger依赖billing吗？": ("ledger", "billing"),
    "ledgerの依存関係は？": ("ledger", None),
    "ledgerはbillingに依存していますか？": ("ledger", "billing"),
}

NOT_NEEDS = [
    # The other direction, reasons, places and manners, and objects that are no name.
    "what depends on ledger?",
    "who uses ledger?",
    "which of my projects use ledger?",
    "why does ledger depend on billing?",
    "how does ledger use billing?",
    "where does ledger use billing?",
    "what does ledger use for templates?",
    "does ledger use a lock file?",
    "does ledger use background jobs?",
    "wer benutzt ledger?",
    "哪些项目依赖 ledger？",
]


def words_at(question: str, span: tuple[int, int] | None) -> str | None:
    return None if span is None else question[slice(*span)]


@pytest.mark.parametrize("question", NEEDS)
def test_asks_what_a_project_needs(question: str) -> None:
    request = read(question).request
    assert request is not None and request.kind == "needs"
    assert (words_at(question, request.subject), words_at(question, request.object)) == NEEDS[question]


@pytest.mark.parametrize("question", NOT_NEEDS)
def test_asks_for_more_than_what_it_needs(question: str) -> None:
    request = read(question).request
    assert request is None or request.kind != "needs"


def needed(question: str, cwd: str | None = None) -> tuple[str, list[str], tuple[str, ...]]:
    from pathlib import Path

    scopes = {name: Scope(name, name, path=Path("/code") / name) for name in TEXTS}
    router = Router(ReferenceIndex.from_texts(TEXTS), scopes, uses={"billing": ["ledger"]})
    route = router.route(question, cwd=cwd)
    return route.mode, [scope.id for scope in route.scopes], route.trace.related


def test_what_a_project_needs_is_answered_from_the_project_itself() -> None:
    assert needed("what does billing depend on?") == ("relational", ["billing"], ())
    assert needed("does billing use ledger?") == ("relational", ["billing"], ("ledger",))
    # Who uses it is the other direction.
    assert needed("what depends on ledger?") == ("relational", ["billing"], ("ledger",))
    assert needed("what does this project depend on?", cwd="/code/search") == ("relational", ["search"], ())


def test_what_is_no_registered_project_may_be_a_word_of_its_own() -> None:
    assert needed("does billing use months?") == ("single", ["billing"], ())


def test_without_a_table_of_uses_the_words_answer() -> None:
    assert asked_of("what does billing depend on?")[1:] == (["billing"], ("billing",))


WRITTEN_IN = {
    "which of my projects are written in Go?": ("Go",),
    "which projects are mostly written in C++ or Rust?": ("C++", "Rust"),
    "which of my projects are Go?": ("Go",),
    "list my Rust projects": ("Rust",),
    "what Python projects do I have?": ("Python",),
    "do I have anything written in Lua?": ("Lua",),
    "Welche meiner Projekte sind in Go geschrieben?": ("Go",),
    "¿Cuáles de mis proyectos están escritos en Go?": ("Go",),
    "我的哪些项目是用Go写的？": ("Go",),
    "どのプロジェクトがGoで書かれていますか？": ("Go",),
}
HOLDING = {
    "which of my projects use Python?": ("Python",),
    "do any of my projects use Ruby?": ("Ruby",),
    "welche meiner Projekte benutzen Python?": ("Python",),
    "¿qué proyectos usan Python?": ("Python",),
    "哪些项目用了 Python？": ("Python",),
    "どのプロジェクトが Python を使っていますか？": ("Python",),
}
WHICH_LANGUAGES = {
    "what language is ledger written in?": ("ledger", ()),
    "what is ledger written in?": ("ledger", ()),
    "is ledger written in Go?": ("ledger", ("Go",)),
    "what languages does this project use?": (None, ()),
    "In welcher Sprache ist ledger geschrieben?": ("ledger", ()),
    "¿en qué lenguaje está escrito ledger?": ("ledger", ()),
    "ledger是用什么语言写的？": ("ledger", ()),
    "ledgerは何の言語で書かれていますか？": ("ledger", ()),
}


@pytest.mark.parametrize(("question", "languages"), [*WRITTEN_IN.items(), *HOLDING.items()])
def test_asks_which_projects_have_a_language(question: str, languages: tuple[str, ...]) -> None:
    request = read(question).request
    assert request is not None and request.languages == languages
    assert request.kind == ("written_in" if question in WRITTEN_IN else "holding")


@pytest.mark.parametrize("question", WHICH_LANGUAGES)
def test_asks_what_a_project_is_written_in(question: str) -> None:
    request = read(question).request
    assert request is not None and request.kind == "languages"
    assert (words_at(question, request.subject), request.languages) == WHICH_LANGUAGES[question]


@pytest.mark.parametrize(
    "question",
    [
        "which of my Go projects draw charts?",
        "which of my projects use python-dateutil?",
        "which projects go to production?",
        "which projects are written in a hurry?",
        "why are my projects written in Go?",
        "where do my projects use Python?",
    ],
)
def test_a_language_in_another_question(question: str) -> None:
    request = read(question).request
    assert request is None or not request.languages


def by_language(
    question: str, languages: dict[str, dict[str, int]] | None
) -> tuple[str, dict[str, float], tuple[Advice, ...]]:
    route = Router(ReferenceIndex.from_texts(TEXTS), languages=languages).route(question)
    return route.mode, {scope.id: round(scope.confidence, 2) for scope in route.scopes}, route.advice


FILES = {
    "ledger": {"Go": 60, "Python": 40},
    "billing": {"Python": 90, "Go": 10},
    "search": {"Python": 1, "C": 99},
    "editor": {"TypeScript": 20},
}


def test_projects_in_a_language_are_those_with_the_files() -> None:
    question = "which of my projects are written in Python?"
    # Most of its files, or a fourth of them; the words of ledger and search have no say.
    assert by_language(question, FILES)[:2] == ("set", {"billing": 1.0, "ledger": 0.67})
    assert by_language("which of my projects use Python?", FILES)[1] == {"billing": 1.0, "ledger": 0.67, "search": 0.01}
    assert by_language("which projects are written in C or TypeScript?", FILES)[1] == {"editor": 1.0, "search": 1.0}


def test_no_project_in_a_language_is_said_of_the_files() -> None:
    mode, scopes, advised = by_language("which of my projects are written in Haskell?", FILES)
    assert (mode, scopes, advised) == ("set", {}, (advice.NoneInLanguage(("Haskell",), mostly=True),))


def test_without_counted_files_the_words_answer() -> None:
    (advised,) = by_language("which of my projects are written in Haskell?", None)[2]
    assert not isinstance(advised, advice.NoneInLanguage)


NEWEST = {
    "what changed in the last release of ledger?": ("release", "ledger"),
    "what is new in the last release of ledger?": ("release", "ledger"),
    "when was the last release of ledger?": ("release", "ledger"),
    "when was the last release?": ("release", None),
    "what is new?": ("release", None),
    "what's new in ledger?": ("release", "ledger"),
    "what is the latest version of ledger?": ("release", "ledger"),
    "what did the latest release of ledger change?": ("release", "ledger"),
    "what are the breaking changes in the newest version of ledger?": ("release", "ledger"),
    "ledger's latest release": ("release", "ledger"),
    "when was ledger last released?": ("release", "ledger"),
    "latest commits": ("changes", None),
    "show me the last 5 commits of ledger": ("changes", "ledger"),
    "what changed recently?": ("changes", None),
    "what has changed in ledger lately?": ("changes", "ledger"),
    "when was ledger last updated?": ("changes", "ledger"),
    "Was hat sich in der letzten Version von ledger geändert?": ("release", "ledger"),
    "Wann war das letzte Release?": ("release", None),
    "die letzten Commits von ledger": ("changes", "ledger"),
    "¿Qué cambió en la última versión de ledger?": ("release", "ledger"),
    "últimos commits de ledger": ("changes", "ledger"),
    "ledger最新版本有什么变化？": ("release", "ledger"),
    "ledger最近的提交": ("changes", "ledger"),
    "ledgerの最新リリースは？": ("release", "ledger"),
    "ledgerの最近の変更は？": ("changes", "ledger"),
}


@pytest.mark.parametrize("question", NEWEST)
def test_asks_for_the_newest(question: str) -> None:
    request = read(question).request
    assert request is not None
    assert (request.kind, words_at(question, request.subject)) == NEWEST[question]


@pytest.mark.parametrize(
    "question",
    [
        "why does the latest version of ledger break refunds?",
        "which refunds are booked in the latest version of ledger?",
        "where is the last release stored?",
        "what happens to the last commit when a rebase fails?",
        "what is the last entry of the ledger?",
        "what changed in version 5?",
        "how is the newest entry found?",
    ],
)
def test_asks_for_more_than_the_newest(question: str) -> None:
    request = read(question).request
    assert request is None or request.kind not in ("release", "changes")


def test_what_is_asked_of_a_project_that_is_left_out_points_at_it() -> None:
    for question in ("what is new?", "when was the last release?", "latest commits"):
        assert [cue.kind for cue in read(question).deixis] == ["request"]
        abstained, scopes, _ = asked_of(question)
        assert abstained and scopes == []
        assert asked_of(question, cwd="/code/search")[1:] == (["search"], ("search",))
    assert read("what's new in ledger?").deixis == ()


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("show me the last 5 commits of ledger", 5),
        ("the latest 12 commits", 12),
        ("latest commits of h2", None),
        ("latest commits of 7zip", None),
        ("latest commits", None),
        ("ledger最近3次提交", 3),
        ("ledgerの最近の4件のコミットは？", 4),
        ("what is the latest version of ledger?", None),
    ],
)
def test_how_many_commits_are_asked_for(question: str, count: int | None) -> None:
    request = read(question).request
    assert request is not None and request.count == count
    assert request.to_json()["count"] == count
    assert (f"the latest changes ({count})" in read(question).describe()) == (count is not None)
