"""`__new__`: which expressions of it give the object that it makes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, chain, options_of, rooted, without_narrowing


class Created(Struct, frozen=True):
    """The object that a `__new__` makes: `calls` are those of another `__new__` that give it, `names` the chains of
    names under which it is kept (`cls._instance`, a global)."""

    calls: tuple[Call, ...]
    names: frozenset[tuple[str, ...]]

    @classmethod
    def by(cls, function: FunctionFacts) -> Created:
        """The one that a function makes."""
        calls = tuple(
            event.call for event in function.events if isinstance(event, Called) and _named_new(event.call.function)
        )
        return cls(calls, frozenset(_names(function, calls)))

    def path(self, value: Expr) -> tuple[str, ...] | None:
        """The attributes that lead from the object to what an expression gives; None if it is no part of the object."""
        root, path = rooted(value)
        if _is_one_of(self.calls, root):
            return path
        names = chain(value) or ()
        kept = next((names[:end] for end in range(1, len(names) + 1) if names[:end] in self.names), None)
        return names[len(kept) :] if kept is not None else None

    def call_before(self, place: int) -> Call | None:
        """The last call that gives the object before a place."""
        earlier = [call for call in self.calls if call.span.start < place]
        return earlier[-1] if earlier else None


def _names(function: FunctionFacts, calls: tuple[Call, ...]) -> Iterator[tuple[str, ...]]:
    for event in function.events:
        if isinstance(event, Store) and _is_one_of(calls, event.value):
            owner = chain(event.target)
            if owner is not None:
                yield (*owner, event.attribute)
    for name in function.globals_declared:
        if name in function.variables and _is_one_of(calls, function.variables[name]):
            yield (name,)


def _is_one_of(calls: tuple[Call, ...], value: Expr) -> bool:
    options = options_of(without_narrowing(value))
    return any(without_narrowing(option) is call for option in options for call in calls)


def _named_new(function: Expr) -> bool:
    return isinstance(function, Attribute) and function.name == "__new__"
