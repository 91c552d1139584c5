"""The shipped benchmark, and fetching its corpus from bare repositories that stand on this machine."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from loci.eval import CorpusError, Pinned, cache_folder, check_scopes, fetch_corpus, public_corpus, public_questions
from loci.eval._command import command
from loci.eval.benchmark.shipped import CONCURRENT, missing, moved

FILES = {
    "acme/billing": {"README.md": "# Billing\n\nInvoices are sent when a subscription renews.\n"},
    "acme/search": {"README.md": "# Search\n\nThe crawler feeds the inverted index.\n"},
    "other/mail": {"README.md": "# Mail\n\nMessages wait in the outbox until the relay accepts them.\n"},
}


@pytest.fixture(scope="module")
def remote(tmp_path_factory, make_repository):
    """Bare repositories under BASE/owner/name.git, and what a manifest says of them."""
    base = tmp_path_factory.mktemp("remote")
    pinned = []
    for repository, files in FILES.items():
        work = make_repository(base / "work" / repository, files, "first", "second")
        commit = git(work, "rev-parse", "HEAD")
        # The pinned commit is no branch's tip any more, as with every public repository.
        git(work, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "later")
        (base / repository).parent.mkdir(exist_ok=True)
        git(base, "clone", "-q", "--bare", str(work), f"{repository}.git")
        pinned.append(Pinned(repository.partition("/")[2], repository, commit))
    return base.as_uri(), pinned


def git(folder, *arguments):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


# What is in the package


def test_the_manifest_pins_thirty_public_repositories():
    pinned = public_corpus()
    assert len(pinned) == 30
    assert [each.name for each in pinned] == sorted({each.name for each in pinned})
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+", each.repository) for each in pinned)
    assert all(re.fullmatch(r"[0-9a-f]{40}", each.commit) for each in pinned)
    assert next(each for each in pinned if each.name == "flask").address == "https://github.com/pallets/flask.git"


def test_the_questions_are_on_the_repositories_of_the_manifest():
    questions = public_questions()
    assert len(questions) == 214
    check_scopes(questions, {each.name for each in public_corpus()})
    # The counts that the README beside the file states.
    counts = {family: sum(q.family == family for q in questions) for family in {q.family for q in questions}}
    readme = (Path(__file__).parents[2] / "src/loci/eval/public/README.md").read_text(encoding="utf-8")
    stated = {}
    for names, numbers in re.findall(r"(?m)^\| ([a-z_, ]+) \| ([\d, ]+) \|", readme):
        stated.update(zip(names.split(", "), map(int, numbers.split(", ")), strict=True))
    assert stated == counts


# Fetching


def test_fetched_repositories_stand_at_their_commit_with_their_history(remote, tmp_path):
    base, pinned = remote
    seen = []
    fetched = fetch_corpus(pinned, tmp_path / "cache", mirror=base, progress=lambda *step: seen.append(step))
    assert fetched.failed == {}
    assert list(fetched.folders) == ["billing", "mail", "search"]
    for each in pinned:
        folder = fetched.folders[each.name]
        assert git(folder, "rev-parse", "HEAD") == each.commit
        assert git(folder, "log", "--format=%s") == "second\nfirst"
        assert git(folder, "rev-parse", "--is-shallow-repository") == "false"
        assert git(folder, "status", "--porcelain") == ""
        assert (folder / "README.md").read_text(encoding="utf-8") == FILES[each.repository]["README.md"]
        # The public address, wherever it came from: names and groups are read off it.
        assert git(folder, "remote", "get-url", "origin") == f"https://github.com/{each.repository}.git"
    assert seen[-1] == ("fetch", 300, 300)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert sorted(path.name for path in (tmp_path / "cache").iterdir() if path.is_dir()) == list(fetched.folders)


def test_what_is_there_needs_no_remote(remote, tmp_path):
    base, pinned = remote
    fetch_corpus(pinned, tmp_path, mirror=base)
    before = (tmp_path / "mail" / ".git" / "HEAD").stat().st_mtime_ns
    again = fetch_corpus(pinned, tmp_path, mirror=(tmp_path / "nowhere").as_uri())
    assert (again.failed, list(again.folders)) == ({}, ["billing", "mail", "search"])
    assert (tmp_path / "mail" / ".git" / "HEAD").stat().st_mtime_ns == before


def test_one_that_cannot_be_fetched_is_named_and_the_others_come(remote, tmp_path):
    base, pinned = remote
    gone = Pinned("gone", "acme/gone", "0" * 40)
    fetched = fetch_corpus([gone, *pinned], tmp_path, mirror=base)
    assert list(fetched.folders) == ["billing", "mail", "search"]
    assert list(fetched.failed) == ["gone"]
    assert "does not appear to be a git repository" in fetched.failed["gone"]


def test_a_commit_that_the_remote_lacks_is_a_failure(remote, tmp_path):
    base, _ = remote
    wrong = Pinned("mail", "other/mail", "1" * 40)
    fetched = fetch_corpus([wrong], tmp_path, mirror=base)
    assert fetched.folders == {}
    assert "1" * 40 in fetched.failed["mail"]
    assert not (tmp_path / "mail").exists()


def test_an_interrupted_fetch_goes_on(remote, tmp_path):
    """A run that was killed after fetching, with a half written work tree and git's lock on it."""
    base, pinned = remote
    mail = next(each for each in pinned if each.name == "mail")
    unfinished = tmp_path / ".unfinished-mail"
    git(tmp_path, "init", "-q", unfinished.name)
    git(unfinished, "fetch", "-q", "--no-tags", f"{base}/other/mail.git", f"+{mail.commit}:refs/loci/pinned")
    (unfinished / ".git" / "index.lock").touch()
    (unfinished / "README.md").write_text("half", encoding="utf-8")
    assert missing([mail], tmp_path) == [mail]
    # It needs nothing more from outside.
    fetched = fetch_corpus([mail], tmp_path, mirror=(tmp_path / "nowhere").as_uri())
    assert fetched.failed == {}
    assert (fetched.folders["mail"] / "README.md").read_text(encoding="utf-8").startswith("# Mail")
    assert not unfinished.exists()


