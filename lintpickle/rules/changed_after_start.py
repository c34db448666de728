from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.main_state.stale_copies import stale_copies
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode


class ChangedAfterStart(Rule):
    """What workers were given when they started, and the main process changes before it sends more tasks."""

    code = "LP240"
    name = "changed-after-start"
    start_methods = ALL_START_METHODS
    message = (
        "`{name}` is changed after the workers got a copy of it by `{role}`, as they started: tasks that are sent "
        "later still find it as it was"
    )
    help = "send it with each task, or share it (a `multiprocessing.Array`, a `Manager`)"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in stale_copies(code, linker):
            yield Hazard(
                site=found.change,
                noun="changed here",
                error=None,
                confidence=Confidence.LIKELY,
                data={"name": found.name, "role": found.role},
                hops=(
                    Hop(f"the workers get a copy by `{found.role}`", found.made),
                    Hop("later tasks find that copy", found.sent),
                ),
            )
