"""Notes are values: equal by kind and fields, frozen, complete with a sentence and a cure."""

from __future__ import annotations

import json

import pytest

from loci.core import Cure, Note, notes


def kinds() -> list[type[Note]]:
    return sorted(Note.__subclasses__(), key=lambda kind: kind.kind)


def test_the_names_of_the_kinds_are_their_own():
    assert len({kind.kind for kind in kinds()}) == len(kinds()) > 30


def test_a_note_is_its_kind_and_its_fields():
    assert notes.NotIndexed("a") == notes.NotIndexed(scope="a") != notes.NotIndexed("b")
    assert notes.NotIndexed("a") != notes.OlderRules("a")
    assert len({notes.NotIndexed("a"), notes.NotIndexed("a"), notes.OlderRules("a")}) == 2
    assert notes.NothingRelated("f", "callers") == notes.NothingRelated("f", "callers", others_shown=False)
    assert repr(notes.Changed("a", head=True)) == "Changed(scope='a', head=True)"


@pytest.mark.parametrize(("values", "named"), [((), {}), (("a", "b"), {}), ((), {"path": "a"})])
def test_a_note_has_the_fields_of_its_kind(values, named):
    with pytest.raises(TypeError, match="NotIndexed has the fields scope"):
        notes.NotIndexed(*values, **named)


def test_a_note_cannot_be_changed():
    note = notes.NotIndexed("a")
    with pytest.raises(AttributeError):
        note.scope = "b"  # type: ignore[misc]


def test_json_has_the_fields_and_the_sentence_of_the_face():
    note = notes.NewestTag(("v2", "v2.0"), 3, "0123456789", "2024-03-01")
    assert note.to_json() == {
        "kind": "newest_tag",
        "text": "newest tag: v2, v2.0 and 3 more, at commit 0123456789 of 2024-03-01",
        "tags": ["v2", "v2.0"],
        "more": 3,
        "commit": "0123456789",
        "date": "2024-03-01",
    }
    assert json.dumps(note.to_json("hello")).startswith('{"kind": "newest_tag", "text": "hello"')
    assert [each["text"] for each in notes.notes_json([note], lambda some: ["said"])] == ["said"]


def test_a_cure_names_the_action_and_the_project():
    assert notes.Changed("a", head=False).cure == Cure("index", "a")
    assert notes.GraphUnreadable("a", "gone").cure == Cure("rebuild_graphs", "a")
    assert notes.OtherGraph("a", "index.scip", "old", None).cure is None
    assert notes.OtherGraph("a", "index.scip", "old", "rerun_indexer").cure == Cure("rerun_indexer", "a")
    assert notes.WithoutVectors("a", "all", "why", embed=False).cure is None
    assert notes.HomeFileDamaged("uses.json: bad", "uses_unknown").cure == Cure("collect_uses")
    assert notes.HomeFileDamaged("groups.json: bad", "defaults").cure is None
    assert notes.NoWords().cure is None
