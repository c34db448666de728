"""Payload: everything that crosses a boundary with an object, each with the trail that leads to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from lintpickle.call_graph.handed_on import after_handing_on
from lintpickle.call_graph.running import after_calls, after_length
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Store
from lintpickle.facts.values import UNNAMED, Attribute, Call, Captured, Expr, options_of, parameter_name
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ContainerValue,
    Doubt,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
    Slot,
    TracedValue,
    joined,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.fields import field_names
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.overwritten import values_left
from lintpickle.interpreter.parts import after_all
from lintpickle.interpreter.pickle_time import PickleTime
from lintpickle.interpreter.pickling_hooks import Shipped
from lintpickle.interpreter.reducers import is_kept_back, is_registered
from lintpickle.interpreter.slots import OBJECT_DICT, excerpt
from lintpickle.limits import CROSSINGS, TRAIL
from lintpickle.payload.by_kind import ALWAYS_FOLLOWED_KINDS, ByKind
from lintpickle.payload.contradictions import Contradictions
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.filled_attributes import as_filled
from lintpickle.payload.lengths_asked import is_length_asked
from lintpickle.payload.put_aside import PutAside
from lintpickle.payload.recurrence import Around, identity, repeats
from lintpickle.payload.replaced import Replaced, is_emptied_before
from lintpickle.payload.stored_later import not_stored_later
from lintpickle.payload.stored_names import name_given
from lintpickle.payload.suspended import may_be_suspended
from lintpickle.payload.unpicklable_bases import OF_CLASS, as_base_makes_it

_BY_FIELDS = frozenset({"dataclasses.asdict", "dataclasses.astuple"})
"""Boundaries that leave out whatever of a dataclass is no field."""
_BY_VALUE = frozenset({"cloudpickle", "dill"})
"""Kinds of boundary that send local functions with what they close over (measured with distributed, ray, datasets)."""
_DATASET = "dataset"
"""The argument of a DataLoader whose length it and its samplers ask for."""
_DATAPIPE = "torch.utils.data.IterDataPipe"
"""The kind of torch's datapipes, which a DataLoader pickles with dill if that is installed (torch 2.13, measured)."""


