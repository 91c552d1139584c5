"""What a person does with a home beside asking: setup, update, doctor, the query log, the map.

For: chains of what the other rooms do, and what is wrong with a home.
Not for: the work of one step; each is a function of the room it belongs to.
Rule of thumb: a command of its own that is no question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loci.core.late import late

if TYPE_CHECKING:
    from loci.core.operations.doctor import examine as examine
    from loci.core.operations.finding import Finding as Finding
    from loci.core.operations.forget import forget_project as forget_project
    from loci.core.operations.forget import forgotten_kept as forgotten_kept
    from loci.core.operations.map import map_of_projects as map_of_projects
    from loci.core.operations.query_log import (
        LoggedQuestion as LoggedQuestion,
    )
    from loci.core.operations.query_log import (
        QueryLog as QueryLog,
    )
    from loci.core.operations.query_log import (
        keep_question as keep_question,
    )
    from loci.core.operations.setup import (
        Chain as Chain,
    )
    from loci.core.operations.setup import (
        ChainReport as ChainReport,
    )
    from loci.core.operations.setup import (
        Tell as Tell,
    )
    from loci.core.operations.setup import (
        likely_directory as likely_directory,
    )
    from loci.core.operations.setup import (
        update as update,
    )
    from loci.core.operations.steps import STEPS as STEPS
    from loci.core.operations.steps import Step as Step
    from loci.core.operations.steps import StepReport as StepReport

__getattr__ = late(
    __name__,
    {
        "doctor": ("examine",),
        "finding": ("Finding",),
        "forget": ("forget_project", "forgotten_kept"),
        "map": ("map_of_projects",),
        "query_log": ("LoggedQuestion", "QueryLog", "keep_question"),
        "setup": ("Chain", "ChainReport", "Tell", "likely_directory", "update"),
        "steps": ("STEPS", "Step", "StepReport"),
    },
)
