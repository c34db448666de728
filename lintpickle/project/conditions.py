"""Conditions on what a function was given, or its object: whether a call of it gets to one of its places."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from lintpickle.diagnostics import Span
from lintpickle.facts.records import Store
from lintpickle.facts.values import Constant, Parameter
from lintpickle.project.frames import Frame
from lintpickle.project.things import (
    ClassThing,
    ConstantThing,
    ContainerThing,
    DataThing,
    FunctionThing,
    InstanceThing,
    ProductThing,
    Reached,
    Site,
)
from lintpickle.project.ways import Ways

if TYPE_CHECKING:
    from lintpickle.project.evaluate import Evaluator


def _is_same(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: _is_same,
    ast.IsNot: lambda left, right: not _is_same(left, right),
}


_OBJECTS = (ClassThing, ContainerThing, DataThing, FunctionThing, InstanceThing, ProductThing)
"""Things that are not None, whatever else they are."""


class Conditions:
    """Conditions of plain parameters, attributes and constants are known where a call binds them to constants; whether
    something is None, also where a call binds it to an object."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._around: dict[tuple[str, int], tuple[tuple[ast.expr, bool], ...]] = {}

    def may_get_to(self, place: Span, frame: Frame) -> bool:
        """Whether a run of the frame's function, with what is bound there, may get to a place in it."""
        if not self._may_decide(frame):
            return True
        around = self._conditions_around(place, frame)
        return all(self._truth(test, frame) in (None, holds) for test, holds in around)

    def reaches(self, place: Span, frame: Frame) -> bool | None:
        """Whether a run of the frame's function surely gets to a place in it (True), or surely does not (False); None
        if a condition on the way is not decided by what is bound there. Loops are taken to run, and what stands under
        a main guard, too."""
        if frame.function.is_module_body or not Ways.through(frame).has_condition_before(place.start):
            return True
        around = self._conditions_around(place, frame)
        if not around:
            return True
        if not self._may_decide(frame):
            return None
        answers = {None if (truth := self._truth(test, frame)) is None else truth is holds for test, holds in around}
        return False if False in answers else None if None in answers else True

    def asks_for_main(self, place: Span, frame: Frame) -> bool:
        """Whether it depends on a comparison with "__main__" that a place is got to: workers have another name."""
        return any(
            isinstance(node, ast.Constant) and node.value == "__main__"
            for test, _ in self._conditions_around(place, frame)
            for node in ast.walk(test)
        )

    def choose(self, place: Span, frame: Frame) -> bool:
        """Whether one and the same thing is compared with several others to choose what is done at a place, or
        something else (`if mode == "sync": … elif mode == "async": …`)."""
        compared = [
            (ast.unparse(test.left), holds)
            for test, holds in self._conditions_around(place, frame)
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.Is))
        ]
        return any((left, not holds) in compared for left, holds in compared)

    def needs_more_than_defaults(self, place: Span, frame: Frame) -> bool:
        """Whether a condition on the way to a place is about options that the call leaves out, which all are off by
        default (None, False, 0 or empty)."""
        off = {name for name in _left_out(frame) if not _is_on(frame, name)}
        for test, holds in self._conditions_around(place, frame) if off else ():
            asked = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
            asked = {name for name in asked if frame.function.parameter(name) is not None}
            if holds and asked and asked <= off and not _is_negated(test):
                return True
        return False

    def _conditions_around(self, place: Span, frame: Frame) -> tuple[tuple[ast.expr, bool], ...]:
        key = (frame.module.path, place.start)
        if key not in self._around:
            self._around[key] = Ways.through(frame).conditions_around(place.start)
        return self._around[key]

    def _may_decide(self, frame: Frame) -> bool:
        """Whether any parameter is surely a constant or an object."""
        if frame.open or frame.function.is_module_body or frame.function.name == "<lambda>":
            return False
        return self._object(frame) is not None or any(
            _is_known(self._given(parameter.name, frame)) for parameter in frame.function.parameters
        )

    def _truth(self, test: ast.expr, frame: Frame) -> bool | None:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                truth = self._truth(operand, frame)
                return None if truth is None else not truth
            case ast.BoolOp(op=connective, values=parts):
                decisive = isinstance(connective, ast.Or)
                found = {self._truth(part, frame) for part in parts}
                return decisive if decisive in found else None if None in found else not decisive
            case ast.Compare(
                left=left, ops=[ast.Is() | ast.IsNot() as compared], comparators=[ast.Constant(value=None)]
            ) if _are_objects(self._found(left, frame)):
                return isinstance(compared, ast.IsNot)
            case ast.Compare(left=left, ops=[compared], comparators=[right]) if type(compared) in _COMPARED:
                pairs = product(self._values(left, frame), self._values(right, frame))
                return _common(_outcome(_COMPARED[type(compared)], *pair) for pair in pairs)
            case _:
                return _common(bool(value) for value in self._values(test, frame))

    def _values(self, expression: ast.expr, frame: Frame) -> tuple[object, ...]:
        """The constants one of which the expression is; none if it may be anything else."""
        if isinstance(expression, ast.Constant):
            return (expression.value,)
        return _constants_among(self._found(expression, frame))

    def _found(self, expression: ast.expr, frame: Frame) -> tuple[Reached, ...]:
        """The things one of which a parameter or an attribute of the method's object is; none of all else."""
        match expression:
            case ast.Name(id=name):
                return self._given(name, frame)
            case ast.Attribute(value=ast.Name(id=me), attr=name) if me == _first_parameter(frame):
                return self._kept(name, frame)
            case _:
                return ()

    def _given(self, name: str, frame: Frame) -> tuple[Reached, ...]:
        """What a call binds a parameter to that the function does not bind anew."""
        function = frame.function
        if function.parameter(name) is None or name in function.variables:
            return ()
        return self._evaluator.evaluate(Parameter(function.header, name, function.qualname), frame)

    def _kept(self, name: str, frame: Frame) -> tuple[Reached, ...]:
        """What the constructor of the method's object stores in an attribute."""
        instance = self._object(frame)
        if instance is None or self._is_stored_later(name, instance):
            return ()
        so_far = self._evaluator.classes.states.so_far(instance)
        if so_far is not None:
            stored = [held for held in so_far if held.attribute == name]
            return tuple(each for held in stored for each in self._evaluator.evaluate(held.value, held.frame))
        site = Site(frame.module, frame.function.span)
        return tuple(self._evaluator.classes.instance_attribute(instance, name, site))

    def _is_stored_later(self, name: str, instance: InstanceThing) -> bool:
        """Whether any method but the constructors may store an attribute, or what is not read."""
        for class_ in self._evaluator.classes.mro(instance.class_):
            if not isinstance(class_, ClassThing):
                return True
            for method in class_.facts.methods.values():
                stores = (event for event in method.events if isinstance(event, Store))
                if method.name != "__init__" and any(event.attribute == name for event in stores):
                    return True
        return False

    def _object(self, frame: Frame) -> InstanceThing | None:
        """The object of a method, if the call that made it is known."""
        bound = frame.bindings.get(_first_parameter(frame) or "")
        thing = bound.thing if bound is not None else None
        return thing if isinstance(thing, InstanceThing) and thing.call is not None else None


