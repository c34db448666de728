from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.loader_arguments import is_loader, literal
from lintpickle.analyses.loop_changes import changes_in_loops
from lintpickle.analyses.worker_reads import reads
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    BoundaryCall,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    Rule,
)


class ChangeMissedByWorkers(Rule):
    """A dataset that the training loop changes (`set_epoch`), while persistent workers keep their first copy of it."""

    code = "LP412"
    name = "change-missed-by-workers"
    start_methods = ALL_START_METHODS
    message = (
        "persistent workers keep the dataset of the first epoch: they never see that `{excerpt}` sets `{attribute}`"
    )
    help = "share the value (`multiprocessing.Value`, a tensor in shared memory), or leave `persistent_workers` out"
    words = frozenset({"persistent_workers"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        if not is_loader(call) or literal(call, "persistent_workers", linker) is not True:
            return
        if literal(call, "num_workers", linker) == 0:
            return
        values = [traced.value for traced in call.value("dataset", linker.evaluator)]
        datasets = [value for value in values if isinstance(value, InstanceValue)]
        if len(datasets) != 1:
            return
        for change in changes_in_loops(call, datasets[0].class_, linker):
            if next(reads(change.attribute, datasets[0].class_, linker), None) is not None:
                place, made = change.place, Hop("makes a loader whose workers persist", call.site)
                led = (Hop("leads there in each epoch", change.led_by),) if change.led_by is not None else ()
                text = place.module.document.text[place.span.start : place.span.end]
                yield Hazard(
                    site=place,
                    noun="it changes the dataset of the main process",
                    error=None,
                    data={"excerpt": " ".join(text.split())[:50], "attribute": change.attribute},
                    hops=(made, *led),
                )
                return
