"""The calls that give an attribute of an object what it has, and the values of which a call gives one as it is."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method, frames_of_calls, frames_on_the_way
from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.facts.records import Store
from lintpickle.facts.values import Call, Expr, Item, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue
from lintpickle.payload.linker import Linker

_CONSTRUCTOR = "__init__"
_ONE_OF = frozenset({"builtins.min", "builtins.max"})


def given_by_attribute(base: Expr, name: str, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    """The calls whose results the methods of an object store in an attribute, what its constructor or a method that
    code calls on it is given for it, or an item of that, or what a property returns."""
    for traced in linker.evaluate(base, frame):
        if isinstance(traced.value, InstanceValue):
            yield from _passed(traced.value, name, linker)
            yield from _stored(traced.value, name, frame, linker)
            yield from _returned(traced.value, name, linker)


def _passed(instance: InstanceValue, name: str, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    for held in linker.classes.states.state(instance):
        if held.attribute == name and held.direct and isinstance(without_narrowing(held.value), (Parameter, Item)):
            yield held.value, held.frame


def _stored(instance: InstanceValue, name: str, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    line = (each for each in linker.classes.mro(instance) if isinstance(each, ClassValue))
    for owner in line:
        for method in owner.facts.methods.values():
            for event in method.events:
                if isinstance(event, Store) and event.attribute == name and is_me(event.target, method):
                    if method.name != _CONSTRUCTOR and isinstance(without_narrowing(event.value), Parameter):
                        entered = frames_on_the_way(method, frame, linker)
                        yield from ((event.value, each) for each in entered if _is_on(instance, each))
                        continue
                    is_here = method is frame.function and _is_on(instance, frame)
                    home = frame if is_here else frame_of_method((owner, method), instance, linker)
                    if home is not None and isinstance(without_narrowing(event.value), Call):
                        yield event.value, home
                        if given_one_of(event.value, home, linker):
                            entered = frames_of_calls(method, frame.module.path, linker)
                            yield from ((event.value, each) for each in entered)


def _is_on(instance: InstanceValue, frame: Frame) -> bool:
    """Whether the frame is that of a method which is called on an object, as far as it is seen which one that is."""
    bound = frame.bindings.get(frame.function.parameters[0].name) if frame.function.parameters else None
    me = bound.value if bound is not None else None
    return isinstance(me, InstanceValue) and (me.call is instance.call or None in (me.call, instance.call))


def _returned(instance: InstanceValue, name: str, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    found = linker.classes.find_property(instance, name)
    home = frame_of_method(found, instance, linker) if found is not None else None
    if found is not None and home is not None:
        yield from ((value, home) for value in found[1].returns)


def given_one_of(value: Expr, frame: Frame, linker: Linker) -> tuple[Expr, ...]:
    """The arguments of `min(…)` or `max(…)`, which gives one of several as it is."""
    match without_narrowing(value):
        case Call(function=Name(name="min" | "max") as function) as call:
            given = call.positional() or ()
            names = external_names(function, frame, linker) if len(given) > 1 else ()
            return given if not _ONE_OF.isdisjoint(names) else ()
        case _:
            return ()
