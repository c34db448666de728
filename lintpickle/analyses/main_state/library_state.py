"""Objects of libraries, made at module level, whose state in memory only forked processes inherit."""

from __future__ import annotations

from lintpickle.catalog import StateSpec
from lintpickle.facts.values import Call, Constant, Parameter, says_none, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    Frame,
    GeneratorValue,
    InstanceValue,
    PlainValue,
    ProductValue,
)
from lintpickle.interpreter.stores import SETTINGS
from lintpickle.parsing.syntax import with_owners
from lintpickle.payload.linker import Linker

_ITERATOR = "<iterator>"


def state_of(value: AbstractValue, linker: Linker) -> StateSpec | None:
    """What the catalog says of the state of an object; None without `migrate`, which alone asks."""
    if linker.moving_to is None:
        return None
    match value:
        case GeneratorValue() | ContainerValue(kind="iterator"):
            return linker.catalog.state(_ITERATOR)
        case ExternalResult(path=path, call=call, frame=frame) | ProductValue(path=path, call=call, frame=frame):
            state = linker.catalog.state(path, _first(call, frame, linker))
            return state if state is None or not state.seeded or _is_seeded(call) else None
        case InstanceValue(class_=ClassValue(module=module, facts=facts)) if not module.first_party:
            paths = (f"{home}.{facts.qualname}" for home in with_owners(module.name))  # Packages pass classes on.
            return next((state for path in paths if (state := linker.catalog.state(path)) is not None), None)
        case _:
            return None


def holds_items(value: AbstractValue) -> bool:
    """Whether what is put into an object is in it alone: a container, or what the catalog calls plain data (an array, a
    table)."""
    return isinstance(value, (ContainerValue, PlainValue))


def is_namespace(value: AbstractValue) -> bool:
    """Whether an object is nothing but its attributes."""
    return isinstance(value, ContainerValue) and value.kind in SETTINGS


def _is_seeded(call: Call | None) -> bool:
    """Whether the first argument of a call is something other than None."""
    return call is not None and bool(call.arguments) and not says_none(call.arguments[0].value)


def _first(call: Call | None, frame: Frame | None, linker: Linker) -> object:
    """The first argument of a call, if that is a constant, or a parameter that is one; of what any caller
    may give, the default."""
    match call:
        case Call(arguments=(first, *_)) if not first.star:
            value = without_narrowing(first.value)
        case _:
            return None
    match value:
        case Constant(value=constant):
            return constant
        case Parameter() if frame is not None:
            home = frame.enclosing(value.owner)
            own = home.function.parameter(value.name) if home is not None and home.open else None
            used = value if own is None or own.default is None else own.default
            given = [traced.value for traced in linker.evaluate(used, frame)]
            return given[0].value if len(given) == 1 and isinstance(given[0], ConstantValue) else None
        case _:
            return None
