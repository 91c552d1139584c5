"""Corpora made to a shape: what a formula does when one thing about a corpus changes and nothing else does.

Real corpora differ in everything at once, so that a figure on one of them never says which property made it. Here every
property is a number: how many projects, how much of their words they share, whether one of them is larger, or broader
in its vocabulary, or full of other people's code. The words mean nothing, so nothing but statistics can find them, and
the right project of every question is known because the question was made from one of its passages.

Not for: absolute figures. A share measured here says nothing of what a person will see; how it moves with the shape
does.

The same shape and seed give the same bytes, on every machine and in every release of Python.
"""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import json
import os
import random
import subprocess
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..benchmark.questions import Evidence, Question
from ..errors import CorpusError

__all__ = ["BROAD", "LARGE", "NAMINGS", "SCRIPTS", "Shape", "Synthetic", "described", "shaped", "synthesise"]

SCRIPTS = ("latin", "cyrillic", "cjk")
NAMINGS = ("snake", "camel", "joined")

BROAD = 0
"""The scope that `breadth` makes broad; `size` makes the next one large, so that the two are never one."""
LARGE = 1

TOKENS = 40
"""Words of a passage."""
THEME = 5
"""Different words of a project that one passage is about. A question takes `ASKED` of them, at least one of its own."""
ASKED = 2
FILLER = 0.4
"""Share of a passage's words that are common ones: every project has them, each uses some more than others."""
COMMON = 200
COMMON_ASKED = 2
"""Common words of a question that are those of the passage it was made from."""
REPHRASED = 3
"""Common words of a question that its passage need not have: people ask in words of their own."""


