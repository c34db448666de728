from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.results.sentinels_returned import sentinels_returned
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode


class SentinelComparedInMain(Rule):
    """An object that stands for itself (`MISSING = object()`), sent back by workers and then compared by `is`."""

    code = "LP259"
    name = "sentinel-compared-in-main"
    start_methods = ALL_START_METHODS
    message = (
        "`{test}` asks what workers send back, but the `{name}` that `{function}` sends is pickled on the way: it "
        "arrives as another object, which is not `{name}`"
    )
    help = "use a member of an `enum.Enum` (with `auto()`), or a class itself: they arrive as the same object"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in sentinels_returned(code, linker):
            sent, span = found.sent, found.site.span
            yield Hazard(
                site=found.site,
                noun="compared in the main process",
                error=None,
                confidence=Confidence.LIKELY,
                data={
                    "test": " ".join(found.site.module.code[span.start : span.end].split()),
                    "name": found.name,
                    "function": sent.function.facts.name,
                },
                hops=(
                    Hop(f"`{found.name}` is made here", sent.made.site),
                    *sent.function.hops,
                    Hop("it is sent back from here", sent.site),
                ),
            )
