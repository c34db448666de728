"""What a payload contains again: values that were met before, and results of a factory that calls itself."""

from __future__ import annotations

from typing import TypeAlias

from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, FunctionValue, InstanceValue, ModuleValue

Around: TypeAlias = "tuple[InstanceValue, Around] | tuple[()]"
"""The instances around one, the closest first."""


def identity(value: AbstractValue) -> object:
    """What is the same for values of which one is followed for all."""
    match value:
        case InstanceValue(class_=class_, call=call, frame=frame):
            return (id(class_.facts), id(call), id(frame))
        case FunctionValue(facts=facts, bound=bound):
            return (id(facts), id(bound))
        case ClassValue(facts=facts):
            return id(facts)
        case ModuleValue(name=name):
            return name
        case _:
            return id(value)


def repeats(instance: InstanceValue, around: Around) -> bool:
    """Whether an instance is inside another one of its class that the same expression made, or inside two that other
    runs of the same function made: a factory that calls itself, whose results contain nothing new at any depth."""
    runs = 0
    while around:
        outer, around = around
        if outer.class_.facts is instance.class_.facts:
            runs += _is_of_another_run(instance, outer)
            if outer.call is instance.call or runs == 2:
                return True
    return False


def _is_of_another_run(instance: InstanceValue, outer: InstanceValue) -> bool:
    first, second = outer.frame, instance.frame
    return first is not None and second is not None and first is not second and first.function is second.function
