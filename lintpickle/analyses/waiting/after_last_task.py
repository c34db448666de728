"""What stands behind the call that gives a pool its last task: statements that may wait for the task, and those that
surely do not."""

from __future__ import annotations

import ast
import re

from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import SourceTree
from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import last_name

POOL_TASKS = frozenset({"apply_async", "map_async", "starmap_async"})
"""The methods of a pool that give it tasks, and do not wait for them."""
_WAITS = re.compile(r"acquire|communicate|get|input|join|next|poll|result|run|select|sleep|successful|wait\w*|recv\w*")
"""What may wait for a task, or for something that it does."""
GOES_ON = POOL_TASKS | {
    *("add", "append", "clear", "close", "debug", "enumerate", "error", "exception", "extend", "format", "info", "int"),
    *("isinstance", "items", "keys", "len", "monotonic", "perf_counter", "print", "range", "remove", "setdefault"),
    *("str", "terminate", "time", "update", "values", "warning", "write", "zip"),
}
"""What is called behind the last task and takes no time that tasks need."""


def line_to(span: Span, source: SourceTree) -> list[ast.AST]:
    """The call at a place, and what is around it, inner ones first."""
    nodes: list[ast.AST] = [source.tree]
    while True:
        inner = next((each for each in children(nodes[-1]) if _holds(each, span, source)), None)
        if inner is None:
            break
        nodes.append(inner)
    found = [at for at, each in enumerate(nodes) if isinstance(each, ast.Call) and source.span(each) == span]
    return nodes[found[0] :: -1] if found else []


def _holds(node: ast.AST, span: Span, source: SourceTree) -> bool:
    if isinstance(node, ast.comprehension | ast.keyword | ast.withitem):
        return any(_holds(each, span, source) for each in children(node))
    if not isinstance(node, ast.expr | ast.stmt | ast.excepthandler):
        return False
    return source.span(node).contains(span)


def statements_behind(child: ast.AST, around: ast.AST) -> list[ast.stmt] | None:
    """The statements that run behind one in what is around it; None if that may wait itself, goes on until something
    happens, or runs later."""
    match around:
        case ast.Module(body=body) | ast.If(body=body) | ast.For(body=body) | ast.With(body=body) if child in body:
            return _after(child, body)
        case ast.If(orelse=body) | ast.For(orelse=body) if child in body:
            return _after(child, body)
        case ast.Try(body=body, orelse=otherwise, finalbody=final) if child in body:
            return [*_after(child, body), *otherwise, *final]
        case ast.FunctionDef(body=body) if child in body:
            return _after(child, body)
        case (
            ast.Expr()
            | ast.Assign()
            | ast.AnnAssign()
            | ast.Return()
            | ast.ListComp()
            | ast.Call()
            | ast.comprehension()
        ):
            return []
        case _:
            return None


def _after(child: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
    return body[next(at for at, each in enumerate(body) if each is child) + 1 :]


def may_wait(node: ast.AST) -> bool:
    """Whether code may wait for something by a call, or hands control to other code."""
    for each in ast.walk(node):
        match each:
            case ast.Yield() | ast.YieldFrom() | ast.Await() | ast.Return() | ast.While() | ast.AsyncFor():
                return True
            case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join")) | ast.Call(args=[_, _, *_]):
                pass  # Texts, and `os.path.join("a", "b")`.
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if _WAITS.fullmatch(name):
                return True
            case _:
                pass
    return False


def without_return(node: ast.AST) -> ast.AST:
    """What a statement returns, that by which no `with` and no `finally` is left out; else the statement itself."""
    return node.value if isinstance(node, ast.Return) and node.value is not None else node


def goes_on(statement: ast.stmt) -> bool:
    """Whether a statement calls nothing that may give tasks time, as far as names tell."""
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    return not may_wait(without_return(statement)) and all(last_name(each.func) in GOES_ON for each in calls)
