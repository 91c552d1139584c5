"""A person's own questions: measured over their own index, and made from what they asked."""

import json

import pytest
from click.testing import CliRunner

from loci.core import Memory, NoIndex, NothingRegistered, QueryLog
from loci.eval import QuestionsError, load_questions
from loci.eval._command import command
from loci.eval.benchmark.interview import Candidate, Interview, candidates_from_lines, candidates_from_log
from loci.eval.benchmark.own_index import indexed_scopes, run_own

PROJECTS = {
    "billing": {
        "README.md": "# Billing\n\nInvoices are sent when a subscription renews. Refunds reverse the charge.\n",
        "refund.py": "def reverse_charge(invoice):\n    '''Reverse the charge of a refunded invoice.'''\n",
    },
    "search": {
        "README.md": "# Search\n\nThe crawler feeds the inverted index. Ranking uses term proximity.\n",
        "crawler.py": "def crawl(robots):\n    '''Fetch pages and obey robots rules.'''\n",
    },
}
REFUND = "which function reverses the charge of a refunded invoice?"
CRAWL = "where does the crawler obey robots rules?"


@pytest.fixture(scope="module")
def home(tmp_path_factory, make_repository):
    root = tmp_path_factory.mktemp("own")
    memory = Memory.open(root / "home")
    for name, files in PROJECTS.items():
        memory.add(make_repository(root / "work" / name, files, f"Start the {name} service"), aliases=[f"my-{name}"])
    memory.index()
    memory.add(make_repository(root / "work" / "later", {"README.md": "# Later\n"}))
    return root / "home"


@pytest.fixture
def memory(home):
    """The same home for every test, with no question kept."""
    memory = Memory.open(home)
    yield memory
    QueryLog(memory.home).switch_off()