@dataclass(frozen=True)
class Shape:
    """What a corpus is like.

    Args:
        scopes: How many projects, 2 or more.
        passages: Passages of an ordinary one, half of them each in documents and source unless `code` says otherwise;
            a quarter as many commits.
        vocabulary: Distinct words of its own that a project uses.
        overlap: Share of what a passage is about that comes from the words of all projects, not of its own, 0 to 1.
        pair_shared: Words that a project has in common with one other one, at most half of `vocabulary`.
        breadth: How many times the words of an ordinary project the first project uses, 1 or more; those beyond its own
            are the others' words. Its number of passages is everybody's: it says a little about everything.
        size: How many times the passages of an ordinary project the second one has; its words are no more than others'.
        code: Share of the files' passages that are source, 0 to 1.
        naming: How identifiers are made of words: "snake", "camel", or "joined" without any sign between them.
        script: "latin", "cyrillic" or "cjk".
        vendored: Files copied from another project into `vendor/`, as a share of a project's own.
        questions: Questions on each project.

    Raises:
        ValueError: A number is out of its range; the message names it.

    """

    scopes: int = 12
    passages: int = 48
    vocabulary: int = 60
    overlap: float = 0.7
    pair_shared: int = 0
    breadth: float = 1.0
    size: float = 1.0
    code: float = 0.5
    naming: str = "snake"
    script: str = "latin"
    vendored: float = 0.0
    questions: int = 8

    def __post_init__(self) -> None:
        for name, least in (("scopes", 2), ("passages", 8), ("vocabulary", 4 * THEME), ("questions", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
        for name in ("overlap", "code", "vendored"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must lie between 0 and 1, not {getattr(self, name)!r}")
        for name in ("breadth", "size"):
            if not 1 <= getattr(self, name) <= 1000:
                raise ValueError(f"{name} must lie between 1 and 1000, not {getattr(self, name)!r}")
        if not 0 <= self.pair_shared <= self.vocabulary // 2:
            raise ValueError(f"pair_shared must lie between 0 and half of the vocabulary, not {self.pair_shared!r}")
        for name, known in (("naming", NAMINGS), ("script", SCRIPTS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, not {getattr(self, name)!r}")


SHAPES: Mapping[str, Shape] = {
    "plain": Shape(),
    "few": Shape(scopes=4),
    "many": Shape(scopes=30, passages=32),
    "alike": Shape(overlap=0.95),
    "pairs": Shape(pair_shared=30),
    "broad": Shape(breadth=8.0),
    "large": Shape(size=12.0),
    "prose": Shape(code=0.1),
    "code": Shape(code=0.9),
    "camel": Shape(code=0.9, naming="camel"),
    "joined": Shape(code=0.9, naming="joined"),
    "cyrillic": Shape(script="cyrillic"),
    "cjk": Shape(script="cjk"),
    "vendored": Shape(vendored=0.5),
}
"""The shapes of a sweep: each but the first differs from it in one thing."""


@dataclass(frozen=True)
class Passage:
    """A piece of a project.

    kind: "document", "source" or "commit". theme: the words it is about. usual: the common words it has.
    """

    kind: str
    theme: tuple[str, ...]
    usual: tuple[str, ...]
    text: str


@dataclass
class Synthetic:
    """A made corpus: the passages of every scope, and questions whose scope is known.

    Question families: `synthetic` (made from one passage; one scope), `shared` (words of a pair of scopes; both) and
    `unanswerable` (words that no scope has, of the same length).
    """

    shape: Shape
    seed: int
    passages: dict[str, list[Passage]]
    descriptions: dict[str, str]
    questions: list[Question]
    _written: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)

    def texts(self) -> dict[str, list[str]]:
        """`{scope: texts}` for a router alone. Vendored files are left out: without paths nobody could tell them."""
        return {
            scope: [self.descriptions[scope], *(passage.text for passage in passages)]
            for scope, passages in self.passages.items()
        }

    def write(self, folder: str | Path) -> dict[str, Path]:
        """Makes a git repository of every scope in `folder`, and `questions.jsonl` beside them; returns the folders.

        The same corpus gives the same commits. Raises CorpusError when the folder is not empty or git is missing.
        """
        folder = Path(folder)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CorpusError(f"{folder} is not empty; a corpus is made in a folder of its own")
        folder.mkdir(parents=True, exist_ok=True)
        folders = {}
        for scope in self.passages:
            folders[scope] = folder / scope
            _write_repository(folder / scope, self._files(scope), self._messages(scope))
        lines = [
            {
                "id": question.id,
                "family": question.family,
                "question": question.question,
                "scopes": list(question.scopes),
                **({"evidence": [{"path": item.value} for item in question.evidence]} if question.evidence else {}),
            }
            for question in self.questions
        ]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / "questions.jsonl").write_bytes(text.encode("utf-8"))
        return folders

    def _files(self, scope: str) -> dict[str, str]:
        files = {"README.md": f"# {scope}\n\n{self.descriptions[scope]}\n"}
        for number, passage in enumerate(self.passages[scope]):
            if passage.kind != "commit":
                files[_path(self.shape, number, passage)] = passage.text
        if self.shape.vendored:
            # Of the next scope but one: of a pair partner some words would be its own.
            names = list(self.passages)
            other = names[(names.index(scope) + 2) % len(names)]
            own = [(n, p) for n, p in enumerate(self.passages[other]) if p.kind != "commit"]
            count = round(self.shape.vendored * (len(files) - 1))
            for number, passage in itertools.islice(own, count):
                files[f"vendor/{other}/{_path(self.shape, number, passage)}"] = passage.text
        return files

    def _messages(self, scope: str) -> list[str]:
        return [passage.text for passage in self.passages[scope] if passage.kind == "commit"]


def synthesise(shape: Shape | None = None, seed: int = 0) -> Synthetic:
    """A corpus of this shape; the plain one by default."""
    shape = shape or Shape()
    generator = random.Random(f"loci:{seed}")
    words = _words(shape.script, generator)
    # The same shape with more scopes or another skew has the same words in the same places where it can.
    common = list(itertools.islice(words, COMMON))
    strangers = list(itertools.islice(words, 200))
    topics = [list(itertools.islice(words, shape.vocabulary)) for _ in range(shape.scopes)]
    for first in range(0, shape.scopes - 1, 2):
        # Shared words take the places of own ones: nobody has more words for being alike.
        generator_of_pair = random.Random(f"loci:{seed}:pair:{first}")
        for place in sorted(generator_of_pair.sample(range(shape.vocabulary), shape.pair_shared)):
            topics[first + 1][place] = topics[first][place]
    names = [f"p{number:02d}" for number in range(shape.scopes)]
    passages: dict[str, list[Passage]] = {}
    descriptions: dict[str, str] = {}
    for number, name in enumerate(names):
        # A generator for each scope: what is changed about one leaves the others as they are.
        own = random.Random(f"loci:{seed}:{number}")
        count = round(shape.passages * (shape.size if number == LARGE else 1))
        mine = set(topics[number])
        others = [word for word in dict.fromkeys(itertools.chain(*topics)) if word not in mine]
        about = _Draw(topics[number], own, others, shape.overlap)
        usual = _Draw(own.sample(common, len(common)), own)
        theme = THEME
        if number == BROAD and shape.breadth > 1:
            beyond = min(len(others), round((shape.breadth - 1) * shape.vocabulary))
            about = _Draw([*topics[number], *own.sample(others, beyond)], own, even=True)
            usual = _Draw(common, own, even=True)
            theme = min(round(TOKENS * (1 - FILLER)), round(THEME * shape.breadth))
        writer = _Writer(shape, about, usual, theme, own)
        descriptions[name] = writer.sentences(about.some(2 * theme), TOKENS)
        passages[name] = [
            *(writer.passage(_kind(shape, position)) for position in range(count)),
            *(writer.passage("commit") for _ in range(max(1, count // 4))),
        ]
    questions = _questions(shape, seed, names, topics, passages, common, strangers)
    return Synthetic(shape, seed, passages, descriptions, questions)


class _Draw:
    """Draws words as texts do, the n-th in proportion to 1/n, or all alike; a share `foreign` of them are others'."""

    def __init__(
        self,
        words: Sequence[str],
        generator: random.Random,
        others: Sequence[str] = (),
        foreign: float = 0.0,
        *,
        even: bool = False,
    ) -> None:
        self._words = words
        self._others = others
        self._foreign = foreign
        self._generator = generator
        weights = [1.0 if even else 1.0 / rank for rank in range(1, len(words) + 1)]
        self._steps = list(itertools.accumulate(weights))

    def one(self) -> str:
        """A word."""
        if self._others and self._generator.random() < self._foreign:
            return self._generator.choice(self._others)
        point = self._generator.random() * self._steps[-1]
        return self._words[min(bisect_left(self._steps, point), len(self._words) - 1)]

    def some(self, count: int) -> list[str]:
        """`count` different words, or as many as there are."""
        found: dict[str, None] = {}
        while len(found) < min(count, len(self._words)):
            found[self.one()] = None
        return list(found)


class _Writer:
    """Writes the passages of one project."""

    def __init__(self, shape: Shape, about: _Draw, usual: _Draw, theme: int, generator: random.Random) -> None:
        self._shape = shape
        self._about = about
        self._usual = usual
        self._theme = theme
        self._generator = generator
        self._said: dict[str, None] = {}

    def passage(self, kind: str) -> Passage:
        """A passage of this kind about words drawn for it."""
        theme = self._about.some(self._theme)
        self._said = {}
        if kind == "source":
            text = self._source(theme)
        elif kind == "commit":
            subject = [*theme[:3], self._word(theme)]
            text = f"{_joined(self._shape, subject)}\n\n{self.sentences(theme, 12)}\n"
        else:
            text = f"# {_joined(self._shape, theme[:2])}\n\n{self.sentences(theme, TOKENS)}\n"
        usual = tuple(word for word in self._said if word not in theme)
        return Passage(kind, tuple(theme), usual, text)

    def sentences(self, theme: Sequence[str], tokens: int) -> str:
        """So many words in sentences of ten."""
        said = [self._word(theme) for _ in range(tokens)]
        end = "。" if self._shape.script == "cjk" else ". "
        tens = [said[start : start + 10] for start in range(0, len(said), 10)]
        return end.join(_joined(self._shape, ten) for ten in tens) + end.strip()

    def _word(self, theme: Sequence[str]) -> str:
        word = self._usual.one() if self._generator.random() < FILLER else self._generator.choice(theme)
        self._said[word] = None
        return word

    def _identifier(self, theme: Sequence[str]) -> str:
        words = [self._word(theme), self._word(theme)]
        if self._shape.naming == "snake":
            return "_".join(words)
        return words[0] + (words[1].capitalize() if self._shape.naming == "camel" else words[1])

    def _source(self, theme: Sequence[str]) -> str:
        name, argument = self._identifier(theme), self._identifier(theme)
        lines = [(self._identifier(theme), self._identifier(theme)) for _ in range(TOKENS // 4 - 2)]
        if self._shape.naming == "camel":
            body = "".join(f"  const {left} = {right}({argument});\n" for left, right in lines)
            return f"function {name}({argument}) {{\n{body}  return {argument};\n}}\n"
        body = "".join(f"    {left} = {right}({argument})\n" for left, right in lines)
        return f"def {name}({argument}):\n{body}    return {argument}\n"


def _words(script: str, generator: random.Random) -> Iterator[str]:
    """Different words without end that no language has, and that no stemmer takes for forms of one another."""
    seen = set()
    while True:
        if script == "cjk":
            word = "".join(chr(0x4E00 + generator.randrange(2000)) for _ in range(2))
        else:
            consonants, vowels = ("bdfgklmnprtvz", "aou") if script == "latin" else ("бвгджзклмнпрст", "аоу")
            word = "".join(generator.choice(consonants) + generator.choice(vowels) for _ in range(3))
            word += generator.choice("bdfgkmpt" if script == "latin" else "бгдзкмп")
        if word not in seen:
            seen.add(word)
            yield word


def _kind(shape: Shape, position: int) -> str:
    # Evenly over the passages rather than by chance, so that the share is what was asked for.
    return "source" if int((position + 1) * shape.code) > int(position * shape.code) else "document"


def _joined(shape: Shape, words: Sequence[str]) -> str:
    return ("" if shape.script == "cjk" else " ").join(words)


def _path(shape: Shape, number: int, passage: Passage) -> str:
    if passage.kind == "document":
        return f"docs/part{number:04d}.md"
    return f"src/part{number:04d}.{'js' if shape.naming == 'camel' else 'py'}"


def _questions(
    shape: Shape,
    seed: int,
    names: Sequence[str],
    topics: Sequence[Sequence[str]],
    passages: Mapping[str, Sequence[Passage]],
    common: Sequence[str],
    strangers: Sequence[str],
) -> list[Question]:
    questions = []
    for number, name in enumerate(names):
        own = random.Random(f"loci:{seed}:{number}:questions")
        mine = set(topics[number])
        shared = mine & set(topics[number ^ 1]) if number ^ 1 < len(names) else set()
        files = [(n, p) for n, p in enumerate(passages[name]) if p.kind != "commit"]
        made = 0
        for position in itertools.islice(_positions(own, len(files)), 50 * shape.questions):
            place, passage = files[position]
            telling = [word for word in passage.theme if word in mine and word not in shared]
            if not telling:
                continue
            first = own.choice(telling)
            rest = own.sample([word for word in passage.theme if word != first], ASKED - 1)
            text = _question(shape, [first, *rest], passage.usual, common, own)
            evidence = (Evidence(name, "path", _path(shape, place, passage)),)
            questions.append(Question(f"{name}-q{made}", "synthetic", text, (name,), evidence))
            made += 1
            if made == shape.questions:
                break
        if shared and number % 2 == 0:
            for count in range(max(1, shape.questions // 4)):
                text = _question(shape, own.sample(sorted(shared), min(ASKED, len(shared))), common, common, own)
                questions.append(Question(f"{name}-s{count}", "shared", text, (name, names[number ^ 1])))
        text = _question(shape, own.sample(strangers, ASKED), common, common, own)
        questions.append(Question(f"{name}-u", "unanswerable", text, (), kind="words that nobody has"))
    return questions


def _positions(generator: random.Random, count: int) -> Iterator[int]:
    """Every position in a drawn order, over and over."""
    while True:
        yield from generator.sample(range(count), count)


def _question(
    shape: Shape, telling: Sequence[str], usual: Sequence[str], common: Sequence[str], generator: random.Random
) -> str:
    words = [
        *telling,
        *generator.sample(list(usual), min(COMMON_ASKED, len(usual))),
        *generator.sample(list(common), REPHRASED),
    ]
    words = list(dict.fromkeys(words))
    generator.shuffle(words)
    return _joined(shape, words) + ("？" if shape.script == "cjk" else "?")


_DATE = 1_700_000_000


def _write_repository(folder: Path, files: Mapping[str, str], messages: Sequence[str]) -> None:
    """One process a repository: git takes the whole history as a stream."""
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }

    def git(*arguments: str, data: bytes | None = None) -> None:
        try:
            done = subprocess.run(
                ["git", "-C", str(folder), *arguments], env=environment, input=data, capture_output=True, check=False
            )
        except FileNotFoundError:
            raise CorpusError("making repositories needs git, which is not installed") from None
        if done.returncode:
            raise CorpusError(f"git {arguments[0]} failed in {folder}: {done.stderr.decode(errors='replace').strip()}")

    folder.mkdir(parents=True)
    git("init", "--quiet", "--initial-branch=main")
    listed = list(files.items())
    # The files come with the commits, a share with each, so that every commit touches something.
    share = -(-len(listed) // len(messages))
    stream = []
    for number, message in enumerate(messages):
        text = message.encode("utf-8")
        stream.append(
            b"commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata %d\n%s\n"
            % (_DATE + 86_400 * number, len(text), text)
        )
        for path, content in listed[number * share : (number + 1) * share]:
            data = content.encode("utf-8")
            stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode("utf-8"), len(data), data))
    git("fast-import", "--quiet", data=b"".join(stream))
    git("-c", "core.autocrlf=false", "reset", "--quiet", "--hard")


def shaped(base: Shape, settings: Sequence[str]) -> Shape:
    """`base` with `NAME=VALUE` changes; raises ValueError in words for a person."""
    changes = {}
    kinds = {each.name: type(getattr(base, each.name)) for each in dataclasses.fields(Shape)}
    for setting in settings:
        name, sign, value = setting.partition("=")
        name = name.strip()
        if not sign:
            raise ValueError(f"--set takes NAME=VALUE, not {setting!r}")
        if name not in kinds:
            near = difflib.get_close_matches(name, list(kinds), n=1)
            raise ValueError(f"a shape has no {name}; " + (f"did you mean {near[0]}?" if near else ", ".join(kinds)))
        try:
            changes[name] = kinds[name](value.strip())
        except ValueError:
            kind = "whole number" if kinds[name] is int else "number"
            raise ValueError(f"{name}: {value.strip()!r} is no {kind}") from None
    return dataclasses.replace(base, **changes)


def described(shape: Shape) -> str:
    """What sets a shape apart from the plain one."""
    plain = Shape()
    return ", ".join(
        f"{each.name} {getattr(shape, each.name)}"
        for each in dataclasses.fields(Shape)
        if getattr(shape, each.name) != getattr(plain, each.name)
    )
