"""Objects of the program's own classes in a manager's dictionary, list or namespace, and their methods that change
them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.stored_by_methods import kept_by
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Parameter
from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue, ExternalResult, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_DEPTH = 3
"""Methods of an object that call one another until one stores something."""
_BEFORE = re.compile(r"(?:^|[\n;:])[ \t]*$")
_BEHIND = re.compile(r"[ \t]*(?:[\n;#]|$)")


def called_for_effect(event: Called, module: Module) -> Attribute | None:
    """The method that a statement calls which is nothing but this call."""
    code, span, function = module.code, event.call.span, event.call.function
    if not isinstance(function, Attribute) or _BEHIND.match(code, span.end) is None:
        return None
    begin = code.rfind("\n", 0, span.start) + 1
    return function if _BEFORE.search(code[begin : span.start]) is not None else None


def changes_items(method: str, proxy: ExternalResult, linker: Linker) -> bool:
    """Whether a method changes any object that a proxy is seen to hold, and does nothing else with it."""
    held = list(_held(proxy, linker))
    return bool(held) and all(_changes(method, each, linker) for each in held)


def _changes(method: str, value: AbstractValue, linker: Linker, depth: int = 0) -> bool:
    """Whether a method of an object stores something on it, or one does that it calls on it."""
    found = linker.classes.find_method(value, method) if isinstance(value, InstanceValue) else None
    if found is None or depth > _DEPTH:
        return False
    owner, facts = found
    if not facts.parameters or facts.decorators or _is_handed_on(facts, owner.module):
        return False
    called = (_called_on(facts.parameters[0].name, event) for event in facts.events)
    return any(True for _ in kept_by(facts)) or any(
        _changes(name, value, linker, depth + 1) for name in called if name is not None
    )


def _is_handed_on(facts: FunctionFacts, module: Module) -> bool:
    """Whether a method does more with its object than use parts of it: it may store it again itself."""
    me = re.compile(rf"(?<![\w.]){re.escape(facts.parameters[0].name)}\b(?!\s*\.)")
    body = module.code[facts.header.end : facts.span.end].partition(")")[2]
    return me.search(body) is not None


def _called_on(me: str, event: Event) -> str | None:
    """The method that an event calls on a method's own object."""
    match event:
        case Called(call=Call(function=Attribute(base=Parameter(name=name), name=method))) if name == me:
            return method
        case _:
            return None


def _held(proxy: ExternalResult, linker: Linker) -> Iterator[AbstractValue]:
    """What a proxy is made with, and what the function that makes it puts in later."""
    for argument in proxy.call.arguments:
        for traced in linker.evaluate(argument.value, proxy.frame):
            match traced.value:
                case ContainerValue(slots=slots):
                    for slot in slots:
                        yield from (each.value for each in linker.evaluator.held_in(slot))
                case other:
                    yield other
    for event in proxy.frame.function.events:
        if isinstance(event, ItemStore | Store) and _is_of(proxy, event.target, linker):
            yield from (traced.value for traced in linker.evaluate(event.value, proxy.frame))


def _is_of(proxy: ExternalResult, target: Expr, linker: Linker) -> bool:
    held = (traced.value for traced in linker.evaluate(target, proxy.frame))
    return any(isinstance(each, ExternalResult) and each.call is proxy.call for each in held)
