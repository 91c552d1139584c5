"""What must hold of the tree itself, before anything is built."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml"))
CRATES = sorted(path.parent for path in ROOT.glob("crates/*/Cargo.toml"))
PARTS = sorted(path.parent for path in ROOT.glob("packages/*/src/loci/*/__init__.py"))


def name_of(path: Path) -> str:
    """Returns the name under which a package appears in the ids of the tests."""
    return path.name


def tracked_files() -> list[Path]:
    """Returns every file that git tracks here."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in listing.stdout.decode("utf-8").split("\0") if name]


def tracked_texts() -> dict[str, str]:
    """Returns the text of every tracked file that is text, by its path from the root."""
    texts = {}
    for path in tracked_files():
        data = path.read_bytes() if path.is_file() else b""
        if b"\0" not in data:
            texts[path.relative_to(ROOT).as_posix()] = data.decode("utf-8", errors="replace")
    return texts


def distribution(package: Path) -> dict:
    """Returns the `[project]` table of a package."""
    return tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_workspace_has_its_eight_distributions():
    names = {distribution(package)["name"] for package in PACKAGES}
    assert names == {
        "loci-core",
        "loci-episodes",
        "loci-eval",
        "loci-mcp",
        "loci-mem",
        "loci-mem-cli",
        "loci-router",
        "loci-structure",
    }


def test_loci_is_a_namespace():
    """One stray `loci/__init__.py` in one distribution would hide the other seven."""
    assert [str(path) for path in ROOT.glob("packages/*/src/loci/__init__.py*")] == []
    loci = importlib.import_module("loci")
    assert getattr(loci, "__file__", None) is None
    assert {module.name for module in pkgutil.iter_modules(loci.__path__)} >= {part.name for part in PARTS}


def test_typing_markers_stand_in_the_parts_only():
    """PEP 561: in a namespace the marker belongs to each part; one in `loci/` would speak for all of them."""
    assert [str(path) for path in ROOT.glob("packages/*/src/loci/py.typed")] == []
    assert [part.name for part in PARTS if not (part / "py.typed").is_file()] == []


@pytest.mark.parametrize("package", PACKAGES, ids=name_of)
def test_every_package_has_the_licence_and_a_readme(package):
    assert (package / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    readme = (package / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"# {distribution(package)['name']}\n")
    assert len(readme.split()) > 60, "the README is the package's page on the index: say what it is for and not for"


@pytest.mark.parametrize("package", PACKAGES, ids=name_of)
def test_versions_agree(package):
    """A distribution's version, the installed one and the module's `__version__` are one number."""
    project = distribution(package)
    assert metadata.version(project["name"]) == project["version"]
    assert module_of(package).__version__ == project["version"]


@pytest.mark.parametrize("package", PACKAGES, ids=name_of)
def test_the_essay_opens_with_what_the_package_is_for(package):
    documentation = module_of(package).__doc__ or ""
    assert documentation.strip(), f"{package.name}: __init__.py has no docstring"


@pytest.mark.parametrize("package", [package for package in PACKAGES if package.name != "loci-mem"], ids=name_of)
def test_exported_names(package):
    """`__all__` is complete, sorted as ruff sorts it, and every name in it exists."""
    module = module_of(package)
    exported = list(module.__all__)
    assert exported == sorted(exported, key=export_order)
    assert len(exported) == len(set(exported))
    for name in exported:
        assert getattr(module, name) is not None or name in vars(module)
    public = {name for name, value in vars(module).items() if not name.startswith("_") and made_here(name, value)}
    assert public <= set(exported), "public names missing from __all__"


def test_architecture_mentions_nothing_that_is_gone():
    architecture = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    mentioned = set(re.findall(r"`((?:crates|packages)/[\w-]+)`", architecture))
    assert [room for room in sorted(mentioned) if not (ROOT / room).is_dir()] == []


def test_binding_crates_have_names_of_their_own():
    """Two libraries of one name in one Cargo workspace overwrite each other's output."""
    names = []
    for crate in CRATES:
        manifest = tomllib.loads((crate / "Cargo.toml").read_text(encoding="utf-8"))
        names.append(manifest.get("lib", {}).get("name", manifest["package"]["name"].replace("-", "_")))
    assert sorted(names) == sorted(set(names))


def test_only_binding_crates_know_python():
    for crate in CRATES:
        manifest = tomllib.loads((crate / "Cargo.toml").read_text(encoding="utf-8"))
        assert ("pyo3" in manifest.get("dependencies", {})) == crate.name.endswith("-py"), crate.name


def test_a_package_declares_the_parts_of_loci_that_it_imports_and_no_others():
    """Who may import whom is held by import-linter (`nox -s lint`), the other dependencies by deptry."""
    homes = {part.name: distribution(part.parents[2])["name"] for part in PARTS}
    for part in PARTS:
        project = distribution(part.parents[2])
        imported = {homes[name] for name in parts_imported(part)} - {project["name"]}
        required = ours(project["dependencies"])
        optional = ours(each for extra in project.get("optional-dependencies", {}).values() for each in extra)
        assert required <= imported <= required | optional, project["name"]


def ours(requirements: Iterable[str]) -> set[str]:
    """Returns the distributions of this repository among requirements."""
    names = (re.split(r"[^\w-]", requirement)[0] for requirement in requirements)
    return {name for name in names if name.startswith("loci-")}


def parts_imported(part: Path) -> set[str]:
    """Returns the X of every `loci.X` that the sources of a part import when they run, also inside functions."""
    found = set()
    for source in part.rglob("*.py"):
        ahead: list[ast.AST] = [ast.parse(source.read_text(encoding="utf-8"))]
        while ahead:
            node = ahead.pop()
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                ahead += node.orelse
                continue
            ahead += ast.iter_child_nodes(node)
            if isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module or "")
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in found if name.startswith("loci.")}


