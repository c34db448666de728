"""Exit handlers that code of workers registers, and that the workers never run.

Measured with CPython 3.11 to 3.13: what a worker registers with `atexit` is not run by one that is forked or that a
server forks, up to Python 3.12, because it ends by `os._exit`; a spawned one runs it, and from 3.13 on each does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, ending_name
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"process", "pool", "executor"})
_REGISTERS = "atexit.register"
_NAMED = re.compile(r"\batexit\b|\bregister\s*\(")
_TAKES_BACK = re.compile(r"\batexit\.(?:unregister|_run_exitfuncs)\b|\b_exit_function\b")
_RUN_FROM = (3, 13)
_KEEPS = re.compile(r"\.\s*(?:write\w*|dump|commit|save\w*|put|send\w*|to_\w+|savez?)\s*\(|\bprint\s*\(")
"""What stands in a handler that brings something out of the process."""


class LostHandler(Struct, frozen=True):
    """Where a function of workers registers a method of its object, and the attribute that is filled for that."""

    function: WorkerFunction
    span: Span
    handler: str
    filled: str


def lost_handlers(code: WorkerCode, linker: Linker) -> Iterator[LostHandler]:
    """The methods that write what others have put into an attribute, and that workers are to call at their end; unless
    they are called before."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or linker.pythons[0] >= _RUN_FROM:
        return
    if not any(map(_may_register, code.functions)) or _are_spawned(boundary, linker):
        return
    for function in code.functions:
        module, facts = function.module, function.facts
        if function.entered_by is None or not _may_register(function) or module.has(_TAKES_BACK):
            continue
        owner = function.frame.bindings.get(facts.parameters[0].name) if facts.parameters else None
        if owner is None or not isinstance(owner.value, InstanceValue):
            continue
        for event in facts.events:
            if isinstance(event, Called) and _REGISTERS in external_names(event.call.function, function.frame, linker):
                named = (event.call.positional() or (None,))[0]
                if isinstance(named, Attribute) and len(event.call.arguments) == 1:
                    filled = _filled(named.name, owner.value, code, linker)
                    if filled is not None and not _is_called_before(named.name, owner.value.class_, code):
                        yield LostHandler(function, event.span, named.name, filled)


def _may_register(function: WorkerFunction) -> bool:
    module, span = function.module, function.facts.span
    return module.first_party and _NAMED.search(module.code, span.start, span.end) is not None


def _are_spawned(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the program asks for new interpreters, which end as all do."""
    only = (StartMethod.SPAWN,)
    if any(linker.boundaries.start_methods(each) == only for each in (boundary, *linker.makers_of(boundary))):
        return True
    return linker.set_methods.at(boundary.frame.module.path) == frozenset(only)


def _filled(handler: str, owner: InstanceValue, code: WorkerCode, linker: Linker) -> str | None:
    """The attribute that methods fill which workers run, and that the handler writes."""
    found = linker.classes.find_method(owner, handler)
    if found is None:
        return None
    module, span = found[0].module, found[1].span
    if _KEEPS.search(module.code, span.start, span.end) is None:
        return None
    mine = {id(each) for each in found[0].facts.methods.values()}
    read: set[str] = set(re.findall(r"\bself\.(\w+)\b(?!\s*\()", module.code[span.start : span.end]))
    for each in code.functions:
        if id(each.facts) in mine and each.facts.name not in (handler, "__init__"):
            text = each.module.code[each.facts.span.start : each.facts.span.end]
            added: list[str] = re.findall(
                r"\bself\.(\w+)(?:\[[^\n]*\])?(?:\.(?:append|extend|add|update)\(|\s*\+?=(?!=))", text
            )
            name = next((name for name in added if name in read), None)
            if name is not None:
                return name
    return None


def _is_called_before(handler: str, class_: ClassValue, code: WorkerCode) -> bool:
    """Whether code outside of the class may see to it: it calls the handler, or a method that does so whatever comes,
    or enters the object."""
    methods = class_.facts.methods
    ending = {name for name, each in methods.items() if _always_calls(each, handler)} | {handler}
    if "__exit__" in methods or "__del__" in methods:
        return True
    inside = {id(each) for each in methods.values()}
    return any(
        isinstance(event, Called) and ending_name(event.call.function) in ending
        for each in code.functions
        if id(each.facts) not in inside
        for event in each.facts.events
    )


def _always_calls(method: FunctionFacts, name: str) -> bool:
    return any(
        isinstance(event, Called) and not event.conditional and ending_name(event.call.function) == name
        for event in method.events
    )
