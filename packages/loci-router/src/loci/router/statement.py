"""A value that a face puts into words: the base of every kind of advice, and of what other packages have to say.

A kind is a class with annotated fields, a `kind` and a plain sentence:

>>> class Emptied(Statement):
...     kind = "emptied"
...     scope: str
...     passages: int = 0
...
...     def describe(self) -> str:
...         return f"{self.scope} has {self.passages} passages"
>>> Emptied("hugo").to_json()
{'kind': 'emptied', 'text': 'hugo has 0 passages', 'scope': 'hugo', 'passages': 0}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Any:
        """For type checkers alone; `typing` has it from Python 3.11 on."""
        return lambda kind: kind


@dataclass_transform(frozen_default=True)
class Statement:
    """A frozen value with the fields that its class annotates, equal to another of its kind with equal fields.

    To a type checker and to `match` a kind is a frozen dataclass. It is not made by `dataclasses`, which compiles six
    methods for each class: twenty kinds would take longer than all else that a question imports of the router.
    """

    kind: ClassVar[str]
    """The stable name of the kind, for programs."""
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.__match_args__ = tuple(cls.__annotations__)

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self.__match_args__, values, strict=False), **named)
        wrong = given.keys() - set(self.__match_args__)
        missing = [name for name in self.__match_args__ if name not in given and not hasattr(type(self), name)]
        if wrong or missing or len(values) > len(self.__match_args__):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self.__match_args__) or 'none'}")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__match_args__}

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.kind, *self._values().values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._values().items())})"

    def __str__(self) -> str:
        return self.describe()

    def describe(self) -> str:
        """One plain sentence in terms of scopes, without a full stop."""
        raise NotImplementedError

    def to_json(self, text: str | None = None) -> dict[str, Any]:
        """`kind`, `text` (the sentence of a face, else the plain one) and the fields of the kind."""
        values = {name: _plain(value) for name, value in self._values().items()}
        return {"kind": self.kind, "text": self.describe() if text is None else text, **values}


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
