"""Where knowledge of a value ends, in words."""

from __future__ import annotations

import ast
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct

from lintpickle.analyses.calls_and_values.annotations import annotation_of
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import (
    Attribute,
    Call,
    Captured,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Expr,
    Item,
    Name,
    Parameter,
    Sum,
    Unfollowed,
    chain,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.slots import excerpt
from lintpickle.limits import ORIGINS
from lintpickle.migration.model import Gap, Spot
from lintpickle.toml_text import read_toml

_OPERATORS = frozenset(
    {"__add__", "__sub__", "__mul__", "__truediv__", "__floordiv__", "__mod__", "__pow__", "__neg__", "__matmul__"}
    | {"__radd__", "__rsub__", "__rmul__", "__rtruediv__", "__rmatmul__"}
)
"""How calls of operators are noted."""
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.JoinedStr, ast.Constant)


class _DataForms(Struct, frozen=True):
    """What gives data by its form: see `data.toml`."""

    annotations: frozenset[str]
    containers: frozenset[str]
    methods: frozenset[str]
    parts: frozenset[str]
    seconds: frozenset[str]
    namespaces: frozenset[str]
    numbered: frozenset[str]
    calls: frozenset[str]
    rows: frozenset[str]
    texts: frozenset[str]


@cache
def _forms() -> _DataForms:
    table = read_toml(Path(__file__).with_name("data.toml").read_text(encoding="utf-8"))
    return _DataForms(**{name: frozenset(words) for name, words in table.items()})


def spot_of(site: Site) -> Spot:
    """The place of a site as users see it."""
    return Spot.of(site.module.document.location(site.span))


def is_data(value: Expr, frame: Frame) -> bool:
    """Whether an expression of which the interpreter knows nothing gives data all the same: by its form, by the method
    that is called, or because it is a parameter that says so in its annotation."""
    match without_narrowing(value):
        case Call(function=Attribute(name=name)) if name in _OPERATORS:
            return True
        case Call(function=Attribute(name=name) as function):
            return name in _forms().methods or ".".join(chain(function) or ()) in _forms().calls
        case Attribute(base=Call(function=Attribute(name=name))):
            return name in _forms().namespaces
        case Item(base=Item(base=Call(function=Name(name=name)), key=None), key=Constant(value=0)):
            return name in _forms().numbered
        case Item(base=base) if ".".join(chain(base) or ()) in _forms().texts:
            return True
        case Sum(parts=parts):
            return any(isinstance(part, Constant) or _is_arithmetic(part, frame) for part in parts)
        case Item(base=base, key=None) if isinstance(without_narrowing(base), (Collection, Item, Constant)):
            return isinstance(base, Constant) or is_data(base, frame)
        case Item(base=base, key=key) if isinstance(without_narrowing(base), Call):
            called = without_narrowing(base)
            named = without_narrowing(called.function) if isinstance(called, Call) else None
            name = named.name if isinstance(named, (Attribute, Name)) else ""
            is_second = isinstance(key, Constant) and key.value == 1
            is_part = name in _forms().parts or (is_second and name in _forms().seconds)
            is_row = named is not None and ".".join(chain(named) or ()) in _forms().rows
            return is_part or is_row or is_data(called, frame)
        case Item(base=base, key=None) if isinstance(made := without_narrowing(base), Comprehension):
            return is_data(made.element, frame)
        case Item(base=base) if isinstance(without_narrowing(base), Item):
            return is_data(base, frame)
        case Collection(elements=elements):
            return all(isinstance(each, Constant) or is_data(each, frame) for each in elements)
        case Choice(options=options):
            return all(isinstance(each, Constant) or is_data(each, frame) for each in options)
        case Parameter(name=name, owner=owner):
            home = frame.enclosing(owner)
            return home is not None and _is_plainly_annotated(name, home)
        case Name(name=name):
            return name in ("__file__", "__name__", "__doc__", "__package__")
        case other if type(other) in (Expr, Unfollowed):
            return _is_operation(frame.module.code[other.span.start : other.span.end])
        case _:
            return False


def _is_arithmetic(part: Expr, frame: Frame) -> bool:
    """Whether a part of a sum is a product, a power or the like: then the sum is one of numbers or arrays."""
    match without_narrowing(part):
        case Call(function=Attribute(name=name)):
            return name in _OPERATORS
        case other:
            return type(other) in (Expr, Unfollowed) and _is_operation(
                frame.module.code[other.span.start : other.span.end]
            )


def _is_operation(text: str) -> bool:
    tree = _parsed(f"({text}\n)")
    return tree is not None and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, _OPERATIONS)


def _is_plainly_annotated(name: str, home: Frame) -> bool:
    annotation = annotation_of(name, home)
    return annotation is not None and _names_data(annotation)


def _names_data(annotation: ast.expr) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        tree = _parsed(annotation.value)
        inner = tree.body[0] if tree is not None and tree.body else None
        return isinstance(inner, ast.Expr) and _names_data(inner.value)
    if isinstance(annotation, ast.Name) and annotation.id in _forms().containers:
        return False  # of what is not said
    named = [node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)]
    named += [node.attr for node in ast.walk(annotation) if isinstance(node, ast.Attribute)]
    return set(named) <= _forms().annotations


