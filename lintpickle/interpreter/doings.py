"""What a function does to an object, or to a part of it: stores, calls of its methods, and calls that are implied."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lintpickle.facts.records import Called, Delete, Event, Implied, ItemStore, Store
from lintpickle.facts.values import Attribute, Expr
from lintpickle.interpreter.abstract_values import Done, Frame
from lintpickle.interpreter.stores import stored_on


def done_by(event: Event, frame: Frame, path_to: Callable[[Expr], tuple[str, ...] | None]) -> Iterator[Done]:
    """What an event of a function does to an object: `path_to` gives the attributes that lead from the object to what
    an expression of the function gives, None if it is no part of it."""
    method = ""
    match event:
        case Store() | ItemStore():
            target = stored_on(event)
        case Delete(target=target):
            pass
        case Called(call=call) if isinstance(call.function, Attribute):
            target, method = call.function.base, call.function.name
        case Implied(target=target, method=method):
            pass
        case _:
            return
    path = path_to(target) if target is not None else None
    if path is not None:
        yield Done(event, frame, path, method)
