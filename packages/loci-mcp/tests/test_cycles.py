"""The server is started and ended in every way that clients do, and nothing stays behind."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "server" / "cycles.py"


@pytest.mark.timeout(600)
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system does not tell whose process is whose")
def test_neither_a_process_nor_a_file_stays_behind(monkeypatch):
    """FIELD 70, 71, 72 and 75: servers and their helpers that outlived their client by the dozen."""
    specification = importlib.util.spec_from_file_location("cycles", SCRIPT)
    assert specification is not None and specification.loader is not None
    cycles = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, "cycles", cycles)  # where its dataclasses look for themselves
    specification.loader.exec_module(cycles)
    report = cycles.run(12, workers=4)
    assert set(report.cycles.values()) == {1} and len(report.cycles) == 12  # each end in each state
    assert (report.processes, report.files, report.unanswered, report.unseen) == ([], [], [], 0)