class Payload:
    """Follows payloads through attributes, containers, partials and bound methods."""

    def __init__(self, evaluator: Evaluator, by_kind: ByKind, put_aside: PutAside) -> None:
        self._evaluator = evaluator
        self._put_aside = put_aside
        self._by_kind = by_kind
        self._contradictions = Contradictions(evaluator)
        self._replaced = Replaced(evaluator)
        self.left_out: set[tuple[ClassValue, str]] = set()
        """The attributes that boundaries were seen to ship without the value that they once held, each with the class
        of the object."""

    def crossings(self, start: TracedValue, root: Root, path: str, role: str | None) -> Iterator[Crossing]:
        """Everything that crosses with `start`, itself included, each value once and by the shortest way: breadth
        first, so that a deep part does not use up what may be looked at before its neighbours are. With what is
        payload by its kind (other than datasets), what is so itself is left out."""
        first = Crossing(start.value, start.site, start.hops, path, root, role, doubts=start.doubts)
        waiting: deque[tuple[Crossing, Around, bool]] = deque([(first, (), False)])
        seen, places, count = set[object](), set[object](), 0
        while waiting:
            crossing, around, is_filled = waiting.popleft()
            key = identity(crossing.value), is_filled
            if key in seen or self._is_too_far(crossing, count) or self._is_made_instead(crossing):
                continue
            seen.add(key)
            count += 1
            place = crossing.path, crossing.site.module.path, crossing.site.span
            if not is_filled or place not in places:
                yield crossing  # What nothing was done to is not told again.
            places.add(place)
            if root.whole or crossing is first or not isinstance(crossing.value, InstanceValue):
                if isinstance(crossing.value, InstanceValue):
                    if repeats(crossing.value, around):
                        continue
                    around = (crossing.value, around)
                waiting.extend((inner, around, is_filled) for inner in self._inside(crossing))
                waiting.extend((inner, around, True) for inner in self._filled_inside(crossing))

    def _is_too_far(self, crossing: Crossing, count: int) -> bool:
        """Whether a value is not looked at because so many were, or because the way to it is too long."""
        limit = CROSSINGS if count >= CROSSINGS.most else TRAIL if len(crossing.hops) > TRAIL.most else None
        if limit is not None:
            self._evaluator.cuts.note(limit)
        return limit is not None

    def _is_made_instead(self, crossing: Crossing) -> bool:
        """Whether a value is made where what is shipped is not pickled."""
        pickling, spec = crossing.root.pickling, crossing.root.spec
        if pickling is None or spec is None:
            return False
        if crossing.inside is not None and pickling.is_without_made_at(crossing.site):
            return True
        if self._contradictions.is_chosen_apart(crossing.value, crossing.site, spec, pickling):
            return True
        if self._contradictions.is_made_without_workers(crossing.site, spec, pickling):
            return True
        return self._contradictions.is_never_shipped(crossing.value, crossing.site, crossing.held, spec, pickling)

    def is_never_reached(self, place: Span, frame: Frame, root: Root) -> bool:
        """Whether the workers that a root starts never get to a place of a function that they run."""
        pickling, spec = root.pickling, root.spec
        if pickling is None or spec is None:
            return False
        return self._contradictions.is_never_reached(place, frame, spec, pickling)

    def is_kept_back(self, crossing: Crossing) -> bool:
        """Whether nothing can be said of what crosses: it is an object that says itself that it is not to be pickled,
        or how it is copied; one for whose type the program registers a reducer; or a function in whose place an unknown
        decorator has put something."""
        match crossing.value:
            case InstanceValue() as instance:
                return is_kept_back(instance, crossing.root.kind, self._evaluator)
            case FunctionValue(opaque=opaque):
                return opaque
            case made:
                return is_registered(made, self._evaluator)

    def _inside(self, crossing: Crossing) -> Iterator[Crossing]:
        match crossing.value:
            case InstanceValue() as instance:
                if not self.is_kept_back(crossing):
                    yield from self._attributes(instance, crossing)
                    made_by_base = as_base_makes_it(instance, crossing.site, self._evaluator)
                    if made_by_base is not None:
                        yield self._next(crossing, made_by_base, f"{crossing.path}{OF_CLASS}")
            case ContainerValue(kind=kind, slots=slots, call=made):
                for slot in slots:
                    if self._is_put_later(slot, made, crossing.root):
                        continue
                    if kind == OBJECT_DICT and self._is_emptied(slot, crossing.root):
                        continue
                    for found in self._new(slot.value, slot.frame, crossing.root):
                        traced = after_all(found, slot.done)
                        if kind == _DATAPIPE:
                            traced = traced.doubted(Doubt.CONDITION)
                        yield self._next(crossing, traced, f"{crossing.path}{slot.key.label}")
            case FunctionValue(bound=bound) if bound is not None and not isinstance(bound, ClassValue):
                yield self._next(crossing, TracedValue(bound, crossing.site), f"{crossing.path}.__self__")
            case FunctionValue(frame=Frame() as around) as function if crossing.root.kind in _BY_VALUE:
                for name in function.facts.captures:
                    for traced in self._captured(name, function, around, crossing.root):
                        yield self._next(crossing, traced, f"{crossing.path}'s {name}")
            case _:
                pass

    def _filled_inside(self, crossing: Crossing) -> Iterator[Crossing]:
        """What the attributes that a container is written out of hold after what has been done to their objects."""
        made = crossing.value
        if not isinstance(made, ContainerValue) or crossing.holder is not None or crossing.root.pickling is None:
            return
        for slot in made.slots:
            for found in as_filled(slot.value, slot.frame, crossing.hops, crossing.root.pickling, self._evaluator):
                yield self._next(crossing, after_all(found, slot.done), f"{crossing.path}{slot.key.label}")

    def _is_put_later(self, slot: Slot, container: Call | None, root: Root) -> bool:
        """Whether an attribute of settings is stored when they have been pickled."""
        return not slot.is_item and root.pickling is not None and root.pickling.is_without_part(slot, container)

    def _is_emptied(self, slot: Slot, root: Root) -> bool:
        """Whether the function that ships an object's dict has given the attribute None before (`self.lock = None`,
        then `deepcopy(self.__dict__)`)."""
        value, pickling = slot.value, root.pickling
        if pickling is None or pickling.frame is not slot.frame or not isinstance(value, Attribute):
            return False
        return is_emptied_before(pickling.call, value.base, value.name, slot.frame, self._evaluator)

    def _captured(self, name: str, function: FunctionValue, around: Frame, root: Root) -> Iterator[TracedValue]:
        """What a local function has from the functions around it under a name: it goes with the function's code."""
        home: Frame | None = around
        while home is not None and name not in home.function.variables and home.function.parameter(name) is None:
            home = home.parent
        if home is not None:
            value = Captured(function.facts.header, name, home.function.qualname)
            hop = Hop(f"{function.facts.name} closes over {name}", Site(function.module, function.facts.header))
            yield from (traced.after(hop) for traced in self._new(value, around, root))

    def _next(self, crossing: Crossing, traced: TracedValue, path: str) -> Crossing:
        hops = (*crossing.hops, *traced.hops)
        return Crossing(
            traced.value,
            traced.site,
            hops,
            path,
            crossing.root,
            crossing.role,
            crossing.holder,
            crossing.held,
            crossing,
            joined(crossing.doubts, traced.doubts),
        )

    def _attributes(self, instance: InstanceValue, crossing: Crossing) -> Iterator[Crossing]:
        classes = self._evaluator.classes
        lets_through = Shipped(instance, self._evaluator)
        facts = instance.class_.facts
        spec = crossing.root.spec
        fields = field_names(instance, classes) if spec is not None and spec.path in _BY_FIELDS else None
        state = self._state(instance, crossing)
        replaced = [held for held in state if held.name == "start"] if _starts_itself(crossing) else []
        let_through = (held for held in state if held.name in lets_through)
        for held in self._kept(let_through, instance, crossing.root):
            if fields is not None and held.attribute not in fields:
                continue
            if any(_is_only_with(other, held) for other in replaced):
                continue
            doubts = joined(crossing.doubts, self._doubts_of(held, instance, crossing.root))
            hops = list(crossing.hops)
            if held.owner is not None and held.owner.facts is not facts:
                header = Site(instance.class_.module, facts.header)
                inherits = Hop(f"{facts.name} inherits from {held.owner.facts.name}", header)
                if not hops or hops[-1] != inherits:
                    hops.append(inherits)
            owner = held.owner.facts.name if held.owner else facts.name
            found = self._evaluator.in_branches_taken(self._new(held.value, held.frame, crossing.root), held.frame)
            found = values_left(found, held.value, held.site, held.frame, self._evaluator)
            for traced in map(held.after_all, found):
                given = name_given(traced, held, instance) if held.attribute == UNNAMED else None
                named = held if given is None else replace(held, attribute=given)
                if given is not None and self._is_not_kept(named, instance, crossing.root):
                    continue
                stores = Hop(_store_phrase(f"{owner}{named.place}", named, traced.site), held.site)
                yield Crossing(
                    traced.value,
                    traced.site,
                    (*hops, stores, *traced.hops),
                    f"{crossing.path}{named.step}",
                    crossing.root,
                    crossing.role,
                    instance,
                    named,
                    crossing,
                    joined(doubts, traced.doubts),
                )

    def _state(self, instance: InstanceValue, crossing: Crossing) -> tuple[Held, ...]:
        """What an instance holds when it is pickled. What was surely taken away from it since it was made, or replaced,
        a boundary is seen to ship it without."""
        states = self._evaluator.classes.states
        crossing_as = self._as_it_crosses(instance, crossing)
        state = states.state(crossing_as)
        if crossing_as is not instance and crossing.root.spec is not None:
            there = {(held.name, held.site) for held in state if not held.is_none}
            before = [held for held in states.state(instance) if not held.is_none]
            kept = {held.name for held in before if (held.name, held.site) in there}
            self.left_out |= {(instance.class_, held.name) for held in before if held.name not in kept}
        return state

    def _as_it_crosses(self, instance: InstanceValue, crossing: Crossing) -> InstanceValue:
        """An instance after what has been done to it until it is pickled."""
        root = crossing.root
        if (
            root.pickling is not None
            and root.pickling.is_over_with_function
            and _is_being_made(instance, root.pickling.frame)
        ):
            return instance
        is_process = _starts_itself(crossing) and root.pickling is not None and instance.call is root.pickling.call
        end = root.pickling.start_or_end if root.pickling is not None and is_process else None
        found = after_calls(instance, crossing.hops, self._evaluator, end=end)
        if root.pickling is not None:
            found = after_handing_on(found, root.pickling.frame, root.pickling.call.span.start, self._evaluator)
        if root.pickling is not None and crossing.role == _DATASET:
            is_asked = (root.asks_length and crossing.inside is None) or is_length_asked(
                instance, root.pickling, self._evaluator
            )
            return after_length(found, root.pickling.call, root.pickling.frame) if is_asked else found
        return found

    def _kept(self, state: Iterable[Held], instance: InstanceValue, root: Root) -> Iterator[Held]:
        """What attributes hold when the object is pickled: where something is stored later, what was there before."""
        for held in state:
            if not self._is_not_kept(held, instance, root):
                yield held
            elif held.before and root.pickling is not None and self._is_stored_later(held, instance, root.pickling):
                yield from self._kept(held.before, instance, root)

    def _is_not_kept(self, held: Held, instance: InstanceValue, root: Root) -> bool:
        """Whether what is shipped is pickled before the attribute is stored, where that is not done, or after something
        else has been stored there."""
        pickling = root.pickling
        if pickling is None:
            return False
        if held.owner is None and held.direct and held.is_none:
            self.left_out.add((instance.class_, held.name))  # It is the place that was emptied from outside.
        is_emptied = self._put_aside.is_emptied(held.name, instance, pickling)
        if is_emptied or self._replaced.is_replaced(held, instance, pickling):
            self.left_out.add((instance.class_, held.name))
            return True
        return self._is_stored_later(held, instance, pickling)

    def _is_stored_later(self, held: Held, instance: InstanceValue, pickling: PickleTime) -> bool:
        """Whether an attribute is stored when the object has been pickled, or where that is not done."""
        return pickling.is_without(held) or self._put_aside.is_stored_later(held, instance, pickling)

    def _doubts_of(self, held: Held, instance: InstanceValue, root: Root) -> tuple[Doubt, ...]:
        """What is not understood of an attribute: how it came to be, and whether it is there when it is pickled."""
        pickling = root.pickling
        if pickling is None or not may_be_suspended(instance, held.attribute, pickling, self._evaluator):
            return held.doubts
        return joined(held.doubts, (Doubt.CALL,))

    def _new(self, value: Expr, frame: Frame, root: Root) -> tuple[TracedValue, ...]:
        """What a held value can be; nothing if that is judged elsewhere."""
        is_kind = root.spec is None and root.whole and root.kind not in ALWAYS_FOLLOWED_KINDS
        if is_kind and self._by_kind.is_judged_itself(value, frame):
            return ()
        found: Sequence[TracedValue] = self._evaluator.evaluate(value, frame)
        if root.pickling is not None:
            found = not_stored_later(found, value, frame, root.pickling, self._evaluator)
        return tuple(self.as_pickled(traced, value, frame, root) for traced in found)

    def as_pickled(self, traced: TracedValue, value: Expr, frame: Frame, root: Root) -> TracedValue:
        """What an expression gives, as it is where a boundary pickles that is called in the same function: what is
        surely stored on an object there before is in the place of what it held."""
        made, pickling = traced.value, root.pickling
        if not isinstance(made, InstanceValue) or pickling is None or frame.function is not pickling.frame.function:
            return traced
        stored = self._evaluator.stores.before(value, frame, pickling.call.span.start)
        self.left_out |= {(made.class_, each.event.attribute) for each in stored if isinstance(each.event, Store)}
        return replace(traced, value=replace(made, later=(*made.later, *stored))) if stored else traced


