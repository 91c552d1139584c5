"""Every cell of the mode table, for single and set questions, reached through the directory and with a named group.

Three scopes hold the words of the question: `inside` shares the group of the directory's scope `here`, `outside` and
`far` do not. What the table promises is asserted on the route, not on the confinement alone.
"""

from pathlib import Path
from typing import Literal

import pytest
from reference_evidence import ReferenceIndex

from loci.router import Groups, Router, Scope, UnknownGroup, advice

FILLER = ["the parser reads tokens", "a release is tagged", "logs are rotated", "the window is drawn again"]

# How strongly each scope speaks of the subject: in how many of its passages.
TEXTS = {
    "here": ["buttons are aligned", *FILLER],
    "inside": ["invoices are exported to ledgers", *FILLER],
    "outside": ["invoices are exported to ledgers", "ledgers import exported invoices", *FILLER],
    "far": ["kernels are scheduled", *FILLER],
}
GROUP = "client:acme"
SINGLE = "how are invoices exported to ledgers?"
SET = "which of my projects have exported invoices to ledgers?"


def router(
    mode: Literal["explicit", "soft", "hard"], tmp_path: Path, texts: dict[str, list[str]] | None = None
) -> Router:
    scopes = {}
    for scope in TEXTS:
        (tmp_path / scope).mkdir(exist_ok=True)
        groups = (GROUP,) if scope in ("here", "inside") else ()
        scopes[scope] = Scope(scope, scope, path=tmp_path / scope, groups=groups)
    return Router(ReferenceIndex.from_texts(texts or TEXTS), scopes, Groups(modes={GROUP: mode}))


def ids(route) -> list[str]:
    return [each.id for each in route.scopes]


def evidence(route, scope: str) -> dict[str, float]:
    return next(each.signals for each in route.trace.ranking if each.id == scope)


@pytest.mark.parametrize("question", [SINGLE, SET], ids=["single", "set"])
class TestThroughTheDirectory:
    def test_explicit_does_nothing(self, question: str, tmp_path: Path) -> None:
        inside_directory = router("explicit", tmp_path).route(question, cwd=tmp_path / "here")
        assert len(inside_directory.trace.ranking) == 4
        assert "demoted" not in evidence(inside_directory, "outside")
        assert ids(router("explicit", tmp_path).route(question))[0] == "outside"

    def test_soft_halves_the_evidence_of_every_outside_scope(self, question: str, tmp_path: Path) -> None:
        route = router("soft", tmp_path).route(question, cwd=tmp_path / "here")
        assert len(route.trace.ranking) == 4
        signals = evidence(route, "outside")
        assert signals["evidence"] > 0.0
        assert signals["demoted"] == pytest.approx(-signals["evidence"] / 2)
        assert "demoted" not in evidence(route, "inside")

    def test_hard_abstains_when_the_best_answer_is_outside(self, question: str, tmp_path: Path) -> None:
        texts = TEXTS | {"inside": [*FILLER, "nothing of the kind"]}
        # The directory's own boost counts here too; the named project outside leaves no doubt.
        route = router("hard", tmp_path, texts).route("in the outside repo, " + question, cwd=tmp_path / "here")
        assert (route.abstained, route.reason) == (True, "out_of_group")
        assert route.advice == (advice.OutsideGroup("outside", "outside", (GROUP,), asked_for=False),)

    def test_hard_confines(self, question: str, tmp_path: Path) -> None:
        route = router("hard", tmp_path).route(question, cwd=tmp_path / "inside")
        assert "inside" in ids(route)
        assert not {"outside", "far"} & set(ids(route))


@pytest.mark.parametrize("question", [SINGLE, SET], ids=["single", "set"])
class TestNamed:
    @pytest.mark.parametrize("mode", ["explicit", "soft"])
    def test_explicit_and_soft_confine(self, mode: Literal["explicit", "soft"], question: str, tmp_path: Path) -> None:
        route = router(mode, tmp_path).route(question, group=GROUP)
        # The best scope of the whole corpus is outside, and that is no reason to abstain.
        assert ids(router(mode, tmp_path).route(question))[0] == "outside"
        assert ids(route) == ["inside"]
        assert {each.id for each in route.trace.ranking} == {"here", "inside"}

    def test_hard_confines_and_abstains_when_the_best_answer_is_outside(self, question: str, tmp_path: Path) -> None:
        route = router("hard", tmp_path).route(question, group=GROUP)
        assert (route.abstained, route.reason) == (True, "out_of_group")
        assert route.advice == (advice.OutsideGroup("outside", "outside", (GROUP,), asked_for=True),)

    def test_hard_answers_from_inside_when_the_best_answer_is_there(self, question: str, tmp_path: Path) -> None:
        texts = TEXTS | {"outside": [*FILLER, "nothing of the kind"]}
        assert ids(router("hard", tmp_path, texts).route(question, group=GROUP)) == ["inside"]

    @pytest.mark.parametrize("mode", ["explicit", "soft", "hard"])
    def test_a_named_group_decides_over_the_directory(
        self, mode: Literal["explicit", "soft", "hard"], question: str, tmp_path: Path
    ) -> None:
        route = router(mode, tmp_path).route(question, cwd=tmp_path / "far", group=GROUP)
        assert {each.id for each in route.trace.ranking} == {"here", "inside"}


def test_an_unknown_group_is_an_error_with_near_names(tmp_path: Path) -> None:
    with pytest.raises(UnknownGroup, match="client:acme") as caught:
        router("soft", tmp_path).route(SINGLE, group="client:acmee")
    assert caught.value.near == [GROUP]
    assert isinstance(caught.value, ValueError)


def test_a_group_with_a_mode_and_no_members_has_nothing_to_answer_from(tmp_path: Path) -> None:
    made = Router(ReferenceIndex.from_texts(TEXTS), groups=Groups(modes={"empty": "soft"}))
    route = made.route(SINGLE, group="empty")
    assert route.abstained and route.scopes == [] and route.advice == (advice.EmptyGroup(("empty",)),)


def test_a_directory_in_two_hard_groups_is_confined_to_what_both_share(tmp_path: Path) -> None:
    scopes = {
        "here": Scope("here", "here", path=tmp_path, groups=("a", "b")),
        "inside": Scope("inside", "inside", groups=("a", "b")),
        "outside": Scope("outside", "outside", groups=("a",)),
        "far": Scope("far", "far", groups=("b",)),
    }
    made = Router(ReferenceIndex.from_texts(TEXTS), scopes, Groups(default="hard"))
    assert {each.id for each in made.route("what", cwd=tmp_path).trace.ranking} == {"here", "inside"}


def test_a_scope_that_shares_any_soft_group_is_not_demoted(tmp_path: Path) -> None:
    scopes = {
        "here": Scope("here", "here", path=tmp_path, groups=("a", "b")),
        "inside": Scope("inside", "inside", groups=("b",)),
    }
    route = Router(ReferenceIndex.from_texts(TEXTS), scopes).route(SINGLE, cwd=tmp_path)
    assert "demoted" not in evidence(route, "inside") and "demoted" in evidence(route, "outside")


def test_demotion_promotes_nobody(tmp_path: Path) -> None:
    route = router("soft", tmp_path).route(SINGLE, cwd=tmp_path / "here")
    assert evidence(route, "far")["evidence"] < 0.0
    assert "demoted" not in evidence(route, "far")


@pytest.mark.parametrize("mode", ["", "SOFT", "none"])
def test_an_unknown_mode_is_refused(mode: str) -> None:
    with pytest.raises(ValueError, match="explicit, soft, hard"):
        Groups(modes={"a": mode})  # type: ignore[dict-item]
