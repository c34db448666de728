from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.waiting.unmarked_items import unmarked_items
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import ALL_START_METHODS, Hazard, Hop, Linker, Rule, WorkerCode


class ItemNotMarkedDone(Rule):
    """A worker that takes an item from a queue which is joined, and goes on without `task_done()`."""

    code = "LP313"
    name = "item-not-marked-done"
    of_absence = True
    start_methods = ALL_START_METHODS
    message = (
        "`{function}` runs in a worker, takes {item} from `{queue}` and {goes} without `{queue}.task_done()`: {error}"
    )
    help = "call `{queue}.task_done()` once for each item, in the `finally` of a `try` that begins behind `get()`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for found in unmarked_items(code, linker):
            yield Hazard(
                site=found.site,
                noun="not marked on this way",
                error="join() waits for ever",
                confidence=Confidence.LIKELY,
                data={
                    "function": found.function.facts.qualname,
                    "queue": found.queue,
                    "item": "an item" if found.sentinel is None else f"`{found.sentinel}`",
                    "goes": "ends" if found.leaves else "goes on",
                },
                help=ItemNotMarkedDone.help.format(queue=found.queue),
                hops=(
                    *found.function.hops,
                    Hop("the queue is made here", found.made),
                    Hop("it is joined here", found.join),
                ),
            )
