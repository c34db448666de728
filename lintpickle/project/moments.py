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

    def has_started(self, process: Call, maker: FunctionFacts) -> bool:
        """Whether a process that was made by that call in a function, and crosses, has been started by then."""
        starts = _starts(process, maker)
        if maker is not self.function:
            return bool(starts)
        moment = self._moment()
        is_before = moment is not None and process is not self.call and any(start < moment for start in starts)
        return is_before or any(self.module.share_a_loop(self.call.span.start, start) for start in starts)

    def _moment(self) -> int | None:
        """Behind which offset nothing that the function stores is pickled; None if that cannot be told."""
        if self.kind not in _PICKLED_LATER:
            return self.call.span.end
        return min(_starts(self.call, self.function), default=None)


def _starts(process: Call, maker: FunctionFacts) -> list[int]:
    """The offsets at which the function that makes a process surely starts it."""
    names = {event.attribute for event in maker.events if isinstance(event, Store) and event.value is process}
    calls = [event for event in maker.events if isinstance(event, Called)]
    return [event.span.end for event in calls if _is_start(event, process, names)]


def _is_start(event: Called, process: Call, names: set[str]) -> bool:
    match event.call.function:
        case Attribute(base=Attribute(name=name), name="start"):
            return name in names and not event.conditional
        case Attribute(base=base, name="start"):
            return base is process or (may_be(base, process) and not event.conditional)
        case _:
            return False
