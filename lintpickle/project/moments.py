"""Moments: whether an attribute is stored when the object that has it is pickled."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, may_be
from lintpickle.project.module import Module
from lintpickle.project.state import Held

_PICKLED_LATER = frozenset({"dataloader", "process"})
"""Kinds of boundaries whose calls make something that pickles when it starts."""


class Pickling(Struct, frozen=True, eq=False):
    """A call of a boundary of some kind, in a function of a module."""

    kind: str
    call: Call
    function: FunctionFacts
    module: Module

    def is_without(self, held: Held) -> bool:
        """Whether an attribute that the same run of the function stores is not there when the call pickles: it is
        stored later, or where the call is not made (`if processes: Process(…) else: self.lock = …`)."""
        if held.frame.function is not self.function or held.site.module is not self.module:
            return False
        stored, called = held.site.span.start, self.call.span.start
        moment = self._moment()
        if moment is not None and stored > moment and not self.module.share_a_loop(called, stored):
            return True
        return self.module.exclude_each_other(called, stored)

    def _moment(self) -> int | None:
        """Behind which offset nothing that the function stores is pickled; None if that cannot be told."""
        if self.kind not in _PICKLED_LATER:
            return self.call.span.end
        names = {
            event.attribute for event in self.function.events if isinstance(event, Store) and event.value is self.call
        }
        starts = [
            event.span.end
            for event in self.function.events
            if isinstance(event, Called) and self._is_start(event, names)
        ]
        return min(starts, default=None)

    def _is_start(self, event: Called, names: set[str]) -> bool:
        match event.call.function:
            case Attribute(base=Attribute(name=name), name="start"):
                return name in names and not event.conditional
            case Attribute(base=base, name="start"):
                return base is self.call or (may_be(base, self.call) and not event.conditional)
            case _:
                return False
