"""Clients' configuration: one entry merged into the right file, everything else left byte for byte as it is."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from loci.mcp._jsonc import JsoncError, loads, remove_member, set_member

if TYPE_CHECKING:
    from loci.core import Finding

ENTRY = "loci"
BACKUP_SUFFIX = ".before-loci"
KIND = "broken_client_configuration"

Format = Literal["json", "toml"]


class ClientFileError(Exception):
    """A configuration file that cannot be edited safely; the message says why, and nothing was written."""


@dataclass(frozen=True)
class Client:
    """Where a client keeps its servers. `member`: the path of names to the table of them."""

    name: str
    title: str
    member: tuple[str, ...]
    format: Format = "json"
    entry: tuple[tuple[str, Any], ...] = ()  # what the entry holds besides the command
    workspace: bool = False  # the client fills in ${workspaceFolder}
    per_project: bool = False  # the file also holds servers of single projects, below `projects`

    def file(self, environment: Mapping[str, str] | None = None, platform: str | None = None) -> Path:
        """The person's own configuration file on this platform."""
        return _file(self.name, os.environ if environment is None else environment, platform or sys.platform)

    def value(self, command: str, arguments: list[str]) -> dict[str, Any]:
        """The entry that starts the server."""
        arguments = [*arguments, *(["--root", "${workspaceFolder}"] if self.workspace else [])]
        return {**dict(self.entry), "command": command, "args": arguments}

    def snippet(self, command: str, arguments: list[str]) -> str:
        """The entry as a file of its own."""
        return self.merged("", command, arguments)

    def merged(self, text: str, command: str, arguments: list[str]) -> str:
        """The text of the file with the entry in it. Raises `ClientFileError` for a text that cannot be read."""
        value = self.value(command, arguments)
        if self.format == "toml":
            return _toml_set(text, (*self.member, ENTRY), value)
        try:
            new = set_member(text, (*self.member, ENTRY), value)
            expected = loads(text)
            _put(expected, (*self.member, ENTRY), value)
            if loads(new) != expected:
                raise ClientFileError("an edit would change more than the entry")
        except JsoncError as error:
            raise ClientFileError(str(error)) from error
        return new

    def without(self, text: str) -> str:
        """The text of the file without the entry. Raises `ClientFileError`."""
        try:
            if self.format == "toml":
                return _toml_remove(text, (*self.member, ENTRY))
            return remove_member(text, (*self.member, ENTRY))
        except JsoncError as error:
            raise ClientFileError(str(error)) from error

    def found(self, text: str) -> dict[str, Any] | None:
        """The entry as it stands in the file; None when there is none. Raises `ClientFileError`."""
        entry = _at(self._parsed(text), (*self.member, ENTRY))
        return entry if isinstance(entry, dict) else None

    def named(self, text: str) -> dict[str, dict[str, Any]]:
        """Every entry whose name holds ours, by its place in the file: a person may have made it, or the client.

        Raises `ClientFileError`.
        """
        data = self._parsed(text)
        places = {".".join(self.member): _at(data, self.member)}
        projects = _at(data, ("projects",)) if self.per_project else None
        for project, settings in projects.items() if isinstance(projects, dict) else ():
            places[f"projects.{project}.{'.'.join(self.member)}"] = _at(settings, self.member)
        return {
            f"{place}.{name}": entry
            for place, servers in places.items()
            if isinstance(servers, dict)
            for name, entry in servers.items()
            if ENTRY in str(name) and isinstance(entry, dict)
        }

    def _parsed(self, text: str) -> Any:
        try:
            return _toml(text).unwrap() if self.format == "toml" else loads(text)
        except JsoncError as error:
            raise ClientFileError(str(error)) from error


CLIENTS: dict[str, Client] = {
    client.name: client
    for client in (
        Client("claude-code", "Claude Code", ("mcpServers",), entry=(("type", "stdio"),), per_project=True),
        Client("claude-desktop", "Claude Desktop", ("mcpServers",)),
        Client("codex", "Codex", ("mcp_servers",), format="toml"),
        Client("cursor", "Cursor", ("mcpServers",), workspace=True),
        Client("vscode", "VS Code", ("servers",), entry=(("type", "stdio"),), workspace=True),
        Client("gemini", "Gemini CLI", ("mcpServers",)),
        Client("windsurf", "Windsurf", ("mcpServers",)),
        Client("zed", "Zed", ("context_servers",), entry=(("source", "custom"),)),
    )
}


