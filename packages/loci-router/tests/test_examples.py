"""The examples run, and do what they say."""

import runpy
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_support_tickets_go_to_their_services(capsys) -> None:
    module = runpy.run_path(str(EXAMPLES / "support_tickets.py"))
    routed = dict(module["route_tickets"](module["TICKETS"]))
    first = {ticket: services[0] if services else None for ticket, services in routed.items()}
    assert list(first.values()) == ["checkout", "accounts", "warehouse", "newsletter", None, "warehouse"]
    module["main"]()
    assert "a person" in capsys.readouterr().out
