"""Asking, on real repositories and real segments: what `Memory` adds to the router and the stores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sentences import said

from loci.core import (
    DamagedFile,
    DamagedSegment,
    InvalidRequest,
    LociError,
    Memory,
    UnknownScope,
    notes,
    partial_answer,
)
from loci.core.answer.snapshot import Snapshot
from loci.router import advice
from loci.structure import Symbol

BILLING = {
    "README.md": "# Billing\n\nInvoices are sent on the first day of the month.\n",
    "src/refund.py": "def book_refund(invoice, amount):\n    '''Books a refund against its invoice.'''\n",
}
SEARCH = {"README.md": "# Search\n\nDocuments are ranked by relevance. The inverted index is rebuilt every night.\n"}
REFUND = "how is a refund booked against its invoice?"


@pytest.fixture
def memory(tmp_path, make_repository) -> Memory:
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "work" / "billing", BILLING, "Book refunds against the invoice"))
    memory.add(make_repository(tmp_path / "work" / "search", SEARCH, "Rank documents by relevance"))
    memory.index()
    return memory


class Structure:
    """A backend that knows one symbol of one project."""

    name = "by-hand"

    def __init__(self):
        self.asked = []

    def sources(self, project):
        return ["by hand"] if project.id == "billing" else []

    def vocabulary(self, project):
        return {"book_refund"}

    def query(self, project, text, *, names=(), relations=(), budget=40, depth_first=False):
        self.asked.append((project, text, budget))
        return [Symbol("book_refund", "function", "src/refund.py", 1, "called_by", "close_month", "exact")]


def test_a_structure_backend_is_asked_for_the_selected_project_only(memory, tmp_path):
    structure = Structure()
    memory = Memory.open(memory.home.directory, structure=structure)
    (block,) = memory.ask("zyzzyva", scope="billing").scopes
    assert [symbol.name for symbol in block.symbols] == ["book_refund"]
    assert block.nothing is None and block.passages == () and said(block) == ""
    assert [(project.id, project.root) for project, _, _ in structure.asked] == [
        ("billing", (tmp_path / "work" / "billing").resolve())
    ]
    (block,) = memory.ask("relevance", scope="search").scopes
    assert block.symbols == () and "by-hand has no structure" in said(block)


def test_without_a_backend_there_are_no_symbols_and_no_note_about_them(memory):
    (block,) = memory.ask("relevance", scope="search").scopes
    assert block.symbols == () and said(block) == ""


def test_several_projects_each_speak_for_themselves_in_the_order_of_the_route(memory, tmp_path, make_repository):
    for name in ("alpha", "beta", "gamma"):
        text = f"# {name}\n\nUploads are retried with exponential backoff, says {name}.\n"
        memory.add(make_repository(tmp_path / "work" / name, {"README.md": text}, f"Retry uploads in {name}"))
    memory.index()
    answer = memory.ask("which of my projects retry uploads with exponential backoff?")
    assert answer.route.mode == "set"
    assert [block.id for block in answer.scopes] == [scope.id for scope in answer.route.scopes]
    assert {block.id for block in answer.scopes} == {"alpha", "beta", "gamma"}
    for block in answer.scopes:
        assert f"says {block.id}" in "".join(passage.text for passage in block.passages)
        others = {"alpha", "beta", "gamma"} - {block.id}
        assert not any(other in passage.text for passage in block.passages for other in others)


def test_an_alias_given_later_counts_without_indexing_again(memory, tmp_path):
    assert memory.route("what does moneybags do?").abstained
    memory.add(tmp_path / "work" / "billing", aliases=["moneybags"])
    route = memory.route("what does moneybags do about invoices?")
    assert [scope.id for scope in route.scopes] == ["billing"]
    assert "named" in route.scopes[0].signals


def test_a_forgotten_project_is_gone_from_an_open_memory(memory):
    assert memory.ask(REFUND).scopes[0].id == "billing"
    Memory.open(memory.home.directory).forget("billing")
    assert "billing" not in [scope.id for scope in memory.ask(REFUND).scopes]
    with pytest.raises(UnknownScope):
        memory.ask(REFUND, scope="billing")


def test_text_that_moved_is_followed_and_text_that_is_gone_is_stale(memory, tmp_path):
    """Without catching up first; FIELD 34."""
    file = tmp_path / "work" / "billing" / "src" / "refund.py"
    original = file.read_text()

    def passage():
        (block,) = memory.ask(REFUND, scope="billing", refresh=0).scopes
        return next(p for p in block.passages if p.path == "src/refund.py")

    assert passage().lines == (1, 2)
    file.write_text("import money\n\n\n" + original)
    assert passage().lines == (4, 5) and not passage().stale
    file.write_text("import money\n")
    assert passage().stale
    file.unlink()
    assert passage().stale


def test_a_bare_repository_answers_from_its_history(memory, tmp_path, git):
    git(tmp_path, "clone", "-q", "--bare", "work/billing", "mirror/pay.git")
    memory.add(tmp_path / "mirror" / "pay.git")
    memory.index()
    (block,) = memory.ask(REFUND, scope="pay").scopes
    assert [passage.kind for passage in block.passages] == ["commit"]
    assert block.caught_up and block.indexed_commit == block.head


def test_a_segment_that_vanishes_with_a_newer_generation_is_asked_again(memory, monkeypatch, tmp_path):
    """A build finished between reading the manifest and opening the file: the question starts over, whole."""
    real = Snapshot.episodes
    calls = []

    def episodes(self, record):
        calls.append(record.segment)
        if len(calls) == 1:
            (tmp_path / "work/billing/new.md").write_text("# A refund, newly\n")
            Memory.open(memory.home.directory).index()
            raise DamagedSegment(record.id, self.home.segments / record.segment, "is missing")
        return real(self, record)

    monkeypatch.setattr(Snapshot, "episodes", episodes)
    (block,) = memory.ask(REFUND, scope="billing").scopes
    assert "new.md" in [passage.path for passage in block.passages]
    assert len(set(calls)) == 2


def test_a_segment_that_is_simply_missing_is_an_error_at_once(memory):
    for path in memory.home.segments.iterdir():
        path.unlink()
    with pytest.raises(DamagedSegment, match="is missing") as caught:
        memory.ask(REFUND, scope="billing")
    assert caught.value.exit_code == 4
    with pytest.raises(DamagedSegment):
        memory.ask(REFUND)


def test_an_index_of_older_rules_says_so(memory):
    data = json.loads(memory.home.manifest.read_text())
    data["scopes"]["billing"]["signature"] = "rules of last year"
    memory.home.manifest.write_text(json.dumps(data))
    (block,) = memory.ask(REFUND, scope="billing").scopes
    assert block.passages and not block.caught_up and notes.OlderRules("billing") in block.notes
    assert [scope.outcome for scope in memory.index().scopes] == ["built", "unchanged"]
    assert memory.ask(REFUND, scope="billing").scopes[0].caught_up


def test_threads_share_one_memory(memory):
    expected = memory.ask(REFUND).to_json()
    fresh = Memory.open(memory.home.directory)
    results, errors = [], []

    def ask():
        try:
            results.append(fresh.ask(REFUND).to_json())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and results == [expected] * 16


def test_two_homes_hold_the_same_bytes_whatever_the_hash_seed(memory, tmp_path):
    program = "import sys; from loci.core import Memory; m = Memory.open(sys.argv[1]); m.scan([sys.argv[2]]); m.index()"
    for seed in ("1", "2"):
        home = tmp_path / f"home{seed}"
        subprocess.run(
            [sys.executable, "-c", program, str(home), str(tmp_path / "work")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
    read = lambda home: {path.name: path.read_bytes() for path in (Path(home) / "segments").iterdir()}  # noqa: E731
    assert read(tmp_path / "home1") == read(tmp_path / "home2") == read(memory.home.directory)
    first, second = (Memory.open(tmp_path / f"home{seed}").ask(REFUND, cwd=tmp_path).to_json() for seed in ("1", "2"))
    assert first == second


def test_a_submodule_is_asked_apart(memory, tmp_path, git):
    outer = tmp_path / "work" / "billing"
    git(outer, "submodule", "--quiet", "add", str(tmp_path / "work" / "search"), "lib/search2")
    git(outer, "commit", "-qm", "Take search in")
    report = memory.scan([tmp_path / "work"])
    assert report.new == ["search2"]
    memory.index()
    (block,) = memory.ask("documents ranked by relevance", scope="billing").scopes
    assert not [passage for passage in block.passages if passage.path.startswith("lib/search2/")]
    (block,) = memory.ask("documents ranked by relevance", scope="search2").scopes
    assert block.passages[0].path == "README.md"
    assert memory.route("what does this do?", cwd=outer / "lib" / "search2").scopes[0].id == "search2"


def test_a_directory_as_clients_write_it(memory, tmp_path):
    uri = (tmp_path / "work" / "billing").as_uri()
    assert memory.route("what does this do?", cwd=uri).scopes[0].id == "billing"
    assert memory.ask("relevance", scope=uri + "/src").scopes[0].id == "billing"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names there are always Unicode")
def test_a_directory_whose_name_is_no_text(memory, tmp_path, make_repository):
    root = make_repository(
        tmp_path / "work" / os.fsdecode(b"caf\xe9"), {"README.md": "# Coffee\n\nBeans are roasted.\n"}
    )
    scope, _ = memory.add(root)
    memory.home.registry.read_bytes().decode("utf-8")
    memory.index()
    (block,) = memory.ask("beans", scope=scope.id).scopes
    assert block.passages[0].path == "README.md" and block.caught_up
    assert Memory.open(memory.home.directory).scopes()[-1].state == "indexed"
    json.dumps(memory.ask("beans", scope=scope.id).to_json())


def test_a_file_whose_name_is_no_text(memory, tmp_path):
    if sys.platform in ("win32", "darwin"):
        pytest.skip("file names there are always Unicode")
    directory = tmp_path / "work" / "billing" / os.fsdecode(b"b\xfcro")
    directory.mkdir()
    (directory / os.fsdecode(b"caf\xe9.md")).write_text("# Coffee\n\nBeans are roasted.\n")
    memory.index()
    (block,) = memory.ask("roasted beans", scope="billing").scopes
    assert "Beans are roasted." in block.passages[0].text and not block.passages[0].stale
    (directory / os.fsdecode(b"caf\xe9.md")).unlink()
    (block,) = memory.ask("roasted beans", scope="billing", refresh=0).scopes
    assert block.passages[0].stale


@pytest.mark.parametrize("table", ["text.bytes", "posting.bytes", "text.first", "passage.roles"])
def test_damage_that_shows_only_while_reading_is_named(memory, table):
    """FIELD 80: a disk that changed bytes inside a table must end in the name of the file and the way out."""
    for segment in memory.home.segments.glob("*.safetensors"):
        if segment.name.endswith(".graph.safetensors"):
            continue
        data = bytearray(segment.read_bytes())
        header = 8 + int.from_bytes(data[:8], "little")
        start, end = json.loads(data[8:header])[table]["data_offsets"]
        data[header + start : header + end] = b"\xff" * (end - start)
        segment.unlink()  # other processes may have the old file mapped
        segment.write_bytes(data)
    for scope in ("billing", None):
        with pytest.raises(DamagedSegment, match=r"\.safetensors") as caught:
            Memory.open(memory.home.directory).ask(REFUND, scope=scope)
        assert caught.value.exit_code == 4
        assert caught.value.hint is not None
        assert caught.value.hint.startswith("loci index --force")


@pytest.mark.parametrize("place", ["nul\0byte/", "~nobody-of-that-name/x", "/lone\ud800surrogate", "/" + "x" * 5000])
def test_what_cannot_be_a_path_is_wrong_usage(memory, place):
    for call in (
        lambda: memory.ask(REFUND, cwd=place),
        lambda: memory.ask(REFUND, scope=place),
        lambda: memory.route(REFUND, cwd=place),
        lambda: memory.add(place),
        lambda: memory.scan([place]),
    ):
        with pytest.raises(LociError) as caught:
            call()
        assert caught.value.exit_code == 2


def test_a_question_that_is_no_text_is_answered_all_the_same(memory):
    """Bytes of a command line that are no UTF-8 arrive as lone surrogates."""
    for scope in ("billing", None):
        answer = memory.ask("\udcff " + REFUND, scope=scope)
        assert answer.scopes[0].passages
        json.dumps(answer.to_json(), ensure_ascii=False).encode("utf-8")


def test_a_question_of_any_length_ends(memory):
    """Ten thousand different words are a question; a megabyte is refused, with the limit."""
    assert memory.ask(" ".join(f"word{n}x" for n in range(10_000)) + " invoice", scope="billing").scopes
    with pytest.raises(InvalidRequest, match="100,000"):
        memory.ask("invoice " * 130_000)


def test_a_manifest_with_impossible_numbers_is_damaged_and_building_repairs_it(memory):
    data = json.loads(memory.home.manifest.read_text(encoding="utf-8"))
    memory.home.manifest.write_text(json.dumps({**data, "generation": float("inf")}), encoding="utf-8")
    with pytest.raises(DamagedFile) as caught:
        memory.ask(REFUND)
    assert caught.value.hint == "loci index"
    memory.index()
    assert memory.ask(REFUND, scope="billing").scopes[0].passages


def test_a_home_of_an_unknown_user_is_wrong_usage():
    with pytest.raises(InvalidRequest, match="not known here"):
        Memory.open("~nobody-of-that-name/loci")


def test_what_is_watched_makes_the_answer_as_far_as_it_went(memory):
    seen = []
    answer = memory.ask(REFUND, watch=seen.append)
    assert partial_answer(seen, REFUND, 2000) == answer
    (route, *blocks) = seen
    assert route == answer.route and blocks
    # Time ran out before any project had answered, before the route was decided, and while it was asked anew.
    only_routed = partial_answer([route], REFUND, 2000)
    assert only_routed is not None and only_routed.scopes == ()
    assert partial_answer([], REFUND, 2000) is None
    assert partial_answer([None, *seen, None, *seen], REFUND, 2000) == answer


def mapped(home: Path) -> dict[str, int]:
    """Kilobytes of each file of the index that are in this process's memory."""
    found, name = {}, None
    for line in Path("/proc/self/smaps").read_text().splitlines():
        fields = line.split(None, 5)
        if not fields[0].endswith(":"):
            name = fields[5] if len(fields) == 6 and fields[5].startswith(str(home)) else None
        elif name is not None and fields[0] == "Rss:":
            found[name] = found.get(name, 0) + int(fields[1])
    return found


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="the system does not tell what is mapped")
def test_released_pages_leave_the_process_and_come_again(memory, tmp_path):
    """FIELD 77: 11.5 GB in use against a budget of 2.5 GB."""
    home = (tmp_path / "home").resolve()
    memory.release()  # nothing is open yet
    before = memory.ask(REFUND)
    held = mapped(home)
    assert any(".graph." in name for name in held) and len(held) >= 3 and all(held.values())
    memory.release()
    assert set(mapped(home).values()) == {0}
    assert memory.ask(REFUND) == before
    assert any(mapped(home).values())


