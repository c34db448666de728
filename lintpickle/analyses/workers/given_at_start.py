"""Methods that workers call on an object that the initializer of their pool has kept for them: `_model = model`, then
`_model.score(text)`."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Hop, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module


def methods_of_given(class_: ClassValue, code: WorkerCode, linker: Linker) -> Iterator[WorkerFunction]:
    """The methods of a class that workers call on an object which their initializer was given, and those that these
    call on it."""
    if code.boundary is None:
        return
    kept = {
        place
        for starting in linker.worker_codes_of_makers(code.boundary)
        for function in starting.functions
        if function.entry
        for place in _kept(function, class_, linker)
    }
    seen: set[int] = set()
    for function in code.functions if kept else ():
        for event in function.facts.events:
            match event:
                case Called(call=call) if isinstance(called := without_narrowing(call.function), Attribute):
                    if _text(called.base, function.module) in kept:
                        yield from _followed(
                            called.name, Site(function.module, call.span), function, class_, seen, linker
                        )
                case _:
                    pass


def _kept(function: WorkerFunction, class_: ClassValue, linker: Linker) -> Iterator[str]:
    """Where an initializer keeps an object of a class that it is given, as it writes that."""
    code, facts = function.module.code, function.facts
    for event in facts.events:
        if isinstance(event, Store | ItemStore) and _is_given(event.value, function, class_, linker):
            yield code[event.span.start : event.span.end].partition("=")[0].strip()
    for name in facts.globals_declared:
        value = facts.variables.get(name)
        if value is not None and _is_given(value, function, class_, linker):
            yield name


def _is_given(value: Expr, function: WorkerFunction, class_: ClassValue, linker: Linker) -> bool:
    if not isinstance(without_narrowing(value), Parameter):
        return False
    given = (each.value for each in linker.evaluate(value, function.frame))
    return any(isinstance(each, InstanceValue) and each.class_.facts is class_.facts for each in given)


def _text(value: Expr, module: Module) -> str:
    return module.code[value.span.start : value.span.end]


def _followed(
    name: str, site: Site, caller: WorkerFunction, class_: ClassValue, seen: set[int], linker: Linker
) -> Iterator[WorkerFunction]:
    found = linker.classes.find_method(class_, name)
    if found is None or id(found[1]) in seen:
        return
    owner, method = found
    seen.add(id(method))
    frame = linker.activations.of_method(owner, method).frame
    hops = (*caller.hops, Hop(f"calls {method.qualname}()", site))
    called = WorkerFunction(owner.module, method, frame, hops, False, caller.entered_by)
    yield called
    for inner, place in _own_calls(method):
        yield from _followed(inner, Site(owner.module, place.span), called, class_, seen, linker)


def _own_calls(method: FunctionFacts) -> Iterator[tuple[str, Called]]:
    """The methods of its own object that a method calls, or hands to what it calls: `lookup(word, self.pieces)`."""
    for event in method.events:
        if isinstance(event, Called):
            for named in (event.call.function, *(each.value for each in event.call.arguments)):
                if isinstance(named, Attribute) and is_me(named.base, method):
                    yield named.name, event
