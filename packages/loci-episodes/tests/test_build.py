"""Building segments from real repositories."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repositories import commit, git, make, write

from loci.episodes import (
    Episodes,
    NotARepository,
    SegmentDamaged,
    SegmentMissing,
    SegmentOutdated,
    build,
    default_policy,
    fingerprint,
    root_commit,
    rules_signature,
    state,
    survey,
)

HANDBOOK = "# Handbook\n\nHow we work.\n\n## Cookies\n\nA session cookie is signed with the newest key.\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    directory = tmp_path / "segments"
    directory.mkdir()
    return directory


def test_documents_source_and_commits_are_found_with_their_citations(tmp_path: Path, store: Path) -> None:
    root = make(
        tmp_path / "shop", {"docs/handbook.md": HANDBOOK, "shop/sign.py": "def sign_cookie(key):\n    return key\n"}
    )
    second = commit(
        root,
        "Rotate signing keys\n\nOld keys stay valid for a day.",
        {"shop/keys.py": "KEYS = []\n"},
        when=1_600_000_100,
    )
    report = build(root, directory=store)
    assert (report.listed, report.read, report.commit) == (3, 3, second)
    assert report.passages["commit"] == 2
    assert report.last_commit_time == 1_600_000_100
    episodes = Episodes.open(store / report.segment)
    document = next(p for p in episodes.search("session cookie newest key") if p.kind == "document")
    assert (document.kind, document.path, document.lines) == ("document", "docs/handbook.md", (5, 7))
    assert document.heading == "Handbook > Cookies"
    assert document.text == "## Cookies\n\nA session cookie is signed with the newest key."
    source = next(p for p in episodes.search("where is sign_cookie") if p.kind == "source")
    assert (source.path, source.symbol, source.role) == ("shop/sign.py", "sign_cookie", "source")
    event = episodes.search("why were the keys rotated?", asks_for="event")[0]
    assert (event.kind, event.commit, event.heading, event.time) == (
        "commit",
        second,
        "Rotate signing keys",
        1_600_000_100,
    )
    assert "Old keys stay valid for a day." in event.text


def test_a_question_that_matches_nothing_gets_nothing(tmp_path: Path, store: Path) -> None:
    root = make(tmp_path / "shop", {"a.md": HANDBOOK})
    episodes = Episodes.open(store / build(root, directory=store).segment)
    assert episodes.search("quantum chromodynamics") == []
    assert episodes.search("") == []
    assert episodes.search("the of and") == []


def test_no_repository_is_an_error_of_its_own(tmp_path: Path, store: Path) -> None:
    with pytest.raises(NotARepository, match="plain"):
        build(tmp_path / "plain", directory=store)
    with pytest.raises(NotARepository):
        fingerprint(tmp_path)


def test_a_repository_without_commits_or_without_anything_is_read_all_the_same(tmp_path: Path, store: Path) -> None:
    unborn = build(make(tmp_path / "unborn", {"a.md": HANDBOOK}, message=None), directory=store)
    assert unborn.commit is None
    assert unborn.passages == {"document": 2, "source": 0, "commit": 0}
    empty = build(make(tmp_path / "empty", message=None), directory=store)
    assert sum(empty.passages.values()) == 0
    assert Episodes.open(store / empty.segment).search("cookie") == []


def test_secrets_never_reach_the_segment(tmp_path: Path, store: Path) -> None:
    secret = "ghp_" + "q7ZrT2vXw9LmKp3sYd8FbNc1HgJa5EuQ6RiO"
    root = make(tmp_path / "shop", {"app.py": f"token = '{secret}'\n", "prod.pem": "unread", ".env": f"A={secret}\n"})
    commit(root, f"Use {secret} for now")
    report = build(root, directory=store)
    assert report.skipped["secret-file"] == 2
    assert sum(report.redactions.values()) == 2
    episodes = Episodes.open(store / report.segment)
    shown = " ".join(p.text for p in episodes.search("token app for now"))
    assert secret not in shown
    assert "[REDACTED:" in shown
    again = build(root, directory=store, previous=store / report.segment)
    assert again.redactions == report.redactions, "what is taken over is counted too"


def test_a_secret_in_a_path_is_nowhere_in_the_store(tmp_path: Path, store: Path) -> None:
    """FIELD 96: a credential pasted as a file name would be stored verbatim, as a path and as a term."""
    one, two, three = (f"ghp_{letter}7ZrT2vXw9LmKp3sYd8FbNc1HgJa5EuQ6RiO"[:40] for letter in "qWx")
    root = make(tmp_path / "shop", {"ok.md": HANDBOOK, f"{one}.md": HANDBOOK, f"{two}/a.py": "x = 1\n"})
    commit(root, "Add one", {f"gone/{three}.txt": "x\n"})
    git(root, "rm", "-q", "-r", "gone")
    commit(root, "Drop it")
    report = build(root, directory=store)
    assert (report.read, report.skipped["secret-file"]) == (1, 2)
    assert all("[REDACTED:" in path for path in report.skipped_examples["secret-file"])
    stored = (store / report.segment).read_bytes().lower() + repr(report).lower().encode()
    assert [secret for secret in (one, two, three) if secret[4:].lower().encode() in stored] == []
    assert b"gone/[redacted:" in stored, "what a commit touched is still told"
    again = build(root, directory=store, previous=store / report.segment)
    assert again.segment == report.segment


def steps() -> st.SearchStrategy[list[tuple[str, str, str]]]:
    names = st.sampled_from(["a.md", "b.py", "deep/c.rs", "d.txt"])
    words = st.lists(
        st.sampled_from(["cookie", "signed", "retry", "queue", "worker", "# Head", "\n\n", "def f():\n"]), max_size=8
    )
    return st.lists(
        st.tuples(st.sampled_from(["write", "delete", "commit", "amend"]), names, words.map(" ".join)), max_size=6
    )


@given(before=steps(), after=steps())
@settings(max_examples=15, deadline=None)
def test_an_incremental_build_is_byte_identical_to_a_fresh_one(
    tmp_path_factory: pytest.TempPathFactory, before: list[tuple[str, str, str]], after: list[tuple[str, str, str]]
) -> None:
    """FIELD 40, 41: deleted files and removed functions must not live on."""
    base = tmp_path_factory.mktemp("incremental")
    root, one, two = make(base / "repo", {"start.md": HANDBOOK}), base / "one", base / "two"
    one.mkdir()
    two.mkdir()

    def play(plan: list[tuple[str, str, str]], clock: int) -> None:
        for action, name, words in plan:
            clock += 1
            if action == "write":
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_text(words)
            elif action == "delete":
                (root / name).unlink(missing_ok=True)
            elif action == "commit":
                commit(root, f"Change {name}\n\n{words}", when=1_600_000_000 + clock)
            else:
                git(root, "commit", "--quiet", "--amend", "--allow-empty", "--message", f"Amended {words or name}")

    play(before, 0)
    first = build(root, directory=one, threads=1)
    play(after, 100)
    incremental = build(root, directory=one, previous=one / first.segment)
    fresh = build(root, directory=two, threads=2)
    assert incremental.segment == fresh.segment
    assert (one / incremental.segment).read_bytes() == (two / fresh.segment).read_bytes()
    if not after:
        assert incremental.segment == first.segment
        assert incremental.reused_files == incremental.read


def test_an_older_segment_that_cannot_be_used_only_costs_time(tmp_path: Path, store: Path) -> None:
    root = make(tmp_path / "shop", {"a.md": HANDBOOK})
    expected = build(root, directory=store).segment
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"nonsense")
    assert build(root, directory=store, previous=broken).segment == expected
    assert build(root, directory=store, previous=tmp_path / "gone").segment == expected


def test_the_fingerprint_notices_what_a_build_would_read(tmp_path: Path) -> None:
    """FIELD 35, 38, 42: an untracked file, a clean checkout, an agent's own edit a moment ago."""
    root = make(tmp_path / "shop", {"a.md": HANDBOOK, ".gitignore": "ignored/\n"})
    seen = [fingerprint(root)]
    assert fingerprint(root) == seen[0]
    (root / "ignored").mkdir()
    (root / "ignored" / "x.md").write_text("x")
    assert fingerprint(root) == seen[0]
    (root / "new.md").write_text("untracked")
    seen.append(fingerprint(root))
    (root / "a.md").write_text(HANDBOOK.replace("newest", "oldest"))
    seen.append(fingerprint(root))
    commit(root, "Both")
    seen.append(fingerprint(root))
    git(root, "checkout", "--quiet", "--detach", "HEAD~1")
    seen.append(fingerprint(root))
    (root / "a.md").unlink()
    seen.append(fingerprint(root))
    assert len(set(seen)) == len(seen)


