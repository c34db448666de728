from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lintpickle.analyses.results.queued_pairs import queued_pairs
from lintpickle.analyses.results.unordered_pairs import UnorderedPair, unordered_pairs
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Hop, Linker, Rule, WorkerCode

_OF_QUEUE = "let the worker put the key, or the number of the task, into the queue with each result"


class UnorderedResultsZipped(Rule):
    """Results that come as workers complete them, and that are paired by position with what was sent."""

    code = "LP232"
    name = "unordered-results-zipped"
    start_methods = ALL_START_METHODS
    message = (
        "`{sent}` is paired by position with `{results}`, which has the results in the order in which workers complete "
        "them, not in that of what was sent: each may get the result of another"
    )
    help = "use a method that keeps the order, such as `map` or `imap`, or let the worker return the key, too"

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        return (_hazard(found) for found in unordered_pairs(call, linker))

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in queued_pairs(code, linker):
            yield replace(_hazard(found), help=_OF_QUEUE)


def _hazard(found: UnorderedPair) -> Hazard:
    begins, place = found.begins, found.site
    is_inside = begins.module is place.module and place.span.start <= begins.span.start < place.span.end
    hops = () if is_inside else (Hop("results come as they are completed", begins),)
    return Hazard(
        site=found.site,
        noun="paired here",
        error=None,
        confidence=Confidence.LIKELY,
        data={"sent": found.sent, "results": found.results},
        hops=(*hops, *((Hop("they are kept beside what was sent", found.kept),) if found.kept is not None else ())),
    )
