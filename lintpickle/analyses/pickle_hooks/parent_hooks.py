"""Pickling hooks that ask their parent's hook of the same name for the rest, in a way that this does not allow."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import call_error, is_plain, known_ancestors
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Super
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue
from lintpickle.interpreter.classes import Classes

_OF_OBJECT = MappingProxyType(
    {
        "__reduce_ex__": (1, "takes exactly one argument ({} given)"),
        "__reduce__": (0, "takes no arguments ({} given)"),
    }
)
"""The hooks that every class inherits, with the number of arguments that they take, and what Python says otherwise."""


class WrongCall(Struct, frozen=True):
    """A call of a parent's hook with a wrong number of arguments; `is_sure` if nothing else can be called there."""

    call: Call
    error: str
    is_sure: bool


def wrong_calls_of_parent(
    method: FunctionFacts, owner: ClassValue, class_: ClassValue, classes: Classes
) -> Iterator[WrongCall]:
    """The calls `super().hook(…)` that a hook of the class `owner` makes in any case for an object of `class_`, and
    that fail."""
    for event in method.events:
        match event:
            case Called(call=Call(function=Attribute(base=Super(), name=name)) as call, conditional=False):
                given = call.positional()
                is_hook = name == method.name or name in _OF_OBJECT
                if is_hook and given is not None and len(given) == len(call.arguments):
                    yield from _wrong_call(call, name, len(given), owner, class_, classes)
            case _:
                pass


def _wrong_call(
    call: Call, name: str, given: int, owner: ClassValue, class_: ClassValue, classes: Classes
) -> Iterator[WrongCall]:
    is_sure = known_ancestors(class_, classes) is not None
    for parent in classes.behind(class_, owner):
        if not isinstance(parent, ClassValue):
            is_sure = is_sure and _inherits_hooks(parent, classes)
        elif name in parent.facts.methods or name in parent.facts.body:
            hook = parent.facts.methods.get(name)
            if hook is None or hook.decorators or name in parent.facts.body:
                return
            error = call_error(parent.facts.qualname, hook, given)
            if error is not None:
                yield WrongCall(call, error, is_sure)
            return
    if name in _OF_OBJECT and given != _OF_OBJECT[name][0]:
        error = f"TypeError: {class_.facts.name}.{name}() {_OF_OBJECT[name][1].format(given)}"
        yield WrongCall(call, error, is_sure)


def _inherits_hooks(parent: ExternalValue, classes: Classes) -> bool:
    """Whether the hooks of a class that is not read take what those of `object` take."""
    return parent.path.startswith("builtins.") or is_plain(parent.path) or classes.kind(parent) is not None
