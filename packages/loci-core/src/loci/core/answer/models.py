"""What ranks the passages and symbols of a project beside their words, opened when a question first needs it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from loci.core.home.home import Home
from loci.core.home.manifest import Indexed

if TYPE_CHECKING:
    from loci.core.build.models import Models, ScopeModels

ModelsOf = Callable[[Indexed], "ScopeModels | None"]


def no_models(_record: Indexed) -> None:
    """Only the words rank."""


class ModelsInUse:
    """The models of a home; no module that needs them is imported before a question does."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._models: Models | None = None

    def of(self, *, fast: bool, rerank: bool | str | os.PathLike[str]) -> ModelsOf:
        """What has a say for one question: the vectors unless `fast`, or the cross-encoder where `rerank` names one.

        Raises `NoReranker` where there is none that can be used.
        """
        if rerank:
            from loci.core.build.models import ScopeModels
            from loci.episodes import Reranking

            chosen = ScopeModels(reranker=Reranking(self._opened().reranker(None if rerank is True else rerank)))
            return lambda record: chosen
        if fast:
            return no_models
        return lambda record: None if record.vectors is None else self._opened().of_scope(record)

    def _opened(self) -> Models:
        with self._lock:
            if self._models is None:
                from loci.core.build.models import Models

                self._models = Models(self._home)
            return self._models
