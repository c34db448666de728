"""Loops that take items out of a queue until it is empty: they end at the first moment at which nothing is there."""

from __future__ import annotations

import ast

from lintpickle.analyses.waiting.items_taken import GETS
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name

_EMPTY, _SIZE = "empty", "qsize"
_ASKS = frozenset({_EMPTY, _SIZE, *GETS})
_PAUSES = frozenset({"sleep", "wait", "is_alive", "processEvents"})
"""What a loop calls that gives the processes time, or asks for them."""
_ERRORS = ("Empty", "Exception", "BaseException")
_LEAVES = (ast.Break, ast.Return)
_LOOPS = (ast.While, ast.For, ast.ListComp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def emptying_loop(asked: Call, frame: Frame) -> Span | None:
    """The loop of a function that ends as soon as a call, which asks a queue, finds it empty, and that uses what it
    takes out: `while not queue.empty()`, `for _ in range(queue.qsize())`, `except queue.Empty: break`."""
    function = asked.function
    if not isinstance(function, Attribute) or function.name not in _ASKS:
        return None
    source = source_tree(frame.module.code)
    call = source.call_at(asked.span) if source is not None else None
    if source is None or call is None or not isinstance(call.func, ast.Attribute):
        return None
    queue = ast.unparse(call.func.value)
    for loop in reversed(_loops_around(asked.span, frame, source)):
        if _ends_by(call, loop, source) and _uses_items(loop, queue) and not _pauses(loop):
            return source.span(loop)
        if isinstance(loop, ast.While | ast.For):
            return None
    return None


def _loops_around(place: Span, frame: Frame, source: SourceTree) -> list[ast.stmt | ast.expr]:
    """The loops of a function around a place, outer ones first, without those around an inner function."""
    found: list[ast.stmt | ast.expr] = []
    for node in source.nodes_within(frame.function.span):
        if isinstance(node, (*_LOOPS, *_SCOPES)) and source.span(node).contains(place):
            found = [] if isinstance(node, _SCOPES) else [*found, node]
    return found


def _ends_by(call: ast.Call, loop: ast.AST, source: SourceTree) -> bool:
    """Whether a loop ends as soon as the call finds the queue empty."""
    method = _method(call)
    match loop:
        case ast.While(test=test, body=body) if method in (_EMPTY, _SIZE):
            first = body[0]
            if isinstance(first, ast.If) and isinstance(first.body[-1], _LEAVES) and _holds_if_empty(first.test, call):
                return True
            return _fails_if_empty(test, call)
        case ast.For(iter=counted) | ast.ListComp(generators=[ast.comprehension(iter=counted)]) if method == _SIZE:
            return isinstance(counted, ast.Call) and last_name(counted.func) == "range" and call in counted.args
        case ast.While() if method in GETS and _does_not_wait(call):
            return _is_left_by_error(call, loop, source)
        case _:
            return False


def _fails_if_empty(test: ast.expr, call: ast.Call) -> bool:
    """Whether a condition fails if a call says that the queue is empty."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _holds_if_empty(inner, call)
        case ast.BoolOp(op=ast.And(), values=parts):
            return any(_fails_if_empty(each, call) for each in parts)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return left is call and _method(call) == _SIZE
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=False)]):
            return left is call and _method(call) == _EMPTY
        case _:
            return test is call and _method(call) == _SIZE


def _holds_if_empty(test: ast.expr, call: ast.Call) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _fails_if_empty(inner, call)
        case ast.BoolOp(op=ast.Or(), values=parts):
            return any(_holds_if_empty(each, call) for each in parts)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
            return left is call and _method(call) == _SIZE
        case _:
            return test is call and _method(call) == _EMPTY


def _method(call: ast.Call) -> str:
    return last_name(call.func)


def _does_not_wait(call: ast.Call) -> bool:
    """Whether a call that takes an item out raises at once if there is none."""
    if _method(call) == "get_nowait":
        return True
    given = [*call.args[:1], *(each.value for each in call.keywords if each.arg == "block")]
    return any(isinstance(each, ast.Constant) and each.value is False for each in given)


def _is_left_by_error(call: ast.Call, loop: ast.While, source: SourceTree) -> bool:
    """Whether the error of an empty queue ends a loop: by a handler in it that leaves it, or by one around it."""
    place = source.span(call)
    for node in within(loop):
        if isinstance(node, ast.Try) and _holds(node.body, place, source):
            caught = [each for each in node.handlers if _catches(each)]
            return bool(caught) and isinstance(caught[0].body[-1], _LEAVES)
    tries = [each for each in source.nodes if isinstance(each, ast.Try) and loop in each.body]
    return any(
        _catches(each) and not isinstance(each.body[-1], ast.Raise) for outer in tries for each in outer.handlers
    )


def _holds(body: list[ast.stmt], place: Span, source: SourceTree) -> bool:
    return Span(source.span(body[0]).start, source.span(body[-1]).end).contains(place)


def _catches(handler: ast.ExceptHandler) -> bool:
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(each is None or last_name(each) in _ERRORS for each in named)


def _uses_items(loop: ast.AST, queue: str) -> bool:
    """Whether a loop does something with what it takes out of a queue."""
    dropped = {id(each.value) for each in within(loop) if isinstance(each, ast.Expr)}
    taken = (each for each in within(loop) if isinstance(each, ast.Call) and _method(each) in GETS)
    return any(
        isinstance(each.func, ast.Attribute) and ast.unparse(each.func.value) == queue and id(each) not in dropped
        for each in taken
    )


def _pauses(loop: ast.AST) -> bool:
    return any(isinstance(each, ast.Call) and _method(each) in _PAUSES for each in within(loop))
