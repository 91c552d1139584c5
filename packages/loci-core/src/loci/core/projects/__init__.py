"""Which projects there are: finding repositories, registering them, their names, packages, groups and hooks.

For: everything that `loci scan`, `loci add` and `loci group` decide.
Not for: reading what a project says. An index is built in `build`.
Rule of thumb: it changes the registry, or says how one of its entries stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loci.core.late import late

if TYPE_CHECKING:
    from loci.core.projects.add import Changes as Changes
    from loci.core.projects.add import add_project as add_project
    from loci.core.projects.groups import (
        GroupStatus as GroupStatus,
    )
    from loci.core.projects.groups import (
        add_to_group as add_to_group,
    )
    from loci.core.projects.groups import (
        list_groups as list_groups,
    )
    from loci.core.projects.groups import (
        remove_from_group as remove_from_group,
    )
    from loci.core.projects.groups import (
        set_mode as set_mode,
    )
    from loci.core.projects.hooks import HookPlan as HookPlan
    from loci.core.projects.hooks import plan_hooks as plan_hooks
    from loci.core.projects.register import Estimate as Estimate
    from loci.core.projects.scan import (
        ScanReport as ScanReport,
    )
    from loci.core.projects.scan import (
        infer_groups as infer_groups,
    )
    from loci.core.projects.scan import (
        scan_directories as scan_directories,
    )
    from loci.core.projects.status import ScopeStatus as ScopeStatus
    from loci.core.projects.status import statuses as statuses

__getattr__ = late(
    __name__,
    {
        "add": ("Changes", "add_project"),
        "groups": ("GroupStatus", "add_to_group", "list_groups", "remove_from_group", "set_mode"),
        "hooks": ("HookPlan", "plan_hooks"),
        "register": ("Estimate",),
        "scan": ("ScanReport", "infer_groups", "scan_directories"),
        "status": ("ScopeStatus", "statuses"),
    },
)
