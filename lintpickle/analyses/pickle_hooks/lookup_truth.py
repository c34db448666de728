"""How tests come out in the lookup of an attribute on an object that has no state yet.

What they give is computed as for pickling hooks (`interpreter.hook_values`). `control_flow` cannot say it: it relates
tests by their texts, and here both the name that is asked for and the object's empty dict are known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from lintpickle.interpreter import hook_values
from lintpickle.interpreter.hook_values import NOT_KNOWN, HookValue, Known, Parts


class LookupTruth:
    """Decides the tests of one `__getattr__`, whose parameters are `me` and `name`. `is_missing(name)` says whether the
    class lacks a name."""

    def __init__(self, me: str, name: str, is_missing: Callable[[str], bool]) -> None:
        self._me = me
        self._name = name
        self._is_missing = is_missing

    def is_dict(self, node: ast.expr) -> bool:
        """Whether an expression is the object's dict."""
        match node:
            case ast.Attribute(value=ast.Name(id=me), attr="__dict__"):
                return me == self._me
            case ast.Call(func=ast.Name(id="vars"), args=[ast.Name(id=me)]):
                return me == self._me
            case _:
                return False

    def truth(self, test: ast.expr, asked: str) -> bool | None:
        """How a test must come out in a lookup of `asked`; None if that is not known."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                truth = self.truth(operand, asked)
                return None if truth is None else not truth
            case ast.BoolOp(op=op, values=values):
                truths = [self.truth(value, asked) for value in values]
                decisive = isinstance(op, ast.Or)
                if decisive in truths:
                    return decisive
                return None if None in truths else not decisive
            case ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(id=me), ast.Constant(value=str() as key)]):
                return False if me == self._me and self._is_missing(key) else None
            case ast.Compare(left=ast.Constant(value=key), comparators=[held]) if self.is_dict(held):
                return hook_values.truth(self._value(test, asked), "") if self._is_missing(str(key)) else None
            case _:
                return hook_values.truth(self._value(test, asked), "")

    def _value(self, node: ast.expr, asked: str) -> HookValue:
        """What an expression gives that depends on the asked name and constants alone; the object's dict is empty."""
        match node:
            case ast.Constant(value=value):
                return Known(value)
            case ast.Name(id=name) if name == self._name:
                return Known(asked)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                return Known(-number)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return Parts(tuple(self._value(each, asked) for each in elements))
            case ast.Subscript(value=held, slice=where):
                return self._part(self._value(held, asked), where, asked)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return hook_values.compared(operator, self._value(left, asked), self._value(right, asked), "")
            case ast.Call(func=ast.Attribute(value=held, attr=method), args=given, keywords=[]):
                text = self._value(held, asked)
                if isinstance(text, Known) and isinstance(text.value, str):
                    return hook_values.text_method(text.value, method, (self._value(each, asked) for each in given))
                return NOT_KNOWN
            case _:
                return Parts(()) if self.is_dict(node) else NOT_KNOWN

    def _part(self, text: HookValue, where: ast.expr, asked: str) -> HookValue:
        """`name[0]`, `name[:2]`, `name[-2:]`."""
        is_slice = isinstance(where, ast.Slice) and where.step is None
        bounds = [where.lower, where.upper] if isinstance(where, ast.Slice) and is_slice else [where]
        match text, [self._value(bound, asked) if bound is not None else Known(None) for bound in bounds]:
            case Known(value=str() as known), [Known(value=None | int() as first), Known(value=None | int() as last)]:
                return Known(known[first:last])
            case Known(value=str() as known), [Known(value=int() as index)]:
                return Known(known[index : index + 1 or None])
            case _:
                return NOT_KNOWN
