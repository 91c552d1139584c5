"""How a name counts as a name: the same word in frames that make it the subject, and in frames that do not."""

from pathlib import Path

import pytest

from loci.router import Scope, read
from loci.router.names import IDENTIFYING, Mention, Names

OTHERS = 29

# How many of 29 other scopes hold the word: nobody, a few that use it, most.
HELD = {
    "ripgrep": 1, "rg": 1, "mealie": 0, "paperless": 0, "ngx": 0, "zim": 0, "tools": 25, "dotfiles": 1, "memos": 1,
    "hono": 1, "redis": 8, "celery": 5, "vite": 9, "flask": 6, "tmux": 6, "jq": 9, "httpx": 5, "helix": 4, "workers":
    18, "sdk": 14, "click": 27, "express": 24, "requests": 26, "query": 28, "bat": 17, "json": 29, "client": 29,
    "acme": 0, "burntsushi": 0, "pallets": 3, "com": 20, "google": 9, "code": 28, "gson": 2, "cli": 20,
}  # fmt: skip


def spread(word: str, scope: str) -> tuple[int, int]:
    return HELD[word], OTHERS


SCOPES = [
    Scope("ripgrep", "ripgrep", ("BurntSushi/ripgrep", "rg")),
    Scope("mealie", "mealie"),
    Scope("paperless-ngx", "paperless-ngx"),
    Scope("zim-tools", "zim-tools"),
    Scope("dotfiles", "dotfiles"),
    Scope("memos", "memos"),
    Scope("hono", "hono"),
    Scope("redis", "redis", ("redis-cli",)),
    Scope("celery", "celery"),
    Scope("vite", "vite"),
    Scope("flask", "Flask", ("pallets/flask",)),
    Scope("tmux", "tmux"),
    Scope("jq", "jq"),
    Scope("httpx", "httpx"),
    Scope("helix", "helix"),
    Scope("workers-sdk", "workers-sdk"),
    Scope("gson", "gson", ("com.google.code.gson",)),
    *(Scope(word, word) for word in ("click", "express", "requests", "query", "bat", "json")),
]
NAMES = Names(SCOPES, spread)


def mentions(question: str) -> dict[str, Mention]:
    return {mention.scope: mention for mention in NAMES.find(read(question))}


def identified(question: str) -> set[str]:
    return {scope for scope, mention in mentions(question).items() if mention.weight >= IDENTIFYING}


@pytest.mark.parametrize(
    ("question", "scopes"),
    [
        # every spelling of the name
        ("does ripgrep follow links?", {"ripgrep"}),
        ("does RipGrep follow links?", {"ripgrep"}),
        ("RIPGREP: does it follow links?", {"ripgrep"}),
        ("where does paperless-ngx name files?", {"paperless-ngx"}),
        ("where does Paperless NGX name files?", {"paperless-ngx"}),
        ("where does paperless_ngx name files?", {"paperless-ngx"}),
        ("where does paperlessngx name files?", {"paperless-ngx"}),
        ("how do the zim tools check an archive?", {"zim-tools"}),
        ("how does burntsushi/ripgrep read ignore files?", {"ripgrep"}),
        ("how does BurntSushi/ripgrep read ignore files?", {"ripgrep"}),
        ("which adapter in com.google.code.gson reads dates?", {"gson"}),
        # with a version, which only what is released has
        ("what changed in requests 2.32.5?", {"requests"}),
        ("what's new in click 8.1", {"click"}),
        ("did express v5 drop callbacks?", {"express"}),
        ("why does bat@0.24.0 crash?", {"bat"}),
        ("how do I run a query 3 times?", set()),
        ("an express 4.18 app leaks", set()),
        ("with rg -m 1, does it stop per file?", {"ripgrep"}),
        ("how does redis-cli --bigkeys sample?", {"redis"}),
        ("what is express.js's default view engine?", {"express"}),
        # frames that make a known tool the subject
        ("in celery, what delays a retry?", {"celery"}),
        ("what delays a retry in celery?", {"celery"}),
        ("what delayed a retry in celery last month?", {"celery"}),
        ("why was the cookie of flask dropped?", {"flask"}),
        ("why was the cookie in flask dropped?", {"flask"}),
        ("why did flask, tmux and httpx drop python 3.7?", {"flask", "tmux", "httpx"}),
        ("compare ripgrep and flask streams", {"ripgrep", "flask"}),
        ("what changed in the last release of redis?", {"redis"}),
        ("is there a changelog for vite?", {"vite"}),
        ("what is Vite's rule for small assets?", {"vite"}),
        ("the redis project: where is the event loop?", {"redis"}),
        ("where is the event loop in the redis repo?", {"redis"}),
        ("in my dotfiles, what does the alias do?", {"dotfiles"}),
        ("how does tmux restore panes?", {"tmux"}),
        ("is redis single threaded?", {"redis"}),
        ("TMUX - where are panes split?", {"tmux"}),
        ("Redis 在后台怎么保存快照？", {"redis"}),
        ("在 celery 中任务怎么重试？", {"celery"}),
        ("celery はどうやって再試行する？", {"celery"}),
        # two names
        ("does httpx decode bodies the way celery does?", {"httpx", "celery"}),
        ("compare how ripgrep and the helix file picker read ignore files", {"ripgrep", "helix"}),
        ("how does paperless-ngx hand its broker URL to celery?", {"paperless-ngx", "celery"}),
        ("how does flask's group extend the one from click to load lazily?", {"flask", "click"}),
        # ordinary words, used as names
        ("how does click parse the options?", {"click"}),
        ("what is click's default help option?", {"click"}),
        ("in requests, where are cookies merged?", {"requests"}),
        ("does requests retry a failed post?", {"requests"}),
        ("the bat repo: where is the pager started?", {"bat"}),
        ("how does express handle errors?", {"express"}),
        ("how does bat pick a theme?", {"bat"}),
    ],
)
def test_counts_as_the_subject(question: str, scopes: set[str]) -> None:
    assert identified(question) == scopes


