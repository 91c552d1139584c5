"""What must hold of the built wheels and sdists: their contents, and that each one installs and imports alone.

`nox -s wheels` builds them into dist/ and names the folder in LOCI_DIST; without it these tests are skipped.
"""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from email.message import Message
from pathlib import Path

import pytest

packaging_requirements = pytest.importorskip("packaging.requirements")

pytestmark = [
    pytest.mark.skipif("LOCI_DIST" not in os.environ, reason="built distributions are checked by `nox -s wheels`"),
    # Compiling an sdist takes minutes on a slow machine.
    pytest.mark.timeout(900),
]

ROOT = Path(__file__).parents[2]
DIST = Path(os.environ.get("LOCI_DIST", ROOT / "dist"))
MODULES = {
    "loci-core": "loci.core",
    "loci-episodes": "loci.episodes",
    "loci-eval": "loci.eval",
    "loci-mcp": "loci.mcp",
    "loci-mem": "loci_mem",
    "loci-mem-cli": "loci.cli",
    "loci-router": "loci.router",
    "loci-structure": "loci.structure",
}
COMPILED = sorted(
    pyproject.parent.name
    for pyproject in ROOT.glob("packages/*/pyproject.toml")
    if 'build-backend = "maturin"' in pyproject.read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class Distribution:
    """One wheel with its sdist."""

    name: str
    version: str
    wheel: Path
    sdist: Path

    def contents(self) -> list[str]:
        """Returns the names in the wheel."""
        with zipfile.ZipFile(self.wheel) as archive:
            return [name for name in archive.namelist() if not name.endswith("/")]

    def metadata(self) -> Message:
        """Returns the wheel's METADATA."""
        with zipfile.ZipFile(self.wheel) as archive:
            (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            return email.message_from_bytes(archive.read(name))

    def extras(self) -> list[str]:
        """Returns the names of the optional dependency sets."""
        return self.metadata().get_all("Provides-Extra") or []


@pytest.fixture(scope="module")
def distributions() -> dict[str, Distribution]:
    """Returns what stands in dist/, by distribution name; one wheel and one sdist of each."""
    found = {}
    for name in MODULES:
        file_name = name.replace("-", "_")
        wheels = list(DIST.glob(f"{file_name}-[0-9]*.whl"))
        sdists = list(DIST.glob(f"{file_name}-[0-9]*.tar.gz"))
        assert len(wheels) == len(sdists) == 1, (name, wheels, sdists)
        version = wheels[0].name.split("-")[1]
        assert sdists[0].name == f"{file_name}-{version}.tar.gz"
        found[name] = Distribution(name, version, wheels[0], sdists[0])
    return found


@pytest.fixture(params=MODULES)
def dist(request, distributions) -> Distribution:
    """Returns each distribution in turn."""
    return distributions[request.param]


def test_nothing_else_was_built(distributions):
    built = {path for path in DIST.iterdir() if path.suffix in {".whl", ".gz"}}
    assert built == {path for dist in distributions.values() for path in (dist.wheel, dist.sdist)}


def test_no_wheel_closes_the_namespace(dist):
    assert [name for name in dist.contents() if re.fullmatch(r"loci/__init__\.[^/]+", name)] == []
    assert "loci/py.typed" not in dist.contents()


def test_a_wheel_holds_its_own_module_and_nothing_else(dist):
    folder = MODULES[dist.name].replace(".", "/") + "/"
    strangers = [name for name in dist.contents() if not name.startswith(folder) and ".dist-info/" not in name]
    assert strangers == []
    assert f"{folder}__init__.py" in dist.contents()
    if dist.name != "loci-mem":
        assert f"{folder}py.typed" in dist.contents()


def test_the_public_benchmark_is_in(distributions):
    """Its files are no Python, so that a build backend could leave them out without any import failing."""
    dist = distributions["loci-eval"]
    names = [f"loci/eval/public/{name}" for name in ("README.md", "corpus.json", "questions.jsonl")]
    assert [name for name in dist.contents() if "/public/" in name] == names
    with tarfile.open(dist.sdist) as archive:
        inside = {member.split("/", 1)[1] for member in archive.getnames() if "/" in member}
    assert {f"src/{name}" for name in names} <= inside
    with zipfile.ZipFile(dist.wheel) as archive:
        for name in names:
            assert archive.read(name) == (ROOT / "packages/loci-eval/src" / name).read_bytes()


def test_licence_and_readme_are_in(dist):
    licence = (ROOT / "LICENSE").read_bytes()
    with zipfile.ZipFile(dist.wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/licenses/LICENSE")]
        assert archive.read(name) == licence
    with tarfile.open(dist.sdist) as archive:
        member = archive.extractfile(f"{dist.sdist.name.removesuffix('.tar.gz')}/LICENSE")
        assert member is not None and member.read() == licence
    description = dist.metadata().get_payload()
    assert isinstance(description, str) and description.startswith(f"# {dist.name}")


def test_declared_metadata(dist):
    metadata = dist.metadata()
    assert metadata["Name"] == dist.name
    assert metadata["Version"] == dist.version
    assert metadata["Requires-Python"] == ">=3.10"
    assert metadata["License-Expression"] == "MIT"


def test_tags(dist):
    tags = dist.wheel.stem.split("-", 2)[2]
    if dist.name in COMPILED:
        assert tags.startswith("cp310-abi3-")
    else:
        assert tags == "py3-none-any"


@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_wheel_holds_one_kernel_and_its_stub(distributions, name):
    folder = MODULES[name].replace(".", "/")
    kernels = [entry for entry in distributions[name].contents() if "_kernel" in entry]
    binaries = {f"{folder}/_kernel.abi3.so", f"{folder}/_kernel.pyd"} & set(kernels)
    assert len(binaries) == 1
    assert set(kernels) - binaries == {f"{folder}/_kernel.pyi"}


@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_sdist_holds_the_crates_it_needs(distributions, name):
    with tarfile.open(distributions[name].sdist) as archive:
        entries = {entry.split("/", 1)[1] for entry in archive.getnames() if "/" in entry}
    assert {"Cargo.toml", "Cargo.lock", f"crates/{name}-py/Cargo.toml", f"crates/{name}-py/src/lib.rs"} <= entries
    assert [entry for entry in entries if entry.endswith((".so", ".pyd"))] == []


def test_ranges_between_the_distributions_admit_each_other(dist, distributions):
    """Compatible ranges (`~=`), and this build's own versions inside them."""
    ours = []
    for line in dist.metadata().get_all("Requires-Dist") or []:
        requirement = packaging_requirements.Requirement(line)
        if requirement.name in distributions and requirement.name != dist.name:  # an extra may name another one
            ours.append(requirement.name)
            assert [clause.operator for clause in requirement.specifier] == ["~="], line
            assert requirement.specifier.contains(distributions[requirement.name].version), line
    if dist.name in {"loci-mem", "loci-mem-cli", "loci-mcp", "loci-core"}:
        assert ours


def test_a_wheel_installs_alone(dist, distributions, tmp_path):
    python = environment(tmp_path)
    uv("pip", "install", f"--python={python}", f"--constraints={pin(distributions, tmp_path)}", str(dist.wheel))
    # A module that serves an extra needs what the extra brings; the next test has it.
    check_installed(python, dist, tmp_path, every_module=not dist.extras())


def test_a_wheel_with_its_extras_imports_whole(dist, distributions, tmp_path):
    if not dist.extras():
        pytest.skip("declares no extras")
    python = environment(tmp_path)
    # torch is gigabytes; the modules for it import it when a model is opened.
    extras = [extra for extra in dist.extras() if extra != "sentence-transformers"]
    requirement = f"{dist.name}[{','.join(extras)}] @ {dist.wheel.resolve().as_uri()}"
    uv("pip", "install", f"--python={python}", f"--constraints={pin(distributions, tmp_path)}", requirement)
    check_installed(python, dist, tmp_path)


def test_an_sdist_installs_alone_with_pip(dist, distributions, tmp_path):
    """With pip, its build isolation and nothing else: what a machine without a wheel for it would do."""
    python = environment(tmp_path, "--seed")
    run(
        *(python, "-m", "pip", "install", "--quiet", "--no-cache-dir"),
        *(f"--constraint={pin(distributions, tmp_path, without=dist)}", dist.sdist),
        env={"CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))},
    )
    check_installed(python, dist, tmp_path, every_module=not dist.extras())


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_one_kernel_serves_every_python(distributions, version, tmp_path):
    """The abi3 wheel imports on each supported Python that this machine happens to have."""
    interpreter = python_of(version)
    if interpreter is None:
        pytest.skip(f"no Python {version} here")
    python = environment(tmp_path, f"--python={interpreter}")
    wheels = [str(distributions[name].wheel) for name in MODULES]
    uv("pip", "install", f"--python={python}", *wheels)
    for name in MODULES:
        check_installed(python, distributions[name], tmp_path, every_module=not distributions[name].extras())


def test_pipx_gives_a_working_command(distributions, tmp_path):
    """`pipx` looks for commands in the one distribution it was asked for, so `loci-mem` must declare `loci` itself."""
    home = {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "bin"), "PIPX_DEFAULT_BACKEND": "pip"}
    mem = distributions["loci-mem"]
    constraint = pin(distributions, tmp_path, without=mem)
    run(sys.executable, "-m", "pipx", "install", f"--pip-args=--constraint={constraint}", mem.wheel, env=home)
    command = shutil.which("loci", path=str(tmp_path / "bin"))
    assert command is not None
    user = {"LOCI_HOME": str(tmp_path / "home")}
    assert mem.version in run(command, "--version", env=user).stdout
    assert "Usage: loci" in run(command, "--help", env=user).stdout
    assert not (tmp_path / "home").exists(), "asking for help must not create a store"


def test_a_newcomer_types_one_line_and_is_served(distributions, tmp_path):
    """As in a fresh container: an empty home, no terminal, nothing in the environment, git and the wheel."""
    python = environment(tmp_path)
    requirement = str(distributions["loci-mem"].wheel)
    uv("pip", "install", f"--python={python}", f"--constraints={pin(distributions, tmp_path)}", requirement)
    git = shutil.which("git")
    assert git is not None
    person, work, programs = tmp_path / "person", tmp_path / "work", tmp_path / "programs"
    for directory in (person, work, programs):
        directory.mkdir()
    (programs / Path(git).name).symlink_to(git)
    loci = next(python.parent.glob("loci*"))
    (programs / loci.name).symlink_to(loci)
    clean = {"HOME": str(person), "PATH": str(programs)} | (
        {"SYSTEMROOT": os.environ["SYSTEMROOT"]} if os.name == "nt" else {}
    )

    def typed(*words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*words], cwd=work, env=clean, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=300
        )

    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    projects = {
        "jar": {
            "README.md": "# Jar\n\nA cookie is dropped once its lifetime is over.\n",
            "pyproject.toml": '[project]\nname = "cookie-jar"\n',
        },
        "shop": {"README.md": "# Shop\n\nAn invoice is sent on the first day.\n", "requirements.txt": "cookie-jar\n"},
    }
    for name, files in projects.items():
        (work / name).mkdir()
        for path, text in files.items():
            (work / name / path).write_text(text, encoding="utf-8")
        for command in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-q", "-m", f"Begin the {name}")):
            assert typed("git", "-C", name, *command).returncode == 0

    done = typed("loci", "setup", ".", "-y")
    assert done.returncode == 0, done.stderr
    assert "2 new, 0 known" in done.stdout and "2 built" in done.stdout and "nothing needs doing" in done.stdout
    answer = json.loads(typed("loci", "ask", "when is a cookie dropped?", "--no-cwd", "--json").stdout)
    assert [(block["id"], block["caught_up"]) for block in answer["scopes"]] == [("jar", True)]
    assert answer["scopes"][0]["passages"][0]["path"] == "README.md"
    users = json.loads(typed("loci", "ask", "what depends on cookie-jar?", "--no-cwd", "--json").stdout)
    assert users["scopes"][0]["uses"][0]["places"] == [{"path": "requirements.txt", "line": 1}]
    again = typed("loci", "update")
    assert (again.returncode, "2 unchanged" in again.stdout) == (0, True), again.stderr
    healthy = typed("loci", "doctor", "--json")
    assert (healthy.returncode, json.loads(healthy.stdout)["healthy"]) == (0, True)
    assert sorted(path.name for path in person.iterdir()) == [".loci"], "nothing else is written into a home"


def run(*command: str | Path, env: dict[str, str] | None = None, check: bool = True) -> subprocess.CompletedProcess:
    """Runs a command away from this checkout, so that nothing is imported from it; a failure shows its output."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=DIST,
        env=inherited | (env or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    if check and done.returncode:
        pytest.fail(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done


def uv(*arguments: str, check: bool = True) -> subprocess.CompletedProcess:
    """Runs uv without this project's own settings."""
    return run("uv", "--no-config", *arguments, check=check)


def python_of(version: str) -> str | None:
    """Returns an interpreter of that minor version on this machine, also one that pyenv keeps but has not selected."""
    found = uv("python", "find", "--no-python-downloads", "--no-project", version, check=False)
    if found.returncode == 0:
        return found.stdout.strip()
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return next((str(path) for path in sorted(kept.glob(f"{version}.*/bin/python{version}"))), None)


def environment(folder: Path, *options: str) -> Path:
    """Makes an empty virtual environment and returns its interpreter."""
    python = [] if any(option.startswith("--python") for option in options) else [f"--python={sys.executable}"]
    uv("venv", "--quiet", "--no-project", *python, *options, str(folder / "venv"))
    return next(path for path in (folder / "venv/bin/python", folder / "venv/Scripts/python.exe") if path.exists())


def pin(distributions: dict[str, Distribution], folder: Path, without: Distribution | None = None) -> Path:
    """Writes the constraints that take every loci distribution from dist/ and from no index; returns the file."""
    lines = [
        f"{dist.name} @ {dist.wheel.resolve().as_uri()}\n" for dist in distributions.values() if dist is not without
    ]
    constraints = folder / "constraints.txt"
    constraints.write_text("".join(lines), encoding="utf-8")
    return constraints


def check_installed(python: Path, dist: Distribution, folder: Path, *, every_module: bool = True) -> None:
    """Imports the distribution's package and its modules with warnings as errors, and compares the versions."""
    script = folder / "check.py"
    script.write_text(
        "import importlib, json, pkgutil, sys\n"
        "from importlib import metadata\n"
        "name, distribution, dist, every_module = sys.argv[1:]\n"
        "module = importlib.import_module(name)\n"
        "inside = [found.name for found in pkgutil.walk_packages(module.__path__, name + '.')]\n"
        "for found in inside if every_module == 'True' else []:\n"
        "    if not found.endswith('.__main__'):\n"
        "        importlib.import_module(found)\n"
        "namespace = sys.modules.get('loci')\n"
        "ours = [found for found in metadata.distributions() if found.name.startswith('loci-')]\n"
        "print(json.dumps({\n"
        "    'module': module.__version__,\n"
        "    'distribution': metadata.version(distribution),\n"
        "    'closed': getattr(namespace, '__file__', None),\n"
        "    'kernel': name + '._kernel' in inside,\n"
        "    'elsewhere': [found.name for found in ours if dist not in (found.read_text('direct_url.json') or '')],\n"
        "}))\n",
        encoding="utf-8",
    )
    arguments = [MODULES[dist.name], dist.name, DIST.resolve().as_uri(), str(every_module)]
    report = json.loads(run(python, "-I", "-W", "error", script, *arguments).stdout)
    assert report == {
        "module": dist.version,
        "distribution": dist.version,
        "closed": None,
        "kernel": dist.name in COMPILED,
        # Every loci distribution came from dist/, none from the package index.
        "elsewhere": [],
    }
