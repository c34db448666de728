"""Payload by kind: classes that are judged without a visible boundary, and what need not be followed for that."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.catalog import Product
from lintpickle.facts.values import Attribute, Call, Expr, Imported, Name
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    ExternalValue,
    Frame,
    ProductValue,
    is_indefinite,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.parsing.outline import Block
from lintpickle.program.module import Module
from lintpickle.resolution.class_headers import ClassHeaderKinds
from lintpickle.resolution.name_targets import NameTarget, NameTargets

SHIPPED_KINDS = frozenset(
    {"dataset", "iterable-dataset", "module", "lightning-module", "transform", "collate", "process"}
)
"""Payload by kind. Samplers and data modules stay in the parent process (measured), so they are not."""
ALWAYS_FOLLOWED_KINDS = frozenset({"dataset", "iterable-dataset"})

_OF_ONE_PROCESS = frozenset(
    {
        *("lock", "event", "queue", "thread", "executor", "pool", "mp-pool", "process-executor", "process", "future"),
        *("event-loop", "mp-queue", "file", "archive", "npz", "database", "h5", "lmdb", "netcdf", "socket", "client"),
        *("reader", "writer", "shared-memory", "memory", "log-handler", "progress", "context-var"),
    }
)
"""Kinds of products that are useful only in the process that made them."""


def belongs_to_one_process(value: AbstractValue) -> bool:
    """Whether a value is useful only in the process that made it: a lock, a thread, an open handle."""
    return isinstance(value, ProductValue) and is_of_one_process(value.product)


def is_of_one_process(product: Product) -> bool:
    """The same of something that the catalog knows."""
    return product.kind in _OF_ONE_PROCESS


_PLAIN_DEPTH = 3
"""How deep containers of plain data are looked into. What is deeper is followed like other objects, so nothing is
lost."""


class ByKind:
    """Decides, from outlines, whether a class is judged by its own kind."""

    def __init__(self, evaluator: Evaluator, places: NameTargets, headers: ClassHeaderKinds) -> None:
        self._evaluator = evaluator
        self._places = places
        self._headers = headers

    def is_judged_itself(self, value: Expr, frame: Frame) -> bool:
        """Whether an expression makes an object of a first-party class that is payload by its kind, with arguments that
        cannot be hazards, so that its hazards are found where that class is judged."""
        if not isinstance(value, Call):
            return False
        places = tuple(self._places_of(value.function, frame))
        if not places or not all(self._is_shipped(*place) for place in places):
            return False
        plain = all(self._is_plain(argument.value, frame) for argument in value.arguments)
        return plain and not self._evaluator.stores.on(value, frame)

    def _places_of(self, function: Expr, frame: Frame) -> Iterator[NameTarget]:
        match function:
            case Name(name=name):
                yield from self._places.of_name(frame.module, name)
            case Imported(target=target):
                yield from self._places.imported(frame.module, target, "")
            case Attribute(base=Name(name=name), name=attribute):
                places = self._places.of_name(frame.module, f"{name}.{attribute}")
                yield from (place for place in places if attribute in place[1].names)
            case _:
                pass

    def _is_shipped(self, module: Module, block: Block) -> bool:
        if not module.first_party or not block.is_class:
            return False
        return all(self._headers.kind(module, header) in SHIPPED_KINDS for header in block.classes)

    def _is_plain(self, value: Expr, frame: Frame, depth: int = 0) -> bool:
        return depth < _PLAIN_DEPTH and all(
            self._is_plain_value(traced.value, depth) for traced in self._evaluator.evaluate(value, frame)
        )

    def _is_plain_value(self, value: AbstractValue, depth: int) -> bool:
        match value:
            case ConstantValue() | DataValue() | ExternalValue() | ClassValue(frame=None):
                return True
            case ContainerValue(slots=slots):
                return all(self._is_plain(piece.value, piece.frame, depth + 1) for piece in slots)
            case _:
                return is_indefinite(value)
