"""The command as a process: what it imports, encodings, pipes, concurrency, a read-only home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

REFUND = "how is a refund booked against its invoice?"


def modules_after(*arguments, **environment):
    program = (
        "import sys\nfrom loci.cli import main\ncode = main(sys.argv[1:])\n"
        "sys.stderr.write('\\n'.join(['MODULES', *sorted(sys.modules)]))\nsys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.partition("MODULES\n")[2].split("\n"))


def test_the_version_needs_no_other_package():
    loaded = modules_after("--version")
    assert not {name for name in loaded if name.startswith("loci.") and not name.startswith("loci.cli")}
    assert "importlib.metadata" not in loaded


def test_a_question_imports_nothing_it_does_not_need(shared_world):
    loaded = modules_after("ask", REFUND, "--no-cwd", LOCI_HOME=str(shared_world.home))
    assert {"loci.core", "loci.router", "loci.episodes"} <= loaded
    for unwanted in (
        "asyncio",
        "filelock",
        "importlib.metadata",
        "loci.eval",
        "loci.mcp",
        "loci.core.build.index",
        "tomllib",
    ):
        assert unwanted not in loaded, unwanted


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_output_encoding(shared_world, encoding):
    child = shared_world.spawn(
        "ask", "“refund” 認証 \U0001f600", "--scope", "billing", "--json", env={"PYTHONIOENCODING": encoding}
    )
    out, err = child.communicate(timeout=60)
    assert child.returncode == 0, err
    assert json.loads(out.decode("utf-8"))["question"] == "“refund” 認証 \U0001f600"


@pytest.mark.skipif(os.name == "nt", reason="pipes differ")
def test_a_reader_that_has_seen_enough(shared_world):
    batch = "".join(json.dumps({"id": number, "question": REFUND}) + "\n" for number in range(200))
    child = shared_world.spawn("ask", "--batch", "-", "--no-cwd", stdin=subprocess.PIPE)
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    threading.Thread(target=_feed, args=(child.stdin, batch.encode()), daemon=True).start()
    child.stdout.readline()
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait(60) == 0


def _feed(pipe, data):
    try:
        pipe.write(data)
        pipe.close()
    except OSError:
        pass


def test_plain_text_in_a_pipe(shared_world):
    child = shared_world.spawn("ask", REFUND, "--no-cwd")
    out, err = child.communicate(timeout=60)
    assert b"\x1b" not in out and b"\x1b" not in err


def test_many_questions_while_the_index_is_built(built):
    """Ten readers ask all the time while builds replace the index under them; none meets half of one."""
    from loci.core import Memory

    stop = threading.Event()
    problems = []
    answered = [0]

    def ask():
        memory = Memory.open(built.home)
        while not stop.is_set():
            try:
                answer = memory.ask("refund invoice", scope="billing", refresh=0)
                assert answer.scopes[0].passages
                memory.route(REFUND)
                answered[0] += 1
            except BaseException as error:
                problems.append(error)
                return

    threads = [threading.Thread(target=ask) for _ in range(10)]
    for thread in threads:
        thread.start()
    try:
        for round_ in range(8):
            for name in ("billing", "search", "cookiejar"):
                (built.work / name / "notes.md").write_text(f"# Notes\n\nround {round_} of {name} brings a refund\n")
            assert Memory.open(built.home).index().generation == round_ + 2
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert problems == []
    assert answered[0] >= 10


def test_a_new_generation_is_seen_by_an_open_memory(built):
    from loci.core import Memory

    memory = Memory.open(built.home)
    assert not any("zebra" in passage.text for passage in memory.ask("zebra", scope="billing").scopes[0].passages)
    (built.work / "billing" / "zebra.md").write_text("# Zebra\n\nThe zebra pays in stripes.\n")
    Memory.open(built.home).index()
    answer = memory.ask("zebra", scope="billing")
    assert answer.scopes[0].passages[0].path == "zebra.md"
    assert memory.route("who pays in stripes, the zebra?").scopes[0].id == "billing"


def test_two_builds_at_once(built):
    for name in ("billing", "search", "cookiejar"):
        (built.work / name / "more.md").write_text("# More\n" + "words and words\n" * 2000)
    children = [built.spawn("index", "--force") for _ in range(4)]
    results = [(child.communicate(timeout=120), child.returncode) for child in children]
    codes = sorted(code for _, code in results)
    assert set(codes) <= {0, 3} and codes[0] == 0, results
    for (_, err), code in results:
        assert code == 0 or b"is building the index" in err
    assert built.run("ask", "refund", "--scope", "billing").exit_code == 0


@pytest.mark.skipif(os.name == "nt", reason="file modes")
def test_asking_needs_no_right_to_write(built):
    modes = [(built.home, 0o700), (built.home / "segments", 0o700)]
    before = {path: path.stat().st_mtime_ns for path in built.home.rglob("*")}
    for path, _ in modes:
        path.chmod(0o500)
    try:
        child = built.spawn("ask", "refund", "--scope", "billing")
        out, err = child.communicate(timeout=60)
        assert child.returncode == 0, err
        assert b"refund" in out and err == b""
    finally:
        for path, mode in modes:
            path.chmod(mode)
    # The superuser could have written in spite of the modes.
    assert {path: path.stat().st_mtime_ns for path in built.home.rglob("*")} == before


def in_a_terminal(world, *arguments, typed=b""):
    """The command with a terminal for stdin and stderr; returns exit code, stdout and what the terminal showed."""
    import pty

    ours, theirs = pty.openpty()
    try:
        child = world.spawn(*arguments, stdin=theirs, stderr=theirs)
        os.close(theirs)
        os.write(ours, typed)
        out, _ = child.communicate(timeout=60)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
    finally:
        os.close(ours)
    return child.returncode, out.decode(), shown.decode()


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
@pytest.mark.parametrize(("typed", "registered"), [(b"n\n", False), (b"\n", True), (b"y\n", True)])
def test_on_a_terminal_scan_asks_first(fresh, typed, registered):
    code, out, shown = in_a_terminal(fresh, "scan", str(fresh.work), typed=typed)
    assert code == 0 and "billing" in out
    assert "Register these 3 projects? [Y/n]" in shown
    assert (fresh.home / "scopes.json").exists() == registered


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
def test_progress_only_on_a_terminal(fresh):
    fresh.run("scan", str(fresh.work), "-y")
    code, out, shown = in_a_terminal(fresh, "index")
    assert code == 0 and "3 built" in out
    assert "0/3" in shown and "\r" in shown
    assert "\r" not in out and "0/3" not in out
    assert fresh.run("index", "--force").stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="no such device, and descriptors cannot be closed so")
@pytest.mark.parametrize("arguments", [("scopes",), ("scopes", "--json"), ("ask", REFUND), ("map", "-")])
def test_output_that_cannot_be_written_is_one_sentence(shared_world, arguments):
    device = Path("/dev/full")
    if not device.exists():
        pytest.skip("no device that is always full")
    with device.open("wb") as full:
        child = shared_world.spawn(*arguments, stdout=full)
        _, err = child.communicate(timeout=60)
    assert child.returncode == 1
    assert b"error: the output could not be written" in err
    assert b"Traceback" not in err


@pytest.mark.skipif(os.name == "nt", reason="descriptors cannot be closed so")
def test_closed_streams(shared_world):
    def close():
        os.close(1)
        os.close(2)

    for arguments, code in ((("scopes",), 0), (("ask", REFUND, "--json"), 0), (("ask", "x", "--scope", "nobody"), 2)):
        child = shared_world.spawn(*arguments, stdout=None, stderr=None, preexec_fn=close)
        assert child.wait(60) == code, arguments


@pytest.mark.skipif(os.name == "nt", reason="pipes differ")
def test_nobody_reads_the_remarks(built):
    (built.work / "billing" / ".loci.json").write_text("{ broken")
    reading, writing = os.pipe()
    os.close(reading)
    child = built.spawn("scan", str(built.work), "-y", stderr=writing)
    os.close(writing)
    out, _ = child.communicate(timeout=60)
    assert child.returncode == 0
    assert b"billing" in out


@pytest.mark.skipif(os.name == "nt", reason="a directory that somebody stands in cannot be deleted")
def test_from_a_directory_that_was_deleted(built, tmp_path):
    def started(*arguments):
        place = tmp_path / "gone"
        place.mkdir()
        program = (
            "import os, sys\nfrom loci.cli import main\nos.chdir(sys.argv[1])\nos.rmdir(sys.argv[1])\n"
            "sys.exit(main(sys.argv[2:]))\n"
        )
        return subprocess.run(
            [sys.executable, "-c", program, str(place), *arguments],
            env={**os.environ, "LOCI_HOME": str(built.home)},
            capture_output=True,
            text=True,
            check=False,
        )

    (built.work / "billing" / "new.md").write_text("# Dunning\n\nA dunning letter goes out after two weeks.\n")
    assert "dunning letter" in started("ask", "dunning letter", "--scope", "billing").stdout
    done = started("index")
    assert (done.returncode, done.stderr) == (0, "")
    for arguments in (("setup", "-y"), ("scan", ".", "-y"), ("add", "work"), ("map",), ("--home", "here", "scopes")):
        done = started(*arguments)
        assert done.returncode == 2, arguments
        assert "was deleted" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="file names have an encoding of their own elsewhere")
def test_a_locale_that_is_not_utf8(tmp_path, make_repository, git):
    repository = make_repository(tmp_path / "wörk" / "zwiebel", {"README.md": "# Zwiebel\n\nSliced onions.\n"})
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))},
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "LOCI_HOME": str(tmp_path / "home"),
    }
    start = [sys.executable, "-c", "import sys; from loci.cli import main; sys.exit(main())"]
    for arguments, expected in (
        (["setup", str(repository), "-y"], "1 built"),
        (["scopes"], "wörk/zwiebel"),
        (["ask", "sliced onions", "--scope", "zwiebel"], "Sliced onions."),
    ):
        done = subprocess.run(
            [*map(os.fsencode, start), *map(os.fsencode, arguments)], env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_a_build_that_is_interrupted_ends_at_once():
    program = (
        "import os, signal, threading\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "from loci.cli._index import Progress\n"
        # Who starts the tests in the background has them ignore interrupts, and a child inherits that.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "with Progress(), ThreadPoolExecutor(1) as pool:\n"
        "    pool.submit(threading.Event().wait)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    threading.Event().wait()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (130, "stopped; questions are answered from the old index\n")


def test_the_handler_of_interrupts_is_given_back():
    import signal

    from loci.cli._index import Progress

    before = signal.getsignal(signal.SIGINT)
    with Progress():
        pass
    assert signal.getsignal(signal.SIGINT) is before
