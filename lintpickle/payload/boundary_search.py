"""Where boundaries are called in first-party code, and with what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.boundaries.given_objects import is_on_given_attribute, is_on_inherited_attribute, on_pool_of_library
from lintpickle.boundaries.interactive import is_refused
from lintpickle.boundaries.names import UNFOLLOWED_KIND
from lintpickle.boundaries.proxies import MANAGER, PUTS, put_into_proxy
from lintpickle.boundaries.uncalled import is_uncalled
from lintpickle.boundaries.undecided import deciding_arguments
from lintpickle.boundaries.unstarted import is_left_alone
from lintpickle.call_graph.callers import Calling
from lintpickle.call_graph.iterating import found_once
from lintpickle.call_graph.running import frame_at
from lintpickle.facts.records import Called, Event, ItemStore, Store
from lintpickle.facts.values import (
    Attribute,
    Expr,
    Parameter,
    mentions_object,
    mentions_parameter,
    rooted,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import UNKNOWN, Bound, Doubt, Frame, Hop, InstanceValue, Site, joined
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.outline import Block
from lintpickle.payload.components import WORKER_KINDS, Components
from lintpickle.payload.excluding_calls import is_behind_unused_option, is_excluded_by_all_calls
from lintpickle.payload.put_aside import method_that_ships
from lintpickle.payload.started_functions import started
from lintpickle.prefilter.copies import is_called_like_model
from lintpickle.program.module import Module
from lintpickle.program.stages import in_stage
from lintpickle.source.file_kinds import PlaceKind


class BoundarySearch:
    """Finds every call of a boundary, specialised to its call sites where what it ships is a parameter."""

    def __init__(self, parts: Components) -> None:
        self._parts = parts
        self.asked_first: list[BoundaryCall] = []
        """Boundaries before which it is asked whether what they get can be pickled."""
        self._asked: RootFrame | None = None
        """The function that was asked about last. Many that have one boundary have several, so it is remembered how it
        is called (`of_object` or not), and on which objects."""
        self._callings: dict[bool, Iterator[Calling]] = {}
        self._objects: dict[RootFrame, Iterator[tuple[Frame, tuple[Hop, ...]]]] = {}

    def find(self) -> Iterator[BoundaryCall]:
        """The calls by a boundary's own name, by names that only this program gives to one, on parameters, and what is
        put into a manager's containers."""
        ways = (
            *(self._called_by_name(), self._called_by_aliases()),
            *(self._called_on_parameters(), self._put_into_proxies()),
        )
        return map(self._as_used, chain.from_iterable(ways))

    def _as_used(self, boundary: BoundaryCall) -> BoundaryCall:
        """A boundary with the doubt that a complete program never calls the function in which the way to it begins."""
        site = boundary.hops[0].site if boundary.hops else boundary.site
        if Doubt.EXCLUDED in boundary.doubts or not self._is_in_unused_function(site):
            return boundary
        return replace(boundary, doubts=joined(boundary.doubts, (Doubt.EXCLUDED,)))

    def _is_in_unused_function(self, site: Site) -> bool:
        module, block = site.module, site.module.outline.block_at(site.span.start)
        is_plain = block is not None and block.defines_function and not module.code.startswith("@", block.span.start)
        if block is None or not is_plain or self._parts.purposes.kind(module.path) is PlaceKind.TESTS:
            return False
        return all(self._parts.unused.is_function(name, module) for name in block.names)

    def _called_by_name(self) -> Iterator[BoundaryCall]:
        parts, boundaries = self._parts, self._parts.boundary_names
        for module in in_stage(parts.modules, "finding boundaries", parts.stage):
            for block in parts.screen.boundary.plots_in(module.lexicon, module.outline.blocks):
                names = boundaries.in_block(module, block)
                for root, event in self._calls_in(module, block, self._boundary_forms(names, module)) if names else ():
                    if boundaries.may_be_one(event.call.function, module):
                        yield from parts.linked(Site(module, event.span), self._specialised(root, event))

    def _calls_in(self, module: Module, block: Block, form: re.Pattern[str]) -> Iterator[tuple[RootFrame, Called]]:
        """The calls in the functions of a block in which a form stands."""
        return ((root, event) for root, event in self._events_in(module, block, form) if isinstance(event, Called))

    def _events_in(self, module: Module, block: Block, form: re.Pattern[str]) -> Iterator[tuple[RootFrame, Event]]:
        facts = module.facts_of(block)
        for root in self._parts.activations.in_block(module, facts, form) if facts is not None else ():
            for event in root.function.events:
                yield root, event

    def _boundary_forms(self, names: frozenset[str], module: Module) -> re.Pattern[str]:
        """What stands in every function that calls a boundary, in a block in which these dotted names stand for one."""
        forms = [self._parts.aliases.pattern.pattern]
        if not self._parts.boundary_names.are_functions(names, module):
            methods = (f".{method}(" for method in self._parts.catalog.boundary_methods())
            forms += [*map(re.escape, methods), r"__init__\("]
        forms += (r"[\s\\]*\.[\s\\]*".join(name.lstrip("().").split(".")) for name in names)
        return re.compile("|".join(sorted(forms)))

    def _called_by_aliases(self) -> Iterator[BoundaryCall]:
        """Calls of names that only this program gives to boundaries, unless they have been seen already."""
        parts, aliases = self._parts, self._parts.aliases
        for module, block in aliases.calls(parts.scope):
            for root, event in self._calls_in(module, block, aliases.pattern_for(block)):
                function = event.call.function
                if aliases.is_one(function) and not self._is_seen(event, module, block):
                    yield from parts.linked(Site(module, event.span), self._specialised(root, event))

    def _called_on_parameters(self) -> Iterator[BoundaryCall]:
        """Calls of methods of pools, executors, queues that a function is given, or the object whose method it is."""
        parts = self._parts
        for module, block in parts.aliases.given(parts.scope):
            for root, event in self._calls_in(module, block, parts.aliases.on_name):
                if self._is_on_parameter(event, root):
                    yield from parts.linked(Site(module, event.span), self._made_on_parameter(root, event))
                elif is_on_given_attribute(event, root, parts.evaluator):
                    made = (each for each in self._on_instances(root, event) if not parts.mocks.is_one(each))
                    yield from parts.linked(Site(module, event.span), made)
                elif is_on_inherited_attribute(event, root, parts.evaluator) and not self._is_seen(
                    event, module, block
                ):
                    yield from parts.linked(Site(module, event.span), self._specialised(root, event))

    def _is_on_inherited_attribute(self, event: Called, root: RootFrame, module: Module, block: Block) -> bool:
        """Whether a method is called on what a base class of another module keeps: nothing here names a boundary."""
        is_it = is_on_inherited_attribute(event, root, self._parts.evaluator)
        return is_it and not self._is_seen(event, module, block)

    def _is_seen(self, event: Called, module: Module, block: Block) -> bool:
        """Whether a call is one that is found by its name."""
        parts, boundaries = self._parts, self._parts.boundary_names
        return (
            boundaries.may_be_one(event.call.function, module)
            and bool(boundaries.in_block(module, block))
            and block in parts.screen.boundary.plots_in(module.lexicon, module.outline.blocks)
            and module in parts.modules
        )

    def _put_into_proxies(self) -> Iterator[BoundaryCall]:
        """What is put into dictionaries and lists that a manager shares."""
        for module in self._parts.modules:
            for block in module.outline.blocks if module.has(MANAGER) else ():
                is_wanted = not block.bare and PUTS.search(module.code, block.span.start, block.span.end)
                for root, event in self._events_in(module, block, PUTS) if is_wanted else ():
                    if isinstance(event, (Store, ItemStore)):
                        yield from self._parts.linked(Site(module, event.span), self._put_into_proxy(root, event))

    def _put_into_proxy(self, root: RootFrame, event: Store | ItemStore) -> Iterator[BoundaryCall]:
        if self._parts.probes.is_asked_before(event, [event.value], root.frame):
            return
        me = None if root.is_constructor else root.instance_name
        found = tuple(
            put_into_proxy(event, frame_at(event, root.frame, root, self._parts.evaluator), self._parts.evaluator)
        )
        is_given = (
            self._mentions_parameter(event.target, me) if not found else self._depends_on_parameters(found[0], root, me)
        )
        if not is_given:
            yield from found
            return
        for calling in self._calls_of(root):
            for each in put_into_proxy(
                event, frame_at(event, calling.frame, root, self._parts.evaluator), self._parts.evaluator
            ):
                yield replace(each, hops=calling.hops, doubts=joined(calling.doubts, each.doubts))

    def _is_on_parameter(self, event: Called, root: RootFrame) -> bool:
        """Whether a method that can be a boundary is called on a parameter of which the function knows nothing."""
        match event.call.function:
            case Attribute(base=base, name=method) if method in self._parts.catalog.boundary_methods():
                receiver = without_narrowing(base)
                if not isinstance(receiver, Parameter) or receiver.name == root.instance_name:
                    return False
                return all(each.value is UNKNOWN for each in self._parts.evaluator.evaluate(base, root.frame))
            case _:
                return False

    def _made_on_parameter(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """What a method of a parameter is for the callers; for `migrate`, also where a library is the only one."""
        found = False
        for each in self._made_at_call_sites(root, event):
            found = True
            yield each
        moving = self._parts.boundaries.moving_to is not None
        if moving and not found and not self._parts.callers.calls(root, _path(root)):
            yield from on_pool_of_library(event, root, self._parts.evaluator)

    def _made_at_call_sites(self, root: RootFrame, event: Called, of_object: bool = False) -> Iterator[BoundaryCall]:
        yield from (each for each in self._at_call_sites(root, event, of_object) if not self._parts.mocks.is_one(each))
        for running in self._parts.callers.first(started(root, self._parts)):
            for boundary in self._parts.boundaries.made(event, running.frame):
                doubts = joined(running.doubts, boundary.doubts)
                yield replace(boundary, hops=(*running.hops, *boundary.hops), doubts=doubts)

    def _specialised(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        frame = frame_at(event, root.frame, root, self._parts.evaluator)
        made = tuple(self._parts.boundaries.made(event, frame))
        if not made:
            yield from self._decided_by_callers(root, event, frame)
        for boundary in made:
            if self._is_asked_first(event, boundary, frame) or self._is_asked_by_callers(boundary, root):
                if boundary.spec.kind in WORKER_KINDS:
                    is_given = self._depends_on_parameters(boundary, root, root.instance_name)
                    self.asked_first += list(self._at_call_sites(root, event)) if is_given else [boundary]
                continue
            specialised: list[BoundaryCall] = []
            me = root.instance_name
            if self._depends_on_parameters(boundary, root, None if root.is_constructor else me):
                specialised = list(self._at_call_sites(root, event, self._depends_on_object(boundary, root)))
                if not specialised and me is not None and not root.is_constructor:
                    specialised = list(self._at_calls_on_parameters(root, event))
            elif me is not None and self._depends_on_parameters(boundary, root, None):
                specialised = list(self._on_instances(root, event))
            elif _copies(boundary, me):
                specialised = list(self._copied_at_call_sites(root, event))
            if is_refused(boundary) or (
                not specialised and is_excluded_by_all_calls(boundary, root, event, self._parts)
            ):
                specialised = [
                    replace(each, doubts=joined(each.doubts, (Doubt.EXCLUDED,))) for each in specialised or [boundary]
                ]
            yield from (each for each in specialised or [boundary] if not self._parts.mocks.is_one(each))

    def _decided_by_callers(self, root: RootFrame, event: Called, frame: Frame) -> Iterator[BoundaryCall]:
        """What a call is for the callers that give the function, or its object, what makes it a boundary."""
        parts, me = self._parts, root.instance_name
        for value in deciding_arguments(event, frame, parts.boundaries.methods, parts.evaluator):
            if self._mentions_parameter(value, None if root.is_constructor else me):
                yield from self._made_at_call_sites(root, event)
            elif self._mentions_parameter(value, None):
                found = [each for each in self._on_instances(root, event) if not parts.mocks.is_one(each)]
                is_given = any(self._depends_on_parameters(each, root, me) for each in found)
                yield from self._on_given_objects(root, event) if is_given else found

    def _on_given_objects(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method that decides by its object, and ships what it is given: for the calls on objects
        that are known there, and on those that a function gets from its callers."""
        yield from self._made_at_call_sites(root, event, of_object=True)
        yield from self._at_calls_on_parameters(root, event)

    def _at_calls_on_parameters(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method for the calls of it on what a function is given: whose callers tell what that is."""
        for calling in self._parts.callers.first(self._parts.callers.on_parameters(root, _path(root))):
            frame = frame_at(event, calling.frame, root, self._parts.evaluator)
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
            and self._mentions_parameter(bound.expr, None)
            and not self._mentions_parameter(bound.expr, me)
            for bound in map(boundary.arguments.get, boundary.payload)
            if bound is not None
        )
        return is_own and self._parts.put_aside.is_asked_first(method, owner, _path(root))

    def _at_call_sites(self, root: RootFrame, event: Called, of_object: bool = False) -> Iterator[BoundaryCall]:
        for calling in self._calls_of(root, of_object):
            for boundary in self._parts.boundaries.made(
                event, frame_at(event, calling.frame, root, self._parts.evaluator)
            ):
                if boundary.spec.kind == "process" and self._is_left_alone(calling.hops, boundary.site):
                    continue
                doubts = joined(calling.doubts, boundary.doubts)
                if is_behind_unused_option(calling, self._parts):
                    doubts = joined(doubts, (Doubt.EXCLUDED,))
                yield replace(boundary, hops=(*calling.hops, *boundary.hops), doubts=doubts)

    def _calls_of(self, root: RootFrame, of_object: bool = False) -> Iterator[Calling]:
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

    def _find_objects(self, root: RootFrame) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        for frame, hops in self._parts.callers.on_instances(root, _path(root)):
            if not self._is_uncalled(frame, root):
                yield frame, hops

    def _turn_to(self, root: RootFrame) -> None:
        """Remember what is known of another function no longer."""
        if root is not self._asked:
            self._asked = root
            self._callings.clear()
            self._objects.clear()

    def _copied_at_call_sites(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method that copies its own object, for each call of the method: what is copied is the
        object on which that is called, unless the method has changed it by then."""
        for calling in self._calls_of(root):
            frame, place = frame_at(event, calling.frame, root, self._parts.evaluator), calling.frame.called_by
            is_changed = frame is not calling.frame
            for boundary in self._parts.boundaries.made(event, frame):
                if place is not None and isinstance(place[1].function, Attribute) and not is_changed:
                    itself = Bound(place[1].function.base, place[0])
                    boundary = replace(boundary, arguments=dict.fromkeys(boundary.arguments, itself))
                doubts = joined(calling.doubts, boundary.doubts)
                yield replace(boundary, hops=(*calling.hops, *boundary.hops), doubts=doubts)

    def _is_left_alone(self, hops: Sequence[Hop], boundary: Site) -> bool:
        """Whether a test makes something that has a process, and leaves it at that."""
        if not hops or self._parts.purposes.kind(hops[0].site.module.path) is not PlaceKind.TESTS:
            return False
        return is_left_alone(hops[0].site, (*(hop.site for hop in hops[1:]), boundary))

    def _on_instances(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """The boundary of a method that ships attributes, for each instance that the program makes."""
        for frame, hops in self._objects_of(root):
            for boundary in self._parts.boundaries.made(event, frame_at(event, frame, root, self._parts.evaluator)):
                yield replace(boundary, hops=(*hops, *boundary.hops))

    def _is_uncalled(self, frame: Frame, root: RootFrame) -> bool:
        """Whether the function that makes the object of a method's frame never gets to call that method."""
        me, place = frame.bindings.get(root.instance_name or ""), frame.called_by
        made = me.value if me is not None else None
        if not isinstance(made, InstanceValue) or place is None or root.is_constructor:
            return False
        return is_uncalled(root.function.name, place[1], made.class_, place[0], self._parts.evaluator.classes)

    def _mentions_parameter(self, value: Expr, me: str | None) -> bool:
        return mentions_parameter(value, me, self._parts.evaluator.cuts.note)

    def _depends_on_parameters(self, boundary: BoundaryCall, root: RootFrame, me: str | None) -> bool:
        """Whether what is shipped depends on a parameter other than `me`."""
        if len(root.function.parameters) <= (me is not None):
            return False
        if boundary.spec.kind == UNFOLLOWED_KIND and not any(map(_is_of_model, _shipped_values(boundary))):
            return False
        return any(self._mentions_parameter(value, me) for value in _shipped_values(boundary))

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
