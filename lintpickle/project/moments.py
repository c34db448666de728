"""Moments: whether an attribute is stored when the object that has it is pickled."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, may_be
from lintpickle.project.module import Module
from lintpickle.project.state import Held
from lintpickle.project.things import Site

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

    def is_without_made_at(self, site: Site) -> bool:
        """Whether what the function makes at a place is not what is pickled: the call is made instead of it."""
        span = self.function.span
        if site.module is not self.module or not span.start <= site.span.start < span.end:
            return False
        return self.module.exclude_each_other(self.call.span.start, site.span.start)

    def has_started(self, process: Call, maker: FunctionFacts) -> bool:
        """Whether a process that was made by that call in a function, and crosses, has been started by then."""
        starts = self._starts(process, maker)
        if maker is not self.function:
            return bool(starts)
        moment = self._moment()
        is_before = moment is not None and process is not self.call and any(start < moment for start in starts)
        return is_before or any(self.module.share_a_loop(self.call.span.start, start) for start in starts)

    def _moment(self) -> int | None:
        """Behind which offset nothing that the function stores is pickled; None if that cannot be told."""
        if self.kind not in _PICKLED_LATER:
            return self.call.span.end
        return min(self._starts(self.call, self.function), default=None)

    def _starts(self, process: Call, maker: FunctionFacts) -> list[int]:
        """The offsets at which the function that makes a process surely starts it."""
        names = {event.attribute for event in maker.events if isinstance(event, Store) and event.value is process}
        calls = [event for event in maker.events if isinstance(event, Called)]
        return [event.span.end for event in calls if self._is_start(event, process, names)]

    def _is_start(self, event: Called, process: Call, names: set[str]) -> bool:
        match event.call.function:
            case Attribute(base=base, name="start"):
                is_it = may_be(base, process) or (isinstance(base, Attribute) and base.name in names)
                return base is process or (is_it and self._is_certain(event, process))
            case _:
                return False

    def _is_certain(self, event: Called, process: Call) -> bool:
        """Whether what happens to a process does so wherever it is made: always, or in the same loop."""
        return not event.conditional or self.module.share_a_loop(process.span.start, event.span.start)