def _constants_among(found: tuple[Reached, ...]) -> tuple[object, ...]:
    """The values of things that are all constants; none if one is not."""
    values = tuple(reached.thing.value for reached in found if isinstance(reached.thing, ConstantThing))
    return values if len(values) == len(found) else ()


def _is_known(found: tuple[Reached, ...]) -> bool:
    return bool(_constants_among(found)) or _are_objects(found)


def _are_objects(found: tuple[Reached, ...]) -> bool:
    """Whether all of some things are surely not None."""
    return bool(found) and all(isinstance(reached.thing, _OBJECTS) for reached in found)


def _first_parameter(frame: Frame) -> str | None:
    parameters = frame.function.parameters
    return parameters[0].name if parameters else None


def _common(outcomes: Iterator[bool | None]) -> bool | None:
    found = set(outcomes)
    return found.pop() if len(found) == 1 else None


def _outcome(compare: Callable[[Any, Any], bool], left: object, right: object) -> bool | None:
    try:
        return bool(compare(left, right))
    except TypeError:
        return None


def _left_out(frame: Frame) -> Iterator[str]:
    """The parameters with defaults that a call passes nothing for."""
    if not frame.open:
        for parameter in frame.function.parameters:
            if parameter.default is not None and parameter.name not in frame.bindings:
                yield parameter.name


def _is_on(frame: Frame, name: str) -> bool:
    """Whether the default of a parameter is anything but a constant that stands for nothing."""
    parameter = frame.function.parameter(name)
    default = parameter.default if parameter is not None else None
    return not isinstance(default, Constant) or bool(default.value)


def _is_negated(test: ast.expr) -> bool:
    """Whether a condition may well hold for what is off."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[ast.Is() | ast.Eq() | ast.Lt() | ast.LtE() | ast.NotIn()]):
            return True
        case ast.BoolOp(values=parts):
            return any(map(_is_negated, parts))
        case _:
            return False
