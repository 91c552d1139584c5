"""Git hooks that keep the index up to date, for those who want them: shown first, beside whatever hooks there are, and
taken away without a trace.

An existing hook is renamed, called first, and its exit code is the hook's; taking ours away renames it back. Without
any hook questions notice every change just the same: they look at the files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from loci.core.errors import InvalidRequest, NotARepository
from loci.core.home.git import Repository, repository_around
from loci.core.home.home import Home
from loci.core.home.identity import existing_directory

EVENTS = ("post-commit", "post-merge", "post-checkout", "post-rewrite")
"""After these git has changed what is checked out or what HEAD's history is."""
OTHER_HOOKS = (
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "pre-rebase",
    "pre-push",
    "pre-auto-gc",
    "post-index-change",
    "sendemail-validate",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-prepare-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "reference-transaction",
    "push-to-checkout",
)
"""A directory of hooks for all repositories takes the place of each repository's own, so these are passed on to it."""
MARK = "# loci hook 1"
KEPT = ".before-loci"
WAIT_SECONDS = 60

Action = Literal["create", "wrap", "remove", "restore", "configure", "unconfigure"]


@dataclass(frozen=True)
class Step:
    """One change on disk: `what` is done to `path`; `text` is its new content where it gets one."""

    what: Action
    path: Path
    text: str = ""

    def __str__(self) -> str:
        words = {
            "create": f"write {self.path}",
            "wrap": f"rename {self.path} to {self.path.name}{KEPT}, and write one that calls it first",
            "remove": f"remove {self.path}",
            "restore": f"rename {self.path.name}{KEPT} back to {self.path}",
            "configure": f"git config --global core.hooksPath {self.text}",
            "unconfigure": "git config --global --unset core.hooksPath",
        }
        return words[self.what]


@dataclass(frozen=True)
class HookPlan:
    """What installing or taking away hooks would do. `script` is one of the hooks, to be read before.

    `kept`: hooks that are there and stay as they are, since they are ours already or, on the way out, somebody has
    replaced ours.
    """

    steps: tuple[Step, ...]
    script: str = ""
    kept: tuple[Path, ...] = field(default=())

    def apply(self) -> None:
        """Does it. Raises `InvalidRequest` when the system refuses; what was done by then can be undone."""
        for step in self.steps:
            try:
                _do(step)
            except OSError as error:
                raise InvalidRequest(f"could not {step}: {error.strerror or error}") from error


def plan_hooks(home: Home, place: str | os.PathLike[str] | None, *, uninstall: bool = False) -> HookPlan:
    """See `loci.core.Memory.plan_hooks`."""
    repository = None
    if place is not None:
        directory = existing_directory(place)
        repository = repository_around(directory)
        if repository is None:
            raise NotARepository(directory)
    return (_plan_uninstall if uninstall else _plan_install)(home, repository)


def _plan_install(home: Home, repository: Repository | None) -> HookPlan:
    """Hooks for one repository, or with None for all of the person's repositories."""
    if repository is not None:
        return _plan_directory(_hooks_of(repository), home, EVENTS, pass_on=False)
    current = _global_path()
    if current is not None and current != _own_directory(home):
        # The person has hooks for all repositories already: ours go beside them.
        return _plan_directory(current, home, EVENTS, pass_on=False)
    directory = _own_directory(home)
    plan = _plan_directory(directory, home, (*EVENTS, *OTHER_HOOKS), pass_on=True)
    configure = [] if current == directory else [Step("configure", _global_file(), str(directory))]
    return HookPlan((*plan.steps, *configure), plan.script, plan.kept)


def _plan_uninstall(home: Home, repository: Repository | None) -> HookPlan:
    """The way back: exactly what was there before, as far as nobody has changed it since."""
    current = None if repository is not None else _global_path()
    directory = _hooks_of(repository) if repository is not None else current or _own_directory(home)
    steps: list[Step] = []
    kept = []
    if repository is None and current == _own_directory(home):
        steps.append(Step("unconfigure", _global_file(), str(current)))
    for event in (*EVENTS, *OTHER_HOOKS):
        hook, before = directory / event, directory / f"{event}{KEPT}"
        if _is_ours(hook):
            steps.append(Step("restore" if _exists(before) else "remove", hook))
        elif _exists(before):
            kept.append(before)
    return HookPlan(tuple(steps), kept=tuple(kept))


def _plan_directory(directory: Path, home: Home, events: tuple[str, ...], *, pass_on: bool) -> HookPlan:
    steps = []
    kept = []
    script = ""
    for event in events:
        hook = directory / event
        text = _script(event, home, pass_on=pass_on)
        script = script or text
        if _is_ours(hook):
            if hook.read_text(encoding="utf-8", errors="replace") == text:
                kept.append(hook)
            else:
                steps.append(Step("create", hook, text))
        elif _exists(hook):
            if _exists(directory / f"{event}{KEPT}"):
                raise InvalidRequest(
                    f"{hook}{KEPT} is in the way: it was kept when loci's hook was installed, and the hook has been "
                    "replaced since",
                    "remove the one of the two that is not wanted",
                )
            steps.append(Step("wrap", hook, text))
        else:
            steps.append(Step("create", hook, text))
    return HookPlan(tuple(steps), script, tuple(kept))


