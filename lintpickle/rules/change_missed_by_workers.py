from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from lintpickle.analyses.loaders.datasets_inside import datasets_inside
from lintpickle.analyses.loaders.loader_arguments import is_given_to_workers, is_loader, literal
from lintpickle.analyses.loaders.loop_changes import LoopChange, LoopTarget, changes_in_loops
from lintpickle.analyses.workers.worker_reads import reads, reads_of_held
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
        if not is_loader(call) or not is_given_to_workers(call, "persistent_workers", True, linker):
            return
        if literal(call, "num_workers", linker) == 0:
            return
        values = [traced.value for traced in call.value("dataset", linker.evaluator)]
        datasets = list(datasets_inside(values, linker))
        if len(values) != 1 and len(datasets) != 1:
            return
        for watched in chain(map(LoopTarget, datasets), *(_held(each, call, linker) for each in datasets)):
            for change in changes_in_loops(call, watched, linker):
                if _is_read(change.attribute, watched, linker):
                    yield _hazard(change, watched, call)
                    return


def _held(dataset: InstanceValue, call: BoundaryCall, linker: Linker) -> Iterator[LoopTarget]:
    """The objects that a dataset holds."""
    for crossing in linker.shipped_by(call):
        held, (owner, _, name) = crossing.value, crossing.path.partition(".")
        if owner == "dataset" and name.isidentifier() and isinstance(held, InstanceValue) and held.call is not None:
            yield LoopTarget(dataset, held, name)


def _is_read(attribute: str, watched: LoopTarget, linker: Linker) -> bool:
    if watched.held is None:
        return next(reads(attribute, watched.class_, linker), None) is not None
    return reads_of_held(watched.held_as, attribute, watched.dataset.class_, watched.class_, linker)


def _hazard(change: LoopChange, watched: LoopTarget, call: BoundaryCall) -> Hazard:
    place, made = change.place, Hop("makes a loader whose workers persist", call.site)
    led = (Hop("leads there in each epoch", change.led_by),) if change.led_by is not None else ()
    text = place.module.document.text[place.span.start : place.span.end]
    name = f"{watched.held_as}.{change.attribute}" if watched.held is not None else change.attribute
    what = f"`{watched.held_as}` of the dataset" if watched.held is not None else "the dataset"
    return Hazard(
        site=place,
        noun=f"it changes {what} of the main process",
        error=None,
        data={"excerpt": " ".join(text.split())[:50], "attribute": name},
        hops=(made, *led),
    )
