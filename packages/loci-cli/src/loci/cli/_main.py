"""The `loci` command itself: global options, finding commands without importing them all, errors and exit codes."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import click

from loci.cli import __version__
from loci.cli import _console as console

if TYPE_CHECKING:
    from loci.core import LociError, Memory

# Each lives in a module that is imported when it is called or listed.
BUILT_IN = {
    "setup": "loci.cli._setup:setup",
    "update": "loci.cli._setup:update",
    "scan": "loci.cli._projects:scan",
    "add": "loci.cli._projects:add",
    "forget": "loci.cli._projects:forget",
    "scopes": "loci.cli._projects:scopes",
    "groups": "loci.cli._groups:groups",
    "group": "loci.cli._groups:group",
    "index": "loci.cli._index:index",
    "uses": "loci.cli._uses:uses",
    "graphs": "loci.cli._index:graphs",
    "embed": "loci.cli._embed:embed",
    "route": "loci.cli._questions:route",
    "ask": "loci.cli._questions:ask",
    "hook": "loci.cli._hook:hook",
    "map": "loci.cli._map:map_command",
    "doctor": "loci.cli._doctor:doctor",
}
ARGUMENTS = "loci.arguments"
ENTRY_POINTS = "loci.commands"
PROVIDED_BY = {"calibrate": "loci-eval", "eval": "loci-eval", "mcp": "loci-mcp"}
_no_directory = False


@dataclass
class Settings:
    """What the global options say; `click.Context.obj` of every command."""

    home: str | None = None

    def memory(self) -> Memory:
        """The memory the command works on."""
        from loci.core import Memory

        return Memory.open(self.home)


class Failure(click.ClickException):
    """An error of loci on its way to the exit: message and hint on stderr, with --json also an object on stdout."""

    def __init__(self, cause: LociError, as_json: bool) -> None:
        super().__init__(cause.message)
        self.cause = cause
        self.as_json = as_json
        # Annotated as of the class, read from the instance.
        self.exit_code = cause.exit_code  # pyright: ignore[reportAttributeAccessIssue]

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints it."""
        from loci.cli import words

        hint = words.hint(self.cause)
        if self.as_json:
            console.data_json({"error": self.cause.to_json(hint)})
        console.error(self.cause.message)
        if hint:
            console.hint(hint)