@pytest.mark.parametrize(
    "question",
    [
        # ordinary words as verbs, common nouns, plurals
        "when I click a shape, which element is hit?",
        "how can I express a lookahead?",
        "users click the button twice; what debounces that?",
        "how do requests time out?",
        "where is the query built?",
        "which query joins the tables?",
        "do requests retry?",
        "what does a query cost?",
        "how is JSON printed?",
        "is my query cached?",
        "what happens on a click outside the menu?",
        "can a click be cancelled?",
        "is a bat drawn on the canvas?",
        "how does query planning work?",
        "which event follows the release of click?",
        "when is the list of requests shown?",
        "does a click, query or bat count?",
        "do memos sync?",
        # a tool as material, setting or destination of another subject
        "which vite plugin makes the board installable?",
        "can two archives share one Redis server?",
        "Redis went away while workers were busy; what makes them reconnect?",
        "how is the finder started inside a floating tmux pane?",
        "testing a Flask app without sockets: which transport does that?",
        "piping matches into jq: which message types are printed?",
        "if two dishes need celery, are they merged?",
        "does the queue keep results in a redis list?",
        # files and paths are no names
        "what does celery.py configure?",
        "where is src/vite/config read?",
    ],
)
def test_does_not_count_as_the_subject(question: str) -> None:
    assert identified(question) == set()


def test_a_weak_mention_is_a_hint_of_less_than_a_name() -> None:
    assert 0.0 < mentions("piping matches into jq: which types are printed?")["jq"].weight < IDENTIFYING


def test_a_longer_alias_claims_its_words() -> None:
    assert set(mentions("how does redis-cli --bigkeys sample?")) == {"redis"}
    assert mentions("how does redis-cli --bigkeys sample?")["redis"].alias == "redis-cli"


def test_a_name_two_scopes_share_names_both() -> None:
    names = Names([Scope("a/app", "billing"), Scope("b/app", "billing")], lambda word, scope: (0, OTHERS))
    assert [mention.scope for mention in names.find(read("how does billing round?"))] == ["a/app", "b/app"]


def test_the_bare_directory_name_of_a_sub_project_is_an_ordinary_word() -> None:
    scopes = [
        Scope("acme", "acme", path=Path("/projects/acme")),
        Scope("acme-client", "client", ("@acme/http-client",), path=Path("/projects/acme/client")),
    ]
    # Nobody else says "client" in this corpus, and it is an ordinary word all the same.
    names = Names(scopes, lambda word, scope: (0, OTHERS))

    def weight(question: str) -> float:
        return max((m.weight for m in names.find(read(question)) if m.scope == "acme-client"), default=0.0)

    assert weight("when does the client reconnect?") < IDENTIFYING
    assert weight("which client is used?") < IDENTIFYING
    assert weight("in the client repo, where is the socket opened?") >= IDENTIFYING
    assert weight("where does the acme client open sockets?") >= IDENTIFYING
    assert weight("where does @acme/http-client open sockets?") >= IDENTIFYING


def test_commonness_is_measured_on_the_other_scopes() -> None:
    rare = Names([Scope("click", "click")], lambda word, scope: (0, OTHERS))
    assert rare.find(read("which click handler fires?"))[0].commonness == "distinctive"
    assert (
        NAMES.find(read("which click handler fires?")) == []
        or mentions("which click handler fires?")["click"].weight == 0.0
    )


def test_two_scopes_are_too_few_to_call_a_word_distinctive() -> None:
    names = Names([Scope("notes", "notes")], lambda word, scope: (0, 1))
    assert names.find(read("do notes sync?"))[0].commonness == "shared"


@pytest.mark.parametrize(
    ("text", "scopes"),
    [
        ("redis", ["redis"]),
        ("Redis", ["redis"]),
        ("zim tools", ["zim-tools"]),
        ("redis streams", []),
        ("", []),
        ("cobra", []),
    ],
)
def test_resolves_whole_names_only(text: str, scopes: list[str]) -> None:
    assert NAMES.resolve(text) == scopes
