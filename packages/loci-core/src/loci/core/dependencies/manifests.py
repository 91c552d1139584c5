"""What manifests say: the names a project is known by from outside, and what it declares to depend on.

A *signboard* is such a name with where it stands. Its ecosystem is part of it: a Python distribution `redis` and a
repository `redis` are two things, and only a name of the same ecosystem is the same name.

Every reader takes text and returns what it found; nothing is run, and a manifest that cannot be read is reported and
costs nothing else.
"""

from __future__ import annotations

import configparser
import json
import posixpath
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from loci.core.dependencies.ordinary import words

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # pyright: ignore[reportMissingImports] (only there on 3.10)

BoardKind = Literal["repository", "distribution", "import", "command", "image"]
ReferenceKind = Literal["dependency", "locked", "import", "path", "git", "submodule", "command", "workflow", "image"]
LONGEST_NAME = 200


@dataclass(frozen=True)
class Signboard:
    """One name from outside.

    `kind`: repository (host/owner/name), distribution, import, command or image. `ecosystem`: pypi, npm, crates, go,
    maven, rubygems, packagist, hex or nuget; "" for repositories, commands and images. `private`: declared as never
    published, so it is a name only inside its own repository. `path` and `line`: where it is declared; line 0 where a
    file's place declares it.
    """

    kind: BoardKind
    ecosystem: str
    name: str
    path: str
    line: int
    private: bool = False


@dataclass(frozen=True)
class Reference:
    """One mention of a name that may be another project's.

    `kind`: dependency (declared), locked (in a lock file), import, path or git (a dependency by place), submodule,
    command (a program that is run), workflow (`uses:`), image. `name`: in the spelling of its ecosystem; for a path,
    relative to the root of the repository; for git, host/owner/name. `places`: path and line, best first. `files`: how
    many files hold it.
    """

    kind: ReferenceKind
    ecosystem: str
    name: str
    places: tuple[tuple[str, int], ...]
    files: int = 1


@dataclass
class Declared:
    """What one manifest says. `problems`: what could not be understood in it."""

    boards: list[Signboard] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def normal(ecosystem: str, name: str) -> str:
    """The one spelling of a name that its ecosystem takes for the same.

    >>> normal("pypi", "Flask_SQLAlchemy"), normal("crates", "grep-searcher"), normal("npm", "@acme/pay")
    ('flask-sqlalchemy', 'grep_searcher', '@acme/pay')
    """
    if ecosystem == "pypi":
        return re.sub(r"[-_.]+", "-", name).lower()
    if ecosystem == "crates":
        return name.replace("-", "_").lower()
    if ecosystem in ("packagist", "nuget", "go"):
        return name.lower()
    return name


