"""Every command: arguments, output, errors and exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess

import click
import pytest

SCOPE_KEYS = {"id", "name", "indexed_commit", "head", "caught_up", "passages", "symbols", "notes"}
PASSAGE_KEYS = {"kind", "path", "lines", "commit", "heading", "symbol", "role", "text", "score", "stale"}
ROUTE_KEYS = {"question", "abstained", "reason", "mode", "confidence", "scopes", "candidates", "advice"}


def said(block):
    return "; ".join(note["text"] for note in block["notes"])


@pytest.mark.parametrize(
    ("arguments", "code", "stdout", "stderr"),
    [
        (["--version"], 0, r"^loci \d+\.\d+\.\d+$", r"^$"),
        (["--help"], 0, r"(?s)scan .*index .*ask ", r"^$"),
        (["ask", "--help"], 0, r"(?s)--scope.*--budget", r"^$"),
        ([], 2, r"", r""),
        (["nonsense"], 2, r"^$", r"no command is called 'nonsense'"),
        (["scn"], 2, r"^$", r"did you mean scan"),
        (["ask"], 2, r"^$", r"a question is needed"),
        (["ask", ""], 2, r"^$", r"error: the question is empty"),
        (["ask", "x", "-k", "0"], 2, r"^$", r"-k"),
        (["ask", "x", "--budget", "-1"], 2, r"^$", r"--budget"),
        (["ask", "x", "--bogus"], 2, r"^$", r"--bogus"),
        (["ask", "x", "--cwd", "/nowhere/at/all"], 2, r"^$", r"no directory"),
        (["ask", "x", "--batch", "/nowhere.jsonl"], 2, r"^$", r"nowhere\.jsonl"),
        (["route", "x"], 1, r"^$", r"(?s)error: no project is registered in .*hint: loci setup"),
        (["ask", "x"], 1, r"^$", r"(?s)error: no project is registered in .*hint: loci setup"),
        (["ask", "x", "--scope", "flask"], 1, r"^$", r"no project is registered"),
        (["index"], 1, r"^$", r"(?s)error: no project is registered in .*hint: loci setup"),
        (["scopes"], 1, r"^$", r"(?s)error: no project is registered in .*hint: loci setup"),
        (["graphs", "--extractor", "magic"], 2, r"^$", r"--extractor.*built-in.*graphify"),
        (["forget", "flask"], 2, r"^$", r"no project is called 'flask'"),
        (["scan"], 2, r"^$", r"Missing argument"),
        (["scan", "/nowhere/at/all"], 2, r"^$", r"/nowhere/at/all does not exist"),
        (["add", "/nowhere/at/all"], 2, r"^$", r"/nowhere/at/all does not exist"),
    ],
)
def test_without_anything(fresh, arguments, code, stdout, stderr):
    result = fresh.run(*arguments)
    assert result.exit_code == code, result.output
    assert re.search(stdout, result.stdout), result.stdout
    assert re.search(stderr, result.stderr), result.stderr
    assert not fresh.home.exists() or arguments[0] in ("forget", "scan", "add")


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [
        (["ask", "x", "--json"], 1, "nothing_registered"),
        (["route", "x", "--json"], 1, "nothing_registered"),
        (["add", "/nowhere", "--json"], 2, "not_a_repository"),
        (["ask", " ", "--json"], 2, "empty_question"),
        (["ask", "x", "--cwd", "/nowhere/at/all", "--json"], 2, "invalid_request"),
        (["ask", "--json", "x", "-k", "0"], 2, "invalid_request"),
        (["ask", "--json"], 2, "invalid_request"),
        (["scan", "--json"], 2, "invalid_request"),
        (["nonsense", "--json"], 2, "invalid_request"),
    ],
)
def test_with_json_an_error_is_an_object_too(fresh, arguments, code, kind):
    result = fresh.run(*arguments)
    assert result.exit_code == code
    error = json.loads(result.stdout)["error"]
    assert error["kind"] == kind and error["message"] and error["exit_code"] == code


SHA256 = b"object-format" in subprocess.run(["git", "init", "-h"], capture_output=True, check=False).stdout


def test_a_usage_error_looks_like_every_other_error(fresh):
    result = fresh.run("scan")
    assert result.stderr.startswith("Usage: ") and "\nerror: Missing argument" in result.stderr
    assert re.search(r"\nhint: \S+ scan --help\n$", result.stderr) and "Error:" not in result.stderr


def test_an_empty_question_says_what_to_type(fresh):
    assert "hint: loci ask" in fresh.run("ask", "").stderr


def test_scan_shows_registers_and_knows_again(fresh):
    result = fresh.run("scan", str(fresh.work), "--dry-run")
    assert result.exit_code == 0 and "3 would be registered" in result.stderr
    assert not fresh.home.exists()
    result = fresh.run("scan", str(fresh.work))  # no terminal: nothing is asked
    assert result.exit_code == 0 and "3 registered" in result.stderr and "hint: loci index" in result.stderr
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["SCOPE", "billing", "cookiejar", "search"]
    result = fresh.run("scan", str(fresh.work), "-y")
    assert "0 registered, 3 already registered" in result.stderr
    assert fresh.json("scan", str(fresh.work), "--json")["found"][0] == {
        "id": "billing",
        "path": str((fresh.work / "billing").resolve()),
        "new": False,
        "bare": False,
        "worktrees": [],
        "groups": [],
    }


def test_scanning_where_nothing_is(fresh, tmp_path):
    (tmp_path / "empty").mkdir()
    result = fresh.run("scan", str(tmp_path / "empty"))
    assert result.exit_code == 0 and result.stdout == "" and "no git repository found" in result.stderr


def test_registered_but_not_indexed(fresh):
    fresh.run("scan", str(fresh.work), "-y")
    for command in ("ask", "route"):
        result = fresh.run(command, "why?")
        assert result.exit_code == 1
        assert "3 projects are registered, but nothing is indexed yet" in result.stderr
        assert "hint: loci index" in result.stderr
    assert {scope["state"] for scope in fresh.json("scopes", "--json")["scopes"]} == {"not_indexed"}


def test_index_reports_and_reuses(fresh):
    fresh.run("scan", str(fresh.work), "-y")
    result = fresh.run("index")
    assert result.exit_code == 0, result.output
    assert re.search(r"^billing +3 files +2 commits", result.stdout, re.MULTILINE)
    assert "3 built, 0 unchanged" in result.stdout
    assert result.stderr == ""
    assert "skipped" not in result.stdout
    report = fresh.json("index", "--json")
    assert {scope["outcome"] for scope in report["scopes"]} == {"unchanged"}
    assert report["generation"] == 1
    report = fresh.json("index", "--force", "--json", "billing")
    assert [(scope["id"], scope["outcome"]) for scope in report["scopes"]] == [("billing", "built")]


def test_index_says_in_one_line_what_was_skipped(fresh, git):
    (fresh.work / "billing" / "logo.png").write_bytes(b"\x89PNG\0")
    (fresh.work / "billing" / "poetry.lock").write_text("")
    (fresh.work / "search" / "icon.png").write_bytes(b"\x89PNG\0")
    fresh.run("scan", str(fresh.work), "-y")
    lines = fresh.run("index").stdout.splitlines()
    assert [line for line in lines if "skipped" in line] == [
        "skipped: 2 binary (billing: logo.png), 1 lock-file (billing: poetry.lock); "
        "`loci index --json` has more of each"
    ]


def test_own_patterns_add_notes_and_win_over_what_is_skipped(fresh, git):
    notes = fresh.work.parent / "notes" / "deep"
    notes.mkdir(parents=True)
    (notes / "retro.md").write_text("# Retrospective\n\nThe ledger migration failed since the zebra lock was held.\n")
    (notes / "id_rsa.md").write_text("never opened")
    billing = fresh.work / "billing"
    (billing / ".gitignore").write_text("drafts/\n")
    for path in ("drafts/plan.md", "vendor/ours/fork.py", "vendor/theirs/lib.py", "src/old.py"):
        (billing / path).parent.mkdir(parents=True, exist_ok=True)
        (billing / path).write_text(f"# about {path}\n")
    pattern = f"{notes.parent}/**/*.md"
    added = fresh.json(
        "add", str(billing), "--glob", pattern, "--include", "vendor/ours/", "--include", "/drafts/", "--exclude",
        "old.py", "--json",
    )["scope"]  # fmt: skip
    assert (added["globs"], added["exclude"]) == ([pattern], ["old.py"])
    counts = fresh.json("index", "--json")["scopes"][0]["counts"]
    assert counts["skipped"] == {"excluded": 1, "secret-file": 1, "vendored": 1}
    assert counts["notes"] == {pattern: 2}
    assert counts["listed"] == counts["read"] + 3
    found = fresh.json("ask", "why did the ledger migration fail on the zebra lock?", "--scope", "billing", "--json")
    note = found["scopes"][0]["passages"][0]
    assert (note["path"], note["lines"], note["heading"], note["role"], note["stale"]) == (
        str(notes / "retro.md"), [1, 3], "Retrospective", "docs", False,
    )  # fmt: skip
    assert found["scopes"][0]["caught_up"]
    (notes / "retro.md").write_text("# Retrospective\n\nNothing failed.\n")
    answer = fresh.json("ask", "ledger migration zebra lock", "--scope", "billing", "--json", "--no-refresh")["scopes"][
        0
    ]
    assert not answer["caught_up"] and answer["passages"][0]["stale"]
    assert fresh.json("index", "--json")["scopes"][0]["outcome"] == "built"
    assert fresh.json("index", "--json")["scopes"][0]["outcome"] == "unchanged"

    fresh.json("add", str(billing), "--drop", "/drafts/", "--drop", pattern, "--json")
    counts = fresh.json("index", "--json")["scopes"][0]["counts"]
    assert (counts["notes"], counts["ignored"], counts["skipped_examples"]["ignored"]) == ({}, 1, ["drafts"])
    failed = fresh.run("add", str(billing), "--drop", "*.txt")
    assert failed.exit_code == 2 and "it has vendor/ours/, old.py" in failed.stderr


def test_a_glob_that_names_no_file_is_said(fresh):
    fresh.run("add", str(fresh.work / "billing"), "--glob", str(fresh.work.parent / "none" / "*.md"))
    result = fresh.run("index")
    assert "no file is named by" in result.stderr and "none/*.md" in result.stderr


def test_scopes_lists_what_is_indexed(built, git):
    listed = {scope["id"]: scope for scope in built.json("scopes", "--json")["scopes"]}
    head = git(built.work / "billing", "rev-parse", "HEAD")
    assert listed["billing"]["indexed_commit"] == listed["billing"]["head"] == head
    assert listed["billing"]["state"] == "indexed"
    assert listed["billing"]["names"] == ["@acme/pay"]
    assert sum(listed["billing"]["counts"]["passages"].values()) > 3
    git(built.work / "billing", "commit", "-q", "--allow-empty", "-m", "more")
    shutil.rmtree(built.work / "search")
    lines = {line.split()[0]: line for line in built.run("scopes").stdout.splitlines()}
    assert "changed" in lines["billing"] and "gone" in lines["search"] and " indexed" in lines["cookiejar"]


def test_add_and_forget(fresh, tmp_path, make_repository):
    result = fresh.run("add", str(fresh.work / "billing"), "--alias", "money")
    assert result.exit_code == 0 and result.stdout.startswith("billing ")
    assert fresh.json("add", str(fresh.work / "billing"), "--alias", "cash", "--json")["scope"]["aliases"] == [
        "money",
        "cash",
    ]
    result = fresh.run("add", str(fresh.work / "billing" / "src"))
    assert result.exit_code == 2 and "it lies inside the repository" in result.stderr
    result = fresh.run("forget", "CASH")
    assert result.exit_code == 0 and result.stdout.startswith("forgot billing")
    assert fresh.run("scopes").exit_code == 1


def test_forget_during_a_build_says_what_stays(built):
    """It said that the project was forgotten, and its files stayed without a word."""
    from loci.core import Home

    with Home.locate(built.home).build_lock():
        result = built.run("forget", "billing")
    assert result.exit_code == 0 and result.stdout.startswith("forgot billing")
    assert "a build is running" in result.stderr and "billing stays on the disk" in result.stderr
    assert "stays" not in built.run("forget", "search").stderr
    assert "1 removed" in built.run("index").stdout


def test_route(shared_world):
    route = shared_world.json("route", "how is a refund booked against its invoice?", "--no-cwd", "--json")
    assert set(route) == ROUTE_KEYS
    assert [scope["id"] for scope in route["scopes"]] == ["billing"]
    result = shared_world.run("route", "how is a refund booked against its invoice?", "--no-cwd")
    assert result.exit_code == 0 and result.stdout.startswith("billing  ")
    explained = shared_world.run("route", "how is a refund booked against its invoice?", "--no-cwd", "--explain")
    assert len(explained.stdout) > len(result.stdout)


@pytest.mark.parametrize("command", ["ask", "route"])
def test_explain_with_json_adds_the_text_to_the_object(shared_world, command):
    plain = shared_world.json(command, "refund invoice", "--no-cwd", "--json")
    explained = shared_world.json(command, "refund invoice", "--no-cwd", "--json", "--explain")
    assert "billing" in explained.pop("explain")
    assert explained == plain


def test_an_abstention_is_an_answer(shared_world):
    result = shared_world.run("ask", "why does this fail?", "--no-cwd")
    assert result.exit_code == 0
    assert result.stdout.startswith("abstained (deictic): ")
    answer = shared_world.json("ask", "why does this fail?", "--no-cwd", "--json")
    assert answer["abstained"] is True and answer["reason"] == "deictic" and answer["scopes"] == []
    assert answer["route"]["abstained"] is True
    nowhere = shared_world.run("ask", "xylograph zymurgy quincunx", "--no-cwd").stdout
    assert (
        nowhere.startswith("abstained (no_evidence): ") and nowhere.count("no indexed project contains any word") == 1
    )


def test_a_mistyped_symbol_names_those_like_it(shared_world):
    result = shared_world.run("ask", "--symbol", "book_refnd", "--scope", "billing")
    assert result.exit_code == 2
    assert "this project has no symbol called book_refnd: did you mean book_refund?" in result.stdout
    anywhere = shared_world.run("ask", "--symbol", "book_refnd", "--no-cwd")
    assert anywhere.exit_code == 2 and "did you mean book_refund (billing)?" in anywhere.stdout
    assert shared_world.run("ask", "--symbol", "book_refund", "--no-cwd").exit_code == 0


def test_the_budget_decides_how_many_symbols_are_shown(shared_world, monkeypatch):
    from loci.core import Memory

    asked: list[int] = []
    symbol = Memory.symbol

    def watched(self, *args, **options):
        asked.append(options["budget"])
        return symbol(self, *args, **options)

    monkeypatch.setattr(Memory, "symbol", watched)
    for budget in ([], ["--budget", "20000"], ["--budget", "0"]):
        assert shared_world.run("ask", "--symbol", "book_refund", "--no-cwd", *budget).exit_code == 0
    assert asked == [40, 400, 1]


def test_ask_cites(shared_world, git):
    answer = shared_world.json("ask", "how is a refund booked against its invoice?", "--no-cwd", "--json")
    assert set(answer) >= ROUTE_KEYS
    (block,) = answer["scopes"]
    assert set(block) >= SCOPE_KEYS
    head = git(shared_world.work / "billing", "rev-parse", "HEAD")
    assert block["id"] == "billing" and block["indexed_commit"] == block["head"] == head
    assert block["caught_up"] is True and block["nothing"] is None
    assert {symbol["name"] for symbol in block["symbols"]} == {"book_refund"}
    assert block["notes"] == []
    assert {passage["kind"] for passage in block["passages"]} == {"document", "source", "commit"}
    for passage in block["passages"]:
        assert set(passage) >= PASSAGE_KEYS
        if passage["kind"] != "commit":
            lines = (shared_world.work / "billing" / passage["path"]).read_text().splitlines()
            first, last = passage["lines"]
            assert 1 <= first <= last <= len(lines)
            assert passage["text"].splitlines()[0] in lines[first - 1]
    text = shared_world.run("ask", "how is a refund booked against its invoice?", "--no-cwd").stdout
    assert text.startswith(f"billing  {shared_world.work / 'billing'}  indexed at {head[:10]}  up to date\n")
    assert re.search(r"^  src/refund\.py:1-3 ", text, re.MULTILINE)
    assert re.search(rf"^  commit {head[:10]}  2024-05-01  Book refunds", text, re.MULTILINE)


def test_ask_one_scope(shared_world):
    for name in ("billing", "@acme/pay", str(shared_world.work / "billing" / "src")):
        answer = shared_world.json("ask", "documents ranked by relevance", "--scope", name, "--json")
        assert [block["id"] for block in answer["scopes"]] == ["billing"]
        assert answer["abstained"] is False and answer["route"]["confidence"] == 1.0


def test_an_unknown_scope_is_an_error_never_a_fallback(shared_world):
    result = shared_world.run("ask", "how is a refund booked?", "--scope", "biling", "--json")
    assert result.exit_code == 2
    error = json.loads(result.stdout)["error"]
    assert error["kind"] == "unknown_scope" and error["near"] == ["billing"] and error["nothing"] == "no_such_scope"


@pytest.mark.parametrize("command", ["ask", "route", "scopes"])
def test_an_unknown_group(shared_world, command):
    question = [] if command == "scopes" else ["how is a refund booked?"]
    result = shared_world.run(command, *question, "--group", "nope")
    assert result.exit_code == 2 and "no group is called 'nope'" in result.stderr


def test_the_working_directory_decides_what_this_is(shared_world):
    inside = str(shared_world.work / "cookiejar")
    answer = shared_world.json("ask", "why does this drop a cookie?", "--cwd", inside, "--json")
    assert [block["id"] for block in answer["scopes"]] == ["cookiejar"]


def test_the_directory_of_the_process_counts_unless_told_otherwise(shared_world, monkeypatch):
    monkeypatch.chdir(shared_world.work / "search")
    assert [s["id"] for s in shared_world.json("route", "what does this do?", "--json")["scopes"]] == ["search"]
    assert shared_world.json("route", "what does this do?", "--no-cwd", "--json")["abstained"]


def test_nothing_found_says_which_nothing(built):
    answer = built.json("ask", "zyzzyva quokka", "--scope", "billing", "--json")
    (block,) = answer["scopes"]
    assert block["passages"] == [] and block["nothing"] == "absent" and said(block) == "no evidence in this project"
    (built.work / "billing" / "README.md").write_text("# changed\n")
    arguments = ["ask", "zyzzyva quokka", "--scope", "billing", "--json"]
    (block,) = built.json(*arguments, "--no-refresh")["scopes"]
    assert block["nothing"] == "cannot_tell" and block["caught_up"] is False
    (block,) = built.json("ask", "?!", "--scope", "search", "--json")["scopes"]
    assert block["nothing"] == "cannot_tell"


def test_a_scope_that_is_not_indexed(built, tmp_path, make_repository):
    built.run("add", str(make_repository(tmp_path / "late", {"README.md": "# Late\n"})))
    result = built.run("ask", "anything", "--scope", "late", "--json")
    assert result.exit_code == 1
    (block,) = json.loads(result.stdout)["scopes"]
    assert block["nothing"] == "not_indexed" and said(block) == "late is registered but not indexed: loci index late"
    result = built.run("ask", "how is a refund booked against its invoice?", "--no-cwd")
    assert result.exit_code == 0 and "not indexed, so not searched: late" in result.stderr


def test_freshness(built, git):
    def block():
        answer = built.json("ask", "refund invoice", "--scope", "billing", "--json", "--no-refresh")
        return answer["scopes"][0]

    root = built.work / "billing"
    assert block()["caught_up"] is True
    (root / "new.md").write_text("# untracked\n")
    assert block()["caught_up"] is False and "files have changed" in said(block())
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "more")
    now = block()
    assert now["caught_up"] is False and "HEAD has moved" in said(now)
    assert now["head"] == git(root, "rev-parse", "HEAD") != now["indexed_commit"]
    assert built.run("index").exit_code == 0
    assert block()["caught_up"] is True


def test_the_budget_cuts_texts_and_keeps_citations(shared_world):
    def ask(budget):
        answer = shared_world.json("ask", "refund invoice", "--scope", "billing", "--budget", str(budget), "--json")
        return answer["scopes"][0]["passages"]

    whole, little, none = ask(2000), ask(60), ask(0)
    place = [(passage["path"], passage["commit"]) for passage in whole]
    assert len(place) > 3
    for cut in (little, none):
        assert [(passage["path"], passage["commit"]) for passage in cut] == place
    assert sum(len(passage["text"]) for passage in little) <= 240 < sum(len(passage["text"]) for passage in whole)
    assert all(passage["text"] == "" for passage in none)
    for passage, full in zip(little, whole, strict=True):
        assert passage["text"] in full["text"]
        assert full["lines"][0] <= passage["lines"][0] <= passage["lines"][1] <= full["lines"][1]


def test_k_limits_files_and_commits(shared_world):
    answer = shared_world.json("ask", "refund invoice", "--scope", "billing", "-k", "1", "--json")
    kinds = [passage["kind"] == "commit" for passage in answer["scopes"][0]["passages"]]
    assert sorted(kinds) == [False, True]


def test_a_hand_broken_registry(built):
    text = (built.home / "scopes.json").read_text()
    (built.home / "scopes.json").write_text(text.replace('"id": "billing"', '"id" "billing"'))
    line = text[: text.index('"id": "billing"')].count("\n") + 1
    for arguments in (["scopes"], ["index"], ["add", str(built.work / "billing")], ["forget", "billing"]):
        result = built.run(*arguments)
        assert result.exit_code == 4, result.output
        assert f"scopes.json:{line}:" in result.stderr
    result = built.run("ask", "how is a refund booked against its invoice?", "--no-cwd")
    assert result.exit_code == 0 and result.stdout.startswith("billing  ")
    assert f"scopes.json:{line}:" in result.stderr


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("groups.json", '{"default" "soft"}', r"groups\.json:1:12 .*the defaults are used"),
        ("groups.json", '{"default": "sideways"}', r"groups\.json:1:2 .*sideways.*the defaults are used"),
        ("calibration.json", "{", r"calibration\.json:1:2"),
    ],
)
def test_a_broken_policy_file_is_reported_and_the_rest_goes_on(built, file, text, message):
    (built.home / file).write_text(text)
    result = built.run("ask", "how is a refund booked against its invoice?", "--no-cwd")
    assert result.exit_code == 0 and result.stdout.startswith("billing  ")
    assert re.search(message, result.stderr), result.stderr


@pytest.mark.parametrize("damage", ["missing", "truncated", "garbage"])
@pytest.mark.parametrize("arguments", [["ask", "refund", "--scope", "billing"], ["route", "refund"]])
def test_a_damaged_segment_is_named_and_index_repairs_it(built, damage, arguments):
    manifest = json.loads((built.home / "manifest.json").read_text())
    path = built.home / "segments" / manifest["scopes"]["billing"]["segment"]
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:100] if damage == "truncated" else b"\xff" * path.stat().st_size)
    result = built.run(*arguments)
    assert result.exit_code == 4, result.output
    assert path.name in result.stderr and "hint: loci index --force billing" in result.stderr
    assert built.run("index").exit_code == 0
    assert built.run(*arguments).exit_code == 0


def test_a_damaged_manifest(built):
    (built.home / "manifest.json").write_text('{"format": 1,')
    result = built.run("ask", "refund")
    assert result.exit_code == 4 and "manifest.json:1:" in result.stderr
    assert result.stderr.endswith("hint: loci index\n")
    assert built.run("index").exit_code == 0
    assert built.run("ask", "refund").exit_code == 0


def test_a_repository_without_commits_and_an_empty_one(fresh, git):
    for name in ("young", "empty"):
        (fresh.work / name).mkdir()
        git(fresh.work / name, "init", "-q")
    (fresh.work / "young" / "README.md").write_text("# Young\n\nThe flux capacitor needs plutonium.\n")
    fresh.run("scan", str(fresh.work), "-y")
    result = fresh.run("index")
    assert result.exit_code == 0, result.output
    assert "young: it has no commits yet; its files are indexed" in result.stderr
    assert "empty: it is empty" in result.stderr
    answer = fresh.json("ask", "flux capacitor", "--scope", "young", "--json")["scopes"][0]
    assert answer["indexed_commit"] is None and answer["head"] is None and answer["caught_up"] is True
    assert answer["passages"][0]["path"] == "README.md"
    empty = fresh.json("ask", "flux capacitor", "--scope", "empty", "--json")["scopes"][0]
    assert empty["nothing"] == "absent"


@pytest.mark.skipif(os.name == "nt", reason="file modes")
def test_an_unreadable_file_is_named_and_the_rest_indexed(fresh):
    blocked = fresh.work / "billing" / "blocked.md"
    blocked.write_text("# secret plans\n")
    blocked.chmod(0)
    if os.access(blocked, os.R_OK):
        # The superuser reads everything; a link to nowhere is unreadable for him too.
        pytest.skip("this user can read every file")
    fresh.run("scan", str(fresh.work), "-y")
    result = fresh.run("index")
    assert result.exit_code == 0
    assert re.search(r"billing: 1 file could not be read and is left out: blocked\.md \(.+\)", result.stderr)
    assert fresh.run("ask", "refund", "--scope", "billing").exit_code == 0


def test_a_path_that_was_a_repository(built):
    shutil.rmtree(built.work / "billing" / ".git")
    result = built.run("index")
    assert result.exit_code == 1 and "billing: " in result.stderr and "still answers" in result.stderr
    assert "0 built, 2 unchanged, 1 failed" in result.stdout
    (block,) = built.json("ask", "refund", "--scope", "billing", "--json")["scopes"]
    assert block["passages"] and block["caught_up"] is False and "no longer a git repository" in said(block)


def test_a_script_is_told_by_index_what_was_not_done(built):
    (built.work / "billing").rename(built.work / "elsewhere")
    assert built.run("index").exit_code == 0  # no failure of a run over all of them; its index goes on answering
    assert built.run("index", "billing").exit_code == 1  # asked for by name, it was not done
    assert built.run("index", "search").exit_code == 0
    shutil.rmtree(built.work / "search" / ".git" / "objects")
    for arguments in (["index"], ["index", "search"], ["index", "search", "cookiejar"], ["update"]):
        assert built.run(*arguments).exit_code == 1, arguments
    assert built.run("index", "cookiejar").exit_code == 0


def test_when_every_project_fails_nothing_was_done(fresh):
    fresh.run("scan", str(fresh.work), "-y")
    for name in ("billing", "search", "cookiejar"):
        shutil.rmtree(fresh.work / name / ".git" / "objects")
    result = fresh.run("index")
    assert result.exit_code == 1 and "3 failed" in result.stdout and result.stderr.count("warning: ") == 3
    assert fresh.run("graphs").exit_code == 1
    for name in ("billing", "search", "cookiejar"):
        (fresh.work / name).rename(fresh.work / f"{name}-before")
    # None of them failed; yet there is nothing to answer from.
    result = fresh.run("index")
    assert result.exit_code == 1 and "3 gone" in result.stdout


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), click.Abort()])
def test_an_interrupt_outside_of_an_index_ends_with_130(fresh, monkeypatch, capsys, stop):
    from loci.cli import main
    from loci.core import Memory

    def interrupted(*_given: object, **_named: object) -> None:
        raise stop

    monkeypatch.setattr(Memory, "scopes", interrupted)
    assert main(["--home", str(fresh.home), "scopes"]) == 130
    out, err = capsys.readouterr()
    assert (out, err.lstrip("\n")) == ("", "stopped\n")  # after what the terminal shows of Ctrl-C a line is begun


@pytest.mark.skipif(not SHA256, reason="this git makes no repositories with SHA-256")
def test_a_repository_with_sha256_is_said_and_costs_nobody_anything(built):
    newer = built.work / "newer"
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(newer)], check=True)
    (newer / "README.md").write_text("# Newer\n")
    assert built.run("scan", str(built.work), "-y").exit_code == 0
    result = built.run("index")
    sentence = "is a git repository of object format sha256, which loci cannot read yet"
    assert result.exit_code == 1 and sentence in result.stderr
    assert "3 unchanged, 1 failed" in result.stdout
    found = [f for f in json.loads(built.run("doctor", "--json").stdout)["findings"] if f["scope"] == "newer"]
    assert [(f["kind"], f["fix"]) for f in found] == [("unreadable_repository", "loci forget newer")]
    assert sentence in found[0]["problem"]
    result = built.run("ask", "anything", "--scope", "newer")
    assert result.exit_code == 1 and "not indexed" in result.stdout + result.stderr


def test_a_locked_build(built):
    from loci.core import Home

    with Home.locate(built.home).build_lock():
        result = built.run("index")
        assert result.exit_code == 3
        assert f"process {os.getpid()} is building the index" in result.stderr
        assert built.run("ask", "refund", "--scope", "billing").exit_code == 0


def test_home_after_the_command_and_from_the_environment(built, monkeypatch):
    from click.testing import CliRunner

    from loci.cli._main import cli

    assert CliRunner().invoke(cli, ["scopes", "--home", str(built.home)]).exit_code == 0
    assert CliRunner().invoke(cli, ["scopes"]).exit_code == 1
    monkeypatch.setenv("LOCI_HOME", str(built.home))
    assert CliRunner().invoke(cli, ["scopes"]).exit_code == 0


def test_what_a_repository_holds_cannot_drive_the_terminal(fresh):
    evil = "# Manual\n\nThe gizmo \x1b]0;owned\x07 \x1b[31mred \x9b2J \u202egnp.exe turns\r\nback\n"
    (fresh.work / "billing" / "evil.md").write_text(evil, encoding="utf-8", newline="")
    fresh.run("scan", str(fresh.work), "-y")
    fresh.run("index")
    text = fresh.run("ask", "gizmo", "--scope", "billing").stdout
    assert "gizmo" in text and "\\x1b]0;owned\\x07" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    (passage, *_) = fresh.json("ask", "gizmo", "--scope", "billing", "--json")["scopes"][0]["passages"]
    assert "\x1b]0;owned" in passage["text"], "a program gets the text as it is"


def test_the_same_question_twice_is_the_same_answer(shared_world):
    arguments = ["ask", "how is a refund booked against its invoice?", "--no-cwd", "--json"]
    assert shared_world.run(*arguments).stdout == shared_world.run(*arguments).stdout


def test_names_that_are_no_text_can_be_printed(built):
    if os.name == "nt":
        pytest.skip("file names there are always Unicode")
    (built.work / os.fsdecode(b"caf\xe9")).mkdir()
    import subprocess

    subprocess.run(["git", "init", "-q"], cwd=built.work / os.fsdecode(b"caf\xe9"), check=True)
    result = built.run("scan", str(built.work), "-y")
    assert result.exit_code == 0 and "\\udce9" in result.stdout
    assert len(built.json("scopes", "--json")["scopes"]) == 4


def test_a_command_of_another_package(fresh, monkeypatch):
    import click

    from loci.cli import _main

    class Entry:
        name = "hello"

        def load(self):
            @click.command()
            def hello():
                """Says hello."""
                click.echo("hello")

            return hello

    monkeypatch.setattr(_main, "_entry_points", lambda: (Entry(),))
    assert fresh.run("hello").stdout == "hello\n"
    assert "Says hello." in fresh.run("--help").stdout


def test_a_command_whose_package_is_not_installed(fresh, monkeypatch):
    from loci.cli import _main

    monkeypatch.setattr(_main, "_entry_points", lambda: ())
    result = fresh.run("eval", "bench")
    assert result.exit_code == 2 and "hint: pip install loci-eval" in result.stderr


@pytest.fixture
def same_names(tmp_path, fresh, make_repository):
    """Returns the world with two projects in directories of one name, registered as `api` and `b/api`, and indexed."""
    for parent, subject in (("a", "tariff"), ("b", "sextant")):
        make_repository(tmp_path / "twins" / parent / "api", {"README.md": f"# Api\n\nThe {subject} is kept here.\n"})
    fresh.run("scan", str(tmp_path / "twins"), "-y")
    assert fresh.run("index").exit_code == 0
    assert [scope["id"] for scope in fresh.json("scopes", "--json")["scopes"]] == ["api", "b/api"]
    return fresh


@pytest.mark.parametrize(("wanted", "expected"), [("a/api", "api"), ("b/api", "b/api"), ("twins/a/api", "api")])
def test_the_end_of_a_path_names_a_project(same_names, wanted, expected):
    answer = same_names.json("ask", "what is kept?", "--scope", wanted, "--json")
    assert [block["id"] for block in answer["scopes"]] == [expected]
    assert same_names.json("forget", wanted, "--json")["forgotten"]["id"] == expected


@pytest.mark.parametrize("arguments", [["ask", "what is kept?", "--scope"], ["forget"]])
def test_a_directory_name_that_two_projects_have_is_ambiguous(same_names, arguments):
    for name in ("api", "API"):
        result = same_names.run(*arguments, name)
        assert result.exit_code == 2 and f"'{name}' can mean a/api or b/api" in result.stderr
    result = same_names.run(*arguments, "api", "--json")
    error = json.loads(result.stdout)["error"]
    assert error["kind"] == "ambiguous_scope" and error["near"] == ["a/api", "b/api"]
    assert len(same_names.json("scopes", "--json")["scopes"]) == 2


def test_index_takes_the_id_it_hands_out(same_names):
    report = same_names.json("index", "--force", "api", "--json")
    assert [scope["id"] for scope in report["scopes"]] == ["api"]


@pytest.mark.parametrize("command", ["ask", "route"])
def test_a_question_needs_no_quotes(shared_world, command):
    words = ["how", "is", "a", "refund", "booked", "against", "its", "invoice?"]
    assert shared_world.json(command, *words, "--no-cwd", "--json") == shared_world.json(
        command, " ".join(words), "--no-cwd", "--json"
    )


def test_what_was_forgotten_or_is_damaged_is_said_by_scan(built):
    assert built.run("forget", "billing").exit_code == 0
    (built.work / "search" / ".git" / "HEAD").unlink()
    result = built.run("scan", str(built.work), "-y")
    billing = (built.work / "billing").resolve()
    assert f"{billing}: left out, forgotten earlier (loci add {billing} brings it back)" in result.stderr
    assert "search has a damaged .git without HEAD; it is left out" in result.stderr
    assert "0 registered, 1 already registered" in result.stderr and "billing" not in result.stdout
    assert built.run("add", str(billing)).exit_code == 0
    assert "left out, forgotten" not in built.run("scan", str(built.work), "-y").stderr


def test_an_alias_is_refused_and_taken_away(built):
    billing, search = (str(built.work / name) for name in ("billing", "search"))
    assert built.run("add", billing, "--alias", "money").exit_code == 0
    result = built.run("add", search, "--alias", "Money")
    assert result.exit_code == 2 and "error: 'Money' already names billing" in result.stderr
    assert built.json("add", billing, "--unalias", "money", "--json")["scope"]["aliases"] == []
    assert built.run("add", search, "--alias", "Money").exit_code == 0


def test_scan_previews_and_says_who_writes_what(fresh, git):
    git(fresh.work / "billing", "config", "user.email", "ada@example.org")
    git(fresh.work / "search", "remote", "add", "origin", "https://example.org/acme/search.git")
    git(fresh.work / "search", "checkout", "-q", "--orphan", "theirs")
    git(fresh.work / "search", "commit", "-q", "-m", "Rank", "--author", "Bob <bob@acme.example>")
    result = fresh.run("scan", str(fresh.work), "--dry-run")
    assert re.search(r"^billing +\S+ +me$", result.stdout, re.MULTILINE)
    assert re.search(r"^search +\S+ +vendor:acme$", result.stdout, re.MULTILINE)
    assert re.search(r"to index: 7 files, \d+ kB, about \d+ commits?; about 1 s and \d+ kB on disk", result.stderr)
    assert not fresh.home.exists()
    result = fresh.run("scan", str(fresh.work), "--no-others")
    assert "1 clone was left out because others write it" in result.stderr and "2 registered" in result.stderr


def test_scan_split_and_a_declaration_that_is_wrong(fresh):
    (fresh.work / "billing" / "client").mkdir()
    (fresh.work / "billing" / "client" / "package.json").write_text('{"name": "@acme/client"}')
    (fresh.work / "search" / ".loci.json").write_text('{"scopes": [{"path": "../billing"}]}')
    result = fresh.run("scan", str(fresh.work), "--split")
    assert re.search(r"^billing/client +\S+ +package$", result.stdout, re.MULTILINE)
    assert "'../billing' leads out of the repository; it is ignored" in result.stderr
    assert "4 registered" in result.stderr


def test_scopes_tells_moved_gone_and_unreachable_apart(built):
    (built.work / "billing").rename(built.work / "invoices")
    shutil.rmtree(built.work / "search")
    result = built.run("scopes")
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert " moved " in lines["billing"] and "-> " in lines["billing"] and "invoices" in lines["billing"]
    assert " gone " in lines["search"]
    assert "hint: `loci scan` the directory" in result.stderr and "hint: `loci forget`" in result.stderr
    result = built.run("scan", str(built.work))
    assert re.search(r"billing moved from \S+billing to \S+invoices; it keeps", result.stderr)
    built.work.rename(built.work.parent / "away")
    assert {scope["state"] for scope in built.json("scopes", "--json")["scopes"]} == {"unreachable"}
    assert built.run("ask", "refund invoice", "--scope", "billing").exit_code == 0


def test_groups_are_listed_and_changed(built):
    result = built.run("groups")
    assert result.exit_code == 0 and "no project belongs to a group" in result.stderr
    assert built.run("group", "add", "billing", "work").stdout == "billing: work\n"
    assert "already" in built.run("group", "add", "billing", "work").stderr
    assert built.run("group", "set", "work", "--mode", "hard").exit_code == 0
    assert built.run("group", "set", "--default", "--mode", "explicit").exit_code == 0
    assert built.json("groups", "--json") == {
        "default": "explicit",
        "groups": [{"name": "work", "mode": "hard", "set": True, "members": ["billing"], "inferred": []}],
    }
    assert re.search(r"^work +hard +billing$", built.run("groups").stdout, re.MULTILINE)
    assert built.json("groups", "infer", "--json")["groups"]["billing"] == ["work"]
    assert [s["id"] for s in built.json("scopes", "--group", "work", "--json")["scopes"]] == ["billing"]
    assert built.run("group", "rm", "billing", "work").stdout == "billing: -\n"
    assert built.run("scan", str(built.work)).exit_code == 0
    assert built.json("groups", "--json")["groups"][0]["members"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["group", "set", "work", "--mode", "sideways"], "sideways"),
        (["group", "set", "--mode", "hard"], "either a group or --default"),
        (["group", "rm", "billing", "work"], "billing is not in the group 'work'"),
        (["group", "add", "biling", "work"], "did you mean billing"),
        (["group"], ""),
        (["group", "drop"], "drop"),
        (["hook", "install", "/nowhere/at/all"], "does not exist"),
    ],
)
def test_wrong_use_of_groups_and_hooks(built, arguments, message):
    result = built.run(*arguments)
    assert result.exit_code == 2 and message in result.output + result.stderr


def test_a_hand_broken_groups_file_stops_only_what_writes_it(built):
    (built.home / "groups.json").write_text('{\n "modes" {}}')
    result = built.run("group", "set", "work", "--mode", "hard")
    assert result.exit_code == 4 and "groups.json:2:10" in result.stderr
    assert built.run("group", "add", "billing", "work").exit_code == 0
    result = built.run("groups")
    assert result.exit_code == 0 and "groups.json:2:10" in result.stderr and "billing" in result.stdout
    assert (built.home / "groups.json").read_text() == '{\n "modes" {}}'


def test_ask_catches_up_first(built):
    (built.work / "billing" / "new.md").write_text("# Zebra\n\nThe zebra pays in stripes.\n")
    arguments = ["ask", "how does the zebra pay?", "--scope", "billing", "--json"]
    (block,) = built.json(*arguments, "--no-refresh")["scopes"]
    assert not block["caught_up"] and "stripes" not in json.dumps(block["passages"])
    (block,) = built.json(*arguments)["scopes"]
    assert block["caught_up"] and "stripes" in block["passages"][0]["text"]


def test_hooks_are_shown_installed_and_taken_away(built):
    hooks = built.work / "billing" / ".git" / "hooks"
    before = sorted(path.name for path in hooks.iterdir())
    result = built.run("hook", "install", str(built.work / "billing"), "--dry-run")
    assert result.exit_code == 0 and result.stdout.count("write ") == 4 and "#!/bin/sh" in result.stderr
    assert sorted(path.name for path in hooks.iterdir()) == before
    assert built.run("hook", "install", str(built.work / "billing"), "-y").exit_code == 0
    assert (hooks / "post-commit").exists()
    assert "nothing to do" in built.run("hook", "install", str(built.work / "billing")).stderr
    assert built.run("hook", "uninstall", str(built.work / "billing"), "-y").stdout.count("remove ") == 4
    assert sorted(path.name for path in hooks.iterdir()) == before


@pytest.mark.skipif(os.name == "nt", reason="a pipe that a whole tree of processes inherits")
def test_a_hook_really_builds(built):
    assert built.run("hook", "install", str(built.work / "billing"), "-y").exit_code == 0
    # Whatever the hook starts in the background holds this pipe open until it has ended.
    reading, writing = os.pipe()
    person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    command = ["git", *person, "commit", "-q", "--allow-empty", "-m", "Zebra crossing"]
    subprocess.run(command, cwd=built.work / "billing", check=True, pass_fds=[writing])
    os.close(writing)
    with os.fdopen(reading, "rb") as ended:
        assert ended.read() == b""
    (block,) = built.json("ask", "zebra crossing", "--scope", "billing", "--json", "--no-refresh")["scopes"]
    assert block["caught_up"]
