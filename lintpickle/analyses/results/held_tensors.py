"""Values that are tensors, or hold one, whatever way the program takes: as a queue of processes is given them."""

from __future__ import annotations

import re

from lintpickle.analyses.calls_and_values.functions_run import function_run
from lintpickle.analyses.calls_and_values.kept_in_attributes import kept_under
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.lost_changes.pickled_later import keeps_what_it_is_given
from lintpickle.analyses.lost_changes.shared_tensors import holds_weights
from lintpickle.analyses.results.attributes_of_tensors import GIVING_A_TENSOR, MAKERS_OF_TENSORS
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Expr,
    Item,
    Mapping,
    Name,
    Parameter,
    PutInto,
    Sum,
    ending_name,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Frame, InstanceValue
from lintpickle.interpreter.tensors import is_of_graph
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_COMPUTING = frozenset(
    {"sum", "mean", "max", "min", "argmax", "argmin", "std", "var", "norm", "prod", "cumsum", "exp", "log", "sqrt"}
    | {"softmax", "log_softmax", "sigmoid", "tanh", "relu", "round", "sort", "argsort", "topk", "matmul", "mm", "any"}
    | {"all", "eq", "ne", "gt", "lt", "index_select", "gather", "unique", "chunk", "split", "unbind", "share_memory_"}
    | {"__add__", "__sub__", "__mul__", "__truediv__", "__pow__", "__matmul__", "__neg__", "__getitem__", "cuda"}
)
"""Further methods of tensors that give a tensor, or some: what is reckoned by one of them has no dimension."""
_GIVING = GIVING_A_TENSOR | _COMPUTING
_MOVING = frozenset({"to", "cpu", "cuda", "eval", "train", "half", "float", "double", "share_memory", "requires_grad_"})
"""Methods that give a module itself."""
_OF_WEIGHTS = frozenset({"state_dict", "parameters", "named_parameters", "buffers", "values", "items"})
"""Methods of modules and state dicts that give tensors, or pairs of a name and a tensor."""
_OF_PAIRS = frozenset({"items", "named_parameters"})
_COLLECTING = frozenset({"list", "tuple", "dict", "set"})
_LEAVING = frozenset({"item", "tolist", "numpy"})
"""Methods of tensors that give something which does not share its memory through a queue."""
_OF_VALUES = frozenset({"tensor", "as_tensor"})
"""Functions of torch that are given the elements, not how many there are."""
_TORCH = re.compile(r"\btorch\b")
_FOLLOWED = 6


def names_torch(module: Module) -> bool:
    """Whether a module has the name of torch in it: what to ask before `holds_tensor`."""
    return module.has(_TORCH)


def holds_tensor(value: Expr, frame: Frame, linker: Linker, level: int = 0) -> bool:
    """Whether an expression gives a tensor, a torch module, a state dict, or a container or record with one of these,
    in all its branches."""
    inner = without_narrowing(value)
    if level > _FOLLOWED:
        return False
    deeper = level + 1
    match inner:
        case Choice():
            filled = [each for each in options_of(inner) if not _is_empty_display(each)]
            return bool(filled) and all(holds_tensor(each, frame, linker, deeper) for each in filled)
        case Collection(elements=elements):
            return any(holds_tensor(each, frame, linker, deeper) for each in elements)
        case Mapping(items=items):
            return any(holds_tensor(each, frame, linker, deeper) for _, each in items)
        case Comprehension(element=element):
            return holds_tensor(element, frame, linker, deeper)
        case PutInto(call=call):
            return any(holds_tensor(each.value, frame, linker, deeper) for each in call.arguments)
        case Sum(parts=parts):
            return any(holds_tensor(each, frame, linker, deeper) for each in parts)
        case Parameter() if (given := _given(inner, frame)) is not None:
            return holds_tensor(*given, linker, deeper)
        case Call(function=Name(name=name), arguments=arguments) if name in _COLLECTING:
            return any(holds_tensor(each.value, frame, linker, deeper) for each in arguments)
        case Call() if keeps_what_it_is_given(inner, frame, linker):
            return any(holds_tensor(each.value, frame, linker, deeper) for each in inner.arguments)
        case _:
            pass
    if _is_tensor(inner, frame, linker, level) or _gives_weights(inner, frame, linker, level):
        return True
    if isinstance(inner, Call) and (entered := _entered(inner, frame, linker)):
        return all(holds_tensor(each, home, linker, deeper) for each, home in entered)
    return _is_module(inner, frame, linker)


def _is_tensor(value: Expr, frame: Frame, linker: Linker, level: int) -> bool:
    """Whether an expression gives a tensor itself, in all its branches."""
    inner = without_narrowing(value)
    if level > _FOLLOWED or _is_of_graph(inner, frame, linker):
        return False
    deeper = level + 1
    match inner:
        case Choice():
            return all(_is_tensor(each, frame, linker, deeper) for each in options_of(inner))
        case Sum(parts=parts):
            return any(_is_tensor(each, frame, linker, deeper) for each in parts)
        case Parameter() if (given := _given(inner, frame)) is not None:
            return _is_tensor(*given, linker, deeper)
        case Item(base=base, key=key) if _gives_weights(_row(base), frame, linker, deeper):
            return _is_weight(_row(base), key)
        case Item(base=base, key=key):
            return _is_part(base, key, frame, linker, deeper)
        case Attribute(base=base, name="data" | "T" | "mT"):
            return _is_tensor(base, frame, linker, deeper)
        case Attribute():
            kept = kept_under(inner, frame, linker)
            return kept is not None and _is_tensor(kept[1].value, kept[1].frame, linker, deeper)
        case Call():
            return _gives_tensor(inner, frame, linker, level)
        case _:
            return False