class _File:
    """A manifest while it is read: its text, and where in it something stands."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.directory = posixpath.dirname(path)
        self.declared = Declared()

    def line(self, name: str, after: str = "") -> int:
        """The first line on which `name` stands as a whole word, behind the first that holds `after`; 1 if none."""
        text = self.text
        start = max(text.find(after), 0) if after else 0
        found = first = text.find(name, start)
        while found >= 0:
            end = found + len(name)
            if (found == 0 or not _in_word(text[found - 1], "_.@/-")) and not _in_word(text[end : end + 1], "_/-"):
                return text.count("\n", 0, found) + 1
            found = text.find(name, end)
        return text.count("\n", 0, first) + 1 if first >= 0 else 1

    def board(
        self, kind: BoardKind, ecosystem: str, name: Any, line: int | None = None, *, private: bool = False
    ) -> None:
        if isinstance(name, str) and 0 < len(name.strip()) <= LONGEST_NAME and not re.search(r"\s", name.strip()):
            name = name.strip()
            place = self.line(name) if line is None else line
            # Namespaces of PHP and .NET keep their case in source, the names of their packages do not.
            spelt = name if kind == "import" and ecosystem in ("packagist", "nuget") else normal(ecosystem, name)
            self.declared.boards.append(Signboard(kind, ecosystem, spelt, self.path, place, private))

    def refer(self, kind: ReferenceKind, ecosystem: str, name: Any, line: int | None = None, after: str = "") -> None:
        if isinstance(name, str) and 0 < len(name.strip()) <= LONGEST_NAME and not re.search(r"\s", name.strip()):
            name = name.strip()
            place = self.line(name, after) if line is None else line
            self.declared.references.append(Reference(kind, ecosystem, normal(ecosystem, name), ((self.path, place),)))

    def refer_path(self, written: str, line: int) -> None:
        """A dependency by its place in the file system, as written in this file."""
        written = re.sub(r"^(?:file|link|portal|workspace):(?://)?", "", written.strip()).split("#")[0].split("?")[0]
        if written and not written.startswith(("*", "^", "~/")) and "://" not in written and len(written) <= 500:
            name = posixpath.normpath(posixpath.join(self.directory, written.replace("\\", "/")))
            self.declared.references.append(Reference("path", "", name, ((self.path, line),)))

    def refer_git(self, url: str, line: int) -> None:
        """A dependency by the address of its repository; credentials in it are not kept."""
        from loci.core.home.git import remote_path

        url = re.sub(r"^git\+", "", url.strip()).split("#")[0]
        url = re.sub(r"(?<=[\w/])@[\w.^~-]+$", "", url)
        short = re.fullmatch(r"(?:github:)?([\w.-]+/[\w.-]+)", url)
        place = f"github.com/{short[1]}" if short else remote_path(url)
        if place and len(place) <= LONGEST_NAME:
            self.declared.references.append(Reference("git", "", place.lower(), ((self.path, line),)))


def read_manifest(path: str, text: str) -> Declared:
    """What the manifest at `path` (from the root of the repository) says; empty for a file that is none."""
    file = _File(path, text)
    reader = _reader(path)
    if reader is None:
        return file.declared
    try:
        reader(file)
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        SyntaxError,
        MemoryError,
        configparser.Error,
        RecursionError,
    ) as error:
        # A manifest is the project's business; what went wrong in it is said and costs nothing else.
        reason = re.sub(r"\s+", " ", str(error))[:120] or type(error).__name__
        file.declared.problems.append(reason)
    return file.declared


def is_manifest(path: str) -> bool:
    """Whether `read_manifest` has something to say of a file of this name.

    >>> is_manifest("crates/core/Cargo.toml"), is_manifest("requirements/dev.txt"), is_manifest("src/main.rs")
    (True, True, False)
    """
    return _reader(path) is not None


@cache
def _readers() -> tuple[dict[str, _Reader], dict[str, _Reader], list[tuple[re.Pattern[str], _Reader]]]:
    """The readers by name, by ending and by pattern of the file name, as the kernel's table of manifests has them."""
    from loci.episodes import manifests

    by_name: dict[str, _Reader] = {}
    by_ending: dict[str, _Reader] = {}
    by_pattern: list[tuple[re.Pattern[str], _Reader]] = []
    for manifest in manifests():
        reader = _READERS.get(manifest.format)
        if reader is None:
            continue
        if manifest.name is not None:
            by_name[manifest.name] = reader
        elif manifest.ending is not None:
            by_ending[manifest.ending] = reader
        elif manifest.pattern is not None:
            by_pattern.append((re.compile(manifest.pattern), reader))
    return by_name, by_ending, by_pattern


def _reader(path: str) -> _Reader | None:
    # Asked of every file of every project, so the cheap tests come first.
    by_name, by_ending, by_pattern = _readers()
    name = path[path.rfind("/") + 1 :]
    ending = name[name.rfind(".") :] if "." in name else ""
    found = by_name.get(name) or by_ending.get(ending)
    if found is not None or ending not in (".txt", ".in", ".yml", ".yaml"):
        return found
    found = next((reader for pattern, reader in by_pattern if pattern.fullmatch(name)), None)
    if found is None and ending in (".txt", ".in") and posixpath.basename(posixpath.dirname(path)) == "requirements":
        return _requirements
    return found


# -- Python -----------------------------------------------------------------------------------------------------------


def _requirement(file: _File, text: Any, line: int | None = None, after: str = "") -> None:
    """One dependency specifier: `name[extra]>=1; marker`, or `name @ url`."""
    from packaging.requirements import InvalidRequirement, Requirement

    if not isinstance(text, str):
        return  # a table that includes another group
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return
    place = file.line(requirement.name, after) if line is None else line
    if requirement.url:
        if requirement.url.startswith("git+"):
            file.refer_git(requirement.url, place)
        elif requirement.url.startswith("file:"):
            file.refer_path(requirement.url, place)
    file.refer("dependency", "pypi", requirement.name, place)


