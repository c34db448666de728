"""What a function makes into text, or reckons with, on its `ast` alone: `print(np.array(x))`, `1 / np.array(x)`,
`loan.rate / 12`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import source_tree
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import root_name

_TO_TEXT = frozenset({"str", "repr", "print", "format", "ascii"})
_METHODS = frozenset({"format", "debug", "info", "warning", "error", "exception", "critical", "log", "write"})
"""Methods that make their arguments into text: of strings, of loggers, of files."""
_RECKONING = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


def makers_of_text(tree: ast.AST) -> Iterator[str]:
    """The calls, as written ("np.array"), whose results the code makes into text: at once, or by way of a local
    variable that nothing else is assigned to."""
    nodes = list(within(tree))
    made = dict(_assigned(nodes))
    for value in _texts(nodes):
        written = _maker(value, made)
        if written is not None:
            yield written


def makers_reckoned_with(tree: ast.AST) -> Iterator[str]:
    """The calls, as written, with whose results the code reckons: at once, or by way of such a variable. Of a method,
    also what makes its object."""
    nodes = list(within(tree))
    made = dict(_assigned(nodes))
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, _RECKONING):
            for side in (node.left, node.right):
                written = _maker(side, made)
                if written is not None:
                    yield written
                called = made.get(side.id, side) if isinstance(side, ast.Name) else side
                if isinstance(called, ast.Call) and root_name(called.func) is not None:
                    yield ast.unparse(called.func)


def place_reckoning(code: str, around: Span) -> Span | None:
    """Where code first divides something in a part of a text, or else reckons; None if it does not."""
    source = source_tree(code)
    found = [node for node in source.nodes_within(around) if _sides(node)] if source is not None else []
    dividing = [node for node in found if isinstance(getattr(node, "op", None), (ast.Div, ast.Pow))]
    return source.span((dividing or found)[0]) if source is not None and found else None


def parts_reckoned_with(tree: ast.AST) -> Iterator[str]:
    """The attributes, as written ("loan.rate"), with which the code reckons: at once, or by way of such a variable."""
    nodes = list(within(tree))
    made = dict(_assigned(nodes))
    for node in nodes:
        for side in _sides(node):
            value = made.get(side.id, side) if isinstance(side, ast.Name) else side
            if isinstance(value, ast.Attribute) and root_name(value) is not None:
                yield ast.unparse(value)


def values_reckoned_with(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.expr, bool]]:
    """The names, and items of such (`order["price"]`), with which code reckons; and those of which it makes the sum,
    each with whether it is their elements with which it does so."""
    for node in nodes:
        yield from ((side, False) for side in _sides(node) if isinstance(side, (ast.Name, ast.Subscript)))
        match node:
            case ast.Call(func=ast.Name(id="sum"), args=[ast.Name() as added, *_]):
                yield added, True
            case _:
                pass


def types_reckoned_with(tree: ast.AST) -> Iterator[str]:
    """The types, as written ("decimal.Decimal"), that functions declare for parameters with which they reckon."""
    for defined in within(tree):
        if not isinstance(defined, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        sides = [side for node in within(defined) for side in _sides(node)]
        named = {side.id for side in sides if isinstance(side, ast.Name)}
        given = defined.args
        for each in (*given.posonlyargs, *given.args, *given.kwonlyargs):
            if each.arg in named and isinstance(each.annotation, (ast.Name, ast.Attribute)):
                yield ast.unparse(each.annotation)


def is_only_written(name: str, tree: ast.AST) -> bool:
    """Whether code does nothing with what has a name but write it into a file, as a part of a text."""
    nodes = list(within(tree))
    written = {id(inner) for node in nodes for text in _written_texts(node) for inner in _parts_of_text(text)}
    uses = [node for node in nodes if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == name]
    return bool(uses) and all(id(each) in written for each in uses)


def _written_texts(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="write"), args=[text], keywords=[])):
            return [text]
        case _:
            return []


def _parts_of_text(text: ast.expr) -> Iterator[ast.expr]:
    match text:
        case ast.JoinedStr(values=values):
            yield from (each.value for each in values if isinstance(each, ast.FormattedValue))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from (*_parts_of_text(left), *_parts_of_text(right))
        case _:
            yield text


def _sides(node: ast.AST) -> tuple[ast.expr, ...]:
    """What a node reckons with."""
    match node:
        case ast.BinOp(op=operator, left=left, right=right) if isinstance(operator, _RECKONING):
            return left, right
        case ast.AugAssign(op=operator, target=target, value=value) if isinstance(operator, _RECKONING):
            return target, value
        case _:
            return ()


def _assigned(nodes: list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """The local variables that one statement alone assigns."""
    stored = [node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if stored.count(name) == 1:
                yield name, value
            case _:
                pass


def _texts(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _TO_TEXT:
                yield from node.args
            case ast.Call(func=ast.Attribute(attr=name)) if name in _METHODS:
                yield from node.args
            case ast.FormattedValue(value=value, format_spec=None):
                yield value
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
                yield from right.elts if isinstance(right, ast.Tuple) else [right]
            case _:
                pass


def _maker(value: ast.expr, made: dict[str, ast.expr]) -> str | None:
    """The call by which a value comes to be; of arithmetic, by which one of its sides does."""
    match value:
        case ast.Name(id=name) if name in made:
            return _maker(made[name], {other: each for other, each in made.items() if other != name})
        case ast.BinOp(left=left, right=right):
            return _maker(left, made) or _maker(right, made)
        case ast.Call(func=ast.Attribute(value=base)) if root_name(base) in made:
            return _maker(base, made)
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner)):
            return _maker(inner, made)
        case ast.Call(func=function) if root_name(function) is not None:
            return ast.unparse(function)
        case _:
            return None
