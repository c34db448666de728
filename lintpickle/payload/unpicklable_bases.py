"""Objects of the program's own classes that cannot be pickled because of the class of a library from which they derive:
`class Reader(threading.Thread)`, `class Window(tkinter.Tk)`."""

from __future__ import annotations

import re

from msgspec.structs import replace

from lintpickle.catalog import Product
from lintpickle.fixes.state_hooks import STATE_HOOKS
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ExternalValue,
    Frame,
    Hop,
    InstanceValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.plain_bases import is_without_state
from lintpickle.interpreter.protocols import Interpreter

OF_CLASS = ".__class__"
"""The step of a path to what an object is by its base class: no argument of a boundary has that path."""
_OF_THEIR_OWN = frozenset({"process", "mock", "endless-iterator"})
"""Kinds of objects that cross at certain times, or whose classes derived from them do: rules know their classes."""
_WITHOUT_HOOKS = frozenset({"contextlib.ContextDecorator", "socketserver.ThreadingMixIn"})
"""Classes of the standard library that stand before others, and leave to those how objects are pickled."""
_NAMED = re.compile(r"cannot pickle '(?P<path>(?:\w+\.)*_*(?P<name>\w+))' object")


def as_base_makes_it(instance: InstanceValue, site: Site, evaluator: Interpreter) -> TracedValue | None:
    """What an object is by its base class, if that is one of a library whose objects never cross, whatever they are
    made with; None if a class before that one in the order of inheritance says how the object is pickled, or may."""
    deriving = instance.class_
    for ancestor in evaluator.classes.mro(instance):
        match ancestor:
            case ClassValue() as own:
                if not STATE_HOOKS.isdisjoint(own.facts.methods) or not STATE_HOOKS.isdisjoint(own.facts.body):
                    return None
                deriving = own
            case ExternalValue(path=path) if path in _WITHOUT_HOOKS or is_without_state(path):
                continue
            case ExternalValue(path=path):
                product = evaluator.catalog.product(path)
                if product is None or evaluator.catalog.depends_on_arguments(path) or product.kind in _OF_THEIR_OWN:
                    return None
                return _traced(instance, _for_class(product, path, instance.class_), path, deriving, site)
    return None


def _traced(instance: InstanceValue, product: Product, path: str, deriving: ClassValue, site: Site) -> TracedValue:
    frame = instance.frame if isinstance(instance.frame, Frame) else None
    value = ProductValue(product, path, instance.call, frame)
    inherits = Hop(f"{deriving.facts.name} inherits from {path}", Site(deriving.module, deriving.facts.header))
    return TracedValue(value, site, (inherits,))


def _for_class(product: Product, path: str, class_: ClassValue) -> Product:
    """A product as the error names an object of a class that derives from its own: what cannot be pickled for its type
    goes by the name of the class, what cannot for something that it keeps goes by that (measured with all classes of
    the standard library that the catalog has, CPython 3.11)."""
    named = _NAMED.search(product.error)
    if named is None or not path.rpartition(".")[2].lower().startswith(named["name"].lower()):
        return product
    return replace(product, error=product.error.replace(f"'{named['path']}'", f"'{class_.facts.name}'"))
