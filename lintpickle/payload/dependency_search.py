"""Boundaries inside installed packages, to which calls of first-party code lead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.boundaries.names import UNFOLLOWED_KIND
from lintpickle.call_graph.running import frame_at
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, Expr, ending_name
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    Doubt,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
    joined,
)
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import START_CALLS, START_FUNCTIONS
from lintpickle.parsing.outline import Block
from lintpickle.payload.components import Components
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.dependency_starts import DependencyStarts
from lintpickle.program.module import Module


class _Sought(Struct, frozen=True):
    """What is called in a module that may lead to a boundary in a dependency: the last names of what is called, and
    the form in which they stand."""

    names: frozenset[str]
    form: re.Pattern[str]


class DependencySearch:
    """Finds them for one linker. What a dependency does with objects of its own is not told."""

    def __init__(self, parts: Components) -> None:
        self._parts = parts
        self._starts = DependencyStarts(parts.places, parts.boundary_names, parts.screen, parts.evaluator.cuts)

    def find(self) -> Iterator[BoundaryCall]:
        """The boundaries in dependencies, each with the hops from the first-party call that leads there."""
        for module in self._parts.scope:
            sought = self._sought(module)
            for block in module.outline.blocks if sought is not None else ():
                if sought is None or not sought.form.search(module.code, block.span.start, block.span.end):
                    continue
                facts = module.facts_of(block)
                for root in self._parts.activations.in_block(module, facts, sought.form) if facts is not None else ():
                    for event in root.function.events:
                        if isinstance(event, Called) and ending_name(event.call.function) in sought.names:
                            yield from self._parts.linked(Site(module, event.span), self._led_to(root, event))

    def in_hooks(self, crossing: Crossing) -> Iterator[BoundaryCall]:
        """The boundaries in the `__getstate__` of an object of a dependency that crosses: wrappers pickle what they
        hold in another way."""
        me = crossing.value
        found = self._parts.classes.find_method(me, "__getstate__") if isinstance(me, InstanceValue) else None
        if found is None or found[0].module.first_party or not isinstance(me, InstanceValue):
            return
        owner, facts = found
        depth = me.frame.depth + 1 if me.frame is not None else 1
        method = FunctionValue(owner.module, facts, owner.frame, me)
        frame = self._parts.evaluator.activate(method, Arguments((), {}, False), depth)
        if frame is not None:
            hop = Hop(f"{owner.facts.name}.__getstate__() is called", Site(owner.module, facts.header))
            way = _Way(self._parts, self._starts)
            for inner in way.inside(RootFrame(frame, owner), (*crossing.hops, hop), crossing.doubts):
                yield replace(inner, spec=replace(inner.spec, start_methods=crossing.root.start_methods))

    def _sought(self, module: Module) -> _Sought | None:
        names: set[str] = set()
        methods: set[str] = set()
        for dotted in self._called(module):
            with self._parts.evaluator.cuts.at(Site(module, Span(0, 0))):
                leading = self._starts.named(module, dotted)
            for found, block in leading:
                names.add(dotted.rpartition(".")[2])
                methods.update(self._starts.methods(found, block))
        if not names:
            return None
        forms = [rf"\b(?:{_any_of(names)})\s*\("]
        forms += [rf"\.\s*(?:{_any_of(methods)})\s*\("] if methods else []
        return _Sought(frozenset(names | methods), re.compile("|".join(forms)))

    def _called(self, module: Module) -> frozenset[str]:
        """The dotted names in a module that are called and begin with what it imports from a dependency that is
        read."""
        imported = {
            alias
            for alias in module.outline.imports
            if any(
                self._is_of_dependency(each.module, module)
                for each in module.outline.importing(alias)
                if not each.level
            )
        }
        if not imported:
            return frozenset()
        found = re.finditer(rf"(?<![\w.])((?:{_any_of(imported)})(?:\s*\.\s*\w+)*)\s*\(", module.code)
        return frozenset("".join(match[1].split()) for match in found)

    def _is_of_dependency(self, name: str, module: Module) -> bool:
        file = self._parts.program.file_from(name.partition(".")[0], module.path)
        return file is not None and not file.first_party

    def _led_to(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        parts = self._parts
        if not self._leads(event.call.function, root.frame) or parts.probes.is_settled(event, root.frame):
            return
        for around in parts.callers.around(root, event.call, root.frame.module.path):
            is_made = parts.conditions.reaches(event.span, around.frame)
            if is_made is not False:
                doubts = around.doubts if is_made else joined(around.doubts, (Doubt.CONDITION,))
                frame = frame_at(event, around.frame, root, parts.evaluator)
                itself = parts.boundaries.made(event, frame)  # by what a dependency defines; others may find it too
                for found in (*itself, *_Way(parts, self._starts).through(event.call, frame, (), ())):
                    hops = (*around.hops, *found.hops)
                    yield replace(found, hops=hops, doubts=joined(doubts, found.doubts))

    def _leads(self, function: Expr, frame: Frame) -> bool:
        return any(_is_of_dependency(each.value) for each in self._parts.evaluator.evaluate(function, frame))


class _Way:
    """The way from one first-party call; each function is entered once."""

    def __init__(self, parts: Components, starts: DependencyStarts) -> None:
        self._parts = parts
        self._starts = starts
        self._entered: set[int] = set()

    def through(
        self, call: Call, frame: Frame, hops: tuple[Hop, ...], doubts: tuple[Doubt, ...]
    ) -> Iterator[BoundaryCall]:
        """The boundaries to which a call leads in a dependency."""
        found = self._parts.evaluator.evaluate(call.function, frame)
        for traced in found:
            for callee, owner in self._functions(traced.value, call, frame):
                if self._is_left_out(callee, hops):
                    continue
                self._entered.add(id(callee.facts))
                inner = self._parts.evaluator.enter(callee, call, frame)
                if inner is not None:
                    name = owner.facts.name if owner and callee.facts.name == "__init__" else callee.facts.name
                    hop = Hop(f"calls {name}()", Site(frame.module, call.span))
                    way = joined(joined(doubts, traced.doubts), (Doubt.BRANCH,) if len(found) > 1 else ())
                    yield from self.inside(RootFrame(inner, owner), (*hops, hop), way)

    def inside(self, root: RootFrame, hops: tuple[Hop, ...], doubts: tuple[Doubt, ...]) -> Iterator[BoundaryCall]:
        """The boundaries to which the calls of a function lead."""
        parts = self._parts
        for event in root.function.events:
            if not isinstance(event, Called):
                continue
            is_made = parts.conditions.reaches(event.span, root.frame)
            if is_made is False or parts.probes.is_settled(event, root.frame):
                continue
            way = doubts if is_made else joined(doubts, (Doubt.CONDITION,))
            frame = frame_at(event, root.frame, root, parts.evaluator)
            boundaries = tuple(parts.boundaries.made(event, frame))
            for boundary in boundaries:
                kind = boundary.spec.kind
                if kind != UNFOLLOWED_KIND and not parts.probes.is_one(event, kind, frame):
                    yield replace(boundary, hops=(*hops, *boundary.hops), doubts=joined(way, boundary.doubts))
            if not boundaries:
                yield from self.through(event.call, frame, hops, way)

    def _is_left_out(self, callee: FunctionValue, hops: tuple[Hop, ...]) -> bool:
        """Whether a function is not followed: it is first-party, pickles nothing, or is too far away."""
        facts, module = callee.facts, callee.module
        if module.first_party or id(facts) in self._entered or facts.is_generator or facts.is_async:
            return True
        block = module.outline.block_at(facts.header.start)
        if block is None or not self._may_pickle(module, block, facts):
            return True
        is_full = len(self._entered) > START_FUNCTIONS.most
        limit = START_FUNCTIONS if is_full else START_CALLS if len(hops) >= START_CALLS.most else None
        if limit is not None:
            self._parts.evaluator.cuts.note(limit)
        return limit is not None

    def _may_pickle(self, module: Module, block: Block, facts: FunctionFacts) -> bool:
        """Whether a function leads to a boundary, or calls a method that can be one on something that it is given."""
        is_method_called = self._parts.aliases.on_name.search(module.code, facts.span.start, facts.span.end) is not None
        return is_method_called or self._starts.leads(module, block)

    def _functions(
        self, value: AbstractValue, call: Call, frame: Frame
    ) -> Iterator[tuple[FunctionValue, ClassValue | None]]:
        """The functions that calling a value runs, each with the class whose method it is."""
        match value:
            case FunctionValue(bound=InstanceValue(class_=class_)):
                yield value, class_
            case FunctionValue():
                yield value, None
            case ClassValue():
                for made in self._parts.evaluator.evaluate(call, frame):
                    if isinstance(made.value, InstanceValue):
                        yield from self._method(made.value, "__init__")
            case InstanceValue():
                yield from self._method(value, "__call__")
            case _:
                pass

    def _method(self, instance: InstanceValue, name: str) -> Iterator[tuple[FunctionValue, ClassValue]]:
        found = self._parts.classes.find_method(instance, name)
        if found is not None:
            yield FunctionValue(found[0].module, found[1], found[0].frame, instance), found[0]


def is_given(crossing: Crossing, boundary: BoundaryCall) -> bool:
    """Whether what crosses at a boundary in a dependency is something that first-party code made, or is held by
    that."""
    own = [*_objects_of(boundary.frame), *_itself(boundary)]
    inner: Crossing | None = crossing
    while inner is not None:
        value = inner.value
        is_own = isinstance(value, InstanceValue) and any(value.call is each.call for each in own)
        if inner.site.module.first_party and not is_own:
            return True
        inner = inner.inside
    return False


def _itself(boundary: BoundaryCall) -> Iterator[InstanceValue]:
    """The process that a dependency defines, if a boundary is the making of one."""
    made = boundary.arguments.get(ITSELF)
    if made is not None and isinstance(made.value, InstanceValue) and not made.value.class_.module.first_party:
        yield made.value


def _objects_of(frame: Frame) -> list[InstanceValue]:
    """The objects of dependencies whose methods run around a frame."""
    found: list[InstanceValue] = []
    for each in takewhile(lambda each: not each.module.first_party, frame.way()):
        parameters = each.function.parameters
        me = each.bindings.get(parameters[0].name) if parameters else None
        if me is not None and isinstance(me.value, InstanceValue) and not me.value.class_.module.first_party:
            found.append(me.value)
    return found


def _is_of_dependency(value: AbstractValue) -> bool:
    """Whether what is called is a function of a dependency, or a class or an object of one."""
    match value:
        case FunctionValue(module=module) | ClassValue(module=module) | InstanceValue(class_=ClassValue(module=module)):
            return not module.first_party
        case _:
            return False


def _any_of(words: set[str]) -> str:
    return "|".join(map(re.escape, sorted(words)))
