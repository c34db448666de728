"""What a function that workers run raises by a statement of its own, and catches nowhere in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import source_tree
from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import FUNCTIONS, last_name
from lintpickle.payload.worker_side import WorkerFunction

_NO_ERRORS = frozenset({"NotImplementedError", "SystemExit", "KeyboardInterrupt", "StopIteration"})
"""What stands for something else than a failure, or for a method that derived classes have."""
_OTHERS = (*FUNCTIONS, ast.ClassDef, ast.Lambda)


def error_raised(function: WorkerFunction) -> tuple[str, Span] | None:
    """The name of the first such error, and where it is raised; None if there is none, or if decorators may catch it,
    or nothing of the function runs when it is called."""
    facts, source = function.facts, source_tree(function.module.code)
    if source is None or facts.decorators or facts.is_async or facts.is_generator:
        return None
    node = source.find_function(facts.span, facts.name)
    for statement in _uncaught(node.body) if node is not None else ():
        made = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        name = last_name(made) if made is not None else ""
        if name[:1].isupper() and name not in _NO_ERRORS:
            return name, source.span(statement)
    return None


def _uncaught(body: list[ast.stmt]) -> Iterator[ast.Raise]:
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Raise():
                yield node
            case ast.Try(handlers=[_, *_] as handlers, orelse=after, finalbody=finish):
                waiting += [*reversed(finish), *reversed(after), *reversed(handlers)]
            case ast.With() | ast.AsyncWith():  # It may suppress errors.
                pass
            case _ if not isinstance(node, _OTHERS):
                waiting += reversed(children(node))
            case _:
                pass
