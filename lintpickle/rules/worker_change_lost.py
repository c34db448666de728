from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.worker_changes import lost_changes
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode


class WorkerChangeLost(Rule):
    """A global that a function changes in a worker, and that the code which starts the workers reads afterwards."""

    code = "LP207"
    name = "worker-change-lost"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in workers and changes the global `{name}`, which {reader} reads: the change is lost "
        "with the worker, and {reader} still sees {value}"
    )
    help = "return the result, or send it through a `Queue` or a `Manager` object"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None:
            return
        for function in code.functions:
            for lost in lost_changes(function, boundary, linker):
                name, reader = lost.name, lost.reader
                yield Hazard(
                    site=lost.place,
                    noun="changed in the worker",
                    error=None,
                    data={"function": function.facts.name, "name": name, "reader": reader, "value": lost.value},
                    hops=(*function.hops, Hop(f"{reader} starts the workers, and reads `{name}` later", boundary.site)),
                    confidence=Confidence.LIKELY,
                )
