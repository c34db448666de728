from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.sentinels import Comparison, sentinels_compared
from lintpickle.analyses.worker_functions import is_forked
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import ALL_START_METHODS, PICKLED_ON_START, Hazard, Linker, Rule, Site, WorkerCode


class SentinelComparedInWorker(Rule):
    """An object that stands for itself (`MISSING = object()`), shipped to workers that compare it by `is`."""

    code = "LP216"
    name = "sentinel-compared-in-worker"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in workers and asks `{test}`, but `{path}` is pickled on the way: "
        "it arrives as another object, which is not `{name}`"
    )
    help = "use a member of an `enum.Enum`, or a class itself: they arrive as the same object"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        is_always_pickled = len(code.root.start_methods) == len(StartMethod)
        if is_forked(code.root, linker) and not is_always_pickled:
            return
        for comparison in sentinels_compared(code, linker):
            yield _hazard(comparison, ALL_START_METHODS if is_always_pickled else PICKLED_ON_START)


def _hazard(comparison: Comparison, methods: tuple[StartMethod, ...]) -> Hazard:
    function, crossing = comparison.function, comparison.crossing
    module, span = function.module, comparison.span
    return Hazard(
        site=Site(module, span),
        noun="compared in the worker",
        error=None,
        confidence=Confidence.LIKELY,
        data={
            "function": function.facts.name,
            "test": " ".join(module.code[span.start : span.end].split()),
            "path": crossing.path,
            "name": comparison.name,
        },
        hops=function.hops,
        start_methods=methods,
    )
