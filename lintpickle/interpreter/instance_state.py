"""What an instance holds once it is built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

from msgspec import Struct

from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import ClassFacts, ItemStore
from lintpickle.facts.values import Attribute, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, Done, InstanceValue
from lintpickle.interpreter.constructor_runs import ConstructorRun, Put
from lintpickle.interpreter.copies import is_missed
from lintpickle.interpreter.handed_back import with_handed_back
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.own_events import is_the_object
from lintpickle.interpreter.own_reads import read_names
from lintpickle.interpreter.protocols import ClassQueries, Interpreter

_MAY_PUT = re.compile(r"\.(?:append|add|insert|appendleft)\(.{0,1000}\bself\b|\]\s*=\s*self\b")
"""What stands in code that puts an object of its own into a container."""
_Identity: TypeAlias = tuple[object, ...]


class _OfClass(Struct, frozen=True):
    """What concerns all objects of a class: the properties that may be read (see `read_names`), and where its methods
    put their object into others."""

    facts: ClassFacts
    read_names: frozenset[str]
    puts: tuple[Put, ...]


class StateReader:
    """Runs constructors abstractly. One reader per run; states are remembered per instance."""

    def __init__(self, evaluator: Interpreter, classes: ClassQueries) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._states: dict[_Identity, tuple[InstanceValue, tuple[Held, ...]]] = {}
        self._running: dict[_Identity, ConstructorRun] = {}
        self._of_classes: dict[int, _OfClass] = {}

    def forget(self) -> None:
        """Let go of all states."""
        self._states.clear()

    def state(self, instance: InstanceValue) -> tuple[Held, ...]:
        """What the instance's attributes may hold, in the order in which construction stores them, followed by
        stores from outside."""
        key = _identity(instance)
        known = self._states.get(key)
        if known is not None:
            return known[1]
        self._states[key] = (instance, ())
        of_class = self._of_class(instance)
        run = ConstructorRun(self._evaluator, self._classes, instance, of_class.read_names)
        self._running[key] = run
        try:
            run.construct()
            run.take_in_others(of_class.puts)
            if instance.ran is not None:
                run.go_on(instance.ran)
            for stored in self._from_outside(instance):
                run.undergo(stored)
            for done in instance.done:
                run.undergo(done)
        except BaseException:
            del self._states[key]
            raise
        finally:
            del self._running[key]
        found = run.attributes.held
        self._states[key] = (instance, found)
        return found

    def read_names(self, instance: InstanceValue) -> frozenset[str]:
        """The properties of an object whose reads matter: see `own_reads.read_names`."""
        return self._of_class(instance).read_names

    def _of_class(self, instance: InstanceValue) -> _OfClass:
        facts = instance.class_.facts
        if id(facts) not in self._of_classes:
            puts = tuple(_put_into_others(instance, self._classes))
            self._of_classes[id(facts)] = _OfClass(facts, read_names(instance, self._classes), puts)
        return self._of_classes[id(facts)]

    def so_far(self, instance: InstanceValue) -> tuple[Held, ...] | None:
        """What an instance holds that is being constructed; None for all others."""
        run = self._running.get(_identity(instance))
        return run.attributes.held if run is not None else None

    def _from_outside(self, instance: InstanceValue) -> Iterator[Done]:
        """Stores on the object by the code that made it, or to which it was given: `ds.transform = lambda …`."""
        if instance.call is None or instance.frame is None:
            return
        names = with_handed_back(instance.call, instance.frame, self._evaluator)
        around = chain.from_iterable(self._evaluator.stores.on(each, instance.frame) for each in names)
        for stored in (*(each for each in around if not is_missed(each, instance.copies)), *instance.later):
            yield stored.done


def _identity(instance: InstanceValue) -> _Identity:
    """What tells an object from others: what made it, and all that was done to it since."""
    class_, later, done = instance.class_, instance.later, instance.done
    return (
        id(class_.facts),
        id(class_.frame),
        id(instance.call),
        id(instance.frame),
        id(instance.ran),
        tuple([(id(frame), id(call)) for frame, call in instance.copies]),
        tuple([(id(each.event), id(each.frame), each.path) for each in later]),
        tuple([(id(each.event), id(each.frame), each.path, each.method, each.doubts, each.to_each) for each in done]),
    )


def _put_into_others(instance: InstanceValue, classes: ClassQueries) -> Iterator[Put]:
    """Where methods put the object into an attribute of what they are given, each with that attribute."""
    for owner in classes.mro(instance):
        if not isinstance(owner, ClassValue) or not owner.module.has(_MAY_PUT):
            continue
        for method in methods_holding(owner.facts.methods, _MAY_PUT, owner.module.code):
            me = method.parameters[0].name if method.parameters else ""
            for event in method.events:
                match event:
                    case ItemStore(target=Attribute(base=Parameter(name=name), name=attribute), value=value):
                        if name != me and is_the_object(without_narrowing(value), me):
                            yield owner, method, event, attribute
                    case _:
                        pass
