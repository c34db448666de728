"""What is done to an object as one of the items of a container that its function writes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec.structs import replace

from lintpickle.facts.records import Event
from lintpickle.facts.values import (
    Choice,
    Collection,
    Comprehension,
    Expr,
    Mapping,
    Name,
    Sum,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Done, Doubt, Frame, joined
from lintpickle.interpreter.parts import done_within, is_item_step, place_in
from lintpickle.resolution.module_containers import is_put_into, with_fillings

Is: TypeAlias = Callable[[Expr], bool]
"""Whether an expression is the object."""


def contents(container: Expr) -> Iterator[Expr]:
    """The values that a container holds as it is written out, each once."""
    waiting, seen = [container], set[int]()
    while waiting:
        each = without_narrowing(waiting.pop())
        if id(each) in seen:
            continue
        seen.add(id(each))
        match each:
            case Collection(elements=inner):
                found: tuple[Expr, ...] = inner
            case Mapping(items=items):
                found = tuple(item for _, item in items)
            case Comprehension(element=element):
                found = (element,)
            case Sum(parts=parts) | Choice(options=parts):
                waiting += parts
                continue
            case _:
                continue
        yield from (option for value in found for option in options_of(without_narrowing(value)))


def done_to_item(done: Done, container: Expr, is_it: Is, event: Event, frame: Frame) -> Iterator[Done]:
    """What something that is done to items of a container does to an object, if it is one of these when an event of the
    function happens."""
    if not done.path or not is_item_step(done.path[0]):
        return
    for bound in _bound_to(container, event, frame):
        options = options_of(without_narrowing(bound))
        for held in map(without_narrowing, options):
            key = place_in(held, is_it)
            within = done_within(done, key, isinstance(held, Mapping)) if key is not None else None
            if within is not None:
                yield within if len(options) == 1 else replace(within, doubts=joined(within.doubts, (Doubt.BRANCH,)))


def _bound_to(container: Expr, event: Event, frame: Frame) -> Iterator[Expr]:
    """What a container is when an event happens: of a name of the module's level, what that is bound to."""
    if not isinstance(container, Name):
        yield container
        return
    module = frame.module
    for block in module.blocks_binding(container.name) if frame.function.is_module_body else ():
        value = block.values.get(container.name)
        if value is not None and is_put_into(container, container.name, value, event, module):
            yield with_fillings(value, container.name, module)
