"""Advice as values: equal by their fields, frozen, and plain sentences without a flag or a command."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from reference_evidence import ReferenceIndex

from loci.router import Advice, Groups, Router, Scope, Statement, advice

SENTENCES: list[tuple[Advice, str]] = [
    (
        advice.OutsideGroup("hugo", "Hugo", ("acme",), asked_for=True),
        "the best answer is in Hugo, outside the group acme; ask without the group, or ask the scope hugo itself",
    ),
    (
        advice.OutsideGroup("hugo", "Hugo", ("acme", "web"), asked_for=False),
        "the best answer is in Hugo, outside the group acme, web; ask without the working directory, or ask the scope "
        "hugo itself",
    ),
    (advice.NothingIndexed(), "no project is indexed"),
    (advice.EmptyGroup(("acme",)), "the group acme has no members"),
    (
        advice.NoneInLanguage(("Go", "C"), mostly=True),
        "no indexed project is known to be mostly written in Go or C",
    ),
    (advice.NoneInLanguage(("Go",), mostly=False), "no indexed project is known to have source files in Go"),
    (advice.Misspelt("gohugoio/hugo", "hugo"), "did you mean hugo (the scope gohugoio/hugo)?"),
    (
        advice.SubjectNotNamed(("hugo", "bat")),
        "the question does not say which project it is about (it may be hugo, bat); name it, or say where it is asked "
        "from",
    ),
    (
        advice.HardlyAnyEvidence(),
        "almost nothing in the indexed projects matches; ask in other words, or register the project it is about",
    ),
    (
        advice.CommonWords(("hugo", "bat")),
        "most projects contain every word of the question, so the words do not tell which one is meant; name "
        "the project, or ask hugo or bat itself",
    ),
    (
        advice.ThinEvidence(("hugo",)),
        "the evidence is too weak to choose a project; ask hugo itself, or say where it is asked from",
    ),
    (advice.NothingAskedOfSet(), "the question asks for projects without saying which"),
    (advice.NoContentWords(), "the question has no content words; say what it is about"),
    (advice.OnlyOutside(), "no project that may answer contains any word of the question"),
    (
        advice.IndexedNowhere(),
        "no indexed project contains any word of the question",
    ),
    (
        advice.DefinedInSeveral(("close",), ("a", "b", "c", "d", "e", "f")),
        "close is defined in a, b, c, d, e and 1 more; ask one of these scopes itself, or name the project",
    ),
    (
        advice.LeftDirectory("hugo", "Hugo", "bat", "Bat", "evidence"),
        "answered from Bat and not from Hugo, the project of the working directory: the evidence for it is "
        "clearly stronger; to stay, ask the scope hugo itself",
    ),
    (advice.MoreInLanguages(3, ("Go",)), "3 more projects have files in Go"),
    (
        advice.UsesNotCollected(),
        "dependencies between projects were not collected, so these are the projects whose texts mention it",
    ),
    (advice.UsesListed(0), "it is known where they use it"),
    (advice.UsesListed(2), "it is known where they use it; 2 more projects use it"),
    (
        advice.ChangedSinceIndexed(("hugo", "bat")),
        "hugo, bat have changed since they were indexed, and the changes were not searched",
    ),
    (advice.DirectoryNotRegistered("/shop"), "the question was asked in /shop, which is not registered"),
    (advice.NameTheProject(), "to ask about another project, name it"),
    (
        advice.NoUserFound(("hugo", "bat"), 30, ("imports in C are not collected: jq",)),
        "no manifest, import or script of 30 projects names hugo or bat; this does not prove that nothing "
        "uses it: imports in C are not collected: jq",
    ),
    (
        advice.NoSuchSymbol(("totals",), tuple((f"total{n}", "desk") for n in range(7))),
        "no indexed project has a symbol called totals: did you mean total0 (desk), total1 (desk), total2 (desk), "
        "total3 (desk), total4 (desk) or 2 more?",
    ),
    (advice.NoSuchSymbol(("main", "halt"), ()), "no indexed project has both main and halt"),
]


def test_every_kind_has_a_plain_sentence_and_a_name_of_its_own() -> None:
    assert {type(each) for each, _ in SENTENCES} == set(get_args(Advice))
    names = [kind.kind for kind in get_args(Advice)]
    assert len(names) == len(set(names)) == 23


@pytest.mark.parametrize(("value", "sentence"), SENTENCES)
def test_the_plain_sentence(value: Advice, sentence: str) -> None:
    assert str(value) == value.describe() == sentence
    assert "--" not in sentence and "`" not in sentence


@pytest.mark.parametrize(("value", "sentence"), SENTENCES)
def test_the_object_of_the_json_has_every_field(value: Advice, sentence: str) -> None:
    record = value.to_json()
    assert json.loads(json.dumps(record)) == record
    assert list(record) == ["kind", "text", *value.__match_args__]
    assert (record["kind"], record["text"]) == (value.kind, sentence)
    assert value.to_json("in other words")["text"] == "in other words"


def test_statements_are_equal_by_kind_and_fields() -> None:
    assert advice.Misspelt("a", "b") == advice.Misspelt(name="b", scope="a") != advice.Misspelt("a", "c")
    assert advice.NoContentWords() != advice.OnlyOutside()
    assert len({advice.Misspelt("a", "b"), advice.Misspelt("a", "b"), advice.UsesListed(1)}) == 2
    assert repr(advice.UsesListed(1)) == "UsesListed(more=1)"


def test_a_statement_is_frozen_and_has_the_fields_of_its_kind() -> None:
    value = advice.UsesListed(1)
    with pytest.raises(AttributeError, match="more cannot be set"):
        value.more = 2  # type: ignore[misc]
    for wrong in ({}, {"more": 1, "less": 2}):
        with pytest.raises(TypeError, match="UsesListed has the fields more"):
            advice.UsesListed(**wrong)
    with pytest.raises(TypeError, match="NoContentWords has the fields none"):
        advice.NoContentWords("x")  # type: ignore[call-arg]


def test_a_statement_without_a_sentence_cannot_be_described() -> None:
    class Silent(Statement):
        kind = "silent"

    with pytest.raises(NotImplementedError):
        Silent().describe()


def test_a_route_is_understandable_without_a_face() -> None:
    scopes = {name: Scope(name, name, groups=("acme",) if name == "bat" else ()) for name in ("bat", "hugo")}
    texts = {"bat": ["cats are shown with colours"], "hugo": ["sites are built from pages"] * 3}
    router = Router(ReferenceIndex.from_texts(texts), scopes=scopes, groups=Groups(modes={"acme": "hard"}))
    route = router.route("how does hugo build sites?", group="acme")
    (advised,) = route.to_json()["advice"]
    text = "the best answer is in hugo, outside the group acme; ask without the group, or ask the scope hugo itself"
    assert advised == {
        "kind": "outside_group",
        "text": text,
        "scope": "hugo",
        "name": "hugo",
        "groups": ["acme"],
        "asked_for": True,
    }
    assert f"advice     {advised['text']}\n" in route.explain()
    assert route.to_json(lambda advised: ["frag anderswo" for _ in advised])["advice"][0]["text"] == "frag anderswo"