def _pyproject(file: _File) -> None:
    data = tomllib.loads(file.text)
    project, poetry = _at(data, "project"), _at(data, "tool", "poetry")
    name = _at(project, "name") or _at(poetry, "name")
    private = any(
        "Private" in str(each) and "Do Not Upload" in str(each) for each in _list(_at(project, "classifiers"))
    )
    file.board("distribution", "pypi", name, private=private)
    for scripts in (_at(project, "scripts"), _at(project, "gui-scripts"), _at(poetry, "scripts")):
        for command in _dict(scripts):
            file.board("command", "", command)
    for text in _list(_at(project, "dependencies")):
        _requirement(file, text, after="dependencies")
    groups = [*_dict(_at(project, "optional-dependencies")).values(), *_dict(_at(data, "dependency-groups")).values()]
    for text in (text for group in groups for text in _list(group)):
        _requirement(file, text, after="dependenc")
    for text in _list(_at(data, "build-system", "requires")):
        _requirement(file, text, after="build-system")
    for text in _list(_at(data, "tool", "uv", "dev-dependencies")):
        _requirement(file, text, after="dev-dependencies")
    sources = _dict(_at(data, "tool", "uv", "sources"))
    tables = [_dict(_at(poetry, "dependencies")), _dict(_at(poetry, "dev-dependencies")), sources]
    tables += [_dict(_at(group, "dependencies")) for group in _dict(_at(poetry, "group")).values()]
    for table in tables:
        for key, value in table.items():
            if key.lower() == "python":
                continue
            if table is not sources:
                file.refer("dependency", "pypi", key, after="dependencies")
            for entry in _list(value) if isinstance(value, list) else [value]:
                _by_place(file, key, entry, after="sources" if table is sources else "dependencies")


def _by_place(file: _File, name: str, entry: Any, after: str = "") -> None:
    """The `path` and `git` keys that TOML manifests agree on."""
    if isinstance(entry, dict):
        if isinstance(entry.get("path"), str):
            file.refer_path(entry["path"], file.line(name, after))
        if isinstance(entry.get("git"), str):
            file.refer_git(entry["git"], file.line(name, after))


def _setup_cfg(file: _File) -> None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(file.text)
    file.board("distribution", "pypi", parser.get("metadata", "name", fallback=None))
    for line in parser.get("options.entry_points", "console_scripts", fallback="").splitlines():
        if "=" in line:
            file.board("command", "", line.split("=")[0])
    sections = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        sections += [value for _, value in parser.items("options.extras_require")]
    for text in (line.strip() for section in sections for line in section.splitlines()):
        if text and not text.startswith("#"):
            _requirement(file, text, after="require")


def _setup_py(file: _File) -> None:
    """Only what stands there literally; a setup.py is never run."""
    import ast
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in somebody's file is not our warning
        tree = ast.parse(file.text)
    constants = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def value(node: ast.expr) -> Any:
        if isinstance(node, ast.Name) and node.id in constants:
            node = constants[node.id]
        try:
            return ast.literal_eval(node)
        except (ValueError, SyntaxError, TypeError):
            return None

    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _callee(node) != "setup":
            continue
        given = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        if "name" in given and isinstance(name := value(given["name"]), str):
            file.board("distribution", "pypi", name, given["name"].lineno)
        points = value(given["entry_points"]) if "entry_points" in given else None
        for text in _list(_dict(points).get("console_scripts")):
            if isinstance(text, str) and "=" in text:
                file.board("command", "", text.split("=")[0])
        requirements = [] if "install_requires" not in given else _list(value(given["install_requires"]))
        if "extras_require" in given:
            requirements += [t for group in _dict(value(given["extras_require"])).values() for t in _list(group)]
        for text in requirements:
            if isinstance(text, str):
                _requirement(file, text, after="require")


def _callee(node: Any) -> str:
    function = node.func
    return getattr(function, "id", getattr(function, "attr", ""))


def _requirements(file: _File) -> None:
    for number, raw in enumerate(file.text.splitlines(), start=1):
        line = re.sub(r"(?:^|\s)#.*$", "", raw).strip().rstrip("\\").strip()
        editable = re.match(r"(?:-e|--editable)[ =]\s*(.+)$", line)
        target = editable[1].strip() if editable else line
        if target.startswith("git+"):
            file.refer_git(target, number)
        elif target.startswith(("./", "../", "file:")) or (editable and "://" not in target):
            file.refer_path(re.sub(r"\[.*\]$", "", target), number)
        elif line and not line.startswith("-"):
            _requirement(file, re.sub(r"\s+--hash=.*$", "", line), number)


