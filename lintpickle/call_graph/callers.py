"""The callers of a function, needed when a boundary's payload is a parameter of the enclosing function."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.call_graph.iterating import found_once, in_turn
from lintpickle.call_graph.running import after_calls
from lintpickle.facts.methods import functions_in
from lintpickle.facts.records import BlockFacts, Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, Name, mentions_parameter
from lintpickle.interpreter.abstract_values import (
    Bound,
    ClassValue,
    Doubt,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
    TracedValue,
    joined,
)
from lintpickle.interpreter.conditions import Conditions
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.frames import Arguments, expand
from lintpickle.interpreter.probes import Probes
from lintpickle.interpreter.root_frames import RootFrame, RootFrames
from lintpickle.limits import CALLERS, LEVELS
from lintpickle.parsing.syntax import is_special_name
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.program import Survey
from lintpickle.resolution.boundary_aliases import BoundaryAliases

_Item = TypeVar("_Item")
_CLASS = r"(?<!class )\b(?:{0})\b"
_CONSTRUCTOR = rf"{_CLASS}|\b__init__\s*\("
_FUNCTION = r"(?<!def )\b(?:{0})\b"
_METHOD = r"\.\s*(?:{0})\b"
"""The forms in which a name is called."""
_CALLS = {form: f"calls {form}" for form in (_CLASS, _CONSTRUCTOR, _FUNCTION, _METHOD)}
"""The names of the surveys for these forms."""


class Calling(Struct, frozen=True):
    """The frame of a called function, with the hops from the call site and the doubts on the way."""

    frame: Frame
    hops: tuple[Hop, ...]
    doubts: tuple[Doubt, ...] = ()


class Callers:
    """Finds call sites in the modules of the program that are first-party."""

    def __init__(
        self,
        evaluator: Evaluator,
        roots: RootFrames,
        first_party: FirstPartyModules,
        aliases: BoundaryAliases,
        conditions: Conditions,
        probes: Probes,
    ) -> None:
        self._probes = probes
        self._conditions = conditions
        self._aliases = aliases
        self._evaluator = evaluator
        self._activations = roots
        self._first_party = first_party
        self.asked: list[tuple[str, ClassValue]] = []
        """The classes of objects that have been asked whether they can be pickled before calls that were found, each
        with the path of the module."""
        self._known: dict[int, tuple[tuple[RootFrame, Called, FunctionValue], ...]] = {}
        self._forms: dict[tuple[frozenset[str], str], tuple[Words, re.Pattern[str]]] = {}
        self._mentions: dict[tuple[frozenset[str], str], Iterator[RootFrame]] = {}

    def frames(self, root: RootFrame, asker: str, level: int = 0) -> Iterator[Calling]:
        """For each call site of the function, its frame with the arguments bound, and the hops for the trail. If a call
        site passes parameters on, the call sites of the enclosing function are followed. `asker` is the path of the
        module being judged."""
        name = self._shown_name(root)
        for caller, event, callee in self._sites(root, asker):
            hop = Hop(f"calls {name}()", Site(caller.frame.module, event.call.span))
            overrides = root.owner is not None and caller.owner is not root.owner and callee.bound is self._any(root)
            for around in self._outer(caller, event.call, asker, level + 1):
                is_made = self._conditions.reaches(event.span, around.frame)
                if is_made is False or (overrides and not self._is_overridden_for(root, caller, around.frame)):
                    continue
                frame = self._frame(root, self._as_called(callee, hop), event, around.frame)
                if frame is not None:
                    doubts = around.doubts if is_made else joined(around.doubts, (Doubt.CONDITION,))
                    doubts = joined(doubts, (Doubt.BRANCH,)) if overrides else doubts
                    doubts = joined(doubts, (Doubt.DECORATOR,)) if callee.opaque else doubts
                    yield Calling(frame, (*around.hops, hop), doubts)

    def calls(self, root: RootFrame, asker: str) -> tuple[tuple[RootFrame, Call], ...]:
        """The visible calls of the function, each with the enclosing function. `asker` is as for `frames`."""
        return tuple((caller, event.call) for caller, event, _ in self._sites(root, asker))

    def around(self, caller: RootFrame, call: Call, asker: str) -> Sequence[Calling]:
        """The frames of the function around a call, which differ in what the call passes on. `asker` is as for
        `frames`."""
        return self._outer(caller, call, asker, 1)

    def _outer(self, caller: RootFrame, call: Call, asker: str, level: int) -> list[Calling]:
        """The frames of the function around a call, up to a limit: one in which nothing is known of its parameters, if
        the call passes on none."""
        return list(self.first(self._around(caller, call, asker, level))) or [Calling(caller.frame, ())]

    def _around(self, caller: RootFrame, call: Call, asker: str, level: int) -> Iterator[Calling]:
        """Frames of the function around a call that passes on its parameters or attributes."""
        values = [argument.value for argument in call.arguments]
        me = None if caller.is_constructor else caller.instance_name
        if not any(mentions_parameter(value, None, self._evaluator.cuts.note) for value in values):
            return
        if level > LEVELS.most:
            self._evaluator.cuts.note(LEVELS)
        elif any(mentions_parameter(value, me, self._evaluator.cuts.note) for value in values):
            yield from self.frames(caller, asker, level)
        elif me is not None:
            for frame, hops in self.on_instances(caller, asker, level):
                yield Calling(frame, hops)

    def calls_of_method(self, name: str, asker: str) -> Iterator[tuple[RootFrame, Called]]:
        """The calls of whatever method has that name, each with the enclosing function. `asker` is as for `frames`."""
        for caller in self._mentioning(frozenset({name}), _METHOD, asker):
            for event in caller.function.events:
                if isinstance(event, Called) and getattr(event.call.function, "name", None) == name:
                    yield caller, event

    def on_instances(self, root: RootFrame, asker: str, level: int = 0) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        """For each place that makes an instance with the method, up to a limit: a frame of the method on it, and the
        hops for the trail. `asker` is as for `frames`."""
        return self.first(self._on_instances(root, asker, level))

    def _on_instances(self, root: RootFrame, asker: str, level: int) -> Iterator[tuple[Frame, tuple[Hop, ...]]]:
        owner = root.owner
        if owner is None:
            return
        yield from in_turn(
            [self._on_made(each, caller, root, asker, level) for caller, each in self._making(root, asker)]
        )

    def _making(self, root: RootFrame, asker: str) -> Iterator[tuple[RootFrame, Called]]:
        """The calls that make an instance with the method, up to a limit, each with the enclosing function."""
        owner = root.owner
        names = self._aliases.derived(owner.facts.name, asker) if owner is not None else frozenset[str]()
        found = (
            (caller, event)
            for caller in self._mentioning(names, _CLASS, asker)
            for event in _calls_of(names, caller.function, caller.frame.module)
            if any(True for _ in self._made(event.call, caller.frame, root))
        )
        return self.first(found)

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
        for made in self._made(event.call, around.frame, root):
            instance = after_calls(made, around.hops, self._evaluator)
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

    def constructions(self, class_: ClassValue, asker: str) -> Iterator[TracedValue]:
        """The instances of a class or its subclasses that calls in the program make, each with its call site. `asker`
        is as for `frames`."""
        names = self._aliases.derived(class_.facts.name, asker)
        for caller in self._mentioning(names, _CLASS, asker):
            for event in _calls_of(names, caller.function, caller.frame.module):
                site = Site(caller.frame.module, event.call.span)
                for instance in self._instances(event.call, caller.frame):
                    line = self._evaluator.classes.mro(instance.class_)
                    if any(isinstance(each, ClassValue) and each.facts is class_.facts for each in line):
                        yield TracedValue(instance, site)

    def _instances(self, call: Call, frame: Frame) -> Iterator[InstanceValue]:
        """What a call makes, if it is the call of a class."""
        called = (traced.value for traced in self._evaluator.evaluate(call.function, frame))
        if any(isinstance(value, ClassValue) for value in called):
            yield from self._objects(call, frame)

    def _made(self, call: Call, frame: Frame, root: RootFrame) -> Iterator[InstanceValue]:
        """The instances with the method that a call makes, if it is the call of their class."""
        for traced in self._evaluator.evaluate(call.function, frame):
            if isinstance(traced.value, ClassValue):
                found = self._evaluator.classes.find_method(traced.value, root.function.name)
                if found is not None and found[1] is root.function:
                    yield from self._objects(call, frame)

    def _objects(self, call: Call, frame: Frame) -> Iterator[InstanceValue]:
        """What a call gives that is an object of a class that is read."""
        for made in self._evaluator.evaluate(call, frame):
            if isinstance(made.value, InstanceValue):
                yield made.value

    def _mentioning(self, names: frozenset[str], form: str, asker: str) -> Iterator[RootFrame]:
        """The functions of parsed blocks in which one of the names stands in a form (`_CLASS`, `_CONSTRUCTOR`,
        `_FUNCTION`, `_METHOD`). Many scripts have a `main`: what was found once, as far as it was asked for, is not
        sought again."""
        words, pattern = self._sought(names, form)
        paths = self._first_party.which(words, asker, pattern)
        self._first_party.surveying(_CALLS[form], words, asker)  # This module asks too, though others may have before.
        return found_once(self._mentions, (names, form), lambda: self._finding(words, _CALLS[form], pattern, paths))

    def _sought(self, names: frozenset[str], form: str) -> tuple[Words, re.Pattern[str]]:
        if (names, form) not in self._forms:
            self._forms[names, form] = Words(names), re.compile(_written(names, form))
        return self._forms[names, form]

    def _finding(
        self, words: Words, survey: str, pattern: re.Pattern[str], paths: Collection[str]
    ) -> Iterator[RootFrame]:
        for module in self._first_party.modules(paths):
            is_noted = False
            for facts in _blocks_naming(words, pattern, module):
                if _may_call(words.all, facts, pattern, module):
                    if not is_noted:
                        self._first_party.note(survey, words, module.path)
                        is_noted = True
                    yield from self._activations.in_block(module, facts, pattern)

    def _shown_name(self, root: RootFrame) -> str:
        if root.owner is not None and root.is_constructor:
            return root.owner.facts.name
        return root.function.name

    def _as_called(self, callee: FunctionValue, hop: Hop) -> FunctionValue:
        """A method of an object in the state in which that is called, if the function that calls it made the object."""
        match callee.bound:
            case InstanceValue(call=Call()) as instance:
                return replace(callee, bound=after_calls(instance, (hop,), self._evaluator))
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
        if name.startswith("<") or is_special_name(name):
            return ()  # What calls a special method does not name it.
        if root.is_constructor:
            names, form = self._aliases.derived(name, asker), _CONSTRUCTOR
        elif root.owner is not None:
            names, form = frozenset({name}), _METHOD
        else:
            names, form = self._aliases.derived(name, asker), _FUNCTION
        mentioning = self._mentioning(names, form, asker)
        key = id(root.function)
        if key not in self._known:
            self._known[key] = ()
            calls = (self._calls(caller, root, names) for caller in mentioning)
            found = self.first(chain.from_iterable(calls))
            place = Site(root.frame.module, root.function.header)
            self._known[key] = tuple(self._evaluator.cuts.within(place, found))  # It is for whoever asks.
        return self._known[key]

    def first(self, found: Iterator[_Item]) -> Iterator[_Item]:
        """The callers up to the limit."""
        yield from islice(found, CALLERS.most - 1)
        for last in islice(found, 1):
            yield last
            self._evaluator.cuts.note(CALLERS)

    def _calls(
        self, caller: RootFrame, root: RootFrame, names: frozenset[str]
    ) -> Iterator[tuple[RootFrame, Called, FunctionValue]]:
        if caller.function is root.function:
            return
        caller = self._inherited(caller, root)
        for event in _calls_of(names, caller.function, caller.frame.module):
            for traced in self._evaluator.evaluate(event.call.function, caller.frame):
                value = traced.value
                if isinstance(value, FunctionValue) and value.facts is root.function:
                    if not self._probes.is_settled(event, caller.frame):
                        yield caller, event, value
                elif isinstance(value, FunctionValue) and self._is_overridden(value, root):
                    if root.owner is not None and not self._probes.is_settled(event, caller.frame):
                        method = FunctionValue(root.frame.module, root.function, root.owner.frame, self._any(root))
                        yield caller, event, method
                elif isinstance(value, ClassValue):
                    owner = self._constructing(value, root.function)
                    if owner is None:
                        continue
                    if self._probes.is_settled(event, caller.frame):
                        for around in self._outer(caller, event.call, root.frame.module.path, 1):
                            self._note_asked(event.call, around.frame)
                        continue
                    for made in self._evaluator.evaluate(event.call, caller.frame):
                        bound = made.value if isinstance(made.value, InstanceValue) else None
                        yield caller, event, FunctionValue(owner.module, root.function, owner.frame, bound)

    def _any(self, root: RootFrame) -> InstanceValue | None:
        """Any instance of the class of a method."""
        return self._activations.instance(root.owner) if root.owner is not None else None

    def _is_overridden(self, called: FunctionValue, root: RootFrame) -> bool:
        """Whether a base class calls its own method on `self`, and a method is the one that a subclass has instead."""
        me = called.bound
        if root.owner is None or not isinstance(me, InstanceValue) or me.call is not None:
            return False
        if called.facts.name != root.function.name or me.class_.facts is root.owner.facts:
            return False
        line = self._evaluator.classes.mro(root.owner)
        return any(isinstance(each, ClassValue) and each.facts is me.class_.facts for each in line)

    def _is_overridden_for(self, root: RootFrame, caller: RootFrame, around: Frame) -> bool:
        """Whether the object on which a base class calls its method may be one that has the method of the subclass."""
        me = around.bindings.get(caller.instance_name or "")
        if me is None or not isinstance(me.value, InstanceValue) or me.value.call is None:
            return True
        found = self._evaluator.classes.find_method(me.value, root.function.name)
        return found is not None and found[1] is root.function

    def _inherited(self, caller: RootFrame, root: RootFrame) -> RootFrame:
        """A method that the class of another method inherits, as it runs on objects of that class: what it calls on
        them are the methods that the class puts in the place of inherited ones."""
        owner, me = root.owner, caller.instance_name
        if owner is None or me is None or caller.owner is None or caller.owner.facts is owner.facts:
            return caller
        if caller.function.decorated_by("classmethod") or root.instance_name is None:
            return caller
        found = self._evaluator.classes.find_method(owner, caller.function.name)
        if found is None or found[1] is not caller.function:
            return caller
        bindings = {**caller.frame.bindings, me: Bound(value=self._activations.instance(owner))}
        return RootFrame(replace(caller.frame, bindings=bindings), owner)

    def _constructing(self, class_: ClassValue, function: FunctionFacts) -> ClassValue | None:
        """The class, or the one that it derives from, whose method the function is that makes objects of it."""
        found = self._evaluator.classes.find_method(class_, "__init__") if function.name == "__init__" else None
        return found[0] if found is not None and found[1] is function else None


def surveys() -> dict[str, Survey]:
    """The surveys that are asked for here (see `Program.surveys`): whether a module may call what has one of the
    names."""
    return {name: partial(_calls_in, form) for form, name in _CALLS.items()}


def _calls_in(form: str, module: Module, names: tuple[str, ...]) -> bool:
    words, pattern = Words(names), re.compile(_written(names, form))
    return any(_may_call(words.all, facts, pattern, module) for facts in _blocks_naming(words, pattern, module))


def _written(names: Iterable[str], form: str) -> str:
    return form.format("|".join(map(re.escape, sorted(names))))


def _blocks_naming(words: Words, pattern: re.Pattern[str], module: Module) -> Iterator[BlockFacts]:
    for block in words.plots_in(module.lexicon, module.outline.blocks):
        is_named = pattern.search(module.code, block.span.start, block.span.end)
        facts = module.facts_of(block) if is_named else None
        if facts is not None:
            yield facts


def _may_call(names: frozenset[str], block: BlockFacts, pattern: re.Pattern[str], module: Module) -> bool:
    functions = functions_in(block, pattern, module.code)
    return any(True for function in functions for _ in _calls_of(names, function, module))


def _calls_of(names: frozenset[str], function: FunctionFacts, module: Module) -> Iterator[Called]:
    """The calls in a function by which something of one of the names can be called."""
    stored = {event.attribute for event in function.events if isinstance(event, Store)}
    for event in function.events:
        if isinstance(event, Called) and _may_bear(event.call.function, names | stored, module):
            yield event


def _may_bear(function: Expr, names: frozenset[str], module: Module) -> bool:
    """Whether what is called, by its form, can be something of one of the names."""
    match function:
        case Attribute(name=name):
            return name in names or name == "__init__"
        case Name(name=name):
            if imported := module.outline.importing(name):
                return name in names or any(each.name in names for each in imported)
            blocks = module.outline.binding(name)
            return name in names or not all(block.classes or block.defines_function for block in blocks)
        case _:
            return True