def test_pages_are_released_under_questions_that_run(memory):
    before, wrong, over = memory.ask(REFUND), [], threading.Event()

    def ask():
        while not over.is_set():
            if memory.ask(REFUND) != before:
                wrong.append(True)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        memory.release()
    over.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_project_that_cannot_answer_says_nothing_and_where_what_came_nearest_is_shown(memory):
    asked = "how are documents ranked by relevance in the inverted index on the first day?"
    assert memory.ask(asked, scope="billing").scopes[0].passages, "a scope that was given shows what it has"
    gated = memory.ask(asked, scope="billing", gated=True).scopes[0]
    assert gated.passages == ()
    assert gated.nothing == "absent"
    assert notes.NoEvidence("billing", True, 0, "", kept_back=True) in gated.notes
    assert memory.ask(asked, scope="search", gated=True).scopes[0].passages


def test_symbols_stand_where_the_passages_are_no_answer_and_the_note_says_which(memory):
    asked = "how are documents ranked by relevance in the inverted index against an invoice?"
    gated = memory.ask(asked, scope="billing", gated=True).scopes[0]
    assert [symbol.name for symbol in gated.symbols] == ["book_refund"]
    assert gated.passages == ()
    assert gated.nothing is None
    assert gated.notes == (notes.NoPassage("billing"),)