def _pipfile(file: _File) -> None:
    data = tomllib.loads(file.text)
    for section in ("packages", "dev-packages"):
        for name, value in _dict(data.get(section)).items():
            file.refer("dependency", "pypi", name, after=f"[{section}]")
            _by_place(file, name, value, after=f"[{section}]")


# -- JavaScript -------------------------------------------------------------------------------------------------------


def _package_json(file: _File) -> None:
    data = json.loads(file.text)
    if not isinstance(data, dict):
        return
    name = data.get("name")
    private = data.get("private") is True
    file.board("distribution", "npm", name, private=private)
    file.board("import", "npm", name, private=private)
    commands = data.get("bin")
    if isinstance(commands, str) and isinstance(name, str):
        commands = {name.rsplit("/", 1)[-1]: commands}
    for command in _dict(commands):
        file.board("command", "", command, file.line(f'"{command}"', '"bin"') if command else None, private=private)
    for section in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        for key, value in _dict(data.get(section)).items():
            line = file.line(f'"{key}"', f'"{section}"')
            file.refer("dependency", "npm", key, line)
            if not isinstance(value, str):
                continue
            if value.startswith(("file:", "link:", "portal:", "./", "../")):
                file.refer_path(value, line)
            elif value.startswith(("git+", "git:", "github:", "git@")) or re.fullmatch(r"[\w.-]+/[\w.-]+", value):
                file.refer_git(value, line)
            elif aliased := re.match(r"npm:((?:@[^/@]+/)?[^@/]+)", value):
                file.refer("dependency", "npm", aliased[1], line)
    scripts = _dict(data.get("scripts"))
    for key, value in scripts.items():
        if isinstance(value, str):
            for command in commands_of(value):
                if command not in scripts:
                    file.refer("command", "", command, file.line(f'"{key}"', '"scripts"'))


def commands_of(text: str) -> Iterator[str]:
    """The programs that a line of shell runs, by the word in front of each part.

    >>> list(commands_of("NODE_ENV=test vite build && npx -y tsc -p . | jq ."))
    ['vite', 'tsc', 'jq']
    """
    for part in re.split(r"&&|\|\|?|;|&|\$\(|\n", text):
        words = [word for word in part.replace("(", " ").split() if not re.match(r"\w+=", word)]
        while words and (words[0] in _WRAPPERS or words[0].startswith("-")):
            words.pop(0)
        if words and re.fullmatch(r"[A-Za-z][\w.+-]*", words[0]):
            yield words[0]


_WRAPPERS = words(
    """
    sudo env exec time nohup npx bunx pnpx cross-env command which type
    dotenv uvx pipx dlx then do else if while
    """
)

# -- Rust, Go, JVM and others -----------------------------------------------------------------------------------------


def _cargo(file: _File) -> None:
    data = tomllib.loads(file.text)
    package = _dict(data.get("package"))
    name = package.get("name")
    private = package.get("publish") in (False, [])
    file.board("distribution", "crates", name, private=private)
    library = _at(data, "lib", "name") or name
    file.board("import", "crates", library, private=private)
    for entry in _list(data.get("bin")):
        file.board("command", "", _at(entry, "name"), private=private)
    if isinstance(package.get("default-run"), str):
        file.board("command", "", package["default-run"])
    tables = [(section, data.get(section)) for section in _CARGO_SECTIONS]
    tables += [("dependencies", _at(data, "workspace", "dependencies")), ("patch", _at(data, "patch", "crates-io"))]
    for target in _dict(data.get("target")).values():
        tables += [(section, _at(target, section)) for section in _CARGO_SECTIONS]
    for section, table in tables:
        for key, value in _dict(table).items():
            real = _at(value, "package") if isinstance(value, dict) else None
            line = file.line(key, section)
            file.refer("dependency", "crates", real if isinstance(real, str) else key, line)
            _by_place(file, key, value, after=section)


_CARGO_SECTIONS = ("dependencies", "dev-dependencies", "build-dependencies")


