"""What becomes of an exception that is raised at a place of a function: seen on the `ast`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from enum import Enum

from lintpickle.control_flow.attempts import blocks_around, contexts, is_row_in
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name

_SUPPRESSES = re.compile(r"suppress|(?:assert_?)?raises\w*", re.IGNORECASE)
_CLASS = re.compile(r"_*[A-Z]\w*[a-z]\w*")
"""What a name looks like that is of one class, and not of a tuple with several."""
_TEXTS = frozenset({"str", "repr", "format", "type", "print", "isinstance", "format_exc"})
"""What makes a text of an exception, or something else that does not hold it."""
_KEEPS = frozenset({"append", "add", "put", "put_nowait", "send", "insert", "extend", "setdefault", "set_exception"})


class Aftermath(Enum):
    """What becomes of an exception in a function."""

    LEAVES = "it leaves the function"
    RETURNED = "it leaves the function in its result"
    UNKNOWN = "it may leave the function"
    ENDS = "it is caught"


def aftermath(tree: ast.AST, row: int, names: frozenset[str], original: Callable[[str], str]) -> Aftermath:
    """What becomes of an exception raised in a row (1-based): `names` are those of its class and of all bases of that;
    `original` gives the name of a class under whatever name a module imports it."""
    may_end = False
    for node in reversed(blocks_around(tree, row)):
        if isinstance(node, (ast.With, ast.AsyncWith)):
            given = (each for name, types in contexts(node) if _SUPPRESSES.fullmatch(name) for each in types)
            if any(_catches(each, names, original) for each in given):
                return Aftermath.ENDS
        elif isinstance(node, ast.Try) and is_row_in(node.body, row):
            caught, found = _in_handlers(node, names, original)
            if caught and found is not Aftermath.LEAVES:
                return found
            may_end = may_end or (caught is None and found is not Aftermath.LEAVES)
        elif not isinstance(node, (ast.Try, ast.FunctionDef, ast.AsyncFunctionDef)):
            may_end = True  # by `except*`
    return Aftermath.UNKNOWN if may_end else Aftermath.LEAVES


def _in_handlers(node: ast.Try, names: frozenset[str], original: Callable[[str], str]) -> tuple[bool | None, Aftermath]:
    """Whether a handler catches it (None: it may), and what becomes of it then."""
    for handler in node.handlers:
        caught = _catches(handler.type, names, original)
        if caught is not False:
            return caught, _handled(handler)
    return False, Aftermath.LEAVES


def _catches(types: ast.expr | None, names: frozenset[str], original: Callable[[str], str]) -> bool | None:
    """Whether a handler catches it; None if that is not known."""
    if types is None:
        return True
    parts = types.elts if isinstance(types, ast.Tuple) else [types]
    named = [original(last_name(each)) for each in parts]
    if not names.isdisjoint(named):
        return True
    return False if all(map(_CLASS.fullmatch, named)) else None


def _handled(handler: ast.ExceptHandler) -> Aftermath:
    """What a handler does with what it has caught."""
    found = Aftermath.ENDS
    for node in within(ast.Module(handler.body, [])):
        kept = _fate_in(node, handler.name)
        if kept is Aftermath.LEAVES:
            return kept
        found = kept or found
    return found


def _fate_in(node: ast.AST, name: str | None) -> Aftermath | None:
    """What one statement or call of a handler does with what the handler has caught under that name."""
    match node:
        case ast.Raise(exc=None):
            return Aftermath.LEAVES
        case ast.Raise(exc=ast.expr() as value):
            return Aftermath.LEAVES if _holds(value, name) is not None else None
        case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
            return _holds(value, name)
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return Aftermath.UNKNOWN if _holds(value, name) is not None else None
        case ast.Call(func=ast.Attribute(attr=attribute), args=args) if attribute in _KEEPS:
            return Aftermath.UNKNOWN if any(_holds(each, name) is not None for each in args) else None
        case _:
            return None


def _holds(value: ast.expr, name: str | None) -> Aftermath | None:
    """Whether a value is, or holds, what has that name: RETURNED if so, UNKNOWN if an unknown call gets it."""
    match value:
        case ast.Name(id=found):
            return Aftermath.RETURNED if found == name else None
        case ast.Call(func=function, args=args, keywords=keywords):
            given = [*args, *(each.value for each in keywords)]
            held = any(_holds(each, name) is not None for each in given) and last_name(function) not in _TEXTS
            return Aftermath.UNKNOWN if held else None
        case ast.JoinedStr() | ast.Attribute() | ast.Compare() | ast.Lambda():
            return None
        case _:
            fates = [_holds(each, name) for each in _parts(value)]
            return next((each for each in (Aftermath.RETURNED, Aftermath.UNKNOWN) if each in fates), None)


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    return (each for each in ast.iter_child_nodes(value) if isinstance(each, ast.expr))
