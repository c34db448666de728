"""Attributes that an object of a library gets by calls which are told their names: `toolbox.register("run", task, 3)`,
and then `toolbox.run` is a partial object."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from lintpickle.facts.records import Called
from lintpickle.facts.values import Argument, Attribute, Call, Constant, Expr, Name, may_be
from lintpickle.interpreter.abstract_values import (
    ContainerValue,
    Doubt,
    ExternalResult,
    Frame,
    Site,
    Slot,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.partials import PARTIAL, kept_by_partial
from lintpickle.interpreter.protocols import Interpreter


def named_attribute(
    owner: ExternalResult, name: str, methods: Collection[str], reader: Frame, evaluator: Interpreter
) -> tuple[TracedValue, ...]:
    """What methods of an object, of these names, put into an attribute, each time the rest of their arguments: in the
    function or the module that makes the object, and in the function that reads it."""
    found = [
        (Site(frame.module, event.span), event, frame)
        for frame in _frames(owner, reader, evaluator)
        for event in frame.function.events
        if isinstance(event, Called)
        and _names(event.call, name, methods)
        and _is_on(owner, event.call, frame, evaluator)
    ]
    is_one = len(found) == 1 and not found[0][1].conditional
    doubts = () if is_one else (Doubt.BRANCH,)
    return tuple(
        TracedValue(ContainerValue(PARTIAL, slots, event.call, "partial"), site, doubts=doubts)
        for site, event, frame in found
        if (slots := tuple(_rest(event.call, frame, evaluator)))
    )


def _frames(owner: ExternalResult, reader: Frame, evaluator: Interpreter) -> Iterator[Frame]:
    made, maker = owner.call, owner.frame
    yield maker
    seen = {id(maker.function)}
    module = maker.module
    for name in module.outline.touched_at(made.span) if maker.function.is_module_body else ():
        for block in module.blocks_touching(name):
            if id(block.body) not in seen:
                seen.add(id(block.body))
                yield evaluator.module_frame(module, block.body)
    if id(reader.function) not in seen:
        yield reader


def _names(call: Call, name: str, methods: Collection[str]) -> bool:
    """Whether a call is one of a method of these names that is told the name first."""
    match call:
        case Call(
            function=Attribute(name=method), arguments=(Argument(value=Constant(value=str(told)), star=""), _, *_)
        ):
            return method in methods and told == name
        case _:
            return False


def _is_on(owner: ExternalResult, call: Call, frame: Frame, evaluator: Interpreter) -> bool:
    """Whether what the method of a call belongs to is the object."""
    base: Expr = call.function.base if isinstance(call.function, Attribute) else call
    if may_be(base, owner.call):
        return True
    found = (traced.value for traced in evaluator.evaluate(base, frame)) if isinstance(base, Name) else ()
    return any(isinstance(each, ExternalResult) and each.call is owner.call for each in found)


def _rest(call: Call, frame: Frame, evaluator: Interpreter) -> Iterator[Slot]:
    """What a call is given behind the name."""
    for slot in kept_by_partial(call, frame, evaluator)[1:]:
        place = slot.key.item
        yield replace(slot, key=SlotKey(item=place - 1)) if isinstance(place, int) else slot
