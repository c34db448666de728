"""The ways in which boundaries pickle: which reducers they ask, and what they hand on without pickling it."""

from __future__ import annotations

import contextlib
import copyreg
import importlib
import sys
from typing import Any, Callable, Iterator, Mapping, NamedTuple

PROCESS = "process"
"""Starting a process by spawn or forkserver: `ForkingPickler`, while a process is being spawned."""
QUEUE = "queue"
"""Queues, pipes, tasks and results of pools: `ForkingPickler`."""
PICKLE = "pickle"
TORCH_SAVE = "torch.save"
CLOUDPICKLE = "cloudpickle"

_NON_LEAF = (
    "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing "
    "process boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing "
    "(e.g., putting it on the queue)."
)
_SHARED = (
    "multiprocessing.connection",
    "multiprocessing.heap",
    "multiprocessing.managers",
    "multiprocessing.queues",
    "multiprocessing.sharedctypes",
    "multiprocessing.synchronize",
    "torch.multiprocessing.queue",
)
"""What a start method makes for itself: under another one, the program would have had others."""


class Way(NamedTuple):
    """How objects are pickled at a boundary.

    `table` are reducers by type; `override` is asked before all others, and answers NotImplemented where it has nothing
    to say. `spawning` says that a process is being started; `beside` that the program itself does not pickle here, so
    that what belongs to its start method is not asked about.
    """

    kind: str
    table: Mapping[Any, Callable[[Any], Any]]
    override: Callable[[Any], Any] | None = None
    spawning: bool = False
    beside: bool = False

    def keeps(self, obj: Any) -> bool:
        """Whether an object is handed on as it is, or holds nothing but numbers: pickling it would copy its memory, or
        move it into shared memory, and could not fail."""
        thing = type(obj)
        module = getattr(thing, "__module__", "")
        if not isinstance(module, str):
            return False
        if module == "numpy" and thing.__name__ == "ndarray":
            return not obj.dtype.hasobject
        if module.startswith("torch") and _is_tensor(obj):
            return not (self.refusal(obj) if self.is_forking else getattr(obj, "__dict__", None))
        return self.beside and module in _SHARED

    @property
    def is_forking(self) -> bool:
        """Whether it is the pickler of multiprocessing, for which torch has reducers of its own."""
        return self.kind in (PROCESS, QUEUE)

    def refusal(self, obj: Any) -> str | None:
        """Why torch refuses to send a tensor to another process: it was computed, and gradients flow through it
        (`torch.multiprocessing.reductions.reduce_tensor`). None if it does not."""
        if not (self.is_forking and _is_tensor(obj)):
            return None
        # storages have no gradients
        return _NON_LEAF if getattr(obj, "requires_grad", False) and not obj.is_leaf else None

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """While objects are asked: as if a process was being spawned, if one would be."""
        if not self.spawning:
            yield
            return
        context: Any = importlib.import_module("multiprocessing.context")
        before = context.get_spawning_popen()
        context.set_spawning_popen(_Popen())
        try:
            yield
        finally:
            context.set_spawning_popen(before)


class _Popen:
    """Stands for the process that would be started."""

    def duplicate_for_child(self, handle: int) -> int:
        return handle

    DupFd = duplicate_for_child


def _is_tensor(obj: Any) -> bool:
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    kinds = [getattr(torch, name, None) for name in ("Tensor", "UntypedStorage", "TypedStorage")]
    kinds.append(getattr(getattr(torch, "nn", None), "Parameter", None))
    return any(type(obj) is kind for kind in kinds)


def process(beside: bool = False) -> Way:
    """What starting a process by spawn or forkserver asks."""
    return Way(PROCESS, _forking_table(), spawning=True, beside=beside)


def queue() -> Way:
    """What queues, pipes and pools ask."""
    return Way(QUEUE, _forking_table())


def plain(kind: str = PICKLE) -> Way:
    """What `pickle.dump` asks."""
    return Way(kind, copyreg.dispatch_table)


def of_pickler(kind: str, pickler: Any) -> Way:
    """What a pickler of a class of its own asks (cloudpickle, loky)."""
    table = getattr(pickler, "dispatch_table", copyreg.dispatch_table)
    return Way(kind, table, getattr(pickler, "reducer_override", None))


def _forking_table() -> Mapping[Any, Callable[[Any], Any]]:
    from multiprocessing.reduction import ForkingPickler

    return {**copyreg.dispatch_table, **getattr(ForkingPickler, "_extra_reducers", {})}
