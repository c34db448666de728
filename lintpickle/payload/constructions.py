"""Constructions: what objects of a class can hold, given the calls that make them."""

from __future__ import annotations

from lintpickle.call_graph.callers import Callers
from lintpickle.interpreter.abstract_values import ClassValue, Doubt, InstanceValue, Site, TracedValue
from lintpickle.interpreter.conditions import Conditions
from lintpickle.limits import CALLERS
from lintpickle.payload.confidence import FilePurposes
from lintpickle.payload.payload import Crossing, Payload
from lintpickle.program.module import Module
from lintpickle.source.file_kinds import PlaceKind

_OPTIONAL = frozenset({Doubt.DEFAULT, Doubt.CONDITION})
"""Doubts that the arguments of a call may resolve."""


class Constructions:
    """Compares what classes ship by their kind with the constructions in the program."""

    def __init__(self, callers: Callers, payload: Payload, conditions: Conditions, purposes: FilePurposes) -> None:
        self._callers = callers
        self._payload = payload
        self._conditions = conditions
        self._purposes = purposes
        self._made: dict[int, tuple[ClassValue, tuple[TracedValue, ...]]] = {}
        self._shipped: dict[int, tuple[ClassValue, frozenset[Site]]] = {}

    def exclude(self, crossing: Crossing) -> bool:
        """Whether no object of the class that ships a value by its kind comes to hold it, as far as the program shows:
        its default is never used, or nobody turns on the option that it is behind. Where nothing but tests makes
        objects, users are taken to use defaults, but no options."""
        shipping = _outermost(crossing)
        if not isinstance(shipping.value, InstanceValue) or _OPTIONAL.isdisjoint(crossing.doubts):
            return False
        class_ = shipping.value.class_
        made = self._of(class_)
        if not made:
            return self._is_behind_option(crossing)
        return len(made) < CALLERS.most and crossing.site not in self._sites(class_, made, shipping)

    def _of(self, class_: ClassValue) -> tuple[TracedValue, ...]:
        key = id(class_.facts)
        if key not in self._made:
            found = self._callers.constructions(class_, class_.module.path)
            if not self._is_test(class_.module):
                found = (each for each in found if not self._is_test(each.site.module))
            self._made[key] = (class_, tuple(self._callers.first(found)))
        return self._made[key][1]

    def _is_test(self, module: Module) -> bool:
        return self._purposes.kind(module.path) is PlaceKind.TESTS

    def _sites(self, class_: ClassValue, made: tuple[TracedValue, ...], shipping: Crossing) -> frozenset[Site]:
        """Where all that comes to be that one of some objects of a class ships."""
        key = id(class_.facts)
        if key not in self._shipped:
            of_each = (self._payload.crossings(each, shipping.root, shipping.path, None) for each in made)
            self._shipped[key] = (class_, frozenset(each.site for of_one in of_each for each in of_one))
        return self._shipped[key][1]

    def _is_behind_option(self, crossing: Crossing) -> bool:
        inner: Crossing | None = crossing
        while inner is not None:
            held = inner.held
            if held is not None and self._conditions.is_behind_option(held.site.span, held.frame):
                return True
            inner = inner.inside
        return False


def _outermost(crossing: Crossing) -> Crossing:
    while crossing.inside is not None:
        crossing = crossing.inside
    return crossing
