"""Conditions that come out the same under all Pythons that are read, from 3.10 on: those that ask for the version, and
for Python 2, Jython and IronPython."""

from __future__ import annotations

import ast

from lintpickle.parsing.syntax import dotted, last_name

_PLATFORMS = frozenset({"java", "cli"})
_IMPLEMENTATIONS = frozenset({"Jython", "IronPython"})
_NAMES = {"PY2": False, "PY3": True}
_VERSION = "version_info"
VERSION_NAMES = frozenset({_VERSION, *_NAMES})
"""The names by which conditions ask for the version."""
_OLDEST = (3, 10)
_MAJOR = (3,)
_NEXT_MAJOR = (4,)
_OPPOSITE = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.NotEq: ast.Eq}


def is_of_another_python(test: ast.expr) -> bool:
    """Whether a condition holds under none of the Pythons that are read."""
    return on_each_python(test) is False


def on_each_python(test: ast.expr) -> bool | None:
    """How a condition comes out under each of the Pythons that are read; None if that depends on more."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            found = on_each_python(inner)
            return None if found is None else not found
        case ast.BoolOp(op=connective, values=values):
            decisive, results = isinstance(connective, ast.Or), set(map(on_each_python, values))
            return decisive if decisive in results else None if None in results else not decisive
        case ast.Call(func=ast.Attribute(value=base, attr="startswith"), args=[ast.Constant(value=str(name))]):
            return False if dotted(base) == "sys.platform" and name in _PLATFORMS else None
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=str(name))]):
            if isinstance(left, ast.Call):
                is_other = last_name(left.func) == "python_implementation" and name in _IMPLEMENTATIONS
            else:
                is_other = dotted(left) in ("sys.platform", "os.name") and name in _PLATFORMS
            return False if is_other else None
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compared(left, operator, right)
        case ast.Name() | ast.Attribute():
            return _NAMES.get(last_name(test))
        case _:
            return None


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool | None:
    """How a comparison with the version comes out."""
    if type(operator) in _OPPOSITE:
        found = _compared(left, _OPPOSITE[type(operator)](), right)
        return None if found is None else not found
    asked = _numbers(right)
    if not asked or not (_is_major(left) or _is_version(left)):
        return None
    oldest = _MAJOR if _is_major(left) else _OLDEST
    is_major = oldest is _MAJOR
    match operator:
        case ast.Gt() if asked < oldest:
            return True
        case ast.GtE() if asked <= oldest:
            return True
        case ast.Gt() | ast.GtE():
            return False if is_major or asked >= _NEXT_MAJOR else None
        case ast.Eq() if is_major:
            return asked == _MAJOR
        case ast.Eq():
            return False if asked < _OLDEST or asked >= _NEXT_MAJOR else None
        case _:
            return None


def _is_major(node: ast.expr) -> bool:
    """Whether an expression is `sys.version_info[0]` or `sys.version_info.major`."""
    match node:
        case ast.Subscript(value=base, slice=ast.Constant(value=0)) | ast.Attribute(value=base, attr="major"):
            return last_name(base) == _VERSION
        case _:
            return False


def _is_version(node: ast.expr) -> bool:
    """Whether an expression is `sys.version_info` or its first numbers: `sys.version_info[:2]`."""
    match node:
        case ast.Subscript(value=base, slice=ast.Slice(lower=None)):
            return last_name(base) == _VERSION
        case ast.Name() | ast.Attribute():
            return last_name(node) == _VERSION
        case _:
            return False


def _numbers(node: ast.expr) -> tuple[int, ...]:
    """The numbers of a version as it is written; none if it is something else."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    numbers = [each.value for each in parts if isinstance(each, ast.Constant) and isinstance(each.value, int)]
    return tuple(numbers) if len(numbers) == len(parts) else ()
