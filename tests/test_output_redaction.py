"""What is shown is redacted by today's rules, whatever rules a store was written under."""

from __future__ import annotations

from pathlib import Path

from loci.episodes import Episodes
from loci.router import RoutingIndex


def test_a_store_written_without_redaction_shows_no_secret(tmp_path: Path) -> None:
    """mem0 6817 (FIELD 98): redaction is also needed on the way out, for data stored before the rule existed."""
    secret = "ghp_" + "q7ZrT2vXw9LmKp3sYd8FbNc1HgJa5EuQ6RiO"
    # The router's own text segments are the caller's texts as they are: a segment that knows no redaction rules.
    RoutingIndex.from_texts({"shop": [f"deploy with token = '{secret}' until Friday"]}).save(tmp_path)
    segment = next(tmp_path.glob("*.safetensors"))
    shown = Episodes.open(segment).search("deploy token")[0]
    assert secret not in shown.text
    assert shown.text.startswith("deploy with token = '[REDACTED:")
    assert shown.text.endswith("until Friday")
