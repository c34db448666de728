from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from lintpickle.analyses.waiting.used_on_both_sides import is_used_on_both_sides
from lintpickle.catalog import Product
from lintpickle.diagnostics import Fix
from lintpickle.rules._shared.handles import HandleRule
from lintpickle.rules._shared.products import AT_START, KeptProduct, boundary_kind, is_shared
from lintpickle.rules.authoring import (
    SENDING_HOOKS,
    Call,
    Crossing,
    Evaluator,
    Frame,
    Hazard,
    InstanceValue,
    Linker,
    ProductValue,
    Site,
    how_held,
)
from lintpickle.rules.base import excerpt_at

_REMADE_KINDS = frozenset({"lock", "event", "queue", "executor", "pool"})

_ANOTHER = "a `queue.Queue` joins threads, and recreated in `__setstate__` it would be another one in each process"
_MANAGED_HELP = f"use the `Queue` of a `multiprocessing.Manager()`: {_ANOTHER}"
_OF_ONE_START = f"use `multiprocessing.Queue`: {_ANOTHER}"
_QUEUE_HELP = {"process": _OF_ONE_START, "spawn": _OF_ONE_START}
"""The help by the kind of boundary: only as they start, processes take a queue of `multiprocessing` itself."""
_OF_THE_MAKER = ("thread", "mp-pool", "process-executor", "process", "future", "event-loop")
"""Kinds of which a second one in another process would be useless."""


class LockAttribute(HandleRule):
    """A lock, event, queue, thread, executor or pool that is created at construction and kept."""

    code = "LP111"
    name = "lock-attribute"
    kinds = frozenset(
        {
            "lock",
            "event",
            "queue",
            "thread",
            "executor",
            "pool",
            "mp-pool",
            "process-executor",
            "process",
            "future",
            "event-loop",
            "mp-queue",
        }
    )
    value_types = (ProductValue, InstanceValue)
    noun = "synchronisation object"
    nouns: ClassVar = {
        "process": "process",
        "thread": "thread",
        "executor": "executor",
        "process-executor": "executor",
        "pool": "pool",
        "mp-pool": "pool",
        "queue": "queue",
        "mp-queue": "queue",
        "event": "event",
        "future": "future",
        "event-loop": "event loop",
    }
    help = "drop it in `__getstate__` and recreate it in `__setstate__`"
    helps = dict.fromkeys(_OF_THE_MAKER, "drop it in `__getstate__`: it stays in the process that made it")
    unheld_help = "create it in the worker; to share one, create it from the context of the processes: `context.Lock()`"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[KeptProduct]]:
        """Also of an object of one of the program's own classes of processes that has been started by then."""
        yield from super().crossing(crossing, linker)
        if crossing.inside is not None and _is_started(crossing, linker):
            site = _where_made(crossing)
            yield Hazard(
                site=site,
                noun="the process",
                error="TypeError: cannot pickle 'weakref.ReferenceType' object",
                help=self.helps["process"],
                data={"noun": "started process", "excerpt": excerpt_at(site), "held": how_held(crossing)},
                subject=KeptProduct(crossing, linker),
            )

    def help_of_kept(self, product: Product, crossing: Crossing, linker: Linker) -> str | None:
        """Of what processes use as if they shared it, each would make its own if it were recreated."""
        if _joins_processes(crossing, linker):
            return _QUEUE_HELP.get(crossing.root.kind, _MANAGED_HELP)
        return super().help_of_kept(product, crossing, linker)

    def fix(self, hazard: Hazard[KeptProduct]) -> Fix | None:
        """None for a queue by which two processes are to be joined: each would have its own."""
        subject = hazard.subject
        return None if _joins_processes(subject.crossing, subject.linker) else super().fix(hazard)

    def can_repeat(self, value: ProductValue, evaluator: Evaluator) -> bool:
        """Not for threads, which would have to be started; not for process pools, which workers may not create; and not
        for objects that processes share, because each process would create its own."""
        return value.product.kind in _REMADE_KINDS and not is_shared(value.product) and value.call is not None


def _where_made(crossing: Crossing) -> Site:
    """Where a process is made, which may give itself to another one."""
    match crossing.value:
        case InstanceValue(call=Call(span=span), frame=Frame(module=module)):
            return Site(module, span)
        case _:
            return crossing.site


def _joins_processes(crossing: Crossing, linker: Linker) -> bool:
    """Whether a queue for threads is used by a worker, and also by the process that starts this."""
    value = crossing.value
    is_queue = isinstance(value, ProductValue) and value.product.kind == "queue"
    return is_queue and is_used_on_both_sides(crossing, linker)


def _is_started(crossing: Crossing, linker: Linker) -> bool:
    """Whether an object of a class of processes, which pickles as all objects do, has been started before a process
    receives it at its own start. (One that has not been can cross.)"""
    pickling = crossing.root.pickling
    match crossing.value:
        case InstanceValue(call=Call() as call, frame=Frame() as frame) as process if pickling is not None:
            is_process = linker.classes.kind(process) == "process" and boundary_kind(crossing) in AT_START
            is_process = is_process and not (pickling.sets_up(process) and _is_given_at_once(crossing))
            return is_process and not _has_own_state(process, linker) and pickling.has_started(call, frame)
        case _:
            return False


def _is_given_at_once(crossing: Crossing) -> bool:
    """Whether a boundary is given an object as one of its arguments, or as the object of a method."""
    return crossing.inside is not None and crossing.inside.inside is None and crossing.holder is None


def _has_own_state(process: InstanceValue, linker: Linker) -> bool:
    found = (linker.classes.find_method(process, name) for name in SENDING_HOOKS)
    return any(each is not None and each[0].module.first_party for each in found)
