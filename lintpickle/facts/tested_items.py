"""Items of which code tests the type, and which it reads again: `if isinstance(parts[name], Part): … parts[name]`."""

from __future__ import annotations

import libcst as cst

from lintpickle.facts.guards import item_name
from lintpickle.facts.records import Called, Event, Implied, Iterated, PartRead, Raised
from lintpickle.facts.scopes import Scope
from lintpickle.facts.values import Call, Constant, Expr, Item, Name, reads_the_same, without_narrowing

_TESTING = frozenset({"callable", "hasattr", "isinstance", "len", "print", "str", "type"})
"""Builtins that put nothing into a container."""


def as_tested(node: cst.Subscript, item: Item, scope: Scope) -> Expr:
    """An item with what tests have said of it, if nothing has happened since that may put something else there."""
    name = item_name(node) if scope.items_tested else None
    known = scope.env.get(name) if name is not None else None
    if name is None or known is None or not _is_same(without_narrowing(known), item):
        return item
    return item if any(map(_may_change_items, scope.events[scope.items_tested[name] :])) else known


def note_tested(node: cst.Subscript, item: Item, scope: Scope) -> Expr:
    """The same for an item that is being tested; if earlier tests say nothing of it any more, they are forgotten."""
    known, name = as_tested(node, item, scope), item_name(node)
    if known is item and name is not None:
        scope.env.pop(name, None)
        scope.items_tested[name] = len(scope.events)
    return known


def forget_items(scope: Scope) -> None:
    """Forget what tests have said of items."""
    for name in scope.items_tested:
        scope.env.pop(name, None)


def _is_same(known: Expr, item: Item) -> bool:
    if not isinstance(known, Item) or known.key is None or item.key is None:
        return False
    is_literal = isinstance(known.key, Constant) and isinstance(item.key, Constant)
    return reads_the_same(known.base, item.base) and (is_literal or reads_the_same(known.key, item.key))


def _may_change_items(event: Event) -> bool:
    """Whether something that happens may put another object into a container."""
    match event:
        case Called(call=Call(function=Name(name=name))):
            return name not in _TESTING
        case Implied(method=method, reads=reads):
            return not reads and method != "__getitem__"
        case _:
            return not isinstance(event, (Iterated, PartRead, Raised))
