from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, known_ancestors
from lintpickle.analyses.pickle_hooks.lost_slots import lost_slot
from lintpickle.rules.authoring import (
    ClassValue,
    Crossing,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
    Site,
)


class GetstateLosesSlots(Rule):
    """A `__getstate__` that returns `self.__dict__`, where the class keeps attributes in `__slots__` too."""

    code = "LP610"
    name = "getstate-loses-slots"
    message = "`{class_}.__getstate__` returns what is in `__dict__`, and `{slot}` is in `__slots__`: {error}"
    help = "put the slots into the state too, or leave `__getstate__` out: without it, pickle sends both"
    value_types = (InstanceValue,)
    marks = frozenset()
    of_results = True
    words = frozenset({"__getstate__"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        """Yield what objects lose that are seen to cross, by the way they go."""
        if isinstance(crossing.value, InstanceValue):
            yield from self._of_class(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        yield from self._of_class(class_, linker)

    def _of_class(self, class_: ClassValue, linker: Linker) -> tuple[Hazard, ...]:
        """The hazards of a class, computed once, because many instances of it may cross."""
        return linker.remembered((self.code, *class_.key), lambda: tuple(_losing(class_, linker)))


def _losing(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    method = class_.facts.methods.get("__getstate__")
    line = known_ancestors(class_, linker.classes)
    if method is None or method.decorators or not method.parameters or line is None or defines(line, *REDUCERS):
        return
    lost = lost_slot(class_, line, method)
    if lost is not None:
        yield Hazard(
            site=Site(class_.module, method.header),
            noun=f"it leaves `{lost.slot}` out",
            error=f"AttributeError: '{class_.facts.name}' object has no attribute '{lost.missed}'",
            data={"class_": class_.facts.name, "slot": lost.slot},
        )
