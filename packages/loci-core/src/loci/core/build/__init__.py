"""Building what answers: segments, graphs, vectors, the indexes of worktrees, and whether they are up to date.

For: what `loci index`, `loci graphs` and `loci embed` make, in an order in which a killed build costs nothing.
Not for: how a passage is cut or a graph is read: the kernels do that. Nothing here answers a question.
Rule of thumb: it writes a file below `segments/` or `overlays/`, or says that one is behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loci.core.late import late

if TYPE_CHECKING:
    from loci.core.build.index import (
        IndexReport as IndexReport,
    )
    from loci.core.build.index import (
        Progress as Progress,
    )
    from loci.core.build.index import (
        ScopeReport as ScopeReport,
    )
    from loci.core.build.index import (
        build_graphs as build_graphs,
    )
    from loci.core.build.index import (
        build_index as build_index,
    )
    from loci.core.build.vectors import (
        EmbeddedScope as EmbeddedScope,
    )
    from loci.core.build.vectors import (
        EmbedReport as EmbedReport,
    )
    from loci.core.build.vectors import (
        embed_index as embed_index,
    )

__getattr__ = late(
    __name__,
    {
        "index": ("IndexReport", "Progress", "ScopeReport", "build_graphs", "build_index"),
        "vectors": ("EmbedReport", "EmbeddedScope", "embed_index"),
    },
)
