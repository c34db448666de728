"""Queues, events and the like at which forked workers meet a thread of the main process, which they do not have.

Measured with CPython 3.11: `queue.Queue.join()`, `get()` and `threading.Event.wait()` of a forked worker never return
if only that thread calls `task_done()`, `put()` and `set()`; what the worker puts stays in its copy of the queue.
Spawned and served workers import the module that starts the thread, and have one of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.process_state.threads_at_fork import THREADS, ThreadAtFork, threads_at_fork
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant, Name
from lintpickle.interpreter.abstract_values import ExternalResult, ProductValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_ANSWERED = {"join": ("task_done",), "wait": ("set", "notify", "notify_all"), "get": ("put", "put_nowait")}
"""What a worker waits for by a method, and by which methods the thread brings it about."""
_TAKEN = {"put": ("get", "get_nowait"), "put_nowait": ("get", "get_nowait")}
"""What a worker leaves to the thread by a method, and by which it takes that."""
_METHODS = {*_ANSWERED, *_TAKEN, *(each for table in (_ANSWERED, _TAKEN) for names in table.values() for each in names)}
_OF_THREADS = re.compile(r"(?:queue\.(?:\w*Queue)|threading\.(?:Event|Condition))")
_KNOWS = re.compile(
    r"\bgetpid\(\)\s*(?:[!=]=|in\b|not in\b)|[!=]=\s*(?:os\.)?getpid\b|\bregister_at_fork\b|\bis_alive\b"
)
"""What stands in code that tells processes apart, or starts the thread again."""


class ThreadMissed(Struct, frozen=True):
    """A call by which a worker waits for a thread that it does not have, or leaves something to it; where the thread is
    made, and where it does its part."""

    function: WorkerFunction
    span: Span
    owner: str
    waits: bool
    thread: Site
    part: Site


class _Use(Struct, frozen=True):
    """A call of a method of a queue or event, which one call makes."""

    function: WorkerFunction
    call: Call
    method: str
    owner: str
    made_by: Call


def threads_missed(code: WorkerCode, linker: Linker) -> Iterator[ThreadMissed]:
    """The queues and events, each told once, at which functions of workers that may be forked meet a thread of the main
    process: where a worker waits, if it does."""
    asker, boundary = code.root.site.module.path, code.boundary
    if boundary is None or not may_be_forked(code, linker):
        return
    if not linker.first_party.is_anywhere(Words(set(THREADS)), asker):
        return
    modules = {each.module.path: each.module for each in code.functions}.values()
    if any(each.has(_KNOWS) for each in (*modules, *(site.module for site in code.way))):
        return
    used, told = list(_uses(code.functions, code, linker)), set[int]()
    if not any(each.method in _ANSWERED or each.method in _TAKEN for each in used):
        return
    beginning = [each for begun in linker.worker_codes_of_makers(boundary) for each in begun.functions]
    for thread in threads_at_fork(code, True, linker):
        is_of_workers = any(Site(each.module, each.facts.span).contains(thread.site) for each in beginning)
        if thread.repeats and not is_of_workers:
            yield from _met(used, list(_uses(thread.functions, code, linker)), thread, told)


def _met(used: list[_Use], parts: list[_Use], thread: ThreadAtFork, told: set[int]) -> Iterator[ThreadMissed]:
    its_own = {id(each.facts) for each in thread.functions if thread.is_kept}
    used = [each for each in used if id(each.function.facts) not in its_own]
    for table in (_ANSWERED, _TAKEN):
        for use in used:
            answers = table.get(use.method, ())
            part = next((each for each in parts if each.method in answers and each.made_by is use.made_by), None)
            done = any(each.method in answers and each.made_by is use.made_by for each in used)
            if part is None or done or id(use.made_by) in told or (table is _ANSWERED and not _waits(use)):
                continue
            told.add(id(use.made_by))
            place = Site(part.function.module, part.call.span)
            yield ThreadMissed(use.function, use.call.span, use.owner, table is _ANSWERED, thread.site, place)


def _uses(functions: Iterable[WorkerFunction], code: WorkerCode, linker: Linker) -> Iterator[_Use]:
    """The calls of methods of queues and events that no function of the workers makes."""
    running = {id(each.facts) for each in code.functions}
    for function in functions:
        for event in function.facts.events if function.module.first_party else ():
            method = _method(event.call) if isinstance(event, Called) else None
            if not isinstance(event, Called) or method is None:
                continue
            for traced in linker.evaluate(method.base, function.frame):
                value = traced.value
                if not isinstance(value, ProductValue | ExternalResult) or value.call is None or value.frame is None:
                    continue
                if _OF_THREADS.fullmatch(value.path) and id(value.frame.function) not in running:
                    text = function.module.code[method.base.span.start : method.base.span.end]
                    yield _Use(function, event.call, method.name, text, value.call)


def _method(call: Call) -> Attribute | None:
    """The method that a call calls, or that an iterator will: `iter(rows.get, None)`."""
    match call.function:
        case Attribute(name=name) as method if name in _METHODS:
            return method
        case Name(name="iter"):
            given = call.positional() or ()
            first = given[0] if given else None
            return first if isinstance(first, Attribute) and first.name in _METHODS else None
        case _:
            return None


def _waits(use: _Use) -> bool:
    """Whether a call waits as long as it takes: it is given no time, nor told not to wait."""
    given = [each.value for each in use.call.arguments]
    return all(isinstance(each, Constant) and each.value in (True, None) for each in given)
