"""Who uses whom: what projects declare, import and mention of one another, with file and line.

For: `uses.json` and `references.json`, and what a question about them is answered with.
Not for: calls between symbols; those are the graph's.
Rule of thumb: it reads a manifest, a lock file, an import or a script, or matches the names in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loci.core.late import late

if TYPE_CHECKING:
    from loci.core.dependencies.refresh import current_uses as current_uses
    from loci.core.dependencies.table import Uses as Uses

__getattr__ = late(
    __name__,
    {
        "refresh": ("current_uses",),
        "table": ("Uses",),
    },
)
