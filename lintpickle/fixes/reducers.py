"""A `__reduce__` for objects that are rebuilt from the arguments of their constructor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.syntax import source_tree


def add_reduce(text: str, constructor: Span) -> Edit | None:
    """Add a `__reduce__` below an `__init__`, which calls it with the attributes that hold its arguments; None unless
    the object stores each argument unchanged."""
    source = source_tree(text)
    node = source.find_function(constructor, "__init__") if source is not None else None
    if source is None or node is None:
        return None
    arguments = [*node.args.posonlyargs, *node.args.args]
    if node.args.kwonlyargs or node.args.vararg or node.args.kwarg:
        return None
    me = arguments[0].arg
    kept = dict(_kept(node, me))
    names = [argument.arg for argument in arguments[1:]]
    if not all(name in kept for name in names):
        return None
    row = source.last_row(node)
    outer = source.indentation(source.first_row(node))
    values = ", ".join(f"{me}.{kept[name]}" for name in names) + ("," if len(names) == 1 else "")
    lines = (
        "",
        "",
        f"{outer}def __reduce__({me}):",
        f"{outer}{source.indent}return (type({me}), ({values}), {me}.__dict__)",
    )
    end = source.starts[row] + len(source.lines[row].rstrip("\r\n"))
    return Edit(Span(end, end), source.newline.join(lines))


def _kept(node: ast.FunctionDef, me: str) -> Iterator[tuple[str, str]]:
    """Parameters and the attributes that hold them unchanged."""
    stored = [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    changed = {each.id for each in stored}
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)], value=ast.Name(id=name)):
                if owner == me and name not in changed:
                    yield name, attribute
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=attribute), value=ast.Name(id=name)):
                if owner == me and name not in changed:
                    yield name, attribute
            case _:
                pass
