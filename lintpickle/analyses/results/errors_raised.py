"""What functions that workers run raise by a statement of their own, and catch nowhere in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.results.errors_caught import is_caught
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import FUNCTIONS, last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.payload.worker_ways import may_get_to_itself

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


def error_of_callee(code: WorkerCode, linker: Linker) -> tuple[str, WorkerFunction, Span] | None:
    """The same of a function that the one which workers begin with calls by its name, in the same module: its error, if
    nothing catches that on the way. Without a name, and of the first function, if no call gets to where it is raised:
    then it is others that may fail there."""
    unreached: tuple[str, WorkerFunction, Span] | None = None
    for caller in code.functions:
        facts, is_known = caller.facts, caller.is_begun_with and caller.module.first_party
        if not is_known or facts.is_generator or facts.decorators:
            continue
        called = {last_name(each.func) for each in within(caller.frame.paths.tree) if isinstance(each, ast.Call)}
        for function in code.functions:
            if function.module is not caller.module or function.is_begun_with or function.facts.name not in called:
                continue
            found = error_raised(function)
            if found is None or is_caught(found[0], Site(function.module, found[1]), code, linker):
                continue
            if may_get_to_itself(found[1], function, code, linker):
                return found[0], function, found[1]
            unreached = unreached or ("", caller, facts.header)
    return unreached


def is_open_file(context: ast.expr) -> bool:
    """Whether a context is an open file, which suppresses no error."""
    return isinstance(context, ast.Call) and last_name(context.func) == "open"


def _uncaught(body: list[ast.stmt]) -> Iterator[ast.Raise]:
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Raise():
                yield node
            case ast.Try(handlers=[_, *_] as handlers, orelse=after, finalbody=finish):
                waiting += [*reversed(finish), *reversed(after), *reversed(handlers)]
            case ast.With(items=items) if not all(is_open_file(each.context_expr) for each in items):
                pass  # It may suppress errors.
            case ast.AsyncWith():
                pass
            case _ if not isinstance(node, _OTHERS):
                waiting += reversed(children(node))
            case _:
                pass
