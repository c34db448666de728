"""What statements at module level put into the containers that module-level names hold."""

from __future__ import annotations

from lintpickle.facts.records import ItemStore, Store
from lintpickle.facts.values import Call, Choice, Collection, Comprehension, Mapping, Name, Sum, Value, options_of
from lintpickle.program.module import Module


def filled(value: Value, name: str, module: Module) -> Value:
    """What statements at module level bind to a name, with what later ones put into it as into a container."""
    if not isinstance(value, (Call, Choice, Collection, Comprehension, Mapping, Sum)):
        return value
    added = [
        _container_of(event)
        for room in module.rooms_filling(name)
        for event in room.body.events
        if isinstance(event, ItemStore) and is_put_into(event.target, name, value, event, module)
    ]
    return Sum(value.span, (value, *added)) if added else value


def _container_of(event: ItemStore) -> Value:
    if event.key is None:
        return Collection(event.value.span, "list", (event.value,))
    return Mapping(event.value.span, ((event.key, event.value),))


def is_put_into(target: Value, name: str, value: Value, event: Store | ItemStore, module: Module) -> bool:
    """Whether the target is a name that holds the value, or one of those that it may be, when the event happens."""
    if not isinstance(target, Name) or target.name != name:
        return False
    bindings = (room.values[name] for room in module.rooms_binding(name) if name in room.values)
    earlier = [option for each in bindings for option in options_of(each) if option.span.start < event.span.start]
    last = max(earlier, key=lambda option: option.span.start, default=None)
    return any(option is last for option in options_of(value))
