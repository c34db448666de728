"""What becomes of a value that a `__new__` is given a second time. Pickle rebuilds an object of a subclass of `str`,
`int`, `float`, `bytes` or `tuple` by `Class.__new__(Class, value)`, and `value` is what `__new__` has made before
(`object.__getnewargs__` of these types in CPython's `Objects`)."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from typing import Any

from lintpickle.analyses.calls_and_values.sample_values import (
    THE_CLASS,
    Failed,
    KnownNames,
    Rebuilt,
    TooLarge,
    Unknown,
    value_of,
)
from lintpickle.parsing.imports import imported_names

_SAMPLES: tuple[Any, ...] = (
    *("report", "a b/c d.csv", "/data/Caf\u00e9 & <tea>.txt", "it's 50%", "key=value", "Name: value", "C:\\temp\\x"),
    *(7, 90, 400, -3, 2.25, 19.99),
    *(b"report", b"a b%c"),
    *((1, 2), (2, 1, 3), ("b", "a c")),
)
"""What a constructor may be called with. That on which it fails is none of its values."""
_WRITTEN = ("12", "7.5", "0x1f", "1.2.3", "12 px", "50%", "1,2", "1-2")
"""Texts of which other objects than texts are made."""
_BUILTINS: Mapping[str, type[Any]] = {
    f"builtins.{each.__name__}": each for each in (str, int, float, complex, bytes, tuple)
}
_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.complex"})


def replayed(node: ast.FunctionDef, tree: ast.Module, path: str) -> str | None:
    """The error of a `__new__` that is given what it has made, or that the value is another one then; None if neither
    is seen with any sample. `tree` is that of the module, `path` the builtin class."""
    names = _names(node, tree)
    parameter = _parameter(node)
    if names is None or parameter is None or path not in _BUILTINS:
        return None
    error: str | None = None
    try:
        for sample in (*_SAMPLES, *(_WRITTEN if path != "builtins.str" else ())):
            made = _made(node, {**names, parameter: sample}, path)
            again = _run(node, {**names, parameter: made.value}, path) if made is not None else None
            if made is None or again is None:
                continue
            if isinstance(again, str):
                error = error or again
            elif _is_kind_of(sample, path) and not _is_same(made.value, again.value):
                return "silently, the value is changed a second time"
    except Unknown:
        return None
    return error


def _made(node: ast.FunctionDef, names: KnownNames, path: str) -> Rebuilt | None:
    """What a constructor makes of a sample; None if that is nothing that it is meant for."""
    try:
        made = _run(node, names, path)
    except TooLarge:
        return None
    return made if isinstance(made, Rebuilt) else None


def _is_kind_of(sample: object, path: str) -> bool:
    """Whether a sample is such as the class itself is: of others, a text shows how Python writes them."""
    number = isinstance(sample, int | float)
    return number if path in _NUMBERS else isinstance(sample, _BUILTINS[path])


def _run(node: ast.FunctionDef, names: KnownNames, path: str) -> Rebuilt | str | None:
    """What a constructor makes, or the error that it raises; None if it returns another object."""
    try:
        result = _suite(node.body, names, _BUILTINS[path])
    except Failed as failure:
        return str(failure)
    return result if isinstance(result, Rebuilt) else None


def _suite(body: list[ast.stmt], names: KnownNames, base: type[Any]) -> object:
    """What the statements return; `Ellipsis` if control comes to their end."""
    for statement in body:
        match statement:
            case ast.Return(value=ast.expr() as value):
                return value_of(value, names, base)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                names[name] = value_of(value, names, base)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                names[name] = value_of(value, names, base)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                left = ast.Name(name, ast.Load())
                names[name] = value_of(ast.BinOp(left, op, value), names, base)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))]) if isinstance(names.get(name), Rebuilt):
                pass
            case ast.If(test=test, body=then, orelse=other):
                returned = _suite(then if value_of(test, names, base) else other, names, base)
                if returned is not ...:
                    return returned
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[reason])):
                raise Failed(f"{name}: {value_of(reason, names, base)}")
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case _:
                raise Unknown
    return ...


def _names(node: ast.FunctionDef, tree: ast.Module) -> KnownNames | None:
    """What the names of a constructor stand for: constants of its class and module, defaults, and what is imported."""
    names: KnownNames = {}
    for statement in tree.body:
        match statement:
            case ast.Import() | ast.ImportFrom():
                names.update(imported_names(statement))
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names[name] = Unknown
            case _:
                names.update(_constants([statement]))
    owner = next((each for each in ast.walk(tree) if isinstance(each, ast.ClassDef) and node in each.body), None)
    if owner is None or not node.args.args:
        return None
    me = node.args.args[0].arg
    names.update({me: THE_CLASS, owner.name: THE_CLASS})
    names.update({f"{each}.{name}": value for each in (me, owner.name) for name, value in _constants(owner.body)})
    names.update(_defaults(node.args))
    return names


def _constants(body: list[ast.stmt]) -> Iterator[tuple[str, object]]:
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value.value if isinstance(value, ast.Constant) else Unknown
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value)):
                yield name, value
            case _:
                pass


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, object]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    given = zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)
    for argument, default in (*given, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)):
        yield argument.arg, default.value if isinstance(default, ast.Constant) else Unknown
    for rest in (arguments.vararg, arguments.kwarg):
        if rest is not None:
            yield rest.arg, Unknown


def _parameter(node: ast.FunctionDef) -> str | None:
    arguments = [*node.args.posonlyargs, *node.args.args]
    return arguments[1].arg if len(arguments) > 1 else None


def _is_same(first: object, second: object) -> bool:
    if isinstance(first, float) and isinstance(second, float):
        return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-9)
    return first == second
