"""`loci eval bench` from the outside: what is refused, and one whole run over three small repositories."""

import io
import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiny_model import write_model

from loci.eval._command import Progress, command

REPOSITORIES = {
    "billing": {
        "README.md": "# Billing\n\nInvoices are sent when a subscription renews. Refunds reverse the charge.\n",
        "refund.py": "def reverse_charge(invoice):\n    '''Reverse the charge.'''\n    return -invoice.total\n",
    },
    "search": {
        "README.md": "# Search\n\nThe crawler feeds the inverted index. Ranking uses term proximity.\n",
        "crawler.py": "def crawl(robots):\n    '''Fetch pages and obey robots rules.'''\n    return robots.allowed()\n",
    },
    "mail": {
        "README.md": "# Mail\n\nMessages wait in the outbox until the relay accepts them.\n",
        "relay.py": "def deliver(outbox):\n    '''Hand messages to the relay.'''\n    return outbox.drain()\n",
    },
}


def git(directory, *arguments):
    environment = {
        **os.environ,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@localhost",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@localhost",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    done = subprocess.run(
        ["git", "-C", str(directory), *arguments], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    root = tmp_path_factory.mktemp("corpus")
    for name, files in REPOSITORIES.items():
        directory = root / name
        directory.mkdir()
        git(directory, "init", "--quiet")
        for path, text in files.items():
            (directory / path).write_text(text, encoding="utf-8")
        git(directory, "add", ".")
        git(directory, "commit", "--quiet", "-m", f"Start the {name} service")
    (root / "notes").mkdir()  # no repository, so no scope
    return root


@pytest.fixture(scope="module")
def questions(corpus):
    (corpus / "mail" / "relay.py").write_text("def deliver(outbox):\n    return outbox.drain(jitter=True)\n")
    git(corpus / "mail", "commit", "--quiet", "-am", "Add jitter to the backoff so that greylisted peers recover")
    commit = git(corpus / "mail", "rev-parse", "HEAD")
    path = corpus.parent / f"{corpus.name}.jsonl"
    records = [
        {
            "id": "b1",
            "family": "behavior",
            "question": "Which function reverses the charge of an invoice on refunds?",
            "scopes": ["billing"],
            "evidence": [{"path": "refund.py"}],
        },
        {
            "id": "s1",
            "family": "structure",
            "question": "Where does the crawler obey robots rules before it fetches pages?",
            "scopes": ["search"],
            "evidence": [{"path": "crawler.py"}],
        },
        {
            "id": "h1",
            "family": "history",
            "question": "Why was jitter added to the backoff for greylisted peers?",
            "scopes": ["mail"],
            "evidence": [{"commit": commit}],
        },
        {"id": "d1", "family": "deictic", "question": "How do I run this?", "scopes": [], "cwd_ok": True},
        {
            "id": "u1",
            "family": "unanswerable",
            "question": "blorf the quimble",
            "scopes": [],
            "kind": "nonsense",
        },
    ]
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return path


def bench(*arguments):
    return CliRunner().invoke(command, ["bench", *map(str, arguments)])


# Refusals


def test_bad_lines_are_named_before_anything_is_indexed(tmp_path, corpus):
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "a"}\n')
    done = bench("--corpus", corpus, "--questions", path, "--home", tmp_path / "home")
    assert done.exit_code == 2
    assert 'q.jsonl:1: "family" must be a non-empty string' in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "home").exists()


def test_a_question_on_a_scope_outside_the_corpus_is_named(tmp_path, corpus):
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "a", "family": "behavior", "question": "why", "scopes": ["biling"]}\n')
    done = bench("--corpus", corpus, "--questions", path, "--home", tmp_path / "home")
    assert done.exit_code == 2
    assert 'a needs the scope "biling", which is not in the corpus (did you mean billing?)' in done.stderr


def test_a_corpus_without_repositories(tmp_path, questions):
    (tmp_path / "empty").mkdir()
    done = bench("--corpus", tmp_path / "empty", "--questions", questions)
    assert done.exit_code == 2
    assert "contains no git repository" in done.stderr


def test_an_unknown_family_lists_the_known_ones(corpus, questions):
    done = bench("--corpus", corpus, "--questions", questions, "--only", "histroy,behavior")
    assert done.exit_code == 2
    assert "no question has the family histroy; there are behavior, structure, history" in done.stderr


def test_an_excluded_scope_must_exist(corpus, questions):
    done = bench("--corpus", corpus, "--questions", questions, "--exclude-scope", "nothing")
    assert done.exit_code == 2
    assert "no scope of the corpus is called nothing" in done.stderr