def test_a_commit_that_came_without_its_history_is_fetched_again(remote, tmp_path):
    """A killed fetch can leave the commit without what it stands on; only the reference says that all is there."""
    base, pinned = remote
    mail = next(each for each in pinned if each.name == "mail")
    unfinished = tmp_path / ".unfinished-mail"
    git(tmp_path, "init", "-q", unfinished.name)
    whole = tmp_path / "whole"
    git(tmp_path, "clone", "-q", "--no-tags", f"{base}/other/mail.git", whole.name)
    loose = Path(".git") / "objects" / mail.commit[:2]
    data = subprocess.run(["git", "cat-file", "commit", mail.commit], cwd=whole, capture_output=True, check=True).stdout
    subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=unfinished,
        input=data,
        check=True,
        capture_output=True,
    )
    assert (unfinished / loose).exists()
    fetched = fetch_corpus([mail], tmp_path, mirror=base)
    assert fetched.failed == {}
    assert git(fetched.folders["mail"], "log", "--format=%s") == "second\nfirst"


def test_a_newer_pin_brings_an_older_checkout_along(remote, tmp_path):
    base, pinned = remote
    mail = next(each for each in pinned if each.name == "mail")
    fetch_corpus([mail], tmp_path, mirror=base)
    git(tmp_path / "mail", "checkout", "-q", "--detach", "HEAD~1")
    assert moved({"mail": tmp_path / "mail"}, pinned) == ["mail"]
    fetched = fetch_corpus([mail], tmp_path, mirror=base)
    assert git(fetched.folders["mail"], "rev-parse", "HEAD") == mail.commit


def test_a_folder_in_the_way_is_left_alone(remote, tmp_path):
    base, pinned = remote
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "letter.txt").write_text("mine", encoding="utf-8")
    fetched = fetch_corpus(pinned, tmp_path, mirror=base)
    assert "it is no git repository" in fetched.failed["mail"]
    assert (tmp_path / "mail" / "letter.txt").read_text(encoding="utf-8") == "mine"
    assert list(fetched.folders) == ["billing", "search"]


def test_two_runs_at_once(remote, tmp_path):
    from filelock import FileLock

    base, pinned = remote
    with FileLock(tmp_path / ".lock"), pytest.raises(CorpusError, match="another `loci eval bench` fetches"):
        fetch_corpus(pinned, tmp_path, mirror=base)


def test_without_git(remote, tmp_path, monkeypatch):
    base, pinned = remote
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CorpusError, match="needs git"):
        fetch_corpus(pinned, tmp_path / "cache", mirror=base)


def test_more_repositories_than_threads(remote, tmp_path):
    base, pinned = remote
    assert len(pinned) <= CONCURRENT  # so the next line is what makes a queue
    many = [Pinned(f"{each.name}-{number}", each.repository, each.commit) for each in pinned for number in range(3)]
    assert len(fetch_corpus(many, tmp_path, mirror=base).folders) == 9


