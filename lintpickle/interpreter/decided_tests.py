"""Tests in a function's `ast`: how they come out, by what is known of the variables that they read."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Any

from lintpickle.control_flow.claims import COMPARED, Claim, connected, tests_in
from lintpickle.control_flow.steps import TreePosition
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Parameter
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    ModuleValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.changed_later import AttributeChanges
from lintpickle.interpreter.counts import is_count, of_several, turned
from lintpickle.interpreter.given_keywords import passes_keyword
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.limits import TESTED_STEPS
from lintpickle.parsing.other_pythons import on_each_python
from lintpickle.resolution.bindings_in_force import in_force

_CONVERTING: dict[str, Callable[[Any], object]] = {"bool": bool, "float": float, "int": int, "str": str}
_OBJECTS = (
    ClassValue,
    ContainerValue,
    DataValue,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    ModuleValue,
    ProductValue,
)
"""Things that are not None, whatever else they are."""
_LIBRARY_CLASS = re.compile(r"(?:numpy|torch)\.(?:\w+\.)*[A-Z]\w*$")
"""The path of a class of these libraries, as they name them: what is made of it is never None."""
_FUNCTIONS = ("builtins.", "operator.", "math.", "torch.nn.")
"""Where whatever has a name is a function or a class."""
_PICKLING_METHODS = ("spawn", "forkserver")
"""What `get_start_method()` gives where it matters: under fork, nothing is pickled for a new process."""
_INSPECTING = frozenset({"callable", "is_dataclass", "isclass", "isfunction", "isgenerator", "ismethod", "ismodule"})
_STORING_NOTHING = (
    "builtins.object",
    "abc.ABC",
    "collections.abc.",
    "sklearn.base.",
    "torch.nn.",
    "torch.utils.data.",
    "typing.",
)
"""Where classes come from that leave the attributes alone of which they know nothing."""
_TRAINING = "training"
"""The attribute that `train()` and `eval()` of a module store."""


class DecidedTests:
    """Decides tests for one evaluator. A place is where in the `ast` of the frame's function a test stands."""

    def __init__(self, evaluator: Interpreter, changed: AttributeChanges) -> None:
        self._evaluator = evaluator
        self._changed = changed
        self._known: dict[tuple[int, int], tuple[ast.expr, Frame, tuple[TracedValue, ...]]] = {}

    def forget(self) -> None:
        """Let go of what expressions were found to be."""
        self._known.clear()

    def truth(self, test: ast.expr, frame: Frame, steps: int = 0) -> bool | None:
        """How a test comes out; None if that is not known."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                truth = self.truth(operand, frame, steps)
                return None if truth is None else not truth
            case ast.BoolOp() | ast.Call() if (joined := connected(test)) is not None:
                parts, decisive = joined
                found = {self.truth(part, frame, steps) for part in parts}
                return decisive if decisive in found else None if None in found else not decisive
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="type"), args=[asked]), ops=[compared], comparators=[right]
            ):
                is_so = self._tested("type", asked, [right], frame, steps)
                return is_so if is_so is None or isinstance(compared, (ast.Is, ast.Eq, ast.In)) else not is_so
            case ast.Compare(
                left=left, ops=[ast.Is() | ast.IsNot() as compared], comparators=[ast.Constant(value=None)]
            ):
                is_none = _common(_is_none(each.value) for each in self._found(left, frame, steps))
                return is_none if is_none is None or isinstance(compared, ast.Is) else not is_none
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as compared], comparators=[right]):
                is_in = self._is_in(left, right, frame, steps)
                return is_in if is_in is None or isinstance(compared, ast.In) else not is_in
            case ast.Compare() if (of_version := on_each_python(test)) is not None:
                return of_version
            case ast.Compare(left=left, ops=[compared], comparators=[right]) if type(compared) in COMPARED:
                lefts = self._constants(left, frame, steps)
                pairs = product(lefts, self._constants(right, frame, steps) if lefts else ())
                return _common(_compared(COMPARED[type(compared)], *pair) for pair in pairs)
            case ast.Call(func=ast.Name(id="isinstance" | "hasattr" as name), args=[asked, operand]):
                return self._tested(name, asked, [operand], frame, steps)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[asked]) if name in _INSPECTING:
                return self._tested(name, asked, [], frame, steps)
            case _:
                return _common(self._is_true(each.value) for each in self._found(test, frame, steps))

    def is_of_type(self, value: AbstractValue, types: ast.expr, frame: Frame) -> bool | None:
        """Whether a value is of one of the types that an expression of a function names; None if that is not known."""
        return self._evaluator.narrowing.answer("isinstance", list(self._types(types, frame, 0)), value)

    def functions_at(self, name: ast.Name | ast.Attribute, frame: Frame) -> list[FunctionValue]:
        """The functions of the program one of which a name, or an attribute of a module, stands for; none if it may be
        anything else."""
        found = [each.value for each in self._found(name, frame, 0)]
        functions = [each for each in found if isinstance(each, FunctionValue)]
        return functions if len(functions) == len(found) else []

    def _is_true(self, value: AbstractValue) -> bool | None:
        return self._evaluator.narrowing.truth(value)

    def _tested(self, test: str, asked: ast.expr, operands: list[ast.expr], frame: Frame, steps: int) -> bool | None:
        """How a test of the kind of something comes out: see `Narrowing.answer`."""
        given = [each for operand in operands for each in self._types(operand, frame, steps)]
        answer = self._evaluator.narrowing.answer
        return _common(answer(test, given, each.value) for each in self._found(asked, frame, steps))

    def _types(self, operand: ast.expr, frame: Frame, steps: int) -> Iterator[AbstractValue]:
        if isinstance(operand, (ast.Tuple, ast.List, ast.Set)):
            for element in operand.elts:
                yield from self._types(element, frame, steps)
        elif isinstance(operand, ast.BinOp) and isinstance(operand.op, ast.BitOr):
            yield from self._types(operand.left, frame, steps)
            yield from self._types(operand.right, frame, steps)
        else:
            found = self._found(operand, frame, steps)
            yield from (each.value for each in found) if found else (UNKNOWN,)

    def _is_in(self, left: ast.expr, right: ast.expr, frame: Frame, steps: int) -> bool | None:
        if isinstance(right, ast.Name):
            return passes_keyword(self._constants(left, frame, steps), right.id, frame, _object(frame))
        if not isinstance(right, (ast.Tuple, ast.List, ast.Set)):
            return None
        held = [self._constants(element, frame, steps) for element in right.elts]
        if not all(len(each) == 1 for each in held):
            return None
        return _common(any(value == each for (each,) in held) for value in self._constants(left, frame, steps))

    def _constants(self, expression: ast.expr, frame: Frame, steps: int) -> tuple[object, ...]:
        """The constants one of which the expression is; none if it may be anything else."""
        found = tuple(each.value for each in self._found(expression, frame, steps))
        values = tuple(value.value for value in found if isinstance(value, ConstantValue))
        return values if len(values) == len(found) else ()

    def _found(self, expression: ast.expr, frame: Frame, steps: int) -> tuple[TracedValue, ...]:
        """The values one of which an expression is; none if that is not known."""
        key = (id(expression), id(frame))
        if key not in self._known:
            if steps > TESTED_STEPS.most:
                self._evaluator.cuts.note(TESTED_STEPS)
                return ()
            self._known[key] = (expression, frame, ())  # what a loop makes of itself is not known
            self._known[key] = (expression, frame, self._find(expression, frame, steps))
        return self._known[key][2]

    def _find(self, expression: ast.expr, frame: Frame, steps: int) -> tuple[TracedValue, ...]:
        site = Site(frame.module, frame.function.header)
        match expression:
            case ast.Constant(value=value):
                return (TracedValue(ConstantValue(value), site),)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return (TracedValue(ConstantValue(-value), site),)
            case ast.Name(id=name):
                return self._named(name, (expression.lineno, expression.col_offset), frame, steps)
            case ast.Attribute(value=ast.Name(id=me), attr=name) if me == _first_parameter(frame):
                return self._kept(name, frame)
            case ast.Attribute(value=base, attr=name):
                found = (
                    each
                    for owner in self._found(base, frame, steps)
                    for each in self._of_other(owner, name, site, frame) or (TracedValue(UNKNOWN, site),)
                )
                return tuple(found)
            case ast.BoolOp(op=connective, values=[left, right]):
                ends = isinstance(connective, ast.Or)
                first = self._found(left, frame, steps)
                rest = self._found(right, frame, steps)
                kept = tuple(each for each in first if self._is_true(each.value) in (ends, None))
                goes_on = not first or any(self._is_true(each.value) is not ends for each in first)
                if not first or (goes_on and not rest):
                    return ()
                return (*kept, *rest) if goes_on else kept
            case ast.IfExp(test=test, body=body, orelse=other):
                truth = self.truth(test, frame, steps)
                arms = [
                    self._found(arm, frame, steps)
                    for arm, is_so in ((body, True), (other, False))
                    if truth in (is_so, None)
                ]
                return tuple(each for arm in arms for each in arm) if all(arms) else ()
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _CONVERTING:
                made = [_converted(name, value) for value in self._constants(argument, frame, steps)]
                return tuple(TracedValue(ConstantValue(value), site) for value in made) if None not in made else ()
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[argument], keywords=[]):
                given = self._found(argument, frame, steps)
                return given if None not in map(_length, given) and not self._is_resized(argument, frame) else ()
            case ast.Call(func=ast.Name(id="len"), args=[argument], keywords=[]):
                if self._is_resized(argument, frame):
                    return ()
                lengths = [_length(each) for each in self._found(argument, frame, steps)]
                return (
                    tuple(TracedValue(ConstantValue(length), site) for length in lengths) if None not in lengths else ()
                )
            case ast.Call(func=ast.Name(id="get_start_method") | ast.Attribute(attr="get_start_method")):
                return tuple(TracedValue(ConstantValue(method), site) for method in _PICKLING_METHODS)
            case (
                ast.Compare()
                | ast.UnaryOp(op=ast.Not())
                | ast.Call(func=ast.Name(id="isinstance" | "hasattr" | "callable"))
            ):
                truth = self.truth(expression, frame, steps + 1)
                return (TracedValue(ConstantValue(truth), site),) if truth is not None else ()
            case _:
                return ()

    def _named(self, name: str, place: TreePosition, frame: Frame, steps: int) -> tuple[TracedValue, ...]:
        """What a variable may be at a place."""
        function = frame.function
        if function.is_module_body:
            return self._global(name, frame.paths.offset(place), frame)
        is_parameter = function.parameter(name) is not None
        bound, may_be_older = frame.paths.reaching(name, place)
        if not bound and not is_parameter:
            if name in function.captures:
                return self._captured(name, frame)
            return self._global(name, None, frame) if name not in function.variables else ()
        if function.functions and _is_bound_by_nested(name, frame):
            return ()
        found: list[TracedValue] = []
        for value in bound:
            if value is not None and self._is_elsewhere(value, frame, steps + 1):
                continue
            values = self._found(value, frame, steps + 1) if value is not None else ()
            if not values:
                return ()
            found += values
        if may_be_older and is_parameter:
            found += self._evaluator.evaluate(Parameter(function.header, name, function.qualname), frame)
        return tuple(found)

    def _is_elsewhere(self, value: ast.expr, frame: Frame, steps: int) -> bool:
        """Whether a run does not get to where a variable is given a value: `if jobs == 0: jobs = cpu_count()`."""
        place = frame.paths.offset((value.lineno, value.col_offset))
        return any(
            self._is_otherwise(part, answer, frame, steps)
            for test, holds in frame.paths.conditions_around(place)
            for part, answer in tests_in(test, holds)
        )

    def _is_otherwise(self, test: ast.expr, answer: bool, frame: Frame, steps: int) -> bool:
        """Whether a test comes out differently; of what is counted, there is more than one."""
        truth = self.truth(test, frame, steps)
        if truth is None and isinstance(test, ast.Compare) and len(test.ops) == 1:
            truth = self._of_count(test.left, type(test.ops[0]), test.comparators[0], frame, steps)
            if truth is None and (compared := turned(test.ops[0])) is not None:
                truth = self._of_count(test.comparators[0], compared, test.left, frame, steps)
        return truth is (not answer)

    def _of_count(
        self, count: ast.expr, compare: type[ast.cmpop], other: ast.expr, frame: Frame, steps: int
    ) -> bool | None:
        """How a count compares with something that is known."""
        if compare not in COMPARED or not is_count(count, frame.paths):
            return None
        return _common(of_several(compare, number) for number in self._constants(other, frame, steps))

    def _captured(self, name: str, frame: Frame) -> tuple[TracedValue, ...]:
        """What the parameter of an enclosing function may be that nothing binds anew."""
        home = frame.parent
        while home is not None and home.function.parameter(name) is None and name not in home.function.variables:
            home = home.parent
        if home is None or name in home.function.variables or _is_bound_by_nested(name, home):
            return ()
        return tuple(self._evaluator.evaluate(Parameter(home.function.header, name, home.function.qualname), home))

    def _global(self, name: str, place: int | None, frame: Frame) -> tuple[TracedValue, ...]:
        """What a name of the module may be; at a place of the module's own level, what it is there."""
        names, module = self._evaluator.names, frame.module
        found = names.lookup(module, name)
        if place is not None and len(found) > 1:
            found = in_force(found, module, Span(place, place))
        site = Site(module, frame.function.header)
        traced = [tuple(self._evaluator.definition(each, site)) for each in found]
        return tuple(each for of_one in traced for each in of_one) if all(traced) else ()

    def _kept(self, name: str, frame: Frame) -> tuple[TracedValue, ...]:
        """What the constructor of the method's object stores in an attribute. If a library's base class might store it
        too, only a flag counts: those have names of their own."""
        instance = _object(frame)
        if instance is None or self._is_changed_by_methods(name, instance):
            return ()
        stores = self._claims_of_stores(name, instance)
        if not all(stores):
            return ()
        is_open = self._may_be_stored_by_library(name, instance)
        kept = self._given(name, instance, frame) if name != _TRAINING or not is_open else ()
        if any(_may_be(each.value, claimed) for claimed in stores for each in kept):
            return ()
        return kept if not is_open or all(map(_is_flag, kept)) else ()

    def _given(self, name: str, instance: InstanceValue, frame: Frame) -> tuple[TracedValue, ...]:
        so_far = self._evaluator.classes.states.so_far(instance)
        if so_far is not None:
            stored = [held for held in so_far if held.attribute == name]
            return tuple(each for held in stored for each in self._evaluator.evaluate(held.value, held.frame))
        site = Site(frame.module, frame.function.span)
        return tuple(self._evaluator.classes.instance_attribute(instance, name, site))

    def _of_other(self, owner: TracedValue, name: str, site: Site, frame: Frame) -> Iterable[TracedValue]:
        return () if self._is_replaced_in(owner.value, name) else self._evaluator.attribute(owner, name, site, frame)

    def _may_be_stored_by_library(self, name: str, instance: InstanceValue) -> bool:
        line = self._evaluator.classes.mro(instance.class_)
        others = [class_.path for class_ in line if isinstance(class_, ExternalValue)]
        return bool(others) and (name == _TRAINING or not all(path.startswith(_STORING_NOTHING) for path in others))

    def _is_changed_by_methods(self, name: str, instance: InstanceValue) -> bool:
        """Whether methods give an attribute values that are not known, or take elements out of what it holds."""
        return any(
            self._changed.is_replaced(name, class_) or self._changed.is_resized(name, class_, shrinks=True)
            for class_ in self._own_line(instance)
        )

    def _claims_of_stores(self, name: str, instance: InstanceValue) -> list[tuple[Claim, ...]]:
        """What an attribute has to hold for each store of it by a method, if the tests on the way there ask that."""
        return [
            claimed for class_ in self._own_line(instance) for claimed in self._changed.claims_of_stores(name, class_)
        ]

    def _own_line(self, instance: InstanceValue) -> list[ClassValue]:
        line = self._evaluator.classes.mro(instance.class_)
        return [class_ for class_ in line if isinstance(class_, ClassValue)]

    def _is_resized(self, expression: ast.expr, frame: Frame) -> bool:
        """Whether an expression reads an attribute of the method's object that methods put elements into."""
        match expression:
            case ast.Attribute(value=ast.Name(id=me), attr=name) if me == _first_parameter(frame):
                instance = _object(frame)
                line = self._evaluator.classes.mro(instance.class_) if instance is not None else ()
                return any(self._changed.is_resized(name, class_) for class_ in line if isinstance(class_, ClassValue))
            case _:
                return False

    def _is_replaced_in(self, owner: AbstractValue, name: str) -> bool:
        """Whether methods of an object give an attribute values that are not known."""
        if not isinstance(owner, InstanceValue):
            return False
        line = self._evaluator.classes.mro(owner.class_)
        return any(self._changed.is_replaced(name, class_) for class_ in line if isinstance(class_, ClassValue))


