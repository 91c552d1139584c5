"""Clients' configuration files: one entry in, one entry out, every other byte as it was."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from loci.core import Memory
from loci.mcp._clients import CLIENTS, ClientFileError, apply, findings, install, undo
from loci.mcp._command import mcp
from loci.mcp._jsonc import JsoncError, loads, remove_member, set_member

ARGUMENTS = ["mcp"]
COMMAND = "/opt/tools/loci"

JSON_FILE = """{
  // what the person wrote
  "telemetry": false, /* not here */
  "%s": {
    "github": {
      "command": "docker", // runs in a container
      "args": ["run", "-i", "--rm",],
      "env": {"TOKEN": "${input:token}"},
    },
    "weather": { "url": "https://weather.example/mcp" } // last one
  },

  "editor.fontSize": 14,
\t"odd indentation": [1, 2,
      3],
  "unicode": "h\u00e9lloé \\"quoted\\" \\\\ // no comment",
}
"""
TOML_FILE = """# what the person wrote
model = "large"   # trailing comment
approval_policy = 'on-request'

[mcp_servers.github]
command = "docker"
args = ["run", "-i"] # kept

[projects."/home/ada/work"]
trust_level = "trusted"

[tui]
notifications = true
"""


def written(client) -> str:
    return TOML_FILE if client.format == "toml" else JSON_FILE % client.member[0]


@pytest.mark.parametrize("name", sorted(CLIENTS))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("padding", [0, 400])
def test_in_and_out_again_byte_for_byte(tmp_path, name, newline, padding):
    """FIELD 94: an installer that replaced a person's settings, 5,117 bytes by 519."""
    client = CLIENTS[name]
    comment = "#" if client.format == "toml" else "//"
    before = (f"{comment} padding\n" * padding + written(client)).replace("\n", newline)
    path = tmp_path / "settings"
    path.write_bytes(before.encode())
    path.chmod(0o640)

    edit = install(client, COMMAND, ARGUMENTS, path)
    assert edit.changes and "+" in edit.diff()
    assert path.read_bytes() == before.encode()  # shown first, written later
    apply(edit, keep_backup=True)

    after = path.read_bytes().decode()
    assert client.found(after) == client.value(COMMAND, ARGUMENTS)
    assert path.stat().st_mode & 0o777 == 0o640
    # Every line that was there is there, in its order; at most the one before the entry got a comma.
    kept = [line.rstrip(",") for line in after.split(newline)]
    position = 0
    for line in before.split(newline):
        wanted = line.replace("} // last one", "}, // last one").rstrip(",")
        position = kept.index(wanted, position) + 1
    assert (tmp_path / "settings.before-loci").read_bytes() == before.encode()
    assert not install(client, COMMAND, ARGUMENTS, path).changes

    apply(undo(client, path), keep_backup=False)
    assert path.read_bytes() == before.encode()
    assert sorted(item.name for item in tmp_path.iterdir()) == ["settings"]


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_a_file_of_its_own_comes_and_goes(tmp_path, name):
    client = CLIENTS[name]
    path = tmp_path / "deep" / "settings"
    apply(install(client, COMMAND, ARGUMENTS, path), keep_backup=True)
    assert client.found(path.read_text()) == client.value(COMMAND, ARGUMENTS)
    apply(undo(client, path), keep_backup=False)
    assert not path.exists() and not undo(client, path).changes


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_a_file_with_our_entry_alone_stays_where_a_backup_says_that_it_was_the_persons(tmp_path, name):
    """They may have emptied it since; a file that was there before loci is not loci's to delete."""
    client = CLIENTS[name]
    path = tmp_path / "settings"
    path.write_text(written(client))
    apply(install(client, COMMAND, ARGUMENTS, path), keep_backup=True)
    path.write_text(client.snippet(COMMAND, ARGUMENTS))
    edit = undo(client, path)
    assert edit.after is not None and client.found(edit.after) is None
    apply(edit, keep_backup=False)
    assert [item.name for item in tmp_path.iterdir()] == ["settings"]
    # Without a backup loci made the file, and takes it away.
    path.write_text(client.snippet(COMMAND, ARGUMENTS))
    assert undo(client, path).after is None


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_what_was_changed_since_stays(tmp_path, name):
    client = CLIENTS[name]
    path = tmp_path / "settings"
    path.write_text(written(client))
    apply(install(client, COMMAND, ARGUMENTS, path), keep_backup=True)
    comment = "# later\n" if client.format == "toml" else "// later\n"
    path.write_text(comment + path.read_text())
    apply(undo(client, path), keep_backup=False)
    text = path.read_text()
    assert client.found(text) is None and text.startswith(comment) and "docker" in text


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_an_older_entry_is_brought_up_to_date(tmp_path, name):
    client = CLIENTS[name]
    path = tmp_path / "settings"
    path.write_text(written(client))
    apply(install(client, "/old/loci", ["mcp", "--home", "/x"], path), keep_backup=True)
    apply(install(client, COMMAND, ARGUMENTS, path), keep_backup=True)
    assert client.found(path.read_text()) == client.value(COMMAND, ARGUMENTS)
    fresh = client.snippet(COMMAND, ARGUMENTS)
    assert path.read_text().count("loci") == fresh.count("loci")


