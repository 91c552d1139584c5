"""From records to JSON, in one place."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from .statistics.shares import Share

__all__ = ["EXACT", "FLAT", "HIDDEN", "to_json"]

DIGITS = 4
"""Decimals of a number that is not whole: a hundredth of a percent, far below any interval."""

FLAT = {"json": "flat"}
"""Metadata of a field whose own fields stand in its place."""

HIDDEN = {"json": "hidden"}
"""Metadata of a field that is left out."""

EXACT = {"json": "exact"}
"""Metadata of a field that is JSON already and is not rounded."""


def to_json(record: Any) -> Any:
    """Plain JSON values of a record: a dataclass is an object of its fields, in their order.

    A `Share` is as `Share.to_json` says. Other numbers are rounded to four decimals, or to the `digits` of their field.
    """
    if isinstance(record, Share):
        return record.to_json()
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        found: dict[str, Any] = {}
        for field in dataclasses.fields(record):
            if field.metadata == HIDDEN:
                continue
            value = getattr(record, field.name)
            digits = field.metadata.get("digits")
            if field.metadata != EXACT:
                value = to_json(value) if digits is None or value is None else round(value, digits)
            found |= value if field.metadata == FLAT else {field.metadata.get("name", field.name): value}
        return found
    if isinstance(record, Mapping):
        return {str(key): to_json(value) for key, value in record.items()}
    if isinstance(record, (list, tuple)):
        return [to_json(value) for value in record]
    return round(record, DIGITS) if isinstance(record, float) else record