def _go_mod(file: _File) -> None:
    block = ""
    for number, raw in enumerate(file.text.splitlines(), start=1):
        line = raw.split("//")[0].strip()
        opened = re.match(r"(require|replace|tool|exclude|retract|use)\s*\($", line)
        if opened:
            block = opened[1]
        elif line == ")":
            block = ""
        elif line:
            words = ([block] if block else []) + line.replace('"', "").split()
            if words[0] == "module" and len(words) > 1:
                file.board("distribution", "go", words[1], number)
                file.board("import", "go", words[1], number)
            elif words[0] == "require" and len(words) > 1:
                file.refer("locked" if "// indirect" in raw else "dependency", "go", words[1], number)
            elif words[0] == "tool" and len(words) > 1:
                file.refer("import", "go", words[1], number)
            elif words[0] == "replace" and "=>" in words:
                target = words[words.index("=>") + 1 :]
                if target and target[0].startswith(("./", "../")):
                    file.refer_path(target[0], number)
                elif target:
                    file.refer("dependency", "go", target[0], number)


def _pom(file: _File) -> None:
    # An entity that expands is how an XML file attacks its reader, and no Maven file needs a document type.
    if "<!DOCTYPE" in file.text or "<!ENTITY" in file.text:
        raise ValueError("it declares a document type, which is not read")
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(file.text.encode("utf-8"))
    except ElementTree.ParseError as error:
        raise ValueError(str(error)) from error
    properties: dict[str, str] = {}

    def text(element: Any, name: str) -> str:
        for child in element:
            if child.tag.rsplit("}", 1)[-1] == name:
                return re.sub(r"\$\{([^}]+)\}", lambda m: properties.get(m[1], m[0]), (child.text or "").strip())
        return ""

    def children(element: Any, *names: str) -> list[Any]:
        found = [element]
        for name in names:
            found = [child for each in found for child in each if child.tag.rsplit("}", 1)[-1] == name]
        return found

    for child in (child for each in children(root, "properties") for child in each):
        properties[child.tag.rsplit("}", 1)[-1]] = (child.text or "").strip()
    parent = children(root, "parent")
    group = text(root, "groupId") or (text(parent[0], "groupId") if parent else "")
    properties |= {"project.groupId": group, "groupId": group}
    artifact = text(root, "artifactId")
    if group and artifact:
        file.board("distribution", "maven", f"{group}:{artifact}", file.line(artifact))
    lists = [*children(root, "dependencies", "dependency")]
    lists += children(root, "dependencyManagement", "dependencies", "dependency")
    lists += [*children(root, "build", "plugins", "plugin"), *parent]
    for dependency in lists:
        group_id, artifact_id = text(dependency, "groupId"), text(dependency, "artifactId")
        if group_id and artifact_id:
            line = file.line(artifact_id, "<dependenc" if dependency not in parent else "<parent")
            file.refer("dependency", "maven", f"{group_id}:{artifact_id}", line)


def _gradle(file: _File) -> None:
    configuration = r"(?:\w*[iI]mplementation|\w*[aA]pi|\w*[cC]ompileOnly|\w*[rR]untimeOnly|classpath|kapt|ksp|compile)"
    for number, line in enumerate(file.text.splitlines(), start=1):
        found = re.match(rf"\s*{configuration}\s*\(?\s*['\"]([\w.-]+):([\w.-]+)(?::[^'\"]*)?['\"]", line)
        if found:
            file.refer("dependency", "maven", f"{found[1]}:{found[2]}", number)
        found = re.match(r"\s*includeBuild\s*\(?\s*['\"]([^'\"]+)['\"]", line)
        if found:
            file.refer_path(found[1], number)
    group = re.search(r"(?m)^\s*group\s*=?\s*['\"]([\w.-]+)['\"]", file.text)
    artifact = re.search(r"\bartifactId\s*=\s*['\"]([\w.-]+)['\"]", file.text)
    if group:
        name = artifact[1] if artifact else posixpath.basename(file.directory)
        if name:
            file.board("distribution", "maven", f"{group[1]}:{name}", file.line(group[1]))


def _gemspec(file: _File) -> None:
    for number, line in enumerate(file.text.splitlines(), start=1):
        if found := re.search(r"\.name\s*=\s*['\"]([\w.-]+)['\"]", line):
            file.board("distribution", "rubygems", found[1], number)
            file.board("import", "rubygems", found[1], number)
        if found := re.search(r"\.executables\s*(?:=|<<)\s*(.+)$", line):
            literal = re.findall(r"['\"]([\w.-]+)['\"]", found[1]) if "%w" not in found[1] else []
            words = re.search(r"%w[\[({]([^\])}]*)", found[1])
            for command in words[1].split() if words else literal:
                if "." not in command and command not in ("bin", "exe"):
                    file.board("command", "", command, number)
        if found := re.search(r"\.add_(?:\w+_)?dependency\s*\(?\s*['\"]([\w.-]+)['\"]", line):
            file.refer("dependency", "rubygems", found[1], number)


