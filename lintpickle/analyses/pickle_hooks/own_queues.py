"""Classes of the program's own that derive from a queue or a lock of `multiprocessing`, with attributes of their own.

Measured with CPython 3.11: `Queue`, `JoinableQueue` and `SimpleQueue` define `__getstate__` and `__setstate__`, which
carry their own attributes and nothing else; those of `torch.multiprocessing` inherit them. So do `Lock`, `RLock`,
`Semaphore`, `BoundedSemaphore`, `Condition` and `Barrier`, but not `Event`. In a worker under spawn or forkserver, what
reads another one raises an AttributeError. Locks and conditions get `acquire` and `release` as attributes, which hide
methods of these names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, external_bases, known_ancestors
from lintpickle.analyses.pickle_hooks.dropped_state import asks_whether_it_is_there
from lintpickle.analyses.pickle_hooks.left_out_of_state import stored_on_self
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.analyses.workers.worker_reads import READ
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Implied
from lintpickle.facts.values import Attribute, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, InstanceValue, Site
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_QUEUES = frozenset({"Queue", "JoinableQueue", "SimpleQueue"})
_LOCKS = frozenset({"Lock", "RLock", "Semaphore", "BoundedSemaphore", "Condition", "Barrier"})
OWN_QUEUES = tuple(f"{name}{end}" for name in ("Queue", "Lock", "Semaphore", "Condition", "Barrier") for end in "),")
"""What stands in the head of such a class."""
_NAMES = {
    "multiprocessing.queues": _QUEUES,
    "torch.multiprocessing.queue": _QUEUES,
    "multiprocessing.synchronize": _LOCKS,
}
_ARRIVING = frozenset(
    {
        "_action",
        "_array",
        "_buffer",
        "_close",
        "_closed",
        "_cond",
        "_ignore_epipe",
        "_is_fork_ctx",
        "_joincancelled",
        "_jointhread",
        "_lock",
        "_maxsize",
        "_notempty",
        "_opid",
        "_parties",
        "_poll",
        "_reader",
        "_recv_bytes",
        "_rlock",
        "_sem",
        "_semlock",
        "_send_bytes",
        "_sleeping_count",
        "_thread",
        "_timeout",
        "_unfinished_tasks",
        "_wait_semaphore",
        "_wlock",
        "_woken_count",
        "_wrapper",
        "_writer",
    }
)
"""The attributes that a queue or a lock has in a worker, too."""
_HIDDEN = frozenset({"acquire", "release"})
_HOOKS = (*REDUCERS, "__getstate__", "__setstate__", "__getattr__", "__getattribute__")


class QueueAttribute(Struct, frozen=True):
    """An attribute of a queue or a lock, what of `multiprocessing` that is, where the main process stores the
    attribute, the function of a worker that reads it or calls a method which does, and where that and the read are."""

    class_: ClassValue
    base: str
    attribute: str
    stored: Site
    caller: WorkerFunction
    call: Span
    read: Site

    @property
    def error(self) -> str:
        """How the read ends."""
        return f"AttributeError: '{self.class_.facts.name}' object has no attribute '{self.attribute}'"


def queue_attributes_lost(crossing: Crossing, code: WorkerCode, linker: Linker) -> Iterator[QueueAttribute]:
    """The attributes of a queue or a lock that its constructor stores, and that workers read, also by its methods."""
    class_ = crossing.value.class_ if isinstance(crossing.value, InstanceValue) else None
    found = known_ancestors(class_, linker.classes) if class_ is not None else None
    line = tuple(each for each in found or () if isinstance(each, ClassValue))
    bases = external_bases(found) if found is not None else ()
    if class_ is None or len(bases) != 1 or not _is_queue(bases[0]) or defines(line, *_HOOKS):
        return
    base = bases[0].rpartition(".")[2]
    hidden = _HIDDEN if base in _LOCKS else frozenset()
    for attribute, stores in stored_on_self(line).items():
        is_made = all(method.name in CONSTRUCTION for _, method, _ in stores)
        is_of_class = any(attribute in each.facts.methods or attribute in each.facts.body for each in line)
        if not is_made or is_of_class or attribute in _ARRIVING or asks_whether_it_is_there(attribute, line):
            continue
        owner, _, event = stores[0]
        stored = Site(owner.module, event.span)
        for name, read in _reads(attribute, line):
            called = _call(name, crossing, code, linker) if name not in hidden else None
            if called is not None:
                yield QueueAttribute(class_, base, attribute, stored, *called, read)
                break
        else:
            for function, place in _read_by_entries(attribute, crossing, code):
                yield QueueAttribute(class_, base, attribute, stored, function, place, Site(function.module, place))
                break


def _reads(attribute: str, line: tuple[ClassValue, ...]) -> Iterator[tuple[str, Site]]:
    """The methods that read an attribute of their object, with the place."""
    for each in line:
        for name, method in each.facts.methods.items():
            if name not in CONSTRUCTION and method.parameters:
                me = re.escape(method.parameters[0].name)
                form = re.compile(READ.format(me=me, name=re.escape(attribute)))
                place = outside_comments(form, each.module.code, method.header.end, method.span.end)
                if place is not None:
                    yield name, Site(each.module, place)


def _read_by_entries(attribute: str, crossing: Crossing, code: WorkerCode) -> Iterator[tuple[WorkerFunction, Span]]:
    """Where a function that a worker begins with reads an attribute of the parameter that gets what crosses."""
    for function in code.functions:
        mine = _parameter(function, crossing, code)
        if mine is not None:
            form = re.compile(READ.format(me=re.escape(mine), name=re.escape(attribute)) + r"(?!\s*\()")
            place = outside_comments(form, function.module.code, function.facts.header.end, function.facts.span.end)
            if place is not None:
                yield function, place


def _parameter(function: WorkerFunction, crossing: Crossing, code: WorkerCode) -> str | None:
    """The parameter by which a function that a worker begins with gets what crosses."""
    place = place_in_args(crossing.path)
    if place is None or not function.entry or code.boundary is None:
        return None
    return parameter_at(place, function.facts, code.boundary.spec)


def _call(name: str, crossing: Crossing, code: WorkerCode, linker: Linker) -> tuple[WorkerFunction, Span] | None:
    """Where a function of a worker calls a method of the queue that crosses: of the parameter that gets it, or of what
    is known to be one."""
    for function in code.functions:
        mine = _parameter(function, crossing, code)
        for event in function.facts.events:
            called = event.call.function if isinstance(event, Called | Implied) else None
            if not isinstance(called, Attribute) or called.name != name:
                continue
            base = without_narrowing(called.base)
            if isinstance(base, Parameter) and base.name == mine:
                return function, event.span
            values = [each.value for each in linker.evaluate(base, function.frame)]
            if values and all(_is_of_class(each, crossing.value) for each in values):
                return function, event.span
    return None


def _is_of_class(value: AbstractValue, queue: AbstractValue) -> bool:
    if not isinstance(value, InstanceValue) or not isinstance(queue, InstanceValue):
        return False
    return value.class_.facts is queue.class_.facts


def _is_queue(path: str) -> bool:
    module, _, name = path.rpartition(".")
    return name in _NAMES.get(module, ())
