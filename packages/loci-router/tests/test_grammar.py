"""Closed classes by language, each with counterexamples: wordings that look alike and mean something else."""

import json
import subprocess
import sys

import pytest

from loci.router import read

SETS = [
    # en: wh-determiner over the frame noun, partitives, ownership, elsewhere, experiential perfect, listing
    "which of my repos retry failed uploads?",
    "Which projects use a worker pool?",
    "what repositories have a release workflow?",
    "in which projects did I solve pagination?",
    "How many of our services expose metrics?",
    "Where else do we parse dates by hand?",
    "Have I ever written a parser for TOML?",
    "did I ever set up a load balancer?",
    "have we used feature flags before?",
    "Is there anything of mine that talks to a printer?",
    "Across all my repos, what rotates log files?",
    "do any of my projects ship a Dockerfile?",
    "does every repo have a licence?",
    "show me all of my tools that read CSV",
    "What do I have that can resize images?",
    "everything I own that sends mail",
    "list all projects with a changelog",
    "is there a project of mine that plays sound?",
    "do I have anything for drawing charts?",
    "name each command line tool I maintain that colours its output",
    "are we parsing XML anywhere?",
    # de
    "Welche meiner Projekte benutzen Redis als Cache?",
    "in welchen Repos gibt es einen Scheduler?",
    "Wo sonst lese ich CSV-Dateien ein?",
    "Habe ich schon einmal einen Parser für TOML geschrieben?",
    "nutzt irgendeines meiner Projekte einen Worker-Pool?",
    # es
    "¿Cuáles de mis proyectos leen archivos CSV?",
    "¿En qué proyectos hay un planificador de tareas?",
    "¿Dónde más se parsean fechas a mano?",
    "¿Alguna vez he escrito un analizador de TOML?",
    # zh
    "我的哪些项目使用了消息队列？",
    "哪些仓库有发布流程？",
    "我以前写过 TOML 解析器吗？",
    "还有哪里手动解析日期？",
    # ja
    "どのプロジェクトがメッセージキューを使っていますか？",
    "私のリポジトリの中で CSV を読むものはどれ？",
    "他にどこで日付を解析していますか？",
    "これまでに TOML パーサーを書いたことがありますか？",
]

NOT_SETS = [
    "which option makes the worker retry?",
    "which of the retries is logged?",
    "what does the project do on start-up?",
    "list all the environment variables that the worker reads",
    "Which files does the packer read before it writes the tree?",
    "where are repositories locked while they are pruned?",
    "how many snapshots can a user own?",
    "what have I got to do to run the migration?",
    "have we merged the fix into this branch yet?",
    "does any of the tests cover the parser?",
    "what else does the parser accept?",
    "every time I save, the browser reloads twice; why?",
    "what do I have to set for uploads to work?",
    "Welche Option schaltet die Wiederholung ein?",
    "¿Qué opción activa los reintentos?",
    "哪个选项会启用重试？",
    "どのオプションで再試行が有効になりますか？",
]


@pytest.mark.parametrize("question", SETS)
def test_asks_for_a_set(question: str) -> None:
    assert read(question).enumeration is not None


@pytest.mark.parametrize("question", NOT_SETS)
def test_asks_for_no_set(question: str) -> None:
    assert read(question).enumeration is None


POINTING = [
    ("how is this deployed?", "this"),
    ("what does it do when it starts?", "it"),
    ("explain this repo to me", "this repo"),
    ("how do I build this thing?", "this thing"),
    ("where is the config of the app?", "the app"),
    ("is there a formatter in here?", "in here"),
    ("what happens to it when a task fails?", "it"),  # the noun only follows
    ("where do the logs go when it crashes?", "it"),  # a plural is no antecedent of a singular
    ("where did we leave off yesterday?", "yesterday"),
    ("what is this project for?", "this project"),
    ("Wie baue ich dieses Projekt?", "dieses projekt"),
    ("Was passiert hier beim Start?", "hier"),
    ("¿Cómo se compila este proyecto?", "este proyecto"),
    ("¿Qué pruebas hay aquí?", "aquí"),
    ("这个项目怎么部署？", "这个项目"),
    ("这里怎么跑测试？", "这里"),
    ("このプロジェクトはどうやってビルドしますか？", "このプロジェクト"),
    ("ここのテストはどう実行しますか？", "ここの"),
]

BOUND = [
    # The antecedent stands in the question.
    "when a backup is interrupted, can it be resumed?",
    "if the language server exits, is it started again?",
    "when the cookies expire, are they deleted or kept?",
    "a lock is left behind after a crash; what removes it?",
    "if a recipe has no picture, is it saved without this?",
    "does the parser keep comments, and where does it put them?",
    "When a project is archived, can its tasks be edited?",
    # Expletive subjects stand for their clause.
    "is it possible to change the retry delay per task?",
    "where is it decided which transport handles a URL?",
    "does it matter in which order middleware is added?",
    "how can I make it possible to cancel a running export?",
    # Relative pronouns and complementizers are no pointers.
    "which function decides that a snapshot is kept?",
    "the hook that runs before a commit: where is its timeout set?",
    # A definite noun with its own restriction is described, not pointed at.
    "where is the program that packs the archive started?",
]


@pytest.mark.parametrize(("question", "cue"), POINTING)
def test_points_outside_the_question(question: str, cue: str) -> None:
    assert cue in [each.text for each in read(question).deixis]


