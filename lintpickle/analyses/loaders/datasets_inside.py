"""The datasets of a program that loaders get, also inside of torch's own ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue, InstanceValue
from lintpickle.payload.linker import Linker

_WRAPPERS = frozenset({"Subset", "ConcatDataset", "StackDataset", "ChainDataset", "random_split"})
_DEEPEST = 3
"""How many datasets may stand in one another."""


def datasets_inside(values: Iterable[AbstractValue], linker: Linker, depth: int = 0) -> Iterator[InstanceValue]:
    """The datasets that values are, or that torch's own ones (`Subset`, `ConcatDataset`) have in them."""
    for value in values:
        match value:
            case InstanceValue():
                yield value
            case ContainerValue(kind=kind, slots=slots) if (kind in _WRAPPERS or depth) and depth < _DEEPEST:
                inner = (traced.value for slot in slots for traced in linker.evaluate(slot.value, slot.frame))
                yield from datasets_inside(inner, linker, depth + 1)
            case _:
                pass
