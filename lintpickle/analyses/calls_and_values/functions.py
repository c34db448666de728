"""Names and errors of functions and classes that pickle cannot find by name."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.catalog import VersionedError
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ContainerValue,
    FunctionValue,
    Site,
    Slot,
    is_indefinite,
)
from lintpickle.parsing.main_guard import has_guard
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

MAIN = "__main__"
_OF_A_METHOD = 2
SUPER_ERROR = "_pickle.PicklingError: args[0] from __newobj__ args has the wrong class"
"""Pickle's error for what `super()` gives (CPython 3.10 to 3.13)."""


def function_error(value: FunctionValue) -> str:
    """Pickle's error for a function whose qualified name cannot be looked up (CPython 3.11)."""
    if value.facts.is_local:
        return f"AttributeError: Can't pickle local object '{value.facts.qualname}'"
    name = value.facts.qualname
    module = MAIN if value.facts.main_guard else name_at_run(value.module)
    return f"_pickle.PicklingError: Can't pickle <function {name} at 0x…>: attribute lookup {name} on {module} failed"


def name_at_run(module: Module) -> str:
    """What the code of a module has as `__name__` where it is pickled: a script with a main guard, outside of packages,
    and a notebook are run as such."""
    is_script = "." not in module.name and has_guard(module.code)
    return MAIN if is_script or module.document.cells is not None else module.name


def class_error(value: ClassValue) -> VersionedError:
    """Pickle's error for a class that is defined in a function (CPython 3.11.7, 3.13.0, 3.14.8)."""
    name = value.facts.qualname
    return VersionedError(
        f"AttributeError: Can't pickle local object '{name}'",
        (
            ((3, 13), f"AttributeError: Can't get local object '{name}'"),
            ((3, 14), f"_pickle.PicklingError: Can't pickle local object <class '{value.module.name}.{name}'>"),
        ),
    )


def has_name(value: FunctionValue) -> bool:
    """Whether a name of the module, or of one of its classes, leads to the function."""
    return not value.facts.is_local and value.facts.name != "<lambda>"


def bound_to(crossing: Crossing) -> Slot | None:
    """What a function is bound to that crosses in a method made by `types.MethodType(function, owner)`: that is pickled
    by the function's name, as an attribute of the owner."""
    method = crossing.inside.value if crossing.inside is not None else None
    if not isinstance(method, ContainerValue) or method.kind != "MethodType" or len(method.slots) != _OF_A_METHOD:
        return None
    function, owner = method.slots
    is_function = Site(function.frame.module, function.value.span).contains(crossing.site)
    return owner if is_function and isinstance(crossing.value, FunctionValue) else None


def wraps(value: FunctionValue, linker: Linker) -> FunctionValue | None:
    """The function whose name a wrapper takes with `@functools.wraps(function)`, if a name leads to it (`has_name`)."""
    for wrapped in _wrapped(value, linker):
        if isinstance(wrapped, FunctionValue) and has_name(wrapped):
            return wrapped
    return None


def takes_name(value: FunctionValue, linker: Linker) -> bool:
    """Whether a wrapper takes a name that leads to something, or may: that of what a decorator is given, of which
    nothing is known."""
    return wraps(value, linker) is not None or any(map(is_indefinite, _wrapped(value, linker)))


def _wrapped(value: FunctionValue, linker: Linker) -> Iterator[AbstractValue]:
    """What `@functools.wraps(function)` is given on a wrapper."""
    for decorator in value.facts.decorators:
        if isinstance(decorator, Call) and value.facts.decorated_by("wraps") and decorator.arguments and value.frame:
            yield from (each.value for each in linker.evaluate(decorator.arguments[0].value, value.frame))