def _is_bound_by_nested(name: str, frame: Frame) -> bool:
    span = frame.function.span
    return frame.module.end_of_first(_nonlocal(name), span.start, span.end) >= 0


@lru_cache(maxsize=256)
def _nonlocal(name: str) -> re.Pattern[str]:
    """Where a nested function says that it binds a variable of the function around it."""
    return re.compile(rf"\bnonlocal\b[^\n]*\b{re.escape(name)}\b")


def _object(frame: Frame) -> InstanceValue | None:
    """The object of a method, if the call that made it is known."""
    bound = frame.bindings.get(_first_parameter(frame) or "")
    value = bound.value if bound is not None else None
    return value if isinstance(value, InstanceValue) and value.call is not None else None


def _first_parameter(frame: Frame) -> str | None:
    parameters = frame.function.parameters
    return parameters[0].name if parameters else None


def _may_be(value: AbstractValue, claimed: Iterable[Claim]) -> bool:
    """Whether something may be what some claims say of it."""
    return not isinstance(value, ConstantValue) or all(claim.allows(value.value) for claim in claimed)


def _is_flag(traced: TracedValue) -> bool:
    return isinstance(traced.value, ConstantValue) and isinstance(traced.value.value, bool)


def _is_none(value: AbstractValue) -> bool | None:
    if isinstance(value, ConstantValue):
        return value.value is None
    if isinstance(value, ExternalValue):
        return False if value.path.startswith(_FUNCTIONS) else None
    if isinstance(value, ExternalResult):
        return False if _is_standard_class(value.path) or _LIBRARY_CLASS.match(value.path) else None
    return False if isinstance(value, _OBJECTS) else None


def _is_standard_class(path: str) -> bool:
    """Whether a path is that of a class of the standard library, as these are named, or of a builtin one."""
    home, _, name = path.rpartition(".")
    if home == "builtins":
        return isinstance(getattr(builtins, name, None), type)
    return name[:1].isupper() and home.partition(".")[0] in sys.stdlib_module_names


def _length(traced: TracedValue) -> int | None:
    """How many elements a list or tuple has that holds each under its number, as it is written."""
    match traced.value:
        case ContainerValue(kind="list" | "tuple", slots=slots) if slots:
            numbers = {slot.key.item for slot in slots}
            return len(slots) if numbers == set(range(len(slots))) else None
        case _:
            return None


def _converted(name: str, value: object) -> object:
    """What `int(value)` and the like give; None if that fails."""
    try:
        return _CONVERTING[name](value)
    except (TypeError, ValueError):
        return None


def _compared(compare: Callable[[Any, Any], Any], left: object, right: object) -> bool | None:
    try:
        return bool(compare(left, right))
    except TypeError:
        return None


def _common(outcomes: Iterable[bool | None]) -> bool | None:
    """What all of some outcomes are, if there are any and they agree."""
    found = set(outcomes)
    return found.pop() if len(found) == 1 else None
