"""Every example in a docstring, a README or a page of the documentation runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import loci
import loci_mem

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("benchmarks/**/*.md"),
        *ROOT.glob("packages/*/README.md"),
    ]
)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules() -> list[str]:
    """Returns the name of every module of loci that can be imported without running a program."""
    found = [loci_mem.__name__]
    for module in pkgutil.walk_packages(loci.__path__, "loci."):
        if not module.name.endswith(("__main__", "._kernel")):
            found.append(module.name)
    return found


def blocks(page: Path) -> list[tuple[int, str]]:
    """Returns the fenced Python blocks of a page, each with the line it starts at."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"(?ms)^```python\n(.*?)^```$", text):
        found.append((text.count("\n", 0, match.start(1)), match[1]))
    return found


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Runs each example in a directory of its own, with a store of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCI_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("name", modules())
def test_docstrings(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=OPTIONS).failed == 0


@pytest.mark.parametrize("name", sorted(module.name for module in pkgutil.iter_modules(loci.__path__)))
def test_every_package_opens_with_an_example(name):
    module = importlib.import_module(f"loci.{name}")
    assert doctest.DocTestParser().get_examples(module.__doc__ or ""), f"loci.{name}: no example in its docstring"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page, tmp_path, make_repository):
    """The blocks of one page share their names, as a reader who follows along would have them.

    Where a page speaks of `my-project`, there is one.
    """
    files = {"jar.py": "def expire(cookie):\n    return cookie.age > cookie.lifetime\n"}
    make_repository(tmp_path / "my-project", files, "Drop expired cookies: a stale session must not outlive its login")
    names: dict = {"__name__": "__page__"}
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    for line, block in blocks(page):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), line)
            runner.run(test, clear_globs=False)
            names = test.globs
        else:
            exec(compile("\n" * line + block, str(page), "exec"), names)
    assert runner.failures == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    """A link to a file of this repository names one that is there."""
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []
