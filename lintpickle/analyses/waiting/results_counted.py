"""How many results a function takes out of a queue: one for each item that it has given away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import Placed, SourceTree
from lintpickle.parsing.main_guard import is_main_guard

_SAME_LENGTH = frozenset({"enumerate", "list", "sorted", "tuple", "reversed", "tqdm", "range", "len"})
"""Functions whose result is as long as what they are given; `range(len(rows))` is, too."""
_REPEATED = ast.For | ast.While | ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.If
_USES = frozenset({"get", "close", "join_thread", "cancel_join_thread"})


class Counted(Struct, frozen=True):
    """Where results are taken, once for each item: as many as there are processes, or as were put into the queue
    `jobs`."""

    span: Span
    jobs: str | None


def counted_results(queue: str, start: Span, function: Span, source: SourceTree) -> Counted | None:
    """Where a function takes as many results out of a queue as it has started processes by the call at `start`, or put
    items into one of its queues. None where it does anything else with the queue. Of queues that an object keeps, the
    function is its class: one method makes the processes, another one takes the results."""
    nodes = [*source.nodes_within(function)]
    call = next((each for each in nodes if isinstance(each, ast.Call) and source.span(each) == start), None)
    uses = [each for each in nodes if isinstance(each, ast.Name | ast.Attribute) and ast.unparse(each) == queue]
    methods = [each for each in nodes if isinstance(each, ast.Attribute) and each.value in uses]
    taking = [each for each in nodes if isinstance(each, ast.Call) and each.func in methods and _is_get(each)]
    if call is None or len(taking) != 1 or any(each.attr not in _USES for each in methods):
        return None
    given = {id(each) for each in ast.walk(call)}
    named = {id(each.value) for each in methods} | given
    if any(id(each) not in named and not isinstance(each.ctx, ast.Store) for each in uses):
        return None
    lengths = _Lengths(nodes)
    number = lengths.of_place(taking[0])
    if number is None:
        return None
    span = source.span(taking[0])
    if span.start < start.end or _is_attempted(taking[0], nodes):
        return None
    mine = _function_around(taking[0], nodes)
    if lengths.of_place(call) == number and _function_around(call, nodes) is mine:
        return Counted(span, None)
    for each in nodes:
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as jobs, attr="put"), args=[_]):
                is_beside = ast.unparse(jobs) != queue and _function_around(each, nodes) is mine
                if is_beside and lengths.of_place(each) == number:
                    return Counted(span, ast.unparse(jobs))
            case _:
                pass
    return None


def _function_around(node: ast.AST, nodes: list[Placed]) -> Placed | None:
    """The innermost function of several in which something stands; None if there is only one, which is not among
    them."""
    around = [each for each in nodes if isinstance(each, ast.FunctionDef) and any(it is node for it in ast.walk(each))]
    return around[-1] if around else None


def _is_get(call: ast.Call) -> bool:
    """Whether a call waits for a result without a limit."""
    return (
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "get"
        and all(isinstance(each, ast.Constant) and each.value is True for each in call.args)
        and not call.keywords
    )


def _is_attempted(call: ast.Call, nodes: list[Placed]) -> bool:
    return any(isinstance(each, ast.Try) and each.handlers and call in ast.walk(each) for each in nodes)


class _Lengths:
    """How often the places of a function are come to, in words that are equal if that is equally often."""

    def __init__(self, nodes: list[Placed]) -> None:
        self._nodes = nodes
        self._repeated = [
            each
            for each in nodes
            if isinstance(each, _REPEATED) and not (isinstance(each, ast.If) and is_main_guard(each.test))
        ]

    def of_place(self, node: ast.AST) -> str | None:
        """How often a place is come to: once for each round of the one loop around it; None if that is not known."""
        around = [each for each in self._repeated if any(inner is node for inner in ast.walk(each))]
        match around:
            case [ast.For(iter=items) as loop] if not _leaves(loop):
                return self._length(items, 0)
            case [ast.ListComp(generators=[one]) | ast.GeneratorExp(generators=[one])] if not one.ifs:
                return self._length(one.iter, 0)
            case [ast.While(test=ast.Name(id=left)) as loop]:
                return self._counted_down(left, loop)
            case [ast.While(test=ast.Compare(left=ast.Name(id=left), ops=[ast.Gt()], comparators=[zero])) as loop]:
                return self._counted_down(left, loop) if ast.unparse(zero) == "0" else None
            case [ast.While(test=ast.Compare(ops=[ast.Lt() | ast.NotEq()], comparators=[last])) as loop]:
                return self._length(last, 0) if not _leaves(loop) else None
            case _:
                return None

    def _counted_down(self, left: str, loop: ast.While) -> str | None:
        """How often a loop runs that takes one off a number in each round, until that is zero."""
        changes = self._changes(left)
        down = [each for each in loop.body if each in changes and _is_by_one(each, ast.Sub)]
        if len(down) != 1 or _leaves(loop):
            return None
        match self._assigned(left):
            case [ast.Call(func=ast.Name(id="len"), args=[items])] if len(changes) == 1:
                return self._length(items, 0)
            case _:
                return self._counted_up(left, [each for each in changes if each is not down[0]])

    def _counted_up(self, number: str, changes: list[ast.AugAssign]) -> str | None:
        """What a number is that is zero at first, and to which only one place adds one."""
        match self._assigned(number), changes:
            case [ast.Constant(value=0)], [one] if _is_by_one(one, ast.Add):
                return self.of_place(one)
            case _:
                return None

    def _changes(self, name: str) -> list[ast.AugAssign]:
        return [each for each in self._nodes if isinstance(each, ast.AugAssign) and _is_named(each.target, name)]

    def _length(self, items: ast.expr, depth: int) -> str:
        match items:
            case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _SAME_LENGTH:
                return self._length(inner, depth)
            case ast.Name(id=name) if depth < 4:
                source = self._made_of(name)
                counted = self._counted_up(name, self._changes(name))
                return self._length(source, depth + 1) if source is not None else counted or name
            case _:
                return ast.unparse(items)

    def _made_of(self, name: str) -> ast.expr | None:
        """What a variable is as long as: what it is made of by a comprehension, or that which a loop goes through that
        fills it; or what it is the length of."""
        match self._assigned(name):
            case [ast.ListComp(generators=[one])] if not one.ifs:
                return one.iter if not [*self._appending(name)] else None
            case [ast.Call(func=ast.Name(id="len"), args=[inner])]:
                return inner
            case [ast.List(elts=[])]:
                filling = [*self._appending(name)]
                around = [each for each in self._repeated if filling and filling[0] in ast.walk(each)]
                match around:
                    case [ast.For(iter=items) as loop] if len(filling) == 1 and not _leaves(loop):
                        return items
            case _:
                pass
        return None

    def _assigned(self, name: str) -> list[ast.expr]:
        return [
            each.value
            for each in self._nodes
            if isinstance(each, ast.Assign) and any(_is_named(target, name) for target in each.targets)
        ]

    def _appending(self, name: str) -> Iterator[ast.Call]:
        for each in self._nodes:
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=base))) if base == name:
                    yield each
                case _:
                    pass


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_by_one(change: ast.AugAssign, operator: type[ast.operator]) -> bool:
    return isinstance(change.op, operator) and isinstance(change.value, ast.Constant) and change.value.value == 1


def _leaves(loop: ast.For | ast.While) -> bool:
    return any(isinstance(each, ast.Break | ast.Return | ast.Continue) for each in ast.walk(loop))
