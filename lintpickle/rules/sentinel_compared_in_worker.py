from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lintpickle.analyses.results.sentinels import sentinels_compared
from lintpickle.analyses.results.sentinels_received import sentinels_received
from lintpickle.analyses.workers.worker_functions import is_forked
from lintpickle.diagnostics import Confidence, Span, StartMethod
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    Hazard,
    Hop,
    Linker,
    Rule,
    Site,
    WorkerCode,
    WorkerFunction,
)

_QUEUED = "what is put into a queue"
_OTHER_VALUES = "give the member a value that is equal when it arrives: `enum.auto()`, or a string"


class SentinelComparedInWorker(Rule):
    """An object that stands for itself (`MISSING = object()`), shipped to workers that compare it by `is`."""

    code = "LP216"
    name = "sentinel-compared-in-worker"
    start_methods = ALL_START_METHODS
    message = "`{function}` runs in workers and asks `{test}`, but {what} is pickled on the way: {outcome}"
    help = "use a member of an `enum.Enum` (with `auto()`), or a class itself: they arrive as the same object"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for received in sentinels_received(code, linker):
            function, name, enum = received.function, received.name, received.enum
            hazard = _hazard(function, received.span, name, received.made, _QUEUED, ALL_START_METHODS)
            yield hazard if enum is None else _of_member(hazard, enum)
        if is_forked(code.root, linker) and not code.root.is_always_pickled:
            return
        methods = ALL_START_METHODS if code.root.is_always_pickled else PICKLED_ON_START
        for each in sentinels_compared(code, linker):
            said = Confidence.POSSIBLE if each.is_doubted else Confidence.LIKELY
            found = _hazard(each.function, each.span, each.name, each.made, f"`{each.crossing.path}`", methods, said)
            yield found if each.enum is None else _of_member(found, each.enum)


def _of_member(hazard: Hazard, enum: str) -> Hazard:
    """The same of a member of an `Enum`, which is looked up by its value where it arrives."""
    error = f"ValueError: <object object at 0x7f…> is not a valid {enum}"
    outcome = f"a member of `{enum}` as its value, and there is no member with the `object()` that arrives: {error}"
    data = {**hazard.data, "outcome": outcome}
    return replace(hazard, error=error, data=data, noun="received in the worker", help=_OTHER_VALUES)


def _hazard(
    function: WorkerFunction,
    span: Span,
    name: str,
    made: Site,
    what: str,
    methods: tuple[StartMethod, ...],
    confidence: Confidence = Confidence.LIKELY,
) -> Hazard:
    return Hazard(
        site=Site(function.module, span),
        noun="compared in the worker",
        error=None,
        confidence=confidence,
        data={
            "function": function.facts.name,
            "test": " ".join(function.module.code[span.start : span.end].split()),
            "what": what,
            "outcome": f"it arrives as another object, which is not `{name}`",
        },
        hops=(Hop(f"`{name}` is made here", made), *function.hops),
        start_methods=methods,
    )
