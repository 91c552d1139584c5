"""Graphs that other tools made: graphify's `graph.json` and SCIP's `index.scip`, read into graphs of the same form."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _kernel
from ._errors import ForeignUnreadable, StructureError, kernel_errors
from ._graph import Graph
from ._one_graph import OneGraph
from ._protocol import Project

GRAPHIFY_GRAPH = "graphify-out/graph.json"
SCIP_INDEX = "index.scip"

MOST_BYTES = 1 << 30
"""Larger files are refused; the largest graph of the benchmark's repositories has 90 MB."""

KNOWN_SCHEMA = 1
"""The newest `schema_version` of graphify that was looked at (in 0.9.96)."""

RELATIONS = {
    "method": "contains",
    "imports_from": "imports",
    "re_exports": "imports",
    "uses": "references",
    "extends": "inherits",
}
"""graphify's words that say what one of loci's says; its other words stay as they are."""


@dataclass(frozen=True)
class Foreign:
    """A graph that another tool made, as it was read.

    Attributes:
        graph: what it says, open.
        file: name of the graph file written, "" where none was asked for.
        bytes: its size.
        state: hash of the file it was read from.
        commit: the commit it was made at, where the tool says so.

    """

    graph: Graph
    file: str
    bytes: int
    state: str
    commit: str | None


def foreign_signature() -> str:
    """Signature of the rules by which files of other tools are read; a graph file of another one is made anew."""
    return _kernel.foreign_signature()


def read_scip(path: str | Path, *, root: str | Path, directory: str | Path | None = None) -> Foreign:
    """The graph of an SCIP index, as compilers see the project.

    The project's files are read beside it, since an index holds no text: a name followed by ``(`` is a call. Files that
    changed since the index was made are left out, and ``graph.notes`` says how many. Every relation is ``compiler``.

    Args:
        path: the ``index.scip``.
        root: the directory its paths are relative to.
        directory: where a graph file goes; None for none.

    Raises:
        ForeignUnreadable: the bytes are no whole SCIP index, or it is no file of the project.
        GraphMissing: there is no such file.
        OSError: it cannot be read.

    """
    path = Path(path)
    if trouble := _no_file_of(path, Path(root)):
        raise ForeignUnreadable(f"{path} cannot be read: {trouble}")
    try:
        with kernel_errors():
            graph, file, size = _kernel.scip_graph(path, Path(root), None if directory is None else Path(directory))
    except StructureError:
        raise
    except ValueError as error:
        raise ForeignUnreadable(f"{error}; its indexer writes it anew") from None
    return Foreign(Graph(graph), file, size, graph.fingerprint, None)


def read_graphify(path: str | Path, *, root: str | Path | None = None, directory: str | Path | None = None) -> Foreign:
    """The graph that graphify wrote, traversed in this process.

    Nodes without a file (names from outside) are left out. A ``rationale`` node is the documentation of the node it
    stands for. A relation's word is graphify's own but for a few that loci has too; how it was resolved is graphify's
    confidence, ``graphify:extracted``, ``graphify:inferred`` or ``graphify:ambiguous``, which stands for all others.
    What is no word where one belongs is not taken over. The file itself is only read: fields that loci does not know
    stay in it, and :func:`graphify_node` gives them.

    Args:
        path: the ``graph.json``.
        root: the project; absolute paths below it are made relative to it.
        directory: where a graph file goes; None for none.

    Raises:
        ForeignUnreadable: it is no JSON, cut off, or no graph, or it is no file of the project.
        FileNotFoundError: there is no such file.
        OSError: it cannot be read.

    """
    path = Path(path)
    if trouble := _no_file_of(path, None if root is None else Path(root)):
        raise ForeignUnreadable(f"{path} cannot be read: {trouble}")
    content, data = _json(path)
    nodes, links = _parts(path, data)
    reader = _Graphify(nodes, links, None if root is None else Path(root))
    state = hashlib.blake2b(content, digest_size=16).hexdigest()
    commit = data.get("built_at_commit")
    about = data.get("graph")
    about = about if isinstance(about, dict) else {}
    version = _text(data.get("graphify_version") or about.get("graphify_version") or "")
    version = version if _VERSION.fullmatch(version) else ""
    notes = [f"by graphify {version}".strip()]
    schema = data.get("schema_version", about.get("schema_version"))
    if isinstance(schema, int) and schema > KNOWN_SCHEMA:
        notes.append(f"its schema {schema} is newer than the one loci knows ({KNOWN_SCHEMA}): some of it may be missed")
    if reader.outside:
        notes.append(f"{reader.outside} names from outside are left out")
    with kernel_errors():
        graph, file, size = _kernel.foreign_graph(
            "graphify",
            state,
            notes,
            reader.symbols(),
            reader.edges(),
            None if directory is None else Path(directory),
        )
    is_commit = isinstance(commit, str) and _COMMIT.fullmatch(commit)
    return Foreign(Graph(graph), file, size, state, commit if is_commit else None)


