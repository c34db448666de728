from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.hierarchies import REDUCERS, defines, known_ancestors
from lintpickle.analyses.lost_slots import lost_slot
from lintpickle.rules.authoring import ClassValue, Hazard, Linker, Rule, Site


class GetstateLosesSlots(Rule):
    """A `__getstate__` that returns `self.__dict__`, where the class keeps attributes in `__slots__` too."""

    code = "LP610"
    name = "getstate-loses-slots"
    message = "`{class_}.__getstate__` returns what is in `__dict__`, and `{slot}` is in `__slots__`: {error}"
    help = "put the slots into the state too, or leave `__getstate__` out: without it, pickle sends both"
    words = frozenset({"__getstate__"})

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
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
