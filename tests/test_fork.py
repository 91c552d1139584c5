"""A process that asked and was forked can ask again: threads do not survive a fork, and nobody may wait for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHILD_ASKS = """
import os, sys, warnings
from loci.episodes import build
from loci.router import Router, RoutingIndex
warnings.simplefilter("ignore")
texts = {"billing": ["Invoices are sent monthly."], "search": ["Documents are ranked."]}
router = Router(RoutingIndex.from_texts(texts))
before = router.route("when are invoices sent?").to_json()
build(sys.argv[1], directory=sys.argv[2])
child = os.fork()
if child == 0:
    same = router.route("when are invoices sent?").to_json() == before
    router = Router(RoutingIndex.from_texts(texts))
    same = same and router.route("when are invoices sent?").to_json() == before
    build(sys.argv[1], directory=sys.argv[2])
    os._exit(0 if same else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_routes_and_builds(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "repo")], check=True)
    (tmp_path / "repo" / "README.md").write_text("# Billing\n\nInvoices.\n")
    done = subprocess.run([sys.executable, "-c", CHILD_ASKS, str(tmp_path / "repo"), str(tmp_path)], timeout=60)
    assert done.returncode == 0