def _gemfile(file: _File) -> None:
    for number, line in enumerate(file.text.splitlines(), start=1):
        if found := re.match(r"\s*gem\s*\(?\s*['\"]([\w.-]+)['\"](.*)", line):
            file.refer("dependency", "rubygems", found[1], number)
            if path := re.search(r"(?:\bpath:|:path\s*=>)\s*['\"]([^'\"]+)['\"]", found[2]):
                file.refer_path(path[1], number)
            if git := re.search(r"(?:\bgit(?:hub)?:|:git(?:hub)?\s*=>)\s*['\"]([^'\"]+)['\"]", found[2]):
                file.refer_git(git[1], number)


def _composer(file: _File) -> None:
    data = json.loads(file.text)
    file.board("distribution", "packagist", _at(data, "name"))
    for section in ("autoload", "autoload-dev"):
        for namespace in _dict(_at(data, section, "psr-4")):
            if section == "autoload" and namespace.strip("\\"):
                file.board("import", "packagist", namespace.strip("\\"), file.line("psr-4"))
    for command in _list(_at(data, "bin")):
        if isinstance(command, str):
            file.board("command", "", posixpath.basename(command), file.line("bin"))
    for section in ("require", "require-dev"):
        for name in _dict(_at(data, section)):
            if "/" in name:
                file.refer("dependency", "packagist", name, after=f'"{section}"')
    for entry in _list(_at(data, "repositories")):
        if _at(entry, "type") == "path" and isinstance(_at(entry, "url"), str):
            file.refer_path(entry["url"], file.line(entry["url"]))


def _mix(file: _File) -> None:
    for number, line in enumerate(file.text.splitlines(), start=1):
        if found := re.search(r"\bapp:\s*:(\w+)", line):
            file.board("distribution", "hex", found[1], number)
        if found := re.match(r"\s*\[?\s*\{:(\w+),(.*)", line):
            file.refer("dependency", "hex", found[1], number)
            if path := re.search(r"\bpath:\s*\"([^\"]+)\"", found[2]):
                file.refer_path(path[1], number)
            if git := re.search(r"\b(?:git|github):\s*\"([^\"]+)\"", found[2]):
                file.refer_git(git[1], number)


def _csproj(file: _File) -> None:
    if "<!DOCTYPE" in file.text or "<!ENTITY" in file.text:
        raise ValueError("it declares a document type, which is not read")
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(file.text.encode("utf-8"))
    except ElementTree.ParseError as error:
        raise ValueError(str(error)) from error
    found: dict[str, str] = {}
    for element in root.iter():
        tag = element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""
        if tag in ("PackageId", "AssemblyName", "RootNamespace", "ToolCommandName", "OutputType", "IsPackable"):
            found[tag] = (element.text or "").strip()
        elif tag == "PackageReference" and element.get("Include"):
            file.refer("dependency", "nuget", element.get("Include"), after="PackageReference")
        elif tag == "ProjectReference" and element.get("Include"):
            written = element.get("Include", "").replace("\\", "/")
            file.refer_path(posixpath.dirname(written) or ".", file.line(element.get("Include", "")))
    stem = posixpath.splitext(posixpath.basename(file.path))[0]
    package = found.get("PackageId") or found.get("AssemblyName") or stem
    private = found.get("IsPackable", "").lower() == "false"
    file.board("distribution", "nuget", package, file.line(package), private=private)
    file.board("import", "nuget", found.get("RootNamespace") or package, file.line(package), private=private)
    if "ToolCommandName" in found:
        file.board("command", "", found["ToolCommandName"])
    elif found.get("OutputType", "").lower() == "exe" and "AssemblyName" in found:
        file.board("command", "", found["AssemblyName"])


def _meson(file: _File) -> None:
    for found in re.finditer(r"\bexecutable\s*\(\s*'([\w.+-]+)'((?:[^()]|\([^()]*\))*)\)", file.text):
        if re.search(r"install\s*:\s*true", found[2]):
            file.board("command", "", found[1], file.text.count("\n", 0, found.start()) + 1)


