"""Near-identical passages are shown once, with the places of the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repositories import commit, make, write

from loci.episodes import Episodes, Lanes, Passage, Place, build

SIGNING = "# Signing\n\nThe cookie is signed with the newest key, and read with any of the older ones.\n"


def open_store(base: Path, root: Path) -> Episodes:
    return Episodes.open(base / build(root, directory=base).segment)


def places(passages: object) -> list[tuple[str, list[str]]]:
    return [(p.source, [place.path or str(place.commit) for place in p.also_at]) for p in passages]  # type: ignore[attr-defined]


def test_the_newest_of_several_copies_is_shown_and_says_where_the_others_are(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.md": SIGNING, "c.md": "# Cookie\n\nWhat else is said of it.\n"}, message="one")
    commit(root, "two", {"b.md": SIGNING + "\n"}, when=1_600_000_100)
    found = open_store(tmp_path, root).lanes("which key is the cookie signed with?")
    assert places(found.files) == [("b.md", ["a.md"]), ("c.md", [])]
    assert found.files[0].also_at == (Place("a.md", (1, 3)),)
    assert found.files[0].to_json()["also_at"] == [{"path": "a.md", "lines": [1, 3], "commit": None}]
    assert found.files[1].to_json()["also_at"] == []


def test_a_copy_in_the_tests_gives_way_however_new(tmp_path: Path) -> None:
    body = "def sign_cookie(key):\n    return key.sign(b'cookie')\n"
    root = make(tmp_path / "repo", {"src/sign.py": body}, message="one")
    commit(root, "two", {"tests/sign.py": body}, when=1_600_000_100)
    commit(root, "three", {"examples/sign.py": body}, when=1_600_000_200)
    found = open_store(tmp_path, root).lanes("sign_cookie")
    assert places(found.files) == [("src/sign.py", ["examples/sign.py", "tests/sign.py"])]


def test_a_commit_that_was_picked_is_shown_once(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.txt": "1"}, message="start")
    message = "Sign the cookie with the newest key\n\nOlder keys only read what was signed before they were replaced."
    first = commit(root, message, {"a.txt": "2"}, when=1_600_000_100)
    second = commit(root, message, {"a.txt": "3"}, when=1_600_000_200)
    other = commit(root, "Release 1.2.3 of the cookie", {"a.txt": "4"}, when=1_600_000_300)
    another = commit(root, "Release 1.2.4 of the cookie", {"a.txt": "5"}, when=1_600_000_400)
    found = open_store(tmp_path, root).lanes("cookie", k=10).commits
    assert sorted(places(found)) == sorted([(second, [first]), (other, []), (another, [])])
    shown = next(p for p in found if p.commit == second)
    assert shown.also_at == (Place("", (0, 0), first),)


def test_another_word_of_the_question_makes_another_answer(tmp_path: Path) -> None:
    long = " ".join(f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(100))
    root = make(
        tmp_path / "repo", {"a.txt": f"{long} signed\n", "b.txt": f"{long} sealed\n", "c.txt": f"{long} other\n"}
    )
    store = open_store(tmp_path, root)
    # c.txt holds nothing of the question that either of the two lacks.
    assert [len(p.also_at) for p in store.lanes("waa signed sealed").files] == [1, 0]
    assert [len(p.also_at) for p in store.lanes("waa").files] == [2]


def test_without_history_the_better_match_is_shown(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"deep/down/cookie.md": SIGNING, "a.md": SIGNING}, message=None)
    found = open_store(tmp_path, root).lanes("cookie")
    assert places(found.files) == [("deep/down/cookie.md", ["a.md"])]


def test_room_that_twins_leave_goes_to_the_next_answer(tmp_path: Path) -> None:
    copies: dict[str, str | bytes] = {f"copy{n}.md": SIGNING for n in range(5)}
    root = make(
        tmp_path / "repo", {**copies, "other.md": "# Keys\n\nWhere each key comes from is said in the vault.\n"}
    )
    found = open_store(tmp_path, root).lanes("key", k=2).files
    assert [len(p.also_at) for p in found] in ([4, 0], [0, 4])
    assert "other.md" in [p.path for p in found]


WORDS = ["cookie", "signed", "retry"]


def runs(text: str) -> set[tuple[str, ...]]:
    tokens = text.split()
    return {tuple(tokens[at : at + 3]) for at in range(len(tokens) - 2)} if len(tokens) > 2 else {tuple(tokens)}


@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), min_size=1, max_size=8),
    messages=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), max_size=4),
    question=st.sampled_from(["cookie", "cookie signed", "retry"]),
)
@settings(max_examples=15, deadline=None)
def test_every_source_is_shown_or_named_and_none_twice(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], messages: list[list[str]], question: str
) -> None:
    base = tmp_path_factory.mktemp("twins")
    files = {f"f{number}.txt": " ".join(words) for number, words in enumerate(texts)}
    root = make(base / "repo", {name: text + "\n" for name, text in files.items()}, message="zzz")
    for number, words in enumerate(messages):
        write(root, {"touched.bin": bytes([0, number])})
        commit(root, " ".join(words), when=1_600_000_010 + number)
    store = open_store(base, root)
    whole = store.lanes(question, k=50)
    asked = set(question.split())

    def holders(texts: dict[str, str]) -> set[str]:
        return {source for source, text in texts.items() if asked & set(text.split())}

    assert {p.path for p in whole.files} | {a.path for p in whole.files for a in p.also_at} == holders(files)
    for lane, expected in (
        (whole.files, len(holders(files))),
        (whole.commits, sum(bool(asked & set(m)) for m in messages)),
    ):
        assert len(lane) + sum(len(p.also_at) for p in lane) == expected
        for number, passage in enumerate(lane):
            for other in lane[:number]:
                one, two = passage.text.split(), other.text.split()
                alike = runs(passage.text) == runs(other.text) and 10 * abs(len(one) - len(two)) <= max(
                    len(one), len(two)
                )
                assert not alike, "five words have at most three runs: the same ones or another passage"
    assert [p for lane in (whole.files, whole.commits) for p in lane[:1]] == [
        p for lane in (lambda found: (found.files, found.commits))(store.lanes(question, k=1)) for p in lane
    ]
    assert store.lanes(question, k=50) == whole


def test_a_reranker_keeps_where_the_others_are() -> None:
    passage = Passage("document", "a.md", (1, 2), None, "", "", "docs", "text", 1.0, also_at=(Place("b.md", (3, 4)),))
    assert Lanes([passage], [], 0.0).merged("reason")[0].also_at == (Place("b.md", (3, 4)),)
