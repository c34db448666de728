"""Results that workers send while they are read: those of `imap` and `imap_unordered`.

Measured with CPython 3.11 under fork, spawn and forkserver: what is read of them after the pool was terminated never
comes, also if `close()` was called before, or one of them was read. After `close()` and `join()`, all come.
"""

from __future__ import annotations

import ast

from lintpickle.parsing.syntax import dotted
from lintpickle.payload.iterated_loaders import PROGRESS_BARS

LAZY = frozenset({"imap", "imap_unordered"})
_READ_LATER = frozenset({"enumerate", "filter", "iter", "map", "zip"})
"""What gives an iterator that has read nothing yet of what it is made of."""


class LazyResults:
    """What a call gives whose results are read later, and the names that hold it."""

    def __init__(self, call: ast.Call, statement: ast.AST) -> None:
        self._call = call
        self._names: frozenset[str] = frozenset()
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                self.are_unread = self._hands_on(value)
                self._names = frozenset({name})
            case ast.Return(value=ast.expr() as value) | ast.Expr(value=value):
                self.are_unread = self._hands_on(value)
            case _:
                self.are_unread = False

    def may_be_read_by(self, statement: ast.stmt) -> bool:
        """Whether a statement behind the call may read results: it names them, and does not only return them."""
        match statement:
            case ast.Return(value=ast.expr() as value) if self._hands_on(value):
                return False
            case _:
                return any(isinstance(each, ast.Name) and each.id in self._names for each in ast.walk(statement))

    def _hands_on(self, node: ast.expr) -> bool:
        match node:
            case ast.Call() if node is self._call:
                return True
            case ast.Call(args=given) if dotted(node.func).rpartition(".")[2] in PROGRESS_BARS:
                return any(map(self._hands_on, given))
            case ast.Call(func=ast.Name(id=name), args=given) if name in _READ_LATER:
                return any(map(self._hands_on, given))
            case ast.GeneratorExp(generators=[first, *_]):
                return self._hands_on(first.iter)
            case ast.Name(id=name):
                return name in self._names
            case _:
                return False
