"""The batching in the source of samplers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import FunctionFacts
from lintpickle.fixes.syntax import SourceTree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    Site,
    is_indefinite,
)
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

BATCH_SAMPLER = "batch-sampler"
SAMPLER_KINDS = ("sampler", BATCH_SAMPLER)
_UNPACKS = re.compile(r"\[0\]|, *=|\bsqueeze\b")
_TAKES_LIST = (
    r"\b(?:in|len\(|enumerate\(|sorted\(|list\(|unique\() *{index}\b"
    r"|\bisinstance\(\s*{index}\s*,[^)]*\b(?:list|Sequence|Iterable|Collection)\b"
    r"|\btype\( *{index} *\) *(?:is|==) *list\b"
)
"""What a method does with an index that may be a list of them."""
_ADDING = ("append", "extend", "add")


class Batching(Struct, frozen=True):
    """The body of an `__iter__` that collects elements in a list and yields it.

    `loops` are the loops that collect, `variable` is the list's name, and `yields` are the statements that yield it.
    """

    source: SourceTree
    function: ast.FunctionDef
    variable: str
    loops: tuple[ast.For, ...]
    yields: tuple[ast.Yield, ...]

    def in_loop(self, loop: ast.For) -> list[ast.Yield]:
        """The yields of the list within a loop."""
        inner = {id(node) for node in ast.walk(loop)}
        return [each for each in self.yields if id(each) in inner]


def batching(module: Module, facts: FunctionFacts) -> Batching | None:
    """The batching of a function, if it collects batches in one list and yields that."""
    found = node_of(module, facts)
    if found is None:
        return None
    source, function = found
    by_name: dict[str, list[ast.Yield]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Yield) and (name := _list_name(node.value)) is not None:
            by_name.setdefault(name, []).append(node)
    for name, yields in by_name.items():
        loops = tuple(node for node in ast.walk(function) if isinstance(node, ast.For) and adds(node, name))
        if loops and starts_empty(function, name):
            return Batching(source, function, name, loops, tuple(yields))
    return None


def _list_name(node: ast.expr | None) -> str | None:
    """The local list that `batch`, `batch[:]`, `list(batch)` or `batch.copy()` gives."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Slice(lower=None, upper=None)):
            return name
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)]):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[]):
            return name
        case _:
            return None


def adds(node: ast.AST, name: str) -> bool:
    """Whether any code in the node adds to the list."""
    for inner in ast.walk(node):
        match inner:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=holder), attr=method)) if holder == name:
                if method in _ADDING:
                    return True
            case ast.AugAssign(target=ast.Name(id=holder)) if holder == name:
                return True
            case _:
                pass
    return False


def starts_empty(node: ast.AST, name: str) -> bool:
    """Whether the node sets the variable to an empty list, or clears it."""
    return any(is_reset(inner, name) for inner in ast.walk(node))


def is_reset(node: ast.AST, name: str) -> bool:
    """Whether the statement empties the list: `batch = []`, `batch = list()`, `batch.clear()`, `batch, n = [], 0`."""
    match node:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return _is_empty(value)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            return any(
                isinstance(target, ast.Name) and target.id == name and _is_empty(value)
                for target, value in zip(targets, values, strict=False)
            )
        case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
            return _is_empty(value)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=target), attr="clear"))):
            return target == name
        case _:
            return False


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.List(elts=[]) | ast.Call(func=ast.Name(id="list"), args=[]):
            return True
        case _:
            return False


def batch_sampler_name(value: AbstractValue, linker: Linker) -> str:
    """The name of the batch sampler if the value is one; otherwise, or if unknown, ""."""
    match value:
        case ExternalResult(path=path) if _is_torch(path):
            return "BatchSampler"
        case ContainerValue(kind="BatchSampler"):
            return "BatchSampler"
        case InstanceValue(class_=class_):
            found = linker.classes.find_method(value, "__iter__")
            if found is None:
                return class_.facts.name if _derives(class_, linker) else ""
            lists = batching(found[0].module, found[1]) is not None
            return class_.facts.name if lists else ""
        case _:
            return ""


def _derives(class_: ClassValue, linker: Linker) -> bool:
    return any(isinstance(each, ExternalValue) and _is_torch(each.path) for each in linker.classes.mro(class_))


def _is_torch(path: str) -> bool:
    return path.startswith("torch.utils.data.") and path.endswith(".BatchSampler")


def expects_lists(call: BoundaryCall, linker: Linker) -> bool:
    """Whether a loader's collate function or dataset may expect a list of indices as one, so that passing a batch
    sampler as `sampler=` is correct."""
    return _collates_lists(call, linker) or _takes_lists(call, linker)


def _collates_lists(call: BoundaryCall, linker: Linker) -> bool:
    """Whether the collate function may unpack the batch of one list, so that the code is correct."""
    for traced in call.value("collate_fn", linker.evaluator):
        match traced.value:
            case FunctionValue(module=module, facts=facts):
                if _UNPACKS.search(module.code, facts.span.start, facts.span.end):
                    return True
            case value if is_indefinite(value):
                return True
            case _:
                pass
    return False


def _takes_lists(call: BoundaryCall, linker: Linker) -> bool:
    """Whether the dataset is made for lists of indices."""
    return any(_item_takes_lists(traced.value, linker, set()) for traced in call.value("dataset", linker.evaluator))


def _item_takes_lists(value: AbstractValue, linker: Linker, seen: set[int]) -> bool:
    """Whether the `__getitem__` of an object goes through its index, counts it, or asks whether it is a list; or hands
    it to an object that it keeps whose `__getitem__` does (`return self.rows[index]`)."""
    found = linker.classes.find_method(value, "__getitem__")
    if found is None or len(found[1].parameters) < 2 or id(found[1]) in seen:
        return False
    seen.add(id(found[1]))
    (owner, method), code = found, found[0].module.code
    me, index = (re.escape(each.name) for each in method.parameters[:2])
    if re.compile(_TAKES_LIST.format(index=index)).search(code, method.span.start, method.span.end):
        return True
    if not isinstance(value, InstanceValue):
        return False
    site = Site(owner.module, method.span)
    handed = re.compile(rf"\b{me}\.(\w+)\[ *{index} *\]")
    return any(
        _item_takes_lists(kept.value, linker, seen)
        for name in {each[1] for each in handed.finditer(code, method.span.start, method.span.end)}
        for kept in linker.classes.instance_attribute(value, name, site)
    )


def statements(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All nodes of a block."""
    for statement in body:
        yield from ast.walk(statement)


def names_in(body: list[ast.stmt]) -> set[str]:
    """The names that a block mentions."""
    return {node.id for node in statements(body) if isinstance(node, ast.Name)}
