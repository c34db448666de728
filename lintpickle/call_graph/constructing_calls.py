"""The calls that make instances of a class of the program, and what they make."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.call_graph.named_calls import CLASS_CALL, NamedCalls, calls_of, first_callers
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue, Site, TracedValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.resolution.boundary_aliases import BoundaryAliases


class ConstructingCalls:
    """Finds them for one evaluator. `asker` is the path of the module being judged."""

    def __init__(self, evaluator: Evaluator, named: NamedCalls, aliases: BoundaryAliases) -> None:
        self._evaluator = evaluator
        self._named = named
        self._aliases = aliases

    def of_class(self, class_: ClassValue, asker: str) -> Iterator[TracedValue]:
        """The instances of a class or its subclasses that calls in the program make, each with its call site."""
        names = self._aliases.derived(class_.facts.name, asker)
        for caller in self._named.mentioning(names, CLASS_CALL, asker):
            for event in calls_of(names, caller.function, caller.frame.module):
                site = Site(caller.frame.module, event.call.span)
                for instance in self._instances(event.call, caller.frame):
                    line = self._evaluator.classes.mro(instance.class_)
                    if any(isinstance(each, ClassValue) and each.facts is class_.facts for each in line):
                        yield TracedValue(instance, site)

    def with_method(self, root: RootFrame, asker: str) -> Iterator[tuple[RootFrame, Called]]:
        """The calls that make an instance with the method, up to a limit, each with the enclosing function."""
        owner = root.owner
        names = self._aliases.derived(owner.facts.name, asker) if owner is not None else frozenset[str]()
        found = (
            (caller, event)
            for caller in self._named.mentioning(names, CLASS_CALL, asker)
            for event in calls_of(names, caller.function, caller.frame.module)
            if any(True for _ in self.made(event.call, caller.frame, root))
        )
        return first_callers(found, self._evaluator.cuts)

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
