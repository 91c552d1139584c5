"""Memory: the one query path. The command line, the server and programs all come through here."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

from loci.core import build, dependencies, operations, projects
from loci.core.answer.ask import DEFAULT_BUDGET, DEFAULT_K, NO_BACKENDS, AskRequest, Backends, Watch, ask, unwatched
from loci.core.answer.budget import encodable
from loci.core.answer.find_symbol import SymbolRequest, find_symbol
from loci.core.answer.models import ModelsInUse
from loci.core.answer.route import readable, route
from loci.core.answer.snapshot import Snapshots
from loci.core.build.freshness import REFRESH_SECONDS
from loci.core.home.home import LOCK_WAIT_SECONDS, Home, read_json
from loci.core.home.identity import resolve, resolve_all
from loci.core.home.manifest import generation_of
from loci.core.home.registry import Registered, Registry

if TYPE_CHECKING:
    from loci.core.answer.answer import Answer
    from loci.core.answer.snapshot import RouterParts
    from loci.core.notes import Note
    from loci.episodes import EpisodeBackend
    from loci.router import Question, Route
    from loci.structure import StructureBackend

Place = Union[str, "os.PathLike[str]"]
Relation = Literal["all", "callers", "callees", "users", "reach", "implementers", "tests", "importers"]


class Memory:
    """All of a developer's projects, asked one question at a time; threads may share it. Opens files at first use."""

    def __init__(self, home: Home, backends: Backends = NO_BACKENDS) -> None:
        self.home = home
        self._backends = backends
        self._snapshots = Snapshots(home)
        self._models = ModelsInUse(home)

    @classmethod
    def open(
        cls,
        home: Place | None = None,
        *,
        episodes: EpisodeBackend | None = None,
        structure: StructureBackend | None = None,
    ) -> Memory:
        """The memory in `home` (default: `$LOCI_HOME`, else `~/.loci`). Reads nothing yet, creates nothing.

        What `index` builds decides where a question goes. In `ask`, `episodes` then ranks the passages of that project
        and `structure` finds its symbols, each in the place of what `index` built of it.
        """
        return cls(Home.locate(home), Backends(episodes, structure))

    def scopes(self, *, group: str | None = None) -> list[projects.ScopeStatus]:
        """Every registered project (of `group`), sorted by id. Raises `UnknownGroup`, `DamagedStore`."""
        return projects.statuses(self.home, group)

    def resolve(self, scope: str) -> Registered:
        """The project meant by an id, a name or a path. Raises `UnknownScope`, `AmbiguousScope`."""
        return resolve(Registry.load(self.home), scope)

    def scan(
        self, directories: Iterable[Place], *, register: bool = True, split: bool = False, others: bool = True
    ) -> projects.ScanReport:
        """Registers the git repositories in and below `directories`; one that moved keeps its id and all it was given.

        `register=False` only reports. `split`: packages that a marker file shows, one level down, become projects, also
        at later scans. `others=False` leaves out new repositories that others write. Raises `InvalidRequest`.
        """
        return projects.scan_directories(self.home, directories, register=register, split=split, others=others)

    def add(
        self,
        path: Place,
        *,
        aliases: Sequence[str] = (),
        remove_aliases: Sequence[str] = (),
        globs: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        remove_patterns: Sequence[str] = (),
    ) -> tuple[Registered, bool]:
        """Registers the repository at `path`, or adds to what is known of it; also tells whether it is new.

        `globs`: patterns of further files, absolute, below `~` or relative to the current directory; `include` and
        `exclude`: `.gitignore` lines. Removes first. Raises `NotARepository`, and `InvalidRequest` for an alias that
        names another project, an empty pattern, or something to remove that the project does not have.
        """
        changes = projects.Changes(aliases, remove_aliases, globs, include, exclude, remove_patterns)
        return projects.add_project(self.home, path, changes)

    def forget(self, scope: str) -> Registered:
        """Removes a project and its index; `add` brings it back, `scan` does not. Raises as `resolve`."""
        return operations.forget_project(self.home, scope)

    def forgotten_kept(self) -> list[str]:
        """Projects that were forgotten during a build; the next one removes their files. Raises `DamagedFile`."""
        return operations.forgotten_kept(self.home)

    def groups(self) -> tuple[str, list[projects.GroupStatus], list[str]]:
        """The default mode, every group, and what is wrong with `groups.json`. Raises `DamagedFile`."""
        return projects.list_groups(self.home)

    def infer_groups(self) -> dict[str, tuple[str, ...]]:
        """Reads from git again who writes each project; its groups by id. Raises `DamagedFile`, `HomeNotWritable`."""
        return projects.infer_groups(self.home)

    def set_group_mode(self, group: str | None, mode: str) -> None:
        """Sets what a group (None: all without a mode) does: explicit, soft or hard. Raises `InvalidRequest`."""
        projects.set_mode(self.home, group, mode)

    def add_to_group(self, scope: str, group: str) -> tuple[Registered, bool]:
        """Gives a project a label that every scan keeps; also tells whether it is new. Raises as `resolve`."""
        return projects.add_to_group(self.home, scope, group)

    def remove_from_group(self, scope: str, group: str) -> Registered:
        """Takes a label away; no scan brings it back. Raises as `resolve`, and `InvalidRequest` without it."""
        return projects.remove_from_group(self.home, scope, group)

    def plan_hooks(self, place: Place | None, *, uninstall: bool = False) -> projects.HookPlan:
        """What hooks that update the index would change in the repository at `place` (None: all); `apply` does it."""
        return projects.plan_hooks(self.home, place, uninstall=uninstall)

    def index(
        self,
        scopes: Collection[str] | None = None,
        *,
        force: bool = False,
        progress: build.Progress | None = None,
        wait: float = LOCK_WAIT_SECONDS,
        graphs: bool | None = None,
    ) -> build.IndexReport:
        """Brings the index of all projects (or of `scopes`: ids, names, paths) up to date; `force`: from nothing.

        `graphs`: whether graphs are built too; None: as last time, at first yes. `wait`: seconds for another build,
        unless a third one waits already. A project that fails is reported and keeps what it had. Raises
        `NothingRegistered`, `BuildLocked`, `HomeNotWritable`, `DamagedFile`.
        """
        only = resolve_all(self.home, scopes)
        return build.build_index(self.home, only=only, force=force, progress=progress, wait=wait, graphs=graphs)

    def graphs(
        self,
        scopes: Collection[str] | None = None,
        *,
        rebuild: bool = False,
        progress: build.Progress | None = None,
        extractor: str = "built-in",
    ) -> build.IndexReport:
        """Builds what calls what where it is missing or behind (`rebuild`: everywhere), and from now on with `index`.

        `extractor`: `graphify` first runs that command; its graph in the project is asked beside the built-in one from
        then on. Raises as `index`, `ExtractorMissing` without the command, `ExtractorFailed` where it fails for all.
        """
        only = resolve_all(self.home, scopes)
        return build.build_graphs(self.home, only=only, rebuild=rebuild, progress=progress, extractor=extractor)

    def embed(
        self,
        scopes: Collection[str] | None = None,
        *,
        model: Place | None = None,
        kinds: Collection[str] | None = None,
        force: bool = False,
        progress: build.Progress | None = None,
    ) -> build.EmbedReport:
        """Gives passages and symbols vectors, which later order what the words find; `force`: also those that have one.

        `model`: a directory; None: the last one, else the installed one. `kinds`: document, commit, source; None: as
        the project has, else without source. Raises as `index`, `NoIndex`, and `InvalidRequest` without a usable model.
        """
        only = resolve_all(self.home, scopes)
        return build.embed_index(self.home, only=only, model=model, kinds=kinds, force=force, progress=progress)

    def uses(self, *, refresh: bool = False) -> dependencies.Uses:
        """Which project uses another, with file and line, brought up to date; `refresh` reads every project again.

        If the home cannot be written or a build runs, it is the last table, and `gaps()` says so. Without a last one
        raises `BuildLocked` or `HomeNotWritable`; also `NothingRegistered`, `DamagedFile`.
        """
        return dependencies.current_uses(self.home, refresh=refresh)

    def update(
        self,
        directories: Iterable[Place] = (),
        *,
        scan: bool = True,
        force: bool = False,
        tell: operations.Tell | None = None,
        progress: build.Progress | None = None,
    ) -> operations.ChainReport:
        """Searches the recorded roots again and refreshes what was chosen before: the index and every further step.

        Opts into nothing new. `directories` limits it to the projects there; `scan=False` looks for no new ones;
        `force` does all again; `tell` gets each step's name and "begin" or "end". Raises as `index`.
        """
        return operations.update(self.home, directories, scan=scan, force=force, tell=tell, progress=progress)

    def generation(self) -> int | None:
        """The generation of the index that answers now; None when nothing is indexed."""
        return generation_of(self.home)

    def doctor(self) -> list[operations.Finding]:
        """What needs doing, with the command that does it: machine and home, then each project. Never raises."""
        return operations.examine(self.home)

    def map(self) -> str:
        """All projects as one HTML page that needs nothing beside it. Raises `NothingRegistered`, `DamagedStore`."""
        return operations.map_of_projects(self.home)

    def router_parts(self) -> RouterParts:
        """What the router is made of, for measuring it. Raises `NothingRegistered`, `NoIndex`, `DamagedStore`."""
        return self._snapshots.latest().with_index().router_parts()

    def calibration_values(self) -> dict[str, Any]:
        """What `calibration.json` holds, {} without one; raises `DamagedFile`."""
        return read_json(self.home.calibration) or {}

    def notes(self) -> list[Note]:
        """What is wrong with the home's own files and was worked around; empty when nothing is."""
        return list(self._snapshots.latest().notes)

    def route(
        self, question: str | Question, cwd: Place | None = None, group: str | None = None, *, scope: str | None = None
    ) -> Route:
        """Where the question goes, or why nowhere. `cwd` counts where it lies in a registered project.

        `scope` (id, name or path) skips the decision. Raises `NothingRegistered`, `NoIndex`, `UnknownGroup`,
        `UnknownScope`, `AmbiguousScope`, `DamagedStore`, `InvalidRequest`.
        """
        return self._snapshots.run(lambda snapshot: route(snapshot, question, cwd, scope, group))

    def ask(
        self,
        question: str | Question,
        cwd: Place | None = None,
        scope: str | None = None,
        group: str | None = None,
        k: int = DEFAULT_K,
        budget: int = DEFAULT_BUDGET,
        *,
        watch: Watch | None = None,
        refresh: float = REFRESH_SECONDS,
        fast: bool = False,
        rerank: bool | Place = False,
        gated: bool | None = None,
    ) -> Answer:
        """Routes the question and answers it from every selected project, cited.

        `scope` (id, name or path) skips routing. `k`: up to k files and k commits per project. `budget`: tokens for all
        texts together; every citation stays, texts are cut to excerpts or left out (""). `watch` is called with the
        route and with each project's block, its texts whole (from any thread), for `partial_answer`. `refresh`: seconds
        that bringing up to date first may be expected to take; 0 answers from what is indexed. Asked from a linked
        worktree or a moved clone, the project answers from the files there. `fast` leaves out vectors; `rerank`: a
        cross-encoder orders the candidates, the one that `models.json` names or the directory given. `gated`: whether a
        project says nothing where its best passages are no answer; None: unless `scope` is given. Raises what `route`
        raises, and `InvalidRequest` for a `k` below 1, a negative `budget` or no cross-encoder.
        """
        limits = (k, budget, refresh, scope is None if gated is None else gated)
        models = self._models.of(fast=fast, rerank=rerank)
        request = AskRequest(readable(question), cwd, scope, group, *limits, watch or unwatched, models, self._backends)
        return ask(self._snapshots, request)

    def symbol(
        self,
        name: str,
        cwd: Place | None = None,
        scope: str | None = None,
        group: str | None = None,
        *,
        relation: Relation = "all",
        to: str | None = None,
        depth: int = 3,
        budget: int = 40,
        refresh: float = REFRESH_SECONDS,
    ) -> Answer:
        """Where a symbol is defined, who uses it and what it uses, without a question in words.

        `name` as code writes it: `close`, `Session.close`, `crate::net::open`, `src/a.py#Session.close`; or a file.
        Asked of `scope`, else of the project of `cwd` if it has it, else of every project (of `group`) that has it.
        `relation`: callers, callees, reach (what a change would reach, `depth` steps far), users (its first step),
        implementers (also heirs and overrides), tests, importers, or all (callers, users, callees).
        `to`: the shortest way to that symbol instead. `budget`: symbols per project. Without scopes the advice names
        what looks like it, and the projects that have changed since; with `scope` the notes do. Raises what `ask` does.
        """
        names = tuple(encodable(each.strip()) for each in ([name] if to is None else [name, to]))
        return find_symbol(self._snapshots, SymbolRequest(names, cwd, scope, group, relation, depth, budget, refresh))

    def keep_question(self, route: Route, *, cwd: Place | None = None, scope: str | None = None) -> None:
        """Keeps the question of `route`, where the person switched that on (`QueryLog`), for faces; never fails."""
        operations.keep_question(self.home, route, cwd, scope)

    def release(self) -> None:
        """Gives the pages of the index that are mapped into this process back to the system; nothing is closed."""
        self._snapshots.release()
