"""How things are called in a picture, on one short line."""

from __future__ import annotations

from lintpickle.graph.model import Sort
from lintpickle.interpreter.abstract_values import (
    ClassThing,
    ConstantThing,
    ContainerThing,
    DataThing,
    ExternalResult,
    ExternalThing,
    FunctionThing,
    GeneratorThing,
    InstanceThing,
    ModuleThing,
    PlainThing,
    ProductThing,
    Site,
    Thing,
)

_LIMIT = 48
_STARRED = {"*": "tuple", "**": "dict"}
_COUNTED = frozenset({"list", "tuple", "set", "dict", "frozenset", "deque", "sorted"})


def describe(thing: Thing, site: Site) -> tuple[str, Sort]:
    """What a thing that came to be at `site` is, and of which sort."""
    match thing:
        case InstanceThing(class_=class_):
            return class_.facts.name, Sort.OBJECT
        case ClassThing(facts=facts):
            return f"class {facts.name}", Sort.CLASS
        case FunctionThing(facts=facts, bound=bound):
            name = facts.qualname.rpartition(".<locals>.")[2]
            if facts.name == "<lambda>":
                return _excerpt(site) or "lambda", Sort.FUNCTION
            return f"{'method' if bound is not None else 'function'} {name}", Sort.FUNCTION
        case ContainerThing(kind=kind, pieces=pieces):
            name = _STARRED.get(kind, kind)
            if name not in _COUNTED:
                return f"{name}(…)", Sort.CONTAINER
            return f"{name} of {len(pieces)}" if pieces else f"empty {name}", Sort.CONTAINER
        case ConstantThing(value=value):
            return shortened(repr(value)) if value is not ... else "…", Sort.PLAIN
        case ProductThing(path=path):
            return _excerpt(site) or f"{path}()", Sort.PRODUCT
        case GeneratorThing():
            return "generator", Sort.PRODUCT
        case ExternalResult(path=path):
            return f"{path}()", Sort.LIBRARY
        case ExternalThing(path=path):
            return path.removeprefix("builtins."), Sort.LIBRARY
        case ModuleThing(name=name):
            return f"module {name}", Sort.PRODUCT
        case DataThing(kind=kind):
            return kind, Sort.PLAIN
        case PlainThing():
            return "data", Sort.PLAIN
        case _:
            return "unknown", Sort.UNKNOWN


def shortened(text: str, limit: int = _LIMIT) -> str:
    """The text on one line of at most `limit` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _excerpt(site: Site) -> str:
    return shortened(site.module.document.text[site.span.start : site.span.end])
