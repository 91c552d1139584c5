"""The protocol: what counts as a backend, and what a symbol looks like in an answer."""

from __future__ import annotations

import pytest

from loci.structure import Project, StructureBackend, Symbol


class Complete:
    name = "complete"

    def sources(self, project):
        return []

    def vocabulary(self, project):
        return ()

    def query(self, project, text, *, names=(), relations=(), budget=40, depth_first=False):
        return []


@pytest.mark.parametrize("missing", ["name", "sources", "vocabulary", "query"])
def test_a_backend_needs_every_part(missing):
    assert isinstance(Complete(), StructureBackend)
    parts = {key: value for key, value in vars(Complete).items() if key != missing}
    assert not isinstance(type("Partial", (), parts)(), StructureBackend)


def test_a_symbol_has_the_keys_of_the_contract_and_their_additions():
    symbol = Symbol("drop", "function", "jar.py", 3, relation="calls", of="expire", resolution="exact")
    assert symbol.to_json() == {
        "name": "drop",
        "kind": "function",
        "path": "jar.py",
        "line": 3,
        "relation": "calls",
        "of": "expire",
        "resolution": "exact",
        "signature": "",
        "documentation": "",
        "lines": [0, 0],
        "site": None,
        "candidates": 1,
        "role": "source",
        "test": False,
    }


def test_a_seed_symbol_claims_no_relation():
    plain = Symbol("drop", "function", "jar.py", 3).to_json()
    assert plain["relation"] is plain["of"] is plain["resolution"] is None


def test_a_project_is_a_value():
    assert Project("a", None) == Project("a", None)
    assert len({Project("a", None), Project("a", None)}) == 1
