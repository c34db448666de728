"""The payload kind of a class: dataset, torch module, process …"""

from __future__ import annotations

from collections.abc import Sequence

from lintpickle.catalog import Catalog
from lintpickle.facts.values import Call, Expr, chain
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue
from lintpickle.interpreter.protocols import Ancestor, Interpreter

_ITEMS = frozenset({"__getitem__", "__getitems__", "__iter__", "__getattr__"})


def kind_in(order: Sequence[Ancestor], catalog: Catalog) -> str | None:
    """The kind of a class with this method resolution order: that of the closest ancestor from a library that has one,
    otherwise what a decorator gives it."""
    for ancestor in order:
        if isinstance(ancestor, ExternalValue):
            kind = external_kind(ancestor.path, catalog)
            if kind is not None:
                return kind
    for ancestor in order:
        if isinstance(ancestor, ClassValue):
            for decorator in ancestor.facts.decorators:
                path = _decorator_path(decorator)
                kind = catalog.kind_by_decorator(path) if path else None
                if kind is not None and (kind != "dataset" or _may_have_items(order)):
                    return kind
    return None


def _may_have_items(order: Sequence[Ancestor]) -> bool:
    """Whether a loader can get anything from objects of a class: a registry of datasets may hold others, too (the
    iterators of another library)."""
    return any(
        not _ITEMS.isdisjoint(each.facts.methods) if isinstance(each, ClassValue) else each.path != "builtins.object"
        for each in order
    )


def external_kind(path: str, catalog: Catalog) -> str | None:
    """The kind of a library's class: as the catalog has it, otherwise as its name says."""
    kind = catalog.kind_of_class(path)
    if kind is None and not path.startswith("builtins."):
        kind = catalog.kind_by_name(path)
    return kind


_GENERIC = frozenset({"Generic", "Protocol"})


def takes_types(class_: ClassValue, evaluator: Interpreter) -> bool:
    """Whether a class with types in brackets (`Table[str, int]`) is that class: it is generic, and no enumeration or
    the like, of which the brackets give an item."""
    order = evaluator.classes.mro(class_)
    if evaluator.classes.defines(class_, "__class_getitem__"):
        return False
    if any(isinstance(each, ClassValue) and "metaclass" in dict(each.facts.keywords) for each in order):
        return False
    paths = [each.path for each in order if isinstance(each, ExternalValue)]
    if any(path.rpartition(".")[2] in _GENERIC for path in paths):
        return True
    return all(path.startswith("builtins.") or external_kind(path, evaluator.catalog) is not None for path in paths)


def _decorator_path(value: Expr) -> str | None:
    parts = chain(value.function if isinstance(value, Call) else value)
    return ".".join(parts) if parts else None
