"""Common questions about an expression: which external names, which literals, and what of a call it can be."""

from __future__ import annotations

from collections.abc import Container, Iterator

from lintpickle.facts.values import Call, Expr
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalValue, Frame
from lintpickle.payload.linker import Linker


def external_names(expr: Expr, frame: Frame, linker: Linker) -> Iterator[str]:
    """The dotted names of objects outside the program (`torch.load`) that an expression can be."""
    for traced in linker.evaluate(expr, frame):
        if isinstance(traced.value, ExternalValue):
            yield traced.value.path


def resolves_to(expr: Expr, frame: Frame, linker: Linker, names: Container[str]) -> bool:
    """Whether an expression can be one of these objects outside the program."""
    return any(name in names for name in external_names(expr, frame, linker))


def can_be_made_by(call: Call, expr: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether an expression can be what a call makes."""
    return any(getattr(traced.value, "call", None) is call for traced in linker.evaluate(expr, frame))


def literals(expr: Expr, frame: Frame, linker: Linker) -> list[object] | None:
    """All the literals that an expression can be; None if it can also be something else."""
    found = [traced.value for traced in linker.evaluate(expr, frame)]
    constants = [value.value for value in found if isinstance(value, ConstantValue)]
    return constants if len(constants) == len(found) else None
