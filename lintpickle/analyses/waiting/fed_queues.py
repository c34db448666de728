"""Queues of processes that have a feeder thread, which pickles what is put into them: `multiprocessing.Queue` and
`JoinableQueue`. (CPython 3.11 to 3.14, `multiprocessing.queues`: `put` appends to a buffer, `_feed` pickles; the `put`
of a `SimpleQueue` pickles before it returns, and so does that of a manager's queue, which is a proxy.)"""

from __future__ import annotations

from lintpickle.facts.records import Called
from lintpickle.facts.values import (
    Attribute,
    Call,
    Expr,
    Parameter,
    before_puts,
    ending_name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import UNKNOWN, AbstractValue, ContainerValue, Frame, ProductValue, is_none
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

QUEUE_PUTS = frozenset({"put", "put_nowait"})
CHANNEL_SENDS = QUEUE_PUTS | {"send"}
"""The methods that put something into a queue or a pipe."""
_QUEUE = "mp-queue"
"""The kind of queues of processes in the catalog."""
_SIMPLE = "SimpleQueue"
_WITHOUT_PUT = frozenset({"list", "dict", "set", "tuple"})


def puts(frame: Frame, linker: Linker, given: QueuesGiven | None = None) -> list[Call]:
    """The calls of a function that put something into queues of processes which have a feeder thread. `given` are
    those that a worker is given."""
    found = list[Call]()
    for event in frame.function.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name=name)) as call) if name in QUEUE_PUTS:
                queues = list(before_puts(base, through_sums=True))
                is_given = given is not None and all(given.has(each, frame) for each in queues)
                values = [traced.value for each in queues for traced in linker.evaluate(each, frame)]
                if is_given or _are_queues(values):
                    found.append(call)
            case _:
                pass
    return found


def may_put_elsewhere(frame: Frame, linker: Linker) -> bool:
    """Whether a function puts something into what it is given, or its object was, and of which it knows nothing."""
    return any(
        event.call.function.name in QUEUE_PUTS
        and any(traced.value is UNKNOWN for traced in linker.evaluate(event.call.function.base, frame))
        for event in frame.function.events
        if isinstance(event, Called) and isinstance(event.call.function, Attribute)
    )


class QueuesGiven:
    """The parameters by which the function that a worker begins with is given queues of processes."""

    def __init__(self, code: WorkerCode, linker: Linker) -> None:
        self._known: set[tuple[int, str]] = set()
        entries = [each for each in code.functions if each.entry]
        for crossing in linker.shipped_by(code.boundary) if code.boundary is not None else ():
            place = place_in_args(crossing.path) if is_fed(crossing.value) else None
            for entry in entries if place is not None and code.boundary is not None else ():
                assert place is not None and code.boundary is not None
                name = parameter_at(place, entry.facts, code.boundary.spec)
                if name is not None:
                    self._known.add((id(entry.frame), name))

    def has(self, value: Expr, frame: Frame) -> bool:
        """Whether an expression is one of these, in the function itself or in one that it passes it on to."""
        inner: Expr | None = without_narrowing(value)
        while isinstance(inner, Parameter):
            if (id(frame), inner.name) in self._known:
                return True
            bound = frame.bindings.get(inner.name)
            if bound is None or bound.expr is None or bound.frame is None or bound.frame is frame:
                return False
            inner, frame = without_narrowing(bound.expr), bound.frame
        return False


def is_fed(value: AbstractValue) -> bool:
    """Whether a value is a queue of processes with a feeder thread."""
    if not isinstance(value, ProductValue) or value.product.kind != _QUEUE:
        return False
    name = ending_name(value.call.function) if value.call is not None else None
    return name != _SIMPLE and not value.path.endswith(_SIMPLE)


def _are_queues(values: list[AbstractValue]) -> bool:
    queues = [each for each in values if not is_none(each) and not _holds_what_was_put(each)]
    return bool(queues) and all(map(is_fed, queues))


def _holds_what_was_put(value: AbstractValue) -> bool:
    """Whether a value stands for what other methods have put into the queue: a list itself has no `put`."""
    return isinstance(value, ContainerValue) and value.kind in _WITHOUT_PUT
