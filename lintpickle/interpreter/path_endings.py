"""How paths of files end, as far as that is known: `Path(folder) / "a.npz"`, the items of `folder.glob("*.npz")`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Name, Parameter, Sum, without_narrowing
from lintpickle.interpreter.abstract_values import ConstantValue, DataValue, ExternalResult, ExternalValue, Frame
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.limits import PATH_STEPS

_JOINS = frozenset({"os.path.join", "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath"})
"""Functions whose last argument is the end of what they give."""
_KEEPS = frozenset({"builtins.str", "os.fspath", "os.path.abspath", "os.path.realpath", "os.path.expanduser"})
"""Functions that give the path of their argument."""
_JOINING_METHODS = frozenset({"__truediv__", "joinpath", "with_suffix", "with_name"})
_KEEPING_METHODS = frozenset({"resolve", "absolute", "as_posix", "expanduser"})
_FINDS = frozenset({"glob.glob", "glob.iglob"})
_FINDING_METHODS = frozenset({"glob", "rglob"})
_WILD = re.compile(r"[*?\]]")
"""What stands in patterns for any text."""
_ORDERS = frozenset({"builtins.sorted", "builtins.list", "builtins.tuple", "builtins.reversed", "builtins.iter"})


def ending_of(value: Expr, frame: Frame, evaluator: Interpreter, step: int = 0) -> str:
    """The text with which a path ends in any case; "" if nothing is known of it."""
    if step > PATH_STEPS.most:
        evaluator.cuts.note(PATH_STEPS)
        return ""
    match without_narrowing(value):
        case Constant(value=str() as text):
            return text
        case Call() as call if (part := _last_part(call, frame, evaluator)) is not None:
            return ending_of(part, frame, evaluator, step + 1)
        case Item(base=Item(base=Call() as counted, key=None), key=Constant(value=1)) if _counts(counted):
            return ending_of(Item(value.span, counted.arguments[0].value, None), frame, evaluator, step + 1)
        case Item(base=base) if (pattern := _pattern(base, frame, evaluator)) is not None:
            return _WILD.split(ending_of(pattern, frame, evaluator, step + 1))[-1]
        case Sum(parts=parts):
            return ending_of(parts[-1], frame, evaluator, step + 1)
        case Parameter(name=name, owner=owner):
            home = frame.enclosing(owner)
            bound = home.bindings.get(name) if home is not None else None
            if bound is not None and bound.expr is not None and bound.frame is not None:
                return ending_of(bound.expr, bound.frame, evaluator, step + 1)
            return ""
        case other:
            return _only(_ending_of_value(each.value, evaluator, step) for each in evaluator.evaluate(other, frame))


def _only(endings: Iterator[str]) -> str:
    """The ending that all have; the first that has none, or another one, is the last that is asked for."""
    first = next(endings, "")
    return first if first and all(each == first for each in endings) else ""


def _counts(call: Call) -> bool:
    """Whether it is `enumerate(paths)`."""
    return isinstance(call.function, Name) and call.function.name == "enumerate" and bool(call.positional())


def _ending_of_value(value: object, evaluator: Interpreter, step: int) -> str:
    match value:
        case ConstantValue(value=str() as text):
            return text
        case DataValue(kind="str", end=end):
            return end
        case ExternalResult(call=Call() as call, frame=Frame() as frame):
            part = _last_part(call, frame, evaluator)
            return ending_of(part, frame, evaluator, step + 1) if part is not None else ""
        case _:
            return ""


def _last_part(call: Call, frame: Frame, evaluator: Interpreter) -> Expr | None:
    """The expression with whose text the path ends that a call gives."""
    given = call.positional()
    match call.function:
        case Attribute(name=name) if name in _JOINING_METHODS and given:
            return given[-1]
        case Attribute(base=base, name=name) if name in _KEEPING_METHODS and not call.arguments:
            return base
        case function if given:
            path = _path_of(function, frame, evaluator)
            return given[-1] if path in _JOINS else given[0] if path in _KEEPS else None
        case _:
            return None


def _pattern(value: Expr, frame: Frame, evaluator: Interpreter) -> Expr | None:
    """The pattern of the files that an expression gives."""
    match without_narrowing(value):
        case Call(function=Attribute(name=name)) as call if name in _FINDING_METHODS and (given := call.positional()):
            return given[0]
        case Item(base=base, key=Constant(value=part)) if part is ...:
            return _pattern(base, frame, evaluator)
        case Call(function=function) as call if given := call.positional():
            path = _path_of(function, frame, evaluator)
            return given[0] if path in _FINDS else _pattern(given[0], frame, evaluator) if path in _ORDERS else None
        case _:
            return None


def _path_of(function: Expr, frame: Frame, evaluator: Interpreter) -> str:
    found = [each.value for each in evaluator.evaluate(function, frame)]
    return found[0].path if len(found) == 1 and isinstance(found[0], ExternalValue) else ""
