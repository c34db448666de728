"""Operators: what an operation on operands gives, as an expression."""

from __future__ import annotations

from collections.abc import Callable
from operator import neg, pos
from typing import Any

import libcst as cst

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Argument, Attribute, Call, Collection, Comprehension, Constant, Data, Expr, Sum

_OF_NUMBERS: dict[type[cst.BaseUnaryOp], Callable[[Any], object]] = {
    cst.Minus: neg,
    cst.Plus: pos,
}
_METHODS: dict[type[cst.BaseBinaryOp], str] = {
    cst.Multiply: "__mul__",
    cst.Divide: "__truediv__",
    cst.Subtract: "__sub__",
    cst.Power: "__pow__",
    cst.MatrixMultiply: "__matmul__",
}
"""The methods that operators call, but for those whose results hold what their operands hold."""


def unary_operation(span: Span, operator: cst.BaseUnaryOp, value: Expr) -> Expr:
    """What an operator gives for one operand."""
    constant = value.value if isinstance(value, Constant) else None
    if isinstance(operator, cst.Not):
        return Constant(span, not constant) if isinstance(value, Constant) else Data(span, "bool")
    calculate = _OF_NUMBERS.get(type(operator))
    if calculate is not None and isinstance(constant, (int, float, complex)):
        return Constant(span, calculate(constant))
    return Expr(span)


def binary_operation(span: Span, operator: cst.BaseBinaryOp, left: Expr, right: Expr) -> Expr:
    """What an operator gives for two operands."""
    if isinstance(operator, (cst.Add, cst.BitOr)):
        return Sum(span, (left, right))
    if isinstance(operator, cst.Multiply) and isinstance(left, (Collection, Comprehension)):
        return Sum(span, (left,))
    if isinstance(operator, cst.Modulo) and _is_text(left):
        return Data(span, "str")
    return _of_method(span, operator, left, right)


def _of_method(span: Span, operator: cst.BaseBinaryOp, left: Expr, right: Expr) -> Expr:
    """The call of the method that an operator stands for: of its right operand, if the left one is a number."""
    method = _METHODS.get(type(operator))
    if method is None or (isinstance(left, Constant) and isinstance(right, Constant)):
        return Expr(span)
    if isinstance(left, Constant):
        return Call(span, Attribute(right.span, right, f"__r{method[2:]}"), (Argument(left),))
    return Call(span, Attribute(left.span, left, method), (Argument(right),))


def _is_text(value: Expr) -> bool:
    match value:
        case Constant(value=str()) | Data(kind="str"):
            return True
        case _:
            return False
