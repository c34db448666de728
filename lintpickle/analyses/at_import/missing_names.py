"""Places of a module that nothing gets to: a statement before them reads a name that only some function has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.builtin_names import BUILTINS
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module
from lintpickle.resolution.declared_globals import is_set_by_functions

_MAY_BIND = re.compile(r"\bglobals\(\)|\bexec\(|\bbuiltins\b|\b__builtins__\b|\bNameError\b|\bget_ipython\b")
"""What stands in modules whose names may come in ways that are not seen."""
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def is_behind_missing_name(site: Site, linker: Linker) -> bool:
    """Whether a statement that stands before a place at the level of its module surely ends in a NameError: it reads a
    name that is no builtin, and that only inner scopes of the module bind (who runs a script may give it others)."""
    module = site.module
    if module.document.cells is not None or module.has(_MAY_BIND):
        return False
    row = module.code.count("\n", 0, site.span.start) + 1
    found = linker.remembered(("missing names", module.path), lambda: tuple(_missing(module, linker)))
    return any(read < row for read in found)


def _missing(module: Module, linker: Linker) -> Iterator[int]:
    """The last rows of the statements that read such names."""
    try:
        tree = parse(module.code)
    except BrokenSyntax:
        return
    local = {name for node in ast.walk(tree) for name in _bound_by(node)}
    known = module.outline.bound | BUILTINS
    for statement in tree.body:
        if isinstance(statement, (ast.Expr, ast.Assign)):
            names = {name for name in _read_surely(statement.value) if name in local and name not in known}
            if any(not _may_come(name, module, linker) for name in names):
                yield statement.end_lineno or statement.lineno


def _bound_by(node: ast.AST) -> Iterator[str]:
    """The name that a parameter has, or that is stored somewhere."""
    match node:
        case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
            yield name
        case _:
            pass


def _may_come(name: str, module: Module, linker: Linker) -> bool:
    return is_set_by_functions(name, module) or linker.evaluator.names.may_come_by_star(module, name)


def _read_surely(value: ast.AST) -> Iterator[str]:
    """The names that an expression reads whatever the values of its parts are."""
    match value:
        case ast.Name(id=name, ctx=ast.Load()):
            yield name
        case ast.IfExp(test=first) | ast.BoolOp(values=[first, *_]):
            yield from _read_surely(first)
        case _ if not isinstance(value, _SCOPES):
            for part in children(value):
                yield from _read_surely(part)
