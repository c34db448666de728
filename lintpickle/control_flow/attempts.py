"""Code that is meant to fail, or may: what stands in `pytest.raises(…)`, or in a `try` that goes on after the errors of
pickle. Seen on the `ast`."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence

from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import FUNCTIONS, arguments_of, last_name, rows

TRIES = (ast.Try, ast.TryStar) if sys.version_info >= (3, 11) else (ast.Try,)
"""Statements that handle errors."""
_WITHS = (ast.With, ast.AsyncWith)
_AROUND = (*FUNCTIONS, *TRIES, *_WITHS)
_RAISES = re.compile(r"(?:assert_?)?raises\w*", re.IGNORECASE)
"""What is called that expects an error: of pytest, unittest, numpy."""
_RESULTS = frozenset({"result", "get", "exception"})
"""Methods of futures and of a pool's results that raise, or give, what the worker or the queue has failed with."""
_SUPPRESS = "suppress"
_PICKLING_ERRORS = frozenset({"PicklingError", "PickleError"})
_ANY_ERRORS = frozenset({"AttributeError", "TypeError", "Exception", "BaseException", *_PICKLING_ERRORS})
"""Errors that pickle raises, and what they are caught as."""
_GIVES_UP = frozenset({"fail", "exit", "_exit", "abort"})


def is_expected_to_fail(tree: ast.AST, row: int) -> bool:
    """Whether a row (1-based) stands in a block that expects an error: `with pytest.raises(TypeError):`; or whether
    what it assigns is asked for its result in one, which raises what has failed: `future.result()`."""
    if any(map(_expects_error, blocks_around(tree, row))):
        return True
    nodes = list(within(tree))
    named = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and is_row_in([node], row)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return bool(named) and any(_expects_error(node) and _asks_for_result(node, named) for node in nodes)


def _expects_error(node: ast.AST) -> bool:
    return any(_RAISES.fullmatch(name) for name, _ in contexts(node))


def _asks_for_result(block: ast.AST, names: set[str]) -> bool:
    for node in within(block):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)):
                if name in names and attribute in _RESULTS:
                    return True
            case _:
                pass
    return False


def goes_on_after_errors(tree: ast.AST, row: int, only_named: bool) -> bool:
    """Whether code goes on when pickling in a row (1-based) fails: a handler around it catches the errors and does not
    end by raising, or they are suppressed. `only_named`: those that name an error of pickle."""
    wanted = _PICKLING_ERRORS if only_named else _ANY_ERRORS
    for node in blocks_around(tree, row):
        if isinstance(node, TRIES) and is_row_in(node.body, row):
            handler = next((each for each in node.handlers if _names(each.type) & _ANY_ERRORS), None)
            if handler is not None and _names(handler.type) & wanted and not _gives_up(handler.body[-1]):
                return True
        for name, arguments in contexts(node):
            if name == _SUPPRESS and any(_names(each) & wanted for each in arguments):
                return True
    return False


def is_ready_for(error: str, tree: ast.AST, row: int) -> bool:
    """Whether a handler around a row (1-based) names an error, and does not end by raising, or it is suppressed."""
    for node in blocks_around(tree, row):
        handlers = node.handlers if isinstance(node, TRIES) and is_row_in(node.body, row) else ()
        if any(error in _names(each.type) and not _gives_up(each.body[-1]) for each in handlers):
            return True
        for name, arguments in contexts(node):
            if name == _SUPPRESS and any(error in _names(each) for each in arguments):
                return True
    return False


def contexts_around(tree: ast.AST, row: int) -> set[str]:
    """The last names of what is called by the `with` blocks around a row (1-based) in its function: `no_grad`."""
    return {name for node in blocks_around(tree, row) for name, _ in contexts(node)}


def words_of_contexts_around(tree: ast.AST, row: int, names: set[str]) -> set[str]:
    """The texts that the `with` blocks around a row (1-based) in its function give to what they call by one of these
    last names: `threading` of `with parallel_backend("threading")`."""
    items = (item for node in blocks_around(tree, row) if isinstance(node, _WITHS) for item in node.items)
    calls = (item.context_expr for item in items if isinstance(item.context_expr, ast.Call))
    given = (value for call in calls if last_name(call.func) in names for value in arguments_of(call))
    return {value.value for value in given if isinstance(value, ast.Constant) and isinstance(value.value, str)}


def blocks_around(tree: ast.AST, row: int) -> list[ast.stmt]:
    """The blocks around a row that belong to the innermost function that holds it, from the outside in."""
    found: list[ast.stmt] = []
    for node in within(tree):
        if isinstance(node, ast.stmt) and isinstance(node, _AROUND) and is_row_in([node], row):
            if isinstance(node, FUNCTIONS):
                found.clear()
            found.append(node)
    return found


def is_row_in(suite: Sequence[ast.stmt], row: int) -> bool:
    return bool(suite) and rows(suite[0])[0] <= row <= rows(suite[-1])[1]


def contexts(node: ast.AST) -> Iterator[tuple[str, list[ast.expr]]]:
    """The names and arguments of the calls that a `with` enters."""
    for item in node.items if isinstance(node, _WITHS) else ():
        if isinstance(item.context_expr, ast.Call):
            yield last_name(item.context_expr.func), item.context_expr.args


def _names(types: ast.expr | None) -> frozenset[str]:
    """The names of the errors that are caught; a bare `except` catches all."""
    if types is None:
        return frozenset({"BaseException"})
    parts = types.elts if isinstance(types, ast.Tuple) else [types]
    return frozenset(map(last_name, parts))


def _gives_up(statement: ast.stmt) -> bool:
    match statement:
        case ast.Raise():
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) in _GIVES_UP
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
        case _:
            return False