def _gives_tensor(call: Call, frame: Frame, linker: Linker, level: int) -> bool:
    if any(MAKERS_OF_TENSORS.fullmatch(name) for name in external_names(call.function, frame, linker)):
        return not _is_made_empty(call)
    match call.function:
        case Attribute(base=base, name=name) if name in _GIVING and _is_tensor(base, frame, linker, level + 1):
            return True
        case _:
            pass
    if _is_module(call.function, frame, linker):
        return _gives_no_numbers(call.function, frame, linker)
    entered = _entered(call, frame, linker)
    return bool(entered) and all(_is_tensor(each, home, linker, level + 1) for each, home in entered)


def _is_part(base: Expr, key: Expr | None, frame: Frame, linker: Linker, level: int) -> bool:
    """Whether an item is a part of a tensor, or one of what a function of the program returns a display of."""
    inner = without_narrowing(base)
    place = key.value if isinstance(key, Constant) and isinstance(key.value, int) else None
    rows = [(inner, frame)] if not isinstance(inner, Call) else _entered(inner, frame, linker)
    if place is not None and rows and all(isinstance(each, Collection) for each, _ in rows):
        shown = [(each.elements, home) for each, home in rows if isinstance(each, Collection)]
        return all(
            place < len(elements) and _is_tensor(elements[place], home, linker, level) for elements, home in shown
        )
    return _is_tensor(inner, frame, linker, level)


def _row(base: Expr) -> Expr:
    """What a loop goes through whose row is unpacked: `for name, weight in model.named_parameters()`."""
    inner = without_narrowing(base)
    return without_narrowing(inner.base) if isinstance(inner, Item) and inner.key is None else inner


def _is_weight(weights: Expr, key: Expr | None) -> bool:
    """Whether an item of what gives weights is one, and not a name."""
    name = ending_name(weights.function) if isinstance(weights, Call) else None
    if name == "state_dict":
        return key is not None
    return name not in _OF_PAIRS or (isinstance(key, Constant) and key.value == 1)


def _gives_weights(value: Expr, frame: Frame, linker: Linker, level: int) -> bool:
    """Whether an expression gives the state dict of a module or what that holds, or the weights."""
    match without_narrowing(value):
        case Call(function=Attribute(base=base, name=name)) if name in _OF_WEIGHTS and level <= _FOLLOWED:
            return _is_module(base, frame, linker) or _gives_weights(base, frame, linker, level + 1)
        case _:
            return False


def _is_module(value: Expr, frame: Frame, linker: Linker) -> bool:
    inner = without_narrowing(value)
    while isinstance(inner, Call) and isinstance(inner.function, Attribute) and inner.function.name in _MOVING:
        inner = without_narrowing(inner.function.base)
    found = [each.value for each in linker.evaluate(inner, frame)]
    return bool(found) and all(holds_weights(each, linker) for each in found)


def _gives_no_numbers(module: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether what a module gives is not seen to be something other than tensors."""
    for traced in linker.evaluate(module, frame):
        if isinstance(traced.value, InstanceValue):
            forward = linker.classes.find_method(traced.value, "forward")
            if forward is None or any(_leaves(each) for each in forward[1].returns):
                return False
    return True


def _leaves(value: Expr) -> bool:
    inner = without_narrowing(value)
    return isinstance(inner, Call) and isinstance(inner.function, Attribute) and inner.function.name in _LEAVING


def _is_of_graph(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether it is a tensor of the graph of gradients, which no queue takes."""
    return isinstance(value, Call | Sum) and any(is_of_graph(each.value) for each in linker.evaluate(value, frame))


def _entered(call: Call, frame: Frame, linker: Linker) -> list[tuple[Expr, Frame]]:
    """What the functions of the program that are called return."""
    found = list[tuple[Expr, Frame]]()
    for traced in linker.evaluate(call.function, frame):
        function = function_run(traced.value, linker)
        inner = linker.evaluator.enter(function, call, frame) if function is not None else None
        if inner is None or inner.function.is_generator:
            return []
        found += [(without_narrowing(each), inner) for each in inner.function.returns]
    return found


def _given(parameter: Parameter, frame: Frame) -> tuple[Expr, Frame] | None:
    bound = frame.bindings.get(parameter.name)
    if bound is None or bound.expr is None or bound.frame is None or bound.frame is frame:
        return None
    return bound.expr, bound.frame


def _is_empty_display(value: Expr) -> bool:
    match without_narrowing(value):
        case Collection(elements=held) | Mapping(items=held):
            return not held
        case _:
            return False


def _is_made_empty(call: Call) -> bool:
    """Whether it is written out that a tensor has no elements: then no memory is sent."""
    first = without_narrowing(call.arguments[0].value) if call.arguments else None
    if ending_name(call.function) in _OF_VALUES:
        return first is not None and _is_empty_display(first)
    return isinstance(first, Constant) and first.value == 0
