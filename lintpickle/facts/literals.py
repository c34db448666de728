"""Literals: numbers and texts as they stand in code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Constant, Data, Expr
from lintpickle.parsing.syntax import unwarned

if TYPE_CHECKING:
    from lintpickle.parsing.parsed_blocks import Spans

NOT_AS_WRITTEN = re.compile(r"[\\\r]")
"""Characters whose presence in a string literal means that its value differs from its source."""
_NOWHERE = Span(0, 0)


class LiteralVisitor:
    """Reads the literals of one parsed block."""

    spans: Spans

    def span(self, node: cst.CSTNode) -> Span:
        """The span of the node in the file's text."""
        return self.spans.get(node) or _NOWHERE

    def data(self, node: cst.BaseExpression, kind: str) -> Expr:
        """A value of a type whose objects hold nothing but data."""
        return Data(self.span(node), kind)

    def visit_Integer(self, node: cst.Integer) -> Expr:
        try:
            return Constant(self.span(node), int(node.value, 0))
        except ValueError:  # more digits than Python reads
            return Data(self.span(node), "int")

    def visit_Float(self, node: cst.Float) -> Expr:
        return Constant(self.span(node), float(node.value))

    def visit_Imaginary(self, node: cst.Imaginary) -> Expr:
        return Constant(self.span(node), complex(node.value.replace("_", "")))

    def visit_SimpleString(self, node: cst.SimpleString) -> Expr:
        if "\\" not in node.value and node.value[0] in "'\"" and node.value[:3] not in ("'''", '"""'):
            return Constant(self.span(node), node.value[1:-1])
        return self.text(node)

    def text(self, node: cst.SimpleString | cst.ConcatenatedString) -> Expr:
        """The text that a string without expressions in it stands for."""
        if isinstance(node, cst.SimpleString) and node.value[0] in "'\"" and not NOT_AS_WRITTEN.search(node.value):
            return Constant(self.span(node), node.raw_value)
        try:
            with unwarned():
                value = node.evaluated_value
        except (ValueError, SyntaxError):
            value = None
        return Expr(self.span(node)) if value is None else Constant(self.span(node), value)

    def visit_Ellipsis(self, node: cst.Ellipsis) -> Expr:
        return Constant(self.span(node), ...)
