"""Pickle time: whether an attribute is stored before the object that has it is pickled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.contexts import ENTER
from lintpickle.facts.records import Called, Event, Implied, ItemStore, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Comprehension,
    Expr,
    Item,
    Name,
    Parameter,
    may_be,
    reads_the_same,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Frame, InstanceValue, Site, Slot
from lintpickle.interpreter.held import Held, ways_into
from lintpickle.interpreter.started_by_methods import is_started_first
from lintpickle.resolution.module_containers import is_put_into

_PICKLED_LATER = frozenset({"dataloader", "process"})
"""Kinds of boundaries whose calls make something that pickles when it starts."""
_PICKLED_BEFORE_RETURN = frozenset({"process", "spawn"})
"""Kinds of boundaries that are sure to have pickled when they return. Threads of pools and executors do it later."""
_START = frozenset({"start"})
_STARTING = _START | {ENTER}
"""What starts a manager, too."""


class PickleTime(Struct, frozen=True, eq=False):
    """A call of a boundary of some kind, in a frame of the function that calls it."""

    kind: str
    call: Call
    frame: Frame

    @property
    def _ways(self) -> Paths:
        return self.frame.paths

    def is_without(self, held: Held) -> bool:
        """Whether an attribute is not there when the call pickles: in a function that leads to both, what stores it
        comes later (`self.workers = Workers(self.run)`, too), or stands where the call is not made (`if processes:
        Process(…) else: self.lock = …`)."""
        return self._is_without_all(list(held.way)) is not None

    def is_without_part(self, slot: Slot, container: Call | None) -> bool:
        """Whether what is put into a container that this call made is made later than the call pickles, by a function
        that is run once on the container."""
        place = self._is_without_all(list(ways_into(slot.frame, slot.value.span)))
        return place is not None and not _runs_again(place, container)

    def _is_without_all(self, stores: Sequence[tuple[Frame, Span]]) -> Frame | None:
        """The innermost function that leads to the call and to what is stored, if the latter is done later there, or
        where the call is not made."""
        for frame, called, moment in self._way_here():
            for storing, stored in stores:
                if storing.module is frame.module and self._is_one(storing, frame):
                    is_later = moment is not None and (stored.start > moment or self._is_before(frame, called, stored))
                    is_later = is_later and not frame.paths.share_a_loop(called.start, stored.start)
                    is_later = is_later and not (frame is self.frame and self._is_run_again)
                    is_without = is_later or frame.paths.exclude_each_other(called.start, stored.start)
                    return frame if is_without else None
        return None

    def _is_before(self, frame: Frame, call: Span, store: Span) -> bool:
        """Whether a function calls, on the way to this call, another one as a part of what stores something: that is
        done when the other one has returned."""
        is_part = store.start <= call.start and call.end <= store.end and store != call
        return is_part and frame is not self.frame and self.kind in _PICKLED_BEFORE_RETURN

    def _way_here(self) -> Iterator[tuple[Frame, Span, int | None]]:
        """The functions on the way to the call, the innermost first: where in them the call is, or what leads to it,
        and behind which offset nothing that they store is pickled."""
        moment = self._moment()
        yield self.frame, self.call.span, moment
        inner = self.frame
        while inner.called_by is not None and not _is_entered_later(inner):
            inner, call = inner.called_by
            yield inner, call.span, call.span.end if moment is not None else None

    def _is_one(self, storing: Frame, frame: Frame) -> bool:
        """Whether a frame is of the same function as one on the way to the call."""
        return self._is_here(storing) if frame is self.frame else storing.function is frame.function

    def _is_here(self, frame: Frame) -> bool:
        """Whether a frame is one of the function that calls, or both are at module level."""
        function = frame.function
        return function is self.frame.function or (
            function.is_module_body and self.frame.function.is_module_body and self.kind in _PICKLED_LATER
        )

    @property
    def is_over_with_function(self) -> bool:
        """Whether everything is pickled when the function that calls is done."""
        return self._moment() is not None

    def is_without_made_at(self, site: Site) -> bool:
        """Whether what the function makes at a place is not what is pickled: the call is made instead of it."""
        is_inside = Site(self.frame.module, self.frame.function.span).contains(site)
        return is_inside and self._ways.exclude_each_other(self.call.span.start, site.span.start)

    def has_started(self, process: Call, maker: Frame) -> bool:
        """Whether a process, or a manager, that was made by that call in a function, and crosses, has been started by
        then."""
        starts = _starts(process, maker, _STARTING)
        if not self._is_here(maker):
            return bool(starts)
        moment = self._moment()
        if moment is None and not starts and is_started_first(process, self.call, self.frame):
            return True
        is_before = moment is not None and process is not self.call and any(start < moment for start in starts)
        if process is self.call and (self._is_run_again or _is_one_of_a_list(process, maker)):
            return bool(starts)  # When the second one of a list is started, the first one has been.
        return is_before or any(self._ways.share_a_loop(self.call.span.start, start) for start in starts)

    def is_kept_as(self, held: Held, holder: InstanceValue) -> bool:
        """Whether the call makes a process that the attribute of an object holds itself when it starts, in place of any
        other one: `self.process = Process(target=self.run)`, then `self.process.start()`."""
        function, mine = self.frame.function, self._object
        if mine is None or mine.call is not holder.call:
            return False
        me = function.parameters[0].name
        starts = _starts(self.call, self.frame)
        return held.direct and any(
            isinstance(event, Store)
            and event.attribute == held.attribute
            and isinstance(event.target, Parameter)
            and event.target.name == me
            and may_be(event.value, self.call)
            and all(self._ways.precedes(event.span.start, start) for start in starts)
            for event in function.events
        )

    def sets_up(self, process: InstanceValue) -> bool:
        """Whether the call is the one by which a process of a class of the program's own sets itself up:
        `super().__init__(target=self.work)`."""
        setup, mine = self.call.function, self._object
        is_setup = isinstance(setup, Attribute) and setup.name == "__init__"
        return is_setup and mine is not None and mine.call is process.call

    @property
    def _is_run_again(self) -> bool:
        """Whether the call is that of a method which has run before on the same object."""
        mine = self._object
        return mine is not None and _has_run(mine)

    @property
    def _object(self) -> InstanceValue | None:
        """The object whose method calls."""
        parameters = self.frame.function.parameters
        me = self.frame.bindings.get(parameters[0].name) if parameters else None
        return me.value if me is not None and isinstance(me.value, InstanceValue) else None

    def _moment(self) -> int | None:
        """Behind which offset nothing that the function stores is pickled; None if that cannot be told."""
        if self.kind not in _PICKLED_LATER:
            return self.call.span.end
        return min(_starts(self.call, self.frame), default=None)

    @property
    def start_or_end(self) -> int:
        """Where a process that the call makes is surely started first; else the end of the code that makes it."""
        maker = self.frame.function
        end = len(self.frame.module.code) if maker.is_module_body else maker.span.end
        return min(_starts(self.call, self.frame), default=end)


def _runs_again(frame: Frame, container: Call | None) -> bool:
    """Whether a function that gets a container may be run several times on it: a caller calls it in a loop in which the
    container is not made, or at several places."""
    while frame.called_by is not None:
        outer, call = frame.called_by
        place = call.span.start
        is_made_here = container is not None and outer.function.span.start <= container.span.start < place
        made_in_loop = container is not None and outer.paths.share_a_loop(container.span.start, place)
        if outer.paths.share_a_loop(place, place) and not (is_made_here and made_in_loop):
            return True
        calls = [each.call for each in outer.function.events if isinstance(each, Called)]
        if any(each is not call and reads_the_same(each.function, call.function) for each in calls):
            return True
        if is_made_here:
            return False
        frame = outer
    return False


def _has_run(instance: InstanceValue) -> bool:
    return instance.ran is not None and instance.ran.again


def _is_entered_later(frame: Frame) -> bool:
    """Whether what led to a frame only made the object whose method it is of: where that is called is not known."""
    function = frame.function
    me = frame.bindings.get(function.parameters[0].name) if function.parameters else None
    made = me.value if me is not None and function.name != "__init__" else None
    return isinstance(made, InstanceValue) and frame.called_by is not None and made.call is frame.called_by[1]


def _starts(process: Call, maker: Frame, methods: frozenset[str] = _START) -> list[int]:
    """The offsets at which the function that makes a process surely calls one of the methods that start it."""
    events = _events_around(process, maker)
    starts = (event for event in events if isinstance(event, (Called, Implied)) and _is_call_of(methods, event))
    return [event.span.end for event in starts if _is_start(event, process, maker)]


def _events_around(process: Call, maker: Frame) -> Iterator[Event]:
    """The events of the function that makes a process; of a module, those of all statements that name the process."""
    yield from maker.function.events
    if maker.function.is_module_body:
        blocks = (
            block
            for name in maker.module.outline.touched_at(process.span)
            for block in maker.module.blocks_touching(name)
            if block.body is not maker.function
        )
        for block in {block.body.span.start: block for block in blocks}.values():
            yield from block.body.events


def _is_call_of(methods: frozenset[str], event: Called | Implied) -> bool:
    return isinstance(event.call.function, Attribute) and event.call.function.name in methods


def _is_start(event: Called | Implied, process: Call, maker: Frame) -> bool:
    """Whether the call starts the process wherever that is made: always, or in the same loop, or in a loop over a list
    in which it is."""
    base = event.call.function.base if isinstance(event.call.function, Attribute) else event.call.function
    if base is process:
        return True
    made, started = process.span.start, event.span.start
    if isinstance(base, Name):
        return is_put_into(base, base.name, process, event, maker.module) and not event.conditional
    events = maker.function.events
    if may_be(base, process) or any(stored is process for stored in _stored_as(base, events)):
        ways = maker.paths
        return not event.conditional or ways.share_a_loop(made, started) or ways.is_followed_by(made, started)
    if isinstance(base, Item) and base.key is None:
        lists = (base.base, *_stored_as(base.base, events), *_bound_to(base.base, event, maker))
        is_in_it = any(_is_put_into(each, process, events) for each in lists)
        is_elsewhere = (
            maker.function.is_module_body and not maker.function.span.start <= started < maker.function.span.end
        )
        return is_in_it and (is_elsewhere or maker.paths.is_followed_by(made, started, are_loops_run=True))
    return False


def _bound_to(value: Expr, event: Called | Implied, maker: Frame) -> Iterator[Expr]:
    """What a name of the module's level has been bound to when an event happens."""
    if isinstance(value, Name) and maker.function.is_module_body:
        for block in maker.module.blocks_binding(value.name):
            bound = block.values.get(value.name)
            if bound is not None and is_put_into(value, value.name, bound, event, maker.module):
                yield bound


