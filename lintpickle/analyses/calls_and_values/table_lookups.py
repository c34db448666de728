"""Look-ups in tables, on their `ast` alone: `table[key]`, `table.get(key)`, `key in table`."""

from __future__ import annotations

import ast

from msgspec import Struct

_ERROR = "KeyError"


class TableLookup(Struct, frozen=True):
    """Where something is looked up, in which table and under which key; the error if there is no such key, "" if that
    is none; and whether what is found is taken out of the table (`table.pop(key)`, `del table[key]`)."""

    node: ast.expr
    table: ast.expr
    key: ast.expr
    error: str = ""
    is_removal: bool = False


def table_lookup(node: ast.AST) -> TableLookup | None:
    """What a node looks up in a table; None if it looks up nothing."""
    match node:
        case ast.Subscript(value=table, slice=key, ctx=ast.Load() | ast.Del() as context):
            return TableLookup(node, table, key, _ERROR, isinstance(context, ast.Del))
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]):
            return TableLookup(node, table, key)
        case ast.Call(func=ast.Attribute(value=table, attr="pop"), args=[key, *default]):
            return TableLookup(node, table, key, "" if default else _ERROR, True)
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[table]):
            return TableLookup(node, table, key)
        case _:
            return None