@dataclass(frozen=True)
class Edit:
    """A change of one file, not made yet. `before` is None when there is no file; `after` None when it is to go."""

    path: Path
    before: str | None
    after: str | None

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff."""
        return "".join(
            line if line.endswith("\n") else line + "\n"
            for line in difflib.unified_diff(
                (self.before or "").splitlines(keepends=True),
                (self.after or "").splitlines(keepends=True),
                str(self.path) if self.before is not None else os.devnull,
                str(self.path) if self.after is not None else os.devnull,
            )
        )


def install(client: Client, command: str, arguments: list[str], path: Path | None = None) -> Edit:
    """The edit that puts the entry into the client's file. Raises `ClientFileError`."""
    path = path or client.file()
    before = _read(path)
    return Edit(path, before, _named(path, lambda: client.merged(before or "", command, arguments)))


def undo(client: Client, path: Path | None = None) -> Edit:
    """The edit that takes the entry out again: the file of the backup, byte for byte, if nothing else changed since.

    Where the file was changed after the entry was put in, only the entry goes. Raises `ClientFileError`.
    """
    path = path or client.file()
    before = _read(path)
    if before is None:
        return Edit(path, None, None)
    entry = _named(path, lambda: client.found(before))
    if entry is None:
        return Edit(path, before, before)
    command, arguments = str(entry.get("command", "")), [str(item) for item in entry.get("args", [])]
    if client.workspace and arguments[-2:] == ["--root", "${workspaceFolder}"]:
        arguments = arguments[:-2]
    backup = _read(_backup(path))
    for original in (backup, None):
        with contextlib.suppress(ClientFileError):
            if client.merged(original or "", command, arguments) == before and (original is not None or backup is None):
                return Edit(path, before, original)
    return Edit(path, before, _named(path, lambda: client.without(before)))


