"""Ranking, the order of the lanes, and citations that are checked when shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_text import tokenize
from reference_rank import Doc, lanes
from repositories import commit, make, write

from loci.episodes import AsksFor, Episodes, Lanes, Passage, build

WORDS = ["cookie", "signed", "retry", "queue", "worker", "session", "rotate", "backend"]


@given(
    files=st.dictionaries(
        st.sampled_from(["a.txt", "docs/b.txt", "tests/c.txt", "d.txt"]),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=12),
        min_size=1,
    ),
    commits=st.lists(
        st.tuples(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.lists(st.sampled_from(WORDS), max_size=6)
        ),
        max_size=5,
    ),
    question=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
)
@settings(max_examples=40, deadline=None)
def test_ranks_like_the_plain_reference(
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[str, list[str]],
    commits: list[tuple[list[str], list[str]]],
    question: list[str],
) -> None:
    base = tmp_path_factory.mktemp("rank")
    # One word of its own each: twins are shown once, which is another test.
    files = {name: [*words, f"own{'abcd'[number]}"] for number, (name, words) in enumerate(sorted(files.items()))}
    commits = [(subject, [*body, f"ours{'abcde'[number]}"]) for number, (subject, body) in enumerate(commits)]
    root = make(base / "repo", {name: " ".join(words) + "\n" for name, words in files.items()}, message="zzz")
    names = sorted(files)
    history = [("zzz", "", names)]
    for number, (subject, body) in enumerate(commits):
        touched = names[: number % (len(names) + 1)]
        write(root, {name: " ".join(files[name]) + "\n" * (number + 2) for name in touched})
        commit(root, " ".join(subject) + "\n\n" + " ".join(body), when=1_600_000_010 + number)
        history.append((" ".join(subject), " ".join(body), touched))
    report = build(root, directory=base)
    assert report.passages == {"document": len(files), "source": 0, "commit": len(history)}, "one passage a file"

    lengths: dict[int, tuple[int, int, int]] = {}

    def doc(body: str, head: str, path: str, source: str, **more: object) -> Doc:
        made = Doc(*(([term for term, _ in tokenize(text)]) for text in (body, head, path)), source=source, **more)  # type: ignore[arg-type]
        # Content positions: these words are one piece each, so positions and pieces agree.
        lengths[id(made)] = tuple(len({position for _, position in tokenize(text)}) for text in (body, head, path))  # type: ignore[assignment]
        return made

    penalties = {"docs/b.txt": 0.25, "tests/c.txt": 0.8}
    found = Episodes.open(base / report.segment).lanes(" ".join(question), k=50)
    heads = {passage.path: passage.heading for passage in found.files}
    passages = [
        doc(" ".join(files[name]), heads.get(name, ""), name, name, penalty=penalties.get(name, found_penalty(name)))
        for name in names
    ]
    events = [
        doc(f"{subject}\n\n{body}", subject, " ".join(touched), str(number), touched=touched)
        for number, (subject, body, touched) in enumerate(history)
    ]
    terms = {term for term, _ in tokenize(" ".join(question))}
    file_scores, commit_scores = lanes(terms, passages, events, lengths)
    assert {p.path: p.score for p in found.files} == pytest.approx(
        {k: v for k, v in file_scores.items() if v}, abs=2e-4
    )
    assert sorted(p.score for p in found.commits) == pytest.approx(sorted(commit_scores.values()), abs=2e-4)
    assert [p.score for p in found.files] == sorted((p.score for p in found.files), reverse=True)
    assert [p.score for p in found.commits] == sorted((p.score for p in found.commits), reverse=True)


def found_penalty(name: str) -> float:
    """A text file stands in the documents' role."""
    return 0.25 if name.endswith(".txt") else 0.0


def passage(kind: str, name: str, score: float = 1.0) -> Passage:
    commit_id = name if kind == "commit" else None
    return Passage(kind, "" if commit_id else name, (1, 2), commit_id, "", "", "source", "text", score)


@pytest.mark.parametrize(("asks_for", "commits_first"), [("event", True), ("reason", False), ("state", False)])
def test_events_are_looked_for_among_commits_first(asks_for: AsksFor, commits_first: bool) -> None:
    both = Lanes(
        [passage("source", "f1"), passage("source", "f2")], [passage("commit", "c1", score=5.0)], best_passage=9.0
    )
    assert both.commits_first(asks_for) is commits_first


def test_a_reason_is_where_the_match_is_better() -> None:
    files = [passage("source", f"f{n}") for n in range(5)]
    commits = [passage("commit", f"c{n}", score=9.0) for n in range(3)]
    assert [p.source for p in Lanes(files, commits, 9.5).merged("reason")] == [
        "c0",
        "f0",
        "c1",
        "f1",
        "c2",
        "f2",
        "f3",
        "f4",
    ]
    assert [p.source for p in Lanes(files, commits, 10.5).merged("reason")] == [
        "f0",
        "f1",
        "f2",
        "c0",
        "f3",
        "f4",
        "c1",
        "c2",
    ]
    assert Lanes(files, [], 1.0).merged("reason") == files
    assert [p.source for p in Lanes([], commits, 0.0).merged("reason")] == ["c0", "c1", "c2"]
    assert Lanes([], [], 0.0).merged("reason") == []


