"""What is seen to be a text: literals, what methods of texts give, and elements of what holds nothing but texts."""

from __future__ import annotations

from collections.abc import Iterable

from lintpickle.facts.values import (
    Attribute,
    Call,
    Captured,
    Collection,
    Comprehension,
    Data,
    Expr,
    Item,
    Name,
    Parameter,
    Sum,
    ending_name,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ConstantValue, DataValue, Frame, FunctionValue
from lintpickle.payload.linker import Linker

TEXT_METHODS = frozenset(
    {"lower", "upper", "strip", "lstrip", "rstrip", "casefold", "title", "encode", "decode", "format", "hexdigest"}
    | {"isoformat", "as_posix", "tobytes", "removeprefix", "removesuffix", "strftime"}
)
"""Methods that give texts or bytes, whatever has them."""
_SPLITTING = frozenset({"split", "rsplit", "splitlines", "partition", "rpartition", "findall"})
"""Methods of texts, and of patterns, that give several texts."""
_KEEPING = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "Counter", "deque", "iter"})
"""What gives the elements of what it is given."""
_STEPS = 8


def is_seen_text(value: Expr, frame: Frame, linker: Linker, steps: int = _STEPS) -> bool:
    """Whether all that an expression can be is a text, as far as it is seen; what is not known is none."""
    options = [without_narrowing(each) for each in options_of(without_narrowing(value))] if steps else []
    return bool(options) and all(_is_text(each, frame, linker, steps - 1) for each in options)


def _is_text(value: Expr, frame: Frame, linker: Linker, steps: int) -> bool:
    match value:
        case Data(kind=kind):
            return kind == "str"
        case Call(function=Attribute(name=name)) if name in TEXT_METHODS:
            return True
        case Sum(parts=parts):
            return any(is_seen_text(part, frame, linker, steps) for part in parts)
        case Parameter() | Captured():
            found = _given(value, frame)
            return found is not None and is_seen_text(*found, linker, steps)
        case Item(base=base, key=None):
            return _are_texts(base, frame, linker, steps)
        case _:
            return _are_values_texts(value, frame, linker)


def _are_values_texts(value: Expr, frame: Frame, linker: Linker) -> bool:
    found = [traced.value for traced in linker.evaluate(value, frame)]
    return bool(found) and all(
        (isinstance(each, ConstantValue) and isinstance(each.value, (str, bytes)))
        or (isinstance(each, DataValue) and each.kind == "str")
        for each in found
    )


def _are_texts(container: Expr, frame: Frame, linker: Linker, steps: int) -> bool:
    """Whether all elements of a container are texts, as far as is seen."""
    if not steps:
        return False
    options = [without_narrowing(each) for each in options_of(without_narrowing(container))]
    return bool(options) and all(_holds_texts(each, frame, linker, steps - 1) for each in options)


def _holds_texts(container: Expr, frame: Frame, linker: Linker, steps: int) -> bool:
    match container:
        case Call(function=Attribute(name=name)) if name in _SPLITTING:
            return True
        case Call(function=function, arguments=(given, *_)) if ending_name(function) in _KEEPING and not given.star:
            return _are_texts(given.value, frame, linker, steps)
        case Collection(elements=elements):
            return bool(elements) and all(is_seen_text(each, frame, linker, steps) for each in elements)
        case Comprehension(kind=kind, element=element) if kind != "dict":
            return is_seen_text(element, frame, linker, steps)
        case Parameter() | Captured():
            found = _given(container, frame)
            return found is not None and _are_texts(*found, linker, steps)
        case Name(name=name):
            bindings = list(linker.evaluator.names.lookup(frame.module, name))
            homes = [(each.value, each.module, each.block) for each in bindings]
            return bool(homes) and all(
                value is not None
                and module is not None
                and block is not None
                and _are_texts(value, linker.evaluator.module_frame(module, block.body), linker, steps)
                for value, module, block in homes
            )
        case Call(function=function):
            called = [traced.value for traced in linker.evaluate(function, frame)]
            return bool(called) and all(_gives_texts(each, container, frame, linker, steps) for each in called)
        case _:
            return False


def _gives_texts(called: object, call: Call, frame: Frame, linker: Linker, steps: int) -> bool:
    """Whether a function of the program returns, or yields, nothing but texts in a container."""
    if not isinstance(called, FunctionValue):
        return False
    inner, facts = linker.evaluator.enter(called, call, frame), called.facts
    if inner is None:
        return False
    if facts.is_generator:
        return _all_texts(facts.yields, inner, linker, steps)
    return bool(facts.returns) and all(_are_texts(each, inner, linker, steps) for each in facts.returns)


def _all_texts(values: Iterable[Expr], frame: Frame, linker: Linker, steps: int) -> bool:
    found = list(values)
    return bool(found) and all(is_seen_text(each, frame, linker, steps) for each in found)


def _given(value: Parameter | Captured, frame: Frame) -> tuple[Expr, Frame] | None:
    """What a parameter, or a variable of a function around, was given in a frame."""
    home = frame.enclosing(value.owner)
    if home is None:
        return None
    bound = home.bindings.get(value.name)
    if bound is not None and bound.expr is not None and bound.frame is not None:
        return bound.expr, bound.frame
    stored = home.function.variables.get(value.name) if isinstance(value, Captured) else None
    return (stored, home) if stored is not None else None
