"""What other tools know of a project's structure: taken into the index beside the built-in graph, and made on request.

`index.scip` and `graphify-out/graph.json` in a project's directory are converted once, by `loci index`, into graph
files of the index; a question opens those, reads no foreign format and runs nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from loci.core.errors import ExtractorFailed, ExtractorMissing
from loci.core.home.home import Home
from loci.core.home.manifest import Indexed
from loci.core.home.records import GraphRecord, OtherGraphRecord
from loci.core.notes import Action, Note, OtherGraph

if TYPE_CHECKING:
    from loci.structure import Combined, Graph

EXTRACTORS = ("built-in", "graphify")
"""Who can build what calls what: the built-in one always does, graphify beside it where asked."""

INSTALL_GRAPHIFY = "uv tool install graphifyy (or pipx install graphifyy); the built-in structure needs no tool"


def _sources() -> tuple[tuple[str, str], ...]:
    from loci import structure

    return (("scip", structure.SCIP_INDEX), ("graphify", structure.GRAPHIFY_GRAPH))


def _stamp(path: Path) -> list[int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_size]


def others_of(record: Indexed) -> list[OtherGraphRecord]:
    """What the index took in of other tools, for a project."""
    return [] if record.graph is None else record.graph.get("others", [])


def others_are_current(home: Home, graph: GraphRecord, root: Path) -> bool:
    """Whether the files of other tools in a project are those that the index took in, or as absent as then."""
    known = {other["source"]: other for other in graph.get("others", ())}
    for _, source in _sources():
        stamp, other = _stamp(root / source), known.get(source)
        if stamp is None and other is None:
            continue
        if other is None or other["stamp"] != stamp or other["signature"] != _signature():
            return False
        if other["file"] is not None and not (home.segments / other["file"]).exists():
            return False
    return True


def _signature() -> str:
    from loci import structure

    # The number goes up when Python reads something else out of the same file.
    return f"{structure.foreign_signature()}.1"


def take_in(home: Home, root: Path, state: str) -> list[OtherGraphRecord]:
    """Converts the files of other tools in a project, for its record. `state`: of the sources beside them.

    One that cannot be read is recorded with the reason in "problem" and no "file", so that answers can say so.
    """
    from loci import structure

    found = []
    for backend, source in _sources():
        path = root / source
        stamp = _stamp(path)
        if stamp is None:
            continue
        entry: OtherGraphRecord = {
            "backend": backend,
            "source": source,
            "stamp": stamp,
            "signature": _signature(),
            "state": state,
            "file": None,
            "bytes": 0,
            "made": stamp[0] / 1e9,
            "commit": None,
        }
        read = structure.read_scip if backend == "scip" else structure.read_graphify
        try:
            foreign = read(path, root=root, directory=home.segments)
        except (structure.StructureError, OSError, MemoryError) as error:
            entry["problem"] = str(error) or type(error).__name__
        except BaseException as error:
            # The built-in graph answers without it. A panic of the kernel is no Exception.
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            entry["problem"] = f"an error inside loci: {type(error).__name__}: {error}"
        else:
            entry.update(
                file=foreign.file,
                bytes=foreign.bytes,
                commit=foreign.commit,
                symbols=foreign.graph.symbols,
                edges=dict(sorted(foreign.graph.edge_counts.items())),
                notes=foreign.graph.notes,
            )
        found.append(entry)
    return found


def with_others(home: Home, record: Indexed, graph: Graph) -> Graph | Combined:
    """The built-in graph and what the index took in of other tools, as one to ask."""
    from loci import structure

    opened = []
    for other in others_of(record):
        if other["file"] is not None:
            try:
                opened.append(structure.Graph.open(home.segments / other["file"]))
            except (structure.StructureError, OSError):
                continue  # `remarks` says so
    return structure.Combined(graph, opened) if opened else graph


def remarks(home: Home, record: Indexed) -> list[Note]:
    """What a reader should know of the graphs of other tools: unreadable, or older than the project."""
    return [
        OtherGraph(
            record.id,
            other["source"],
            shortcoming.problem,
            # The built-in graph answers; what the other tool wrote is for `loci doctor`.
            None if shortcoming.kind == "foreign_unreadable" else shortcoming.remedy,
        )
        for other in others_of(record)
        for shortcoming in _shortcomings(home, record, other)
    ]


@dataclass(frozen=True)
class Shortcoming:
    """What is wrong with the file of another tool. `kind`: a stable name; `remedy`: what mends it."""

    kind: str
    problem: str
    remedy: Action


def shortcomings(home: Home, record: Indexed) -> Iterator[Shortcoming]:
    """What is wrong with the files of other tools in a project and with what the index holds of them.

    Nothing of a project whose structure was never built: that is to be done first and takes them in.
    """
    if record.graph is None:
        return
    known = {other["source"]: other for other in record.graph.get("others", ())}
    for _, source in _sources():
        stamp, other = _stamp(record.path / source), known.get(source)
        if stamp is None and other is None:
            continue
        if other is None:
            yield Shortcoming("foreign_not_taken_in", f"{source} is there and was not taken in", "index")
        elif stamp is None:
            yield Shortcoming("foreign_gone", f"{source} is gone, and what was taken from it still answers", "index")
        elif other["stamp"] != stamp:
            yield Shortcoming("foreign_changed", f"{source} has changed since it was taken in", "index")
        elif other["signature"] != _signature():
            yield Shortcoming("foreign_older_rules", f"{source} was taken in by another version of loci", "index")
        else:
            yield from _shortcomings(home, record, other)


def _shortcomings(home: Home, record: Indexed, other: OtherGraphRecord) -> Iterator[Shortcoming]:
    source = other["source"]
    again: Action = "extract" if other["backend"] == "graphify" else "rerun_indexer"
    problem = other.get("problem")
    if problem:
        yield Shortcoming("foreign_unreadable", f"{problem}; the built-in structure answers", again)
        return
    if other["file"] is None or not (home.segments / other["file"]).exists():
        yield Shortcoming("foreign_lost", f"what the index took from {source} is gone", "rebuild_graphs")
        return
    if other["commit"] is not None:
        if record.commit is not None and other["commit"] != record.commit:
            problem = f"{source} is of commit {other['commit'][:7]}, not of {record.commit[:7]}"
            yield Shortcoming("foreign_old", problem, again)
    elif record.last_commit_time is not None and other["made"] < record.last_commit_time:
        yield Shortcoming("foreign_old", f"{source} is older than the last commit", again)
    for note in other.get("notes", ()):
        if "changed or went" in note:
            yield Shortcoming("foreign_old", f"{source}: {note.partition(': make it anew')[0]}", again)


def run_graphify(root: Path, name: str) -> None:
    """Runs the `graphify` command on a project and leaves its `graphify-out/graph.json` there, and nothing else of it.

    Raises `ExtractorMissing` without the command, `ExtractorFailed` when it fails or writes no graph that can be read;
    an older graph.json then stays as it was.
    """
    from loci import structure

    command = shutil.which("graphify")
    if command is None:
        raise ExtractorMissing("graphify", INSTALL_GRAPHIFY)
    target = root / structure.GRAPHIFY_GRAPH
    folder = target.parent
    if folder.is_symlink() or target.is_symlink():
        raise ExtractorFailed(name, f"{folder} leads out of the project by a link", "remove the link")
    by_hand = f"cd {root} && graphify update ."
    before = set(folder.iterdir()) if folder.is_dir() else None
    started = time.time_ns()
    with tempfile.TemporaryDirectory(prefix="loci-graphify-") as away:
        out = Path(away) / "out"
        old = target.read_bytes() if target.is_file() else None
        printed, complaints = Path(away) / "printed", Path(away) / "complaints"
        try:
            # A pipe would stay open as long as anything that graphify leaves running.
            with printed.open("wb") as stdout, complaints.open("wb") as stderr:
                done = subprocess.run(
                    [command, "update", "."],
                    cwd=root,
                    env={**os.environ, "GRAPHIFY_OUT": str(out)},
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                    check=False,
                )
        except OSError as error:
            raise ExtractorFailed(name, f"graphify cannot be run: {error}", by_hand) from error
        finally:
            # Versions before 0.7 write into the project whatever they are told.
            written = _read_new(target, started, old)
            _take_away(folder, before, target, old)
        made = out / "graph.json"
        if done.returncode != 0:
            code = done.returncode
            ended = f"ended with exit code {code}" if code > 0 else f"was ended by signal {-code}"
            raise ExtractorFailed(name, f"graphify {ended}{_last_line(complaints) or _last_line(printed)}", by_hand)
        candidate = made
        if made.is_symlink() or not made.is_file():
            if written is None:
                raise ExtractorFailed(name, "graphify wrote no graph.json", by_hand)
            candidate = Path(away) / "graph.json"
            candidate.write_bytes(written)
        try:
            structure.read_graphify(candidate, root=root)
        except structure.StructureError as error:
            reason = str(error).replace(str(candidate), "its graph.json")
            raise ExtractorFailed(name, f"graphify wrote what cannot be used: {reason}", by_hand) from error
        content = candidate.read_bytes()
    if folder.is_symlink():
        raise ExtractorFailed(name, f"graphify made a link of {folder}", "remove the link")
    temporary = target.with_name(f".graph.json.{os.getpid()}.tmp")
    created = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if created and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        raise ExtractorFailed(name, f"{target} cannot be written: {error.strerror}", "check its permissions") from error


def _last_line(printed: Path) -> str:
    """The end of what a command printed, as part of a sentence; secrets are replaced."""
    from loci.episodes import redact

    with printed.open("rb") as file:
        file.seek(max(0, printed.stat().st_size - 4096))
        text = redact(file.read().decode("utf-8", "replace"))
    said = [line.strip() for line in text.splitlines() if line.strip()]
    return f": {said[-1][:200]}" if said else ""


def _read_new(target: Path, started: int, old: bytes | None) -> bytes | None:
    """A graph.json that was written since `started`, None for another."""
    try:
        if target.stat().st_mtime_ns < started - 2_000_000_000:
            return None
        content = target.read_bytes()
    except OSError:
        return None
    return None if content == old else content


def _take_away(folder: Path, before: set[Path] | None, target: Path, old: bytes | None) -> None:
    """Removes what a run left in the project and was not there before it, and puts an older graph back."""
    if not folder.is_dir() or folder.is_symlink():
        return
    for path in folder.iterdir():
        if before is not None and path in before:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    if old is not None and (not target.exists() or target.read_bytes() != old):
        target.write_bytes(old)
    if before is None and not any(folder.iterdir()):
        folder.rmdir()