def _script(event: str, home: Home, *, pass_on: bool) -> str:
    """The hook. It returns at once: the index is built in the background, after any build that runs already."""
    before = f'"$(dirname "$0")/{event}{KEPT}"'
    if pass_on:
        before = f'"$(git rev-parse --git-common-dir)/hooks/{event}"'
    lines = [
        "#!/bin/sh",
        f"{MARK}: keeps the index of loci up to date; `loci hook uninstall` takes it away again",
        f"before={before}",
    ]
    if event not in EVENTS:
        return "\n".join([*lines, '[ -x "$before" ] || exit 0', 'exec "$before" "$@"', ""])
    command = [*_command(), "--home", str(home.directory), "index", ".", "--wait", str(WAIT_SECONDS)]
    quoted = " ".join(shlex.quote(part) for part in command)
    return "\n".join(
        [
            *lines,
            "status=0",
            'if [ -x "$before" ]; then "$before" "$@"; status=$?; fi',
            # Git names its own files to hooks; they would mislead whatever else looks at a repository.
            "unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE GIT_PREFIX GIT_COMMON_DIR",
            f"( {quoted} </dev/null >/dev/null 2>&1 & )",
            "exit $status",
            "",
        ]
    )


def _command() -> list[str]:
    found = shutil.which("loci")
    return [found] if found else [sys.executable, "-c", "import sys; from loci.cli import main; sys.exit(main())"]


def _do(step: Step) -> None:
    kept = step.path.with_name(step.path.name + KEPT)
    if step.what in ("create", "wrap"):
        step.path.parent.mkdir(parents=True, exist_ok=True)
        if step.what == "wrap":
            step.path.rename(kept)
        try:
            _write(step.path, step.text)
        except OSError:
            if step.what == "wrap":
                kept.rename(step.path)
            raise
    elif step.what == "restore":
        kept.replace(step.path)
    elif step.what == "remove":
        step.path.unlink()
        with contextlib.suppress(OSError):
            step.path.parent.rmdir()  # only where nothing else is in it
            if step.path.parent.name == "hooks" and step.path.parent.parent.name == "git":
                step.path.parent.parent.rmdir()  # of loci's own home
    elif step.what == "configure":
        _configure(step.path, Path(step.text))
    else:
        _unconfigure(step.path, Path(step.text))


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    temporary.chmod(0o755)
    temporary.replace(path)


def _configure(config: Path, directory: Path) -> None:
    """Sets the directory of hooks for all repositories, and remembers the file as it was."""
    memory = directory.parent
    before = config.read_bytes() if config.exists() else None
    _git("config", "--file", str(config), "core.hooksPath", str(directory))
    after = hashlib.sha256(config.read_bytes()).hexdigest()
    (memory / "gitconfig.after").write_text(after, encoding="ascii")
    if before is not None:
        (memory / "gitconfig.before").write_bytes(before)


def _unconfigure(config: Path, directory: Path) -> None:
    """The file as it was, byte for byte, unless it has changed since; then only our line goes."""
    after, before = directory.parent / "gitconfig.after", directory.parent / "gitconfig.before"
    unchanged = after.exists() and hashlib.sha256(config.read_bytes()).hexdigest() == after.read_text(encoding="ascii")
    if unchanged and before.exists():
        config.write_bytes(before.read_bytes())
    elif unchanged:
        config.unlink()
    else:
        _git("config", "--file", str(config), "--unset", "core.hooksPath")
    for file in (after, before):
        file.unlink(missing_ok=True)


def _own_directory(home: Home) -> Path:
    return home.directory / "git" / "hooks"


def _hooks_of(repository: Repository) -> Path:
    """Where git looks for the hooks of a repository, as git itself says."""
    told = _git("-C", str(repository.root), "rev-parse", "--git-path", "hooks", fails=True)
    if told:
        path = Path(told)
        return path if path.is_absolute() else repository.root / path
    return repository.common_dir / "hooks"


def _global_path() -> Path | None:
    told = _git("config", "--global", "--type=path", "--get", "core.hooksPath", fails=True)
    return Path(told) if told else None


def _global_file() -> Path:
    """The file that `git config --global` writes."""
    named = os.environ.get("GIT_CONFIG_GLOBAL")
    if named:
        return Path(named)
    own = Path("~/.gitconfig").expanduser()
    shared = Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser()) / "git" / "config"
    return shared if not own.exists() and shared.exists() else own


def _git(*arguments: str, fails: bool = False) -> str:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        if fails:
            return ""
        raise InvalidRequest(f"git could not be run: {error}") from error
    if done.returncode and not fails:
        raise InvalidRequest(f"git {arguments[0]} failed: {done.stderr.decode('utf-8', 'replace').strip()}")
    return os.fsdecode(done.stdout).strip() if done.returncode == 0 else ""


def _is_ours(hook: Path) -> bool:
    try:
        return MARK in hook.read_text(encoding="utf-8", errors="replace")[:400]
    except OSError:
        return False


def _exists(path: Path) -> bool:
    return path.is_symlink() or path.exists()
