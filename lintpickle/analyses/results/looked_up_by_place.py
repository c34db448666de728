"""Where a function looks up the one, results in the order of their completion or what was sent for them, at the place
that it has found in the other: `names[sizes.argmax()]`, `sizes[names.index("a")]`; or both at the same place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.results.completion_order import CompletionOrder
from lintpickle.parsing.syntax import FUNCTIONS, dotted

_PLACES = frozenset({"argmax", "argmin", "argsort", "argpartition", "argwhere", "flatnonzero", "topk", "index"})
"""Functions and methods that give places of what they are given."""
_LookUp = tuple[ast.expr, str, str]


def looked_up_by_place(order: CompletionOrder, sent: frozenset[str]) -> Iterator[_LookUp]:
    """The expressions that look one up, with what was sent, and the results, as they are written."""
    items = [each for each in order.nodes if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load)]
    results = [each for each in items if order.holds(each.value)]
    others = [each for each in items if each not in results and not order.roots(each.value).isdisjoint(sent)]
    if not results and not others:
        return
    ways = _Ways(order)
    for each in others:
        place = next((ways.results_in(call) for call in ways.places_in(each.slice)), None)
        if place is not None:
            yield each, ast.unparse(each.value), ast.unparse(place)
    for each in results:
        for call in ways.places_in(each.slice):
            base = call.func.value if isinstance(call.func, ast.Attribute) else call
            if not order.holds(base) and not order.roots(base).isdisjoint(sent):
                yield each, ast.unparse(base), ast.unparse(each.value)
    yield from _at_one_place(results, others, order)


def _at_one_place(
    results: list[ast.Subscript], others: list[ast.Subscript], order: CompletionOrder
) -> Iterator[_LookUp]:
    """Where both are looked up by the same name: in one statement, or in a function that is given the place."""
    given = _parameters_kept(order)
    for each in results:
        for other in others:
            match each.slice, other.slice:
                case ast.Name(id=one), ast.Name(id=name) if one == name:
                    if name in given or _statement_at(each, order) is _statement_at(other, order):
                        yield each, ast.unparse(other.value), ast.unparse(each.value)
                case _:
                    pass


def _parameters_kept(order: CompletionOrder) -> set[str]:
    """The parameters of the function that it does not set anew."""
    own = next((each for each in order.nodes if isinstance(each, FUNCTIONS)), None)
    names = {each.arg for each in own.args.args} if own is not None else set[str]()
    return names - {each.id for each in order.nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _statement_at(node: ast.expr, order: CompletionOrder) -> ast.stmt | None:
    """The statement of the function, without others in it, in which an expression stands."""
    place = order.source.span(node)
    simple = (each for each in order.nodes if isinstance(each, ast.stmt) and not hasattr(each, "body"))
    return next((each for each in simple if order.source.span(each).contains(place)), None)


class _Ways:
    """Follows what a function computes through its variables and loops."""

    def __init__(self, order: CompletionOrder) -> None:
        self._order = order
        self._given: dict[str, list[ast.expr]] = {}
        for node in order.nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._note(target, node.value)
        for iterated, loop in order.iterations():
            self._note(loop.target, iterated)

    def places_in(self, node: ast.expr) -> Iterator[ast.Call]:
        """The calls that give the place, or the places, which an expression is or holds."""
        for each in self._parts(node, set()):
            if isinstance(each, ast.Call) and _name(each) in _PLACES:
                yield each

    def results_in(self, call: ast.Call) -> ast.expr | None:
        """The results of which a call gives a place."""
        return next((each for each in self._parts(call, set()) if self._order.holds(each)), None)

    def _note(self, target: ast.expr, value: ast.expr) -> None:
        for each in ast.walk(target):
            if isinstance(each, ast.Name):
                self._given.setdefault(each.id, []).append(value)

    def _parts(self, node: ast.AST, seen: set[str]) -> Iterator[ast.expr]:
        """An expression, and what it is computed of; not what a look-up takes out of results, in whatever order."""
        if isinstance(node, ast.expr):
            yield node
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice) and self._order.holds(node.value):
            return
        given = self._given.get(node.id, []) if isinstance(node, ast.Name) and node.id not in seen else []
        if isinstance(node, ast.Name) and not any(self._order.holds(each) for each in given):
            seen.add(node.id)
            for each in given:
                yield from self._parts(each, seen)
        for inner in ast.iter_child_nodes(node):
            yield from self._parts(inner, seen)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)
