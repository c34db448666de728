"""The dict of an object's attributes as a value: `self.__dict__`, and what `vars(args)` gives."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from lintpickle.facts.values import Attribute, Expr
from lintpickle.interpreter.abstract_values import (
    ContainerValue,
    Frame,
    InstanceValue,
    Site,
    Slot,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import OBJECT_DICT
from lintpickle.interpreter.stores import SETTINGS


def dict_of(owner: Expr, frame: Frame, site: Site, evaluator: Interpreter) -> Iterator[TracedValue]:
    """The dicts of the objects that `owner` can be in a frame, read at `site`: each attribute stands under its name, as
    Python writes private ones. Of classes and modules, and of objects that are not followed, there are none."""
    for traced in evaluator.evaluate(owner, frame):
        match traced.value:
            case InstanceValue() as instance:
                names = {held.name: held.attribute for held in evaluator.classes.states.state(instance)}
                slots = tuple(
                    Slot(SlotKey(item=name), Attribute(site.span, owner, attribute), frame)
                    for name, attribute in names.items()
                    if attribute.isidentifier()
                )
            case ContainerValue(kind=kind, slots=held) if kind in SETTINGS:
                slots = tuple(
                    structs.replace(slot, key=SlotKey(item=slot.key.attribute)) for slot in held if not slot.is_item
                )
            case _:
                continue
        yield TracedValue(ContainerValue(OBJECT_DICT, slots), site).by_way_of(traced)
