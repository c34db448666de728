"""The length of a batch sampler, compared with the number of batches that it yields."""

from __future__ import annotations

import ast
from enum import Enum, auto

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.loaders.batch_samplers import Batching, batching
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import ClassValue

_WRAPPERS = frozenset({"enumerate", "iter", "sorted", "list", "reversed", "range", "len", "tqdm"})
_ROWS = frozenset({"items", "iteritems", "iterrows", "itertuples", "tolist"})


class Miscount(Enum):
    """What a `__len__` counts instead of batches."""

    ELEMENTS = auto()
    FULL_BATCHES = auto()
    """The last, smaller batch is yielded, but not counted."""


class WrongLength(Struct, frozen=True):
    """The `return` of a `__len__`, and what it counts."""

    returned: Span
    counts: Miscount


def wrong_length(class_: ClassValue) -> WrongLength | None:
    """How the `__len__` of a batch sampler miscounts what its `__iter__` yields; None unless both are fully read."""
    length, iterate = class_.facts.methods.get("__len__"), class_.facts.methods.get("__iter__")
    if length is None or iterate is None:
        return None
    batches, written = batching(class_.module, iterate), node_of(class_.module, length)
    if batches is None or written is None:
        return None
    source, function = written
    returned = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    if len(returned) != 1 or returned[0].value is None:
        return None
    text = class_.module.code[class_.facts.span.start : class_.facts.span.end].lower()
    counts = _miscount(returned[0].value, batches, "drop" in text)
    return WrongLength(source.span(returned[0]), counts) if counts is not None else None


def _miscount(length: ast.expr, batches: Batching, drops: bool) -> Miscount | None:
    match length:
        case ast.Call(func=ast.Name(id="len"), args=[counted]):
            return Miscount.ELEMENTS if _is_iterated(counted, batches) else None
        case ast.BinOp(left=ast.Call(func=ast.Name(id="len"), args=[counted]), op=ast.FloorDiv(), right=size):
            trailing = any(id(each) not in _inside(batches) for each in batches.yields)
            whole = _is_iterated(counted, batches) and _is_full_at(size, batches)
            return Miscount.FULL_BATCHES if trailing and whole and not drops else None
        case _:
            return None


def _inside(batches: Batching) -> set[int]:
    return {id(node) for loop in batches.loops for node in ast.walk(loop)}


def _is_iterated(counted: ast.expr, batches: Batching) -> bool:
    """Whether the loop that makes batches iterates exactly this: `for i in self.sampler`, also in `enumerate`,
    `sorted`, `range(len(…))`, or by rows: `for i, n in self.table["count"].items()`."""
    if len(batches.loops) != 1 or not isinstance(counted, ast.Attribute):
        return False
    wanted = ast.dump(counted)
    over: ast.expr | None = batches.loops[0].iter
    while over is not None:
        if ast.dump(over) == wanted:
            return True
        match over:
            case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _WRAPPERS:
                over = inner
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _ROWS:
                over = inner
            case ast.Subscript(value=inner, slice=ast.Constant(value=str())):
                over = inner
            case _:
                over = None
    return False


def _is_full_at(size: ast.expr, batches: Batching) -> bool:
    """Whether a batch is full once it has `size` elements: `len(batch) == size`."""
    wanted, length = ast.dump(size), ast.dump(ast.parse(f"len({batches.variable})", mode="eval").body)
    for node in ast.walk(batches.function):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.GtE()], comparators=[right]):
                if {ast.dump(left), ast.dump(right)} == {wanted, length}:
                    return True
            case _:
                pass
    return False