def _stored_as(value: Expr, events: Iterable[Event]) -> Iterator[Expr]:
    """What a function stores in attributes of the name that a value has, if it is one."""
    if isinstance(value, Attribute):
        yield from (each.value for each in events if isinstance(each, Store) and each.attribute == value.name)


def _is_put_into(held: Expr, process: Call, events: Sequence[Event]) -> bool:
    """Whether a process is an element of a list: it is made in it, or put into it."""
    match without_narrowing(held):
        case Comprehension(element=element):
            return may_be(element, process)
        case Collection(elements=elements) if any(may_be(element, process) for element in elements):
            return True
        case found:
            puts = (each for each in events if isinstance(each, ItemStore) and may_be(each.value, process))
            return any(reads_the_same(each.target, found) for each in puts)


def _is_one_of_a_list(process: Call, maker: Frame) -> bool:
    """Whether a call makes several processes that are kept: in a comprehension, or in a loop that puts them into
    something."""
    events, made = maker.function.events, process.span.start
    kept = (without_narrowing(event.value) for event in events if isinstance(event, Store))
    if any(isinstance(value, Comprehension) and may_be(value.element, process) for value in kept):
        return True
    is_put = any(isinstance(event, ItemStore) and may_be(event.value, process) for event in events)
    return is_put and maker.paths.share_a_loop(made, made)
