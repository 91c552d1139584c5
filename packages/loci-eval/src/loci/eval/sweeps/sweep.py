"""What one constant does: the same questions, routed with one number changed, over corpora of every shape.

A constant that helps one corpus may hurt another. The synthetic shapes differ in one thing each, so that a row says
which property a constant depends on; the public corpus says whether any of it matters for real questions.

What can be swept: every field of `loci.router.Calibration` (`threshold`, `weights.description`), every number that
loci.router, loci.episodes or loci.core names in capitals (`COMMON_SHARE`, `episodes.CLOSE_MATCH`), and `evidence`, the
formula itself. Numbers inside the Rust kernels cannot: those are compiled in.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ..benchmark.measure import RETRIEVED, Source
from ..benchmark.questions import Question
from ..benchmark.table import table
from ..errors import BenchUnavailable, EvalError
from ..records import EXACT
from ..statistics.ranks import hit_share
from ..statistics.shares import Share
from .synthetic import BROAD, SHAPES, Shape, described, synthesise

if TYPE_CHECKING:
    from loci.core import Memory, RouterParts

__all__ = ["SweepError", "Swept", "parameter", "render_sweep", "sweep"]

FORMAT = 1
EVIDENCE = "evidence"
PACKAGES = ("router", "episodes", "core")

Progress = Callable[[str, int, int], None]


class SweepError(EvalError, ValueError):
    """There is no such constant, or it cannot take that value."""


MEASURES: Mapping[str, str] = {
    "right_first": "the right project ranked first, answered or not",
    "answered": "answered, of the questions that have an answer",
    "right_if_answered": "right among the answered",
    "abstained": "abstained, of the questions that have none",
    "all_selected": "every right project selected, of the questions that have several",
    "drawn_to_broad": "of others' questions, drawn to the first project (the broad one, where there is one)",
    "evidence@3": "evidence among the first 3, project given",
}


@dataclass(frozen=True)
class Parameter:
    """A constant and its shipped value.

    name: as it is shown. default: a number, or the name of an evidence model. package, constant: of a module constant,
    the package (`loci.router`) and the name in capitals; empty for the others.
    """

    name: str
    default: Any
    package: str = ""
    constant: str = ""

    @property
    def ranks_passages(self) -> bool:
        """Whether it may change what is found inside a project, and not only which project."""
        return self.package in ("loci.episodes", "loci.core")

    def parse(self, text: str) -> Any:
        """A value as typed; raises SweepError when it is none for this constant."""
        if self.name == EVIDENCE:
            if text not in _models():
                raise SweepError(f"there is no evidence {text!r}; there are {', '.join(_models())}")
            return text
        try:
            value = float(text)
        except ValueError:
            raise SweepError(f"{self.name}: {text!r} is no number") from None
        if isinstance(self.default, int):
            if value != int(value):
                raise SweepError(f"{self.name} is a whole number, so {text} cannot be one of its values")
            return int(value)
        return value


@dataclass
class Swept:
    """One corpus under every value.

    measures: for each value, in their order, the share of each measure that applies. questions: how many were asked.
    """

    corpus: str
    shape: str
    questions: int
    measures: list[dict[str, Share]] = field(default_factory=list, metadata={"name": "values"})


@dataclass(frozen=True)
class Sweep:
    """A constant under several values, over several corpora. `loci.eval.to_json` makes the contract of it."""

    format: int
    constant: str
    default: Any = field(metadata=EXACT)
    values: Sequence[Any] = field(metadata=EXACT)
    seed: int
    corpora: Sequence[Swept]


def parameter(name: str) -> Parameter:
    """The constant of that name; raises SweepError with the near names when there is none."""
    from loci.router import SCORES, Calibration

    if name == EVIDENCE:
        return Parameter(EVIDENCE, next(iter(_models())))
    defaults = Calibration()
    fields = {each.name: getattr(defaults, each.name) for each in dataclasses.fields(Calibration)}
    numbers = {key: value for key, value in fields.items() if isinstance(value, (int, float))}
    inside = {
        **{f"weights.{score}": 1.0 for score in SCORES},  # what is not listed weighs 1
        **{
            f"{key}.{part}": float(number)
            for key in ("weights", "whether_weights", "confidence_weights")
            for part, number in fields[key].items()
        },
    }
    # THRESHOLD is only the default of the field; changing it in its module would change nothing.
    lowered = name.lower().removesuffix("_boost")
    if name.isupper() and lowered in numbers:
        name = lowered
    if name in numbers:
        return Parameter(name, numbers[name])
    if name in inside:
        return Parameter(name, inside[name])
    constants = {each.name: each for each in _constants()}
    wanted = name.removeprefix("loci.")
    if wanted.isupper():
        found = [each for each in constants.values() if each.constant == wanted]
        if len(found) > 1:
            raise SweepError(f"{wanted} can mean {' or '.join(each.name for each in found)}")
        if found:
            return found[0]
    if wanted in constants:
        return constants[wanted]
    known = [EVIDENCE, *numbers, *inside, *constants, *(each.constant for each in constants.values())]
    near = difflib.get_close_matches(name, known, n=3) or difflib.get_close_matches(name.upper(), known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join([EVIDENCE, *numbers])}, and others"
    raise SweepError(f"no constant is called {name!r}; {hint}")


def sweep(
    chosen: Parameter,
    values: Sequence[Any],
    *,
    shapes: Mapping[str, Shape] = SHAPES,
    corpora: Mapping[str, tuple[Memory, Sequence[Question]]] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Sweep:
    """Every measure of every corpus under every value; the shipped value is added when it is not among them.

    shapes: synthetic corpora, made and indexed in a temporary folder. corpora: further ones, by name: a memory over
        an index, and questions whose scopes are ids of it.

    Raises SweepError when a value is refused, BenchUnavailable without loci-core.
    """
    try:
        from loci.core import Memory  # noqa: F401
    except ImportError as error:
        raise BenchUnavailable(
            f"a sweep needs loci-core ({error}); install it with: pip install 'loci-eval[bench]'"
        ) from error
    every = list(dict.fromkeys(values))
    if chosen.default not in every:
        every = sorted([*every, chosen.default]) if chosen.name != EVIDENCE else [chosen.default, *every]
    with _changed(chosen, chosen.default):
        for value in every:
            _calibrated(chosen, value)  # a value that is refused is refused before anything is made
    steps = len(shapes) + len(corpora or {})
    found = []
    for number, (name, shape) in enumerate(shapes.items()):
        if progress is not None:
            progress("corpora", number, steps)
        found.append(_over_shape(chosen, every, name, shape, seed))
    for number, (name, (memory, questions)) in enumerate((corpora or {}).items(), start=len(shapes)):
        if progress is not None:
            progress("corpora", number, steps)
        swept = Swept(name, "", len(questions))
        _measure_all(swept, chosen, every, memory, questions, None)
        found.append(swept)
    if progress is not None:
        progress("corpora", steps, steps)
    return Sweep(FORMAT, chosen.name, chosen.default, every, seed, found)


def _over_shape(chosen: Parameter, values: Sequence[Any], name: str, shape: Shape, seed: int) -> Swept:
    from ..benchmark.run import index_corpus, repositories

    corpus = synthesise(shape, seed)
    swept = Swept(name, described(shape), len(corpus.questions))
    with TemporaryDirectory(prefix="loci-sweep-", ignore_cleanup_errors=True) as directory:
        corpus.write(Path(directory) / "corpus")
        indexed = index_corpus(repositories(Path(directory) / "corpus"), Path(directory) / "home")
        ids = {folder: scope for scope, folder in indexed.names.items()}
        questions = [
            dataclasses.replace(
                question,
                scopes=tuple(ids[scope] for scope in question.scopes),
                evidence=tuple(dataclasses.replace(item, scope=ids[item.scope]) for item in question.evidence),
            )
            for question in corpus.questions
        ]
        _measure_all(swept, chosen, values, indexed.memory, questions, ids[list(corpus.passages)[BROAD]])
    return swept


def _measure_all(
    swept: Swept,
    chosen: Parameter,
    values: Sequence[Any],
    memory: Memory,
    questions: Sequence[Question],
    broad: str | None,
) -> None:
    parts = memory.router_parts()
    for value in values:
        with _changed(chosen, value):
            swept.measures.append(_measured(chosen, value, parts, memory, questions, broad))


def _measured(
    chosen: Parameter,
    value: Any,
    parts: RouterParts,
    memory: Memory,
    questions: Sequence[Question],
    broad: str | None,
) -> dict[str, Share]:
    """The measures under one value. A measure without a question to apply to is left out."""
    from loci.router import Router

    calibration = _calibrated(chosen, value)
    model = _models()[value]() if chosen.name == EVIDENCE else None
    # Under its own thresholds another formula would answer nothing or everything: only what it ranks compares.
    ranks_only = model is not None and value != chosen.default
    model = model or _models()[next(iter(_models()))](calibration)
    router = Router(
        parts.index, parts.scopes, groups=parts.groups, calibration=calibration, evidence=model, uses=parts.uses
    )
    outcomes: dict[str, list[bool]] = {name: [] for name in MEASURES}
    ranks: list[int | None] = []
    for question in questions:
        route = router.route(question.question)
        scopes = model.evidence(parts.index, question.question).scopes
        top = min(scopes, key=lambda scope: (-scopes[scope].combined, scope), default=None)
        selected = [scope.id for scope in route.scopes]
        if not ranks_only:
            if question.answerable:
                outcomes["answered"].append(bool(selected))
                if selected:
                    outcomes["right_if_answered"].append(selected[0] in question.scopes)
                if len(question.scopes) > 1:
                    outcomes["all_selected"].append(set(question.scopes) <= set(selected))
            else:
                outcomes["abstained"].append(not selected)
        if question.answerable:
            # A name or the shape of the question counts where the route answered; else its evidence speaks.
            first = selected[0] if selected and not ranks_only else top
            outcomes["right_first"].append(first in question.scopes)
            if broad is not None and broad not in question.scopes:
                outcomes["drawn_to_broad"].append(first == broad)
        if chosen.ranks_passages and question.evidence and len(question.scopes) == 1:
            ranks.append(_rank(memory, question))
    shares = {name: Share.of(found) for name, found in outcomes.items() if found}
    if ranks:
        shares["evidence@3"] = hit_share(ranks, 3)
    return shares


def _rank(memory: Memory, question: Question) -> int | None:
    from ..benchmark.systems import source_of
    from ..statistics.ranks import first_rank

    answer = memory.ask(question.question, scope=question.scopes[0], k=RETRIEVED, refresh=0.0)
    sources = [
        source_of(block.id, passage.kind, passage.path, passage.commit)
        for block in answer.scopes
        for passage in block.passages
    ]
    return first_rank(sources, {Source(item.scope, item.kind, item.value) for item in question.evidence})


def _models() -> dict[str, Any]:
    from loci.router import ProminenceEvidence, SummedScores

    return {"summed-scores": SummedScores, "prominence": ProminenceEvidence}


def _calibrated(chosen: Parameter, value: Any) -> Any:
    from loci.router import BadCalibration, Calibration

    if chosen.package or chosen.name == EVIDENCE:
        return Calibration()
    name, _, inside = chosen.name.partition(".")
    try:
        if inside:
            return Calibration.from_json({name: {**getattr(Calibration(), name), inside: value}})
        return Calibration.from_json({name: value})
    except BadCalibration as error:
        raise SweepError(str(error)) from error


def _modules(package: str) -> list[Any]:
    """Every module of a package and its folders that can be imported: some need what an extra brings."""
    found = [importlib.import_module(package)]
    for each in pkgutil.walk_packages(found[0].__path__, f"{package}."):
        if each.name.rpartition(".")[2] not in ("__main__", "_kernel"):
            with contextlib.suppress(ImportError):
                found.append(importlib.import_module(each.name))
    return found


def _constants() -> Iterator[Parameter]:
    """Every number in capitals of the packages, in the module that made it."""
    for short in PACKAGES:
        seen: set[str] = set()
        for module in _modules(f"loci.{short}"):
            for name, value in vars(module).items():
                number = isinstance(value, (int, float)) and not isinstance(value, bool)
                if number and name.isupper() and not name.startswith("_") and name not in seen:
                    seen.add(name)
                    yield Parameter(f"{short}.{name}", value, f"loci.{short}", name)


@contextlib.contextmanager
def _changed(chosen: Parameter, value: Any) -> Iterator[None]:
    """The constant with another value in every module that took it by name; as it was before, afterwards."""
    if not chosen.package:
        yield
        return
    held = [
        module
        for name, module in list(sys.modules.items())
        if (name == chosen.package or name.startswith(f"{chosen.package}."))
        and vars(module).get(chosen.constant, None) == chosen.default
    ]
    for module in held:
        setattr(module, chosen.constant, value)
    try:
        yield
    finally:
        for module in held:
            setattr(module, chosen.constant, chosen.default)


def render_sweep(result: Sweep) -> str:
    """A table for each measure: corpora down, values across, shares in percent; the shipped value has a star."""
    header = [f"{_value(value)}{'*' if value == result.default else ''}" for value in result.values]
    sections = [
        f"{result.constant}, shares in %, * is the shipped value; seed {result.seed}. An interval is about "
        "+-5 points at 100 questions."
    ]
    for measure, title in MEASURES.items():
        rows = [[title, "n", *header]]
        for swept in result.corpora:
            shares = [measured.get(measure) for measured in swept.measures]
            if all(share is None for share in shares):
                continue
            label = swept.corpus + (f" ({swept.shape})" if swept.shape else "")
            n = next(str(share.n) for share in shares if share is not None)
            rows.append([label, n, *map(_percent, shares)])
        if len(rows) > 1:
            sections.append(table(rows))
    return "\n\n".join(sections) + "\n"


def _percent(share: Share | None) -> str:
    return "-" if share is None or share.share is None else f"{100 * share.share:.1f}"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
