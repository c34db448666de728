"""Short descriptions of values in a picture, on one line."""

from __future__ import annotations

from lintpickle.graph.model import Sort
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    ExternalResult,
    ExternalValue,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    ModuleValue,
    PlainValue,
    ProductValue,
    Site,
)

_LIMIT = 48
_STARRED = {"*": "tuple", "**": "dict"}
_COUNTED = frozenset({"list", "tuple", "set", "dict", "frozenset", "deque", "sorted"})


def describe(abstract: AbstractValue, site: Site) -> tuple[str, Sort]:
    """The description of a value that was found at `site`, and its kind."""
    match abstract:
        case InstanceValue(class_=class_):
            return class_.facts.name, Sort.OBJECT
        case ClassValue(facts=facts):
            return f"class {facts.name}", Sort.CLASS
        case FunctionValue(facts=facts, bound=bound):
            name = facts.qualname.rpartition(".<locals>.")[2]
            if facts.name == "<lambda>":
                return _excerpt(site) or "lambda", Sort.FUNCTION
            return f"{'method' if bound is not None else 'function'} {name}", Sort.FUNCTION
        case ContainerValue(kind=kind, slots=slots):
            name = _STARRED.get(kind, kind)
            if name not in _COUNTED:
                return f"{name}(…)", Sort.CONTAINER
            return f"{name} of {len(slots)}" if slots else f"empty {name}", Sort.CONTAINER
        case ConstantValue(value=value):
            return shortened(repr(value)) if value is not ... else "…", Sort.PLAIN
        case ProductValue(path=path):
            return _excerpt(site) or f"{path}()", Sort.PRODUCT
        case GeneratorValue():
            return "generator", Sort.PRODUCT
        case ExternalResult(path=path):
            return f"{path}()", Sort.LIBRARY
        case ExternalValue(path=path):
            return path.removeprefix("builtins."), Sort.LIBRARY
        case ModuleValue(name=name):
            return f"module {name}", Sort.PRODUCT
        case DataValue(kind=kind):
            return kind, Sort.PLAIN
        case PlainValue():
            return "data", Sort.PLAIN
        case _:
            return "unknown", Sort.UNKNOWN


def shortened(text: str, limit: int = _LIMIT) -> str:
    """The text on one line of at most `limit` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _excerpt(site: Site) -> str:
    return shortened(site.module.document.text[site.span.start : site.span.end])