@pytest.mark.parametrize("name", sorted(CLIENTS))
@pytest.mark.parametrize("text", ['{"a": ', "[1, 2", '{"a": 1} x', "= nonsense", '{"a" 1}', "{'a': 1}", "/* open"])
def test_a_broken_file_is_left_alone(tmp_path, name, text):
    path = tmp_path / "settings"
    path.write_text(text)
    with pytest.raises(ClientFileError, match="settings was left as it is"):
        install(CLIENTS[name], COMMAND, ARGUMENTS, path)
    assert path.read_text() == text


def test_a_table_that_is_no_table_is_left_alone(tmp_path):
    path = tmp_path / "settings"
    for name, text in (("cursor", '{"mcpServers": []}'), ("codex", "mcp_servers = 3\n")):
        path.write_text(text)
        with pytest.raises(ClientFileError):
            install(CLIENTS[name], COMMAND, ARGUMENTS, path)
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ClientFileError, match="not UTF-8"):
        install(CLIENTS["cursor"], COMMAND, ARGUMENTS, path)


def test_inline_tables_of_toml(tmp_path):
    client = CLIENTS["codex"]
    text = 'mcp_servers = { github = { command = "docker" } }\n'
    after = client.merged(text, COMMAND, ARGUMENTS)
    assert client.found(after) == client.value(COMMAND, ARGUMENTS) and "docker" in after


def test_a_link_is_followed(tmp_path):
    """People keep their settings in a repository and link them."""
    real = tmp_path / "dotfiles" / "settings"
    real.parent.mkdir()
    real.write_text("{}\n")
    link = tmp_path / "settings"
    link.symlink_to(real)
    apply(install(CLIENTS["zed"], COMMAND, ARGUMENTS, link), keep_backup=True)
    assert link.is_symlink() and "context_servers" in real.read_text()


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_client_has_a_file_on_every_platform(platform):
    environment = {"HOME": "/home/ada", "USERPROFILE": "/home/ada", "APPDATA": "/home/ada/AppData/Roaming"}
    paths = [client.file(environment, platform) for client in CLIENTS.values()]
    assert len(set(paths)) == len(paths) and all(str(path).startswith(str(Path("/home/ada"))) for path in paths)


def test_an_entry_that_cannot_work_is_found_where_it_was_installed(tmp_path):
    """One table says where a client's file is, for installing and for `loci doctor`."""
    environment = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "PATH": ""}
    assert list(findings(environment, "linux")) == []
    gone = str(tmp_path / "gone" / "loci")
    for client in CLIENTS.values():
        apply(install(client, gone, ARGUMENTS, client.file(environment, "linux")), keep_backup=True)
    found = list(findings(environment, "linux"))
    assert [item.fix for item in found] == [f"loci mcp install --client {name}" for name in CLIENTS]
    assert all(gone in item.problem and item.kind == "broken_client_configuration" for item in found)
    for client in CLIENTS.values():
        apply(install(client, sys.executable, ARGUMENTS, client.file(environment, "linux")), keep_backup=True)
    assert list(findings(environment, "linux")) == []