@pytest.mark.parametrize(
    ("first", "best_commit", "commits_first"),
    [
        # Nine tenths of the best passage, 10, by words alone: not what dense scores made of the first commit.
        (0.1, 9.0, True),
        (99.0, 8.99, False),
        (99.0, 0.0, False),
        # Without dense scores it is the first commit's own score.
        (9.0, None, True),
        (8.99, None, False),
    ],
)
def test_the_score_of_words_alone_decides_between_the_lanes(
    first: float, best_commit: float | None, commits_first: bool
) -> None:
    commits = [passage("commit", "c0", score=first), passage("commit", "c1", score=99.0)]
    lanes = Lanes([passage("source", "f0")], commits, best_passage=10.0, best_commit=best_commit)
    assert lanes.commits_first("reason") is commits_first
    assert lanes.commits_first("event") and not lanes.commits_first("state")
    assert not Lanes([passage("source", "f0")], [], 0.0, 9.0).commits_first("event")


def test_a_citation_follows_its_text_and_says_when_it_is_gone(tmp_path: Path) -> None:
    """FIELD 34: stored line ranges cut out a different function's body after an edit."""
    body = "def sign_cookie(key):\n    return key + 'signed'\n"
    root = make(tmp_path / "repo", {"sign.py": body})
    store = tmp_path / "store"
    store.mkdir()
    episodes = Episodes.open(store / build(root, directory=store).segment)

    def now() -> tuple[tuple[int, int], bool]:
        found = episodes.lanes("sign_cookie", root=root).files[0]
        return found.lines, found.stale

    assert now() == ((1, 2), False)
    (root / "sign.py").write_text("import os\n\n\n" + body)
    assert now() == ((4, 5), False)
    (root / "sign.py").write_text("import os\n")
    assert now() == ((1, 2), True)
    (root / "sign.py").unlink()
    assert now() == ((1, 2), True)


def test_a_citation_never_follows_a_link_out_of_the_repository(tmp_path: Path) -> None:
    """FIELD 58: a symlink in a hostile repository exposes files outside it."""
    body = "def sign_cookie(key):\n    return key\n"
    root = make(tmp_path / "repo", {"sign.py": body})
    store = tmp_path / "store"
    store.mkdir()
    episodes = Episodes.open(store / build(root, directory=store).segment)
    (tmp_path / "outside.py").write_text("import os\n" + body)
    (root / "sign.py").unlink()
    (root / "sign.py").symlink_to(tmp_path / "outside.py")
    assert episodes.lanes("sign_cookie", root=root).files[0].stale


def test_k_limits_each_lane(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {f"{n}.md": f"# Cookie {n}\n" for n in range(6)}, message="cookie one")
    commit(root, "cookie two")
    episodes = Episodes.open(tmp_path / build(root, directory=tmp_path).segment)
    found = episodes.lanes("cookie", k=1)
    assert (len(found.files), len(found.commits)) == (1, 1)
    assert episodes.search("cookie", k=0) == []


def test_json_keys_are_the_contract(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.md": "# Cookie\n\nSigned.\n"})
    found = Episodes.open(tmp_path / build(root, directory=tmp_path).segment).search("cookie")[0].to_json()
    contract = {"kind", "path", "lines", "commit", "heading", "symbol", "role", "text", "score", "stale"}
    assert contract <= set(found)
    assert found["lines"] == [1, 3]


def test_the_passages_of_a_file_are_found_by_its_path(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "README.md": "# One\n\nfirst words\n\n## Two\n\nsecond words\n",
        "README-more.md": "more words\n",
        "docs/README.md": "words below\n",
        "Z.md": "last words\n",
        "pyproject.toml": '[project]\nname = "one"\n',
    }
    root = make(tmp_path / "repo", files)
    store = Episodes.open(tmp_path / build(root, directory=tmp_path).segment)
    numbers, found = zip(*store.passages_of("README"), strict=True)
    assert [passage.path for passage in found] == ["README-more.md", "README.md", "README.md"]
    assert [passage.lines for passage in found[1:]] == [(1, 3), (5, 7)]
    assert {passage.path for _, passage in store.passages_of("pyproject")} == {"pyproject.toml"}
    assert [next(store.all_passages(number)) for number in numbers] == list(found)
    assert list(store.passages_of("absent")) == []
    (root / "README-more.md").unlink()
    assert [store.passage(number, root=root).stale for number in numbers] == [True, False, False]
    with pytest.raises(IndexError):
        store.passage(-1)
    # The order that the search by halves rests on.
    for kind in ("document", "source"):
        paths = [passage.path for passage in store.all_passages() if passage.kind == kind]
        assert paths == sorted(paths)
