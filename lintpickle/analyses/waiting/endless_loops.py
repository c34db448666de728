"""Loops that nothing but their test ends, if that ever does: `while True` without a way out, a loop over
`itertools.count()`, and one that goes on until two values that follow each other are close, however many rounds that
takes (`while abs(x - before) > tolerance: x, before = step(x), x`), which values that alternate or grow never are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.control_flow.steps import EXITS
from lintpickle.parsing.syntax import INNER_SCOPES, dotted, last_name

_DISTANCES = frozenset({"abs", "absolute", "fabs", "norm"})
_COPIES = frozenset({"array", "clone", "copy", "deepcopy"})
_WITHOUT_END = frozenset({"count", "cycle", "itertools.count", "itertools.cycle"})
_STEP = (ast.Call, ast.MatMult)
"""What makes the next value, where plain arithmetic is known to come to an end as a rule."""


def has_no_end(loop: ast.While | ast.For) -> bool:
    """Whether a loop may go on for ever: nothing leaves it, and nothing in it counts its rounds."""
    nodes = [*_run_in(loop)]
    if any(map(_leaves, nodes)):
        return False
    match loop:
        case ast.For(iter=ast.Call(func=function)):
            return dotted(function) in _WITHOUT_END
        case ast.While(test=ast.Constant(value=value)):
            return bool(value)
        case ast.While(test=ast.Compare() as test):
            return not any(map(_counts, nodes)) and _awaits_convergence(test, dict(_assigned(nodes)))
        case _:
            return False


def _run_in(loop: ast.While | ast.For) -> Iterator[ast.AST]:
    """What stands in the body of a loop, but for the functions that are defined there."""
    waiting: list[ast.AST] = [*reversed(loop.body)]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, INNER_SCOPES):
            waiting += reversed([*ast.iter_child_nodes(node)])


def _leaves(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return dotted(node.func) in EXITS
    return isinstance(node, ast.Break | ast.Return | ast.Raise | ast.Assert | ast.Yield | ast.YieldFrom | ast.Await)


def _counts(node: ast.AST) -> bool:
    """Whether a number is added to a variable, or taken from it: `rounds += 1`, `rounds = rounds + 1`."""
    match node:
        case ast.AugAssign(op=ast.Add() | ast.Sub(), value=ast.Constant()):
            return True
        case ast.Assign(targets=[target], value=ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=ast.Constant())):
            return ast.unparse(target) == ast.unparse(left)
        case ast.Call(func=function):
            return last_name(function) == "next"
        case _:
            return False


def _assigned(nodes: list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """What variables and attributes are assigned last in a loop, by their names."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                yield from ((dotted(target), value) for target, value in zip(targets, values, strict=False))
            case ast.Assign(targets=[target], value=value):
                yield dotted(target), value
            case ast.NamedExpr(target=target, value=value):
                yield dotted(target), value
            case _:
                pass


def _awaits_convergence(test: ast.Compare, assigned: dict[str, ast.expr]) -> bool:
    """Whether a test asks for the distance of a value from the one that takes its place, or did, in each round."""
    match test:
        case ast.Compare(left=distance, ops=[ast.Gt() | ast.GtE()]):
            pass
        case ast.Compare(ops=[ast.Lt() | ast.LtE()], comparators=[distance]):
            pass
        case _:
            return False
    distance = assigned.get(dotted(distance), distance)
    nodes = [*ast.walk(distance)]
    if not any(isinstance(each, ast.Call) and last_name(each.func) in _DISTANCES for each in nodes):
        return False
    for each in nodes:
        match each:
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                one, other = dotted(left), dotted(right)
                if _follow(one, other, assigned) or _follow(other, one, assigned):
                    return True
            case _:
                pass
    return False


def _follow(now: str, before: str, assigned: dict[str, ast.expr]) -> bool:
    """Whether a loop keeps one value as that of before, and makes the other anew by more than arithmetic."""
    kept, made = assigned.get(before), assigned.get(now)
    if not now or kept is None or made is None or dotted(_uncopied(kept)) != now:
        return False
    return any(isinstance(each, _STEP) for each in ast.walk(made))


def _uncopied(value: ast.expr) -> ast.expr:
    match value:
        case ast.Call(func=ast.Attribute(value=copied, attr=name), args=[]) if name in _COPIES:
            return copied
        case ast.Call(func=function, args=[copied]) if last_name(function) in _COPIES:
            return copied
        case _:
            return value
