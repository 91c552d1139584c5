"""Names of a package that are imported when they are first used: a question must not pay for what builds and scans."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence


def late(package: str, names: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The `__getattr__` of a package. `names`: by module, relative to the package, the names that are its own."""
    module_of = {name: module for module, its in names.items() for name in its}

    def getattr_(name: str) -> object:
        module = module_of.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{module}"), name)

    return getattr_
