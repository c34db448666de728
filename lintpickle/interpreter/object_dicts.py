"""The dicts of an object's attributes as values: `self.__dict__`, what `vars(args)` gives, and the dicts that are made
of the fields of records."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from lintpickle.facts.values import Attribute, Data, Expr
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    ContainerValue,
    Frame,
    InstanceValue,
    Site,
    Slot,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.held import OWN_ITEMS
from lintpickle.interpreter.parsed_arguments import is_parsed
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import OBJECT_DICT
from lintpickle.interpreter.stores import SETTINGS


def dict_of(owner: Expr, frame: Frame, site: Site, evaluator: Interpreter) -> Iterator[TracedValue]:
    """The dicts of the objects that `owner` can be in a frame, read at `site`: each attribute stands under its name, as
    Python writes private ones. What may be there under names that are not known is some item, of which nothing is
    known. Of classes and modules, and of objects that are not followed, there are none."""
    some_others = Slot(SOME_ITEM, Expr(site.span), frame)
    for traced in evaluator.evaluate(owner, frame):
        match traced.value:
            case InstanceValue() as instance:
                state = evaluator.classes.states.state(instance)
                names = {held.name: held.attribute for held in state if held.attribute != OWN_ITEMS}
                slots = tuple(
                    Slot(SlotKey(item=name), Attribute(site.span, owner, attribute), frame)
                    for name, attribute in names.items()
                    if attribute.isidentifier()
                )
                if len(slots) < len(names):
                    slots = (*slots, some_others)
            case ContainerValue(kind=kind, slots=held, call=call) if kind in SETTINGS:
                named = [
                    structs.replace(slot, key=SlotKey(item=slot.key.attribute)) for slot in held if not slot.is_item
                ]
                others = Slot(SOME_ITEM, Data(site.span, "object"), frame) if is_parsed(call) else some_others
                slots = (*named, others)
            case _:
                continue
        yield TracedValue(ContainerValue(OBJECT_DICT, slots), site).by_way_of(traced)


def fields_of(owner: Expr, frame: Frame, site: Site, evaluator: Interpreter) -> Iterator[TracedValue]:
    """What `dataclasses.asdict(owner)` and `owner._asdict()` make of records: a new dict with a value for each field.
    Of records within, which `asdict` turns into dicts as well, nothing is known."""
    for made in dict_of(owner, frame, site, evaluator):
        if isinstance(made.value, ContainerValue):
            slots = tuple(_plain(slot, evaluator) for slot in made.value.slots)
            yield structs.replace(made, value=ContainerValue("dict", slots))


def _plain(slot: Slot, evaluator: Interpreter) -> Slot:
    found = evaluator.evaluate(slot.value, slot.frame)
    is_record = any(isinstance(each.value, InstanceValue) for each in found)
    return structs.replace(slot, value=Expr(slot.value.span)) if is_record else slot
