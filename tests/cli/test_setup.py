"""`loci setup`, `update`, `doctor`, `uses`, `map` and `scopes --tree` as a person types them, without a terminal."""

from __future__ import annotations

import json
from pathlib import Path

from tiny_model import write_model


def test_one_line_and_the_projects_answer(fresh):
    done = fresh.run("setup", str(fresh.work))
    assert done.exit_code == 0, done.output
    assert "scan: 3 new, 0 known" in done.stdout and "index: 3 built, 0 unchanged" in done.stdout
    answer = fresh.json("ask", "--no-cwd", "--json", "when are invoices sent?")
    assert [block["id"] for block in answer["scopes"]] == ["billing"]
    again = fresh.run("setup", str(fresh.work), "-y", "--no-graphs", "--no-embed", "--no-calibrate", "--split")
    assert again.exit_code == 0 and "index: 0 built, 3 unchanged" in again.stdout


def test_setup_embeds_where_a_model_is_and_leaves_long_work_to_the_command(fresh, tmp_path, monkeypatch):
    model = write_model(tmp_path / "model")
    monkeypatch.setattr("loci.episodes.packaged_model", lambda: model)
    monkeypatch.setattr("loci.core.operations.steps.UNASKED_PASSAGES", 0)
    long = fresh.run("setup", str(fresh.work), "-y")
    assert "embed: skipped, because it takes long; run loci embed" in long.stderr
    monkeypatch.undo()
    monkeypatch.setattr("loci.episodes.packaged_model", lambda: model)
    assert "embed" not in fresh.run("setup", str(fresh.work), "-y", "--no-embed").stdout
    done = fresh.run("setup", str(fresh.work), "-y")
    assert done.exit_code == 0 and "10 passages and 3 symbols embedded, 0 kept" in done.stdout
    assert "embed: 3 projects unchanged" in fresh.run("update").stdout
    model.rename(tmp_path / "gone")
    found = json.loads(fresh.run("doctor", "--json").stdout)["findings"]
    assert "model_missing" in [finding["kind"] for finding in found]
    answer = fresh.json("ask", "--no-cwd", "--json", "when are invoices sent?")
    assert answer["scopes"][0]["passages"] and "answered without vectors" in answer["scopes"][0]["notes"][0]["text"]


def test_without_a_directory_it_looks_where_one_stands(fresh, monkeypatch):
    monkeypatch.chdir(fresh.work / "billing")
    done = fresh.run("setup", "-y")
    assert done.exit_code == 0
    assert f"looking in {fresh.work}" in done.stderr and "scan: 3 new" in done.stdout


def test_where_no_project_is(fresh, tmp_path):
    (tmp_path / "empty").mkdir()
    done = fresh.run("setup", str(tmp_path / "empty"), "-y")
    assert done.exit_code == 1
    assert "no git repository was found" in done.stderr and "hint: loci setup" in done.stderr
    assert fresh.run("setup", str(tmp_path / "nowhere"), "-y").exit_code == 2


def test_as_json(fresh):
    report = fresh.json("setup", str(fresh.work), "--json")
    assert [step["name"] for step in report["steps"][:2]] == ["scan", "index"]
    assert all(step["failures"] == [] for step in report["steps"])
    assert [finding for finding in report["findings"] if finding["severity"] == "error"] == []


def test_an_update_goes_on_after_a_failure_and_says_so_last(built, git):
    (built.work / "billing/.git/index").write_bytes(b"no index")
    git(built.work / "search", "commit", "-q", "--allow-empty", "-m", "more")
    done = built.run("update")
    assert done.exit_code == 1
    assert "index: 1 built, 1 unchanged" in done.stdout
    assert "billing" in done.stderr.splitlines()[-2] and done.stderr.splitlines()[-1].startswith("1 failure;")
    assert built.run("ask", "--no-cwd", "when are invoices sent?").exit_code == 0


def test_nothing_to_update(fresh):
    done = fresh.run("update")
    assert done.exit_code == 1 and "no project is registered" in done.stderr


def test_the_doctor_says_what_to_type_and_the_exit_code_that_something_is_to_be_done(built, git, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("loci.core.operations.doctor._programs", lambda home: iter(()))
    healthy = built.run("doctor")
    assert (healthy.exit_code, healthy.stdout) == (0, "nothing needs doing\n"), healthy.output
    git(built.work / "search", "commit", "-q", "--allow-empty", "-m", "more")
    behind = built.run("doctor")
    assert behind.exit_code == 1
    assert "search: its index is at" in behind.stdout and "    loci index search\n" in behind.stdout
    report = json.loads(built.run("doctor", "--json").stdout)
    assert report["healthy"] is False
    assert [f["fix"] for f in report["findings"] if f["severity"] != "note"] == ["loci index search"]


def test_uses_of_one_project(built):
    (built.work / "search/requirements.txt").write_text("x\n")
    (built.work / "search/package.json").write_text('{"dependencies": {\n "@acme/pay": "1"}}')
    shown = built.run("uses")
    assert shown.exit_code == 0 and "search" in shown.stdout and "package.json:2  dependency @acme/pay" in shown.stdout
    assert built.json("uses", "cookiejar", "--json")["uses"] == []
    (use,) = built.json("uses", "billing", "--json")["uses"]
    assert (use["user"], use["used"], use["places"]) == ("search", "billing", [{"path": "package.json", "line": 2}])
    assert built.run("uses", "nobody").exit_code == 2


def test_an_answer_cites_the_uses(built):
    (built.work / "search/package.json").write_text('{"dependencies": {\n "@acme/pay": "1"}}')
    built.run("index")
    done = built.run("ask", "--no-cwd", "which of my projects use billing?")
    assert "  uses billing: package.json:2  dependency @acme/pay" in done.stdout, done.output


def test_a_map_is_one_file(built, tmp_path):
    target = tmp_path / "map.html"
    done = built.run("map", str(target))
    assert done.exit_code == 0 and done.stdout.startswith(str(target))
    page = target.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and '"id":"cookiejar"' in page
    assert built.run("map", "-").stdout.startswith("<!doctype html>")
    assert built.run("map", str(tmp_path / "no" / "such.html")).exit_code == 2


def test_the_tree_shows_projects_inside_others_below_them(built, make_repository):
    make_repository(built.work / "billing/tools/ledger", {"a.md": "# Ledger\n"})
    built.run("scan", str(built.work), "-y")
    built.run("group", "add", "search", "client:acme")
    lines = built.run("scopes", "--tree").stdout.splitlines()
    assert lines[0].endswith(Path(built.work).name)
    assert lines[1].startswith("├─ billing")
    assert lines[2].startswith("   └─ ledger  (tools/ledger)  not indexed")
    assert lines[3].startswith("├─ cookiejar") and lines[4].startswith("└─ search") and "client:acme" in lines[4]
    only = built.run("scopes", "--tree", "--group", "client:acme").stdout.splitlines()
    assert len(only) == 2 and "search" in only[1]


def test_a_directory_that_is_not_there_is_wrong_usage_everywhere(built, tmp_path):
    for command in (("setup", "-y"), ("scan", "-y"), ("add",)):
        done = built.run(*command, str(tmp_path / "absent"))
        assert done.exit_code == 2 and "does not exist" in done.stderr, command
    (tmp_path / "file").write_text("")
    assert "is a file" in built.run("setup", "-y", str(tmp_path / "file")).stderr
