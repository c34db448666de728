"""Exit handlers that code of workers registers, and that the workers never run.

Measured with CPython 3.11 to 3.13: what a worker registers with `atexit` is not run by one that is forked or that a
server forks, up to Python 3.12, because it ends by `os._exit`; a spawned one runs it, and from 3.13 on each does. The
workers of a pool that is left by `with` run nothing, whatever starts them: they are terminated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.process_state.terminated_pools import is_terminated_by_leaving
from lintpickle.analyses.workers.task_workers import functions_started_in
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import Called, Event, FunctionFacts
from lintpickle.facts.values import Attribute, Name, ending_name
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_KINDS = frozenset({"process", "pool", "executor"})
_REGISTERS = "atexit.register"
_NAMED = re.compile(r"\batexit\b|\bregister\s*\(")
_TAKES_BACK = re.compile(r"\batexit\.(?:unregister|_run_exitfuncs)\b|\b_exit_function\b")
_AT_IMPORT = re.compile(r"^@?(?:atexit\.)?register\b", re.MULTILINE)
_RUN_FROM = (3, 13)
_KEEPS = re.compile(r"\.\s*(?:write\w*|dump|commit|save\w*|put|send\w*|to_\w+|savez?)\s*\(|\bprint\s*\(")
"""What stands in a handler that brings something out of the process."""


_FILLS = r"(?:\[[^\n]*\])?\s*(?:\.\s*(?:append|extend|add|update|write\w*)\s*\(|\+?=(?!=))"
_OWN = re.compile(r"\bself\.(\w+)\b(?!\s*\()")


class LostHandler(Struct, frozen=True):
    """Where a function of workers registers a handler, or where its module does so; what is filled for that; and
    whether the pool ends its workers by a signal."""

    function: WorkerFunction
    span: Span
    handler: str
    filled: str
    is_terminated: bool


def lost_handlers(code: WorkerCode, linker: Linker) -> Iterator[LostHandler]:
    """The functions, and methods of objects, that write what others have gathered in a worker, and that workers are to
    call at their end; unless they are called before."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS:
        return
    asking = [each for each in code.functions if each.module.first_party and each.module.has(_NAMED)]
    asking = [each for each in asking if not each.module.has(_TAKES_BACK)]
    if not asking:
        return
    is_terminated = all(map(is_terminated_by_leaving, linker.makers_of(boundary) or (boundary,)))
    if not is_terminated and (linker.pythons[0] >= _RUN_FROM or _are_spawned(boundary, linker)):
        return
    running = _running(code, boundary, linker)
    for function in asking:
        if function.entered_by is not None and _may_register(function):
            yield from _registered_by(function, running, is_terminated, linker)
    yield from _registered_at_import(asking, running, is_terminated, linker)


