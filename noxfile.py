"""The verbs of this repository: `uv run nox` runs the default ones, `uv run nox -s tests` runs one.

The Rust workspace is compiled twice and no more, in one target directory: with the `dev` profile for clippy and
`cargo test`, and with the `release` profile for everything Python touches. All Python sessions install the packages as
plain wheels (`--no-editable`), so the tests see what a user installs.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2026.4"
nox.options.default_venv_backend = "uv"
nox.options.sessions = ["lint", "typing", "tests", "docs", "wheels"]
nox.options.error_on_missing_interpreters = True

ROOT = Path(__file__).parent
DIST = ROOT / "dist"
KERNELS = sorted(
    f"loci.{pyproject.parent.name.removeprefix('loci-')}._kernel"
    for pyproject in ROOT.glob("packages/*/pyproject.toml")
    if 'build-backend = "maturin"' in pyproject.read_text(encoding="utf-8")
)

# `loci` is a namespace of several distributions, which deptry takes for one module. That each part declares the others
# that it imports is a test in tests/packaging/test_tree.py.
OURS = "|".join(
    ("loci-core", "loci-episodes", "loci-eval", "loci-mcp", "loci-mem", "loci-mem-cli", "loci-router", "loci-structure")
)
DEPTRY = (
    "--no-ansi",
    "--known-first-party=loci",
    f"--per-rule-ignores=DEP002={OURS}",
    "--package-module-name-map=scikit-learn=sklearn",
)

MUTANTS_PYTHON = ("cosmic-ray>=8.7,<9", "pytest-cov>=7.1,<8")
MUTANTS_RUST = ("--output=target/mutants", "--cargo-arg=--locked", "--no-shuffle", "--colors=never")
DECIDING_RUST = (
    "crates/loci-rank/src/**",
    "crates/loci-graph/src/query/**",
)


def environment(session: nox.Session) -> dict[str, str]:
    """Returns what every command of a session runs with: one target directory, and nothing of the user's own store."""
    return {
        "UV_PROJECT_ENVIRONMENT": str(session.virtualenv.location),
        "CARGO_TARGET_DIR": str(ROOT / "target"),
        # A test that forgets to name a home must not write into the one of the person who runs it.
        # (Not below `session.create_tmp()`: that moves the tests' temporary folders into this repository, where a
        # folder that is to be no repository would be one.)
        "LOCI_HOME": str(Path(session.virtualenv.location) / "loci-home"),
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
    }


def sync(session: nox.Session, group: str, *, packages: bool = True) -> dict[str, str]:
    """Installs a dependency group from uv.lock, with all packages unless told otherwise; returns the variables."""
    env = environment(session)
    selection = ["--no-default-groups", f"--group={group}"] if packages else [f"--only-group={group}"]
    python = f"--python={session.virtualenv.location}"
    session.run_install("uv", "sync", "--locked", "--no-editable", python, *selection, env=env, external=True)
    return env


def build_distributions(session: nox.Session, env: dict[str, str]) -> None:
    """Builds every wheel and every sdist into an emptied dist/.

    Wheels come from the tree, not from the sdists: that way they share the target directory. That the sdists build too
    is what `wheels` checks, with pip.
    """
    shutil.rmtree(DIST, ignore_errors=True)
    session.run(
        "uv", "build", "--all-packages", "--sdist", "--wheel", f"--out-dir={DIST}", "--quiet", env=env, external=True
    )
    for artefact in sorted(path for path in DIST.iterdir() if path.suffix in {".whl", ".gz"}):
        session.log(f"{artefact.stat().st_size / 1e6:6.2f} MB  {artefact.name}")