def test_the_persons_own_home_is_never_used(tmp_path, corpus, questions, monkeypatch):
    monkeypatch.setenv("LOCI_HOME", str(tmp_path / "own"))
    done = bench("--corpus", corpus, "--questions", questions, "--home", tmp_path / "own")
    assert done.exit_code == 2
    assert "is your own loci home" in done.stderr
    assert not (tmp_path / "own").exists()


def test_progress_is_drawn_on_a_terminal_stage_by_stage(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with Progress() as progress:
        assert progress.shown
        for done in range(4):
            progress("index", done, 3)
        progress("questions", 0, 2)
        progress("questions", 2, 2)
    drawn = terminal.getvalue()
    assert drawn.index("index") < drawn.index("questions")
    assert drawn.count("100%") == 2


# A whole run


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("bench") / "home"


@pytest.fixture(scope="module")
def summary(corpus, questions, home):
    done = bench("--corpus", corpus, "--questions", questions, "--home", home, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_three_systems_are_measured_in_one_run(summary):
    assert list(summary["systems"]) == ["loci", "merged-bm25", "prominence"]
    assert summary["corpus"]["scopes"] == 3
    assert summary["index"]["cold"] is True
    assert summary["index"]["built"] == 3


def test_plain_questions_reach_their_project_and_evidence(summary):
    for name in ("loci", "merged-bm25"):
        system = summary["systems"][name]
        assert system["routing"]["base"]["best_ranked"]["successes"] == 3
        assert system["retrieval"]["scope_given"]["base"]["two_lanes"]["@3"]["successes"] == 3
        assert system["retrieval"]["scope_given"]["base"]["n"] == 3
    outcome = {outcome["id"]: outcome for outcome in summary["outcomes"]}
    assert outcome["h1"]["loci"]["given"] == [{"scope": "mail", "list": 1, "two_lanes": 1}]


def test_words_are_counted_by_the_tokenizer_of_loci(summary):
    words = {outcome["id"]: outcome["words"] for outcome in summary["outcomes"]}
    assert words["u1"] == 2  # blorf, quimble
    assert words["d1"] == 1  # run


def test_nothing_is_written_into_the_corpus(summary, corpus):
    for name in REPOSITORIES:
        assert git(corpus / name, "status", "--porcelain", "--ignored") == ""


def test_a_kept_home_is_used_again_and_gives_the_same_figures(summary, corpus, questions, home):
    done = bench("--corpus", corpus, "--questions", questions, "--home", home, "--json")
    again = json.loads(done.stdout)
    assert (again["index"]["cold"], again["index"]["built"]) == (False, 0)
    assert again["systems"] == summary["systems"]
    assert again["outcomes"] == summary["outcomes"]


def test_a_home_with_other_scopes_is_refused(summary, corpus, questions, home, tmp_path):
    smaller = tmp_path / "smaller"
    smaller.mkdir()
    git(smaller.parent, "clone", "--quiet", str(corpus / "billing"), str(smaller / "billing"))
    path = tmp_path / "q.jsonl"
    path.write_text(Path(questions).read_text(encoding="utf-8").splitlines()[0])
    done = bench("--corpus", smaller, "--questions", path, "--home", home)
    assert done.exit_code == 2
    assert "holds scopes that are not in the corpus" in done.stderr


def test_vectors_have_a_say_where_a_model_is_named(summary, corpus, questions, home, tmp_path):
    model = write_model(tmp_path / "minilm")
    given = ("--corpus", corpus, "--questions", questions, "--home", home)
    done = bench(*given, "--model", model, "--candidates-only")
    assert done.exit_code == 0, done.output
    assert "vectors: minilm, of what each question's words find, nothing ahead" in done.stdout
    done = bench(*given, "--model", model, "--json")
    vectors = json.loads(done.stdout)["index"]["vectors"]
    assert vectors["embedded"] > 0
    assert vectors["candidates_only"] is False
    done = bench(*given, "--json")
    assert json.loads(done.stdout)["systems"] == summary["systems"], "without a model it is words alone"
    done = bench(*given, "--model", tmp_path)
    assert (done.exit_code, "neither config.json nor modules.json" in done.stderr) == (2, True)
    assert bench(*given, "--candidates-only").exit_code == 2


def test_the_table_and_a_temporary_home(corpus, questions, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    done = bench("--corpus", corpus, "--questions", questions, "--only", "behavior", "--exclude-scope", "search")
    assert done.exit_code == 0, done.output
    assert "1 question, seed 0" in done.stdout
    assert "routing, no directory: merged-bm25" in done.stdout
    assert "base without search" in done.stdout
    assert done.stderr == ""  # no terminal, no progress bar
    assert list(tmp_path.glob("loci-bench-*")) == []
