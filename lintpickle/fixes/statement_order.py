"""Where the statements of a text stand, and what must have run before others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.fixes.names import NameUses
from lintpickle.fixes.syntax import FunctionOrClass, SourceTree

CALL_DEPTH = 4
"""Functions that call each other are followed no deeper."""

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class StatementOrder:
    """Answers for one text."""

    def __init__(self, names: NameUses) -> None:
        self.names = names
        self.source: SourceTree = names.source
        self._parents = {child: node for node in self.source.nodes for child in ast.iter_child_nodes(node)}

    def statement_at(self, offset: int) -> ast.stmt | None:
        """The innermost statement that an offset lies in."""
        found: ast.stmt | None = None
        for node in self.source.nodes:
            if isinstance(node, ast.stmt):
                span = self.source.span(node)
                found = node if span.start <= offset < span.end else found
        return found

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, the next one first."""
        while (parent := self._parents.get(node)) is not None:
            yield parent
            node = parent

    def function_of(self, node: ast.AST) -> AnyFunction | None:
        """The function in which a node stands; None at module level."""
        return next((each for each in self.above(node) if isinstance(each, AnyFunction)), None)

    def top_of(self, node: ast.AST) -> ast.stmt:
        """The statement at module level in which a node stands."""
        outer = [each for each in (node, *self.above(node)) if isinstance(each, ast.stmt)]
        return outer[-1]

    def only_call(self, function: ast.AST) -> ast.Call | None:
        """The one call of a function at module level that nothing else names."""
        if not isinstance(function, ast.FunctionDef) or function not in self.source.tree.body:
            return None
        if function.decorator_list or self.names.bound_once(function.name, len(self.source.text)) is not function:
            return None
        uses = [use.node for use in self.names.named(function.name) if not use.binds]
        call = self._parents.get(uses[0]) if len(uses) == 1 else None
        return call if isinstance(call, ast.Call) and call.func is uses[0] else None

    def precedes(self, statement: ast.stmt, node: ast.AST) -> bool:
        """Whether a statement has always run when a node runs: it stands before it in the same block, or before the
        only call of the function that the node stands in."""
        block = self.source.siblings[statement]
        here: ast.AST | None = node
        for _ in range(CALL_DEPTH):
            inner = here
            while inner is not None and inner not in block:
                inner = self._parents.get(inner)
                if isinstance(inner, AnyFunction | ast.ClassDef) and inner not in block:
                    break
            if isinstance(inner, ast.stmt) and inner in block:
                is_definition = isinstance(inner, FunctionOrClass)
                return not is_definition and block.index(inner) > block.index(statement)
            here = self.only_call(inner) if inner is not None else None
            if here is None:
                return False
        return False

    def runs_on_import(self, node: ast.AST) -> bool:
        """Whether a node stands at module level, outside of the main guard."""
        top = self.top_of(node)
        is_guard = isinstance(top, ast.If) and "__name__" in ast.dump(top.test)
        return not is_guard and self.function_of(node) is None
