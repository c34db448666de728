"""What `type(value)` gives of values whose class is known."""

from __future__ import annotations

from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    DataValue,
    ExternalResult,
    ExternalValue,
    InstanceValue,
)


def class_asked(value: AbstractValue) -> ClassValue | ExternalValue | None:
    """The class of an object of the program (`type(self)`), the builtin class of a literal (`type("")`), or the
    library's class of which a value is made (`type(Path())`); None of any other value."""
    match value:
        case InstanceValue(class_=class_):
            return class_
        case ConstantValue(value=constant) if constant is not None:
            return ExternalValue(f"builtins.{type(constant).__name__}")
        case DataValue(kind=kind):
            return ExternalValue(f"builtins.{kind}")
        case ExternalResult(path=path) if path.rpartition(".")[2][:1].isupper():
            return ExternalValue(path)
        case _:
            return None
