"""What callers put aside before they call the method of an object that ships the object itself: `job.lock = None`, then
`job.launch()`, whose `Process(target=self.loop)` pickles it; or the `start()` of a process of the program's own class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lintpickle.boundaries.boundary_call import ITSELF
from lintpickle.call_graph.named_calls import NamedCalls
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import UNNAMED, Attribute, Parameter, Super, without_narrowing
from lintpickle.interpreter.abstract_values import UNKNOWN, ClassValue, Frame, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.pickle_time import PickleTime
from lintpickle.interpreter.probes import Probes
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import PUT_ASIDE_CALLS
from lintpickle.parsing.syntax import is_special_name
from lintpickle.payload.replaced import attributes_emptied, is_emptied_before

_START = "start"


class PutAside:
    """Finds the calls that lead to a method, by its name, for one evaluator. `asker` is the path of the module that is
    judged."""

    def __init__(self, evaluator: Evaluator, named: NamedCalls, probes: Probes) -> None:
        self._evaluator = evaluator
        self._named = named
        self._probes = probes
        self._emptied: dict[tuple[str, str], frozenset[str]] = {}
        self._in_constructors: dict[tuple[str, str], list[tuple[RootFrame, Called]]] = {}

    def is_emptied(self, name: str, instance: InstanceValue, pickling: PickleTime) -> bool:
        """Whether all calls of the method that ships an object come after the attribute was given None."""
        method, asker = shipping_method(instance, pickling), pickling.frame.module.path
        if method is None or self._emptied_by_callers(method, asker).isdisjoint((name, UNNAMED)):
            return False  # As nearly always: whose method is called there need not be evaluated.
        return self._all(
            method,
            instance.class_,
            asker,
            lambda root, event, base: is_emptied_before(event.call, base.base, name, root.frame, self._evaluator),
        )

    def is_stored_later(self, held: Held, instance: InstanceValue, pickling: PickleTime) -> bool:
        """Whether all calls of the method that ships an object are made by its constructor, before that stores the
        attribute (`self.start_workers()`, then `self.lock = Lock()`); or the method `start` of a process stores it
        behind `super().start()`."""
        method = shipping_method(instance, pickling)
        if method == _START and _is_stored_behind_start(held):
            return True
        asker = pickling.frame.module.path
        if method is None or not pickling.is_over_with_function or not self._is_called_before(held, method, asker):
            return False
        is_called = False
        for root, event in self._named.of_method(method, asker):
            function = event.call.function
            if isinstance(function, Attribute) and self._may_be(function, instance.class_, root.frame):
                if not root.is_constructor or not held.is_stored_behind(event.span, root.function):
                    return False
                is_called = True
        return is_called

    def is_asked_first(self, method: str, class_: ClassValue, asker: str) -> bool:
        """Whether all calls of a method come after the question whether its object can be pickled."""

        def asks(root: RootFrame, event: Called, called: Attribute) -> bool:
            return self._probes.is_asked_before(event, [called.base], root.frame)

        if not any(asks(*call) for call in self._leading_to(method, asker)):
            return False
        return self._all(method, class_, asker, asks)

    def _emptied_by_callers(self, method: str, asker: str) -> frozenset[str]:
        """The names of all attributes to which functions that may lead to a method of a name give None, whatever their
        objects are."""
        key = (method, asker)
        if key not in self._emptied:
            self._emptied[key] = frozenset(
                attribute
                for root, _, _ in self._leading_to(method, asker)
                for attribute in attributes_emptied(root.function)
            )
        return self._emptied[key]

    def _leading_to(self, method: str, asker: str) -> Iterator[tuple[RootFrame, Called, Attribute]]:
        """All that `_calls` chooses from by the class: the calls of methods of a name, and of those that make such a
        call on their own object, whatever that is."""
        names, known = {method}, set[str]()
        for _ in range(PUT_ASIDE_CALLS.most + 1):
            known |= names
            passing = set[str]()
            for name in sorted(names):
                for root, event in self._named.of_method(name, asker):
                    if isinstance(event.call.function, Attribute):
                        yield root, event, event.call.function
                        passing |= {root.function.name} if _is_passed_on(event, name, root) else set()
            names = passing - known

    def _is_called_before(self, held: Held, method: str, asker: str) -> bool:
        """Whether a constructor calls a method of a name before it stores a value."""
        key = (method, asker)
        if key not in self._in_constructors:
            named = self._named.of_method(method, asker)
            self._in_constructors[key] = [(root, event) for root, event in named if root.is_constructor]
        return any(held.is_stored_behind(event.span, root.function) for root, event in self._in_constructors[key])

    def _all(
        self, method: str, class_: ClassValue, asker: str, does: Callable[[RootFrame, Called, Attribute], bool]
    ) -> bool:
        is_called = False
        for call in self._calls(method, class_, asker, 0):
            if not does(*call):
                return False
            is_called = True
        return is_called

    def _calls(
        self, method: str, class_: ClassValue, asker: str, level: int
    ) -> Iterator[tuple[RootFrame, Called, Attribute]]:
        """The calls of a method of that name on what may be an object of the class, each with what is called; in place
        of those on `self`, the calls of the method that makes them."""
        for root, event in self._named.of_method(method, asker):
            function = event.call.function
            if not isinstance(function, Attribute) or not self._may_be(function, class_, root.frame):
                continue
            if not _is_passed_on(event, method, root):
                yield root, event, function
            elif level < PUT_ASIDE_CALLS.most:
                yield from self._calls(root.function.name, class_, asker, level + 1)
            else:
                self._evaluator.cuts.note(PUT_ASIDE_CALLS)
                yield root, event, function

    def _may_be(self, function: Attribute, class_: ClassValue, frame: Frame) -> bool:
        derives = self._evaluator.classes.derives
        for traced in self._evaluator.evaluate(function.base, frame):
            match traced.value:
                case InstanceValue(class_=other):
                    if derives(other, class_) or derives(class_, other):
                        return True
                case value if value is UNKNOWN:
                    return True
                case _:
                    pass
        return False


def _is_passed_on(event: Called, method: str, root: RootFrame) -> bool:
    """Whether a method of another name calls a method on its own object, so that its callers lead there."""
    match event.call.function:
        case Attribute(base=base) if not root.is_constructor:
            base, name = without_narrowing(base), root.function.name
            is_own = isinstance(base, Parameter) and base.name == root.instance_name
            return is_own and name != method and not is_special_name(name)
        case _:
            return False


def _is_stored_behind_start(held: Held) -> bool:
    functions = (frame.function for frame, _ in held.way if frame.function.name == _START)
    return any(
        isinstance(event, Called)
        and isinstance(event.call.function, Attribute)
        and isinstance(event.call.function.base, Super)
        and event.call.function.name == _START
        and not event.conditional
        and held.is_stored_behind(event.span, function)
        for function in functions
        for event in function.events
    )


def shipping_method(instance: InstanceValue, pickling: PickleTime) -> str | None:
    """The name of the method of an object whose call makes a boundary pickle the object; None if that is no method."""
    call, frame = pickling.call, pickling.frame
    if instance.call is call and pickling.kind == "process":
        return _START
    function: FunctionFacts = frame.function
    first = function.parameters[0].name if function.parameters else None
    me = frame.bindings.get(first) if first is not None else None
    if me is None or not isinstance(me.value, InstanceValue) or me.value.call is not instance.call:
        return None
    return function.name if instance.call is not None and function.name != "__init__" else None


def method_that_ships(payload: tuple[str, ...], root: RootFrame) -> str | None:
    """The name of the method whose call makes a boundary in a function pickle the object itself."""
    if ITSELF in payload:
        return _START
    return root.function.name if root.owner is not None and not root.is_constructor else None
