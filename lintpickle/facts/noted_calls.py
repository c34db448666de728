"""Calls as events: those that are written, and those of special methods and properties that other code implies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lintpickle.diagnostics import Span
from lintpickle.facts.contexts import ENTER, ENTER_ASYNC, ENTERED_BY_STACKS
from lintpickle.facts.literals import LiteralVisitor
from lintpickle.facts.records import Called, Delete, Implied, Iterated, PartRead
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Expr,
    Item,
    Name,
    Parameter,
    before_puts,
    options_of,
    rooted,
    whole_of,
    without_narrowing,
)

if TYPE_CHECKING:
    from lintpickle.facts.scopes import Scope

_SPECIAL = {
    **{name: f"__{name}__" for name in ("len", "str", "repr", "bool", "iter", "next", "hash", "int", "float", "abs")},
    **dict.fromkeys(("list", "tuple", "set", "sorted", "sum", "max", "min", "enumerate"), "__iter__"),
    "print": "__str__",
}
"""The special methods that builtin functions call."""
_ITERATING = {
    "map": slice(1, None),
    "filter": slice(1, 2),
    "zip": slice(None),
    **dict.fromkeys(("enumerate", "sorted", "sum"), slice(1)),
}
"""Which of several arguments builtin functions go through."""
_IN_PLACE = frozenset(
    f"__i{name}__" for name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")
)
_OF_ATTRIBUTES = frozenset({ENTER, ENTER_ASYNC, "__len__", "__contains__"})


def _is_given(target: Attribute) -> bool:
    return isinstance(rooted(target)[0], Parameter)


class CallVisitor(LiteralVisitor):
    """Records calls in `scope`, with the conditions under which they are reached."""

    scope: Scope
    conditional: int
    guards: tuple[str, ...]
    main_guard: bool

    def note_call(self, call: Call) -> None:
        """Record a call, and what it implies."""
        event = Called(call.span, self.conditional > 0, self.guards, call, self.main_guard)
        self.scope.events.append(event)
        self._note_popped(call)
        function, arguments = call.function, call.arguments
        if isinstance(function, Name) and function.name in _SPECIAL and len(arguments) == 1:
            self.note_implied(arguments[0].value, _SPECIAL[function.name], call.span)
        elif isinstance(function, Name) and function.name in _ITERATING:
            for each in (call.positional() or ())[_ITERATING[function.name]]:
                self.note_implied(each, "__iter__", call.span)
        elif isinstance(function, Attribute) and function.name in ENTERED_BY_STACKS and len(arguments) == 1:
            self.note_implied(arguments[0].value, ENTERED_BY_STACKS[function.name], call.span)
        elif isinstance(function, (Call, Choice)):
            self.note_implied(function, "__call__", call.span, arguments)

    def note_iteration(self, iterable: Expr, is_async: bool = False) -> None:
        """Record an iteration; `is_async` says that it is one of `async for`."""
        event = Iterated(iterable.span, self.conditional > 0, self.guards, iterable, self.main_guard)
        self.scope.events.append(event)
        for method in ("__aiter__", "__anext__") if is_async else ("__iter__",):
            self.note_implied(iterable, method, iterable.span)

    def note_read(self, read: Attribute) -> None:
        """Record that code reads what may be a property, of what is made here, or of a part of a parameter."""
        before = len(self.scope.events)
        self.note_implied(read.base, read.name, read.span, reads=True)
        target = without_narrowing(read.base)
        if len(self.scope.events) == before and isinstance(target, Attribute) and _is_given(target):
            self.scope.events.append(PartRead(read.span, self.conditional > 0, self.guards, target, read.name))

    def note_implied(
        self, target: Expr, method: str, span: Span, arguments: tuple[Argument, ...] = (), reads: bool = False
    ) -> None:
        """Record that code calls a special method or reads a property of an object, if the object may be made in this
        block; a special method also if the object is a parameter; of what `with`, `len` and `in` ask, an attribute of
        one, of what `in` asks, an element of one, and of what changes it in place, an item or a slice of one. In a
        constructor, both also of attributes."""
        target = without_narrowing(target)
        root, names = rooted(target)
        is_named = self.scope.kind == "module" and isinstance(root, Name) and (not reads or self._is_made(root.name))
        is_given = isinstance(target, Parameter) and not reads
        is_of_given = method in _OF_ATTRIBUTES and isinstance(target, Attribute) and isinstance(target.base, Parameter)
        is_element = method == "__contains__" and isinstance(target, Item) and isinstance(target.base, Parameter)
        is_changed_part = method in _IN_PLACE and isinstance(whole_of(target), Parameter)
        is_of_own = bool(names) and isinstance(root, Parameter) and self.scope.qualname.endswith(".__init__")
        if (
            is_given
            or is_of_given
            or is_element
            or is_changed_part
            or is_of_own
            or is_named
            or any(isinstance(option, Call) for option in before_puts(root))
        ):
            call = Call(span, Attribute(span, target, method), arguments)
            self.scope.events.append(Implied(span, self.conditional > 0, self.guards, target, call, method, reads))

    def _is_made(self, name: str) -> bool:
        """Whether a name of the module's level is bound to what a call gives, in the statement that is read."""
        bound = self.scope.variables.get(name, ())
        return any(isinstance(option, Call) for value in bound for option in options_of(value))

    def _note_popped(self, call: Call) -> None:
        """Record that `owner.__dict__.pop("name")` takes an attribute out of an object."""
        match call:
            case Call(
                function=Attribute(
                    base=Attribute(base=owner, name="__dict__")
                    | Call(function=Name(name="vars"), arguments=(Argument(value=owner),)),
                    name="pop",
                ),
                arguments=(Argument(value=Constant(value=str() as name)), *_),
            ):
                owner = without_narrowing(owner)
                self.scope.events.append(Delete(call.span, self.conditional > 0, self.guards, owner, name))
            case _:
                pass
