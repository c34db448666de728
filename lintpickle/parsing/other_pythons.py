"""Conditions that hold only under Pythons which are not read: Python 2, Jython, IronPython."""

from __future__ import annotations

import ast

from lintpickle.parsing.syntax import dotted, last_name

_PLATFORMS = frozenset({"java", "cli"})
_IMPLEMENTATIONS = frozenset({"Jython", "IronPython"})
_OLD = "PY2"
_VERSION = "sys.version_info"


def is_of_another_python(test: ast.expr) -> bool:
    """Whether a condition holds under none of the Pythons that are read."""
    match test:
        case ast.Call(func=ast.Attribute(value=base, attr="startswith"), args=[ast.Constant(value=str(name))]):
            return dotted(base) == "sys.platform" and name in _PLATFORMS
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=str(name))]):
            if isinstance(left, ast.Call):
                return last_name(left.func) == "python_implementation" and name in _IMPLEMENTATIONS
            return dotted(left) in ("sys.platform", "os.name") and name in _PLATFORMS
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=2)]):
            return _is_major(left)
        case ast.Compare(left=left, ops=[ast.Lt()], comparators=[ast.Constant(value=3)]):
            return _is_major(left)
        case ast.Compare(left=left, ops=[ast.Lt()], comparators=[ast.Tuple(elts=[ast.Constant(value=3)])]):
            return dotted(left) == _VERSION
        case ast.Name() | ast.Attribute():
            return last_name(test) == _OLD
        case _:
            return False


def _is_major(node: ast.expr) -> bool:
    match node:
        case ast.Subscript(value=base, slice=ast.Constant(value=0)):
            return dotted(base) == _VERSION
        case ast.Attribute(value=base, attr="major"):
            return dotted(base) == _VERSION
        case _:
            return False
