"""Datasets that give no items: they hold others that do, and no loader could use them themselves."""

from __future__ import annotations

from lintpickle.facts.values import Attribute, Imported, Item, Name
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.plain_bases import BARE_BASES
from lintpickle.interpreter.protocols import Ancestor

_GIVING = ("__getitem__", "__getitems__", "__iter__", "__getattr__")
_WITHOUT = BARE_BASES | {
    *("torch.utils.data.Dataset", "torch.utils.data.dataset.Dataset"),
    *("torch.utils.data.IterableDataset", "torch.utils.data.dataset.IterableDataset"),
}
"""Classes of libraries that have no such method for those that derive from them."""


def gives_no_items(class_: ClassValue, classes: Classes) -> bool:
    """Whether objects of a dataset's class have no method that gives items: its bases are all known."""
    return not any(map(_may_give, classes.mro(class_)))


def _may_give(class_: Ancestor) -> bool:
    if isinstance(class_, ExternalValue):
        return class_.path not in _WITHOUT
    is_read = all(isinstance(base, Name | Imported | Attribute | Item) for base in class_.facts.bases)
    return not is_read or any(name in class_.facts.methods or name in class_.facts.body for name in _GIVING)
