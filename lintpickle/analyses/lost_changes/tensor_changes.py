"""Where functions change, in place, the tensors or the weights of torch modules that they are given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeGuard

from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.lost_changes.kept_tensors import is_made_with, parts_kept
from lintpickle.analyses.lost_changes.shared_tensors import SharedKind
from lintpickle.analyses.lost_changes.ways_to_tensors import SAME_MEMORY, Shared, part_given, way_to
from lintpickle.facts.records import Called, FunctionFacts, Implied, ItemStore
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Comprehension,
    Expr,
    Name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_IN_PLACE = re.compile(r"[a-z]\w*[a-z0-9]_")
_ONLY_SHAPES = frozenset(
    {"requires_grad_", "detach_", "share_memory_", "resize_", "set_", "rename_", "t_", "squeeze_", "unsqueeze_"}
    | {"transpose_", "swapaxes_", "swapdims_", "as_strided_", "clip_grad_norm_", "clip_grad_value_"}
)
"""What ends like a method that changes numbers, but changes none, or gradients alone."""
_AUGMENTED = re.compile(r"__i(?:add|sub|mul|truediv|floordiv|mod|pow|and|or|xor)__")
_VIEWS = frozenset({"data", "T", "mT"})
_OF_WEIGHTS = frozenset({"data", "weight", "bias", "parameters", "named_parameters", "buffers", "state_dict", "values"})
_COPIES_WEIGHTS = "torch.nn.utils.convert_parameters.vector_to_parameters", "torch.nn.utils.vector_to_parameters"
_COPIES = "copy.deepcopy"
_OPTIMIZERS = re.compile(r"torch\.optim\.(?:\w+\.)*[A-Z]\w+")
_MOVED = re.compile(r"\.cuda\(|\.to\(")
_DEPTH = 3


def where_changed(
    facts: FunctionFacts, module: Module, frame: Frame, shared: Shared, linker: Linker, depth: int = 0
) -> Site | None:
    """Where a function, or one that it calls, changes what is shared; None if that is not seen."""
    if _MOVED.search(module.code, facts.span.start, facts.span.end):
        return None
    for event in facts.events:
        match event:
            case ItemStore(target=target, key=key):
                is_augmented = key is None and "=" in module.code[event.span.start : event.span.end]
                is_changed = (key is not None or is_augmented) and _is_part(target, shared, not is_augmented)
            case Implied(target=target, method=method) if _AUGMENTED.fullmatch(method):
                is_changed = _is_part(target, shared, False)
            case Called(call=call):
                is_changed = _changes(call, frame, shared, linker)
                inner = _inside(call, frame, shared, linker, depth) if not is_changed and depth < _DEPTH else None
                if inner is not None:
                    return inner
            case _:
                continue
        if is_changed:
            return Site(module, event.span)
    return None


def _is_part(target: Expr, shared: Shared, is_of_item: bool) -> bool:
    """Whether an assignment changes numbers of what is shared, rather than to put something else into what holds it."""
    way = way_to(target)
    rest = way.after(shared)
    if rest is None:
        return False
    match shared.part.kind:
        case SharedKind.TENSOR:
            return _VIEWS.issuperset(rest)
        case SharedKind.TENSORS:
            return way.is_item and _VIEWS.issuperset(rest)
        case SharedKind.MODULE:
            is_inside = not way.methods or way.is_item
            return is_inside and not _OF_WEIGHTS.isdisjoint({*rest, *way.methods}) and "grad" not in rest


def _is_numbers(value: Expr, shared: Shared) -> bool:
    """Whether an expression is a tensor of what is shared, or a part of one, and not a gradient."""
    way = way_to(value)
    rest = way.after(shared)
    if rest is None or "grad" in rest:
        return False
    return shared.part.kind is SharedKind.MODULE or (
        _VIEWS.issuperset(rest) and (way.is_item or shared.part.kind is SharedKind.TENSOR)
    )


def _changes(call: Call, frame: Frame, shared: Shared, linker: Linker) -> bool:
    """Whether a call of a library changes what is shared."""
    written = call.keyword("out")
    if written is not None and _is_numbers(written, shared):
        return True
    match call.function:
        case Attribute(base=base, name=name) if is_in_place(name) and _is_numbers(base, shared):
            return True
        case Attribute(base=base, name="load_state_dict") if shared.part.kind is SharedKind.MODULE:
            if way_to(base).after(shared) is not None:
                return True
        case Attribute(base=base, name="step") if not _is_of_copy(base, frame, linker):
            return any(is_optimizer_of(each, shared, linker) for each in optimizers(base, frame, linker))
        case _:
            pass
    given = call.positional() or ()
    if not any(_is_numbers(each, shared) for each in given):
        return False
    paths = list(external_names(call.function, frame, linker))
    if any(path in _COPIES_WEIGHTS for path in paths):
        return len(given) > 1 and _is_numbers(given[1], shared)
    return _is_numbers(given[0], shared) and any(
        path.startswith("torch.") and is_in_place(path.rpartition(".")[2]) for path in paths
    )


def is_in_place(name: str) -> bool:
    """Whether a method of a tensor, or a function of torch, changes the numbers of the tensor by its name."""
    return _IN_PLACE.fullmatch(name) is not None and name not in _ONLY_SHAPES


def _is_of_copy(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether something is a part of a copy: `copy.deepcopy(model).optimizer`."""
    root = without_narrowing(value)
    while isinstance(root, Attribute):
        root = without_narrowing(root.base)
    return isinstance(root, Call) and _COPIES in external_names(root.function, frame, linker)