def test_what_the_doctor_says_of_files_of_clients(tmp_path):
    environment = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "PATH": ""}
    cursor = CLIENTS["cursor"].file(environment, "linux")
    cursor.parent.mkdir()

    def said(text: str) -> list[tuple[str, str | None]]:
        cursor.write_text(text)
        return [(item.problem.replace(str(cursor), "FILE"), item.fix) for item in findings(environment, "linux")]

    assert said('{"mcpServers": {"other": {"command": "/nowhere/other"}}}') == []
    assert said('{"mcpServers": ') == []  # broken, and not for our sake
    ((problem, fix),) = said('{"mcpServers": {\n  "loci": }}')
    assert problem.startswith("FILE cannot be read (") and "line 2" in problem and fix == "correct that place"
    assert said('{"mcpServers": {"loci": {"url": "https://loci.example/mcp"}}}') == []
    assert said('{\n// mine\n"mcpServers": {"my-loci": {"command": "no-such-loci",},}}') == [
        (
            "FILE starts no-such-loci, which is not there, so Cursor has no loci",
            "correct mcpServers.my-loci there, or take it out",
        )
    ]
    cursor.unlink()
    claude = CLIENTS["claude-code"].file(environment, "linux")
    claude.write_text('{"projects": {"/src/app": {"mcpServers": {"loci": {"command": "/gone/loci"}}}}}')
    (fix,) = [item.fix for item in findings(environment, "linux")]
    assert fix == "correct projects./src/app.mcpServers.loci there, or take it out"


def test_the_doctor_asks(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    client = CLIENTS["gemini"]
    apply(install(client, "/gone/loci", ARGUMENTS, client.file()), keep_backup=True)
    fixes = [finding.fix for finding in Memory.open(tmp_path / "home").doctor()]
    assert "loci mcp install --client gemini" in fixes


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    data=st.dictionaries(st.text(max_size=5), VALUES, max_size=4),
    indent=st.sampled_from([None, 2, 4, "\t"]),
    path=st.lists(st.sampled_from(["servers", "loci", "a"]), min_size=1, max_size=3),
    value=VALUES,
)
def test_an_edit_changes_one_member_and_no_other(data, indent, path, value):
    text = json.dumps(data, indent=indent)
    expected = json.loads(text)
    place = expected
    for key in path[:-1]:
        if not isinstance(place.setdefault(key, {}), dict):
            with pytest.raises(JsoncError):
                set_member(text, path, value)
            return
        place = place[key]
    place[path[-1]] = value
    after = set_member(text, path, value)
    assert loads(after) == expected
    del place[path[-1]]
    assert loads(remove_member(after, path)) == expected


@given(st.text(alphabet='{}[]",:/*\\ \n1ae', max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        loads(text)
    except JsoncError as error:
        assert error.line >= 1 and error.column >= 1


def test_without_a_terminal_nothing_is_written_unless_told_to(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes((before := JSON_FILE % "mcpServers").encode())
    run = CliRunner().invoke
    install_it = ["install", "--client", "cursor", "--file", str(path)]

    def refused(arguments: list[str]) -> None:
        state = {each: each.read_bytes() for each in tmp_path.iterdir()}
        result = run(mcp, arguments)
        assert result.exit_code == 2
        assert "loci" in result.stdout and result.stdout.startswith("---"), "the diff is shown"
        assert "no terminal to ask on" in result.stderr and "hint: -y" in result.stderr
        assert {each: each.read_bytes() for each in tmp_path.iterdir()} == state

    refused(install_it)
    assert run(mcp, [*install_it, "-y"], standalone_mode=False).return_value == 0
    assert path.read_bytes() != before.encode()
    # What is there already needs no leave.
    assert run(mcp, install_it, standalone_mode=False).return_value == 0
    refused([*install_it, "--undo"])
    assert run(mcp, [*install_it, "--undo", "-y"], standalone_mode=False).return_value == 0
    assert path.read_bytes() == before.encode()