def _is_being_made(instance: InstanceValue, frame: Frame) -> bool:
    """Whether a frame is that of the object's constructor, or of what this calls."""
    while frame.called_by is not None:
        caller, call = frame.called_by
        if call is instance.call and caller is instance.frame:
            return True
        frame = caller
    return False


def _starts_itself(crossing: Crossing) -> bool:
    """Whether the instance is a process of the program's own class, which is shipped by its method `start`."""
    return crossing.root.kind == "process" and crossing.inside is None


def _is_only_with(other: Held, held: Held) -> bool:
    """Whether one attribute is stored only where the other one is: `if not self.forks: self.start = self.run`, and what
    stands there with it."""
    if other.frame.function is not held.frame.function or not other.direct:
        return False
    around = other.frame.paths.steps(other.site.span.start)
    return [id(step) for step in around] == [id(step) for step in held.frame.paths.steps(held.site.span.start)][
        : len(around)
    ]


def _store_phrase(where: str, held: Held, site: Site) -> str:
    """What is stored; of a value that can be one of several, the one that is followed."""
    module = held.frame.module
    followed = (option for option in options_of(held.value) if Site(module, option.span) == site)
    text = excerpt(module, next(followed, held.value))
    if not held.direct:
        return f"{where} gets {text}" if text else f"kept in {where}"
    if parameter_name(held.value) is not None:
        return f"kept as {where}"
    return f"{where} stores {text}" if held.owner is not None else f".{held.attribute} is set to {text}"