def optimizers(base: Expr, frame: Frame, linker: Linker) -> Iterator[ExternalResult]:
    """The optimizers of torch that an expression can be."""
    for traced in linker.evaluate(base, frame):
        if is_optimizer(traced.value):
            yield traced.value


def is_optimizer(value: AbstractValue) -> TypeGuard[ExternalResult]:
    """Whether something is an optimizer of torch."""
    return isinstance(value, ExternalResult) and _OPTIMIZERS.fullmatch(value.path) is not None


def is_optimizer_of(optimizer: ExternalResult, shared: Shared, linker: Linker) -> bool:
    """Whether an optimizer steps the weights, or the tensor, that is shared."""
    given = optimizer.call.argument("params", 0)
    return given is not None and any(_is_same(each, optimizer.frame, shared, linker) for each in parameters_in(given))


def parameters_in(given: Expr) -> Iterator[Expr]:
    """What is optimized: a module of which the parameters are given, or tensors."""
    inner = without_narrowing(given)
    match inner:
        case Collection(elements=elements):
            yield from elements
        case Call(function=Name(name="filter" | "list"), arguments=arguments) if arguments:
            yield arguments[-1].value
        case Comprehension():
            pass
        case _:
            yield inner


def root_of_weights(value: Expr) -> Expr:
    """What an expression gives the weights of: of `model.parameters()`, the module."""
    root = without_narrowing(value)
    while isinstance(root, Call) and isinstance(root.function, Attribute) and root.function.name in SAME_MEMORY:
        root = without_narrowing(root.function.base)
    return root


def _is_same(value: Expr, frame: Frame, shared: Shared, linker: Linker) -> bool:
    root = root_of_weights(value)
    shipped = {id(each) for each in _made_by(shared.part.value, linker)}
    while shipped:
        if isinstance(root, Call):  # Another call may give a copy: `copy.deepcopy(model)`.
            return id(root) in shipped
        if any(id(getattr(traced.value, "call", None)) in shipped for traced in linker.evaluate(root, frame)):
            return True
        if not isinstance(root, Attribute):
            return False
        root = without_narrowing(root.base)
    return False


def _made_by(value: AbstractValue, linker: Linker) -> Iterator[Call]:
    """The call that makes what is shared; of a container, those that make what is in it."""
    held = value.slots if isinstance(value, ContainerValue) else ()
    values = (traced.value for slot in held for traced in linker.evaluate(slot.value, slot.frame))
    for each in values if held else (value,):
        call = getattr(each, "call", None)
        if isinstance(call, Call):
            yield call


def _inside(call: Call, frame: Frame, shared: Shared, linker: Linker, depth: int) -> Site | None:
    """Where the functions of the program that a call runs change what it gives them, or what their object keeps."""
    function = call.function
    if not is_made_with(call, shared) and not (isinstance(function, Attribute) and _may_have(function.base, shared)):
        return None
    for called, inner in functions_entered(call, frame, linker):
        for handed in _handed(call, called, frame, shared, linker):
            found = where_changed(called.facts, called.module, inner, handed, linker, depth + 1)
            if found is not None:
                return found
    return None


def _may_have(value: Expr, shared: Shared) -> bool:
    """Whether something is what is shared, or made with it, so that it may keep it."""
    inner = without_narrowing(value)
    return part_given(inner, shared) is not None or (isinstance(inner, Call) and is_made_with(inner, shared))


def _handed(call: Call, called: FunctionValue, frame: Frame, shared: Shared, linker: Linker) -> Iterator[Shared]:
    """What is shared as the parameters of a function hold it that is called."""
    named = [each.name for each in called.facts.parameters if each.kind.startswith("positional")]
    first = 0
    if isinstance(called.bound, InstanceValue) and isinstance(call.function, Attribute) and named:
        first = 1
        mine = part_given(call.function.base, shared)
        if mine is not None:
            yield Shared(named[0], mine)
        yield from (Shared(named[0], each) for each in parts_kept(called.bound, frame, shared, linker))
    places = zip(named[first:], call.positional() or (), strict=False)
    keywords = ((each.keyword, each.value) for each in call.arguments if each.keyword is not None)
    for name, value in (*places, *keywords):
        part = part_given(value, shared)
        if part is not None:
            yield Shared(name, part)
