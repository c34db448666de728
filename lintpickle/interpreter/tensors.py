"""Tensors that torch modules give: one that is made of trainable weights belongs to the graph of the gradients."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.control_flow.attempts import contexts_around
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Argument, Attribute, Call, Expr, Name, Parameter
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    InstanceValue,
    ProductValue,
)
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import MODULE_KINDS

_TRAINABLE = re.compile(
    r"torch\.nn\.(?:Linear|Bilinear|LazyLinear|Conv(?:Transpose)?[123]d|Embedding|EmbeddingBag|RNN|LSTM|GRU|PReLU|"
    r"(?:Batch|Layer|Group|RMS)Norm(?:[123]d)?|MultiheadAttention|Transformer\w*)"
    r"|torchvision\.models\.(?:resnet|vgg|densenet|mobilenet|efficientnet|vit|convnext|alexnet)\w*"
)
"""Classes and functions of modules that have weights, and give a tensor."""
_WITHOUT_GRADIENTS = frozenset({"no_grad", "inference_mode", "set_grad_enabled"})
_FROZEN = re.compile(r"\brequires_grad_?\s*(?:=|\()\s*False|\bset_grad_enabled\(|\bfreeze\w*\(|\bfrozen\b")
_SWITCH = re.compile("|".join(sorted(_WITHOUT_GRADIENTS)))
_LEAVING = frozenset(
    {"detach", "item", "tolist", "numpy", "argmax", "argmin", "argsort", "long", "int", "bool", "byte"}
)
"""Methods of tensors whose results are of no graph."""
_HELD_DEPTH = 3
OF_THE_GRAPH = "non-leaf-tensor"
"""The kind of product that only `Tensors` decides on."""


class Tensors:
    """Evaluates calls of modules for one evaluator."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator

    def given_by(self, module: AbstractValue, call: Call, frame: Frame) -> ProductValue | None:
        """What calling a module gives, if that is surely a tensor of the graph: the module has trainable weights, its
        code does not freeze them, and gradients are tracked where it is called."""
        product = self._evaluator.catalog.method_product("module", "()")
        if product is None or not self._is_trainable(module, 0) or not self._tracks(call, frame):
            return None
        return ProductValue(product, "__call__", call, frame)

    def _is_trainable(self, value: AbstractValue, depth: int) -> bool:
        match value:
            case ExternalResult(path=path, frame=frame):
                own_name = self._evaluator.catalog.own_name(path)
                return _TRAINABLE.fullmatch(own_name) is not None and not frame.module.has(_FROZEN)
            case ContainerValue(kind="Sequential" | "DataParallel" | "DistributedDataParallel", slots=slots):
                held = (each for slot in slots for each in self._evaluator.evaluate(slot.value, slot.frame))
                return depth < _HELD_DEPTH and any(self._is_trainable(each.value, depth + 1) for each in held)
            case InstanceValue(class_=class_):
                classes = self._evaluator.classes
                if classes.kind(value) not in MODULE_KINDS or class_.module.has(_FROZEN) or depth >= _HELD_DEPTH:
                    return False
                forward = classes.find_method(value, "forward")
                if forward is None or not _gives_tensors(forward[1]) or forward[1].decorated_by(*_WITHOUT_GRADIENTS):
                    return False
                return any(self._is_trainable(each, depth + 1) for each in self._held(value))
            case _:
                return False

    def _held(self, module: InstanceValue) -> Iterator[AbstractValue]:
        for held in self._evaluator.classes.states.state(module):
            for traced in self._evaluator.evaluate(held.value, held.frame):
                yield traced.value

    def _tracks(self, call: Call, frame: Frame) -> bool:
        """Whether gradients are tracked at a call: neither its function nor one that it was called from, as far as that
        is seen, switches them off."""
        callers = [(frame, call.span.start)]
        callers += (
            (bound.frame, bound.expr.span.start)
            for bound in frame.bindings.values()
            if bound.expr is not None and bound.frame is not None and bound.frame is not frame
        )
        return not any(_is_without_gradients(place, each) for each, place in callers)


def _is_without_gradients(place: int, frame: Frame) -> bool:
    if frame.function.decorated_by(*_WITHOUT_GRADIENTS):
        return True
    if not frame.paths.has(_SWITCH):
        return False
    return not _WITHOUT_GRADIENTS.isdisjoint(contexts_around(*frame.paths.in_tree(place)))


def _gives_tensors(forward: FunctionFacts) -> bool:
    """Whether all that a `forward` returns is made, on the face of it, by modules that the object holds."""
    me = forward.parameters[0].name if forward.parameters else ""
    return bool(forward.returns) and all(_is_made_by_own(each, me) for each in forward.returns)


def _is_made_by_own(value: Expr, me: str) -> bool:
    match value:
        case Call(function=Attribute(base=Parameter(name=name))) if name == me:
            return True
        case Call(function=Attribute(base=Call() as inner, name=method)) if method not in _LEAVING:
            return _is_made_by_own(inner, me)
        case Call(function=Attribute(base=Name()), arguments=(Argument(value=Call() as inner), *_)):
            return _is_made_by_own(inner, me)
        case _:
            return False
