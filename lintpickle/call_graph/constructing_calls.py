"""The calls that make instances of a class of the program, and what they make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from lintpickle.call_graph.named_calls import CLASS_CALL, NamedCalls, calls_of, first_callers
from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Bound, ClassValue, Frame, InstanceValue, Site, TracedValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.root_frames import RootFrame, RootFrames
from lintpickle.resolution.boundary_aliases import BoundaryAliases

_OWN_CLASS = re.compile(r"\bcls\s*\(")


class ConstructingCalls:
    """Finds them for one evaluator. `asker` is the path of the module being judged."""

    def __init__(self, evaluator: Evaluator, roots: RootFrames, named: NamedCalls, aliases: BoundaryAliases) -> None:
        self._evaluator = evaluator
        self._roots = roots
        self._named = named
        self._aliases = aliases

    def of_class(self, class_: ClassValue, asker: str) -> Iterator[TracedValue]:
        """The instances of a class or its subclasses that calls in the program make, each with its call site."""
        for caller, event in self._calls(class_, asker):
            site = Site(caller.frame.module, event.call.span)
            for instance in self._instances(event.call, caller.frame):
                if self._evaluator.classes.derives(instance, class_):
                    yield TracedValue(instance, site)

    def with_method(self, root: RootFrame, asker: str) -> Iterator[tuple[RootFrame, Called]]:
        """The calls that make an instance with the method, up to a limit, each with the enclosing function."""
        calls = self._calls(root.owner, asker) if root.owner is not None else ()
        found = (each for each in calls if any(True for _ in self.made(each[1].call, each[0].frame, root)))
        return first_callers(found, self._evaluator.cuts)

    def _calls(self, class_: ClassValue, asker: str) -> Iterator[tuple[RootFrame, Called]]:
        """The calls that may make instances of a class."""
        names = self._aliases.derived(class_.facts.name, asker)
        for caller in self.callers(class_, names, CLASS_CALL, asker):
            yield from ((caller, event) for event in calls_of(names, caller.function, caller.frame.module))

    def callers(self, class_: ClassValue, names: frozenset[str], form: str, asker: str) -> Iterator[RootFrame]:
        """The functions that may call a class by one of its names, in a form, or as class methods of it (`cls(path)`),
        each once."""
        named = self._named.mentioning(names, form, asker)  # Asked at once, whoever takes what is found.
        return _each_once(chain(named, self._class_methods(class_)))

    def _class_methods(self, class_: ClassValue) -> Iterator[RootFrame]:
        """The class methods that a class has, or inherits, which call what they are called on: the class."""
        for owner in self._evaluator.classes.mro(class_):
            if not isinstance(owner, ClassValue) or owner.frame is not None:
                continue
            for method in methods_holding(owner.facts.methods, _OWN_CLASS, owner.module.code):
                if method.decorated_by("classmethod") and method.parameters:
                    yield self._called_on(class_, self._roots.of_method(owner, method))

    def _called_on(self, class_: ClassValue, method: RootFrame) -> RootFrame:
        owner = method.owner
        if owner is None or owner.facts is class_.facts:
            return method
        bindings = {**method.frame.bindings, method.function.parameters[0].name: Bound(value=class_)}
        return RootFrame(replace(method.frame, bindings=bindings), owner)

    def made(self, call: Call, frame: Frame, root: RootFrame) -> Iterator[InstanceValue]:
        """The instances with the method that a call makes, if it is the call of their class."""
        for traced in self._evaluator.evaluate(call.function, frame):
            if isinstance(traced.value, ClassValue):
                found = self._evaluator.classes.find_method(traced.value, root.function.name)
                if found is not None and found[1] is root.function:
                    yield from self._objects(call, frame)

    def owner_of(self, class_: ClassValue, function: FunctionFacts) -> ClassValue | None:
        """The class, or the one that it derives from, whose constructor the function is."""
        found = self._evaluator.classes.find_method(class_, "__init__") if function.name == "__init__" else None
        return found[0] if found is not None and found[1] is function else None

    def _instances(self, call: Call, frame: Frame) -> Iterator[InstanceValue]:
        """What a call makes, if it is the call of a class."""
        called = (traced.value for traced in self._evaluator.evaluate(call.function, frame))
        if any(isinstance(value, ClassValue) for value in called):
            yield from self._objects(call, frame)

    def _objects(self, call: Call, frame: Frame) -> Iterator[InstanceValue]:
        """What a call gives that is an object of a class that is read."""
        for made in self._evaluator.evaluate(call, frame):
            if isinstance(made.value, InstanceValue):
                yield made.value


def _each_once(callers: Iterable[RootFrame]) -> Iterator[RootFrame]:
    seen = set[int]()
    for caller in callers:
        if id(caller.function) not in seen:
            seen.add(id(caller.function))
            yield caller