@lru_cache(maxsize=256)
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _of_attribute(name: str, instance: InstanceValue, evaluator: Evaluator, deep: int) -> Gap | None:
    """Why nothing is known of an attribute that the class sets; None if it does not."""
    for held in evaluator.classes.states.state(instance):
        if held.attribute == name and held.direct and not isinstance(held.value, Constant):
            return origin(held.value, held.frame, evaluator, deep + 1)
    return None


def origin(value: Expr, frame: Frame, evaluator: Evaluator, deep: int = 0) -> Gap:
    """Why nothing is known of a value, and where knowledge ends: followed back to the parameter that nobody is seen to
    pass, or to the call that is not read."""
    here = Gap(f"`{excerpt(frame.module, value)}` is not understood", spot_of(Site(frame.module, value.span)))
    if deep > ORIGINS.most:
        evaluator.cuts.note(ORIGINS)
        return here
    match without_narrowing(value):
        case Parameter(name=name, owner=owner) | Captured(name=name, owner=owner):
            return _of_variable(name, owner, frame, evaluator, deep) or here
        case Call() as call:
            return _of_call(call, frame, evaluator, deep) or here
        case Attribute(base=base, name=name):
            if _is_unknown(base, frame, evaluator):
                return origin(base, frame, evaluator, deep + 1)
            bases = [traced.value for traced in evaluator.evaluate(base, frame)]
            instance = next((base_value for base_value in bases if isinstance(base_value, InstanceValue)), None)
            if instance is not None:
                unset = Gap(f"no code is seen that sets `{excerpt(frame.module, value)}`", here.spot)
                getter = getter_of(value, frame, evaluator)
                if getter is not None:
                    returned = (each for each in getter.function.returns if _is_unknown(each, getter, evaluator))
                    open_ = next((each for each in returned if not is_data(each, getter)), None)
                    return origin(open_, getter, evaluator, deep + 1) if open_ is not None else here
                return _of_attribute(name, instance, evaluator, deep) or unset
            return here
        case Item(base=base):
            return origin(base, frame, evaluator, deep + 1)
        case Choice(options=options):
            unknown = (each for each in options if _is_unknown(each, frame, evaluator))
            open_ = next((each for each in unknown if not is_data(each, frame)), None)
            return origin(open_, frame, evaluator, deep + 1) if open_ is not None else here
        case Name(name=name):
            for definition in evaluator.names.lookup(frame.module, name):
                if definition.value is not None and definition.module is not None and definition.block is not None:
                    home = evaluator.module_frame(definition.module, definition.block.body)
                    return origin(definition.value, home, evaluator, deep + 1)
            return Gap(f"no code is seen that gives `{name}` its value", here.spot)
        case _:
            return here


def getter_of(value: Expr, frame: Frame, evaluator: Evaluator) -> Frame | None:
    """The frame in which the property runs that gives an attribute of an object; None if it is no property."""
    read = without_narrowing(value)
    for traced in evaluator.evaluate(read.base, frame) if isinstance(read, Attribute) else ():
        if isinstance(read, Attribute) and isinstance(traced.value, InstanceValue):
            found = evaluator.classes.find_property(traced.value, read.name)
            if found is not None:
                return evaluator.classes.frame_on(*found, traced.value)
    return None


def _of_variable(name: str, owner: str, frame: Frame, evaluator: Evaluator, deep: int) -> Gap | None:
    home = frame.enclosing(owner)
    if home is None:
        return None
    bound = home.bindings.get(name)
    if bound is not None and bound.expr is not None and bound.frame is not None:
        return origin(bound.expr, bound.frame, evaluator, deep + 1)
    if home.function.parameter(name) is not None:
        where = spot_of(Site(home.module, home.function.header))
        return Gap(f"`{name}` is a parameter of `{_called(home.function)}`, and what is passed is not seen", where)
    value = home.function.variables.get(name)
    for option in options_of(value) if value is not None else ():
        if _is_unknown(option, home, evaluator):
            return origin(option, home, evaluator, deep + 1)
    return None


def _is_unknown(value: Expr, frame: Frame, evaluator: Evaluator) -> bool:
    return any(traced.value is UNKNOWN for traced in evaluator.evaluate(value, frame))


def _of_call(call: Call, frame: Frame, evaluator: Evaluator, deep: int) -> Gap | None:
    for traced in evaluator.evaluate(call.function, frame):
        match traced.value:
            case ExternalValue(path=path):
                return comes_from(path, call, frame)
            case FunctionValue() as function:
                inner = evaluator.enter(function, call, frame)
                if inner is None:
                    return None
                for returned in function.facts.returns:
                    if _is_unknown(returned, inner, evaluator):
                        return origin(returned, inner, evaluator, deep + 1)
                return None
            case _:
                pass
    function_of = without_narrowing(call.function)
    if isinstance(function_of, Attribute):
        return origin(function_of.base, frame, evaluator, deep + 1)
    return origin(function_of, frame, evaluator, deep + 1)


def comes_from(path: str, call: Call, frame: Frame) -> Gap:
    """Of what a library gives that is not read."""
    site = Site(frame.module, call.span)
    return Gap(f"it comes from `{path.removeprefix('builtins.')}`, which is not read", spot_of(site))


def not_described(result: ExternalResult) -> Gap:
    """Of what a library has made that is not read."""
    return comes_from(result.path, result.call, result.frame)


def _called(function: FunctionFacts) -> str:
    return f"{function.qualname.replace('.<locals>', '')}()"
