from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.argument_changes import arguments_changed
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, Site, WorkerCode


class WorkerArgumentFilled(Rule):
    """An empty list, dict or array that is passed to workers to be filled: they fill copies."""

    code = "LP221"
    name = "worker-argument-filled"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in workers and fills its argument `{parameter}`, which is a copy there: {reader} reads "
        "`{given}` later and finds nothing in it"
    )
    help = (
        "return the result, send it through a `Queue`, or pass what processes share: a `Manager` object, shared memory"
    )

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for changed in arguments_changed(code, linker):
            boundary = code.boundary
            assert boundary is not None
            yield Hazard(
                site=Site(changed.function.module, changed.span),
                noun="fills a copy",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "function": changed.function.facts.name,
                    "parameter": changed.parameter,
                    "reader": changed.reader,
                    "given": changed.given,
                },
                hops=(*changed.function.hops, Hop(f"`{changed.given}` is passed here, and read later", boundary.site)),
            )
