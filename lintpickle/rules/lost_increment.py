from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.lost_changes.lost_increments import lost_increments
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode

_OWN_LOCK = "hold its lock for the whole change: `with {}.get_lock():`"


class LostIncrement(Rule):
    """A number or item that workers share and change without a lock (`counter.value += 1`): changes are lost."""

    code = "LP238"
    name = "lost-increment"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in several workers at once and changes `{written}`, which they share, without a lock: "
        "it is read, then written back, and what another worker writes in between is lost"
    )
    help = "hold a lock for the whole change (`with lock:`), one that all workers are given, or return what each counts"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in lost_increments(code, linker):
            function = found.function
            owner = found.written.rpartition("[" if found.written.endswith("]") else ".")[0]
            yield Hazard(
                site=Site(function.module, found.span),
                noun="reads it and writes it back",
                error=None,
                data={"function": function.facts.name, "written": found.written},
                hops=(*function.hops, Hop("the workers share what is made here", found.made)),
                help=_OWN_LOCK.format(owner) if found.has_own_lock else None,
                confidence=Confidence.POSSIBLE if found.is_seldom else None,
                start_methods=found.only,
            )
