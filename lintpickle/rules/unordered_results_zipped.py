from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.results.unordered_pairs import unordered_pairs
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Hop, Linker, Rule


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
        for found in unordered_pairs(call, linker):
            begins, place = found.begins, found.site
            is_inside = begins.module is place.module and place.span.start <= begins.span.start < place.span.end
            yield Hazard(
                site=found.site,
                noun="paired here",
                error=None,
                confidence=Confidence.LIKELY,
                data={"sent": found.sent, "results": found.results},
                hops=() if is_inside else (Hop("results come as they are completed", begins),),
            )