def graphify_node(path: str | Path, identity: str) -> dict[str, Any] | None:
    """A node of a ``graph.json`` with all its fields as graphify wrote them, None where there is none of that ``id``.

    Raises what :func:`read_graphify` raises.
    """
    path = Path(path)
    nodes, _ = _parts(path, _json(path)[1])
    return next((node for node in nodes if _text(node.get("id")) == identity), None)


def _bad(path: Path, detail: str) -> ForeignUnreadable:
    return ForeignUnreadable(f"{path} cannot be read: {detail}; `graphify update .` writes it anew")


def _no_file_of(path: Path, root: Path | None) -> str:
    """Why `path` is not opened, "" where it may be or is not there: a named pipe would never end."""
    if path.exists() and not path.is_file():
        return "it is no file"
    if root is not None and path.is_relative_to(root) and not path.resolve().is_relative_to(root.resolve()):
        return "it leads out of the project by a link"
    return ""


def _json(path: Path) -> tuple[bytes, dict[str, Any]]:
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise _bad(path, "it has more than 1 GB")
    try:
        data = json.loads(content)
    except ValueError as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise _bad(path, f"it is cut off or no JSON{where}") from error
    except RecursionError as error:
        raise _bad(path, "it is nested too deeply") from error
    if not isinstance(data, dict):
        raise _bad(path, "it is no graph: an object with nodes and links is expected")
    return content, data


