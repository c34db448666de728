"""Classes of the program's own that derive from a queue of `multiprocessing`, with attributes of their own.

Measured with CPython 3.11: `Queue`, `JoinableQueue` and `SimpleQueue` define `__getstate__` and `__setstate__`, which
carry their own attributes and nothing else; those of `torch.multiprocessing` inherit them. In a worker under spawn or
forkserver, the first method that reads another one raises an AttributeError."""

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
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, InstanceValue, Site
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

OWN_QUEUES = ("Queue)", "Queue,")
"""What stands in the head of such a class."""
_NAMES = frozenset({"Queue", "JoinableQueue", "SimpleQueue"})
_MODULES = frozenset({"multiprocessing.queues", "torch.multiprocessing.queue"})
_OF_QUEUES = frozenset(
    {
        "_buffer",
        "_close",
        "_closed",
        "_cond",
        "_ignore_epipe",
        "_joincancelled",
        "_jointhread",
        "_maxsize",
        "_notempty",
        "_opid",
        "_poll",
        "_reader",
        "_recv_bytes",
        "_rlock",
        "_sem",
        "_send_bytes",
        "_thread",
        "_unfinished_tasks",
        "_wlock",
        "_writer",
    }
)
"""The attributes that a queue has in a worker, too."""
_HOOKS = (*REDUCERS, "__getstate__", "__setstate__", "__getattr__", "__getattribute__")


class QueueAttribute(Struct, frozen=True):
    """An attribute of a queue, where the main process stores it, the function of a worker that calls a method of the
    queue, and where that method reads the attribute."""

    class_: ClassValue
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
    """The attributes of a queue that its constructor stores, and that methods read which workers call."""
    class_ = crossing.value.class_ if isinstance(crossing.value, InstanceValue) else None
    found = known_ancestors(class_, linker.classes) if class_ is not None else None
    line = tuple(each for each in found or () if isinstance(each, ClassValue))
    bases = external_bases(found) if found is not None else ()
    if class_ is None or len(bases) != 1 or not _is_queue(bases[0]) or defines(line, *_HOOKS):
        return
    for attribute, stores in stored_on_self(line).items():
        is_made = all(method.name in CONSTRUCTION for _, method, _ in stores)
        is_of_class = any(attribute in each.facts.methods or attribute in each.facts.body for each in line)
        if not is_made or is_of_class or attribute in _OF_QUEUES or asks_whether_it_is_there(attribute, line):
            continue
        owner, _, event = stores[0]
        for name, read in _reads(attribute, line):
            called = _call(name, crossing, code, linker)
            if called is not None:
                yield QueueAttribute(class_, attribute, Site(owner.module, event.span), *called, read)
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


def _call(name: str, crossing: Crossing, code: WorkerCode, linker: Linker) -> tuple[WorkerFunction, Span] | None:
    """Where a function of a worker calls a method of the queue that crosses: of the parameter that gets it, or of what
    is known to be one."""
    place = place_in_args(crossing.path)
    for function in code.functions:
        mine = None
        if place is not None and function.entry and code.boundary is not None:
            mine = parameter_at(place, function.facts, code.boundary.spec)
        for event in function.facts.events:
            called = event.call.function if isinstance(event, Called) else None
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
    return name in _NAMES and module in _MODULES
