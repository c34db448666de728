"""Which expressions of a function have results in the order in which workers complete them, and from what an expression
has its elements, one by one.

`Pool.imap_unordered` and `concurrent.futures.as_completed` give results as workers complete them. A list, a
comprehension, or a progress bar around them keeps that order; `sorted`, sets and dicts do not. Source: the
documentation of `multiprocessing.pool` and `concurrent.futures` for CPython 3.11 to 3.14.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import Placed, SourceTree
from lintpickle.parsing.syntax import dotted

_FILLS = frozenset({"append"})
_PARTS = frozenset({"keys", "values", "items", "tolist", "to_list", "copy"})
"""Methods whose result has one element for each of the object."""
_STEPS = 8


class _Given(Struct, frozen=True):
    """What a name is given by an assignment, and from where to where nothing else counts, if that stands before."""

    value: ast.expr
    span: Span
    block: Span


class CompletionOrder:
    """Reads one function, whose nodes are given. `begins` says whether a call gives results as they are completed,
    `passes` whether it gives the elements of its first argument in their order; `given` are such parameters."""

    def __init__(
        self,
        source: SourceTree,
        nodes: tuple[Placed, ...],
        begins: Callable[[ast.Call], bool],
        passes: Callable[[ast.Call], bool],
        given: frozenset[str] = frozenset(),
    ) -> None:
        self.source, self.nodes = source, nodes
        self._begins, self.passes, self._given = begins, passes, given
        self._assigned: dict[str, list[_Given]] = {}
        self._loops = [each for each in nodes if isinstance(each, ast.For | ast.AsyncFor)]
        self._sorted = {
            name_written(each.func.value): source.span(each).start
            for each in nodes
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "sort"
        }
        for statement in nodes:
            self._note(statement)

    def holds(self, node: ast.expr, steps: int = _STEPS) -> bool:
        """Whether an expression has the results in the order in which they are completed."""
        match node:
            case ast.Call() if self._begins(node):
                return True
            case ast.Call(args=[first, *_]) if self.passes(node):
                return self.holds(first, steps)
            case ast.Call(func=ast.Name(id="map"), args=[_, first]):
                return self.holds(first, steps)
            case ast.Name() | ast.Attribute() if steps:
                return self._name_holds(name_written(node), self.source.span(node).start, steps - 1)
            case ast.ListComp(elt=element, generators=[one]) | ast.GeneratorExp(elt=element, generators=[one]):
                return self._loop_holds(one.iter, steps) and not tells_which(element, one.target)
            case ast.IfExp(body=body, orelse=other):
                return self.holds(body, steps) or self.holds(other, steps)
            case ast.List(elts=[ast.Starred(value=value)]) | ast.Tuple(elts=[ast.Starred(value=value)]):
                return self.holds(value, steps)
            case ast.Subscript(value=value, slice=ast.Slice()) | ast.NamedExpr(value=value):
                return self.holds(value, steps)
            case _:
                return False

    def holds_behind(self, name: str) -> bool:
        """Whether a variable or attribute has them so when the function has run."""
        return self._name_holds(name, len(self.source.text), _STEPS)

    def given_back(self, inner: list[Span]) -> bool:
        """Whether the function gives its callers the results in that order. `inner` are the functions within it."""
        for node in self.nodes:
            if not isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) or node.value is None:
                continue
            place = self.source.span(node)
            if any(each.contains(place) for each in inner):
                continue
            if not isinstance(node, ast.Yield):
                if self.holds(node.value):
                    return True
                continue
            around = self._loop_at(node)
            if around is not None and self._loop_holds(around.iter, _STEPS):
                return not tells_which(node.value, around.target)
        return False

    def roots(self, node: ast.expr, steps: int = _STEPS) -> frozenset[str]:
        """The names of what an expression has an element for each element of."""
        match node:
            case ast.Call(func=ast.Attribute(value=base, attr=name), args=[]) if name in _PARTS:
                return self.roots(base, steps)
            case ast.Call(func=ast.Name(id="zip" | "map" | "enumerate" | "range" | "len"), args=values):
                return frozenset().union(*(self.roots(each, steps) for each in values))
            case ast.Call(args=[first, *_]) if self.passes(node) or dotted(node.func) == "sorted":
                return self.roots(first, steps)
            case ast.ListComp(generators=[one]) | ast.GeneratorExp(generators=[one]) if not one.ifs:
                return self.roots(one.iter, steps)
            case ast.DictComp(generators=[one]) if not one.ifs:
                return self.roots(one.iter, steps)
            case ast.Name() | ast.Attribute() if steps:
                name = name_written(node)
                found = [self.roots(each.value, steps - 1) for each in self._assigned.get(name, ())]
                filled = [self.roots(each.iter, steps - 1) for each in self._filling(name)]
                return frozenset({name or dotted(node)} - {""}).union(*found, *filled)
            case ast.Subscript(value=base, slice=ast.Slice(lower=start, upper=end, step=step)):
                return self.roots(base, steps) if start is end is step is None else frozenset()
            case ast.Subscript(value=base):
                return self.roots(base, steps)
            case _:
                return frozenset()

    def loop_of(self, call: ast.Call) -> ast.For | ast.AsyncFor | ast.comprehension | None:
        """The loop that goes through what a call gives, also by way of a progress bar or a list."""
        for iterated, loop in self.iterations():
            while isinstance(iterated, ast.Call) and iterated is not call and iterated.args and self.passes(iterated):
                iterated = iterated.args[0]
            if iterated is call:
                return loop
        return None

    def iterations(self) -> Iterator[tuple[ast.expr, ast.For | ast.AsyncFor | ast.comprehension]]:
        """The loops of the function and its comprehensions, each behind what it goes through."""
        for node in self.nodes:
            match node:
                case ast.For() | ast.AsyncFor():
                    yield node.iter, node
                case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                    yield from ((each.iter, each) for each in node.generators)
                case _:
                    pass

    def made_by(self, loop: ast.comprehension) -> list[ast.expr]:
        """What the comprehension with that loop makes in each round: its element, or the key and the value."""
        for node in self.nodes:
            match node:
                case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
                    made = [element]
                case ast.DictComp(key=key, value=value):
                    made = [key, value]
                case _:
                    continue
            if loop in node.generators:
                return made
        return []

    def around(self, node: ast.expr) -> list[ast.expr]:
        """What the loops and comprehensions around an expression go through."""
        place, found = self.source.span(node), list[ast.expr]()
        for inner in self.nodes:
            match inner:
                case ast.For(iter=iterated) | ast.AsyncFor(iter=iterated):
                    gone_through = [iterated]
                case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                    gone_through = [each.iter for each in inner.generators]
                case _:
                    continue
            if self.source.span(inner).start <= place.start < self.source.span(inner).end:
                found += gone_through
        return found

    def _note(self, node: Placed) -> None:
        match node:
            case ast.Assign(targets=[target], value=value) if name_written(target):
                name = name_written(target)
            case ast.AnnAssign(target=target, value=ast.expr() as value) if name_written(target):
                name = name_written(target)
            case _:
                return
        block = self.source.siblings[node]
        span = Span(self.source.span(block[0]).start, self.source.span(block[-1]).end)
        self._assigned.setdefault(name, []).append(_Given(value, self.source.span(node), span))

    def _name_holds(self, name: str, place: int, steps: int) -> bool:
        if not name:
            return False
        assigned = [each for each in self._assigned.get(name, ()) if each.span.end <= place]
        last = [
            each
            for each in assigned
            if not any(
                other.span.start > each.span.start
                and other.block.start <= each.span.start
                and each.span.end <= other.block.end
                for other in assigned
            )
        ]
        if self._sorted.get(name, place) < place:
            return False
        if any(self.holds(each.value, steps) for each in last) or (name in self._given and not assigned):
            return True
        for loop in self._filling(name):
            if self.source.span(loop).end <= place and self._loop_holds(loop.iter, steps):
                return True
        return False

    def _loop_holds(self, iterated: ast.expr, steps: int) -> bool:
        match iterated:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
                return self.holds(inner, steps)
            case ast.Call(args=[inner, *_]) if self.passes(iterated) and not self._begins(iterated):
                return self._loop_holds(inner, steps)
            case _:
                return self.holds(iterated, steps)

    def _filling(self, name: str) -> Iterator[ast.For | ast.AsyncFor]:
        """The loops that put one thing for each of what they go through into a list: behind it, or at the place that
        `enumerate` counts."""
        for node in self.nodes:
            match node:
                case ast.Call(func=ast.Attribute(value=base, attr=method), args=[value]):
                    if method not in _FILLS or name_written(base) != name:
                        continue
                case ast.Assign(targets=[ast.Subscript(value=base, slice=ast.Name(id=key))], value=value):
                    loop = self._loop_at(node)
                    if name_written(base) != name or loop is None or counter_of(loop) != key:
                        continue
                case _:
                    continue
            loop = self._loop_at(node)
            if loop is not None and not tells_which(value, loop.target):
                yield loop

    def _loop_at(self, node: Placed) -> ast.For | ast.AsyncFor | None:
        """The innermost loop around a place."""
        place = self.source.span(node)
        around = [
            each
            for each in self._loops
            if self.source.span(each.body[0]).start <= place.start and place.end <= self.source.span(each.body[-1]).end
        ]
        return max(around, key=lambda each: self.source.span(each).start, default=None)


def name_written(node: ast.expr) -> str:
    """How a variable, or an attribute of one, is written: `sizes`, `self.sizes`; "" of all else."""
    match node:
        case ast.Name() | ast.Attribute(value=ast.Name()):
            return dotted(node)
        case _:
            return ""


def counter_of(loop: ast.For | ast.AsyncFor | ast.comprehension) -> str | None:
    """The name by which a loop counts its rounds: `i` of `for i, each in enumerate(…)`."""
    match loop.target:
        case ast.Tuple(elts=[ast.Name(id=name), _]) if any(
            isinstance(each, ast.Name) and each.id == "enumerate" for each in ast.walk(loop.iter)
        ):
            return name
        case _:
            return None


def tells_which(element: ast.expr, target: ast.expr) -> bool:
    """Whether what a loop makes of a result says itself to what it belongs: it is a pair or a record, or is looked up
    by the result (`names[future]`)."""
    own = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    if isinstance(element, ast.Tuple | ast.List | ast.Dict):
        return True
    return any(
        isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Name) and each.slice.id in own
        for each in ast.walk(element)
    )
