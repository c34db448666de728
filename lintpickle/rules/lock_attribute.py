from __future__ import annotations

from lintpickle.diagnostics import Applicability
from lintpickle.rules.products import ProductRule


class LockAttribute(ProductRule):
    """A lock, event, queue, thread, executor or pool that is made at construction and kept."""

    code = "LP111"
    name = "lock-attribute"
    applicability = Applicability.UNSAFE
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
        }
    )
    noun = "synchronisation object"
    help = "drop it in `__getstate__` and make it anew in `__setstate__`"
    words = frozenset({"Lock", "Event", "Condition", "Semaphore", "Barrier", "Queue", "Thread", "Pool", "Timer", "local("})
