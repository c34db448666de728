"""Where code files things under the ids of objects: `self.cost[id(node)] = 3`, `{id(each): 0 for each in nodes}`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from msgspec import Struct

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.program.module import Module

_ID = "builtins.id"
_FILING = frozenset({"setdefault", "add", "append", "insert"})
_COLLECTING = frozenset({"dict", "set", "frozenset", "list", "sorted"})


class FiledById(Struct, frozen=True):
    """A table as an expression, the object whose id is filed there, and what a loop, a comprehension or `map` goes
    through to get that object, if one does."""

    table: ast.expr
    object: ast.expr
    of: ast.expr | None = None


def ids_in(nodes: Iterable[ast.AST], module: Module) -> dict[int, ast.expr]:
    """The expressions of a function that are the id of an object, by their identity, each with the object; also a name
    that gets one."""
    nodes = [*nodes]
    found = dict[int, ast.expr]()
    named = dict[str, ast.expr]()
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name() as called, args=[of], keywords=[]) if path_called(called, module) == _ID:
                found[id(node)] = of
            case _:
                pass
    for node in nodes if found else ():
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ) if id(value) in found:
                named[name] = found[id(value)]
            case _:
                pass
    named_nodes = (each for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
    return found | {id(each): named[each.id] for each in named_nodes if each.id in named}


def looped_over_by(name: str, nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """What the loops and comprehensions of a function go through by a name."""
    for node in nodes:
        match node:
            case ast.comprehension(target=ast.Name(id=target), iter=of) | ast.For(target=ast.Name(id=target), iter=of):
                if target == name:
                    yield of
            case _:
                pass


def filed_by_id(nodes: Iterable[ast.AST], module: Module) -> Iterator[FiledById]:
    """Where a function files something under an id, or the id itself."""
    nodes = [*nodes]
    ids = ids_in(nodes, module)
    for node in nodes:
        match node:
            case ast.Subscript(value=table, slice=key, ctx=ast.Store()):
                keys = [key]
            case ast.Call(func=ast.Attribute(value=table, attr=method), args=given) if method in _FILING:
                keys = given[:2]
            case ast.Call(func=ast.Attribute(value=table, attr="update"), args=[value]):
                keys = [*_collected(value)]
            case ast.Assign(targets=[table], value=value) | ast.AnnAssign(target=table, value=ast.expr() as value):
                keys = [*_collected(value)]
            case _:
                continue
        for key in keys:
            filed = ids.get(id(key))
            if filed is not None:
                through = looped_over_by(filed.id, nodes) if isinstance(filed, ast.Name) else iter(())
                yield FiledById(table, filed, next(through, None))
            elif _maps_ids(key, module):
                yield FiledById(table, key.args[1], key.args[1])


def _collected(value: ast.expr) -> Iterator[ast.expr]:
    """The keys or items of which a container is made, as far as they are written out; a `map` as it is."""
    match value:
        case ast.Dict(keys=keys):
            yield from (key for key in keys if key is not None)
        case ast.DictComp(key=key) | ast.SetComp(elt=key) | ast.ListComp(elt=key) | ast.GeneratorExp(elt=key):
            yield key.elts[0] if isinstance(key, ast.Tuple) and key.elts else key
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _COLLECTING:
            yield from _collected(inner)
        case ast.Call(func=ast.Name(id="map"), args=[_, _]):
            yield value
        case _:
            pass


def _maps_ids(value: ast.expr, module: Module) -> TypeGuard[ast.Call]:
    match value:
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name() as function, _]):
            return path_called(function, module) == _ID
        case _:
            return False
