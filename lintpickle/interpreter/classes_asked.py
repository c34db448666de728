"""What `type(value)` gives of values whose class is known by its path."""

from __future__ import annotations

from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    DataValue,
    ExternalResult,
    ExternalValue,
)


def class_asked(value: AbstractValue) -> ExternalValue | None:
    """The builtin class of a literal (`type("")`), or the library's class of which a value is made (`type(Path())`);
    None of any other value."""
    match value:
        case ConstantValue(value=constant) if constant is not None:
            return ExternalValue(f"builtins.{type(constant).__name__}")
        case DataValue(kind=kind):
            return ExternalValue(f"builtins.{kind}")
        case ExternalResult(path=path) if path.rpartition(".")[2][:1].isupper():
            return ExternalValue(path)
        case _:
            return None
