"""A module-level function around a function that pickle cannot find by its name."""

from __future__ import annotations

import ast
from typing import TypeGuard

from msgspec import Struct

from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.names import NameUses, analyse
from lintpickle.fixes.syntax import SourceTree, same, source_tree


class Wrapped(Struct, frozen=True):
    """The sorted edits that put a wrapper in place of an expression, and the wrapper's name."""

    edits: tuple[Edit, ...]
    name: str


def wrap_function(text: str, span: Span) -> Wrapped | None:
    """Replace the dotted name at `span` by a module-level function that passes everything on to it.

    The wrapper goes before the top-level statement around the name, and is called like its last part, with an
    underscore in front. A wrapper that does the same and is there already is used again. Returns None when
    the span holds anything but a dotted name, when that means something else at module level, or when the
    module compares it with something, which would then be told from the wrapper.
    """
    names = analyse(text)
    node = _find_dotted(names.source, span) if names else None
    if names is None or node is None:
        return None
    source = names.source
    where = source.span(node)
    point = source.insertion_point(where.start)
    if point is None or not names.available(node, point) or _is_compared(source, node):
        return None
    known = _present(names, node, point)
    if known is not None:
        return Wrapped((source.replacement(where, known),), known)
    name = names.free_name(node.attr if isinstance(node, ast.Attribute) else node.id)
    insertion = _insertion(source, point, _definition(source, name, source.segment(where)))
    return Wrapped((insertion, source.replacement(where, name)), name)


def _find_dotted(source: SourceTree, span: Span) -> ast.Name | ast.Attribute | None:
    """The dotted name within the span, if nothing but parentheses and white space is around it."""
    for node in source.nodes_within(span):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            where = source.span(node)
            around = source.text[span.start : where.start] + source.text[where.end : span.end]
            return node if not around.strip("() \t\r\n") and _is_read_rightly(source, node) else None
    return None


def _is_read_rightly(source: SourceTree, node: ast.Name | ast.Attribute) -> bool:
    """Whether the node is a chain of plain names, written on one row (f-strings had wrong positions before
    Python 3.12)."""
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    parsed = source_tree(source.segment(source.span(node)))
    match parsed and parsed.tree.body:
        case [ast.Expr(value=value)]:
            return isinstance(inner, ast.Name) and same(value, node)
    return False


def _is_compared(source: SourceTree, node: ast.expr) -> bool:
    """Whether the module compares the same expression with something (`self.pool is F.max_pool2d`)."""
    return ast.dump(node) in source.compared


def _present(names: NameUses, node: ast.expr, before: int) -> str | None:
    """The name of a wrapper of the same function that is defined before the offset."""
    for statement in names.source.tree.body:
        if _may_wrap(statement) and names.bound_once(statement.name, before) is statement:
            wanted = source_tree(_definition(names.source, statement.name, ast.unparse(node)))
            if wanted is not None and same(wanted.tree.body[0], statement):
                return statement.name
    return None


def _may_wrap(statement: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether a statement has the form of `_definition`."""
    match statement:
        case ast.FunctionDef(args=ast.arguments(vararg=ast.arg(), kwarg=ast.arg()), body=[ast.Return()]):
            return True
    return False


def _definition(source: SourceTree, name: str, wrapped: str) -> str:
    return f"def {name}(*args, **kwargs):{source.newline}{source.indent}return {wrapped}(*args, **kwargs)"


def _insertion(source: SourceTree, point: int, code: str) -> Edit:
    newline = source.newline
    before = newline * max(0, 2 - source.blank_rows_before(point))
    return Edit(Span(point, point), before + code + newline * 3)
