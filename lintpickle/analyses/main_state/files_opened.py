"""Which files functions read and write, as far as the code that opens them says so: by a text, or by a name that stands
for one thing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from lintpickle.analyses.at_import.values_at_import import value_at_import
from lintpickle.facts.records import FunctionFacts
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import BrokenSyntax, dotted, parse
from lintpickle.program.module import Module

_WRAPPERS = frozenset({"Path", "PurePath", "str", "fspath", "abspath"})
_READS = frozenset({"read_text", "read_bytes"})
_WRITES = frozenset({"write_text", "write_bytes"})
_OPEN = "open"
_NOTHING: Mapping[str, str] = MappingProxyType({})
_DEEPEST = 4


class FileOpening(Struct, frozen=True):
    """A place of a tree at which a file is read or written. `path` is what tells it from other files, "" if that is not
    known; of a text, that in quotes."""

    node: ast.Call
    path: str
    is_write: bool


class NamingScope(Struct, frozen=True):
    """Where code stands that names files: its module, and what its parameters stand for. `own` are names of variables
    that mean the same wherever they are used here."""

    module: Module
    given: Mapping[str, str] = _NOTHING
    own: bool = False


def opened_files(tree: ast.AST, scope: NamingScope) -> Iterator[FileOpening]:
    """The places of a tree at which files are read or written."""
    for node in within(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[path, *others]) if name == _OPEN:
                yield FileOpening(node, _path(path, scope), _writes(node, others))
            case ast.Call(func=ast.Attribute(value=path, attr=name), args=others) if name == _OPEN:
                yield FileOpening(node, _path(path, scope), _writes(node, others))
            case ast.Call(func=ast.Attribute(value=path, attr=name)) if name in _READS or name in _WRITES:
                yield FileOpening(node, _path(path, scope), name in _WRITES)
            case _:
                pass


def scope_called(called: FunctionFacts, home: Module, text: str, caller: NamingScope) -> NamingScope:
    """That of a function which a call begins, as it is written by the caller: `save(FILE, 3)`."""
    call = _expression(text.strip())
    if not isinstance(call, ast.Call) or any(isinstance(each, ast.Starred) for each in call.args):
        return NamingScope(home)
    names = [each.name for each in called.parameters]
    is_method = "." in called.qualname and not called.is_local and not called.decorated_by("staticmethod")
    given = dict(zip(names[1:] if is_method else names, call.args, strict=False))
    given |= {each.arg: each.value for each in call.keywords if each.arg is not None}
    return NamingScope(home, {name: path for name, value in given.items() if (path := _path(value, caller))})


def _writes(call: ast.Call, others: list[ast.expr]) -> bool:
    """Whether a call opens a file to write."""
    mode = next((each.value for each in call.keywords if each.arg == "mode"), others[0] if others else None)
    return isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set("wax+").isdisjoint(mode.value)


def _path(value: ast.expr, scope: NamingScope, depth: int = 0) -> str:
    match value:
        case ast.Constant(value=str() as text):
            return repr(text)
        case ast.Call(func=function, args=[inner]) if dotted(function).rpartition(".")[2] in _WRAPPERS:
            return _path(inner, scope, depth)
        case ast.Name(id=name) if name in scope.given:
            return scope.given[name]
        case ast.Name(id=name):
            return _of_module(name, scope, depth) or (name if scope.own else "")
        case ast.Attribute():
            return dotted(value) if scope.own else ""
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            first, second = _path(left, scope, depth), _path(right, scope, depth)
            return f"{first} / {second}" if first and second else ""
        case _:
            return ""


def _of_module(name: str, scope: NamingScope, depth: int) -> str:
    """What tells the file that a global of the module names."""
    module = scope.module
    imported = module.outline.imports.get(name)
    if imported is not None:
        return imported.name or name
    bound = module.outline.binding(name)
    written = value_at_import(name, bound, module) if bound and depth < _DEEPEST else None
    if written is None:
        return name if bound else ""
    value = _expression(written)
    return (_path(value, NamingScope(module), depth + 1) if value is not None else "") or name


def _expression(text: str) -> ast.expr | None:
    """The expression that a text is, also in newer syntax; None if it is none."""
    try:
        body = parse(text).body
    except BrokenSyntax:
        return None
    return body[0].value if body and isinstance(body[0], ast.Expr) else None
