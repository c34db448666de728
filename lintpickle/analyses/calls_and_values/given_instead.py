"""Calls that surely give something which nobody can call: None, of functions of the program that do something and
return nothing, a number, a text, a container, an object without `__call__`; or that never give anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.waiting.waits import definitions_in, is_left_nowhere
from lintpickle.control_flow.paths import Paths
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call, Constant
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
)
from lintpickle.payload.linker import Linker

TYPE_OF_NONE = "NoneType"
_CONTAINERS = frozenset({"list", "dict", "set", "tuple", "frozenset"})
_TEXTS = frozenset({"str", "bytes", "bool"})
_CALLING = "__call__"
_RETURN_NOTHING = frozenset(
    {
        *(f"builtins.{name}" for name in ("print", "setattr", "delattr", "exec")),
        *(f"os.{name}" for name in ("chdir", "makedirs", "mkdir", "remove", "unlink", "putenv", "rmdir", "unsetenv")),
        *(f"logging.{name}" for name in ("basicConfig", "critical", "debug", "disable", "error", "info", "warning")),
        *("gc.disable", "gc.enable", "gc.freeze", "faulthandler.enable", "time.sleep"),
        *("random.seed", "numpy.random.seed", "warnings.filterwarnings", "warnings.simplefilter", "warnings.warn"),
        *("torch.set_num_threads", "torch.set_num_interop_threads"),
        *("torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "torch.cuda.empty_cache", "cv2.setNumThreads"),
    }
)
"""Functions of Python and of libraries that return None (measured with CPython 3.11, NumPy 2 and torch 2.13)."""


def type_given(call: Call, frame: Frame, linker: Linker) -> str | None:
    """The name of the type of what a call gives, if all that it can call are such functions, and no decorator may
    change what they return."""
    called = [traced.value for traced in linker.evaluate(call.function, frame)]
    if called and all(isinstance(each, ExternalValue) and each.path in _RETURN_NOTHING for each in called):
        return TYPE_OF_NONE
    if not called or not all(isinstance(each, FunctionValue) and _is_plain(each) for each in called):
        return None
    if all(isinstance(each, FunctionValue) and _returns_nothing(each.facts) for each in called):
        return TYPE_OF_NONE
    if any(isinstance(each, FunctionValue) and each.facts.may_give_none for each in called):
        return None  # It may be told apart before.
    types = list(_types([traced.value for traced in linker.evaluate(call, frame)], linker))
    return types[0] if types and None not in types else None


def never_returns(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether all that a call can call ends in a loop that nothing leaves: `while True: serve()`."""
    called = [traced.value for traced in linker.evaluate(call.function, frame)]
    return bool(called) and all(
        isinstance(each, FunctionValue) and _is_plain(each) and _loops_for_ever(each) for each in called
    )


def _loops_for_ever(function: FunctionValue) -> bool:
    if function.facts.may_give_none or function.facts.returns:
        return False
    ends = (each.body[-1] for each in definitions_in(Paths(function.module, function.facts.span).tree))
    return any(isinstance(end, ast.While) and is_left_nowhere(end) for end in ends)


def _is_plain(function: FunctionValue) -> bool:
    facts = function.facts
    return not (function.opaque or facts.is_generator or facts.is_async or facts.decorators)


def _returns_nothing(facts: FunctionFacts) -> bool:
    """Whether a function returns None and nothing else; not if it does nothing at all, as one that others override."""
    return (
        bool(facts.events)
        and facts.may_give_none
        and all(isinstance(each, Constant) and each.value is None for each in facts.returns)
    )


def _types(values: list[AbstractValue], linker: Linker) -> Iterator[str | None]:
    """The names of the types of values that cannot be called; None for each that may be."""
    for value in values:
        match value:
            case ConstantValue(value=constant) if constant is not None:
                yield type(constant).__name__
            case ContainerValue(kind=kind) if kind in _CONTAINERS:
                yield kind
            case DataValue(kind=kind) if kind in _TEXTS:
                yield kind
            case InstanceValue(class_=class_) if _is_read(class_, linker):
                is_called = linker.classes.find_method(value, _CALLING) is not None or class_.facts.body.get(_CALLING)
                yield None if is_called else class_.facts.name
            case _:
                yield None


def _is_read(class_: ClassValue, linker: Linker) -> bool:
    """Whether the code of all bases of a class is known, and nothing has changed the class itself."""
    line = (each for each in linker.classes.mro(class_) if not isinstance(each, ClassValue))
    return not class_.facts.decorators and all(each.path == "builtins.object" for each in line)
