from __future__ import annotations

from lintpickle.rules._shared.handles import HandleRule
from lintpickle.rules.authoring import Evaluator, ProductValue

_REMADE_KINDS = frozenset({"lock", "event", "queue", "executor", "pool"})

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
    noun = "synchronisation object"
    help = "drop it in `__getstate__` and recreate it in `__setstate__`"
    helps = dict.fromkeys(_OF_THE_MAKER, "drop it in `__getstate__`: it stays in the process that made it")
    unheld_help = "create it in the worker; to share one, create it from the context of the processes: `context.Lock()`"

    def can_repeat(self, value: ProductValue, evaluator: Evaluator) -> bool:
        """Not for threads, which would have to be started; not for process pools, which workers may not create; and not
        for objects that processes share, because each process would create its own."""
        product = value.product
        is_shared = product.type.startswith("multiprocessing.") and product.kind != "pool"
        return product.kind in _REMADE_KINDS and not is_shared and value.call is not None
