"""What statements at module level add to the containers that module-level names hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintpickle.diagnostics import Span
from lintpickle.facts.records import Event, ItemStore
from lintpickle.facts.values import (
    Call,
    Choice,
    Collection,
    Comprehension,
    Expr,
    Mapping,
    Name,
    Sum,
    merged_mapping,
    options_of,
)
from lintpickle.program.module import Module
from lintpickle.resolution.registrations import registered


def with_fillings(value: Expr, name: str, module: Module) -> Expr:
    """What statements at module level bind to a name, with what later ones, and functions of the module that these
    call, put into it as into a container."""
    if not isinstance(value, (Call, Choice, Collection, Comprehension, Mapping, Sum)):
        return value
    added: list[Expr] = [
        _container_of(event)
        for block in module.blocks_filling(name)
        for event in block.body.events
        if isinstance(event, ItemStore) and is_put_into(event.target, name, value, event, module)
    ]
    added += registered(name, module)
    return Sum(value.span, (value, *added)) if added else value


def _container_of(event: ItemStore) -> Expr:
    if event.key is None:
        merged = merged_mapping(event.value)
        if merged is not None:
            return Mapping(event.value.span, ((None, merged),))
        return Collection(event.value.span, "list", (event.value,))
    return Mapping(event.value.span, ((event.key, event.value),))


def names_for(place: Span, module: Module) -> tuple[str, ...]:
    """The names of a module's level by which statements may change what the block around a place binds: those that it
    binds, and those of the containers that are given that."""
    touched = module.outline.touched_at(place)
    return module.remembered(("names for", *touched), lambda: tuple(_with_containers(touched, module)))


def _with_containers(touched: Sequence[str], module: Module) -> Iterator[str]:
    outline, found = module.outline, dict.fromkeys(touched)
    blocks = {block.span.start: block for name in touched for block in outline.touching(name)}
    for name in (name for block in blocks.values() for name in (*block.names, *block.fills)):
        if name not in found and outline.touching(name):
            found[name] = None
    yield from found


def is_put_into(target: Expr, name: str, value: Expr, event: Event, module: Module) -> bool:
    """Whether the target is a name that holds the value, or one of those that it may be, when the event happens."""
    if not isinstance(target, Name) or target.name != name:
        return False
    bindings = (block.values[name] for block in module.blocks_binding(name) if name in block.values)
    earlier = [option for each in bindings for option in options_of(each) if option.span.start < event.span.start]
    last = max(earlier, key=lambda option: option.span.start, default=None)
    return any(option is last for option in options_of(value))