def test_the_cache_is_in_the_users_own_folder(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "loci" / "bench"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # the specification says to ignore it
    assert cache_folder() == Path.home() / ".cache" / "loci" / "bench"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == Path.home() / "Library" / "Caches" / "loci" / "bench"


# The command


@pytest.fixture
def shipped(remote, monkeypatch):
    """The command with another corpus in the package."""
    for module in ("_command", "benchmark.run"):
        monkeypatch.setattr(f"loci.eval.{module}.public_corpus", lambda: remote[1])
    return remote[0]


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "q.jsonl"
    lines = [
        {"id": "b1", "family": "behavior", "question": "When are invoices sent?", "scopes": ["billing"]},
        {"id": "b2", "family": "behavior", "question": "What does the crawler feed?", "scopes": ["search"]},
        {"id": "b3", "family": "behavior", "question": "Where do messages wait for the relay?", "scopes": ["mail"]},
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def bench(*arguments):
    return CliRunner().invoke(command, ["bench", "--json", *map(str, arguments)])


def test_the_command_says_that_it_fetches_and_measures(shipped, questions, tmp_path):
    done = bench("--questions", questions, "--cache", tmp_path / "cache", "--mirror", shipped)
    assert done.exit_code == 0, done.output
    assert "This fetches 3 of 3 public repositories" in done.stderr
    assert "Nothing of yours is sent" in done.stderr
    summary = json.loads(done.stdout)
    assert summary["corpus"] == {
        "name": "cache",
        "scopes": 3,
        "missing": {},
        "questions_left_out": 0,
        "not_as_pinned": [],
    }
    again = bench("--questions", questions, "--cache", tmp_path / "cache", "--mirror", "file:///nowhere")
    assert (again.exit_code, again.stderr) == (0, "")


def test_the_command_goes_on_without_what_cannot_be_fetched(shipped, questions, tmp_path, monkeypatch, remote):
    partial = tmp_path / "remote"
    for each in remote[1][:2]:
        shutil.copytree(
            Path(shipped.removeprefix("file://")) / f"{each.repository}.git", partial / f"{each.repository}.git"
        )
    done = bench("--questions", questions, "--cache", tmp_path / "cache", "--mirror", partial.as_uri())
    assert done.exit_code == 0, done.output
    assert "warning: mail could not be fetched" in done.stderr
    summary = json.loads(done.stdout)
    assert list(summary["corpus"]["missing"]) == ["mail"]
    assert (summary["questions"], summary["corpus"]["questions_left_out"]) == (2, 1)
    table = CliRunner().invoke(
        command,
        ["bench", "--questions", str(questions), "--cache", str(tmp_path / "cache"), "--mirror", partial.as_uri()],
    )
    assert "MISSING, with 1 questions: mail" in table.stdout


def test_nothing_could_be_fetched(shipped, questions, tmp_path):
    done = bench("--questions", questions, "--cache", tmp_path / "cache", "--mirror", "file:///nowhere")
    assert done.exit_code == 2
    assert "no repository of the corpus could be fetched" in done.stderr
    assert done.stdout == ""


def test_a_person_can_say_no(shipped, questions, tmp_path, monkeypatch):
    monkeypatch.setattr("loci.eval._command._interactive", lambda: True)
    done = CliRunner().invoke(
        command,
        ["bench", "--questions", str(questions), "--cache", str(tmp_path / "cache"), "--mirror", shipped],
        input="n\n",
    )
    assert done.exit_code == 2
    assert "not fetched" in done.stderr
    assert not (tmp_path / "cache").exists()


def test_a_corpus_of_ones_own_is_never_fetched(shipped, questions, tmp_path):
    done = bench("--corpus", tmp_path, "--mirror", shipped, "--questions", questions)
    assert done.exit_code == 2
    assert "--corpus is not fetched" in done.stderr


def test_the_public_questions_over_a_corpus_that_moved_on(shipped, remote, tmp_path, monkeypatch, make_repository):
    from loci.eval import parse_questions

    lines = [b'{"id": "b1", "family": "behavior", "question": "When are invoices sent?", "scopes": ["billing"]}']
    monkeypatch.setattr("loci.eval.benchmark.run.public_questions", lambda: parse_questions(lines))
    make_repository(tmp_path / "corpus" / "billing", FILES["acme/billing"], "another history")
    done = bench("--corpus", tmp_path / "corpus")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["corpus"]["not_as_pinned"] == ["billing"]