@nox.session
def lint(session: nox.Session) -> None:
    """Formatting, ruff, clippy, import contracts, declared dependencies, licences and the changelog fragments."""
    env = sync(session, "lint", packages=False)
    session.run("ruff", "format", "--check", ".", env=env)
    session.run("ruff", "check", ".", env=env)
    session.run("towncrier", "build", "--draft", "--version=unreleased", env=env, silent=True)
    # Read from the tree: nothing of loci is installed here.
    tree = env | {"PYTHONPATH": os.pathsep.join(str(path) for path in sorted(ROOT.glob("packages/*/src")))}
    session.run("lint-imports", "--no-cache", env=tree, silent=True)
    for package in sorted(ROOT.glob("packages/*/pyproject.toml")):
        with session.chdir(package.parent):
            session.run("deptry", "src", *DEPTRY, env=env, silent=True)
    session.run("python", "scripts/crate_circles.py", env=env)
    session.run("cargo-shear", "--deny-warnings", "--locked", env=env, silent=True)
    session.run("cargo-deny", "--locked", "check", "bans", "licenses", "sources", env=env, silent=True)
    session.run("cargo", "fmt", "--all", "--check", env=env, external=True)
    session.run(
        *("cargo", "clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "--deny=warnings"),
        env=env,
        external=True,
    )


@nox.session
def audit(session: nox.Session) -> None:
    """Known vulnerabilities of locked crates and packages. Not in the default run: it asks RustSec and OSV."""
    env = sync(session, "lint", packages=False)
    session.run("cargo-deny", "--locked", "check", "advisories", env=env)
    session.run("uv", "audit", "--locked", env=env, external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """Runs `cargo test` over the workspace and pytest over all packages and tests/.

    With arguments it is pytest alone: `nox -s tests -- packages/loci-router -k deictic`.
    """
    env = sync(session, "tests")
    if session.posargs:
        session.run("pytest", *session.posargs, env=env)
        return
    session.run("cargo", "test", "--workspace", "--locked", "--quiet", env=env, external=True)
    session.run("pytest", "--ignore=tests/docs", env=env)


@nox.session(venv_backend="none")
def rust(session: nox.Session) -> None:
    """Runs `cargo test` alone; arguments go to cargo: `nox -s rust -- -p loci-text`."""
    selection = session.posargs or ["--workspace"]
    session.run("cargo", "test", "--locked", *selection, env={"CARGO_TARGET_DIR": str(ROOT / "target")}, external=True)


@nox.session
def typing(session: nox.Session) -> None:
    """Runs pyright over the tree, and stubtest on every kernel: the stub says what the binary has."""
    env = sync(session, "typing")
    session.run("pyright", f"--pythonpath={session.virtualenv.bin}/python", env=env)
    session.run("stubtest", "--ignore-disjoint-bases", *KERNELS, env=env)


@nox.session
def docs(session: nox.Session) -> None:
    """Runs the examples of every module, README and docs page, and compares the command line's help with its page.

    `nox -s docs -- --update` writes the help of the installed command into docs/commands.md.
    """
    env = sync(session, "tests")
    if "--update" in session.posargs:
        session.run("python", "scripts/command_help.py", "--write", env=env)
    session.run("pytest", "tests/docs", env=env)


@nox.session
def build(session: nox.Session) -> None:
    """Builds every sdist and wheel into dist/."""
    build_distributions(session, environment(session))


@nox.session
def wheels(session: nox.Session) -> None:
    """Builds all distributions and checks what is in them and that each one installs and imports alone."""
    env = sync(session, "wheels", packages=False)
    build_distributions(session, env)
    session.run("pytest", "tests/packaging/test_distributions.py", *session.posargs, env=env | {"LOCI_DIST": str(DIST)})


@nox.session
def bench(session: nox.Session) -> None:
    """Measures on a corpus: `nox -s bench -- --corpus DIR --questions FILE`; not part of the default run."""
    env = sync(session, "tests")
    session.run("loci", "eval", "bench", *session.posargs, env=env)


@nox.session
def mutants(session: nox.Session) -> None:
    """Mutates what decides and prints what no test noticed; not part of the default run, since it takes a while.

    `nox -s mutants -- --package core --count 40` samples the Python packages. With `--rust` first it does that for the
    crates, with cargo-mutants, installed when it is missing (some minutes); what follows goes to it:
    `nox -s mutants -- --rust --package loci-graph --shard 0/20`.
    """
    if session.posargs[:1] == ["--rust"]:
        if shutil.which("cargo-mutants") is None:
            session.run("cargo", "install", "--locked", "cargo-mutants", external=True)
        files = [f"--file={pattern}" for pattern in DECIDING_RUST]
        session.run("cargo", "mutants", *MUTANTS_RUST, *files, *session.posargs[1:], external=True)
        return
    env = sync(session, "tests")
    session.install(*MUTANTS_PYTHON)
    session.run("python", "scripts/mutants.py", *session.posargs, env=env)
