"""A call at module level that must run right after a module's imports."""

from __future__ import annotations

import ast

from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.imports import import_edit
from lintpickle.fixes.names import analyse
from lintpickle.fixes.syntax import SourceTree


def call_after_imports(text: str, module: str, function: str, arguments: str) -> tuple[Edit, ...] | None:
    """Call `module.function(arguments)` below the block of imports in which `module` is imported.

    Returns the sorted edits; None when no top-level, unconditional import brings `module`.
    """
    names = analyse(text)
    index = _import_of(names.source, module) if names else None
    reached = import_edit(text, module, function)
    if names is None or index is None or reached is None:
        return None
    addition, expression = reached
    source = names.source
    anchor = _end_of_block(source, index)
    if addition is not None and not addition.content.startswith(", "):
        return None
    if addition is None and not _binds(source.tree.body[: anchor + 1], expression.partition(".")[0]):
        return None
    row = _last_row(source, anchor)
    end = source.starts[row] + len(source.lines[row].rstrip("\r\n"))
    newline = source.newline
    gap = newline if row + 1 < len(source.lines) and not source.is_blank(row + 1) else ""
    call = Edit(Span(end, end), f"{newline * 2}{expression}({arguments}){gap}")
    if addition is None:
        return (call,)
    if addition.span == call.span:
        return (Edit(call.span, addition.content + call.content),)
    return tuple(sorted((addition, call)))


def _import_of(source: SourceTree, module: str) -> int | None:
    for index, statement in enumerate(source.tree.body):
        match statement:
            case ast.Import(names=aliases) if any(alias.name == module for alias in aliases):
                return index
            case ast.ImportFrom(module=name, level=0) if name == module:
                return index
            case _:
                pass
    return None


def _end_of_block(source: SourceTree, index: int) -> int:
    """The last statement of the run of imports that begins at `index`, conditional imports included."""
    body = source.tree.body
    while index + 1 < len(body) and _only_imports(body[index + 1]):
        index += 1
    return index


def _only_imports(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom():
            return True
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=[]):
            fallbacks = [each for handler in handlers for each in handler.body]
            return all(map(_only_imports, [*body, *orelse])) and all(map(_is_fallback, fallbacks))
        case ast.If(body=body, orelse=orelse):
            return all(map(_only_imports, body)) and all(map(_is_fallback, orelse))
        case _:
            return False


def _is_fallback(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Assign(targets=[ast.Name()], value=ast.Constant()):
            return True
        case _:
            return _only_imports(statement)


def _binds(statements: list[ast.stmt], name: str) -> bool:
    return any(
        (alias.asname or alias.name.partition(".")[0]) == name
        for statement in statements
        if isinstance(statement, ast.Import | ast.ImportFrom)
        for alias in statement.names
    )


def _last_row(source: SourceTree, index: int) -> int:
    """The last row of a top-level statement and of all that share it by semicolons."""
    body = source.tree.body
    while index + 1 < len(body) and source.first_row(body[index + 1]) == source.last_row(body[index]):
        index += 1
    return source.last_row(body[index])
