"""Whether a boundary ships an object in which a function stores something, and which ones do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lintpickle.analyses.calls_and_values.given_values import given_by_attribute
from lintpickle.analyses.pickle_hooks.holders import holders
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Attribute, Expr, Parameter
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    AbstractValue,
    ContainerValue,
    Frame,
    InstanceValue,
    Site,
    Slot,
    TracedValue,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.components import WORKER_KINDS
from lintpickle.payload.linker import Linker
from lintpickle.payload.torch_modules import is_torch_module, made_as

_WRITING = ("save", "pickle")
"""Kinds of boundary that pickle without another process."""
_CALLS = 3
"""How many calls back a parameter is followed, or how deep containers."""
_PLAIN = frozenset({"dict", "list", "tuple", "set", "sorted"})
"""The kinds of containers that are looked into."""


def is_shipped(part: Expr, root: RootFrame, linker: Linker) -> bool:
    """Whether a boundary ships the object in which a function stores something: `part` is that object, or a part of
    it."""
    return any(linker.ships(traced, root.frame.module) for traced in objects_with(part, root, linker))


def boundaries_shipping(part: Expr, root: RootFrame, linker: Linker) -> Iterator[BoundaryCall]:
    """The boundaries with workers that ship the torch module in which a function stores something: those of its own
    file, and for `migrate`, which judges all modules together, any."""
    return _shipping(
        part, root, linker, lambda each: each.spec.kind in WORKER_KINDS and linker.boundaries.crosses(each)
    )


def boundaries_writing(part: Expr, root: RootFrame, linker: Linker) -> Iterator[BoundaryCall]:
    """The same of the boundaries without workers, which pickle it under every start method: `torch.save(model)`."""
    return _shipping(part, root, linker, lambda each: each.spec.kind in _WRITING)


def _shipping(
    part: Expr, root: RootFrame, linker: Linker, is_asked: Callable[[BoundaryCall], bool]
) -> Iterator[BoundaryCall]:
    stored = [_identity(traced.value, traced.site) for traced in objects_with(part, root, linker)]
    for boundary in linker.boundary_calls():
        is_seen = linker.moving_to is not None or boundary.site.module is root.frame.module
        if is_seen and is_asked(boundary):
            shipped = (each for each in linker.shipped_by(boundary) if _is_module(each.value, linker))
            if any(_identity(each.value, each.site) in stored for each in shipped):
                yield boundary


def _is_module(value: AbstractValue, linker: Linker) -> bool:
    return is_torch_module(value, linker.classes, linker.catalog)


def _identity(value: AbstractValue, site: Site) -> object:
    """What tells a torch module from others: where it is made; of one of which only the class is known, that."""
    match value:
        case InstanceValue(class_=class_, call=None):
            return class_.key
        case _:
            return made_as(value, site)


def objects_with(part: Expr, root: RootFrame, linker: Linker) -> Iterator[TracedValue]:
    """What the objects can be of which an expression gives a part, in the function itself and as it is called."""
    module = root.frame.module
    frames = [root.frame]
    if any(isinstance(each, Parameter) for each in holders(part, module)):
        calling = linker.callers.frames(root, module.path)
        frames += [each.frame for each in linker.callers.first(calling)]
    for frame in frames:
        yield from _held_in(part, frame, linker, _CALLS)


def _held_in(part: Expr, frame: Frame, linker: Linker, calls: int) -> Iterator[TracedValue]:
    for value in holders(part, frame.module):
        bound = frame.bindings.get(value.name) if isinstance(value, Parameter) and calls else None
        if bound is not None and bound.expr is not None and bound.frame is not None:
            yield from _held_in(bound.expr, bound.frame, linker, calls - 1)
        if isinstance(value, Attribute) and calls:
            for stored, home in given_by_attribute(value.base, value.name, frame, linker):
                yield from _held_in(stored, home, linker, calls - 1)
        for traced in linker.evaluate(value, frame):
            yield traced
            for slot in _gone_through(traced.value) if calls else ():
                yield from _held_in(slot.value, slot.frame, linker, calls - 1)


def _gone_through(value: AbstractValue) -> Iterator[Slot]:
    """What a container holds that other code has made by going through something: `self.layers = list(net.modules())`,
    then `self.layers[0]`."""
    if isinstance(value, ContainerValue) and value.kind in _PLAIN:
        yield from (slot for slot in value.slots if slot.key == SOME_ITEM)