def writes_what_workers_gather(handler: str, module: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function of a module, which its import registers, brings something out of the process that functions of
    the workers gather in a global of that module, and do not see to themselves."""
    named = re.compile(rf"def {re.escape(handler)}\b")
    written = [
        each for each in functions_of(module, named, lambda facts: facts.name == handler) if _keeps(module, each)
    ]
    running = _running(code, code.boundary, linker) if written and code.boundary is not None else []
    return any(_gathered(module, each, running) is not None for each in written)


def _registered_by(
    function: WorkerFunction, running: list[WorkerFunction], is_terminated: bool, linker: Linker
) -> Iterator[LostHandler]:
    for event in function.facts.events:
        handler = _handler(event, function.frame, linker)
        if handler is None:
            continue
        owner = handler.bound
        if isinstance(owner, InstanceValue):
            filled = _filled_attribute(handler, owner, running, linker)
            is_called = _is_called_before(handler.facts.name, owner.class_, running)
        else:
            found = _gathered(handler.module, handler.facts, running)
            filled, is_called = (found[0] if found is not None else None), False
        if filled is not None and not is_called:
            yield LostHandler(function, event.span, handler.facts.name, filled, is_terminated)


def _registered_at_import(
    asking: list[WorkerFunction], running: list[WorkerFunction], is_terminated: bool, linker: Linker
) -> Iterator[LostHandler]:
    """What the import of a module registers, of functions that write what workers gather in a global of that module."""
    modules = {id(each.module): each.module for each in asking if _AT_IMPORT.search(each.module.code)}
    for module in modules.values():
        for span, handler in _handlers_of(module, linker):
            filled = _gathered(module, handler, running)
            if filled is not None:
                yield LostHandler(filled[1], span, handler.name, filled[0], is_terminated)


def _handlers_of(module: Module, linker: Linker) -> Iterator[tuple[Span, FunctionFacts]]:
    """The functions of a module that its import registers, each with the place."""
    for facts in functions_of(module, _NAMED, lambda facts: facts.is_module_body or bool(facts.decorators)):
        for event in facts.events if facts.is_module_body else ():
            handler = _handler(event, linker.evaluator.module_frame(module, facts), linker)
            if handler is not None and handler.bound is None and handler.module is module and not event.conditional:
                yield event.span, handler.facts
        for span in (each.span for each in facts.decorators):
            if module.code[span.start : span.end] == _REGISTERS and _keeps(module, facts):
                yield span, facts


def _handler(event: Event, frame: Frame, linker: Linker) -> FunctionValue | None:
    """The function that is registered there, if it brings something out of the process."""
    if not isinstance(event, Called) or _REGISTERS not in external_names(event.call.function, frame, linker):
        return None
    named = (event.call.positional() or (None,))[0]
    found = [each.value for each in linker.evaluate(named, frame)] if isinstance(named, (Attribute, Name)) else []
    match [each for each in found if isinstance(each, FunctionValue)]:
        case [handler] if handler.module.first_party:
            return handler if _keeps(handler.module, handler.facts) else None
        case _:
            return None


def _keeps(module: Module, handler: FunctionFacts) -> bool:
    return _KEEPS.search(module.code, handler.span.start, handler.span.end) is not None


def _may_register(function: WorkerFunction) -> bool:
    module, span = function.module, function.facts.span
    return _NAMED.search(module.code, span.start, span.end) is not None


def _are_spawned(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the program asks for new interpreters, which end as all do."""
    only = (StartMethod.SPAWN,)
    if any(linker.boundaries.starting.start_methods(each) == only for each in (boundary, *linker.makers_of(boundary))):
        return True
    return linker.start_methods_at(boundary.frame.module) == frozenset(only)


def _running(code: WorkerCode, boundary: BoundaryCall, linker: Linker) -> list[WorkerFunction]:
    """What workers run: also what is given to the pool of which the initializer has registered the handler."""
    started = functions_started_in(boundary.frame.module, linker)
    return [*{id(each.facts): each for each in (*code.functions, *started)}.values()]


def _filled_attribute(
    handler: FunctionValue, owner: InstanceValue, running: list[WorkerFunction], linker: Linker
) -> str | None:
    """The attribute that methods fill which workers call, and that the handler reads."""
    read: set[str] = set(_OWN.findall(_text(handler.module, handler.facts)))
    called = _names_called(running)
    running_now = {id(each.facts) for each in running}
    classes = [each for each in linker.classes.mro(owner) if isinstance(each, ClassValue)]
    for class_, method in ((each, method) for each in classes for method in each.facts.methods.values()):
        is_run = id(method) in running_now or method.name in called
        if is_run and method is not handler.facts and method.name != "__init__":
            text = _text(class_.module, method)
            name = next((each for each in sorted(read) if re.search(rf"\bself\.{each}{_FILLS}", text)), None)
            if name is not None:
                return name
    return None


def _filled_globals(
    module: Module, handler: FunctionFacts, running: list[WorkerFunction]
) -> Iterator[tuple[str, WorkerFunction]]:
    """The globals that functions of workers fill, and that the handler reads; each with the one that fills it."""
    for name in sorted(handler.reads):
        fills = re.compile(rf"(?<![\w.]){name}{_FILLS}")
        for each in running:
            is_here = each.module is module and each.facts is not handler and name in each.facts.reads
            if is_here and fills.search(_text(each.module, each.facts)):
                yield name, each


def _gathered(
    module: Module, handler: FunctionFacts, running: list[WorkerFunction]
) -> tuple[str, WorkerFunction] | None:
    """The first global that workers fill for a handler which they do not call themselves."""
    filled = next(_filled_globals(module, handler, running), None)
    return None if filled is None or _is_called_itself(module, handler, running) else filled


def _text(module: Module, facts: FunctionFacts) -> str:
    return module.code[facts.span.start : facts.span.end]


def _names_called(running: list[WorkerFunction]) -> set[str | None]:
    events = (event for each in running for event in each.facts.events)
    return {ending_name(event.call.function) for event in events if isinstance(event, Called)}


def _is_called_itself(module: Module, handler: FunctionFacts, running: list[WorkerFunction]) -> bool:
    """Whether code of workers calls a function other than to empty what has grown."""
    fillers = {id(each.facts) for _, each in _filled_globals(module, handler, running)}
    return any(
        isinstance(event, Called)
        and ending_name(event.call.function) == handler.name
        and not (event.conditional and id(each.facts) in fillers)
        for each in running
        for event in each.facts.events
    )


def _is_called_before(handler: str, class_: ClassValue, running: list[WorkerFunction]) -> bool:
    """Whether code outside of the class may see to it: it calls the handler, or a method that does so whatever comes,
    or enters the object."""
    methods = class_.facts.methods
    ending = {name for name, each in methods.items() if _always_calls(each, handler)} | {handler}
    if "__exit__" in methods or "__del__" in methods:
        return True
    inside = {id(each) for each in methods.values()}
    return any(
        isinstance(event, Called) and ending_name(event.call.function) in ending
        for each in running
        if id(each.facts) not in inside
        for event in each.facts.events
    )


def _always_calls(method: FunctionFacts, name: str) -> bool:
    return any(
        isinstance(event, Called) and not event.conditional and ending_name(event.call.function) == name
        for event in method.events
    )
