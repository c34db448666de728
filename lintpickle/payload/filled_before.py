"""What workers would do only if their object had not been filled yet, where a method that the program calls fills it
before: `load()` calls `index()`, and a look-up does so only for what is missing."""

from __future__ import annotations

import ast
import re

from lintpickle.control_flow.claims import tests_in
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Delete, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue
from lintpickle.interpreter.pickling_hooks import SENDING_HOOKS
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.prefilter.words import Words

_HOOKS = (*SENDING_HOOKS, "__deepcopy__")
_MAKING = "__init__"


def is_filled_before(place: Span, frame: Frame, linker: LinkedProgram) -> bool:
    """Whether a method calls another one of its object at a place only if an attribute lacks something, that one fills
    the attribute, and another method which the program calls has it filled, too. What hooks leave out arrives empty."""
    function = frame.function
    me = function.parameters[0].name if function.parameters else ""
    bound = frame.bindings.get(me)
    called = re.compile(rf"{re.escape(me)}\.(\w+)\(").match(frame.module.code, place.start) if me else None
    if called is None or bound is None or not isinstance(bound.value, InstanceValue):
        return False
    tests = (part for asked in linker.conditions.tests_before(place, frame) for part in tests_in(*asked))
    lacking = {_lacking(test, holds, me) for test, holds in tests} - {None}
    if not lacking:
        return False
    instance, find = bound.value, linker.classes.find_method
    filling = find(instance, called[1])
    if filling is None or any(find(instance, name) is not None for name in _HOOKS):
        return False
    filled = [name for name in lacking if name is not None and _fills(filling[1], name)]
    line = [each for each in linker.classes.mro(instance) if isinstance(each, ClassValue)]
    methods = [method for class_ in line for method in class_.facts.methods.values() if method is not filling[1]]
    if not filled or any(_empties(method, filled, called[1]) for method in methods):
        return False
    return any(
        method is not function and _call_of(called[1], method) is not None and _is_called(method.name, frame, linker)
        for method in methods
    )


def _lacking(test: ast.expr, holds: bool, me: str) -> str | None:
    """The attribute of which a test that answers so says that it lacks something, or is empty or None."""
    match test:
        case ast.Compare(ops=[ast.In() | ast.NotIn() as asked], comparators=[container]):
            return _own(container, me) if holds is isinstance(asked, ast.NotIn) else None
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as asked], comparators=[ast.Constant(value=None)]):
            return _own(left, me) if holds is isinstance(asked, ast.Is) else None
        case _:
            return None if holds else _own(test, me)


def _own(read: ast.expr, me: str) -> str | None:
    match read:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == me:
            return attribute
        case _:
            return None


def _fills(method: FunctionFacts, attribute: str | None) -> bool:
    for event in method.events:
        match event:
            case Store(target=target, attribute=name) if name == attribute and _is_me(target, method):
                return True
            case ItemStore(target=Attribute(base=base, name=name)) if name == attribute and _is_me(base, method):
                return True
            case _:
                pass
    return False


def _empties(method: FunctionFacts, attributes: list[str], filling: str) -> bool:
    """Whether a method may take back what another one has filled: it stores or deletes an attribute, and is not the
    constructor, or is that and does so after the filling."""
    call = _call_of(filling, method)
    return any(
        isinstance(event, (Store, Delete))
        and event.attribute in attributes
        and (method.name != _MAKING or (call is not None and event.span.start > call.span.start))
        for event in method.events
    )


def _call_of(name: str, method: FunctionFacts) -> Called | None:
    """Where a method calls another one of its object, on every run."""
    for event in method.events:
        match event:
            case Called(conditional=False, call=Call(function=Attribute(base=base, name=called))):
                if called == name and _is_me(base, method):
                    return event
            case _:
                pass
    return None


def _is_me(value: Expr, method: FunctionFacts) -> bool:
    found = without_narrowing(value)
    return isinstance(found, Parameter) and bool(method.parameters) and found.name == method.parameters[0].name


def _is_called(name: str, frame: Frame, linker: LinkedProgram) -> bool:
    called = re.compile(rf"(?<!self)\.\s*{re.escape(name)}\s*\(")
    return name == _MAKING or linker.first_party.is_anywhere(Words({name}), frame.module.path, called)