def apply(edit: Edit, *, keep_backup: bool) -> None:
    """Makes the edit: a backup beside the file first, then the file as a whole, with its permissions.

    `keep_backup=False` removes the backup instead: the edit was an undo. A link is followed, not replaced.
    """
    path = Path(os.path.realpath(edit.path))
    backup = _backup(edit.path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if keep_backup and edit.before is not None:
            _write(backup, edit.before, like=path)
        if edit.after is None:
            path.unlink()
        else:
            _write(path, edit.after, like=path)
        if not keep_backup:
            backup.unlink(missing_ok=True)
    except OSError as error:
        raise ClientFileError(f"{edit.path} cannot be written: {error.strerror or error}") from error


def own_command() -> str:
    """The absolute path of the `loci` that runs: clients with a window start servers without the shell's PATH.

    The name that the person's PATH knows is preferred to the file behind it: an upgrade keeps it.
    """
    running = Path(sys.argv[0])
    found = shutil.which("loci")
    if found is not None:
        return str(Path(found).absolute())
    if running.name.split(".")[0] == "loci" and running.exists():
        return str(running.absolute())
    beside = Path(sys.executable).with_name("loci.exe" if sys.platform == "win32" else "loci")
    if beside.exists():
        return str(beside)
    raise ClientFileError("the `loci` command is not on PATH, and its absolute path is needed: pipx install loci-mem")


def findings(environment: Mapping[str, str] | None = None, platform: str | None = None) -> Iterator[Finding]:
    """What `loci doctor` says of clients: entries for loci that cannot work, by the same table that installs them.

    Reads, writes nothing. A file without the name of loci is nobody's business here, broken or not.
    """
    from loci.core import Finding

    environment = os.environ if environment is None else environment
    for client in CLIENTS.values():
        path = client.file(environment, platform)
        try:
            text = _read(path)
            if text is None or ENTRY not in text:
                continue
            entries = client.named(text)
        except ClientFileError as error:
            problem = f"{path} cannot be read ({error}), so {client.title} starts no server from it"
            yield Finding(None, "warning", KIND, problem, "correct that place")
            continue
        for place, entry in entries.items():
            command = entry.get("command")
            if command is None and ("url" in entry or "serverUrl" in entry):
                continue  # a server of somebody's own, elsewhere
            ours = place == ".".join((*client.member, ENTRY))
            fix = f"loci mcp install --client {client.name}" if ours else f"correct {place} there, or take it out"
            if not isinstance(command, str) or not command:
                yield Finding(None, "warning", KIND, f"{path} has {place} without a command", fix)
            elif shutil.which(os.path.expanduser(command), path=environment.get("PATH")) is None:  # noqa: PTH111
                problem = f"{path} starts {command}, which is not there, so {client.title} has no loci"
                yield Finding(None, "warning", KIND, problem, fix)


def _file(name: str, environment: Mapping[str, str], platform: str) -> Path:
    home = Path(environment.get("USERPROFILE" if platform == "win32" else "HOME") or Path.home())
    if platform == "darwin":
        settings = home / "Library" / "Application Support"
    elif platform == "win32":
        settings = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    else:
        settings = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    if name == "claude-code":
        directory = environment.get("CLAUDE_CONFIG_DIR")
        return Path(directory) / ".claude.json" if directory else home / ".claude.json"
    if name == "claude-desktop":
        return settings / "Claude" / "claude_desktop_config.json"
    if name == "codex":
        return Path(environment.get("CODEX_HOME") or home / ".codex") / "config.toml"
    if name == "cursor":
        return home / ".cursor" / "mcp.json"
    if name == "vscode":
        return settings / "Code" / "User" / "mcp.json"
    if name == "gemini":
        return home / ".gemini" / "settings.json"
    if name == "windsurf":
        return home / ".codeium" / "windsurf" / "mcp_config.json"
    if name == "zed":
        # Zed keeps to ~/.config on macOS as well.
        return (settings / "Zed" if platform == "win32" else home / ".config" / "zed") / "settings.json"
    raise KeyError(name)


def _read(path: Path) -> str | None:
    try:
        # newline="": the ends of lines are bytes like any other.
        with open(path, encoding="utf-8", newline="") as file:  # noqa: PTH123 - Path.open reads alike
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise ClientFileError(f"{path} is not UTF-8") from None
    except OSError as error:
        raise ClientFileError(f"{path} cannot be read: {error.strerror or error}") from error


def _write(path: Path, text: str, *, like: Path) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        if like.exists():
            shutil.copymode(like, temporary)
        os.replace(temporary, path)  # noqa: PTH105 - a text here
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108 - a text here
        raise


def _backup(path: Path) -> Path:
    return path.with_name(path.name + BACKUP_SUFFIX)


def _named(path: Path, work: Any) -> Any:
    try:
        return work()
    except ClientFileError as error:
        raise ClientFileError(f"{path} was left as it is: {error}") from error


def _at(data: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _put(data: Any, path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        data = data.setdefault(key, {})
    data[path[-1]] = value


def _toml(text: str) -> Any:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise ClientFileError(str(error)) from error


def _toml_set(text: str, path: tuple[str, ...], value: dict[str, Any]) -> str:
    from tomlkit.exceptions import TOMLKitError

    document = _toml(text)
    expected = document.unwrap()
    table = document
    for key in path[:-1]:
        table = table.get(key)
        if table is None:
            break
        if not isinstance(table, dict):
            raise ClientFileError(f"`{key}` is no table")
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {json.dumps(item, ensure_ascii=False)}" for key, item in value.items())]
    newline = "\r\n" if "\r\n" in text else "\n"
    if table is None or path[-1] not in table:
        # At the end, as a table of its own: no other byte moves.
        before = text if not text or text.endswith("\n") else text + newline
        new = before + (newline if before.strip() else "") + newline.join(lines) + newline
        if _parses_to(new, expected, path, value):
            return new
    # The entry is there already, or its parent is written inline and takes no table below it.
    try:
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        existing = parent.get(path[-1])
        if isinstance(existing, dict):
            for key in list(existing):
                if key not in value:
                    del existing[key]
            for key, item in value.items():
                if existing.get(key) != item:
                    existing[key] = item
        else:
            parent[path[-1]] = value
        new = document.as_string()
    except (TOMLKitError, TypeError) as error:
        raise ClientFileError(str(error)) from error
    if not _parses_to(new, expected, path, value):
        raise ClientFileError("an edit would change more than the entry")
    return new


def _toml_remove(text: str, path: tuple[str, ...]) -> str:
    document = _toml(text)
    parent = document
    for key in path[:-1]:
        parent = parent.get(key)
        if not isinstance(parent, dict):
            return text
    if path[-1] not in parent:
        return text
    del parent[path[-1]]
    return document.as_string()


def _parses_to(text: str, expected: dict[str, Any], path: tuple[str, ...], value: Any) -> bool:
    try:
        found = _toml(text).unwrap()
    except ClientFileError:
        return False
    wanted = json.loads(json.dumps(expected, default=str))
    _put(wanted, path, value)
    return json.loads(json.dumps(found, default=str)) == wanted