@pytest.mark.parametrize("question", BOUND)
def test_a_pronoun_with_an_antecedent_points_nowhere(question: str) -> None:
    assert read(question).deixis == ()


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("use loci to tell me how retries are counted", "how retries are counted"),
        ("ask loci: where are cookies parsed?", "where are cookies parsed?"),
        ("Loci, where are cookies parsed?", "where are cookies parsed?"),
        ("can you use loci to find out who deletes stale locks", "who deletes stale locks"),
        ("who deletes stale locks, according to loci?", "who deletes stale locks, ?"),
        ("please use ripgrep to find where locks are deleted", "where locks are deleted"),
        ("frag loci, wo Sperren gelöscht werden", "wo Sperren gelöscht werden"),
        ("usa loci para buscar dónde se borran los bloqueos", "dónde se borran los bloqueos"),
        ("用 loci 查一下锁在哪里删除", "锁在哪里删除"),
        ("loci で調べて、ロックはどこで消される？", "ロックはどこで消される？"),
    ],
)
def test_the_instrument_is_not_the_subject(question: str, left: str) -> None:
    reading = read(question)
    assert reading.instrument is not None
    assert reading.evidence == left


@pytest.mark.parametrize(
    "question",
    [
        "how do I use ripgrep to find hidden files?",  # the tool is what is asked about
        "does loci keep deleted files?",
        "what loci are listed in the genome table?",
        "which flag do users use to find a session?",
    ],
)
def test_no_instrument(question: str) -> None:
    assert read(question).instrument is None


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("which of my projects uses another of my projects?", None),
        ("which projects depend on each other?", None),
        ("what depends on redis?", "redis"),
        ("which repos use click?", "click"),
        ("who else imports common-utils?", "common-utils"),
        ("what uses acme/http-core internally?", "acme/http-core"),
        ("which of my repos would break if redis changed?", "redis"),
        ("what breaks when I remove the common-utils package?", "common-utils"),
        ("Welche meiner Projekte nutzen redis?", "redis"),
        ("¿Qué proyectos usan redis?", "redis"),
        ("哪些项目依赖 redis？", "redis"),
        ("どのプロジェクトが redis を使っていますか", "redis"),
        # With a single function word, or none.
        ("was hängt von redis ab?", "redis"),
        ("wer benutzt redis?", "redis"),
        ("quien usa redis", "redis"),
        ("哪些项目在用redis？", "redis"),
        ("redisに依存しているのは何ですか？", "redis"),
        ("redisを使っているプロジェクトは？", "redis"),
    ],
)
def test_asks_for_a_relation(question: str, subject: str | None) -> None:
    relations = read(question).project_relations
    spans = [None if each.subject is None else question[slice(*each.subject)] for each in relations]
    assert subject in spans


@pytest.mark.parametrize(
    "question",
    [
        "which tasks use a rate limit?",
        "what does the worker depend on?",
        "how does the cache use the index?",
        "what breaks if redis restarts?",
        "which tests break if the clock changes?",
        "was the cache hit because of redis?",
        "wer hat redis geschrieben?",
        "redisの設定を使ってテストを書く方法は？",
    ],
)
def test_no_relation(question: str) -> None:
    assert read(question).project_relations == ()


def test_frame_words_are_no_evidence_and_modifiers_are() -> None:
    assert read("Which of my Go projects embed a web server?").evidence == "Go embed a web server?"
    assert (
        read("Show me each mail client I maintain that threads replies").evidence == "mail client that threads replies"
    )


def test_full_width_signs_and_curly_quotes_read_like_plain_ones() -> None:
    assert read("What’s “this thing”?").deixis == read('What\'s "this thing"?').deixis
    assert read("哪些项目用ｒｅｄｉｓ？").language == "zh"


@pytest.mark.parametrize("question", ["", " ", "?", "🦀🦀", "\x00", "this" * 500])
def test_what_is_no_question_says_nothing_and_stays_evidence(question: str) -> None:
    reading = read(question)
    assert (reading.language, reading.enumeration, reading.project_relations, reading.deixis) == ("en", None, (), ())
    assert (reading.instrument, reading.request, reading.evidence) == (None, None, question.strip())
    assert json.loads(json.dumps(reading.to_json()))["text"] == question == reading.text


def test_letters_that_grow_in_lower_case_leave_the_places_of_others() -> None:
    # A dotted capital I has two characters in lower case, three of them would move what follows by three.
    reading = read("İİİ this repo")
    assert [(cue.kind, cue.text, cue.span) for cue in reading.deixis] == [("noun", "this repo", (4, 13))]
    assert reading.evidence == "İİİ this repo"


def test_patterns_are_compiled_when_they_are_first_needed() -> None:
    program = (
        "import re; made = []; compile = re.compile\n"
        "re.compile = lambda p, *a, **k: made.append(str(p)) or compile(p, *a, **k)\n"
        "from loci.router import read\n"
        "count = lambda: [sum(word in pattern for pattern in made) for word in ('how many', 'welche')]\n"
        "print(*count()); read('where is it?').to_json(); print(*count())\n"
        "read('wo ist der Dienst und wie wird das hier gemacht?').to_json(); print(*count())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported, english, german = ([int(count) for count in line.split()] for line in done.stdout.splitlines())
    assert imported == [0, 0]
    assert english[0] > 0 and english[1] == 0
    assert german[1] > 0


def test_a_pasted_log_costs_no_time_and_stays_evidence():
    reading = read("why does this project fail? " + "this project, the app, " * 4_000 + "jemalloc")
    assert reading.deixis
    assert reading.evidence.endswith("jemalloc")


@pytest.mark.parametrize(
    ("question", "points"),
    [
        ("What changed in version 1.6.1?", True),
        ("what's new in v2.0", True),
        ("which bugs were fixed in 3.1.4?", True),
        ("why does the relay sign mail twice since 2.3.0?", False),
        ("what changed in the relay's mail signing of version 2.3 for bounced letters?", False),
    ],
)
def test_a_version_alone_is_any_project_s(question: str, points: bool) -> None:
    assert ("version" in [cue.kind for cue in read(question).deixis]) == points