def written(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def record(identity, question, *scopes, family="asked", **more):
    return {"id": identity, "family": family, "question": question, "scopes": list(scopes), **more}


# Measuring


def test_scopes_go_by_id_or_name(memory, tmp_path):
    path = written(
        tmp_path / "q.jsonl",
        record("q1", REFUND, "my-billing", evidence=[{"path": "refund.py"}]),
        record("q2", CRAWL, "search", evidence=[{"path": "crawler.py"}]),
        record("q3", "blorf the quimble", family="unanswerable"),
    )
    summary = run_own(memory, path)
    assert list(summary["systems"]) == ["loci", "merged-bm25", "prominence"]
    assert [outcome["scopes"] for outcome in summary["outcomes"]] == [["billing"], ["search"], []]
    assert summary["systems"]["loci"]["routing"]["asked"]["best_ranked"]["successes"] == 2
    assert summary["systems"]["loci"]["retrieval"]["scope_given"]["asked"]["list"]["@3"]["successes"] == 2
    assert summary["corpus"] == {"name": "q.jsonl", "scopes": 2, "generation": memory.generation()}


def test_measuring_changes_nothing_in_the_home(memory, tmp_path, home, git):
    """Also where a project is behind: the figures are those of the index as it stands."""
    QueryLog(memory.home).switch_on()
    work = home.parent / "work" / "billing"
    (work / "news.md").write_text("# News\n\nDunning letters go out on Mondays.\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}
    run_own(memory, written(tmp_path / "q.jsonl", record("q1", REFUND, "billing")))
    after = {path: path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}
    (work / "news.md").unlink()
    assert after == before
    assert git(work, "status", "--porcelain") == ""


def test_lines_that_cannot_be_used_are_named(memory, tmp_path):
    path = written(
        tmp_path / "q.jsonl",
        record("q1", REFUND, "billing"),
        record("q2", REFUND, "biling"),
        record("q3", CRAWL, "later"),
        record("q4", CRAWL, "search", "my-search"),
    )
    with pytest.raises(QuestionsError) as refused:
        run_own(memory, path)
    lines = str(refused.value).splitlines()
    assert lines == [
        "q.jsonl:2: q2: no project is called 'biling' (did you mean billing or my-billing?)",
        "q.jsonl:3: q3: later is registered but not indexed; run: loci index later",
    ]
    path = written(tmp_path / "q.jsonl", record("q4", CRAWL, "search", "my-search"))
    with pytest.raises(QuestionsError, match=r'q\.jsonl:1: q4: "scopes" names a project twice, by two of its names'):
        run_own(memory, path)


def test_without_an_index_it_says_what_to_do(tmp_path, make_repository):
    path = written(tmp_path / "q.jsonl", record("q1", REFUND, "billing"))
    memory = Memory.open(tmp_path / "empty")
    with pytest.raises(NothingRegistered):
        run_own(memory, path)
    memory.add(make_repository(tmp_path / "billing", PROJECTS["billing"]))
    with pytest.raises(NoIndex, match="1 project is registered, but nothing is indexed yet"):
        run_own(memory, path)


# Making


def interview(memory, out, *typed, **options):
    keys = iter(typed)
    said = []
    sitting = Interview(memory, indexed_scopes(memory), out, ask=lambda text: next(keys), say=said.append, **options)
    return sitting, said


def test_yes_writes_where_it_goes(memory, tmp_path):
    sitting, said = interview(memory, tmp_path / "q.jsonl", "y", "y")
    sitting.run([Candidate(REFUND), Candidate("how do I run this?")])
    first, second = load_questions(tmp_path / "q.jsonl")
    assert (first.family, first.question, first.scopes) == ("asked", REFUND, ("billing",))
    # It abstained, and that was right: the question points at something that only a directory tells.
    assert (second.family, second.scopes, second.cwd_ok) == ("deictic", (), True)
    assert said[1] == f"[1 of 2] {REFUND}"
    assert said[2].startswith("  it goes to billing, confidence 0.")
    assert said[5] == "  it goes nowhere (deictic)"
    assert (sitting.written, sitting.skipped) == (2, 0)


def test_no_asks_which_and_names_are_checked(memory, tmp_path):
    sitting, said = interview(
        memory, tmp_path / "q.jsonl", "what", "n", "serach", "later", "my-search, billing", "w", "-"
    )
    sitting.run([Candidate(REFUND), Candidate(CRAWL)])
    first, second = load_questions(tmp_path / "q.jsonl")
    assert (first.family, first.scopes) == ("asked_set", ("search", "billing"))
    assert (second.family, second.scopes) == ("unanswerable", ())
    assert "  one of y, n, w, s, q" in said
    assert "  no project is called 'serach' (did you mean search or my-search?)" in said
    assert "  not indexed: later" in said


def test_what_is_not_judged_is_not_written(memory, tmp_path):
    sitting, _ = interview(memory, tmp_path / "q.jsonl", "s", "", "n", "", "q")
    sitting.run([Candidate(f"question {number}?") for number in range(5)])
    assert not (tmp_path / "q.jsonl").exists()
    assert (sitting.written, sitting.skipped) == (0, 3)


def test_each_verdict_is_kept_though_the_sitting_breaks_off(memory, tmp_path):
    sitting, _ = interview(memory, tmp_path / "q.jsonl", "y")  # the keys end: as with Ctrl-C at the second question
    with pytest.raises(StopIteration):
        sitting.run([Candidate(REFUND), Candidate(CRAWL)])
    assert [question.question for question in load_questions(tmp_path / "q.jsonl")] == [REFUND]


def test_a_question_of_the_file_is_not_asked_again(memory, tmp_path):
    out = tmp_path / "q.jsonl"
    out.write_text(json.dumps(record("mine", REFUND.upper(), "billing")), encoding="utf-8")  # no line end
    sitting, said = interview(memory, out, "y")
    sitting.run([Candidate(REFUND), Candidate(CRAWL)])
    first, second = load_questions(out)
    assert (first.id, first.scopes, second.scopes) == ("mine", ("billing",), ("search",))
    assert said[1] == f"[1 of 1] {CRAWL}"


def test_a_broken_file_is_found_before_anything_is_asked(memory, tmp_path):
    (tmp_path / "q.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(QuestionsError, match=r"q\.jsonl:1"):
        interview(memory, tmp_path / "q.jsonl")


def test_the_evidence_is_picked_by_number(memory, tmp_path):
    sitting, said = interview(memory, tmp_path / "q.jsonl", "y", "9", "x", "1", evidence=True)
    sitting.run([Candidate(REFUND)])
    (question,) = load_questions(tmp_path / "q.jsonl")
    numbered = [line for line in said if line.startswith("    ")]
    assert numbered[0].split()[:2] == ["1", question.evidence[0].value]
    assert question.evidence[0].value in ("refund.py", "README.md")
    assert [line for line in said if "numbers from 1 to" in line] == [f"  numbers from 1 to {len(numbered)}"] * 2


def test_the_project_that_was_named_then_is_the_default(memory, tmp_path):
    sitting, said = interview(memory, tmp_path / "q.jsonl", "w", "")
    sitting.run([Candidate("what about proximity?", time=0, scopes=("search",), given="search", logged=True)])
    (question,) = load_questions(tmp_path / "q.jsonl")
    assert question.scopes == ("search",)
    assert said[2].endswith("days ago; it went to search, since you named search")


def test_kept_questions_come_newest_first_and_once(memory):
    log = QueryLog(memory.home)
    log.switch_on()
    for question in (REFUND, "how do I run this?", CRAWL, REFUND.replace("?", " ?").replace(" ?", "?")):
        memory.keep_question(memory.route(question))
    assert [each.question for each in candidates_from_log(memory)] == [REFUND, CRAWL, "how do I run this?"]
    assert [each.question for each in candidates_from_log(memory, abstained_only=True)] == ["how do I run this?"]


def test_questions_from_lines():
    lines = ["\ufeffwhy?", "", '{"question": "how?", "id": 1}', "WHY? ", "  what? "]
    assert [each.question for each in candidates_from_lines(lines, name="f")] == ["why?", "how?", "what?"]
    for bad in ("{", '{"q": "why?"}', '{"question": ""}', '{"question": 3}'):
        with pytest.raises(QuestionsError, match="f:1: "):
            candidates_from_lines([bad], name="f")


# The commands


def run(home, *arguments, **options):
    from types import SimpleNamespace

    return CliRunner().invoke(command, list(map(str, arguments)), obj=SimpleNamespace(home=str(home)), **options)


def test_without_a_terminal_it_says_how_to_write_the_lines(home, tmp_path):
    done = run(home, "new", "--out", tmp_path / "q.jsonl")
    assert done.exit_code == 2
    assert "needs a terminal" in done.stderr
    example = next(line for line in done.stderr.splitlines() if line.startswith("{")).split("   (")[0]
    assert set(json.loads(example)) == {"id", "family", "question", "scopes"}
    assert not (tmp_path / "q.jsonl").exists()


def test_nothing_kept_says_how_to_keep(memory, home, monkeypatch):
    monkeypatch.setattr("loci.eval._command._interactive", lambda: True)
    done = run(home, "new")
    assert done.exit_code == 1
    assert "`loci eval log on` keeps them from now on" in done.stderr
    assert run(home, "log", "on").exit_code == 0
    assert "no such question was asked yet" in run(home, "new").stderr


def test_the_whole_way(memory, home, tmp_path, monkeypatch):
    monkeypatch.setattr("loci.eval._command._interactive", lambda: True)
    assert run(home, "log").stdout == "off\n"
    run(home, "log", "on")
    memory.keep_question(memory.route(REFUND))
    memory.keep_question(memory.route("how do I run this?"))
    state = run(home, "log").stdout
    assert state.startswith("on: 2 questions in ") and state.endswith(", 1 of them unanswered\n")
    kept = json.loads(run(home, "log", "--json").stdout)
    assert [each["question"] for each in kept["questions"]] == [REFUND, "how do I run this?"]
    done = run(home, "new", "--out", tmp_path / "q.jsonl", input="y\ny\n")
    assert done.exit_code == 0, done.output
    assert done.stdout == f"2 written to {tmp_path / 'q.jsonl'}, 0 skipped\n"
    assert "right not to answer? yes, no, which project" in done.stderr
    assert "is in" in run(home, "new", "--out", tmp_path / "q.jsonl").stderr
    assert run(home, "log", "off").stdout == "off: 2 questions deleted\n"
    summary = run_own(memory, tmp_path / "q.jsonl")
    assert summary["questions"] == 2


def test_questions_from_a_file(memory, home, tmp_path, monkeypatch):
    monkeypatch.setattr("loci.eval._command._interactive", lambda: True)
    (tmp_path / "asked.txt").write_text(f"{REFUND}\n{CRAWL}\n", encoding="utf-8")
    done = run(home, "new", "--from", tmp_path / "asked.txt", "--out", tmp_path / "q.jsonl", "--limit", 1, input="y\n")
    assert done.exit_code == 0, done.output
    assert [question.question for question in load_questions(tmp_path / "q.jsonl")] == [REFUND]
