"""Managers of `multiprocessing`: what is registered with a class crosses when one of its managers is started."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import NestedClass
from lintpickle.facts.values import Attribute, ending_name
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalResult,
    ExternalValue,
    InstanceValue,
    ProductValue,
)
from lintpickle.interpreter.evaluator import Evaluator

_REGISTERS = "Manager.register"
_OF = "multiprocessing.managers."
_FUNCTION = re.compile(r"^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
_CLASS = "Manager"
_IN_WITH = re.compile(r"\bwith[ \t]*\(?(?:[^\n:]*,)?\s*\Z")
"""What stands in front of what a `with` statement enters."""
_KIND, _START = "manager", "start"


def is_only_registered(boundary: BoundaryCall) -> bool:
    """Whether a call registers something with a class of managers of which its module starts none: managers that serve
    in their own process (`get_server().serve_forever()`) or `connect()` to another one pickle nothing of it."""
    function = boundary.call.function
    if not registers(boundary) or not isinstance(function, Attribute):
        return False
    base, code = function.base, boundary.frame.module.code
    name = base.class_.name if isinstance(base, NestedClass) else ending_name(base)
    return name is None or not any(_is_started(re.escape(each), code) for each in _with_derived(name, code))


def is_only_made(boundary: BoundaryCall) -> bool:
    """Whether a call makes a manager, and does not enter it at once: `with SyncManager() as manager`."""
    return makes_manager(boundary) and _IN_WITH.search(boundary.frame.module.code, 0, boundary.site.span.start) is None


def makes_manager(boundary: BoundaryCall) -> bool:
    """Whether a call makes a manager of one of the classes of `multiprocessing.managers`, or of one derived from it."""
    return boundary.spec.path.startswith(_OF) and boundary.spec.path.endswith(_CLASS)


def registered_with(boundary: BoundaryCall, evaluator: Evaluator) -> frozenset[Hashable]:
    """The classes of managers with which a call registers something, in a form to compare; none if it does not."""
    function = boundary.call.function
    if not registers(boundary) or not isinstance(function, Attribute):
        return frozenset()
    given = evaluator.evaluate(function.base, boundary.frame)
    return frozenset(key for traced in given for key in _keys(traced.value))


def classes_started(boundary: BoundaryCall, evaluator: Evaluator) -> frozenset[Hashable]:
    """The class of the manager that a call starts, and its bases, in the same form."""
    function, made = boundary.call.function, makes_manager(boundary)
    if not made and not (starts_manager(boundary) and isinstance(function, Attribute)):
        return frozenset()
    keys: set[Hashable] = set()
    manager = function.base if isinstance(function, Attribute) and not made else function
    for traced in evaluator.evaluate(manager, boundary.frame):
        match traced.value:
            case InstanceValue() | ClassValue() as own:
                keys.update(key for each in evaluator.classes.mro(own) for key in _keys(each))
            case other:
                keys.update(_keys(other))
    return frozenset(keys)


def _keys(value: AbstractValue) -> Iterator[Hashable]:
    match value:
        case ClassValue() as class_:
            yield class_.key
        case ExternalValue(path=path) | ExternalResult(path=path) | ProductValue(path=path):
            yield path
        case _:
            pass


def starts_manager(boundary: BoundaryCall) -> bool:
    """Whether a call starts the process of a manager: `manager.start()`."""
    function = boundary.call.function
    return boundary.spec.kind == _KIND and isinstance(function, Attribute) and function.name == _START


def registers(boundary: BoundaryCall) -> bool:
    """Whether a call registers something with a class of managers."""
    return boundary.spec.path.startswith(_OF) and boundary.spec.path.endswith(_REGISTERS)


def _with_derived(name: str, code: str) -> set[str]:
    """The name of a class, and of those that the text derives from it."""
    names, waiting = {name}, [name]
    while waiting:
        base = re.escape(waiting.pop())
        found = re.findall(rf"^\s*class\s+(\w+)\s*\([^()\n]*(?<!\w){base}\s*[,)]", code, re.MULTILINE)
        waiting += (each for each in found if each not in names)
        names.update(found)
    return names


def _is_started(name: str, code: str, giving: frozenset[str] = frozenset()) -> bool:
    """Whether a manager is started that a call of the name gives: that of its class, or of a function that gives one.
    `giving` are the functions through which this was asked already."""
    if re.search(rf"\bwith\s+(?:\w+\.)*{name}\s*\(", code):
        return True
    made = [*re.finditer(rf"(?<![\w.])([\w.]+)\s*(?::[^=\n]*)?=\s*(?:\w+\.)*{name}\s*\(", code)]
    if any(_starts(each[1], code, each.end()) for each in made):
        return True
    variables = "".join(rf"|{re.escape(each[1])}[ \t]*$" for each in made)
    given = re.finditer(rf"^([ \t]+)return[ \t]+(?:(?:\w+\.)*{name}\s*\({variables})", code, re.MULTILINE)
    functions = {_function_around(each, code) for each in given} - giving - {""}
    return any(_is_started(re.escape(each), code, giving | functions) for each in sorted(functions))


def _function_around(statement: re.Match[str], code: str) -> str:
    """The name of the function in which a statement stands: the last in front of it that is indented less."""
    around = (each for each in _FUNCTION.finditer(code, 0, statement.start()) if len(each[1]) < len(statement[1]))
    return next((each[2] for each in reversed([*around])), "")


def _starts(variable: str, code: str, place: int) -> bool:
    """Whether a variable is started behind a place, before it is given something else; an attribute, anywhere."""
    name = re.escape(variable)
    if "." in variable:
        return re.search(rf"{name}\s*\.\s*start\s*\(", code) is not None
    found = re.compile(rf"(?<![\w.]){name}\s*(=(?!=)|\.\s*start\s*\()").search(code, place)
    return found is not None and found[1] != "="
