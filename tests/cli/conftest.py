"""Three small projects with different subjects, indexed once for all tests of the commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

PROJECTS: dict[str, tuple[dict[str, str], list[str]]] = {
    "billing": (
        {
            "README.md": "# Billing\n\nInvoices are sent on the first day of the month.\n\n"
            "## Refunds\n\nA refund is booked against its invoice, never against the customer's balance.\n",
            "src/refund.py": "def book_refund(invoice, amount):\n"
            '    """Books a refund against its invoice."""\n    invoice.credit(amount)\n',
            "package.json": '{"name": "@acme/pay"}',
        },
        [
            "Send invoices on the first day of the month",
            "Book refunds against the invoice\n\nThe balance of a customer was wrong after a partial refund, because\n"
            "the refund was booked twice: once on the invoice and once on the balance.",
        ],
    ),
    "search": (
        {
            "README.md": "# Search\n\nDocuments are ranked by relevance. The inverted index is rebuilt every night.\n",
            "src/rank.py": "def rank(documents, query):\n"
            '    """Orders documents by their relevance to the query."""\n    return sorted(documents)\n',
        },
        ["Rank documents by relevance", "Rebuild the inverted index every night"],
    ),
    "cookiejar": (
        {
            "docs/guide.rst": "Guide\n=====\n\nA cookie is dropped when its domain is an address.\n",
            "jar.py": "def drop(cookie):\n    '''Drops a cookie whose domain is an IP address.'''\n",
        },
        ["Drop cookies whose domain is an address", "Keep the session signer for one hour"],
    ),
}


@dataclass(frozen=True)
class World:
    """The projects, the home they are indexed in, and ways to run the command on them."""

    work: Path
    home: Path

    def run(self, *arguments: str, input: str | bytes | None = None, home: Path | None = None) -> Result:  # noqa: A002
        """The command in this process."""
        from loci.cli._main import cli

        return CliRunner().invoke(cli, ["--home", str(home or self.home), *arguments], input=input)

    def json(self, *arguments: str, input: str | bytes | None = None) -> Any:  # noqa: A002
        """The JSON object that a successful command prints."""
        result = self.run(*arguments, input=input)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    def spawn(self, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        """The command in a process of its own."""
        environment = {**os.environ, "LOCI_HOME": str(self.home), **options.pop("env", {})}
        child: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-c", "import sys; from loci.cli import main; sys.exit(main())", *arguments],
            env=environment,
            stdin=options.pop("stdin", subprocess.DEVNULL),
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=options.pop("stderr", subprocess.PIPE),
            text=False,
        )
        return child


def make_projects(work: Path, make_repository: Callable[..., Path]) -> None:
    """Makes the three repositories below `work`."""
    for name, (files, subjects) in PROJECTS.items():
        make_repository(work / name, files, *subjects)


@pytest.fixture
def fresh(tmp_path: Path, make_repository: Callable[..., Path]) -> World:
    """The projects, not registered, and a home that does not exist; for tests that change something."""
    world = World(tmp_path / "work", tmp_path / "home")
    make_projects(world.work, make_repository)
    return world


@pytest.fixture
def built(fresh: World) -> World:
    """The projects registered and indexed; for tests that change something."""
    assert fresh.run("scan", str(fresh.work), "-y").exit_code == 0
    result = fresh.run("index")
    assert result.exit_code == 0, result.output
    return fresh


@pytest.fixture(scope="session")
def shared_world(tmp_path_factory: pytest.TempPathFactory, make_repository_in_session: Callable[..., Path]) -> World:
    """The projects registered and indexed once; only for tests that change nothing."""
    directory = tmp_path_factory.mktemp("shared")
    world = World(directory / "work", directory / "home")
    make_projects(world.work, make_repository_in_session)
    assert world.run("scan", str(world.work), "-y").exit_code == 0
    result = world.run("index")
    assert result.exit_code == 0, result.output
    return world