def test_excluded_paths_are_left_to_other_scopes(tmp_path: Path, store: Path) -> None:
    root = make(tmp_path / "mono", {"README.md": HANDBOOK, "client/README.md": "# Client\n\nRenders the cart.\n"})
    report = build(root, directory=store, exclude=["client"])
    assert report.skipped == {"excluded": 1}
    assert fingerprint(root, exclude=["client"]) != fingerprint(root)
    assert all(
        not p.path.startswith("client/") for p in Episodes.open(store / report.segment).search("cart readme client")
    )


def test_an_excluded_path_is_that_path_alone(tmp_path: Path, store: Path) -> None:
    """A directory of the same name elsewhere belongs to this project, and a bracket in a path is no pattern."""
    root = make(tmp_path / "mono", {f"{name}/a.md": HANDBOOK for name in ("client", "src/client", "[x] y", "x")})
    report = build(root, directory=store, exclude=["client", "[x] y"])
    assert report.skipped_examples == {"excluded": ["[x] y/a.md", "client/a.md"]}
    assert report.read == 2


def test_notes_are_read_wherever_they_lie(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    secret = "ghp_" + "q7ZrT2vXw9LmKp3sYd8FbNc1HgJa5EuQ6RiO"
    write(home, {"notes/a.md": HANDBOOK, "notes/deep/b.txt": f"call with {secret}", "notes/.env": f"A={secret}"})
    root = make(tmp_path / "shop", {"a.py": "x = 1\n", ".gitignore": "mine.md\n", "mine.md": "# Mine\n\nA walrus.\n"})
    notes = [f"{home}/notes/**", f"{root}/*.md", f"{home}/notes/.e*"]
    report = build(root, directory=store, notes=notes)
    assert (report.listed, report.read, report.skipped) == (6, 5, {"secret-file": 1})
    assert report.notes == {notes[0]: 2, notes[1]: 1, notes[2]: 1}
    assert secret.encode() not in (store / report.segment).read_bytes()
    episodes = Episodes.open(store / report.segment)
    (note,) = episodes.search("session cookie newest key", k=1, root=root)
    assert (note.path, note.lines, note.role, note.stale) == ("~/notes/a.md", (5, 7), "docs", False)
    assert episodes.search("walrus")[0].path == "mine.md"
    assert "~/notes/deep/b.txt" in {passage.path for passage in episodes.search("call with")}

    before = fingerprint(root, notes=notes)
    assert before == report.fingerprint != fingerprint(root)
    write(home, {"notes/a.md": HANDBOOK + "\nMore.\n"})
    assert fingerprint(root, notes=notes) != before
    again = build(root, directory=store, notes=notes, previous=store / report.segment)
    assert again.reused_files == again.read - 1
    assert build(root, directory=store, notes=notes).segment == again.segment


def test_manual_pages_are_found_by_the_words_that_people_read(tmp_path: Path, store: Path) -> None:
    """The macros and escapes between the words are stored as they are written, and are no words."""
    pages = {
        "man.1": ".TH MAN 1\n.SH OPTIONS\n.TP\n.B \\-\\-no\\-pager\nSet \\fIescape\\-time\\fP to zero.\n",
        "mdoc.1": ".Dd today\n.Nm walrus\n.Sh NAME\n.Nm\n.Sh FLAGS\n"
        ".It Fl \\-exclude\\-dir Ns = Ns Ar pattern\nLeaves out.\n",
    }
    episodes = Episodes.open(store / build(make(tmp_path / "shop", dict(pages)), directory=store).segment)
    for question, path, written in [
        ("escape-time", "man.1", "\\fIescape\\-time\\fP"),
        ("--no-pager", "man.1", "\\-\\-no\\-pager"),
        ("--exclude-dir", "mdoc.1", ".It Fl \\-exclude\\-dir"),
    ]:
        found = episodes.search(question)[0]
        assert (found.path, written in found.text) == (path, True), question


def test_segments_missing_damaged_and_outdated_are_told_apart(tmp_path: Path, store: Path) -> None:
    root = make(tmp_path / "shop", {"a.md": HANDBOOK})
    path = store / build(root, directory=store).segment
    assert Episodes.open(path, signature=rules_signature()).signature == rules_signature()
    with pytest.raises(SegmentMissing, match=r"none\.safetensors"):
        Episodes.open(store / "none.safetensors")
    with pytest.raises(SegmentOutdated, match="other rules"):
        Episodes.open(path, signature="older")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SegmentDamaged):
        Episodes.open(path)


def test_policy_entries_are_known_by_name(tmp_path: Path, store: Path) -> None:
    root = make(tmp_path / "shop", {"a.md": HANDBOOK, "big.txt": "x " * 300})
    with pytest.raises(ValueError, match="no policy entry 'max_size'"):
        build(root, directory=store, policy={"max_size": 3})
    report = build(root, directory=store, policy={"max_file_bytes": 200})
    assert report.skipped == {"over-size": 1}
    assert rules_signature({"max_file_bytes": 200}) != rules_signature()
    assert default_policy()["max_file_bytes"] == 1 << 20


def test_progress_tells_every_stage_and_a_failing_bar_fails_nothing(tmp_path: Path, store: Path) -> None:
    root = make(tmp_path / "shop", {"a.md": HANDBOOK})
    told: list[tuple[str, int, int]] = []
    build(root, directory=store, progress=lambda *step: told.append(step))
    assert {stage for stage, _, _ in told} == {"files", "commits", "writing"}
    assert told[-1] == ("writing", 1, 1)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_failing_progress_bar_does_not_fail_the_build(tmp_path: Path, store: Path) -> None:
    root = make(tmp_path / "shop", {"a.md": HANDBOOK})

    def fail(*_: object) -> None:
        raise RuntimeError("no terminal")

    assert build(root, directory=store, progress=fail).read == 1


