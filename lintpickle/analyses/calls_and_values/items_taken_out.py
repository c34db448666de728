"""What an item of a container is (`metrics["loss"]`), as the code that has filled the container writes it."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Argument, Attribute, Call, Constant, Expr, Item, Name, Parameter
from lintpickle.interpreter.abstract_values import ConstantValue, ContainerValue, Frame, SlotKey
from lintpickle.payload.linker import Linker

_KINDS = frozenset({"dict", "list", "tuple"})


def item_taken_out(value: Expr, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    """What stands under the key of an item, or of what `get` is asked for, with the frame of each, if every container
    that it may be of is seen, and the key is known."""
    found = _holder_and_key(value)
    if found is None:
        return
    holder, key = found
    named = [each.value for each in linker.evaluate(key, frame)]
    match named:
        case [ConstantValue(value=str() | int() as constant)]:
            yield from _under(SlotKey(item=constant), holder, frame, linker)
        case _:
            pass


def _under(key: SlotKey, holder: Expr, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    values = [each.value for each in linker.evaluate(holder, frame)]
    held = [each for each in values if isinstance(each, ContainerValue) and each.kind in _KINDS]
    if len(held) == len(values):
        yield from ((slot.value, slot.frame) for each in held for slot in each.slots if slot.key == key)


def _holder_and_key(value: Expr) -> tuple[Expr, Expr] | None:
    match value:
        case Item(base=base, key=Constant() | Attribute() | Name() | Parameter() as key):
            return base, key
        case Call(function=Attribute(base=base, name="get"), arguments=(Argument(value=asked), *_)):
            return base, asked
        case _:
            return None
