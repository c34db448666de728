"""The callers of a function, needed when a boundary's payload is a parameter of the enclosing function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.call_graph.called_objects import CalledObjects
from lintpickle.call_graph.chosen_functions import is_made_of
from lintpickle.call_graph.constructing_calls import ConstructingCalls
from lintpickle.call_graph.entered_contexts import is_never_entered
from lintpickle.call_graph.iterating import found_once, in_turn
from lintpickle.call_graph.named_calls import (
    CALLED_BY,
    CONSTRUCTOR_CALL,
    FUNCTION_CALL,
    METHOD_CALL,
    NamedCalls,
    as_method_call,
    calls_of,
    first_callers,
)
from lintpickle.call_graph.overriding import Overriding
from lintpickle.call_graph.passed_functions import PassedFunctions
from lintpickle.call_graph.running import after_calls, frame_at
from lintpickle.facts.methods import other_names
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Item, Parameter, mentions_parameter, without_narrowing
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    Bound,
    ClassValue,
    Doubt,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
    is_none,
    joined,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.frames import Arguments, expand
from lintpickle.interpreter.parts import CALLING
from lintpickle.interpreter.probes import Probes
from lintpickle.interpreter.root_frames import RootFrame, RootFrames
from lintpickle.limits import LEVELS
from lintpickle.parsing.syntax import is_special_name
from lintpickle.resolution.boundary_aliases import BoundaryAliases

_Item = TypeVar("_Item")


class Calling(Struct, frozen=True):
    """The frame of a called function, with the hops from the call site and the doubts on the way. `by` is the call that
    calls it, with the function around that, if nothing is known of what that is called with."""

    frame: Frame
    hops: tuple[Hop, ...]
    doubts: tuple[Doubt, ...] = ()
    by: tuple[RootFrame, Called, FunctionValue] | None = None


class Callers:
    """Finds call sites in the modules of the program that are first-party."""

    def __init__(
        self,
        evaluator: Evaluator,
        roots: RootFrames,
        named: NamedCalls,
        constructing: ConstructingCalls,
        aliases: BoundaryAliases,
        probes: Probes,
    ) -> None:
        self._probes = probes
        self._aliases = aliases
        self._evaluator = evaluator
        self._activations = roots
        self._named = named
        self._constructing = constructing
        self._passed = PassedFunctions(evaluator, named)
        self._called_objects = CalledObjects(named, constructing, evaluator.cuts)
        self._overriding = Overriding(evaluator.classes, roots)
        self.asked: list[tuple[str, ClassValue]] = []
        """The classes of objects that have been asked whether they can be pickled before calls that were found, each
        with the path of the module."""
        self._known: dict[int, tuple[tuple[RootFrame, Called, FunctionValue], ...]] = {}

    def frames(
        self, root: RootFrame, asker: str, level: int = 0, of_object: bool = False, inside: tuple[RootFrame, ...] = ()
    ) -> Iterator[Calling]:
        """For each call site of the function, its frame with the arguments bound, and the hops for the trail. If a call
        site passes parameters on, the call sites of the enclosing function are followed; `of_object`, also those that
        make the object, if its own method calls another one. `asker` is the path of the module being judged. `inside`
        are functions that the function calls on the way: callers that only these call lead in a circle."""
        name, inside = self._shown_name(root), (*inside, root)
        for caller, event, callee in self._sites(root, asker):
            if self._is_only_called_by(inside, caller, asker):
                continue
            hop = Hop(f"calls {name}()", Site(caller.frame.module, event.call.span))
            overrides = (
                root.owner is not None
                and caller.owner is not root.owner
                and callee.bound is self._overriding.any_instance(root)
            )
            for around in self._outer(caller, event.call, asker, level + 1, of_object, inside):
                if overrides and not self._overriding.is_overridden_for(root, caller, around.frame):
                    continue
                calling = self._called_in(around, root, (caller, event, callee), hop)
                if calling is not None:
                    doubts = joined(calling.doubts, (Doubt.BRANCH,)) if overrides else calling.doubts
                    doubts = joined(doubts, (Doubt.DECORATOR,)) if callee.opaque else doubts
                    by = (caller, event, callee) if around.frame is caller.frame else None
                    yield replace(calling, doubts=doubts, by=by)
        if root.owner is None or root.is_constructor:
            yield from self._frames_passed(root, name, asker, level)

    def _is_only_called_by(self, others: tuple[RootFrame, ...], caller: RootFrame, asker: str) -> bool:
        """Whether a function is called, and by nothing but some others."""
        name = self._shown_name(caller)
        texts = ((each.frame.module.code, each.function.span) for each in others)
        if not any(code.find(name, span.start, span.end) >= 0 for code, span in texts):
            return False
        sites = self._sites(caller, asker)
        return bool(sites) and all(any(each.function is other.function for other in others) for each, _, _ in sites)

    def passing(self, root: RootFrame, asker: str) -> Iterator[tuple[RootFrame, Called]]:
        """The calls that may be given the function, or the class whose constructor it is, under whatever name, each
        with the enclosing function. `asker` is as for `frames`."""
        name = self._shown_name(root)
        if not name.startswith("<") and not is_special_name(name):
            yield from self._passed.passes(self._aliases.derived(name, asker), asker)

    def _frames_passed(self, root: RootFrame, name: str, asker: str, level: int) -> Iterator[Calling]:
        """The same for calls by those to whom the function, or the class whose constructor it is, is passed."""
        for caller, passing in self.passing(root, asker):
            hop = Hop(f"passes {name}", Site(caller.frame.module, passing.call.span))
            for around in self._outer(caller, passing.call, asker, level + 1):
                for home, event in self._passed.calls(passing.call, around.frame):
                    frame = self._frame_passed(root, event, home)
                    is_made = self._evaluator.conditions.reaches(event.span, home)
                    if frame is not None and is_made is not False:
                        doubts = around.doubts if is_made else joined(around.doubts, (Doubt.CONDITION,))
                        called = Hop(f"calls {name}()", Site(home.module, event.call.span))
                        yield Calling(frame, (*around.hops, hop, called), doubts)

    def _frame_passed(self, root: RootFrame, event: Called, home: Frame) -> Frame | None:
        """The frame of the function, if that or its class is what is called."""
        for traced in self._evaluator.evaluate(event.call.function, home):
            match traced.value:
                case FunctionValue(facts=facts) as callee if facts is root.function:
                    return self._frame(root, callee, event, home)
                case ClassValue() as class_ if (
                    owner := self._constructing.owner_of(class_, root.function)
                ) is not None:
                    return self._frame(root, FunctionValue(owner.module, root.function, owner.frame), event, home)
                case _:
                    pass
        return None

    def on_parameters(self, root: RootFrame, asker: str) -> Iterator[Calling]:
        """The same for calls of a method on what a function is given, or its object was, and of which it knows nothing:
        its own callers tell, or those that make the object."""
        name = root.function.name
        for caller in self._named.mentioning(frozenset({name}), METHOD_CALL, asker):
            for event in calls_of(frozenset({name}), caller.function, caller.frame.module):
                given = self._parameter_called(event, caller)
                if given is not None:
                    is_own = given == caller.instance_name and not caller.is_constructor
                    yield from self._given_objects(root, caller, event, asker, is_own)

    def _parameter_called(self, event: Called, caller: RootFrame) -> str | None:
        """The parameter that a call calls a method of, or of a part or an element of it, if nothing is known of that;
        None of all other calls."""
        function = event.call.function
        if not isinstance(function, Attribute):
            return None
        given = without_narrowing(function.base)
        while isinstance(given, (Attribute, Item)):
            given = without_narrowing(given.base)
        if not isinstance(given, Parameter) or (given is function.base and given.name == caller.instance_name):
            return None
        found = {each.value for each in self._evaluator.evaluate(function.base, caller.frame)}
        return given.name if UNKNOWN in found and all(each is UNKNOWN or is_none(each) for each in found) else None

    def _given_objects(
        self, root: RootFrame, caller: RootFrame, event: Called, asker: str, is_own: bool
    ) -> Iterator[Calling]:
        hop = Hop(f"calls {root.function.name}()", Site(caller.frame.module, event.call.span))
        found: Iterator[Calling]
        if is_own:
            found = (Calling(frame, hops) for frame, hops in self.on_instances(caller, asker, 1))
        else:
            found = self.first(self.frames(caller, asker, 1))
        for around in found:
            home = frame_at(event, around.frame, caller, self._evaluator)
            for traced in self._evaluator.evaluate(event.call.function, home):
                if isinstance(traced.value, FunctionValue) and traced.value.facts is root.function:
                    frame = self._frame(root, traced.value, event, home)
                    if frame is not None:
                        yield Calling(frame, (*around.hops, hop), around.doubts)

    def calls(self, root: RootFrame, asker: str) -> tuple[tuple[RootFrame, Call], ...]:
        """The visible calls of the function, each with the enclosing function. `asker` is as for `frames`."""
        return tuple((caller, event.call) for caller, event, _ in self._sites(root, asker))

    def around(self, caller: RootFrame, call: Call, asker: str) -> Sequence[Calling]:
        """The frames of the function around a call, which differ in what the call passes on. `asker` is as for
        `frames`."""
        return self._outer(caller, call, asker, 1)

    def _outer(
        self,
        caller: RootFrame,
        call: Call,
        asker: str,
        level: int,
        of_object: bool = False,
        inside: tuple[RootFrame, ...] = (),
    ) -> list[Calling]:
        """The frames of the function around a call, up to a limit: one in which nothing is known of its parameters, if
        the call passes on none."""
        found = self._around(caller, call, asker, level, of_object, inside)
        return list(self.first(found)) or [Calling(caller.frame, ())]

    def _around(
        self, caller: RootFrame, call: Call, asker: str, level: int, of_object: bool, inside: tuple[RootFrame, ...]
    ) -> Iterator[Calling]:
        """Frames of the function around a call that passes on its parameters or attributes, or (`of_object`) its
        object."""
        values = [argument.value for argument in call.arguments]
        me = None if caller.is_constructor else caller.instance_name
        match call.function:
            case Attribute(base=Parameter(name=name) as receiver) if of_object and name == me:
                values.append(receiver)
            case _:
                pass
        if not any(mentions_parameter(value, None, self._evaluator.cuts.note) for value in values):
            return
        if level > LEVELS.most:
            self._evaluator.cuts.note(LEVELS)
        elif any(mentions_parameter(value, me, self._evaluator.cuts.note) for value in values):
            yield from self.frames(caller, asker, level, of_object, inside)
        elif me is not None:
            for frame, hops in self.on_instances(caller, asker, level):
                yield Calling(frame, hops)

    def on_instances(self, root: RootFrame, asker: str, level: int = 0) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        """For each place that makes an instance with the method, up to a limit: a frame of the method on it, and the
        hops for the trail. `asker` is as for `frames`."""
        return self.first(self._on_instances(root, asker, level))

    def _on_instances(self, root: RootFrame, asker: str, level: int) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        if root.owner is None or root.function.decorated_by("classmethod"):
            return
        yield from in_turn(
            [
                self._on_made(each, caller, root, asker, level)
                for caller, each in self._constructing.with_method(root, asker)
            ]
        )

    def on_instances_made_in(
        self, root: RootFrame, asker: str, around: Callable[[RootFrame], Iterator[Calling]]
    ) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        """As `on_instances`, in the frames that `around` gives of the functions that make them."""
        if root.owner is None or root.function.decorated_by("classmethod"):
            return
        for caller, each in self._constructing.with_method(root, asker):
            for calling in self.first(around(caller)):
                yield from self._on_instances_of(each, caller, calling, root)

    def calls_within(
        self, root: RootFrame, asker: str, around: Callable[[RootFrame], Iterator[Calling]]
    ) -> Iterator[Calling]:
        """As `frames`, in the frames that `around` gives of the functions that call it."""
        name, known = self._shown_name(root), dict[RootFrame, Iterator[Calling]]()
        for caller, event, callee in self._sites(root, asker):
            hop = Hop(f"calls {name}()", Site(caller.frame.module, event.call.span))
            for outer in self.first(found_once(known, caller, partial(around, caller))):
                calling = self._called_in(outer, root, (caller, event, callee), hop)
                if calling is not None:
                    yield calling

    def _called_in(
        self, around: Calling, root: RootFrame, by: tuple[RootFrame, Called, FunctionValue], hop: Hop
    ) -> Calling | None:
        """A call of the function in a frame of the function around it; None if it surely calls another one there."""
        caller, event, callee = by
        is_made = is_made_of(callee, event, around.frame, self._evaluator)
        if is_made is False:
            return None
        called = _on_object_of(around.frame, callee, caller) or self._as_called(callee, hop, event.call)
        frame = self._frame(root, called, event, around.frame)
        if frame is None:
            return None
        doubts = around.doubts if is_made else joined(around.doubts, (Doubt.CONDITION,))
        return Calling(frame, (*around.hops, hop), doubts)

    def _on_made(
        self, event: Called, caller: RootFrame, root: RootFrame, asker: str, level: int
    ) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        """The frames for one call that makes instances: one for each caller of the function around it that decides what
        the call is given."""
        for around in self._outer(caller, event.call, asker, level + 1):
            yield from self._on_instances_of(event, caller, around, root)

    def _on_instances_of(
        self, event: Called, caller: RootFrame, around: Calling, root: RootFrame
    ) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        """The same for one call that makes instances, in one frame of the function around it."""
        if self._probes.is_settled(event, caller.frame):
            self._note_asked(event.call, around.frame)
            return
        for made in self._constructing.made(event.call, around.frame, root):
            instance = after_calls(made, around.hops, self._evaluator, root.function.name)
            method = FunctionValue(root.frame.module, root.function, root.owner.frame if root.owner else None, instance)
            arguments, depth = Arguments((), {}, True), around.frame.depth + 1
            frame = self._evaluator.activate(method, arguments, depth, called_by=(around.frame, event.call))
            if frame is not None:
                hop = Hop(f"creates {instance.class_.facts.name}", Site(caller.frame.module, event.call.span))
                yield frame, (*around.hops, hop)

    def _note_asked(self, call: Call, frame: Frame) -> None:
        """Remember the objects that a call is given of which it has been asked whether they can be pickled."""
        for argument in call.arguments:
            for traced in self._evaluator.evaluate(argument.value, frame):
                if isinstance(traced.value, InstanceValue):
                    self.asked.append((frame.module.path, traced.value.class_))

    def _shown_name(self, root: RootFrame) -> str:
        if root.owner is not None and root.is_constructor:
            return root.owner.facts.name
        return root.function.name

    def _as_called(self, callee: FunctionValue, hop: Hop, call: Call) -> FunctionValue:
        """A method of an object in the state in which that is called, if the function that calls it made the object."""
        match callee.bound:
            case InstanceValue(call=Call()) as instance:
                return replace(callee, bound=after_calls(instance, (hop,), self._evaluator, entered=call))
            case _:
                return callee

    def _frame(self, root: RootFrame, callee: FunctionValue, event: Called, around: Frame) -> Frame | None:
        arguments = expand(event.call, around, self._evaluator)
        is_class_called = not isinstance(event.call.function, Attribute) or event.call.function.name != "__init__"
        if root.owner is not None and root.is_constructor and is_class_called:
            made = self._evaluator.evaluate(event.call, around)[0].value
            bound = made if isinstance(made, InstanceValue) else callee.bound
            me = bound if isinstance(bound, InstanceValue) else self._activations.instance(root.owner)
            arguments = replace(arguments, positional=(Bound(value=me), *arguments.positional))
            callee = FunctionValue(callee.module, callee.facts, callee.frame)
        return self._evaluator.activate(callee, arguments, around.depth + 1, called_by=(around, event.call))

    def _sites(self, root: RootFrame, asker: str) -> tuple[tuple[RootFrame, Called, FunctionValue], ...]:
        name = self._shown_name(root)
        if name == CALLING and root.owner is not None:
            found = (self._calls(caller, root, names) for caller, names in self._called_objects.callers(root, asker))
            return self._known_or(root, chain.from_iterable(found))
        if name.startswith("<") or is_special_name(name):
            return ()  # What calls a special method does not name it.
        if root.is_constructor:
            names, form = self._aliases.derived(name, asker), CONSTRUCTOR_CALL
        elif root.owner is not None:
            others = other_names(name, root.owner.facts)
            names, form = frozenset({name, CALLED_BY.get(name, name), *others}), METHOD_CALL
        else:
            names, form = self._aliases.derived(name, asker), FUNCTION_CALL
        if root.is_constructor and root.owner is not None:
            mentioning = self._constructing.callers(root.owner, names, form, asker)
        else:
            mentioning = self._named.mentioning(names, form, asker)
        return self._known_or(root, chain.from_iterable(self._calls(caller, root, names) for caller in mentioning))

    def _known_or(
        self, root: RootFrame, found: Iterator[tuple[RootFrame, Called, FunctionValue]]
    ) -> tuple[tuple[RootFrame, Called, FunctionValue], ...]:
        """The call sites of a function that are known already, or else those that are found, up to the limit."""
        key = id(root.function)
        if key not in self._known:
            self._known[key] = ()
            place = Site(root.frame.module, root.function.header)
            self._known[key] = tuple(self._evaluator.cuts.within(place, self.first(found)))  # It is for whoever asks.
        return self._known[key]

    def first(self, found: Iterator[_Item]) -> Iterator[_Item]:
        """The callers up to the limit."""
        return first_callers(found, self._evaluator.cuts)

    def _calls(
        self, caller: RootFrame, root: RootFrame, names: frozenset[str]
    ) -> Iterator[tuple[RootFrame, Called, FunctionValue]]:
        if caller.function is root.function:
            return
        caller = self._overriding.inherited(caller, root)
        for event in map(as_method_call, calls_of(names, caller.function, caller.frame.module)):
            for traced in self._evaluator.evaluate(event.call.function, caller.frame):
                value = traced.value
                if isinstance(value, FunctionValue) and value.facts is root.function:
                    is_run = not is_never_entered(event.call, root.function, caller)
                    if is_run and not self._probes.is_settled(event, caller.frame):
                        yield caller, event, value
                elif isinstance(value, FunctionValue) and self._overriding.is_overridden(value, root):
                    if root.owner is not None and not self._probes.is_settled(event, caller.frame):
                        method = FunctionValue(
                            root.frame.module, root.function, root.owner.frame, self._overriding.any_instance(root)
                        )
                        yield caller, event, method
                elif isinstance(value, InstanceValue) and root.function.name == CALLING:
                    found = self._evaluator.classes.find_method(value, CALLING)
                    if found is not None and found[1] is root.function:
                        yield caller, event, FunctionValue(found[0].module, found[1], found[0].frame, value)
                elif isinstance(value, ClassValue):
                    owner = self._constructing.owner_of(value, root.function)
                    if owner is None:
                        continue
                    if self._probes.is_settled(event, caller.frame):
                        for around in self._outer(caller, event.call, root.frame.module.path, 1):
                            self._note_asked(event.call, around.frame)
                        continue
                    for made in self._evaluator.evaluate(event.call, caller.frame):
                        bound = made.value if isinstance(made.value, InstanceValue) else None
                        yield caller, event, FunctionValue(owner.module, root.function, owner.frame, bound)


def _on_object_of(frame: Frame, callee: FunctionValue, caller: RootFrame) -> FunctionValue | None:
    """A method that another one calls on its own object, on the object that the frame of that has; None if it is not
    such a call, or the frame knows no more of the object."""
    me = caller.instance_name
    before, now = (each.bindings.get(me) if me is not None else None for each in (caller.frame, frame))
    if before is None or now is None or before is now or callee.bound is None or callee.bound is not before.value:
        return None
    return replace(callee, bound=now.value) if now.value is not None else None