class WrongUsage(click.ClickException):
    """A usage error of click, said like every other error: message and hint, with --json also an object on stdout."""

    exit_code = 2

    def __init__(self, cause: click.UsageError, as_json: bool) -> None:
        message, _, hint = cause.format_message().partition("\nhint: ")
        super().__init__(message)
        self.ctx = cause.ctx
        self.hint = hint or (f"{cause.ctx.command_path} --help" if cause.ctx else None)
        self.as_json = as_json

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints it."""
        if self.as_json:
            from loci.core import InvalidRequest

            console.data_json({"error": InvalidRequest(self.message, self.hint).to_json()})
        elif self.ctx is not None:
            console.note(self.ctx.get_usage())
        console.error(self.message)
        if self.hint:
            console.hint(self.hint)


class Command(click.Command):
    """A command that returns its exit code and whose LociErrors become messages and exit codes."""

    def invoke(self, ctx: click.Context) -> None:
        """Runs the command."""
        try:
            if _no_directory:
                for parameter in self.params:
                    value = ctx.params.get(parameter.name or "") if isinstance(parameter.type, click.Path) else None
                    for path in value if isinstance(value, tuple) else (value,):
                        if isinstance(path, str):
                            refuse_without_directory(path)
            code = super().invoke(ctx)
        except Exception as error:
            raise _failure(error, bool(ctx.params.get("as_json"))) from error
        ctx.exit(code)


class Commands(click.Group):
    """A group whose members are imported only when they are called or listed."""

    command_class = Command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """As click does; remembers the arguments, since an error while they are parsed needs to know of --json."""
        given = list(args)
        try:
            ctx = super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            raise _said_our_way(error, given) from error
        ctx.meta[ARGUMENTS] = given
        return ctx

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The built-in ones in the order one needs them, then those of other packages by name."""
        return [*BUILT_IN, *sorted({entry.name for entry in _entry_points()} - set(BUILT_IN))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name in BUILT_IN:
            module, _, attribute = BUILT_IN[cmd_name].partition(":")
            return getattr(importlib.import_module(module), attribute)
        for entry in _entry_points():
            if entry.name == cmd_name:
                return entry.load()
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the near names or the package to install where it finds nothing."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            if name in PROVIDED_BY:
                ctx.fail(f"`loci {name}` is not installed.\nhint: pip install {PROVIDED_BY[name]}")
            from difflib import get_close_matches

            near = get_close_matches(name, self.list_commands(ctx), n=3)
            known = f"did you mean {' or '.join(near)}?" if near else "`loci --help` lists the commands"
            ctx.fail(f"no command is called {name!r}.\nhint: {known}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; also turns a LociError of another package's command into a message."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _said_our_way(error, ctx.meta.get(ARGUMENTS, [])) from error
        except Exception as error:
            raise _failure(error, False) from error


def home_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Accepts --home after the command too, where people put it."""
    return click.option(
        "--home", type=click.Path(file_okay=False), expose_value=False, callback=_set_home, hidden=True
    )(function)


def _set_home(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    settings = ctx.ensure_object(Settings)
    if value:
        refuse_without_directory(value)
        settings.home = value


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="loci", message="%(prog)s %(version)s")
@click.option(
    "--home",
    type=click.Path(file_okay=False),
    help="The directory of the index.  [default: $LOCI_HOME, else ~/.loci]",
)
@click.pass_context
def cli(ctx: click.Context, home: str | None) -> None:
    """Scoped memory: answer questions from the right one of your projects, with citations.

    Exit codes: 0 answered (an abstention is an answer), 1 nothing to answer from, 2 wrong usage or unknown name, 3
    another build holds the lock, 4 a damaged store.
    """
    if home:
        refuse_without_directory(home)
    ctx.obj = Settings(home)


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code and never raises for what a user can cause."""
    console.prepare_streams()
    _leave_a_deleted_directory()
    try:
        return _said(arguments)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except BrokenPipeError:  # the help, which click prints by itself
        console.drop_output()
        return 0
    except console.OutputFailed as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        console.note("stopped")
        return 130


def _said(arguments: Sequence[str] | None) -> int:
    try:
        result = cli.main(args=None if arguments is None else list(arguments), prog_name="loci", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code


def use_utf8() -> None:
    """Starts the program again in Python's UTF-8 mode where the locale would have it read file names otherwise.

    Names are written as UTF-8 by nearly everything; under another locale a project at a path with an umlaut would seem
    to be gone.
    """
    if os.name == "nt" or sys.getfilesystemencoding().lower().replace("-", "") == "utf8":
        return
    if os.environ.get("PYTHONUTF8") != "1":  # else it was tried
        environment = {**os.environ, "PYTHONUTF8": "1"}
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)


def _leave_a_deleted_directory() -> None:
    """From a directory that somebody has deleted not even a repository at an absolute path can be opened."""
    global _no_directory
    try:
        os.getcwd()  # noqa: PTH109 (Path.cwd only adds an import)
        _no_directory = False
    except OSError:
        os.chdir(os.sep)
        _no_directory = True


def current_directory() -> str | None:
    """Where the command was started; None when that directory has been deleted since."""
    return None if _no_directory else os.getcwd()  # noqa: PTH109


def refuse_without_directory(path: str) -> None:
    """Raises `InvalidRequest` for a relative path when there is nothing for it to be relative to."""
    if _no_directory and path != "-" and not os.path.isabs(os.path.expanduser(path)):  # noqa: PTH111, PTH117
        from loci.core import InvalidRequest

        raise InvalidRequest(
            f"the current directory was deleted, so the relative path {path} leads nowhere",
            "cd to an existing directory",
        )


def _said_our_way(error: click.UsageError, arguments: Sequence[str]) -> click.ClickException:
    if type(error).__name__ == "NoArgsIsHelpError":
        return error  # it shows the help; older releases of click have no such class
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return WrongUsage(error, "--json" in options)


def _failure(error: Exception, as_json: bool) -> Exception:
    """The error as a Failure when it is one of loci's, else itself."""
    if "loci.core" in sys.modules:
        from loci.core import LociError

        if isinstance(error, LociError):
            return Failure(error, as_json)
    return error


def _entry_points() -> Sequence[Any]:
    from importlib.metadata import entry_points  # only for commands that are not built in

    return tuple(entry_points(group=ENTRY_POINTS))
