"""Tensors and torch modules that processes are given as they start: torch moves them to shared memory where they are
pickled, so that under spawn and forkserver all who have one see what one of them changes.

Measured with CPython 3.11 and torch 2.13 (CPU), for `multiprocessing` and `torch.multiprocessing` alike: what is made
of the same storage (a slice, `torch.from_numpy`) moves along; arrays of NumPy are copied, and gradients left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.kept_in_attributes import kept_under
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.facts.values import Attribute, Call, Expr, Item, Name, Parameter, Sum, before_puts, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    InstanceValue,
    PlainValue,
)
from lintpickle.interpreter.pickling_hooks import SENDING_HOOKS
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.payload.linker import Linker

_MAKERS = re.compile(
    r"torch\.(?:(?:zeros|ones|empty|full|rand|randn|randint)(?:_like)?|tensor|as_tensor|from_numpy|arange|linspace|eye"
    r"|randperm|stack|cat|(?:Float|Double|Long|Int|Bool)?Tensor)|torch\.nn\.(?:parameter\.)?Parameter"
)
_GIVING_TENSORS = frozenset(
    {"float", "double", "half", "long", "int", "bool", "clone", "contiguous", "detach", "requires_grad_", "reshape"}
    | {"view", "flatten", "squeeze", "unsqueeze", "t", "transpose", "permute", "repeat", "expand", "__getitem__"}
    | {"zero_", "fill_", "normal_", "uniform_", "__add__", "__sub__", "__mul__", "__truediv__"}
)
"""The methods of a tensor that give one on the same device."""
_MODULES = re.compile(
    r"torch\.nn\.(?:modules\.\w+\.)?(?!(?:\w+Loss|ReLU|Flatten|Softmax|Sigmoid|Tanh|Dropout|Identity)$)[A-Z]\w+"
    r"|torchvision\.models\.\w+"
)
_ELSEWHERE = re.compile(r"share_memory|\.cuda\(|\bcuda[\"':]|\bdevice\s*=|\.to\(")
"""What moves a tensor to shared memory at once, or perhaps to another device."""
_LISTS = frozenset({"list", "tuple", "dict"})
_CONTAINERS = frozenset({"Sequential", "ModuleList", "ModuleDict"})
_DEPTH = 2


class SharedKind(Enum):
    """What is shared."""

    TENSOR = "a tensor"
    TENSORS = "a list or dict of tensors"
    MODULE = "a torch module, or some"


class SharedPart(Struct, frozen=True, eq=False):
    """What is shared of a thing: the attributes that lead to it, and the value there."""

    path: tuple[str, ...]
    kind: SharedKind
    value: AbstractValue


def shared_parts(value: Expr, frame: Frame, linker: Linker, depth: int = 0) -> Iterator[SharedPart]:
    """What is shared of what an expression gives, if that is one thing alone."""
    inner = without_narrowing(value)
    bound = frame.bindings.get(inner.name) if isinstance(inner, Parameter) else None
    if bound is not None and bound.expr is not None and bound.frame is not None:
        yield from shared_parts(bound.expr, bound.frame, linker, depth)
        return
    found = [traced.value for traced in linker.evaluate(value, frame)] if not frame.paths.has(_ELSEWHERE) else []
    if len(found) != 1:
        return
    match found[0]:
        case InstanceValue() as instance:
            yield from _of_instance(instance, linker, depth)
        case made if holds_weights(made, linker):
            yield SharedPart((), SharedKind.MODULE, made)
        case ContainerValue(kind=kind, slots=slots) as made if kind in _LISTS and slots and depth < _DEPTH:
            for part in shared_parts(slots[0].value, slots[0].frame, linker, depth + 1):
                if not part.path and part.kind is not SharedKind.TENSORS:
                    yield SharedPart((), SharedKind.TENSORS if part.kind is SharedKind.TENSOR else part.kind, made)
        case other if _is_tensor(inner, other, frame, linker):
            yield SharedPart((), SharedKind.TENSOR, other)
        case _:
            pass


def holds_weights(value: AbstractValue, linker: Linker) -> bool:
    """Whether something is a torch module that has weights, as far as its class tells, or a container of such."""
    match value:
        case InstanceValue():
            return linker.classes.kind(value) in MODULE_KINDS
        case ExternalResult(path=path):
            return _MODULES.fullmatch(path) is not None
        case ContainerValue(kind=kind):
            return kind in _CONTAINERS
        case _:
            return False


def sent_tensor(value: Expr, frame: Frame, linker: Linker) -> SharedPart | None:
    """What is shared of a tensor that is sent by itself, also if an attribute keeps it; None if it is no tensor."""
    inner = without_narrowing(value)
    kept = kept_under(inner, frame, linker) if isinstance(inner, Attribute) else None
    value, frame = (kept[1].value, kept[1].frame) if kept is not None else (value, frame)
    made = [each for each in before_puts(value, through_sums=True) if type(each) is not Expr]
    tensors = shared_parts(made[0], frame, linker) if len(made) == 1 else ()
    return next((each for each in tensors if not each.path and each.kind is SharedKind.TENSOR), None)


def _of_instance(instance: InstanceValue, linker: Linker, depth: int) -> Iterator[SharedPart]:
    if instance.class_.module.has(_ELSEWHERE):
        return
    if holds_weights(instance, linker):
        yield SharedPart((), SharedKind.MODULE, instance)
        return
    if depth == _DEPTH or any(linker.classes.find_method(instance.class_, each) is not None for each in SENDING_HOOKS):
        return
    for held in linker.classes.states.state(instance):
        if held.direct:
            for part in shared_parts(held.value, held.frame, linker, depth + 1):
                yield replace(part, path=(held.attribute, *part.path))


def _is_tensor(value: Expr, known: AbstractValue, frame: Frame, linker: Linker, depth: int = 0) -> bool:
    """Whether an expression is nothing but a tensor of the CPU. `depth` counts the attributes that lead to it."""
    match without_narrowing(value):
        case Sum(parts=(made, *_)):
            return _is_tensor(made, known, frame, linker, depth)
        case Item(base=base, is_starred=False):
            return _is_tensor(base, known, frame, linker, depth)
        case Call(function=Attribute(base=base, name=name)) if name in _GIVING_TENSORS and _is_tensor(
            base, known, frame, linker, depth
        ):
            return True
        case Call(function=function):
            return any(_MAKERS.fullmatch(path) for path in external_names(function, frame, linker))
        case Attribute() as attribute if depth < _DEPTH:
            kept = kept_under(attribute, frame, linker)
            if kept is None or kept[0].class_.module.has(_ELSEWHERE):
                return False
            return _is_tensor(kept[1].value, known, kept[1].frame, linker, depth + 1)
        case Name(name=name) if isinstance(known, PlainValue):
            values = [facts.values[name] for facts in frame.module.blocks_binding(name) if name in facts.values]
            is_one = len(values) == 1 and not isinstance(values[0], Name)
            return is_one and _is_tensor(values[0], known, frame, linker, depth)
        case _:
            return False
