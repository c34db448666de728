from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.raising_callbacks import raising_callback
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Hop, Linker, Rule


class RaisingResultCallback(Rule):
    """A callback of a pool's result that surely raises, which ends the thread that takes results."""

    code = "LP325"
    name = "raising-result-callback"
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` raises where the pool calls it as the `{argument}` of `{method}`: that ends the pool's thread "
        "that takes results, and `get()` and `join()` wait for ever"
    )
    help = "let it catch its errors, and let `get()` raise those of tasks in the main thread"

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        found = raising_callback(call, linker)
        if found is not None:
            yield Hazard(
                site=call.site,
                noun="the call",
                error=None,
                confidence=Confidence.LIKELY,
                data={"function": found.function, "argument": found.argument, "method": call.spec.name},
                hops=(*call.hops, Hop("it always raises here", found.site)),
            )
