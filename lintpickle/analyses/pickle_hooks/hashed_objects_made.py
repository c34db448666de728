"""Where a program makes objects of a class that keeps a hash: by calls of the class, and of functions that give what
such a call makes, as its classmethods do (`Key.parse(text)`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, Parameter, ending_name, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker


class HashedObjectMade(Struct, frozen=True):
    """A call in a function that gives an object of the class: `making` is the call of the class itself, with the frame
    in which that stands; both are the same where no function makes the object."""

    root: RootFrame
    call: Call
    event: Called
    making: Call
    frame: Frame

    @property
    def site(self) -> Site:
        """Where the call stands."""
        return Site(self.root.frame.module, self.call.span)

    @property
    def is_given_back(self) -> bool:
        """Whether the function returns the object."""
        returned = (without_narrowing(each) for value in self.root.function.returns for each in options_of(value))
        return any(each.span == self.call.span for each in returned)


def hashed_objects_made(class_: ClassValue, linker: Linker, asker: str) -> tuple[HashedObjectMade, ...]:
    """The calls in the program that give objects of a class. `asker` is as for `OwnModules.search`."""
    return linker.remembered(("made with a hash", class_.key, asker), lambda: tuple(_found(class_, linker, asker)))


def _found(class_: ClassValue, linker: Linker, asker: str) -> Iterator[HashedObjectMade]:
    waiting = [*_by_class(class_, linker, asker)]
    makers = set[int]()
    while waiting:
        made = waiting.pop(0)
        yield made
        function = made.root.function
        if id(function) not in makers and function.name.isidentifier() and made.is_given_back:
            makers.add(id(function))
            waiting.extend(_by_function(function, made, linker, asker))


def _by_class(class_: ClassValue, linker: Linker, asker: str) -> Iterator[HashedObjectMade]:
    """The calls of the class by its name, and of what its classmethods are called on (`cls`)."""
    name = class_.facts.name
    for root in linker.activations_with({name}, _calling(name), asker):
        yield from _in(root, name, class_, linker)
    for method in class_.facts.methods.values():
        if method.decorated_by("classmethod") and method.parameters:
            yield from _in(linker.activations.of_method(class_, method), method.parameters[0].name, class_, linker)


def _in(root: RootFrame, name: str, class_: ClassValue, linker: Linker) -> Iterator[HashedObjectMade]:
    for event, call in _calls(root, name):
        called = linker.evaluate(call.function, root.frame)
        if any(isinstance(each.value, ClassValue) and each.value.facts is class_.facts for each in called):
            yield HashedObjectMade(root, call, event, call, root.frame)


def _by_function(
    function: FunctionFacts, made: HashedObjectMade, linker: Linker, asker: str
) -> Iterator[HashedObjectMade]:
    """The calls of a function that gives back an object which it makes."""
    for root in linker.activations_with({function.name}, _calling(function.name), asker):
        for event, call in _calls(root, function.name):
            for traced in linker.evaluate(call.function, root.frame):
                called = traced.value
                if isinstance(called, FunctionValue) and called.facts is function:
                    inner = linker.evaluator.enter(called, call, root.frame)
                    frame = inner if made.making is made.call and inner is not None else made.frame
                    yield HashedObjectMade(root, call, event, made.making, frame)
                    break


def _calls(root: RootFrame, name: str) -> Iterator[tuple[Called, Call]]:
    for event in root.function.events:
        match event:
            case Called(call=Call(function=Parameter(name=called))) if called == name:
                yield event, event.call
            case Called(call=Call(function=function)) if ending_name(function) == name:
                yield event, event.call
            case _:
                pass


def _calling(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!class )(?<!def )\b{re.escape(name)}\s*\(")
