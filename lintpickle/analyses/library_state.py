"""Objects of libraries, made at module level, whose state in memory only forked processes inherit."""

from __future__ import annotations

from lintpickle.catalog import StateSpec
from lintpickle.facts.values import Call, Constant
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ContainerValue,
    ExternalResult,
    GeneratorValue,
    InstanceValue,
    PlainValue,
    ProductValue,
)
from lintpickle.parsing.syntax import with_owners
from lintpickle.payload.linker import Linker

_ITERATOR = "<iterator>"
_NAMESPACES = frozenset({"Namespace", "SimpleNamespace"})


def state_of(value: AbstractValue, linker: Linker) -> StateSpec | None:
    """What the catalog says of the state of an object; None without `migrate`, which alone asks."""
    if linker.moving_to is None:
        return None
    match value:
        case GeneratorValue() | ContainerValue(kind="iterator"):
            return linker.catalog.state(_ITERATOR)
        case ExternalResult(path=path, call=call) | ProductValue(path=path, call=call):
            state = linker.catalog.state(path, _first(call))
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
    return isinstance(value, ContainerValue) and value.kind in _NAMESPACES


def _is_seeded(call: Call | None) -> bool:
    """Whether the first argument of a call is something other than None."""
    return call is not None and bool(call.arguments) and not (_is_constant(call) and _first(call) is None)


def _is_constant(call: Call) -> bool:
    return isinstance(call.arguments[0].value, Constant)


def _first(call: Call | None) -> object:
    """The first argument of a call, if that is a constant."""
    match call:
        case Call(arguments=(first, *_)) if isinstance(first.value, Constant) and not first.star:
            return first.value.value
        case _:
            return None
