"""What `with`, `async with` and an `ExitStack` make of the context manager that they enter."""

from __future__ import annotations

from lintpickle.facts.values import Argument, Attribute, Awaited, Call, Expr, Name, Narrowed

ENTER, ENTER_ASYNC = "__enter__", "__aenter__"
MANAGER_DECORATORS = ("contextmanager", "asynccontextmanager")
"""Decorators of `contextlib` that make a context manager of a generator function."""
ENTERED_BY_STACKS = {"enter_context": ENTER, "enter_async_context": ENTER_ASYNC}
"""The special methods that methods of an `ExitStack` call of what they are given."""


def what_is_entered(value: Expr, method: str) -> Expr:
    """What `with` binds to a name: what the special method of an object gives that is made there."""
    match value:
        case Call(function=Name(name="open")):
            return value
        case Call(span=span):
            call = Call(span, Attribute(span, value, method), ())
            given = Awaited(span, call) if method == ENTER_ASYNC else call
            return Narrowed(span, value, "entered", (given,), True)
        case _:
            return value


def what_is_awaited(value: Expr) -> Expr:
    """What `await value` gives."""
    match value:
        case Call(function=Attribute(name="enter_async_context"), arguments=(Argument(value=manager),)):
            return what_is_entered(manager, ENTER_ASYNC)
        case _:
            return Awaited(value.span, value)
