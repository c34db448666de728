"""Methods of pools and executors that are no calls, but values: `run(pool.map, items)`."""

from __future__ import annotations

from lintpickle.catalog import Product
from lintpickle.facts.values import Attribute
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    ProductValue,
    Slot,
    SlotKey,
)
from lintpickle.interpreter.protocols import Interpreter

HANDED = "builtins.method"
"""The kind of the container that stands for one: it crosses with its object, which it holds."""
SENDING_KINDS = frozenset({"pool", "executor"})
"""The kinds of boundaries whose methods are handed on: what sends work to processes that run already."""
_OBJECT = SlotKey(attribute="__self__")


def method_of(owner: AbstractValue, name: str, evaluator: Interpreter) -> ContainerValue | None:
    """The method of that name of a pool or an executor that a call has made, if it sends work to workers."""
    match owner:
        case ProductValue(product=kind, call=call, frame=frame) | ExternalResult(path=kind, call=call, frame=frame):
            spec = evaluator.catalog.boundary_method(kind, name)
            if (
                spec is None
                or spec.kind not in SENDING_KINDS
                or spec.given
                or spec.receiver
                or call is None
                or frame is None
            ):
                return None
            return ContainerValue(HANDED, (Slot(_OBJECT, call, frame),), made_by=name)
        case _:
            return None


def as_written(method: AbstractValue) -> tuple[Attribute, Frame] | None:
    """The expression for such a method, with the frame in which its object is made; None for any other value."""
    match method:
        case ContainerValue(kind=kind, slots=(owner, *_), made_by=name) if kind == HANDED:
            return Attribute(owner.value.span, owner.value, name), owner.frame
        case _:
            return None


def product_of(method: ContainerValue, evaluator: Interpreter) -> Product | None:
    """The object that calling such a method gives, if the catalog knows it as one that cannot cross."""
    written = as_written(method)
    for traced in evaluator.evaluate(written[0].base, written[1]) if written is not None else ():
        match traced.value:
            case ProductValue(product=owner) | ExternalResult(path=owner):
                return evaluator.catalog.method_product(owner, method.made_by)
            case _:
                pass
    return None
