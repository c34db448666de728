"""Methods of texts, numbers and the like, which pickle with what they are methods of.

Source: measured with CPython 3.11: `"{}".format`, `b"x".hex`, `(3).bit_length` are rebuilt by `getattr`.
"""

from __future__ import annotations

import builtins

from lintpickle.facts.values import Attribute, Expr, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ConstantValue, DataValue, Frame
from lintpickle.payload.linker import Linker


def is_method_of_data(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether an expression gives a method of a text, a number or the like, whatever that is: `template.format`."""
    read = without_narrowing(value)
    if not isinstance(read, Attribute):
        return False
    owners = [traced.value for traced in linker.evaluate(read.base, frame)]
    return bool(owners) and all(callable(getattr(_type_of(each), read.name, None)) for each in owners)


def _type_of(value: AbstractValue) -> type | None:
    match value:
        case ConstantValue(value=constant) if constant is not None:
            return type(constant)
        case DataValue(kind=kind):
            known = getattr(builtins, kind, None)
            return known if isinstance(known, type) else None
        case _:
            return None
