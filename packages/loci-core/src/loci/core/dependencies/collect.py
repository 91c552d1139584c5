"""What one project says of names from outside: its own, and those it mentions.

Manifests are parsed (`manifests`); imports, lock files and commands are lines that match a pattern, found by the
kernel in every file that git lists. Both are tables here, so that a language more is a row more.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loci.core.dependencies.languages import count_languages
from loci.core.dependencies.manifests import (
    LONGEST_NAME,
    Reference,
    ReferenceKind,
    Signboard,
    image_name,
    is_manifest,
    normal,
    read_manifest,
)
from loci.core.dependencies.ordinary import words

if TYPE_CHECKING:
    from loci.core.home.registry import Registered
    from loci.episodes import LineFinder, LineRule

MANIFEST_BYTES = 1_000_000  # A manifest beyond this is no manifest a person wrote.
LOCK_BYTES = 32_000_000
PLACES = 3  # Kept of each mention, best first.
PROBLEMS_KEPT = 20

# Names declared below one of these are names of an example or a test, not of the project.
APART = words(
    """
    test tests testing __tests__ spec specs e2e fixture fixtures testdata test-data test_data mock mocks __mocks__
    example examples sample samples demo demos playground playgrounds template templates starter starters bench
    benches benchmark benchmarks fuzz internal doc docs website site tutorial tutorials
    """
)
# Directories beside a Python package that are not what it is imported as.
_NO_PACKAGE = APART | words("scripts tools build dist src lib python setup conftest ci utils_tests")


@dataclass(frozen=True)
class Row:
    """One pattern: what its matches are, and how the text becomes names."""

    kind: ReferenceKind
    ecosystem: str
    read: Callable[[str], Iterable[str]]
    rule: LineRule


@dataclass
class Collected:
    """What was collected from one project; see `Coverage` for what could not be."""

    boards: list[Signboard] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    coverage: dict[str, Any] = field(default_factory=dict)


def _itself(text: str) -> list[str]:
    return [text]


def _python_imports(text: str) -> Iterator[str]:
    for part in text.split(","):
        yield part.strip().split(" ")[0].split(".")[0]


def _npm(text: str) -> list[str]:
    parts = text.split("/")
    return ["/".join(parts[:2]) if text.startswith("@") else parts[0]]


def _ruby(text: str) -> list[str]:
    parts = text.split("/")
    # "net-http" is required as "net/http" as well as "net-http".
    return [parts[0], *(["-".join(parts)] if len(parts) > 1 else [])]


def _image(text: str) -> list[str]:
    name = image_name(text)
    return [name] if name else []


def _git(text: str) -> list[str]:
    from loci.core.home.git import remote_path

    place = remote_path(text)
    return [place.lower()] if place else []


def _workflow(text: str) -> list[str]:
    return [f"github.com/{text.lower()}"]


_WORD = r"[A-Za-z][\w.+-]*"
_END = r"(?:[ \t\r\n;|&)<>`]|$)"
_VARIABLES = r"(?:\w+=\S*[ \t]+)*"
_SHELL = (".sh", ".bash", ".zsh", ".fish", ".ksh")
_SHELL_NAMES = (
    ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".aliases",
    ".exports", ".functions", "zshrc", "bashrc", "config.fish", ".envrc", ".xinitrc",
)  # fmt: skip
_SHELLS = ("sh", "bash", "zsh", "fish", "dash", "ksh")
_JAVASCRIPT = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".astro")
_C = (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh")
_JVM = (".java", ".kt", ".kts", ".scala", ".groovy")
_YAML = (".yml", ".yaml")
_DOCKERFILES = ("dockerfile", "containerfile")
_CLONE = r"git[ \t]+clone[ \t]+(?:--?[\w=.-]+[ \t]+(?:\d+[ \t]+)?)*['\"]?((?:https?://|git@|ssh://)[^\s'\"]+)"


@cache
def rows() -> tuple[Row, ...]:
    """Every pattern there is."""
    from loci.episodes import LineRule, lock_files

    def row(
        kind: ReferenceKind, ecosystem: str, read: Callable[[str], Iterable[str]], pattern: str, **where: Any
    ) -> Row:
        return Row(kind, ecosystem, read, LineRule(pattern, **where))

    def lock(form: str, pattern: str) -> Row:
        files = [each for each in lock_files() if each.format == form]
        (ecosystem,) = {each.ecosystem for each in files}
        return row("locked", ecosystem, _itself, pattern, names=tuple(each.name.lower() for each in files))

    def command(pattern: str, **where: Any) -> Row:
        return row("command", "", _itself, pattern, **where)

    return (
        row(
            "import", "pypi", _python_imports,
            r"^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b)",
            endings=(".py", ".pyi"), interpreters=("python",),
        ),
        row(
            "import", "pypi", _python_imports,
            r"^[ \t]*import[ \t]+([A-Za-z_][\w.]*(?:[ \t]+as[ \t]+\w+)?"
            r"(?:[ \t]*,[ \t]*[A-Za-z_][\w.]*(?:[ \t]+as[ \t]+\w+)?)*)",
            endings=(".py", ".pyi"), interpreters=("python",),
        ),
        row(
            "import", "npm", _npm,
            r"(?:\bfrom|\brequire[ \t]*\(|\bimport[ \t]*\(|^[ \t]*import)[ \t]*['\"]([A-Za-z@][\w@./-]*)['\"]",
            endings=_JAVASCRIPT, interpreters=("node",),
        ),
        row(
            "import", "go", _itself,
            r'^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w-]+(?:\.[\w-]+)+/[\w./~-]+)"[ \t]*(?://.*)?\r?$',
            endings=(".go",),
        ),
        row(
            "import", "crates", _itself,
            r"^[ \t]*(?:pub(?:\([\w:]+\))?[ \t]+)?(?:use|extern[ \t]+crate)[ \t]+(?:::)?([a-z]\w*)",
            endings=(".rs",),
        ),
        row(
            "import", "maven", _itself, r"^[ \t]*import[ \t]+(?:static[ \t]+)?([a-z]\w*(?:\.\w+)+)", endings=_JVM
        ),
        row("import", "rubygems", _ruby, r"^[ \t]*require[ \t(]+['\"]([\w./-]+)['\"]",
            endings=(".rb", ".rake", ".gemspec"), names=("rakefile", "gemfile"), interpreters=("ruby",)),
        row("import", "packagist", _itself, r"^[ \t]*use[ \t]+(?:function[ \t]+)?\\?([A-Z]\w*(?:\\\w+)+)",
            endings=(".php",)),
        row("import", "nuget", _itself,
            r"^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?([A-Z]\w*(?:\.\w+)*)[ \t]*;",
            endings=(".cs", ".fs")),
        # Lock files, by the format that the kernel's table gives them
        lock("package-lock", r'^\s*"node_modules/(?:[^"]*node_modules/)?((?:@[^/"]+/)?[^/"]+)"\s*:'),
        lock("yarn", r'^"?((?:@[^/@"\s]+/)?[^@/"\s#]+)@'),
        lock("pnpm", r"^  ['\"]?/?((?:@[^/@'\"]+/)?[^/@'\":\s]+)[@/]\d"),
        lock("bun", r'^    "((?:@[^/"]+/)?[^/"]+)": \['),
        lock("cargo", r'^name = "([^"]+)"'),
        lock("poetry", r'^name = "([^"]+)"'),
        lock("pipfile", r'^\s+"([A-Za-z0-9][\w.-]*)": \{'),
        lock("go.sum", r"^(\S+) v\S+ h1:"),
        lock("bundler", r"^    ([\w.-]+) \("),
        lock("composer", r'^\s+"name": "([\w.-]+/[\w.-]+)"'),
        lock("mix", r'^\s*"(\w+)": \{:hex'),
        lock("nuget", r'^\s+"([\w.]+)": \{'),
        # Commands that are run
        command(r"\bwhich\([ \t]*['\"]([\w.+-]+)['\"]", endings=(".py",), interpreters=("python",)),
        command(
            r"(?:\bsubprocess\.(?:run|call|check_call|check_output|Popen|getoutput)|\bos\.(?:system|popen|exec[lv]\w*|"
            r"spawn[lv]\w*)|\b(?:Popen|check_output|check_call|create_subprocess_exec|create_subprocess_shell)|"
            rf"\brun(?:\([ \t\r\n]*\[))\(?[ \t\r\n]*\[?[ \t\r\n]*f?['\"]({_WORD})(?:['\"]|[ \t])",
            endings=(".py",), interpreters=("python",),
        ),
        command(
            r"(?:(?:^|[^.\w])exec|\b(?:spawn|spawnSync|execSync|execFile|execFileSync|execa|execaSync|execaCommand))"
            rf"\([ \t\r\n]*['\"`]({_WORD})(?:['\"`]|[ \t])",
            endings=_JAVASCRIPT,
        ),
        command(rf"\$`({_WORD})[` \t]", endings=_JAVASCRIPT),
        command(r'exec\.(?:Command|LookPath|CommandContext)\((?:[^,"\n]+,)?[ \t\r\n]*"([\w.+-]+)"', endings=(".go",)),
        command(r'\bCommand::new\([ \t\r\n]*"([\w.+-]+)"', endings=(".rs",)),
        command(r'(?:\bnew ProcessBuilder|\bgetRuntime\(\)\.exec)\([ \t\r\n]*"([\w.+-]+)[" ]', endings=_JVM),
        command(rf"\b(?:system|exec|spawn|Open3\.\w+|IO\.popen)[ (]+\[?['\"]({_WORD})(?:['\"]|[ \t])",
                endings=(".rb", ".rake"), names=("rakefile",), interpreters=("ruby",)),
        command(r"\b(?:exec|shell_exec|system|passthru|proc_open|popen)\(['\"]([\w.+-]+)", endings=(".php",)),
        command(r'\b(?:exec[lv]p|system|popen)\("([\w.+-]+)', endings=_C),
        command(r"\b(?:os\.execute|io\.popen|system|executable)\([ \t]*[\[{]?[ \t]*['\"]([\w.+-]+)",
                endings=(".lua", ".vim")),
        command(r'\bSystem\.cmd\("([\w.+-]+)"', endings=(".ex", ".exs")),
        command(
            rf"(?:^|[;&|(`]|\b(?:then|do|else|sudo|exec|env|command -v|type -P|which|nohup|time|xargs|hash)[ \t])[ \t]*"
            rf"{_VARIABLES}({_WORD}){_END}",
            endings=_SHELL, names=_SHELL_NAMES, interpreters=_SHELLS,
        ),
        command(rf"\balias[ \t]+(?:-\w+[ \t]+)?[\w.:-]+[= ]['\"]?({_WORD})",
                endings=_SHELL, names=_SHELL_NAMES, interpreters=_SHELLS),
        command(r"^[ \t]*brew[ \t]+['\"](?:[\w-]+/[\w-]+/)?([\w.+-]+)['\"]", names=("brewfile", ".brewfile")),
        command(rf"^[ \t]+[@+-]*[ \t]*{_VARIABLES}({_WORD}){_END}",
                endings=(".mk",), names=("makefile", "gnumakefile", "justfile", ".justfile")),
        command(rf"^(?:RUN|CMD|ENTRYPOINT)[ \t]+(?:--\S+[ \t]+)*\[?[ \t]*['\"]?({_WORD})",
                endings=(".dockerfile",), names=_DOCKERFILES),
        command(rf"&&[ \t]*({_WORD})", endings=(".dockerfile",), names=_DOCKERFILES),
        command(rf"^[ \t-]*run:[ \t]*({_WORD}){_END}", endings=_YAML, below=".github/"),
        command(rf"^[ \t]{{6,}}({_WORD})[ \t]", endings=_YAML, below=".github/"),
        # Repositories and images
        row("workflow", "", _workflow, r"\buses:[ \t]*['\"]?([\w.-]+/[\w.-]+)(?:/[\w./-]+)?@",
            endings=_YAML, below=".github/"),
        row("workflow", "", _workflow, r"\buses:[ \t]*['\"]?([\w.-]+/[\w.-]+)(?:/[\w./-]+)?@",
            names=("action.yml", "action.yaml")),
        row("git", "", _git, r"^[ \t-]*repo:[ \t]*['\"]?((?:https?://|git@)[^\s'\"]+)",
            names=(".pre-commit-config.yaml", ".pre-commit-config.yml")),
        row("git", "", _git, _CLONE, endings=(*_SHELL, *_YAML, ".dockerfile", ".mk"),
            names=(*_SHELL_NAMES, *_DOCKERFILES, "makefile"), interpreters=_SHELLS),
        row("image", "", _image, r"^[ \t]*FROM[ \t]+(?:--platform=\S+[ \t]+)?([\w./:@-]+)",
            endings=(".dockerfile",), names=_DOCKERFILES),
        row("image", "", _image, r"^[ \t-]*image:[ \t]*['\"]?([\w./:@-]+)", endings=_YAML),
    )  # fmt: skip


# Patterns whose matches are no mentions but say something of the project itself.
_PACKAGE = r"^[ \t]*package[ \t]+([a-z]\w*(?:\.\w+)+)"
_PUBLISHED = r"^[ \t]*(?:images|tags):[ \t]*\|?[ \t\r\n]*['\"]?((?:ghcr\.io/)?[\w.-]+/[\w./-]+)"

# Source whose imports no pattern reads, by language.
NOT_READ = {
    "C and C++": _C,
    "Clojure": (".clj", ".cljs"),
    "Dart": (".dart",),
    "Elixir": (".ex", ".exs"),
    "Erlang": (".erl",),
    "Haskell": (".hs",),
    "Julia": (".jl",),
    "Lua": (".lua",),
    "Nix": (".nix",),
    "OCaml": (".ml", ".mli"),
    "Objective-C": (".m", ".mm"),
    "Perl": (".pl", ".pm"),
    "R": (".r",),
    "Swift": (".swift",),
    "Zig": (".zig",),
}


@cache
def finder() -> LineFinder:
    """The patterns, compiled."""
    from loci.episodes import LineFinder, LineRule

    extra = [LineRule(_PACKAGE, endings=_JVM), LineRule(_PUBLISHED, endings=_YAML, below=".github/")]
    return LineFinder([*(row.rule for row in rows()), *extra])


@cache
def rules_signature() -> str:
    """Changes whenever other rules would collect something else."""
    from loci.episodes import languages, lock_files, manifests

    digest = hashlib.sha256()
    for module in ("collect", "languages", "manifests"):
        # The rules are this code: a release that changes it reads every project once more.
        digest.update(Path(__file__).with_name(f"{module}.py").read_bytes())
    digest.update(repr((manifests(), lock_files(), sorted(languages().items()))).encode())
    return digest.hexdigest()[:16]


def collect(scope: Registered, reading: Mapping[str, Any]) -> Collected:
    """Everything one project says of names from outside; `reading` as `Registry.reading` gives it.

    Raises `EpisodesError` for a directory that is no readable repository.
    """
    policy = {**reading.get("policy", {}), "lock_files": [], "max_file_bytes": LOCK_BYTES}
    lines = finder().find(
        scope.repository_root,
        exclude=reading.get("exclude", ()),
        subtree=reading.get("subtree", ""),
        # What is a project of its own says its own names, not those of the repository around it.
        apart=reading.get("apart", ()),
        policy=policy,
        places=PLACES,
    )
    result = Collected()
    problems: list[tuple[str, str]] = list(lines.unreadable)
    if scope.remote and not scope.subtree:  # a package shares it with its repository, which it names
        result.boards.append(Signboard("repository", "", scope.remote.lower(), ".git/config", 0))
    hidden_paths = _secrets_among(path for path, _ in lines.files)
    files = [(path, size) for path, size in lines.files if path not in hidden_paths]
    manifests = [(path, size) for path, size in files if is_manifest(path)]
    paths = {path for path, _ in files}
    for path, size in manifests:
        if size > MANIFEST_BYTES:
            problems.append((path, "too large to be a manifest"))
            continue
        text = _read(scope.path / path)
        if text is None:
            problems.append((path, "could not be read"))
            continue
        declared = read_manifest(path, text)
        if not is_apart(path):  # a test's manifest may be broken on purpose
            problems += [(path, problem) for problem in declared.problems]
        result.references += declared.references
        if not is_apart(path):
            result.boards += declared.boards
    result.references += _not_in(hidden_paths, _found(lines.matches))
    result.boards += _placed(result.boards, paths)
    result.boards += _from_lines(lines.matches, result.boards)
    result.boards = [each for each in result.boards if each.path not in hidden_paths]
    result.boards = _named_once(result.boards)
    result.references = _merged(result.references)
    result.modules = sorted(_python_modules(paths))
    endings = Counter(path[path.rfind(".") :].lower() for path in paths if "." in path)
    result.boards, result.references, hidden = _without_secrets(result.boards, result.references)
    result.coverage = {
        "manifests": len(manifests),
        "searched": sum(count for ending, count in endings.items() if ending in _SEARCHED),
        "not_read": _not_read(endings),
        "languages": count_languages(endings),
        "problems": [[path, reason] for path, reason in problems[:PROBLEMS_KEPT]],
        "unreadable": len(problems),
        **({"hidden": hidden} if hidden else {}),
    }
    return result


def is_apart(path: str) -> bool:
    """Whether a manifest at `path` is that of a test, an example or a page about the project."""
    return any(
        part in APART or part.startswith(("template-", "example-", "test-", "fixture-"))
        for part in path.lower().split("/")[:-1]
    )


def _read(path: Path) -> str | None:
    try:
        # Listed as a regular file; if something else took its place since, it is not followed.
        if path.is_symlink() or not path.is_file():
            return None
        return path.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError:
        return None


def _found(matches: Iterable[Any]) -> Iterator[Reference]:
    table = rows()
    for match in matches:
        if match.rule >= len(table):
            continue
        row = table[match.rule]
        for name in row.read(match.text):
            if 1 < len(name) <= LONGEST_NAME:
                name = normal(row.ecosystem, name) if row.kind != "import" or row.ecosystem == "go" else name
                yield Reference(row.kind, row.ecosystem, name, tuple((p, n) for p, n in match.places), match.files)


def _not_in(paths: Collection[str], references: Iterable[Reference]) -> Iterator[Reference]:
    """Without the places in these files, and without what has no other."""
    for each in references:
        places = tuple(place for place in each.places if place[0] not in paths)
        if places:
            yield replace(each, places=places)


def _merged(references: Iterable[Reference]) -> list[Reference]:
    """One of each name and kind; places are those of the first mentions, without duplicates."""
    by_key: dict[tuple[str, str, str], tuple[list[tuple[str, int]], int]] = {}
    for each in references:
        places, files = by_key.get((each.kind, each.ecosystem, each.name), ([], 0))
        # A file that several of them stand in counts once, as far as their places tell.
        twice = len({path for path, _ in places} & {path for path, _ in each.places})
        by_key[each.kind, each.ecosystem, each.name] = (places + list(each.places), files + each.files - twice)
    merged = []
    for (kind, ecosystem, name), (places, files) in by_key.items():
        unique = list(dict.fromkeys(places))
        unique.sort(key=lambda place: is_apart(place[0]))  # stable: what the project itself is made of comes first
        merged.append(Reference(kind, ecosystem, name, tuple(unique[:PLACES]), files))  # type: ignore[arg-type]
    return sorted(merged, key=lambda each: (each.kind, each.ecosystem, each.name))


def _named_once(boards: Iterable[Signboard]) -> list[Signboard]:
    """One of each name; the one nearest to the root, a published one before a private one."""
    best: dict[tuple[str, str, str], Signboard] = {}
    for board in sorted(boards, key=lambda b: (b.private, b.path.count("/"), b.path, b.line)):
        best.setdefault((board.kind, board.ecosystem, board.name), board)
    return sorted(best.values(), key=lambda b: (b.kind, b.ecosystem, b.name))


def _placed(boards: Sequence[Signboard], paths: set[str]) -> Iterator[Signboard]:
    """Names that follow from where files are: what a Python package is imported as, the programs of Go and Rust."""
    by_directory: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        directory, _, name = path.rpartition("/")
        by_directory[directory].add(name)

    def below(directory: str, *parts: str) -> str:
        return posixpath.join(directory, *parts) if directory else posixpath.join(*parts)

    children: dict[str, set[str]] = defaultdict(set)
    for directory in by_directory:
        while directory:
            parent, name = posixpath.split(directory)
            if name in children[parent]:
                break
            children[parent].add(name)
            directory = parent
    commands = {board.path for board in boards if board.kind == "command"}
    for board in boards:
        if board.kind != "distribution":
            continue
        directory = posixpath.dirname(board.path)
        if board.ecosystem == "pypi":
            yield from _imported_as(board, directory, by_directory, children, below)
        elif board.ecosystem == "crates":
            sources = by_directory.get(below(directory, "src"), set())
            if board.path not in commands and "main.rs" in sources:
                yield Signboard("command", "", board.name.replace("_", "-"), board.path, board.line, board.private)
            programs = below(directory, "src", "bin")
            for name in sorted(by_directory.get(programs, set())):
                if name.endswith(".rs"):
                    yield Signboard("command", "", name[:-3], below(programs, name), 1, board.private)
            for name in sorted(children.get(programs, set())):
                if "main.rs" in by_directory.get(below(programs, name), set()):
                    yield Signboard("command", "", name, below(programs, name, "main.rs"), 1, board.private)
        elif board.ecosystem == "go":
            last = [part for part in board.name.split("/") if not re.fullmatch(r"v\d+", part)][-1]
            if "main.go" in by_directory.get(directory, set()):
                yield Signboard("command", "", last, below(directory, "main.go"), 1)
            for name in sorted(children.get(below(directory, "cmd"), set())):
                if "main.go" in by_directory.get(below(directory, "cmd", name), set()):
                    yield Signboard("command", "", name, below(directory, "cmd", name, "main.go"), 1)


def _imported_as(
    board: Signboard,
    directory: str,
    by_directory: dict[str, set[str]],
    children: dict[str, set[str]],
    below: Callable[..., str],
) -> Iterator[Signboard]:
    module = board.name.replace("-", "_")
    for base in (below(directory, "src"), below(directory, "lib"), directory):
        packages = [
            name
            for name in sorted(children.get(base, set()))
            if name.lower() not in _NO_PACKAGE
            and name.isidentifier()
            and len(name) > 1
            and "__init__.py" in by_directory.get(posixpath.join(base, name), set())
        ]
        # Beside the package that has the distribution's name stand tests and tools; without one, all of them are it.
        packages = [name for name in packages if name.lower() == module] or packages
        for name in packages:
            yield Signboard("import", "pypi", name, posixpath.join(base, name, "__init__.py"), 0, board.private)
        if packages:
            return
        if f"{module}.py" in by_directory.get(base, set()):
            yield Signboard("import", "pypi", module, posixpath.join(base, f"{module}.py"), 0, board.private)
            return
    yield Signboard("import", "pypi", board.name.replace("-", "_"), board.path, board.line, board.private)


def _from_lines(matches: Iterable[Any], boards: Sequence[Signboard]) -> Iterator[Signboard]:
    """What Java packages have in common, and images that a workflow publishes."""
    first = len(rows())
    packages: list[tuple[str, str, int]] = []
    for match in matches:
        path, line = match.places[0]
        if match.rule == first and "/test/" not in f"/{path}" and not is_apart(path):
            packages.append((match.text, path, line))
        elif match.rule == first + 1 and (name := image_name(match.text)) and "/" in name:
            yield Signboard("image", "", name, path, line)
    if not packages or not any(board.ecosystem == "maven" for board in boards):
        return
    parts = packages[0][0].split(".")
    for text, _, _ in packages[1:]:
        other = text.split(".")
        common = 0
        while common < min(len(parts), len(other)) and parts[common] == other[common]:
            common += 1
        parts = parts[:common]
    if len(parts) >= 2:
        _, path, line = packages[0]
        yield Signboard("import", "maven", ".".join(parts), path, line)


def _python_modules(paths: Iterable[str]) -> set[str]:
    """What an import could mean inside the project itself: every directory and file that holds Python."""
    modules: set[str] = set()
    for path in paths:
        if path.endswith(".py"):
            *directories, name = path.split("/")
            modules.update(directories)
            modules.add(name[:-3])
    return modules


_SEARCHED = frozenset({".py", ".pyi", ".go", ".rs", ".rb", ".php", ".cs", ".fs", *_JAVASCRIPT, *_JVM, *_SHELL})


def _not_read(endings: Mapping[str, int]) -> dict[str, int]:
    """Source files in languages whose imports are not collected, by language, most first."""
    counts = {language: sum(endings.get(ending, 0) for ending in its) for language, its in NOT_READ.items()}
    return dict(sorted(((each, n) for each, n in counts.items() if n), key=lambda item: (-item[1], item[0])))


def _without_secrets(
    boards: list[Signboard], references: list[Reference]
) -> tuple[list[Signboard], list[Reference], int]:
    """A secret where a name belongs is kept nowhere."""
    from loci.episodes import redact

    names = sorted({each.name for each in (*boards, *references)})
    text = "\n".join(names)
    if redact(text) == text:
        return boards, references, 0
    bad = {name for name in names if redact(name) != name}
    if not bad:  # it takes several lines to look like one
        return boards, references, 0
    kept = [each for each in boards if each.name not in bad]
    return kept, [each for each in references if each.name not in bad], len(bad)


def _secrets_among(paths: Iterable[str]) -> set[str]:
    """The paths that hold a secret."""
    from loci.episodes import redact

    listed = list(paths)
    text = "\n".join(listed)
    return set() if redact(text) == text else {path for path in listed if redact(path) != path}


STANDARD_PYTHON = frozenset(sys.stdlib_module_names)
