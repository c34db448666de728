"""Methods that are called on a copy of an object which has been pickled and unpickled, or copied, in one process.

Measured with CPython 3.11: `pickle.loads(pickle.dumps(x))`, `copy.deepcopy(x)` and what a shelf gives back are made by
`__getstate__` and `__setstate__`, not by `__init__`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Argument, Attribute, Call, Expr, Item, Parameter, Sum, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker

_LOADS = frozenset({"pickle.loads", "cloudpickle.loads", "_pickle.loads"})
_DUMPS = frozenset({"pickle.dumps", "cloudpickle.dumps", "_pickle.dumps"})
_COPIES = frozenset({"copy.deepcopy"})
_COPIERS = _LOADS | _DUMPS | _COPIES
_WORDS = re.compile(r"\b(?:loads|deepcopy|shelve)\b")
_SHELF = "shelve.open"
_DEEPEST = 2
"""How many functions that return such a copy are followed."""
_EXPECTED = "AttributeError"


class CopyUse(Struct, frozen=True):
    """A call of a method on a copy: the class of the object, the name of the method, the place of the call, and the
    attributes that the function stores on the copy."""

    class_: ClassValue
    method: str
    span: Span
    stored: frozenset[str]


def copying_roots(root: RootFrame, linker: Linker) -> Iterator[RootFrame]:
    """A function in whose text something is copied so; if it returns a copy of what it is given, those that call it,
    too, unless their own text says as much."""
    yield root
    function, name = root.function, root.function.name
    is_giving = len(function.returns) == 1 and _is_of_parameter(function.returns[0], root.frame, linker)
    if not is_giving or function.qualname != name:
        return
    called = re.compile(rf"(?<!def )\b{re.escape(name)}\(")
    for caller in linker.activations_with({name}, called, root.frame.module.path):
        span = caller.function.span
        if not _WORDS.search(caller.frame.module.code, span.start, span.end):
            yield caller


def _is_of_parameter(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a value is a copy of a parameter, by what is called."""
    match without_narrowing(value):
        case Call(function=function, arguments=(Argument(value=given), *_)):
            callees = [each.value for each in linker.evaluate(function, frame)]
            is_copier = all(isinstance(each, ExternalValue) and each.path in _COPIERS for each in callees)
            inner = without_narrowing(given)
            return (
                bool(callees) and is_copier and (isinstance(inner, Parameter) or _is_of_parameter(inner, frame, linker))
            )
        case _:
            return False


def uses_of_copies(root: RootFrame, linker: Linker) -> Iterator[CopyUse]:
    """The methods that a function calls on such copies, unless it is ready for them to lack an attribute."""
    code, function = root.frame.module.code, root.function
    if _EXPECTED in code[function.span.start : function.span.end]:
        return
    for event in function.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name=name))) if not _is_name(base):
                class_ = _class_of_copy(base, root.frame, linker)
                if class_ is not None:
                    copied = without_narrowing(base)
                    stores = (each for each in function.events if isinstance(each, Store))
                    stored = frozenset(each.attribute for each in stores if without_narrowing(each.target) is copied)
                    yield CopyUse(class_, name, event.span, stored)
            case _:
                pass


def _is_name(base: Expr) -> bool:
    """Whether an expression is surely no copy: it names a module, or is a parameter."""
    return not isinstance(without_narrowing(base), Call | Item)


def _class_of_copy(value: Expr, frame: Frame, linker: Linker, depth: int = 0) -> ClassValue | None:
    """The class of the object of which a value is a copy; None if it is none, or that is unknown."""
    options = options_of(without_narrowing(value))
    match without_narrowing(options[0]):
        case Call(function=function, arguments=arguments) as call if len(options) == 1:
            callees = [each.value for each in linker.evaluate(function, frame)]
            match callees:
                case [ExternalValue(path=path)] if path in _COPIES and arguments:
                    return _class_of(arguments[0].value, frame, linker)
                case [ExternalValue(path=path)] if path in _LOADS and arguments:
                    return _class_dumped(arguments[0].value, frame, linker)
                case [FunctionValue(bound=None, opaque=False) as called] if depth < _DEEPEST:
                    inner = linker.evaluator.enter(called, call, frame)
                    given = called.facts.returns
                    is_one = inner is not None and len(given) == 1 and not called.facts.may_give_none
                    return _class_of_copy(given[0], inner, linker, depth + 1) if is_one and inner is not None else None
                case _:
                    return None
        case Item(base=base, key=key) as item if len(options) == 1 and key is not None:
            return _class_of(item, frame, linker) if _is_shelf(base, frame, linker) else None
        case _:
            return None


def _is_shelf(value: Expr, frame: Frame, linker: Linker) -> bool:
    match without_narrowing(value):
        case Sum(parts=parts):  # with what has been put into it
            return any(_is_shelf(each, frame, linker) for each in parts)
        case Call(function=function):
            opening = [each.value for each in linker.evaluate(function, frame)]
            return all(isinstance(each, ExternalValue) and each.path == _SHELF for each in opening)
        case _:
            return False


def _class_dumped(value: Expr, frame: Frame, linker: Linker) -> ClassValue | None:
    match without_narrowing(value):
        case Call(function=function, arguments=arguments) if arguments:
            callees = [each.value for each in linker.evaluate(function, frame)]
            is_dumped = all(isinstance(each, ExternalValue) and each.path in _DUMPS for each in callees)
            return _class_of(arguments[0].value, frame, linker) if is_dumped else None
        case _:
            return None


def _class_of(value: Expr, frame: Frame, linker: Linker) -> ClassValue | None:
    found = [each.value for each in linker.evaluate(value, frame)]
    made = found[0] if len(found) == 1 else None
    return made.class_ if isinstance(made, InstanceValue) else None