def _parts(path: Path, data: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    nodes, links = data.get("nodes"), data.get("links", data.get("edges"))
    if not isinstance(nodes, list) or not isinstance(links, list):
        raise _bad(path, "it is no graph: it has no lists of nodes and links")
    if not all(isinstance(node, dict) and "id" in node for node in nodes):
        raise _bad(path, "it is no graph of graphify: a node has no id")
    if not all(isinstance(link, dict) and "source" in link and "target" in link for link in links):
        raise _bad(path, "it is no graph of graphify: a link has no ends")
    return nodes, links


_LINE = re.compile(r"L?(\d{1,9})")
_WORD = re.compile(r"[A-Za-z]?[a-z_ -]{1,39}")
_VERSION = re.compile(r"\d[\w.+-]{0,23}", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_CONFIDENCES = ("extracted", "inferred")
"""What may stand where no text passes the redactor. Any other text could be a secret."""


def _text(value: object) -> str:
    """As text that can be written: JSON may hold half of a character."""
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _word(value: object, otherwise: str) -> str:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else otherwise


def _line(place: object) -> int:
    found = _LINE.match(place) if isinstance(place, str) else None
    return max(1, int(found.group(1))) if found else 1


class _Graphify:
    """Nodes and links in the kernel's form."""

    def __init__(self, nodes: list[dict[str, Any]], links: list[dict[str, Any]], root: Path | None) -> None:
        self.root = root
        self.outside = 0
        self.paths: dict[str, str] = {}
        self.nodes: dict[str, dict[str, Any]] = {}
        for node in nodes:
            path = self._path(node.get("source_file"))
            key = _text(node["id"])
            if path is None:
                self.outside += 1
            elif key not in self.nodes:
                self.nodes[key] = node
                self.paths[key] = path
        self.links: list[tuple[str, str, str, dict[str, Any]]] = []
        for link in links:
            # Up to 0.5 the ends stand in any order, and these two say which is which.
            source, target = _text(link.get("_src", link["source"])), _text(link.get("_tgt", link["target"]))
            if source in self.nodes and target in self.nodes:
                self.links.append((source, target, _word(link.get("relation"), "related_to"), link))
        self.parents: dict[str, str] = {}
        self.documentation: dict[str, str] = {}
        explains: defaultdict[str, set[str]] = defaultdict(set)
        self.types: set[str] = set()
        for source, target, relation, _ in self.links:
            if relation in ("contains", "method"):
                self.parents.setdefault(target, source)
                if relation == "method":
                    self.types.add(source)
            if relation == "inherits":
                self.types |= {source, target}
            if relation == "rationale_for":
                explains[source].add(target)
        # A sentence uses and calls nothing, though versions before 0.7 say so.
        self.folded = {key for key in explains if self.nodes[key].get("file_type") == "rationale"}
        for key in sorted(self.folded):
            for target in sorted(explains[key]):
                self.documentation.setdefault(target, _text(self.nodes[key].get("label") or ""))

    def _path(self, written: object) -> str | None:
        if not isinstance(written, str) or not written.strip():
            return None
        path = _text(written).replace("\\", "/")
        if self.root is not None and path.startswith("/"):
            for root in (self.root, self.root.resolve()):
                if path.startswith(f"{root.as_posix()}/"):
                    path = path[len(root.as_posix()) + 1 :]
                    break
        path = posixpath.normpath(path)
        return None if path.startswith(("/", "../")) or path in (".", "..") or re.match(r"[A-Za-z]:", path) else path

    def symbols(self) -> list[tuple[str, str, str, str, str, int, tuple[int, int], str, str, str]]:
        """As `_kernel.foreign_graph` takes them."""
        made = []
        for key, node in self.nodes.items():
            if key in self.folded:
                continue
            path, label = self.paths[key], _text(node.get("label") or key)
            line = _line(node.get("source_location"))
            kind = self._kind(key, node, label, path)
            parent = self.parents.get(key, "")
            container = ""
            if kind == "method" and parent:
                container = _bare(_text(self.nodes[parent].get("label") or parent))
            made.append(
                (
                    key,
                    _bare(label),
                    container,
                    kind,
                    path,
                    line,
                    (line, line),
                    parent,
                    "",
                    self.documentation.get(key, ""),
                )
            )
        return made

    def _kind(self, key: str, node: Mapping[str, Any], label: str, path: str) -> str:
        sort = node.get("file_type")
        if sort not in ("code", None, ""):
            return _word(sort, "symbol")
        if label == posixpath.basename(path) or label == path:
            return "file"
        if label.endswith("()"):
            return "method" if label.startswith(".") else "function"
        for field in ("node_kind", "type"):
            if word := _word(node.get(field), ""):
                return word
        return "class" if node.get("_callable_class") or key in self.types else "symbol"

    def edges(self) -> list[tuple[str, str, str, str, int]]:
        """As `_kernel.foreign_graph` takes them. What contains what is told by the parents."""
        made = []
        for source, target, word, link in self.links:
            relation = RELATIONS.get(word, word)
            if relation == "contains" or source in self.folded or target in self.folded:
                continue
            confidence = _text(link.get("confidence") or "extracted").lower()
            confidence = confidence if confidence in _CONFIDENCES else "ambiguous"
            place = link.get("source_location") or self.nodes[source].get("source_location")
            made.append((source, target, relation, f"graphify:{confidence}", _line(place)))
        return made


def _bare(label: str) -> str:
    name = label.strip().removesuffix("()")
    return name[1:] if name.startswith(".") and len(name) > 1 and label.endswith("()") else name or label


class _FromFile(OneGraph):
    """What both backends do: read the file of a project when it is first asked about, again when it changed."""

    name: str
    file: str

    def __init__(self, read: Callable[[Path, Path], Graph]) -> None:
        self._read = read
        self._open: dict[Path, tuple[tuple[int, int], Graph]] = {}

    def graph(self, project: Project) -> Graph | None:
        """The graph of a project, None where its directory has no file of this tool.

        Raises `ForeignUnreadable`, `OSError`.
        """
        if project.root is None:
            return None
        path = project.root / self.file
        try:
            found = path.stat()
        except FileNotFoundError:
            return None
        stamp = (found.st_mtime_ns, found.st_size)
        known = self._open.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        graph = self._read(path, project.root)
        self._open[path] = (stamp, graph)
        return graph

    def maker(self, graph: Graph) -> str:
        """The file, and what the tool says of itself."""
        return f"{self.file}, {'; '.join(graph.notes)}"


class Scip(_FromFile):
    """Answers from the ``index.scip`` in a project's directory, where there is one.

    >>> from pathlib import Path
    >>> from loci.structure import Project, Scip
    >>> Scip().sources(Project("shop", Path("no such directory")))
    []
    """

    name = "scip"
    file = SCIP_INDEX

    def __init__(self) -> None:
        """Opens nothing yet."""
        super().__init__(lambda path, root: read_scip(path, root=root).graph)


class Graphify(_FromFile):
    """Answers from the ``graphify-out/graph.json`` in a project's directory, where there is one. Runs nothing.

    >>> from pathlib import Path
    >>> from loci.structure import Graphify, Project
    >>> Graphify().sources(Project("shop", Path("no such directory")))
    []
    """

    name = "graphify"
    file = GRAPHIFY_GRAPH

    def __init__(self) -> None:
        """Opens nothing yet."""
        super().__init__(lambda path, root: read_graphify(path, root=root).graph)
