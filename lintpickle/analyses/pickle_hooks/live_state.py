"""What a `__getstate__` takes from the object itself, because it works on the dict of its attributes and not on a
copy."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import is_me, plain_ancestors
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Delete, Event, FunctionFacts
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Expr,
    Name,
    Sum,
    Super,
    Without,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ClassValue, ConstantValue, FunctionValue
from lintpickle.interpreter.frames import Arguments
from lintpickle.payload.linker import Linker

_HOOK = "__getstate__"


def taken_from_object(
    class_: ClassValue, owner: ClassValue, method: FunctionFacts, linker: Linker
) -> Iterator[tuple[str, Span]]:
    """The attributes that the hook of a class, which stands in `owner`, removes from the object, each with the place.
    Names that are computed are those that they are for objects of the class."""
    for event in method.events:
        key, span = _removed(event, class_, owner, method, linker), event.span
        if isinstance(key, str):
            yield key, span
        elif key is not None:
            yield from ((name, span) for name in _names(key, class_, owner, method, linker))


def _removed(
    event: Event, class_: ClassValue, owner: ClassValue, method: FunctionFacts, linker: Linker
) -> str | Expr | None:
    """The name of the attribute that an event removes, or the expression for it."""
    match event:
        case Delete(target=target, attribute=attribute):
            if is_me(target, method):
                return attribute
            is_item = attribute.startswith("[") and is_live(target, class_, owner, method, linker)
            return attribute[1:-1] if is_item else None
        case Called(call=Call(function=Attribute(base=held, name="pop" | "__delitem__"), arguments=(key, *_))):
            return key.value if is_live(held, class_, owner, method, linker) else None
        case Called(call=Call(function=Name(name="delattr"), arguments=(Argument(value=target), key))):
            return key.value if is_me(target, method) else None
        case _:
            return None


def is_live(value: Expr, class_: ClassValue, owner: ClassValue, method: FunctionFacts, linker: Linker) -> bool:
    """Whether an expression of the hook is the dict of the object's attributes itself."""
    match without_narrowing(value):
        case Attribute(base=me, name="__dict__") | Call(function=Name(name="vars"), arguments=(Argument(value=me),)):
            return is_me(me, method)
        case Without(held=held, is_filter=False):
            return is_live(held, class_, owner, method, linker)
        case Sum(span=span, parts=(first, *_)) if span == first.span:  # `state["rows"] = None`, no `a | b`
            return is_live(first, class_, owner, method, linker)
        case Choice(options=options):
            return all(is_live(each, class_, owner, method, linker) for each in options)
        case Call(function=Attribute(base=Super(), name=name), arguments=()) if name == _HOOK:
            return _is_given_live(class_, owner, linker)
        case _:
            return False


def _is_given_live(class_: ClassValue, owner: ClassValue, linker: Linker) -> bool:
    """Whether the next hook behind a class gives the dict itself, as that of `object` does."""
    found = linker.classes.find_method(class_, _HOOK, after=owner)
    if found is None:
        return plain_ancestors(class_, linker.classes) is not None
    behind, method = found
    return bool(method.returns) and all(is_live(each, class_, behind, method, linker) for each in method.returns)


def _names(key: Expr, class_: ClassValue, owner: ClassValue, method: FunctionFacts, linker: Linker) -> Iterator[str]:
    """What a key is for objects of a class, as far as that is known."""
    if isinstance(key, Constant):
        yield str(key.value)
        return
    bound = FunctionValue(owner.module, method, owner.frame, linker.activations.instance(class_))
    frame = linker.evaluator.activate(bound, Arguments((), {}, False), 1)
    for traced in linker.evaluate(key, frame) if frame is not None else ():
        if isinstance(traced.value, ConstantValue) and isinstance(traced.value.value, str):
            yield traced.value.value
