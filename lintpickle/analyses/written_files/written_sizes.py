"""How many bytes a value takes in a pickle that is written as so many of something: `list(range(100_000))`,
`[0.0] * 50_000`, `np.zeros((512, 512))`.

Measured with CPython 3.11 and numpy 2: whole numbers of a list take two to five bytes each, floats nine, the elements
of an array eight unless it has another type (one to sixteen)."""

from __future__ import annotations

import ast
import math
import re

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.program.module import Module

_FRAME = 200
"""What a pickle has around the elements, at most."""
_MOST_DIGITS = 18
"""Longer numbers are not computed."""
_COLLECTED = frozenset({"list", "tuple", "set", "sorted"})
_OF_BYTES = frozenset({"bytes", "bytearray", "urandom", "token_bytes", "randbytes"})
_SHAPED = frozenset({"zeros", "ones", "empty", "full"})
"""Functions of numpy and torch whose first argument is the shape."""
_SIZED = frozenset({"rand", "randn"})
"""Those whose arguments are the sides."""


class Size(Struct, frozen=True):
    """Bytes that a value takes at least, and at most (None: any number)."""

    least: int
    most: int | None


def written_size(span: Span, module: Module) -> Size | None:
    """The size of what is written at a place of a module; None if it is not written how much that is."""
    try:
        node = ast.parse(f"({module.code[span.start : span.end]})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _size(node, module)


def _size(node: ast.expr, module: Module) -> Size | None:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[ast.Call(func=ast.Name(id="range"), args=bounds)], keywords=[]):
            count = _count(bounds, module) if name in _COLLECTED else None
            return Size(2 * count, 6 * count + _FRAME) if count is not None else None
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[count], keywords=[]) if (
            name in _OF_BYTES
        ):
            number = written_number(count, module)
            return Size(number, number + _FRAME) if number is not None else None
        case ast.Call(func=ast.Attribute(attr=name), args=[shape, *_], keywords=keywords) if name in _SHAPED:
            return _of_array(shape.elts if isinstance(shape, ast.Tuple | ast.List) else [shape], keywords, module)
        case ast.Call(func=ast.Attribute(attr=name), args=[_, *_] as sides, keywords=keywords) if name in _SIZED:
            return _of_array(sides, keywords, module)
        case ast.BinOp(left=ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, *_]) as held, op=ast.Mult(), right=count):
            number = written_number(count, module)
            return Size(2 * number * len(held.elts), None) if number is not None else None
        case ast.BinOp(left=ast.Constant(value=str() | bytes() as text), op=ast.Mult(), right=count):
            number = written_number(count, module)
            return Size(number * len(text), 4 * number * len(text) + _FRAME) if number is not None else None
        case _:
            return None


def _of_array(sides: list[ast.expr], keywords: list[ast.keyword], module: Module) -> Size | None:
    numbers = [written_number(each, module) for each in sides]
    if any(each is None for each in numbers):
        return None
    count = math.prod(each for each in numbers if each is not None)
    is_typed = any(each.arg == "dtype" for each in keywords)
    return Size(count if is_typed else 4 * count, 16 * count + _FRAME)


def _count(bounds: list[ast.expr], module: Module) -> int | None:
    numbers = [written_number(each, module) for each in bounds]
    known = [each for each in numbers if each is not None]
    if len(known) < len(bounds) or not 1 <= len(known) <= 3 or known[2:] == [0]:
        return None
    return len(range(*known))


def written_number(node: ast.expr, module: Module) -> int | None:
    """The whole number, not below zero, that is written out, also by the name of a constant of the module; None for all
    else."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() as number):
            return number if 0 <= number < 10**_MOST_DIGITS else None
        case ast.BinOp(left=left, op=ast.Mult() | ast.Pow() | ast.LShift() | ast.Add() as operator, right=right):
            first, second = written_number(left, module), written_number(right, module)
            return _computed(first, operator, second) if first is not None and second is not None else None
        case ast.Name(id=name):
            found = re.findall(
                rf"^{re.escape(name)}[ \t]*(?::[^=\n]+)?=[ \t]*(\d[\d_]*)[ \t]*(?:#.*)?$", module.code, re.M
            )
            bound = re.findall(rf"(?<![\w.]){re.escape(name)}[ \t]*(?::[^=\n]+)?=(?!=)", module.code)
            return int(found[0]) if len(found) == len(bound) == 1 else None
        case _:
            return None


def _computed(first: int, operator: ast.operator, second: int) -> int | None:
    match operator:
        case ast.Mult():
            number = first * second
        case ast.Add():
            number = first + second
        case ast.LShift() if second <= 3 * _MOST_DIGITS:
            number = first << second
        case ast.Pow() if first <= 2**20 and second <= _MOST_DIGITS:
            number = first**second
        case _:
            return None
    return number if number < 10**_MOST_DIGITS else None