def test_no_file_names_the_machine_it_was_written_on():
    # Put together here, or this file would be the first to be found.
    folders = "|".join(["work", "root"])
    machine = [rf"(?<![\w.~/*-])/(?:{folders})/[\w.]", re.escape(str(ROOT)), re.escape(f"{Path.home()}/")]
    pattern = re.compile("|".join(machine))
    found = {name: pattern.findall(text) for name, text in tracked_texts().items() if pattern.search(text)}
    assert found == {}


def test_lock_files_name_the_public_registries_only():
    """A mirror's address in a lock file works on one network and nowhere else."""
    python = (ROOT / "uv.lock").read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://([^/\"]+)", python))
    assert hosts <= {"pypi.org", "files.pythonhosted.org"}
    rust = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    sources = {package["source"] for package in rust["package"] if "source" in package}
    assert sources <= {"registry+https://github.com/rust-lang/crates.io-index"}


def test_no_configuration_names_another_registry():
    settings = re.compile(r"(?m)^\s*(?:index-url|extra-index-url|default-index|\[\[tool\.uv\.index\]\]|replace-with)")
    names = [name for name in tracked_texts() if name.endswith((".toml", ".cfg", ".ini", ".conf"))]
    assert [name for name in names if settings.search((ROOT / name).read_text(encoding="utf-8"))] == []


def test_changelog_fragments_are_named_as_the_changelog_reads_them():
    """`changelog.d/ISSUE.TYPE.md` or `changelog.d/+WORDS.TYPE.md`; anything else would be left out without a word."""
    root = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    types = [kind["directory"] for kind in root["tool"]["towncrier"]["type"]]
    name = re.compile(rf"(?:\d+|\+[\w-]+)\.(?:{'|'.join(types)})(?:\.\d+)?\.md")
    fragments = [path for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md"]
    assert [path.name for path in fragments if not name.fullmatch(path.name)] == []
    assert [path.name for path in fragments if not path.read_text(encoding="utf-8").strip()] == []


def module_of(package: Path) -> ModuleType:
    """Returns the imported module that a package ships; `loci-mem` has only its placeholder."""
    (source,) = [*package.glob("src/loci/*/__init__.py"), *package.glob("src/loci_*/__init__.py")]
    return importlib.import_module(".".join(source.parent.relative_to(package / "src").parts))


def made_here(name: str, value: object) -> bool:
    """Tells a name of the package from what its `__init__.py` imports for its own use."""
    if isinstance(value, ModuleType) or name in {"TYPE_CHECKING", "annotations"}:
        return False
    return getattr(value, "__module__", "loci").startswith("loci")


def export_order(name: str) -> tuple[int, list[tuple[int, str]]]:
    """Returns the key of ruff's RUF022: constants, then classes, then the rest, digits compared as numbers."""
    rank = 0 if len(name) > 1 and name.isupper() else 1 if name[0].isupper() else 2
    return rank, [(int(piece), "") if piece.isdigit() else (-1, piece) for piece in re.split(r"(\d+)", name)]
