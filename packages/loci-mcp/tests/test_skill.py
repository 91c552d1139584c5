"""The skill: valid by the public rules, true of the real commands, and never over a person's own file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from loci.cli._main import cli
from loci.mcp._command import mcp, skill
from loci.mcp._skill import SkillError, install, text

ROOT = Path(__file__).parents[3]


def front_matter() -> dict[str, str]:
    head = text().split("---\n")[1]
    return dict(re.findall(r"^(\w[\w-]*):[ ]*(.*)$", head, re.MULTILINE))


def test_it_keeps_the_public_rules():
    fields = front_matter()
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"]) and len(fields["name"]) <= 64
    assert 0 < len(fields["description"]) <= 1024 and len(fields["compatibility"]) <= 500
    assert set(fields) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools", "generator"}
    assert len(text().split("\n")) < 500


def test_its_usage_is_that_of_the_real_commands():
    (block,) = re.findall(r"```text\n(.*?)```", text(), re.DOTALL)
    lines = block.strip().split("\n")
    assert len(lines) >= 5
    context = click.Context(cli)
    for line in lines:
        _, name, *rest = re.findall(r'"[^"]*"|\S+', line)
        command = cli.get_command(context, name)
        assert command is not None, line
        command.make_context(name, [word.strip('"') for word in rest if word != "--cwd" and word != "DIR"])


def test_it_is_written_where_clients_look(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    runner = CliRunner()
    assert runner.invoke(skill, ["install"], standalone_mode=False).return_value == 0
    for folder in (".claude", ".agents"):
        assert (tmp_path / folder / "skills" / "loci" / "SKILL.md").read_text(encoding="utf-8") == text()
    assert "up to date" in runner.invoke(skill, ["install"], standalone_mode=False).output
    assert runner.invoke(skill, ["install", "--print"]).output == text()


def test_a_skill_of_the_persons_own_is_left_alone(tmp_path):
    path = tmp_path / "loci" / "SKILL.md"
    path.parent.mkdir()
    path.write_text("---\nname: loci\n---\nmine\n")
    with pytest.raises(SkillError, match="of your own"):
        install(tmp_path)
    assert path.read_text().endswith("mine\n")


def test_the_plugin_has_the_same_skill_and_names_real_things():
    plugin = ROOT / "plugins" / "claude-code"
    assert (plugin / "skills" / "loci" / "SKILL.md").read_text(encoding="utf-8") == text()
    servers = json.loads((plugin / ".mcp.json").read_text())["mcpServers"]
    assert servers["loci"]["command"] == "loci"
    mcp.make_context("mcp", servers["loci"]["args"][1:])
    described = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text())
    marketplace = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())
    (entry,) = marketplace["plugins"]
    assert entry["name"] == described["name"] == "loci" and marketplace["owner"]["name"]
    assert (ROOT / entry["source"]).resolve() == plugin.resolve()


def test_the_registry_entry_agrees_with_the_readme():
    server = json.loads((ROOT / "packages" / "loci-mcp" / "server.json").read_text())
    (package,) = server["packages"]
    assert package["registryType"] == "pypi" and package["transport"] == {"type": "stdio"}
    readme = (ROOT / "packages" / package["identifier"] / "README.md").read_text()
    assert re.search(rf"<!-- mcp-name: {re.escape(server['name'])} -->", readme)