def test_parallel_builds_into_one_directory_agree(tmp_path: Path, store: Path) -> None:
    root = make(tmp_path / "shop", {f"{n}.md": HANDBOOK for n in range(20)})
    names: list[str] = []
    threads = [threading.Thread(target=lambda: names.append(build(root, directory=store).segment)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(names)) == 1
    assert [path.name for path in store.iterdir()] == [names[0]]


def test_a_part_built_again_is_the_part_built_from_nothing(tmp_path: Path, store: Path) -> None:
    """Commits that touched nothing of the part are in no segment, so an incremental build must know them otherwise."""
    root = make(tmp_path / "mono", {"README.md": "# Mono\n", "client/app.py": "x = 1\n", "server/app.py": "x = 1\n"})
    commit(root, "Server only", {"server/app.py": "x = 2\n"}, when=1_600_000_100)
    parts = [{"subtree": "client"}, {"subtree": "server"}, {"apart": ["server", "client"]}]
    before = [build(root, directory=store, **part) for part in parts]
    assert [report.passages["commit"] for report in before] == [1, 2, 1]
    assert [report.read for report in before] == [1, 1, 1]
    commit(root, "Client only", {"client/app.py": "x = 3\n"}, when=1_600_000_200)
    for part, old in zip(parts, before, strict=True):
        again = build(root, directory=store, previous=store / old.segment, **part)
        fresh = build(root, directory=store, **part)
        assert again.segment == fresh.segment
        assert again.reused_commits == old.passages["commit"]
        assert again.fingerprint == fingerprint(root, **part)
    with pytest.raises(ValueError, match="no directory below the root"):
        build(root, directory=store, subtree="../elsewhere")


def test_a_survey_tells_what_a_build_would_read(tmp_path: Path) -> None:
    root = make(
        tmp_path / "mono",
        {
            "README.md": "# Mono\n",
            "client/package.json": "{}\n",
            "dist/package.json": "{}\n",
            ".gitignore": "dist/\nref/\n",
        },
    )
    make(root / "ref", {"a.md": "x"})
    make(root / "tools", {"a.md": "x"})
    found = survey(root, names=["package.json"])
    assert found.named == ["client/package.json"]
    assert (found.submodules, found.ignored) == (["tools"], ["ref"])
    assert (found.files, found.first_parents, sum(found.authors.values())) == (3, 1, 1)
    assert found.root_commit == root_commit(root) == git(root, "rev-parse", "HEAD")
    now = (root / "README.md").stat().st_mtime
    (root / "new.md").write_text("1234")
    assert state(root, since=now + 3600) == state(root, since=now + 7200)
    assert state(root, since=0).newer_files == 4 and state(root).fingerprint == fingerprint(root)