def _automake(file: _File) -> None:
    for found in re.finditer(r"(?m)^\s*(?:bin|sbin)_PROGRAMS\s*\+?=\s*((?:.*\\\n)*.*)$", file.text):
        for command in found[1].replace("\\", " ").split():
            if re.fullmatch(r"[\w.+-]+", command):
                file.board("command", "", command, file.text.count("\n", 0, found.start()) + 1)


def _cmake(file: _File) -> None:
    built = set(re.findall(r"\badd_executable\s*\(\s*([\w.+-]+)", file.text))
    for found in re.finditer(r"\binstall\s*\(\s*TARGETS\s+([^)]*?)(?:\s[A-Z]{3,}|\))", file.text):
        for command in built & set(found[1].split()):
            file.board("command", "", command, file.text.count("\n", 0, found.start()) + 1)


def _compose(file: _File) -> None:
    """Services that are built here under a name of their own make an image; the others use one."""
    service: list[tuple[int, str]] = []

    def close() -> None:
        images = [
            (number, line.split(":", 1)[1].strip().strip("'\"")) for number, line in service if _key(line) == "image"
        ]
        here = any(_key(line) == "build" for _, line in service)
        for number, image in images:
            name = image_name(image)
            if name and here:
                file.board("image", "", name, number)
            elif name:
                file.refer("image", "", name, number)
        service.clear()

    depth: int | None = None
    inside = False
    for number, raw in enumerate(file.text.splitlines(), start=1):
        line = raw.split(" #")[0].rstrip()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if indent == 0:
            close()
            inside, depth = line.startswith("services:"), None
        elif inside:
            depth = indent if depth is None else depth
            if indent == depth:
                close()
            else:
                service.append((number, line.strip()))
    close()


def _key(line: str) -> str:
    return line.split(":", 1)[0].strip()


def image_name(written: str) -> str:
    """An image without tag and digest, and without the registry that is the default; "" for a variable.

    >>> image_name("docker.io/library/redis:7-alpine"), image_name("ghcr.io/acme/pay@sha256:12"), image_name("${IMAGE}")
    ('redis', 'ghcr.io/acme/pay', '')
    """
    name = re.sub(r"@sha256:.*$", "", written.strip().strip("'\""))
    name = re.sub(r":[^/]*$", "", name).removeprefix("docker.io/").removeprefix("library/").lower()
    return name if re.fullmatch(r"[a-z0-9][\w./:-]*", name) and name != "scratch" else ""


def _gitmodules(file: _File) -> None:
    for number, line in enumerate(file.text.splitlines(), start=1):
        if (found := re.match(r"\s*path\s*=\s*(.+?)\s*\Z", line)) and ".." not in found[1].split("/"):
            # Where it is checked out it is known, whatever its address: one on this disk or beside the remote.
            file.declared.references.append(Reference("submodule", "", f"./{found[1]}", ((file.path, number),)))
        if found := re.match(r"\s*url\s*=\s*(\S+)", line):
            if found[1].startswith(("./", "../")):
                # Relative to the remote, not to the directory; the name alone says nothing of the owner.
                continue
            from loci.core.home.git import remote_path

            place = remote_path(found[1])
            if place:
                file.declared.references.append(Reference("submodule", "", place.lower(), ((file.path, number),)))


_Reader = Callable[[_File], None]
_READERS: dict[str, _Reader] = {
    "automake": _automake,
    "cargo": _cargo,
    "cmake": _cmake,
    "compose": _compose,
    "composer": _composer,
    "gemfile": _gemfile,
    "gemspec": _gemspec,
    "gitmodules": _gitmodules,
    "go.mod": _go_mod,
    "gradle": _gradle,
    "meson": _meson,
    "mix": _mix,
    "msbuild": _csproj,
    "package.json": _package_json,
    "pipfile": _pipfile,
    "pom": _pom,
    "pyproject": _pyproject,
    "requirements": _requirements,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
}


def _at(data: Any, *keys: str) -> Any:
    for key in keys:
        if not isinstance(data, dict):
            return None
        data = data.get(key)
    return data


def _dict(value: Any) -> dict[str, Any]:
    return {key: each for key, each in value.items() if isinstance(key, str)} if isinstance(value, dict) else {}


def _in_word(character: str, joining: str) -> bool:
    return character.isalnum() or (character != "" and character in joining)


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


__all__: Iterable[str] = [
    "Declared",
    "Reference",
    "Signboard",
    "commands_of",
    "image_name",
    "is_manifest",
    "normal",
    "read_manifest",
]
