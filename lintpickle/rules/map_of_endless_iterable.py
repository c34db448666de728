from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.endless_iterables import drained_endless
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Hop, Linker, Rule

_EXECUTOR = "executor"
_OF_POOL = "give it a part at a time (`itertools.islice`)"


class MapOfEndlessIterable(Rule):
    """A `map` of a pool or an executor that takes all items of an iterable before it gives a result."""

    code = "LP324"
    name = "map-of-endless-iterable"
    start_methods = ALL_START_METHODS
    message = (
        "`{method}` takes all items before it gives a result, and there is no end to {iterable}: it never returns, and "
        "takes more and more memory"
    )
    help = "give it a part at a time (`itertools.islice`), or since Python 3.14 a `buffersize`"

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        found = drained_endless(call, linker)
        if found is not None:
            yield Hazard(
                site=call.site,
                noun="the call",
                error=None,
                confidence=Confidence.LIKELY,
                data={"method": call.spec.name, "iterable": found.said},
                hops=(*call.hops, Hop("this never ends", found.site)),
                help=None if call.spec.kind == _EXECUTOR else _OF_POOL,
            )