def test_standing_in_a_project_speaks_for_it_but_nonsense_finds_nothing(memory, tmp_path):
    """FIELD 29: a nonsense phrase still returned five memories."""
    inside = tmp_path / "work" / "billing"
    assert memory.ask(REFUND, cwd=inside).scopes[0].passages
    assert not any(block.passages for block in memory.ask("quuxly frobnicated zorbles", cwd=inside).scopes)


def test_a_project_with_nothing_beside_it_is_not_shut_for_want_of_statistics(tmp_path, make_repository):
    """One small project, never calibrated: what holds some of the question is shown."""
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "billing", BILLING, "Book refunds against the invoice"))
    memory.index()
    for asked in (REFUND, "when are invoices sent?", "which day?", "how do I change the day on which they go out?"):
        assert memory.ask(asked, scope="billing", gated=True).scopes[0].passages, asked


@pytest.mark.parametrize("question", ["what does this project do?", "zebra quokka marsupials"])
def test_asked_from_a_repository_that_is_not_registered(tmp_path, make_repository, question):
    """It was told to ask from inside a project, which it did."""
    memory = Memory.open(tmp_path / "home")
    memory.add(make_repository(tmp_path / "shop", {"README.md": "# Shop\n\nSells books.\n"}))
    memory.add(make_repository(tmp_path / "desk", {"README.md": "# Desk\n\nLends desks.\n"}))
    memory.index()
    new = make_repository(tmp_path / "new one", {"src/a.py": "a = 1\n"})
    for route in (memory.ask(question, cwd=new / "src").route, memory.route(question, cwd=new / "src")):
        first, *rest = route.advice
        assert route.abstained and first == advice.DirectoryNotRegistered(str(new))
        assert [each.kind for each in rest] == ["name_the_project" if route.reason == "deictic" else "indexed_nowhere"]
    for elsewhere in (tmp_path, tmp_path / "shop"):
        kinds = [each.kind for each in memory.ask(question, cwd=elsewhere).route.advice]
        assert "directory_not_registered" not in kinds
