"""Functions and classes that are passed on, and called by those that get them: by a function under the name of its
parameter, by methods of an object that keeps them in an attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.call_graph.named_calls import PASSED, NamedCalls, passes_of
from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Attribute, Call, Parameter, options_of, parameter_name, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.root_frames import RootFrame


class PassedFunctions:
    """Finds their calls for one evaluator."""

    def __init__(self, evaluator: Evaluator, named: NamedCalls) -> None:
        self._evaluator = evaluator
        self._named = named

    def passes(self, names: frozenset[str], asker: str) -> Iterator[tuple[RootFrame, Called]]:
        """The calls that may be given what has one of these names, each with the enclosing function."""
        for caller in self._named.mentioning(names, PASSED, asker):
            for event in passes_of(names, caller.function):
                yield caller, event

    def calls(self, call: Call, frame: Frame) -> Iterator[tuple[Frame, Called]]:
        """The calls of functions and classes that this call passes on, each in the frame in which it stands."""
        for traced in self._evaluator.evaluate(call.function, frame):
            match traced.value:
                case FunctionValue(facts=facts) as callee if not facts.is_generator:
                    inner = self._evaluator.enter(callee, call, frame)
                    for event in facts.events if inner is not None else ():
                        if isinstance(event, Called) and _is_parameter(event.call):
                            assert inner is not None
                            yield inner, event
                case ClassValue():
                    for made in self._evaluator.evaluate(call, frame):
                        if isinstance(made.value, InstanceValue):
                            yield from self._by_methods(made.value, frame.depth + 1)
                case _:
                    pass

    def _by_methods(self, instance: InstanceValue, depth: int) -> Iterator[tuple[Frame, Called]]:
        """The calls of what an object got when it was made, by its methods."""
        line = [each for each in self._evaluator.classes.mro(instance) if isinstance(each, ClassValue)]
        kept = {name for owner in line for name in _kept_by(owner)}
        form = re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, sorted(kept)))})\s*\(") if kept else None
        for owner in line if form is not None else ():
            assert form is not None
            for method in methods_holding(owner.facts.methods, form, owner.module.code):
                if not method.parameters or method.decorated_by("staticmethod", "classmethod"):
                    continue
                called = FunctionValue(owner.module, method, owner.frame, instance)
                frame = self._evaluator.activate(called, Arguments((), {}, True), depth)
                for event in method.events if frame is not None else ():
                    if isinstance(event, Called) and _is_kept(event.call, kept, method.parameters[0].name):
                        assert frame is not None
                        yield frame, event


def _is_parameter(call: Call) -> bool:
    return isinstance(without_narrowing(call.function), Parameter)


def _is_kept(call: Call, names: set[str], me: str) -> bool:
    function = without_narrowing(call.function)
    return isinstance(function, Attribute) and function.name in names and parameter_name(function.base) == me


def _kept_by(owner: ClassValue) -> Iterator[str]:
    """The attributes in which the constructor of a class stores its parameters."""
    constructor = owner.facts.methods.get("__init__")
    for event in constructor.events if constructor is not None else ():
        if isinstance(event, Store) and any(
            isinstance(without_narrowing(option), Parameter) for option in options_of(event.value)
        ):
            yield event.attribute
