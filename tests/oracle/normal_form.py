"""The form in which the answers of two versions of loci are compared: every fact that a reader gets, no text of others.

The form is made from what `loci ask` prints, not from the program's objects, so it survives every change inside. Texts
belong to other people and are kept as hashes. Sentences of loci (notes, advice) stay as they are. Paths are relative
to the corpus. Where a key was renamed, the form keeps one name for both versions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

UNTIMELY = "there was no time to compare its files with the index"
"""What a note says on a busy machine; it depends on the time, so the form leaves it out."""


def digest(text: str | None) -> str:
    """Eight hexadecimal digits that stand for a text; "" for none."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8] if text else ""


def sentences(value: Any) -> str:
    """Notes or advice as one text, whether a version prints them as text or as objects with a `text`."""
    if not value:
        return ""
    if isinstance(value, str):
        return value
    return "; ".join(each if isinstance(each, str) else each["text"] for each in value)


def passage_form(passage: Mapping[str, Any]) -> list[Any]:
    """One citation: where it stands, what it is, how it scored, and its heading and text as hashes."""
    return [
        passage["kind"],
        passage["path"],
        passage["lines"],
        passage["commit"],
        passage["symbol"],
        passage["role"] if "role" in passage else passage["aisle"],
        passage["score"],
        passage["stale"],
        passage["also_at"],
        digest(passage["heading"]),
        digest(passage["text"]),
    ]


def symbol_form(symbol: Mapping[str, Any]) -> list[Any]:
    """One symbol: where it stands, its relation and how sure that is; signature and documentation as hashes."""
    return [
        symbol["name"],
        symbol["kind"],
        symbol["path"],
        symbol["lines"],
        symbol["relation"],
        symbol["of"],
        symbol["resolution"],
        symbol["site_path"],
        symbol["site"],
        symbol["candidates"],
        symbol["role"] if "role" in symbol else symbol["aisle"],
        symbol["test"],
        digest(symbol["signature"]),
        digest(symbol["documentation"]),
    ]


def scope_form(scope: Mapping[str, Any]) -> dict[str, Any]:
    """The block of one project."""
    form: dict[str, Any] = {
        "id": scope["id"],
        "score": scope["score"],
        "confidence": scope["confidence"],
        "signals": scope["signals"],
        "terms": digest(json.dumps(scope["terms"])),
    }
    if "passages" in scope:
        notes = sentences(scope["notes"] if "notes" in scope else scope.get("note")).split("; ")
        form["caught_up"] = scope["caught_up"] or UNTIMELY in notes
        form["nothing"] = scope.get("nothing")
        form["note"] = "; ".join(each for each in notes if each != UNTIMELY)
        form["passages"] = [passage_form(each) for each in scope["passages"]]
        form["symbols"] = [symbol_form(each) for each in scope.get("symbols", ())]
        form["uses"] = digest(json.dumps(scope["uses"], sort_keys=True)) if scope.get("uses") else ""
    return form


def normal_form(answer: Mapping[str, Any], corpus: str = "") -> dict[str, Any]:
    """The answer to one question (or its error) as `loci ask --json` printed it.

    Args:
        answer: The parsed object.
        corpus: The folder of the projects; it becomes `CORPUS` in sentences.

    """
    if "error" in answer:
        return {"id": answer.get("id"), "error": answer["error"].get("message", "").replace(corpus or "\0", "CORPUS")}
    form = {
        "id": answer.get("id"),
        "abstained": answer["abstained"],
        "reason": answer["reason"],
        "mode": answer["mode"],
        "confidence": answer["confidence"],
        "scopes": [scope_form(each) for each in answer["scopes"]],
        "candidates": [
            [each["id"], each["score"], each["confidence"], digest(json.dumps(each["terms"]))]
            for each in answer["candidates"]
        ],
        "advice": sentences(answer["advice"]),
        "notes": sentences(answer.get("notes", ())),
    }
    if corpus:
        form = json.loads(json.dumps(form).replace(json.dumps(corpus)[1:-1], "CORPUS"))
    return form


def text_form(identity: str, text: str, corpus: str = "") -> dict[str, Any]:
    """What a person is shown for a question, each line as a hash: enough to see where two versions part."""
    shown = text.replace(corpus, "CORPUS") if corpus else text
    return {"id": identity, "shown": [digest(line) for line in shown.splitlines()]}


def line_of(form: Mapping[str, Any]) -> str:
    """A form as one line of the fixture: the same form gives the same bytes."""
    return json.dumps(form, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def differences(before: Any, after: Any, place: str = "") -> list[str]:
    """Where two forms differ: one line each, the place first."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        found: list[str] = []
        for key in sorted({*before, *after}):
            found += differences(before.get(key), after.get(key), f"{place}.{key}" if place else str(key))
        return found
    is_list = isinstance(before, Sequence) and isinstance(after, Sequence)
    if is_list and not isinstance(before, str) and not isinstance(after, str):
        found = [f"{place}: {len(before)} before, {len(after)} now"] if len(before) != len(after) else []
        for number, (one, other) in enumerate(zip(before, after, strict=False)):
            found += differences(one, other, f"{place}[{number}]")
        return found
    return [] if before == after else [f"{place}: {before!r} before, {after!r} now"]
