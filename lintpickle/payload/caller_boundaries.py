"""What the boundary that a function calls is for the callers of the function, and for the objects of a method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.boundaries.interactive import is_refused
from lintpickle.boundaries.names import UNFOLLOWED_KIND
from lintpickle.boundaries.uncalled import is_uncalled
from lintpickle.boundaries.undecided import deciding_arguments
from lintpickle.boundaries.unstarted import is_left_alone
from lintpickle.call_graph.callers import Calling
from lintpickle.call_graph.iterating import found_once
from lintpickle.call_graph.running import frame_at
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, mentions_object, mentions_parameter, rooted
from lintpickle.interpreter.abstract_values import Bound, Doubt, Frame, Hop, InstanceValue, Site, joined
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.components import WORKER_KINDS, Components
from lintpickle.payload.excluding_calls import (
    is_behind_unused_option,
    is_excluded_by_all_calls,
    is_excluded_by_its_object,
    is_kept_back_by_all_calls,
)
from lintpickle.payload.put_aside import method_that_ships
from lintpickle.payload.started_functions import runs_by_workers, started
from lintpickle.prefilter.copies import is_called_like_model
from lintpickle.source.file_kinds import PlaceKind


class CallerBoundaries:
    """Specialises boundaries to the call sites of the functions that call them, where what they ship is a parameter,
    and to the objects whose methods call them."""

    def __init__(self, parts: Components) -> None:
        self._parts = parts
        self.asked_first: list[BoundaryCall] = []
        """Boundaries before which it is asked whether what they get can be pickled."""
        self._asked: RootFrame | None = None
        """The function that was asked about last. Many that have one boundary have several, so it is remembered how it
        is called (`of_object` or not), and on which objects."""
        self._callings: dict[bool, Iterator[Calling]] = {}
        self._objects: dict[RootFrame, Iterator[tuple[Frame, tuple[Hop, ...]]]] = {}
        self._started_objects: dict[RootFrame, Iterator[tuple[Frame, tuple[Hop, ...]]]] = {}
        self._started: dict[RootFrame, Iterator[Calling]] = {}

    def _frame_at(self, event: Called, frame: Frame, root: RootFrame) -> Frame:
        """The frame of a function with its object as it is at an event."""
        earlier = self._parts.run_again.left_behind(event, root, _path(root))
        return frame_at(event, frame, root, self._parts.evaluator, earlier)

    def made_at_call_sites(self, root: RootFrame, event: Called, of_object: bool = False) -> Iterator[BoundaryCall]:
        yield from (each for each in self._at_call_sites(root, event, of_object) if not self._parts.mocks.is_one(each))
        for running in self.runs_by_workers(root):
            for boundary in self._parts.boundaries.made(event, running.frame):
                doubts = joined(running.doubts, boundary.doubts)
                yield replace(boundary, hops=(*running.hops, *boundary.hops), doubts=doubts)

    def specialised(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        frame = self._frame_at(event, root.frame, root)
        made = tuple(self._parts.boundaries.made(event, frame))
        if not made:
            yield from self._decided_by_callers(root, event, frame)
        for boundary in made:
            if self._is_asked_first(event, boundary, frame) or self._is_asked_by_callers(boundary, root):
                if boundary.spec.kind in WORKER_KINDS:
                    is_given = self.depends_on_parameters(boundary, root, root.instance_name)
                    self.asked_first += list(self._at_call_sites(root, event)) if is_given else [boundary]
                continue
            specialised: list[BoundaryCall] = []
            me = root.instance_name
            if self.depends_on_parameters(boundary, root, None if root.is_constructor else me):
                specialised = list(self._at_call_sites(root, event, self._depends_on_object(boundary, root)))
                if root.owner is not None and not root.is_constructor:
                    specialised += self._at_calls_on_parameters(root, event)
                if not specialised and self._depends_on_object(boundary, root):
                    specialised = list(self.on_instances(root, event))
            elif me is not None and self.depends_on_parameters(boundary, root, None):
                specialised = list(self.on_instances(root, event))
            elif _copies(boundary, me):
                specialised = list(self._copied_at_call_sites(root, event))
            if is_refused(boundary) or (not specialised and self._is_excluded(boundary, root, event)):
                specialised = [
                    replace(each, doubts=joined(each.doubts, (Doubt.EXCLUDED,))) for each in specialised or [boundary]
                ]
            yield from (each for each in specialised or [boundary] if not self._parts.mocks.is_one(each))

    def _is_excluded(self, boundary: BoundaryCall, root: RootFrame, event: Called) -> bool:
        """Whether a function does not get to a boundary, as it is called or by what its object is."""
        return (
            is_excluded_by_its_object(boundary, root, event, self._parts)
            or is_excluded_by_all_calls(boundary, root, event, self._parts)
            or is_kept_back_by_all_calls(root, self._parts)
        )

    def _decided_by_callers(self, root: RootFrame, event: Called, frame: Frame) -> Iterator[BoundaryCall]:
        """What a call is for the callers that give the function, or its object, what makes it a boundary."""
        for value in deciding_arguments(event, frame, self._parts.boundaries.methods, self._parts.evaluator):
            yield from self._decided_by(value, root, event)

    def handed(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """What the call of a value is that may be a method of a pool, or a class of processes, which was handed on: for
        the callers that give it to the function, or to the object that keeps it."""
        if self._is_told(root, event):
            yield from self.specialised(root, event)
        else:
            yield from self._decided_by(event.call.function, root, event)

    def told_by_callers(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The same where the function itself does not tell what is called."""
        if not self._is_told(root, event):
            yield from self._decided_by(event.call.function, root, event)

    def _is_told(self, root: RootFrame, event: Called) -> bool:
        """Whether a function itself tells that a call of it is a boundary."""
        return any(self._parts.boundaries.made(event, self._frame_at(event, root.frame, root)))

    def _decided_by(self, value: Expr, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """What a call is for the callers that give the function, or its object, a value."""
        if self.mentions_parameter(value, None if root.is_constructor else root.instance_name):
            yield from self.made_at_call_sites(root, event)
        elif self.mentions_parameter(value, None):
            yield from self.decided_by_object(root, event)

    def decided_by_object(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method that its object decides: for each object, or where it ships what the method is
        given, for the calls of that."""
        found = [each for each in self.on_instances(root, event) if not self._parts.mocks.is_one(each)]
        found = found or [each for each in self._on_started(root, event) if not self._parts.mocks.is_one(each)]
        is_given = any(self.depends_on_parameters(each, root, root.instance_name) for each in found)
        yield from (list(self._on_given_objects(root, event)) if is_given else []) or found

    def _on_started(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method for the objects that a function makes which is started as a process: of what it
        gives them, only the start tells what that is."""
        for frame, hops in self._started_objects_of(root):
            for boundary in self._parts.boundaries.made(event, self._frame_at(event, frame, root)):
                yield replace(boundary, hops=(*hops, *boundary.hops))

    def _on_given_objects(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method that decides by its object, and ships what it is given: for the calls on objects
        that are known there, and on those that a function gets from its callers."""
        yield from self.made_at_call_sites(root, event, of_object=True)
        yield from self._at_calls_on_parameters(root, event)

    def _at_calls_on_parameters(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method for the calls of it on what a function is given: whose callers tell what that is."""
        for calling in self._parts.callers.first(self._parts.callers.on_parameters(root, _path(root))):
            around = calling.frame.called_by
            if around is not None and self._is_uncalled(around[0], around[0].function):
                continue
            frame = self._frame_at(event, calling.frame, root)
            for boundary in self._parts.boundaries.made(event, frame):
                if not self._parts.mocks.is_one(boundary):
                    doubts = joined(calling.doubts, boundary.doubts)
                    yield replace(boundary, hops=(*calling.hops, *boundary.hops), doubts=doubts)

    def _is_asked_first(self, event: Called, boundary: BoundaryCall, frame: Frame) -> bool:
        """Whether a call is a question itself, or the function asks before it, also of what the boundary gets later."""
        probes = self._parts.probes
        if probes.is_one(event, boundary.spec.kind, frame) or probes.is_settled(event, frame):
            return True
        given = (each.expr for each in boundary.arguments.values() if each.expr is not None and each.frame is frame)
        return probes.is_asked_before(event, given, frame)

    def _is_asked_by_callers(self, boundary: BoundaryCall, root: RootFrame) -> bool:
        """Whether all callers of the method that ships its own object ask first whether that can be pickled."""
        method, me = method_that_ships(tuple(boundary.payload), root), root.instance_name
        owner = boundary.callee if ITSELF in boundary.payload else root.owner
        if method is None or owner is None:
            return False
        is_own = ITSELF in boundary.payload or any(
            bound.expr is not None
            and self.mentions_parameter(bound.expr, None)
            and not self.mentions_parameter(bound.expr, me)
            for bound in map(boundary.arguments.get, boundary.payload)
            if bound is not None
        )
        return is_own and self._parts.put_aside.is_asked_first(method, owner, _path(root))

    def _at_call_sites(self, root: RootFrame, event: Called, of_object: bool = False) -> Iterator[BoundaryCall]:
        for calling in self.calls_of(root, of_object):
            for boundary in self._parts.boundaries.made(event, self._frame_at(event, calling.frame, root)):
                if boundary.spec.kind == "process" and self._is_left_alone(calling.hops, boundary.site):
                    continue
                doubts = joined(calling.doubts, boundary.doubts)
                if is_behind_unused_option(calling, self._parts):
                    doubts = joined(doubts, (Doubt.EXCLUDED,))
                yield replace(boundary, hops=(*calling.hops, *boundary.hops), doubts=doubts)

    def calls_of(self, root: RootFrame, of_object: bool = False) -> Iterator[Calling]:
        """The calls of a function, up to the limit: see `Callers.frames`."""
        self._turn_to(root)
        callers = self._parts.callers
        return found_once(
            self._callings, of_object, lambda: callers.first(callers.frames(root, _path(root), of_object=of_object))
        )

    def _objects_of(self, root: RootFrame) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        """The objects of a method, but for those on which it is never called: see `Callers.on_instances`."""
        self._turn_to(root)
        return found_once(self._objects, root, lambda: self._find_objects(root))

    def _started_objects_of(self, root: RootFrame) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        """Those that functions make which are started as processes: see `Callers.on_instances_made_in`."""
        self._turn_to(root)
        return found_once(self._started_objects, root, lambda: self._find_started_objects(root))

    def runs_by_workers(self, root: RootFrame) -> Iterator[Calling]:
        """The runs of a function that workers are given, or that such a function calls, up to the limit."""
        self._turn_to(root)
        callers = self._parts.callers
        return found_once(self._started, root, lambda: callers.first(runs_by_workers(root, self._parts)))

    def _find_objects(self, root: RootFrame) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        return self._called(root, self._parts.callers.on_instances(root, _path(root)))

    def _find_started_objects(self, root: RootFrame) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        callers = self._parts.callers
        made = callers.on_instances_made_in(root, _path(root), lambda each: started(each, self._parts))
        return self._called(root, made)

    def _called(
        self, root: RootFrame, objects: Iterable[tuple[Frame, tuple[Hop, ...]]]
    ) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        return ((frame, hops) for frame, hops in objects if not self._is_uncalled(frame, root.function))

    def _turn_to(self, root: RootFrame) -> None:
        """Remember what is known of another function no longer."""
        if root is not self._asked:
            self._asked = root
            self._callings.clear()
            self._objects.clear()
            self._started_objects.clear()
            self._started.clear()

    def _copied_at_call_sites(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method that copies its own object, for each call of the method: what is copied is the
        object on which that is called, unless the method has changed it by then."""
        for calling in self.calls_of(root):
            frame, place = self._frame_at(event, calling.frame, root), calling.frame.called_by
            is_changed = frame is not calling.frame
            for boundary in self._parts.boundaries.made(event, frame):
                match place:
                    case (around, Call(function=Attribute(base=receiver))) if not (is_changed or root.is_constructor):
                        itself = Bound(receiver, around)
                        boundary = replace(boundary, arguments=dict.fromkeys(boundary.arguments, itself))
                    case _:
                        pass
                doubts = joined(calling.doubts, boundary.doubts)
                yield replace(boundary, hops=(*calling.hops, *boundary.hops), doubts=doubts)

    def _is_left_alone(self, hops: Sequence[Hop], boundary: Site) -> bool:
        """Whether a test makes something that has a process, and leaves it at that."""
        if not hops or self._parts.purposes.kind(hops[0].site.module.path) is not PlaceKind.TESTS:
            return False
        return is_left_alone(hops[0].site, (*(hop.site for hop in hops[1:]), boundary))

    def on_instances(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method that ships attributes, for each instance that the program makes."""
        for frame, hops in self._objects_of(root):
            for boundary in self._parts.boundaries.made(event, self._frame_at(event, frame, root)):
                yield replace(boundary, hops=(*hops, *boundary.hops))

    def _is_uncalled(self, frame: Frame, method: FunctionFacts) -> bool:
        """Whether the function that makes the object of a method's frame never gets to call that method."""
        me, place = frame.bindings.get(method.parameters[0].name) if method.parameters else None, frame.called_by
        made = me.value if me is not None and method.name != "__init__" else None
        if not isinstance(made, InstanceValue) or place is None or made.call is not place[1]:
            return False
        is_of_test = self._parts.purposes.kind(place[0].module.path) is PlaceKind.TESTS
        return is_uncalled(method.name, place[1], made.class_, place[0], self._parts.evaluator, is_of_test)

    def mentions_parameter(self, value: Expr, me: str | None) -> bool:
        return mentions_parameter(value, me, self._parts.evaluator.cuts.note)

    def depends_on_parameters(self, boundary: BoundaryCall, root: RootFrame, me: str | None) -> bool:
        """Whether what is shipped depends on a parameter other than `me`."""
        if len(root.function.parameters) <= (me is not None):
            return False
        if boundary.spec.kind == UNFOLLOWED_KIND and not any(map(_is_of_model, _shipped_values(boundary))):
            return False
        return any(self.mentions_parameter(value, me) for value in _shipped_values(boundary))

    def _depends_on_object(self, boundary: BoundaryCall, root: RootFrame) -> bool:
        """Whether what a method ships depends on its object, but is not made by constructing it."""
        me, note = root.instance_name, self._parts.evaluator.cuts.note
        if me is None or root.is_constructor:
            return False
        return any(mentions_object(value, me, note) for value in _shipped_values(boundary))


def _shipped_values(boundary: BoundaryCall) -> Iterator[Expr]:
    """What a boundary is given that decides what it ships."""
    is_all = ITSELF in boundary.spec.payload
    yield from (argument.value for argument in boundary.call.arguments if is_all or argument.star)
    for name in (*boundary.payload, boundary.spec.workers or ""):
        bound = boundary.arguments.get(name)
        if bound is not None and bound.expr is not None and bound.frame is boundary.frame:
            yield bound.expr


def _is_of_model(value: Expr) -> bool:
    """Whether a value is a parameter, or a part of it, that is a model by its name."""
    root, path = rooted(value)
    return isinstance(root, Parameter) and any(map(is_called_like_model, (root.name, *path)))


def _copies(boundary: BoundaryCall, me: str | None) -> bool:
    """Whether a boundary copies the object of a method, which is its only argument."""
    given = [bound.expr for bound in boundary.arguments.values()]
    is_own = len(given) == 1 and isinstance(given[0], Parameter) and given[0].name == me
    return is_own and boundary.spec.kind == UNFOLLOWED_KIND


def _path(root: RootFrame) -> str:
    return root.frame.module.path
