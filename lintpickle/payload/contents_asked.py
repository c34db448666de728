"""Objects of modules that functions of workers ask for what is in them: `word in BLOCKED` calls its `__contains__`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Expr, Name
from lintpickle.payload.worker_side import WorkerFunction


def names_asked(function: WorkerFunction) -> Iterator[Expr]:
    """The names of the module, and attributes of these, that a function asks so, each at the head of the function."""
    facts, code = function.facts, function.module.code
    if code.find(" in ", facts.header.end, facts.span.end) < 0:
        return
    told: set[str] = set()
    for node in ast.walk(function.frame.paths.tree):
        for operator, asked in zip(node.ops, node.comparators, strict=True) if isinstance(node, ast.Compare) else ():
            found = _expression(asked, facts.header) if isinstance(operator, (ast.In, ast.NotIn)) else None
            if found is not None and found[0] in facts.reads and ast.unparse(asked) not in told:
                told.add(ast.unparse(asked))
                yield found[1]


def _expression(node: ast.expr, span: Span) -> tuple[str, Expr] | None:
    match node:
        case ast.Name(id=name):
            return name, Name(span, name)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            return name, Attribute(span, Name(span, name), attribute)
        case _:
            return None
