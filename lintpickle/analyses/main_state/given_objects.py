"""What functions set on an object that they are given: `def wire(container): container.bind("host", find)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lintpickle.analyses.calls_and_values.changed_arguments import IsIt, parameters_given
from lintpickle.facts.records import Called, Event, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Expr, Item, Parameter, rooted, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.payload.linker import Linker

StoredBy = Callable[[Attribute, Frame], Iterable[str]]
"""The attributes that a method of the object, as code calls it in a frame, stores on it."""
_DEPTH = 3


def set_where_given(
    call: Call, frame: Frame, is_it: IsIt, stored: StoredBy, linker: Linker, depth: int = 0
) -> Iterator[str]:
    """The attributes of an object that functions of the program set, or of which they change what they hold, which a
    call gives the object."""
    if depth == _DEPTH or not any(is_it(each.value) for each in call.arguments):
        return
    for traced in linker.evaluate(call.function, frame):
        function = traced.value
        if not isinstance(function, FunctionValue) or not function.module.first_party:
            continue
        inner = linker.evaluator.enter(function, call, frame)
        for name in parameters_given(call, function, is_it) if inner is not None else ():
            for event in function.facts.events:
                yield from _set_by(event, name, inner, stored, linker, depth) if inner is not None else ()


def _set_by(event: Event, name: str, frame: Frame, stored: StoredBy, linker: Linker, depth: int) -> Iterator[str]:
    """The attributes that an event sets of the object that a parameter is."""

    def is_it(value: Expr) -> bool:
        return _path_on(value, name) == ()

    match event:
        case Store(target=target, attribute=attribute):
            names = _path_on(target, name)
            if names is not None:
                yield ".".join((*names, attribute))
        case ItemStore(target=target):
            inner = without_narrowing(target)
            names = _path_on(inner.base if isinstance(inner, Item) else inner, name)
            if names:
                yield ".".join(names)
        case Called(call=call):
            if isinstance(call.function, Attribute) and is_it(call.function.base):
                yield from stored(call.function, frame)
            yield from set_where_given(call, frame, is_it, stored, linker, depth + 1)
        case _:
            pass


def _path_on(value: Expr, name: str) -> tuple[str, ...] | None:
    """The attributes that lead from a parameter to an expression; None if it does not begin with that."""
    root, names = rooted(value)
    return names if isinstance(root, Parameter) and root.name == name else None
