from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.process_state.ids_looked_up import ids_looked_up
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    Hazard,
    Hop,
    Linker,
    Rule,
    Site,
    WorkerCode,
)
from lintpickle.rules.base import excerpt_at


class IdOfCopyLookedUp(Rule):
    """The id of an object that was pickled, looked for in a table that the main process has filled with ids."""

    code = "LP256"
    name = "id-of-copy-looked-up"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in workers and asks `{lookup}`, but `{table}` has the ids that the objects have in the main "
        "process, and what arrives here are copies with other ids{then}{error}"
    )
    help = "file under a key of the object that stays the same (a name, a number), or keep the value in the object"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if is_forked(code.root, linker) and not code.root.is_always_pickled:
            return
        for found in ids_looked_up(code, linker):
            site = Site(found.function.module, found.span)
            is_pickled = code.root.is_always_pickled and not found.is_inherited
            yield Hazard(
                site=site,
                noun="looked for here",
                error=found.error or None,
                confidence=Confidence.LIKELY if found.is_sure else Confidence.POSSIBLE,
                data={
                    "function": found.function.facts.name,
                    "lookup": excerpt_at(site, 40),
                    "table": found.table,
                    "then": ": " if found.error else "",
                },
                hops=(*found.function.hops, Hop("the table is filled here", found.filled)),
                start_methods=ALL_START_METHODS if is_pickled else PICKLED_ON_START,
            )
