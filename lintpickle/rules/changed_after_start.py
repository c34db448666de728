from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from lintpickle.analyses.main_state.stale_copies import stale_copies
from lintpickle.analyses.main_state.stale_objects import stale_objects
from lintpickle.analyses.process_state.folders_left import folders_left
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode

_WHOLE_PATHS = "send whole paths (`os.path.abspath(…)`), or make the pool when the folder is changed"


class ChangedAfterStart(Rule):
    """What workers were given when they started, and the main process changes before it sends more tasks."""

    code = "LP240"
    name = "changed-after-start"
    start_methods = ALL_START_METHODS
    message = (
        "{what} is changed after the workers got {how}, as they started: tasks that are sent later still find it as it "
        "was"
    )
    help = "send it with each task, or share it (a `multiprocessing.Array`, a `Manager`)"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in chain(stale_copies(code, linker), stale_objects(code, linker)):
            yield Hazard(
                site=found.change,
                noun="changed here",
                error=None,
                confidence=Confidence.LIKELY,
                data={"what": f"`{found.name}`", "how": f"a copy of it by `{found.role}`"},
                hops=(
                    Hop(f"the workers get a copy by `{found.role}`", found.made),
                    Hop("later tasks find that copy", found.sent),
                ),
            )
        for left in folders_left(code, linker):
            yield Hazard(
                site=left.opened,
                noun="opened in the folder that the worker started in",
                error=None,
                confidence=Confidence.LIKELY,
                data={"what": f"the current folder, in which `{left.function.facts.name}` opens a file,", "how": "it"},
                hops=(
                    Hop("the workers start in the current folder", left.made),
                    Hop("the main process goes to another one", left.change),
                    *left.function.hops,
                ),
                help=_WHOLE_PATHS,
            )
