"""Pickle time: whether an attribute is stored before the object that has it is pickled."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.control_flow.paths import Paths
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Attribute, Call, may_be
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.interpreter.held import Held

_PICKLED_LATER = frozenset({"dataloader", "process"})
"""Kinds of boundaries whose calls make something that pickles when it starts."""


class PickleTime(Struct, frozen=True, eq=False):
    """A call of a boundary of some kind, in a frame of the function that calls it."""

    kind: str
    call: Call
    frame: Frame

    @property
    def _ways(self) -> Paths:
        return self.frame.paths

    def is_without(self, held: Held) -> bool:
        """Whether an attribute that the same run of the function stores is not there when the call pickles: it is
        stored later, or where the call is not made (`if processes: Process(…) else: self.lock = …`)."""
        if held.frame.function is not self.frame.function or held.site.module is not self.frame.module:
            return False
        stored, called = held.site.span.start, self.call.span.start
        moment = self._moment()
        if moment is not None and stored > moment and not self._ways.share_a_loop(called, stored):
            return True
        return self._ways.exclude_each_other(called, stored)

    def is_without_made_at(self, site: Site) -> bool:
        """Whether what the function makes at a place is not what is pickled: the call is made instead of it."""
        is_inside = Site(self.frame.module, self.frame.function.span).contains(site)
        return is_inside and self._ways.exclude_each_other(self.call.span.start, site.span.start)

    def has_started(self, process: Call, maker: Frame) -> bool:
        """Whether a process that was made by that call in a function, and crosses, has been started by then."""
        starts = _starts(process, maker)
        if maker.function is not self.frame.function:
            return bool(starts)
        moment = self._moment()
        is_before = moment is not None and process is not self.call and any(start < moment for start in starts)
        return is_before or any(self._ways.share_a_loop(self.call.span.start, start) for start in starts)

    def _moment(self) -> int | None:
        """Behind which offset nothing that the function stores is pickled; None if that cannot be told."""
        if self.kind not in _PICKLED_LATER:
            return self.call.span.end
        return min(_starts(self.call, self.frame), default=None)


def _starts(process: Call, maker: Frame) -> list[int]:
    """The offsets at which the function that makes a process surely starts it."""
    events = maker.function.events
    names = {event.attribute for event in events if isinstance(event, Store) and event.value is process}
    paths = maker.paths
    return [event.span.end for event in events if isinstance(event, Called) and _is_start(event, process, names, paths)]


def _is_start(event: Called, process: Call, names: set[str], paths: Paths) -> bool:
    """Whether the call starts the process wherever that is made: always, or in the same loop."""
    match event.call.function:
        case Attribute(base=base, name="start"):
            is_it = may_be(base, process) or (isinstance(base, Attribute) and base.name in names)
            is_certain = not event.conditional or (is_it and paths.share_a_loop(process.span.start, event.span.start))
            return base is process or (is_it and is_certain)
        case _:
            return False
