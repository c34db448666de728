"""Errors that workers catch only to tell the main process, which then ends by an error, too: `("error", str(error))` is
put into a queue, and `if status != "ok": sys.exit(1)` stands where the results are taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.results.errors_caught import handlers_for
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_SENDING = frozenset({"put", "put_nowait", "send"})
_EXITS = frozenset({"exit", "_exit", "SystemExit", "abort"})


def ends_main(error: str, code: WorkerCode, linker: Linker) -> bool:
    """Whether a worker that catches an error sends or returns a mark for it, a text, by which a function that leads to
    the start of the workers ends: it asks for that mark, or for another one that workers send where nothing fails."""
    failed, fine = set[str](), set[str]()
    for function, handler in handlers_for(error, code, linker):
        failed.update(_marks(handler))
        fine.update(_marks_besides(handler, function))
    return bool(failed) and any(_ends_by(test, failed, fine - failed) for test in _tests_of_main(code))


def _marks(node: ast.AST) -> Iterator[str]:
    """The texts that a part of a function sends or returns as elements of a tuple, a list or a dict."""
    for inner in within(node):
        match inner:
            case ast.Call(func=ast.Attribute(attr=name), args=[value, *_]) if name in _SENDING:
                yield from _texts(value)
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                yield from _texts(value)
            case _:
                pass


def _marks_besides(handler: ast.ExceptHandler, function: WorkerFunction) -> set[str]:
    """Those that the function sends elsewhere than in the handler."""
    others = set[str]()
    for node in within(function.frame.paths.tree):
        if isinstance(node, ast.Try) and handler in node.handlers:
            for each in (*node.body, *node.orelse):
                others.update(_marks(each))
    return others


def _texts(value: ast.expr) -> Iterator[str]:
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            yield from (each.value for each in parts if isinstance(each, ast.Constant) and isinstance(each.value, str))
        case _:
            pass


def _tests_of_main(code: WorkerCode) -> Iterator[ast.expr]:
    """What functions on the way to the start of the workers ask for before they end by an error."""
    for frame in code.boundary.frame.way() if code.boundary is not None else ():
        for node in within(frame.paths.tree):
            if isinstance(node, ast.If) and _fails(node.body[-1]):
                yield node.test


def _fails(statement: ast.stmt) -> bool:
    match statement:
        case ast.Raise():
            return True
        case ast.Expr(value=ast.Call(func=called, args=given)) if last_name(called) in _EXITS:
            return not any(isinstance(each, ast.Constant) and each.value in (0, None) for each in given) and bool(given)
        case _:
            return False


def _ends_by(test: ast.expr, failed: set[str], fine: set[str]) -> bool:
    match test:
        case ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant(value=str(mark))]):
            return mark in failed
        case ast.Compare(ops=[ast.NotEq()], comparators=[ast.Constant(value=str(mark))]):
            return mark in fine
        case _:
            return False
