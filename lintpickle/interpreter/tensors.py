"""Tensors of the graph of the gradients: those that torch modules with trainable weights give, and those that are
computed from tensors with `requires_grad`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.control_flow.attempts import contexts_around
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Argument, Attribute, Call, Expr, Name, Parameter
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    Frame,
    InstanceValue,
    ProductValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.limits import HELD_MODULES

_TRAINABLE = re.compile(
    r"torch\.nn\.(?:Linear|Bilinear|LazyLinear|Conv(?:Transpose)?[123]d|Embedding|EmbeddingBag|RNN|LSTM|GRU|PReLU|"
    r"(?:Batch|Layer|Group|RMS)Norm(?:[123]d)?|MultiheadAttention|Transformer\w*)"
    r"|torchvision\.models\.(?:resnet|vgg|densenet|mobilenet|efficientnet|vit|convnext|alexnet)\w*"
)
"""Classes and functions of modules that have weights, and give a tensor."""
_LOSSES = re.compile(r"torch\.nn\.(?:modules\.loss\.)?\w+Loss")
_WITHOUT_GRADIENTS = frozenset({"no_grad", "inference_mode", "set_grad_enabled"})
_FROZEN = re.compile(r"\brequires_grad_?\s*(?:=|\()\s*False|\bset_grad_enabled\(|\bfreeze\w*\(|\bfrozen\b")
_SWITCH = re.compile("|".join(sorted(_WITHOUT_GRADIENTS)))
_LEAVING = frozenset(
    {"detach", "item", "tolist", "numpy", "argmax", "argmin", "argsort", "long", "int", "bool", "byte"}
)
"""Methods of tensors whose results are of no graph."""
_MAKERS = re.compile(
    r"torch\.(?:zeros|ones|rand|randn|empty|full|tensor|eye|arange|linspace)(?:_like)?|torch\.nn\.(?:parameter\.)?Parameter"
)
"""What makes a tensor of which can be told whether gradients are computed for it."""
_TRACKED = re.compile(r"requires_grad\b|Parameter\b")
"""What stands in every module that makes such tensors by itself."""
_MAY_GIVE_ITSELF = frozenset({"to", "cpu", "cuda", "float", "contiguous", "flatten"})
"""Methods that give the tensor itself if there is nothing to change (measured with torch 2.13)."""
_ADD = "__add__"
_DISTRIBUTIONS = "torch.distributions."
_OF_DISTRIBUTIONS = frozenset({"log_prob", "entropy", "rsample"})
"""Methods of distributions that compute with their parameters (measured with torch 2.13)."""
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
        is_tracked = self._is_trainable(module, 0) or self._is_loss_of_graph(module, call, frame)
        if product is None or not is_tracked or not self._tracks(call, frame):
            return None
        return ProductValue(product, "__call__", call, frame)

    def computed(self, call: Call, frame: Frame) -> Iterator[TracedValue]:
        """What a method of a tensor gives (an operator is one, too), or a function of torch of the same name, if that
        is surely a tensor of the graph: it is computed from a tensor that was made with `requires_grad=True`, from
        weights, or from another tensor of the graph; or a distribution gives it whose parameters are of the graph."""
        match call.function:
            case Attribute(base=base, name=name) if name in _OF_DISTRIBUTIONS:
                yield from self._of_distribution(base, name, call, frame)
                return
            case _:
                pass
        match call.function:
            case Attribute(base=Name(name="torch" | "F") | Attribute(name="functional"), name=name):
                yield from self._from([argument.value for argument in call.arguments[:1]], name, call, frame, True)
                return
            case _:
                pass
        match call.function if frame.module.has(_TRACKED) else None:
            case Attribute(base=base, name=name):
                is_operator = name.startswith("__") and name != "__getitem__"
                operands = [base, *(argument.value for argument in call.arguments if is_operator)]
            case _:
                return
        yield from self._from(operands, name, call, frame)

    def _of_distribution(self, base: Expr, method: str, call: Call, frame: Frame) -> Iterator[TracedValue]:
        product = self._evaluator.catalog.method_product(OF_THE_GRAPH, _ADD)
        if product is None:
            return
        for traced in self._evaluator.evaluate(base, frame):
            made = traced.value
            if isinstance(made, ExternalResult) and made.path.startswith(_DISTRIBUTIONS) and self._tracks(call, frame):
                given = (argument.value for argument in made.call.arguments)
                if any(
                    is_of_graph(each.value) for value in given for each in self._evaluator.evaluate(value, made.frame)
                ):
                    site = Site(frame.module, call.span)
                    yield TracedValue(ProductValue(product, method, call, frame), site).by_way_of(traced)
                    return

    def sum_of(self, parts: tuple[Expr, ...], span: Span, frame: Frame) -> Iterator[TracedValue]:
        """The same for what is added up."""
        if frame.module.has(_TRACKED):
            call = Call(span, Attribute(span, parts[0], _ADD), tuple(map(Argument, parts[1:])))
            yield from self._from(parts, _ADD, call, frame)

    def _from(
        self, operands: Sequence[Expr], method: str, call: Call, frame: Frame, is_function: bool = False
    ) -> Iterator[TracedValue]:
        product = self._evaluator.catalog.method_product(OF_THE_GRAPH, method)
        if product is None or method in _MAY_GIVE_ITSELF:
            return
        for operand in operands:
            for traced in self._evaluator.evaluate(operand, frame):
                is_tracked = self._is_leaf(traced.value) or (
                    (is_function or method == _ADD) and self._has_graph(traced.value)
                )
                if is_tracked and self._tracks(call, frame):
                    site = Site(frame.module, call.span)
                    yield TracedValue(ProductValue(product, method, call, frame), site).by_way_of(traced)
                    return

    def _has_graph(self, value: AbstractValue) -> bool:
        """Whether it is a tensor of the graph, or a container with one (`torch.stack(rows)`)."""
        if not isinstance(value, ContainerValue):
            return is_of_graph(value)
        held = (each for slot in value.slots for each in self._evaluator.evaluate(slot.value, slot.frame))
        return any(is_of_graph(each.value) for each in held)

    def _is_leaf(self, value: AbstractValue) -> bool:
        """Whether it is a tensor for which gradients are computed, as it was made."""
        match value:
            case ExternalResult(path=path, call=call, frame=frame) if _MAKERS.fullmatch(path):
                given = call.keyword("requires_grad")
                if given is None:
                    return path.endswith(".Parameter") and not frame.paths.has(_FROZEN)
                found = self._evaluator.evaluate(given, frame)
                return all(isinstance(each.value, ConstantValue) and each.value.value is True for each in found)
            case _:
                return False

    def _is_trainable(self, value: AbstractValue, depth: int) -> bool:
        match value:
            case ExternalResult(path=path, frame=frame):
                own_name = self._evaluator.catalog.own_name(path)
                return _TRAINABLE.fullmatch(own_name) is not None and not frame.module.has(_FROZEN)
            case ContainerValue(kind="Sequential" | "DataParallel" | "DistributedDataParallel", slots=slots):
                held = (each for slot in slots for each in self._evaluator.evaluate(slot.value, slot.frame))
                return self._may_go_deeper(depth) and any(self._is_trainable(each.value, depth + 1) for each in held)
            case InstanceValue(class_=class_):
                classes = self._evaluator.classes
                if classes.kind(value) not in MODULE_KINDS or class_.module.has(_FROZEN):
                    return False
                if not self._may_go_deeper(depth):
                    return False
                forward = classes.find_method(value, "forward")
                if forward is None or not _gives_tensors(forward[1]) or forward[1].decorated_by(*_WITHOUT_GRADIENTS):
                    return False
                return any(self._is_trainable(each, depth + 1) for each in self._held(value))
            case _:
                return False

    def _is_loss_of_graph(self, module: AbstractValue, call: Call, frame: Frame) -> bool:
        """Whether a loss is computed of a tensor of the graph: `nn.MSELoss()(model(x), y)`."""
        if not isinstance(module, ExternalResult) or not _LOSSES.fullmatch(module.path):
            return False
        given = (argument.value for argument in call.arguments[:1])
        return any(is_of_graph(each.value) for value in given for each in self._evaluator.evaluate(value, frame))

    def _may_go_deeper(self, depth: int) -> bool:
        if depth >= HELD_MODULES.most:
            self._evaluator.cuts.note(HELD_MODULES)
        return depth < HELD_MODULES.most

    def _held(self, module: InstanceValue) -> Iterator[AbstractValue]:
        for held in self._evaluator.classes.states.state(module):
            for traced in self._evaluator.evaluate(held.value, held.frame):
                yield traced.value

    def _tracks(self, call: Call, frame: Frame) -> bool:
        """Whether gradients are tracked at a call: neither its function nor one that it was called from, as far as that
        is seen, switches them off."""
        return not any(_is_without_gradients(place, each) for each, place in _places_around(call, frame))


def may_be_tracked(path: str, call: Call) -> bool:
    """Whether a call of a library makes a tensor for which gradients may be computed."""
    return (path.endswith(".Parameter") or call.keyword("requires_grad") is not None) and bool(_MAKERS.fullmatch(path))


def is_of_graph(value: AbstractValue) -> bool:
    """Whether a value is surely a tensor of the graph."""
    return isinstance(value, ProductValue) and value.product.kind == OF_THE_GRAPH


def _places_around(call: Call, frame: Frame) -> list[tuple[Frame, int]]:
    """Where a call stands, and where the calls and the arguments stand by which one gets into its function."""
    found = [(frame, call.span.start)]
    for each, _ in found:
        by = each.called_by
        places = [(by[0], by[1].span.start)] if by is not None else []
        for bound in each.bindings.values():
            if bound.expr is not None and bound.frame is not None:
                places.append((bound.frame, bound.expr.span.start))
        found += [place for place in dict.fromkeys(places) if place not in found]
    return found


def _is_without_gradients(place: int, frame: Frame) -> bool:
    if frame.function.decorated_by(*_WITHOUT_GRADIENTS):
        return True
    span = frame.function.span
    if not span.start <= place < span.end or not frame.paths.has(_SWITCH):  # A bare parameter has no place.
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
