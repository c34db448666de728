from __future__ import annotations

from typing import ClassVar

from lintpickle.catalog import Product
from lintpickle.rules._shared.handles import HandleRule
from lintpickle.rules.authoring import Evaluator, ProductValue

_REMADE_KINDS = frozenset({"lock", "event", "queue", "executor", "pool"})

_SHARED_HELP = (
    "hand it to the processes when they start (`Process(args=…)`, `initargs=`), or keep one of a "
    "`multiprocessing.Manager()`"
)
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
    nouns: ClassVar = {"process": "process"}
    help = "drop it in `__getstate__` and recreate it in `__setstate__`"
    helps = dict.fromkeys(_OF_THE_MAKER, "drop it in `__getstate__`: it stays in the process that made it")
    unheld_help = "create it in the worker; to share one, create it from the context of the processes: `context.Lock()`"

    def help_of_kept(self, product: Product) -> str | None:
        """Of what processes share, each would make its own if it were recreated."""
        return _SHARED_HELP if _is_shared(product) else super().help_of_kept(product)

    def can_repeat(self, value: ProductValue, evaluator: Evaluator) -> bool:
        """Not for threads, which would have to be started; not for process pools, which workers may not create; and not
        for objects that processes share, because each process would create its own."""
        return value.product.kind in _REMADE_KINDS and not _is_shared(value.product) and value.call is not None


def _is_shared(product: Product) -> bool:
    """Whether several processes are meant to use the one object."""
    return product.type.startswith("multiprocessing.") and product.kind not in ("pool", *_OF_THE_MAKER)
