"""Where the tensors and torch modules were made to which expressions lead, and whether the program has them shared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from lintpickle.analyses.lost_changes.ways_to_tensors import GOING_THROUGH, OF_THE_SAME
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Comprehension,
    Expr,
    Item,
    Mapping,
    Name,
    Parameter,
    ending_name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ContainerValue, Frame, FunctionValue, InstanceValue, Site
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.payload.entry_arguments import written_for
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_SHARING = frozenset({"share_memory", "share_memory_"})
_SHARES = re.compile(r"\.share_memory_?\(")
_SHARES_ITSELF = re.compile(r"\bself\.share_memory\(")
_LEADING_ON = OF_THE_SAME | _SHARING
_COPYING = frozenset({"deepcopy", "copy", "clone"})
_CONTAINERS = frozenset({"list", "dict", "OrderedDict", "collections.OrderedDict"})
_DEPTH = 6
_SLOTS = 3


class MadeStorage(Struct, frozen=True, eq=False):
    """The call that has made something, and the function in which it stands, if that is known."""

    call: Call
    frame: Frame | None
    object: InstanceValue | None = None


class _Sharing(Struct, frozen=True, eq=False):
    """Where a function moves something to shared memory, and the calls that may have made that."""

    place: Span
    made: tuple[Call, ...]


class Storages(Struct, frozen=True, eq=False):
    """What the processes of a boundary are given, and what of it the program has moved to shared memory."""

    boundary: BoundaryCall
    entries: tuple[WorkerFunction, ...]
    linker: Linker
    known: dict[Frame, tuple[_Sharing, ...]] = field(default_factory=dict)
    """What functions share, as far as that was asked."""

    def origins(self, value: Expr, frame: Frame, depth: int = 0) -> Iterator[MadeStorage]:
        """The calls that have made what an expression is, or the module or container of which it is a part."""
        inner = without_narrowing(value)
        if depth > _DEPTH:
            return
        bound = self._bound(inner, frame) if isinstance(inner, Parameter) else None
        if bound is not None:
            yield from self.origins(*bound, depth + 1)
            return
        if isinstance(inner, Call):
            yield MadeStorage(inner, frame)
            if ending_name(inner.function) in _COPYING:
                return
        for traced in self.linker.evaluate(inner, frame):
            made, home = getattr(traced.value, "call", None), getattr(traced.value, "frame", None)
            if isinstance(made, Call) and made is not inner:
                yield MadeStorage(made, home, traced.value if isinstance(traced.value, InstanceValue) else None)
            if isinstance(traced.value, ContainerValue):
                for slot in traced.value.slots[:_SLOTS]:
                    yield from self.origins(slot.value, slot.frame, depth + 1)
        yield from self._behind(inner, frame, depth)

    def _behind(self, inner: Expr, frame: Frame, depth: int) -> Iterator[MadeStorage]:
        """The origins of what an expression is a part of."""
        match inner:
            case Attribute(name="grad"):
                pass
            case Attribute(base=base, name=name):
                holders = [
                    each.value for each in self.linker.evaluate(base, frame) if isinstance(each.value, InstanceValue)
                ]
                plain = [each for each in holders if self.linker.classes.kind(each) not in MODULE_KINDS]
                for holder in plain:
                    for held in self.linker.classes.states.state(holder):
                        if held.attribute == name and held.direct:
                            yield from self.origins(held.value, held.frame, depth + 1)
                if not plain:
                    yield from self.origins(base, frame, depth + 1)
            case Item(base=base) | Call(function=Attribute(base=base, name=("get" | "pop"))):
                yield from self.origins(base, frame, depth + 1)
            case Call(function=Attribute(base=base, name=name)) if name in _LEADING_ON:
                yield from self.origins(base, frame, depth + 1)
            case Call(function=Name(name=name), arguments=arguments) if name in GOING_THROUGH and arguments:
                for argument in arguments:
                    yield from self.origins(argument.value, frame, depth + 1)
            case Comprehension(element=element):
                yield from self.origins(element, frame, depth + 1)
            case Collection(elements=elements):
                for each in elements[:_SLOTS]:
                    yield from self.origins(each, frame, depth + 1)
            case Mapping(items=items):
                for _, each in items[:_SLOTS]:
                    yield from self.origins(each, frame, depth + 1)
            case _:
                pass

    def _bound(self, inner: Parameter, frame: Frame) -> tuple[Expr, Frame] | None:
        """What a parameter is given, where that is written."""
        bound = frame.bindings.get(inner.name)
        if bound is not None and bound.expr is not None and bound.frame is not None:
            return bound.expr, bound.frame
        if bound is not None and bound.value is not None:
            return None
        given = (written_for(inner.name, each.facts, self.boundary) for each in self.entries if each.frame is frame)
        return next((each for each in given if each is not None), None)

    def is_container(self, value: Expr, frame: Frame) -> bool:
        """Whether an expression is a list or dict, which has its items as what they are."""
        inner = without_narrowing(value)
        bound = self._bound(inner, frame) if isinstance(inner, Parameter) else None
        if bound is not None:
            return self.is_container(*bound)
        return isinstance(inner, Mapping | Collection | Comprehension) or any(
            isinstance(traced.value, ContainerValue) and traced.value.kind in _CONTAINERS
            for traced in self.linker.evaluate(inner, frame)
        )

    def given(self) -> Iterator[MadeStorage]:
        """The origins of what the processes are given, and of what the objects among that hold."""
        for role in ("args", "target"):
            bound = self.boundary.arguments.get(role)
            if bound is None or bound.expr is None or bound.frame is None:
                continue
            inner = without_narrowing(bound.expr)
            for each in inner.elements if isinstance(inner, Collection) else (inner,):
                yield from self.origins(each, bound.frame)
                for traced in self.linker.evaluate(each, bound.frame):
                    method = traced.value
                    holder = method.bound if isinstance(method, FunctionValue) else method
                    if isinstance(holder, InstanceValue) and self.linker.classes.kind(holder) not in MODULE_KINDS:
                        for held in self.linker.classes.states.state(holder):
                            if held.direct:
                                yield from self.origins(held.value, held.frame, 1)

    def shared_at(self, origin: MadeStorage) -> Site | None:
        """Where the program moves what was made to shared memory; None if that is not seen."""
        match origin.call.function:
            case Attribute(name=name) if name in _SHARING and origin.frame is not None:
                return Site(origin.frame.module, origin.call.span)
            case _:
                pass
        way = origin.frame.way() if origin.frame is not None else ()
        frames = {id(each.function): each for each in (*self.boundary.frame.way(), *way)}
        for frame in frames.values():
            for sharing in self._shared_in(frame):
                if any(each is origin.call for each in sharing.made):
                    return Site(frame.module, sharing.place)
        class_ = origin.object.class_ if origin.object is not None else None
        if class_ is not None and _SHARES_ITSELF.search(
            class_.module.code, class_.facts.span.start, class_.facts.span.end
        ):
            return Site(class_.module, class_.facts.header)
        return None

    def _shared_in(self, frame: Frame) -> tuple[_Sharing, ...]:
        if frame not in self.known:
            self.known[frame] = tuple(
                _Sharing(call.span, tuple(each.call for each in self.origins(base, frame)))
                for call, base in _sharing(frame.function, frame)
            )
        return self.known[frame]

    def is_any_shared(self) -> bool:
        """Whether a module that takes part shares anything: the cheap question."""
        given = (each.module for each in self.boundary.frame.way())
        modules = {id(each): each for each in (*given, *(entry.module for entry in self.entries))}
        return any(each.has(_SHARES) for each in modules.values())


def _sharing(facts: FunctionFacts, frame: Frame) -> Iterator[tuple[Call, Expr]]:
    """The calls of a function that move something to shared memory, and what that is."""
    for event in facts.events if frame.module.has(_SHARES) else ():
        match event:
            case Called(call=Call(function=Attribute(base=base, name=name)) as call) if name in _SHARING:
                yield call, base
            case _:
                pass
