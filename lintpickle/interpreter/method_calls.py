"""Calls of methods that mean the same on whatever object they are called: views of mappings, and modules that return
themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lintpickle.facts.values import Attribute, Call, Constant, Value
from lintpickle.interpreter.abstract_values import (
    ClassThing,
    ContainerThing,
    ExternalResult,
    ExternalThing,
    InstanceThing,
    ModuleThing,
    ProductThing,
    Reached,
    SuperThing,
    Thing,
)
from lintpickle.interpreter.frames import OPEN, Frame
from lintpickle.interpreter.slots import MODULE_CONTAINERS, MODULE_KINDS, is_mapping
from lintpickle.prefilter.marks import VIEW_METHODS

if TYPE_CHECKING:
    from lintpickle.interpreter.evaluator import Evaluator


class MethodCalls:
    """Evaluates such calls for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._catalog = evaluator.catalog
        self._classes = evaluator.classes

    def view(self, call: Call, frame: Frame) -> Thing | None:
        """`d.keys()` and its kind, unless the receiver is known to be something with other views."""
        if call.arguments or not isinstance(call.function, Attribute) or call.function.name not in VIEW_METHODS:
            return None
        receiver: str | None = None
        for reached in self._evaluator.evaluate(call.function.base, frame):
            match reached.thing:
                case InstanceThing() | ModuleThing() | ClassThing() | SuperThing() as known:
                    if not self._classes.is_mapping(known):
                        return None
                case ProductThing(path=path):
                    product = self._catalog.method_product(path, call.function.name)
                    return ProductThing(product, path, call, frame) if product else None
                case ExternalResult(path=path):
                    receiver = path
                case ExternalThing(path=path) if path.startswith(("os.environ",)):
                    receiver = path
                case ContainerThing(kind=kind) if "." in kind:
                    receiver = kind
                case _:
                    pass
        product = self._catalog.view_product(receiver, call.function.name)
        return ProductThing(product, f"{receiver or 'dict'}.{call.function.name}", call, frame) if product else None

    def got(self, call: Call, frame: Frame) -> list[Reached]:
        """What `d.get("key", default)` gives of a dict that is known, and `d.pop`; nothing if that is not known."""
        match call.function, call.positional():
            case Attribute(base=base, name="get" | "pop"), (Constant(value=str() as key), *rest) if len(rest) < 2:
                pass
            case _:
                return []
        found: list[Reached] = []
        for reached in self._evaluator.evaluate(base, frame):
            if not isinstance(reached.thing, ContainerThing) or not is_mapping(reached.thing.kind):
                return []
            pieces = reached.thing.pieces
            held = [piece for piece in pieces if piece.label == f"['{key}']"]
            if not held and any(OPEN in piece.label for piece in pieces):
                return []
            given = [(piece.value, piece.frame) for piece in held] or [(value, frame) for value in rest]
            found += (each for value, home in given for each in self._evaluator.evaluate(value, home))
        return found

    def returned_receivers(self, function: Value, frame: Frame) -> list[Reached]:
        """The modules that a method of theirs returns again (`module.to(...)`)."""
        if not isinstance(function, Attribute) or self._catalog.method_converter("module", function.name) != "self":
            return []
        receivers = self._evaluator.evaluate(function.base, frame)
        return [each for each in receivers if self._inherits_from_library(each.thing, function.name)]

    def _inherits_from_library(self, thing: Thing, method: str) -> bool:
        """Whether the thing is a torch module that does not define the method itself."""
        match thing:
            case InstanceThing():
                is_module = self._classes.kind(thing) in MODULE_KINDS
                return is_module and self._classes.find_method(thing, method) is None
            case ExternalResult(path=path):
                return self._catalog.kind_of_class(path) in MODULE_KINDS
            case ContainerThing(kind=kind):
                return kind in MODULE_CONTAINERS
            case _:
                return False
