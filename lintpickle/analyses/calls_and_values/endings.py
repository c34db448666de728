"""Calls that end the program."""

from __future__ import annotations

import ast

from lintpickle.control_flow.paths import Paths
from lintpickle.control_flow.steps import EXITS
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import FUNCTIONS, dotted
from lintpickle.payload.linker import Linker


def ends_program(event: Called, frame: Frame, linker: Linker) -> bool:
    """Whether a statement always calls a function that ends the program: there is no way out of it but an exit."""
    called = linker.evaluate(event.call.function, frame) if not event.conditional else ()
    return bool(called) and all(isinstance(each.value, FunctionValue) and _always_exits(each.value) for each in called)


def _always_exits(function: FunctionValue) -> bool:
    facts = function.facts
    if facts.decorators or facts.is_generator or facts.is_async:
        return False
    tree = Paths(function.module, facts.span).tree
    defined = next((node for node in within(tree) if isinstance(node, FUNCTIONS)), None)
    if defined is None or any(isinstance(node, ast.Return) for node in within(defined)):
        return False
    return any(_is_exit(statement) for statement in defined.body)


def _is_exit(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=function)):
            return dotted(function) in EXITS
        case ast.Raise(exc=ast.Name(id="SystemExit") | ast.Call(func=ast.Name(id="SystemExit"))):
            return True
        case _:
            return False
